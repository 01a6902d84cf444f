"""Aztec diamonds: `aztec:5`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kt_models.errors import KTError
from kt_models.shapes import BoardKind, Extent


def layout(radius: int) -> Extent:
    """The diamond of radius n: 2n(n+1) cells (Davies, Xue and Yerger 2017, section 1)."""
    if radius < 1:
        raise KTError(f"board aztec:{radius}: the radius must be at least 1")

    def mask() -> npt.NDArray[np.bool_]:
        distance = np.abs(2 * np.arange(2 * radius) - (2 * radius - 1)) // 2
        return distance[:, None] + distance[None, :] <= radius - 1

    return Extent((2 * radius, 2 * radius), mask, text=f"aztec:{radius}")


KIND = BoardKind("aztec", r"[0-9]{1,40}", layout, "aztec:5", "an Aztec diamond, by its radius", ("diamond",))
