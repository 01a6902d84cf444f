"""Whole commands, start-up included: `kt solve` beside the plainest program, on graphs that are easy for either.

    python -m benchmarks.overhead --seconds 20
    python -m benchmarks.overhead --files FOLDER --only fhcp

Both read the same file in TSPLIB's HCP format, one after the other, several times. Given are the least wall-clock
seconds of each, their ratio where the plain program takes at most `--easy` seconds, and the processor seconds of kt
with those of the processes that it starts. First come the seconds of Python alone, and of Python with the libraries
that kt needs, which is the floor; each row has the ratio of the floor to the loop too. Wall-clock seconds mean
something only on a machine without other work. The graphs are the small ones without a board, or the `.hcp`
files of a folder.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from math import inf
from pathlib import Path

from benchmarks.peers import plain_loop
from benchmarks.peers.graphs import instances
from kt_models.graph import MoveGraph

MAX_EDGES = 60_000
"""Most edges of a graph that is measured."""
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


def seconds(command: list[str], limit: float) -> tuple[float, float, str]:
    """Wall-clock and processor seconds of a command, infinite if it is cut off, and what it printed."""
    # The first of several runs leaves compiled modules, as a user's does
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    # kt sets this itself; the floor is the same work
    environment["OPENBLAS_NUM_THREADS"] = "1"
    used, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False, env=environment)
    except subprocess.TimeoutExpired:
        return inf, inf, ""
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime, done.stdout


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
    parser.add_argument("--repeat", type=int, default=5, help="runs of each command, of which the least counts")
    parser.add_argument("--workers", default="", help="of kt; all cores by default")
    options = parser.parse_args()
    plain = [sys.executable, plain_loop.__file__]
    ours = [sys.executable, "-m", "kt", "solve"]
    more = ["--workers", options.workers] if options.workers else []
    ratios = []
    starts = {code: min(seconds([sys.executable, "-c", code], 60)[0] for _ in range(9)) for code in ("pass", FLOOR)}
    print("; ".join(f"{code!r}: {least:.3f} s" for code, least in starts.items()), end="\n\n")
    print("| graph | plain loop | kt solve | ratio | floor | processor | |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    with tempfile.TemporaryDirectory() as temporary:
        if options.files:
            paths = sorted(path for path in Path(options.files).glob("*.hcp") if options.only in path.name)
        else:
            paths = drawn(Path(temporary), options.only)
        for path in paths:
            # Wall-clock and processor seconds, and the answer, of the loop and of kt
            loop = kt = (inf, inf, "")
            for _ in range(options.repeat):
                loop = min(loop, seconds([*plain, str(path), options.solver], options.seconds))
                kt = min(kt, seconds([*ours, str(path), *more], options.seconds))
                if loop[0] > options.easy:
                    break
            answers = {answer(loop[2]), answer(kt[2])} - {""}
            if len(answers) > 1:
                raise SystemExit(f"{path.name}: they disagree: {answers}")
            easy = loop[0] <= options.easy
            ratio = kt[0] / loop[0]
            ratios += [(ratio, path.stem)] if easy else []
            cells = ["limit" if each == inf else f"{each:.2f}" for each in (loop[0], kt[0])]
            cells += [f"{ratio:.1f}", f"{starts[FLOOR] / loop[0]:.1f}"] if easy else ["", ""]
            cells += ["" if kt[1] == inf else f"{kt[1]:.2f}", "".join(answers)]
            print(f"| {path.stem} | {' | '.join(cells)} |", flush=True)
    if ratios:
        within = sum(ratio <= 3 for ratio, _ in ratios)
        worst = ", ".join(f"{name} {ratio:.1f}" for ratio, name in sorted(ratios, reverse=True)[:5])
        print(f"\n{within} of {len(ratios)} within 3 times; most: {worst}")


if __name__ == "__main__":
    main()
