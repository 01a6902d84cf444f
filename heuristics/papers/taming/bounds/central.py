"""Turns away from the edge, forced by a column through the middle of the board.

Besa et al. (2022, Appendix A) get 4.25n - O(1) turns so. Call a cell *forced* if it has no straight pair of moves
(`edge`: the edge of the board and four cells more). Take a cell c that is not forced, and for each direction d of the
leaper the line through c along d, in both directions up to the first forced cell or to where it leaves the board. If
on no such line there is a forced cell on both sides, c is *red*. The maximal straight run of the tour through a red c
then has a turn that is not forced: c itself if it turns there, otherwise one end of the run, as an end that is forced
lies on the line, and not both sides have one. Red cells of one column are never on one line (every move of a leaper
with a >= 1 leaves its column), so a run is charged by one of them at most, and a turn, which ends two runs, by two.
With r red cells in a column there are ceil(r/2) turns besides the forced ones. The same goes for a row.

On an n x n board, n even, about n/2 cells of a central column are red, as the paper says: between the rows n/4 and 3n/4
each line reaches two opposite edges, and of the two cells where it does so one is not on the edge, since n is even.
Here the red cells are counted on the board at hand, one by one, which gives the constant and covers odd sides (odd
columns do), rectangles, holes and other leapers.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from heuristics.papers.taming.bounds.edge import count_in_box, expect_plane, forced_turns, path_ends, plain_box
from kt_models.board import BoolArray, shifted
from kt_models.errors import KTError
from kt_models.leaper import Leaper
from kt_models.problem import Problem

Coordinates = npt.NDArray[np.int64]


def bound(problem: Problem) -> int:
    """Fewest turns: the forced ones and half the red cells of a column (Besa et al. 2022, Appendix A).

    Holds for leapers with a >= 1 on boards in the plane that are not periodic, with holes or without, and for every
    connectivity: a run may then end at an end of a path, which is no turn, so each of these takes one off. On a
    rectangle with all its cells and moves the four middle columns and rows are tried, otherwise all of them.

    Raises
    ------
    KTError
        If the problem is none of these.
    """
    expect_plane(problem, "central", "turns", knight=False)
    board, leaper = problem.graph.board, problem.graph.leaper
    assert board is not None and leaper is not None
    if leaper.a == 0:
        raise KTError(f"central: the {leaper} leaper can stay in its column, so the argument does not apply")
    if plain_box(problem):
        breaks = breaks_in_box(board.shape, leaper)
    else:
        forced = forced_turns(problem)
        red = red_cells(problem, forced)
        breaks = int(np.count_nonzero(forced)) + (max(*red.sum(axis=0).tolist(), *red.sum(axis=1).tolist()) + 1) // 2
    return max(0, breaks - path_ends(problem))


def breaks_in_box(shape: tuple[int, ...], leaper: Leaper) -> int:
    """The bound for a closed tour of a rectangle without holes, from two to four columns and as many rows."""
    reds = [0]
    for axis, (side, length) in enumerate((shape, shape[::-1])):
        for middle in range(max(0, side // 2 - 2), min(side, side // 2 + 2)):
            along = np.arange(length, dtype=np.int64)
            fixed = np.full(length, middle, dtype=np.int64)
            cells = np.stack([fixed, along] if axis == 0 else [along, fixed], axis=1)
            reds.append(int(np.count_nonzero(_red_in_box(cells, shape, leaper))))
    return count_in_box(shape, leaper) + (max(reds) + 1) // 2


def _red_in_box(cells: Coordinates, shape: tuple[int, ...], leaper: Leaper) -> BoolArray:
    """The red cells of a rectangle, shape (m, 2): a line is forced at its two last cells or nowhere."""
    red = ~_forced_in_box(cells, shape, leaper)
    for move in leaper.half_moves(2):
        red &= ~(
            _forced_in_box(_last(cells, move, shape), shape, leaper)
            & _forced_in_box(_last(cells, -move, shape), shape, leaper)
        )
    return red


def _last(cells: Coordinates, move: npt.NDArray[np.int64], shape: tuple[int, ...]) -> Coordinates:
    """The last cell of the rectangle that each cell reaches by a move (neither of whose coordinates is 0)."""
    room = np.where(move > 0, np.array(shape) - 1 - cells, cells)
    steps: Coordinates = (room // np.abs(move)).min(axis=1)
    return cells + steps[:, None] * move


def _forced_in_box(cells: Coordinates, shape: tuple[int, ...], leaper: Leaper) -> BoolArray:
    """The cells of a rectangle without a straight pair, shape (m,)."""
    depth = np.minimum(cells, np.array(shape) - 1 - cells)
    return ~((depth.max(axis=1) >= leaper.b) & (depth.min(axis=1) >= leaper.a))


def red_cells(problem: Problem, forced: BoolArray) -> BoolArray:
    """The red cells of the box, shape `board.shape`, on any board in the plane and with any forced cells."""
    graph = problem.graph
    board, moves = graph.geometry
    on_board = board.grid >= 0
    stops = np.zeros(board.shape, dtype=bool)
    stops[on_board] = forced
    red = on_board & ~stops
    for move in moves.tolist():
        ahead, behind = (_meets(stops, on_board, [sign * c for c in move]) for sign in (1, -1))
        red &= ~(ahead & behind)
    return red


def _meets(stops: BoolArray, on_board: BoolArray, move: list[int]) -> BoolArray:
    """The cells from which the line along a move reaches a stop before it leaves the board."""
    reached, whole, steps = (
        stops,
        on_board,
        1,
    )  # A stop among the first `steps` cells of the line, all of which are on the board.
    while steps < max(on_board.shape):
        far = [steps * c for c in move]
        reached = reached | (whole & shifted(reached, far, (False, False), False))
        whole = whole & shifted(whole, far, (False, False), False)
        steps *= 2
    return reached
