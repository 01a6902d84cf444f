"""`sides`: straight lines inside, and sides with 2 turns per unit that are drawn again until there is one cycle.

No theorem guarantees success. A tour that is found has few more turns than the least number, or no more.
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
"""Greatest constant: with more than 4 (width + height) turns plus this, nothing is tried."""
PIECES_PER_UNIT = 4
"""Pieces drawn again in a try, for each unit of width and height."""
USUAL_SIDE, MAX_SIDE = 250, 700
"""Sum of width and height above which there are fewer tries, and above which there are none."""


def sides(problem: Problem, *, limits: Limits = NO_LIMITS, tries: int = 24) -> Result:
    """Find a tour of a rectangle with few turns: at most 4 (width + height) - 15, mostly at most 4 (width + height) -
    19.

    Parameters
    ----------
    tries
        Tries for each number of turns, from the least that the corners allow; fewer on large boards.

    Raises
    ------
    KTError
        If the board is not a rectangle with an even side, sides from `MIN_SIDE` on and at most `MAX_SIDE` together, or
        the objective is crossings.
    """
    from heuristics.constructions.strands.walk import cycle_of
    from heuristics.searches.sides.annealing import annealed
    from heuristics.searches.sides.data import MIN_SIDE, PLANES, Rectangle

    width, height = whole_rectangle(problem, "sides")
    if min(width, height) < MIN_SIDE or width * height % 2 or width + height > MAX_SIDE:
        raise KTError(
            f"method sides does not cover {width}x{height}: it needs an even side, and both at least {MIN_SIDE} "
            f"and together at most {MAX_SIDE}"
        )
    if problem.counts_apart:
        raise KTError(f"method sides makes turns few, not {problem.objective_name}")
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
    "Rectangles with an even side, sides from 18 on: straight lines inside, random sides until a tour has few turns.",
    near_optimal=True,
)
