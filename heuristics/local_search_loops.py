"""The compiled loops of simulated annealing, which exchange edges of a tour for `heuristics.local_search`.

The tour is a ring: `order[i]` is followed by `order[i + 1]` along `edges[i]`. A move gives up the edges at some places
of the ring and takes as many others, along closed walks that alternate between the two (Lin and Kernighan 1973): one
walk of 2 to `MAX_DEPTH` given up edges, or two walks of 2 (the double bridge is such a pair; no single walk does it).
The r-th given up edge leaves two ports, 2r before it and 2r + 1 behind it; `mate` tells which ports the new edges join.
The tour between two given up places is a segment. Following segments and mates shows whether the move leaves one cycle,
without a look at the vertices in between.

The ring may be that of a part of the graph. Then an edge of the ring may stand for a longer piece of the tour, and the
vertices of such pieces have the place -1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from heuristics.compiled_helpers import below
from kt_models.jit import kernel


class GraphArrays(NamedTuple):
    """A graph in CSR form: the neighbours of each vertex, and the edge to each of them."""

    indptr: np.ndarray
    neighbours: np.ndarray
    incident: np.ndarray


class WeightArrays(NamedTuple):
    """An objective: for each edge its weight, the edges that it makes a pair with, and the weights of these pairs."""

    pair_start: np.ndarray
    pair_other: np.ndarray
    pair_weight: np.ndarray
    edge_weight: np.ndarray


class Ring(NamedTuple):
    """A tour: its vertices in order, the edge behind each of them, and the place of each vertex."""

    order: np.ndarray
    edges: np.ndarray
    place: np.ndarray


class MoveArrays(NamedTuple):
    """A move while it is built: arrays with an entry for each given up edge (`mate`, `joining`: for each port).

    `places` has the places of the edges, `mate` the port at the other end of each new edge, and `joining` that edge;
    `sorted_by` orders the given up edges by place, and `rank` is its inverse.
    """

    places: np.ndarray
    mate: np.ndarray
    joining: np.ndarray
    rank: np.ndarray
    sorted_by: np.ndarray


EDGES = "NamedTuple((int64[::1], int32[::1], int32[::1]), GraphArrays)"
COSTS = "NamedTuple((int64[::1], int32[::1], int64[::1], int64[::1]), WeightArrays)"
RING, MOVE = "NamedUniTuple(int32[::1], 3, Ring)", "NamedUniTuple(int64[::1], 5, MoveArrays)"
"""numba's types of the records; it has another type for records whose fields are all of one type."""
MAX_DEPTH = 5
"""Most edges given up by a move: larger moves reach more tours, and take more work for each step."""
MAX_DRAWS = 16
"""Most draws of the first place, until one is found whose edge costs something."""


@kernel(f"int64({COSTS}, boolean[::1])")
def value_of(costs, chosen):  # type: ignore[no-untyped-def]
    """The objective of a set of edges."""
    pair_start, pair_other, pair_weight, edge_weight = costs
    value = 0
    for e in range(len(chosen)):
        if chosen[e]:
            # Each pair is stored with both of its edges and so is counted twice; single weights are doubled to match.
            value += 2 * edge_weight[e]
            for k in range(pair_start[e], pair_start[e + 1]):
                if chosen[pair_other[k]]:
                    value += pair_weight[k]
    return value // 2


@kernel(f"int64({COSTS}, boolean[::1], int64)")
def _flip(costs, chosen, e):  # type: ignore[no-untyped-def]
    """Choose an edge or give it up; return the change of the objective."""
    pair_start, pair_other, pair_weight, edge_weight = costs
    change = edge_weight[e]
    for k in range(pair_start[e], pair_start[e + 1]):
        if chosen[pair_other[k]]:
            change += pair_weight[k]
    chosen[e] = not chosen[e]
    return change if chosen[e] else -change


@kernel(f"int64({EDGES}, boolean[::1], int64, int64)")
def _edge(graph, chosen, u, v):  # type: ignore[no-untyped-def]
    """An edge between two vertices that is not chosen; -1 if there is none."""
    indptr, neighbours, incident = graph
    # Scan the shorter list: the extra vertex of an open tour is adjacent to every cell.
    if indptr[u + 1] - indptr[u] > indptr[v + 1] - indptr[v]:
        u, v = v, u
    for k in range(indptr[u], indptr[u + 1]):
        if neighbours[k] == v and not chosen[incident[k]]:
            return incident[k]
    return -1


