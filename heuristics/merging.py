"""Merging of the cycles of a 2-factor into one, by exchanges of two edges that the graph joins at both ends.

Let (u, v) lie on one cycle and (x, y) on another, and let u-x and v-y be edges too. Then (u, x) and (v, y) in their
place make one cycle of the two. With a union-find over the cycles a sweep is nearly linear if degrees are small, as on
boards.

When no such exchange is left, every cycle but the largest is kicked: random alternating closed walks of the graph that
start where it borders on another cycle are tried until one leaves fewer cycles. The effect of a walk follows from the
places of its edges on their cycles, without a pass along them. So a try takes the time of the walk, and a round of
kicks is linear. The kicks of one round are tried independently and may together cut the long cycle into pieces, but the
pieces merge again. If no such walk is found for a cycle, it gets one that leaves as many cycles, or any.

Edges at vertices of degree 2 are never given up, because they have no exchange: required moves are safe after
`heuristics.simple_graph`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from heuristics.compiled_helpers import adjacent, below, find_root, random_state
from kt_models.board import IntArray
from kt_models.graph import MoveGraph
from kt_models.jit import MAX_PLAIN_VERTICES, kernel
from kt_models.limits import NO_LIMITS, Limits
from kt_models.recording import Recording

SLICE_VERTICES = 100_000
"""Vertices swept between two looks at the clock."""
SHUFFLED_BELOW = 10_000
"""Most vertices that are swept in a random order; more are swept in order of number, which suits the processor's cache
and is five times as fast. The cycles are random anyway."""
MAX_KICKS = 300
"""Most rounds of kicks; for small graphs a new start is better."""
MIN_TRIES = 100
"""Least number of walks tried for one cycle in a round of kicks."""
VERTICES_PER_TRY = 100
"""Vertices of the graph for each further try, so that a round of kicks takes about as long as a pass over the graph."""
START_PLACES = 64
"""Random places at the border of a cycle where the walks start."""
MAX_EXCHANGES = 8
"""Most edges that a walk gives up."""


def merge_cycles(
    graph: MoveGraph,
    links: IntArray,
    rng: np.random.Generator,
    limits: Limits = NO_LIMITS,
    watch: Recording | None = None,
) -> int:
    """Merge cycles of a cover in place.

    Parameters
    ----------
    links
        The two neighbours of each vertex on its cycle, shape (n, 2).
    watch
        Where merges and kicks are recorded, if somebody watches.

    Returns
    -------
    int
        The number of remaining cycles.
    """
    root, place = np.empty((2, graph.n), dtype=np.int32)
    state = random_state(rng)
    cycles = least = _merge_all(graph, links, root, rng, limits, watch)
    best = links.copy() if cycles > 1 else links
    for _ in range(min(MAX_KICKS, graph.n // 8)):
        if least == 1 or limits.over:
            break
        _number(links, root, place)
        tries = MIN_TRIES + graph.n // (VERTICES_PER_TRY * cycles)
        _kick(graph.indptr, graph.neighbours, links, root, place, _sizes(root), tries, state)
        if watch is not None:
            watch.record_cycles(
                "Kick: nothing can be joined, so random exchanges shake all cycles but the largest.", links
            )
        cycles = _merge_all(graph, links, root, rng, limits, watch)
        if cycles < least:
            least = cycles
            best[:] = links
    if cycles > least:
        links[:] = best
    return least


def _merge_all(
    graph: MoveGraph,
    links: IntArray,
    root: IntArray,
    rng: np.random.Generator,
    limits: Limits,
    watch: Recording | None = None,
) -> int:
    """Sweep until no exchange merges two more cycles; return the number of cycles, labelled in `root`."""
    cycles = int(label_cycles(links, root))
    merged = True
    largest = np.argmax(_sizes(root))
    while cycles > 1 and merged and not limits.over:
        merged = False
        order = np.flatnonzero(root != largest)  # At least one of two cycles is not the largest.
        if len(order) < SHUFFLED_BELOW:
            order = rng.permutation(order)
        for first in range(0, len(order), SLICE_VERTICES):
            count = swept(graph, links, root, order[first : first + SLICE_VERTICES], watch)
            cycles -= count
            merged |= count > 0
            if cycles == 1 or limits.over:
                break
        _flatten(root)
        largest = root[largest]
    return cycles


def swept(
    graph: MoveGraph, links: IntArray, root: IntArray, order: npt.NDArray[np.int64], watch: Recording | None = None
) -> int:
    """Sweep once over vertices; the number of merges, each of which is a step."""
    if watch is None:
        return int(sweep(graph.indptr, graph.neighbours, links, root, order))
    merges = 0
    for place in range(len(order)):  # The same exchanges: each vertex is swept after those before it
        if count := int(sweep(graph.indptr, graph.neighbours, links, root, order[place : place + 1])):
            merges += count
            vertex = int(order[place])
            text = f"Join: two parallel edges at {watch.name(vertex)} are exchanged, and two cycles become one."
            watch.record_cycles(text, links, [vertex])
    return merges


@kernel("int32[::1](int32[::1])", plain=MAX_PLAIN_VERTICES)
def _sizes(root):  # type: ignore[no-untyped-def]
    """The number of vertices of the cycle of each root, shape (n,); 0 for other vertices."""
    size = np.zeros(len(root), dtype=np.int32)
    for u in range(len(root)):
        size[root[u]] += 1
    return size


@kernel("int64(int32[:, ::1], int32[::1])", plain=MAX_PLAIN_VERTICES)
def label_cycles(links, root):  # type: ignore[no-untyped-def]
    """Point every vertex to the first vertex of its cycle; return the number of cycles."""
    root[:] = -1
    cycles = 0
    for start in range(len(root)):
        if root[start] >= 0:
            continue
        cycles += 1
        before, u = start, start
        while root[u] < 0:
            root[u] = start
            onward = links[u, 1] if links[u, 0] == before else links[u, 0]
            before, u = u, onward
    return cycles


@kernel("void(int32[::1])", plain=MAX_PLAIN_VERTICES)
def _flatten(root):  # type: ignore[no-untyped-def]
    """Point every vertex to the root of its cycle."""
    for u in range(len(root)):
        root[u] = find_root(root, u)


@kernel("void(int32[:, ::1], int64, int64, int64)")
def _relink(links, u, old, new):  # type: ignore[no-untyped-def]
    if links[u, 0] == old:
        links[u, 0] = new
    else:
        links[u, 1] = new


@kernel("int64(int64[::1], int32[::1], int32[:, ::1], int32[::1], int64[::1])", plain=MAX_PLAIN_VERTICES)
def sweep(indptr, neighbours, links, root, order):  # type: ignore[no-untyped-def]
    """Try every exchange at the given vertices; return the number of merges."""
    merges = 0
    for u in order:
        # The label of u stays valid in the loop, because a merge always keeps the root of u's cycle.
        cycle = find_root(root, u)
        for slot in range(indptr[u], indptr[u + 1]):
            x = neighbours[slot]
            neighbour_cycle = find_root(root, x)
            if neighbour_cycle == cycle:
                continue
            # Each of the two edges at u with each of the two edges at x: (u, v), (x, y) become (u, x), (v, y).
            for choice in range(4):
                v, y = links[u, choice % 2], links[x, choice // 2]
                if adjacent(indptr, neighbours, v, y):
                    # Links are not directed, so no cycle has to be reversed: this is why a merge takes constant time.
                    _relink(links, u, v, x)
                    _relink(links, v, u, y)
                    _relink(links, x, y, u)
                    _relink(links, y, x, v)
                    root[neighbour_cycle] = cycle
                    merges += 1
                    break
    return merges


@kernel("void(int32[:, ::1], int32[::1], int32[::1])", plain=MAX_PLAIN_VERTICES)
def _number(links, root, place):  # type: ignore[no-untyped-def]
    """Number the vertices of each cycle in the order of a walk along it; `root` points to roots."""
    for start in range(len(root)):
        if root[start] != start:
            continue
        before, u, count = start, start, 0
        while True:
            place[u] = count
            count += 1
            onward = links[u, 1] if links[u, 0] == before else links[u, 0]
            before, u = u, onward
            if u == start:
                break


@kernel("int64(int32[:, ::1], int64, int32[::1], int32[::1], int32[::1], int64[::1], int64[::1])")
def _gain(walk, length, root, place, size, side, along):  # type: ignore[no-untyped-def]
    """By how many cycles a closed walk reduces their number.

    Parameters
    ----------
    walk
        The edges given up, each as its first and last vertex on the walk; the walk takes an edge from the last vertex
        of each to the first of the next.
    root, place, size
        The cycle of each vertex, its place there, and the number of vertices of each cycle.
    side, along
        Scratch, of length MAX_EXCHANGES and 2 MAX_EXCHANGES.
    """
    before = 0
    for i in range(length):  # Sort the edges along their cycles; `side` is the end that comes first there.
        p, q = walk[i, 0], walk[i, 1]
        # On the cycle q follows p or precedes it; only this tells which end of the edge comes first.
        side[i] = 0 if place[q] == (place[p] + 1) % size[root[p]] else 1
    # Vertex `k` of edge i is end 2i + k. From an end that comes second, a stretch leads to the first of the next edge.
    for i in range(length):
        begin, cycle = place[walk[i, side[i]]], root[walk[i, 0]]
        # Without another edge on the cycle the stretch leads back to the same edge: the whole rest of the cycle.
        following, least, fresh = i, size[cycle], True
        for j in range(length):
            if root[walk[j, 0]] == cycle:
                fresh &= j >= i
                step = (place[walk[j, side[j]]] - begin) % size[cycle]
                if j != i and step < least:
                    following, least = j, step
        # A cycle is counted at the first of its edges.
        before += fresh
        left, right = 2 * i + 1 - side[i], 2 * following + side[following]
        along[left], along[right] = right, left
    after = 0
    # Alternate stretches with taken edges. Each closed round is a cycle of the result, and `along` marks what was
    # seen.
    for first in range(2 * length):
        end = first
        if along[end] < 0:
            continue
        after += 1
        while along[end] >= 0:
            right = along[end]
            along[end] = along[right] = -1
            # End 2i + 1 is joined by a taken edge to end 2(i + 1), the first vertex of the next given up edge.
            end = (right + 1) % (2 * length) if right % 2 else (right - 1) % (2 * length)
    return before - after


@kernel("boolean(int32[:, ::1], int64, int64, int64)")
def _given_up(walk, length, p, q):  # type: ignore[no-untyped-def]
    """Whether the walk gives up an edge."""
    for i in range(length):  # noqa: SIM110 -- numba has no `any` of a generator
        if (walk[i, 0] == p and walk[i, 1] == q) or (walk[i, 0] == q and walk[i, 1] == p):
            return True
    return False


@kernel("boolean(int32[:, ::1], int64, int64, int64)")
def _taken(walk, length, p, q):  # type: ignore[no-untyped-def]
    """Whether the walk takes an edge."""
    for i in range(length - 1):
        if (walk[i, 1] == p and walk[i + 1, 0] == q) or (walk[i, 1] == q and walk[i + 1, 0] == p):
            return True
    return False


@kernel("int64(int64[::1], int32[::1], int32[:, ::1], int32[::1], int64, int32[::1], uint64[::1])")
def _contacts(indptr, neighbours, links, root, start, border, state):  # type: ignore[no-untyped-def]
    """Fill `border` with random vertices of a cycle that are adjacent to another cycle; return their number."""
    count = 0
    before, u = start, start
    while True:
        for slot in range(indptr[u], indptr[u + 1]):
            if root[neighbours[slot]] != root[u]:
                count += 1
                # Reservoir sampling keeps a uniform sample of the border without storing all of it.
                at = count - 1 if count <= len(border) else below(state, count)
                if at < len(border):
                    border[at] = u
                break
        onward = links[u, 1] if links[u, 0] == before else links[u, 0]
        before, u = u, onward
        if u == start:
            return min(count, len(border))


@kernel(
    "void(int64[::1], int32[::1], int32[:, ::1], int32[::1], int32[::1], int32[::1], int64, uint64[::1])", plain=400
)
def _kick(indptr, neighbours, links, root, place, size, tries, state):  # type: ignore[no-untyped-def]
    """Exchange an alternating closed walk through an edge of every cycle but the largest.

    The walk starts near a vertex that is adjacent to another cycle, gives up an edge (start, a), takes one (a, x),
    gives up one (x, y), and so on from y, until the present vertex has an edge to `start`. The places of its vertices
    become -1, so that the other walks of the round keep away from them.
    """
    n = len(root)
    largest = np.argmax(size)
    changed = np.zeros(n, dtype=np.bool_)
    walk, chosen = np.empty((MAX_EXCHANGES, 2), dtype=np.int32), np.empty((MAX_EXCHANGES, 2), dtype=np.int32)
    side, along = np.empty(MAX_EXCHANGES, dtype=np.int64), np.empty(2 * MAX_EXCHANGES, dtype=np.int64)
    border = np.empty(START_PLACES, dtype=np.int32)
    # `changed` keeps cycles whose places this round has spoiled from being kicked again before they are numbered anew.
    for representative in range(n):
        if root[representative] != representative or representative == largest or changed[representative]:
            continue
        contacts = _contacts(indptr, neighbours, links, root, representative, border, state)
        if contacts == 0:
            continue
        count, most = 0, -MAX_EXCHANGES  # The chosen walk, and its gain.
        for _ in range(tries):
            start = border[below(state, contacts)]
            # A few random steps away from the border: the best edge to give up is not always at the contact itself.
            for _ in range(below(state, 4)):
                start = links[start, below(state, 2)]
            a = links[start, below(state, 2)]
            walk[0, 0], walk[0, 1] = start, a
            length = 1
            while place[start] >= 0 and place[a] >= 0:
                closes = length > 1 and a != start and links[a, 0] != start and links[a, 1] != start
                if closes and adjacent(indptr, neighbours, a, start) and not _taken(walk, length, a, start):
                    gain = _gain(walk, length, root, place, size, side, along)
                    if gain > most:
                        # Ties keep the earlier walk; a walk without gain is used if no try gives more, so that the
                        # cycles at least change.
                        count, most = length, gain
                        for i in range(length):
                            chosen[i, 0], chosen[i, 1] = walk[i, 0], walk[i, 1]
                # One cycle fewer is enough: the next sweep finds the rest faster than further tries.
                if most > 0 or length == MAX_EXCHANGES:
                    break
                x = neighbours[indptr[a] + below(state, indptr[a + 1] - indptr[a])]
                y = links[x, below(state, 2)]
                linked = links[a, 0] == x or links[a, 1] == x
                if linked or y == a or place[x] < 0 or place[y] < 0:
                    break
                if _given_up(walk, length, x, y) or _taken(walk, length, a, x):
                    break
                walk[length, 0], walk[length, 1] = x, y
                length += 1
                a = y
            if most > 0:
                break
        # First all links are cut, then the new ones are entered: a vertex may lose one edge and gain another.
        for i in range(count):
            p, q = chosen[i, 0], chosen[i, 1]
            _relink(links, p, q, -1)
            _relink(links, q, p, -1)
            changed[root[p]] = True
        for i in range(count):
            p, q = chosen[i, 1], chosen[(i + 1) % count, 0]
            _relink(links, p, -1, q)
            _relink(links, q, -1, p)
            place[p] = place[q] = -1
