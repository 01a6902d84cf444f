"""Squares with T turns inside or fewer: the arguments for each plane (`many_turns` has those for T above 1).

Lemma 20 (one turn concerns one corner) and Lemma 21 (corner cells and turning cells) say which cells are free. The
circuit is swept first. If it may have less than E, `facing` may show cycles of two lines.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import lcm

from theorems.statement import Boards
from theorems.turns.alternatives import check_any
from theorems.turns.circuits import InteriorSweep, SquareCircuit
from theorems.turns.facing import Facing
from theorems.turns.joins import STEEP
from theorems.turns.many_turns import check_many
from theorems.turns.planes import Plane, plane_classes


def check_interior(sweep: InteriorSweep, boards: Boards, connected: bool) -> None:
    """Check that no square of a claim with few turns inside has less excess than E.

    Parameters
    ----------
    connected
        Whether the claim is about single cycles only.

    Raises
    ------
    CertificateError
        If some square may have less, or there are too many states.
    """
    if sweep.turns > 1:
        check_many(sweep, boards, connected)
        return
    for plane, period, remainder in plane_classes(sweep.period, boards):
        circuit = SquareCircuit(sweep, plane, remainder, period)
        arguments: list[Callable[[], None]] = [circuit.check, partial(circuit.check_long_sides, boards.least)]
        if connected:
            arguments.append(partial(_check_facing, sweep, plane, remainder, boards))
        check_any(arguments)


def _check_facing(sweep: InteriorSweep, plane: Plane, remainder: int, boards: Boards) -> None:
    """Check that squares with this remainder and less than E under a plane are more than one cycle."""
    period = lcm(sweep.period, plane.classes)
    for even in sorted(r for r in boards.remainders(lcm(period, 2)) if r % period == remainder):
        # Images with most lines from the bottom to the top have the fewest walks there
        images = plane.images_by_share(even, STEEP)
        check_any([partial(Facing(sweep, image, even).check, boards) for image in images])
