"""Graphs without a Hamiltonian cycle, as removing k vertices leaves k + 1 parts; and how long `solve` takes to see it.

    python -m benchmarks.not_tough --graphs 100 --vertices 100-400 --seconds 5 -o NAME.json
    python -m benchmarks.not_tough --graphs 20 --vertices 5000 --seconds 20 -o NAME.json

The families are those of `benchmarks.peers.not_tough`.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from statistics import median
from typing import Any

from benchmarks.peers.not_tough import FAMILIES


def _processor_seconds() -> float:
    """Processor seconds of this process, and of those that it started and that have ended."""
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
    from benchmarks.peers.table import conditions
    from kt_models.writing import write_json

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
        write_json(
            options.output, {"vertices": options.vertices, **conditions(options.seconds), "rows": rows}, force=True
        )


if __name__ == "__main__":
    main()
