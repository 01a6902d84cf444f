"""The best tours known, one small file each in heuristics/delivered/records, made better for as long as one likes.

    python -m research.records --metric turns --sizes 10-40 --seconds 600     # squares
    python -m research.records --family aztec --seconds 60                    # every record of a family
    python -m research.records --board 6x6x6 --fresh --seconds 60             # once more from a new start
    python -m research.records --bounds --seconds 300                         # certificates of better bounds
    python -m research.records --bounds --missing                             # those of an older version made again
    python -m research.records --take FOLDER                                  # tours found elsewhere, where better
    python -m research.records --hours 8                                      # all of it, again and again
    python -m research.records --table                                     # check all, and docs/data/records.md anew

A record is only replaced by a better tour (or the same with a better bound), as soon as there is one, so that a run may
be broken off at any time and begun again. With `--hours` the record with the widest gap for its bound comes first, and
each round gives it another start, windows, and a better bound by turns. Several machines work on copies of the folder
with seeds of their own, and `--take` brings the best together. Every file holds a result as `kt improve` gives it: the
tour is verified when it is written, and the certificate of its bound checked.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

from encoders.bounds import NotShown, certify_lower_bound
from encoders.bounds.methods.bands import LARGE
from encoders.improve import improve
from encoders.lp.branching import TooHigh
from heuristics.find import construct, find
from heuristics.local_search import HOT, LUKEWARM
from heuristics.local_search import improve as exchange
from heuristics.orbit_search import improve_orbits
from kt_models import Certificate, InvalidTour, KTError, Problem, Result, Symmetry, Tour, graph_of, read_tour
from kt_models.files.check import check_file
from kt_models.json_version import FORMAT_VERSION
from kt_models.kernel.certificates.bands.bound import applies
from kt_models.kernel.certificates.rounding import lift_total
from kt_models.limits import Limits
from kt_models.writing import write_atomic
from theorems.statement import FamilyStatement, claims_of

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "heuristics" / "delivered" / "records"
PAGE = ROOT / "docs" / "data" / "records.md"
ANNEALING = 100_000
"""Exchanges for each cell in a new start, about half a minute on 24×24."""
BANDS = 0.9
"""Share of the time for a bound that `bands` may take."""
BOTH = ("turns", "crossings")


class Case(NamedTuple):
    """A record: fewest turns or crossings of the closed tours of a board, perhaps of the symmetric ones."""

    family: str
    board: str
    metric: str
    symmetry: str = ""

    @property
    def path(self) -> Path:
        parts = [self.metric, self.board.replace(":", "-"), self.symmetry]
        return FOLDER / ("-".join(part for part in parts if part) + ".json")

    @property
    def problem(self) -> Problem:
        symmetry = (Symmetry.parse(self.symmetry),) if self.symmetry else ()
        return Problem(graph_of(self.board), "cycle", self.metric, symmetry=symmetry)


FAMILIES: dict[str, tuple[str, list[Case]]] = {
    "squares": ("n×n", [Case("squares", f"{n}x{n}", m) for m in BOTH for n in range(10, 61, 2)]),
    "rectangles": (
        "Rectangles",
        [
            Case("rectangles", board, m)
            for m in BOTH
            for board in ("10x11", "10x15", "10x20", "12x15", "15x16", "16x20", "20x21", "20x30", "30x40", "40x60")
        ],
    ),
    "corner": (
        "n×n without a corner, n odd",
        [Case("corner", f"{n}x{n}-a1", m) for m in BOTH for n in range(5, 26, 2)],
    ),
    "quarter": (
        "n×n, symmetric under a quarter turn",
        [Case("quarter", f"{n}x{n}", m, "rot90") for m in BOTH for n in range(6, 31, 4)],
    ),
    "aztec": ("Aztec diamonds", [Case("aztec", f"aztec:{r}", m) for m in BOTH for r in range(3, 21)]),
    "boxes": (
        "Boxes",
        [
            Case("boxes", board, m)
            for m in BOTH
            for board in (
                "2x3x6",
                "2x4x4",
                "3x3x4",
                "3x4x4",
                "4x4x4",
                "4x4x5",
                "4x4x6",
                "5x5x4",
                "6x6x4",
                "6x6x6",
                "8x8x8",
            )
        ],
    ),
}


def read_record(path: Path) -> tuple[Tour, dict[str, Any]] | None:
    """The tour in a record's file, and all that stands there; None if there is none yet.

    A certificate of an older version is left out: it is made again, and until then the bound is only stated.
    """
    if not path.exists():
        return None
    data = json.loads(path.read_text())
    if data.get("certificate", {}).get("version") != FORMAT_VERSION:
        data.pop("certificate", None)
    return read_tour(path), data


def start_of(case: Case, seed: int, exchanges: int) -> tuple[Tour | None, str]:
    """A tour to begin with, after so many exchanges for each cell, and where it comes from."""
    problem = case.problem
    plain = replace(problem, objective=None)
    if case.symmetry:
        edges = find(plain, "quotient", limits=Limits(60, workers=1, seed=seed)).edges
        if edges is None:
            return None, ""
        steps = exchanges * problem.graph.n // len(problem.group)
        better = improve_orbits(problem, edges, max_steps=steps, limits=Limits(seed=seed))
        return Result(problem, "feasible", edges=better).tour, "annealing"
    limits, steps = Limits(seed=seed), exchanges * problem.graph.n
    if problem.graph.n >= 400 and seed % 2 == 0 and (first := construct(problem)) and first.tour is not None:
        source = f"annealing from {first.engine.removeprefix('find/')}"
        return exchange(first.tour, problem, max_steps=steps, phases=LUKEWARM, limits=limits), source
    tour = find(plain, "merge", limits=limits).tour
    if tour is None:
        return None, ""
    return exchange(tour, problem, max_steps=steps, phases=HOT, limits=limits), "annealing"


def keep(case: Case, result: Result, source: str) -> bool:
    """Write a result down if it is better than the record; whether it was.

    A certificate that is there already stays if the new one, or none, shows less.
    """
    previous = read_record(case.path)
    certificate, written = result.certificate, None
    if previous is not None:
        tour, written = previous
        if "certificate" in written and (certificate is None or (certificate.bound or 0) < written["bound"]):
            certificate = Certificate.from_json(written["certificate"])
        if result.value is None or written["value"] <= result.value:
            result, source = replace(result, tour=tour, edges=None), written["engine"]
    bound = certificate.bound if certificate else None
    if written is not None and written.get("bound", 0) > (bound or 0):
        certificate, bound = None, written["bound"]  # Stated, until it is shown again
    as_before = written is not None and (certificate is None or "certificate" in written)
    if as_before and written is not None and (result.value, bound) == (written["value"], written.get("bound")):
        return False
    status: Any = "optimal" if bound is not None and bound == result.value else "feasible"
    result = Result(case.problem, status, result.tour, bound=bound, certificate=certificate, engine=source)
    FOLDER.mkdir(exist_ok=True)
    write_atomic(case.path, json.dumps(result.to_json(), separators=(",", ":")) + "\n")
    if written is None or result.value != written["value"]:
        print(f"{case.path.name}: {written['value'] if written else '-'} -> {result.value} ({source})", flush=True)
        return True
    return False


def work_on(case: Case, seconds: float, seed: int, fresh: bool, workers: int | None, exchanges: int) -> None:
    """Improve a record for a while, or make the first; `fresh` begins from a new tour instead."""
    record = read_record(case.path)
    if record is not None and record[1]["status"] == "optimal":
        return
    if record is None or fresh:
        tour, source = start_of(case, seed, exchanges)
        if tour is None:
            return
        keep(case, Result(case.problem, "feasible", tour), source)
        source = f"improve from {source}"
        if not seconds:
            return
    else:
        tour, source = record[0], record[1]["engine"]
        source = source if source.startswith("improve") else f"improve from {source}"
    result = improve(
        tour,
        case.problem,
        limits=Limits(seconds, workers=workers, seed=seed),
        anneal=False,
        bound=record is None or "certificate" not in record[1],
        on_improvement=lambda better: keep(case, better, source),
    )
    keep(case, result, source)


def bound(case: Case, seconds: float, workers: int | None = None) -> None:
    """Show the best bound that is to be had in some seconds, and put its certificate into the record.

    First what a relaxation gives, then what is only stated there, then one more at a time. A better tour that branch
    and bound meets on the way is kept. For crossings of a large board `bands`, which `auto` leaves out, comes first.
    """
    limits, claim = Limits(seconds, workers=workers), None
    if applies(case.problem) and case.problem.graph.n > LARGE and (known := read_record(case.path)):
        with suppress(KTError):  # No time, or the board is too wide
            made = certify_lower_bound(case.problem, method="bands", limits=limits.part(BANDS))
            keep(case, Result(case.problem, "feasible", known[0], bound=made.bound, certificate=made), "")
    record = read_record(case.path)
    if record is None:
        return
    tour, written = record
    stated = written.get("bound", 0)
    proved = stated if "certificate" in written else -1
    while proved < written["value"]:
        try:
            settles = claim == written["value"]
            certificate = certify_lower_bound(case.problem, claim, limits=limits, small=settles, known=False)
        except NotShown:
            if proved < stated:
                print(f"{case.path.name}: at least {stated} is stated, and {proved} shown", flush=True)
            return
        except TooHigh as better:
            keep(case, Result(case.problem, "feasible", edges=better.edges), "branch and bound")
            tour, written = read_record(case.path) or record
            continue
        keep(case, Result(case.problem, "feasible", tour, bound=certificate.bound, certificate=certificate), "")
        proved = max(proved, certificate.cost_bound or 0)
        claim = stated if proved < stated else lift_total(case.problem, proved + 1, 1)


def take(folder: Path, source: str) -> None:
    """Take in the tours of a folder that are better than records; symmetric ones count there too."""
    cases = [case for _, family in FAMILIES.values() for case in family]
    for path in sorted(folder.rglob("*.json")):
        try:
            tour = read_tour(path)
        except KTError:
            continue
        for case in cases:
            if tour.graph != case.problem.graph or not tour.closed:
                continue
            try:
                keep(case, Result(case.problem, "feasible", tour), source or path.stem)
            except InvalidTour as error:
                if not case.symmetry:
                    print(f"{path}: {error}")


def proved_bound(case: Case, written: dict[str, Any]) -> tuple[int | None, str]:
    """The best bound shown by a file of this repository, and a link to that file if it is not the record's own."""
    bound, link = written.get("bound"), ""
    other = FOLDER.parent / "results" / case.path.name
    if other.exists() and (data := json.loads(other.read_text())).get("certificate") and data["bound"] > (bound or 0):
        bound, link = data["bound"], f"../../heuristics/delivered/results/{case.path.name}"
    board = case.problem.graph.board
    if board is not None and board.is_box and board.dimension == 2:
        for name, claim in theorems():
            size = board.shape[:1] if claim.boards.shape == "squares" else board.shape
            if claim.boards.includes(*board.shape) and claim.symmetry in ("", case.symmetry):
                known = [ceil(b.at(sum(size))) for b in claim.bounds if b.metric == case.metric]
                if max(known, default=0) > (bound or 0):
                    bound, link = max(known), f"../../heuristics/delivered/results/{name}"
    return bound, link


