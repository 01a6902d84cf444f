"""Boards that lack cells: a belt around a shorter board, whose columns repeat, and the windows that a cell leaves.

Lemma 9 (columns between missing cells) says why a short board is enough. Lemma 10 (windows beside missing cells) says
which windows of `corner_cuts` still pay.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from kt_models.board import Board
from kt_models.cells import Cell
from kt_models.errors import CertificateError
from kt_models.kernel.certificates import states
from kt_models.limits import Limits
from theorems.crossings.belts import Belt, BeltSweep, Lap, StationaryBelt, require_known, start_values
from theorems.crossings.corner_cuts import CornerCuts

MAX_HOLES, MAX_CELLS = 1000, 40_000
"""Most missing cells, and most cells of a shortened board."""
STRETCHES = (2, 3)
"""Lengths to which columns between marks are shortened, as multiples of `full`: the first where all of them repeat."""


@dataclass(frozen=True)
class Stretch:
    """Columns from one mark to the next: a mark is the end of a side, or the column of a missing cell.

    Parameters
    ----------
    start, end
        The marks on the board.
    short
        The first mark on the shortened board.
    left_out
        How many columns the shortened board has less.
    """

    start: int
    end: int
    short: int
    left_out: int

    @property
    def length(self) -> int:
        """Columns from mark to mark on the shortened board."""
        return self.end - self.start - self.left_out


def stretches(side: int, marks: set[int], longest: int) -> list[Stretch]:
    """Columns of a side between its marks, each shortened to a length."""
    made, place = [], 0
    for start, end in pairwise(sorted({0, side - 1} | marks)):
        made.append(Stretch(start, end, place, max(0, end - start - longest)))
        place += made[-1].length
    return made


@dataclass(frozen=True, eq=False)
class ShortBoard:
    """A board that lacks cells, and a shorter one that looks alike around each cell that a belt may see."""

    belt: Belt
    size: tuple[int, int]
    holes: tuple[Cell, ...]
    axes: tuple[list[Stretch], list[Stretch]]

    @classmethod
    def of(cls, board: Board, belt: Belt, longest: int) -> ShortBoard:
        """The shorter board of a board.

        Raises
        ------
        CertificateError
            If it is too large.
        """
        width, height = board.shape
        assert board.mask is not None
        holes = [(x, y) for x, y in np.argwhere(~board.mask).tolist()]
        near = belt.rows + belt.view
        seen = [(x, y) for x, y in holes if min(x, y, width - 1 - x, height - 1 - y) < near]
        axes = (stretches(width, {x for x, _ in seen}, longest), stretches(height, {y for _, y in seen}, longest))
        short = cls(belt, (width, height), tuple(holes), axes)
        if short.sweep_size[0] * short.sweep_size[1] > MAX_CELLS:
            raise CertificateError("crossings: too many cells are missing at different places of the sides")
        return short

    @property
    def sweep_size(self) -> tuple[int, int]:
        """Columns and rows of the shorter board."""
        x, y = (1 + sum(stretch.length for stretch in axis) for axis in self.axes)
        return x, y

    def sweep(self) -> BeltSweep:
        """The sweep around the shorter board, without the cells that no step sees."""
        places = [
            {s.start: s.short for s in axis} | {axis[-1].end: axis[-1].short + axis[-1].length} for axis in self.axes
        ]
        holes = [(places[0][x], places[1][y]) for x, y in self.holes if x in places[0] and y in places[1]]
        return BeltSweep(self.belt, *self.sweep_size, frozenset(holes))

    def along(self, side: int) -> list[Stretch]:
        """Stretches in the order of the lap along a side."""
        axis = self.axes[side % 2]
        if side < 2:
            return axis
        last, short = self.size[side % 2] - 1, self.sweep_size[side % 2] - 1
        turned = (Stretch(last - s.end, last - s.start, short - s.short - s.length, s.left_out) for s in axis)
        return sorted(turned, key=lambda stretch: stretch.start)

    def added(self, lap: Lap) -> int | None:
        """The crossings that the columns left out add to a lap; None if none of a stretch repeats.

        Columns are put back where the cells by which V is known do not see them.
        """
        far, total = self.belt.least + self.belt.view, 0
        for side, columns in enumerate(lap.repeats):
            length = self.sweep_size[side % 2]
            for stretch in self.along(side):
                inside = range(max(far, stretch.short), min(length - far, stretch.short + stretch.length))
                more = next((column.more for column in columns if column.first in inside), None)
                if stretch.left_out and more is None:
                    return None
                total += stretch.left_out * (more or 0)
        return total

    def repeated(self, lap: Lap, side: int, usual: StationaryBelt) -> list[int]:
        """Columns of the board, as seen along a side, behind which V is the one of boards that lack nothing."""
        columns = [
            column.first
            for column in lap.repeats[side]
            if (column.more, column.front.digest, column.names) == (usual.more, usual.front.digest, usual.names)
        ]
        return [
            stretch.start + column - stretch.short
            for stretch in self.along(side)
            for column in columns
            if stretch.short <= column < stretch.short + stretch.length
        ]

    def windows(self, lap: Lap, cuts: CornerCuts, usual: StationaryBelt, free: set[int]) -> int:
        """How many windows pay at the four corners.

        Checks Lemma 10 (windows beside missing cells).

        Parameters
        ----------
        lap
            The lap around the shorter board.
        cuts
            Where the windows are.
        usual
            V in the middle of a side of a board that lacks nothing.
        free
            Fluxes modulo 3 of windows without an excess.
        """
        width, height = self.size
        view, total = self.belt.view, 0
        full = BeltSweep(self.belt, width, height, frozenset(self.holes))  # For its coordinates
        for side, (x, y) in enumerate(((width - 1, 0), (width - 1, height - 1), (0, height - 1), (0, 0))):
            after = (side + 1) % 4
            levels = [(max(abs(a - x), abs(b - y)), (a + b - x - y) % 2) for a, b in self.holes]
            end, before = self.size[side % 2] - 1, self.repeated(lap, side, usual)
            behind, marks = self.repeated(lap, after, usual), (full.marks(side), full.marks(after))
            for cut in cuts.of_side(min(self.size)):
                low, high = cut - cuts.rows // 2 - view, cut + cuts.rows // 2 + view
                if any(low <= level <= high for level, _ in levels):
                    continue
                flux = 2 * (cut % 2) + sum(2 if odd else -2 for level, odd in levels if level < cut)
                towards = _reaches(before, end - high + view, end - low, marks[0])
                away = _reaches(behind, low + view - 1, high, marks[1])
                total += towards and away and flux % 3 not in free
        return total


def _reaches(columns: list[int], first: int, last: int, marks: list[int]) -> bool:
    """Whether V is as in one of some columns from a column on, and no step up to the last one sees a missing cell."""
    column = max((column for column in columns if column <= first), default=None)
    return column is not None and not any(column <= mark <= last for mark in marks)


def bound(board: Board, belt: Belt, windows: tuple[CornerCuts, StationaryBelt, set[int]] | None, limits: Limits) -> int:
    """The bound of a belt, and of windows if there are any, on a rectangle that lacks cells.

    Checks Lemma 9 (columns between missing cells).

    Parameters
    ----------
    board, belt, limits
        The board, the belt, and when to stop.
    windows
        What `ShortBoard.windows` needs.

    Raises
    ------
    CertificateError
        If no columns repeat, or the board lacks too many cells.
    Stopped
        If a limit is reached.
    """
    memory = states.Memory(limits)
    for times in STRETCHES:
        short = ShortBoard.of(board, belt, times * belt.full)
        sweep = short.sweep()
        usual = windows[1] if windows else None
        front, _ = start_values(sweep, memory, usual)
        totals = []
        for _ in range(belt.laps):
            require_known(sweep, front, memory)
            lap = sweep.lap(front, memory, usual=usual)
            front = lap.front
            if (more := short.added(lap)) is not None:
                totals.append(lap.least + more + (short.windows(lap, *windows) if windows else 0))
        if totals:
            return max(totals)
    raise CertificateError("crossings: no column repeats")
