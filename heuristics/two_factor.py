"""A random 2-factor: disjoint cycles through every vertex, the start of everything that merges cycles.

In a bipartite graph a 2-factor is a flow of value n: every vertex of one colour sends 2, every vertex of the other
takes 2, an edge carries 0 or 1.  A greedy choice of edges is completed by Dinic's phases of shortest augmenting paths
(Dinic 1970; for matchings Hopcroft and Karp 1973), so the answer None is a proof that there is none, and with it no
Hamiltonian cycle.  Few phases are needed from a greedy start: the work is nearly linear on boards.

In any other graph a perfect matching of the bipartite double cover is taken, which is a choice of a successor for
every vertex: cycles again, except that a cycle of two vertices (one edge taken both ways) may occur.  Merging does not
mind those: to merge one with another cycle is to insert an edge into it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from heuristics.jit import below, kernel, random_state
from kt_models.board import IntArray
from kt_models.graph import MoveGraph

SWEEP_FROM = 5000
"""From this many vertices on, the greedy choice goes through them in order of number.  On a board of 10⁶ cells it then
leaves some 20 places for augmenting paths to mend, against 20,000 in a random order; the choices are random still."""


def random_cover(
    graph: MoveGraph,
    colour: npt.NDArray[np.int8] | None,
    rng: np.random.Generator,
    stopped: Callable[[], bool] = lambda: False,
) -> IntArray | None:
    """Cycles through every vertex of a simple graph.

    Parameters
    ----------
    colour
        A proper 2-colouring, or None if the graph is not bipartite.
    stopped
        Asked between phases; when it says True the answer is None.

    Returns
    -------
    links
        The two neighbours of each vertex on its cycle, shape (n, 2); twice the same one on a cycle of two vertices
        (only if the graph is not bipartite).  None if there is no such cover.
    """
    if colour is None:
        return _cover_by_successors(graph, rng, stopped)
    left = np.flatnonzero(colour == 0)
    number = np.cumsum(colour == 1, dtype=np.int64) - 1
    if 2 * len(left) != graph.n:
        return None
    degrees = graph.degrees[left]
    starts = np.concatenate([[0], np.cumsum(degrees)])
    slots = np.repeat(graph.indptr[left] - starts[:-1], degrees) + np.arange(starts[-1])
    mates = _degree_constrained(starts, number[graph.neighbours[slots]].astype(np.int32), len(left), 2, rng, stopped)
    if mates is None:
        return None
    right = np.flatnonzero(colour == 1)
    links = np.empty((graph.n, 2), dtype=np.int32)
    links[right] = left[mates]
    order = np.argsort(mates.reshape(-1), kind="stable")
    links[left] = right[order // 2].reshape(-1, 2)
    return links


def _cover_by_successors(graph: MoveGraph, rng: np.random.Generator, stopped: Callable[[], bool]) -> IntArray | None:
    before = _degree_constrained(graph.indptr, graph.neighbours, graph.n, 1, rng, stopped)
    if before is None:
        return None
    links = np.empty((graph.n, 2), dtype=np.int32)
    links[:, 0] = before[:, 0]
    links[before[:, 0], 1] = np.arange(graph.n)
    return links


def _degree_constrained(
    indptr: npt.NDArray[np.int64],
    heads: IntArray,
    n: int,
    b: int,
    rng: np.random.Generator,
    stopped: Callable[[], bool],
) -> IntArray | None:
    """Choose edges between two sets of n vertices so that every vertex has b of them.

    Returns
    -------
    mates
        The b left vertices chosen at each right vertex, shape (n, b).
    """
    heads = heads.copy()
    owner = np.repeat(np.arange(n, dtype=np.int32), np.diff(indptr))
    chosen = np.zeros(len(heads), dtype=np.bool_)
    taken = np.full((n, b), -1, dtype=np.int32)
    room = np.full((2, n), b, dtype=np.int8)
    order = rng.permutation(n) if n < SWEEP_FROM else np.arange(n)
    _greedy(indptr, heads, owner, order, chosen, taken, room, random_state(rng))
    while room[0].any():
        if stopped() or _phase(indptr, heads, owner, order, chosen, taken, room) == 0:
            return None
    return owner[taken]


@kernel
def _greedy(indptr, heads, owner, order, chosen, taken, room, state):  # type: ignore[no-untyped-def]
    """Shuffle every list of `heads`, then take edges vertex by vertex, first to where the fewest choices are left."""
    n, b = taken.shape
    left_over = np.zeros(n, dtype=np.int32)
    for slot in range(len(heads)):
        left_over[heads[slot]] += 1
    for u in range(n):
        for slot in range(indptr[u + 1] - 1, indptr[u], -1):
            other = indptr[u] + below(state, slot - indptr[u] + 1)
            heads[slot], heads[other] = heads[other], heads[slot]
    for u in order:
        for _ in range(b):
            best, least = -1, 0
            for slot in range(indptr[u], indptr[u + 1]):
                v = heads[slot]
                if not chosen[slot] and room[1, v] > 0:
                    spare = left_over[v] - room[1, v]
                    if best < 0 or spare < least:
                        best, least = slot, spare
            if best >= 0:
                v = heads[best]
                chosen[best] = True
                taken[v, b - room[1, v]] = best
                room[1, v] -= 1
                room[0, u] -= 1
        for slot in range(indptr[u], indptr[u + 1]):
            left_over[heads[slot]] -= 1


@kernel
def _phase(indptr, heads, owner, order, chosen, taken, room):  # type: ignore[no-untyped-def]
    """One phase of Dinic: a maximal set of shortest augmenting paths; the number of paths found, 0 when none is left.

    `room[0]` and `room[1]` say how many edges each left and right vertex still lacks; `taken[v]` are the chosen edges
    of a right vertex.
    """
    n, b = taken.shape
    level = np.full(n, -1, dtype=np.int32)
    queue = np.empty(n, dtype=np.int32)
    size = 0
    for u in order:
        if room[0, u] > 0:
            level[u] = 0
            queue[size] = u
            size += 1
    last = n
    done = 0
    while done < size:
        u = queue[done]
        done += 1
        if level[u] >= last:
            break
        for slot in range(indptr[u], indptr[u + 1]):
            if chosen[slot]:
                continue
            v = heads[slot]
            if room[1, v] > 0:
                last = level[u]
                break
            for k in range(b):
                w = owner[taken[v, k]]
                if level[w] < 0:
                    level[w] = level[u] + 1
                    queue[size] = w
                    size += 1
    if last == n:
        return 0
    count = 0
    pointer = np.zeros(n, dtype=np.int64)
    path = np.empty(last + 2, dtype=np.int32)
    for start in order:
        while room[0, start] > 0 and level[start] == 0:
            u = start
            depth = 0
            found = False
            while True:
                at = indptr[u] + pointer[u] // b
                if at >= indptr[u + 1]:  # a dead end: nobody need come here again in this phase
                    level[u] = -1
                    if depth == 0:
                        break
                    depth -= 1
                    u = path[depth]
                    pointer[u] += 1
                    continue
                if chosen[at]:
                    pointer[u] += 1
                    continue
                v = heads[at]
                if room[1, v] > 0:
                    found = True
                    break
                w = owner[taken[v, pointer[u] % b]]
                if level[u] < last and level[w] == level[u] + 1:
                    path[depth] = u
                    depth += 1
                    u = w
                else:
                    pointer[u] += 1
            if not found:
                break
            count += 1
            at = indptr[u] + pointer[u] // b
            v = heads[at]
            chosen[at] = True
            taken[v, b - room[1, v]] = at
            room[1, v] -= 1
            room[0, start] -= 1
            for i in range(depth - 1, -1, -1):  # the edge that led from v to the next vertex gives way
                u = path[i]
                at = indptr[u] + pointer[u] // b
                v = heads[at]
                k = pointer[u] % b
                chosen[taken[v, k]] = False
                chosen[at] = True
                taken[v, k] = at
    return count
