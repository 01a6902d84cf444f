"""`strands`: the family that a board belongs to, and its tour."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Literal

from heuristics.constructions.images import image_that_fits, whole_rectangle
from heuristics.method import Method
from kt_models.errors import KTError
from kt_models.graph import MoveGraph
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.symmetry import Symmetry
from kt_models.tour import Tour

if TYPE_CHECKING:
    from drawing.explanation_parts import Parts

FewOf = Literal["turns", "crossings", "both"]
HALF_TURN, QUARTER_TURN = Symmetry.parse("rot180"), Symmetry.parse("rot90")


def strands(problem: Problem, *, limits: Limits = NO_LIMITS, few: FewOf = "turns") -> Result:
    """The tour of a board in a family, in time linear in its cells.

    Parameters
    ----------
    few
        The objective to keep low: `turns`, `crossings`, or `both` together; an objective of the problem replaces it.

    Raises
    ------
    KTError
        If no family covers the board.
    """
    from heuristics.constructions.strands.boards import best_member, board_order, radial_order

    if limits.over:
        return Result(problem, "unknown")
    size = whole_rectangle(problem, "strands")
    if any(symmetry not in (HALF_TURN, QUARTER_TURN) for symmetry in problem.symmetry):
        raise KTError("method strands supports the symmetries rot180 and rot90")
    metric = problem.objective if isinstance(problem.objective, str) else few
    if QUARTER_TURN in problem.symmetry:
        order = radial_order(size[0])
    else:
        order = board_order(best_member(*size, metric, bool(problem.symmetry)))
    return image_that_fits(problem, Tour(problem.graph, order, True), limits)


def explain(subject: Tour | MoveGraph) -> Parts:
    """The lines between the sides of a strands tour, for any objective."""
    from heuristics.constructions.strands.picture import lines_by_sides, radial_lines_by_direction

    if isinstance(subject, MoveGraph):
        raise KTError("strands are those of a tour")
    for parts in (lines_by_sides, radial_lines_by_direction):
        with suppress(KTError):
            return parts(subject)
    return lines_by_sides(subject, "both")


METHOD = Method(
    strands,
    "Rectangles with an even side, sides from 13 on: at most 4(w + h) - 15 turns; stretched small tours, linear.",
    symmetric=True,
    near_optimal=True,
    best_for=("turns", "crossings"),
    explain=explain,
    constructs=True,
)
