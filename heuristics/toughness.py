"""Vertex sets whose removal leaves more pieces than removed vertices: no cycle passes all vertices (Chvátal 1973).

A graph is a number of vertices and its edges, shape (m, 2). `trimmed` improves such a set, `by_degree` takes the
vertices of highest degree, and `clusters` are likely pieces; `encoders.lp.toughness` searches further.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from kt_models.certificates.integers import Ints
from kt_models.limits import Limits
from kt_models.walks import components

MAX_SHARE = 0.5
"""Greatest share of removed vertices: the rest must fall into more pieces than that."""
MAX_DEGREES = 30
"""Most thresholds of the degree of removed vertices, from the highest down."""
MAX_CLUSTER = 14
"""Most vertices of a cluster. Of the pieces of four to nine vertices that were planted in graphs of 5,000 vertices, one
in fifteen is missed; up to 40 vertices, as many are missed, and the search takes four times as long."""
CLUSTERS_PER_VERTEX = 3
"""Most clusters that are kept of those that grow from one vertex: the ones that fewest edges leave."""


def trimmed(size: int, ends: Ints, removed: Ints) -> tuple[Ints, int]:
    """A set without vertices that separate nothing, and the surplus of pieces over removed vertices.

    A vertex that is adjacent to at most one piece is not removed: that leaves as many pieces, with one removed vertex
    fewer.
    """
    left = np.ones(size, dtype=np.bool_)
    left[removed] = False
    while True:
        label, count = _pieces(size, ends, left)
        useless = _touching_at_most_one(size, ends, left, label)
        if not len(useless):
            return np.flatnonzero(~left), count - int((~left).sum())
        left[useless] = True


def _pieces(size: int, ends: Ints, left: npt.NDArray[np.bool_]) -> tuple[Ints, int]:
    """For each remaining vertex its piece, and the number of pieces."""
    label = components(size, ends[left[ends].all(axis=1)])
    return label, int((label[left] == np.flatnonzero(left)).sum())


def _touching_at_most_one(size: int, ends: Ints, left: npt.NDArray[np.bool_], label: Ints) -> Ints:
    """Removed vertices that are adjacent to at most one piece, and not to each other."""
    both = np.concatenate([ends, ends[:, ::-1]])
    out = both[~left[both[:, 0]] & left[both[:, 1]]]
    most, least = np.full(size, -1), np.full(size, size)
    np.maximum.at(most, out[:, 0], label[out[:, 1]])
    np.minimum.at(least, out[:, 0], label[out[:, 1]])
    able = ~left & (most <= least)  # Without a neighbour these are -1 and size.
    joined = both[able[both].all(axis=1)]
    able[joined.max(axis=1)] = False  # Of two adjacent vertices, one has to wait.
    return np.flatnonzero(able)


def by_degree(size: int, ends: Ints) -> Iterator[Ints]:
    """The sets of all vertices from some degree on, trimmed, if they leave too many pieces."""
    degrees = np.bincount(ends.reshape(-1), minlength=size)
    for least in np.unique(degrees)[:0:-1][:MAX_DEGREES].tolist():
        removed = np.flatnonzero(degrees >= least)
        if len(removed) > MAX_SHARE * size:
            return
        left = np.ones(size, dtype=np.bool_)
        left[removed] = False
        if _pieces(size, ends, left)[1] == 1:
            continue
        removed, excess = trimmed(size, ends, removed)
        if excess > 0 and len(removed):
            yield removed


def clusters(size: int, ends: Ints, limits: Limits) -> set[frozenset[int]]:
    """Small connected sets that few edges leave, grown from each vertex.

    A set grows by the vertex after which fewest edges leave it. It is a cluster where that number is least: one vertex
    more would raise it, and the last one did not.

    Raises
    ------
    Stopped
        If the limits are reached.
    """
    near: list[list[int]] = [[] for _ in range(size)]
    for u, v in ends.tolist():
        near[u].append(v)
        near[v].append(u)
    kept: set[frozenset[int]] = set()
    for start in range(size):
        limits.check()
        grown, leaving = _grown(near, start)
        least = [k for k in range(2, len(grown)) if leaving[k - 2] >= leaving[k - 1] < leaving[k]]
        least.sort(key=lambda k: leaving[k - 1])
        kept.update(frozenset(grown[:k]) for k in least[:CLUSTERS_PER_VERTEX])
    return kept


def _grown(near: list[list[int]], start: int) -> tuple[list[int], list[int]]:
    """Vertices in the order in which they join a set, and the number of edges that leave it after each of them."""
    grown, leaving = [start], [len(near[start])]
    links: dict[int, int] = {}  # Of each vertex beside the set: the number of edges to it.
    while len(grown) <= MAX_CLUSTER:
        for v in near[grown[-1]]:
            if v in links or v not in grown:
                links[v] = links.get(v, 0) + 1
        if not links:
            break
        v = min(links, key=lambda w: len(near[w]) - 2 * links[w])
        grown.append(v)
        leaving.append(leaving[-1] + len(near[v]) - 2 * links.pop(v))
    return grown, leaving
