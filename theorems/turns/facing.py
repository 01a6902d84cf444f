"""Facing sides: cycles of two lines that the bottom and the top of a square force together.

Lemma 25 (facing windows) defines the colours. Lemma 30 (the strip) follows pairs of windows from both ends.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import cycle
from math import lcm
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from kt_models.cells import Cell
from kt_models.errors import CertificateError
from theorems.repetition import Repetition
from theorems.statement import Boards
from theorems.turns.cached_methods import cached_method
from theorems.turns.circuits import InteriorSweep, SquareCircuit
from theorems.turns.corners import Corners
from theorems.turns.joins import STEEP, Filling, LinePairs, joined_lines
from theorems.turns.planes import Plane
from theorems.turns.side_walks import CLEAR_AFTER, WINDOW, OpenMoves, TightWalks, WalkWindow

WINDOW_MARGIN = 10
"""Upper bound on the columns, on either side, that the lines of a window and the moves across a cut between them spread
beyond it.
"""
COLUMNS_BEYOND = 14
"""Columns of the top, beyond those that face the window of the bottom, whose lines may end behind the corner."""
# Limits of the search for a repetition; beyond them the claim is refused.
MAX_STEPS = 2_000
MAX_SIDES = 10_000

CellNumbers = npt.NDArray[np.int64]
N = TypeVar("N", int, CellNumbers)
WindowPairs = frozenset[tuple[WalkWindow, WalkWindow]]
"""Pairs of windows, the window of the bottom first."""


def colour(x: N, y: N) -> N:
    """Colour of a cell: 1 or -1."""
    return 1 - 2 * ((x + y) % 2)


def facing_sum(side: int, rows: int) -> int:
    """Sum of the first columns of two windows that face each other."""
    return (side - 1 + rows) // 2 - WINDOW


@dataclass(frozen=True, eq=False)
class FacingEnd:
    """Left end of the strip between the bottom and the top, for n of one remainder modulo 2 P."""

    bottom: TightWalks
    top: TightWalks
    remainder: int
    fillings: Callable[[], Mapping[OpenMoves, Sequence[Filling]]]
    """Fillings of the corner at this end."""

    @property
    def period(self) -> int:
        """P."""
        return self.bottom.period

    @property
    def _facing(self) -> int:
        return facing_sum(self.remainder, self.bottom.rows)

    @cached_property
    def layers(self) -> Repetition[tuple[int, WindowPairs]]:
        """Pairs reached after 0, 1, 2, ... steps, each with the number of steps modulo P.

        Raises
        ------
        CertificateError
            If they do not repeat.
        """
        message = "turns: the pairs of windows between two facing sides do not repeat"
        return Repetition.of(self._layers(), MAX_STEPS, message, self.bottom.limits)

    def _layers(self) -> Iterator[tuple[int, WindowPairs]]:
        tops = defaultdict(list)
        for window in self.top.essential_windows:
            tops[window.nodes[1:], window.columns[1:]].append(window)
        reached = frozenset(self._begin())
        for step in cycle(range(self.period)):
            yield step, reached
            following = (
                (low, high)
                for before, behind in reached
                for low in self.bottom.following(before)
                for high in tops[behind.nodes[:-1], behind.columns[:-1]]
            )
            reached = frozenset(pair for pair in following if self._apart(*pair))

    def _begin(self) -> Iterator[tuple[WalkWindow, WalkWindow]]:
        """Pairs of windows behind the corner that agree with some filling of it."""
        place, fillings = self.bottom.middle_start + CLEAR_AFTER, self.fillings()
        lows = self.bottom.windows((place % self.period, state) for state in fillings)
        for low, high in self._pairs(lows):
            if any(
                not low_lines & high_lines for low_lines in self._with_corner(low) for high_lines in self._behind(high)
            ):
                yield low, high

    @cached_method
    def _with_corner(self, low: WalkWindow) -> set[LinePairs]:
        """Lines that the corner and a window behind it join, for each filling of the corner."""
        side, place = self.bottom, self.bottom.middle_start + CLEAR_AFTER
        window = {(place + x, y): pair for x, pairs in enumerate(low.columns) for y, pair in enumerate(pairs)}

        def leads(cell: Cell) -> bool:
            return min(cell) >= side.rows and side.plane.direction(*cell) == STEEP

        return {joined_lines({**filling, **window}, leads) for filling in self.fillings()[low.nodes[0][1]]}

    @cached_method
    def _behind(self, high: WalkWindow) -> set[LinePairs]:
        """Lines that a window of the top and the columns behind it join, by their numbers at the bottom."""
        place = self.bottom.middle_start + CLEAR_AFTER
        both = 2 * (WINDOW + place) - self.bottom.rows
        ways = (
            self.top.joined_by(high.nodes[0][0], columns) for columns in self.top.longer(high, place + COLUMNS_BEYOND)
        )
        return {frozenset((both - b, both - a) for a, b in joined) for joined in ways}

    def may_be_apart(self) -> bool:
        """Whether some facing windows of essential nodes are apart and have the right colours."""
        return any(self._may_be_apart(first) for first in range(self.period))

    def _may_be_apart(self, first: int) -> bool:
        """The same for windows that begin at a column of the bottom modulo P."""
        there, tops = (self._facing - first) % self.period, defaultdict(set)
        for high in self.top.essential_spans(there):
            tops[-self._above(there, high.middle) - self._missing(first)].add(self._seen_from_bottom(high.joined))
        lows = {(self._below(first, low.middle), low.joined) for low in self.bottom.essential_spans(first)}
        return any(not low_lines & high_lines for colours, low_lines in lows for high_lines in tops[colours])

    def _pairs(self, lows: Iterable[WalkWindow]) -> Iterator[tuple[WalkWindow, WalkWindow]]:
        """Pairs of facing windows that are apart and have the right colours."""
        tops = defaultdict(list)
        for high in self.top.essential_windows:
            tops[high.nodes[0][0]].append(high)
        for low in lows:
            for high in tops[(self._facing - low.nodes[0][0]) % self.period]:
                if self._apart(low, high):
                    yield low, high

    def _apart(self, low: WalkWindow, high: WalkWindow) -> bool:
        """Whether two facing windows have the right colours and no pair of lines that both join."""
        return self._balanced(low, high) and not self.bottom.joined(low) & self._seen_from_bottom(self.top.joined(high))

    @cached_method
    def _seen_from_bottom(self, joined: LinePairs) -> LinePairs:
        """Lines that a window of the top joins, by their numbers at the bottom."""
        # Both numbers of a line sum to n - 1; from each, twice the first column of its window is subtracted
        both = 2 * WINDOW - self.bottom.rows
        return frozenset((both - b, both - a) for a, b in joined)

    def _balanced(self, low: WalkWindow, high: WalkWindow) -> bool:
        """Whether the colours of the moves across the cut have the right sum."""
        first, there = low.nodes[0][0], high.nodes[0][0]
        return self._below(first, low.middle) + self._above(there, high.middle) + self._missing(first) == 0

    @staticmethod
    def _below(first: int, middle: OpenMoves) -> int:
        """Sum of the colours of the moves across the cut in the middle of a window of the bottom."""
        place = first + WINDOW // 2
        return sum(colour(place + x + dx, y + dy) for x, y, (dx, dy) in middle)

    @staticmethod
    def _above(first: int, middle: OpenMoves) -> int:
        """The same for the top; a half turn of a square of even side keeps the colours."""
        place = first + WINDOW // 2
        return sum(colour(place + x, y) for x, y, _ in middle)

    @cached_method
    def _missing(self, first: int) -> int:
        """Sum of the colours of the plane's moves across the cut, less twice that of the cells to its left.

        Raises
        ------
        CertificateError
            If the sum changes from square to square.
        """
        # Large enough that the window is far from all corners; two sizes must agree
        side = 12 * self.period + (self.remainder - 12 * self.period) % (2 * self.period)
        colours, again = (self._colours(first, side + 2 * k * self.period) for k in range(2))
        if colours != again:
            raise CertificateError("turns: the colours of two facing sides do not fit")
        return colours

    def _colours(self, first: int, side: int) -> int:
        """The same on one square, for a window near the middle of the lines from the bottom to the top."""
        rows, plane, middle = self.bottom.rows, self.bottom.plane, side // 4
        # A window in the quarter of the square where lines lead from the bottom to the top
        low = middle + (first - middle) % self.period
        bottom, top = low + WINDOW // 2, side - (facing_sum(side, rows) - low) - WINDOW // 2

        def ends(y: CellNumbers) -> CellNumbers:
            """Number of cells to the left of the cut in each row."""
            # Cells to the left of the cut have a smaller 2 x - y
            return np.where(y < rows, bottom, np.where(y < side - rows, bottom - (rows - y) // 2, top))

        every = np.arange(side)
        # An even run of cells in a row has as many of either colour
        total = -2 * (ends(every) % 2 * colour(np.zeros_like(every), every)).sum()
        y = every[rows : side - rows, None]
        # Moves across the cut start within 8 columns of it
        x = ends(y) + np.arange(-8, 8)
        second = np.isin((plane.first[0] * y - plane.first[1] * x) % plane.classes, [*plane.seconds])
        dx, dy = (np.where(second, across, along) for along, across in zip(plane.first, plane.second, strict=True))
        for u, v in ((x + dx, y + dy), (x - dx, y - dy)):
            inside, other_inside = x < ends(y), u < ends(v)
            # A move within S is met from both of its ends, so it counts once
            total += colour(x, y)[inside & ~other_inside].sum()
            total += colour(u, v)[other_inside & ~inside & ((v < rows) | (v >= side - rows))].sum()
        return int(total)


@dataclass(frozen=True, eq=False)
class Facing:
    """Bottom and top of the squares whose side leaves a remainder modulo P, under one plane."""

    sweep: InteriorSweep
    plane: Plane
    remainder: int

    @cached_property
    def period(self) -> int:
        """P."""
        return lcm(self.sweep.period, self.plane.classes, 2)

    @cached_property
    def circuit(self) -> SquareCircuit:
        """The circuits round the squares."""
        # A turn beside the middle of a side may change the moves of its outer two columns
        wider = replace(self.sweep, wider=2 * self.sweep.turns, known_corner_excesses={})
        return SquareCircuit(wider, self.plane, self.remainder, self.period)

    @cached_method
    def _ends(self, remainder: int) -> tuple[FacingEnd, FacingEnd]:
        """Left end of the strip for sides with a remainder modulo 2 P, and its right end after a half turn."""
        bottom, _, top, _ = self.circuit.walks
        return (
            FacingEnd(bottom, top, remainder, lambda: self._corners.fillings(0)),
            FacingEnd(top, bottom, remainder, lambda: self._corners.fillings(2)),
        )

    @cached_property
    def _corners(self) -> Corners:
        return Corners(self.circuit)

    def check(self, boards: Boards) -> None:
        """Check that squares of a claim with this remainder and less than E have cycles of two lines.

        Checks Lemma 26 (windows that are apart) and Lemma 30 (the strip).

        Raises
        ------
        CertificateError
            If some may have none, or the squares are too small for the argument.
        """
        apart = self.apart(boards)
        if len(apart) < len(self._remainders(boards)) and not self._has_room(boards.least):
            raise CertificateError(f"turns: {boards.least}x{boards.least} is too small for facing sides")
        for side in (side for remainder in apart for side in self._squares(remainder, boards)):
            if self._passes(side):
                raise CertificateError(f"turns: facing sides of {side}x{side} may have no pair of lines that both join")
        if apart:
            tight = SquareCircuit(self.sweep, self.plane, self.remainder, self.period)
            tight.check_without_middle(self.sweep.excess - self.circuit.least_excess_in_middle)

    def _remainders(self, boards: Boards) -> list[int]:
        """Remainders modulo 2 P of the sides of a claim's squares."""
        return sorted(r for r in boards.remainders(2 * self.period) if r % self.period == self.remainder)

    def apart(self, boards: Boards) -> list[int]:
        """Remainders modulo 2 P of a claim's squares that may have windows which are apart.

        Raises
        ------
        CertificateError
            If there are too many windows.
        """
        # With an even number of rows the windows of the two sides do not face each other
        if self.sweep.rows % 2 == 0:
            raise CertificateError("turns: facing sides need an odd number of rows")
        return [remainder for remainder in self._remainders(boards) if self._ends(remainder)[0].may_be_apart()]

    def _has_room(self, side: int) -> bool:
        """Whether some facing windows have nothing in their way."""
        bottom, _, top, _ = self.circuit.walks
        before, after = max(bottom.before, top.before), max(bottom.after, top.after)
        places = facing_sum(side, self.sweep.rows) - 2 * (self.circuit.sweep.middle_start + before) + 1
        return places > self.circuit.max_disturbed_places * (before + WINDOW + after + 2 * WINDOW_MARGIN)

    def _squares(self, remainder: int, boards: Boards) -> Iterator[int]:
        """Sides of squares that stand for all with a remainder modulo 2 P."""
        # Sides that agree modulo this behave alike
        modulus = lcm(2 * self._ends(remainder)[0].layers.period, 2 * self.period, boards.modulus)
        if modulus > MAX_SIDES:
            raise CertificateError("turns: the pairs of windows between two facing sides repeat too late")
        for side in range(boards.least, boards.least + modulus):
            if side % (2 * self.period) == remainder and boards.includes(side):
                yield side

    def _passes(self, side: int) -> bool:
        """Whether both ends reach a common pair of windows."""
        left, right = self._ends(side % (2 * self.period))
        # Where the two ends meet, both windows consist of essential nodes
        near, far = (max(0, walks.before - CLEAR_AFTER) for walks in (right.bottom, left.bottom))
        place = self.circuit.sweep.middle_start + CLEAR_AFTER
        steps = facing_sum(side, self.sweep.rows) - 2 * place - near
        last = (
            facing_sum(side, self.sweep.rows)
            + WINDOW
            + COLUMNS_BEYOND
            + max(walks.after for walks in self.circuit.walks)
        )
        if steps < max(far, left.layers.start) or last > side - self.circuit.sweep.middle_start - 4:
            raise CertificateError(f"turns: {side}x{side} is too small for facing sides")
        others = right.layers.at(near)[1]
        return any((high, low) in others for low, high in left.layers.at(steps)[1])
