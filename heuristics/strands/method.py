"""`strands` as a method: which family a board belongs to, and its tour."""

from __future__ import annotations

import math

import numpy as np

from heuristics.find import Outcome
from heuristics.start import Stop, stopper
from heuristics.strands.data import Member, Metric, members
from heuristics.strands.walk import cycle_order
from kt_models.board import Board, IntArray
from kt_models.errors import KTError
from kt_models.graph import KNIGHT
from kt_models.problem import Problem
from kt_models.tour import Tour, verify


def strands(
    problem: Problem,
    *,
    seed: int = 0,
    time_limit: float = math.inf,
    stop: Stop | None = None,
    few: Metric = "turns",
) -> Outcome:
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
    if stopper(time_limit, stop)():
        return Outcome()
    board = problem.graph.board
    if (
        board is None
        or board.dimension != 2
        or any(board.wraps)
        or (board.mask is not None and not board.mask.all())
        or problem.graph.leaper != KNIGHT
    ):
        raise KTError("method strands serves whole rectangles and knights")
    metric = problem.objective if problem.objective in ("turns", "crossings") else few
    tour = Tour(problem.graph, board_order(best_member(board, metric)), True)
    verify(tour)
    if problem.required or problem.forbidden:
        edges = set(tour.edges.tolist())
        if not problem.required <= edges or problem.forbidden & edges:
            return Outcome()
    return Outcome(tour)


def best_member(board: Board, metric: str) -> Member:
    """The place of a board in a family with the fewest turns, crossings, or both together.

    Raises
    ------
    KTError
        If it has none.
    """
    width, height = board.shape
    found = list(members(width, height, metric))
    if not found:
        raise KTError(
            f"method strands does not serve the board {board.text}: it needs an even side, and both at least 12"
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