@cache
def theorems() -> list[tuple[str, FamilyStatement]]:
    """What is claimed of closed tours of all large rectangles, each with its file."""
    kinds, results = ("all-n", "border", "quarter"), FOLDER.parent / "results"
    paths = [path for kind in kinds for path in results.glob(f"*-{kind}*.json")]
    files = {path.name: json.loads(path.read_text()) for path in paths}
    return [(name, claim) for name, data in files.items() for claim in claims_of(data, data["kind"]) if claim.closed]


def rows_of(family: list[Case]) -> Iterator[str]:
    """A line for each board with a record: the value, bold where proved best, and the bound for all its tours."""
    yield "| board | turns | at least | crossings | at least |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for board, symmetry in dict.fromkeys((case.board, case.symmetry) for case in family):
        cells = []
        for metric in BOTH:
            case = Case(family[0].family, board, metric, symmetry)
            record = read_record(case.path)
            if record is None:
                cells += [""] * 2
                continue
            value = record[1]["value"]
            bound, link = proved_bound(case, record[1])
            mark = "**" if value == (bound or 0) else ""
            text = "" if bound is None else f"[{bound}]({link})" if link else str(bound)
            cells += [f"{mark}[{value}](../../heuristics/delivered/records/{case.path.name}){mark}", text]
        if any(cells):
            yield f"| {board.replace('x', '×').replace('aztec:', 'Aztec diamond ')} | {' | '.join(cells)} |"


