"""Time over board size for every method of `kt find`, on squares and on Aztec diamonds.

    python benchmarks/methods.py [--limit 4] [-o benchmarks/results/methods.json] [--plot docs/images/methods.svg]
    python benchmarks/methods.py --plot-only

Each point is the median over the seeds, of the seconds of the processor that `heuristics.find.find` takes (the check of
the tour is part of it; the moves of the board are made before, and timed by themselves as `moves`). What other work
there is on the machine counts only as far as it takes the cache and the memory away. Kernels are compiled before.
The series of a method ends with the first size at which two seeds find nothing within the limit (`merge` has a minute);
from a second on one seed is measured. A method that makes no closed tours to speak of (Warnsdorff's rule) is also run
for open ones. As a measure for the machine, `copy` is the time of one copy of the neighbours of all vertices.

The slope is that of the least-squares line of log time over log cells, from 1000 cells and 1 ms on.
The file is written after every point, and a run that was cut short is taken up again by the same command.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import time
from dataclasses import dataclass

import numpy as np

from heuristics.find import METHODS, find
from kt_models import Problem, graph_of
from kt_models.errors import KTError
from kt_models.graph import MoveGraph
from kt_models.limits import Limits
from kt_models.writing import write_atomic

FAMILIES = {
    "square": [f"{n}x{n}" for n in (8, 16, 32, 64, 128, 256, 512, 1000, 3162)],
    "diamond": [f"aztec:{radius}" for radius in (5, 11, 22, 45, 90, 180, 360, 707, 2236)],
}
SEEDS = (0, 1, 2)
ONCE_FROM = 1.0
"""Seconds from which a point is measured with one seed only."""
FIT_CELLS, FIT_SECONDS = 1000, 1e-3


@dataclass
class ProcessorLimit:
    """A `stop` that is set once the process has used so many seconds of the processor."""

    seconds: float

    def __post_init__(self) -> None:
        self._began = time.process_time()

    def is_set(self) -> bool:
        return time.process_time() - self._began >= self.seconds


def series_names() -> list[str]:
    """The methods for closed tours, and `warnsdorff (open)`."""
    return [*METHODS, "warnsdorff (open)"]


def run_time(graph: MoveGraph, series: str, seed: int, limit: float) -> float | None:
    """Seconds of the processor, None if no tour was found."""
    method, _, kind = series.partition(" ")
    problem = Problem(graph, "path" if kind else "cycle")
    stop = ProcessorLimit(limit)
    began = time.process_time()
    outcome = find(problem, method, limits=Limits(stop=stop, seed=seed))
    seconds = time.process_time() - began
    return seconds if outcome.tour is not None else None


def point(graph: MoveGraph, series: str, limit: float) -> dict:
    """The median seconds of one method on one board, and how many seeds found a tour."""
    seconds: list[float] = []
    tried = 0
    for seed in SEEDS:
        if (tried == 2 and not seconds) or (seconds and seconds[0] >= ONCE_FROM):
            break
        tried += 1
        try:
            taken = run_time(graph, series, seed, limit)
        except KTError:  # Not for this board
            taken = None
        if taken is not None:
            seconds.append(taken)
    middle = round(statistics.median(seconds), 5) if seconds else None
    return {"seconds": middle, "found": len(seconds), "tried": tried}


def made(board: str) -> tuple[MoveGraph, float]:
    """The graph of a board with its moves made, and the seconds of that (the best of 3 where it is short)."""
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        graph = graph_of(board)
        graph.neighbours  # noqa: B018 -- makes the moves
        best = min(best, time.process_time() - began)
        if best > 0.05:
            break
    return graph, round(best, 5)


def copy_seconds(graph: MoveGraph) -> float:
    """Seconds of one copy of the neighbours of all vertices, the best of 5."""
    target = np.empty_like(graph.neighbours)
    best = float("inf")
    for _ in range(5):
        began = time.process_time()
        np.copyto(target, graph.neighbours)
        best = min(best, time.process_time() - began)
    return best


def slope(points: list[tuple[int, float]]) -> float | None:
    """The exponent of the power law through (cells, seconds); None with fewer than three points to be fitted."""
    fitted = [(n, t) for n, t in points if n >= FIT_CELLS and t >= FIT_SECONDS]
    if len(fitted) < 3:
        return None
    cells, seconds = np.log(np.array(fitted)).T
    return round(float(np.polyfit(cells, seconds, 1)[0]), 2)


def points_of(results: dict, family: str, series: str) -> list[tuple[int, float]]:
    """(cells, seconds) of the boards where the method found a tour."""
    rows = [results["boards"][board] for board in FAMILIES[family] if board in results["boards"]]
    found = [(row["cells"], row["methods"][series]["seconds"]) for row in rows if series in row["methods"]]
    return [(n, t) for n, t in found if t is not None]


def measure(results: dict, path: str, limit: float) -> None:
    """Fill in what `results` does not have yet."""
    for series in series_names():  # Compile
        method, _, kind = series.partition(" ")
        for board in ("6x6", "20x20", "aztec:12", "aztec:13"):
            with contextlib.suppress(KTError):  # A method that is not for this board
                find(
                    Problem(graph_of(board), "path" if kind else "cycle"), method, limits=Limits(stop=ProcessorLimit(1))
                )
    run_time(graph_of("aztec:200"), "merge", 0, 60)  # With mending and kicks
    for boards in FAMILIES.values():
        ended: set[str] = set()
        for board in boards:
            done = results["boards"].get(board, {"methods": {}})["methods"]
            ended |= {series for series in done if done[series]["found"] == 0}
            if ended | set(done) >= set(series_names()):
                continue
            graph, moves = made(board)
            row = results["boards"].setdefault(board, {"cells": graph.n, "moves": moves, "methods": {}})
            row.setdefault("copy", round(copy_seconds(graph), 6))
            for series in series_names():
                if series not in ended and series not in row["methods"]:
                    row["methods"][series] = point(graph, series, 60.0 if series == "merge" else limit)
                    print(board, graph.n, series, row["methods"][series], flush=True)
                if series not in ended and row["methods"][series]["found"] == 0:
                    ended.add(series)
                write_atomic(path, json.dumps(results, indent=0) + "\n")


def plot(results: dict, path: str) -> None:
    """Both families side by side."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.fonttype"] = "none"
    matplotlib.rcParams["svg.hashsalt"] = "kt"
    from matplotlib import pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(10, 5), sharey=True, layout="constrained")
    for panel, (family, title) in zip(panels, [("square", "n×n"), ("diamond", "Aztec diamonds")], strict=True):
        for number, series in enumerate(series_names()):
            points = points_of(results, family, series)
            style = {"color": f"C{number % 10}", "marker": "os^Dv<>P*X"[number % 10], "ms": 4, "lw": 1.2}
            panel.loglog(*(zip(*points, strict=True) if points else ([], [])), label=series, **style)
        rows = [results["boards"][board] for board in FAMILIES[family] if board in results["boards"]]
        sizes = [row["cells"] for row in rows]
        panel.loglog(sizes, [row["moves"] for row in rows], "k:", lw=1, label="making the moves")
        panel.set(title=title, xlabel="cells")
        panel.minorticks_off()
        panel.grid(True, lw=0.3)
    panels[0].set_ylabel("seconds of the processor")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=5, fontsize=9)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def table(results: dict) -> str:
    """Markdown: the slopes, and the largest board each method did."""
    lines = ["| method | n×n: slope | largest, seconds | Aztec diamond: slope | largest, seconds |"]
    lines.append("| --- | ---: | --- | ---: | --- |")
    for series in series_names():
        cells = [series]
        for family, boards in FAMILIES.items():
            exponent = slope(points_of(results, family, series))
            cells.append("–" if exponent is None else f"{exponent:.2f}")
            last = "none"
            for board in boards:
                seconds = results["boards"].get(board, {"methods": {}})["methods"].get(series, {}).get("seconds")
                if seconds is not None:
                    last = f"{board.replace('x', '×').replace('aztec:', 'radius ')}, {seconds:.2g}"
            cells.append(last)
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=float, default=4.0, help="seconds of the processor for one search")
    parser.add_argument("--plot-only", action="store_true")
    parser.add_argument("--plot", default="docs/images/methods.svg")
    parser.add_argument("-o", "--output", default="benchmarks/results/methods.json")
    options = parser.parse_args()
    results: dict = {"limit": options.limit, "boards": {}}
    if os.path.exists(options.output):
        with open(options.output) as stream:
            results = json.load(stream)
    if not options.plot_only:
        measure(results, options.output, options.limit)
    plot(results, options.plot)
    print(table(results))


if __name__ == "__main__":
    main()
