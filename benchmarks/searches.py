"""Searches for closed tours, over boards, settings and seeds: what they find, and what it costs.

    python benchmarks/searches.py sizes         # edge deletion, the uniform order on every even n up to 304
    python benchmarks/searches.py large         # the same on 400×400 and beyond
    python benchmarks/searches.py random        # edge deletion, random orders
    python benchmarks/searches.py rules         # every rule of it off in turn
    python benchmarks/searches.py pairs         # toughness of two vertices beside that of one
    python benchmarks/searches.py threads       # the processor time that two threads of it get, and two processes
    python benchmarks/searches.py switch        # how much it visits before the orders part
    python benchmarks/searches.py orders        # uniform orders, sieved over growing boards
    python benchmarks/searches.py backtracks    # how often one visit order of edge deletion meets a dead end
    python benchmarks/searches.py diamonds      # path conversion (Davies, Xue and Yerger 2017), radius by radius
    python benchmarks/searches.py random-walk   # their restarted search
    python benchmarks/searches.py starts        # the same from every cell of a diamond, without restarts
    python benchmarks/searches.py choices       # how each rule, cutting and joining of path conversion does
    python benchmarks/searches.py sat           # the SAT engine on every even n up to 304 and every radius up to 140

`choices` takes the same starts for every rule of step 1 and says how many walks are open tours, how many of those each
cutting of step 2 cuts, in how many pieces, and how many each order of joining makes one.

`backtracks` draws visit orders and gives each up after so many steps a cell, with all rules and with those of the paper
alone. `starts` gives every start so many visits. Both count and do not look at the clock.

Seconds are those of all processors, and statistics medians over the seeds. With `-o` a file is written after every
row, and a run that was cut short is taken up again by the same command.
"""

from __future__ import annotations

import argparse
import itertools
import json
import resource
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import networkx as nx
import numpy as np

from benchmarks.peers.measure import processor_seconds
from encoders import solve
from heuristics.find import find
from heuristics.papers.aztec.path_conversion import cut_path, join_cycles, links_of_pieces
from heuristics.papers.large_boards.edge_deletion.names import BACKTRACKS, RULES
from heuristics.papers.large_boards.edge_deletion.orders import random_order, uniform_order
from heuristics.papers.large_boards.edge_deletion.walk import FOUND, DeletionSearch
from heuristics.searches.warnsdorff import Walker
from heuristics.simple_graph import simple_graph_or_result
from kt_models import MoveGraph, Problem, Result, graph_of
from kt_models.limits import NO_LIMITS, Limits
from kt_models.writing import write_atomic

Settings = dict[str, Any]
SQUARES = [f"{n}x{n}" for n in range(6, 305, 2)]
DIAMONDS = [f"aztec:{radius}" for radius in range(2, 141)]
ISLANDS = "parity,bridgeless,balance"
WITHOUT = ("", *RULES[:-1], ISLANDS, f"{ISLANDS},two-factor", f"{ISLANDS},two-factor,toughness")
OURS = frozenset(("balance", "two-factor"))
"""Rules that are not in the paper."""
PARTS = (0.0, 0.25, 0.5, 0.7, 0.8, 0.9)
MOVES = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


@dataclass(frozen=True)
class Sweep:
    """A method on boards, in every one of some settings, as often as there are seeds."""

    method: str
    boards: Sequence[str]
    limit: float
    settings: Sequence[Settings] = ({},)
    seeds: int = 1


SWEEPS = {
    "sizes": Sweep("edge-deletion", SQUARES, 120.0, [{"order": "uniform"}]),
    "large": Sweep("edge-deletion", [f"{n}x{n}" for n in (304, 400, 600, 1000, 1500)], 3600.0, [{"order": "uniform"}]),
    "random": Sweep(
        "edge-deletion", [f"{n}x{n}" for n in (8, 12, 16, 24, 32, 40, 48, 56, 64, 80)], 20.0, [{"order": "random"}], 7
    ),
    "rules": Sweep(
        "edge-deletion",
        ("20x20", "32x32", "60x60"),
        4.0,
        [{"order": order, "without": without} for order in ("random", "uniform") for without in WITHOUT],
        5,
    ),
    "pairs": Sweep(
        "edge-deletion", ("12x12", "20x20", "32x32"), 12.0, [{"order": "random", "toughness": t} for t in (1, 2)], 5
    ),
    "switch": Sweep(
        "edge-deletion",
        ["48x48"],
        20.0,
        [{"order": "random", "workers": w, "sequential": part} for w in (1, 2) for part in PARTS],
        9,
    ),
    "diamonds": Sweep("path-conversion", DIAMONDS, 3600.0),
    "random-walk": Sweep("random-walk", DIAMONDS[:21], 3600.0, [{"steps": "200000"}]),
    "sat": Sweep("sat", DIAMONDS + SQUARES, 120.0),
}


