"""`strands` as a method: which family a board belongs to, and its tour."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from heuristics.constructions.images import image_that_fits, whole_rectangle
from heuristics.constructions.strands.data import Member, Metric, members
from heuristics.constructions.strands.radial import radial_codes
from heuristics.constructions.strands.walk import cycle_of, cycle_order
from heuristics.method import Method
from kt_models.board import Board, IntArray
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.symmetry import Symmetry
from kt_models.tour import Tour

if TYPE_CHECKING:
    from kt_models.drawing.parts import Parts

HALF_TURN, QUARTER_TURN = Symmetry.parse("rot180"), Symmetry.parse("rot90")


def strands(problem: Problem, *, limits: Limits = NO_LIMITS, few: Metric = "turns") -> Result:
    """The tour of a board that belongs to a family, in time linear in its cells.

    Parameters
    ----------
    few
        What there are few of: `turns`, `crossings`, or `both` together; the problem's objective says it too.

    Raises
    ------
    KTError
        If no family serves the board.
    """
    if limits.over:
        return Result(problem, "unknown")
    size = whole_rectangle(problem, "strands")
    if any(symmetry not in (HALF_TURN, QUARTER_TURN) for symmetry in problem.symmetry):
        raise KTError("method strands knows the symmetries rot180 and rot90")
    metric = problem.objective if isinstance(problem.objective, str) else few
    if QUARTER_TURN in problem.symmetry:
        order = cycle_of(radial_codes(size[0]))
    else:
        order = board_order(best_member(*size, metric, bool(problem.symmetry)))
    return image_that_fits(problem, Tour(problem.graph, order, True), limits)


def best_member(width: int, height: int, metric: str, turned: bool = False) -> Member:
    """The place of a board in a family with the fewest turns, crossings, or both together.

    Parameters
    ----------
    turned
        Whether a half turn has to map the tour to itself.

    Raises
    ------
    KTError
        If it has none.
    """
    found = [member for member in members(width, height, metric) if member.family.half_turned or not turned]
    if not found and turned:
        raise KTError(
            f"method strands does not serve the board {width}x{height} with a half turn: it needs a square, for few "
            "turns, of an even side from 74 on"
        )
    if not found:
        raise KTError(
            f"method strands does not serve the board {width}x{height}: it needs an even side, and both at least 12"
        )
    return min(found, key=lambda member: member.count(metric))


def board_order(member: Member) -> IntArray:
    """The tour as cell numbers of the board asked for, in order."""
    order = cycle_order(member.family, member.times)
    if not member.transposed:
        return order
    width, height = member.family.grown(member.times)
    x, y = np.divmod(order, height)
    return (y * width + x).astype(np.int32)


def explain(subject: Tour | Board) -> Parts:
    """The lines between the sides of a strands tour, whatever it was made to have few of."""
    from heuristics.constructions.strands.picture import radial_lines_of, regimes_of

    if isinstance(subject, Board):
        raise KTError("strands are those of a tour")
    for parts in (regimes_of, radial_lines_of):
        with suppress(KTError):
            return parts(subject)
    return regimes_of(subject, "both")


METHOD = Method(
    strands,
    "Rectangles with an even side, sides from 13 on: 4(w + h) - 15 turns or fewer; small tours stretched, linear.",
    symmetric=True,
    few=True,
    fewest=("turns", "crossings"),
    explain=explain,
)
