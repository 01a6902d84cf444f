"""Cut-sets that a solution of a linear program violates, by maximum flows, for one cycle or path through all vertices.

The chosen shares are the weights of a graph. An open tour is a closed one through an extra vertex, which stands for the
outside: free ends and terminals are its edges. So a set of vertices is a cut-set, in closed and open tours alike, if
less than 2 leaves it there.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from encoders.lp.program import Floats
from heuristics.compiled_helpers import grouped
from kt_models.jit import kernel
from kt_models.kernel.certificates.cut_inequalities import Cut
from kt_models.kernel.certificates.integers import Ints
from kt_models.problem import Problem
from kt_models.walks import components

TOLERANCE = 1e-4
"""Greatest distance of a share from a whole number that counts as none."""
MAX_CUTS = 250
"""Most rows of one kind that are added at once."""


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
        self._ends = np.stack(
            [np.concatenate([self.tails, out]), np.concatenate([self.heads, np.full(len(out), graph.n)])], axis=1
        )
        self._weight = np.concatenate([self.shares, outside[out]])

    def contracted(self) -> tuple[Ints, tuple[Ints, Ints, Ints, Floats]]:
        """The graph without its whole edges: the new number of each vertex, and the arcs by vertex.

        As 2 leaves each vertex, a cut gets no heavier if one end of an edge of share 1 moves to the side of the other
        (Padberg and Rinaldi 1990). So such edges are contracted, and chains of them.
        """
        whole = self._weight > 1 - TOLERANCE / 10
        label = labels(self.size, self._ends[whole, 0], self._ends[whole, 1])
        ends = label[self._ends]
        across = ends[:, 0] != ends[:, 1]
        # Each edge is an arc in both directions: arc 2e from its tail, arc 2e + 1 from its head.
        arcs = ends[across].reshape(-1)
        start, order = grouped(arcs, np.arange(len(arcs)), int(label.max()) + 1)
        target = ends[across][:, ::-1].reshape(-1).astype(np.int64)
        return label, (start, order.astype(np.int64), target, np.repeat(self._weight[across], 2))


def cut_sets(support: Support) -> list[Cut]:
    """Sets of vertices that less than 2 leaves, free ends and terminals included."""
    label, arrays = support.contracted()
    sides = np.zeros((MAX_CUTS, int(label.max()) + 1), dtype=np.bool_)
    count = _light_cuts(*arrays, int(label[-1]), 2 - 10 * TOLERANCE, sides)
    found: dict[bytes, Cut] = {}
    for side in sides[:count, label]:
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


def labels(n: int, tails: Ints, heads: Ints) -> npt.NDArray[np.int64]:
    """The number of each vertex's component, counted from 0."""
    return np.unique(components(n, np.stack([tails, heads], axis=1)), return_inverse=True)[1]
