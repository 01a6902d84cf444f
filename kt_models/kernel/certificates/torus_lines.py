"""Torus lines: a tour of a torus with t turns has t straight lines, and the check tries all ways to join fewer.

A *line* is a repeated move, and the tour turns where one line ends and the next begins. On a torus all cells are
equivalent, and every axis may be reversed. So we may assume that the longest line of a tour begins at cell 0 and makes
a move with no negative coordinate. The check tries all lines that can follow and are no longer, as long as they meet no
cell again and the remaining lines can still cover the other cells. A tour without a turn repeats one move, and no tour
has exactly one turn.

The data is `at_least`, the bound: there is no tour with fewer turns. Required and forbidden moves and a symmetry are
ignored, because they only exclude tours.
"""

from __future__ import annotations

from math import gcd, lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.board import Board
from kt_models.errors import CertificateError, TooLarge
from kt_models.graph import MAX_EDGES
from kt_models.jit import kernel
from kt_models.json_values import integer
from kt_models.kernel.certificates.integers import Ints
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem

MOVES_PER_CALL = 20_000_000
"""Moves between two checks of the clock, which take some tenths of a second."""
NONE, FOUND, GOING_ON = 0, 1, 2
LINE, CELLS = 0, 1
"""Places of the number of the current line, from 1, and of the number of cells visited so far."""


def applies(problem: Problem) -> bool:
    """Whether a problem is about the turns of closed tours of a whole torus."""
    board = problem.graph.board
    return (
        problem.closed
        and problem.objective == "turns"
        and board is not None
        and board.mask is None
        and all(board.wraps)
        and board.n > 2
    )


def bound(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> int:
    """The bound `at_least` of the data, if no closed tour has fewer turns.

    Raises
    ------
    CertificateError
        If the data are wrong, the problem is another one, or such a tour exists.
    TooLarge
        If the torus has too many moves.
    Stopped
        If a limit is reached.
    """
    if "at_least" not in data:
        raise CertificateError("'at_least' is missing")
    n = problem.graph.n
    at_least = integer(data["at_least"], "'at_least'", 0, n)
    if not applies(problem):
        raise CertificateError(
            "straight: this method needs the turns of closed tours of a torus of at least three cells"
        )
    board, half = problem.graph.geometry
    moves = np.concatenate([half, -half])
    moves = moves[(moves % board.shape).any(axis=1)]  # A whole period leads back to the same cell
    # A line cannot be longer than its move's order minus one
    orders = [_order(board, move) for move in moves.tolist()]
    if at_least > 0 and n in orders:
        raise CertificateError("straight: one move, repeated, is a closed tour without a turn")
    if n * len(moves) > MAX_EDGES:
        raise TooLarge(f"straight: over the limit of {MAX_EDGES:,} moves from all cells")
    heads = _heads(board, moves)
    firsts = np.flatnonzero((moves >= 0).all(axis=1)).tolist()
    for lines in range(2, at_least):
        limits.check()
        for first in firsts:
            # The longest of t lines has at least n / t moves
            for longest in range(-(-n // lines), min(n, orders[first])):
                if _is_tour(heads, first, longest, lines, limits):
                    raise CertificateError(f"straight: there is a closed tour with {lines} turns")
    return at_least


def _heads(board: Board, moves: Ints) -> Ints:
    """Target of each move from each cell, shape (n, moves)."""
    heads = np.empty((board.n, len(moves)), dtype=np.int64)
    for k, move in enumerate(moves):
        heads[:, k] = board.numbers((board.cells + move) % board.shape)
    return heads


def _order(board: Board, move: list[int]) -> int:
    """Number of repetitions after which a move is back at its start."""
    return lcm(*(side // gcd(side, c) for side, c in zip(board.shape, move, strict=True)))


def _is_tour(heads: Ints, first: int, longest: int, lines: int, limits: Limits) -> bool:
    """Whether a closed tour consists of `lines` lines, the first of which has the greatest length."""
    n = len(heads)
    seen, trail = np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.int64)
    moves, lengths = np.zeros((2, lines + 1), dtype=np.int64)
    for k in range(longest):
        trail[k + 1] = heads[trail[k], first]
    seen[trail[: longest + 1]] = True
    moves[1], moves[2] = first, -1
    # An array, so that the compiled loop can return its position and continue later
    place = np.array([2, longest + 1], dtype=np.int64)
    status = GOING_ON
    while status == GOING_ON:
        limits.check()
        status = _follow(heads, seen, trail, moves, lengths, place, longest, MOVES_PER_CALL)
    return bool(status == FOUND)


@kernel(
    "int64(int64[:, ::1], boolean[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64, int64)", counts=False
)
def _follow(
    heads: Ints, seen: npt.NDArray[np.bool_], trail: Ints, moves: Ints, lengths: Ints, place: Ints, longest: int,
    times: int,
) -> int:  # fmt: skip
    """Follow all ways to make the lines from the second on, for a limited number of steps.

    Parameters
    ----------
    trail
        The cells visited, in order.
    moves, lengths
        For each line, from number 1: its move (-1: none tried yet), and how often the move was made.
    place
        `LINE` and `CELLS`.
    """
    n, kinds, lines = len(heads), heads.shape[1], len(moves) - 1
    k, cells = place[LINE], place[CELLS]
    for _ in range(times):
        if moves[k] >= 0 and lengths[k] < longest:
            cell = heads[trail[cells - 1], moves[k]]
            if cell == 0 and cells == n and k == lines and moves[k] != moves[1]:
                return FOUND
            if not seen[cell]:
                seen[cell] = True
                trail[cells] = cell
                cells += 1
                lengths[k] += 1
                left = n - cells + 1  # Moves still to be made, including the closing one
                if lines - k <= left <= (lines - k) * longest:
                    k += 1
                    moves[k] = -1
                continue
        while lengths[k] > 0:  # Undo the line, move by move
            cells -= 1
            lengths[k] -= 1
            seen[trail[cells]] = False
        moves[k] += 1
        if moves[k] == moves[k - 1]:
            moves[k] += 1
        if moves[k] >= kinds:
            k -= 1
            if k == 1:
                return NONE
    place[LINE], place[CELLS] = k, cells
    return GOING_ON