def run_once(method: str, board: str, seed: int, limit: float, settings: Settings) -> dict[str, Any]:
    """One search: whether it found a tour, the seconds of processors, and its statistics."""
    problem, options = Problem(graph_of(board)), dict(settings)
    limits = Limits(limit, workers=options.pop("workers", 1), seed=seed)
    began = processor_seconds()
    if method == "sat":
        result = solve(problem, engine="sat", hint=False, limits=limits)
    else:
        result = find(problem, method, limits=limits, **options)
    seconds = round(processor_seconds() - began, 3)
    return {"found": result.tour is not None, "seconds": seconds, **result.statistics}


def run(sweep: Sweep, boards: Sequence[str], limit: float, more: Settings, path: Path | None) -> None:
    """A row for each board and setting, printed and kept."""
    done = json.loads(path.read_text())["rows"] if path is not None and path.exists() else {}
    run_once(sweep.method, "aztec:5" if sweep.boards[0].startswith("aztec") else "8x8", 0, 60.0, {})  # Compile
    for settings, board in itertools.product(sweep.settings, boards):
        combined = {**settings, **more}
        name = " ".join([board, *(f"{key}={value}" for key, value in combined.items())])
        if name in done:
            continue
        tries = [run_once(sweep.method, board, seed, limit, combined) for seed in range(sweep.seeds)]
        row: dict[str, Any] = {"found": sum(each["found"] for each in tries), "of": len(tries)}
        keys = dict.fromkeys(key for each in tries for key in each if key != "found")  # Not all have all statistics
        row |= {key: median(each[key] for each in tries if key in each) for key in keys}
        row["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        done[name] = row
        print(f"| {name} | {' | '.join(f'{key} {value}' for key, value in row.items())} |", flush=True)
        if path is not None:
            write_atomic(path, json.dumps({"limit": limit, "rows": done}, indent=0) + "\n")
    missed = [name for name, row in done.items() if not row["found"]]
    print(f"{len(done)} rows, {sum(row['seconds'] for row in done.values()):.1f} s; none found: {missed}")


def threads(board: str, limit: float) -> None:
    """Processor seconds that two threads of one search get in the same time as two searches in processes."""
    both = run_once("edge-deletion", board, 0, limit, {"order": "random", "workers": 2})["seconds"]
    with ProcessPoolExecutor(2) as pool:
        calls = [
            pool.submit(run_once, "edge-deletion", board, seed, limit, {"order": "random", "workers": 1})
            for seed in (1, 2)
        ]
        each = [call.result()["seconds"] for call in calls]
    print(f"{board}: {both} s in two threads, {sum(each):.2f} s in two processes", flush=True)


def three_parts() -> None:
    """A graph that two vertices cut in three, which toughness of two vertices sees at once."""
    edges = [(x, v) for x in (0, 1) for v in range(2, 32)]
    for part in range(3):
        inside = nx.random_regular_graph(4, 10, seed=part).edges
        edges += [(2 + 10 * part + u, 2 + 10 * part + v) for u, v in inside]
    problem = Problem(MoveGraph.from_edges(32, edges))
    for toughness in (1, 2):
        result = find(problem, "edge-deletion", limits=Limits(workers=1), patience=0.0, toughness=toughness)
        print(f"three parts, toughness={toughness}: {result.status}, {result.statistics['nodes']} moves", flush=True)


def sieve_orders(limit: float) -> None:
    """Keep the orders with the fewest backtracks; one of each pair that the reflection in the diagonal exchanges."""
    total = {order: 0 for order in itertools.permutations(MOVES) if order.index((1, 2)) < order.index((2, 1))}
    sieve = ((12, 3000), (16, 2000), (20, 1200), (30, 600), (44, 200), (72, 60), (120, 20), (200, 10), (304, 10))
    for n, most in sieve:
        solved = []
        for order, before in total.items():
            text = " ".join(f"{x},{y}" for x, y in order)
            row = run_once("edge-deletion", f"{n}x{n}", 0, limit, {"order": text})
            if row["found"]:
                solved.append((before + int(row["backtracks"]), order))
        zero = sum(backtracks == 0 for backtracks, _ in solved)
        print(f"{n}x{n}: {len(total)} orders, {len(solved)} solve it, {zero} without a backtrack so far", flush=True)
        total = {order: backtracks for backtracks, order in sorted(solved)[:most]}
    for order, backtracks in total.items():
        print(backtracks, order)


def backtrack_shares(board: str, orders: int = 1000, patience: int = 100) -> dict[tuple[str, str], list[float]]:
    """Shares of random visit orders, and of rules, that reach a closed tour with at most 0, 10, 100, ... backtracks.

    Parameters
    ----------
    orders
        How many of each kind are drawn.
    patience
        Steps for each cell after which an order is given up.
    """
    instance = simple_graph_or_result(Problem(graph_of(board)))
    assert not isinstance(instance, Result)
    graph, n, every = instance.problem.graph, instance.graph.n, frozenset(RULES) - {"pairs"}
    table = {}
    for kind, (name, rules) in itertools.product(
        ("for each cell", "for all cells"), (("of the paper", every - OURS), ("all", every))
    ):
        backtracks = []
        for seed in range(orders):
            rng = np.random.default_rng(seed)
            visit = random_order(instance.graph, rng)
            if kind == "for all cells":
                visit = uniform_order(instance.graph, graph, rng.permutation(len(MOVES)))
            walk = DeletionSearch(instance.graph, visit, 0, instance.colour, rules, 300)
            if walk.run(patience * n) == FOUND:
                backtracks.append(int(walk.counts[BACKTRACKS]))
        few = [sum(count <= most for count in backtracks) / orders for most in (0, 10, 100)]
        table[kind, name] = [*few, len(backtracks) / orders]
    return table


def starts(board: str, most: int = 20_000_000) -> None:
    """How many visits the complete random walk needs from every start, one of each class under the symmetries."""
    graph = graph_of(board)
    assert graph.board is not None
    images = np.stack([symmetry.permutation(graph.board) for symmetry in graph.symmetries()])
    for first in np.unique(images.min(axis=0)).tolist():
        result = find(Problem(graph), "random-walk", origin=graph.name_of(first), steps=most)
        visits = f"{result.statistics['steps']:,}" if result.tour is not None else f"more than {most:,}"
        print(f"| {board} | {graph.name_of(first)} | {visits} |", flush=True)


def choices(board: str, walks: int = 300) -> dict[str, Any]:
    """How every rule, cutting and joining does on one board, on the same starts."""
    instance = simple_graph_or_result(Problem(graph_of(board)))
    assert not isinstance(instance, Result)
    table = {}
    for rule in ("ordered", "random", "lookahead", "centre", "forks"):
        rng = np.random.default_rng(0)
        walker = Walker(instance, rule, rng)
        starts = rng.integers(len(walker.openings), size=walks)
        row: dict[str, Any] = {"walks": walks, "open_tours": 0, "mean_length": 0.0, "cut": {}}
        for start in starts.tolist():
            full = walker.walk(start)
            row["mean_length"] += walker.length / instance.graph.n / walks
            row["open_tours"] += full
            for cut, pairs in itertools.product(("greatest", "fewest", "even"), (False, True)) if full else ():
                pieces = cut_path(walker, cut, pairs)  # type: ignore[arg-type]
                entry = row["cut"].setdefault(f"{cut}{', pairs' * pairs}", {"cut": 0, "pieces": 0, "least": 0})
                if pieces is None:
                    continue
                entry["cut"] += 1
                entry["pieces"] += len(pieces)
                entry["least"] += int(np.diff(np.append(pieces, instance.graph.n)).min())
                for join in ("number", "shortest", "kick"):
                    links = links_of_pieces(walker.path, pieces)
                    left = join_cycles(instance.graph, links, join, rng, NO_LIMITS)
                    entry[join] = entry.get(join, 0) + (left == 1)
        for entry in row["cut"].values():
            for key in ("pieces", "least"):
                entry[key] = round(entry[key] / max(1, entry["cut"]), 1)
        row["mean_length"] = round(row["mean_length"], 3)
        table[rule] = row
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=[*SWEEPS, "orders", "choices", "threads", "backtracks", "starts"])
    parser.add_argument("--limit", type=float, help="seconds for each search")
    parser.add_argument("--boards", type=lambda text: text.split(","), help="these, separated by commas")
    parser.add_argument("--set", action="append", default=[], dest="settings", metavar="NAME=VALUE")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    if options.what == "orders":
        sieve_orders(options.limit or 1.0)
    elif options.what == "threads":
        for board in options.boards or ("100x100", "200x200"):
            threads(board, options.limit or 10.0)
    elif options.what == "backtracks":
        for board in options.boards or ("6x6", "8x8", "10x10", "12x12", "14x14", "16x16"):
            for (kind, rules), shares in backtrack_shares(board).items():
                cells = " | ".join(f"{100 * share:.1f}%" for share in shares)
                print(f"| {board.replace('x', '×')} | {kind} | {rules} | {cells} |", flush=True)
    elif options.what == "starts":
        for board in options.boards or ("aztec:4", "aztec:5"):
            starts(board)
    elif options.what == "choices":
        for board in options.boards or ("aztec:20", "aztec:50", "aztec:100"):
            print(board, json.dumps(choices(board)), flush=True)
    else:
        sweep, more = SWEEPS[options.what], dict(text.split("=", 1) for text in options.settings)
        run(sweep, options.boards or sweep.boards, options.limit or sweep.limit, more, options.output)
        if options.what == "pairs":
            three_parts()


if __name__ == "__main__":
    main()
