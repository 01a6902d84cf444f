"""A random 2-factor: disjoint cycles through every vertex, from which merging starts.

In a bipartite graph a 2-factor is a flow: every vertex of one colour (a left vertex) sends 2, every vertex of the other
colour receives 2, and an edge carries 0 or 1. A greedy choice of edges leaves a few left vertices with too few edges.
Push and relabel (Goldberg and Tarjan 1988) mends it: a left vertex that lacks an edge takes one, to the right vertex
with the shortest estimated way to one with room; then one of the vertices that held the right vertex lacks an edge in
its place. So a deficit walks over the board, one vertex at a time, and ways of any length are walked in the same round,
while phases of shortest augmenting paths would pass over the whole graph for each length. The labels (lower bounds for
the rest of the way) are set to the true distances by a breadth-first search, at first and after every linear amount of
work.

If no way leads from a vertex that lacks an edge to one with room, there is no 2-factor. So the answer None is a proof
that there is none, and no Hamiltonian cycle either.

In any other graph a perfect matching of the bipartite double cover is used, which is a choice of a successor for every
vertex. These are cycles again, except that a cycle of two vertices (one edge in both directions) may occur. Merging can
handle it: to merge it with another cycle is to insert its edge there.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from heuristics.compiled_helpers import below, random_state
from kt_models.board import IntArray
from kt_models.graph import MoveGraph
from kt_models.jit import MAX_PLAIN_VERTICES, kernel
from kt_models.limits import NO_LIMITS, Limits

MIN_SWEPT_VERTICES = 5000
"""Least number of left vertices for which the greedy choice goes in order of number. On a board of 10⁶ cells it then
leaves some 20 deficits, against 20,000 in a random order; the choices are random anyway."""

NEIGHBOURS_PER_LOOK = 8
"""In a round of mending, one neighbour out of this many is looked at before the distances are computed again."""

DONE, MORE, NONE = 0, 1, 2


def random_cover(
    graph: MoveGraph,
    colour: npt.NDArray[np.int8] | None,
    rng: np.random.Generator,
    limits: Limits = NO_LIMITS,
) -> IntArray | None:
    """Random cycles through every vertex of a simple graph.

    Parameters
    ----------
    colour
        A proper 2-colouring, or None if the graph is not bipartite.
    limits
        Looked at between rounds of linear work; if they are reached the answer is None.

    Returns
    -------
    links
        The two neighbours of each vertex on its cycle, shape (n, 2), which are equal on a cycle of two vertices (only
        if the graph is not bipartite). None if there is no such cover.
    """
    n = graph.n
    if colour is None:
        left = right = np.arange(n, dtype=np.int32)
        onward, back = np.full((n, 1), -1, dtype=np.int32), np.full((n, 1), -1, dtype=np.int32)
    else:
        left, right = (np.flatnonzero(colour == side).astype(np.int32) for side in (0, 1))
        if len(left) != len(right):
            return None
        onward = back = np.full((n, 2), -1, dtype=np.int32)  # No vertex is on both sides, so the two tables can be one.
    csr = graph.indptr, graph.neighbours
    state = random_state(rng)
    order = rng.permutation(left) if len(left) < MIN_SWEPT_VERTICES else left
    lacking, room = _greedy(*csr, order, right, onward, back, state)
    label = np.empty(n, dtype=np.int32)
    status = DONE if len(lacking) == 0 else MORE
    while status == MORE:
        if limits.over:
            return None
        status, lacking, room = _mend(*csr, lacking, room, onward, back, label, state)
    if status == NONE:
        return None
    return back if colour is not None else np.concatenate([back, onward], axis=1)


@kernel("boolean(int32[:, ::1], int64, int64)")
def _has(onward, u, v):  # type: ignore[no-untyped-def]
    """Whether left vertex u has the edge to right vertex v."""
    for k in range(onward.shape[1]):  # noqa: SIM110 -- numba has no `any` of a generator
        if onward[u, k] == v:
            return True
    return False


@kernel("void(int32[:, ::1], int64, int64, int64)")
def _put(links, u, old, new):  # type: ignore[no-untyped-def]
    """Replace one entry of a row; -1 stands for an empty place."""
    for k in range(links.shape[1]):
        if links[u, k] == old:
            links[u, k] = new
            return


@kernel(
    "UniTuple(int32[::1], 2)(int64[::1], int32[::1], int32[::1], int32[::1], int32[:, ::1], int32[:, ::1], "
    "uint64[::1])",
    plain=MAX_PLAIN_VERTICES,
)
def _greedy(indptr, neighbours, order, right, onward, back, state):  # type: ignore[no-untyped-def]
    """Take edges, left vertex by left vertex, preferring right vertices with the fewest other choices.

    Returns
    -------
    lacking
        The left vertices with too few edges, once for each missing edge.
    room
        The right vertices with too few edges.
    """
    n, b = onward.shape
    room = np.full(n, b, dtype=np.int8)
    # `spare` orders the right vertices by how many chances they have left: the fewest must be served first.
    spare = np.empty(n, dtype=np.int32)  # Left neighbours still to come, less the edges that a vertex still needs.
    for v in range(n):
        spare[v] = indptr[v + 1] - indptr[v] - b
    lacking = [np.int32(0) for _ in range(0)]
    for u in order:
        first, degree = indptr[u], indptr[u + 1] - indptr[u]
        for k in range(b):
            best, least, ties = -1, n, 0
            for slot in range(first, first + degree):
                v = neighbours[slot]
                if room[v] == 0 or spare[v] > least or _has(onward, u, v):
                    continue
                if spare[v] < least:
                    best, least, ties = v, spare[v], 1
                # Keep a uniformly random one among equally urgent vertices, without a list of them.
                else:
                    ties += 1
                    if below(state, ties) == 0:
                        best = v
            if best < 0:
                lacking.append(u)
                continue
            room[best] -= 1
            spare[best] += 1
            back[best, room[best]] = u
            onward[u, k] = best
        # The left vertex is done, so it is a chance less for each of its neighbours, whether it took them or not.
        for slot in range(first, first + degree):
            spare[neighbours[slot]] -= 1
    left = [v for v in right if room[v] > 0]
    return np.array(lacking, dtype=np.int32), np.array(left, dtype=np.int32)


@kernel("boolean(int64[::1], int32[::1], int32[::1], int32[::1], int32[:, ::1], int32[::1])")
def _distances(indptr, neighbours, lacking, room, onward, label):  # type: ignore[no-untyped-def]
    """Label left vertices with the number of others on the shortest way to a right vertex with room.

    The search ends when every vertex that lacks an edge has a label; farther vertices get the last label, a lower
    bound.

    Returns
    -------
    bool
        False if no way leads from some vertex that lacks an edge to one with room.
    """
    n = len(label)
    # A breadth-first search backwards, from right vertices with room to left vertices that lack an edge.
    label[:] = -1
    wanted = np.zeros(n, dtype=np.bool_)
    missing = 0
    for u in lacking:
        missing += not wanted[u]
        wanted[u] = True
    seen = np.zeros(n, dtype=np.bool_)
    queue = np.empty(n, dtype=np.int32)  # Right vertices in order of their distance.
    away = np.empty(n, dtype=np.int32)
    size, done, last = 0, 0, 0
    for v in room:
        if not seen[v]:
            seen[v] = True
            queue[size], away[size] = v, 0
            size += 1
    while done < size and missing > 0:
        v, last = queue[done], away[done]
        done += 1
        for slot in range(indptr[v], indptr[v + 1]):
            u = neighbours[slot]
            if label[u] >= 0 or _has(onward, u, v):
                continue
            label[u] = last
            missing -= wanted[u]
            # A right vertex that u holds can be handed on by u, at one step more.
            for k in range(onward.shape[1]):
                w = onward[u, k]
                if w >= 0 and not seen[w]:
                    seen[w] = True
                    queue[size], away[size] = w, last + 1
                    size += 1
    # Unreached vertices are at least as far as the last level, a valid lower bound for push and relabel.
    for u in range(n):
        if label[u] < 0:
            label[u] = last
    return missing == 0


@kernel(
    "Tuple((int64, int32[::1], int32[::1]))(int64[::1], int32[::1], int32[::1], int32[::1], int32[:, ::1], "
    "int32[:, ::1], int32[::1], uint64[::1])",
    plain=MAX_PLAIN_VERTICES,
)
def _mend(indptr, neighbours, lacking, room, onward, back, label, state):  # type: ignore[no-untyped-def]
    """One round: compute true distances, then push for the same amount of work.

    Returns
    -------
    status
        DONE, NONE (there is no cover) or MORE.
    lacking, room
        What is left of them.
    """
    n, b = onward.shape
    if not _distances(indptr, neighbours, lacking, room, onward, label):
        return NONE, lacking, room
    # As much work as the breadth-first search took, so that its cost is at most doubled.
    work = len(neighbours) // NEIGHBOURS_PER_LOOK
    for at in range(len(lacking)):
        u = lacking[at]
        while u >= 0:
            # The first deficit goes its shortest way to the end, so every round gains an edge.
            if work <= 0 and at > 0:
                lacking[at] = u
                count = 0
                for v in room:  # numba takes two seconds to compile the sum of a table's rows.
                    free = False
                    for i in range(b):
                        free |= back[v, i] < 0
                    if free:
                        room[count] = v
                        count += 1
                return MORE, lacking[at:], room[:count]
            begin, end = indptr[u], indptr[u + 1]
            work -= end - begin
            slot = begin + below(state, end - begin)  # Choose among equally good ones by chance.
            best, least, loser = -1, n, -1
            for _ in range(end - begin):
                slot = slot + 1 if slot + 1 < end else begin
                v = neighbours[slot]
                if _has(onward, u, v):
                    continue
                for i in range(b):
                    w = back[v, i]
                    # The price of v is the distance of the vertex that would lose it; free room costs nothing.
                    way = 0 if w < 0 else label[w] + 1
                    if way < least:
                        best, least, loser = v, way, w
            if best < 0:
                return NONE, lacking, room
            # The label becomes the true minimum over the neighbours: labels only grow, which bounds the number of
            # pushes.
            label[u] = least
            _put(onward, u, -1, best)
            _put(back, best, loser, u)
            if loser >= 0:
                _put(onward, loser, best, -1)
            u = loser
    return DONE, lacking, room
