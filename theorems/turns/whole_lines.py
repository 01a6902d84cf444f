"""Squares with few turns inside look like a plane, but for some lines: one for each turn, and short ones at corners.

Let S be a square of m x m cells, m >= 165 (T + 1), of a 2-factor, and let at most T of these cells be turns, T <=
`MOST`.  Count them from (0, 0) to (m - 1, m - 1).  A cell of S that is no turn has a *direction* f(x); see `planes`
for directions, classes and planes.  A *chord* is all cells of S on a line of one direction.  A *run* is a longest row
of cells that follow one another on a chord and have its direction.  At its ends it leads out of S or to a turn.  It is
*whole* if it is the chord.  Each turn has two moves, so at most 2 T runs are not whole.

The middle
----------
Let R be the square of mu >= m / 5 cells a side in the middle of S, 5 mu <= m + 4.  Chords of two directions d and e
through cells p and q of R that are in one class meet in S: after |(q - p) x e| / |d x e| <= 3 (mu - 1) / 3 moves from
p, by two cells at most.  So no class has cells of R on whole runs of both directions.

1. Whole runs of R have two directions at most.  Suppose that p, q and r are cells of R on whole runs of directions a,
   b and c, and let e be the fourth.  Take the cells of R in the class of q for a and b, of r for b and c, of p for c
   and a, and of r for c and e.  None of them is on a whole run: it would have none of the four directions.  The last
   three say what their number c x z is modulo 3, 4 and 5, in some order, as the pairs of a direction have 3, 4 and 5
   classes.  So they are on chords of direction c whose numbers are 60 apart, and there every third, fourth or fifth
   cell is one of them.  If a chord has 3 T + 1 of them, T may be turns and 2 T on runs of other directions, so it has
   a run that is not whole itself.  The numbers of chords with 5 (3 T + 1) cells of R are 3 (mu - 1) - 20 (3 T + 1) >=
   39 T + 76 or more that follow one another.  So there are N = floor((39 T + 76) / 60) chords with such a run.
   Likewise for a, with the classes of r for c and a, of p for a and b and for a and e, and of q for b and c; and for
   b.  But 3 N > 2 T.
2. Each class of the two directions has cells on whole runs, as it has more cells than turns and other runs cover.  So
   there is a plane K which all cells of R on whole runs look like.

Lines of the plane
------------------
Let the plane have the direction K(x) at x, which is the same along a line of this direction.  A *line* of K is a chord
with its direction.  So each cell of S is on one line of K.  A cell is *right* if it is no turn and f(x) = K(x).  If a
line of K has a right cell, but not all are right, then it is *broken*.  There a run ends at a turn x, with K(x) the
direction of the line, by one of the two moves of x, and the other does not go on.  So a turn breaks one line at most,
its own, and at most T lines are broken.  A line of K without a right cell is *empty*.  Its cells are at most T turns,
2 T cells of runs that are not whole, and cells of whole runs that are not right.  No line with 3 T + 1 cells in R is
empty, by 2.

Let C be a whole run with a cell that is not right.  Then none of its cells is: either its direction is one of K, and K
is the same along it, or it is none.  So it meets lines of K that are broken or empty.  Each of these it meets once.
If it meets lines of K of direction d, their numbers along C are |d x c| q apart at most, where q is 1, or the number
of classes of K, if c is none of its directions; so |d x c| and q are two of 3, 4 and 5 then.

3. *Empty lines are near corners.* Let d = (1, 2); other directions are likewise by symmetry.  The number of the line
   through (x, y) is 2 x - y.  It is (m - 1) / 2 in the middle.  As above, numbers up to .8 m - 6 T - 4 >= .765 m, and
   on the other side of the middle as far, are of lines with 3 T + 1 cells in R.  A whole run that is not right, and
   has the number v > .765 m at a line of K, and some number below .64 m, meets T + 1 lines between, as 20 (T + 1) <=
   .125 m.  So there is none.  Suppose that a line of number v is empty, .765 m < v <= 1.6 m.  Take its cells with y <=
   .5 m and v - 3 y <= .64 m.  There are (.08 m - 4) / 2 > 3 T of these or more, as y can be as much as 2 (m - 1) - v,
   and so one is on a whole run C that is not right.  If C has the direction (2, 1), it leads down to a number v - 3 y
   <= .64 m at the bottom, or below 3 at the left side.  If it has (1, -2), it leads up to v + 2 y - 2 m + 4 <= .64 m
   at the top, as y <= .5 m and v + y <= 2 m - 2, or below 3.  So it does if it has (2, -1): v - 5 (.5 m - 1) <= .64 m.
   There is no such C.  Now write s = 2 (m - 1) - v for the distance of the number from the corner.  Let s be the
   largest with an empty line, so s < .4 m, and suppose that s >= u = 11 T + 6.  Take the cells with y >= 5 (T + 1), at
   least 3 T + 1.  One is on a whole run C that is not right.  If its direction is (1, -2) or (2, -1), it leads up to
   numbers below .64 m as before, as y <= s.  If it is (2, 1), its numbers are s + 3 y at the bottom, so it meets 3 y /
   15 > T lines of K of direction d with larger s.  None of them is empty (their s is less than 1.6 m, which is far
   from the other corner), so there is no such C.  So all empty lines of direction (1, 2) have s < u, and are less than
   u / 2 columns and u rows from the corner: they are in the squares of u x u cells at the corners.
4. *Whole runs that are not right are near corners.* Each of their cells is on a broken or an empty line, so all but T
   are in these squares.  So such a run is a chord that cuts a corner.  Say its direction is (2, 1), near (m - 1, 0),
   and it begins at (m - 1 - s, 0).  At the height y it meets a line of direction (1, 2) with the distance 2 s - 3 y,
   or one that is not empty.  If 2 s - 3 T >= u, and it has more than T cells, none of the lowest T + 1 is on an empty
   line.  So s < 7 T + 3 = g, and it is in the square of g x g cells at the corner.
5. *Corners without turns are right.* Let no turn be in the square of 3 u x 3 u cells at a corner.  Then all cells of
   that of u x u are right, but for the corner itself.  Suppose that z is another cell of these and not right.  (i) If
   f(z) leads away from the corner, the run through z has T + 1 cells in the large square outside of the small one, all
   on broken lines.  (ii) So f(z) cuts the corner, and its chord is in the large square, and a whole run.  (iii) If
   K(z) leads away, no cell of its line is right in the large square, as there is no turn; but more than 2 T of its
   cells are outside of the small one, and these are on runs that are not whole.  So K(z) cuts the corner, too, and its
   line is in the large square and empty, as it has no turn.  So all its cells are like z.  Say K(z) = (1, 2), near (m
   - 1, 0), and z = (x, y) is one with y > 0.  Then (x - 2, y - 1) is on the whole run of z, so not right, and in the
   small square by 4.  So it is like z, and so is its line, with s + 3.  This goes on until s >= u, where no line is
   empty.  So the line of z has no cell with y > 0: it is the corner.

Ends of lines
-------------
Let z be a cell of the outer two rows or columns of S, outside the squares of u x u cells, that is not right.  Then its
line is broken.  This *end* of the line is *spoiled*.  No cell of the 3 T + 1 that follow on the line from z on, into
S, is on a whole run that is not right.  For such a run has a distance s < g from a corner, by 4.  But if the line cuts
that corner, has the direction (2, 1), say, and z is u or more columns from the corner, the chord of direction (1, 2)
through the cell k moves on has the distance 2 (u - 2 k) + k >= 2 u - 9 T > g or more; and if the line has the
direction (1, 2), the chord of direction (2, 1) there has u - k + 4 k > g.  So one of these cells is right, and between
z and the first of them there is a turn where a run along the line ends.  So each spoiled end has a turn of its own, at
most `turn_reach` columns and rows from the end; both ends of a line have different ones, as these runs lead away from
different sides.

Sets off the plane
------------------
Call two cells that are not right linked if a move of the 2-factor leads from one to the other, or if they follow one
another on a line of K.  Take cells outside the squares of u x u cells that are linked in a chain, from an outer cell
of S to another, as short as can be.  They lie on some k paths of moves through cells that are not right.  Where such a
path ends within S there is a turn, as a cell that is no turn, and not right, is followed by another that is not.  Each
path has a turn, as no run is whole, and those that are not the first or the last have two.  So k <= T / 2 + 1.  Let i
of all these cells be turns both of whose moves lead to cells that are not right.  These break no line, so at most T -
i lines are broken.  The paths have k + i runs at most, and each of these has a cell on each broken line at most.  So
there are at most T + (k + i) (T - i) cells, and they are next to each other or two columns or rows apart
(`set_span`).
"""

from __future__ import annotations

MOST = 5
"""Turns."""


def least_side(turns: int) -> int:
    """So many cells a side of S are enough."""
    return 165 * (turns + 1)


def corner_square(turns: int) -> int:
    """The side u of the squares at the corners outside of which no line is empty."""
    return 11 * turns + 6


def corner_zone(turns: int) -> int:
    """The side of the squares at the corners in which a turn has to be, if the smaller ones are not right."""
    return 3 * corner_square(turns)


def turn_reach(turns: int) -> int:
    """A spoiled end has a turn of its own that is no farther than so many columns and rows."""
    return 6 * turns


def set_span(turns: int) -> int:
    """By so many columns or rows the outer cells of a set off the plane differ at most."""
    paths = turns // 2 + 1
    return 2 * (max(turns + (paths + own) * (turns - own) for own in range(turns + 1)) - 1) if turns else 0
