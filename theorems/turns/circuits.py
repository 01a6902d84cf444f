"""Circuits: the sweep once round a square whose interior follows a plane, as in Lemma 22 (the circuit).

The letters are those of `proof.md`. The *excess* of a pair of moves at a cell is its cost less the least possible
cost, and excesses of cells add up. E is the excess to be shown: no circuit has less. S is the interior, the square
without its outer D rows and columns, and T is the number of turns that S may have. A *plane* gives each cell of S its
two moves, as if S had no sides.
"""

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
        E, the excess to be shown, multiplied by the denominator of the costs.
    turns
        T, the largest number of turns in S.
    options
        Excesses of pairs at the cells of a square with a given side, at least twice the reach.
    rows
        D, the number of outer rows that do not belong to S.
    reach
        Distance from a side from which on the costs of a cell do not depend on that side.
    period
        Period of the costs along a side.
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
    known_corner_excesses: dict[tuple[frozenset[Plane], int], int] = field(default_factory=dict)
    """Least excesses of corners, a cache for all planes.

    The key is the plane as seen from the corner with its mirror image, which has the same excess, and the side of the
    square modulo the period.
    """

    @cached_property
    def middle_start(self) -> int:
        """First column of the middle of a side: it sees nothing of the left side and has no move to a corner cell."""
        return max(self.reach, block_of(self.rows, self.turns) + 2) + self.wider

    def least_excess_of_turn(self, remainder: int) -> int:
        """Least excess of a turn inside a square whose side leaves a remainder."""
        # The least square in which some interior cells see no border
        side = 2 * self.middle_start + self.period + (remainder - 2 * self.middle_start) % self.period
        inside = range(self.rows, side - self.rows)
        pairs = (
            pair
            for (x, y), cell_pairs in self.options(side).items()
            if x in inside and y in inside
            for pair in cell_pairs
        )
        return min(excess for excess, a, b in pairs if a != (-b[0], -b[1]))

    def check_turns_inside(self, remainder: int, border_excess: int) -> None:
        """Check that T + 1 turns inside a square whose side leaves a remainder, together with the border, reach E.

        Raises
        ------
        CertificateError
            If they may have less excess than E.
        """
        if border_excess + (self.turns + 1) * self.least_excess_of_turn(remainder) < self.excess:
            raise CertificateError("turns: there may be a turn inside")


