"""Eliminating the inner nodes one after another: the order, and the pairs of nodes that it joins.

Taking a node out joins all its remaining neighbours with each other.  With the pairs joined in this way the graph is
chordal, and every cycle of the graph, contracted node by node, ends as a triangle or a pair.  Taking a node of least
remaining degree each time (Tinney and Walker, "Direct solutions of sparse network equations", 1967) keeps them few.
"""

from __future__ import annotations

import heapq

from encoders.sat.arcs import Arcs, require_room


def eliminate(arcs: Arcs) -> list[tuple[int, list[int]]]:
    """The inner nodes in the order in which they are taken out, each with its neighbours among those left.

    Raises
    ------
    TooLarge
        If there are too many triangles, each of two clauses, for a formula.
    """
    near: list[set[int]] = [set() for _ in range(arcs.nodes)]
    for tail, head, _ in arcs.inner:
        near[tail].add(head)
        near[head].add(tail)
    order: list[tuple[int, list[int]]] = []
    taken = [False] * arcs.nodes
    heap = [(len(near[node]), node) for node in range(1, arcs.nodes)]
    heapq.heapify(heap)
    clauses = len(arcs.inner)
    while heap:
        degree, node = heapq.heappop(heap)
        if taken[node] or degree != len(near[node]):
            continue  # an entry from before its degree changed
        taken[node] = True
        left = sorted(near[node])
        order.append((node, left))
        clauses += degree * degree
        require_room(arcs.formula, clauses)
        for other in left:
            near[other].update(left)
            near[other] -= {node, other}
            heapq.heappush(heap, (len(near[other]), other))
        near[node].clear()
    return order


def elimination_size(arcs: Arcs) -> tuple[int, int]:
    """How many pairs of nodes are joined, and how many triangles they make."""
    widths = [len(left) for _, left in eliminate(arcs)]
    return sum(widths), sum(width * (width - 1) // 2 for width in widths)