def table() -> None:
    """Put the tables into docs/data/records.md between the marks."""
    lines = []
    for title, family in FAMILIES.values():
        lines += [f"## {title}", "", *rows_of(family), ""]
    begin, end = "<!-- tables: research/records.py --table -->", "<!-- end of tables -->"
    before, _, rest = PAGE.read_text().partition(begin)
    after = rest.partition(end)[2]
    write_atomic(PAGE, "\n".join([before + begin, "", *lines, end]) + after)


def sizes_of(text: str) -> set[int]:
    first, _, last = text.partition("-")
    return set(range(int(first), int(last or first) + 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--family", choices=FAMILIES, help="by default squares, if sizes are given, otherwise all")
    parser.add_argument("--metric", choices=BOTH)
    parser.add_argument("--sizes", type=sizes_of, help="of n×n boards: 10-40")
    parser.add_argument("--board", help="one board")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each record; 0: the exchanges alone")
    parser.add_argument("--exchanges", type=int, default=ANNEALING, help="for each cell of a new start")
    parser.add_argument("--hours", type=float, help="go on for so long, again and again")
    parser.add_argument("--seed", type=int, default=int(time.time()) % 2**31)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--fresh", action="store_true", help="begin from a new tour, not from the record")
    parser.add_argument(
        "--missing", action="store_true", help="only where there is no record, or (--bounds) no certificate"
    )
    parser.add_argument("--bounds", action="store_true", help="no search: look for better bounds")
    parser.add_argument("--take", type=Path, metavar="FOLDER")
    parser.add_argument("--source", default="", help="with --take: where they come from, for the table")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    if options.take:
        take(options.take, options.source)
    elif options.hours:
        go_on(options)
    elif options.table:
        for path in sorted(FOLDER.glob("*.json")):
            check_file(path)
    else:
        run(options)
    table()


def chosen_cases(options: argparse.Namespace) -> list[Case]:
    """The cases that the options choose."""
    family = options.family or ("squares" if options.sizes else None)
    cases = [case for name, (_, cases) in FAMILIES.items() if family in (None, name) for case in cases]
    cases = [c for c in cases if options.metric in (None, c.metric) and options.board in (None, c.board)]
    return [c for c in cases if not options.sizes or int(c.board.split("x")[0]) in options.sizes]


def go_on(options: argparse.Namespace) -> None:
    """A new start, windows and a bound by turns, for one record after the other, the widest gap first."""
    end = time.monotonic() + 3600 * options.hours
    for number in itertools.count(options.seed):
        for case in sorted(chosen_cases(options), key=relative_gap):
            left = end - time.monotonic()
            if left <= 0:
                return
            seconds = min(options.seconds, left)
            if number % 3 == 2:
                bound(case, seconds, options.workers)
            else:
                work_on(case, seconds, number, number % 3 == 0, options.workers, options.exchanges)


def relative_gap(case: Case) -> float:
    """The bound over the value: 0 where either is not known."""
    record = read_record(case.path)
    return (record[1].get("bound") or 0) / max(1, record[1]["value"]) if record else 0.0


def run(options: argparse.Namespace) -> None:
    """Work on the cases that the options choose, one after the other."""
    for case in chosen_cases(options):
        if options.missing and not options.bounds and case.path.exists():
            continue
        if options.bounds:
            if options.missing and (record := read_record(case.path)) and "certificate" in record[1]:
                continue
            bound(case, options.seconds, options.workers)
        else:
            work_on(case, options.seconds, options.seed, options.fresh, options.workers, options.exchanges)


if __name__ == "__main__":
    main()
