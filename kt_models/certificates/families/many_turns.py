"""Large squares with any number of turns inside: what no tour of them can have less than.

Take a 2-factor of a square of even side n, as in `interiors`, that has less than E.  No turn in S has less than t.  So
there are at most (E - 1) / t turns in S.  The number T of the file is not used.

The plane
---------
A cell of S is *clear* if no turn of S is in the square of 441 x 441 cells around it.  By `interiors`, 1 to 3, of a
square of 146 x 146 cells without turns the 30 x 30 in its middle look like a plane.  So clear cells that are 73 or more
from the sides of S look like planes, and those next to each other look like the same.  Let a clear cell x be less than
73 from one side of S, and 220 or more from the others.  The lines of all four directions through it lead away from that
side.  After 73 moves at most, by 146 cells at most along the side, none of them a turn, they come to cells which look
like one plane, as the squares of 146 x 146 around them are in that around x: 146 + 73 < 220.  So this has the direction
of x at x.  Near a corner of S whose cells are all clear, `interiors` shows the same of all cells but the corner itself,
as there is no turn.  So where clear cells hang together, they look like one plane, corners apart.

Cut the columns of S into (E - 1) / t + 1 parts.  One of them has no turn.  It crosses all rows, and if `ROOM` rows that
follow one another have no turn, cells are clear there.  So the middles of all such rows look like one plane K.

Calm places
-----------
No cell outside of S and of the corners that has the moves to S of K and any excess has less than g, where g <= t.  Such
a cell, or a turn in S, is a *spot*.  Let s be the most that three times the number of turns and the number of other
spots come to; there are s spots at most.  Let n be (s + 1) `ROOM` + 2000 or more.

Cut the rows of the right side from 1000 to n - 1000 into s + 1 parts of `ROOM` or more.  To each part belong three
*strips*: all cells with these rows; those on lines of direction (1, 2) from the bottom to these rows at the right side;
and those on lines of direction (1, -2) from the top to them.  The cells outside of S at their ends belong to them, too:
those at the left and the right side by their rows, those at the bottom and the top by their columns.  A turn is in one
strip of each kind at most, and a cell outside of S belongs to one part at most.  So there is a part without a spot.
Two of its strips are `ROOM` / 2 wide along the bottom and the top.  Their cells are clear if they are less than
`NARROW` / 2 from the line in the middle: so far, 220 more, and 110 for the slope, come to `ROOM` / 4.  The three lines
in the middle meet at the right side.  So all this looks like K.

So all four sides have *calm places* in the middle of what belongs to these strips (`calm_rounds`), `NARROW` / 2 columns
or rows to either side of the line, less what `side_walks` needs before and after lasting nodes.  The three lines cut
S into four regions, one at each corner.  If there is no turn in one of them, all of its cells are clear, as what is
220 or less beyond these lines is in the strips; so it looks like K.  So the quarters of the way round have what the
tables M and W say at least: a turn is in one region only, and its excess is not counted in W.

Facing sides
------------
Cut the bottom from column 500 to n / 2 - 500 into s + 1 parts.  To these belong strips along lines of direction (1, 2)
from the bottom to the top.  One of them has no spot, and is `ROOM` / 2 wide or more.  It crosses the rows above, so
what is near the line in its middle looks like K.  It has windows that face each other (`facing`), of lasting nodes, and
the moves across the cut between them are those of K.  So if no two such windows are apart, there is a cycle of two
lines.  For a tour this may be asked of all planes that the symmetries of the square make of K.

Three sides
-----------
Let the directions of K be (1, 2) and (1, -2).  The lines from the calm places of the bottom and the top come to that of
the right side, through strips without turns.  So what `three_sides` says of three nodes holds if those of the
bottom and the top are taken near the beginning of what is calm, and that of the right side in its middle; and these are
on a way round that has less than E, as all that is there are calm places.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import lcm

from kt_models.certificates.families.attempts import one_of
from kt_models.certificates.families.calm_rounds import CalmRound
from kt_models.certificates.families.facing import MARGIN, Facing
from kt_models.certificates.families.joins import STEEP
from kt_models.certificates.families.planes import Plane, plane_classes
from kt_models.certificates.families.rounds import InteriorSweep, Round
from kt_models.certificates.families.side_walks import WINDOW
from kt_models.certificates.families.statement import Boards
from kt_models.certificates.families.three_sides import FALLING, LENGTH, FixedWalk, ThreeSides
from kt_models.errors import CertificateError

ROOM = 1_720
NARROW = 200
"""Columns of the bottom and the top in the middle of strips: on both sides of the line there, half of them are enough
for nodes to be lasting ones, and for what is looked at."""


def check_many(sweep: InteriorSweep, boards: Boards, connected: bool) -> None:
    """Check that no square of a claim has less excess than E, however many turns are inside.

    Parameters
    ----------
    connected
        Whether it is enough if those that have less are more than one cycle.

    Raises
    ------
    CertificateError
        If one may have, or it takes too many states to see.
    """
    own = replace(sweep, turns=0, leasts={})
    for plane, period, remainder in plane_classes(lcm(own.period, 2), boards):
        # lines of one direction have the fewest walks where most lines have it
        images = plane.images_by_share(remainder, STEEP)
        # the tables of a plane serve two arguments
        rounds = {image: CalmRound(Round(own, image, remainder, period)) for image in images}
        arguments = [partial(_check_round, rounds[plane], boards)]
        if connected:
            facing = [partial(_check_joined, own, image, remainder, boards) for image in images]
            steep = [image for image in images if {image.first, image.second} == {STEEP, FALLING}]
            three = [partial(_check_three, rounds[image], boards) for image in steep]
            arguments = [*facing, *arguments, *three]
        one_of(arguments)


def _check_room(round_: Round, boards: Boards) -> None:
    """Check that there are places that no turn, nor any other excess, is in the way of."""
    sweep = round_.sweep
    spent, turn = sweep.excess - 1, sweep.least_turn(round_.remainder)
    spots = max(3 * turns + (spent - turn * turns) // round_.least_excess for turns in range(spent // turn + 1))
    # before a node or after it; to a column of the same kind; what is looked at, with lines that are joined nearby
    reach = max(max(walks.before, walks.after) for walks in round_.walks) + round_.period
    reach += (LENGTH + 2 * sweep.rows) // 4 + WINDOW // 2 + MARGIN
    if reach > NARROW // 2 or (spots + 1) * ROOM + 2000 > boards.least:
        raise CertificateError(f"turns: {boards.least}x{boards.least} is too small for many turns inside")


def _check_round(calm: CalmRound, boards: Boards) -> None:
    """Check that the way round has the excess E at least."""
    _check_room(calm.round, boards)
    calm.check()


def _check_joined(sweep: InteriorSweep, plane: Plane, remainder: int, boards: Boards) -> None:
    """Check that facing windows of lasting nodes join two lines both."""
    facing = Facing(sweep, plane, remainder)
    _check_room(facing.round, boards)
    if not plane.share(STEEP) or facing.apart(boards):
        raise CertificateError("turns: facing sides may join no two lines both")


def _check_three(calm: CalmRound, boards: Boards) -> None:
    """Check that the right side has a cycle, under lines (1, 2) and (1, -2), on all ways round with less than E."""
    _check_room(calm.round, boards)
    (bottom, right, top, _), period = calm.round.walks, calm.round.period
    first = calm.round.place % period
    for below, beside, above in calm.left():
        low, high = FixedWalk(bottom, (first, below)), FixedWalk(top, (first, above))
        for other in boards.remainders(2 * period):
            if other % period == calm.round.remainder:
                ThreeSides(right, low, high, other).check((first, beside))
