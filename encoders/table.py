"""Rows of boards and measures: the best known value and bound, their source, and the seconds.

`kt table`, `kt compare` and `kt best` print these rows.
"""

from __future__ import annotations

import csv
import io
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from encoders.solve import begin
from encoders.stages import Request, answer
from encoders.work.run import Run
from heuristics.obstruction import find_obstruction
from kt_models.arguments import require_items, require_number
from kt_models.errors import KTError, about, excerpt, shortened
from kt_models.files.boards import graph_from
from kt_models.files.check import result_from_json
from kt_models.files.workbook import workbook
from kt_models.json_version import FORMAT_VERSION, read_document
from kt_models.leaper import Leaper, Rider
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.runs.folder import locked
from kt_models.storage import read_json
from kt_models.writing import write_json

KIND, FILE = "table", "table.json"
HEAD = ("board", "measure", "value", "bound", "gap", "evidence", "seconds")
CSV_COLUMNS = (
    "board",
    "cells",
    "measure",
    "status",
    "value",
    "bound",
    "gap",
    "how",
    "certificate",
    "seconds",
    "complete",
)
MAX_NAME = 24
"""Longest name of a board in a table, in characters."""
LEFT = (0, 1, 5, 6)
"""Columns that are aligned to the left."""
BOUND_SECONDS = 120.0
"""Longest time for a bound of the cheap stages; on an idle machine they take tenths of a second."""
MAX_BOARDS = 10_000


@dataclass(frozen=True)
class BoardRow:
    """A board, a measure, and the known answer.

    Parameters
    ----------
    result
        The best tour and the bound of a problem with an objective.
    seconds
        Seconds for the row.
    complete
        Whether the row had all the time that it was to have, or is answered.
    """

    result: Result
    seconds: float
    complete: bool = True

    @property
    def known_by(self) -> str:
        """The source of value and bound, in a few words."""
        result = self.result
        if result.status == "infeasible":
            return result.reason or result.how
        words = [] if result.edges is not None else ["no tour known"]
        if result.certificate is not None:
            words.append(f"certificate checked ({result.certificate.method})")
        elif result.status == "optimal" or result.bound:
            words.append(f"{result.engine}, bound not certified")
        if result.stated is not None:
            words.append(f"stated: {result.stated.text}")
        words = words or ["tour verified"]
        return "; ".join(words if self.complete else [*words, "stopped early"])

    @property
    def measure(self) -> str:
        """Name of the objective."""
        return self.result.problem.objective_name or "value"

    @property
    def cells(self) -> list[str]:
        """The texts of `HEAD`."""
        result, problem = self.result, self.result.problem
        if result.status == "infeasible":
            numbers = ["none", "", ""]
        else:
            known = (result.value, result.bound, result.gap)
            numbers = ["" if number is None else f"{number:,}" for number in known]
        return [shortened(problem.graph.name, MAX_NAME), self.measure, *numbers, self.known_by, f"{self.seconds:.2f} s"]

    def to_json(self) -> dict[str, Any]:
        """The keys of docs/use/format.md."""
        result, problem = self.result, self.result.problem
        return {
            "board": problem.graph.name,
            "cells": problem.graph.vertex_count,
            "measure": self.measure,
            "status": result.status,
            "value": result.value,
            "bound": result.bound,
            "gap": result.gap,
            "how": self.known_by,
            "certificate": None if result.certificate is None else result.certificate.method,
            "seconds": round(self.seconds, 3),
            "complete": self.complete,
        }


def lines(rows: Iterable[BoardRow]) -> list[list[str]]:
    """The texts of the rows, after the head."""
    return [list(HEAD), *(row.cells for row in rows)]


