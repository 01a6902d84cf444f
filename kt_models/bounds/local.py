"""Local choices: at each vertex, which of its edges are chosen; the least that these choices can cost.

A vertex of degree 2 chooses a pair of its edges, one of degree 1 a single edge.  When the objective's weights are on
pairs of edges at a common vertex, as turns are, it is a sum over vertices of what their choices cost.  Give each end of
each edge a number, the *potential* of the edge at that vertex, and let the cost of a choice include the potentials of
its edges.  If the two potentials of every edge sum to 0, every solution costs what it did before; and no solution costs
less than the sum over vertices of the least cost of a choice.  That holds whatever the potentials are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.errors import CertificateError
from kt_models.problem import Problem

Ints = npt.NDArray[np.int64]
FORBIDDEN = np.int64(2**61)
"""Cost of a choice that is not allowed; sums of two of them still fit."""
LARGEST = 2**40
"""Largest absolute value of an integer in a certificate: sums over a million vertices then stay below 2^61."""
MAX_VERTICES = 2**20
CHUNK = 4_000_000
"""Pairs of edges looked at in one go."""


class Ends(NamedTuple):
    """The ends of edges ("darts"), grouped by vertex: number 2e is edge e at its tail, 2e + 1 at its head.

    `darts[start[v] : start[v + 1]]` are those at vertex v, in increasing order.
    """

    start: Ints
    darts: Ints


def ends_of(problem: Problem) -> Ends:
    """The ends of the edges of a problem's graph by vertex."""
    flat = problem.graph.ends.reshape(-1)
    order = np.argsort(flat, kind="stable")
    start = np.zeros(problem.graph.n + 1, dtype=np.int64)
    np.cumsum(np.bincount(flat, minlength=problem.graph.n), out=start[1:])
    return Ends(start, order.astype(np.int64))


class LocalWeights(NamedTuple):
    """The pairs of edges that weigh something, as pairs of ends at one vertex.

    `first`, `second` and `weight` have shape (p,), first < second; `single` is the weight of an end alone, shape
    (2m,); `apart` the sum of the negative weights of pairs that have no vertex in common, which no vertex sees.
    """

    first: Ints
    second: Ints
    weight: Ints
    single: Ints
    apart: int


def local_weights(problem: Problem) -> LocalWeights:
    """The objective of a problem, said locally."""
    weights = problem.weights
    assert weights is not None
    ends = problem.graph.ends.astype(np.int64)
    first, second = weights.first.astype(np.int64), weights.second.astype(np.int64)
    single = np.zeros(2 * problem.graph.m, dtype=np.int64)
    alone = first == second
    np.add.at(single, 2 * first[alone], weights.weight[alone])
    left, right = np.full(len(first), -1), np.full(len(first), -1)
    for i in (1, 0):  # edges that share both ends meet at the tail of the first
        for j in (1, 0):
            meet = (ends[first, i] == ends[second, j]) & ~alone
            left[meet], right[meet] = 2 * first[meet] + i, 2 * second[meet] + j
    local = left >= 0
    far = ~local & ~alone
    apart = int(np.minimum(weights.weight[far], 0).sum())
    low, high = np.minimum(left, right)[local], np.maximum(left, right)[local]
    return LocalWeights(low, high, weights.weight[local].astype(np.int64), single, apart)


def least_choices(
    problem: Problem, ends: Ends, weights: LocalWeights, scale: int, potential: Ints, ending: Ints | None = None
) -> Ints:
    """The least cost of a choice at each vertex, potentials included.

    Parameters
    ----------
    scale
        What the weights are multiplied by: the common denominator of the potentials.
    potential
        Of each end of an edge, shape (2m,).
    ending
        The extra cost if a path ends at a vertex that is not given, shape (n,), where it may end anywhere.

    Returns
    -------
    array of shape (n,)
        `FORBIDDEN` or more where no choice is allowed.
    """
    graph = problem.graph
    cost = potential + scale * weights.single
    for edge in problem.forbidden:
        cost[2 * edge : 2 * edge + 2] = FORBIDDEN
    needed = np.zeros(2 * graph.m, dtype=np.int64)  # required edges at the vertex, less one if it is one itself
    if problem.required:
        chosen = np.array(sorted(problem.required), dtype=np.int64)
        count = np.bincount(graph.ends[chosen].reshape(-1), minlength=graph.n)
        needed = count[graph.ends.reshape(-1)]
        needed[np.concatenate([2 * chosen, 2 * chosen + 1])] -= 1
        full = count[graph.ends.reshape(-1)]
    else:
        full = needed
    terminal = np.zeros(graph.n, dtype=bool)
    terminal[list(problem.terminals)] = True

    least = np.full(graph.n, 2 * FORBIDDEN)
    degree = np.diff(ends.start)
    slot = np.empty(2 * graph.m, dtype=np.int64)  # place of each end among those of its vertex
    slot[ends.darts] = np.arange(2 * graph.m) - np.repeat(ends.start[:-1], degree)
    owner = graph.ends.reshape(-1)
    for size in np.unique(degree[degree > 0]).tolist():
        group = np.flatnonzero(degree == size)
        step = max(1, CHUNK // (size * size))
        for begin in range(0, len(group), step):
            vertices = group[begin : begin + step]
            darts = ends.darts[ends.start[vertices][:, None] + np.arange(size)]
            # one edge: allowed if no other is required
            ones = np.where(needed[darts] == 0, cost[darts], FORBIDDEN)
            one = ones.min(axis=1)
            # two edges: between them they have all that are required
            table = cost[darts][:, :, None] + cost[darts][:, None, :]
            own = full[darts] - needed[darts]  # 1 for a required edge
            table[own[:, :, None] + own[:, None, :] < full[darts][:, :, None]] = FORBIDDEN
            row = np.full(graph.n, -1)
            row[vertices] = np.arange(len(vertices))
            here = row[owner[weights.first]]
            mine = np.flatnonzero(here >= 0)
            place = here[mine], slot[weights.first[mine]], slot[weights.second[mine]]
            np.add.at(table, place, scale * weights.weight[mine])
            table[:, np.tri(size, dtype=bool)] = 2 * FORBIDDEN
            two = table.min(axis=(1, 2)) if size > 1 else np.full(len(vertices), 2 * FORBIDDEN)
            if problem.free_ends and ending is not None:
                two = np.minimum(two, one + ending[vertices])
            least[vertices] = np.where(terminal[vertices], one, two)  # a given end is no free one
    return least


def exact_sum(least: Ints) -> int:
    """The sum of what the vertices cost at least.

    Raises
    ------
    CertificateError
        If some vertex has no choice: there is then no solution, which is another claim.
    """
    if len(least) and int(least.max()) >= int(FORBIDDEN) // 2:
        raise CertificateError("a vertex has no allowed choice: the problem has no solution")
    return int(least.sum())
