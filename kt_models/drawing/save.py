"""Writing a tour, a result or a certificate to a file, in the form that its ending says."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import chain
from typing import Any

from kt_models.arguments import require_boolean, require_path
from kt_models.board import Board, is_board
from kt_models.certificates import Certificate
from kt_models.certificates.longest.answer import Longest
from kt_models.drawing.options import DrawOptions
from kt_models.errors import KTError, about, excerpt, row_named, unknown
from kt_models.files.boards import FORM, graph_from
from kt_models.files.calls import apart
from kt_models.files.endings import TOUR_TEXTS, suffix_of
from kt_models.files.given import holds_tour, is_text, read_valid_tour, tour_given, write_tour
from kt_models.graph import MoveGraph
from kt_models.long_arrays import json_pieces
from kt_models.result import Result
from kt_models.storage import write_atomic, write_pieces
from kt_models.tour import Tour, tour_document, verify
from kt_models.walks import Walk

FILES = (".json", ".tour", *TOUR_TEXTS, ".svg", ".png", ".html", ".pdf", ".tex")


def suffix_for(path: str | os.PathLike[str], name: str | None = None, allowed: tuple[str, ...] = FILES) -> str:
    """The ending that says how a file is written: its own, or that of the format of tours that was named."""
    if name is None:
        return suffix_of(path, allowed)
    from kt_models.files.forms.write import FORMATS

    return row_named(name, FORMATS, "format").ending


def save(subject: Any, path: str | os.PathLike[str], *, name: str | None = None, force: bool = False) -> None:
    """Write it, whole or not at all.

    Parameters
    ----------
    subject
        A tour, a result, or anything else that has `to_json`.
    path
        Ends in `.json`; or, where there is a tour, in `.tour` (TSPLIB), `.txt` (a grid of numbers), `.csv`
        (coordinates), `.moves`, `.coords`, `.svg`, `.png`, `.pdf`, `.tex` (TikZ) or `.html`, a page to step through.
    name
        The format of a tour, one of `kt_models.files.forms.write.FORMATS`, whatever the path ends in.
    force
        Whether it may replace a file of another kind.

    Raises
    ------
    KTError
        If there is no tour, the ending is another one, or the file cannot be written.
    """
    force = require_boolean(force, "force")
    suffix = suffix_for(path, name)
    if suffix == ".json":
        data = document_of(subject)
        write_pieces(path, chain(json_pieces(data), "\n"), data["kind"], force=force)
        return
    with about(path):
        drawn, walks = drawn_of(subject)
    if walks is None and suffix in (".tour", *TOUR_TEXTS):
        write_tour(path, drawn, name=name, force=force)
    else:
        write_atomic(path, _drawing(drawn, walks, suffix), force=force)


def document_of(subject: Any) -> dict[str, Any]:
    """The JSON object of it, in which a tour may be a NumPy array."""
    if isinstance(subject, Tour):
        return tour_document(subject)
    data: dict[str, Any] = subject.to_document() if isinstance(subject, Result) else subject.to_json()
    return data


def drawn_of(subject: Any) -> tuple[Any, list[Walk] | None]:
    """What is drawn of an answer: its tour, or walks on a graph.

    Raises
    ------
    KTError
        If it has none.
    """
    if isinstance(subject, Longest):
        if subject.walk is None:
            raise KTError("there is no walk to draw; a .json file would hold the answer")
        return subject.task.graph, [subject.walk]
    tour = subject.tour if isinstance(subject, Result) else subject
    if isinstance(subject, Result) and tour is None and subject.edges is not None:
        return subject.problem.graph, list(subject.walks)
    if not isinstance(tour, Tour):
        raise KTError("there is no tour to draw; a .json file would hold the answer")
    return tour, None


def picture(
    subject: Any, path: str | os.PathLike[str] | None, look: Mapping[str, Any], *, force: bool = False
) -> str | None:
    """A picture of a tour, a walk, a certificate's argument, or a board in any form: as SVG, or a file at a path.

    Parameters
    ----------
    look
        Of `kt_models.drawing.options.DrawOptions`.
    force
        Whether it may replace a file of another kind.

    Raises
    ------
    KTError
        If an argument makes no sense, or the file cannot be written.
    """
    from kt_models.drawing.draw import PICTURES, require_effect

    force = require_boolean(force, "force")
    form, look = apart({name: value for name, value in look.items() if name not in FORM or value is not None}, FORM)
    for name in look:
        if name not in DrawOptions.__dataclass_fields__:
            raise unknown("argument", name, DrawOptions.__dataclass_fields__)
    if not isinstance(path, str | os.PathLike | None):
        raise KTError(f"file must be a path, got {excerpt(path)}")
    drawn, walks = drawn_of(subject) if isinstance(subject, Result | Longest) else (subject, None)
    if form or not isinstance(drawn, Tour | Certificate | MoveGraph):
        drawn = (None if form else _tour_in(drawn)) or graph_from(drawn, **form)
    require_effect([(drawn, walks)], DrawOptions(**look))
    if path is None:
        return str(PICTURES[".svg"](drawn, walks, **look))
    write_atomic(path, PICTURES[suffix_of(path, tuple(PICTURES))](drawn, walks, **look), force=force)
    return None


def _tour_in(subject: Any) -> Tour | None:
    """The tour that data hold, if they are no board: a file or text of a tour, or a grid of numbers."""
    if isinstance(subject, Board) or subject is None:
        return None
    if isinstance(subject, str | os.PathLike):
        path = require_path(subject, "subject") if not isinstance(subject, str) else subject
        return read_valid_tour(path) if holds_tour(path) and (is_text(path) or not is_path_of_board(path)) else None
    try:
        tour = tour_given(subject)
        verify(tour)
    except KTError:
        return None
    return tour


def is_path_of_board(path: str) -> bool:
    """Whether a text is a board's name, and not that of a file."""
    return is_board(path) and not os.path.isfile(path)


def _drawing(drawn: Any, walks: list[Walk] | None, suffix: str) -> str | bytes:
    from kt_models.drawing.draw import PICTURES, draw_page
    from kt_models.drawing.sides import side_of_tour

    if suffix in PICTURES:
        return PICTURES[suffix](drawn, walks)
    if walks is not None:
        raise KTError(f"a walk that leaves cells out is no tour: use one of {', '.join(('.json', *PICTURES))}")
    return draw_page([side_of_tour(drawn)])