def csv_text(rows: Iterable[BoardRow]) -> str:
    """The rows as CSV, for a spreadsheet."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, CSV_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(row.to_json() for row in rows)
    return stream.getvalue()


def sheet(rows: Iterable[BoardRow]) -> bytes:
    """The same as a workbook."""
    return workbook(
        CSV_COLUMNS, ([data[name] for name in CSV_COLUMNS] for data in (row.to_json() for row in rows)), KIND
    )


def plot(rows: Sequence[BoardRow]) -> bytes:
    """Value and bound of each board as SVG, with a panel for each measure."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    from drawing.figure import image_of

    measures = list(dict.fromkeys(row.measure for row in rows)) or [""]
    boards = list(dict.fromkeys(row.result.problem.graph.name for row in rows))
    figure = Figure(figsize=(max(6.0, 2.5 + 0.4 * len(boards)), 1 + 2.7 * len(measures)), layout="constrained")
    panels = figure.subplots(len(measures), 1, squeeze=False)[:, 0]
    for axes, measure in zip(panels, measures, strict=True):
        measured = [row.to_json() for row in rows if row.measure == measure]
        for key, style, label in (("bound", "_", "bound"), ("value", "o", "best tour")):
            points = [(boards.index(row["board"]), row[key]) for row in measured if row[key] is not None]
            if points:
                axes.plot(*zip(*points, strict=True), style, ms=5 if style == "o" else 12, label=label)
        axes.set_xticks(range(len(boards)), boards, rotation=60 if len(boards) > 6 else 0)
        axes.set_ylabel(measure)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(alpha=0.3)
        if axes.lines:
            axes.legend(fontsize=7, frameon=False)
    return image_of(figure, "svg")


def boards_of(texts: str | Iterable[str]) -> list[str]:
    """The boards of a text, or of several: `8x8`, or ranges such as `6x6..12x12`, `3x10..3x16` or `aztec:2..aztec:9`.

    The numbers that differ increase by one together. If they cannot in a range of rectangles, as in `5x6..8x8`, the
    range is all rectangles with sides from 5 to 8 and from 6 to 8, each once in either orientation.

    Raises
    ------
    KTError
        If a text is not a board, or a range is impossible.
    """
    wanted = "a text such as '8x8' or '6x6..12x12', or a list of some"
    names = [texts] if isinstance(texts, str) else require_items(texts, "boards", wanted)
    if not names or not all(isinstance(text, str) for text in names):
        raise KTError(f"boards must be {wanted}, got {excerpt(texts)}")
    boards: list[str] = []
    for text in names:
        first, dots, last = text.partition("..")
        if not dots or text.startswith((".", "@")) or "/" in text:
            boards.append(text)
        else:
            boards += _range(text, first, last)
    return list(dict.fromkeys(boards))


def _range(text: str, first: str, last: str) -> Iterator[str]:
    low, high = ([int(word) for word in re.findall(r"[0-9]{1,9}", end)] for end in (first, last))
    shape = re.sub(r"[0-9]+", "{}", first)
    # The differences between both ends: a range goes up by one step in all its numbers that differ.
    steps = {b - a for a, b in zip(low, high, strict=False) if a != b} or {0}
    rectangles = shape == "{}x{}"
    if (
        shape != re.sub(r"[0-9]+", "{}", last)
        or len(low) != len(high)
        or min(steps) < 0
        or (len(steps) != 1 and not rectangles)
    ):
        raise KTError(f"boards {text}: write a range as 6x6..12x12, 5x6..8x8, 3x10..3x16 or aztec:2..aztec:9")
    count = max(steps) + 1 if len(steps) == 1 else (high[0] - low[0] + 1) * (high[1] - low[1] + 1)
    if count > MAX_BOARDS:
        raise KTError(f"boards {text}: at most {MAX_BOARDS:,}")
    if len(steps) == 1:
        for step in range(count):
            yield shape.format(*(a if a == b else a + step for a, b in zip(low, high, strict=True)))
        return
    seen = set()
    # 5x6 and 6x5 have the same answers.
    for sides in product(*(range(a, b + 1) for a, b in zip(low, high, strict=True))):
        turned = tuple(sorted(sides))
        if turned not in seen:
            seen.add(turned)
            yield shape.format(*sides)


def settle(problem: Problem, seconds: float, limits: Limits = NO_LIMITS, *, best: bool = True) -> Iterator[BoardRow]:
    """Yield the quick answer, and then, unless it is the last word, the one that the time of a proof gives.

    Parameters
    ----------
    seconds
        Seconds to prove the optimum; 0 for the best known answer and a cheap bound.
    best
        Whether to start from the best known tour and bound.
    """
    started = time.monotonic()
    if certificate := find_obstruction(problem, limits):
        yield BoardRow(Result(problem, "infeasible", certificate=certificate), time.monotonic() - started)
        return
    run = Run.of(problem, limits.within(max(seconds, BOUND_SECONDS)))
    solving = begin(Request(problem, hint="best" if best else True, cheap_only=True), run)
    known = answer(solving)
    spent = time.monotonic() - started
    yield BoardRow(known, spent, known.answered or not limits.over)
    if known.answered or not seconds:
        return
    started = time.monotonic()
    result = solving.go_on(known, limits.within(seconds))
    yield BoardRow(result, spent + time.monotonic() - started, result.answered or not limits.over)


