"""`parberry`: closed tours by divide and conquer, for squares and for rectangles that are nearly square.

Parberry ("An efficient algorithm for the knight's tour problem", Discrete Applied Mathematics 73, 1997) makes tours of
n×n and n×(n+2), n even, of n×(n+1), and of odd squares without a corner, in linear time.

A tour is *structured* if at each corner it has the moves (1, 0)-(0, 2) and (2, 0)-(0, 1), counted from that corner. A
board is cut into four quadrants of nearly equal size, with an even part of each side. Each quadrant is such a board
again, down to base boards from 6×6 to 11×12, whose structured tours come with the toolkit. Where the quadrants meet,
each gives up one move, and four new moves join the ends to the next quadrant, so the four tours become one. The outer
corners stay as they were, so it is structured again. A missing corner stays an outer one.

Four tours of n×n without a corner, rotated about it, make one tour of the board of side 2n that a quarter turn maps to
itself (`heuristics.quarters`).

The paper's figure of the exchange was not available to us. This exchange was found by trying all: two opposite
quadrants give up (1, 0)-(0, 2), the other two (0, 0)-(2, 1), which every tour has, because a corner has no other moves.

The moves of a board are composed of those of its quadrants, each size once, as arrays; then the tour is walked.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from heuristics.constructions.images import image_that_fits
from heuristics.method import Method
from kt_models.board import Board, IntArray
from kt_models.cells import parse_cell
from kt_models.errors import KTError
from kt_models.jit import kernel
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.tour import Tour

_Moves = npt.NDArray[np.int8]
"""The two moves at each cell, shape (width, height, 2, 2)."""
FILE = Path(__file__).parents[1] / "gadgets" / "parberry.json"
JOIN = (((1, 0), (0, 2)), ((-1, 0), (-3, 1)), ((-2, -1), (-1, -3)), ((0, -1), (2, -2)))
"""The move that each quadrant gives up, from the cell where the cycle enters to the cell where it continues to the
next; (0, 0) is the lower left cell of the upper right quadrant."""


def parberry(problem: Problem, *, limits: Limits = NO_LIMITS) -> Result:
    """The tour by quadrants; an open tour is a part of the closed one.

    Parameters
    ----------
    problem
        Of the knight on one of the boards named above, n at least 6; with a symmetry by 90° or 180°, on a square of
        side 4k + 2, at least 14. Required and forbidden moves and a second given end are
        met only if an image of the tour under a symmetry of the board happens to meet them.
    limits
        The seed decides which image is tried first; 0 is the tour itself.

    Raises
    ------
    KTError
        If the method does not cover the board.
    """
    board = problem.graph.board
    hole = None if board is None else missing_corner(board)
    whole = board is not None and (board.is_box or hole is not None)
    if board is None or not whole or problem.graph.leaper != KNIGHT or not covers(board.shape, hole is not None):
        raise KTError(
            "method parberry is for the knight on rectangles from 6x6 on whose sides, if even, differ by 0 or 2, "
            f"or, if one is odd, by 1, and on odd squares without a corner, not for {problem.graph.name}"
        )
    if problem.symmetry and (board.shape[0] != board.shape[1] or board.shape[0] % 4 != 2 or board.shape[0] < 14):
        raise KTError(f"method parberry has symmetric tours of squares of side 4k + 2 >= 14, not of {board.text}")
    if limits.over:
        return Result(problem, "unknown")
    width, height = board.shape
    if problem.symmetry:
        from heuristics.quarters import four_quarters

        # Four copies of the tour of a quarter, rotated, are joined in the middle.
        order = four_quarters(parberry_order(width // 2, height // 2, True), width // 2)
    else:
        order = parberry_order(width, height, hole is not None)
    if hole is not None:
        # The numbers of the construction count the missing corner at (0, 0); move it to the corner that is missing.
        cells = np.stack(np.divmod(order.astype(np.int64) + 1, height), axis=1)
        order = board.numbers(np.abs(cells - hole))
    return image_that_fits(problem, Tour(problem.graph, order, True), limits)


def covers(shape: tuple[int, ...], corner: bool = False) -> bool:
    """Whether the method covers boards of this shape, complete or without a corner."""
    if len(shape) != 2 or min(shape) < 6:
        return False
    odd, apart = shape[0] % 2 + shape[1] % 2, abs(shape[0] - shape[1])
    return (odd == 2 and apart == 0) if corner else (odd == 0 and apart <= 2) or (odd == 1 and apart == 1)


def missing_corner(board: Board) -> npt.NDArray[np.int64] | None:
    """The one missing cell of a rectangle if it is a corner; otherwise None."""
    if board.mask is None or board.dimension != 2:
        return None
    holes = np.argwhere(~board.mask)
    far = np.array(board.shape) - 1
    return holes[0] if len(holes) == 1 and np.isin(holes[0] * (far - holes[0]), 0).all() else None


def parberry_order(width: int, height: int, corner: bool = False) -> IntArray:
    """The cells of the tour, by their numbers (`x * height + y`), shape (width * height,).

    Parameters
    ----------
    corner
        Whether the lower left one is missing: then the numbers are 1 less.

    Raises
    ------
    KTError
        If the board is not one of those that `covers` names.
    """
    if not covers((width, height), corner):
        raise KTError(f"board {width}x{height}: method parberry has no tour of it")
    order = np.empty(width * height - corner, dtype=np.int32)
    _walk(order, _moves((width, height, corner), {}), int(corner))
    return order - np.int32(corner)


_Size = tuple[int, int, bool]
"""Width, height, and whether the lower left corner is missing."""


def _moves(size: _Size, known: dict[_Size, _Moves]) -> _Moves:
    """The moves of the tour of a board; `known` holds those of smaller boards."""
    if size in known:
        return known[size]
    width, height, corner = size
    if size in base_tours():
        moves = _moves_of(width, height, base_tours()[size])
    elif (height, width, corner) in base_tours():
        # A board and its transpose share a tour, so half of the base boards are stored.
        moves = _moves((height, width, corner), known).transpose(1, 0, 2, 3)[..., ::-1].copy()
    else:
        # Split each side into two nearly equal parts, the first of them even.
        left, low = ((side + 1) // 4 * 2 for side in (width, height))
        if corner:
            left, low = width - left, height - low  # Each of these has the odd part of its side.
        moves = np.empty((width, height, 2, 2), dtype=np.int8)
        # Fill the quadrants from `known`, then exchange one move of each for two to its neighbours.
        for x, w in ((slice(0, left), left), (slice(left, width), width - left)):
            for y, h in ((slice(0, low), low), (slice(low, height), height - low)):
                moves[x, y] = _moves((w, h, corner and x.start == y.start == 0), known)
        for quadrant, (start, end) in enumerate(JOIN):
            _exchange(moves, (left, low), start, end, JOIN[quadrant - 1][1])
            _exchange(moves, (left, low), end, start, JOIN[(quadrant + 1) % 4][0])
    known[size] = moves
    return moves


def _exchange(
    moves: _Moves, centre: tuple[int, int], cell: tuple[int, int], old: tuple[int, int], new: tuple[int, int]
) -> None:
    """At a cell, replace the move to `old` by one to `new`; all three are counted from the centre."""
    two = moves[centre[0] + cell[0], centre[1] + cell[1]]
    given_up = (old[0] - cell[0], old[1] - cell[1])
    two[0 if tuple(two[0].tolist()) == given_up else 1] = (new[0] - cell[0], new[1] - cell[1])


def _moves_of(width: int, height: int, tour: list[tuple[int, ...]]) -> _Moves:
    """The moves of a tour given by its cells."""
    cells = np.array(tour)
    moves = np.zeros((width, height, 2, 2), dtype=np.int8)
    moves[cells[:, 0], cells[:, 1], 0] = np.roll(cells, -1, axis=0) - cells
    moves[cells[:, 0], cells[:, 1], 1] = np.roll(cells, 1, axis=0) - cells
    return moves


@cache
def base_tours() -> dict[_Size, list[tuple[int, ...]]]:
    """Structured tours of the base boards from `gadgets/parberry.json`.

    Where the lower left corner is missing, they have the move (1, 0)-(0, 2) there, and both at the opposite corner.
    """
    data = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        (entry["width"], entry["height"], "missing" in entry): [parse_cell(cell) for cell in entry["tour"].split()]
        for entry in data["boards"]
    }


@kernel("void(int32[::1], int8[:, :, :, ::1], int64)")
def _walk(order: IntArray, moves: _Moves, x: int) -> None:
    """Follow the moves from a cell of the lowest row until the array is full."""
    height = moves.shape[1]
    y, last_x, last_y = 0, 0, 0
    for step in range(len(order)):
        # Leave by the move that does not lead back.
        order[step] = x * height + y
        two = moves[x, y]
        back = two[0, 0] == -last_x and two[0, 1] == -last_y
        last_x, last_y = (two[1, 0], two[1, 1]) if back else (two[0, 0], two[0, 1])
        x += last_x
        y += last_y


METHOD = Method(
    parberry,
    "n×n, n×(n+1), n×(n+2), odd squares without a corner, by quadrants; linear (Parberry 1997).",
    symmetric=True,
    constructs=True,
)
