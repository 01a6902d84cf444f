"""Octagons: `octagon:9`. A template: a copy without the underscore is a kind of board."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from kt.kt_models.shapes import BoardKind, Extent


def layout(side: int) -> Extent:
    """The square with a side, without its four corner triangles."""

    def mask() -> npt.NDArray[np.bool_]:
        distance = np.abs(2 * np.arange(side) - (side - 1))
        return distance[:, None] + distance[None, :] < 2 * side - side // 2

    return Extent((side, side), mask, text=f"octagon:{side}")


KIND = BoardKind(
    "octagon", r"[0-9]{1,40}", layout, "octagon:9", "a square without its corners, by its side", ("octagonal",)
)
