"""Geometry of graphs: fewest turns, least angle, length and crossings, with positions of kt beside other solvers.

    python -m benchmarks.geometry -o benchmarks/results/geometry.json
    python -m benchmarks.geometry --pages benchmarks/results/geometry.json   # the tables of docs/theory and docs/data

prints a row for each case, in about six minutes on two idle cores: value, bound, seconds, and processor seconds of this
process and of those that it started. `turns` are grid graphs with holes; the other points are random. `plain` is
CP-SAT's circuit on two workers, with a variable for each pair of edges that weighs something; crossings enter its model
once an answer has them. `length` has five sets of
points of each size: medians of the seconds, of the processor seconds and of those of the check; and the lengths of
LKH's tours (if the package elkai is installed) and of the routing library of OR-Tools as multiples of kt's. `many` are
tours of many points by `kt find`, and pictures of the last one.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np

import kt
from benchmarks.peers.table import conditions
from kt_models import MoveGraph
from kt_models.problem import Problem
from kt_models.writing import write_json

Row = dict[str, Any]
CONSTANT = 0.7124
"""The length of a shortest tour of n random points in a square of area A is about 0.7124 sqrt(nA) for large n."""
ROUTING_SECONDS = 5
"""Time of the routing library, which takes all that it gets."""


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


def chords(count: int, edges: int) -> list[tuple[int, int]]:
    """Edges of a tour in random order, and further random edges: every tour crosses itself."""
    rng = random.Random(count)
    order = rng.sample(range(count), count)
    chosen = {tuple(sorted(pair)) for pair in zip(order, [*order[1:], order[0]], strict=True)}
    while len(chosen) < edges:
        chosen.add(tuple(sorted(rng.sample(range(count), 2))))
    return sorted((u, v) for u, v in chosen)


class Clock:
    """Seconds, and processor seconds of this process and of those that it started and that have ended."""

    def __init__(self) -> None:
        self._started, self._used = time.monotonic(), self._processor()

    @staticmethod
    def _processor() -> float:
        return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))

    @property
    def read(self) -> dict[str, float]:
        """Both, rounded."""
        return {
            "seconds": round(time.monotonic() - self._started, 2),
            "processor": round(self._processor() - self._used, 2),
        }


def plain_model(graph: MoveGraph, metric: str, seconds: float) -> Row:
    """What CP-SAT's circuit with pair variables reaches; crossings enter the model once an answer has them."""
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
    rows = list(weights.canonical())
    later = set(rows) if metric == "crossings" else set()
    fresh = [row for row in rows if row not in later]
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 2
    unit, clock = 10**weights.decimals, Clock()
    while True:
        for e, f, weight in fresh:
            both = edges[e]
            if e != f:
                both = model.new_bool_var("")
                model.add_bool_or([edges[e].Not(), edges[f].Not(), both])
            cost.append(weight * both)
        model.minimize(sum(cost))
        solver.parameters.max_time_in_seconds = max(0.1, seconds - clock.read["seconds"])
        status = solver.solve(model)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return {"status": "unknown", **clock.read}
        fresh = [row for row in later if all(solver.boolean_value(edges[e]) for e in row[:2])]
        if not fresh or clock.read["seconds"] >= seconds:
            break
        later.difference_update(fresh)
    value = (solver.objective_value + sum(weight for *_, weight in fresh)) / unit
    bound = solver.best_objective_bound / unit
    ended = "feasible" if fresh else solver.status_name(status).lower()
    return {"status": ended, "value": value, "bound": bound, **clock.read}


def cell_text(row: Row) -> str:
    """A row in words."""
    if row.get("value") is None:
        return f"nothing in {row['seconds']:.0f} s"
    bound = "proved" if row["status"] == "optimal" else f"bound {row['bound']:.10g}"
    return f"{row['value']:.10g}, {bound}, {row['seconds']:.1f} s ({row['processor']:.1f} s)"


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
        yield "crossings, 300 points", "crossings", kt.graph(points=scattered(300, 7), edges="nearest:8")
        yield (
            "crossings, 40 points at random",
            "crossings",
            kt.graph(points=scattered(40, 7, 1000), edges=chords(40, 80)),
        )


def solved(kinds: list[str], seconds: float, plain: float) -> list[Row]:
    """Rows of turns, angles and crossings."""
    rows: list[Row] = []
    print("| case | kt: value, seconds (of processors) | plain model |\n| --- | --- | --- |")
    for name, metric, graph in cases(kinds):
        row: Row = {"case": name, "vertices": graph.n, "edges": graph.m}
        if metric == "crossings":
            clock = Clock()
            row["pairs"] = {"number": len(kt.pair_weights(graph, metric).weight), **clock.read}
        clock = Clock()
        result = kt.solve(graph, minimize=metric, time_limit=seconds)
        row["kt"] = {
            "status": result.status,
            "value": result.value,
            "bound": result.bound,
            **clock.read,
            "engine": result.engine,
            "certificate": result.certificate.method if result.certificate else None,
        }
        row["plain"] = plain_model(graph, metric, plain) if plain else None
        rows.append(row)
        print(f"| {name} | {cell_text(row['kt'])} | {cell_text(row['plain']) if plain else '-'} |", flush=True)
        if "pairs" in row:
            print(f"| its pairs that cross | {row['pairs']['number']:,} in {row['pairs']['processor']:.2f} s | |")
    return rows


