"""Reading of tours that users give, in any form: files, standard input, texts, lists, arrays and `Tour`s.

If data could mean several things, `choose` verifies every reading. JSON of kt and TSPLIB with its board are
unambiguous; such a tour may be wrong, which `verify` detects.
"""

from __future__ import annotations

import os
import re
from contextlib import nullcontext, suppress
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from kt_models.arguments import require_boolean, require_path, require_whole
from kt_models.errors import InvalidTour, KTError, about
from kt_models.files.boards import graph_from, leaper_from
from kt_models.files.suffixes import GRAPH_SUFFIXES, TOUR_TEXTS, file_suffix, suffix_of_text
from kt_models.files.tours import is_document
from kt_models.graph import MoveGraph
from kt_models.graph_kinds import same_place
from kt_models.leaper import Leaper, Rider
from kt_models.limits import NO_LIMITS, Limits
from kt_models.long_arrays import json_pieces, read_tour_json
from kt_models.result import Result
from kt_models.storage import STANDARD, parse_json, read_text
from kt_models.tour import Tour, of_graph, tour_document, verify
from kt_models.writing import write_pieces

if TYPE_CHECKING:
    from kt_models.files.tour_forms.reading import GivenFacts
    from kt_models.kernel.certificates import Verdict


def read_tour(
    source: str | os.PathLike[str],
    graph: MoveGraph | None = None,
    *,
    leaper: Leaper | None = None,
    closed: bool | None = None,
    form: str | None = None,
    base: int | None = None,
    otherwise: bool | None = None,
) -> Tour:
    """Read a tour from a file, standard input (`-`), or a text.

    Parameters
    ----------
    source
        The path of a file, or the text of the tour.
    graph, leaper
        The graph, or the piece alone, if the data do not name them; if they do, it must be the same.
    closed
        Whether the tour is closed; by default as in the data, or else if its ends are a move apart.
    form
        The name of the form, one of `kt_models.files.tour_forms.table.NAMES`, if several are possible.
    base
        The least number, 0 or 1, of the visit or of cells, if both are possible.
    otherwise
        Whether the tour is closed if neither the data nor `closed` say so: as the problem is that it is given to.

    Raises
    ------
    KTError
        If the source cannot be read as a tour; the message names the file.
    """
    return reading_of(source, graph, leaper=leaper, closed=closed, form=form, base=base, otherwise=otherwise)[0]


def read_valid_tour(source: str | os.PathLike[str], graph: MoveGraph | None = None, **reading: Any) -> Tour:
    """Read a tour as `read_tour` does, and verify it.

    Raises
    ------
    KTError
        If the source cannot be read as a tour or is not one; the message names the file.
    """
    tour = read_tour(source, graph, **reading)
    with nullcontext() if is_text(source) else about(source):
        verify(tour)
    return tour


def reading_of(
    source: str | os.PathLike[str],
    graph: MoveGraph | None = None,
    *,
    leaper: Leaper | None = None,
    closed: bool | None = None,
    form: str | None = None,
    base: int | None = None,
    otherwise: bool | None = None,
) -> tuple[Tour, str]:
    """The tour of `read_tour`, and the convention by which it was read if there are others."""
    from kt_models.files.tour_forms.reading import GivenFacts
    from kt_models.files.tour_forms.text import require_form, tour_of_text

    require_form(form)
    facts = GivenFacts(graph, leaper if graph is None else graph.leaper, closed, _base(base), otherwise)
    text = is_text(source)
    with nullcontext() if text else about(source):
        tour, note = tour_of_text(str(source), "", facts, form) if text else _of_file(source, facts, form)
        return _as_given(tour, graph, leaper, closed), note


def _base(base: int | None) -> int | None:
    return None if base is None else require_whole(base, "base", 0, 1)


def is_text(source: str | os.PathLike[str]) -> bool:
    """Whether this is a tour itself rather than the name of a file."""
    if not isinstance(source, str) or source == STANDARD:
        return False
    if "\n" in source or source.lstrip().startswith("{"):
        return True
    if os.path.exists(source):
        return False
    from kt_models.files.tour_forms.scan import looks_like_list, looks_like_squares, most_are_squares

    # A tour in one line: several numbers, a list, or names of squares; a single word is a path
    if re.fullmatch(r"\s*[0-9]+([\s,;]+[0-9]+)+[\s,;]*", source):
        return True
    if looks_like_list(source) or (looks_like_squares(source) and len(re.findall(r"[a-zA-Z][0-9]", source)) > 1):
        return True
    return len(source.split()) > 3 and most_are_squares(source)


def _of_file(path: str | os.PathLike[str], facts: GivenFacts, form: str | None) -> tuple[Tour, str]:
    from kt_models.files.tour_forms.data import tour_of_data
    from kt_models.files.tour_forms.text import tour_of_text

    suffix = file_suffix(path)
    if suffix == ".json":
        return tour_of_data(read_tour_json(path), facts, form)
    text = read_text(path)
    if suffix in GRAPHS and not (suffix == ".edges" and path == STANDARD):
        raise KTError("it is a graph, not a tour")
    return tour_of_text(text, suffix, facts, form)


