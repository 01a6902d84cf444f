"""The tour as an order of cells, by following the moves from the bottom left cell, in time linear in the cells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kt_models.jit import kernel
from kt_models.kernel.certificates.integers import Ints
from theorems.growing_tours.codes import MOVES, PAIRS, Codes
from theorems.growing_tours.zones import LINES, RIGHT_ANGLE_LINES, TourFamily


def follow_table() -> npt.NDArray[np.int8]:
    """Table of the move out of a cell by its code and the move into it; -1 if the code does not fit."""
    table = np.full((len(PAIRS), 8), -1, dtype=np.int8)
    for code, pair in enumerate(PAIRS):
        for move, onward in (pair, pair[::-1]):
            table[code, (move + 4) % 8] = onward
    return table


FOLLOW = follow_table()
STEPS = np.array(MOVES, dtype=np.int64)
FIRST = np.array([pair[0] for pair in PAIRS], dtype=np.int64)
"""The first move of each code."""


def interior(family: TourFamily, times: Sequence[int]) -> tuple[int, int, int, int]:
    """The columns and rows between which all cells are line cells; empty if there are none."""
    left, right, low, high = family.zoned
    if not np.isin(family.codes[left:right, low:high], LINES + RIGHT_ANGLE_LINES).all():
        return 0, 0, 0, 0
    width, height = family.grown(times)
    return left, right + width - family.size[0], low, high + height - family.size[1]


def cycle_order(family: TourFamily, times: Sequence[int]) -> npt.NDArray[np.int32]:
    """The cells, numbered x · height + y, of the cycle through the bottom left cell of a board, in order.

    Returns
    -------
    numpy.ndarray
        It is shorter than the number of cells if there are other cycles.
    """
    return _walked(family.codes, *family.sources(times), interior(family, times))


def _walked(codes: Codes, columns: Ints, rows: Ints, inside: tuple[int, int, int, int]) -> npt.NDArray[np.int32]:
    order = np.empty(len(columns) * len(rows), dtype=np.int32)
    first = PAIRS[codes[0, 0]][0]
    return order[: _follow(codes, columns, rows, FOLLOW, STEPS, first, np.array(inside, dtype=np.int64), order)]


@kernel("int64(uint8[:, :], int64[::1], int64[::1], int8[:, ::1], int64[:, ::1], int64, int64[::1], int32[::1])")
def _follow(
    codes: Codes,
    columns: Ints,
    rows: Ints,
    follow: npt.NDArray[np.int8],
    jumps: Ints,
    move: int,
    inside: Ints,
    order: npt.NDArray[np.int32],
) -> int:
    """Walk cell by cell in the margins, and line by line inside, where all cells are line cells."""
    height, size = len(rows), len(order)
    left, right, low, high = inside
    x, y, count = 0, 0, 0
    while True:
        order[count] = x * height + y
        count += 1
        x += jumps[move, 0]
        y += jumps[move, 1]
        # The second test stops a walk that never returns to its start, which a faulty table could cause.
        if (x == 0 and y == 0) or count == size:
            return count
        # Inside, the move stays the same until the line leaves, so the number of steps is known in advance, and the
        # numbers of the cells form an arithmetic sequence.
        if left <= x < right and low <= y < high:
            across = (right - 1 - x if jumps[move, 0] > 0 else x - left) // abs(jumps[move, 0])
            up = (high - 1 - y if jumps[move, 1] > 0 else y - low) // abs(jumps[move, 1])
            run = min(min(across, up) + 1, size - count)
            start, jump = x * height + y, jumps[move, 0] * height + jumps[move, 1]
            for i in range(run):
                order[count + i] = start + i * jump
            count += run
            if count == size:
                return count
            x += run * jumps[move, 0]
            y += run * jumps[move, 1]
        move = follow[codes[columns[x], rows[y]], move]


def cycle_of(codes: Codes) -> npt.NDArray[np.int32]:
    """The cycle through the bottom left cell of a board with given moves, as in `cycle_order`."""
    columns, rows = (np.arange(side, dtype=np.int64) for side in codes.shape)
    return _walked(codes, columns, rows, (0, 0, 0, 0))
