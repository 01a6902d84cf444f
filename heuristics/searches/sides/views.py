"""The four views of a board: each side is the bottom of one of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.growing_tours.codes import PAIRS, Codes

QUARTER = np.array([PAIRS.index(tuple(sorted(((a + 2) % 8, (b + 2) % 8)))) for a, b in PAIRS], dtype=np.uint8)
"""The code of a cell after a clockwise quarter turn of the board."""


def quarter_turns(table: npt.NDArray[Any], times: int = 1) -> npt.NDArray[Any]:
    """Labels of cells after some clockwise quarter turns: cell (x, y) of w x h goes to (y, w - 1 - x)."""
    for _ in range(times % 4):
        table = table.T[:, ::-1]
    return table


def view(codes: Codes, times: int = 1) -> Codes:
    """The board after some clockwise quarter turns."""
    for _ in range(times % 4):
        codes = QUARTER[quarter_turns(codes)]
    return np.ascontiguousarray(codes)
