"""Simulated annealing of the four sides of a board, until all lines form one cycle.

All walks between two nodes have the same number of turns. So pieces of the four walks are drawn again at random. A new
piece is kept if it leaves no more cycles, or else with a probability that falls (simulated annealing). To count the
cycles only the margins are followed step by step; lines are jumped along.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from heuristics.compiled_helpers import below, random_state
from heuristics.constructions.strands.walk import FIRST, FOLLOW, STEPS
from heuristics.searches.sides.data import CORNER_SIDE, SIDE_ROWS, CornerEnds, Rectangle
from heuristics.searches.sides.views import QUARTER, quarter_turns, view
from kt_models.jit import kernel
from kt_models.kernel.certificates.integers import Ints
from theorems.growing_tours.codes import PAIRS, Codes

MAX_PIECE_STEPS = 24
"""Most steps of a piece: a long piece changes more, a short one is kept more often."""
FIRST_TEMPERATURE, LAST_TEMPERATURE = 1.0, 0.05
"""The first and the last temperature, in cycles."""


class SideArrays(NamedTuple):
    """The four sides, each as the bottom of its own view of the board.

    `cells` has the numbers of a side's cells, shape (4, columns, rows); `columns` the codes of the moves of a column by
    node and arrow of the graph of patterns; `walks` the node before each column; `lengths` the number of columns.
    """

    cells: Ints
    columns: Codes
    walks: Ints
    lengths: Ints


class LineArrays(NamedTuple):
    """Tables to follow lines: the onward move by code and move, the steps of moves, the first move of a code, marks."""

    follow: npt.NDArray[np.int8]
    steps: Ints
    first: Ints
    seen: Ints


SIDES = "NamedTuple((int64[:, :, ::1], uint8[:, :, :, ::1], int64[:, ::1], int64[::1]), SideArrays)"
LINES = "NamedTuple((int8[:, ::1], int64[:, ::1], int64[::1], int64[:, ::1]), LineArrays)"


def annealed(board: Rectangle, ends: CornerEnds, pieces: int, rng: np.random.Generator) -> tuple[int, Codes]:
    """The number of cycles after some pieces, and the moves at the cells of the board."""
    data, shape = board.data, board.lines.shape
    # Sides 0 and 2 are horizontal, 1 and 3 vertical.
    lengths = np.array([shape[k % 2] - 2 * CORNER_SIDE for k in range(4)])
    walks = np.zeros((4, lengths.max() + 1), dtype=np.int64)
    cells = np.zeros((4, lengths.max(), SIDE_ROWS), dtype=np.int64)
    columns = np.zeros((4, *data.columns.shape), dtype=np.uint8)
    codes, numbers, back = board.lines.copy(), np.arange(board.lines.size).reshape(shape), np.arange(len(PAIRS))
    # Each side is handled in a view in which it lies at the bottom; views and the moves in them turn by quarter turns.
    for k in range(4):
        codes = view(codes, k)
        codes[:CORNER_SIDE, :CORNER_SIDE] = data.corners[ends[k]][1]
        codes = view(codes, -k)
        cells[k, : lengths[k]] = quarter_turns(numbers, k)[CORNER_SIDE:-CORNER_SIDE, :SIDE_ROWS]
        columns[k] = back[data.columns]
        # `back` translates codes of the view into codes of the board.
        back = np.argsort(QUARTER)[back]
        # The walk along a side begins and ends at the nodes that its two corners fix.
        walks[k, 0], walks[k, lengths[k]] = ends[k][1], ends[(k + 1) % 4][0]
    state, seen = random_state(rng), np.zeros(shape, dtype=np.int64)
    sides, lines = SideArrays(cells, columns, walks, lengths), LineArrays(FOLLOW, STEPS, FIRST, seen)
    left = _anneal(codes, sides, data.after, lines, state, np.int64(pieces))
    return int(left), codes


@kernel(f"int64(uint8[:, ::1], {SIDES}, int64[:, ::1], {LINES}, uint64[::1], int64)")
def _anneal(
    codes: Codes, sides: SideArrays, after: Ints, lines: LineArrays, state: npt.NDArray[np.uint64], pieces: int
) -> int:
    """Draw pieces of the sides again until there is one cycle; return the number of cycles."""
    cells, columns, walks, lengths = sides
    # Allocated once; each step uses a part of them.
    longest = max(lengths)
    ways, old = np.zeros((longest + 1, len(after))), np.zeros(longest + 1, dtype=np.int64)
    for k in range(4):
        # The start is a random walk along each side.
        _draw(walks[k], 0, lengths[k], after, ways, state)
        _paint(codes, cells[k], columns[k], after, walks[k], 0, lengths[k])
    stamp = 1
    cycles = _cycles(codes, lines, stamp)
    for piece in range(pieces):
        if cycles == 1:
            break
        k = below(state, 4)
        walk = walks[k]
        # At least two steps, because both ends of a piece stay and a piece of one step cannot change.
        low = below(state, lengths[k] - 1)
        high = min(low + 2 + below(state, MAX_PIECE_STEPS - 1), lengths[k])
        for at in range(low, high + 1):
            old[at] = walk[at]
        _draw(walk, low, high, after, ways, state)
        same = True
        for at in range(low, high):
            same = same and walk[at] == old[at]
        if same:
            continue
        _paint(codes, cells[k], columns[k], after, walk, low, high)
        # A new stamp marks all cells as unvisited without clearing the array.
        stamp += 1
        now = _cycles(codes, lines, stamp)
        # The temperature falls linearly.
        heat = FIRST_TEMPERATURE + (LAST_TEMPERATURE - FIRST_TEMPERATURE) * piece / pieces
        # Metropolis' rule, with integers of 30 bits, because the random state yields integers.
        if now <= cycles or below(state, 1 << 30) < math.exp((cycles - now) / heat) * (1 << 30):
            cycles = now
        else:
            for at in range(low, high + 1):
                walk[at] = old[at]
            _paint(codes, cells[k], columns[k], after, walk, low, high)
    return cycles


@kernel("void(int64[::1], int64, int64, int64[:, ::1], float64[:, ::1], uint64[::1])")
def _draw(
    walk: Ints, low: int, high: int, after: Ints, ways: npt.NDArray[np.float64], state: npt.NDArray[np.uint64]
) -> None:
    """Draw a walk between two places; all such walks are equally likely."""
    # Count the walks to the end backward, and draw forward: each step gets the share of the walks that continue with
    # it.
    nodes, most = after.shape
    for u in range(nodes):
        ways[high, u] = 0.0
    ways[high, walk[high]] = 1.0
    for at in range(high - 1, low - 1, -1):
        largest = 0.0
        for u in range(nodes):
            ways[at, u] = 0.0
            for d in range(most):
                if after[u, d] >= 0:
                    ways[at, u] += ways[at + 1, after[u, d]]
            largest = max(largest, ways[at, u])
        for u in range(nodes):  # The number of walks grows without bound, so scale the counts.
            ways[at, u] /= largest
    for at in range(low, high - 1):
        u, total = walk[at], 0.0
        for d in range(most):
            if after[u, d] >= 0:
                total += ways[at + 1, after[u, d]]
        share = below(state, 1 << 30) / (1 << 30) * total
        for d in range(most):
            v = after[u, d]
            if v >= 0 and ways[at + 1, v] > 0:
                walk[at + 1] = v
                share -= ways[at + 1, v]
                if share < 0:
                    break


@kernel("void(uint8[:, ::1], int64[:, ::1], uint8[:, :, ::1], int64[:, ::1], int64[::1], int64, int64)")
def _paint(codes: Codes, cells: Ints, columns: Codes, after: Ints, walk: Ints, low: int, high: int) -> None:
    """Give the cells of a side the moves of a walk."""
    height = codes.shape[1]
    for at in range(low, high):
        # The walk names nodes; find which of the node's arrows the step is, for a pair of nodes may have several
        # columns.
        d = 0
        while after[walk[at], d] != walk[at + 1]:
            d += 1
        for row in range(cells.shape[1]):
            cell = cells[at, row]
            codes[cell // height, cell % height] = columns[walk[at], d, row]


@kernel(f"int64(uint8[:, ::1], {LINES}, int64)")
def _cycles(codes: Codes, lines: LineArrays, stamp: int) -> int:
    """The number of cycles, if all cells behind the margins are on lines; visited cells get the stamp."""
    follow, steps, first, seen = lines
    right, top = codes.shape[0] - CORNER_SIDE, codes.shape[1] - CORNER_SIDE
    number = 0
    for a in range(codes.shape[0]):
        # Only cells in the margins start a cycle: a line inside always runs to a margin.
        b = 0
        while b < codes.shape[1]:
            # Jump over the inner cells of this column.
            if CORNER_SIDE <= a < right and b == CORNER_SIDE:
                b = top
            if seen[a, b] != stamp:
                number += 1
                x, y, move = a, b, first[codes[a, b]]
                while seen[x, y] != stamp:
                    seen[x, y] = stamp
                    dx, dy = steps[move, 0], steps[move, 1]
                    x, y = x + dx, y + dy
                    # On entering the inside, follow the line to its other end in one step. So a count costs time in
                    # proportion to the margins, not to the board.
                    if CORNER_SIDE <= x < right and CORNER_SIDE <= y < top:
                        across = (right - 1 - x) // dx if dx > 0 else (x - CORNER_SIDE) // -dx
                        along = (top - 1 - y) // dy if dy > 0 else (y - CORNER_SIDE) // -dy
                        run = min(across, along) + 1
                        x, y = x + run * dx, y + run * dy
                    move = follow[codes[x, y], move]
            b += 1
    return number