class BoardTable:
    """Rows that are filled one after the other, and kept in a folder if there is one.

    Parameters
    ----------
    problems
        The problems of the rows.
    seconds, best
        As for `settle`.
    folder
        A folder that keeps the rows; a table of the same problems continues there.
    """

    def __init__(
        self,
        problems: Sequence[Problem],
        seconds: float = 10.0,
        *,
        best: bool = True,
        folder: str | os.PathLike[str] | None = None,
    ) -> None:
        if not problems or any(problem.objective is None for problem in problems):
            raise KTError("a table is of problems with an objective")
        if not 0 <= require_number(seconds, "seconds") < 1e9:
            raise KTError(f"seconds {seconds}: they are not below 0")
        self.problems, self.seconds, self.best, self.folder = list(problems), seconds, best, folder
        self.rows: list[BoardRow] = []

    @property
    def complete(self) -> bool:
        """Whether all rows are filled and complete."""
        return len(self.rows) == len(self.problems) and all(row.complete for row in self.rows)

    def fill(
        self, limits: Limits = NO_LIMITS, on_progress: Listener = silent, on_row: Callable[[BoardRow], object] = id
    ) -> None:
        """Fill the rows until the limits are reached; a row that they cut short is not kept in the folder.

        Raises
        ------
        KTError
            If the folder holds another kind of data.
        """
        with ExitStack() as stack:
            path, known = None, dict[str, tuple[BoardRow, float]]()
            if self.folder is not None:
                stack.enter_context(locked(self.folder))
                path = Path(self.folder) / FILE
                if path.exists():
                    with about(path):
                        known = _rows_from(read_json(path), limits)
            for problem in self.problems:
                row, allowed = known.get(problem.digest, (None, -1.0))
                # A row with an answer, or one that had as much time, need not be computed again.
                if row is None or not (row.result.answered or allowed >= self.seconds):
                    if limits.over:
                        return
                    on_progress(Report(words=f"{problem.graph.name}: {problem.objective_name}"))
                    *_, row = settle(problem, self.seconds, limits, best=self.best)
                    if row.complete:
                        known[problem.digest] = (row, self.seconds)
                    if row.complete and path is not None:
                        # The file is written after each row, so that nothing is lost.
                        write_json(path, _document(known.values()))
                self.rows.append(row)
                on_row(row)

    def to_json(self) -> dict[str, Any]:
        """The JSON object of `kt table --json`."""
        return {"kind": KIND, "complete": self.complete, "rows": [row.to_json() for row in self.rows]}


def _document(known: Iterable[tuple[BoardRow, float]]) -> dict[str, Any]:
    """The JSON object of a folder's file: whole results, so that reading it checks their tours and certificates."""
    rows = [{"seconds": row.seconds, "allowed": allowed, "result": row.result.to_json()} for row, allowed in known]
    return {"version": FORMAT_VERSION, "kind": KIND, "results": rows}


def _rows_from(data: Any, limits: Limits) -> dict[str, tuple[BoardRow, float]]:
    if not isinstance(data, dict) or data.get("kind") != KIND or not isinstance(data.get("results"), list):
        raise KTError("not the rows of a table")
    known = {}
    for entry in read_document(data, KIND)["results"]:
        if not isinstance(entry, dict) or not isinstance(entry.get("result"), dict):
            raise KTError("'results' is not a list of objects with 'result'")
        result = result_from_json(entry["result"], limits)
        result = result.with_notes(engine=str(entry["result"].get("engine", ""))[:80])
        seconds, allowed = (require_number(entry.get(name), repr(name)) for name in ("seconds", "allowed"))
        known[result.problem.digest] = (BoardRow(result, seconds), allowed)
    return known


def problems_of(
    boards: str | Iterable[str],
    measures: Sequence[str],
    *,
    closed: bool = True,
    leaper: Leaper | Rider | str | tuple[int, ...] | None = None,
    cells: str | None = None,
) -> list[Problem]:
    """The problems of a table: each board with each measure, written as for `minimize`; `cells` as for `graph_from`."""
    from kt_models.files.problems import problem_from

    graphs = [graph_from(text, leaper, cells=cells) for text in boards_of(boards)]
    return [problem_from(graph, minimize=measure, open=not closed) for graph in graphs for measure in measures]
