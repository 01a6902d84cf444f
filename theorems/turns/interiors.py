"""Interiors with one turn at most: what the sides of a square have to add where lines inside run from side to side.

`turns` counts a 2-factor, two moves at each cell, by excesses: how much more than the least the two moves of a cell
make.  Let those of a square n x n add up to less than E.  The file says what E is, what the rows of its `border` have
at least, and a number T.  If a turn has so much excess, at every cell that is not in these D rows, that T + 1 of them
and the border come to E or more, there are at most T turns in S, the square of m = n - 2 D cells a side in the middle.
Suppose so, let m be as large as `whole_lines` asks, and T = 0 or T = 1.  (If T is more, `many_turns` has another
argument.)

All of S but its corners
------------------------
By `whole_lines`, S looks like a plane K: its lines are chords of S of which all cells are *right*, but for at most one
that is broken, which has the turn x, and some that have no right cell.  These cut a corner, and are near it.  If there
is no turn, only the corners themselves may not be right, and where it is not near a corner, that is so there.

So let x be the turn, and z another cell that is not right.  Its chord of direction K(z) has no right cell, and cuts a
corner, or it has x.  Its chord of direction f(z) is a run without a right cell, which cuts a corner, too, or z is on a
*ray*: what leads from x along one of its two moves.  A ray with such a cell has no right cell.  It meets the line of x
at x alone, so its cells are on lines without a right cell, near a corner.  So x concerns one corner at most, and at
the others all is as without it.  Now look at that corner.  Count cells (u, v) from it.  The directions of chords that
cut it are a = (1, -2) and b = (2, -1); chords of the other two, (1, 2) and (2, 1), *lead away*.  The cells on a chord
of direction a have the same 2 u + v = s; there are cells (j, s - 2 j).  That of direction b through such a cell, of
which no cell is right, leads on to (j + 2, s - 2 j - 1), if s - 2 j > 0, on the chord s + 3.

*If K(x) leads away*, its line is broken.  Its right cells are on one side of x only, as x turns, and x has the move
along K(x) to there.  The cells on the other side are not right, as x would have a move to the first of them.  Take the
largest chord s with K = a that is not right.  Its cells with v > 0 are on the other ray, at most one of them, or lead
on by b to a cell y of the chord of x.  If y + b were in S, it would be on a chord s + 6 that is not right.  So v = 0
at y, and at most one cell of the chord s, with v = 1, leads on to it.  So s is 0, 2, or odd and at most 3.  Now let y
be any cell of the chord of x that is not right, and f(y) = b.  If y + b were in S, K = a there, so it would be on a
chord of at most 3, and y = (0, 0); but then it is not in S.  So v = 0, and if y - b = (u - 2, 1) is in S, 2 u - 3 <=
3.  So y is (0, 0), (1, 0), (2, 0) or (3, 0).  If s = 3, (1, 1) leads on to (3, 0), so this is the cell next to x,
which is (4, 2) or (5, 1), and (0, 3) is on a ray of x; but it is on no line with either.  So s <= 2, and y is not (3,
0).  Likewise with a and b exchanged.

*If K(x) = a*, and x is on the chord t, take the largest s of other chords with K = a that are not right.  If s > t,
then only rays have its cells with v > 0, so s <= 4; two rays have two such cells only if x has no move along a, and
none of the few x with t < s <= 4 is on a line with two of them.  So s <= 2.  If s < t, the cells of the chord of x
with v > 0 are right, x apart, as they cannot lead on.  So x has a move along a, or is (0, 0), (0, 1) or (0, 2), and
there is one ray; and one cell of the chord s may lead on to the last one of the chord of x, (u, 0).  So s <= 2, or s =
3 and t = 6 and x = (2, 2), with (0, 3) on its ray, (1, 1) and (3, 0), or there is no such s.  And (u, 0) is alone on
its chord of direction b, or comes from (u - 2, 1), so 2 u - 3 <= 3.  Chords with K = b have their cells with u > 0 on
rays.  If one of these is along a, u + 2 v <= 2 for them.  If not, x is (0, 0), (0, 1) or (0, 2), or s > t, and u + 2 v
<= 4; but (3, 0) with (1, 1), and (4, 0) with (2, 1), are never on the two rays of such an x.  Likewise if K(x) = b.

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
this shows an excess that it has at least, and so has its mirror image.  More than a quarter of E is not looked for.  If
it has less than a limit, it has less than half of this before its middle, or behind it.  So it is swept from both ends,
and few states are kept as far as to the middle.

If states are left, `facing` may show that such tours have cycles of two lines, for squares that are large enough."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import lcm

from theorems.statement import Boards
from theorems.turns.attempts import one_of
from theorems.turns.facing import Facing
from theorems.turns.joins import STEEP
from theorems.turns.many_turns import check_many
from theorems.turns.planes import Plane, plane_classes
from theorems.turns.rounds import InteriorSweep, Round


def check_interior(sweep: InteriorSweep, boards: Boards, connected: bool) -> None:
    """Check that no square of a claim with so few turns inside has less excess than E.

    Parameters
    ----------
    connected
        Whether it is enough if those that have less are more than one cycle.

    Raises
    ------
    CertificateError
        If one may have, or it takes too many states to see.
    """
    if sweep.turns > 1:
        check_many(sweep, boards, connected)
        return
    for plane, period, remainder in plane_classes(sweep.period, boards):
        round_ = Round(sweep, plane, remainder, period)
        arguments: list[Callable[[], None]] = [round_.check, partial(round_.check_closed, boards.least)]
        if connected:
            arguments.append(partial(_check_facing, sweep, plane, remainder, boards))
        one_of(arguments)


def _check_facing(sweep: InteriorSweep, plane: Plane, remainder: int, boards: Boards) -> None:
    """Check that squares with this remainder are more than one cycle, if they have less than E under a plane."""
    period = lcm(sweep.period, plane.classes)
    for even in sorted(r for r in boards.remainders(lcm(period, 2)) if r % period == remainder):
        # those with most lines from the bottom to the top have the fewest walks there
        images = plane.images_by_share(even, STEEP)
        one_of([partial(Facing(sweep, image, even).check, boards) for image in images])
