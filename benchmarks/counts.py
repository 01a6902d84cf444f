"""How many tours there are: every board whose sweep is done in the memory and the time given.

    python benchmarks/counts.py                         what is missing of the list below
    python benchmarks/counts.py --memory 8 --time-limit 1200 7x8 closed
    python benchmarks/counts.py --again 8x8 closed      once more, by another cut
    python benchmarks/counts.py --folder DIR 8x10       layers that memory does not hold are kept in DIR
    python benchmarks/counts.py --other                 what is missing of other boards: Aztec diamonds, tori, boxes
    python benchmarks/counts.py --table                 the tables of docs/data/counts.md
    python benchmarks/counts.py --recurrences           the recurrences that they satisfy
    python benchmarks/counts.py --classes               classes of closed tours under rotation and reflection
    python benchmarks/counts.py --b-files DIR           a file of each sequence, in the form of the OEIS

The file is written after every board, so a run that is cut short is taken up again with the same command. A board that
was refused is asked again only with more memory or more time than it was refused with.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any

from benchmarks.recurrences import recurrence
from encoders.counting.count import count_by_halves
from encoders.counting.quotient import count_classes
from encoders.counting.values import count_values_by_halves
from kt_models import Board, Leaper, MoveGraph, Problem, TooLarge, graph_of
from kt_models.json_version import FORMAT_VERSION
from kt_models.kernel.certificates.frontier import count_solutions
from kt_models.leaper import KNIGHT
from kt_models.limits import Limits, Stopped
from kt_models.writing import write_atomic

FILE = Path(__file__).parent.parent / "docs" / "runs" / "counts.json"
OTHER_FILE = FILE.with_name("counts-other.json")

Case = tuple[str, str, str]
"""Board (and leaper), `closed` or `open`, and what is counted separately: `turns`, `crossings` or nothing."""
BY_VALUE = {
    "closed": "3x10 3x12 3x14 3x16 3x18 3x20 5x6 5x8 5x10 6x6 6x7 6x8 6x9 6x10 7x8",
    "open": "3x4 3x7 3x8 3x9 3x10 4x5 4x6 4x7 4x8 5x5 5x6 5x7 5x8 6x6 6x7",
}


OTHERS = {
    "closed": "aztec:2 aztec:3 aztec:4 torus:3x3 torus:3x4 torus:3x5 torus:3x6 torus:3x8 torus:4x4 torus:4x5 torus:4x6 "
    "torus:5x5 2x3x4 2x3x5 2x3x6 2x3x7 2x4x4 2x4x5 3x3x4 6x6/0,1 8x8/0,1 10x10/0,1 12x12/0,1",
    "open": "aztec:2 aztec:3 aztec:4 torus:3x3 torus:3x4 2x3x4 2x3x5 2x4x4 5x5/0,1 6x6/0,1 8x8/0,1",
}


def other_cases() -> Iterator[Case]:
    """Boards that are no rectangles, and another leaper."""
    for kind, boards in OTHERS.items():
        for board in boards.split():
            yield board, kind, ""


def cases() -> Iterator[Case]:
    """The list, from quick to slow."""
    for metric in ("turns", "crossings"):
        for kind, boards in BY_VALUE.items():
            for board in boards.split():
                yield board, kind, metric
    for height, kind, widths in (
        (3, "closed", range(4, 301, 2)),
        (4, "closed", range(4, 41)),
        (3, "open", range(4, 220)),
        (5, "closed", range(6, 117, 2)),
        (4, "open", range(5, 61)),
        (5, "open", range(5, 13)),
        (6, "open", range(6, 13)),
        (6, "closed", range(6, 25)),
        (7, "closed", range(8, 15, 2)),
        (7, "open", range(7, 9)),
        (8, "closed", range(8, 11)),
        (8, "open", range(8, 9)),
    ):
        for width in widths:
            yield f"{height}x{width}", kind, ""


def read(path: Path) -> dict[str, dict[str, Any]]:
    """What is there: a record for each `board kind metric`."""
    return json.loads(path.read_text())["counts"] if path.exists() else {}


def write(path: Path, records: dict[str, dict[str, Any]]) -> None:
    """Sorted, a record a line."""
    lines = [f"{json.dumps(name)}: {json.dumps(records[name])}" for name in sorted(records, key=_rank)]
    head = f'{{"version": {FORMAT_VERSION}, "kind": "counts", "counts": {{\n'
    write_atomic(path, head + ",\n".join(lines) + "\n}}\n")


def count(case: Case, limits: Limits, cut: int | None = None, folder: Path | None = None) -> dict[str, Any]:
    """Count by halves, or by a sweep over the whole board; `refused` says why there is no count."""
    board, kind, metric = case
    text, _, leaper = board.partition("/")
    graph = MoveGraph.of(Board.parse(text), Leaper.parse(leaper) if leaper else KNIGHT)
    problem = Problem(graph, "cycle" if kind == "closed" else "path", metric or None).by_cells
    cpu, wall = time.process_time(), time.monotonic()
    try:
        halved = None if metric else count_by_halves(problem, cut=cut, folder=folder, limits=limits)
        valued = count_values_by_halves(problem, cut=cut, limits=limits) if metric else None
        swept = None if halved or valued else count_solutions(problem, by_value=bool(metric), limits=limits)
    except (TooLarge, Stopped) as error:
        return {"refused": str(error), "memory": (limits.memory or 0) / 1e9, "time_limit": limits.seconds}
    counts: Any = halved or valued or swept
    record: dict[str, Any] = {"count": str(counts.total)}  # Decimal: JSON's numbers end at 53 bits for most readers
    if metric:
        record["by_value"] = {str(value): str(number) for value, number in (counts.by_value or {}).items()}
    engine = "sweep" if counts is swept else "halves"
    record |= {"engine": engine, "states": counts.peak_states, "bytes": counts.peak_bytes}
    if halved:
        record |= {"cut": halved.cut, "all_states": halved.all_states, "met": halved.met}
    if valued:
        record |= {"cut": valued.cut}
    spent = {"seconds": round(time.process_time() - cpu, 2), "wall": round(time.monotonic() - wall, 2)}
    return record | spent


def count_again(case: Case, record: dict[str, Any], limits: Limits, folder: Path | None = None) -> dict[str, Any]:
    """The record with a second count, by a cut half a row away: both halves have other states."""
    half = min(map(int, case[0].split("x"))) // 2
    cells = prod(map(int, case[0].split("x")))
    cut = int(record["cut"]) + half
    again = count(case, limits, cut if 2 * cut < cells else cut - 2 * half, folder)
    for key in ("count", "by_value"):
        if again.get(key, record.get(key)) != record.get(key):
            raise SystemExit(f"{case}: {record[key]} and {again[key]} tours")
    return record | {"again": again}


def wanted(record: dict[str, Any] | None, memory: float, seconds: float) -> bool:
    """Whether a board is to be counted (again)."""
    if record is None:
        return True
    return "refused" in record and (memory > record["memory"] or seconds > record["time_limit"])


# -- recurrences -------------------------------------------------------------------------------------------------------


def family(records: dict[str, dict[str, Any]], height: int, kind: str) -> tuple[list[int], list[int]]:
    """The counts of height × n without a gap, from the first n counted: the n, and the counts."""
    widths, terms = [], []
    step = 2 if height % 2 and kind == "closed" else 1
    start = min((_rank(name)[3] for name in records if _rank(name)[:3] == (kind != "closed", "", height)), default=0)
    while (record := records.get(f"{height}x{start} {kind}")) is not None and "count" in record:
        widths.append(start)
        terms.append(int(record["count"]))
        start += step
    return widths, terms


def print_recurrences(records: dict[str, dict[str, Any]]) -> None:
    for height, kind in ((3, "closed"), (5, "closed"), (6, "closed"), (3, "open"), (4, "open"), (5, "open")):
        widths, terms = family(records, height, kind)
        if not terms:
            continue
        span = f"{kind} {height}×{widths[0]} to {height}×{widths[-1]}, {len(terms)} terms"
        found = recurrence(terms)
        if found is None:
            print(f"{span}: no recurrence of order {(len(terms) - 1) // 2} or less")
        else:
            spare = len(terms) - 2 * len(found)
            print(f"{span}: order {len(found)}, with {spare} terms more than determine it")
            print(f"  coefficients {' '.join(map(str, found))}")


# -- classes and sequences ---------------------------------------------------------------------------------------------


def print_classes(records: dict[str, dict[str, Any]]) -> None:
    """Print the classes of the closed tours of boards that are at least 5 wide and high, and at most 8."""
    print("| closed | tours | classes |\n| --- | ---: | ---: |")
    for name in sorted(records, key=_rank):
        board, kind, *metric = name.split()
        sides = sorted(map(int, board.split("x")))
        if kind == "closed" and not metric and 5 <= sides[0] and sides[1] <= 8 and "count" in records[name]:
            total = int(records[name]["count"])
            classes = count_classes(graph_of(board), "cycle", total)
            print(f"| {board.replace('x', '×')} | {total:,} | {'' if classes is None else f'{classes:,}'} |")


def write_b_files(records: dict[str, dict[str, Any]], folder: Path) -> None:
    """A file for each height and kind: n and the number of tours of height × n, a line each."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind, height in sorted({(_rank(name)[0], _rank(name)[2]) for name in records}):
        word = "open" if kind else "closed"
        terms = dict(zip(*family(records, height, word), strict=True))
        for n in range(3, height):  # The same boards, lying down
            record = records.get(f"{n}x{height} {word}", {})
            if "count" in record:
                terms[n] = int(record["count"])
        lines = [f"{n} {terms[n]}\n" for n in sorted(terms)]
        head = f"# {word} knight's tours of {height} x n, undirected; from the first n on, those left out have none\n"
        if any(terms.values()):
            write_atomic(folder / f"b-{word}-{height}xn.txt", head + "".join(lines))


