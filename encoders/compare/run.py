"""`compare`: what each method of `find` gives on a board, beside the bound that is shown and the optimum.

A method is asked for any tour, as it knows nothing of the objective; local search then makes better what `merge` gives.
Every try is a call of its own, here or in a pool of processes, with a seed of its own and its processor seconds.
"""

from __future__ import annotations

import json
import re
import statistics
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from encoders.stages import Solving, answer
from encoders.stages.start import EXCHANGES_PER_CELL
from encoders.work.run import Run
from heuristics.find import METHODS, find, method_named
from heuristics.obstruction import find_obstruction
from kt_models.arguments import require_items
from kt_models.errors import KTError, excerpt
from kt_models.files.boards import graph_from
from kt_models.leaper import Leaper
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.machine import Pool
from kt_models.problem import Problem
from kt_models.result import Result

LOCAL = "local-search"
"""The column of `heuristics.local_search`, which is no method of `find`."""
BOUND_SECONDS = 120.0
"""Longest time for a bound that takes a moment on a machine without other work."""
MAX_BOARDS, MAX_TRIES = 10_000, 10_000
_warm: set[str] = set()
"""Methods whose code is compiled and loaded in this process."""


@dataclass(frozen=True)
class Effort:
    """How much is done for a board.

    Parameters
    ----------
    tries
        Of each search; a construction gives the same tour every time and is asked once.
    seconds
        Of the clock, for each try.
    proof
        Seconds to prove the optimum in; 0: only the best known, and a bound that takes a moment.
    best
        Whether bound and optimum begin with the best known.
    """

    tries: int = 5
    seconds: float = 2.0
    proof: float = 10.0
    best: bool = True

    def __post_init__(self) -> None:
        if not 1 <= self.tries <= MAX_TRIES:
            raise KTError(f"tries {self.tries}: it is a number from 1 to {MAX_TRIES:,}")
        if not 0 < self.seconds < 1e9 or not 0 <= self.proof < 1e9:
            raise KTError("the seconds of a try are above 0, those of a proof not below it")


@dataclass(frozen=True)
class Score:
    """What came of a method on a board.

    Parameters
    ----------
    method
        Its name.
    values
        Of the tours that it found, in the order of the tries.
    seconds
        Processor seconds of each try.
    """

    method: str
    values: tuple[int, ...]
    seconds: tuple[float, ...]

    @property
    def best(self) -> int | None:
        """The least value."""
        return min(self.values, default=None)

    @property
    def median(self) -> float | None:
        """Of the values; None without one."""
        return statistics.median(self.values) if self.values else None

    @property
    def time(self) -> float:
        """The median of the seconds."""
        return statistics.median(self.seconds)


@dataclass(frozen=True)
class Comparison:
    """A row: a board, what the methods gave, and what is shown.

    Parameters
    ----------
    problem
        The board and what is to be least.
    scores
        Of the methods that take the board.
    result
        The best tour known to `encoders.solve`, and the bound.
    """

    problem: Problem
    scores: tuple[Score, ...]
    result: Result

    @property
    def bound(self) -> int | None:
        """The bound that a certificate shows."""
        return self.result.bound if self.result.certificate is not None else None

    @property
    def optimum(self) -> int | None:
        """The least value, if it is proved."""
        return self.result.value if self.result.status == "optimal" else None

    @property
    def reference(self) -> int | None:
        """What values are held against: the optimum, or the bound."""
        return self.bound if self.optimum is None else self.optimum

    @property
    def best(self) -> int | None:
        """The least value of all methods."""
        return min((score.best for score in self.scores if score.best is not None), default=None)

    @property
    def least_value(self) -> int | None:
        """The least value there is, theirs or another one."""
        return min((value for value in (self.best, self.result.value) if value is not None), default=None)

    def gap(self, value: float | None) -> float | None:
        """By how many per cent a value is above the optimum, or at most above it where only a bound is known."""
        return None if value is None or not self.reference else 100 * (value / self.reference - 1)

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


def boards_of(texts: str | Iterable[str]) -> list[str]:
    """The boards that a text means, or several: `8x8`, or ranges: `6x6..12x12`, `3x10..3x16` or `aztec:2..aztec:9`.

    The numbers that differ go up by one together.

    Raises
    ------
    KTError
        If these are no texts, or a range makes no sense.
    """
    wanted = "a text such as '8x8' or '6x6..12x12', or a list of some"
    given = [texts] if isinstance(texts, str) else require_items(texts, "boards", wanted)
    if not given or not all(isinstance(text, str) for text in given):
        raise KTError(f"boards must be {wanted}, got {excerpt(texts)}")
    boards: list[str] = []
    for text in given:
        first, dots, last = text.partition("..")
        if not dots or text.startswith((".", "@")) or "/" in text:
            boards.append(text)
            continue
        low, high = ([int(word) for word in re.findall(r"[0-9]{1,9}", end)] for end in (first, last))
        shape = re.sub(r"[0-9]+", "{}", first)
        steps = {b - a for a, b in zip(low, high, strict=False) if a != b} or {0}
        if shape != re.sub(r"[0-9]+", "{}", last) or len(low) != len(high) or len(steps) != 1 or min(steps) < 0:
            raise KTError(f"boards {text}: a range is written 6x6..12x12, 3x10..3x16 or aztec:2..aztec:9")
        if max(steps) >= MAX_BOARDS:
            raise KTError(f"boards {text}: at most {MAX_BOARDS:,}")
        for step in range(max(steps) + 1):
            boards.append(shape.format(*(a if a == b else a + step for a, b in zip(low, high, strict=True))))
    return list(dict.fromkeys(boards))


