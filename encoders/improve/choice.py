"""The choice of the next window: boxes and pairs of boxes, at random where the tour pays, of adaptive size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kt_models.board import Board, IntArray
from kt_models.graph import MoveGraph

FIRST_SIZE = 40.0
"""Vertices of the first windows."""
MIN_SIZE = 12.0
GROWTH = 1.04
"""Factor by which windows grow when a search ends; after one that is cut short they shrink by twice as much."""
FIRST_GROWTH = 1.25
"""The factor until the first search is cut short."""
BASE_SHARE = 0.1
"""Weight of every vertex in the draw of a place, as a share of the mean cost, so that no vertex is left out."""
CORNER_SHARE = 0.35
"""Share of the windows that are drawn near corners rather than along the sides. A tour made by a pattern can only gain
where the pattern ends."""


@dataclass
class WindowKind:
    """A shape of windows, with the size that has proved right for it.

    Parameters
    ----------
    parts
        Number of boxes.
    stretch
        Greatest ratio of the sides (its natural logarithm).
    """

    parts: int
    stretch: float
    size: float = FIRST_SIZE
    tested: bool = False  # Whether a window was too large.


class Chooser:
    """A source of windows of a graph.

    Parameters
    ----------
    share
        Factor by which a symmetry enlarges a window: the number of images.
    """

    def __init__(self, graph: MoveGraph, share: int, rng: np.random.Generator) -> None:
        self.graph = graph
        self.rng = rng
        self.scarce = 4.0 ** (graph.degrees.min() - graph.degrees)  # 1 at a corner, small where there are many moves.
        self.kinds = [WindowKind(1, 0.3), WindowKind(1, 1.4), WindowKind(2, 0.5), WindowKind(5, 0.5)]
        for kind in self.kinds:
            kind.size = max(MIN_SIZE, kind.size / share)

    def draw(self, costs: npt.NDArray[np.float64]) -> tuple[WindowKind, IntArray]:
        """A kind and the vertices of a window, near vertices with costs.

        Parameters
        ----------
        costs
            Cost of each vertex, shape (n,).
        """
        kind = self.kinds[int(self.rng.integers(len(self.kinds)))]
        weight = costs + BASE_SHARE * costs.mean() + 1e-9
        if self.rng.random() < CORNER_SHARE:
            weight = weight * self.scarce
        places = self.rng.choice(len(costs), size=kind.parts, p=weight / weight.sum())
        parts = [self._around(int(place), kind.size / kind.parts, kind.stretch) for place in places]
        return kind, np.unique(np.concatenate(parts))

    def learn(self, kind: WindowKind, finished: bool) -> None:
        """Enlarge the windows of a kind after a finished search, else shrink them."""
        kind.tested |= not finished
        growth = GROWTH if kind.tested else FIRST_GROWTH
        size = kind.size * growth if finished else kind.size / GROWTH**2
        kind.size = min(max(size, MIN_SIZE), float(self.graph.n))

    def _around(self, vertex: int, size: float, stretch: float) -> IntArray:
        board = self.graph.board
        if board is None:
            return self._ball(vertex, size)
        return _box(board, board.cells[vertex], self._sides(board, size, stretch), self.rng)

    def _sides(self, board: Board, size: float, stretch: float) -> npt.NDArray[np.int64]:
        """Sides of a box of about `size` cells, none longer than the board's."""
        shape = np.array(board.shape)
        sides = np.exp(self.rng.uniform(-stretch / 2, stretch / 2, board.dimension))
        for _ in board.shape:  # What one axis has no room for, the others get.
            open_ = sides < shape
            if not open_.any():
                break
            factor = (size / sides.prod()) ** (1 / np.count_nonzero(open_))
            sides = np.minimum(np.where(open_, sides * factor, sides), shape)
        return np.maximum(1, np.minimum(shape, np.rint(sides))).astype(np.int64)

    def _ball(self, vertex: int, size: float) -> IntArray:
        """The vertices nearest to one, by breadth-first search."""
        graph, ball, seen = self.graph, [vertex], {vertex}
        for v in ball:  # The list grows during the loop.
            for w in graph.neighbours[graph.indptr[v] : graph.indptr[v + 1]].tolist():
                if len(ball) < size and w not in seen:
                    seen.add(w)
                    ball.append(w)
        return np.array(ball, dtype=np.int32)


def _box(board: Board, cell: IntArray, sides: npt.NDArray[np.int64], rng: np.random.Generator) -> IntArray:
    """The cells of a box of given sides around a given cell, shifted onto the board at its borders."""
    low = cell - rng.integers(0, sides)
    ranges = []
    for start, side, extent, wraps in zip(low.tolist(), sides.tolist(), board.shape, board.wraps, strict=True):
        start = start if wraps else min(max(start, 0), extent - side)
        ranges.append(np.arange(start, start + side) % extent)
    cells = board.grid[np.ix_(*ranges)].reshape(-1)
    return cells[cells >= 0]
