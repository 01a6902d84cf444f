"""Fewest turns and crossings of small boards, each in a file with a tour and a certificate of the bound.

    python -m research.optima                 # the tables of docs/data/results.md; what is there already is kept
    python -m research.optima turns 10x10     # one of them, made again
    python -m research.optima --table         # the tables, with checking times measured now
    python -m research.optima --rectangles turns    # of all rectangles up to 16×16 that have a file; or crossings

A file is written as soon as it is made, so a run that is broken off can be begun again.
Boards whose fewest crossings are known by bands of columns, such as 10×10, 12×12 and 14×14, are not here but among the
records, in heuristics/delivered/records, where `research/records.py --bounds` makes their certificates.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from encoders import solve
from encoders.bounds import certified
from kt_models import KTError, Problem, Result, graph_of, read_tour
from kt_models.files.check import check_file
from kt_models.json_version import FORMAT_VERSION
from kt_models.limits import Limits
from kt_models.writing import write_atomic

DOCS = Path(__file__).parent.parent / "docs"
DELIVERED = DOCS.parent / "heuristics" / "delivered"
FOLDER, RECORDS = DELIVERED / "results", DELIVERED / "records"
CLOSED = ("5x6", "5x8", "6x6", "6x7", "6x8", "3x10", "7x8", "8x8")
"""The rectangles up to 8×8 that have a closed tour (Schwenk 1991), and 3×10."""
SIDES = range(3, 17)
RECTANGLES = [f"{w}x{h}" for w in SIDES for h in SIDES if w <= h and w * h % 2 == 0 and (w > 4 or (w == 3 and h >= 10))]
"""Rectangles up to 16×16 that have a closed tour."""
LARGE = ("18x18", "20x20", "22x22", "24x24", "26x26", "28x28")
"""Squares whose fewest turns are a matter of some minutes."""
SWEPT = ("7x10", "7x12", "8x9", "8x10", "8x11", "8x12")
NARROW = [*(board for board in RECTANGLES if int(board.split("x")[0]) <= 6), *SWEPT]
"""Rectangles whose fewest crossings are a matter of seconds, and six of some minutes."""
OPEN = ("3x4", "4x5", "4x6", "5x5", "5x6", "6x6")
"""Rectangles up to 6×6 that have an open tour."""
AZTEC = ("aztec:2", "aztec:3", "aztec:4", "aztec:5")
CASES = [
    *((metric, board, "closed") for metric in ("turns", "crossings") for board in (*CLOSED, *AZTEC)),
    *(("crossings", board, "closed") for board in NARROW if board not in CLOSED),
    *((metric, board, "open") for metric in ("turns", "crossings") for board in (*OPEN, "aztec:2", "aztec:3")),
    *(("turns", board, "closed") for board in (*RECTANGLES, *LARGE) if board not in CLOSED),
]


def path_of(metric: str, board: str, kind: str) -> Path:
    return FOLDER / f"{metric}-{board.replace(':', '-')}{'' if kind == 'closed' else '-open'}.json"


def is_certified(path: Path) -> bool:
    """Whether a file has a certificate that this version reads."""
    return bool(json.loads(path.read_text()).get("certificate", {}).get("version") == FORMAT_VERSION)


def make(metric: str, board: str, kind: str, seconds: float) -> Result:
    """Solve, or take the tour that is there already; then certify."""
    problem = Problem(graph_of(board), "cycle" if kind == "closed" else "path", metric)
    path = path_of(metric, board, kind)
    started = time.monotonic()
    data = json.loads(path.read_text()) if path.exists() else {}
    if data.get("status") == "optimal":
        tour = read_tour(path)
        origin = {"engine": data["engine"], "seconds": data["seconds"]}
        result = Result(problem, "optimal", tour, bound=tour.measure(metric), **origin)
    else:
        record = RECORDS / path.name
        result = solve(problem, hint=read_tour(record) if record.exists() else True, time_limit=seconds)
    solved = time.monotonic() - started
    result = certified(result, limits=Limits(seconds), small=True)
    method = result.certificate.method if result.certificate else "-"
    total = time.monotonic() - started
    spent = f"{solved:.1f} s; {method}, {total - solved:.1f} s"
    print(f"{metric} {board} {kind}: {result.status} {result.value}, {spent}", flush=True)
    return result


def table() -> None:
    """The rows of docs/data/results.md: value, method, the processor's seconds to check."""
    for metric, board, kind in CASES:
        if board in (*RECTANGLES, *LARGE) and kind == "closed":  # They have tables of their own
            continue
        path = path_of(metric, board, kind)
        if not path.exists():
            continue
        data = json.loads(path.read_text())
        certificate = data.get("certificate")
        started = time.process_time()
        check_file(path)
        seconds = time.process_time() - started
        name = board.replace("x", "×")
        evidence = certificate["method"] if certificate else "solver's answer, not certified"
        print(f"| {metric} | {name} | {kind} | {data['value']} | {evidence} | {seconds:.1f} |", flush=True)


def rectangles(metric: str) -> None:
    """The fewest turns or crossings of closed tours by the shorter and the longer side."""
    longer = range(6, 17)
    print(f"| | {' | '.join(map(str, longer))} |\n| ---: |{' ---: |' * len(longer)}")
    for w in SIDES:
        row = []
        for h in longer:
            path = path_of(metric, f"{w}x{h}", "closed")
            listed = h >= w and path.exists()
            row.append(
                f"[{json.loads(path.read_text())['value']}](../../heuristics/delivered/results/{path.name})"
                if listed
                else ""
            )
        if any(row):
            print(f"| **{w}** | {' | '.join(row)} |")


def main(words: list[str]) -> None:
    if words == ["--table"]:
        return table()
    if words[:1] == ["--rectangles"]:
        return rectangles(words[1])
    chosen = [case for case in CASES if not words or all(word in case for word in words)]
    for case in chosen:
        path = path_of(*case)
        if path.exists() and not words and is_certified(path):
            continue
        try:
            result = make(*case, seconds=3600.0 if words else 300.0)
        except KTError as error:
            print(f"{' '.join(case)}: {error}")
            continue
        if result.status == "optimal":
            write_atomic(path, json.dumps(result.to_json()) + "\n")
    return None


if __name__ == "__main__":
    main(sys.argv[1:])
