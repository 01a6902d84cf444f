"""Rectangles with zones: their cycles, the lines through them, and how they grow.

Direction 0 is (2, 1), and its lines are numbered by x - 2y; direction 1 is (1, -2), and its lines are numbered by
2x + y; direction 2 is (-2, 1), and its lines are numbered by x + 2y.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kt_models.certificates.integers import Ints
from kt_models.errors import CertificateError
from theorems.growing_tours.codes import MOVES, PAIRS
from theorems.growing_tours.inflation import REST, InflatedBoard, Truths
from theorems.growing_tours.slabs import Bundles, LineEnds, SlabBoard, WalkedBoard, WalkedCycle, fits_zones
from theorems.growing_tours.zones import TourFamily

DIRECTIONS = np.array([-1, 0, 2, 1, -1, 0, 2, 1])
"""By the moves along lines."""
NUMBERS = np.array([(1, -2), (2, 1), (1, 2)])
"""Coefficients a and b of the numbers ax + by of lines, by direction."""


class ZonedBoard(WalkedBoard):
    """A board of a family with zones."""

    family: TourFamily

    @property
    @abstractmethod
    def times(self) -> tuple[int, int]:
        """How often each growth is applied."""

    @property
    def size(self) -> tuple[int, int]:
        return self.family.grown(self.times)

    @property
    def box(self) -> tuple[int, int, int, int]:
        left, right, low, high = self.family.zoned
        columns, rows = map(sum, self.family.added(self.times))
        return left, right + columns, low, high + rows

    @cached_property
    def _sources(self) -> tuple[list[int], list[int]]:
        columns, rows = self.family.sources(self.times)
        return columns.tolist(), rows.tolist()

    def walk(self, start: tuple[int, int]) -> WalkedCycle:
        left, right, low, high = self.box
        (columns, rows), codes = self._sources, self.family.codes.tolist()
        (x, y), cells = start, 0
        move = PAIRS[codes[columns[x]][rows[y]]][0]
        paths: list[list[tuple[int, int]]] = [[start]]
        moves: list[int] = []
        # runs through the interior are skipped in one jump: the work is linear in the margins
        while True:
            dx, dy = MOVES[move]
            x, y, cells = x + dx, y + dy, cells + 1
            if left <= x < right and low <= y < high:
                # steps until the run leaves the interior, by columns and by rows
                across = ((right - 1 - x) if dx > 0 else (x - left)) // abs(dx)
                along = ((high - 1 - y) if dy > 0 else (y - low)) // abs(dy)
                run = min(across, along) + 1
                x, y, cells = x + run * dx, y + run * dy, cells + run
                moves.append(move)
                paths.append([])
            if (x, y) == start:
                break
            paths[-1].append((x, y))
            one, other = PAIRS[codes[columns[x]][rows[y]]]
            move = other if one == (move + 4) % 8 else one
        last = paths.pop()
        return WalkedCycle([last + paths[0], *paths[1:]] if moves else [last], moves, moves, cells)

    def line(self, cells: Ints, moves: Ints) -> tuple[Ints, Ints]:
        direction = DIRECTIONS[moves]
        return direction, (cells * NUMBERS[direction]).sum(axis=1)


@dataclass(frozen=True, eq=False)
class SquareBoard(ZonedBoard):
    """D(k) of a family of squares."""

    family: TourFamily
    k: int

    @property
    def times(self) -> tuple[int, int]:
        return self.k, self.k


@dataclass(frozen=True, eq=False)
class RectangleBoard(ZonedBoard):
    """The board of a family after some steps of each growth."""

    family: TourFamily
    steps: tuple[int, int]

    @property
    def times(self) -> tuple[int, int]:
        return self.steps


class GrowingRectangle(ZonedBoard, InflatedBoard):
    """A board of a family with zones, that grows."""

    @property
    @abstractmethod
    def growths(self) -> Sequence[tuple[int, int]]:
        """How often a step applies each growth of the family; one or two kinds of steps."""

    def fits(self, growth: int, vectors: Ints) -> Truths:
        nodes, step = self.nodes, self.family.added(self.growths[growth])
        sides = zip((self.family.columns, self.family.rows), self.family.added(self.times), step, strict=True)
        good = [fits_zones(nodes.cells[:, axis], vectors[:, axis], *side) for axis, side in enumerate(sides)]
        within = (vectors >= 0) & (vectors <= [*map(sum, step)])
        return np.where(nodes.inner, within.all(axis=1), good[0] & good[1])

    def run_moves(self, ways: Ints) -> Ints:
        moves = np.array(MOVES)[self.moves[0]]
        count = (ways * moves).sum(axis=1) // 5
        if (count[:, None] * moves != ways).any():
            raise CertificateError("the two ends of a run leave their line")
        return count

    def area(self, copies: Sequence[int]) -> int:
        more = zip(*((n - 1) * np.array(step) for n, step in zip(copies, self.growths, strict=True)), strict=True)
        width, height = self.family.grown([time + int(sum(of)) for time, of in zip(self.times, more, strict=True)])
        return width * height


class InflatedRectangle(GrowingRectangle, SlabBoard):
    """A board of a family with zones, and with slabs that are bundles of lines."""

    def moved(self, growth: int, lines: LineEnds, cells: Ints) -> Ints:
        columns, rows = map(sum, self.family.added(self.growths[growth]))
        (left, _, low, high), (x, y) = self.box, cells.T
        a, b = NUMBERS[lines.direction].T
        # the numbers begin in a corner, which moves if it is not the bottom left one
        grown = np.minimum(a, 0) * columns + np.minimum(b, 0) * rows + lines.more
        horizontal = (y < low) | (y >= high)
        dx, dy = np.where(x < left, 0, columns), np.where(y < low, 0, rows)
        along, half = np.divmod(grown - np.where(horizontal, b * dy, a * dx), np.where(horizontal, a, b))
        if half.any():
            raise CertificateError("an end of a run moves by half a cell")
        return np.stack([np.where(horizontal, along, dx), np.where(horizontal, dy, along)], axis=1)

    def lines_of_cells(self, direction: Ints, cells: Ints) -> tuple[Ints, Ints]:
        direction = np.where(direction == REST, len(NUMBERS) - 1, direction)
        return direction, (cells * NUMBERS[direction]).sum(axis=1)


@dataclass(frozen=True)
class Slabs:
    """Slabs of a board of a family, each repeated by a growth of the family.

    Parameters
    ----------
    times
        The board: how often each growth is applied.
    bundles
        The slabs.
    growths
        For each of them 0 or 1: the growth that repeats it.  The board grows by those that are named.
    """

    times: tuple[int, int]
    bundles: tuple[Bundles, ...]
    growths: tuple[int, ...]

    @property
    def grows(self) -> tuple[int, ...]:
        """The growths that are named, in order."""
        return tuple(sorted({*self.growths}))


STEPS = ((1, 0), (0, 1))
"""How often a step applies both growths, by the growth that it belongs to."""


@dataclass(frozen=True, eq=False)
class SlabRectangle(InflatedRectangle):
    """A board of a family with slabs."""

    family: TourFamily
    given: Slabs

    @property
    def times(self) -> tuple[int, int]:
        return self.given.times

    @property
    def growths(self) -> Sequence[tuple[int, int]]:
        return [STEPS[growth] for growth in self.given.grows]

    @property
    def slabs(self) -> Sequence[Bundles]:
        return self.given.bundles

    @property
    def repeated(self) -> tuple[int, ...]:
        return tuple(map(self.given.grows.index, self.given.growths))
