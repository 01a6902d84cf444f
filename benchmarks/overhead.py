"""Whole commands, start-up included: `kt solve` beside the plainest program, on graphs that are easy for either.

    python -m benchmarks.overhead --seconds 20
    python -m benchmarks.overhead --files FOLDER --only fhcp

Both read the same file in TSPLIB's HCP format, one after the other, several times.  Given are the least processor
seconds of each, with those of the processes that it starts, and their ratio where the plain program takes at most
`--easy` seconds.  First come the seconds of Python alone, and of Python with the libraries that kt needs.  The graphs
are those of `kt bench` without a board, or the `.hcp` files of a folder.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from encoders.bench import plain_loop
from encoders.bench.graphs import instances
from kt_models.graph import MoveGraph

MAX_EDGES = 60_000
"""Of a graph that is measured."""
FLOOR = "import numpy, click, pysat.solvers"
"""What every `kt solve` of a graph loads and others have written: no command of kt's takes less."""


def write(graph: MoveGraph, path: Path) -> None:
    """A graph as an HCP file."""
    rows = "".join(f"{u + 1} {v + 1}\n" for u, v in graph.ends.tolist())
    header = f"NAME : {path.stem}\nTYPE : HCP\nDIMENSION : {graph.n}\nEDGE_DATA_FORMAT : EDGE_LIST\n"
    path.write_text(f"{header}EDGE_DATA_SECTION\n{rows}-1\nEOF\n")


def drawn(folder: Path, only: str) -> list[Path]:
    """The files of the graphs that are generated."""
    paths = []
    for known in instances():
        graph = known.draw() if only in known.name else None
        if graph is not None and graph.board is None and graph.m <= MAX_EDGES:
            paths.append(folder / f"{known.name.replace('/', '-')}.hcp")
            write(graph, paths[-1])
    return paths


def seconds(command: list[str], limit: float) -> tuple[float, str]:
    """Processor seconds of a command, infinite if it is cut off, and what it printed."""
    # the first of several runs leaves compiled modules, as a user's does
    given = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False, env=given)
    except subprocess.TimeoutExpired:
        return float("inf"), ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def answer(text: str) -> str:
    """Whether a command found a cycle, or that there is none, or neither."""
    for line in text.splitlines():
        if line.startswith("a cycle of") or line.split() == ["status", "feasible"]:
            return "cycle"
        if line == "none" or line.split() == ["status", "infeasible"]:
            return "none"
    return ""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", help="a folder of .hcp files; by default graphs are generated")
    parser.add_argument("--only", default="", help="graphs whose names have this in them")
    parser.add_argument("--solver", default="glucose4", help="of the plain program")
    parser.add_argument("--seconds", type=float, default=20, help="of the wall clock, for a command")
    parser.add_argument("--easy", type=float, default=2, help="seconds of the plain program up to which ratios count")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--workers", default="", help="of kt; all cores by default")
    options = parser.parse_args()
    plain = [sys.executable, plain_loop.__file__]
    ours = [sys.executable, "-m", "kt", "solve"]
    more = ["--workers", options.workers] if options.workers else []
    ratios = []
    starts = {code: min(seconds([sys.executable, "-c", code], 60)[0] for _ in range(5)) for code in ("pass", FLOOR)}
    print("; ".join(f"{code!r}: {least:.3f} s" for code, least in starts.items()), end="\n\n")
    print("| graph | plain loop | kt solve | ratio | |\n| --- | ---: | ---: | ---: | --- |")
    with tempfile.TemporaryDirectory() as temporary:
        if options.files:
            paths = sorted(path for path in Path(options.files).glob("*.hcp") if options.only in path.name)
        else:
            paths = drawn(Path(temporary), options.only)
        for path in paths:
            least = [float("inf"), float("inf")]
            said = ["", ""]
            for _ in range(options.repeat):
                for side, command in enumerate(([*plain, str(path), options.solver], [*ours, str(path), *more])):
                    taken, text = seconds(command, options.seconds)
                    if taken < least[side]:
                        least[side], said[side] = taken, answer(text)
                if min(least) > options.easy:
                    break
            if len(set(filter(None, said))) > 1:
                raise SystemExit(f"{path.name}: they disagree: {said}")
            ratio = least[1] / least[0] if least[0] <= options.easy else None
            ratios += [] if ratio is None else [(ratio, path.stem)]
            shown = "" if ratio is None else f"{ratio:.1f}"
            cells = ["limit" if each == float("inf") else f"{each:.2f}" for each in least]
            print(f"| {path.stem} | {cells[0]} | {cells[1]} | {shown} | {said[0] or said[1]} |", flush=True)
    if ratios:
        within = sum(ratio <= 3 for ratio, _ in ratios)
        worst = ", ".join(f"{name} {ratio:.1f}" for ratio, name in sorted(ratios, reverse=True)[:5])
        print(f"\n{within} of {len(ratios)} within 3 times; most: {worst}")


if __name__ == "__main__":
    main()
