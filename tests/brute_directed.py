"""Directed Hamiltonian cycles and paths by trying every order: it shares nothing with the rooms."""

from __future__ import annotations

from itertools import permutations, product

Arc = tuple[int, int]


def arcs_of(walk: tuple[int, ...], closed: bool) -> list[Arc]:
    """The pairs of vertices that follow each other in a walk."""
    return list(zip(walk, walk[1:] + walk[:1] if closed else walk[1:], strict=False))


def walks(
    n: int,
    arcs: set[Arc],
    closed: bool,
    start: int | None = None,
    end: int | None = None,
    require: frozenset[Arc] = frozenset(),
    forbid: frozenset[Arc] = frozenset(),
) -> set[tuple[int, ...]]:
    """Every Hamiltonian cycle, from its vertex 0 on, or path of a directed graph; a cycle has two vertices or more."""
    if closed:
        orders = [(0, *rest) for rest in permutations(range(1, n))] if n > 1 else []
    else:
        orders = list(permutations(range(n)))
    good = set()
    for order in orders:
        used = set(arcs_of(order, closed))
        if (
            used <= arcs - forbid
            and require <= used
            and (closed or start in (None, order[0]))
            and (closed or end in (None, order[-1]))
        ):
            good.add(order)
    return good


def all_digraphs(n: int) -> list[set[Arc]]:
    """Every directed graph on vertices 0..n-1."""
    pairs = list(permutations(range(n), 2))
    return [
        {pair for pair, there in zip(pairs, choice, strict=True) if there}
        for choice in product((False, True), repeat=len(pairs))
    ]


def up_to_isomorphism(n: int) -> list[set[Arc]]:
    """One directed graph of each class on vertices 0..n-1."""
    seen: set[frozenset[Arc]] = set()
    chosen = []
    for arcs in all_digraphs(n):
        if frozenset(arcs) not in seen:
            chosen.append(arcs)
            seen.update(frozenset((p[u], p[v]) for u, v in arcs) for p in permutations(range(n)))
    return chosen
