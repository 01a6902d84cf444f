"""Geometry of graphs: fewest turns, least angle, length and crossings, with positions of kt beside plain models.

`python benchmarks/geometry.py turns angle length crossings many --seconds 60` prints a row for each case: the value,
the bound, the seconds, and what a plain model reaches. `turns` are grid graphs with holes; the other points are random.
Plain models are CP-SAT's circuit, with a variable for each pair of edges that weighs something, on two workers.
`length` has five sets of points of each size: the medians of the seconds of this process, of its processor time and of
the check, and the tours of LKH beside kt's, if the package elkai is installed.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import numpy as np

import kt
from kt_models import MoveGraph
from kt_models.problem import Problem

CONSTANT = 0.7124
"""The length of a shortest tour of n random points in a square of area A is about 0.7124 sqrt(nA) for large n."""


def holes(side: int, seed: int = 3) -> nx.Graph:
    """A grid graph without some squares of two by two, two-connected."""
    rng = random.Random(seed)
    while True:
        graph = nx.grid_2d_graph(side, side)
        for _ in range(side):
            x, y = rng.randrange(0, side - 1, 2), rng.randrange(0, side - 1, 2)
            corners = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]
            graph.remove_nodes_from([corner for corner in corners if corner in graph])
        if nx.is_biconnected(graph):
            return graph


def scattered(count: int, seed: int, most: int = 0) -> list[tuple[float, float]]:
    """Random points in a square: floats of 17 digits, or integers below `most`."""
    rng = random.Random(seed)
    coordinate: Callable[[], float] = (lambda: rng.randrange(most)) if most else rng.random
    return [(coordinate(), coordinate()) for _ in range(count)]


def plain_model(graph: MoveGraph, metric: str, seconds: float) -> str:
    """What CP-SAT's circuit with pair variables reaches."""
    from ortools.sat.python import cp_model

    weights = Problem(graph, objective=metric).weights
    assert weights is not None
    model = cp_model.CpModel()
    arcs, edges, cost = [], [], []
    for u, v in graph.ends.tolist():
        there, back, either = (model.new_bool_var("") for _ in range(3))
        arcs += [(u, v, there), (v, u, back)]
        model.add(either == there + back)
        edges.append(either)
    model.add_circuit(arcs)
    for e, f, weight in weights.canonical():
        both = edges[e]
        if e != f:
            both = model.new_bool_var("")
            model.add_bool_or([edges[e].Not(), edges[f].Not(), both])
        cost.append(weight * both)
    model.minimize(sum(cost))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds, solver.parameters.num_workers = seconds, 2
    started = time.monotonic()
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return f"nothing in {seconds:g} s"
    taken = time.monotonic() - started
    unit = 10**weights.decimals
    return f"{solver.objective_value / unit:g} (bound {solver.best_objective_bound / unit:g}) in {taken:.1f} s"


def cases(kinds: list[str]) -> Iterator[tuple[str, str, MoveGraph]]:
    """Names, metrics and graphs."""
    if "turns" in kinds:
        for side in (14, 20, 26, 34):
            graph = holes(side)
            yield f"turns, {len(graph)} vertices", "turns", kt.graph(graph, pos={cell: cell for cell in graph})
    if "angle" in kinds:
        for count in (30, 50):
            yield f"angle, {count} points", "angle", kt.graph(points=scattered(count, 7, 1000), edges="nearest:6")
    if "crossings" in kinds:
        started = time.monotonic()
        graph = kt.graph(points=scattered(300, 7), edges="nearest:8")
        pairs = len(kt.pair_weights(graph, "crossings").weight)
        print(f"{pairs:,} crossing pairs of {graph.m:,} edges in {time.monotonic() - started:.2f} s")
        yield "crossings, 300 points", "crossings", graph


