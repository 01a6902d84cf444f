"""Walks: the paths and cycles of a set of edges with degrees 1 and 2, and the connected components of any set."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Walk(NamedTuple):
    """A path or a cycle, as vertices in order and the edges between them (the closing edge last)."""

    vertices: tuple[int, ...]
    edges: tuple[int, ...]
    closed: bool


def walks_of(n: int, ends: npt.NDArray[np.integer], names: npt.NDArray[np.integer] | None = None) -> list[Walk]:
    """Split a set of edges in which every degree is 0, 1 or 2 into paths (first) and cycles.

    Parameters
    ----------
    n
        Number of vertices; a vertex without an edge is a path by itself.
    ends
        The two ends of each edge, shape (m, 2).
    names
        Number of each edge, shape (m,); its row by default.
    """
    rows = np.arange(len(ends)) if names is None else names
    halves = np.asarray(ends, dtype=np.int64).reshape(-1)  # Two half-edges for each edge, one from either end
    order = np.argsort(halves, kind="stable")
    begin = np.searchsorted(halves[order], np.arange(n + 1)).tolist()
    target, name = halves[order ^ 1].tolist(), rows[order >> 1].tolist()
    seen = [False] * n
    walks = []
    starts = [v for v in range(n) if begin[v + 1] - begin[v] < 2] + list(range(n))
    for start in starts:
        if seen[start]:
            continue
        vertices, edges, vertex, last = [start], [], start, -1
        seen[start] = True
        closed = False
        while True:
            half, end = begin[vertex], begin[vertex + 1]
            while half < end and name[half] == last:
                half += 1
            if half == end:
                break
            vertex, last = target[half], name[half]
            edges.append(last)
            if vertex == start:
                closed = True
                break
            seen[vertex] = True
            vertices.append(vertex)
        walks.append(Walk(tuple(vertices), tuple(edges), closed))
    return walks


def components(n: int, ends: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """Component of each vertex, named by its least vertex, shape (n,).

    Parameters
    ----------
    ends
        Two vertices of each edge, shape (m, 2).
    """
    label = np.arange(n)
    while True:
        near = label[ends]
        low, high = near.min(axis=1, initial=n), near.max(axis=1, initial=-1)
        if (low == high).all():
            return label
        np.minimum.at(label, high, low)  # A root is attached below a smaller one, so there are no cycles
        # Pointer doubling: logarithmic depth in few numpy passes
        while (label[label] != label).any():
            label = label[label]