def _as_given(tour: Tour, graph: MoveGraph | None, leaper: Leaper | None, closed: bool | None) -> Tour:
    """The tour, if it agrees with the given facts, with the fixed edges and the convention of the given graph."""
    tour = tour if graph is None else of_graph(tour, graph)
    if graph is not None and not same_place(graph, tour.graph):
        raise InvalidTour(f"it is a tour of {tour.graph.name}, not of {graph.name}")
    if leaper is not None and tour.graph.leaper != leaper:
        raise InvalidTour(f"it is a tour of the leaper {tour.graph.leaper}, not of {leaper}")
    if closed not in (None, tour.closed):
        words = tour.graph.words
        kinds = (words.a_path, words.a_cycle) if closed else (words.a_cycle, words.a_path)
        raise InvalidTour(f"it is {kinds[0]}, not {kinds[1]}")
    return replace(tour, graph=graph) if graph is not None and graph == tour.graph else tour


def tour_given(
    tour: Any,
    board: Any = None,
    *,
    closed: bool | None = None,
    leaper: Leaper | str | tuple[int, ...] | None = None,
    form: str | None = None,
    base: int | None = None,
    otherwise: bool | None = None,
) -> Tour:
    """The tour in any form; it may be wrong: `verify` checks it.

    Parameters
    ----------
    tour
        A `Tour`, a `Result` that has one; the path of a file, or the text of one; its cells in the order of the visit,
        each as `(x, y)`, `a1` or a node of the graph; its moves; the numbers of the visit as an array or nested list
        whose first row is the top one, or as a dictionary from cells; or the numbers of cells, row by row.
    board, leaper
        The graph, or the piece alone, if the data do not name them; if they do, it must be the same.
    closed
        Whether the last cell is followed by the first; by default that is so if they are a move apart.
    form
        One of `kt_models.files.tour_forms.table.NAMES`, if several are possible.
    base
        The least number, 0 or 1, of the visit or of cells, if both are possible.
    otherwise
        Whether the tour is closed if neither the data nor `closed` say so: as the problem is that it is given to.

    Raises
    ------
    KTError
        If the tour has none of these forms, or is of another board.
    InvalidTour
        If the tour is closed and an open one is wanted, or the reverse.
    """
    graph = None if board is None else graph_from(board)
    if closed is not None:
        require_boolean(closed, "closed")
    if isinstance(tour, Result | Tour) and graph is None:
        piece = piece_on(None if leaper is None else leaper_from(leaper), _graph_in(tour))
    else:
        piece = piece_on(None if leaper is None else leaper_from(leaper), graph)
    if graph is not None and piece is not None and graph.leaper != piece:
        graph = None if graph.board is None else MoveGraph.of(graph.board, piece)
    if isinstance(tour, Result):
        if tour.tour is None:
            raise KTError(f"there is no tour in the result: its status is {tour.status}")
        tour = tour.tour
    if isinstance(tour, Tour):
        return _as_given(tour, graph, piece, closed)
    if isinstance(tour, str | os.PathLike):
        return read_tour(tour, graph, leaper=piece, closed=closed, form=form, base=base, otherwise=otherwise)
    from kt_models.files.tour_forms.data import tour_of_data
    from kt_models.files.tour_forms.reading import GivenFacts

    facts = GivenFacts(graph, piece if graph is None else graph.leaper, closed, _base(base), otherwise)
    return _as_given(tour_of_data(tour, facts, form)[0], graph, piece, closed)


def _graph_in(tour: Result | Tour) -> MoveGraph:
    return tour.problem.graph if isinstance(tour, Result) else tour.graph


def piece_on(leaper: Leaper | Rider | None, graph: MoveGraph | None) -> Leaper | None:
    """The leaper of a piece; that of a rook, bishop or queen depends on the board.

    Raises
    ------
    KTError
        If the board of such a piece is not known.
    """
    if not isinstance(leaper, Rider):
        return leaper
    if graph is None or graph.board is None:
        raise KTError(f"leaper {leaper}: its moves depend on the board, which has to be given")
    return leaper.on(graph.board)


GRAPHS = tuple(suffix for suffix in GRAPH_SUFFIXES if suffix != ".json")
"""Suffixes of files of graphs."""


def holds_json(path: str | os.PathLike[str]) -> bool:
    """Whether a file holds a JSON object."""
    if is_text(path):
        return False
    suffix = file_suffix(path)
    if suffix == ".json" and path != STANDARD:
        with about(path):
            return _first_mark(path) != "["
    if suffix in (*GRAPHS, ".tour"):
        return False
    with about(path):
        return _first_mark(path) == "{"


def holds_documents(path: str | os.PathLike[str]) -> bool:
    """Whether a file describes itself: a JSON object, or a list of tours."""
    return not is_text(path) and (holds_json(path) or file_suffix(path) == ".jsonl")


