"""Graphs without a Hamiltonian cycle, as removing k vertices leaves k + 1 parts; and how long `solve` takes to see it.

    python -m benchmarks.not_tough --graphs 100 --vertices 100-400 --seconds 5 -o NAME.json
    python -m benchmarks.not_tough --graphs 20 --vertices 5000 --seconds 20 -o NAME.json

Three families: parts glued to hubs; cuts planted in graphs in which hubs have as many edges as others; the same with
parts of four to nine vertices.  No part is a single vertex, and no vertex has less than three edges.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

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


def _processor_seconds() -> float:
    """Of this process and of those that it started and that have ended."""
    return sum(os.times()[:4])


def measure(name: str, graphs: int, low: int, high: int, seconds: float) -> dict[str, Any]:
    """Solve some graphs of a family."""
    from encoders import solve
    from kt_models import MoveGraph, Problem
    from kt_models.limits import Limits

    walls, processor, failed = [], [], []
    for seed in range(graphs):
        rng = random.Random(seed)
        n, edges = FAMILIES[name](rng.randint(low, high), rng)
        problem = Problem(MoveGraph.from_edges(n, sorted(edges), f"{name} {seed}"))
        began, spent = time.perf_counter(), _processor_seconds()
        result = solve(problem, limits=Limits(seconds))
        walls.append(round(time.perf_counter() - began, 3))
        processor.append(round(_processor_seconds() - spent, 3))
        if result.status != "infeasible" or result.certificate is None:
            failed.append(seed)
    return {
        "family": name,
        "graphs": graphs,
        "certified": graphs - len(failed),
        "failed": failed,
        "processor": {"median": median(processor), "most": max(processor), "each": processor},
        "wall": {"median": median(walls), "most": max(walls), "each": walls},
    }


def main() -> None:
    from encoders.bench.table import conditions
    from kt_models.storage import write_json

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", type=int, default=100, help="of each family (default 100)")
    parser.add_argument("--vertices", default="100-400", help="how many, or from-to (default 100-400)")
    parser.add_argument("--seconds", type=float, default=5.0, help="time limit of each, of the clock (default 5)")
    parser.add_argument("--only", default="", help="families whose names have this in them")
    parser.add_argument("-o", "--output", help="a JSON file of the results")
    options = parser.parse_args()
    low, _, high = options.vertices.partition("-")
    rows = []
    for name in FAMILIES:
        if options.only not in name:
            continue
        row = measure(name, options.graphs, int(low), int(high or low), options.seconds)
        rows.append(row)
        kinds = ("processor", "wall")
        words = "; ".join(f"{kind} {row[kind]['median']:.2f} s, at most {row[kind]['most']:.2f} s" for kind in kinds)
        print(f"{name}: {row['certified']} of {row['graphs']} with a certificate; {words}", flush=True)
    if options.output:
        write_json(options.output, {"vertices": options.vertices, **conditions(options.seconds), "rows": rows})


if __name__ == "__main__":
    main()
