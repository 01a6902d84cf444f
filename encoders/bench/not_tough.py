"""Graphs without a Hamiltonian cycle, as removing k vertices leaves k + 1 parts.

Three families: parts glued to hubs; cuts planted in graphs in which hubs have as many edges as others; the same with
parts of four to nine vertices. No part is a single vertex, and no vertex has less than three edges.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

Edges = set[tuple[int, int]]


def _edge(u: int, v: int) -> tuple[int, int]:
    return min(u, v), max(u, v)


def _part(rng: random.Random, vertices: Sequence[int], chords: int) -> Edges:
    """A cycle through some vertices, and at most so many chords."""
    order = list(vertices)
    rng.shuffle(order)
    edges = {_edge(u, v) for u, v in zip(order, order[1:] + order[:1], strict=True)}
    return edges | {_edge(*rng.sample(order, 2)) for _ in range(chords)}


def _filled(rng: random.Random, edges: Edges, parts: Sequence[Sequence[int]]) -> None:
    """Give each vertex of the parts at least three edges, by more edges within its part."""
    degree = Counter(v for edge in edges for v in edge)
    for part in parts:
        for v in part:
            while degree[v] < 3:
                new = _edge(v, rng.choice([w for w in part if w != v]))
                if new not in edges:
                    edges.add(new)
                    degree.update(new)


def glued(n: int, rng: random.Random) -> tuple[int, Edges]:
    """Parts of very different sizes, each joined to some hubs."""
    order = list(range(n))
    rng.shuffle(order)
    count = rng.randint(2, max(2, n // 15))
    hubs, rest = order[:count], order[count:]
    places = sorted(rng.sample(range(4, len(rest) - 3, 4), count))
    parts = [rest[i:j] for i, j in zip([0, *places], [*places, len(rest)], strict=True)]
    edges: Edges = set()
    for part in parts:
        edges |= _part(rng, part, 3 * len(part) // 2)
        for v in rng.sample(part, min(len(part), rng.randint(2, 6))):
            edges |= {_edge(v, hub) for hub in rng.sample(hubs, rng.randint(1, min(3, count)))}
    for hub in hubs:
        edges |= {_edge(hub, v) for v in rng.sample(rest, 3)}
    _filled(rng, edges, parts)
    return n, edges


def _planted(n: int, rng: random.Random, degree: int, least: int, most: int) -> tuple[int, Edges]:
    """Hubs that have as many edges as others, and parts of `least` to `most` vertices."""
    sizes: list[int] = []
    while sum(sizes) + len(sizes) + least <= n or len(sizes) < 2:
        sizes.append(rng.randint(least, most))
    count = len(sizes) - 1
    order = list(range(sum(sizes) + count))
    rng.shuffle(order)
    hubs, rest = order[:count], order[count:]
    parts = [[rest.pop() for _ in range(size)] for size in sizes]
    edges: Edges = set().union(*(_part(rng, part, 0) for part in parts))
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


def planted(n: int, rng: random.Random) -> tuple[int, Edges]:
    """Cuts in graphs that are nearly regular."""
    return _planted(n, rng, rng.choice([4, 5, 6]), 10, max(12, n // 8))


def small_parts(n: int, rng: random.Random) -> tuple[int, Edges]:
    """Many parts of four to nine vertices."""
    return _planted(n, rng, rng.choice([4, 5]), 4, 9)


FAMILIES: dict[str, Callable[[int, random.Random], tuple[int, Edges]]] = {
    "glued": glued,
    "planted": planted,
    "small parts": small_parts,
}
