"""Elimination of the inner nodes one after another: the order, and the pairs of nodes that it joins.

Eliminating a node joins all its remaining neighbours with each other. With these pairs the graph is chordal, and every
cycle of the graph, contracted node by node, ends as a triangle or a pair. Eliminating a node of least remaining degree
each time (Tinney and Walker, "Direct solutions of sparse network equations", 1967) keeps the pairs few.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator

from encoders.sat.arcs import Arcs, require_room
from kt_models.graph import MoveGraph


def eliminate(arcs: Arcs) -> list[tuple[int, list[int]]]:
    """The inner nodes in the order of their elimination, each with its remaining neighbours.

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
    clauses = len(arcs.inner)
    for node, left in _least_degree_first(near, range(1, arcs.nodes)):
        order.append((node, left))
        clauses += len(left) ** 2
        require_room(arcs.formula, clauses)
    return order


def is_eliminated_within(graph: MoveGraph, clauses: int) -> bool:
    """Whether the triangles of a graph, each of two clauses, stay within a number of clauses."""
    near: list[set[int]] = [set() for _ in range(graph.n)]
    for u, v in graph.ends.tolist():
        near[u].add(v)
        near[v].add(u)
    for _, left in _least_degree_first(near, range(graph.n)):
        clauses -= len(left) ** 2
        if clauses < 0:
            return False
    return True


def _least_degree_first(near: list[set[int]], nodes: Iterable[int]) -> Iterator[tuple[int, list[int]]]:
    """Eliminate a node of least degree each time; yield it with its remaining neighbours."""
    taken = [False] * len(near)
    heap = [(len(near[node]), node) for node in nodes]
    heapq.heapify(heap)
    while heap:
        degree, node = heapq.heappop(heap)
        if taken[node] or degree != len(near[node]):
            continue  # The heap's entry is from before the degree changed.
        taken[node] = True
        left = sorted(near[node])
        yield node, left
        for neighbour in left:
            near[neighbour].update(left)
            near[neighbour] -= {node, neighbour}
            heapq.heappush(heap, (len(near[neighbour]), neighbour))
        near[node].clear()


def elimination_size(arcs: Arcs) -> tuple[int, int]:
    """The number of joined pairs of nodes, and of the triangles that they make."""
    widths = [len(left) for _, left in eliminate(arcs)]
    return sum(widths), sum(width * (width - 1) // 2 for width in widths)
