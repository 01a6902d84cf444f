"""A verifier of cycles and paths of small graphs that shares nothing with the searches for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from kt_models.jit import kernel
from kt_models.kernel.sweeps.bits import bare_kernel


@bare_kernel
def is_order(vertices: Any, starts: Any, ends: Any, out: Any, path: Any, size: int) -> bool:
    """Whether the first places of a path are the vertices of a set, once each, each a neighbour of the one before."""
    seen = np.uint64(0)
    for place in range(size):
        bit = np.uint64(1) << np.uint64(path[place])
        if seen & bit or not vertices & bit:
            return False
        if not (starts if place == 0 else out[path[place - 1]]) & bit:
            return False
        seen |= bit
    return bool(seen == vertices and size > 0 and ends & (np.uint64(1) << np.uint64(path[size - 1])))


@kernel("int64(int64[:, ::1], uint64[::1], uint8[::1], uint8[:, ::1], boolean)")
def first_wrong(records: Any, rows: Any, statuses: Any, orders: Any, closed: bool) -> int:
    """The first graph whose order is no Hamiltonian cycle (or path) of it, in the direction given; -1 if none.

    Parameters
    ----------
    records, rows
        As of a `GraphBlock`.
    statuses
        For each graph 1 if an order is claimed for it.
    orders
        The vertices of each graph in the order claimed, shape (count, 64).
    """
    for g in range(len(statuses)):
        if statuses[g] != 1:
            continue
        n = records[g, 3]
        start = records[g, 4]
        seen = np.uint64(0)
        for place in range(n):
            v = orders[g, place]
            if v >= n:
                return g
            seen |= np.uint64(1) << np.uint64(v)
        # n places with n different vertices
        for v in range(n):
            if not (seen >> np.uint64(v)) & np.uint64(1):
                return g
        pairs = n if closed else n - 1
        if closed and n < 2:
            return g
        # Back and forth on one edge is a cycle only where arcs have directions
        if closed and n == 2 and records[g, 5] != 1:
            return g
        for place in range(pairs):
            tail = orders[g, place]
            head = orders[g, (place + 1) % n]
            if not (rows[start + tail] >> np.uint64(head)) & np.uint64(1):
                return g
    return -1
