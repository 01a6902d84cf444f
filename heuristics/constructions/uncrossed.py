"""Closed tours of a torus in the plane that do not cross themselves, by formula, wherever knights have one.

Cut the unrolled torus along parallel lines: the multiples of a short vector s, (0, 1), (1, 0), (1, 1) or (1, -1), added
to each cell. A move u with det(s, u) = 1 leads from each line to the next. A leaper has at most two such moves; all
cells of a line make the same one. Between two lines all moves are then parallel, and no two moves cross. After one pass
through all lines, the tour is shifted along its line by a total that depends only on how many lines make the first of
the two moves. It is a closed tour exactly if the multiples of this total are the whole line.

For the knight there are no others
----------------------------------
Take any choice of moves of a torus, two at each cell, without crossings. Unroll it into the plane.

1. An innermost closed cycle in the plane would have no cell inside, so it could be cut into triangles of area 1/2 whose
   corners are its cells. Two of these would be *ears*, with two moves of the cycle as sides. But the area between two
   moves of a knight is 0, 3/2, 2 or 5/2. So all paths are infinite in the plane, side by side, and no cell lies
   between two neighbours. On the torus they are disjoint curves around it. So they are parallel and periodic. Direct
   them alike.
2. The strip between two neighbouring paths can be cut into triangles of area 1/2 as well. A side between two cells of
   one path would cut off a polygon with an ear. So there are no ears, and each triangle has one move as its base and
   its apex on the other path. On one side of a cell p, let the bases be e (the move to p), then moves of the other
   path, then e' (the move from p), with the sides f0, f1, ... between them. Bases b and b' that follow each other have
   a side f in common, with det(b, f) = det(b', f) = +-1. So if b and b' differ, b - b' is a multiple of f, namely
   +-det(b, b') times f. This happens only for f = (+-1, 0), (0, +-1), (+-1, +-1), where b and b' are the two moves of
   the construction. Two such changes at one side of p would need angles of at least 450 degrees in all. So if the
   path turns at p, there is one change on each side, at p + f and p - f, and both have the same bases. Then the paths
   through p + f and p - f also turn there, with the same two moves, and so on. This is a line of turns with the
   direction f.
3. Two lines of turns with different directions meet in a cell, which would have to turn in two ways. Or they have the
   directions (1, 1) and (1, -1) and meet between four cells, and then moves there cross. So all lines of turns are
   parallel. From one line to the next all moves are the same, and one turn in a line makes all its cells turn. This
   is the construction.
"""

from __future__ import annotations

import math

import numpy as np

from heuristics.constructions.images import image_that_fits
from heuristics.method import Method
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.tour import Tour

LINES = ((0, 1), (1, 0), (1, 1), (1, -1))
"""The vectors s along lines of cells."""


def uncrossed(problem: Problem, *, limits: Limits = NO_LIMITS) -> Result:
    """A closed tour of a torus without a crossing.

    Parameters
    ----------
    problem
        Of any leaper on a full torus in the plane. Required and forbidden moves are met only if an image of the tour
        under a symmetry of the torus happens to meet them.
    limits
        The seed decides which image is tried first.

    Returns
    -------
    Result
        Statistics: the number of `lines` and their `length`. Unknown if there is no such tour.

    Raises
    ------
    KTError
        If the board is not a full torus in the plane.
    """
    board, moves = problem.graph.board, problem.graph.moves
    if board is None or moves is None or board.mask is not None or not all(board.wraps) or board.dimension != 2:
        raise KTError(f"method uncrossed is for full tori in the plane (torus:8x8), not for {problem.graph.name}")
    shape = (board.shape[0], board.shape[1])
    line = lines_of(shape, np.concatenate([moves, -moves]).tolist())
    if line is None:
        return Result(problem, "unknown")
    row, total = line
    length = board.n // len(row)
    starts = np.concatenate([[[0, 0]], np.cumsum(row, axis=0)[:-1]])
    cells = (starts + np.arange(length)[:, None, None] * total).reshape(-1, 2) % shape
    tour = Tour(problem.graph, board.numbers(cells), True, np.tile(row, (length, 1)))
    return image_that_fits(problem, tour, limits, {"lines": len(row), "length": length})


def lines_of(
    shape: tuple[int, int], moves: list[list[int]]
) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.int64]], list[int]] | None:
    """The move that each line makes, shape (lines, 2), and the total shift; None if there is no such tour.

    Parameters
    ----------
    shape
        The periods.
    moves
        All displacements.
    """
    for x, y in sorted(LINES, key=lambda line: order(shape, line)):  # Short lines make few turns.
        across = [move for move in moves if x * move[1] - y * move[0] == 1]
        if not across:
            continue
        length = order(shape, (x, y))
        lines = math.prod(shape) // length
        (a, b), (c, d) = across[0], across[-1]
        for first in range(lines, -1, -1):
            total = [first * a + (lines - first) * c, first * b + (lines - first) * d]
            if order(shape, total) == length:
                return np.repeat(np.array([[a, b], [c, d]], dtype=np.int64), [first, lines - first], axis=0), total
    return None


def order(shape: tuple[int, ...], vector: tuple[int, ...] | list[int]) -> int:
    """The number of repetitions after which a vector leads back to its start."""
    return math.lcm(*(side // math.gcd(side, c) for side, c in zip(shape, vector, strict=True)))


METHOD = Method(
    uncrossed,
    "Tori in the plane: closed tours without crossings, by formula.",
    connectivities=("cycle",),
    near_optimal=True,
    constructs=True,
)
