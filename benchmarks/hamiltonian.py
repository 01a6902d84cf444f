"""Hamiltonian cycles: this toolkit beside its own parts and other people's solvers, the same graphs, in one run.

    python -m benchmarks.hamiltonian --small --peers --repeat 1
    pip install -e ".[peers]" && python -m benchmarks.hamiltonian --seconds 10 -o benchmarks/results/hamiltonian.json

The first command compares `kt solve` with CP-SAT, HiGHS, and with clingo and LKH (elkai) if they are installed, on the
small graphs, in some minutes. The second one adds the large graphs and the parts of the SAT engine, and does quick
solves three times. Each solve has a process of its own, one thread, and `--seconds` of processor time. What is reported
is its processor time from the graph's edges to the answer: building a model or a formula counts, starting Python does
not. Every cycle is checked, by code of no contestant, and every "none" against what is known. Everyone has their
default seed. A run that is stopped prints, and has written, the graphs that are done.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.peers.contestants import PEERS, Contestant, contestants
from benchmarks.peers.graphs import SMALL, KnownGraph, instances, published
from benchmarks.peers.measure import time_all
from benchmarks.peers.table import rows_to_json, table
from kt_models.errors import install_command
from kt_models.limits import Limits


def main(words: Sequence[str] | None = None) -> None:
    """Measure, print tables, and write the figures to a file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=10, help="processor seconds for a solve")
    parser.add_argument("--only", action="append", help="graphs whose names have this in them (may be repeated)")
    parser.add_argument("--small", action="store_true", help="the small graphs alone, which take some minutes")
    parser.add_argument("--graphs", action="store_true", help="graphs without a board alone")
    parser.add_argument("--files", help="a folder of .hcp files, each with a Hamiltonian cycle, that are added")
    parser.add_argument("--repeat", type=int, default=3, help="how often a quick solve is done")
    parser.add_argument("--peers", action="store_true", help="kt solve and other solvers, without the parts of kt")
    parser.add_argument("--who", default="", help="contestants, separated by commas; everybody by default")
    parser.add_argument("-o", "--output", help="a file for all figures, written after each graph")
    options = parser.parse_args(words)
    if not 0 < options.seconds < 1e6:
        parser.error(f"--seconds: must be a number of seconds above 0, got {options.seconds:g}")
    solvers, graphs = _solvers(options), _graphs(options)
    if not graphs:
        parser.error("no graph's name contains the text of --only" if options.only else "there is no graph")
    rows = []
    try:
        for row in time_all(graphs, solvers, options.seconds, Limits(), repeat=options.repeat):
            rows.append(row)
            print(row.instance.name, {name: (t.status, t.seconds) for name, t in row.timings.items()}, file=sys.stderr)
            if options.output:
                with open(options.output, "w") as stream:
                    json.dump(rows_to_json(rows, options.seconds), stream, indent=1)
                    stream.write("\n")
    except KeyboardInterrupt:
        print(f"stopped after {len(rows)} of {len(graphs)} graphs", file=sys.stderr)
    names = [row.name for row in solvers]
    peers, others = [name for name in names if name in PEERS], [name for name in names if name not in PEERS]
    for columns in (peers, [*peers[:2], *others] if others else []):
        print("\n".join(table(rows, columns, options.seconds)) if columns else "", end="\n\n")


def _solvers(options: argparse.Namespace) -> list[Contestant]:
    """The contestants that are asked for and installed; a message names the others."""
    known = contestants()
    names = options.who.split(",") if options.who else PEERS if options.peers else list(known)
    absent = [name for name in names if not known[name].is_there]
    if absent:
        print(f"not installed: {', '.join(absent)} ({install_command('peers')})", file=sys.stderr)
    return [known[name] for name in names if name not in absent]


def _graphs(options: argparse.Namespace) -> list[KnownGraph]:
    """The graphs that are asked for."""
    graphs = [graph for graph in instances() if any(part in graph.name for part in options.only or [""])]
    graphs = [graph for graph in graphs if graph.name in SMALL or not options.small]
    if options.graphs:
        graphs = [graph for graph in graphs if graph.draw().board is None]
    if options.files:
        graphs += [published(str(path)) for path in sorted(Path(options.files).rglob("*.hcp"))]
    return graphs


if __name__ == "__main__":
    main()