def _first_mark(path: str | os.PathLike[str]) -> str:
    """First character that is not a space; the first block of a long file is enough."""
    if path != STANDARD and os.path.isfile(path):
        with suppress(OSError), open(path, "rb") as stream:
            # Large files are classified without reading them whole
            begin = stream.read(4096).lstrip(b"\xef\xbb\xbf \t\r\n")
            if begin:
                return chr(begin[0])
    return read_text(path).lstrip()[:1]


def holds_tour(path: str) -> bool:
    """Whether this is the text or the file of a tour rather than of a graph or board."""
    if is_text(path):
        return True
    if path != STANDARD and not os.path.isfile(path):
        return os.path.splitext(path)[1].lower() == ".tour"
    suffix = file_suffix(path)
    if suffix == ".json":
        data = read_tour_json(path)
        return not isinstance(data, dict) or "tour" in data
    if suffix == ".tour" or (path != STANDARD and suffix not in GRAPH_SUFFIXES and not _has_sign_of_graph(path)):
        return True
    if path != STANDARD or suffix not in ("", ".edges"):
        return False
    try:
        read_tour(path)
    except KTError:
        return False
    return True


def _has_sign_of_graph(path: str) -> bool:
    """Whether a file with an uninformative name has the sign of a form of graphs, or heads of coordinates."""
    try:
        suffix = suffix_of_text(read_text(path))
    except KTError:
        return False
    return (suffix in GRAPH_SUFFIXES and suffix not in (".json", ".edges")) or has_points(path)


def has_points(path: str) -> bool:
    """Whether a file is a list of points with a line of heads, whatever its name; the cells of a tour are a tour."""
    from kt_models.files.graph_forms.table import fits_points  # Most files have the name of their kind.

    try:
        if not os.path.isfile(path) or not fits_points(read_text(path)):
            return False
    except KTError:
        return False
    with suppress(KTError):
        read_valid_tour(path)
        return False
    return True


def check_given(subject: Any, limits: Limits = NO_LIMITS, **facts: Any) -> Verdict:
    """Verdict on an object, a file, a folder or a tour in any form, regardless of earlier checks.

    Parameters
    ----------
    **facts
        Facts about a tour beside its data, as `tour_given` takes them.

    Raises
    ------
    InvalidTour, CertificateError
        If the subject is wrong.
    KTError
        If the subject is none of these, or a file cannot be read; `Stopped` if a limit is reached.
    """
    from kt_models.files.check import check_again, verdict_of_tour
    from kt_models.kernel.certificates import Certificate

    named = {name: value for name, value in facts.items() if value is not None}
    path = require_path(subject, "subject") if isinstance(subject, os.PathLike) else subject
    if isinstance(path, str) and path.lstrip().startswith("{"):
        path = parse_json(path)
    whole = isinstance(path, Certificate) or ((isinstance(path, Result | Tour) or is_document(path)) and not named)
    if isinstance(path, str) and not is_text(path):
        whole = os.path.isdir(path) or holds_documents(path)
        whole = whole and not (named and holds_json(path))
        if named and (whole or os.path.isdir(path)):
            raise KTError(f"{min(named)}: it is about a tour, and {path} is not one")
    if whole:
        return check_again(path, limits)
    return verdict_of_tour(replace(tour_given(path, **named)))


# -- out ---------------------------------------------------------------------------------------------------------------


def may_replace(path: str | os.PathLike[str], graph: MoveGraph | None = None) -> bool:
    """Whether a path holds a tour in some form, so that a text with another tour may replace it.

    Parameters
    ----------
    graph
        The graph that it may be a tour of, if the file does not name one.
    """
    if not os.path.isfile(path) or not os.path.getsize(path):
        return True
    for place in dict.fromkeys((None, graph)):
        with suppress(KTError):
            read_tour(path, place)
            return True
    return False


def write_tour(path: str | os.PathLike[str], tour: Tour, *, name: str | None = None, force: bool = False) -> None:
    """Write a tour in a format; `force` replaces any file.

    Parameters
    ----------
    name
        One of `kt_models.files.tour_forms.write.FORMATS`; by default that of the file's suffix: `.tour` TSPLIB, `.txt`
        a grid, `.csv`, `.moves`, `.coords`, and any other JSON.

    Raises
    ------
    KTError
        If the format cannot express the tour, or would replace a file of another kind.
    """
    suffix = os.path.splitext(path)[1].lower()
    name = name or {".tour": "tsplib", **dict.fromkeys(TOUR_TEXTS, "")}.get(suffix, "json")
    if name == "tsplib":
        from kt_models.files.tours import tsplib_pieces

        write_pieces(path, tsplib_pieces(tour), force=force)
    elif name == "json":
        write_pieces(path, chain(json_pieces(tour_document(tour)), "\n"), "tour", force=force)
    else:
        from kt_models.files.tour_forms.write import text_of

        with about(path):
            # Before anything is written, as the format may not support the tour
            text = text_of(tour, path, name or None)
        write_pieces(path, [text], force=force or may_replace(path, tour.graph))
