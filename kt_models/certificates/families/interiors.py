"""Interiors with one turn at most: what the sides of a square have to add where lines inside run from side to side.

`turns` counts a 2-factor, two moves at each cell, by excesses: how much more than the least the two moves of a cell
make.  Let those of a square n x n add up to less than E.  The file says what E is, what the rows of its `border` have
at least, and a number T, 0 or 1.  If a turn has so much excess, at every cell that is not in these D rows, that T + 1
of them and the border come to E or more, there are at most T turns in S, the square of m = n - 2 D cells a side in the
middle.  Suppose so, and let m be 350 or more if T = 0, and 1500 or more if T = 1.

Planes
------
A cell of S that is no turn has a *direction* f(x); see `planes` for directions and classes.

1. Take a block of 30 x 30 cells, with 58 or more cells between it and the sides of S, and no turn in it or so near to
   it.  The lines of two of its cells p, q that are in one class, and have its two directions, would meet within these
   cells: after |(q - p) x e| / |d x e| <= 29 * 3 / 3 moves from p, each by 2 cells at most in either coordinate.  So
   all cells of the block that are in one class of d and e have d, or others but not e, or not d.
2. The block has two directions at most.  Suppose that three cells have directions a, b and c, and let e be the fourth.
   Of the pairs a b, b c and c a one has 3 classes, say a b, and then c e has; one has 4, and one has 5.  Some cell of
   the block is, for a b, in the class of the cell with b; for b c, of that with c; for c a, of that with a; for c e,
   of that with c.  So it has none of the four directions.  There is such a cell: the first and the last of these say
   what x + y and x - y are modulo 3, and so x and y.  Those for the pair with 4 classes say what x + 2 y is modulo 4
   or what 2 x + y is, say the latter.  Take x even.  Then y modulo 12 is known, and one of 12 rows has it; and as the
   fourth says what x is modulo 5 in that row, x modulo 30 is known, and one of 30 columns has it.
3. So the block looks like a *plane* (`Plane`): of one direction, or of two, of which each class has one.  There are 4
   + 2 (2^3 - 2) + 2 (2^4 - 2) + 2 (2^5 - 2) = 104 planes.  Any 5 x 5 cells tell which one.  So blocks that are next to
   each other look like the same one.  The places of blocks that are too near to a turn are a square of 146 x 146 at
   most, and the others can be reached from each other.  So all of the *core*, the cells of these blocks, looks like
   one plane.

All of S but its corners
------------------------
Let the plane have the direction K(x) at x.  It is the same along a line of this direction.  A cell is *right* if it is
no turn and f(x) = K(x).  A *chord* is all cells of S on a line of any direction.  If a chord has a cell of the core,
and no turn, then f is its direction at all of its cells or at none, and likewise K; so if it is at one, all are right.

A chord without a cell of the core has all cells less than 58 from the sides of S or than 90 from the turn.  So what it
has in the square of the other cells is no longer than 180 cells either way.  Such a chord *cuts* a corner of S: it
goes from one of the two sides there to the other, with all cells less than 600 from both.  Count cells (u, v) from
that corner.  The directions of such chords are a = (1, -2) and b = (2, -1); all chords of the other two, (1, 2) and
(2, 1), *lead away*, to the core.

Let x be the turn, if there is one, and let z be another cell that is not *right*.  Its chord of direction K(z) is not
right at z, and so cuts a corner, or it has x.  Its chord of direction f(z) cuts a corner, too, and no cell of that is
right, or z is on a *ray*: what leads from x along one of its two moves.  Now look at one corner.  The cells on a chord
of direction a have the same 2 u + v = s; there are cells (j, s - 2 j).  That of direction b through such a cell, of
which no cell is right, leads on to (j + 2, s - 2 j - 1), if s - 2 j > 0, on the chord s + 3.

*Without x* take the largest s that has cells with K = a that are not right.  They have f = b, so s - 2 j = 0 for all
of them: s = 0.  Likewise with a and b exchanged.  So only the corner itself may not be right.

*If K(x) leads away*, x has the move along it to where the core is.  The cells on the other side are not right, as x
would have a move to the first of them.  Take the largest chord s with K = a that is not right.  Its cells with v > 0
are on the other ray, at most one of them, or lead on by b to a cell y of the chord of x.  If y + b were in S, it would
be on a chord s + 6 that is not right.  So v = 0 at y, and at most one cell of the chord s, with v = 1, leads on to it.
So s is 0, 2, or odd and at most 3.  Now let y be any cell of the chord of x that is not right, and f(y) = b.  If y + b
is in S, K = a there, so it is on a chord of at most 3, and y is the corner.  Otherwise v = 0, and if y - b = (u - 2,
1) is in S, 2 u - 3 <= 3.  So y is (0, 0), (1, 0), (2, 0) or (3, 0).  If s = 3, (1, 1) leads on to (3, 0), so this is
the cell next to x, which is (4, 2) or (5, 1), and (0, 3) is on a ray of x; but it is on no line with either.  So s <=
2, and y is not (3, 0).  Likewise with a and b exchanged.

*If K(x) = a*, and x is on the chord t, take the largest s of other chords with K = a that are not right.  If s > t,
then only rays have its cells with v > 0, so s <= 4; two rays have two such cells only if x has no move along a, and
none of the few x with t < s <= 4 is on a line with two of them.  So s <= 2.  If s < t, the cells of the chord of x
with v > 0 are right, x apart, as they cannot lead on.  So x has a move along a, or is (0, 0), (0, 1) or (0, 2), and
there is one ray; and one cell of the chord s may lead on to the last one of the chord of x, (u, 0).  So s <= 2, or s =
3 and t = 6 and x = (2, 2), with (0, 3) on its ray, (1, 1) and (3, 0).  And (u, 0) is alone on its chord of direction
b, or comes from (u - 2, 1), so 2 u - 3 <= 3.  Chords with K = b have their cells with u > 0 on rays, and one of these
is along a; so for them u + 2 v <= 2.  Likewise if K(x) = b.

So all cells that are not right, x apart, are among `STRAYS`, near one corner.  And if x is none of these, then x has a
move along K(x) to one side; the next cell on the other side is a stray or not in S; and so is the cell that its other
move q leads to, as f = K = q there would make K(x) = q.  If the former is not in S, x is one of the outer two rows or
columns of S.  Otherwise it is one of these, too, or one of `TURNERS`: if K(x) leads away, y has u = 0 or v = 0; and if
K(x) = a, y = (u, 0), and x = (u - 1, 2) with u <= 3.

The sweep
---------
Take one plane, up to the symmetries of the square, which the numbers have.  The cells outside S, and the strays,
choose two moves each, as `sweeps` says.  If T = 1, so do the cells of the outer two rows of S and the turners: they
have both moves of the plane, or a turn as has been said.  The moves of all these to other cells of S are just those
that the plane has.  This is swept once round: it begins in the middle of a side, where nothing is asked of the moves
to the left, goes on round the right corner, to the middle of the right side, and so on, back to the middle where it
began.  Each quarter of the way is turned so that it goes from the bottom to the right side (`Quarter`).  What may be
chosen there depends on n modulo P only, where P is a multiple of the period of the numbers and of the number of
classes; the columns of the middle repeat after P, and `sweeps` finds what any number of them leads to.  As this looks
two columns ahead, and as the cells of a corner may have fewer moves to choose from, it is asked two columns before the
corner, where these are of the middle, too.

If the excesses of the four quarters come to E - 1 or less, one can begin with one of them so that the first k come to
k (E - 1) / 4 or less, for all k.  (Take away (E - 1) / 4 from each, and begin behind the least sum of the first ones.)
For this a quarter ends just where the next one begins, before the column (row) `edge`; what is looked at behind that
may have as much as is left to the next one.  So with each quarter as the first one, states need be kept only if they
have so little.  If none is left at the end, no square has less than E.

First, each corner alone is swept, from its first column to its last row (`InteriorSweep.edge`), whatever was before:
this shows an excess that it has at least, and so has its mirror image.  More than a quarter of E is not looked for.

If states are left, `facing` may show that such tours have cycles of two lines, for squares that are large enough.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np

from kt_models.cells import Cell
from kt_models.certificates.families.borders import corner_order
from kt_models.certificates.families.facing import Facing
from kt_models.certificates.families.planes import KNIGHT_MOVES, Plane, direction_of, planes
from kt_models.certificates.families.sweeps import MOVES, START, WORD, CellSweep, PairExcesses, SweepStates
from kt_models.errors import CertificateError
from kt_models.limits import Limits
from kt_models.reading import integer

LEAST_INTERIORS = (350, 1500)
"""So many cells a side are enough for what is said above, with no turn inside and with one."""
LIKE = 120
"""Squares whose sides differ by multiples of this are alike, for numbers of period 4."""
STRAYS = ((0, 0), (1, 0), (0, 1), (2, 0), (0, 2), (3, 0), (0, 3), (1, 1))
TURNERS = ((2, 2), (3, 2), (2, 3))
"""Cells counted from a corner of S."""
TURNING_ROWS = 2
"""Outer rows of S that may have a turn."""


@dataclass(frozen=True)
class Interior:
    """The excess E that a square has at least, times the denominator, and how many turns may be inside."""

    excess: int
    turns: int

    @property
    def least(self) -> int:
        """Of the sides of S."""
        return LEAST_INTERIORS[self.turns]


def read_interior(data: Any) -> Interior:
    """The interior of a file.

    Raises
    ------
    CertificateError
        If it is none.
    """
    if type(data) is not dict or set(data) != {"excess", "turns"}:
        raise CertificateError("turns: an interior is an object with the keys excess and turns")
    return Interior(
        integer(data["excess"], "turns: excess of an interior", 1, 2**40),
        integer(data["turns"], "turns: turns of an interior", 0, len(LEAST_INTERIORS) - 1),
    )


@dataclass(frozen=True, eq=False)
class Quarter:
    """A quarter of the way round a square, from the middle of the bottom to the middle of the right side.

    Parameters
    ----------
    options
        Of the cells of a square of `side` cells a side.
    rows
        D.
    turns
        T.
    edge
        The middle of a side begins with the column of this number: cells from there on see nothing of the corner.
    first, last
        The first column that is taken, and the row behind the last one.
    most
        Only pairs with less excess are chosen.
    """

    plane: Plane
    options: Mapping[Cell, PairExcesses]
    side: int
    rows: int
    turns: int
    edge: int
    first: int
    last: int
    most: int
    limits: Limits

    @cached_property
    def sweep(self) -> CellSweep:
        """The sweep of its cells."""
        start, deep = self.side - self.block, self.deep
        cells = [(x, y) for x in range(self.first, start) for y in range(deep)] + self._corner
        cells += [(x, y) for y in range(self.block, self.last) for x in range(self.side - deep, self.side)]
        options = {cell: self._free(cell) if self._is_free(cell) else self._straight(cell) for cell in cells}
        settled = frozenset(cell for cell in cells if not self._is_free(cell))
        return CellSweep(cells, options, self.most, KNIGHT_MOVES, self.limits, settled)

    @property
    def deep(self) -> int:
        """How many rows are taken along a side."""
        return self.rows + TURNING_ROWS * self.turns

    @property
    def block(self) -> int:
        """The cells along a side of the square at the corner in which they are taken in another order."""
        return block_of(self.rows, self.turns)

    @cached_property
    def _corner(self) -> list[Cell]:
        """The cells of this square, as they are taken."""
        start = self.side - self.block
        cells = [(start + right, up) for right, up in corner_order(self.block)]
        return [cell for cell in cells if self._is_free(cell) or self._may_turn(cell)]

    def _near(self, cells: tuple[Cell, ...]) -> set[Cell]:
        """Cells that are counted from the corner of S."""
        last = self.side - self.rows - 1
        return {(last - u, self.rows + v) for u, v in cells}

    @cached_property
    def _strays(self) -> set[Cell]:
        return self._near(STRAYS if self.turns else STRAYS[:1])

    def _is_free(self, cell: Cell) -> bool:
        """Whether a cell is outside of S, or a stray."""
        inside = range(self.rows, self.side - self.rows)
        return cell[0] not in inside or cell[1] not in inside or cell in self._strays

    def _may_turn(self, cell: Cell) -> bool:
        """Whether another cell may be the turn."""
        outer = cell[1] < self.deep or cell[0] >= self.side - self.deep
        return self.turns > 0 and (outer or cell in self._near(TURNERS))

    def _free(self, cell: Cell) -> PairExcesses:
        """The pairs of a free cell that have the moves of the plane to cells of S which may not turn, and no others."""
        inner, wanted = set(), set()
        for dx, dy in KNIGHT_MOVES:
            other = cell[0] + dx, cell[1] + dy
            if not self._is_free(other) and not self._may_turn(other):
                inner.add((dx, dy))
                if self.plane.direction(*other) == direction_of(dx, dy):
                    wanted.add((dx, dy))
        return [pair for pair in self.options[cell] if pair[0] < self.most and {*pair[1:]} & inner == wanted]

    def _straight(self, cell: Cell) -> PairExcesses:
        """The pairs of another cell: both moves of the plane, or one of them, where a turn may be."""
        dx, dy = self.plane.direction(*cell)
        along = {(dx, dy), (-dx, -dy)}
        found = []
        for pair in self.options[cell]:
            kept, other = along.intersection(pair[1:]), set(pair[1:]) - along
            leads = [*((-dx, -dy) for dx, dy in kept), *other]
            turning = len(kept) == 1 and all(self._is_free((cell[0] + dx, cell[1] + dy)) for dx, dy in leads)
            if pair[0] < self.most and (len(kept) == 2 or turning):
                found.append(pair)
        return found

    def column(self, x: int) -> int:
        """How many cells are taken before a column of the bottom."""
        return self.deep * (x - self.first)

    def row(self, y: int) -> int:
        """How many cells are taken before a row of the right side."""
        return self.column(self.side - self.block) + len(self._corner) + self.deep * (y - self.block)

    def open_moves(self, number: int) -> list[tuple[Cell, Cell]]:
        """The moves that bits of states before a cell are for: the cell that is taken later, and its move."""
        moves = self.sweep.open_moves(number)
        return [(self.sweep.cells[number + move // MOVES], KNIGHT_MOVES[move % MOVES]) for move in moves]

    def moved(self, states: SweepStates, following: Quarter) -> SweepStates:
        """States before the row number `edge` + 2, as those of the next quarter before the column of this number."""
        own = self.open_moves(self.row(self.edge + 2))
        old = [((y, self.side - 1 - x), (dy, -dx)) for (x, y), (dx, dy) in own]
        new = following.open_moves(following.column(self.edge + 2))
        for k, move in enumerate(old):  # moves that the next quarter has in no pair
            if move not in new:
                states = states.chosen(states.bits(k, 1) == 0)
        words = [np.zeros(len(states), dtype=np.uint64) for _ in range(following.sweep.words)]
        for k, move in enumerate(new):
            if move in old:
                words[k // WORD] |= states.bits(old.index(move), 1) << np.uint64(k % WORD)
        return SweepStates(tuple(words), states.excess)


def block_of(rows: int, turns: int) -> int:
    """The side of the square at a corner that has the border, the strays and the turners."""
    return rows + 1 + (max(map(max, STRAYS)) if turns else 0)


@dataclass(frozen=True, eq=False)
class InteriorSweep:
    """The sweeps round squares of all planes.

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
    leasts: dict[tuple[frozenset[Plane], int], int] = field(default_factory=dict)
    """What corners have at least, by the plane as seen from there, also mirrored, and the side modulo the period."""

    @property
    def edge(self) -> int:
        """The first column that sees nothing of the left side, and has no move to a cell of a corner."""
        return max(self.reach, block_of(self.rows, self.turns) + 2)

    def check_straight(self, remainder: int, spent: int) -> None:
        """Check that T + 1 turns inside a square whose side leaves a remainder, and so much excess, come to E.

        Raises
        ------
        CertificateError
            If they do not.
        """
        side = 2 * self.edge + self.period + (remainder - 2 * self.edge) % self.period
        inside = range(self.rows, side - self.rows)
        pairs = (pair for (x, y), own in self.options(side).items() if x in inside and y in inside for pair in own)
        least = min(excess for excess, a, b in pairs if a != (-b[0], -b[1]))
        if spent + (self.turns + 1) * least < self.excess:
            raise CertificateError("turns: there may be a turn inside")

    def check(self, remainders: Callable[[int], set[int]], least: int) -> None:
        """Check that no square with so few turns inside has less excess, or that it has a cycle of two lines.

        Parameters
        ----------
        remainders
            Those of the sides of the squares that are meant, modulo a number.
        least
            Of these sides.

        Raises
        ------
        CertificateError
            If one may have, or it takes too many states to see.
        """
        periods = {plane: lcm(self.period, plane.classes) for plane in planes()}
        for period in sorted(set(periods.values())):
            for remainder in sorted(remainders(period)):
                # two columns before those that repeat, and two behind them, are of the middle, too
                shortest = 2 * self.edge + 4 + period
                side = shortest + (remainder - shortest) % period
                left = {plane for plane, own in periods.items() if own == period}
                while left:
                    plane = min(left, key=lambda one: (one.first, one.second, sorted(one.seconds)))
                    left -= plane.images(side)
                    try:
                        self.check_plane(plane, side, period)
                    except CertificateError:
                        if not self._closed(
                            plane, {r for r in remainders(2 * period) if r % period == remainder}, least
                        ):
                            raise

    def _closed(self, plane: Plane, remainders: set[int], least: int) -> bool:
        """Whether the squares of these remainders modulo twice the period have cycles of two lines in a plane."""
        return self.turns > 0 and all(
            any(
                Facing(own, remainder, self.options, self.rows, self.edge, self.period, self.limits).closes(
                    self.excess - 1, self.turns, least
                )
                for own in (plane, plane.quarter_turn(remainder))
            )
            for remainder in sorted(remainders)
        )

    def check_plane(self, plane: Plane, side: int, period: int) -> None:
        """Check it of one plane, and of all squares whose sides are the same modulo a period of it and the numbers."""
        turned = [plane]
        for _ in range(3):
            turned.append(turned[-1].quarter_turn(side))
        for first in range(4):
            if turned[first] not in turned[:first]:
                self._check_from(turned[first:] + turned[:first], side, period)

    def _check_from(self, turned: list[Plane], side: int, period: int) -> None:
        """Check it if the first quarters, as these planes come, have no more than their part of the excess."""
        leasts = [self._least(own, side) for own in turned]
        parts = [min((self.excess - 1) * k // 4 + 1, self.excess - sum(leasts[k:])) for k in range(1, 5)]
        states, before = START, None
        for number, own in enumerate(turned):
            # a quarter ends at the row `edge`, as it began; what is taken or seen behind that is of the next one
            below = parts[number]
            most = below - sum(leasts[:number])
            further = parts[min(number + 1, 3)] - sum(leasts[number + 1 : number + 2])
            if most <= 0 or not len(states):
                return
            # the way ends where it began
            span = self.edge, self.edge + (4 if number < 3 else 0)
            quarter = self._quarter(own, side, span, max(most, further - sum(leasts[: number + 1])))
            sweep, place, corner = quarter.sweep, self.edge + 2, side - self.edge - 2
            first, end = quarter.column(place), quarter.row(self.edge)
            start = before.moved(states, quarter) if before else sweep.advance(START, 0, first, below)
            known = sweep.repeated(start, first, quarter.deep, period, below - leasts[number])
            states = sweep.advance(known[(corner - place) % period], quarter.column(corner), end, below)
            if number < 3:
                states = sweep.advance(states, end, quarter.row(place), further)
            before = quarter
        if len(states):
            raise CertificateError(f"turns: an interior may have an excess of {states.least}, not {self.excess}")

    def _least(self, plane: Plane, side: int) -> int:
        """The least excess of the bottom right corner, or a little more than a quarter of E if it is no less."""
        here = plane.image(lambda x, y: (x - side, y), lambda dx, dy: (dx, dy))
        mirrored = here.image(lambda x, y: (-1 - y, -1 - x), lambda dx, dy: (-dy, -dx))
        seen = frozenset({here, mirrored}), side % self.period
        most = self.excess // 4 + 1
        for below in (most // 8 + 1, most // 3 + 1, most):
            if seen not in self.leasts:
                quarter = self._quarter(plane, side, (side - self.edge, self.edge), below)
                states = quarter.sweep.advance(START, 0, quarter.row(self.edge), below)
                if len(states) or below == most:
                    self.leasts[seen] = most if states.least is None else states.least
        return self.leasts[seen]

    def _quarter(self, plane: Plane, side: int, span: tuple[int, int], most: int) -> Quarter:
        options = self.options(side)
        return Quarter(plane, options, side, self.rows, self.turns, self.edge, *span, most, self.limits)
