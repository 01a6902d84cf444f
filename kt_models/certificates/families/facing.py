"""Facing sides: cycles of two lines that the bottom and the top of a square force together.

Take a 2-factor of a square of even side n as in `interiors`, all of whose cells inside, but for a few near the corners,
have the directions of a plane K.  Number the lines of direction (1, 2) by c = 2 x - y.  Those that begin in the left
half of the bottom lead to the right half of the top.  If the cells outside of S join the ends of the lines c and c'
both at the bottom and at the top, these are a cycle of two lines, and there is no tour.

Windows
-------
The top is the bottom after a half turn.  Line c has the number n - 1 - c then.  The columns X to X + W - 1 of the
bottom *face* the columns X' to X' + W - 1 of the top, as seen after the half turn, if X + X' = (n - 1 + D) / 2 - W; D
is to be odd.  W is the length of a window.  Windows that face each other are *apart* if they join no two lines both.

*Colour* the cell (x, y) 1 or -1 as x + y is even or odd.  Take any set L of cells, and add up the colours of the cells
in L at which moves lead out of L, once for each move.  This is twice the sum of the colours of L, as moves within L
add 0.  Let L be what is to the left of a cut through the middles of two windows that face each other, along the lines
between them.  The moves across the cut between cells of S, and between those and others, are those of K.  So this sum
depends on the two states in the middles of the windows, on K, n and X.  It does not change if X grows by P, as L grows
by an even number of cells in each row, and the moves across are the same.  If n grows by 2 P, the part of the cut
through S grows by 2 P rows, which repeat: what that adds is the same each time; and to the sum of L likewise.  So if
there is no change from one n to n + 2 P, there is none from there on.

If no two windows of lasting nodes that face each other are apart and have the right colours, there are cycles of two
lines in all large squares with less than E.  No cell of the middle of a side has an excess between 0 and g, nor has a
turn.  So at most (E - 1) / g places, the turn being one of them, are in the way.  One that is at the bottom is so for
the windows of the bottom that begin up to `after` + W columns before it, or `before` columns behind it; one that is at
the top likewise.  A turn in the outer rows of S is not in the way of windows that are farther from it by `MARGIN`.  So
if there are more places to begin than these make impossible, some two windows are left that face each other.

Calm sides
----------
The way round the square (`rounds`) is swept once more, without the middle of one side: from column n - `edge` - 4 of
the bottom round to its column number `edge`.  Let this have the excess E - g at least, where no cell of the middle of a
side has an excess between 0 and g.  If the square has less than E, all cells of the middle of this side have the excess
0.  This is checked for each side.  So all four are walks (`side_walks`).

The strip
---------
Let the sides be calm.  Begin with all pairs of windows that face each other, are apart, and whose colours come to what
they have to, the one of the bottom `EARLY` columns behind the beginning of its middle, the one of the top somewhere in
its middle.  Go on from column to column of the bottom, and back from column to column of the top, to other such pairs.
In a tour all these pairs of windows occur, one after the other, up to the other end of the strip, where the top is near
its corner.  There the same is done from the top's side.  Each pair is kept with what it began with, its *origins*: the
state of the bottom there, and the node behind the window of the top.  So before some column in between a tour has a
pair of windows that was reached from both ends.  From some step on, the pairs that are reached from an end are those
that were reached q steps before, with the same origins, for some multiple q of P.  So what holds for all squares with n
from some number on to 2 q more holds for all larger ones.

The arcs
--------
Let a pair be reached from both ends, and take an origin of either end.  From the node that the top has at one end, the
way leads through the rest of the top, round a corner, through the left side, round another corner, to the state that
the bottom has at this end.  `Arcs` finds the least excess of these two corners.  Likewise from the bottom at the other
end, round the other two corners.  If both come to E or more, for all such pairs and origins, no tour has less.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from math import lcm

import numpy as np

from kt_models.certificates.families.planes import Plane
from kt_models.certificates.families.quarters import Quarter
from kt_models.certificates.families.rounds import InteriorSweep, Round
from kt_models.certificates.families.side_walks import EARLY, WINDOW, Node, OpenMoves, SideWalks, Window
from kt_models.certificates.families.statement import Boards
from kt_models.certificates.families.sweeps import START, SweepStates
from kt_models.errors import CertificateError

MARGIN = 10
"""More columns than the lines of a window, and the moves across a cut between them, spread to either side near it."""
MAX_STEPS = 2_000
MAX_SIDES = 10_000

Origin = tuple[OpenMoves, Node]
"""The state with which the bottom began, and the node behind the window of the top."""
Layer = Mapping[tuple[Window, Window], frozenset[Origin]]
"""Of pairs of windows, the one of the bottom first."""


def colour(x: int, y: int) -> int:
    """1 or -1."""
    return 1 - 2 * ((x + y) % 2)


def facing_sum(side: int, rows: int) -> int:
    """The first columns of two windows that face each other come to this."""
    return (side - 1 + rows) // 2 - WINDOW


@dataclass(frozen=True, eq=False)
class StripEnd:
    """The left end of the strip between the bottom and the top, for n of one remainder modulo 2 P."""

    bottom: SideWalks
    top: SideWalks
    remainder: int

    @property
    def period(self) -> int:
        """P."""
        return self.bottom.period

    @property
    def _facing(self) -> int:
        return facing_sum(self.remainder, self.bottom.rows)

    @cached_property
    def layers(self) -> tuple[list[Layer], int]:
        """The pairs that are reached after 0, 1, 2, ... steps, and from which number on they repeat.

        Raises
        ------
        CertificateError
            If they do not.
        """
        tops = defaultdict(list)
        for window in self.top.lasting_windows:
            tops[window.nodes[1:], window.columns[1:]].append(window)
        found: list[Layer] = [self._begin()]
        seen: dict[frozenset[object], int] = {}
        while (known := frozenset((self._column(len(found) - 1), *found[-1].items()))) not in seen:
            seen[known] = len(found) - 1
            if len(found) > MAX_STEPS:
                raise CertificateError("turns: what is between two facing sides does not repeat")
            following: dict[tuple[Window, Window], frozenset[Origin]] = {}
            for (low, high), origins in found[-1].items():
                for pair in (
                    (w, v) for w in self.bottom.following(low) for v in tops[high.nodes[:-1], high.columns[:-1]]
                ):
                    if self._apart(*pair):
                        following[pair] = following.get(pair, frozenset()) | origins
            found.append(following)
        return found[:-1], seen[known]

    def layer(self, number: int) -> Layer:
        """The pairs after so many steps."""
        layers, first = self.layers
        return layers[number if number < first else first + (number - first) % (len(layers) - first)]

    def _column(self, steps: int) -> int:
        """The first column of the windows of the bottom, modulo P."""
        return (self.bottom.edge + EARLY + steps) % self.period

    def _begin(self) -> Layer:
        pairs = self._pairs(self.bottom.early_windows)
        return {(low, high): frozenset([(low.nodes[0][1], high.nodes[-1])]) for low, high in pairs}

    def lasting(self) -> Iterator[tuple[Window, Window]]:
        """The pairs of windows of lasting nodes that face each other, are apart, and have the right colours."""
        return self._pairs(self.bottom.lasting_windows)

    def _pairs(self, lows: list[Window]) -> Iterator[tuple[Window, Window]]:
        """The same, of some windows of the bottom."""
        tops = defaultdict(list)
        for high in self.top.lasting_windows:
            tops[high.nodes[0][0]].append(high)
        for low in lows:
            for high in tops[(self._facing - low.nodes[0][0]) % self.period]:
                if self._apart(low, high):
                    yield low, high

    def _apart(self, low: Window, high: Window) -> bool:
        """Whether two windows that face each other have the right colours, and join no two lines both."""
        return self._balanced(low, high) and not self.bottom.joined(low) & self._turned(high)

    @cache  # noqa: B019 -- one for each window
    def _turned(self, high: Window) -> frozenset[tuple[int, int]]:
        """The lines that a window of the top joins, by their numbers at the bottom."""
        # of a line, both numbers come to n - 1, and from each the first column is taken away, doubled
        both = 2 * WINDOW - self.bottom.rows
        return frozenset((both - b, both - a) for a, b in self.top.joined(high))

    def _balanced(self, low: Window, high: Window) -> bool:
        """Whether the colours of the moves across the cut come to what they have to."""
        place, first = WINDOW // 2, low.nodes[0][0]
        own = sum(colour(first + place + x + dx, y + dy) for x, y, (dx, dy) in low.middle)
        # after the half turn of a square of even side the colours are the same
        facing = sum(colour(high.nodes[0][0] + place + x, y) for x, y, _ in high.middle)
        return own + facing + self._missing(first) == 0

    @cache  # noqa: B019 -- one for each column
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
        rows = self.bottom.rows
        inside, middle = range(rows, side - rows), side // 4
        low = middle + (first - middle) % self.period
        bottom, top = low + WINDOW // 2, side - (facing_sum(side, rows) - low) - WINDOW // 2

        def ends(y: int) -> int:
            """How many cells of a row are to the left."""
            if y not in inside:
                return bottom if y < rows else top
            return bottom - (rows - y) // 2  # 2 x - y is less than at the cut

        total = sum(-2 * (ends(y) % 2) * colour(0, y) for y in range(side))
        for y in inside:
            for x in range(ends(y) - 8, ends(y) + 8):
                dx, dy = self.bottom.plane.direction(x, y)
                for u, v in ((x + dx, y + dy), (x - dx, y - dy)):
                    here, there = x < ends(y), u < ends(v)
                    # a move within S is met from both of its ends
                    if here and not there:
                        total += colour(x, y)
                    elif there and not here and v not in inside:
                        total += colour(u, v)
        return total


@dataclass(frozen=True, eq=False)
class Arcs:
    """What corners have at least between walks with given nodes; the sides are numbered as quarter turns come."""

    round: Round
    sides: tuple[SideWalks, ...]

    @cache  # noqa: B019 -- a few for each square
    def costs(self, side: int, node: Node) -> dict[OpenMoves, int]:
        """From a node of a side to the states `EARLY` columns after the beginning of the side after the next.

        The excess of both corners, for those with less than E if the two others have what they have at least.
        """
        leasts = self.round.leasts
        below = self.round.sweep.excess - sum(leasts) + leasts[side]
        costs = self._corner(side, {node: 0}, below)
        further = (side + 1) % 4
        costs = self._corner(further, costs, below + leasts[further])
        return {state: cost for (_, state), cost in costs.items()}

    def _corner(self, side: int, costs: Mapping[Node, int], below: int) -> dict[Node, int]:
        """From nodes of a side, with what they cost, to the nodes `EARLY` columns after the beginning of the next."""
        own, following = self._quarters[side], self._quarters[(side + 1) % 4]
        column, states, names = self._last(side)
        reached = self.sides[side].reached(costs)
        known = [reached.get((column, name), below) for name in names]
        cheap = np.array([cost < below for cost in known], dtype=np.bool_)
        states = SweepStates(states.words, np.array(known, dtype=np.int64)).chosen(cheap)
        for x in self.round.last_columns:
            states = own.sweep.advance(states, own.column(x), own.column(x + 1), below)
        place = self.round.place
        states = own.sweep.advance(states, own.column(self.round.corner), own.row(place), below)
        states = own.moved(states, following)
        found: dict[Node, int] = {}
        for name, cost in zip(following.names(place, states), states.excess.tolist(), strict=True):
            node = place % self.round.period, name
            found[node] = min(cost, found.get(node, cost))
        return found

    @cached_property
    def _quarters(self) -> list[Quarter]:
        leasts, excess = self.round.leasts, self.round.sweep.excess
        edge = self.round.sweep.edge
        return [self.round.quarter(k, excess - sum(leasts) + own, edge, edge + 4) for k, own in enumerate(leasts)]

    @cache  # noqa: B019 -- one for each side
    def _last(self, side: int) -> tuple[int, SweepStates, list[OpenMoves]]:
        """The states without excess two columns before the corner; the column modulo P, and their names."""
        own, place = self._quarters[side], self.round.place
        first = own.column(place)
        known = own.sweep.repeated(own.sweep.advance(START, 0, first, 1), first, own.deep, self.round.period, 1)
        x = self.round.last_columns[0]
        states = known[x - place]
        return (self.round.corner - len(self.round.last_columns)) % self.round.period, states, own.names(x, states)


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
    def _round(self) -> Round:
        return Round(self.sweep, self.plane, self.remainder, self.period)

    @cached_property
    def _sides(self) -> tuple[SideWalks, ...]:
        """The four sides."""
        own = self.sweep
        shortest = 2 * own.edge + 2 * self.period + 8
        options = own.options(shortest + (self.remainder - shortest) % own.period)
        return tuple(
            SideWalks(plane, options, own.rows, own.edge, self.period, own.limits) for plane in self._round.planes
        )

    @cache  # noqa: B019 -- one for each remainder
    def _ends(self, remainder: int) -> tuple[StripEnd, StripEnd]:
        """The left end of the strip for sides with a remainder modulo 2 P, and the right one after a half turn."""
        bottom, _, top, _ = self._sides
        return StripEnd(bottom, top, remainder), StripEnd(top, bottom, remainder)

    @cached_property
    def _arcs(self) -> Arcs:
        return Arcs(self._round, self._sides)

    @cached_property
    def _least_excess(self) -> int:
        """No cell of the middle of a side has less, but for 0, nor has a turn."""
        return min(self.sweep.least_turn(self.remainder), *(side.least_excess for side in self._sides))

    def check(self, boards: Boards) -> None:
        """Check that the squares of a claim with this remainder have cycles of two lines, if they have less than E.

        Raises
        ------
        CertificateError
            If they may not, or are too small to see.
        """
        if self.sweep.rows % 2 == 0:
            raise CertificateError("turns: sides that face each other are to have an odd number of rows")
        remainders = sorted(r for r in boards.remainders(2 * self.period) if r % self.period == self.remainder)
        apart = [remainder for remainder in remainders if any(True for _ in self._ends(remainder)[0].lasting())]
        if len(apart) < len(remainders) and not self._has_room(boards.least):
            raise CertificateError(f"turns: {boards.least}x{boards.least} is too small for facing sides")
        if apart:
            self._round.check_gaps(self.sweep.excess - self._least_excess)
        for side in (side for remainder in apart for side in self._squares(remainder, boards)):
            if any(self._passes(side)):
                raise CertificateError(f"turns: facing sides of {side}x{side} may join no two lines both")

    def _has_room(self, side: int) -> bool:
        """Whether not all windows that face each other can have something in their way."""
        bottom, _, top, _ = self._sides
        before, after = max(bottom.before, top.before), max(bottom.after, top.after)
        places = facing_sum(side, self.sweep.rows) - 2 * (self.sweep.edge + before) + 1
        return places > (self.sweep.excess - 1) // self._least_excess * (before + WINDOW + after + 2 * MARGIN)

    def _squares(self, remainder: int, boards: Boards) -> Iterator[int]:
        """Sides of squares that stand for all with a remainder modulo 2 P."""
        layers, first = self._ends(remainder)[0].layers
        modulus = lcm(2 * (len(layers) - first), 2 * self.period, boards.modulus)
        if modulus > MAX_SIDES:
            raise CertificateError("turns: what is between two facing sides repeats too late")
        for side in range(boards.least, boards.least + modulus):
            if side % (2 * self.period) == remainder and boards.includes(side):
                yield side

    def _passes(self, side: int) -> Iterator[bool]:
        """For pairs of windows that are reached from both ends, whether there may be less than E."""
        left, right = self._ends(side % (2 * self.period))
        # where the two meet both windows are of lasting nodes
        near, far = (max(0, walks.before - EARLY) for walks in (right.bottom, left.bottom))
        place = self.sweep.edge + EARLY
        steps = facing_sum(side, self.sweep.rows) - 2 * place - near
        behind = facing_sum(side, self.sweep.rows) - place + WINDOW + max(walks.after for walks in self._sides)
        if steps < max(far, left.layers[1]) or behind > side - self.sweep.edge - 4:
            raise CertificateError(f"turns: {side}x{side} is too small for facing sides")
        others = right.layer(near)
        for (low, high), origins in left.layer(steps).items():
            for state, node in origins:
                for other, end in others.get((high, low), ()):
                    one, two = self._arcs.costs(2, node).get(state), self._arcs.costs(0, end).get(other)
                    yield one is not None and two is not None and one + two < self.sweep.excess
