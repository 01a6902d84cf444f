"""Rectangles with zones: their cycles, the lines through them, and how they grow.

Direction 0 is (2, 1), and its lines are numbered by x - 2y; direction 1 is (1, -2), and its lines are numbered by
2x + y; direction 2 is (-2, 1), and its lines are numbered by x + 2y.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kt_models.errors import CertificateError
from kt_models.kernel.certificates.integers import Ints
from theorems.growing_tours.bundles import GROWTHS, Bundles, Slabs
from theorems.growing_tours.inflation import REST, Labels, Truths
from theorems.growing_tours.lines import MOVES_OF, VECTORS, LineBoard, fits_zones
from theorems.growing_tours.zones import TourFamily

DIRECTIONS = np.array([-1, 0, 2, 1, -1, 0, 2, 1])
"""By the moves along lines."""
NUMBERS = np.array([(1, -2), (2, 1), (1, 2)])
"""Coefficients a and b of the numbers ax + by of lines, by direction."""


@dataclass(frozen=True, eq=False)
class RectangleBoard(LineBoard):
    """The board of a family after some steps of each growth, with slabs or without."""

    family: TourFamily
    slabs: Slabs

    @property
    def times(self) -> tuple[int, int]:
        """How often each growth is applied."""
        return self.slabs.times

    @property
    def size(self) -> tuple[int, int]:
        return self.family.grown(self.times)

    @property
    def box(self) -> tuple[int, int, int, int]:
        left, right, low, high = self.family.zoned
        columns, rows = map(sum, self.family.added(self.times))
        return left, right + columns, low, high + rows

    def moves_at(self, cells: Ints) -> Ints:
        return MOVES_OF[self.family.codes_at(self.times, cells)]

    def line(self, cells: Ints, moves: Ints) -> tuple[Ints, Ints]:
        return self.line_of(DIRECTIONS[moves], cells)

    def line_of(self, direction: Ints, cells: Ints) -> tuple[Ints, Ints]:
        direction = np.where(direction == REST, len(NUMBERS) - 1, direction)
        return direction, (cells * NUMBERS[direction]).sum(axis=1)

    @property
    def bundles(self) -> Sequence[Bundles]:
        return self.slabs.bundles

    @property
    def repeated(self) -> tuple[int, ...]:
        return tuple(map(self.slabs.grows.index, self.slabs.growths))

    @property
    def growths(self) -> Sequence[tuple[int, int]]:
        """How often a step applies each growth of the family; one or two kinds of steps."""
        return [GROWTHS[growth] for growth in self.slabs.grows]

    def labels(self) -> Labels:
        if not self.slabs.along_sides:
            return super().labels()
        cells = self.nodes.cells[self.beside]
        side = self._sides(cells)
        return self._labels(side, cells[np.arange(len(cells)), side % 2], cells)

    def _sides(self, cells: Ints) -> Ints:
        """Along which side cells of the margins move: bottom, right, top, left."""
        (left, _, low, high), (x, y) = self.box, cells.T
        return np.select([y < low, y >= high, x < left], [0, 2, 3], 1)

    def moved(self, growth: int, direction: Ints, number: Ints, more: Ints, cells: Ints) -> Ints:
        columns, rows = map(sum, self.family.added(self.growths[growth]))
        side, (left, _, low, _), (x, y) = self._sides(cells), self.box, cells.T
        horizontal = side % 2 == 0
        dx, dy = np.where(x < left, 0, columns), np.where(y < low, 0, rows)
        along = more
        if not self.slabs.along_sides:
            a, b = NUMBERS[direction].T
            # The numbers begin in a corner, which moves if it is not the bottom left one
            grown = np.minimum(a, 0) * columns + np.minimum(b, 0) * rows + more
            along, half = np.divmod(grown - np.where(horizontal, b * dy, a * dx), np.where(horizontal, a, b))
            if half.any():
                raise CertificateError("an end of a run moves by half a cell")
        return np.stack([np.where(horizontal, along, dx), np.where(horizontal, dy, along)], axis=1)

    def fits(self, growth: int, vectors: Ints) -> Truths:
        nodes, step = self.nodes, self.family.added(self.growths[growth])
        sides = zip((self.family.columns, self.family.rows), self.family.added(self.times), step, strict=True)
        good = [fits_zones(nodes.cells[:, axis], vectors[:, axis], *side) for axis, side in enumerate(sides)]
        within = (vectors >= 0) & (vectors <= [*map(sum, step)])
        return np.where(nodes.inner, within.all(axis=1), good[0] & good[1])

    def run_moves(self, ways: Ints) -> Ints:
        moves = VECTORS[self.walk.into]
        count = (ways * moves).sum(axis=1) // 5
        if (count[:, None] * moves != ways).any():
            raise CertificateError("the two ends of a run leave their line")
        return count

    def area(self, copies: Sequence[int]) -> int:
        more = zip(*((n - 1) * np.array(step) for n, step in zip(copies, self.growths, strict=True)), strict=True)
        width, height = self.family.grown([time + int(sum(of)) for time, of in zip(self.times, more, strict=True)])
        return width * height
