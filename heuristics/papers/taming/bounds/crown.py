"""Turns away from the edge, forced by crowns: (6 - epsilon) n turns, including those at the edge.

Besa et al. (2022), Theorem 8. Every edge cell is a turn, and so the end of two straight runs, its *legs*. From a
cell of the left edge a leg goes in one of the directions D1 = (1, 2), D2 = (2, 1), D3 = (2, -1), D4 = (1, -2). Let m
edge cells in a row, from b up to a, be given. Their *crown* is the union of three triangles on the base ab: between
the rays D2 of a and D1 of b, D3 of a and D2 of b, D4 of a and D3 of b. Each ray from the base is in the crown up to
some point and outside beyond. An edge cell of the base is *clean* if both its legs end outside the crown.

Lemma 5. A cell that is not clean has a leg that ends in the crown, at a turn off the edge; a turn ends two runs. So
    with at most K clean cells there are ceil((m - K) / 2) turns in the crown off the edge.
Lemma 6. The leg D_i of a cell and the leg D_j, i < j, of the cell g above it pass a common cell, inside the crown, if
    g is a multiple of `MODULUS[i, j]`. If both ended outside the crown, that cell would have four moves. So no two
    clean cells have such legs. (In the paper's proof, "the leg of b along D1" should be the leg of d.)  The paper gets
    K = 122 from that. But clean cells with the same two legs D_i and D_j differ modulo `MODULUS[i, j]`, so K <= 3 + 5
    + 4 + 2 + 5 + 3 = 22 at once; and the most clean cells, whatever m is, are K = `MAX_CLEAN_CELLS` = 16, by an
    exhaustive search over what clean cells forbid those below (`heuristics.papers.taming.lemmas.most_clean_cells`).
Lemma 7. Disjoint crowns have different turns. Four sectors, one to a side, are cut out by the lines at 45 degrees
    from the corners (and the middle lines of the board, if it is oblong). In each, crowns are placed as the paper
    does, the largest that fits into each gap, here in integers, or one shorter by a few cells if that gains more
    (`crowns`). A gap is filled as long as that gains a turn: this is the best number of iterations, the one free
    parameter of the paper.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

import numpy as np

from heuristics.papers.taming.bounds.edge import count_in_box, expect_plane, forced_turns, path_ends, plain_box
from kt_models.leaper import KNIGHT
from kt_models.problem import Problem

MODULUS = {(1, 2): 3, (1, 3): 5, (1, 4): 4, (2, 3): 2, (2, 4): 5, (3, 4): 3}
"""The multiples at which the leg D_i of a cell and the leg D_j of a cell above it meet at a cell."""
MAX_CLEAN_CELLS = 16
"""Most clean cells of a crown of any size, as `most_clean_cells` of `heuristics.papers.taming.lemmas` finds."""
MAX_TRIED = 6
"""Most lengths and positions of a crown that are tried in a gap."""


def bound(problem: Problem) -> int:
    """Fewest turns by crowns (Besa et al. 2022, Lemmas 5 to 7 and Theorem 8, with the constant for this board).

    This holds for the knight on boards in the plane that are not periodic. Holes only remove cells from a base. They
    end legs earlier, which makes no cell clean. It holds for every connectivity: each end of a path may be one of the
    counted ends of legs, and an edge cell with one leg may be clean as well, so each end takes two off. The bound is
    never below the count of `edge` less twice the number of ends of paths.

    Raises
    ------
    KTError
        If the problem is none of these.
    """
    expect_plane(problem, "crown", "turns", knight=True)
    board, _ = problem.graph.geometry
    width, height = board.shape
    if plain_box(problem):
        return max(0, breaks_in_box(width, height) - 2 * path_ends(problem))
    forced = np.zeros(board.shape, dtype=bool)
    forced[board.grid >= 0] = forced_turns(problem)
    breaks = int(np.count_nonzero(forced[_outside_sectors(width, height)]))
    on_board = board.grid >= 0
    sides = ((on_board[0], width), (on_board[-1], width), (on_board[:, 0], height), (on_board[:, -1], height))
    for side, depth in sides:
        # Holes shorten the base, so count the cells that are there.
        breaks += sum(_gain(int(side[low : high + 1].sum())) for low, high in crowns(len(side), depth))
    return max(0, max(breaks, int(np.count_nonzero(forced))) - 2 * path_ends(problem))


def breaks_in_box(width: int, height: int) -> int:
    """The bound for a closed tour of a rectangle without holes.

    The cells without a straight pair are counted in full. Those off the edge, b2 and its images, are on the diagonals,
    and so in no crown; a board so narrow that there are others has no crowns.
    """
    added = sum(
        2 * sum(_gain(high - low + 1) for low, high in crowns(side, depth))
        for side, depth in ((height, width), (width, height))
    )
    return count_in_box((width, height), KNIGHT) + added


def crowns(side: int, depth: int) -> list[tuple[int, int]]:
    """Bases of disjoint crowns along one side of a rectangle: the first and the last cell of each, in order.

    Let L be the length of a base (last - first). Its crown reaches L into the board, and L/3 beyond either end of the
    base at the distance 2L/3 from the edge. It stays

    - off the 45 degree line from a corner, if the base keeps more than L from the corner;
    - off the middle of the board, if 2 L < depth - 1;
    - off a crown on the same side, if the shorter of the two bases, L', keeps more than 2L'/3 from the other base.

    The last condition holds for a new crown and all earlier ones, because it is no longer than the two next to it, in
    whichever gap it is, and farther from all others.

    Parameters
    ----------
    side, depth
        Number of cells along this side, and across.
    """
    places = []
    # A stack of gaps; each crown leaves one on either side.
    gaps = [(0, side - 1, True, True, (depth - 2) // 2)]
    while gaps:
        start, end, start_corner, end_corner, cap = gaps.pop()
        gain, length, margin = _best(end - start, start_corner, end_corner, cap)
        if gain > 0:
            low, high = start + margin, start + margin + length
            places.append((low, high))
            gaps += [(start, low, start_corner, False, length), (high, end, False, end_corner, length)]
    return sorted(places)


@lru_cache(maxsize=200_000)
def _best(gap: int, start_corner: bool, end_corner: bool, cap: int) -> tuple[int, int, int]:
    """Most turns of the crowns in a gap, and the largest crown: its length, and its distance from the start of the gap.

    A gap lies between two positions, each a corner or the end of a base; no base may be longer than `cap`. The longest
    base that fits and some slightly shorter ones are tried, each at a few positions. If `cap` leaves room for a chain
    of bases, the middle one of the chain is placed first, which keeps the recursion shallow.
    """
    longest = min(cap, _longest(gap, start_corner, end_corner))
    best = (0, 0, 0)
    # A base of fewer cells than may be clean gains nothing.
    for length in range(longest, max(longest - MAX_TRIED, MAX_CLEAN_CELLS - 1), -1):
        least, pitch = _margin(length, start_corner), length + _margin(length, False)
        # `pitch` is the length of a base with the distance to the next, so `more` further bases fit.
        more, rest = divmod(gap - least - length - _margin(length, end_corner), pitch)
        for shift in range(1 if more else min(rest, MAX_TRIED) + 1):
            margin = least + more // 2 * pitch + shift
            gain = _gain(length + 1)
            for part, first, second in ((margin, start_corner, False), (gap - margin - length, False, end_corner)):
                gain += _best(part, first, second, min(length, _longest(part, first, second)))[0]
            best = max(best, (gain, length, margin))
        if more:
            break
    return best


def _margin(length: int, corner: bool) -> int:
    """Least distance of a base of this length from a corner, or from a base no shorter."""
    return length + 1 if corner else 2 * length // 3 + 1


def _longest(gap: int, start_corner: bool, end_corner: bool) -> int:
    """The longest base that fits into a gap; -1 if none does."""

    def needed(length: int) -> int:
        return _margin(length, start_corner) + length + _margin(length, end_corner)

    return bisect_right(range(gap + 1), gap, key=needed) - 1


def _gain(cells: int) -> int:
    """Turns off the edge in a crown whose base has this many cells (Lemma 5)."""
    return max(0, cells - MAX_CLEAN_CELLS + 1) // 2


def _outside_sectors(width: int, height: int) -> tuple[np.ndarray, ...]:
    """Coordinates of the cells outside all crowns, bases apart: on the edge, on the 45 degree lines, in the middle."""
    across = np.minimum(np.arange(width), np.arange(width)[::-1])[:, None]
    up = np.minimum(np.arange(height), np.arange(height)[::-1])[None, :]
    sectors = ((across < up) & (2 * across < width - 1)) | ((up < across) & (2 * up < height - 1))
    return np.nonzero(~sectors | (across == 0) | (up == 0))
