"""Interiors with one turn at most: what the sides of a square have to add where lines inside run from side to side.

Lemma 20 (one turn concerns one corner) and Lemma 21 (strays and turners) say which cells are free.  The way round is
swept first; if it may have less than E, `facing` may show cycles of two lines.
"""

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
