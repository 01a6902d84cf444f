"""Turns that no tour avoids: the cells at which no straight pair of moves exists.

A tour goes straight on at a cell if it enters and leaves it by the same vector d, so that the cell, the cell d before
it and the cell d after it are all on the board. If no move of the leaper allows that, every tour with two moves at the
cell turns there. This is the first lower bound of Besa et al. (2022, section 4.3.1), who count the cells of the first
and last row and column: 4n - 4 turns of a knight on an n x n board. The four diagonal neighbours of the corners (b2 and
its images) have no straight pair either, so the count is 4n.
"""

from __future__ import annotations

from math import prod

import numpy as np

from kt_models.board import BoolArray
from kt_models.errors import KTError
from kt_models.leaper import Leaper
from kt_models.problem import Problem


def bound(problem: Problem) -> int:
    """Fewest turns by a count of the cells without a straight pair (Besa et al. 2022, section 4.3.1, first argument).

    This holds for every leaper, board (with holes, of any dimension, periodic or not) and connectivity. A cell with one
    move is no turn. So given terminals are left out, and each free end of a path takes one off. Forbidden moves make no
    straight pair; at a cell with required moves the pair must contain them.

    Parameters
    ----------
    problem
        A problem with the objective `turns`.

    Raises
    ------
    KTError
        If the objective is another one.
    """
    expect(problem, "edge", "turns")
    if plain_box(problem):
        board, leaper = problem.graph.board, problem.graph.leaper
        assert board is not None and leaper is not None
        count = count_in_box(board.shape, leaper)
    else:
        forced = forced_turns(problem)
        forced[list(problem.terminals)] = False
        count = int(np.count_nonzero(forced))
    return max(0, count - problem.free_ends)


def count_in_box(shape: tuple[int, ...], leaper: Leaper) -> int:
    """The number of cells without a straight pair in a box without holes, by arithmetic (without arrays).

    Let a <= b be the steps of the leaper. A cell has a straight pair exactly if one of its coordinates is at least b
    away from both faces, and another at least a. So it has none if no coordinate is b away, or exactly one is and all
    others are less than a away.
    """
    far = [max(0, side - 2 * leaper.b) for side in shape]
    near = [side - max(0, side - 2 * leaper.a) for side in shape]
    one_far = sum(far[i] * prod(near[:i] + near[i + 1 :]) for i in range(len(shape)))
    return prod(side - f for side, f in zip(shape, far, strict=True)) + one_far


def forced_turns(problem: Problem) -> BoolArray:
    """The vertices without a straight pair of moves, shape (n,); given terminals are treated like any other cell."""
    graph = problem.graph
    usable = np.ones(graph.m + 1, dtype=bool)
    usable[list(problem.forbidden)] = False
    usable[-1] = False  # Without a move, the edge is -1.
    required = np.zeros(graph.m + 1, dtype=np.int8)
    required[list(problem.required)] = 1
    wanted = np.bincount(graph.ends[list(problem.required)].reshape(-1), minlength=graph.n)
    forced = np.ones(graph.n, dtype=bool)
    for move in range(graph.edge_at.shape[1]):
        out = graph.edge_at[:, move]
        into = np.full(graph.n, -1, dtype=np.int32)
        starts = np.flatnonzero(out >= 0)
        into[graph.heads[out[starts]]] = out[starts]
        forced &= ~(usable[out] & usable[into] & (out != into) & (required[out] + required[into] == wanted))
    return forced


def plain_box(problem: Problem) -> bool:
    """Whether a box has all its cells and moves, so that arithmetic replaces arrays."""
    board = problem.graph.board
    conditions = problem.required or problem.forbidden or problem.terminals
    return board is not None and board.is_box and not conditions


def path_ends(problem: Problem) -> int:
    """The most vertices of a solution that have one move only (or none, on a single cell)."""
    return len(problem.terminals) + problem.free_ends


def expect(problem: Problem, method: str, objective: str) -> None:
    """Refuse a problem with another objective or without a leaper.

    Raises
    ------
    KTError
        With the name of the method and its requirements.
    """
    if problem.objective != objective:
        raise KTError(f"{method}: this bound is about {objective}, not {problem.objective_name}")
    if problem.graph.board is None or problem.graph.leaper is None:
        raise KTError(f"{method}: {problem.graph.name} is not a board")


def expect_plane(problem: Problem, method: str, objective: str, *, knight: bool) -> None:
    """Refuse as `expect` does, and also periodic boards, boards not in the plane, and if `knight` other leapers."""
    expect(problem, method, objective)
    board, leaper = problem.graph.board, problem.graph.leaper
    assert board is not None and leaper is not None
    if board.dimension != 2 or any(board.wraps):
        raise KTError(f"{method}: the argument needs a board in the plane that is not periodic")
    if knight and (leaper.a, leaper.b) != (1, 2):
        raise KTError(f"{method}: the argument is about the knight, not the {leaper} leaper")
