"""Boxes with a hole in the middle: `ring:8x8/2` has the cells that are less than two away from the border."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kt_models.errors import KTError
from kt_models.shapes import BOX, BoardKind, Extent


def layout(*numbers: int) -> Extent:
    """The ring with these sides; the last number is its width."""
    *sides, width = numbers
    text = f"ring:{'x'.join(map(str, sides))}/{width}"
    if not 1 <= width <= (min(sides) - 1) // 2:
        raise KTError(f"board {text}: the width must be at least 1, and twice the width less than each side")

    def mask() -> npt.NDArray[np.bool_]:
        mask = np.ones(sides, dtype=bool)
        mask[tuple(slice(width, side - width) for side in sides)] = False
        return mask

    return Extent(tuple(sides), mask, text=text)


KIND = BoardKind(
    "ring", rf"{BOX}/[0-9]{{1,40}}", layout, "ring:8x8/2", "a box with a hole, by its width", ("annulus", "frame")
)