@kernel(f"int64({MOVE}, int64)")
def _parts(move, count):  # type: ignore[no-untyped-def]
    """The number of segments on the cycle of the first one; it is `count` if the move leaves one cycle.

    It fills `sorted_by` and `rank`.
    """
    places, mate, _, rank, sorted_by = move
    # Insertion sort: there are at most MAX_DEPTH places, and a call of numpy's sort would cost more than the step.
    for r in range(count):
        s = r
        while s > 0 and places[sorted_by[s - 1]] > places[r]:
            sorted_by[s] = sorted_by[s - 1]
            s -= 1
        sorted_by[s] = r
    for s in range(count):
        rank[sorted_by[s]] = s
    # Start behind the first given up edge, cross a segment, follow the new edge at its end, and so on. If the walk
    # returns before it has seen all segments, the move leaves several cycles.
    port, parts = 2 * sorted_by[0] + 1, 0
    while True:
        parts += 1
        port = mate[_across(port, rank, sorted_by, count)]
        if port == 2 * sorted_by[0] + 1 or parts > count:
            return parts


@kernel("int64(int64, int64[::1], int64[::1], int64)")
def _across(port, rank, sorted_by, count):  # type: ignore[no-untyped-def]
    """The port at the other end of a port's segment."""
    # An odd port lies behind its edge, so its segment ends before the next given up edge; an even one is its mirror
    # image.
    if port % 2 == 1:
        return 2 * sorted_by[(rank[port // 2] + 1) % count]
    return 2 * sorted_by[(rank[port // 2] - 1) % count] + 1


@kernel(f"void({RING}, {MOVE}, int64, int32[::1], int32[::1])")
def _apply(ring, move, count, vertices, between):  # type: ignore[no-untyped-def]
    """Update the ring after a move; the longest segment stays in place.

    `vertices` and `between` are scratch for the others: their vertices, and the edges behind them.
    """
    order, edges, place = ring.order, ring.edges, ring.place
    places, mate, joining, rank, sorted_by = move
    n = len(order)
    # Only the shorter segments are rewritten: with two given up edges at random places a quarter of the ring on
    # average.
    longest, keep = -1, 0
    for s in range(count):
        size = (places[sorted_by[(s + 1) % count]] - places[sorted_by[s]]) % n
        if size > longest:
            longest, keep = size, s
    port = 2 * sorted_by[(keep + 1) % count]
    start = places[port // 2]  # The place where the kept segment ends.
    first_edge = joining[port]
    size = 0
    for _ in range(count - 1):
        port = mate[port]
        far = _across(port, rank, sorted_by, count)
        start_place = (places[port // 2] + port % 2) % n
        stop_place = (places[far // 2] + far % 2) % n
        # The segment is passed forwards from an odd port and backwards from an even one, and waits in `vertices`.
        if port % 2 == 1:
            length = (stop_place - start_place) % n + 1
            for k in range(length):
                vertices[size + k] = order[(start_place + k) % n]
                between[size + k] = edges[(start_place + k) % n]
        else:
            length = (start_place - stop_place) % n + 1
            for k in range(length):
                vertices[size + k] = order[(start_place - k) % n]
                between[size + k] = edges[(start_place - k - 1) % n]
        size += length
        between[size - 1] = joining[far]
        port = far
    edges[start] = first_edge
    for k in range(size):
        at = (start + 1 + k) % n
        order[at] = vertices[k]
        edges[at] = between[k]
        place[vertices[k]] = at


@kernel(f"boolean({COSTS}, boolean[::1], int64)")
def _pays(costs, chosen, e):  # type: ignore[no-untyped-def]
    """Whether a chosen edge costs something, alone or with another chosen edge."""
    pair_start, pair_other, pair_weight, edge_weight = costs
    if edge_weight[e] > 0:
        return True
    for k in range(pair_start[e], pair_start[e + 1]):  # noqa: SIM110 -- numba has no `any` of a generator
        if chosen[pair_other[k]] and pair_weight[k] > 0:
            return True
    return False


@kernel(f"int64({COSTS}, boolean[::1], boolean[::1], int32[::1], uint64[::1])")
def costly_place(costs, locked, chosen, edges, state):  # type: ignore[no-untyped-def]
    """A random place of the ring, if possible one whose edge is not locked and costs something."""
    p = 0
    for _ in range(MAX_DRAWS):
        p = below(state, len(edges))
        e = edges[p]
        if not locked[e] and _pays(costs, chosen, e):
            break
    return p


@kernel(
    f"void({EDGES}, {COSTS}, boolean[::1], {RING}, boolean[::1], UniTuple(int32[::1], 2), int64[::1], float64, "
    "uint64[::1], int64, float64)"
)
def anneal(  # type: ignore[no-untyped-def]
    graph, costs, locked, ring, chosen, best, record, temperature, state, steps, patience
):
    """Try `steps` moves at a temperature (Metropolis); `record` holds the present value and the least so far.

    A walk is abandoned when its cost exceeds the allowed cost of a move by more than `patience`. If no weight is
    negative, 0 is right: the edge that closes a walk does not make it cheaper, and a good walk can be started at a
    place from which it never costs too much (Lin and Kernighan 1973, for weights of edges alone).
    """
    indptr, neighbours, incident = graph
    order, edges, place = ring.order, ring.edges, ring.place
    best_order, best_edges = best
    n = len(order)
    # Scratch arrays are allocated once for all steps; an allocation in the inner loop would dominate it.
    vertices, between = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32)
    places, rank, sorted_by = (
        np.empty(MAX_DEPTH, np.int64),
        np.empty(MAX_DEPTH, np.int64),
        np.empty(MAX_DEPTH, np.int64),
    )
    mate, joining = np.empty(2 * MAX_DEPTH, np.int64), np.empty(2 * MAX_DEPTH, np.int64)
    move = MoveArrays(places, mate, joining, rank, sorted_by)
    gone, new = np.empty(MAX_DEPTH, np.int64), np.empty(MAX_DEPTH, np.int64)  # Edges given up, and edges taken.
    for _ in range(steps):
        # Metropolis with the random number drawn in advance: by how much the tour may become worse.
        # The logarithm of a uniform number in (0, 1] has the distribution that Metropolis' test compares the change
        # with.
        slack = -temperature * np.log((below(state, 1 << 30) + 1.0) / (1 << 30))
        count, taken, change, moved = 0, 0, 0, False
        origin, port = -1, -1  # The port where the walk began, and its present port.
        while count < MAX_DEPTH:
            if port < 0:
                if count == 0:
                    p = costly_place(costs, locked, chosen, edges, state)
                else:  # There are two cycles: the second walk begins on the shorter one.
                    # On the shorter cycle the second walk has to leave it sooner, and `_apply` moves fewer vertices.
                    low, high = min(places[0], places[1]), max(places[0], places[1])
                    inner = high - low
                    if 2 * inner <= n:
                        p = (low + 1 + below(state, inner)) % n
                    else:
                        p = (high + 1 + below(state, n - inner)) % n
                side = below(state, 2)
            else:
                u = order[(places[port // 2] + port % 2) % n]
                first, size = indptr[u], indptr[u + 1] - indptr[u]
                slot = below(state, size)
                for _ in range(2):  # At most two of the neighbours are chosen already.
                    if chosen[incident[first + slot]]:
                        slot = (slot + 1) % size
                slot += first
                e = incident[slot]
                fresh = not chosen[e] and place[neighbours[slot]] >= 0
                # An edge that was given up in this move is not chosen any more, but taking it back would undo the step.
                for r in range(count):
                    fresh = fresh and gone[r] != e
                if not fresh:
                    break
                side = below(state, 2)  # The neighbour is before or behind the next edge to be given up.
                p = (place[neighbours[slot]] - side) % n
                # Prefer the side from which the walk can be closed at once: most moves that succeed have few edges.
                v = order[(places[origin // 2] + origin % 2) % n]
                if _edge(graph, chosen, order[(p + 1 - side) % n], v) < 0:
                    behind = (p + 2 * side - 1) % n  # From there, the walk may perhaps be closed.
                    if _edge(graph, chosen, order[(behind + side) % n], v) >= 0:
                        p, side = behind, 1 - side
            # A required edge ends the walk; so does one that the move has already given up.
            old = edges[p]
            if locked[old] or not chosen[old]:
                break
            if port < 0:
                origin = 2 * count + side
            else:
                arrived = 2 * count + side
                mate[port], mate[arrived] = arrived, port
                joining[port] = joining[arrived] = e
                change += _flip(costs, chosen, e)
                new[taken] = e
                taken += 1
            places[count], gone[count] = p, old
            change += _flip(costs, chosen, old)
            began = port < 0
            port = 2 * count + 1 - side
            count += 1
            if began:
                continue
            # No continuation that is worth trying makes up for such a loss.
            if change > slack + patience:
                break
            u = order[(places[port // 2] + port % 2) % n]
            v = order[(places[origin // 2] + origin % 2) % n]
            e = _edge(graph, chosen, u, v)
            fresh = e >= 0
            for r in range(count):
                fresh = fresh and gone[r] != e
            if not fresh:
                continue
            # Close the walk on trial: `mate` of the origin is overwritten if the walk goes on.
            mate[port], mate[origin] = origin, port
            joining[port] = joining[origin] = e
            if _parts(move, count) == count:
                more = _flip(costs, chosen, e)
                if change + more <= slack:
                    change += more
                    moved = True
                    break
                chosen[e] = False
            # The closed walk leaves two cycles. Half of the time keep it, and look for a second walk that joins them.
            elif count == 2 and below(state, 2) == 0:
                change += _flip(costs, chosen, e)
                new[taken] = e
                taken += 1
                port = -1
        if not moved:
            # Undo: what was taken is given up, and what was given up is chosen again. The ring was not touched yet.
            for r in range(taken):
                chosen[new[r]] = False
            for r in range(count):
                chosen[gone[r]] = True
            continue
        # The ring changes only now, once per accepted move; all tests before used places and mates alone.
        _apply(ring, move, count, vertices, between)
        record[0] += change
        if record[0] < record[1]:
            record[1] = record[0]
            for i in range(n):  # numba takes a second and a half to compile the assignment of a whole array.
                best_order[i], best_edges[i] = order[i], edges[i]


@kernel("int64(int64[::1], int32[::1], int64, boolean[::1], int32[::1])")
def ball(indptr, neighbours, size, inside, queue):  # type: ignore[no-untyped-def]
    """Collect the `size` vertices nearest to the first of `queue`: set `inside` for them, and fill the queue with them.

    A vertex with more neighbours than that is near to all others, so the search does not pass through it.
    """
    inside[queue[0]] = True
    count, done = 1, 0
    while done < count:
        u = queue[done]
        done += 1
        # The extra vertex of an open tour is adjacent to all cells: passing through it would make everything near.
        if indptr[u + 1] - indptr[u] > size and done > 1:
            continue
        for k in range(indptr[u], indptr[u + 1]):
            v = neighbours[k]
            if count < size and not inside[v]:
                inside[v] = True
                queue[count] = v
                count += 1
    return count


@kernel("int64(int32[::1], int32[::1], boolean[::1], int64, int32[::1], int32[::1], int32[::1])")
def contract(order, edges, inside, names, place, ring, ring_edges):  # type: ignore[no-untyped-def]
    """The ring of the vertices inside; return its length.

    A piece of the tour that runs outside becomes one edge, numbered `names` plus the place in `order` where it begins.
    `place` is set to places in the ring, and to -1 outside.
    """
    n, count = len(order), 0
    # Begin inside, so that a piece outside never crosses the end of the loop.
    start = 0
    while not inside[order[start]]:
        start += 1
    for k in range(n):
        p = (start + k) % n
        v = order[p]
        if not inside[v]:
            place[v] = -1
            continue
        ring[count] = v
        ring_edges[count] = edges[p] if inside[order[(p + 1) % n]] else names + p
        place[v] = count
        count += 1
    return count


@kernel("void(int32[::1], int32[::1], int64, int32[::1], int32[::1], int32[::1], int32[::1])")
def expand(order, edges, names, ring, ring_edges, new_order, new_edges):  # type: ignore[no-untyped-def]
    """The tour that a ring stands for; the ring was contracted from `order` and `edges`."""
    n, size = len(order), 0
    for k in range(len(ring)):
        new_order[size] = ring[k]
        e = ring_edges[k]
        if e < names:
            new_edges[size] = e
            size += 1
            continue
        p = e - names
        # The ring may pass a piece against its old direction, because a move can reverse a segment.
        if order[p] == ring[k]:  # The piece keeps its direction.
            q = (p + 1) % n
            new_edges[size] = edges[p]
            size += 1
            while order[q] != ring[(k + 1) % len(ring)]:
                new_order[size], new_edges[size] = order[q], edges[q]
                size += 1
                q = (q + 1) % n
            continue
        q = p
        while order[(q + 1) % n] != ring[k]:
            q = (q + 1) % n
        new_edges[size] = edges[q]
        size += 1
        while q != p:
            new_order[size] = order[q]
            q = (q - 1) % n
            new_edges[size] = edges[q]
            size += 1