# -- tables ------------------------------------------------------------------------------------------------------------

SHOWN = 27
"""Digits of a count in a table; longer ones are abridged."""
ROWS = {
    "closed": "3x10 3x12 3x32 5x6 5x8 5x10 5x16 6x6 6x7 6x8 6x9 6x10 6x13 7x8 7x10 7x12 8x8",
    "open": "3x4 3x10 3x17 4x5 4x6 4x8 4x16 5x5 5x6 5x8 5x10 5x12 6x6 6x7 6x8 6x9 7x7 7x8",
}
"""The rectangles that the tables show; the file has more."""


def _rank(name: str) -> tuple[bool, str, int, int]:
    board, kind, *metric = name.split()
    height, width = map(int, board.split("x")) if RECTANGLE.fullmatch(board) else (0, 0)
    return kind != "closed", "".join(metric), height, width


RECTANGLE = re.compile(r"\d+x\d+")


def print_tables(records: dict[str, dict[str, Any]], others: dict[str, dict[str, Any]]) -> None:
    """Print the tables of docs/data/counts.md; the tables by value have only what the two metrics pay at most."""
    for kind, boards in ROWS.items():
        print(f"\n| {kind} | tours | states | memory | seconds |\n| --- | ---: | ---: | ---: | ---: |")
        for board in boards.split():
            print(row(board.replace("x", "×"), records[f"{board} {kind}"]))
    print("\n| other boards | tours | states | memory | seconds |\n| --- | ---: | ---: | ---: | ---: |")
    for name, record in others.items():
        board, kind = name.split()
        text = board.replace("/", ", leaper ") + (", open" if kind == "open" else "")
        if record.get("states", 0) >= OTHER_STATES:
            print(row(text, record))
    print("\n| by value | tours | values | states | memory | seconds |\n| --- | ---: | --- | ---: | ---: | ---: |")
    for name in sorted(records, key=_rank):
        board, kind, *metric = name.split()
        if metric and kind == "closed" and board in LARGE and "count" in records[name]:
            values = [*records[name]["by_value"]]
            cells = row(f"{board.replace('x', '×')}, {metric[0]}", records[name]).split(" | ")
            print(" | ".join([*cells[:2], f"{values[0]} to {values[-1]}", *cells[2:]]))


