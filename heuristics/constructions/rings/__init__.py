"""A closed tour of any Aztec diamond, radius 2 or more, ring by ring, in linear time and without a search.

The tour has a core of radius 2 to 6. Around it are the rings of `theorems.aztec_rings.rings`, each spliced into what is
inside it; that module explains how they grow and proves that this works for every radius. The place of a cell in its
ring determines its two moves, so the tour is written down as it is walked, without memory beyond the answer.
"""

from __future__ import annotations

import numpy as np

from heuristics.constructions.images import image_that_fits
from heuristics.method import Method
from kt_models.board import Board
from kt_models.errors import KTError
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.symmetry import Symmetry
from kt_models.tour import Tour


def rings(problem: Problem, *, limits: Limits = NO_LIMITS) -> Result:
    """The tour of an Aztec diamond by rings; an open tour is a part of the closed one.

    Parameters
    ----------
    problem
        Of the knight on `aztec:n`. Tours are symmetric under a half turn, and under a quarter turn where that is asked
        for and known. Other symmetries, required and forbidden moves, and a second given end are met only if an image
        of the tour happens to meet them: no other tour is tried.
    limits
        The seed decides which image is tried first; 0 is the tour itself.

    Returns
    -------
    Result
        Statistics: the number of `rings`, the radius of the `core`.

    Raises
    ------
    KTError
        If the board is not an Aztec diamond or the piece not a knight.
    """
    from heuristics.constructions.rings.fill import fill_order, load_rings

    board = problem.graph.board
    radius = 0 if board is None else board.shape[0] // 2
    square = board is not None and board.shape == (2 * radius, 2 * radius)
    if not square or board != Board.aztec(radius) or problem.graph.leaper != KNIGHT:
        raise KTError(f"method rings is for the knight on Aztec diamonds (aztec:n), not for {problem.graph.name}")
    if radius == 1:
        return Result(problem, "infeasible")  # There are four cells and no move.
    data = load_rings("quarter-turn" if any(s @ s != Symmetry.identity(2) for s in problem.symmetry) else "half-turn")
    if not data.covers(radius):
        return Result(problem, "unknown")
    order = np.empty(problem.graph.n, dtype=np.int32)
    core = data.core_of(radius)
    for _ in fill_order(order, radius, data):
        if limits.over:
            return Result(problem, "unknown")
    tour = Tour(problem.graph, order, True)
    count: dict[str, int | float] = {"rings": (radius - core) // data.width, "core": core}
    return image_that_fits(problem, tour, limits, count)


METHOD = Method(
    rings, "Aztec diamonds of every radius, ring by ring, without a search; linear.", symmetric=True, constructs=True
)
