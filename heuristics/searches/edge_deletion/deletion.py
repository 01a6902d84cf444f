"""The state of the search and what may be deleted from it: kernels with an undo trail.

An edge is free, kept (every tour of the remaining graph has it) or deleted.  The state is one array of integers, and
every change of it goes through `_put`, which writes the old value on the trail: undoing is reading the trail
backwards, whatever was changed.  Its parts, one after the other:

- `m` edges: FREE, KEPT or GONE;
- `n` degrees: edges of a vertex that are not gone;
- `n` counts of the kept edges of a vertex;
- `n` mates: the other end of the kept path that a vertex is an end of (itself, if it is alone);
- `n` lengths: how many vertices the path has, valid at its ends.

Once a state has no tour, what is deduced from it may be anything: it can only be left sooner.  So a rule that is
switched off may leave a vertex with three kept edges, and the others need not mind.
"""

from __future__ import annotations

import numpy as np

from heuristics.searches.edge_deletion.names import (
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
)
from kt_models.jit import kernel


@kernel("void(int32[::1], int32[:, ::1], int64[::1], int64, int64)")
def _put(state, trail, box, index, value):  # type: ignore[no-untyped-def]
    top = box[TOP]
    trail[top, 0] = index
    trail[top, 1] = state[index]
    box[TOP] = top + 1
    state[index] = value


@kernel("void(int32[::1], int32[:, ::1], int64[::1], int64)")
def undo(state, trail, box, top):  # type: ignore[no-untyped-def]
    """Take back what was changed since the trail had length `top`."""
    for t in range(box[TOP] - 1, top - 1, -1):
        state[trail[t, 0]] = trail[t, 1]
    box[TOP] = top


@kernel("void(int32[:, ::1], int32[::1], int32[:, ::1], int64[::1], int32[::1], int64[::1], int64)")
def delete(ends, state, trail, box, queue, counts, e):  # type: ignore[no-untyped-def]
    """Delete an edge; what follows from it is drawn later, by `propagate`."""
    if state[e] == GONE:
        return
    m = len(ends)
    _put(state, trail, box, e, GONE)
    for side in range(2):
        at = m + ends[e, side]
        _put(state, trail, box, at, state[at] - 1)
    queue[box[QUEUED]] = e
    box[QUEUED] += 1
    counts[DELETED] += 1


@kernel("void(int32[:, ::1], int64, int32[::1], int32[:, ::1], int64[::1], int32[::1], int64)")
def keep(ends, n, state, trail, box, queue, e):  # type: ignore[no-untyped-def]
    """Keep an edge; what follows from it is drawn later."""
    if state[e] != FREE:
        return
    m = len(ends)
    _put(state, trail, box, e, KEPT)
    for side in range(2):
        at = m + n + ends[e, side]
        _put(state, trail, box, at, state[at] + 1)
    queue[box[QUEUED]] = e
    box[QUEUED] += 1


@kernel(
    "boolean(int64[::1], int32[::1], int32[::1], int32[:, ::1], int32[::1], int32[:, ::1], int64[::1], "
    "int32[::1], int64[::1], boolean[::1])"
)
def propagate(indptr, neighbours, incident, ends, state, trail, box, queue, counts, on):  # type: ignore[no-untyped-def]
    """Draw every consequence of what was deleted and kept, to the fixpoint; False at a dead end.

    Okuno and Miyano, section 2.1: a vertex with two edges keeps both, one with two kept edges loses the others, and
    the dead ends are a vertex of degree 1 (terminal), three kept edges at a vertex (three-way) and a loop.
    """
    n, m = len(indptr) - 1, len(ends)
    degree, kept = m, m + n
    done = 0
    while done < box[QUEUED]:
        e = queue[done]
        done += 1
        if state[e] == GONE:
            for side in range(2):
                w = ends[e, side]
                if state[degree + w] < 2 and on[TERMINAL]:
                    counts[FIRED + TERMINAL] += 1
                    box[QUEUED] = 0
                    return False
                if state[degree + w] == 2 and state[kept + w] < 2:
                    for slot in range(indptr[w], indptr[w + 1]):
                        keep(ends, n, state, trail, box, queue, incident[slot])
            continue
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
                        delete(ends, state, trail, box, queue, counts, incident[slot])
        if not _join(indptr, neighbours, incident, ends, state, trail, box, queue, counts, on, ends[e, 0], ends[e, 1]):
            box[QUEUED] = 0
            return False
    box[WORK] += done
    box[QUEUED] = 0
    return True


@kernel(
    "boolean(int64[::1], int32[::1], int32[::1], int32[:, ::1], int32[::1], int32[:, ::1], int64[::1], "
    "int32[::1], int64[::1], boolean[::1], int64, int64)"
)
def _join(indptr, neighbours, incident, ends, state, trail, box, queue, counts, on, u, v):  # type: ignore[no-untyped-def]
    """Join two kept paths by an edge uv; False if that closes a cycle that is too short."""
    n, m = len(indptr) - 1, len(ends)
    mate, length = m + 2 * n, m + 3 * n
    a, b = state[mate + u], state[mate + v]
    if a == v and b == u:
        if state[length + u] < n and on[LOOP]:
            counts[FIRED + LOOP] += 1
            return False
        return True
    total = state[length + u] + state[length + v]
    _put(state, trail, box, mate + a, b)
    _put(state, trail, box, mate + b, a)
    _put(state, trail, box, length + a, total)
    _put(state, trail, box, length + b, total)
    if total < n and on[CLOSING]:
        if indptr[a + 1] - indptr[a] > indptr[b + 1] - indptr[b]:
            a, b = b, a
        for slot in range(indptr[a], indptr[a + 1]):
            if neighbours[slot] == b and state[incident[slot]] == FREE:
                counts[FIRED + CLOSING] += 1
                delete(ends, state, trail, box, queue, counts, incident[slot])
    return True


def fresh_state(degrees: np.ndarray, m: int) -> np.ndarray:
    """The state of a graph from which nothing was deleted, shape (m + 4n,)."""
    n = len(degrees)
    parts = [np.zeros(m), degrees, np.zeros(n), np.arange(n), np.ones(n)]
    return np.concatenate(parts).astype(np.int32)
