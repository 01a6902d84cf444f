"""docs/data/compare.md from what `kt compare --json` measured.

    kt compare 3x10 5x6 5x8 5x10 6x6..6x10 7x8 7x10 8x8..8x10 9x10 10x10 --metric turns --tries 3 --seconds 5 \\
        --proof 60 --workers 1 --json > benchmarks/results/compare-small-turns.json       # and crossings
    kt compare 12x12 20x20 30x30 40x40 68x68 100x100 --metric turns --tries 1 --seconds 30 --proof 30 --workers 1 \\
        --json > benchmarks/results/compare-large-turns.json                              # and crossings
    python benchmarks/compare.py --again small-turns      # constructions and bounds once more; no search
    python benchmarks/compare.py --methods small-turns    # searches as well, with the effort that the file names
    python benchmarks/compare.py                          # the tables anew
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from encoders.best import best
from encoders.compare import Effort, compare
from encoders.compare.run import run_once
from heuristics.find import METHODS
from kt_models import Problem, graph_of
from kt_models.limits import NO_LIMITS, Limits
from kt_models.result import Result
from kt_models.writing import write_atomic

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "data" / "compare.md"
BEGIN, END = "<!-- tables: benchmarks/compare.py -->", "<!-- end of tables -->"
CHECK_SECONDS = 1200.0
"""Longest time to find the best known of a board and to check it; the sweeps of 8x8 and 7x10 take minutes."""
APART = ("local-search", "parberry", "formation", "strands", "octants")
"""The methods with a column of their own: all but the searches, which know nothing of the metric."""
SIZES = {"small": "All boards to 10×10", "large": "Larger squares"}


def again(path: Path, metric: str, searches: bool) -> None:
    """Make the constructions and the bounds of a file again, and the searches, which need a free machine, if asked."""
    data = json.loads(path.read_text())
    for row in data["rows"]:
        problem = Problem(graph_of(row["board"]), objective=metric)
        if searches:
            effort = Effort(data["tries"], data["try_seconds"], proof=0, best=False)
            (fresh,) = compare([row["board"]], metric, effort=effort)
            row["methods"] = fresh.to_json()["methods"]
        for score in row["methods"]:
            if score["method"] in METHODS and METHODS[score["method"]].constructs:
                task = json.dumps(problem.to_json())
                _, value, seconds = run_once(task, score["method"], 0, data["try_seconds"], NO_LIMITS)
                score |= {"best": value, "median": value, "seconds": round(seconds, 4)}
        if row["status"] != "optimal":
            show(row, best(problem, limits=Limits(CHECK_SECONDS)).result)
        for score in row["methods"]:
            for key, value in (("gap_percent", score["best"]), ("median_gap_percent", score["median"])):
                score[key] = None if value is None else round(100 * (value / row["bound"] - 1), 2)
        write_atomic(path, json.dumps(data) + "\n")
        print(path.name, row["board"], row["bound"], row["best_known"], flush=True)


def show(row: dict[str, Any], result: Result) -> None:
    """Take a bound into a row that is as good as its own, and a better tour."""
    if result.bound is not None and result.certificate is not None and result.bound >= (row["bound"] or 0):
        solved = result.status == "optimal"
        row |= {"bound": result.bound, "certificate": result.certificate.method, "how": result.how}
        row |= {"status": result.status, "engine": result.engine, "optimum": result.value if solved else None}
        row["gap_to"] = "optimum" if solved else "bound"
    values = [result.value, row["best_known"], *(score["best"] for score in row["methods"])]
    row["best_known"] = min(value for value in values if value is not None)


def main() -> None:
    if sys.argv[1:]:
        option, *names = sys.argv[1:]
        for name in names:
            path = ROOT / "benchmarks" / "results" / f"compare-{name}.json"
            again(path, name.partition("-")[2], option == "--methods")
    lines: list[str] = []
    tables: list[list[dict[str, Any]]] = []
    for metric in ("turns", "crossings"):
        for size, title in SIZES.items():
            data = json.loads((ROOT / "benchmarks" / "results" / f"compare-{size}-{metric}.json").read_text())
            if size == "large":  # What is proved of small boards is in docs/data/results.md
                lines += [f"## {title}, {metric}", "", *table(data["rows"]), ""]
            tables.append(data["rows"])
    heads = [f"{title.lower()}, {metric}" for metric in ("turns", "crossings") for title in SIZES.values()]
    lines += [
        "## Mean gaps",
        "",
        f"| method | {' | '.join(heads)} |",
        f"| --- |{' ---: |' * len(heads)}",
        *summary(tables),
        "",
    ]
    before, _, rest = PAGE.read_text().partition(BEGIN)
    write_atomic(PAGE, "\n".join([before + BEGIN, "", *lines, END]) + rest.partition(END)[2])


def table(rows: list[dict[str, Any]]) -> list[str]:
    """A line for each board: optimum or bound, the best of all searches, and the value of each construction."""
    tried = {score["method"] for row in rows for score in row["methods"]}
    names = [name for name in APART if name in tried]
    lines = [f"| board | optimum | gap | best search | {' | '.join(names)} |", f"| --- |{' ---: |' * (len(names) + 3)}"]
    for row in rows:
        scores = {score["method"]: score for score in row["methods"]}
        values = [score["best"] for score in row["methods"] if score["best"] is not None]
        fewest = min(number for number in (row["best_known"], *values) if number is not None)
        least = f"**{row['optimum']}**" if row["optimum"] is not None else f"{row['bound']} to {fewest}"
        gaps = [score["gap_percent"] for score in row["methods"] if score["gap_percent"] is not None]
        gap = f"{'' if row['optimum'] is not None else '≤ '}{min(gaps):.1f}%" if gaps else ""
        searches = [score["best"] for name, score in scores.items() if name not in APART and score["best"] is not None]
        cells = [str(min(searches, default="–")), *(cell(scores.get(name)) for name in names)]
        lines.append(f"| {row['board'].replace('x', '×')} | {least} | {gap} | {' | '.join(cells)} |")
    return lines


def cell(score: dict[str, Any] | None) -> str:
    if score is None or score["best"] is None:
        return "" if score is None else "–"
    return str(score["best"])


def summary(tables: list[list[dict[str, Any]]]) -> list[str]:
    """By how much each method's best is above the optimum (or the bound), in the mean of boards with a tour."""
    names = list(dict.fromkeys(score["method"] for rows in tables for row in rows for score in row["methods"]))
    lines = []
    for name in names:
        cells = []
        for rows in tables:
            scores = [score for row in rows for score in row["methods"] if score["method"] == name]
            gaps = [score["gap_percent"] for score in scores if score["gap_percent"] is not None]
            missed = f" ({len(gaps)} of {len(scores)})" if len(gaps) < len(scores) else ""
            cells.append(f"{sum(gaps) / len(gaps):.1f}%{missed}" if gaps else "–" if scores else "")
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    return lines


if __name__ == "__main__":
    main()
