"""Facing sides: cycles of two lines that the bottom and the top of a square force together.

Lemma 25 (facing windows) has the colours, and Lemma 30 (the strip) what is followed from both ends.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import lcm
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from kt_models.cells import Cell
from kt_models.errors import CertificateError
from theorems.statement import Boards
from theorems.turns.cached_methods import cached_method
from theorems.turns.corners import Corners
from theorems.turns.joins import STEEP, Filling, LinePairs, joined_lines
from theorems.turns.planes import Plane
from theorems.turns.rounds import InteriorSweep, Round
from theorems.turns.side_walks import EARLY, WINDOW, CalmWalks, OpenMoves, WalkWindow

MARGIN = 10
"""More columns than the lines of a window, and the moves across a cut between them, spread to either side near it."""
BEYOND = 14
"""So many more columns of the top are looked at than face those of the bottom from its corner on."""
MAX_STEPS = 2_000
MAX_SIDES = 10_000

CellNumbers = npt.NDArray[np.int64]
N = TypeVar("N", int, CellNumbers)
WindowPairs = frozenset[tuple[WalkWindow, WalkWindow]]
"""Pairs of windows, the one of the bottom first."""


def colour(x: N, y: N) -> N:
    """1 or -1."""
    return 1 - 2 * ((x + y) % 2)


def facing_sum(side: int, rows: int) -> int:
    """The first columns of two windows that face each other come to this."""
    return (side - 1 + rows) // 2 - WINDOW


@dataclass(frozen=True, eq=False)
class StripEnd:
    """The left end of the strip between the bottom and the top, for n of one remainder modulo 2 P."""

    bottom: CalmWalks
    top: CalmWalks
    remainder: int
    fillings: Callable[[], Mapping[OpenMoves, Sequence[Filling]]]
    """Of the corner at this end."""

    @property
    def period(self) -> int:
        """P."""
        return self.bottom.period

    @property
    def _facing(self) -> int:
        return facing_sum(self.remainder, self.bottom.rows)

    @cached_property
    def layers(self) -> tuple[list[WindowPairs], int]:
        """The pairs that are reached after 0, 1, 2, ... steps, and from which number on they repeat.

        Raises
        ------
        CertificateError
            If they do not.
        """
        tops = defaultdict(list)
        for window in self.top.lasting_windows:
            tops[window.nodes[1:], window.columns[1:]].append(window)
        found: list[WindowPairs] = [frozenset(self._begin())]
        seen: dict[tuple[int, WindowPairs], int] = {}
        while (known := ((len(found) - 1) % self.period, found[-1])) not in seen:
            seen[known] = len(found) - 1
            if len(found) > MAX_STEPS:
                raise CertificateError("turns: what is between two facing sides does not repeat")
            following = (
                (low, high)
                for before, behind in found[-1]
                for low in self.bottom.following(before)
                for high in tops[behind.nodes[:-1], behind.columns[:-1]]
            )
            found.append(frozenset(pair for pair in following if self._apart(*pair)))
        return found[:-1], seen[known]

    def layer(self, number: int) -> WindowPairs:
        """The pairs after so many steps."""
        layers, first = self.layers
        return layers[number if number < first else first + (number - first) % (len(layers) - first)]

    def _begin(self) -> Iterator[tuple[WalkWindow, WalkWindow]]:
        """The pairs of windows behind the corner that go with some filling of it."""
        place, fillings = self.bottom.edge + EARLY, self.fillings()
        lows = self.bottom.windows((place % self.period, state) for state in fillings)
        for low, high in self._pairs(lows):
            if any(not own & other for own in self._with_corner(low) for other in self._behind(high)):
                yield low, high

    @cached_method
    def _with_corner(self, low: WalkWindow) -> set[LinePairs]:
        """The lines that are joined by the corner, in each way to fill it, and a window behind it."""
        side, place = self.bottom, self.bottom.edge + EARLY
        window = {(place + x, y): pair for x, own in enumerate(low.columns) for y, pair in enumerate(own)}

        def leads(cell: Cell) -> bool:
            return min(cell) >= side.rows and side.plane.direction(*cell) == STEEP

        return {joined_lines({**filling, **window}, leads) for filling in self.fillings()[low.nodes[0][1]]}

    @cached_method
    def _behind(self, high: WalkWindow) -> set[LinePairs]:
        """The lines that a window of the top and the columns behind it join, by their numbers at the bottom."""
        place = self.bottom.edge + EARLY
        both = 2 * (WINDOW + place) - self.bottom.rows
        ways = (self.top.joined_by(high.nodes[0][0], own) for own in self.top.longer(high, place + BEYOND))
        return {frozenset((both - b, both - a) for a, b in joined) for joined in ways}

    def may_be_apart(self) -> bool:
        """Whether some windows of lasting nodes that face each other are apart, and have the right colours."""
        return any(self._may_be_apart(first) for first in range(self.period))

    def _may_be_apart(self, first: int) -> bool:
        """The same of those that begin at a column of the bottom modulo P."""
        there, tops = (self._facing - first) % self.period, defaultdict(set)
        for high in self.top.lasting_spans(there):
            tops[-self._above(there, high.middle) - self._missing(first)].add(self._turned(high.joined))
        lows = {(self._below(first, low.middle), low.joined) for low in self.bottom.lasting_spans(first)}
        return any(not own & other for colours, own in lows for other in tops[colours])

    def _pairs(self, lows: Iterable[WalkWindow]) -> Iterator[tuple[WalkWindow, WalkWindow]]:
        """Windows of the bottom, and those of the top that face them, are apart, and have the right colours."""
        tops = defaultdict(list)
        for high in self.top.lasting_windows:
            tops[high.nodes[0][0]].append(high)
        for low in lows:
            for high in tops[(self._facing - low.nodes[0][0]) % self.period]:
                if self._apart(low, high):
                    yield low, high

    def _apart(self, low: WalkWindow, high: WalkWindow) -> bool:
        """Whether two windows that face each other have the right colours, and join no two lines both."""
        return self._balanced(low, high) and not self.bottom.joined(low) & self._turned(self.top.joined(high))

    @cached_method
    def _turned(self, joined: LinePairs) -> LinePairs:
        """The lines that a window of the top joins, by their numbers at the bottom."""
        # of a line, both numbers come to n - 1, and from each the first column is taken away, doubled
        both = 2 * WINDOW - self.bottom.rows
        return frozenset((both - b, both - a) for a, b in joined)

    def _balanced(self, low: WalkWindow, high: WalkWindow) -> bool:
        """Whether the colours of the moves across the cut come to what they have to."""
        first, there = low.nodes[0][0], high.nodes[0][0]
        return self._below(first, low.middle) + self._above(there, high.middle) + self._missing(first) == 0

    @staticmethod
    def _below(first: int, middle: OpenMoves) -> int:
        """The colours of the moves across the cut in the middle of a window of the bottom."""
        place = first + WINDOW // 2
        return sum(colour(place + x + dx, y + dy) for x, y, (dx, dy) in middle)

    @staticmethod
    def _above(first: int, middle: OpenMoves) -> int:
        """The same of the top: after the half turn of a square of even side the colours are the same."""
        place = first + WINDOW // 2
        return sum(colour(place + x, y) for x, y, _ in middle)

    @cached_method
    def _missing(self, first: int) -> int:
        """The colours of the moves of the plane across the cut, less twice those of what is to the left of it.

        Raises
        ------
        CertificateError
            If that changes from square to square.
        """
        side = 12 * self.period + (self.remainder - 12 * self.period) % (2 * self.period)
        one, two = (self._colours(first, side + 2 * k * self.period) for k in range(2))
        if one != two:
            raise CertificateError("turns: the colours of two facing sides do not fit")
        return one

    def _colours(self, first: int, side: int) -> int:
        """The same, of one square, for a window near the middle of where lines lead from the bottom to the top."""
        rows, plane, middle = self.bottom.rows, self.bottom.plane, side // 4
        low = middle + (first - middle) % self.period
        bottom, top = low + WINDOW // 2, side - (facing_sum(side, rows) - low) - WINDOW // 2

        def ends(y: CellNumbers) -> CellNumbers:
            """How many cells of a row are to the left."""
            # 2 x - y is less than at the cut
            return np.where(y < rows, bottom, np.where(y < side - rows, bottom - (rows - y) // 2, top))

        every = np.arange(side)
        total = -2 * (ends(every) % 2 * colour(np.zeros_like(every), every)).sum()
        y = every[rows : side - rows, None]
        x = ends(y) + np.arange(-8, 8)
        second = np.isin((plane.first[0] * y - plane.first[1] * x) % plane.classes, [*plane.seconds])
        dx, dy = (np.where(second, other, one) for one, other in zip(plane.first, plane.second, strict=True))
        for u, v in ((x + dx, y + dy), (x - dx, y - dy)):
            here, there = x < ends(y), u < ends(v)
            # a move within S is met from both of its ends
            total += colour(x, y)[here & ~there].sum()
            total += colour(u, v)[there & ~here & ((v < rows) | (v >= side - rows))].sum()
        return int(total)


@dataclass(frozen=True, eq=False)
class Facing:
    """The bottom and the top of the squares whose side leaves a remainder modulo P, under a plane."""

    sweep: InteriorSweep
    plane: Plane
    remainder: int

    @cached_property
    def period(self) -> int:
        """P."""
        return lcm(self.sweep.period, self.plane.classes, 2)

    @cached_property
    def round(self) -> Round:
        """The way round the squares."""
        # a turn beside the middle of a side may change the moves of its outer two columns
        wider = replace(self.sweep, wider=2 * self.sweep.turns, leasts={})
        return Round(wider, self.plane, self.remainder, self.period)

    @cached_method
    def _ends(self, remainder: int) -> tuple[StripEnd, StripEnd]:
        """The left end of the strip for sides with a remainder modulo 2 P, and the right one after a half turn."""
        bottom, _, top, _ = self.round.walks
        return (
            StripEnd(bottom, top, remainder, lambda: self._corners.fillings(0)),
            StripEnd(top, bottom, remainder, lambda: self._corners.fillings(2)),
        )

    @cached_property
    def _corners(self) -> Corners:
        return Corners(self.round)

    def check(self, boards: Boards) -> None:
        """Check that the squares of a claim with this remainder have cycles of two lines, if they have less than E.

        Checks Lemma 26 (windows that are apart) and Lemma 30 (the strip).

        Raises
        ------
        CertificateError
            If they may not, or are too small to see.
        """
        apart = self.apart(boards)
        if len(apart) < len(self._remainders(boards)) and not self._has_room(boards.least):
            raise CertificateError(f"turns: {boards.least}x{boards.least} is too small for facing sides")
        if apart:
            calm = Round(self.sweep, self.plane, self.remainder, self.period)
            calm.check_gaps(self.sweep.excess - self.round.least_excess)
        for side in (side for remainder in apart for side in self._squares(remainder, boards)):
            if self._passes(side):
                raise CertificateError(f"turns: facing sides of {side}x{side} may join no two lines both")

    def _remainders(self, boards: Boards) -> list[int]:
        """What the sides of squares of a claim leave modulo 2 P."""
        return sorted(r for r in boards.remainders(2 * self.period) if r % self.period == self.remainder)

    def apart(self, boards: Boards) -> list[int]:
        """The remainders modulo 2 P of squares of a claim that may have windows which are apart.

        Raises
        ------
        CertificateError
            If it takes too many windows to see.
        """
        if self.sweep.rows % 2 == 0:
            raise CertificateError("turns: sides that face each other are to have an odd number of rows")
        return [own for own in self._remainders(boards) if self._ends(own)[0].may_be_apart()]

    def _has_room(self, side: int) -> bool:
        """Whether not all windows that face each other can have something in their way."""
        bottom, _, top, _ = self.round.walks
        before, after = max(bottom.before, top.before), max(bottom.after, top.after)
        places = facing_sum(side, self.sweep.rows) - 2 * (self.round.sweep.edge + before) + 1
        return places > self.round.places * (before + WINDOW + after + 2 * MARGIN)

    def _squares(self, remainder: int, boards: Boards) -> Iterator[int]:
        """Sides of squares that stand for all with a remainder modulo 2 P."""
        layers, first = self._ends(remainder)[0].layers
        modulus = lcm(2 * (len(layers) - first), 2 * self.period, boards.modulus)
        if modulus > MAX_SIDES:
            raise CertificateError("turns: what is between two facing sides repeats too late")
        for side in range(boards.least, boards.least + modulus):
            if side % (2 * self.period) == remainder and boards.includes(side):
                yield side

    def _passes(self, side: int) -> bool:
        """Whether some pair of windows is reached from both ends."""
        left, right = self._ends(side % (2 * self.period))
        # where the two meet both windows are of lasting nodes
        near, far = (max(0, walks.before - EARLY) for walks in (right.bottom, left.bottom))
        place = self.round.sweep.edge + EARLY
        steps = facing_sum(side, self.sweep.rows) - 2 * place - near
        last = facing_sum(side, self.sweep.rows) + WINDOW + BEYOND + max(walks.after for walks in self.round.walks)
        if steps < max(far, left.layers[1]) or last > side - self.round.sweep.edge - 4:
            raise CertificateError(f"turns: {side}x{side} is too small for facing sides")
        others = right.layer(near)
        return any((high, low) in others for low, high in left.layer(steps))
