"""The state of the search, and the deletion of edges: kernels with an undo trail.

An edge is free, kept (every tour of the remaining graph has it) or deleted. The state is one array of integers. Every
change goes through `_put`, which writes the old value on the trail, so undoing is reading the trail backwards, whatever
was changed. The parts of the array are:

- `m` edges: FREE, KEPT or GONE;
- `n` degrees: edges of a vertex that are not gone;
- `n` counts of the kept edges of a vertex;
- `n` mates: the other end of the kept path that a vertex is an end of (itself, if it is alone);
- `n` lengths: how many vertices the path has, valid at its ends.

Once a state has no tour, any deduction from it is valid: it can only be left sooner. So a rule that is switched off may
leave a vertex with three kept edges, and the others need not handle that.
"""

from __future__ import annotations

import numpy as np

from heuristics.papers.large_boards.edge_deletion.names import (
    CLOSING,
    DELETED,
    DELETION,
    FIRED,
    FREE,
    GONE,
    KEPT,
    LOOP,
    QUEUED,
    TERMINAL,
    THREE_WAY,
    TOP,
    WORK,
    Fixed,
    Moving,
    part,
)


@part
def _put(moving: Moving, index: int, value: int) -> None:
    # The old value goes on the trail, so that `undo` needs to know nothing about the parts of the state.
    state, trail, box = moving.state, moving.trail, moving.box
    top = box[TOP]
    trail[top, 0] = index
    trail[top, 1] = state[index]
    box[TOP] = top + 1
    state[index] = value


@part
def undo(moving: Moving, top: int) -> None:
    """Take back the changes since the trail had length `top`."""
    state, trail, box = moving.state, moving.trail, moving.box
    for t in range(box[TOP] - 1, top - 1, -1):
        state[trail[t, 0]] = trail[t, 1]
    box[TOP] = top


@part
def delete(fixed: Fixed, moving: Moving, e: int) -> None:
    """Delete an edge; `propagate` draws the consequences later."""
    ends, state = fixed.ends, moving.state
    # The edge may have been deleted by another consequence that is still in the queue.
    if state[e] == GONE:
        return
    m = len(ends)
    _put(moving, e, GONE)
    for side in range(2):
        at = m + ends[e, side]
        _put(moving, at, state[at] - 1)
    # Consequences wait in a queue rather than on a stack of calls: chains can be as long as the board.
    moving.queue[moving.box[QUEUED]] = e
    moving.box[QUEUED] += 1
    moving.counts[DELETED] += 1


@part
def keep(fixed: Fixed, moving: Moving, e: int) -> None:
    """Keep an edge; `propagate` draws the consequences later."""
    ends, state = fixed.ends, moving.state
    if state[e] != FREE:
        return
    n, m = len(fixed.indptr) - 1, len(ends)
    _put(moving, e, KEPT)
    for side in range(2):
        at = m + n + ends[e, side]
        _put(moving, at, state[at] + 1)
    moving.queue[moving.box[QUEUED]] = e
    moving.box[QUEUED] += 1


@part
def propagate(fixed: Fixed, moving: Moving) -> bool:
    """Draw all consequences of deleted and kept edges, to the fixpoint; False at a dead end.

    Okuno and Miyano, section 2.1: a vertex with two edges keeps both, and one with two kept edges loses the others.
    Dead ends are a vertex of degree 1 (terminal), three kept edges at a vertex (three-way) and a loop.
    """
    indptr, incident, ends, on = fixed.indptr, fixed.incident, fixed.ends, fixed.on
    state, box, queue, counts = moving.state, moving.box, moving.queue, moving.counts
    n, m = len(indptr) - 1, len(ends)
    degree, kept = m, m + n
    done = 0
    while done < box[QUEUED]:
        e = queue[done]
        done += 1
        # A deleted edge can leave a vertex with two edges, which are then kept, or with one, which is a dead end.
        if state[e] == GONE:
            for side in range(2):
                w = ends[e, side]
                if state[degree + w] < 2 and on[TERMINAL]:
                    counts[FIRED + TERMINAL] += 1
                    box[QUEUED] = 0
                    return False
                if state[degree + w] == 2 and state[kept + w] < 2:
                    for slot in range(indptr[w], indptr[w + 1]):
                        keep(fixed, moving, incident[slot])
            continue
        # A kept edge can complete a vertex, whose other edges go, and joins two kept paths.
        for side in range(2):
            w = ends[e, side]
            if state[kept + w] > 2 and on[THREE_WAY]:
                counts[FIRED + THREE_WAY] += 1
                box[QUEUED] = 0
                return False
            if state[kept + w] == 2 and on[DELETION] and state[degree + w] > 2:
                for slot in range(indptr[w], indptr[w + 1]):
                    if state[incident[slot]] == FREE:
                        counts[FIRED + DELETION] += 1
                        delete(fixed, moving, incident[slot])
        if not _join(fixed, moving, ends[e, 0], ends[e, 1]):
            box[QUEUED] = 0
            return False
    # The work so far decides when the next check of the whole graph is due.
    box[WORK] += done
    box[QUEUED] = 0
    return True


@part
def _join(fixed: Fixed, moving: Moving, u: int, v: int) -> bool:
    """Join two kept paths by an edge uv; False if that closes a cycle too early."""
    indptr, state, counts, on = fixed.indptr, moving.state, moving.counts, fixed.on
    n, m = len(indptr) - 1, len(fixed.ends)
    mate, length = m + 2 * n, m + 3 * n
    # `a` and `b` are the far ends of the two paths that the edge joins.
    a, b = state[mate + u], state[mate + v]
    # The edge closes the path of u and v: right only if that is the whole tour.
    if a == v and b == u:
        if state[length + u] < n and on[LOOP]:
            counts[FIRED + LOOP] += 1
            return False
        return True
    total = state[length + u] + state[length + v]
    # Only the ends of a path have valid mates and lengths, so a join writes four numbers, however long the paths are.
    _put(moving, mate + a, b)
    _put(moving, mate + b, a)
    _put(moving, length + a, total)
    _put(moving, length + b, total)
    # The edge between the new ends would close a short cycle.
    if total < n and on[CLOSING]:
        # Scan the shorter of the two lists.
        if indptr[a + 1] - indptr[a] > indptr[b + 1] - indptr[b]:
            a, b = b, a
        for slot in range(indptr[a], indptr[a + 1]):
            if fixed.neighbours[slot] == b and state[fixed.incident[slot]] == FREE:
                counts[FIRED + CLOSING] += 1
                delete(fixed, moving, fixed.incident[slot])
    return True


def fresh_state(degrees: np.ndarray, m: int) -> np.ndarray:
    """The initial state of a graph, shape (m + 4n,)."""
    n = len(degrees)
    parts = [np.zeros(m), degrees, np.zeros(n), np.arange(n), np.ones(n)]
    return np.concatenate(parts).astype(np.int32)
