"""The compiled loops of `or-opt`: exchanges of two edges and moves of short pieces, on a tour in an array.

The tour is a cycle: `order[i]` is followed by `order[i + 1]`, and `place` has the place of each vertex. An exchange
reverses a piece of it, or the rest, whichever is shorter (Bentley 1992). Vertices whose surroundings have changed wait
in a queue; all others are left alone.

One more vertex, `open_end`, closes an open tour: its distance to a vertex v is `end_cost[v]`. It is -1 for closed ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from heuristics.compiled_helpers import below
from kt_models.jit import kernel

EUCLIDEAN, MANHATTAN, GREATEST = range(3)
"""The norms of `distance`."""
MAX_PIECE = 3
"""Most vertices of a piece that is moved to another place."""
KICK_PIECE = 50
"""Most vertices of each of the two pieces that a kick exchanges."""
MIN_GAIN = 1e-7
"""Least gain of an exchange: smaller ones are errors of rounding. Distances are about 1."""


class Space(NamedTuple):
    """Points with a norm."""

    points: np.ndarray
    end_cost: np.ndarray
    numbers: np.ndarray
    """The norm, and the vertex that closes an open tour or -1."""


class QueuedRing(NamedTuple):
    """A tour, the vertices that wait, and the reversals since the last kick."""

    order: np.ndarray
    place: np.ndarray
    queue: np.ndarray
    """A cyclic queue of vertices."""
    waits: np.ndarray
    """Whether a vertex is in it."""
    undo: np.ndarray
    """The first and the last place of each reversal."""
    counts: np.ndarray
    """Where the queue begins, its length, and the number of reversals."""


SPACE = "NamedTuple((float64[:,::1], float64[::1], int64[::1]), Space)"
RING = "NamedTuple((int32[::1], int32[::1], int32[::1], boolean[::1], int32[:,::1], int64[::1]), QueuedRing)"


@kernel(f"float64({SPACE}, int64, int64)", counts=False)
def distance(space, u, v):  # type: ignore[no-untyped-def]
    """The distance of two vertices."""
    norm, open_end = space.numbers[0], space.numbers[1]
    if u == open_end:
        return space.end_cost[v]
    if v == open_end:
        return space.end_cost[u]
    points = space.points
    total = 0.0
    for axis in range(points.shape[1]):
        gap = abs(points[u, axis] - points[v, axis])
        if norm == EUCLIDEAN:
            total += gap * gap
        elif norm == MANHATTAN:
            total += gap
        else:
            total = max(total, gap)
    return np.sqrt(total) if norm == EUCLIDEAN else total


@kernel(f"float64({SPACE}, int32[::1])", counts=False)
def length_of(space, order):  # type: ignore[no-untyped-def]
    """The length of a tour."""
    total = distance(space, order[-1], order[0])
    for i in range(len(order) - 1):
        total += distance(space, order[i], order[i + 1])
    return total


@kernel(f"void({RING}, int64)", counts=False)
def _wait(ring, v):  # type: ignore[no-untyped-def]
    """Put a vertex into the queue."""
    if not ring.waits[v]:
        n = len(ring.order)
        ring.waits[v] = True
        ring.queue[(ring.counts[0] + ring.counts[1]) % n] = v
        ring.counts[1] += 1


@kernel(f"void({RING}, int64, int64)", counts=False)
def _reverse_here(ring, i, j):  # type: ignore[no-untyped-def]
    """Reverse the places from i on to j themselves."""
    order, place, n = ring.order, ring.place, len(ring.order)
    size = j - i + 1 if j >= i else j - i + 1 + n
    for _ in range(size // 2):
        u, v = order[i], order[j]
        order[i], order[j] = v, u
        place[v], place[u] = i, j
        i = i + 1 if i + 1 < n else 0
        j = j - 1 if j > 0 else n - 1


@kernel(f"void({RING}, int64, int64)", counts=False)
def _reverse(ring, i, j):  # type: ignore[no-untyped-def]
    """Reverse the places from i on to j, or all others."""
    n = len(ring.order)
    size = j - i + 1 if j >= i else j - i + 1 + n
    if 2 * size > n:
        i, j = (j + 1) % n, (i - 1) % n
    if ring.counts[2] < len(ring.undo):
        ring.undo[ring.counts[2], 0], ring.undo[ring.counts[2], 1] = i, j
    ring.counts[2] += 1
    _reverse_here(ring, i, j)


@kernel(f"int64({RING}, int64, int64)", counts=False)
def _next(ring, v, step):  # type: ignore[no-untyped-def]
    """The vertex behind v (step 1) or before it (step -1)."""
    n = len(ring.order)
    at = ring.place[v] + step
    if at == n:
        at = 0
    elif at < 0:
        at = n - 1
    return ring.order[at]


@kernel(f"void({RING}, int64, int64, int64, int64)", counts=False)
def _exchange(ring, a, b, c, d):  # type: ignore[no-untyped-def]
    """Replace the edges a-b and c-d by a-c and b-d, where b comes behind a and d behind c in one of the directions."""
    if _next(ring, a, 1) == b:
        _reverse(ring, ring.place[b], ring.place[c])
    else:
        _reverse(ring, ring.place[c], ring.place[b])


@kernel(f"float64({SPACE}, {RING}, int32[:,::1], int64)", counts=False)
def _improve_at(space, ring, near, a):  # type: ignore[no-untyped-def]
    """Make the first exchange at a vertex that gains; return its gain, or 0."""
    for step in (1, -1):
        b = _next(ring, a, step)
        from_b = distance(space, a, b)
        for k in range(near.shape[1]):
            c = np.int64(near[a, k])
            gain = from_b - distance(space, a, c)
            if gain <= MIN_GAIN:
                break
            d = _next(ring, c, step)
            if c == b or d == a:
                continue
            gain += distance(space, c, d) - distance(space, b, d)
            if gain > MIN_GAIN:
                if step == 1:
                    _exchange(ring, a, b, c, d)
                else:
                    _exchange(ring, b, a, d, c)
                for v in (a, b, c, d):
                    _wait(ring, v)
                return gain
    # A piece with an end at a goes elsewhere, where a becomes a neighbour of a near vertex.
    for step in (1, -1):
        before = _next(ring, a, -step)
        into = distance(space, before, a)
        e = a
        for size in range(1, MAX_PIECE + 1):
            if size > 1:
                e = _next(ring, e, step)
            behind = _next(ring, e, step)
            if behind == before or e == before:
                break
            out = into + distance(space, e, behind) - distance(space, before, behind)
            for k in range(near.shape[1]):
                c = np.int64(near[a, k])
                gain = out - distance(space, a, c)
                if gain <= MIN_GAIN:
                    break
                # The piece is not torn apart: c is outside of it.
                away = (ring.place[c] - ring.place[a]) * step
                if away < 0:
                    away += len(ring.order)
                if away < size:
                    continue
                for side in (1, -1):
                    f = _next(ring, c, side * step)
                    if (side == 1 and c == before) or (side == -1 and c == behind):
                        continue
                    total = gain + distance(space, c, f) - distance(space, e, f)
                    if total > MIN_GAIN:
                        x, y = (c, f) if side == 1 else (f, c)
                        _exchange(ring, before, a, x, y)
                        _exchange(ring, before, x, behind, e)
                        if side == 1:
                            _exchange(ring, x, e, a, y)
                        for v in (before, a, e, behind, c, f):
                            _wait(ring, v)
                        return total
    return 0.0


@kernel(f"float64({SPACE}, {RING}, int32[:,::1], int64)", counts=False)
def settle(space, ring, near, most):  # type: ignore[no-untyped-def]
    """Improve at the vertices that wait, until none does or `most` have been looked at; return the gain."""
    n, total = len(ring.order), 0.0
    while ring.counts[1] and most > 0:
        most -= 1
        v = ring.queue[ring.counts[0]]
        ring.counts[0] = (ring.counts[0] + 1) % n
        ring.counts[1] -= 1
        ring.waits[v] = False
        if v == space.numbers[1]:
            continue
        while True:
            gain = _improve_at(space, ring, near, v)
            if gain <= 0.0:
                break
            total += gain
    return total


@kernel(f"void({RING}, int64, int64, int64)", counts=False)
def _swap(ring, start, first, second):  # type: ignore[no-untyped-def]
    """Exchange two pieces that follow each other, from a place on, of these sizes, by reversals."""
    n = len(ring.order)
    end = (start + first + second - 1) % n
    _reverse_here(ring, start, end)
    _reverse_here(ring, start, (start + second - 1) % n)
    _reverse_here(ring, (start + second) % n, end)


@kernel(f"float64({SPACE}, {RING}, int32[:,::1], uint64[::1], int64)", counts=False)
def kick(space, ring, near, state, count):  # type: ignore[no-untyped-def]
    """Exchange two short pieces somewhere, improve around them, and take it back if the tour is longer; often.

    Returns
    -------
    The gain of all kicks.
    """
    order, n = ring.order, len(ring.order)
    most = min(KICK_PIECE, (n - 2) // 3)
    total = 0.0
    for _ in range(count):
        start = below(state, n)
        first, second = 1 + below(state, most), 1 + below(state, most)
        a, d = order[start - 1], order[(start + first + second) % n]
        b, c = order[start], order[(start + first) % n]
        b_end, c_end = order[(start + first - 1) % n], order[(start + first + second - 1) % n]
        gain = distance(space, a, b) + distance(space, b_end, c) + distance(space, c_end, d)
        gain -= distance(space, a, c) + distance(space, c_end, b) + distance(space, b_end, d)
        _swap(ring, start, first, second)
        ring.counts[2] = 0
        for v in (a, b, b_end, c, c_end, d):
            _wait(ring, v)
        gain += settle(space, ring, near, 1000)
        while ring.counts[1]:
            # Too much has changed to go on.
            ring.counts[1] -= 1
            ring.waits[ring.queue[(ring.counts[0] + ring.counts[1]) % n]] = False
        if gain < 0.0 and ring.counts[2] <= len(ring.undo):
            for k in range(ring.counts[2] - 1, -1, -1):
                _reverse_here(ring, ring.undo[k, 0], ring.undo[k, 1])
            _swap(ring, start, second, first)
        else:
            total += gain
    return total
