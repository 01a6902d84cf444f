"""Vertex sets whose removal leaves more pieces than removed vertices: no cycle passes all vertices (Chvátal 1973).

A graph is a number of vertices and its edges, shape (m, 2). `trimmed` improves such a set, `by_degree` takes the
vertices of highest degree, and `clusters` are likely pieces. `Climber` starts from the vertices that come first by some
scores, such as `shares_out` of likely pieces; `encoders.lp.toughness` searches further.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from heuristics.compiled_helpers import find_root, grouped
from kt_models.jit import kernel
from kt_models.kernel.certificates.integers import Ints
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
MAX_PLAIN = 600
"""Most vertices for the loops of `Climber` in plain Python."""
START_SHARES = np.linspace(0.03, 0.45, 12)
"""Shares of the vertices that are removed at first. They are more than separate pieces: most are put back at once."""
MAX_STALE = 3
"""Most steps without a better set."""

_Floats = npt.NDArray[np.float64]


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
    """Piece of each remaining vertex, and the number of pieces."""
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
    for least in sorted(set(degrees.tolist()))[:0:-1][:MAX_DEGREES]:
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


# -- sets that are improved step by step -------------------------------------------------------------------------------


class Climber:
    """A search for sets that leave too many pieces, from the vertices with the highest scores.

    A removed vertex that is adjacent to at most two pieces is put back, and a vertex whose removal cuts its piece into
    at least three is removed. Such a step increases the surplus of pieces over removed vertices, except that a vertex
    between two pieces leaves it as it is: the search moves on among equally good sets.

    Parameters
    ----------
    size, ends
        The graph.
    """

    def __init__(self, size: int, ends: Ints) -> None:
        self.size, self.ends = size, ends
        self.begin, self.near = _neighbours(size, ends)

    def among(self, scores: _Floats, limits: Limits) -> Ints | None:
        """A set that leaves too many pieces; None if none is found.

        Raises
        ------
        Stopped
            If the limits are reached.
        """
        order = np.argsort(-scores, kind="stable")
        for share in START_SHARES.tolist():
            limits.check()
            left = np.ones(self.size, dtype=np.bool_)
            left[order[: int(share * self.size)]] = False
            if self._climbed(left):
                removed = trimmed(self.size, self.ends, np.flatnonzero(~left))[0]
                if len(removed):  # None are left of a graph that is not connected.
                    return removed
        return None

    def _climbed(self, left: npt.NDArray[np.bool_]) -> bool:
        """Improve a set, in place; return whether it leaves too many pieces."""
        best, stale = -self.size, 0
        while stale <= MAX_STALE:
            _put_back(self.begin, self.near, left, 1)
            pieces = _put_back(self.begin, self.near, left, 2)
            removed = self.size - int(np.count_nonzero(left))
            if not removed:
                return False
            if pieces > removed:
                return True
            stale = 0 if pieces - removed > best else stale + 1
            best = max(best, pieces - removed)
            _remove_joints(self.begin, self.near, left)
        return False


def shares_out(size: int, ends: Ints, sets: Sequence[Ints]) -> _Floats:
    """Share of the edges of each vertex that leave a set, on average over the sets that contain it; or else 1.

    Of the two sides of a large set the smaller one counts.
    """
    degrees = np.bincount(ends.reshape(-1), minlength=size)
    begin, near = _neighbours(size, ends)
    smaller = [some if 2 * len(some) <= size else np.setdiff1d(np.arange(size), some) for some in sets]
    vertices = np.concatenate([np.zeros(0, dtype=np.int64), *smaller])
    names = np.repeat(np.arange(len(smaller)), [len(some) for some in smaller])
    # A row for each edge at each vertex of each set.
    times = degrees[vertices]
    first = np.cumsum(times) - times
    rows = np.repeat(begin[vertices] - first, times) + np.arange(times.sum())
    members = np.sort(names * size + vertices)
    beyond = np.repeat(names, times) * size + near[rows]
    places = np.searchsorted(members, beyond)
    places[places == len(members)] = 0
    stays = np.bincount(np.repeat(vertices, times), members[places] == beyond, minlength=size)
    counts = np.bincount(vertices, minlength=size)
    return 1 - stays / np.maximum(1, counts * degrees)


def _neighbours(size: int, ends: Ints) -> tuple[Ints, Ints]:
    """The neighbours of each vertex, one vertex after the other: offsets, shape (size + 1,), and neighbours."""
    tails, heads = np.concatenate([ends, ends[:, ::-1]]).T
    return grouped(tails, heads, size)


@kernel("int64(int64[::1], int64[::1], boolean[::1], int64)", plain=MAX_PLAIN)
def _put_back(begin, near, left, most):  # type: ignore[no-untyped-def]
    """Put back one removed vertex after the other if it is adjacent to at most so many pieces; return their number."""
    n = len(begin) - 1
    up = np.arange(n, dtype=np.int32)
    pieces = 0
    for v in range(n):
        if left[v]:
            pieces += 1
            for slot in range(begin[v], begin[v + 1]):
                w = near[slot]
                if w < v and left[w]:
                    root, other = find_root(up, v), find_root(up, w)
                    if root != other:
                        up[root] = other
                        pieces -= 1
    seen = np.full(n, -1)
    for v in range(n):
        if left[v]:
            continue
        adjacent = 0
        for slot in range(begin[v], begin[v + 1]):
            if left[near[slot]]:
                root = find_root(up, near[slot])
                if seen[root] != v:
                    seen[root] = v
                    adjacent += 1
        if adjacent <= most:
            left[v] = True
            pieces += 1 - adjacent
            for slot in range(begin[v], begin[v + 1]):
                if left[near[slot]]:
                    up[find_root(up, near[slot])] = v
    return pieces


@kernel("void(int64[::1], int64[::1], boolean[::1])", plain=MAX_PLAIN)
def _remove_joints(begin, near, left):  # type: ignore[no-untyped-def]
    """Remove each vertex whose removal cuts its piece into at least three (by Hopcroft and Tarjan's search)."""
    n = len(begin) - 1
    stack, above, slots = np.zeros(n, dtype=np.int64), np.full(n, -1), begin[:-1].copy()
    number, low, parts = np.full(n, -1), np.zeros(n, dtype=np.int64), np.ones(n, dtype=np.int64)
    count = 0
    for start in range(n):
        if not left[start] or number[start] >= 0:
            continue
        stack[0] = start
        number[start] = low[start] = count
        parts[start] = 0  # Nothing is above the first vertex.
        count += 1
        size = 1
        while size:
            v = stack[size - 1]
            if slots[v] == begin[v + 1]:
                size -= 1
                if size:
                    u = stack[size - 1]
                    # Nothing below reaches above u, so that removing u cuts this part off.
                    if low[v] >= number[u]:
                        parts[u] += 1
                    low[u] = min(low[u], low[v])
                continue
            w = near[slots[v]]
            slots[v] += 1
            if not left[w] or w == above[v]:
                continue
            if number[w] >= 0:
                low[v] = min(low[v], number[w])
                continue
            above[w] = v
            number[w] = low[w] = count
            count += 1
            stack[size] = w
            size += 1
    for v in range(n):
        if left[v] and parts[v] > 2:
            left[v] = False
