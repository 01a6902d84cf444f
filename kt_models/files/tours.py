"""Tours in JSON and TSPLIB, read and written; `kt_models.files.tour_forms` reads every other form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from kt_models.board import IntArray
from kt_models.errors import InvalidTour, KTError, saying
from kt_models.graph import MoveGraph
from kt_models.long_arrays import ROWS_AT_ONCE
from kt_models.tour import Tour, tour_from_json

FORMS = {
    ".tour": "TSPLIB: TYPE TOUR, DIMENSION and TOUR_SECTION, vertices from 1",
    ".json": "JSON: the keys of a board or graph, 'tour' and 'closed'",
}
"""Forms of tours by the suffix of a file."""


def is_document(data: Any) -> bool:
    """Whether a value of JSON is an object as kt writes it, and not a dictionary from cells to numbers."""
    if not isinstance(data, Mapping) or not all(isinstance(key, str) for key in data):
        return False
    return not data or not all(isinstance(value, int | np.integer) for value in data.values())


def tour_of_json(data: Any) -> Tour:
    """The tour of a JSON object, as `kt_models.tour.tour_from_json` reads it; errors list what can be read."""
    with saying(FORMS[".json"], InvalidTour):
        return tour_from_json(data)


def tour_to_tsplib(tour: Tour) -> str:
    """TSPLIB text; vertices count from 1, and a COMMENT gives board, leaper and whether the tour is closed."""
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


def parse_tour(text: str, graph: MoveGraph | None = None, otherwise: bool = True) -> Tour:
    """The tour of a TSPLIB text; `graph` is needed if the text does not name its graph."""
    with saying(FORMS[".tour"], InvalidTour):
        return _parse_tour(text, graph, otherwise)


def tsplib_numbers(text: str) -> IntArray:
    """Vertices of a TSPLIB text, from 1, in the order of the visit."""
    with saying(FORMS[".tour"], InvalidTour):
        return _listed(text)[0]


def says_its_board(text: str) -> bool:
    """Whether a TSPLIB text has the comment in which kt names the graph."""
    return re.search(r"^\s*COMMENT\s*:?\s*kt .*board=", text, re.MULTILINE | re.IGNORECASE) is not None


def _listed(text: str) -> tuple[IntArray, dict[str, str]]:
    """The vertices, and board, leaper and closedness from the comment that kt writes."""
    from kt_models.files.tsplib import END, parse_tsplib

    content = parse_tsplib(text)
    if "TOUR_SECTION" not in content.sections or content.values.get("TYPE", "TOUR") != "TOUR":
        raise KTError("not a TSPLIB tour: TYPE is not TOUR, or there is no TOUR_SECTION")
    visited = content.sections["TOUR_SECTION"]
    # A tour ends in -1, and so does the section, which may have several tours; most programs write one -1
    closing = next((place for place, number in enumerate(visited[::-1][:3]) if number != END), min(3, len(visited)))
    ended = closing > 0
    numbers = visited[: len(visited) - closing]
    if closing > 2 or (numbers == END).any():
        several = "it has several tours, or " if closing == 2 else ""
        raise KTError(f"{several}numbers stand after the -1 that ends the TOUR_SECTION")
    if not ended and "DIMENSION" not in content.values:
        raise KTError("truncated: the tour does not end in -1, and no DIMENSION says how long it is")
    if "DIMENSION" in content.values and content.dimension != len(numbers):
        raise InvalidTour(f"DIMENSION is {content.dimension}, but {len(numbers)} vertices are listed")
    kept = " ".join(t for t in content.texts if t.startswith("kt "))
    return numbers, dict(re.findall(r"(board|leaper|closed)=(\S+)", kept))


def _parse_tour(text: str, graph: MoveGraph | None, otherwise: bool) -> Tour:
    numbers, about = _listed(text)
    if graph is None:
        if "board" not in about:
            raise KTError("the file does not say its board: give --board")
        try:
            graph = MoveGraph.from_json({"board": about["board"], "leaper": about.get("leaper", "1,2")})
        except KTError:
            raise KTError(f"its board {about['board']!r} is not one that its name describes: give --board") from None
    if len(numbers) and not 1 <= min(numbers) <= max(numbers) <= graph.vertex_count:
        raise InvalidTour(f"a vertex number is outside 1..{graph.vertex_count}")
    return Tour.of(graph, numbers.astype(np.int32) - 1, about["closed"] != "0" if "closed" in about else otherwise)
