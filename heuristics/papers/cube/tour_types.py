"""Types of tours by location (Miller 2018): each cell is replaced by the number of its exterior faces.

On a cube the number is 3 at corners, 2 along edges, 1 inside faces, and 0 within. It is computed from the board as the
number of unit steps that leave it, so it means the same on any board. On 8x8 it is 2, 1 or 0. A hole is outside; no
step leaves a torus across its seam.

The type of a tour is the sequence of these codes in the order of the visit. Types are equal under reversal, and for
closed tours under rotation of the cycle.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kt_models.board import Board, shifted


def location_codes(board: Board) -> npt.NDArray[np.uint8]:
    """The number of exterior faces of each cell, shape (n,)."""
    codes = np.zeros(board.n, dtype=np.uint8)
    for axis in range(board.dimension):
        for sign in (1, -1):
            step = [0] * board.dimension
            step[axis] = sign
            there = shifted(board.grid, step, board.wraps, -1)
            codes += (there[board.grid >= 0] < 0).astype(np.uint8)
    return codes


def least_sequence(codes: npt.NDArray[np.uint8], *, rotate: bool, reverse: bool = True) -> bytes:
    """The least of a sequence of codes and its reversal; if `rotate`, the least of all their rotations.

    Two sequences have the same least sequence exactly if these operations turn one into the other.
    """
    text = np.asarray(codes, dtype=np.uint8).tobytes()
    ways = [text, text[::-1]] if reverse else [text]
    return min(_least_rotation(way) for way in ways) if rotate else min(ways)


def _least_rotation(text: bytes) -> bytes:
    """The least rotation of a text, in linear time (Duval's algorithm on the doubled text)."""
    n, doubled = len(text), text + text
    best = i = 0
    while i < n:
        best, k, j = i, i, i + 1
        while j < 2 * n and doubled[k] <= doubled[j]:
            k = i if doubled[k] < doubled[j] else k + 1
            j += 1
        while i <= k:
            i += j - k
    return doubled[best : best + n]
