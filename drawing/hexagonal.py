"""Boards of hexagonal cells as graphs with positions: their three coordinates have one sum, and so lie in a plane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from drawing.drawn_moves import FloatArray
from kt_models.board import Board
from kt_models.errors import KTError, TooLarge
from kt_models.graph import MoveGraph
from kt_models.positions import Positions
from kt_models.tour import Tour
from kt_models.walks import Walk

MAX_CELLS = 200_000
"""Most cells that are drawn."""
AXES = np.array([[1, -1, 0], [-1, -1, 2]]) / np.sqrt([[2], [6]])
"""An orthonormal basis of the plane, shape (2, 3)."""
CORNERS = np.radians(30 + 60 * np.arange(6))
"""Directions of the corners of a hexagon from its centre."""
Drawn = TypeVar("Drawn", MoveGraph, Tour)


def is_hexagonal(subject: object) -> bool:
    """Whether a subject of a drawing is a board of hexagonal cells, or about one."""
    place = subject.graph if isinstance(subject, Tour) else subject
    board = place.board if isinstance(place, MoveGraph) else place
    return isinstance(board, Board) and board.is_flat


def in_plane(graph: MoveGraph) -> FloatArray:
    """The points of a graph in space whose coordinates have one sum, seen from straight above, shape (n, 2)."""
    assert graph.positions is not None
    points: FloatArray = graph.positions.floats @ AXES.T
    return points


def lies_in_plane(positions: Positions) -> bool:
    """Whether points in space have coordinates with one sum."""
    if positions.dimension != 3:
        return False
    sums = positions.coordinates.sum(axis=1)
    return bool((sums == sums[0]).all())


def placed_graph(graph: MoveGraph) -> MoveGraph:
    """The graph of the moves on a board of hexagonal cells, with the coordinates of the cells as positions."""
    board = graph.board
    assert board is not None
    if board.n > MAX_CELLS:
        raise TooLarge(f"board {board.text}: {board.n:,} cells; at most {MAX_CELLS:,} hexagons are drawn")
    if graph.m != len(np.unique(np.sort(graph.ends, axis=1), axis=0)):
        raise KTError(f"board {board.text}: two moves join the same two cells")
    names = tuple(board.name(v) for v in range(board.n))
    made = MoveGraph.from_edges(board.n, graph.ends, board.text, names)
    return made.having(positions=Positions.of(board.cells))


def placed(
    subject: Board | MoveGraph | Tour, walks: Sequence[Walk] | None
) -> tuple[MoveGraph | Tour, Sequence[Walk] | None]:
    """A subject about a board of hexagonal cells, and walks on it, on the graph with positions."""
    if isinstance(subject, Board):
        empty = MoveGraph.from_edges(subject.n, np.zeros((0, 2), dtype=np.int64), subject.text)
        return empty.having(positions=Positions.of(subject.cells)), None
    if isinstance(subject, MoveGraph):
        return placed_graph(subject), walks
    return Tour(placed_graph(subject.graph), subject.order, subject.closed), None


def hexagons(points: FloatArray, gap: float) -> list[FloatArray]:
    """Hexagons around points whose nearest ones are a distance apart, each of shape (6, 2)."""
    rim = gap / np.sqrt(3) * np.stack([np.cos(CORNERS), np.sin(CORNERS)], axis=1)
    return list(points[:, None] + rim)
