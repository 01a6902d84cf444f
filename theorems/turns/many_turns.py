"""Large squares with some turns inside: what no tour of them can have less than.

What turns and spots may be in the way of is counted, as their excess is E - 1 at most.  Lemma 31 (calm quarters) has
the way round.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from math import lcm

from kt_models.errors import CertificateError
from theorems.statement import Boards
from theorems.turns.attempts import one_of
from theorems.turns.calm_rounds import CalmRound
from theorems.turns.facing import MARGIN, Facing, facing_sum
from theorems.turns.joins import STEEP
from theorems.turns.planes import plane_classes
from theorems.turns.rounds import InteriorSweep, Round
from theorems.turns.side_walks import WINDOW
from theorems.turns.three_sides import FALLING, LENGTH, FixedWalk, ThreeSides
from theorems.turns.whole_lines import corner_square, corner_zone, set_span, turn_reach

BESIDE = 8
"""Columns of the bottom beside those where lines from the right side end: lines are joined to others so near."""
ACROSS = 6
"""So many columns of the cells outside of S see the outer cells of an end of a line."""
BESIDE_STRIP = (1, 3)
"""The corners at the ends of the strip between facing sides: the top right and the bottom left."""


def away(rows: int, turns: int) -> int:
    """So far from the corners no end of a line has its turn in a corner zone."""
    return rows + corner_zone(turns) + turn_reach(turns)


@dataclass(frozen=True, eq=False)
class LargeSquares:
    """Squares with at most so many turns inside that have less than E under a plane, all of them large.

    Parameters
    ----------
    least
        Of their sides.
    """

    round: Round
    least: int
    turns: int

    @cached_property
    def turn(self) -> int:
        """The least excess of a turn in S."""
        return self.round.sweep.least_turn(self.round.remainder)

    def check_calm(self) -> None:
        """Check that all sides have calm places.

        Raises
        ------
        CertificateError
            If turns and spots may be in the way of all.
        """
        own = self.round
        columns = max(side.before + side.after for side in own.walks) + own.period
        for turns in range(self.turns + 1):
            places = self.least - 2 * away(own.sweep.rows, turns) - columns
            self._check_places(places, turns * (columns + ACROSS) + self._spots(turns) * columns)

    def check_facing(self) -> None:
        """Check that windows that face each other are of lasting nodes.

        Raises
        ------
        CertificateError
            If turns and spots may be in the way of all.
        """
        own, sides = self.round, self.round.walks[::2]
        before = max(side.before for side in sides)
        columns = before + WINDOW + max(side.after for side in sides)
        places = facing_sum(self.least, own.sweep.rows) - 2 * (own.sweep.edge + before)
        corners = Round(replace(own.sweep, excess=4 * self.turn), own.plane, own.remainder, own.period).leasts
        if columns <= set_span(self.turns):
            raise CertificateError("turns: windows are shorter than sets off the plane")
        for wild in (some for number in range(self.turns + 1) for some in combinations(range(4), number)):
            near, least = len({*wild} & {*BESIDE_STRIP}), sum(corners[k] for k in range(4) if k not in wild)
            for turns in range(len(wild), self.turns + 1):
                left = own.sweep.excess - 1 - least - turns * self.turn
                if left >= 0:
                    by_turns = near * corner_square(turns) + (near + turns - len(wild)) * (columns + MARGIN)
                    self._check_places(places, by_turns + left // own.least_excess * columns)

    def check_three(self, turns: int) -> None:
        """Check that the right side, or the left one, has rows that go with calm places, if there are so many turns.

        Checks Lemma 34 (a calm right or left side).

        Raises
        ------
        CertificateError
            If turns and spots may be in the way of all.
        """
        own, rows = self.round, LENGTH + 2 * self.round.period
        before, after = max(side.before for side in own.walks), max(side.after for side in own.walks)
        # two rows of the right side go with a column of the bottom or the top
        beside = away(own.sweep.rows, turns) + BESIDE + before + after + own.period
        by_spot = rows + 2 * (2 * BESIDE + before + after + own.period)
        taken = turns * (by_spot + 2 * ACROSS) + self._spots(turns) * by_spot
        self._check_places(self.least - 4 * beside - rows, taken // 2)

    def _spots(self, turns: int) -> int:
        """The most that there are beside so many turns."""
        return (self.round.sweep.excess - 1 - turns * self.turn) // self.round.least_excess

    def _check_places(self, places: int, taken: int) -> None:
        if places <= taken:
            raise CertificateError(f"turns: {self.least}x{self.least} is too small for turns inside")


def check_many(sweep: InteriorSweep, boards: Boards, connected: bool) -> None:
    """Check that no square of a claim has less excess than E, with at most T turns inside.

    Checks Lemma 33 (facing sides with turns).

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
        squares = {
            image: LargeSquares(Round(own, image, remainder, period), boards.least, sweep.turns) for image in images
        }
        rounds = {image: CalmRound(one.round, own.excess, one.turn) for image, one in squares.items()}
        arguments = [partial(_check_round, squares[plane], rounds[plane])]
        if connected:
            facing = [partial(_check_joined, squares[image], boards) for image in images]
            steep = [image for image in images if {image.first, image.second} == {STEEP, FALLING}]
            three = [partial(_check_three, squares[image], rounds[image], boards) for image in steep]
            arguments = [*facing, *arguments, *three]
        one_of(arguments)


def _check_round(squares: LargeSquares, calm: CalmRound) -> None:
    """Check that the way round has the excess E at least."""
    squares.check_calm()
    calm.check()


def _check_joined(squares: LargeSquares, boards: Boards) -> None:
    """Check that facing windows of lasting nodes join two lines both."""
    own = squares.round
    facing = Facing(own.sweep, own.plane, own.remainder)
    if not own.plane.share(STEEP) or facing.apart(boards):
        raise CertificateError("turns: facing sides may join no two lines both")
    replace(squares, round=facing.round).check_facing()


def _check_three(squares: LargeSquares, calm: CalmRound, boards: Boards) -> None:
    """Check that the right side has a cycle, under lines (1, 2) and (1, -2), on all ways round with less than E."""
    own = squares.round
    squares.check_calm()
    CalmRound(own, own.sweep.excess - 2 * squares.turn, 0).check()
    for turns in range(2):
        squares.check_three(turns)
    if own.plane.half_turn(own.remainder) != own.plane:
        raise CertificateError("turns: the left side is not like the right one")
    (bottom, right, top, _), period = own.walks, own.period
    first = own.place % period
    for below, beside, above in calm.left():
        low, high = FixedWalk(bottom, (first, below)), FixedWalk(top, (first, above))
        for other in boards.remainders(2 * period):
            if other % period == own.remainder:
                ThreeSides(right, low, high, other).check((first, beside))
