"""Matchings, strong components and cut vertices of sparse graphs.

Arcs are an array of shape (m, 2), tails and heads. Small graphs are searched in plain Python, in lists with the
neighbours of each vertex: to import SciPy takes longer than the answer. It searches the large ones, on which it is five
times as fast.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.walks import components

MAX_PLAIN_ARCS = 40_000
"""Arcs of the largest graph for plain Python, which takes some tenths of a second."""

Near = list[list[int]]
_Arcs = npt.NDArray[np.integer[Any]]


def neighbours(size: int, arcs: _Arcs) -> Near:
    """The heads of the arcs from each vertex."""
    near: Near = [[] for _ in range(size)]
    for tail, head in arcs.tolist():
        near[tail].append(head)
    return near


def reached(near: Near, start: int) -> list[int]:
    """The vertices to which a walk leads from a vertex."""
    order, there = [start], {start}
    for u in order:  # The list grows during the loop.
        fresh = set(near[u]) - there
        order += fresh
        there |= fresh
    return order


def maximum_matching(size: int, arcs: _Arcs) -> npt.NDArray[np.int64]:
    """A maximum matching of left copies of the vertices with right copies of vertices to which arcs lead.

    Returns
    -------
    array
        For each left copy the right one, shape (size,); -1 if it has none.
    """
    if len(arcs) <= MAX_PLAIN_ARCS:
        return np.array(_matching_of_small(neighbours(size, arcs)), dtype=np.int64)
    return _matching_of_large(size, arcs)


def smaller_colour_class(size: int, ends: _Arcs) -> npt.NDArray[np.int64]:
    """The colour that fewer vertices of a connected bipartite graph have; empty if there is none.

    A graph is bipartite if a vertex and its copy are in different components of the bipartite double cover.
    """
    double = np.concatenate([np.add(ends, [0, size]), np.add(ends, [size, 0])])
    label = components(2 * size, double)
    first = label[:size] == label[0]
    if label[0] == label[size] or 2 * np.count_nonzero(first) == size:
        return np.array([], dtype=np.int64)
    return np.flatnonzero(first if 2 * np.count_nonzero(first) < size else ~first)


def strong_components(size: int, arcs: _Arcs) -> npt.NDArray[np.int64]:
    """The strong component of each vertex, shape (size,), with components numbered from 0."""
    if len(arcs) <= MAX_PLAIN_ARCS:
        return np.array(_components_of_small(neighbours(size, arcs)), dtype=np.int64)
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    links = coo_array((np.ones(len(arcs), dtype=np.int8), arcs.T), shape=(size, size))
    label: npt.NDArray[np.int64] = connected_components(links, connection="strong")[1].astype(np.int64)
    return label


def _matching_of_large(size: int, arcs: _Arcs) -> npt.NDArray[np.int64]:
    """A maximum flow.

    scipy's matching cannot be interrupted, and took minutes for a graph of 909 vertices and 206,571 edges; the flow
    takes 0.1 s.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import maximum_flow

    each, source, sink = np.arange(size), 2 * size, 2 * size + 1
    tails = np.concatenate([arcs[:, 0], np.full(size, source), size + each])
    heads = np.concatenate([size + arcs[:, 1], each, np.full(size, sink)])
    room = coo_array((np.ones(len(tails), dtype=np.int32), (tails, heads)), shape=(2 * size + 2,) * 2).tocsr()
    flow = maximum_flow(room, source, sink).flow[:size].tocoo()
    partner = np.full(size, -1, dtype=np.int64)
    used = (flow.data > 0) & (flow.col < source)
    partner[flow.row[used]] = flow.col[used] - size
    return partner


def _matching_of_small(near: Near) -> list[int]:
    """A greedy choice, for vertices with few neighbours first, and phases of shortest augmenting paths (Hopcroft and
    Karp 1973).
    """
    n = len(near)
    degree = list(map(len, near))
    partner, owner = [-1] * n, [-1] * n
    for u in sorted(range(n), key=degree.__getitem__):
        free = [w for w in near[u] if owner[w] < 0]
        if free:
            partner[u] = min(free, key=degree.__getitem__)
            owner[partner[u]] = u
    while level := _levels(near, partner, owner):
        # A path looks at each edge once in a phase, because what failed once fails again.
        slots = list(map(iter, near))
        for root in range(n):
            if partner[root] < 0:
                _augment(root, slots, level, partner, owner)
    return partner


def _levels(near: Near, partner: list[int], owner: list[int]) -> list[int] | None:
    """Distance of each left copy from those without a partner; None if no augmenting path is left."""
    level = [0 if right < 0 else -1 for right in partner]
    order = [u for u, right in enumerate(partner) if right < 0]
    last = len(near)
    for u in order:  # The list grows during the loop.
        if level[u] > last:
            break
        for w in near[u]:
            v = owner[w]
            if v < 0:
                last = level[u]  # Paths of the least length end here.
            elif level[v] < 0:
                level[v] = level[u] + 1
                order.append(v)
    return level if last < len(near) else None


def _augment(root: int, slots: list[Iterator[int]], level: list[int], partner: list[int], owner: list[int]) -> None:
    """Match a left copy along a path whose levels rise by one, if there still is one in this phase."""
    path = [root]
    while path:
        u = path[-1]
        for w in slots[u]:
            v = owner[w]
            if v < 0:
                for x in reversed(path):
                    partner[x], owner[w], w = w, x, partner[x]
                return
            if level[v] == level[u] + 1:
                path.append(v)
                break
        else:
            path.pop()


def _components_of_small(near: Near) -> list[int]:
    """Strong components by depth-first search (Tarjan 1972)."""
    n = len(near)
    number, low, label = [-1] * n, [0] * n, [-1] * n
    slots = list(map(iter, near))
    waiting: list[int] = []
    counted = components = 0
    for root in range(n):
        path = [root] if number[root] < 0 else []
        while path:
            v = path[-1]
            if number[v] < 0:
                number[v] = low[v] = counted
                counted += 1
                waiting.append(v)
            for w in slots[v]:
                if number[w] < 0:
                    path.append(w)
                    break
                if label[w] < 0 and number[w] < low[v]:
                    low[v] = number[w]
            else:
                path.pop()
                if path and low[v] < low[path[-1]]:
                    low[path[-1]] = low[v]
                if low[v] == number[v]:
                    while label[v] < 0:
                        label[waiting.pop()] = components
                    components += 1
    return label


def cut_vertex(near: Near) -> int:
    """A vertex whose removal disconnects a connected graph, by depth-first search (Hopcroft and Tarjan 1973); -1 if
    none.

    `low` is the least number of a vertex that is adjacent to the part below a vertex.
    """
    number, low = [-1] * len(near), [0] * len(near)
    number[0], counted, branches = 0, 1, 0  # Start at the root.
    path, slots = [0], list(map(iter, near))
    while path:
        v = path[-1]
        for w in slots[v]:
            if number[w] < 0:
                number[w] = low[w] = counted
                counted += 1
                path.append(w)
                break
            if len(path) < 2 or w != path[-2]:
                low[v] = min(low[v], number[w])
        else:
            path.pop()
            if len(path) == 1:
                branches += 1
            elif path:
                if low[v] >= number[path[-1]]:
                    return path[-1]
                low[path[-1]] = min(low[path[-1]], low[v])
    return 0 if branches > 1 else -1
