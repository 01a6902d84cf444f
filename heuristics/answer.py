"""A problem answered without a solver: a method, or several in turn, then fewer turns or crossings for a while."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from heuristics.constructions import best_construction
from heuristics.find import Outcome, checked_parameters, find, find_any
from kt_models.errors import TooLarge
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.tour import Tour

IMPROVING = 5.0
"""Seconds given to an objective where there is no time limit."""


@dataclass(frozen=True)
class Found:
    """A result, the methods tried for it, the last one's statistics, and why an objective was not worked on, if so."""

    result: Result
    tried: list[str]
    statistics: dict[str, int | float] = field(default_factory=dict)
    remark: str = ""


def answer(
    problem: Problem,
    method: str = "",
    settings: Mapping[str, str] | None = None,
    *,
    seed: int = 0,
    time_limit: float = math.inf,
    stop: threading.Event | None = None,
    on_words: Callable[[str], None] = lambda words: None,
    on_result: Callable[[Result], None] = lambda result: None,
) -> Found:
    """Find a tour, and make it better where the problem has an objective.

    Parameters
    ----------
    method, settings
        A name of `heuristics.find.METHODS` and its parameters as texts; by default what does best.
    time_limit
        Seconds for everything; where there is none, an objective is given `IMPROVING` seconds.
    on_words, on_result
        Told what is being done, and the first tour where there is an objective.

    Raises
    ------
    KTError
        If the method cannot do what is asked, or a parameter is wrong.
    """
    stop = stop or threading.Event()
    began = time.monotonic()
    on_words(method or "searching")
    if method:
        own = checked_parameters(method, dict(settings or {}))
        tried, outcome = [method], find(problem, method, seed=seed, time_limit=time_limit, stop=stop, **own)
    elif construction := best_construction(problem, seed=seed, stop=stop):
        tried, outcome = [construction[0]], Outcome(construction[1])
    else:
        tried, outcome = find_any(problem, seed=seed, time_limit=time_limit, stop=stop)

    def result_of(tour: Tour | None) -> Result:
        seconds = time.monotonic() - began
        over = "stopped" if stop.is_set() else "time limit" if seconds >= time_limit else "gave up"
        return Result(
            problem,
            "feasible" if tour is not None else "infeasible" if outcome.exhausted else "unknown",
            tour,
            engine=f"find/{tried[-1]}",
            seconds=seconds,
            certificate=outcome.certificate,
            reason=_reason(tried, outcome.exhausted, over) if tour is None else "",
        )

    result, remark = result_of(outcome.tour), ""
    if outcome.tour is not None and problem.objective is not None:
        on_result(result)
        on_words(f"{tried[-1]}, then fewer {problem.objective_name}")
        left = IMPROVING if math.isinf(time_limit) else max(0.0, time_limit - result.seconds)
        try:
            result = result_of(_improved(outcome.tour, problem, seed=seed, time_limit=left, stop=stop))
        except TooLarge as error:
            remark = f"not improved: {error}"
    return Found(result, tried, outcome.statistics, remark)


def _improved(tour: Tour, problem: Problem, **limits: Any) -> Tour:
    from heuristics.local_search import improve

    return improve(
        tour,
        problem.objective_name or "turns",
        required=problem.required,
        forbidden=problem.forbidden,
        terminals=None if problem.closed else problem.terminals,
        **limits,
    )


def _reason(tried: list[str], exhausted: bool, over: str) -> str:
    if exhausted:
        return f"the search by {tried[-1]} is complete and found none"
    return f"not found by {', then '.join(tried)} ({over})"
