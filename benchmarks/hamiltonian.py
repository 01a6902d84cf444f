"""Hamiltonian cycles: this toolkit beside its own parts and other people's solvers, the same graphs, in one run.

    pip install -e ".[peers]" && python benchmarks/hamiltonian.py --seconds 10 -o benchmarks/results/hamiltonian.json

What `kt bench` does (`encoders.bench`), with the large graphs, the parts of the SAT engine, and quick solves done three
times.  Each solve has a process of its own, one thread, and `--seconds` of processor time.  What is reported is its
processor time from the graph's edges to the answer: building a model or a formula counts, starting Python does not.
Every cycle is checked, by code of no contestant, and every "none" against what is known.  Everyone has their default
seed.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from encoders.bench.contestants import PEERS, contestants
from encoders.bench.graphs import SMALL, instances, published
from encoders.bench.measure import time_all
from encoders.bench.table import rows_to_json, table
from kt_models.limits import Limits


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=10, help="processor seconds for a solve")
    parser.add_argument("--only", action="append", help="graphs whose names have this in them (may be repeated)")
    parser.add_argument("--small", action="store_true", help="the graphs of kt bench alone")
    parser.add_argument("--graphs", action="store_true", help="graphs without a board alone")
    parser.add_argument("--files", help="a folder of .hcp files, each with a Hamiltonian cycle, that are added")
    parser.add_argument("--repeat", type=int, default=3, help="how often a quick solve is done")
    parser.add_argument("--who", default="", help="contestants, separated by commas; everybody by default")
    parser.add_argument("-o", "--output", default="benchmarks/results/hamiltonian.json")
    options = parser.parse_args()
    known = contestants()
    solvers = [known[name] for name in options.who.split(",")] if options.who else list(known.values())
    solvers = [row for row in solvers if row.is_there]
    graphs = [graph for graph in instances() if any(part in graph.name for part in options.only or [""])]
    graphs = [graph for graph in graphs if graph.name in SMALL or not options.small]
    if options.graphs:
        graphs = [graph for graph in graphs if graph.draw().board is None]
    if options.files:
        graphs += [published(str(path)) for path in sorted(Path(options.files).rglob("*.hcp"))]
    rows = []
    for row in time_all(graphs, solvers, options.seconds, Limits(), repeat=options.repeat):
        rows.append(row)
        print(row.instance.name, {name: (t.status, t.seconds) for name, t in row.timings.items()}, file=sys.stderr)
        with open(options.output, "w") as stream:
            json.dump(rows_to_json(rows, options.seconds), stream, indent=1)
            stream.write("\n")
    names = [row.name for row in solvers]
    peers, others = [name for name in names if name in PEERS], [name for name in names if name not in PEERS]
    for columns in (peers, [*peers[:2], *others] if others else []):
        print("\n".join(table(rows, columns, options.seconds, markdown=True)) if columns else "", end="\n\n")


if __name__ == "__main__":
    main()
