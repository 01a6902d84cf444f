"""Merging the cycles of a 2-factor into one: two edges that the graph joins at both ends are exchanged.

If (u, v) lies on one cycle, (x, y) on another, and u-x and v-y are edges too, then (u, x), (v, y) in their place make
one cycle of the two.  With a union-find over the cycles a sweep is nearly linear (where degrees are small, as on
boards).

Where no such exchange is left, every short cycle that remains is kicked: a random alternating closed walk of the
graph, through one of its edges, is exchanged.  That may cut the long cycle in pieces, but the pieces merge again.

Edges at vertices of degree 2 are never given up, as they have no exchange: required moves are safe after
`heuristics.reduction`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from heuristics.jit import adjacent, below, kernel, random_state
from kt_models.board import IntArray
from kt_models.graph import MoveGraph

SLICE = 100_000
"""Vertices swept between two looks at the clock."""
KICKS = 300
"""How often what remains is kicked, at most; small graphs are better begun anew."""


def merge_cycles(
    graph: MoveGraph, links: IntArray, rng: np.random.Generator, stopped: Callable[[], bool] = lambda: False
) -> int:
    """Merge cycles of a cover in place.

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
    state = random_state(rng)
    best = links.copy()
    cycles = least = _merge_all(graph, links, root, rng, stopped)
    if cycles > 1:
        best[:] = links
    for _ in range(min(KICKS, graph.n // 8)):
        if least == 1 or stopped():
            break
        _label(links, root)
        _kick(graph.indptr, graph.neighbours, links, root, _largest(root), state)
        cycles = _merge_all(graph, links, root, rng, stopped)
        if cycles < least:
            least = cycles
            best[:] = links
    if cycles > least:
        links[:] = best
    return least


def _merge_all(
    graph: MoveGraph, links: IntArray, root: IntArray, rng: np.random.Generator, stopped: Callable[[], bool]
) -> int:
    """Sweep until no exchange merges two more cycles; the number of cycles that are left."""
    cycles = int(_label(links, root))
    merged = True
    while cycles > 1 and merged and not stopped():
        merged = False
        order = rng.permutation(np.flatnonzero(root != _largest(root)))  # one of the two cycles is not the largest
        for first in range(0, len(order), SLICE):
            count = int(_sweep(graph.indptr, graph.neighbours, links, root, order[first : first + SLICE]))
            cycles -= count
            merged |= count > 0
            if cycles == 1 or stopped():
                break
        if merged and cycles > 1:
            _label(links, root)
    return cycles


def _largest(root: IntArray) -> int:
    return int(np.argmax(np.bincount(root)))


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


@kernel
def _kick(indptr, neighbours, links, root, largest, state):  # type: ignore[no-untyped-def]
    """Exchange a random alternating closed walk through an edge of every cycle but the largest.

    The walk gives up an edge (start, a), takes one (a, x), gives up one (x, y), and so on from y, until the vertex
    it has come to can take an edge to `start`.  One that does not close soon is undone.
    """
    longest = 24
    walk = np.empty((longest, 3), dtype=np.int32)
    for representative in range(len(root)):
        if root[representative] != representative or representative == largest:
            continue
        start = representative
        for _ in range(below(state, 8)):
            start = links[start, below(state, 2)]
        for _ in range(20):
            side = below(state, 2)
            first = a = links[start, side]
            _relink(links, start, a, -1)
            _relink(links, a, start, -1)
            before, length, closed = start, 0, False
            while length < longest:
                apart = a != start and links[a, 0] != start and links[a, 1] != start
                if length > 0 and apart and adjacent(indptr, neighbours, a, start):
                    _relink(links, a, -1, start)
                    _relink(links, start, -1, a)
                    closed = True
                    break
                x = neighbours[indptr[a] + below(state, indptr[a + 1] - indptr[a])]
                linked = x == links[a, 0] or x == links[a, 1]
                if linked or x == before or x == start:  # noqa: SIM109 -- numba wants one type in a tuple
                    length += 1  # a wasted try counts, so that the walk ends
                    walk[length - 1, 0] = -1
                    continue
                y = links[x, below(state, 2)]
                if y < 0 or y == a:
                    length += 1
                    walk[length - 1, 0] = -1
                    continue
                _relink(links, a, -1, x)
                _relink(links, x, y, a)
                _relink(links, y, x, -1)
                walk[length, 0], walk[length, 1], walk[length, 2] = a, x, y
                length += 1
                before, a = x, y
            if closed:
                break
            for k in range(length - 1, -1, -1):
                if walk[k, 0] >= 0:
                    a, x, y = walk[k, 0], walk[k, 1], walk[k, 2]
                    _relink(links, y, -1, x)
                    _relink(links, x, a, y)
                    _relink(links, a, x, -1)
            _relink(links, first, -1, start)
            _relink(links, start, -1, first)
