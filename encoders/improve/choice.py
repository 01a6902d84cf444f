"""Which window is tried next: boxes and pairs of them, at random where the objective is paid, of adapted size."""

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
"""By how much windows grow when one was searched to its end; where it was not they shrink by twice as much."""
FIRST_GROWTH = 1.25
"""The same, until the first is not."""
BASE_SHARE = 0.1
"""Of the mean cost of a vertex, what every vertex counts beside its own when a place is drawn."""
CORNER_SHARE = 0.35
"""Share of the windows that are drawn near to corners rather than along the sides.  A tour made by a pattern can only
gain where the pattern ends."""


@dataclass
class WindowKind:
    """A shape of windows, and the size that has proved right for it.

    Parameters
    ----------
    parts
        How many boxes.
    stretch
        Sides are drawn with up to this ratio (the natural logarithm of it).
    """

    parts: int
    stretch: float
    size: float = FIRST_SIZE
    tested: bool = False  # whether one was too large


class Chooser:
    """Draws windows of a graph.

    Parameters
    ----------
    share
        Vertices of a window beside each one drawn, because of a symmetry: the number of its images.
    """

    def __init__(self, graph: MoveGraph, share: int, rng: np.random.Generator) -> None:
        self.graph = graph
        self.rng = rng
        self.scarce = 4.0 ** (graph.degrees.min() - graph.degrees)  # 1 at a corner, little where there are many moves
        self.kinds = [WindowKind(1, 0.3), WindowKind(1, 1.4), WindowKind(2, 0.5), WindowKind(5, 0.5)]
        for kind in self.kinds:
            kind.size = max(MIN_SIZE, kind.size / share)

    def draw(self, costs: npt.NDArray[np.float64]) -> tuple[WindowKind, IntArray]:
        """A kind and the vertices of a window, near to where the costs are.

        Parameters
        ----------
        costs
            What each vertex costs, shape (n,).
        """
        kind = self.kinds[int(self.rng.integers(len(self.kinds)))]
        weight = costs + BASE_SHARE * costs.mean() + 1e-9
        if self.rng.random() < CORNER_SHARE:
            weight = weight * self.scarce
        places = self.rng.choice(len(costs), size=kind.parts, p=weight / weight.sum())
        parts = [self._around(int(place), kind.size / kind.parts, kind.stretch) for place in places]
        return kind, np.unique(np.concatenate(parts))

    def learn(self, kind: WindowKind, finished: bool) -> None:
        """Make the windows of a kind larger if one was searched to its end, else smaller."""
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
        """Sides of a box of about so many cells, none longer than the board's."""
        shape = np.array(board.shape)
        sides = np.exp(self.rng.uniform(-stretch / 2, stretch / 2, board.dimension))
        for _ in board.shape:  # what one axis has no room for the others get
            open_ = sides < shape
            if not open_.any():
                break
            factor = (size / sides.prod()) ** (1 / np.count_nonzero(open_))
            sides = np.minimum(np.where(open_, sides * factor, sides), shape)
        return np.maximum(1, np.minimum(shape, np.rint(sides))).astype(np.int64)

    def _ball(self, vertex: int, size: float) -> IntArray:
        """The vertices nearest to one, as breadth-first search meets them."""
        graph, ball, seen = self.graph, [vertex], {vertex}
        for v in ball:  # grows while it is walked
            for w in graph.neighbours[graph.indptr[v] : graph.indptr[v + 1]].tolist():
                if len(ball) < size and w not in seen:
                    seen.add(w)
                    ball.append(w)
        return np.array(ball, dtype=np.int32)


def _box(board: Board, cell: IntArray, sides: npt.NDArray[np.int64], rng: np.random.Generator) -> IntArray:
    """The cells of a box of given sides that has a given cell in it, pushed onto the board at its borders."""
    low = cell - rng.integers(0, sides)
    ranges = []
    for start, side, extent, wraps in zip(low.tolist(), sides.tolist(), board.shape, board.wraps, strict=True):
        start = start if wraps else min(max(start, 0), extent - side)
        ranges.append(np.arange(start, start + side) % extent)
    cells = board.grid[np.ix_(*ranges)].reshape(-1)
    return cells[cells >= 0]
