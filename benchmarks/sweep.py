"""Every n×n board with even n from 6 to 304 and every Aztec diamond of radius 2 to 140, by the SAT engine.

    python benchmarks/sweep.py -o benchmarks/results/sweep.json

The engine is asked directly (no heuristic beforehand), each answer is verified, and the file is written after every
board, so that a run that is cut short can be taken up again with the same command.
"""

from __future__ import annotations

import argparse
import json
import os
import time

from encoders import solve
from kt_models import Problem, graph_of
from kt_models.limits import Limits
from kt_models.storage import write_atomic

SQUARES = [f"{n}x{n}" for n in range(6, 305, 2)]
DIAMONDS = [f"aztec:{n}" for n in range(2, 141)]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=float, default=120.0)
    parser.add_argument("-o", "--output", default="benchmarks/results/sweep.json")
    options = parser.parse_args()
    done: dict[str, dict] = {}
    if os.path.exists(options.output):
        with open(options.output) as stream:
            done = json.load(stream)["boards"]
    for board in DIAMONDS + SQUARES:
        if board in done:
            continue
        started = time.monotonic()
        result = solve(Problem(graph_of(board)), engine="sat", hint=False, limits=Limits(options.limit, workers=1))
        done[board] = {
            "status": result.status,
            "engine": result.engine,
            "seconds": round(time.monotonic() - started, 2),
        }
        write_atomic(options.output, json.dumps({"limit": options.limit, "boards": done}, indent=0) + "\n")
        print(board, done[board], flush=True)
    missed = [board for board, row in done.items() if row["status"] != "feasible"]
    print(f"{len(done)} boards, {len(missed)} not found: {missed}")


if __name__ == "__main__":
    main()
