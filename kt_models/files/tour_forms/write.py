"""Writers of tours: a table of formats, by the suffix of a file or the name that `--format` takes.

A comment above the tour has what the form cannot express, so that the tour can be read back: the board if its cells do
not fill a box, the piece if it is not the knight, and that a tour is open although its ends are a move apart.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np

from kt_models.board import MAX_DIMENSION
from kt_models.cells import cell_name
from kt_models.errors import KTError, row_named
from kt_models.files.suffixes import allowed_suffix
from kt_models.files.tour_forms.reading import Reading
from kt_models.files.tours import tsplib_pieces
from kt_models.graph import MoveGraph
from kt_models.leaper import KNIGHT
from kt_models.long_arrays import json_pieces
from kt_models.tour import Tour, tour_document

MAX_GRID = 100_000_000
"""Most characters of a grid."""


@dataclass(frozen=True)
class TourFormat:
    """A format for tours.

    Parameters
    ----------
    suffix
        Suffix of a file's name.
    words
        Description for the help.
    pieces
        Makes the text, in pieces.
    """

    suffix: str
    words: str
    pieces: Callable[[Tour], Iterable[str]]


def require_place(graph: MoveGraph, suffix: str) -> None:
    """Refuse a file of this suffix for tours of a graph, before a tour is searched.

    Raises
    ------
    KTError
        If there is no board, or it has too many dimensions.
    """
    most = {".txt": 3, ".moves": 2}.get(suffix, MAX_DIMENSION)
    if graph.board is None:
        raise KTError(f"graph {graph.name} has no board, and {BY_SUFFIX[suffix].words} needs one; .json does not")
    if graph.board.dimension > most:
        raise KTError(
            f"{graph.name} has {graph.board.dimension} dimensions, and {BY_SUFFIX[suffix].words} at most {most}"
        )


def _head(tour: Tour, *, fills: bool) -> str:
    """A comment with the facts that do not follow from the cells; empty if there are none."""
    graph = tour.graph
    inferred = Reading(graph, tour.order).tour.closed
    if fills and graph.leaper == KNIGHT and inferred == tour.closed:
        return ""
    return f"# board {graph.name}, leaper {graph.leaper}, {'closed' if tour.closed else 'open'}\n"


def _grid(tour: Tour) -> Iterator[str]:
    board = tour.graph.geometry[0]
    yield _head(tour, fills=not any(board.wraps))
    width = len(str(len(tour)))
    if (width + 1) * board.grid.size > MAX_GRID:
        raise KTError(f"a grid of {board.text} would have over {MAX_GRID:,} characters; .json and .tour files are less")
    visit = np.zeros(board.n, dtype=np.int64)
    visit[tour.order] = np.arange(1, len(tour) + 1)
    numbers = np.where(board.grid >= 0, visit[board.grid], 0)
    layers = [numbers] if board.dimension == 2 else [numbers[:, :, z] for z in range(board.shape[2])]
    for z, layer in enumerate(layers):
        if board.dimension == 3:
            yield f"{chr(10) if z else ''}z = {z}\n"
        for row in layer.T[::-1].tolist():
            yield " ".join(f"{number or '.':>{width}}" for number in row) + "\n"


def _csv(tour: Tour) -> Iterator[str]:
    board = tour.graph.geometry[0]
    yield _head(tour, fills=board.is_box)
    axes = "xyz" if board.dimension <= 3 else [f"x{axis + 1}" for axis in range(board.dimension)]
    yield ",".join(axes[: board.dimension]) + "\n"
    for cell in tour.coordinates.tolist():
        yield ",".join(map(str, cell)) + "\n"


def _moves(tour: Tour) -> Iterator[str]:
    board = tour.graph.geometry[0]
    yield _head(tour, fills=board.is_box)
    cells = [cell_name(cell) for cell in tour.coordinates.tolist()]
    if len(cells) == 1:
        yield f"{cells[0]}\n"
    for number, (source, target) in enumerate(zip(cells, cells[1:] + cells[: int(tour.closed)], strict=False), start=1):
        yield f"{number}. {source}-{target}\n"


def _coordinates(tour: Tour) -> Iterator[str]:
    if Reading(tour.graph, tour.order).tour.closed != tour.closed:
        raise KTError("a list of coordinates cannot say that the tour is open, as its ends are a move apart; CSV can")
    rows = tour.coordinates.tolist()
    yield "["
    for place, cell in enumerate(rows):
        yield f"{', ' if place else ''}{cell}"
    yield "]\n"


def _successors(tour: Tour) -> Iterator[str]:
    # An open tour goes through one more vertex, as in the circuits of `encoders.pb.constraint_models`.
    way = tour.order if tour.closed else np.append(tour.order, len(tour))
    after = np.empty(len(way), dtype=np.int64)
    after[way] = np.roll(way, -1) + 1
    yield f"# board {tour.graph.name}, leaper {tour.graph.leaper}, {'closed' if tour.closed else 'open'}\n"
    yield f"[{', '.join(map(str, after.tolist()))}]\n"


FORMATS: dict[str, TourFormat] = {
    "json": TourFormat(".json", "JSON", lambda tour: chain(json_pieces(tour_document(tour)), "\n")),
    "tsplib": TourFormat(".tour", "a tour file of TSPLIB", tsplib_pieces),
    "grid": TourFormat(".txt", "a grid of numbers, the top row first", _grid),
    "csv": TourFormat(".csv", "a table of coordinates, one cell a line", _csv),
    "moves": TourFormat(".moves", "moves, one a line: 1. a1-b3", _moves),
    "coordinates": TourFormat(".coords", "a list of coordinates: [[0, 0], [1, 2]]", _coordinates),
    "successors": TourFormat(".succ", "the successor of each cell, from 1", _successors),
}
"""Formats by the names that `--format` takes."""
BY_SUFFIX = {row.suffix: row for row in FORMATS.values()}


def format_for(path: str | os.PathLike[str], name: str | None = None) -> TourFormat:
    """The format of a file: by its name or, if none is given, by the file's suffix."""
    if name is not None:
        return row_named(name, FORMATS, "format")
    return BY_SUFFIX[allowed_suffix(path, tuple(BY_SUFFIX))]


def text_of(tour: Tour, path: str | os.PathLike[str], name: str | None = None) -> str:
    """The text of a tour in the format of a name or, without one, of a file's suffix."""
    row = format_for(path, name)
    require_place(tour.graph, row.suffix)
    return "".join(row.pieces(tour))
