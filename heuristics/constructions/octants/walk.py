"""The cycle through the bottom left cell of a board whose two moves are given cell by cell."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from heuristics.constructions.strands.walk import FOLLOW
from kt_models.certificates.families.codes import MOVES, PAIRS, Codes
from kt_models.certificates.integers import Ints
from kt_models.jit import kernel


def cycle_of(codes: Codes) -> npt.NDArray[np.int32]:
    """Its cells, numbered x · height + y, in order; fewer than the board has if there are other cycles."""
    order = np.empty(codes.size, dtype=np.int32)
    jumps = np.array(MOVES, dtype=np.int64)
    return order[: _walk(codes, FOLLOW, jumps, PAIRS[codes[0, 0]][0], order)]


@kernel("int64(uint8[:, :], int8[:, ::1], int64[:, ::1], int64, int32[::1])")
def _walk(codes: Codes, follow: npt.NDArray[np.int8], jumps: Ints, move: int, order: npt.NDArray[np.int32]) -> int:
    x, y, count = 0, 0, 0
    while True:
        order[count] = x * codes.shape[1] + y
        count += 1
        x += jumps[move, 0]
        y += jumps[move, 1]
        if (x == 0 and y == 0) or count == len(order):
            return count
        move = follow[codes[x, y], move]
