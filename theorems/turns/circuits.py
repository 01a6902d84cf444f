"""Circuits: the sweep once round a square whose interior follows a plane, as in Lemma 22 (the circuit)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import lcm

from kt_models.cells import Cell
from kt_models.errors import CertificateError
from kt_models.limits import Limits
from theorems.turns.circuit_quarters import CircuitQuarter, block_of
from theorems.turns.planes import Plane
from theorems.turns.side_walks import TightWalks
from theorems.turns.sweeps import START, PairExcesses


@dataclass(frozen=True, eq=False)
class InteriorSweep:
    """Data shared by the circuits round squares of all planes.

    Parameters
    ----------
    excess
        E, multiplied by the denominator.
    turns
        T.
    options
        Excesses of pairs at the cells of a square with a given side, at least twice the reach.
    rows
        D.
    period
        Period of the numbers.
    """

    excess: int
    turns: int
    options: Callable[[int], Mapping[Cell, PairExcesses]]
    rows: int
    reach: int
    period: int
    limits: Limits
    wider: int = 0
    """Extra columns assigned to each corner."""
    leasts: dict[tuple[frozenset[Plane], int], int] = field(default_factory=dict)
    """Least excess of corners, by the plane as seen from there, its mirror image, and the side modulo the period.  A
    plane and
    its mirror image have the same excess.
    """

    @cached_property
    def edge(self) -> int:
        """First column that sees nothing of the left side and has no move to a cell of a corner."""
        return max(self.reach, block_of(self.rows, self.turns) + 2) + self.wider

    def least_turn(self, remainder: int) -> int:
        """Least excess of a turn inside a square whose side leaves a remainder."""
        # the least square in which some interior cells see no border
        side = 2 * self.edge + self.period + (remainder - 2 * self.edge) % self.period
        inside = range(self.rows, side - self.rows)
        pairs = (
            pair
            for (x, y), cell_pairs in self.options(side).items()
            if x in inside and y in inside
            for pair in cell_pairs
        )
        return min(excess for excess, a, b in pairs if a != (-b[0], -b[1]))

    def check_straight(self, remainder: int, spent: int) -> None:
        """Check that T + 1 turns inside a square whose side leaves a remainder, together with `spent`, reach E.

        Raises
        ------
        CertificateError
            If they may have less excess than E.
        """
        if spent + (self.turns + 1) * self.least_turn(remainder) < self.excess:
            raise CertificateError("turns: there may be a turn inside")


@dataclass(frozen=True, eq=False)
class SquareCircuit:
    """Circuits round the squares whose side leaves a remainder modulo a period, under one plane."""

    sweep: InteriorSweep
    plane: Plane
    remainder: int
    period: int

    @cached_property
    def side(self) -> int:
        """Side of a square that stands for all: its middle has two columns before and behind those that repeat."""
        # two columns before and behind one full period of the middle
        shortest = 2 * self.sweep.edge + 4 + self.period
        return shortest + (self.remainder - shortest) % self.period

    @cached_property
    def planes(self) -> list[Plane]:
        """The plane as seen from each of the four sides, in order."""
        planes = [self.plane]
        for _ in range(3):
            planes.append(planes[-1].quarter_turn(self.side))
        return planes

    @cached_property
    def walks(self) -> tuple[TightWalks, ...]:
        """Walks along each of these sides."""
        sweep, period = self.sweep, lcm(self.period, 2)
        shortest = 2 * sweep.edge + 2 * period + 8
        options = sweep.options(shortest + (self.remainder - shortest) % sweep.period)
        sides = {
            # planes that look alike from two sides share their walks
            plane: TightWalks(plane, options, sweep.rows, sweep.edge, period, sweep.limits)
            for plane in self.planes
        }
        return tuple(sides[plane] for plane in self.planes)

    @cached_property
    def places(self) -> int:
        """Largest number of places in the middle of the sides with an excess or a turn, if the total is below E."""
        return (self.sweep.excess - 1) // self.least_excess

    @cached_property
    def least_excess(self) -> int:
        """Least positive excess of a turn, or of a cell in the middle of a side with the plane's moves to S."""
        return min(self.sweep.least_turn(self.remainder), *(side.least_excess for side in self.walks))

    @cached_property
    def leasts(self) -> list[int]:
        """Least excess of the corner to the right of each side."""
        return [self._least(plane) for plane in self.planes]

    @cached_property
    def place(self) -> int:
        """First of the columns that repeat."""
        return self.sweep.edge + 2

    @cached_property
    def corner(self) -> int:
        """First column of the corner."""
        return self.side - self.sweep.edge - 2

    @cached_property
    def last_columns(self) -> list[int]:
        """Columns that stand for the two before the corner."""
        return [self.place + (x - self.place) % self.period for x in range(self.corner - 2, self.corner)]

    def quarter(
        self, side: int, below: int, first: int, last: int, *, open_interior: bool = False, back: bool = False
    ) -> CircuitQuarter:
        """The quarter from a column of a side to a row of the next side."""
        sweep, plane, length = self.sweep, self.planes[side], self.side
        rows, turns, edge, limits = sweep.rows, sweep.turns, sweep.edge, sweep.limits
        options = sweep.options(length)
        return CircuitQuarter(
            plane, options, length, rows, turns, edge, first, last, below, limits, open_interior, back
        )

    @cached_property
    def quarters(self) -> list[CircuitQuarter]:
        """The four quarters, each with the excess that the other corners leave for it."""
        excess, edge = self.sweep.excess, self.sweep.edge
        return [
            self.quarter(k, excess - sum(self.leasts) + least, edge, edge + 4) for k, least in enumerate(self.leasts)
        ]

    def check(self) -> None:
        """Check that every circuit has an excess of at least E.

        Checks Lemma 22 (the circuit).

        Raises
        ------
        CertificateError
            If a circuit may have less, or there are too many states.
        """
        for first in range(4):
            # starting from a side that looks like an earlier one gives the same sweep
            if self.planes[first] not in self.planes[:first]:
                self._check_from(first, self.sweep.excess)

    def check_closed(self, least: int) -> None:
        """Check that squares with a side of at least `least` have an excess of at least E.

        Checks Lemma 24 (long sides have a tight place).

        Otherwise the middle of the bottom has enough consecutive columns without excess.  Then there is an essential
        node
        before one of them, a multiple of the period behind the beginning of the middle, and the circuit leads back to
        it.

        Raises
        ------
        CertificateError
            If a square may have less, or there are too many states.
        """
        walks, leasts, excess = self.walks[0], self.leasts, self.sweep.excess
        tight_columns = (least - 2 * self.sweep.edge - self.places) // (self.places + 1)
        # a turn may change the moves of cells up to two columns beside it
        if tight_columns - 4 < walks.before + walks.after + walks.period:
            raise CertificateError(f"turns: {least}x{least} is too small for a circuit")
        quarters = self.quarters
        names = [name for column, name in walks.essential if (column - self.place) % self.period == 0]
        states = start = quarters[0].states(self.place, names)
        for k, quarter in enumerate(quarters):
            below, first = excess - sum(leasts[k + 1 :]), quarter.column(self.place)
            known = quarter.sweep.repeated(states, first, quarter.deep, self.period, below - leasts[k])
            states = known[(self.corner - self.place) % self.period]
            states = quarter.sweep.advance(states, quarter.column(self.corner), quarter.row(self.place), below)
            states = quarter.moved(states, quarters[(k + 1) % 4])
        again = quarters[0]
        known = again.sweep.repeated(states, again.column(self.place), again.deep, self.period, excess)
        if any(least < excess for least in known[0].least_at(start).diagonal()):
            raise CertificateError(f"turns: a circuit may have less excess than {excess}")

    def check_gaps(self, excess: int) -> None:
        """Check that the circuit without the middle of any one side has an excess of at least `excess`.

        Checks Lemma 27 (tight sides).

        Raises
        ------
        CertificateError
            If it may have less, or there are too many states.
        """
        for gap in range(4):
            if self.planes[gap] not in self.planes[:gap]:
                for first in range(4):
                    self._check_from(first, excess, gap)

    def _check_from(self, first: int, excess: int, gap: int | None = None) -> None:
        """Check it for circuits whose first quarters, from a side on, have no more than their share of the excess.

        Some quarter can be taken as the first: if every cyclic sequence began with too much, the sum would be too
        large.
        """
        sides, edge = [(first + number) % 4 for number in range(4)], self.sweep.edge
        # each quarter has at least its corner's least, so the rest bounds the others: a narrow corridor of excess
        leasts = [self.leasts[side] for side in sides]
        # by the cycle lemma, some first side has all partial sums within their share
        parts = [min((excess - 1) * k // 4 + 1, excess - sum(leasts[k:])) for k in range(1, 5)]
        states, before = START, None
        for number, side in enumerate(sides):
            below, spent = parts[number], sum(leasts[:number])
            # nothing can be cheap enough any more
            if below <= spent or not len(states):
                return
            # the next quarter begins at row `edge`, where this one ends, but rows behind it still depend on this one
            # behind the last quarter, or before a gap, nothing follows that could be charged
            ends = number == 3 or (side + 1) % 4 == gap
            further = below if ends else parts[number + 1] - leasts[number + 1]
            quarter_below = max(below - spent, further - spent - leasts[number])
            quarter = self.quarter(
                side, quarter_below, self.corner - 2 if side == gap else edge, edge if ends else edge + 4
            )
            sweep, start = quarter.sweep, quarter.column(self.place)
            if side == gap:
                # behind a gap the open moves are unknown: start from any state, with the excess so far
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
        """Least excess of the bottom right corner, or a little more than E / 4 if it is no less."""
        sweep, side = self.sweep, self.side
        here = plane.image(lambda x, y: (x - side, y), lambda dx, dy: (dx, dy))
        mirrored = here.image(lambda x, y: (-1 - y, -1 - x), lambda dx, dy: (-dy, -dx))
        seen = frozenset({here, mirrored}), side % sweep.period
        enough = sweep.excess // 4 + 1
        number = self.planes.index(plane)
        # most corners are cheap, so a low limit usually suffices and keeps few states
        for below in (enough // 3 + 1, enough):
            if seen not in sweep.leasts:
                least = self._less(number, below)
                if least is not None or below == enough:
                    sweep.leasts[seen] = enough if least is None else least
        return sweep.leasts[seen]

    def _less(self, number: int, below: int) -> int | None:
        """Least excess of the corner to the right of a side, if it is below `below`.

        Then less than half of it comes before the middle of the corner, or behind.
        """
        leasts = []
        # meet in the middle: one of the halves has less than half of the excess
        for back, part in ((False, below // 2), (True, below - below // 2)):
            quarter = self.quarter(number, below, self.side - self.sweep.edge, self.sweep.edge, back=back)
            states = quarter.sweep.advance(START, 0, quarter.middle, part)
            states = quarter.sweep.advance(states, quarter.middle, len(quarter.sweep.cells), below)
            leasts.append(states.least)
        return min((least for least in leasts if least is not None), default=None)
