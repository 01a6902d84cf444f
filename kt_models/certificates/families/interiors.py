"""Interiors without turns: what the sides of a square have to add where all lines inside run from side to side.

`turns` counts a 2-factor, two moves at each cell, by excesses: how much more than the least the two moves of a cell
make.  Let those of a square n x n add up to less than E.  The file says what E is, and what the rows of its `border`
have at least.  If a turn has so much excess, at every cell that is not in these D rows, that both together are E or
more, there is no turn in S, the square of m = n - 2 D cells a side in the middle.  Suppose so, and let m be 350 or
more (`LEAST_INTERIOR`).

Planes
------
Each cell x of S has a *direction* f(x): one of the four ways (1, 2), (2, 1), (2, -1) and (1, -2) that lines of moves
run.  If x has the direction d, x + d and x - d have it, as far as they are in S.  Let two directions d and e be given.
The cells x + s d + t e, s and t whole numbers, are a *class* of these: there are |d x e| classes, and d x c, modulo
that, tells the class of a cell c.  This is 3 for (1, 2), (2, 1) and for (2, -1), (1, -2), and 4 or 5 for the others.
If p and q are in one class, and have the directions d and e, their lines meet at a cell, which has only one direction.
So this cell, or one between, is outside of S.

1. In a block of 30 x 30 cells with 58 or more cells between it and the sides of S, the lines of two such cells p, q
   would meet within S: after |(q - p) x e| / |d x e| <= 29 * 3 / 3 moves from p, each by 2 cells at most in either
   coordinate.  So all cells of the block that are in one class of d and e have d, or others but not e, or not d.
2. The block has two directions at most.  Suppose that three cells have directions a, b and c, and let e be the fourth.
   Of the pairs a b, b c and c a one has 3 classes, say a b, and then c e has; one has 4, and one has 5.  Some cell of
   the block is, for a b, in the class of the cell with b; for b c, of that with c; for c a, of that with a; for c e, of
   that with c.  So it has none of the four directions.  There is such a cell: the first and the last of these say what
   x + y and x - y are modulo 3, and so x and y.  Those for the pair with 4 classes say what x + 2 y is modulo 4 or what
   2 x + y is, say the latter.  Take x even.  Then y modulo 12 is known, and one of 12 rows has it; and as the fourth
   says what x is modulo 5 in that row, x modulo 30 is known, and one of 30 columns has it.
3. So the block looks like a *plane* (`Plane`): of one direction, or of two, of which each class has one.  There are
   4 + 2 (2^3 - 2) + 2 (2^4 - 2) + 2 (2^5 - 2) = 104 planes.  Any 5 x 5 cells tell which one.  So blocks that are next
   to each other look like the same one, and so does all of the *core*, the cells of S with 58 or more to each side.

All of S but its corners
------------------------
Let the plane have the direction K(x) at x.  It is the same along a line of this direction.  So if the line of f(x)
through x, or that of K(x), meets the core within S, f(x) = K(x).  Count a cell (u, v) from the corner of S that is next
to it, u and v at most (m - 1) / 2.  A line that leads away from both sides, by (1, 2) or (2, 1), meets the core: after
the least number t <= 58 of moves for which both coordinates are 58 or more, these are (m - 1) / 2 + 116 <= m - 59 at
most.  So if f(x) is not K(x), these are a = (1, -2) and b = (2, -1), or the other way round.  Let x = (u, v) be the
cell with f(x) = b and K(x) = a, of this corner, for which u + 2 v is largest, and of these u.

- If u > 0, y = x - a is in S, K(y) = a, and f(y) is not a, as then f(x) would be.  So y is next to the same corner, as
  a would lead away from both sides at another; and f(y) = b, but u + 2 v is larger by 3.
- If u = 0 and v > 0, y = x + b = (2, v - 1) is in S, f(y) = b, and K(y) is not b, as then K(x) would be.  So K(y) = a,
  and y has a larger u.

So x is the corner.  In the same way, if K(x) = b and f(x) = a.  So f = K but at the four corners of S.

The sweep
---------
Take one plane, up to the symmetries of the square, which the numbers have.  The cells outside S, and the corners of S,
choose two moves each, as `sweeps` says, and have just those moves to other cells of S that the plane has.  This is
swept once round: it begins in the middle of the bottom, where nothing is asked of the moves to the left, goes on round
the right corner, to the middle of the right side, and so on, back to the middle of the bottom.  Each quarter of the way
is turned so that it goes from the bottom to the right side (`Quarter`).  What may be chosen there depends on n modulo P
only, where P is a multiple of the period of the numbers and of the number of classes; the columns of the middle repeat
after P, and `sweeps` finds what any number of them leads to.  As this looks two columns ahead, and as the cells of a
corner may have fewer moves to choose from, it is asked two columns before the corner, where these are of the middle,
too.  If no state has less excess than E at the end, for any plane and any n modulo P, no square has.

First, each corner alone is swept, from its first column to its last row (`InteriorSweep.edge`), whatever was before:
this shows an excess that it has at least, and so has its mirror image.  As there are four of them, more than a quarter
of E is not looked for.  The states of a sweep round the square need be kept only if their excess, with those of the
corners to come, is less than E.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import lcm
from typing import Any

import numpy as np

from kt_models.cells import Cell
from kt_models.certificates.families.borders import corner_order
from kt_models.certificates.families.sweeps import MOVES, START, CellSweep, PairExcesses, SweepStates
from kt_models.errors import CertificateError
from kt_models.limits import Limits
from kt_models.reading import integer

LEAST_INTERIOR = 350
"""So many cells a side are enough for what is said above."""
LIKE = 60
"""Squares whose sides differ by multiples of this are alike, for numbers of period 4."""
DIRECTIONS = ((1, 2), (2, 1), (2, -1), (1, -2))
KNIGHT_MOVES = (*DIRECTIONS, *((-dx, -dy) for dx, dy in DIRECTIONS))
Turn = Callable[[int, int], Cell]
"""Of cells, or of moves."""


def cross(a: Cell, b: Cell) -> int:
    """The determinant of two vectors."""
    return a[0] * b[1] - a[1] * b[0]


@dataclass(frozen=True)
class Plane:
    """A plane without turns: the cells of some classes have the direction `second`, all others `first`.

    A plane of one direction has it twice, and no classes.  Of two, `first` is the one that `DIRECTIONS` names first.
    """

    first: Cell
    second: Cell
    seconds: frozenset[int] = frozenset()

    @property
    def classes(self) -> int:
        """How many there are; so many columns or rows on, the plane is the same."""
        return abs(cross(self.first, self.second)) or 1

    def direction(self, x: int, y: int) -> Cell:
        """Of the line through a cell."""
        return self.second if cross(self.first, (x, y)) % self.classes in self.seconds else self.first

    def image(self, cell: Turn, move: Turn) -> Plane:
        """What a map of cells makes of it that maps differences of cells, and so moves, as `move` does."""
        first, second = sorted((_direction(*move(*own)) for own in (self.first, self.second)), key=DIRECTIONS.index)
        cells = [(x, y) for x in range(self.classes) for y in range(self.classes)]
        seconds = [cell(*c) for c in cells if first != second == _direction(*move(*self.direction(*c)))]
        return Plane(first, second, frozenset(cross(first, c) % self.classes for c in seconds))

    def quarter_turn(self, side: int) -> Plane:
        """After the quarter turn of a square that maps its right side to the bottom."""
        return self.image(lambda x, y: (y, side - 1 - x), lambda dx, dy: (dy, -dx))

    def images(self, side: int) -> set[Plane]:
        """What the symmetries of a square make of it."""
        turned = [self]
        for _ in range(3):
            turned.append(turned[-1].quarter_turn(side))
        return {*turned, *(plane.image(lambda x, y: (y, x), lambda dx, dy: (dy, dx)) for plane in turned)}


def _direction(dx: int, dy: int) -> Cell:
    return (dx, dy) if dx > 0 else (-dx, -dy)


def planes() -> Iterator[Plane]:
    """All planes without turns."""
    for direction in DIRECTIONS:
        yield Plane(direction, direction)
    for first, second in combinations(DIRECTIONS, 2):
        classes = abs(cross(first, second))
        for size in range(1, classes):
            yield from (Plane(first, second, frozenset(some)) for some in combinations(range(classes), size))


@dataclass(frozen=True)
class Interior:
    """The excess E that a square has at least, times the denominator."""

    excess: int


def read_interior(data: Any) -> Interior:
    """The interior of a file.

    Raises
    ------
    CertificateError
        If it is none.
    """
    if type(data) is not dict or set(data) != {"excess"}:
        raise CertificateError("turns: an interior is an object with the key excess")
    return Interior(integer(data["excess"], "turns: excess of an interior", 1, 2**40))


@dataclass(frozen=True, eq=False)
class Quarter:
    """A quarter of the way round a square, from the middle of the bottom to the middle of the right side.

    Parameters
    ----------
    options
        Of the cells of a square of `side` cells a side.
    rows
        D.
    edge
        The middle of a side begins with the column of this number: cells from there on see nothing of the corner.
    first, last
        The first column that is taken, and the row behind the last one.
    excess
        As in `CellSweep`.
    most
        Only pairs with less excess are chosen.
    """

    plane: Plane
    options: Mapping[Cell, PairExcesses]
    side: int
    rows: int
    edge: int
    first: int
    last: int
    excess: int
    most: int
    limits: Limits

    @cached_property
    def sweep(self) -> CellSweep:
        """The sweep of its cells."""
        last = self.side - self.rows
        corner = [(last + right, up) for right, up in corner_order(self.rows)]
        corner.insert(len(corner) // 2, (last - 1, self.rows))
        cells = [(x, y) for x in range(self.first, last) for y in range(self.rows)] + corner
        cells += [(x, y) for y in range(self.rows, self.last) for x in range(last, self.side)]
        options = {cell: self._options(cell) for cell in cells}
        return CellSweep(cells, options, self.excess, KNIGHT_MOVES, self.limits)

    def _options(self, cell: Cell) -> PairExcesses:
        """The pairs of a cell that have just those moves to cells of S, but its corner, that the plane has."""
        (x, y), inside = cell, range(self.rows, self.side - self.rows)
        inner, wanted = set(), set()
        for dx, dy in KNIGHT_MOVES:
            other = x + dx, y + dy
            if other[0] in inside and other[1] in inside and other != (inside[-1], inside[0]):
                inner.add((dx, dy))
                if self.plane.direction(*other) == _direction(dx, dy):
                    wanted.add((dx, dy))
        return [pair for pair in self.options[cell] if pair[0] < self.most and {*pair[1:]} & inner == wanted]

    def column(self, x: int) -> int:
        """How many cells are taken before a column of the bottom."""
        return self.rows * (x - self.first)

    def row(self, y: int) -> int:
        """How many cells are taken before a row of the right side."""
        return self.column(self.side - self.rows) + self.rows**2 + 1 + self.rows * (y - self.rows)

    def open_moves(self, number: int) -> list[tuple[Cell, Cell]]:
        """The moves that bits of states before a cell are for: the cell that is taken later, and its move."""
        moves = self.sweep.open_moves(number)
        return [(self.sweep.cells[number + move // MOVES], KNIGHT_MOVES[move % MOVES]) for move in moves]

    def moved(self, states: SweepStates, following: Quarter) -> SweepStates:
        """States before the row number `edge` + 2, as those of the next quarter before the column of this number."""
        own = self.open_moves(self.row(self.edge + 2))
        old = [((y, self.side - 1 - x), (dy, -dx)) for (x, y), (dx, dy) in own]
        new = following.open_moves(following.column(self.edge + 2))
        low = np.uint64(self.sweep.low)
        bits, excess = states >> low, states & np.uint64((1 << self.sweep.low) - 1)
        # moves that the next quarter has in no pair
        lost = np.uint64(sum(1 << k for k, move in enumerate(old) if move not in new))
        found = np.zeros_like(states)
        for k, move in enumerate(new):
            if move in old:
                found |= (bits >> np.uint64(old.index(move)) & np.uint64(1)) << np.uint64(k)
        return (found << low | excess)[bits & lost == 0]


@dataclass(frozen=True, eq=False)
class InteriorSweep:
    """The sweeps round squares of all planes.

    Parameters
    ----------
    excess
        E, times the denominator.
    options
        Of the cells of a square of so many cells a side, twice the reach or more.
    rows
        D.
    period
        Of the numbers.
    """

    excess: int
    options: Callable[[int], Mapping[Cell, PairExcesses]]
    rows: int
    reach: int
    period: int
    limits: Limits
    leasts: dict[tuple[frozenset[Plane], int], int] = field(default_factory=dict)
    """What corners have at least, by the plane as seen from there, also mirrored, and the side modulo the period."""

    @property
    def edge(self) -> int:
        """The first column that sees nothing of the left side, and has no move to a corner of S."""
        return max(self.reach, self.rows + 3)

    def check_straight(self, remainder: int, spent: int) -> None:
        """Check that a turn inside a square whose side leaves a remainder, and so much excess, come to E.

        Raises
        ------
        CertificateError
            If they do not.
        """
        side = 2 * self.edge + self.period + (remainder - 2 * self.edge) % self.period
        inside = range(self.rows, side - self.rows)
        pairs = (pair for (x, y), own in self.options(side).items() if x in inside and y in inside for pair in own)
        if spent + min(excess for excess, a, b in pairs if a != (-b[0], -b[1])) < self.excess:
            raise CertificateError("turns: there may be a turn inside")

    def check(self, remainders: Callable[[int], set[int]]) -> None:
        """Check that no square without turns inside has less excess.

        Parameters
        ----------
        remainders
            Those of the sides of the squares that are meant, modulo a number.

        Raises
        ------
        CertificateError
            If one may have, or it takes too many states to see.
        """
        periods = {plane: lcm(self.period, plane.classes) for plane in planes()}
        for period in sorted(set(periods.values())):
            for remainder in sorted(remainders(period)):
                # two columns before those that repeat, and two behind them, are of the middle, too
                least = 2 * self.edge + 4 + period
                side = least + (remainder - least) % period
                left = {plane for plane, own in periods.items() if own == period}
                while left:
                    plane = min(left, key=lambda one: (one.first, one.second, sorted(one.seconds)))
                    left -= plane.images(side)
                    self.check_plane(plane, side, period)

    def check_plane(self, plane: Plane, side: int, period: int) -> None:
        """Check it of one plane, and of all squares whose sides are the same modulo a period of it and the numbers."""
        turned = [plane]
        for _ in range(3):
            turned.append(turned[-1].quarter_turn(side))
        leasts = [self._least(own, side) for own in turned]
        more = self.excess - sum(leasts)
        states, before = START, None
        for number, own in enumerate(turned):
            if more <= 0 or not len(states):
                return
            # the way ends where it began
            span = self.edge, self.edge + (4 if number < 3 else 0)
            quarter = self._quarter(own, side, span, self.excess, more + leasts[number])
            sweep, place, corner = quarter.sweep, self.edge + 2, side - self.edge - 2
            first = quarter.column(place)
            spent = sum(leasts[:number])
            start = before.moved(states, quarter) if before else sweep.advance(START, 0, first, more)
            known = sweep.repeated(start, first, self.rows, period, more + spent)
            last = quarter.row(place) if number < 3 else len(sweep.cells)
            states = known[(corner - place) % period]
            states = sweep.advance(states, quarter.column(corner), last, more + spent + leasts[number])
            before = quarter
        if len(states):
            found = sweep.least(states)
            raise CertificateError(f"turns: an interior may have an excess of {found}, not {self.excess}")

    def _least(self, plane: Plane, side: int) -> int:
        """The least excess of the bottom right corner, or a little more than a quarter of E if it is no less."""
        here = plane.image(lambda x, y: (x - side, y), lambda dx, dy: (dx, dy))
        mirrored = here.image(lambda x, y: (-1 - y, -1 - x), lambda dx, dy: (-dy, -dx))
        seen = frozenset({here, mirrored}), side % self.period
        most = self.excess // 4 + 1
        for below in (most // 8 + 1, most // 3 + 1, most):
            if seen not in self.leasts:
                quarter = self._quarter(plane, side, (side - self.edge, self.edge), below, below)
                states = quarter.sweep.advance(START, 0, quarter.row(self.edge), below)
                if len(states) or below == most:
                    found = quarter.sweep.least(states)
                    self.leasts[seen] = most if found is None else found
        return self.leasts[seen]

    def _quarter(self, plane: Plane, side: int, span: tuple[int, int], excess: int, most: int) -> Quarter:
        options = self.options(side)
        return Quarter(plane, options, side, self.rows, self.edge, *span, excess, most, self.limits)
