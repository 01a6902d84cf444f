"""Turns that no tour avoids: the cells at which no straight pair of moves exists.

A tour goes straight on at a cell if it enters and leaves it by the same vector d, so that the cell, the cell d before
it and the cell d after it are all on the board.  Where no move of the leaper allows that, every tour that has two
moves at the cell turns there.  This is the first lower bound of Besa et al. (2022, section 4.3.1), who name the cells
of the first and last row and column: 4n - 4 turns of a knight on an n x n board.  The four diagonal neighbours of the
corners (b2 and its images) have no straight pair either, so the count comes out as 4n.
"""

from __future__ import annotations

from math import prod

import numpy as np

from kt_models.board import BoolArray
from kt_models.errors import KTError
from kt_models.leaper import Leaper
from kt_models.problem import Problem


def bound(problem: Problem) -> int:
    """Fewest turns by counting the cells without a straight pair (Besa et al. 2022, section 4.3.1, first argument).

    Holds for every leaper, board (holes, any dimension, periodic or not) and connectivity.  A cell with one move only
    is no turn: given terminals are left out, and each end of a path that is free takes one off.  Forbidden moves make
    no straight pair; at a cell with required moves the pair has to contain them.

    Parameters
    ----------
    problem
        Its objective is `turns`.

    Raises
    ------
    KTError
        If the objective is another.
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
    """Number of cells without a straight pair in a box without holes, by arithmetic (no array).

    With a <= b the steps of the leaper: a cell has a straight pair exactly if one of its coordinates is at least b away
    from both faces, and another at least a.  So it has none if no coordinate is b away, or exactly one is and all
    others are less than a away.
    """
    far = [max(0, side - 2 * leaper.b) for side in shape]
    near = [side - max(0, side - 2 * leaper.a) for side in shape]
    one_far = sum(far[i] * prod(near[:i] + near[i + 1 :]) for i in range(len(shape)))
    return prod(side - f for side, f in zip(shape, far, strict=True)) + one_far


def forced_turns(problem: Problem) -> BoolArray:
    """Which vertices have no straight pair of moves, shape (n,); given terminals are treated as any other cell."""
    graph = problem.graph
    usable = np.ones(graph.m + 1, dtype=bool)
    usable[list(problem.forbidden)] = False
    usable[-1] = False  # where there is no move, the edge is -1
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
    """Whether every cell of a box is there and every move free to use, so that arithmetic does instead of arrays."""
    board = problem.graph.board
    given = problem.required or problem.forbidden or problem.terminals
    return board is not None and board.is_box and not given


def path_ends(problem: Problem) -> int:
    """How many vertices of a solution have one move only (or, on a single cell, none): at most this many."""
    return len(problem.terminals) + problem.free_ends


def expect(problem: Problem, method: str, objective: str) -> None:
    """Refuse a problem with another objective or without leaper.

    Raises
    ------
    KTError
        Naming the method and what it needs.
    """
    if problem.objective != objective:
        raise KTError(f"{method}: this bound is about {objective}, not {problem.objective_name}")
    if problem.graph.board is None or problem.graph.leaper is None:
        raise KTError(f"{method}: {problem.graph.name} is not a board")


def expect_plane(problem: Problem, method: str, objective: str, *, knight: bool) -> None:
    """As `expect`, and refuse boards that are periodic or not in the plane, and on request leapers but the knight."""
    expect(problem, method, objective)
    board, leaper = problem.graph.board, problem.graph.leaper
    assert board is not None and leaper is not None
    if board.dimension != 2 or any(board.wraps):
        raise KTError(f"{method}: the argument needs a board in the plane that is not periodic")
    if knight and (leaper.a, leaper.b) != (1, 2):
        raise KTError(f"{method}: the argument is about the knight, not the {leaper} leaper")