@dataclass(frozen=True, eq=False)
class SquareCircuit:
    """Circuits round the squares whose side leaves a remainder modulo a period and whose interior follows a plane."""

    sweep: InteriorSweep
    plane: Plane
    remainder: int
    period: int

    @cached_property
    def side(self) -> int:
        """Side of a square that stands for all: its middle has two columns before and behind those that repeat."""
        # Two columns before and behind one full period of the middle
        shortest = 2 * self.sweep.middle_start + 4 + self.period
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
        shortest = 2 * sweep.middle_start + 2 * period + 8
        options = sweep.options(shortest + (self.remainder - shortest) % sweep.period)
        sides = {
            # Planes that look alike from two sides share their walks
            plane: TightWalks(plane, options, sweep.rows, sweep.middle_start, period, sweep.limits)
            for plane in self.planes
        }
        return tuple(sides[plane] for plane in self.planes)

    @cached_property
    def max_disturbed_places(self) -> int:
        """Largest number of places with an excess or a turn in the middle of the sides, if the excess is below E."""
        return (self.sweep.excess - 1) // self.least_excess_in_middle

    @cached_property
    def least_excess_in_middle(self) -> int:
        """Least positive excess of a turn, or of a cell in the middle of a side with the plane's moves to S."""
        return min(self.sweep.least_excess_of_turn(self.remainder), *(side.least_excess for side in self.walks))

    @cached_property
    def corner_excesses(self) -> list[int]:
        """Least excess of the corner to the right of each side, or more than E / 4 if it is no less than that."""
        return [self._corner_excess(plane) for plane in self.planes]

    @cached_property
    def repeat_start(self) -> int:
        """First of the columns of a side that repeat with the period."""
        return self.sweep.middle_start + 2

    @cached_property
    def corner_start(self) -> int:
        """First column of the corner."""
        return self.side - self.sweep.middle_start - 2

    @cached_property
    def last_columns(self) -> list[int]:
        """Columns that stand for the two before the corner."""
        return [
            self.repeat_start + (x - self.repeat_start) % self.period
            for x in range(self.corner_start - 2, self.corner_start)
        ]

    def quarter(
        self, side: int, below: int, first: int, last: int, *, open_interior: bool = False, back: bool = False
    ) -> CircuitQuarter:
        """The quarter from a column of a side to a row of the next side."""
        sweep, plane, length = self.sweep, self.planes[side], self.side
        rows, turns, middle_start, limits = sweep.rows, sweep.turns, sweep.middle_start, sweep.limits
        options = sweep.options(length)
        return CircuitQuarter(
            plane, options, length, rows, turns, middle_start, first, last, below, limits, open_interior, back
        )

    @cached_property
    def quarters(self) -> list[CircuitQuarter]:
        """The four quarters, each with the excess that the other corners leave for it."""
        excess, middle_start = self.sweep.excess, self.sweep.middle_start
        return [
            self.quarter(k, excess - sum(self.corner_excesses) + least, middle_start, middle_start + 4)
            for k, least in enumerate(self.corner_excesses)
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
            # Starting from a side that looks like an earlier one gives the same sweep
            if self.planes[first] not in self.planes[:first]:
                self._check_from(first, self.sweep.excess)

    def check_long_sides(self, shortest_side: int) -> None:
        """Check that squares with a side of at least `shortest_side` have an excess of at least E.

        Checks Lemma 24 (long sides have a tight place).

        Otherwise the middle of the bottom has enough consecutive columns without excess. Then there is an essential
        node before one of them, a multiple of the period behind the beginning of the middle, and the circuit leads
        back to it.

        Raises
        ------
        CertificateError
            If a square may have less, or there are too many states.
        """
        walks, corners, excess = self.walks[0], self.corner_excesses, self.sweep.excess
        tight_columns = (shortest_side - 2 * self.sweep.middle_start - self.max_disturbed_places) // (
            self.max_disturbed_places + 1
        )
        # A turn may change the moves of cells up to two columns beside it
        if tight_columns - 4 < walks.before + walks.after + walks.period:
            raise CertificateError(f"turns: {shortest_side}x{shortest_side} is too small for a circuit")
        quarters = self.quarters
        names = [name for column, name in walks.essential if (column - self.repeat_start) % self.period == 0]
        states = start = quarters[0].states(self.repeat_start, names)
        for k, quarter in enumerate(quarters):
            below, first = excess - sum(corners[k + 1 :]), quarter.column(self.repeat_start)
            known = quarter.sweep.repeated(states, first, quarter.depth, self.period, below - corners[k])
            states = known[(self.corner_start - self.repeat_start) % self.period]
            states = quarter.sweep.advance(
                states, quarter.column(self.corner_start), quarter.row(self.repeat_start), below
            )
            states = quarter.moved(states, quarters[(k + 1) % 4])
        again = quarters[0]
        known = again.sweep.repeated(states, again.column(self.repeat_start), again.depth, self.period, excess)
        if any(least < excess for least in known[0].least_at(start).diagonal()):
            raise CertificateError(f"turns: a circuit may have less excess than {excess}")

    def check_without_middle(self, excess: int) -> None:
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
        """Check the circuits whose first quarters, from side `first` on, have at most their share of the excess.

        Some quarter can be taken as the first: if every cyclic sequence began with too much, the sum would be too
        large.
        """
        sides, middle_start = [(first + number) % 4 for number in range(4)], self.sweep.middle_start
        # Each quarter has at least its corner's least, so the rest bounds the others: a narrow corridor of excess
        corners = [self.corner_excesses[side] for side in sides]
        # By the cycle lemma, some first side has all partial sums within their share
        parts = [min((excess - 1) * k // 4 + 1, excess - sum(corners[k:])) for k in range(1, 5)]
        states, before = START, None
        for number, side in enumerate(sides):
            below, passed = parts[number], sum(corners[:number])
            # Nothing can be cheap enough any more
            if below <= passed or not len(states):
                return
            # The next quarter begins at row `middle_start`, where this one ends, but rows behind depend on this one
            # behind the last quarter, or before a gap, nothing follows that could be charged
            ends = number == 3 or (side + 1) % 4 == gap
            further = below if ends else parts[number + 1] - corners[number + 1]
            quarter_below = max(below - passed, further - passed - corners[number])
            quarter = self.quarter(
                side,
                quarter_below,
                self.corner_start - 2 if side == gap else middle_start,
                middle_start if ends else middle_start + 4,
            )
            sweep, start = quarter.sweep, quarter.column(self.repeat_start)
            if side == gap:
                # Behind a gap the open moves are unknown: start from any state, with the excess so far
                states = sweep.advance(states.forgotten, 0, quarter.column(self.corner_start), below)
            else:
                states = before.moved(states, quarter) if before else sweep.advance(START, 0, start, below)
                known = sweep.repeated(states, start, quarter.depth, self.period, below - corners[number])
                states = known[(self.corner_start - self.repeat_start) % self.period]
            end = quarter.row(middle_start)
            states = sweep.advance(states, quarter.column(self.corner_start), end, below)
            if not ends:
                states = sweep.advance(states, end, quarter.row(self.repeat_start), further)
            before = quarter
        if len(states):
            raise CertificateError(f"turns: an interior may have an excess of {states.least}, not {excess}")

    def _corner_excess(self, plane: Plane) -> int:
        """Least excess of the bottom right corner, or a little more than E / 4 if it is no less."""
        sweep, side = self.sweep, self.side
        image = plane.image(lambda x, y: (x - side, y), lambda dx, dy: (dx, dy))
        mirrored = image.image(lambda x, y: (-1 - y, -1 - x), lambda dx, dy: (-dy, -dx))
        seen = frozenset({image, mirrored}), side % sweep.period
        enough = sweep.excess // 4 + 1
        number = self.planes.index(plane)
        # Most corners are cheap, so a low limit usually suffices and keeps few states
        for below in (enough // 3 + 1, enough):
            if seen not in sweep.known_corner_excesses:
                least = self._corner_excess_below(number, below)
                if least is not None or below == enough:
                    sweep.known_corner_excesses[seen] = enough if least is None else least
        return sweep.known_corner_excesses[seen]

    def _corner_excess_below(self, number: int, below: int) -> int | None:
        """Least excess of the corner to the right of side `number`, or `None` if it is not less than `below`.

        Then less than half of it comes before the middle of the corner, or behind.
        """
        halves = []
        # Meet in the middle: one of the halves has less than half of the excess
        for back, part in ((False, below // 2), (True, below - below // 2)):
            quarter = self.quarter(
                number, below, self.side - self.sweep.middle_start, self.sweep.middle_start, back=back
            )
            states = quarter.sweep.advance(START, 0, quarter.middle, part)
            states = quarter.sweep.advance(states, quarter.middle, len(quarter.sweep.cells), below)
            halves.append(states.least)
        return min((least for least in halves if least is not None), default=None)
