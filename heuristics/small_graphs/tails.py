"""The tails of the arcs to each vertex of a small directed graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from heuristics.small_graphs.bit_sets import least, only, without_least
from kt_models.kernel.sweeps.bits import bare_kernel


@bare_kernel
def tails(n: int, out: Any, into: Any) -> None:
    """Fill `into` with the tails of the arcs to each vertex."""
    for v in range(n):
        into[v] = np.uint64(0)
    for v in range(n):
        heads = out[v]
        while heads:
            w = least(heads)
            heads = without_least(heads)
            into[w] |= only(v)
