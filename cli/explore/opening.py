"""Files opened on the page, as texts: a graph or a mask becomes the text of a board, and a tour is shown."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from cli.explore.job import GRAPH, MAX_CELLS, graph_text
from cli.explore.job_requests import MAX_BOARD_TEXT
from cli.explore.picture import tour_page
from cli.explore.points import points_text
from kt_models import KNIGHT, Board, KTError, MoveGraph, Tour
from kt_models.files.clues import FREE, clues_of_text
from kt_models.files.given import GRAPHS
from kt_models.files.graph_forms.documents import RULE, graph_of_json
from kt_models.files.graph_forms.matrix_text import is_likely_matrix
from kt_models.files.graph_forms.point_list import is_headed, parse_points
from kt_models.files.graph_forms.table import parse_graph
from kt_models.files.suffixes import suffix_of_text
from kt_models.files.tour_forms.text import tour_of_text
from kt_models.files.tours import tour_of_json, tour_to_tsplib
from kt_models.storage import lines_of, parse_json
from kt_models.tour import verify


def open_text(data: Any) -> dict[str, Any]:
    """The part of a file that the page shows: `board` and `leaper`, and for a tour `page`, `title` and `near`.

    A grid of clues becomes `board` and `number`, the form's given numbers.
    """
    if (
        not isinstance(data, dict)
        or set(data) != {"name", "text"}
        or not all(isinstance(v, str) for v in data.values())
    ):
        raise KTError('expected a file as {"name": ..., "text": ...}')
    name, text = data["name"][:200], data["text"].removeprefix("\ufeff")
    suffix = os.path.splitext(name)[1].lower()
    stripped = text.strip()
    detected = suffix_of_text(text)
    form: dict[str, Any]
    if suffix == ".xy":
        return _points(text)
    if ".tour" in (detected, suffix):
        return _tour(tour_of_text(text, suffix)[0])
    if stripped.startswith("{"):
        value = parse_json(text)
        if isinstance(value, dict) and "tour" in value:
            return _tour(tour_of_json(value))
        if not isinstance(value, dict) or value.get("kind") not in (None, "graph"):
            complaint = f"{name}: neither a tour nor a graph; kt check and kt draw read certificates"
            raise KTError(f"{complaint} ({RULE})")
        form = _form(graph_of_json(value))
    elif suffix not in GRAPHS and stripped and re.fullmatch(r"[#.\s]+|[01\s]+", stripped):
        if is_likely_matrix(text):
            raise KTError(
                f"{name}: it may be a mask or the matrix of a graph: call a matrix graph.mtx, draw a mask with # and ."
            )
        form = {"board": _written(Board.from_mask(lines_of(text), "@"))}
    elif suffix in GRAPHS or (detected in GRAPHS and detected != ".edges") or not re.search("[0-9]", text):
        form = _form(parse_graph(text, detected if suffix not in GRAPHS or detected == ".hcp" else suffix, name))
    else:
        try:
            return _tour(tour_of_text(text, suffix)[0])
        except KTError:
            # Cells in order may be a tour or points, and are a tour if they make one.
            if is_headed(text):
                return _points(text)
            clues = _clues(text)
            if clues is None:
                raise
            form = clues
    if len(form["board"]) > MAX_BOARD_TEXT:
        kind = "graph" if form["board"].startswith(GRAPH) else "board"
        raise KTError(f"this {kind} is too large for the page: kt solve reads its file")
    return form


def _points(text: str) -> dict[str, str]:
    """Points for the form; the page names a piece in any case."""
    points = parse_points(text)
    return {"board": points_text(points.names, points.rows), "leaper": str(KNIGHT)}


def _clues(text: str) -> dict[str, Any] | None:
    """A grid of clues for the form; None for another text, or for a mask, in which a single 1 marks a cell."""
    try:
        clues = clues_of_text(text)
    except KTError:
        return None
    names = map(MoveGraph.of(clues.board).name_of, range(clues.board.n))
    numbers = [f"{name}={number}" for name, number in zip(names, clues.numbers, strict=True) if number != FREE]
    board = _written(clues.board)
    return {"board": board, "number": numbers} if board and max(clues.numbers) > 1 else None


def _tour(tour: Tour) -> dict[str, Any]:
    verify(tour)
    page, title = tour_page(tour)
    form = _form(tour.graph)
    text = {"near": tour_to_tsplib(tour)} if len(tour) <= MAX_CELLS["solve"] else {}
    return (form | text if len(form["board"]) <= MAX_BOARD_TEXT else {}) | {"page": page, "title": title}


def _form(graph: MoveGraph) -> dict[str, str]:
    """A graph for the form: the text of its board and its piece, or its vertices and edges."""
    if graph.board is not None and graph.fixed:
        raise KTError("it requires moves, which have their own field on the page; kt solve reads the file")
    if graph.board is not None and graph.weights is not None:
        raise KTError("its moves have weights, which the page does not support; kt solve reads the file")
    text = "" if graph.board is None else _written(graph.board)
    return {"board": text, "leaper": str(graph.leaper)} if text else {"board": graph_text(graph)}


def _written(board: Board) -> str:
    """A board whose file lists or draws its cells, as a box without the others; empty if no text describes it."""
    if not board.describes_itself:
        holes = [] if board.mask is None else np.argwhere(~board.mask).tolist()
        board = Board(board.shape, None, board.wraps).without(holes)
    return board.text if board.describes_itself else ""