OTHER_STATES = 150
"""Other boards with fewer states are in the file alone."""
LARGE = ("6x6", "6x7", "6x8", "6x9", "6x10", "7x8")
"""Boards by value that the table shows."""


def row(board: str, record: dict[str, Any]) -> str:
    """A line of a table."""
    numbers = (abridged(record["count"]), f"{record['states']:,}", memory(record["bytes"]), f"{record['seconds']:.1f}")
    return f"| {board} | {' | '.join(numbers)} |"


def memory(size: int) -> str:
    """In GB or MB."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB" if size >= 1e6 else "< 1 MB"


def abridged(digits: str) -> str:
    if len(digits) > SHOWN:
        return f"{digits[:6]}…{digits[-6:]} ({len(digits)} digits)"
    return f"{int(digits):,}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="only boards with all of these words: 7x8 closed turns")
    parser.add_argument("--memory", type=float, default=4.0, metavar="GB")
    parser.add_argument("--time-limit", type=float, default=600.0, metavar="S", help="for a board")
    parser.add_argument("--workers", type=int, metavar="N", help="threads, as many as cores unless given")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--folder", type=Path, metavar="DIR")
    parser.add_argument("--other", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--recurrences", action="store_true")
    parser.add_argument("--classes", action="store_true")
    parser.add_argument("--b-files", type=Path, metavar="DIR")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    options.output = options.output or (OTHER_FILE if options.other else FILE)
    sys.set_int_max_str_digits(0)
    records = read(options.output)
    if options.table:
        print_tables(records, read(OTHER_FILE))
    if options.recurrences:
        print_recurrences(records)
    if options.classes:
        print_classes(records)
    if options.b_files:
        write_b_files(records, options.b_files)
    if options.table or options.recurrences or options.classes or options.b_files:
        return
    for case in other_cases() if options.other else cases():
        name = " ".join(filter(None, case))
        if not set(options.words) <= set(name.split()) and name not in options.words:
            continue
        folder = options.folder and options.folder / re.sub(r"[ /:,]", "-", name)
        limits = Limits(options.time_limit, memory=int(options.memory * 1e9), workers=options.workers)
        if options.again and "cut" in records.get(name, {}):
            record = count_again(case, records[name], limits, folder)
        elif not options.again and wanted(records.get(name), options.memory, options.time_limit):
            record = count(case, limits, folder=folder)
        else:
            continue
        records[name] = record
        write(options.output, records)
        print(f"{name}: {record.get('count', record.get('refused'))}, {record.get('seconds', '-')} s", flush=True)


if __name__ == "__main__":
    main()
