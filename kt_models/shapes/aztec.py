"""Aztec diamonds: `aztec:5`."""

from __future__ import annotations

import numpy as np

from kt_models.errors import KTError, TooLarge
from kt_models.shapes import MAX_CELLS, BoardKind, Extent


def layout(radius: int) -> Extent:
    """The diamond of a radius n: 2n(n+1) cells (Davies, Xue and Yerger 2017, section 1)."""
    if radius < 1:
        raise KTError(f"board aztec:{radius}: the radius is at least 1")
    if 4 * radius * radius > MAX_CELLS:
        raise TooLarge(
            f"board aztec:{radius}: {4 * radius * radius:,} cells to the box, over the limit of {MAX_CELLS:,}"
        )
    distance = np.abs(2 * np.arange(2 * radius) - (2 * radius - 1)) // 2
    mask = distance[:, None] + distance[None, :] <= radius - 1
    return Extent((2 * radius, 2 * radius), mask, text=f"aztec:{radius}")


KIND = BoardKind("aztec", r"[0-9]{1,40}", layout, "aztec:5", "an Aztec diamond, by its radius", ("diamond",))
