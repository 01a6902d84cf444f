"""`compare`: each method of `find` on a board, beside the proved bound and the optimum.

A method is asked for any tour, as it knows nothing of the objective; local search then improves a tour of `merge`.
Every try is its own call, here or in a pool of processes, with its own seed and its processor seconds.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from encoders.find import METHODS, find, method_named
from encoders.stages.start import EXCHANGES_PER_CELL
from encoders.table import BoardRow, boards_of, settle
from kt_models.display import html
from kt_models.errors import KTError, excerpt
from kt_models.files.boards import graph_from
from kt_models.leaper import Leaper, Rider
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.machine import Pool
from kt_models.problem import Problem
from kt_models.result import Result

LOCAL = "local-search"
"""The column of `heuristics.local_search`, which is no method of `find`."""
MAX_TRIES = 10_000
_warm: set[str] = set()
"""Methods whose code is compiled and loaded in this process."""


@dataclass(frozen=True)
class Effort:
    """How many tries and how much time a comparison spends on each board.

    Parameters
    ----------
    tries
        Tries of each search; a construction always gives the same tour, so it runs once.
    seconds
        Seconds of the clock for each try.
    proof
        Seconds for the proof of the optimum; with 0, only the best known tour and a quick bound.
    best
        Whether bound and optimum start from the best known ones.
    """

    tries: int = 5
    seconds: float = 2.0
    proof: float = 10.0
    best: bool = True

    def __post_init__(self) -> None:
        if not 1 <= self.tries <= MAX_TRIES:
            raise KTError(f"tries {self.tries}: must be from 1 to {MAX_TRIES:,}")
        if not 0 < self.seconds < 1e9 or not 0 <= self.proof < 1e9:
            raise KTError("the seconds of a try must be above 0, and those of a proof at least 0")


@dataclass(frozen=True)
class Score:
    """The outcome of a method on a board.

    Parameters
    ----------
    method
        Its name.
    values
        Values of the tours found, in the order of the tries.
    seconds
        Processor seconds of each try.
    """

    method: str
    values: tuple[int | float, ...]
    seconds: tuple[float, ...]

    @property
    def best(self) -> int | float | None:
        """The least value."""
        return min(self.values, default=None)

    @property
    def median(self) -> float | None:
        """The median value; None without one."""
        return statistics.median(self.values) if self.values else None

    @property
    def time(self) -> float:
        """The median of the seconds."""
        return statistics.median(self.seconds)


@dataclass(frozen=True)
class Comparison:
    """A row: a board, the outcomes of the methods, and the proved answer.

    Parameters
    ----------
    problem
        The board and the objective.
    scores
        Scores of the methods that apply to the board.
    result
        The best tour of `encoders.solve`, and the bound.
    seconds
        The time that took.
    complete
        Whether no limit cut the row short.
    """

    problem: Problem
    scores: tuple[Score, ...]
    result: Result
    seconds: float = 0.0
    complete: bool = True

    def _repr_html_(self) -> str | None:
        return html(self.result)

    @property
    def row(self) -> BoardRow:
        """The row of a table without the methods."""
        return BoardRow(self.result, self.seconds, self.complete)

    @property
    def bound(self) -> int | float | None:
        """The bound that a certificate proves."""
        return self.result.bound if self.result.certificate is not None else None

    @property
    def optimum(self) -> int | float | None:
        """The least value of all tours, if it is proved."""
        return self.result.value if self.result.status == "optimal" else None

    @property
    def reference(self) -> int | float | None:
        """The number that gaps are measured from: the optimum, or else the bound."""
        return self.bound if self.optimum is None else self.optimum

    @property
    def best(self) -> int | float | None:
        """The least value that the compared methods found."""
        return min((score.best for score in self.scores if score.best is not None), default=None)

    @property
    def least_value(self) -> int | float | None:
        """The least known value: of a compared method, or of the best known tour."""
        return min((value for value in (self.best, self.result.value) if value is not None), default=None)

    def gap(self, value: float | None) -> float | None:
        """By how many per cent a value exceeds the optimum; if only a bound is known, exceeds it at most."""
        if value is None or not self.reference:
            return None
        # Between a bound below 0 and a value above it, the optimum may be as near to 0 as one likes.
        if self.optimum is None and self.reference < 0 < value:
            return None
        return 100 * (value - self.reference) / abs(self.reference)

    def to_json(self) -> dict[str, Any]:
        """All figures."""
        result, reference = self.result, "optimum" if self.optimum is not None else "bound"
        data = {
            "board": self.problem.graph.name,
            "cells": self.problem.graph.n,
            "status": result.status,
            "bound": self.bound,
            "certificate": result.certificate.method if result.certificate else None,
            "optimum": self.optimum,
            "how": result.how,
            "best_known": self.least_value,
            "engine": result.engine,
            "gap_to": reference if self.reference is not None else None,
            "complete": self.complete,
        }
        return data | {
            "methods": [
                {
                    "method": score.method,
                    "tries": len(score.seconds),
                    "tours": len(score.values),
                    "best": score.best,
                    "median": score.median,
                    "seconds": round(score.time, 4),
                    "gap_percent": _rounded(self.gap(score.best)),
                    "median_gap_percent": _rounded(self.gap(score.median)),
                }
                for score in self.scores
            ]
        }


def compare(
    boards: str | Iterable[str],
    metric: str,
    *,
    closed: bool = True,
    leaper: Leaper | Rider | str | tuple[int, ...] | None = None,
    effort: Effort | None = None,
    limits: Limits = NO_LIMITS,
    pool: Pool | None = None,
    on_progress: Listener = silent,
) -> Iterator[Comparison]:
    """Compare the methods of `find` with the bound and the optimum, board by board.

    Parameters
    ----------
    boards
        Boards as `encoders.table.boards_of` reads them.
    metric
        A sum of measures, such as `turns` or `length + 2*angle`.
    closed, leaper
        The kind of tours.
    effort
        The effort for each board.
    limits
        Limits of everything; the row of a board that they cut short has what there is.
    pool
        The pool for the tries; without one this process.
    on_progress
        Called with the next step, in words.

    Yields
    ------
    Comparison
        One for each board, including boards without a tour.

    Raises
    ------
    KTError
        If a board or the metric is invalid; before any work.

    Examples
    --------
    >>> row, = compare(["5x6"], "turns", effort=Effort(tries=1, seconds=1))
    >>> row.optimum
    28
    """
    texts, effort = boards_of(boards), Effort() if effort is None else effort
    if not isinstance(effort, Effort):
        raise KTError(f"effort must be an Effort, got {excerpt(effort)}")
    problems = [Problem(graph_from(text, leaper), "cycle" if closed else "path", metric) for text in texts]
    return _rows(problems, effort, limits, pool, on_progress)


def _rows(
    problems: list[Problem], effort: Effort, limits: Limits, pool: Pool | None, on_progress: Listener
) -> Iterator[Comparison]:
    for problem in problems:
        if limits.over:
            return
        name = problem.graph.name
        # What is known comes first, so that a limit cuts off less.
        on_progress(Report(words=f"{name}: best known"))
        rows = settle(problem, effort.proof, limits, best=effort.best)
        row = next(rows)
        if row.result.status == "infeasible":
            yield Comparison(problem, (), row.result)
            continue
        scores = tuple(_scores(problem, effort, limits, pool, on_progress))
        if not (row.result.answered or limits.over):
            on_progress(Report(words=f"{name}: bound and optimum"))
            row = next(rows, row)
        yield Comparison(problem, scores, row.result, row.seconds, not limits.over)


def _scores(
    problem: Problem, effort: Effort, limits: Limits, pool: Pool | None, on_progress: Listener
) -> Iterator[Score]:
    """The scores of the methods that apply to a problem."""
    from heuristics.calls import outcomes

    # Texts are sent to the processes, which keep the problem that they read last.
    text = json.dumps(problem.to_json())
    rows = [row for row in METHODS.values() if row.applies(problem)]
    calls = [
        (text, name, number, effort.seconds)
        # A construction always makes the same tour, so it gets one try.
        for name, tries in [*((row.name, 1 if row.constructs else effort.tries) for row in rows), (LOCAL, effort.tries)]
        for number in range(tries)
    ]
    tries: dict[str, list[tuple[int | float | None, float]]] = {}
    for (_, name, number, _), (status, value, seconds) in outcomes(run_once, calls, limits, pool):
        on_progress(Report(words=f"{problem.graph.name}: {name}, try {number + 1}"))
        if status != "refused":  # The method does not apply to this board.
            tries.setdefault(name, []).append((value, seconds))
    for name, rows_ in tries.items():
        yield Score(name, tuple(v for v, _ in rows_ if v is not None), tuple(s for _, s in rows_))


def run_once(
    problem_text: str, method: str, number: int, seconds: float, limits: Limits
) -> tuple[str, int | float | None, float]:
    """Run a method once; return `found`, `none` or `refused`, the value of its tour, and the processor seconds.

    Parameters
    ----------
    problem_text
        The JSON of the problem.
    number
        Number of the try, which is added to the seed.
    """
    problem = _problem(problem_text)
    if method not in _warm:  # The first call loads or compiles the loops, which must not count.
        _warm.add(method)
        run_once(problem_text, method, number, seconds, limits)
    # One worker, so that the processor time is that of the method alone.
    limits = replace(limits.within(seconds), workers=1, seed=(limits.seed + number) % 2**31)
    began = time.process_time()
    try:
        value = _value(problem, method, limits)
    except KTError:
        return "refused", None, 0.0
    return "none" if value is None else "found", value, time.process_time() - began


def _value(problem: Problem, method: str, limits: Limits) -> int | float | None:
    """The value of the tour that a method finds; `None` if it finds none."""
    # Methods without an objective would otherwise refuse the problem.
    plain = replace(problem, objective=None)
    if method == LOCAL:
        from heuristics.local_search import improve

        tour = find(plain, "merge", limits=limits).tour
        tour = tour and improve(tour, problem, max_steps=EXCHANGES_PER_CELL * problem.graph.n, limits=limits)
    else:
        tour = find(plain, method, limits=limits, **method_named(method).parameters_for(problem)).tour
    return None if tour is None else problem.value(tour.edges)


@lru_cache(maxsize=2)
def _problem(text: str) -> Problem:
    return Problem.from_json(json.loads(text))


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 2)
