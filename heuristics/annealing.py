"""The exchanges of `heuristics.local_search`, compiled.

The tour is a ring: `order[i]` is followed by `order[i + 1]` along `edges[i]`.  An exchange takes edges (a, b) and (c, d)
for (a, c) and (b, d), or for (a, d) and (b, c).  The first kind keeps one cycle (2-opt).  The second leaves two, which
another exchange between them joins again: together they are an alternating closed walk of up to eight edges, with
the moves of one or two cells to another place (or-opt) and the double bridge among them.
"""

from __future__ import annotations

import numpy as np

from heuristics.jit import below, kernel


@kernel
def value_of(pair_start, pair_other, pair_weight, own, chosen):  # type: ignore[no-untyped-def]
    """The objective of a set of edges."""
    value = 0
    for e in range(len(chosen)):
        if chosen[e]:
            value += 2 * own[e]
            for k in range(pair_start[e], pair_start[e + 1]):
                if chosen[pair_other[k]]:
                    value += pair_weight[k]
    return value // 2


@kernel
def _flip(pair_start, pair_other, pair_weight, own, chosen, e):  # type: ignore[no-untyped-def]
    """Choose an edge or give it up; the change of the objective."""
    change = own[e]
    for k in range(pair_start[e], pair_start[e + 1]):
        if chosen[pair_other[k]]:
            change += pair_weight[k]
    chosen[e] = not chosen[e]
    return change if chosen[e] else -change


@kernel
def _edge(indptr, neighbours, incident, chosen, u, v):  # type: ignore[no-untyped-def]
    """An edge between two vertices that is not chosen, -1 if there is none."""
    if indptr[u + 1] - indptr[u] > indptr[v + 1] - indptr[v]:
        u, v = v, u
    for k in range(indptr[u], indptr[u + 1]):
        if neighbours[k] == v and not chosen[incident[k]]:
            return incident[k]
    return -1


