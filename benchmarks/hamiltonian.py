"""Hamiltonian cycles: this engine beside its own parts and other people's solvers, the same graphs, in one run.

    pip install -e ".[peers]" && python benchmarks/hamiltonian.py --limit 10 -o benchmarks/results/hamiltonian.json

Each solve has a process of its own, forked when everything is imported and compiled, one thread, and `--limit` seconds
of processor time, at the end of which the system kills it.  What is reported is that process's processor time from the
graph's edges to the answer: building a model or a formula counts, starting Python does not.  Solves that take less than
`QUICK` are done three times, and the median is kept.  Every cycle is checked here, by code of no contestant.

The engines are called directly: no obstruction is looked for, no heuristic is asked first, nothing is hinted.  Everyone
has their default seed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import resource
import statistics
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from multiprocessing.connection import Connection
from typing import Any

import networkx as nx
import numpy as np

from encoders.cpsat import engine as cpsat
from encoders.sat.encodings import encodings
from encoders.sat.options import CUT_SET, SatOptions
from encoders.sat.search import search
from encoders.work.run import Run
from heuristics.searches.merge import merge
from kt_models import Problem, graph_of
from kt_models.errors import TooLarge
from kt_models.graph import MoveGraph
from kt_models.leaper import Leaper
from kt_models.limits import Limits, Report

QUICK = 1.0
"""Seconds below which a solve is done three times."""
PATIENCE = 6
"""A process that has had so many times its processor time in seconds of the wall clock is killed as well."""
DENSE = 1_000
"""Most vertices for which LKH gets its matrix."""
SMALL = 3_000
"""Most edges for which a complete encoding is tried."""
PACKAGES = ("kt", "python-sat", "ortools", "clingo", "elkai", "networkx", "numba")

Pairs = list[tuple[int, int]]
Contestant = Callable[[MoveGraph], Pairs | None]
"""Given a graph, the edges of a Hamiltonian cycle, or None if it proved that there is none."""


class GaveUp(Exception):
    """No cycle was found, and nothing was proved."""


@dataclass(frozen=True)
class BenchGraph:
    """A graph, and whether it has a Hamiltonian cycle; instances of a family come in order of size."""

    name: str
    family: str
    graph: MoveGraph
    hamiltonian: bool = True


# -- graphs ----------------------------------------------------------------------------------------------------------


def instances() -> list[BenchGraph]:
    """All graphs, small ones of a family first."""
    found = [BenchGraph(f"{n}×{n}", "n×n", graph_of(f"{n}x{n}")) for n in (8, 12, 20, 30, 50, 100)]
    found += [BenchGraph(f"Aztec {r}", "Aztec", graph_of(f"aztec:{r}")) for r in (5, 10, 20, 40)]
    found += [BenchGraph(f"{n}×{n}×{n}", "box", graph_of(f"{n}x{n}x{n}")) for n in (4, 6, 8)]
    found += [BenchGraph(f"giraffe {n}×{n}", "giraffe", graph_of(f"{n}x{n}", Leaper(1, 4))) for n in (20, 30)]
    for degree in (3, 4):
        for n in (100, 1000):
            graph = nx.random_regular_graph(degree, n, seed=1)
            found.append(BenchGraph(f"random {degree}-regular, {n}", f"{degree}-regular", plain(graph)))
    found += [BenchGraph(f"GP({n},2)", "Petersen", plain(petersen(n, 2))) for n in (50, 500)]
    found += [BenchGraph(f"Sheehan {n}", "Sheehan", plain(sheehan(n))) for n in (30, 100)]
    found += [BenchGraph(f"GP({n},2), none", "Petersen, none", plain(petersen(n, 2)), False) for n in (17, 53, 101)]
    found.append(BenchGraph("Tutte's graph, none", "Tutte", plain(nx.tutte_graph()), False))
    found.append(BenchGraph("3×8, none", "3×8", graph_of("3x8"), False))
    found.append(BenchGraph("4×20, none", "4×20", graph_of("4x20"), False))
    return found


def petersen(n: int, k: int) -> nx.Graph:
    """The generalized Petersen graph.  GP(n,2) has no Hamiltonian cycle if and only if n = 5 mod 6 (Alspach 1983)."""
    graph = nx.cycle_graph(n)
    graph.add_edges_from((i, n + i) for i in range(n))
    graph.add_edges_from((n + i, n + (i + k) % n) for i in range(n))
    return graph


def sheehan(n: int) -> nx.Graph:
    """A graph with exactly one Hamiltonian cycle and, as Sheehan (1977) showed, as many edges as then possible.

    On the cycle 1, 2, ..., n every even vertex is joined to all vertices behind it: floor(n² / 4) + 1 edges.  Vertex 1
    has only 2 and n for neighbours; then 2 is left to 1 and 3 only, so 3 to 2 and 4, and so on: the cycle is forced.
    """
    graph = nx.cycle_graph(range(1, n + 1))
    graph.add_edges_from((i, j) for i in range(2, n + 1, 2) for j in range(i + 2, n + 1))
    assert graph.number_of_edges() == n * n // 4 + 1
    return graph


def plain(graph: nx.Graph) -> MoveGraph:
    """The same graph with its vertices in an order that tells nothing."""
    nodes = sorted(graph.nodes)
    number = dict(zip(nodes, np.random.default_rng(1).permutation(len(nodes)).tolist(), strict=True))
    return MoveGraph.from_edges(len(nodes), [(number[u], number[v]) for u, v in graph.edges])


# -- contestants -----------------------------------------------------------------------------------------------------


def by_sat(encoding: str) -> Contestant:
    """This toolkit's SAT engine: `cut-set` is what `kt solve --engine sat` begins with."""

    def contest(graph: MoveGraph) -> Pairs | None:
        return chosen(graph, search(Problem(graph), Run(Limits(workers=1)), SatOptions(encoding)))

    return contest


