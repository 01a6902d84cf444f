"""Islands and bridges (Okuno and Miyano, section 2.2), with conditions that follow from cuts.

An *island* is a component of the vertices under free edges, with more than one vertex; a *bridge* is a path of kept
edges between islands. Every edge that leaves an island C is kept (a free one would not leave it), so the tour's edges
at the shore of C are known. Inside it uses free edges, by which a vertex v of C gets the 2 - kept(v) edges that it
still lacks. Three conditions follow:

- *parity* (conditions I and II). A closed tour crosses every cut an even number of times. The free edges it uses lie
  inside C and have two ends there, so the sum of 2 - kept(v) over C is even. With the walked path as one more
  bridge, from its head to its start, this is all of (I) and (II): an island that holds one of the two, or none, or
  both, needs no case of its own.
- *bridgeless* (III). If no kept edge touches C and C is not the whole graph, the tour can never get there.
  As printed ("there are no islands without bridges", a bridge joining two different islands) the condition discards
  every state with a single island, such as the empty board.
- *balance*. In a bipartite graph every free edge inside C has one end of each colour, so the missing edges of the
  black vertices of C are as many as those of the white ones. Parity follows from it: it is weaker, and is what
  remains without colours. The paper does not have this one.

*Toughness* (Chvátal 1973): if G has a Hamiltonian cycle, then G - S has at most |S| components, for every non-empty S.
That is a necessary condition. It is looked at where it is cheap, in linear time: S of one vertex (G has no
articulation vertex) and S empty (G is connected); and, if asked for, S of two vertices, once for each vertex.
"""

from __future__ import annotations

from heuristics.papers.large_boards.edge_deletion.names import (
    BALANCE,
    BRIDGELESS,
    FIRED,
    FREE,
    GONE,
    ISLANDS,
    PARITY,
    STAMP,
    TOP,
    Fixed,
    Moving,
    part,
)
from kt_models.jit import kernel


@part
def islands_fit(fixed: Fixed, moving: Moving, since: int) -> bool:
    """Check the islands that changed since the trail had length `since`; False if one of them excludes a tour.

    An island changes only if one of its vertices gained or lost a kept edge, so it is enough to start from the vertices
    on the trail. An island of more than `fixed.limit` vertices is skipped: a search leaves small ones behind, and if
    all others fit, so does the last.
    """
    indptr, neighbours, incident, colour, on = fixed.indptr, fixed.neighbours, fixed.incident, fixed.colour, fixed.on
    state, trail, box, stamp, counts = moving.state, moving.trail, moving.box, moving.stamp, moving.counts
    stack, n, m = moving.scratch[0], len(indptr) - 1, len(fixed.ends)
    kept = m + n
    # Stamps of earlier calls are smaller, so no array has to be cleared. `large` marks vertices of skipped islands.
    box[STAMP] += 2
    small, large = box[STAMP], box[STAMP] + 1
    for t in range(since, box[TOP]):
        # Only entries of the trail about degrees and kept edges name a vertex.
        at = trail[t, 0]
        if at < m or at >= kept + n:
            continue
        # Both parts of the state have n entries, so the remainder is the vertex.
        root = (at - m) % n
        # A vertex with two kept edges is in no island; one with two edges is about to be.
        if stamp[root] >= small or state[kept + root] >= 2 or state[m + root] < 3:
            continue
        counts[ISLANDS] += 1
        size, done = 1, 0
        stack[0] = root
        stamp[root] = small
        black, white, shore = 0, 0, 0
        whole = True
        while done < size and whole:
            u = stack[done]
            done += 1
            # Every edge that leaves the island is kept, so kept edges at its vertices count its shore.
            shore += state[kept + u]
            if colour[u] == 0:
                black += 2 - state[kept + u]
            else:
                white += 2 - state[kept + u]
            for slot in range(indptr[u], indptr[u + 1]):
                v = neighbours[slot]
                if state[incident[slot]] != FREE or stamp[v] == small:
                    continue
                # The island meets a skipped one, or is too large itself.
                if stamp[v] == large or size == fixed.limit:
                    whole = False
                    break
                stamp[v] = small
                stack[size] = v
                size += 1
        if not whole:
            for k in range(size):
                stamp[stack[k]] = large
            continue
        if on[BRIDGELESS] and shore == 0 and size < n:
            counts[FIRED + BRIDGELESS] += 1
            return False
        # `black + white` is the number of edge ends that the island still needs, and each edge inside has two.
        if on[PARITY] and (black + white) % 2:
            counts[FIRED + PARITY] += 1
            return False
        if on[BALANCE] and colour[root] >= 0 and black != white:
            counts[FIRED + BALANCE] += 1
            return False
    return True


@kernel("boolean(int64[::1], int32[::1], int32[::1], int32[::1], int64, int64[:, ::1])")
def is_tough(indptr, neighbours, incident, state, gone, scratch):  # type: ignore[no-untyped-def]
    """Whether removing a vertex, together with `gone` if that is one (not -1), leaves no more components than removed
    vertices.

    The graph without `gone` must be connected too. One depth-first search finds the articulation vertices and the
    number of parts that each cuts off (Hopcroft and Tarjan 1973).
    """
    n = len(indptr) - 1
    # The rows of `scratch` are the search's stack and its numbers; recursion would overflow on large boards.
    stack, number, low, slots, parts = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4]
    number[:] = -1
    root = 1 if gone == 0 else 0
    stack[0] = root
    number[root] = 0
    low[root] = 0
    slots[root] = indptr[root]
    most = 0 if gone < 0 else 1  # Parts that one more vertex may cut off from the root's.
    parts[root] = -1
    seen, size = 1, 1
    while size > 0:
        u = stack[size - 1]
        if slots[u] == indptr[u + 1]:
            size -= 1
            if size > 0:
                parent = stack[size - 1]
                # Nothing below u reaches above its parent, so removing the parent cuts this part off.
                if low[u] >= number[parent]:
                    parts[parent] += 1
                    if parts[parent] > most:
                        return False
                low[parent] = min(low[parent], low[u])
            continue
        slot = slots[u]
        slots[u] += 1
        v = neighbours[slot]
        if state[incident[slot]] == GONE or v == gone:
            continue
        if number[v] >= 0:
            low[u] = min(low[u], number[v])
            continue
        number[v] = seen
        low[v] = seen
        seen += 1
        slots[v] = indptr[v]
        parts[v] = 0
        stack[size] = v
        size += 1
    return seen == (n if gone < 0 else n - 1)
