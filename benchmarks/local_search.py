"""What `kt find --minimize` comes to in a given time, beside what another version came to in the same time.

    python benchmarks/local_search.py -o before.json             # with the other version's code
    python benchmarks/local_search.py --before before.json       # the ratios: below 1 is better

The time is that of the processor, on one worker, so that other work on the machine counts little. `start` is where the
search begins: with what `kt find` has (a construction, if there is one for the board), or with any tour.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from types import SimpleNamespace
from typing import Any

import kt_models.limits
from heuristics.find import find
from kt_models import Problem, graph_of
from kt_models.limits import Limits

SECONDS = {"16x16": 4.0, "24x24": 8.0, "40x40": 12.0, "100x100": 20.0}
METRICS = ("turns", "crossings")
STARTS = {"find": None, "any tour": "merge"}


def measured(boards: list[str], seeds: int) -> Iterator[dict[str, Any]]:
    """A row for each board, measure and start."""
    kt_models.limits.time = SimpleNamespace(monotonic=time.process_time)  # type: ignore[assignment]
    for metric in METRICS:  # What has to be compiled is compiled
        find(Problem(graph_of("6x6"), "cycle", metric), limits=_limits(0.5, 0))
    for board in boards:
        for metric in METRICS:
            for start, method in STARTS.items():
                problem, values = Problem(graph_of(board), "cycle", metric), []
                for seed in range(seeds):
                    result = find(problem, method, limits=_limits(SECONDS[board], seed))
                    values.append(result.value)
                yield {"board": board, "metric": metric, "start": start, "values": values}


def _limits(seconds: float, seed: int) -> Limits:
    return Limits(seconds, workers=1, seed=seed, _start=time.process_time())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", nargs="+", choices=SECONDS, default=list(SECONDS))
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--before", type=Path, help="what another version came to")
    parser.add_argument("-o", type=Path, help="where to write it")
    chosen = parser.parse_args()
    before = {}
    if chosen.before is not None:
        before = {(r["board"], r["metric"], r["start"]): r["values"] for r in json.loads(chosen.before.read_text())}
    rows = []
    print("| board | measure | seconds | start | before | now | ratio |")
    print("| --- | --- | ---: | --- | ---: | ---: | ---: |")
    for row in measured(chosen.boards, chosen.seeds):
        rows.append(row)
        key, now = (row["board"], row["metric"], row["start"]), mean(row["values"])
        then = (
            f"{mean(before[key]):.1f} | {now:.1f} | {now / mean(before[key]):.3f}"
            if key in before
            else f" | {now:.1f} | "
        )
        print(f"| {key[0]} | {key[1]} | {SECONDS[key[0]]:g} | {key[2]} | {then} |", flush=True)
        if chosen.o is not None:
            chosen.o.write_text(json.dumps(rows) + "\n")


if __name__ == "__main__":
    main()
