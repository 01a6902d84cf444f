"""The search algorithms of Davies, Xue and Yerger (2017) on Aztec diamonds, and what their "future work" buys.

    python benchmarks/path_conversion.py diamonds --radii 2-140 [--set cut=fewest ...] -o FILE
    python benchmarks/path_conversion.py random-walk --radii 2-22 --steps 200000 -o FILE
    python benchmarks/path_conversion.py choices --boards aztec:20,aztec:50,aztec:100 --walks 300 -o FILE

`diamonds` is the path-conversion algorithm on every radius until it succeeds or has tried every start; `random-walk`
the restarted search; `choices` takes the same starts for every rule of step 1 and says how many walks are open tours,
how many of those each cutting of step 2 cuts, in how many pieces, and how many each order of joining makes one.

Seconds are those of the processor, so that other work on the machine does not count.  The file is written after every
board, and a run that was cut short is taken up again by the same command.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable

import numpy as np

from heuristics.find import find
from heuristics.reduction import instance_of
from heuristics.searches.path_conversion import cut_path, join_cycles, links_of_pieces
from heuristics.searches.warnsdorff import Walker
from kt_models import Problem, Result, graph_of
from kt_models.limits import NO_LIMITS, Limits
from kt_models.storage import write_atomic

RULES = ("ordered", "random", "lookahead", "centre", "forks")
CUTS = ("greatest", "fewest", "even")
JOINS = ("number", "shortest", "kick")


def one(board: str, method: str, limit: float, settings: dict[str, str]) -> dict:
    """One board by one method."""
    began = time.process_time()
    outcome = find(Problem(graph_of(board)), method, limits=Limits(limit), **settings)
    seconds = round(time.process_time() - began, 3)
    return {"found": outcome.tour is not None, "seconds": seconds, **outcome.statistics}


def choices(board: str, walks: int) -> dict:
    """How every rule, cutting and joining does on one board, on the same starts."""
    instance = instance_of(Problem(graph_of(board)))
    assert not isinstance(instance, Result)
    table = {}
    for rule in RULES:
        rng = np.random.default_rng(0)
        walker = Walker(instance, rule, rng)
        starts = rng.integers(len(walker.openings), size=walks)
        row: dict = {"walks": walks, "open_tours": 0, "mean_length": 0.0, "cut": {}}
        for start in starts.tolist():
            full = walker.walk(start)
            row["mean_length"] += walker.length / instance.graph.n / walks
            row["open_tours"] += full
            for cut in CUTS if full else ():
                for pairs in (False, True):
                    pieces = cut_path(walker, cut, pairs)  # type: ignore[arg-type]
                    entry = row["cut"].setdefault(f"{cut}{', pairs' * pairs}", {"cut": 0, "pieces": 0, "least": 0})
                    if pieces is None:
                        continue
                    entry["cut"] += 1
                    entry["pieces"] += len(pieces)
                    entry["least"] += int(np.diff(np.append(pieces, instance.graph.n)).min())
                    for join in JOINS:
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
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["diamonds", "random-walk", "choices"])
    parser.add_argument("--radii", default="2-140")
    parser.add_argument("--boards", default="aztec:20,aztec:50,aztec:100")
    parser.add_argument("--walks", type=int, default=300)
    parser.add_argument("--steps", default="200000")
    parser.add_argument("--limit", type=float, default=3600.0)
    parser.add_argument("--set", action="append", default=[], dest="settings")
    parser.add_argument("-o", "--output", required=True)
    options = parser.parse_args()
    settings = dict(text.split("=", 1) for text in options.settings)
    boards = options.boards.split(",")
    work: Callable[[str], dict] = lambda board: choices(board, options.walks)  # noqa: E731
    if options.what != "choices":
        low, high = map(int, options.radii.split("-"))
        boards = [f"aztec:{radius}" for radius in range(low, high + 1)]
        method = "path-conversion" if options.what == "diamonds" else "random-walk"
        if method == "random-walk":
            settings.setdefault("steps", options.steps)
        one("aztec:5", method, 60.0, settings)  # compiles
        work = lambda board: one(board, method, options.limit, settings)  # noqa: E731
    done: dict[str, dict] = {}
    if os.path.exists(options.output):
        with open(options.output) as stream:
            done = json.load(stream)["boards"]
    for board in boards:
        if board not in done:
            done[board] = work(board)
            write_atomic(options.output, json.dumps({"settings": settings, "boards": done}, indent=0) + "\n")
            print(board, done[board], flush=True)
    if options.what != "choices":
        missed = [board for board, row in done.items() if not row["found"]]
        total = sum(row["seconds"] for row in done.values())
        print(f"{len(done)} boards in {total:.1f} s of processor, not found: {', '.join(missed) or 'none'}")


if __name__ == "__main__":
    main()
