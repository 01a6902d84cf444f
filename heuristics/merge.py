"""Merging the cycles of a 2-factor into fewer: two edges that the graph joins at both ends are exchanged.

If (u, v) lies on one cycle, (x, y) on another, and u-x and v-y are edges too, then (u, x), (v, y) in their place make one
cycle of the two.  With a union-find over the cycles a sweep over all edges is nearly linear (on boards, where degrees
are small).  Edges at vertices of degree 2 are never given up, as they have no exchange: required moves are safe after
`heuristics.reduction`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from heuristics.jit import adjacent, kernel
from kt_models.board import IntArray
from kt_models.graph import MoveGraph

SLICE = 100_000
"""Vertices swept between two looks at the clock."""


def merge_cycles(
    graph: MoveGraph, links: IntArray, rng: np.random.Generator, stopped: Callable[[], bool] = lambda: False
) -> int:
    """Merge cycles of a cover in place, until no exchange merges two more.

    Parameters
    ----------
    links
        The two neighbours of each vertex on its cycle, shape (n, 2).

    Returns
    -------
    int
        The number of cycles that are left.
    """
    root = np.empty(graph.n, dtype=np.int32)
    cycles = _label(links, root)
    merged = True
    while cycles > 1 and merged and not stopped():
        merged = False
        order = rng.permutation(graph.n)
        for first in range(0, graph.n, SLICE):
            count = _sweep(graph.indptr, graph.neighbours, links, root, order[first : first + SLICE])
            cycles -= count
            merged |= count > 0
            if cycles == 1 or stopped():
                break
    return cycles


@kernel
def _label(links, root):  # type: ignore[no-untyped-def]
    """Point every vertex to the first vertex of its cycle; the number of cycles."""
    root[:] = -1
    cycles = 0
    for start in range(len(root)):
        if root[start] >= 0:
            continue
        cycles += 1
        before, u = start, start
        while root[u] < 0:
            root[u] = start
            onward = links[u, 1] if links[u, 0] == before else links[u, 0]
            before, u = u, onward
    return cycles


@kernel
def _find(root, u):  # type: ignore[no-untyped-def]
    while root[u] != u:
        root[u] = root[root[u]]
        u = root[u]
    return u


@kernel
def _relink(links, u, old, new):  # type: ignore[no-untyped-def]
    if links[u, 0] == old:
        links[u, 0] = new
    else:
        links[u, 1] = new


@kernel
def _sweep(indptr, neighbours, links, root, order):  # type: ignore[no-untyped-def]
    """Try every exchange at the given vertices; the number of merges."""
    merges = 0
    for u in order:
        own = _find(root, u)
        for slot in range(indptr[u], indptr[u + 1]):
            x = neighbours[slot]
            other = _find(root, x)
            if other == own:
                continue
            for choice in range(4):
                v, y = links[u, choice % 2], links[x, choice // 2]
                if adjacent(indptr, neighbours, v, y):
                    _relink(links, u, v, x)
                    _relink(links, v, u, y)
                    _relink(links, x, y, u)
                    _relink(links, y, x, v)
                    root[other] = own
                    merges += 1
                    break
    return merges
