"""Files of graphs with Hamiltonian cycles, family by family: how many `kt solve` answers, and in what time.

    python -m benchmarks.families FOLDER --seconds 150 -o benchmarks/results/families.json

The folder has `.hcp` files, below it as well. A family is what a file's name begins with, up to the first digit or
underscore: `COL_1000.hcp` belongs to COL, and `graph12.hcp` to the graphs of the FHCP challenge. Given are processor
seconds of the whole command, start-up included.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.overhead import seconds
from benchmarks.peers.graphs import family_of
from benchmarks.peers.table import conditions
from kt_models.writing import write_json

PATIENCE = 10.0
"""Seconds by which a command may exceed its time limit before it is ended."""


def solved(path: Path, limit: float) -> dict[str, Any]:
    """Outcome of `kt solve` for a file."""
    command = [sys.executable, "-m", "kt", "solve", str(path), "--time-limit", str(limit), "--json", "-q"]
    _, spent, text = seconds(command, limit + PATIENCE)
    answer = json.loads(text) if text else {}
    vertices = re.search(r"DIMENSION\s*:\s*(\d+)", path.read_text())
    return {
        "file": path.stem,
        "vertices": int(vertices[1]) if vertices else None,
        "status": answer.get("status", "unknown"),
        "engine": answer.get("engine"),
        "seconds": None if spent == float("inf") else round(spent, 2),
    }


def table(rows: list[dict[str, Any]]) -> list[str]:
    """The lines of a table: a family in each."""
    families: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        families.setdefault(family_of(row["file"]), []).append(row)
    lines = ["| family | vertices | solved | median | most |", "| --- | ---: | ---: | ---: | ---: |"]
    for family, members in sorted(families.items()):
        sizes = [row["vertices"] for row in members]
        answered = [row["seconds"] for row in members if row["status"] == "feasible"]
        times = [f"{median(answered):.2f}", f"{max(answered):.2f}"] if answered else ["", ""]
        cells = [family, f"{min(sizes):,} to {max(sizes):,}", f"{len(answered)} of {len(members)}", *times]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0, help="time limit of each, of the clock (default 60)")
    parser.add_argument("-o", "--output", help="a JSON file of the results")
    options = parser.parse_args()
    rows = [solved(path, options.seconds) for path in sorted(options.folder.rglob("*.hcp"))]
    print("\n".join(table(rows)))
    if options.output:
        write_json(options.output, {**conditions(options.seconds), "rows": rows}, force=True)


if __name__ == "__main__":
    main()
