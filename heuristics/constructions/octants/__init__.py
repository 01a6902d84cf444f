"""`octants`: the tour of a board whose shorter side is 65 or more, with about 19/6 (w + h) crossings."""

from __future__ import annotations

import numpy as np

from heuristics.constructions.images import image_that_fits, whole_rectangle
from heuristics.method import Method
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.tour import Tour

COVERED_BOARDS = "boards whose shorter side is 65 or more, of an even number of cells, and squares from 52 on"


def octants(problem: Problem, *, limits: Limits = NO_LIMITS) -> Result:
    """The tour of a board, in time linear in its cells.

    Raises
    ------
    KTError
        If no family covers the board.
    """
    from heuristics.constructions.octants.boards import octant_codes
    from heuristics.constructions.strands.walk import cycle_of

    if limits.over:
        return Result(problem, "unknown")
    width, height = whole_rectangle(problem, "octants")
    codes = octant_codes(min(width, height), max(width, height))
    if codes is None:
        raise KTError(f"method octants does not cover {width}x{height}: {COVERED_BOARDS}")
    order = cycle_of(codes)
    if width > height:
        x, y = np.divmod(order, width)
        order = (y * height + x).astype(np.int32)
    return image_that_fits(problem, Tour(problem.graph, order, True), limits)


METHOD = Method(
    octants,
    f"{COVERED_BOARDS[:1].upper()}{COVERED_BOARDS[1:]}: about 19/6 (w + h) crossings, 19/5 (w + h) if it is odd; "
    "stretched small tours, linear.",
    near_optimal=True,
    best_for=("crossings",),
    constructs=True,
)
