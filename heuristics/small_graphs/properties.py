"""Properties of small graphs that follow from searches for Hamiltonian cycles and paths in them and in parts of them.

An order of vertices that a search finds is verified before anything is concluded from it; that there is none rests on
the search. A property is unknown if one of its searches takes too many steps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from heuristics.small_graphs.bit_sets import first, least, only, without_least
from heuristics.small_graphs.search import FEASIBLE, INFEASIBLE, UNKNOWN, WRONG, classes_of, order
from heuristics.small_graphs.tails import tails
from heuristics.small_graphs.verify import is_order
from kt_models.files.graph_lists.block import DIRECTED, KIND, MAX_SMALL, ROW, SIZE
from kt_models.jit import kernel
from kt_models.kernel.sweeps.bits import bare_kernel, popcount

PROPERTIES = {
    "hamiltonian": "it has a Hamiltonian cycle",
    "traceable": "it has a Hamiltonian path",
    "hamilton-connected": "each vertex is joined to each other one by a Hamiltonian path",
    "hamilton-laceable": "it is bipartite, and a Hamiltonian path joins each two vertices of different classes",
    "hypohamiltonian": "it has no Hamiltonian cycle, and without any one of its vertices it has",
    "hypotraceable": "it has no Hamiltonian path, and without any one of its vertices it has",
    "pancyclic": "it has a cycle of each length from 3 to the number of its vertices",
    "edges-in-every-cycle": "it has a Hamiltonian cycle, and some of its edges are in each of them",
    "edges-in-no-cycle": "it has a Hamiltonian cycle, and some of its edges are in none of them",
}
"""Properties by name, and what a graph with each is like."""
_NAMES = tuple(PROPERTIES)
(_CYCLE, _PATH, _CONNECTED, _LACEABLE, _HYPO_CYCLE, _HYPO_PATH, _PANCYCLIC, _IN_EVERY, _IN_NO) = range(len(_NAMES))
WITH_EDGES = frozenset({"edges-in-every-cycle", "edges-in-no-cycle"})
"""Properties that name edges."""


@bare_kernel
def _has_cycle(vertices: Any, out: Any, into: Any, directed: bool, path: Any, choices: Any, budget: int) -> int:
    """Whether a set of vertices has a Hamiltonian cycle; behind the order comes the vertex that closes it."""
    size = popcount(vertices)
    if size < (2 if directed else 3):
        return INFEASIBLE
    closing = least(vertices)
    fewest = 65
    todo = vertices
    while todo:
        v = least(todo)
        todo = without_least(todo)
        degree = min(popcount(out[v] & vertices), popcount(into[v] & vertices))
        if degree < (1 if directed else 2):
            return INFEASIBLE
        if degree < fewest:
            closing, fewest = v, degree
    others = vertices & ~only(closing)
    outcome = order(others, out[closing], into[closing], out, into, directed, path, choices, budget)
    path[size - 1] = closing
    return outcome


@bare_kernel
def _has_path(vertices: Any, out: Any, into: Any, directed: bool, path: Any, choices: Any, budget: int) -> int:
    return order(vertices, vertices, vertices, out, into, directed, path, choices, budget)


@bare_kernel
def _joined(n: int, out: Any, into: Any, directed: bool, classes: Any, path: Any, choices: Any, budget: int) -> int:
    """Whether each vertex is joined to each one that is not in its class; `classes` are two sets, or empty ones."""
    everything = first(n)
    for u in range(n):
        beyond = everything & ~only(u)
        if classes[0] | classes[1]:
            beyond = classes[1] if classes[0] & only(u) else classes[0]
        if not directed:
            beyond = beyond & ~first(u) if u else beyond
        others = everything & ~only(u)
        while beyond:
            v = least(beyond)
            beyond = without_least(beyond)
            outcome = order(others, out[u], only(v), out, into, directed, path, choices, budget)
            if outcome != FEASIBLE:
                return outcome
    return FEASIBLE


@bare_kernel
def _hypo(n: int, out: Any, into: Any, directed: bool, closed: bool, path: Any, choices: Any, budget: int) -> int:
    """Whether a graph has no Hamiltonian cycle (or path), and without any one of its vertices it has."""
    if n < 3:
        return INFEASIBLE
    everything = first(n)
    # Most graphs fail at a vertex, which takes one short search; the long one comes last
    for v in range(n):
        rest = everything & ~only(v)
        if closed:
            outcome = _has_cycle(rest, out, into, directed, path, choices, budget)
        else:
            outcome = _has_path(rest, out, into, directed, path, choices, budget)
        if outcome != FEASIBLE:
            return outcome
    if closed:
        outcome = _has_cycle(everything, out, into, directed, path, choices, budget)
    else:
        outcome = _has_path(everything, out, into, directed, path, choices, budget)
    return FEASIBLE if outcome == INFEASIBLE else INFEASIBLE if outcome == FEASIBLE else outcome


@bare_kernel
def _has_length(n: int, length: int, out: Any, path: Any, choices: Any, budget: int) -> int:
    """Whether a graph has a cycle of a length, from its least vertex on."""
    steps = 0
    for start in range(n - length + 1):
        above = first(n) & ~first(start + 1)
        depth = 0
        path[0] = start
        used = only(start)
        choices[0] = out[start] & above
        while depth >= 0:
            open_choices = choices[depth]
            if not open_choices:
                used &= ~only(path[depth])
                depth -= 1
                continue
            v = least(open_choices)
            choices[depth] = without_least(open_choices)
            steps += 1
            if steps > budget:
                return UNKNOWN
            if depth + 2 == length:
                if out[v] & only(start):
                    path[depth + 1] = v
                    if not is_order(used | only(v), only(start), only(v), out, path, length):
                        return WRONG
                    return FEASIBLE
                continue
            depth += 1
            path[depth] = v
            used |= only(v)
            choices[depth] = out[v] & above & ~used
    return INFEASIBLE


@bare_kernel
def _pancyclic(n: int, out: Any, into: Any, directed: bool, path: Any, choices: Any, budget: int) -> int:
    if n < 3:
        return INFEASIBLE
    for length in range(3, n):
        outcome = _has_length(n, length, out, path, choices, budget)
        if outcome != FEASIBLE:
            return outcome
    return _has_cycle(first(n), out, into, directed, path, choices, budget)


@bare_kernel
def _edges(
    n: int,
    out: Any,
    into: Any,
    directed: bool,
    every: bool,
    marks: Any,
    near: Any,
    back: Any,
    path: Any,
    choices: Any,
    budget: int,
) -> int:
    """Mark the edges that are in every Hamiltonian cycle, or in none; whether there is a cycle and such an edge.

    Parameters
    ----------
    marks
        Gets the sets of vertices to which each vertex is joined by such edges.
    near, back
        Space for the graph without an edge.
    """
    everything = first(n)
    for v in range(n):
        marks[v] = np.uint64(0)
    outcome = _has_cycle(everything, out, into, directed, path, choices, budget)
    if outcome != FEASIBLE:
        return outcome
    for v in range(n):  # Edges whose answer is open: those of the cycle, or all others
        marks[v] = np.uint64(0) if every else out[v]
    for place in range(n):
        u, v = path[place], path[(place + 1) % n]
        if every:
            marks[u] |= only(v)
            if not directed:
                marks[v] |= only(u)
        else:
            marks[u] &= ~only(v)
            if not directed:
                marks[v] &= ~only(u)
    found = False
    for u in range(n):
        todo = marks[u] if directed else marks[u] & ~first(u + 1) if u < 63 else np.uint64(0)
        while todo:
            v = least(todo)
            todo = without_least(todo)
            if not marks[u] & only(v):
                continue  # Another cycle has answered it
            if every:
                for w in range(n):
                    near[w], back[w] = out[w], into[w]
                near[u] &= ~only(v)
                back[v] &= ~only(u)
                if not directed:
                    near[v] &= ~only(u)
                    back[u] &= ~only(v)
                outcome = _has_cycle(everything, near, back, directed, path, choices, budget)
            else:
                others = everything & ~only(v)
                outcome = order(others, out[v], only(u), out, into, directed, path, choices, budget)
                path[n - 1] = v
            if outcome == INFEASIBLE:
                found = True
                continue
            if outcome != FEASIBLE:
                return outcome
            if every:  # Only edges of this cycle, too, may be in every one
                for w in range(n):
                    near[w] = np.uint64(0)
                for place in range(n):
                    a, b = path[place], path[(place + 1) % n]
                    near[a] |= only(b)
                    if not directed:
                        near[b] |= only(a)
                for w in range(n):
                    marks[w] &= near[w]
            else:
                for place in range(n):
                    a, b = path[place], path[(place + 1) % n]
                    marks[a] &= ~only(b)
                    if not directed:
                        marks[b] &= ~only(a)
    return FEASIBLE if found else INFEASIBLE


@kernel("int64(int64[:, ::1], uint64[::1], int64, int64, uint8[::1], uint64[::1], int64[::1])")
def decide_property(records: Any, rows: Any, which: int, budget: int, statuses: Any, marks: Any, stop: Any) -> int:
    """Decide a property of each small graph until `stop[0]` is set; return how many graphs were looked at.

    Parameters
    ----------
    records, rows
        As of a `GraphBlock`.
    which
        Number of the property in `PROPERTIES`.
    budget
        Most steps of each search.
    statuses
        Gets `FEASIBLE`, `INFEASIBLE`, `UNKNOWN` or `WRONG` for each graph.
    marks
        As long as `rows`: gets the edges that a property names.
    """
    into = np.empty(MAX_SMALL, dtype=np.uint64)
    near = np.empty(MAX_SMALL, dtype=np.uint64)
    back = np.empty(MAX_SMALL, dtype=np.uint64)
    choices = np.empty(MAX_SMALL, dtype=np.uint64)
    path = np.empty(MAX_SMALL, dtype=np.uint8)
    for g in range(len(records)):
        if stop[0]:
            return g
        n = records[g, SIZE]
        if n < 1:
            statuses[g] = UNKNOWN
            continue
        out = rows[records[g, ROW] : records[g, ROW] + n]
        directed = records[g, KIND] == DIRECTED
        if directed:
            tails(n, out, into)
        heads = into if directed else out
        outcome = UNKNOWN
        if which == _CYCLE:
            outcome = _has_cycle(first(n), out, heads, directed, path, choices, budget)
        elif which == _PATH:
            outcome = _has_path(first(n), out, heads, directed, path, choices, budget)
        elif which == _CONNECTED:
            nothing = np.uint64(0)
            outcome = _joined(n, out, heads, directed, (nothing, nothing), path, choices, budget)
        elif which == _LACEABLE:
            classes = classes_of(n, out, heads)
            if directed:
                outcome = UNKNOWN
            elif not classes[0] | classes[1]:
                outcome = INFEASIBLE
            elif n == 1:
                outcome = FEASIBLE
            else:
                outcome = _joined(n, out, heads, directed, classes, path, choices, budget)
        elif which in (_HYPO_CYCLE, _HYPO_PATH):
            outcome = _hypo(n, out, heads, directed, which == _HYPO_CYCLE, path, choices, budget)
        elif which == _PANCYCLIC:
            outcome = _pancyclic(n, out, heads, directed, path, choices, budget)
        else:
            edges = marks[records[g, ROW] : records[g, ROW] + n]
            outcome = _edges(n, out, heads, directed, which == _IN_EVERY, edges, near, back, path, choices, budget)
        statuses[g] = outcome
    return len(records)
