"""Tours in files: JSON and TSPLIB `.tour`, in and out."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from kt_models.arguments import require_boolean
from kt_models.directed import same_place
from kt_models.display import graph_from
from kt_models.errors import InvalidTour, KTError, about, excerpt, saying
from kt_models.files.endings import ending_of
from kt_models.graph import MoveGraph
from kt_models.long_arrays import ROWS_AT_ONCE, json_pieces, read_tour_json
from kt_models.result import Result
from kt_models.storage import read_text, write_pieces
from kt_models.tour import Tour, tour_document, tour_from_json, verify


def read_tour(path: str | os.PathLike[str], graph: MoveGraph | None = None) -> Tour:
    """Read a tour from a JSON or TSPLIB `.tour` file.

    Parameters
    ----------
    path
        The file; what does not end in `.tour` is read as JSON.
    graph
        What a `.tour` file tours, where the file does not say it itself.

    Raises
    ------
    KTError
        If the file cannot be read as a tour; the message names the file.
    """
    with about(path):
        ending = ending_of(path)
        if ending == ".tour":
            return parse_tour(read_text(path), graph)
        if ending in (".hcp", ".tsp", ".atsp", ".col", ".edge", ".edges", ".dimacs"):
            raise KTError("it is a graph, not a tour")
        tour = tour_of_json(read_tour_json(path))
        if graph is not None and not same_place(graph, tour.graph):
            raise InvalidTour(f"it is a tour of {tour.graph.name}, not of {graph.name}")
        return replace(tour, graph=graph) if graph is not None and graph == tour.graph else tour  # with its fixed edges


FORMS = {
    ".tour": "TSPLIB: TYPE TOUR, DIMENSION and TOUR_SECTION, vertices from 1",
    ".json": "JSON: the keys of a board or graph, 'tour' and 'closed'",
}
"""What is read as a tour, by the ending of a file."""


def tour_of_json(data: Any) -> Tour:
    """The tour of a JSON object, as `kt_models.tour.tour_from_json` has it; an error says what can be read."""
    with saying(FORMS[".json"], InvalidTour):
        return tour_from_json(data)


def read_valid_tour(path: str | os.PathLike[str], graph: MoveGraph | None = None) -> Tour:
    """Read a tour as `read_tour` does, and verify it.

    Raises
    ------
    KTError
        If it cannot be read as a tour or is not one; the message names the file.
    """
    tour = read_tour(path, graph)
    with about(path):
        verify(tour)
    return tour


def tour_given(tour: Any, board: Any = None, *, closed: bool | None = None) -> Tour:
    """The tour in any form; it may be wrong: `verify` tells.

    Parameters
    ----------
    tour
        A `Tour`, a `Result` that has one, the path of a file of one, or its cells in the order of the visit, each as
        `(x, y)`, `a1` or a node of the graph.
    board
        Of cells, in any form, and of a `.tour` file that does not say it; anywhere else the tour has to be one of it.
    closed
        Whether the last cell is followed by the first: of cells, by default, it is; a tour has to be as it says.

    Raises
    ------
    KTError
        If it is in none of these forms, or of another board.
    InvalidTour
        If it is closed where an open one is wanted, or the other way round.
    """
    graph = None if board is None else graph_from(board)
    if closed is not None:
        require_boolean(closed, "closed")
    if isinstance(tour, str | os.PathLike):
        tour = read_tour(tour, graph)
    if isinstance(tour, Result):
        if tour.tour is None:
            raise KTError(f"there is no tour in the result: its status is {tour.status}")
        tour = tour.tour
    if isinstance(tour, Tour):
        if graph is not None and not same_place(graph, tour.graph):
            raise InvalidTour(f"it is a tour of {tour.graph.name}, not of {graph.name}")
        if closed not in (None, tour.closed):
            words = tour.graph.words
            kinds = (words.a_path, words.a_cycle) if closed else (words.a_cycle, words.a_path)
            raise InvalidTour(f"it is {kinds[0]}, not {kinds[1]}")
        return tour
    if graph is None:
        forms = "a Tour, a Result, the path of a file, or cells in order and their board: verify(cells, '8x8')"
        raise KTError(f"tour must be {forms}; got {excerpt(tour)}")
    return Tour.from_cells(graph, tour, closed=closed is not False)


def write_tour(path: str | os.PathLike[str], tour: Tour, *, force: bool = False) -> None:
    """Write a tour as TSPLIB if the name ends in `.tour`, otherwise as JSON; `force` replaces anything."""
    if str(path).lower().endswith(".tour"):
        write_pieces(path, tsplib_pieces(tour), force=force)
    else:
        write_pieces(path, chain(json_pieces(tour_document(tour)), "\n"), "tour", force=force)


def tour_to_tsplib(tour: Tour) -> str:
    """TSPLIB text; vertices count from 1, and a COMMENT says board, leaper and whether it is closed."""
    return "".join(tsplib_pieces(tour))


def tsplib_pieces(tour: Tour) -> Iterator[str]:
    """The same in pieces."""
    about = f"board={tour.graph.name}" + (f" leaper={tour.graph.leaper}" if tour.graph.leaper else "")
    lines = [
        f"NAME : {tour.graph.name.replace(' ', '_')}",
        f"COMMENT : kt {about} closed={int(tour.closed)}",
        "TYPE : TOUR",
        f"DIMENSION : {len(tour)}",
        "TOUR_SECTION\n",
    ]
    yield "\n".join(lines)
    for first in range(0, len(tour), ROWS_AT_ONCE):
        yield "".join(f"{v + 1}\n" for v in tour.vertices[first : first + ROWS_AT_ONCE].tolist())
    yield "-1\nEOF\n"


def parse_tour(text: str, graph: MoveGraph | None = None) -> Tour:
    """The tour of a TSPLIB text; `graph` where it does not say what it tours."""
    with saying(FORMS[".tour"], InvalidTour):
        return _parse_tour(text, graph)


def _parse_tour(text: str, graph: MoveGraph | None) -> Tour:
    from kt_models.files.tsplib import END, parse_tsplib

    content = parse_tsplib(text)
    if "TOUR_SECTION" not in content.sections or content.values.get("TYPE", "TOUR") != "TOUR":
        raise KTError("not a TSPLIB tour: TYPE is not TOUR, or there is no TOUR_SECTION")
    visited = content.sections["TOUR_SECTION"]
    ended = len(visited) > 0 and visited[-1] == END
    numbers = visited[: len(visited) - ended] - 1
    if (numbers == END - 1).any():
        raise KTError("numbers stand after the -1 that ends the TOUR_SECTION")
    if not ended and "DIMENSION" not in content.values:
        raise KTError("truncated: the tour does not end in -1, and no DIMENSION says how long it is")
    about = dict(re.findall(r"(board|leaper|closed)=(\S+)", " ".join(t for t in content.texts if t.startswith("kt "))))
    if graph is None:
        if "board" not in about:
            raise KTError("the file does not say its board: give --board")
        try:
            graph = MoveGraph.from_json({"board": about["board"], "leaper": about.get("leaper", "1,2")})
        except KTError:
            raise KTError(f"its board {about['board']!r} is not one that its name describes: give --board") from None
    if "DIMENSION" in content.values and content.dimension != len(numbers):
        raise InvalidTour(f"DIMENSION is {content.dimension}, but {len(numbers)} vertices are listed")
    if len(numbers) and not 0 <= min(numbers) <= max(numbers) < graph.vertex_count:
        raise InvalidTour(f"a vertex number is outside 1..{graph.vertex_count}")
    return Tour.of(graph, numbers.astype(np.int32), about.get("closed") != "0")