def by_cpsat(encoding: str) -> Contestant:
    """This toolkit's CP-SAT engine, one worker."""

    def contest(graph: MoveGraph) -> Pairs | None:
        return chosen(graph, cpsat.solve(Problem(graph), Run(Limits(workers=1)), encoding))

    return contest


def by_heuristics(graph: MoveGraph) -> Pairs | None:
    """This toolkit's heuristics, no solver."""
    tour = merge(Problem(graph)).tour
    if tour is None:
        raise GaveUp
    return round_trip(tour.order.tolist())


CLINGO = """
{ cycle(X,Y) : arc(X,Y) } = 1 :- vertex(X).
{ cycle(X,Y) : arc(X,Y) } = 1 :- vertex(Y).
reached(Y) :- cycle(0,Y).
reached(Y) :- cycle(X,Y), reached(X).
:- vertex(Y), not reached(Y).
#show cycle/2.
"""
"""The program of the textbooks: an arc out of each vertex and one into it, and all are reached from one of them."""


def by_clingo(graph: MoveGraph) -> Pairs | None:
    import clingo

    control = clingo.Control()
    facts = [f"vertex(0..{graph.n - 1})."] + [f"arc({u},{v}). arc({v},{u})." for u, v in graph.ends.tolist()]
    control.add("base", [], CLINGO + "\n".join(facts))
    control.ground([("base", [])])
    pairs: Pairs = []

    def on_model(model: clingo.Model) -> None:
        pairs.extend((a.arguments[0].number, a.arguments[1].number) for a in model.symbols(shown=True))

    return pairs if control.solve(on_model=on_model).satisfiable else None


def by_lkh(graph: MoveGraph) -> Pairs | None:
    """LKH as elkai has it, ten runs as by default: edges cost 0, all other pairs 1."""
    import elkai  # type: ignore[import-untyped]

    cost = np.ones((graph.n, graph.n), dtype=np.int64)
    cost[graph.tails, graph.heads] = cost[graph.heads, graph.tails] = 0
    np.fill_diagonal(cost, 0)
    pairs = round_trip(elkai.DistanceMatrix(cost.tolist()).solve_tsp(runs=10)[:-1])
    if any(cost[u, v] for u, v in pairs):
        raise GaveUp
    return pairs


