"""A depth-first search for a Hamiltonian cycle or path of a graph of at most 64 vertices, on bit sets.

One search serves all: it puts a set of vertices in an order in which neighbours follow each other, the first one from a
given set, the last one from another. A path is such an order of all vertices. A cycle through a vertex v is such an
order of the others, which begins and ends at neighbours of v.

A partial order is given up when the vertices that are left cannot follow it: one of them is out of reach, or has too
few neighbours among those left, the end of the order, and, for at most one vertex, the end of the whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from heuristics.small_graphs.bit_sets import first, least, only, without_least
from heuristics.small_graphs.verify import is_order
from kt_models.kernel.sweeps.bits import bare_kernel, popcount

FEASIBLE, INFEASIBLE, UNKNOWN, WRONG = 1, 0, 2, 3
"""Outcomes of a search; it is unknown if the search needs more steps than it may take, and wrong if the verifier
refuses the order that was found."""
OUT_OF_STEPS, WRONG_ORDER = -1, -2
"""These stand for a count if the outcome is unknown or wrong."""
ORDERED_FROM = 12
"""Vertices left from which the search looks for the neighbour with the fewest neighbours; in smaller graphs any order
is as good."""
EASY_STEPS = 2000
"""Steps after which the search looks for a reason that there is nothing to find."""


@bare_kernel
def can_go_on(out: Any, into: Any, directed: bool, end: int, left: Any, ends: Any) -> bool:
    """Whether the vertices left, at least one, may follow the order's end."""
    reached = out[end] & left
    if not reached or not ends & left:
        return False
    beside = left | only(end)
    last = False
    todo = left
    while todo:
        v = least(todo)
        todo = without_least(todo)
        if directed:
            if not into[v] & beside:
                return False
            alone = not out[v] & left
        else:
            near = out[v] & beside
            if not near:
                return False
            alone = not without_least(near)
        if alone:  # Nothing can follow it, so it is the last
            if last or not ends & only(v):
                return False
            last = True
    front = reached
    while front:
        v = least(front)
        front = without_least(front)
        more = out[v] & left & ~reached
        reached |= more
        front |= more
    return bool(reached == left)


@bare_kernel
def _next(candidates: Any, out: Any, left: Any) -> int:
    """The candidate with the fewest neighbours left."""
    best, fewest = 0, 65
    while candidates:
        v = least(candidates)
        candidates = without_least(candidates)
        near = popcount(out[v] & left)
        if near < fewest:
            best, fewest = v, near
    return best


@bare_kernel
def count_orders(
    vertices: Any,
    starts: Any,
    ends: Any,
    out: Any,
    into: Any,
    directed: bool,
    path: Any,
    choices: Any,
    size: int,
    budget: int,
    wanted: int,
) -> int:
    """Count the orders of vertices in which each is a neighbour of the one before; each is verified.

    If more than one is wanted, an order of an undirected graph counts only if its first vertex is below its last.

    Parameters
    ----------
    vertices
        The vertices, at least one.
    starts, ends
        Where the order may begin and end.
    out, into
        Sets of neighbours: the heads of the arcs from each vertex, and the tails of the arcs to it; the same for an
        undirected graph.
    path
        Gets the last order.
    choices
        Space for a set for each place of the order.
    size
        Number of the vertices.
    budget
        Most steps of the search.
    wanted
        The search ends with this number; 0 for all.

    Returns
    -------
    int
        The number, `OUT_OF_STEPS` or `WRONG_ORDER`.
    """
    left = vertices
    depth = 0
    choices[0] = starts & vertices
    steps = count = 0
    while depth >= 0:
        open_choices = choices[depth]
        if not open_choices:
            depth -= 1
            if depth >= 0:
                left |= only(path[depth])
            continue
        # Whoever looks for all orders gains nothing by a good one first
        v = _next(open_choices, out, left) if wanted == 1 and size - depth >= ORDERED_FROM else least(open_choices)
        choices[depth] = open_choices & ~only(v)
        steps += 1
        if steps > budget:
            return OUT_OF_STEPS
        rest = left & ~only(v)
        if not rest:
            if ends & only(v) and (wanted == 1 or directed or depth == 0 or path[0] < v):
                path[depth] = v
                if not is_order(vertices, starts, ends, out, path, size):
                    return WRONG_ORDER
                count += 1
                if count == wanted:
                    return count
        elif can_go_on(out, into, directed, v, rest, ends):
            path[depth] = v
            left = rest
            depth += 1
            choices[depth] = out[v] & rest
    return count


@bare_kernel
def order(
    vertices: Any, starts: Any, ends: Any, out: Any, into: Any, directed: bool, path: Any, choices: Any, budget: int
) -> int:
    """Put vertices in an order in which each is a neighbour of the one before; the outcome."""
    size = popcount(vertices)
    if not size:
        return INFEASIBLE
    count = count_orders(vertices, starts, ends, out, into, directed, path, choices, size, budget, 1)
    return count if count >= 0 else UNKNOWN if count == OUT_OF_STEPS else WRONG


@bare_kernel
def classes_of(n: int, out: Any, into: Any) -> Any:
    """The two classes of a connected bipartite graph, each a set; two empty sets of any other graph."""
    nothing = np.uint64(0)
    even, odd = only(0), nothing
    front = only(0)
    reached = front
    while front:
        near = nothing
        while front:
            v = least(front)
            front = without_least(front)
            near |= out[v] | into[v]
        front = near & ~reached
        reached |= front
        even, odd = odd | near, even
    if even & odd or reached != first(n):
        return nothing, nothing
    return even, odd


@bare_kernel
def find(n: int, out: Any, into: Any, directed: bool, closed: bool, path: Any, choices: Any, budget: int) -> int:
    """Find a Hamiltonian cycle of a graph or, if it is not closed, a Hamiltonian path.

    Of an undirected graph a cycle has at least three vertices, of a directed one at least two; one vertex is a path.
    """
    everything = first(n)
    start = 0
    if closed:
        if n < (2 if directed else 3):
            return INFEASIBLE
        # The vertex with the fewest neighbours leaves the search the fewest choices
        fewest = 65
        for v in range(n):
            degree = min(popcount(out[v]), popcount(into[v])) if directed else popcount(out[v])
            if degree < (1 if directed else 2):
                return INFEASIBLE
            if degree < fewest:
                start, fewest = v, degree
    others = everything & ~only(start) if closed else everything
    size = n - 1 if closed else n
    starts = out[start] if closed else everything
    ends = into[start] if closed else everything
    if closed:
        path[0] = start
    rest = path[n - size :]
    outcome = order(others, starts, ends, out, into, directed, rest, choices, min(budget, EASY_STEPS))
    if outcome != UNKNOWN or budget <= EASY_STEPS:
        return outcome
    classes = classes_of(n, out, into)
    if abs(popcount(classes[0]) - popcount(classes[1])) > (0 if closed else 1):
        return INFEASIBLE
    return order(others, starts, ends, out, into, directed, rest, choices, budget)
