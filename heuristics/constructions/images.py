"""The problems that a single tour of a board answers: with its images under the board's symmetries."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kt_models.errors import KTError
from kt_models.leaper import KNIGHT
from kt_models.limits import Limits
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.symmetry import MAX_GROUP, Symmetry, board_group
from kt_models.tour import Tour


def whole_rectangle(problem: Problem, method: str) -> tuple[int, int]:
    """Width and height of the board, for a method that covers only knights on whole rectangles.

    Raises
    ------
    KTError
        If the problem is about another board or piece.
    """
    board = problem.graph.board
    if board is None or board.dimension != 2 or not board.is_box or problem.graph.leaper != KNIGHT:
        raise KTError(f"method {method} serves whole rectangles and knights")
    width, height = board.shape
    return width, height


def image_that_fits(
    problem: Problem, tour: Tour, limits: Limits, statistics: Mapping[str, int | float] | None = None
) -> Result:
    """The first image of a closed tour that answers a problem; a path is a part of it.

    Parameters
    ----------
    limits
        The seed decides which image is tried first.

    Returns
    -------
    Result
        Unknown if no image fits, or the limits were reached; that says nothing about other tours.
    """
    images = _images(problem)
    first, count = limits.seed % len(images), statistics or {}
    for symmetry in images[first:] + images[:first]:
        if limits.over:
            break
        image = tour if symmetry == images[0] else tour.transformed(symmetry)
        if fitting := _fitted(problem, image):
            return Result(problem, "feasible", fitting, statistics=count)
    return Result(problem, "unknown", statistics=count)


def _images(problem: Problem) -> list[Symmetry]:
    """The symmetries of the board, or those about its centre if there are too many to be listed."""
    board = problem.graph.board
    if board is not None and len(group := board_group(board)) > MAX_GROUP:
        return list(group.turns)
    return problem.graph.symmetries()


def _fitted(problem: Problem, tour: Tour) -> Tour | None:
    """A closed tour, or a part of it, as an answer to a problem; None if it does not fit."""
    order, n = tour.order, problem.graph.n
    if problem.symmetry and not _symmetric(problem, tour):
        return None
    if not (problem.required or problem.forbidden):
        if problem.closed:
            return tour
        place = np.flatnonzero(order == problem.terminals[0])[0] if problem.terminals else 0
        if len(problem.terminals) < 2 or order[place - 1] == problem.terminals[1]:
            return Tour(tour.graph, np.roll(order, -place), False)
        if order[(place + 1) % n] == problem.terminals[1]:
            return Tour(tour.graph, np.roll(order[::-1], place + 1), False)
        return None
    edges = tour.edges
    wanted, bad = np.isin(edges, list(problem.required)), np.isin(edges, list(problem.forbidden))
    if np.count_nonzero(wanted) < len(problem.required) or np.count_nonzero(bad) > (not problem.closed):
        return None
    if problem.closed:
        return tour
    cuts = ~wanted & (bad if bad.any() else True)  # The moves that may be left out.
    for terminal in problem.terminals:
        cuts &= (order == terminal) | (np.roll(order, -1) == terminal)
    places = np.flatnonzero(cuts)
    return Tour(tour.graph, np.roll(order, -int(places[0]) - 1), False) if len(places) else None


def _symmetric(problem: Problem, tour: Tour) -> bool:
    """Whether a closed tour answers a problem's symmetry; an open part of it never does."""
    edges = np.sort(tour.edges)
    images = (np.sort(problem.graph.edge_permutation(symmetry)[edges]) for symmetry in problem.symmetry)
    return problem.closed and all(np.array_equal(image, edges) for image in images)