def chosen(graph: MoveGraph, answer: Report) -> Pairs | None:
    if answer.status == "infeasible":
        return None
    if answer.edges is None:
        raise GaveUp
    return [(u, v) for u, v in graph.ends[answer.edges].tolist()]


def round_trip(order: list[int]) -> Pairs:
    return list(zip(order, order[1:] + order[:1], strict=True))


BASE = "SAT engine"
CONTESTANTS: dict[str, Contestant] = {
    BASE: by_sat(CUT_SET),
    "heuristics": by_heuristics,
    "CP-SAT circuit": by_cpsat("circuit"),
    "CP-SAT cut-set": by_cpsat("cut-set"),
    "clingo": by_clingo,
    "LKH (elkai)": by_lkh,
    **{name: by_sat(name) for name in encodings()},
}
CANNOT_PROVE = ("heuristics", "LKH (elkai)")


# -- measuring -------------------------------------------------------------------------------------------------------


def check(graph: MoveGraph, pairs: Pairs) -> None:
    """See that edges are a Hamiltonian cycle of a graph."""
    edges = {frozenset(pair) for pair in graph.ends.tolist()}
    cycle = {frozenset(pair) for pair in pairs}
    assert len(cycle) == len(pairs) == graph.n, "not as many edges as vertices"
    assert cycle <= edges, "an edge that is none of the graph's"
    found = nx.Graph([tuple(pair) for pair in cycle])
    assert len(found) == graph.n and all(d == 2 for _, d in found.degree) and nx.is_connected(found), "not one cycle"


def work(sender: Connection, contestant: str, graph: MoveGraph, limit: int) -> None:
    """What the process of one solve does."""
    spent = int(processor_seconds()) + limit
    resource.setrlimit(resource.RLIMIT_CPU, (spent, spent + 5))
    started = processor_seconds()
    try:
        pairs = CONTESTANTS[contestant](graph)
        sender.send(("none" if pairs is None else "found", processor_seconds() - started, pairs))
    except GaveUp:
        sender.send(("gave up", processor_seconds() - started, None))
    except TooLarge:
        sender.send(("too large", processor_seconds() - started, None))
    os._exit(0)  # nothing of what the parent has is to be taken down


def processor_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def solve(contestant: str, instance: BenchGraph, limit: int) -> dict[str, Any]:
    """One solve in a process of its own: how it ended, and its seconds if it did."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(sender, contestant, instance.graph, limit))
    process.start()
    sender.close()
    message = None
    with suppress(EOFError):  # it was killed
        if receiver.poll(PATIENCE * limit):
            message = receiver.recv()
    process.kill()
    process.join()
    receiver.close()
    if message is None:
        return {"status": "limit"}
    status, seconds, pairs = message
    if status == "found":
        check(instance.graph, pairs)
    if status in ("found", "none"):
        assert (status == "found") == instance.hamiltonian, f"{contestant} on {instance.name} says {status}"
    return {"status": status, "seconds": round(max(seconds, 0.001), 4)}


def measure(contestant: str, instance: BenchGraph, limit: int) -> dict[str, Any]:
    """The median of three solves, or the first if that one is not quick."""
    runs = [solve(contestant, instance, limit)]
    if runs[0].get("seconds", limit) < QUICK:
        runs += [solve(contestant, instance, limit) for _ in range(2)]
    middle = statistics.median_low([run.get("seconds", float("inf")) for run in runs])
    median = next(run for run in runs if run.get("seconds", float("inf")) == middle)
    return median | {"runs": runs}


def warm_up() -> None:
    """Compile the heuristics' loops, import what is imported late."""
    for text in ("8x8", "aztec:10", "4x4x4"):
        by_heuristics(graph_of(text))
    for text in ("20x20", "aztec:20"):
        by_sat(CUT_SET)(graph_of(text))
    by_heuristics(plain(petersen(50, 2)))
    for module in ("clingo", "elkai"):
        __import__(module)


def versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):  # kt itself, if it is run from its folder
            found[package] = version(package)
    return found


# -- tables ----------------------------------------------------------------------------------------------------------

PEERS = (BASE, "heuristics", "CP-SAT circuit", "CP-SAT cut-set", "clingo", "LKH (elkai)")


def table(rows: dict[str, dict[str, dict[str, Any]]], sizes: dict[str, Any], names: tuple[str, ...], limit: int) -> str:
    """A Markdown table: processor seconds, and in brackets the ratio to the SAT engine."""
    lines = ["| graph | vertices | edges | " + " | ".join(names) + " |", "| --- |" + " ---: |" * (len(names) + 2)]
    for instance, cells in rows.items():
        base = cells[BASE].get("seconds")
        texts = [cell_text(cells.get(name), base, name == BASE, limit) for name in names]
        size = sizes[instance]
        lines.append(f"| {instance} | {size['vertices']:,} | {size['edges']:,} | " + " | ".join(texts) + " |")
    return "\n".join(lines)


def cell_text(cell: dict[str, Any] | None, base: float | None, is_base: bool, limit: int) -> str:
    if cell is None:
        return "–"
    status, seconds = cell["status"], cell.get("seconds")
    if status == "too large":
        return str(status)
    if seconds is None:
        return f"limit (>{figures(limit / base)})" if base else "limit"
    text = figures(seconds) + (" gave up" if status == "gave up" else "")
    return text if is_base or not base or status == "gave up" else f"{text} ({figures(seconds / base)})"


def figures(number: float) -> str:
    """Two figures, no exponent."""
    return f"{number:,.0f}" if number >= 10 else f"{number:.1f}" if number >= 1 else f"{number:.2g}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=int, default=10, help="seconds of processor time for a solve")
    parser.add_argument("--only", default="", help="instances whose names have this in them")
    parser.add_argument("-o", "--output", default="benchmarks/results/hamiltonian.json")
    options = parser.parse_args()
    warm_up()
    started, load = time.monotonic(), [os.getloadavg()]
    rows: dict[str, dict[str, dict[str, Any]]] = {}
    sizes: dict[str, Any] = {}
    beaten: set[tuple[str, str]] = set()  # contestants that a family's smaller graph was too much for
    for instance in instances():
        if options.only not in instance.name:
            continue
        sizes[instance.name] = {"vertices": instance.graph.n, "edges": instance.graph.m}
        cells = rows.setdefault(instance.name, {})
        for name in CONTESTANTS:
            if (
                (name, instance.family) in beaten
                or (name in CANNOT_PROVE and not instance.hamiltonian)
                or (name == "LKH (elkai)" and instance.graph.n > DENSE)
                or (name in encodings() and instance.graph.m > SMALL)
            ):
                continue
            cells[name] = cell = measure(name, instance, options.limit)
            if cell["status"] not in ("found", "none") and name != BASE:
                beaten.add((name, instance.family))
            clock = time.monotonic() - started
            print(f"{clock:6.0f} {instance.name:22} {name:18} {cell['status']:9} {cell.get('seconds', '')}", flush=True)
    load.append(os.getloadavg())
    with open(options.output, "w") as stream:
        about = {"limit": options.limit, "wall_seconds": round(time.monotonic() - started), "cores": os.cpu_count()}
        json.dump(about | {"load": load, "versions": versions(), "sizes": sizes, "rows": rows}, stream, indent=1)
        stream.write("\n")
    print(table(rows, sizes, PEERS, options.limit))
    print()
    print(table(rows, sizes, (BASE, *encodings()), options.limit))


if __name__ == "__main__":
    main()
