"""Parberry's divide and conquer: a closed tour of n×n and n×(n+2), n even, in linear time ("An efficient algorithm for
the knight's tour problem", Discrete Applied Mathematics 73, 1997).

A tour is *structured* if at each corner it has the moves (1, 0)-(0, 2) and (2, 0)-(0, 1), counted from that corner.  A
board is cut into four quadrants, as even as even sides allow; each is n×n or n×(n+2) again, down to the six base boards
6×6 to 10×12, whose structured tours come with the toolkit.  Where the quadrants meet, each gives up one move and four
new ones take the ends on to the next quadrant, so the four tours become one; the outer corners stay as they were, so
that it is structured again.

The paper's figure of the exchange did not come down to us.  This one was found by trying all: two opposite quadrants
give up (1, 0)-(0, 2), the other two (0, 0)-(2, 1), which every tour has, as a corner has no other moves.

The moves of a board are put together from those of its quadrants, each size only once, as arrays; then they are walked.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from heuristics.constructions.images import image_that_fits
from heuristics.method import Method
from kt_models.board import IntArray
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
JOIN = (((1, 0), (0, 2)), ((-1, 0), (-3, 1)), ((-2, -1), (-1, -3)), ((0, -1), (2, -2)))
"""The move that each quadrant gives up, from the cell at which the cycle comes in to that at which it goes on to the
next; (0, 0) is the lower left cell of the upper right quadrant."""


def parberry(problem: Problem, *, limits: Limits = NO_LIMITS) -> Result:
    """The tour by quadrants; an open one is the closed one cut.

    Parameters
    ----------
    problem
        Of the knight on n×n or n×(n+2), n even and at least 6.  Required and forbidden moves and a second given end are
        met only if an image of the tour under a symmetry of the board happens to meet them.
    limits
        Their seed says which image is tried first; 0 is the tour itself.

    Raises
    ------
    KTError
        If the board is another one.
    """
    board = problem.graph.board
    if board is None or not board.is_box or problem.graph.leaper != KNIGHT or not covers(board.shape):
        raise KTError(
            "method parberry is for the knight on rectangles of even sides, at least 6, that differ by 0 or 2, "
            f"not for {problem.graph.name}"
        )
    if limits.over:
        return Result(problem, "unknown")
    order = parberry_order(*board.shape)
    tour = Tour(problem.graph, order, True)
    return image_that_fits(problem, tour, limits)


def covers(shape: tuple[int, ...]) -> bool:
    """Whether a board of this shape is n×n or n×(n+2), n even and at least 6."""
    return len(shape) == 2 and all(side >= 6 and side % 2 == 0 for side in shape) and abs(shape[0] - shape[1]) <= 2


def parberry_order(width: int, height: int) -> IntArray:
    """The cells of the tour, by their numbers (`x * height + y`), shape (width * height,).

    Raises
    ------
    KTError
        If the board is not one of those that `covers` names.
    """
    if not covers((width, height)):
        raise KTError(f"board {width}x{height}: even sides are needed, at least 6, that differ by 0 or 2")
    order = np.empty(width * height, dtype=np.int32)
    _walk(order, _moves(width, height, {}))
    return order


def _moves(width: int, height: int, known: dict[tuple[int, int], _Moves]) -> _Moves:
    """The moves of the tour of a board; `known` holds those of the boards done before."""
    if (width, height) in known:
        return known[width, height]
    if (width, height) in base_tours():
        moves = _moves_of(width, height, base_tours()[width, height])
    elif (height, width) in base_tours():
        moves = _moves(height, width, known).transpose(1, 0, 2, 3)[..., ::-1].copy()
    else:
        left, low = width // 4 * 2, height // 4 * 2
        moves = np.empty((width, height, 2, 2), dtype=np.int8)
        for x, w in ((slice(0, left), left), (slice(left, width), width - left)):
            for y, h in ((slice(0, low), low), (slice(low, height), height - low)):
                moves[x, y] = _moves(w, h, known)
        for quadrant, (start, end) in enumerate(JOIN):
            _exchange(moves, (left, low), start, end, JOIN[quadrant - 1][1])
            _exchange(moves, (left, low), end, start, JOIN[(quadrant + 1) % 4][0])
    known[width, height] = moves
    return moves


def _exchange(
    moves: _Moves, centre: tuple[int, int], cell: tuple[int, int], old: tuple[int, int], new: tuple[int, int]
) -> None:
    """At a cell, put the move to `new` in place of the one to `old`; all three are counted from the centre."""
    two = moves[centre[0] + cell[0], centre[1] + cell[1]]
    given_up = (old[0] - cell[0], old[1] - cell[1])
    two[0 if tuple(two[0].tolist()) == given_up else 1] = (new[0] - cell[0], new[1] - cell[1])


def _moves_of(width: int, height: int, tour: list[tuple[int, ...]]) -> _Moves:
    """The moves of a tour given by its cells."""
    cells = np.array(tour)
    moves = np.empty((width, height, 2, 2), dtype=np.int8)
    moves[cells[:, 0], cells[:, 1], 0] = np.roll(cells, -1, axis=0) - cells
    moves[cells[:, 0], cells[:, 1], 1] = np.roll(cells, 1, axis=0) - cells
    return moves


@cache
def base_tours() -> dict[tuple[int, int], list[tuple[int, ...]]]:
    """Structured tours of the six base boards, by width and height, from `gadgets/parberry.json`."""
    data = json.loads(files("heuristics").joinpath("gadgets", "parberry.json").read_text(encoding="utf-8"))
    return {
        (entry["width"], entry["height"]): [parse_cell(cell) for cell in entry["tour"].split()]
        for entry in data["boards"]
    }


@kernel("void(int32[::1], int8[:, :, :, ::1])")
def _walk(order: IntArray, moves: _Moves) -> None:
    """Follow the moves from the lower left corner until the array is full."""
    height = moves.shape[1]
    x, y, last_x, last_y = 0, 0, 0, 0
    for step in range(len(order)):
        order[step] = x * height + y
        two = moves[x, y]
        back = two[0, 0] == -last_x and two[0, 1] == -last_y
        last_x, last_y = (two[1, 0], two[1, 1]) if back else (two[0, 0], two[0, 1])
        x += last_x
        y += last_y


METHOD = Method(parberry, "n×n and n×(n+2), n even, by quadrants, no search, linear (Parberry 1997).")
