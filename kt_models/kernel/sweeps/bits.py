"""Bits of words, for the compiled loops of sweeps."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.jit import kernel
from kt_models.kernel import Ints as Ints

Words = npt.NDArray[np.uint64]
bare_kernel = kernel("", counts=False)
"""A part of other kernels: it makes no array and counts no references, which would cost more than its work."""


@bare_kernel
def popcount(x: Any) -> int:
    """Number of bits of a word that are 1."""
    x = np.uint64(x)
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))  # type: ignore[return-value]
