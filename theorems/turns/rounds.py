"""The sweep once round a square all of whose lines inside are those of a plane: Lemma 22 (the way round)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import lcm

from kt_models.cells import Cell
from kt_models.errors import CertificateError
from kt_models.limits import Limits
from theorems.turns.planes import Plane
from theorems.turns.quarters import Quarter, block_of
from theorems.turns.side_walks import CalmWalks
from theorems.turns.sweeps import START, PairExcesses


@dataclass(frozen=True, eq=False)
class InteriorSweep:
    """What the sweeps round squares of all planes have in common.

    Parameters
    ----------
    excess
        E, times the denominator.
    turns
        T.
    options
        Of the cells of a square of so many cells a side, twice the reach or more.
    rows
        D.
    period
        Of the numbers.
    """

    excess: int
    turns: int
    options: Callable[[int], Mapping[Cell, PairExcesses]]
    rows: int
    reach: int
    period: int
    limits: Limits
    wider: int = 0
    """So many columns more are left to the corners than have to be."""
    leasts: dict[tuple[frozenset[Plane], int], int] = field(default_factory=dict)
    """What corners have at least, by the plane as seen from there, also mirrored, and the side modulo the period."""

    @cached_property
    def edge(self) -> int:
        """The first column that sees nothing of the left side, and has no move to a cell of a corner."""
        return max(self.reach, block_of(self.rows, self.turns) + 2) + self.wider

    def least_turn(self, remainder: int) -> int:
        """The least excess of a turn inside a square whose side leaves a remainder."""
        side = 2 * self.edge + self.period + (remainder - 2 * self.edge) % self.period
        inside = range(self.rows, side - self.rows)
        pairs = (pair for (x, y), own in self.options(side).items() if x in inside and y in inside for pair in own)
        return min(excess for excess, a, b in pairs if a != (-b[0], -b[1]))

    def check_straight(self, remainder: int, spent: int) -> None:
        """Check that T + 1 turns inside a square whose side leaves a remainder, and so much excess, come to E.

        Raises
        ------
        CertificateError
            If they do not.
        """
        if spent + (self.turns + 1) * self.least_turn(remainder) < self.excess:
            raise CertificateError("turns: there may be a turn inside")


@dataclass(frozen=True, eq=False)
class Round:
    """The way round the squares whose sides leave a remainder modulo a period, of a plane and the numbers."""

    sweep: InteriorSweep
    plane: Plane
    remainder: int
    period: int

    @cached_property
    def side(self) -> int:
        """Of a square that stands for all: two columns before those that repeat, and two behind, are of the middle."""
        shortest = 2 * self.sweep.edge + 4 + self.period
        return shortest + (self.remainder - shortest) % self.period

    @cached_property
    def planes(self) -> list[Plane]:
        """The plane as seen from the four sides, as they come."""
        found = [self.plane]
        for _ in range(3):
            found.append(found[-1].quarter_turn(self.side))
        return found

    @cached_property
    def walks(self) -> tuple[CalmWalks, ...]:
        """The walks of these sides."""
        own, period = self.sweep, lcm(self.period, 2)
        shortest = 2 * own.edge + 2 * period + 8
        options = own.options(shortest + (self.remainder - shortest) % own.period)
        sides = {plane: CalmWalks(plane, options, own.rows, own.edge, period, own.limits) for plane in self.planes}
        return tuple(sides[plane] for plane in self.planes)

    @cached_property
    def places(self) -> int:
        """How many places in the middle of the sides may have an excess, or a turn, if all have less than E."""
        return (self.sweep.excess - 1) // self.least_excess

    @cached_property
    def least_excess(self) -> int:
        """A turn has no less, nor a cell of the middle of a side, but for 0, that has the moves to S of the plane."""
        return min(self.sweep.least_turn(self.remainder), *(side.least_excess for side in self.walks))

    @cached_property
    def leasts(self) -> list[int]:
        """What the corners to the right of these sides have at least."""
        return [self._least(plane) for plane in self.planes]

    @cached_property
    def place(self) -> int:
        """The columns that repeat begin here."""
        return self.sweep.edge + 2

    @cached_property
    def corner(self) -> int:
        """The first column of a corner."""
        return self.side - self.sweep.edge - 2

    @cached_property
    def last_columns(self) -> list[int]:
        """Columns that stand for the two before the corner."""
        return [self.place + (x - self.place) % self.period for x in range(self.corner - 2, self.corner)]

    def quarter(
        self, side: int, most: int, first: int, last: int, *, wild: bool = False, back: bool = False
    ) -> Quarter:
        """From a column of a side to a row of the next."""
        own, plane, length = self.sweep, self.planes[side], self.side
        rows, turns, edge, limits = own.rows, own.turns, own.edge, own.limits
        options = own.options(length)
        return Quarter(plane, options, length, rows, turns, edge, first, last, most, limits, wild, back)

    @cached_property
    def quarters(self) -> list[Quarter]:
        """The four quarters, for what each may have if the other corners have what they have at least."""
        excess, edge = self.sweep.excess, self.sweep.edge
        return [self.quarter(k, excess - sum(self.leasts) + own, edge, edge + 4) for k, own in enumerate(self.leasts)]

    def check(self) -> None:
        """Check that the way round has the excess E at least.

        Checks Lemma 22 (the way round).

        Raises
        ------
        CertificateError
            If it may have less, or it takes too many states to see.
        """
        for first in range(4):
            if self.planes[first] not in self.planes[:first]:
                self._check_from(first, self.sweep.excess)

    def check_closed(self, least: int) -> None:
        """Check that squares of at least so many cells a side have the excess E at least.

        Checks Lemma 24 (long sides have a calm place).

        If not, there are enough columns in the middle of the bottom that follow one another and have no excess.  So
        before one of them, a multiple of the period behind the beginning of the middle, there is a lasting node, and
        the way round leads back to it.

        Raises
        ------
        CertificateError
            If one may have less, or it takes too many states to see.
        """
        walks, leasts, excess = self.walks[0], self.leasts, self.sweep.excess
        calm = (least - 2 * self.sweep.edge - self.places) // (self.places + 1)
        # a turn may change what is two columns beside it
        if calm - 4 < walks.before + walks.after + walks.period:
            raise CertificateError(f"turns: {least}x{least} is too small for a way round")
        quarters = self.quarters
        names = [name for column, name in walks.lasting if (column - self.place) % self.period == 0]
        states = start = quarters[0].states(self.place, names)
        for k, own in enumerate(quarters):
            below, first = excess - sum(leasts[k + 1 :]), own.column(self.place)
            known = own.sweep.repeated(states, first, own.deep, self.period, below - leasts[k])
            states = known[(self.corner - self.place) % self.period]
            states = own.sweep.advance(states, own.column(self.corner), own.row(self.place), below)
            states = own.moved(states, quarters[(k + 1) % 4])
        again = quarters[0]
        known = again.sweep.repeated(states, again.column(self.place), again.deep, self.period, excess)
        if any(least < excess for least in known[0].least_at(start).diagonal()):
            raise CertificateError(f"turns: a way round may have less excess than {excess}")

    def check_gaps(self, excess: int) -> None:
        """Check that the way round without the middle of some side has so much excess, for each of the sides.

        Checks Lemma 27 (calm sides).

        Raises
        ------
        CertificateError
            If it may have less, or it takes too many states to see.
        """
        for gap in range(4):
            if self.planes[gap] not in self.planes[:gap]:
                for first in range(4):
                    self._check_from(first, excess, gap)

    def _check_from(self, first: int, excess: int, gap: int | None = None) -> None:
        """Check it if, from a side on, the first quarters have no more than their part of the excess."""
        sides, edge = [(first + number) % 4 for number in range(4)], self.sweep.edge
        leasts = [self.leasts[side] for side in sides]
        parts = [min((excess - 1) * k // 4 + 1, excess - sum(leasts[k:])) for k in range(1, 5)]
        states, before = START, None
        for number, side in enumerate(sides):
            below, spent = parts[number], sum(leasts[:number])
            if below <= spent or not len(states):
                return
            # a quarter ends at the row `edge`, as the next one begins; what is looked at behind that is of this one
            ends = number == 3 or (side + 1) % 4 == gap
            further = below if ends else parts[number + 1] - leasts[number + 1]
            most = max(below - spent, further - spent - leasts[number])
            quarter = self.quarter(side, most, self.corner - 2 if side == gap else edge, edge if ends else edge + 4)
            sweep, start = quarter.sweep, quarter.column(self.place)
            if side == gap:
                states = sweep.advance(states.forgotten, 0, quarter.column(self.corner), below)
            else:
                states = before.moved(states, quarter) if before else sweep.advance(START, 0, start, below)
                known = sweep.repeated(states, start, quarter.deep, self.period, below - leasts[number])
                states = known[(self.corner - self.place) % self.period]
            end = quarter.row(edge)
            states = sweep.advance(states, quarter.column(self.corner), end, below)
            if not ends:
                states = sweep.advance(states, end, quarter.row(self.place), further)
            before = quarter
        if len(states):
            raise CertificateError(f"turns: an interior may have an excess of {states.least}, not {excess}")

    def _least(self, plane: Plane) -> int:
        """The least excess of the bottom right corner, or a little more than a quarter of E if it is no less."""
        own, side = self.sweep, self.side
        here = plane.image(lambda x, y: (x - side, y), lambda dx, dy: (dx, dy))
        mirrored = here.image(lambda x, y: (-1 - y, -1 - x), lambda dx, dy: (-dy, -dx))
        seen = frozenset({here, mirrored}), side % own.period
        most = own.excess // 4 + 1
        number = self.planes.index(plane)
        for below in (most // 3 + 1, most):
            if seen not in own.leasts:
                found = self._less(number, below)
                if found is not None or below == most:
                    own.leasts[seen] = most if found is None else found
        return own.leasts[seen]

    def _less(self, number: int, below: int) -> int | None:
        """The least excess of the corner to the right of a side, if it is less than a number.

        Then less than half of this is before the middle of the corner, or behind it.
        """
        found = []
        for back, part in ((False, below // 2), (True, below - below // 2)):
            quarter = self.quarter(number, below, self.side - self.sweep.edge, self.sweep.edge, back=back)
            states = quarter.sweep.advance(START, 0, quarter.middle, part)
            states = quarter.sweep.advance(states, quarter.middle, len(quarter.sweep.cells), below)
            found.append(states.least)
        return min((least for least in found if least is not None), default=None)
