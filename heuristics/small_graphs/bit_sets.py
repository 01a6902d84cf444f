"""Sets of at most 64 vertices as words, for compiled loops."""

from __future__ import annotations

from typing import Any

import numpy as np

from kt_models.kernel.sweeps.bits import bare_kernel

# De Bruijn (1946): each window of six bits of the factor occurs once, so that the product's highest six bits tell
# which bit was alone; compilers make one instruction of it
_FACTOR = 0x03F79D71B4CB0A89
_PLACE = [0] * 64
for _bit in range(64):
    _PLACE[(_FACTOR << _bit & (1 << 64) - 1) >> 58] = _bit
_PLACES = np.array(_PLACE, dtype=np.int64)


@bare_kernel
def only(vertex: Any) -> Any:
    """The set of one vertex."""
    return np.uint64(1) << np.uint64(vertex)


@bare_kernel
def least(vertices: Any) -> int:
    """The least vertex of a set that is not empty."""
    lowest = vertices & (~vertices + np.uint64(1))
    return _PLACES[np.int64((lowest * np.uint64(_FACTOR)) >> np.uint64(58))]


@bare_kernel
def without_least(vertices: Any) -> Any:
    """A set without its least vertex."""
    return vertices & (vertices - np.uint64(1))


@bare_kernel
def first(n: int) -> Any:
    """The set of the vertices 0..n-1, for n from 1 to 64."""
    return ~np.uint64(0) >> np.uint64(64 - n)