def compare(
    boards: str | Iterable[str],
    metric: str,
    *,
    closed: bool = True,
    leaper: Leaper | str | tuple[int, ...] | None = None,
    effort: Effort | None = None,
    limits: Limits = NO_LIMITS,
    pool: Pool | None = None,
    on_progress: Listener = silent,
) -> Iterator[Comparison]:
    """Board by board, the methods of `find` beside the bound and the optimum.

    Parameters
    ----------
    boards
        As `boards_of` reads them.
    metric
        `turns` or `crossings`.
    closed, leaper
        Of the tours.
    effort
        How much is done.
    limits
        For everything; a board that they cut short is not given.
    pool
        Who does the tries; without one this process.
    on_progress
        Told what is done next, in words.

    Yields
    ------
    Comparison
        One for each board, those without a tour too.

    Raises
    ------
    KTError
        If a board or the metric makes no sense; before anything is done.

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
        if certificate := find_obstruction(problem, limits):
            yield Comparison(problem, (), Result(problem, "infeasible", certificate=certificate))
            continue
        scores = tuple(_scores(problem, effort, limits, pool, on_progress))
        on_progress(Report(words=f"{name}: bound and optimum"))
        result = Result(problem, "unknown") if limits.over else _shown(problem, effort, limits)
        if limits.over:
            return
        yield Comparison(problem, scores, result)


def _scores(
    problem: Problem, effort: Effort, limits: Limits, pool: Pool | None, on_progress: Listener
) -> Iterator[Score]:
    """What the methods give that take a problem."""
    from heuristics.experiments.calls import outcomes

    text = json.dumps(problem.to_json())
    rows = [row for row in METHODS.values() if row.applies(problem)]
    calls = [
        (text, name, number, effort.seconds)
        for name, tries in [*((row.name, 1 if row.constructs else effort.tries) for row in rows), (LOCAL, effort.tries)]
        for number in range(tries)
    ]
    tries: dict[str, list[tuple[int | None, float]]] = {}
    for (_, name, number, _), (status, value, seconds) in outcomes(attempt, calls, limits, pool):
        on_progress(Report(words=f"{problem.graph.name}: {name}, try {number + 1}"))
        if status != "refused":  # it is not for this board
            tries.setdefault(name, []).append((value, seconds))
    for name, rows_ in tries.items():
        yield Score(name, tuple(v for v, _ in rows_ if v is not None), tuple(s for _, s in rows_))


def attempt(text: str, name: str, number: int, seconds: float, limits: Limits) -> tuple[str, int | None, float]:
    """One try of a method: `found`, `none` or `refused`; the value of its tour; and the processor seconds."""
    problem = _problem(text)
    if name not in _warm:  # a try in vain, in which its loops are read or compiled
        _warm.add(name)
        attempt(text, name, number, seconds, limits)
    limits = replace(limits.within(seconds), workers=1, seed=(limits.seed + number) % 2**31)
    began = time.process_time()
    try:
        value = _value(problem, name, limits)
    except KTError:
        return "refused", None, 0.0
    return "none" if value is None else "found", value, time.process_time() - began


def _value(problem: Problem, name: str, limits: Limits) -> int | None:
    plain = replace(problem, objective=None)
    if name == LOCAL:
        from heuristics.local_search import improve

        tour = find(plain, "merge", limits=limits).tour
        tour = tour and improve(tour, problem, max_steps=EXCHANGES_PER_CELL * problem.graph.n, limits=limits)
    else:
        tour = find(plain, name, limits=limits, **method_named(name).parameters_for(problem)).tour
    return None if tour is None else tour.measure(problem.objective_name or "")


@lru_cache(maxsize=2)
def _problem(text: str) -> Problem:
    return Problem.from_json(json.loads(text))


def _shown(problem: Problem, effort: Effort, limits: Limits) -> Result:
    """The best tour and the bound that a certificate shows, as far as the time allows."""
    run = Run.of(problem, limits.within(max(effort.proof, BOUND_SECONDS)))
    solving = Solving(problem, run, hint="best" if effort.best else True, moments=True)
    known = answer(solving)
    if known.answered or not effort.proof:
        return known
    solving.run, solving.moments = run.again(limits.within(effort.proof)), False
    result = answer(solving)
    if result.certificate is None and result.status in ("feasible", "unknown"):  # its bound is not certified
        return replace(result, bound=known.bound, certificate=known.certificate)
    return result


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 2)
