"""Triangles of hexagonal cells: `triangle:7`, by the cells along a side."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kt_models.errors import KTError
from kt_models.shapes import BoardKind, Extent


def layout(side: int) -> Extent:
    """The triangle with n cells along a side, n(n+1)/2 cells in cube coordinates (`kt_models.shapes.hexagon`)."""
    if side < 1:
        raise KTError(f"board triangle:{side}: a side has at least 1 cell")

    def mask() -> npt.NDArray[np.bool_]:
        axis = np.arange(side)
        return axis[:, None, None] + axis[None, :, None] + axis == side - 1

    return Extent((side, side, side), mask, text=f"triangle:{side}")


KIND = BoardKind(
    "triangle", r"[0-9]{1,40}", layout, "triangle:7", "a triangle of hexagons, by its side", ("triangular",)
)
