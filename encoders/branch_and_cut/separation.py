"""Rows that a solution of the linear program violates: cut-sets by maximum flows, blossoms by components.

The chosen shares are the weights of a graph. An open tour is a closed one through an extra vertex, which stands for the
outside: free ends and terminals are its edges. So a set of vertices is a cut-set, in closed and open tours alike, if
less than 2 leaves it there.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from encoders.lp.program import Floats
from encoders.lp.separation import TOLERANCE
from heuristics.compiled_helpers import grouped
from kt_models.jit import kernel
from kt_models.kernel.certificates.cut_inequalities import Cut
from kt_models.kernel.certificates.integers import Ints
from kt_models.problem import Problem

MAX_CUTS = 250
"""Most rows of one kind that are added at once."""
LEAST_SHARES = 0.0, 0.1, 0.2, 0.3
"""Shares below which, and above one less which, edges are left out where handles of blossoms are sought."""


class Support:
    """The edges with a share, as a graph with an extra vertex for the outside of open tours."""

    def __init__(self, problem: Problem, edges: Ints, shares: Floats, ending: Floats) -> None:
        graph = problem.graph
        self.problem, self.n = problem, graph.n
        there = shares > TOLERANCE / 10
        self.edges, self.shares = edges[there], shares[there]
        self.tails, self.heads = graph.tails[self.edges].astype(np.int64), graph.heads[self.edges].astype(np.int64)
        outside = ending.copy()
        outside[list(problem.terminals)] = 1.0
        out = np.flatnonzero(outside > TOLERANCE / 10)
        self.size = graph.n + (len(out) > 0)
        tails, heads = np.concatenate([self.tails, out]), np.concatenate([self.heads, np.full(len(out), graph.n)])
        weight = np.concatenate([self.shares, outside[out]])
        # Each edge is an arc in both directions: arc 2e from its tail, arc 2e + 1 from its head.
        arcs = np.stack([tails, heads], axis=1).reshape(-1)
        start, order = grouped(arcs, np.arange(len(arcs)), self.size)
        self.arrays = (
            start,
            order.astype(np.int64),
            np.stack([heads, tails], axis=1).reshape(-1).astype(np.int64),
            np.repeat(weight, 2),
        )


def separate(problem: Problem, edges: Ints, shares: Floats, ending: Floats) -> list[Cut]:
    """Violated rows: cut-sets, and blossoms if there are none.

    Parameters
    ----------
    edges
        Numbers of edges, and in `shares` the share of each of them.
    ending
        Share of a free end at each vertex, shape (n,).
    """
    support = Support(problem, edges, shares, ending)
    return cut_sets(support) or blossoms(support)


def cut_sets(support: Support) -> list[Cut]:
    """Sets of vertices that less than 2 leaves, free ends and terminals included."""
    sides = np.zeros((MAX_CUTS, support.size), dtype=np.bool_)
    count = _light_cuts(*support.arrays, support.size - 1, 2 - 10 * TOLERANCE, sides)
    found: dict[bytes, Cut] = {}
    for side in sides[:count]:
        # The source is the last vertex, the outside of an open tour; the smaller side of a closed tour is shorter.
        inside = side[: support.n]
        if support.size == support.n and 2 * inside.sum() > support.n:
            inside = ~inside
        if not 0 < inside.sum() < support.n:
            continue
        found.setdefault(inside.tobytes(), Cut(tuple(np.flatnonzero(inside).tolist())))
    return list(found.values())


@kernel("int64(int64[::1], int64[::1], int64[::1], float64[::1], int64, float64, boolean[:,::1])")
def _light_cuts(start, arcs, target, weight, source, enough, sides):  # type: ignore[no-untyped-def]
    """The side of the sink, for each vertex as the sink, if a flow of less than `enough` reaches it; their number.

    Maximum flows by shortest augmenting paths (Edmonds and Karp 1972); a flow that is enough is not completed.
    """
    n = len(start) - 1
    left = np.empty(len(weight), dtype=np.float64)
    entry, queue = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    covered = np.zeros(n, dtype=np.bool_)
    count = 0
    for sink in range(n):
        if sink == source or covered[sink] or count == len(sides):
            continue
        for k in range(len(weight)):
            left[k] = weight[k]
        flow = 0.0
        while flow < enough:
            for v in range(n):
                entry[v] = -1
            entry[source] = -2
            queue[0] = source
            size, head = 1, 0
            while head < size and entry[sink] == -1:
                u = queue[head]
                head += 1
                for k in range(start[u], start[u + 1]):
                    a = arcs[k]
                    if left[a] > 1e-9 and entry[target[a]] == -1:
                        entry[target[a]] = a
                        queue[size] = target[a]
                        size += 1
            if entry[sink] == -1:
                break
            amount, v = 10.0, sink
            while v != source:
                amount = min(amount, left[entry[v]])
                v = target[entry[v] ^ 1]
            v = sink
            while v != source:
                left[entry[v]] -= amount
                left[entry[v] ^ 1] += amount
                v = target[entry[v] ^ 1]
            flow += amount
        if flow >= enough:
            continue
        # All from which the sink can still be reached: the least such side.
        for v in range(n):
            sides[count, v] = False
        sides[count, sink] = True
        queue[0] = sink
        size, head = 1, 0
        while head < size:
            u = queue[head]
            head += 1
            for k in range(start[u], start[u + 1]):
                a = arcs[k] ^ 1  # The arc towards u.
                v = target[arcs[k]]
                if left[a] > 1e-9 and not sides[count, v]:
                    sides[count, v] = True
                    queue[size] = v
                    size += 1
        # The vertices of a small side would give the same one.
        if 2 * size <= n:
            for k in range(size):
                covered[queue[k]] = True
        count += 1
    return count


def blossoms(support: Support) -> list[Cut]:
    """Blossoms whose handle is a component of edges with a middling share (Padberg and Hong 1980)."""
    problem, tails, heads, shares = support.problem, support.tails, support.heads, support.shares
    if problem.free_ends:
        return []
    alone = np.zeros(support.n, dtype=np.int64)
    alone[list(problem.terminals)] = 1
    found: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[float, Cut]] = {}
    for share in LEAST_SHARES:
        middling = (shares > share + TOLERANCE) & (shares < 1 - share - TOLERANCE)
        label = _labels(support.n, tails[middling], heads[middling])
        for k in np.flatnonzero(np.bincount(label) >= 3).tolist():
            inside = label == k
            leaving = np.flatnonzero(inside[tails] != inside[heads])
            x = shares[leaving]
            teeth = x > 0.5
            # The edge nearest to one half changes sides if the number is even.
            if (int(teeth.sum()) + int(alone[inside].sum())) % 2 == 0:
                if not len(x):
                    continue
                nearest = int(np.argmin(np.abs(x - 0.5)))
                teeth[nearest] = ~teeth[nearest]
            least = float(x[~teeth].sum() + (1 - x[teeth]).sum())
            if teeth.any() and least < 1 - 50 * TOLERANCE:
                handle = tuple(np.flatnonzero(inside).tolist())
                edges = tuple(sorted(support.edges[leaving[teeth]].tolist()))
                found[handle, edges] = least, Cut(handle, edges)
    return [cut for _, cut in sorted(found.values(), key=lambda item: item[0])[:MAX_CUTS]]


def _labels(n: int, tails: Ints, heads: Ints) -> npt.NDArray[np.int64]:
    """The number of each vertex's component, counted from 0."""
    from kt_models.walks import components

    return np.unique(components(n, np.stack([tails, heads], axis=1)), return_inverse=True)[1]
