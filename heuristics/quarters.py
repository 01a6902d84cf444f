"""A tour that a quarter turn maps to itself, from four copies of a tour of an odd square without a corner.

The four missing corners are the middle of the board (Parberry 1997; Besa et al. 2022, section 5.3, Figure 23).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kt_models.board import IntArray


def four_quarters(order: IntArray, half: int) -> npt.NDArray[np.int32]:
    """The numbers of the cells of the square of side `2 half`, in the order of the tour.

    The quarter in the first quadrant misses the centre's cell (0, 0) and has the move (1, 0)-(0, 2) around it. Without
    that move, its first end is joined to the opposite missing cell, its second end to the next missing cell, and so on
    around.

    Parameters
    ----------
    order
        A tour of a quarter: cell (x, y) has the number `x * half + y - 1`.
    """
    side = 2 * half
    x, y = np.divmod(order + 1, half)
    (corner,) = np.flatnonzero((x == 1) & (y == 0))
    x, y = np.roll(x, -corner), np.roll(y, -corner)
    if (x[1], y[1]) == (0, 2):  # Go from (1, 0) to (0, 2).
        x, y = np.roll(x[::-1], 1), np.roll(y[::-1], 1)
    if (x[-1], y[-1]) != (0, 2):
        raise AssertionError("the quarter has the move (1, 0)-(0, 2)")
    pieces = []
    # Each rotated quarter from (1, 0) to (0, 2); then the missing cell that joins it to the next.
    for turns in (0, 3, 2, 1):
        piece = np.stack([np.append(x, -1), np.append(y, 0)])  # (-1, 0) is the missing cell of the next quarter.
        for _ in range(turns):
            piece = np.stack([-1 - piece[1], piece[0]])
        pieces.append((piece[0] + half) * side + piece[1] + half)
    return np.concatenate(pieces).astype(np.int32)
