"""A first tour for `or-opt`: the shortest edges that leave paths, and then the shortest ones between ends of paths."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from heuristics.compiled_helpers import find_root
from kt_models.board import IntArray
from kt_models.jit import kernel

NEAR_ENDS = 8
"""Nearest ends of other paths that are looked at in one round."""

Nearest = Callable[[IntArray, int], tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]]
"""Distances and places of the nearest among some vertices of each of them, itself included, nearest first."""


def greedy_tour(near: IntArray, distances: npt.NDArray[np.float64], nearest: Nearest) -> IntArray:
    """The order of a tour.

    Parameters
    ----------
    near
        Near vertices of each vertex, shape (n, k).
    distances
        Their distances, shape (n, k).
    nearest
        Finds the nearest among the ends of paths.
    """
    n = len(near)
    links = np.full((n, 2), -1, dtype=np.int32)
    root = np.arange(n, dtype=np.int32)
    tails, heads, lengths = np.repeat(np.arange(n), near.shape[1]), near.reshape(-1), distances.reshape(-1)
    joined = _add(tails, heads, lengths, links, root)
    count = NEAR_ENDS
    while joined < n - 1:
        ends = np.flatnonzero((links < 0).any(axis=1)).astype(np.int32)
        count = min(count, len(ends))
        gaps, places = nearest(ends, count)
        now = joined + _add(np.repeat(ends, count), ends[places.reshape(-1)], gaps.reshape(-1), links, root)
        # All near ends may belong to the same path.
        count = count if now > joined else 2 * count
        joined = now
    order = np.empty(n, dtype=np.int32)
    _follow(links, order)
    return order


def _add(
    tails: npt.NDArray[np.int64] | IntArray,
    heads: npt.NDArray[np.int64] | IntArray,
    lengths: npt.NDArray[np.float64],
    links: IntArray,
    root: IntArray,
) -> int:
    """Add edges that leave paths, the shortest first; return their number."""
    by_length = np.argsort(lengths, kind="stable")
    return int(_join(tails[by_length].astype(np.int32), heads[by_length].astype(np.int32), links, root))


@kernel("int64(int32[::1], int32[::1], int32[:,::1], int32[::1])", counts=False)
def _join(tails, heads, links, root):  # type: ignore[no-untyped-def]
    """Add edges in this order where no vertex gets a third one and no cycle closes."""
    joined = 0
    for k in range(len(tails)):
        u, v = tails[k], heads[k]
        if links[u, 1] >= 0 or links[v, 1] >= 0:
            continue
        a, b = find_root(root, u), find_root(root, v)
        if a == b:
            continue
        root[a] = b
        links[u, 0 if links[u, 0] < 0 else 1] = v
        links[v, 0 if links[v, 0] < 0 else 1] = u
        joined += 1
    return joined


@kernel("void(int32[:,::1], int32[::1])", counts=False)
def _follow(links, order):  # type: ignore[no-untyped-def]
    """The vertices of a path that visits all, in order."""
    at, before = 0, -1
    for v in range(len(order)):
        if links[v, 1] < 0:
            at = v
            break
    for i in range(len(order)):
        order[i] = at
        onward = links[at, 0] if links[at, 0] != before else links[at, 1]
        before, at = at, onward
