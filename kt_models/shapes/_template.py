"""Octagons: `octagon:9`.  A template: copied without the underscore it is a kind of board."""

from __future__ import annotations

import numpy as np

from kt_models.errors import KTError, TooLarge
from kt_models.shapes import MAX_CELLS, BoardKind, Extent


def layout(side: int) -> Extent:
    """The square of a side without its four corner triangles."""
    if side < 1:
        raise KTError(f"board octagon:{side}: the side is at least 1")
    if side * side > MAX_CELLS:
        raise TooLarge(f"board octagon:{side}: {side * side:,} cells, over the limit of {MAX_CELLS:,}")
    distance = np.abs(2 * np.arange(side) - (side - 1))
    mask = distance[:, None] + distance[None, :] < 2 * side - side // 2
    return Extent((side, side), mask, text=f"octagon:{side}")


KIND = BoardKind(
    "octagon", r"[0-9]{1,40}", layout, "octagon:9", "a square without its corners, by its side", ("octagonal",)
)
