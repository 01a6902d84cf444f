"""Graphs without a Hamiltonian cycle, as removing k vertices leaves k + 1 parts; and tough ones beside them.

Three families have such cuts: parts glued to hubs; cuts planted in graphs in which hubs have as many edges as others;
the same with parts of four to nine vertices. In two families most graphs have none: their linear relaxation has no
solution, but its multipliers are fractions; or they have no 2-factor. No part is a single vertex, and no vertex has
less than three edges.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

EdgeSet = set[tuple[int, int]]


def _edge(u: int, v: int) -> tuple[int, int]:
    return min(u, v), max(u, v)


def _part(rng: random.Random, vertices: Sequence[int], chords: int) -> EdgeSet:
    """A cycle through some vertices, and at most so many chords."""
    order = list(vertices)
    rng.shuffle(order)
    edges = {_edge(u, v) for u, v in zip(order, order[1:] + order[:1], strict=True)}
    return edges | {_edge(*rng.sample(order, 2)) for _ in range(chords)}


def _filled(rng: random.Random, edges: EdgeSet, parts: Sequence[Sequence[int]]) -> None:
    """Give each vertex of the parts at least three edges, by more edges within its part."""
    degree = Counter(v for edge in edges for v in edge)
    for part in parts:
        for v in part:
            while degree[v] < 3:
                new = _edge(v, rng.choice([w for w in part if w != v]))
                if new not in edges:
                    edges.add(new)
                    degree.update(new)


def _split(vertices: Sequence[int], count: int, rng: random.Random) -> list[list[int]]:
    """Some vertices in so many parts of random sizes, at least four each."""
    quarter = len(vertices) // 4
    places = [4 * place for place in sorted(rng.sample(range(1, quarter), count - 1))]
    return [list(vertices[i:j]) for i, j in pairwise([0, *places, len(vertices)])]


def glued(n: int, rng: random.Random) -> tuple[int, EdgeSet]:
    """Parts of very different sizes, each joined to some hubs."""
    order = list(range(n))
    rng.shuffle(order)
    count = rng.randint(2, max(2, n // 15))
    hubs, rest = order[:count], order[count:]
    places = sorted(rng.sample(range(4, len(rest) - 3, 4), count))
    parts = [rest[i:j] for i, j in zip([0, *places], [*places, len(rest)], strict=True)]
    edges: EdgeSet = set()
    for part in parts:
        edges |= _part(rng, part, 3 * len(part) // 2)
        for v in rng.sample(part, min(len(part), rng.randint(2, 6))):
            edges |= {_edge(v, hub) for hub in rng.sample(hubs, rng.randint(1, min(3, count)))}
    for hub in hubs:
        edges |= {_edge(hub, v) for v in rng.sample(rest, 3)}
    _filled(rng, edges, parts)
    return n, edges


def _planted(n: int, rng: random.Random, degree: int, least: int, most: int) -> tuple[int, EdgeSet]:
    """Hubs that have as many edges as others, and parts of `least` to `most` vertices."""
    sizes: list[int] = []
    while sum(sizes) + len(sizes) + least <= n or len(sizes) < 2:
        sizes.append(rng.randint(least, most))
    count = len(sizes) - 1
    order = list(range(sum(sizes) + count))
    rng.shuffle(order)
    hubs, rest = order[:count], order[count:]
    parts = [[rest.pop() for _ in range(size)] for size in sizes]
    edges: EdgeSet = set().union(*(_part(rng, part, 0) for part in parts))
    at = Counter(v for edge in edges for v in edge)
    slots = [hub for hub in hubs for _ in range(degree)]
    rng.shuffle(slots)
    for place, hub in enumerate(slots):
        part = parts[place % len(parts)] if place < 3 * len(parts) else rng.choice(parts)
        new = _edge(rng.choice([v for v in part if at[v] < degree] or part), hub)
        if new not in edges:
            edges.add(new)
            at.update(new)
    for part in parts:
        for _ in range(4 * len(part)):
            free = [v for v in part if at[v] < degree]
            if len(free) > 1 and (new := _edge(*rng.sample(free, 2))) not in edges:
                edges.add(new)
                at.update(new)
    _filled(rng, edges, parts)
    return len(order), edges


def planted(n: int, rng: random.Random) -> tuple[int, EdgeSet]:
    """Cuts in graphs that are nearly regular."""
    return _planted(n, rng, rng.choice([4, 5, 6]), 10, max(12, n // 8))


def small_parts(n: int, rng: random.Random) -> tuple[int, EdgeSet]:
    """Many parts of four to nine vertices."""
    return _planted(n, rng, rng.choice([4, 5]), 4, 9)


CORES = (
    (
        {0, 4, 8},
        {(3, 5)},
        "0-4 0-6 0-8 0-9 1-2 1-4 1-7 1-8 2-4 2-7 2-8 3-4 3-5 3-6 3-8 4-5 4-6 4-7 4-8 4-9 6-8 7-8",
    ),
    (
        {2, 5},
        {(0, 1), (3, 7), (4, 8)},
        "0-1 0-2 0-3 0-5 0-8 1-2 1-5 2-3 2-4 2-5 2-6 2-7 3-5 3-7 3-8 4-5 4-8 5-6 5-7 5-8",
    ),
    (
        {2, 8, 10},
        {(0, 9), (1, 4), (3, 7)},
        "0-2 0-8 0-9 0-10 1-2 1-4 1-10 1-11 2-5 2-6 2-8 2-9 2-10 2-11 3-7 3-10 4-10 5-7 5-8 5-10 5-11 6-8 6-10 7-8 "
        "7-11 8-9 8-11 9-10",
    ),
)
"""Tough graphs without a Hamiltonian cycle: hubs, edges that stay single, and all edges. A linear combination of the
degrees of hubs, the sets of other vertices that a cycle leaves, and the single edges, which are used at most once,
shows that there is none. In the first and the third the multipliers are fractions."""


def fractional(n: int, rng: random.Random) -> tuple[int, EdgeSet]:
    """Tough graphs whose linear relaxation has no solution: a core of which all but the hubs become parts."""
    hubs, single, text = rng.choice(CORES)
    pairs = [(int(u), int(v)) for u, v in (pair.split("-") for pair in text.split())]
    inner = sorted({v for pair in pairs for v in pair} - hubs)
    order = list(range(n))
    rng.shuffle(order)
    places = {hub: [order.pop()] for hub in sorted(hubs)}
    places |= dict(zip(inner, _split(order, len(inner), rng), strict=True))
    edges: EdgeSet = set().union(*(_part(rng, places[v], len(places[v]) // 2) for v in inner))
    for u, v in pairs:
        times = 1 if (u, v) in single else max(1, (len(places[u]) + len(places[v])) // 4)
        edges |= {_edge(rng.choice(places[u]), rng.choice(places[v])) for _ in range(times)}
    _filled(rng, edges, [places[v] for v in inner])
    return n, edges


def two_factors(n: int, rng: random.Random) -> tuple[int, EdgeSet]:
    """Tough graphs without a 2-factor: parts with three edges to vertices all of whose other edges lead to hubs.

    Of these vertices, each has an edge to a part and needs another one to a hub. A part in which a 2-factor uses all
    three edges needs a fourth one, to a hub. With q parts there are 2q - 1 hubs, whose edges are two too few.
    """
    count = rng.randint(2, max(2, n // 14))
    order = list(range(n))
    rng.shuffle(order)
    hubs = [order.pop() for _ in range(2 * count - 1)]
    links = [order.pop() for _ in range(3 * count)]
    parts = _split(order, count, rng)
    edges: EdgeSet = set().union(*(_part(rng, part, len(part) // 2) for part in parts))
    for k, part in enumerate(parts):
        edges |= {_edge(u, v) for u, v in zip(links[3 * k : 3 * k + 3], rng.sample(part, 3), strict=True)}
    for link in links:
        edges |= {_edge(link, hub) for hub in rng.sample(hubs, min(len(hubs), rng.randint(2, 4)))}
    edges |= {_edge(rng.choice(part), rng.choice(hubs)) for part in parts for _ in range(3)}
    edges |= {_edge(*rng.sample(hubs, 2)) for _ in hubs}
    _filled(rng, edges, parts)
    return n, edges


FAMILIES: dict[str, Callable[[int, random.Random], tuple[int, EdgeSet]]] = {
    "glued": glued,
    "planted": planted,
    "small parts": small_parts,
    "fractional": fractional,
    "2-factors": two_factors,
}
