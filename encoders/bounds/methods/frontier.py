"""`frontier`: data that make the sweep small; the sweep itself is done by the checker.

If pairs that meet at a vertex have weights (turns), the potentials of `encoders.lp.relaxation` prove most of the bound
before the sweep begins. Crossings have no such pairs. Most of them are forced near the border, so on wide boards a
sweep of the two outer rings comes first; in boxes an order of the vertices is searched.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from encoders.bounds.methods import BoundMethod
from encoders.bounds.methods.orders import narrow_order
from kt_models.board import Board, shifted
from kt_models.errors import KTError, TooLarge
from kt_models.kernel.certificates.frontier import fits
from kt_models.kernel.certificates.frontier.bound import potentials_of
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem

BORDER_RINGS = 2
"""Outer rings that form the border of a board."""
MAX_EXPONENT = 40
"""Beyond that no time limit suffices."""
MIN_BORDERED_SIDE = 8
"""Least side for a sweep of the border; on narrower boards it takes longer than it saves."""


SWEPT = {5: (12, 1.1, 1.09), 6: (12, 5.0, 1.38), 7: (8, 19.0, 1.9), 8: (8, 65.0, 1.5)}
"""By the shorter side of a rectangle: a length, the reference seconds of a sweep of its crossings, and how many times
as many a board takes that is longer by 1."""


def cost(problem: Problem, workers: int) -> float | None:
    """Reference seconds that the sweep of a rectangle is expected to take, if pairs of moves count that do not meet."""
    board = problem.graph.board
    if not problem.counts_apart or board is None or not board.is_box or board.dimension != 2:
        return None
    side, length = sorted(board.shape)
    if side < min(SWEPT):
        return None
    at, seconds, growth = SWEPT[min(side, max(SWEPT))]
    return float(seconds * growth ** min(length - at, MAX_EXPONENT)) / workers


def make(problem: Problem, at_least: int, *, limits: Limits = NO_LIMITS) -> dict[str, Any]:
    """The data of a certificate that the objective is at least `at_least`.

    Returns
    -------
    dict
        Data that may prove `at_least`; only the sweep shows whether they do.
    """
    data: dict[str, Any] = {"at_least": at_least}
    board = problem.graph.board
    if problem.counts_apart and board is not None and min(board.shape) >= MIN_BORDERED_SIDE:
        inner = inner_cells(board)
        if 0 < len(inner) < problem.graph.n:
            data["inner"] = inner
    if problem.counts_apart and board is not None and board.dimension > 2:
        data["order"] = narrow_order(problem, limits=limits)
    potentials = _potentials(problem, limits)
    if potentials is not None and fits(problem, potentials_of(problem, potentials)):
        data.update(potentials)
    return data


def inner_cells(board: Board) -> list[int]:
    """The cells outside of the `BORDER_RINGS` outer rings of a board: two steps of a rook stay on the board."""
    inside = np.ones(board.shape, dtype=bool) if board.mask is None else board.mask
    steps = [tuple(step) for unit in np.eye(board.dimension, dtype=int) for step in (unit, -unit)]
    for _ in range(BORDER_RINGS):
        inside = np.all([inside, *(shifted(inside, step, board.wraps, False) for step in steps)], axis=0)
    return np.flatnonzero(inside[tuple(board.cells.T)]).tolist()


def _potentials(problem: Problem, limits: Limits) -> dict[str, Any] | None:
    """A dual solution of the relaxation without rows, if it helps."""
    from encoders.lp import relaxation

    weights = problem.weights
    assert weights is not None
    ends = problem.graph.ends
    first, second = ends[weights.first], ends[weights.second]
    if not (first[:, :, None] == second[:, None, :]).any():
        return None
    try:
        made = relaxation.make(problem, limits=limits, cuts=False)
    except (KTError, TooLarge):
        return None
    if made is None:
        return None
    # The other multipliers are about ends.
    potentials = [pair for pair in made["multipliers"] if pair[0] < problem.graph.m]
    return {"potentials": potentials} | {key: made[key] for key in ("denominator", "symmetry") if key in made}


METHOD = BoundMethod(
    "frontier", "every partial solution that could stay below, cell by cell", make, kind="frontier", rank=5, cost=cost
)
