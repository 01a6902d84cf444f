"""Crossings along the four sides: 4n - O(1) of them.

Besa et al. (2022), Theorem 9. A move from an edge cell leaves the edge in one of four directions, and each edge cell
has two such moves: 6 choices. Moves from two edge cells more than three apart do not cross, so the crossings among the
moves of one side are those within *triplets* of consecutive cells and those between one triplet and the next. The
digraph of the 6^3 = 216 choices in a triplet, an arc for each next triplet, weighs a choice and an arc by their
crossings; its least mean cycle, by Karp (1978), is 3 per triplet (`crossings_per_triplet`): one crossing to an edge
cell, 4n to a board.

The bound for a given board is the least-weight walk along the whole of each side, not the mean times the length. It
is found cell by cell (the last three choices are the state), so that no cell is left over where a side is not a
multiple of three, with the moves that each cell really has: fewer near corners, at holes, and where moves are
forbidden or required. To count nothing twice:

- A crossing on a side is one of two moves that both have an end on that side. It belongs to two adjacent sides if both
  moves have an end on each, such as a1-b3 and a2-c1 at the corner a1. Each corner is given to one of its two sides;
  the other leaves such crossings out. All 16 ways of giving them are tried, and the best is kept.
- On boards at most three cells deep a move can join opposite sides: the right and the upper side leave out the
  crossings of two such moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby, product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from heuristics.papers.taming.bounds.edge import expect_plane, plain_box
from kt_models.board import BoolArray
from kt_models.errors import KTError
from kt_models.metrics.crossings import segments_cross
from kt_models.problem import Problem

WeightTable = npt.NDArray[np.int64]

DIRECTIONS = ((-2, 1), (-1, 2), (1, 2), (2, 1))
"""Moves from an edge cell: along the side, and away from it."""
MAX_CROSSING_DISTANCE = 3
"""Cells farther apart than this have no crossing moves; those four apart meet in a cell at most."""
INFINITE = 1 << 60

_CHOICES = np.array([[choice >> d & 1 for d in range(4)] for choice in range(16)], dtype=np.int64)
"""The directions of each choice of moves, a number of four bits."""
_CROSS = np.array(
    [
        [[segments_cross(d, e, (gap, 0)) for e in DIRECTIONS] for d in DIRECTIONS]
        for gap in range(1, MAX_CROSSING_DISTANCE + 1)
    ]
)
"""Whether direction d of a cell crosses direction e of the cell `gap` further on, shape (3, 4, 4)."""


class EdgeCell(NamedTuple):
    """The choices of an edge cell: its available and required directions (bits), and its number of moves."""

    available: int
    required: int
    degree: int


def bound(problem: Problem) -> int:
    """Fewest crossings among the moves of the edge cells (Besa et al. 2022, Theorem 9, as the least-weight walk).

    This holds for the knight on boards in the plane that are not periodic. The sides are those of the bounding box, and
    holes are cells without moves. It holds for every connectivity: a terminal has one move, and each free end of a path
    may save a move where that is worth most (on two sides, as it may be in a corner).

    Raises
    ------
    KTError
        If the problem is none of these, or an edge cell has too few moves for a tour.
    """
    expect_plane(problem, "triplet", "crossings", knight=True)
    if problem.graph.n <= 2:
        return 0
    board, _ = problem.graph.geometry
    width, height = board.shape
    if plain_box(problem):
        upright, level = box_side(height, width), box_side(width, height)
        return of_sides((upright, upright, level, level), width, height, problem.free_ends)
    return of_sides(_sides_of(problem), width, height, problem.free_ends)


def of_sides(sides: Sequence[tuple[EdgeCell, ...]], width: int, height: int, free_ends: int = 0) -> int:
    """The bound from the cells of the left and right side (bottom to top), the lower and upper side (left to right)."""
    best = -1
    for to_upright in product((False, True), repeat=4):  # Corners: lower left, upper left, lower right, upper right.
        lower_left, upper_left, lower_right, upper_right = to_upright
        least = (
            side_minimum(sides[0], width, not lower_left, not upper_left, False, free_ends),
            side_minimum(sides[1], width, not lower_right, not upper_right, True, free_ends),
            side_minimum(sides[2], height, lower_left, lower_right, False, free_ends),
            side_minimum(sides[3], height, upper_left, upper_right, True, free_ends),
        )
        uses = (use for use in product(range(free_ends + 1), repeat=4) if sum(use) <= 2 * free_ends)
        best = max(best, min(sum(side[k] for side, k in zip(least, use, strict=True)) for use in uses))
    if best >= INFINITE // 2:
        raise KTError("triplet: the cells of the edge have too few moves: there is no tour to bound")
    return best


def box_side(length: int, depth: int) -> tuple[EdgeCell, ...]:
    """The cells of one side of a rectangle without holes."""
    return tuple(
        EdgeCell(sum(1 << k for k, (x, y) in enumerate(DIRECTIONS) if 0 <= i + x < length and y < depth), 0, 2)
        for i in range(length)
    )


def _sides_of(problem: Problem) -> tuple[tuple[EdgeCell, ...], ...]:
    graph = problem.graph
    board, moves = graph.geometry
    kinds = {tuple(move): k for k, move in enumerate(moves.tolist())}
    width, height = board.shape
    terminals = set(problem.terminals)

    def cell(place: tuple[int, int], steps: list[tuple[int, int]]) -> EdgeCell:
        vertex, *targets = board.numbers(np.array([place, *((place[0] + x, place[1] + y) for x, y in steps)])).tolist()
        if vertex < 0:
            return EdgeCell(0, 0, 0)
        available = required = 0
        for k, (step, target) in enumerate(zip(steps, targets, strict=True)):
            if target < 0:
                continue
            back = (-step[0], -step[1])
            edge = int(graph.edge_at[vertex, kinds[step]] if step in kinds else graph.edge_at[target, kinds[back]])
            available |= (edge not in problem.forbidden) << k
            required |= (edge in problem.required) << k
        return EdgeCell(available, required, 1 if vertex in terminals else 2)

    rightwards, leftwards = [(y, x) for x, y in DIRECTIONS], [(-y, x) for x, y in DIRECTIONS]
    upwards, downwards = list(DIRECTIONS), [(x, -y) for x, y in DIRECTIONS]
    return (
        tuple(cell((0, y), rightwards) for y in range(height)),
        tuple(cell((width - 1, y), leftwards) for y in range(height)),
        tuple(cell((x, 0), upwards) for x in range(width)),
        tuple(cell((x, height - 1), downwards) for x in range(width)),
    )


# -- the least-weight walk along a side -----------------------------------------------------------------------------


@lru_cache(maxsize=64)
def side_minimum(
    cells: tuple[EdgeCell, ...],
    depth: int,
    yields_first: bool,
    yields_last: bool,
    yields_opposite: bool,
    free_ends: int,
) -> tuple[int, ...]:
    """Fewest crossings among the moves of one side, by the number of ends of paths on it (from 0 to `free_ends`).

    Parameters
    ----------
    cells
        The choices of each cell of the side.
    depth
        Number of cells across.
    yields_first, yields_last, yields_opposite
        Whether to leave out crossings of two moves that both have an end on the side through the first cell, through
        the last cell, or opposite.
    """
    last = len(cells) - 1

    def ignored(i: int) -> tuple[tuple[int, ...], ...]:
        """The directions of cell i with an end on each side to which this one yields, as bits."""
        first = tuple(int(yields_first and (i == 0 or i + x == 0)) for x, _ in DIRECTIONS)
        final = tuple(int(yields_last and (i == last or i + x == last)) for x, _ in DIRECTIONS)
        return first, final, tuple(int(yields_opposite and y == depth - 1) for _, y in DIRECTIONS)

    middle = ((0,) * 4, (0,) * 4, tuple(int(yields_opposite and y == depth - 1) for _, y in DIRECTIONS))
    reach = [ignored(i) if min(i, last - i) <= 2 else middle for i in range(len(cells))]
    empty = ((0,) * 4,) * 3
    keys = (
        (cells[i], tuple(reach[i - g] if i >= g else empty for g in range(MAX_CROSSING_DISTANCE + 1)))
        for i in range(len(cells))
    )
    state = np.full((free_ends + 1, 16, 16, 16), INFINITE, dtype=np.int64)
    state[0, 0, 0, 0] = 0  # There are no moves before the first cell.
    for (cell, near), run in groupby(keys):
        state = _repeat(state, cell, near, sum(1 for _ in run))
    return tuple(int(layer.min()) for layer in state)


def _repeat(
    state: WeightTable, cell: EdgeCell, near: tuple[tuple[tuple[int, ...], ...], ...], times: int
) -> WeightTable:
    """Add the same cell again and again. Once the state returns except for a constant, arithmetic does the rest."""
    crossings = [
        _CHOICES @ (_CROSS[g - 1] & ~_both(near[g], near[0])) @ _CHOICES.T for g in range(1, MAX_CROSSING_DISTANCE + 1)
    ]
    options = [_options(cell, cell.degree), _options(cell, cell.degree - 1)]
    seen: dict[bytes, tuple[int, int]] = {}
    done = 0
    while done < times:
        low = int(state.min())
        key = np.where(state < INFINITE, state - low, INFINITE).tobytes()
        if key in seen:
            before, then = seen[key]
            rounds, period = (times - done) // (done - before), done - before
            state = np.where(state < INFINITE, state + rounds * (low - then), INFINITE)
            done += rounds * period
            seen.clear()
            if done == times:
                break
        seen[key] = (done, low)
        state = _extend(state, crossings, options)
        done += 1
    return state


def _extend(state: WeightTable, crossings: list[WeightTable], options: list[WeightTable]) -> WeightTable:
    """The least weights after one more cell; the axes of the state are the ends used and the last three choices."""
    at_one, at_two, at_three = crossings
    further = (state[..., None] + at_three[None, :, None, None, :]).min(axis=1) + at_two[None, :, None, :] + at_one
    result = further + options[0]
    if len(state) > 1:
        result[1:] = np.minimum(result[1:], further[:-1] + options[1])
    return np.minimum(result, INFINITE)


def _both(earlier: tuple[tuple[int, ...], ...], later: tuple[tuple[int, ...], ...]) -> BoolArray:
    """The pairs of directions of two cells that both reach a side yielded to, shape (4, 4)."""
    return np.any([np.outer(p, q) > 0 for p, q in zip(earlier, later, strict=True)], axis=0)


def _options(cell: EdgeCell, degree: int) -> WeightTable:
    """0 for the choices of `degree` moves that the cell allows, `INFINITE` for the others, shape (16,)."""
    allowed = [
        choice & ~cell.available == 0 and cell.required & ~choice == 0 and choice.bit_count() == degree
        for choice in range(16)
    ]
    return np.where(allowed, 0, INFINITE)