def lengths(counts: list[int], seconds: float, plain: float) -> list[Row]:
    """Rows of the shortest closed tours through random points, five sets of each size."""
    rows: list[Row] = []
    print("| points | kt | LKH | OR-Tools routing | plain model |\n| --- | --- | --- | --- | --- |")
    for count in counts:
        sets: list[Row] = []
        for seed in range(1, 6):
            graph = kt.graph(points=scattered(count, seed))
            clock = Clock()
            result = kt.solve(graph, minimize="length", time_limit=seconds)
            row: Row = {"seed": seed, "status": result.status, "value": result.value, **clock.read}
            clock = Clock()
            if result.certificate is not None:
                kt.check(result.certificate)
            row["check"] = clock.read["processor"]
            table = distances(graph)
            row["lkh"] = lin_kernighan_helsgaun(*table)
            row["routing"] = routing(*table, ROUTING_SECONDS) if plain and seed == 1 else None
            row["plain"] = plain_model(graph, "length", plain) if plain and seed == 1 else None
            sets.append(row)
        rows.append({"case": "length", "points": count, "sets": sets})
        others = " | ".join(ratio_text(sets, name) for name in ("lkh", "routing"))
        words = cell_text(sets[0]["plain"]) if sets[0]["plain"] else "-"
        print(f"| {count} | {length_text(sets)} | {others} | {words} |", flush=True)
    return rows


def distances(graph: MoveGraph) -> tuple[np.ndarray[Any, Any], int]:
    """The table of lengths as integers, and their unit."""
    weights = Problem(graph, objective="length").weights
    assert weights is not None
    table = np.zeros((graph.n, graph.n), dtype=np.int64)
    ends = graph.ends[weights.first]
    table[ends[:, 0], ends[:, 1]] = table[ends[:, 1], ends[:, 0]] = weights.weight
    return table, 10**weights.decimals


def lin_kernighan_helsgaun(table: np.ndarray[Any, Any], unit: int) -> Row | None:
    """LKH's tour; None without the package elkai."""
    try:
        import elkai
    except ModuleNotFoundError:
        return None
    clock = Clock()
    order = elkai.DistanceMatrix(table.tolist()).solve_tsp(runs=10)
    return {"value": int(table[order[:-1], order[1:]].sum()) / unit, **clock.read}


def routing(table: np.ndarray[Any, Any], unit: int, seconds: int) -> Row | None:
    """The tour of the routing library of OR-Tools, with guided local search for some seconds."""
    from ortools.constraint_solver import pywrapcp, routing_enums_pb2

    rows = table.tolist()
    manager = pywrapcp.RoutingIndexManager(len(rows), 1, 0)
    model = pywrapcp.RoutingModel(manager)
    arc = model.RegisterTransitCallback(lambda i, j: rows[manager.IndexToNode(i)][manager.IndexToNode(j)])
    model.SetArcCostEvaluatorOfAllVehicles(arc)
    parameters = pywrapcp.DefaultRoutingSearchParameters()
    parameters.local_search_metaheuristic = routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    parameters.time_limit.seconds = seconds
    clock = Clock()
    solution = model.SolveWithParameters(parameters)
    return None if solution is None else {"value": solution.ObjectiveValue() / unit, **clock.read}


def many(counts: list[int], seconds: float) -> list[Row]:
    """Tours of many points by `find`, all of whose pairs are edges, their lengths beside the constant, and pictures."""
    rows: list[Row] = []
    for count in counts:
        points = np.random.default_rng(1).random((count, 2))
        clock = Clock()
        graph = kt.graph(points=points)
        result: Any = kt.find(graph, minimize="length", time_limit=seconds)
        row: Row = {"case": "many", "points": count, **clock.read, "ratio": None}
        rows.append(row)
        if result.tour is None:
            print(f"{count:,} points: no tour in {row['seconds']} s")
            continue
        row["ratio"] = round(result.tour.measure("length") / count**0.5, 4)
        print(
            f"{count:,} points: length {row['ratio']} sqrt(nA), constant {CONSTANT}, "
            f"{row['seconds']} s ({row['processor']} s)",
            flush=True,
        )
        if count == max(counts):
            with tempfile.TemporaryDirectory() as folder:
                for suffix in ("svg", "png"):
                    clock = Clock()
                    kt.draw(result.tour, Path(folder) / f"many.{suffix}")
                    row[suffix] = clock.read
                    print(f"drawn as {suffix.upper()} in {row[suffix]['seconds']} s")
    return rows


MANY_SECONDS = 20.0
"""Seconds of `find` for a set of many points."""
MARKS = "<!-- tables: benchmarks/geometry.py -->", "<!-- end of tables -->"
"""What stands before and behind the tables of a page."""
PAGES = ("docs/theory/geometry.md", "docs/data/benchmarks.md")