@kernel
def _reverse_ring(order, edges, place, i, j):  # type: ignore[no-untyped-def]
    """Reverse the places i..j of the ring (cyclically), with the edges between them."""
    n = len(order)
    count = (j - i) % n + 1
    for k in range(count // 2):
        p, q = (i + k) % n, (j - k) % n
        order[p], order[q] = order[q], order[p]
        place[order[p]] = p
        place[order[q]] = q
    for k in range((count - 1) // 2):
        p, q = (i + k) % n, (j - 1 - k) % n
        edges[p], edges[q] = edges[q], edges[p]


@kernel
def anneal(indptr, neighbours, incident, pair_start, pair_other, pair_weight, own, locked, order, edges, place, chosen,
           best_order, best_edges, record, temperature, state, steps):  # type: ignore[no-untyped-def]  # fmt: skip
    """Try `steps` exchanges at a temperature (Metropolis); `record` holds the value now and the least so far."""
    n = len(order)
    new_order = np.empty(n, dtype=np.int32)
    new_edges = np.empty(n, dtype=np.int32)
    for _ in range(steps):
        # the first exchange: (a, b) at place i, and (c, d) at place j with a edge from a to c or to d
        i = below(state, n)
        a, b = order[i], order[(i + 1) % n]
        e1 = edges[i]
        if locked[e1]:
            continue
        slot = indptr[a] + below(state, indptr[a + 1] - indptr[a])
        e3 = incident[slot]
        if chosen[e3]:
            continue
        splits = below(state, 2) == 1
        if splits:  # (a, d), (b, c)
            d = neighbours[slot]
            j = (place[d] - 1) % n
            c = order[j]
            e4 = _edge(indptr, neighbours, incident, chosen, b, c)
        else:  # (a, c), (b, d)
            c = neighbours[slot]
            j = place[c]
            d = order[(j + 1) % n]
            e4 = _edge(indptr, neighbours, incident, chosen, b, d)
        e2 = edges[j]
        if e4 < 0 or locked[e2] or e2 == e1 or e4 == e3:
            continue
        change = _flip(pair_start, pair_other, pair_weight, own, chosen, e1)
        change += _flip(pair_start, pair_other, pair_weight, own, chosen, e2)
        change += _flip(pair_start, pair_other, pair_weight, own, chosen, e3)
        change += _flip(pair_start, pair_other, pair_weight, own, chosen, e4)
        # how much worse the tour may become: Metropolis, drawn beforehand
        slack = -temperature * np.log((below(state, 1 << 30) + 1.0) / (1 << 30))
        if not splits:
            if change <= slack:
                inner = (j - i) % n
                if 2 * inner <= n:
                    _reverse_ring(order, edges, place, (i + 1) % n, j)
                    edges[i], edges[j] = e3, e4
                else:
                    _reverse_ring(order, edges, place, (j + 1) % n, i)
                    edges[j], edges[i] = e3, e4
            else:
                chosen[e1] = chosen[e2] = True
                chosen[e3] = chosen[e4] = False
                continue
        else:
            # two cycles: the inner one is places i+1..j, closed by e4 = (c, b); the outer one is closed by e3 = (a, d)
            inner = (j - i) % n
            joined = False
            e5 = e6 = e7 = e8 = -1
            k = q = 0
            crosswise = False
            for _try in range(3):
                # an edge (u, v) of the shorter cycle, more often than not near the first exchange
                if 2 * inner <= n:
                    size, base = inner, i + 1
                else:
                    size, base = n - inner, j + 1
                near = below(state, 4)
                if near == 0:
                    t = below(state, size)
                elif near == 1:
                    t = size - 1
                elif near == 2:
                    t = min(size - 1, below(state, 4))
                else:
                    t = max(0, size - 1 - below(state, 4))
                k = (base + t) % n
                u, v = order[k], order[(base + (t + 1) % size) % n]
                e5 = edges[k]
                if t == size - 1:
                    e5 = e4 if base == i + 1 else e3
                if locked[e5]:
                    continue
                slot = indptr[u] + below(state, indptr[u + 1] - indptr[u])
                x = neighbours[slot]
                e7 = incident[slot]
                if chosen[e7] or (place[x] - base) % n < size:
                    continue
                # x is on the other cycle: its edge to the vertex after it, or before it
                other_base, other_size = (base + size) % n, n - size
                s = (place[x] - other_base) % n
                crosswise = below(state, 2) == 1
                if crosswise:
                    s = (s - 1) % other_size
                y = order[(other_base + (s if crosswise else (s + 1) % other_size)) % n]
                q = (other_base + s) % n
                e6 = edges[q]
                if s == other_size - 1:
                    e6 = e3 if base == i + 1 else e4
                if locked[e6]:
                    continue
                e8 = _edge(indptr, neighbours, incident, chosen, v, y)
                if e8 >= 0 and e8 != e7:
                    joined = True
                    break
            if joined:
                change += _flip(pair_start, pair_other, pair_weight, own, chosen, e5)
                change += _flip(pair_start, pair_other, pair_weight, own, chosen, e6)
                change += _flip(pair_start, pair_other, pair_weight, own, chosen, e7)
                change += _flip(pair_start, pair_other, pair_weight, own, chosen, e8)
                if change > slack:
                    chosen[e7] = chosen[e8] = False
                    chosen[e5] = chosen[e6] = True
                    joined = False
            if not joined:
                chosen[e3] = chosen[e4] = False
                chosen[e1] = chosen[e2] = True
                continue
            # the cycle of (u, v) from v on round to u, then the other one from x or y round to the other
            size, base = (inner, i + 1) if 2 * inner <= n else (n - inner, j + 1)
            closing, other_closing = (e4, e3) if 2 * inner <= n else (e3, e4)
            first = (k - base) % n
            for p in range(size):
                at = (first + 1 + p) % size
                new_order[p] = order[(base + at) % n]
                new_edges[p] = closing if at == size - 1 else edges[(base + at) % n]
            new_edges[size - 1] = e7  # from u to x
            other_base, other_size = (base + size) % n, n - size
            s = (q - other_base) % n
            for p in range(other_size):
                if crosswise:  # (y, x) in the order of the ring: from x onwards round to y
                    at = (s + 1 + p) % other_size
                    edge_at = at
                else:  # (x, y): from x backwards round to y
                    at = (s - p) % other_size
                    edge_at = (at - 1) % other_size
                new_order[size + p] = order[(other_base + at) % n]
                new_edges[size + p] = other_closing if edge_at == other_size - 1 else edges[(other_base + edge_at) % n]
            new_edges[n - 1] = e8  # from y to v
            for p in range(n):
                order[p] = new_order[p]
                edges[p] = new_edges[p]
                place[order[p]] = p
        record[0] += change
        if record[0] < record[1]:
            record[1] = record[0]
            best_order[:] = order
            best_edges[:] = edges