def lengths(seconds: float, plain: float) -> None:
    """Rows of the shortest closed tours through random points, five sets of each size."""
    print("| points | proved | seconds | processor seconds | check | LKH's length, seconds | plain model |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    kt.solve(points=scattered(8, 1), minimize="length")  # Imports, and compiled loops from the cache.
    for count in (50, 100, 200):
        rows: list[tuple[float, float, float]] = []
        proved, ratios, models = 0, [], []
        for seed in range(1, 6):
            graph = kt.graph(points=scattered(count, seed))
            started, used = time.monotonic(), time.process_time()
            result = kt.solve(graph, minimize="length", time_limit=seconds)
            taken, used = time.monotonic() - started, time.process_time() - used
            checked = time.process_time()
            if result.certificate is not None:
                kt.check(result.certificate)
            rows.append((taken, used, time.process_time() - checked))
            proved += result.status == "optimal"
            ratios.append(lin_kernighan_helsgaun(graph, result))
            models.append(plain_model(graph, "length", plain) if plain and seed == 1 else "")
        medians = " | ".join(f"{statistics.median(column):.2f}" for column in zip(*rows, strict=True))
        print(f"| {count} | {proved} of 5 | {medians} | {'; '.join(filter(None, ratios))} | {models[0]} |", flush=True)


def lin_kernighan_helsgaun(graph: MoveGraph, result: Any) -> str:
    """LKH's length as a multiple of kt's, and its seconds; empty without the package elkai."""
    try:
        import elkai
    except ModuleNotFoundError:
        return ""
    weights = Problem(graph, objective="length").weights
    assert weights is not None
    table = np.zeros((graph.n, graph.n), dtype=np.int64)
    ends = graph.ends[weights.first]
    table[ends[:, 0], ends[:, 1]] = table[ends[:, 1], ends[:, 0]] = weights.weight
    started = time.monotonic()
    order = elkai.DistanceMatrix(table.tolist()).solve_tsp(runs=10)
    length = int(table[order[:-1], order[1:]].sum()) / 10**weights.decimals
    return f"{length / result.value:.6f}, {time.monotonic() - started:.1f} s"


def many(count: int, seconds: float) -> None:
    """A tour of many points by `find`, all of whose pairs are edges, its length beside the constant, and a picture."""
    points = np.random.default_rng(1).random((count, 2))
    started, processor = time.monotonic(), time.process_time()
    graph = kt.graph(points=points)
    result: Any = kt.find(graph, minimize="length", time_limit=seconds)
    taken, processor = time.monotonic() - started, time.process_time() - processor
    if result.tour is None:
        print(f"{count:,} points: no tour in {taken:.1f} s")
        return
    ratio = result.tour.measure("length") / count**0.5
    effort = f"{taken:.1f} s, {processor:.1f} s of a processor, {result.statistics.get('kicks', 0):,} kicks"
    print(f"{count:,} points: length {ratio:.4f} sqrt(nA), constant {CONSTANT}, {effort}, {result.engine}")
    started = time.monotonic()
    kt.draw(result.tour, "many.svg", force=True)
    kt.draw(result.tour, "many.png", force=True)
    print(f"drawn in {time.monotonic() - started:.1f} s")


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kinds", nargs="*", default=["turns", "angle", "length", "crossings"])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--plain", type=float, default=40.0, help="seconds of the plain model; 0 for none")
    parser.add_argument("--count", type=int, nargs="*", default=[1_000, 10_000, 100_000])
    arguments = parser.parse_args()
    if "length" in arguments.kinds:
        lengths(arguments.seconds, arguments.plain)
    print("| case | kt | plain model |\n| --- | --- | --- |")
    for name, metric, graph in cases(arguments.kinds):
        started = time.monotonic()
        result = kt.solve(graph, minimize=metric, time_limit=arguments.seconds)
        taken = time.monotonic() - started
        plain = plain_model(graph, metric, arguments.plain) if arguments.plain else "-"
        print(
            f"| {name} | {result.status} {result.value} (bound {result.bound}) in {taken:.1f} s | {plain} |", flush=True
        )
    if "many" in arguments.kinds:
        for count in arguments.count:
            many(count, arguments.seconds)


if __name__ == "__main__":
    main()