def write_pages(path: Path) -> None:
    """Write the tables of the pages from a file of results."""
    results = json.loads(path.read_text(encoding="utf-8"))
    for page, text in zip(PAGES, (own_table(results["rows"]), others_table(results["rows"])), strict=True):
        place = Path(__file__).parents[1] / page
        before, rest = place.read_text(encoding="utf-8").split(MARKS[0])
        load = results["load"][0] if results["load"] else "unknown"
        words = (
            f"Measured on {results['date']} on {results['cores']} cores with a load of {load} at the end: seconds by "
            "the clock, and in brackets processor seconds."
        )
        behind = rest.split(MARKS[1])[1]
        place.write_text(f"{before}{MARKS[0]}\n{words}\n\n{text}\n{MARKS[1]}{behind}", encoding="utf-8")


def own_table(rows: list[Row]) -> str:
    """What kt reached."""
    lines = ["| work | kt |", "| --- | --- |"]
    for row in rows:
        if "kt" in row:
            lines.append(f"| {row['case']} | {cell_text(row['kt'])} |")
            if "pairs" in row:
                lines.append(f"| its {row['pairs']['number']:,} pairs that cross | {row['pairs']['seconds']:.2f} s |")
        elif row["case"] == "length":
            lines.append(f"| length, {row['points']} points, all pairs, five sets | {length_text(row['sets'])} |")
        elif row["ratio"] is not None:
            lines.append(
                f"| a tour of {row['points']:,} points | {row['ratio']} √(nA), {row['seconds']:.1f} s "
                f"({row['processor']:.1f} s) |"
            )
            lines += [
                f"| its picture, {suffix.upper()} | {row[suffix]['seconds']:.1f} s |"
                for suffix in ("svg", "png")
                if suffix in row
            ]
    return "\n".join(lines)


def others_table(rows: list[Row]) -> str:
    """What kt reached beside the plain model; of lengths also LKH and the routing library."""
    lines = ["| work | kt | plain model |", "| --- | --- | --- |"]
    for row in (row for row in rows if "kt" in row):
        plain = cell_text(row["plain"]) if row["plain"] else "–"
        lines.append(f"| {row['case']} | {cell_text(row['kt'])} | {plain} |")
    lines += [
        "",
        "| length, five sets | kt | LKH | OR-Tools routing | plain model |",
        "| --- | --- | --- | --- | --- |",
    ]
    for row in (row for row in rows if row["case"] == "length"):
        sets = row["sets"]
        others = [ratio_text(sets, name) for name in ("lkh", "routing")]
        plain = cell_text(sets[0]["plain"]) if sets[0]["plain"] else "–"
        lines.append(f"| {row['points']} points | {length_text(sets)} | {' | '.join(others)} | {plain} |")
    return "\n".join(lines)


def length_text(sets: list[Row]) -> str:
    """Proofs, and medians of their times."""
    proved = sum(row["status"] == "optimal" for row in sets)
    seconds, processor, check = (
        statistics.median(row[name] for row in sets) for name in ("seconds", "processor", "check")
    )
    return f"{proved} of {len(sets)} proved, {seconds:.1f} s ({processor:.1f} s), the check {check:.1f} s"


def ratio_text(sets: list[Row], name: str) -> str:
    """Lengths of another solver's tours as multiples of kt's: the least and the greatest."""
    ratios = [row[name]["value"] / row["value"] for row in sets if row[name] and row["value"]]
    ends = sorted({f"{ratio:.3f}" for ratio in (min(ratios), max(ratios))}) if ratios else ["–"]
    return " to ".join(ends)


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", default=["turns", "angle", "crossings", "length", "many"])
    parser.add_argument("--seconds", type=float, default=60.0, help="of kt for a case")
    parser.add_argument("--plain", type=float, default=15.0, help="seconds of the plain model; 0 for no others")
    parser.add_argument("--count", type=int, nargs="*", default=[1_000, 10_000, 100_000])
    parser.add_argument("--points", type=int, nargs="*", default=[50, 100, 200], help="sizes of the sets of `length`")
    parser.add_argument("-o", "--output", help="a JSON file of the results")
    parser.add_argument("--pages", metavar="FILE", help="write the tables of the pages from such a file, and end")
    arguments = parser.parse_args()
    if arguments.pages:
        write_pages(Path(arguments.pages))
        return
    kt.solve(points=scattered(8, 1), minimize="length")  # Imports, and compiled loops from the cache.
    kt.solve(kt.graph(points=scattered(12, 1), edges="nearest:6"), minimize="angle")
    rows = solved(arguments.kinds, arguments.seconds, arguments.plain)
    if "length" in arguments.kinds:
        rows += lengths(arguments.points, arguments.seconds, arguments.plain)
    if "many" in arguments.kinds:
        rows += many(arguments.count, min(arguments.seconds, MANY_SECONDS))
    if arguments.output:
        results = {**conditions(arguments.seconds), "plain": arguments.plain, "rows": rows}
        write_json(Path(arguments.output), results, force=True)


if __name__ == "__main__":
    main()
