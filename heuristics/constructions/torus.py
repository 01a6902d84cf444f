"""A closed tour of any torus, by any leaper whose moves reach every cell, by formula.

The moves of a leaper on a torus (every axis periodic) are a Cayley graph of the group of its cells: all cells are
equivalent. Watkins and Hoenigman ("Knight's tours on a torus", 1997) showed that a knight has a closed tour of every
torus in the plane; the construction here is ours and needs no case distinctions, in any dimension:

1. Repeating one move a gives a closed *line* of L cells; the lines are the cosets of the subgroup that a generates. The
   move with the longest line is taken.
2. The lines are arranged in a row, each a fixed move after the one before. One line is a row. If a row covers a
   subgroup H and d is the next move, let r be the least number with r d in H; then the row, the row backwards shifted
   by d, the row shifted by 2d, and so on r times, is a row of the subgroup that H and d generate.
3. So the cells are a grid: place p (mod L) of line t, with moves between neighbours in either direction. Up place 1 of
   all lines, then back, line by line, through the other L - 1 places, to and fro, is a closed tour.

Step 3 needs L >= 2, step 2 reaches all cells if and only if the moves generate the group, that is, if the graph is
connected. So on three cells or more there is a tour if and only if every cell can be reached.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from heuristics.constructions.images import image_that_fits
from heuristics.method import Method
from kt_models.board import IntArray
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.tour import Tour

Vectors = npt.NDArray[np.int64]


def torus(problem: Problem, *, limits: Limits = NO_LIMITS) -> Result:
    """The tour of a torus by lines; an open tour is a part of the closed one.

    Parameters
    ----------
    problem
        Of any leaper on a full torus. Required and forbidden moves and a second given end are met only if an image of
        the tour under a symmetry of the torus happens to meet them.
    limits
        The seed decides which image is tried first; 0 is the tour itself.

    Returns
    -------
    Result
        Statistics: the number of `lines` and their `length`. Exhausted if not every cell can be reached.

    Raises
    ------
    KTError
        If the board is not a full torus.
    """
    board, moves = problem.graph.board, problem.graph.moves
    if board is None or moves is None or board.mask is not None or not all(board.wraps):
        raise KTError(f"method torus is for full tori (torus:8x8), not for {problem.graph.name}")
    if limits.over:
        return Result(problem, "unknown")
    grid = torus_grid(board.shape, moves)
    if grid is None:
        return Result(problem, "infeasible")
    count: dict[str, int | float] = {"lines": len(grid), "length": grid.shape[1]}
    tour = Tour(problem.graph, grid_order(grid), True)
    return image_that_fits(problem, tour, limits, count)


def torus_grid(shape: tuple[int, ...], moves: Vectors) -> IntArray | None:
    """The cells of a torus as lines and places on them, shape (lines, length); None if not all can be reached.

    Neighbouring entries in either direction, and the first and last place of a line, are a move apart.

    Parameters
    ----------
    shape
        The periods.
    moves
        Half of the displacements, shape (k, dimension).
    """
    sides, cells = np.array(shape, dtype=np.int64), math.prod(shape)
    periods = [
        math.lcm(*(side // math.gcd(side, step) for side, step in zip(shape, move, strict=True)))
        for move in moves.tolist()
    ]
    length = max(periods)
    if length == 1:
        return None
    line = np.arange(length)[:, None] * moves[periods.index(length)]

    def numbers(row: Vectors) -> IntArray:
        places = (row[:, None] + line).reshape(-1, len(shape)) % sides
        return np.ravel_multi_index(tuple(places.T), shape).reshape(len(row), length).astype(np.int32)

    row = np.zeros((1, len(shape)), dtype=np.int64)
    covered = np.zeros(cells, dtype=bool)
    covered[numbers(row)] = True
    for move, period in zip(moves, periods, strict=True):
        if len(row) * length == cells:
            break
        multiples = np.arange(1, period + 1)[:, None] * move % sides
        times = 1 + int(np.argmax(covered[np.ravel_multi_index(tuple(multiples.T), shape)]))
        if times > 1:
            row = np.concatenate([(row[::-1] if j % 2 else row) + j * move for j in range(times)]) % sides
            covered[numbers(row)] = True
    return numbers(row) if len(row) * length == cells else None


def grid_order(grid: IntArray) -> IntArray:
    """The closed tour of a grid: up place 1 of all lines, back through the others to and fro."""
    back = np.concatenate([grid[::-1, 2:], grid[::-1, :1]], axis=1)
    back[1::2] = back[1::2, ::-1].copy()
    return np.concatenate([grid[:, 1], back.reshape(-1)])


METHOD = Method(
    torus, "Tori of any size and dimension, any leaper, line by line, without a search; linear.", constructs=True
)
