"""Small graphs as lines, and brute force on them that shares no code with the product: plain Python, no bit sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise, permutations

import networkx as nx

Arcs = frozenset[tuple[int, int]]
"""Pairs of vertices that may follow each other."""


def graph6(network: nx.Graph) -> str:
    """A line of graph6, written by networkx; vertices keep their numbers."""
    ordered = nx.empty_graph(len(network))
    ordered.add_edges_from(network.edges)
    return nx.to_graph6_bytes(ordered, header=False).decode().strip()


def digraph6(n: int, arcs: Arcs) -> str:
    """A line of digraph6: the rows of the matrix, six bits a character."""
    bits = "".join("1" if (u, v) in arcs else "0" for u in range(n) for v in range(n))
    sextets = (bits[place : place + 6].ljust(6, "0") for place in range(0, len(bits), 6))
    return "&" + chr(63 + n) + "".join(chr(63 + int(sextet, 2)) for sextet in sextets)


def both_ways(network: nx.Graph) -> Arcs:
    """The pairs of an undirected graph."""
    return frozenset((u, v) for edge in network.edges for u, v in (edge, edge[::-1]))


def tours(n: int, arcs: Arcs, *, closed: bool, directed: bool = False) -> Iterator[tuple[int, ...]]:
    """Every Hamiltonian cycle or path once, by trying each order of the vertices that goes on along arcs."""
    if closed and n < (2 if directed else 3):
        return
    heads = {u: [v for v in range(n) if (u, v) in arcs] for u in range(n)}

    def longer(order: list[int]) -> Iterator[tuple[int, ...]]:
        if len(order) == n:
            if not closed or (order[-1], order[0]) in arcs:
                yield tuple(order)
            return
        for v in heads[order[-1]]:
            if v not in order:
                yield from longer([*order, v])

    for start in range(1 if closed else n):
        for order in longer([start]):
            backwards = order[1] > order[-1] if closed and n > 2 else order[0] > order[-1]
            if directed or not backwards:
                yield order


def all_digraphs(n: int) -> Iterator[Arcs]:
    """Every directed graph on n vertices."""
    pairs = list(permutations(range(n), 2))
    for chosen in range(1 << len(pairs)):
        yield frozenset(pair for place, pair in enumerate(pairs) if chosen >> place & 1)


def all_graphs(n: int) -> Iterator[nx.Graph]:
    """Every graph on n vertices, with names."""
    pairs = list(combinations(range(n), 2))
    for chosen in range(1 << len(pairs)):
        network = nx.empty_graph(n)
        network.add_edges_from(pair for place, pair in enumerate(pairs) if chosen >> place & 1)
        yield network


def is_tour(order: Iterable[int], n: int, arcs: Arcs, *, closed: bool) -> bool:
    """Whether an order of vertices is a Hamiltonian cycle or path."""
    row = list(order)
    steps = list(pairwise(row)) + ([(row[-1], row[0])] if closed else [])
    return sorted(row) == list(range(n)) and set(steps) <= arcs
