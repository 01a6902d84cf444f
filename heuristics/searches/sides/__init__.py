"""`sides` as a method: straight lines inside, sides with 2 turns per unit that are drawn anew until there is one cycle.

It is no theorem that this ends well.  Where it does, there are few more turns than any tour has, or no more.
"""

from __future__ import annotations

import random

import numpy as np

from heuristics.constructions.images import image_that_fits, whole_rectangle
from heuristics.method import Method
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.tour import Tour

MAX_CONSTANT = -15
"""With more turns than 4 (width + height) and this, nothing is tried."""
PIECES_PER_UNIT = 4
"""That are drawn anew in a try, for each unit of width and height."""
USUAL_SIDE, MAX_SIDE = 250, 700
"""Width and height together: from the one on there are fewer tries, with more nothing is tried."""


def sides(problem: Problem, *, limits: Limits = NO_LIMITS, tries: int = 24) -> Result:
    """A tour of a rectangle with few turns: 4 (width + height) - 15 or fewer, mostly 4 (width + height) - 19 or less.

    Parameters
    ----------
    tries
        For each number of turns, from the least that the corners allow; fewer on large boards.

    Raises
    ------
    KTError
        If the board is no rectangle with an even side, sides from `MIN_SIDE` on and at most `MAX_SIDE` together, or
        crossings are to be few.
    """
    from heuristics.constructions.strands.walk import cycle_of
    from heuristics.searches.sides.annealing import annealed
    from heuristics.searches.sides.data import MIN_SIDE, PLANES, Rectangle

    width, height = whole_rectangle(problem, "sides")
    if min(width, height) < MIN_SIDE or width * height % 2 or width + height > MAX_SIDE:
        raise KTError(
            f"method sides does not serve {width}x{height}: it needs an even side, and both at least {MIN_SIDE} "
            f"and together at most {MAX_SIDE}"
        )
    if problem.objective == "crossings":
        raise KTError("method sides makes turns few, not crossings")
    luck, rng = random.Random(limits.seed), np.random.default_rng(limits.seed)
    boards = [Rectangle.of(plane, first, width, height) for plane in PLANES for first in plane.choices]
    many, drawn = max(1, round(tries * min(1.0, USUAL_SIDE / (width + height)) ** 2)), 0
    for value in range(min(board.least for board in boards), MAX_CONSTANT + 1):
        able = [(board, ends) for board in boards if board.least <= value and (ends := [*board.ends(value)])]
        for _ in range(many if able else 0):
            if limits.over:
                return Result(problem, "unknown", statistics={"tries": drawn})
            board, ends = luck.choice(able)
            drawn += 1
            cycles, codes = annealed(board, luck.choice(ends), PIECES_PER_UNIT * (width + height), rng)
            if cycles == 1:
                tour = Tour(problem.graph, cycle_of(codes), True)
                return image_that_fits(problem, tour, limits, {"tries": drawn})
    return Result(problem, "unknown", statistics={"tries": drawn})


METHOD = Method(
    sides,
    "Rectangles with an even side, sides from 18 on: straight lines inside, sides drawn until few turns make one tour.",
    near_optimal=True,
)
