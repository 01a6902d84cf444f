"""What a cube costs beside its work: cubes a second over workers, here and on a Dask cluster of this machine.

    python benchmarks/cubes.py -o benchmarks/results/cubes.json
    python benchmarks/cubes.py --table benchmarks/results/cubes.json

Two runs: cubes with hardly any work in them (5x6), which shows the overhead, and cubes of some milliseconds (6x6),
which shows how it scales. Rates are taken from the times in the ledger after the first quarter of the cubes, so that
neither the cutting nor the start of the workers counts. Repeats are interleaved, so that what else the machine does
meets all alike; read ratios.

    python benchmarks/cubes.py --processor

The overhead in processor time of all processes, from what more cubes take more: a busy machine does not spoil it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sqlite3
import statistics
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from encoders.enumeration.run import RunSettings, begin, resume
from kt_models import Problem, graph_of
from kt_models.runs.tour_task import TourTask
from kt_models.writing import write_atomic


class Load(NamedTuple):
    """What the cubes are."""

    board: str
    cubes: int
    tours: int


LOADS = {"trivial": Load("5x6", 320, 8), "work": Load("6x6", 400, 9862)}
LOCAL, DASK = "processes", "Dask"
CASES = [(LOCAL, 1), (LOCAL, 2), (LOCAL, 4), (DASK, 1), (DASK, 2)]


def measure(load: Load, pool: str, workers: int) -> dict[str, float]:
    """One run: cubes a second, what the ledger's process spends on a cube, and what the cubes themselves took."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "run"
        address = None
        if pool == DASK:
            from distributed import LocalCluster

            address = stack.enter_context(
                LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None)
            ).scheduler_address
        begin(folder, TourTask(Problem(graph_of(load.board))), load.cubes)
        spent = time.process_time()
        status = resume(folder, RunSettings(workers=workers, scheduler=address))
        spent = time.process_time() - spent
        assert status.complete and status.count == load.tours
        with sqlite3.connect(folder / "ledger.sqlite") as ledger:
            rows = ledger.execute("SELECT at, seconds FROM record WHERE state = 'done' ORDER BY id").fetchall()
    late = rows[len(rows) // 4 :]
    span = late[-1][0] - late[0][0]
    return {
        "cubes": len(rows),
        "rate": (len(late) - 1) / span,
        "work_ms": 1000 * sum(seconds for _, seconds in late) / len(late),
        "ledger_ms": 1000 * spent / len(rows),
    }


def processor_time(pool: str, cubes: int) -> float:
    """Seconds of this process and its children for a run of one worker over cubes without work."""
    before = _spent()
    measure(Load("5x6", cubes, 8), pool, 1)
    time.sleep(1)  # Until the workers that were ended are counted
    return _spent() - before


def _spent() -> float:
    process, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return process.ru_utime + process.ru_stime + children.ru_utime + children.ru_stime


def print_processor_time(repeats: int) -> None:
    few, many = 40, 320
    for pool in (LOCAL, DASK):
        measure(Load("5x6", few, 8), pool, 1)  # What is imported or compiled once
        more = [(processor_time(pool, many) - processor_time(pool, few)) / (many - few) for _ in range(repeats)]
        each = ", ".join(f"{1000 * seconds:.1f}" for seconds in more)
        print(f"{pool}: {1000 * statistics.median(more):.1f} ms of processor time a cube ({each})", flush=True)


def run(repeats: int) -> list[dict[str, Any]]:
    cells: dict[tuple[str, str, int], list[dict[str, float]]] = {}
    for _ in range(repeats):
        for name, load in LOADS.items():
            for pool, workers in CASES:
                cells.setdefault((name, pool, workers), []).append(measure(load, pool, workers))
                print(name, pool, workers, cells[name, pool, workers][-1], flush=True)
    return [
        {"load": name, "board": LOADS[name].board, "pool": pool, "workers": workers}
        | {key: statistics.median(result[key] for result in found) for key in found[0]}
        | {"rates": [round(result["rate"], 1) for result in found]}
        for (name, pool, workers), found in cells.items()
    ]


def print_table(rows: list[dict[str, Any]]) -> None:
    """A row is a pool; the overhead is what is left of a worker's time after the work."""
    print("| cubes | pool | workers | cubes a second | ratio | work, ms a cube | overhead, ms a cube |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for row in rows:
        first = next(other for other in rows if other["load"] == row["load"])
        overhead = 1000 * row["workers"] / row["rate"] - row["work_ms"]
        print(
            f"| {row['cubes']:.0f} of {row['board'].replace('x', '×')} | {row['pool']} | {row['workers']} "
            f"| {row['rate']:.0f} | {row['rate'] / first['rate']:.2f} | {row['work_ms']:.1f} | {overhead:.1f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--table", type=Path, metavar="FILE", help="print the table of an earlier run")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--processor", action="store_true", help="the overhead in processor time")
    options = parser.parse_args()
    if options.processor:
        print_processor_time(options.repeats)
        return
    if options.table:
        print_table(json.loads(options.table.read_text())["rows"])
        return
    load = os.getloadavg()[0]
    rows = run(options.repeats)
    if options.output:
        write_atomic(options.output, json.dumps({"cores": os.cpu_count(), "load": round(load, 1), "rows": rows}) + "\n")
    print_table(rows)


if __name__ == "__main__":
    main()
