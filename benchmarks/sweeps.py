"""Counting, least values and longest walks beside an older kt: processor time and memory of long commands.

    python benchmarks/sweeps.py kt-0.1.0-py3-none-any.whl -o benchmarks/results/sweeps.json
    python benchmarks/sweeps.py --table benchmarks/results/sweeps.json

Both sides have environments as in `benchmarks/against.py`. Each command runs once on both, first the old kt, after a
small command of the same kind that has numba compile what is needed. Other work on the machine makes processor time
longer by some tenths of itself, so the load is written down. The file is written again after each command. Commands
that it has already are not run again.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import against
from kt_models.writing import write_atomic

MAX_SECONDS = 3600.0
"""Longest run of one command."""
SWEPT = "kt bound {} --metric {} --method frontier --at-least {} --json"
COMMANDS = (
    ("kt check RESULTS/crossings-6x7.json --json", "kt check RESULTS/crossings-6x8.json --json"),
    (SWEPT.format("6x8", "turns", 39),) * 2,
    ("kt longest 7x7 --uncrossed --json", "kt longest 8x8 --uncrossed --json"),
    ("kt enumerate 7x8 --count --json",) * 2,
    (SWEPT.format("6x8", "crossings", 59),) * 2,
    ("kt enumerate 5x6 --count --by turns --json", "kt enumerate 6x10 --count --by turns --json"),
    ("kt enumerate 5x6 --count --open --json", "kt enumerate 7x8 --count --open --json"),
    ("kt enumerate 5x6 --count --json", "kt enumerate 8x8 --count --json"),
    (
        "kt bound 6x6 --metric crossings --method bands --json",
        "kt bound 10x10 --metric crossings --method bands --json",
    ),
    (SWEPT.format("6x8", "crossings", 59), SWEPT.format("8x8", "crossings", 69)),
)
"""A small command, and one that is measured, which may be the same."""


def main() -> None:
    """Run what is missing in the file, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", nargs="?", help="a wheel, or a revision of git")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--table", type=Path, metavar="FILE", help="print the table of an earlier run")
    options = parser.parse_args()
    if options.table or not options.old:
        print_table(json.loads((options.table or options.output).read_text())["rows"])
        return
    against.MAX_SECONDS = MAX_SECONDS
    rows: list[dict[str, Any]] = []
    if options.output and options.output.exists():
        rows = json.loads(options.output.read_text())["rows"]
    with tempfile.TemporaryDirectory() as name:
        inputs = Path(name) / "inputs"
        inputs.mkdir()
        sides = against.sides_of(options.old, Path(name))
        for small, command in COMMANDS:
            if any(row["command"] == command for row in rows):
                continue
            row: dict[str, Any] = {"command": command, "load": round(os.getloadavg()[0], 1)}
            answers = []
            for side, environment in sides.items():
                against.run_once(environment, small, inputs)
                run, outcome = against.run_once(environment, command, inputs)
                row[side] = {"cpu": round(run.cpu, 1), "memory": round(run.memory)}
                answers.append(outcome)
                print(f"{command}: {side} {row[side]}", file=sys.stderr, flush=True)
            if any(answer.code != 0 for answer in answers):
                print(f"{command}: {', '.join(answer.words for answer in answers)}", file=sys.stderr)
                continue
            row["same"] = answers[0] == answers[1]
            rows.append(row)
            if options.output:
                data = {"cores": os.cpu_count(), "rows": rows}
                write_atomic(options.output, json.dumps(data) + "\n", force=True)
    print_table(rows)


def print_table(rows: list[dict[str, Any]]) -> None:
    """As Markdown."""
    print("| command | CPU old, s | new, s | ratio | memory old, MiB | new, MiB | ratio |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for row in rows:
        cells = []
        for quantity, digits in (("cpu", 1), ("memory", 0)):
            old, new = row["old"][quantity], row["new"][quantity]
            cells += [f"{old:.{digits}f}", f"{new:.{digits}f}", f"{new / old:.2f}"]
        command = row["command"].replace("RESULTS/", "").replace(" --json", "")
        print(f"| `{command}`{'' if row['same'] else ' (differs)'} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
