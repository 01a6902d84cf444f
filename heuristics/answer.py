"""A problem answered without a solver: a method, or several in turn, then fewer turns or crossings for a while."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from heuristics.constructions import best_construction
from heuristics.find import AUTOMATIC, GRACE, Outcome, checked_parameters, find, find_any
from kt_models.errors import TooLarge
from kt_models.limits import NO_LIMITS, Limits, Stopped
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
    limits: Limits = NO_LIMITS,
    on_words: Callable[[str], None] = lambda words: None,
    on_result: Callable[[Result], None] = lambda result: None,
) -> Found:
    """Find a tour, and make it better where the problem has an objective.

    Parameters
    ----------
    method, settings
        A name of `heuristics.find.METHODS` and its parameters as texts; by default what does best.
    limits
        For everything; where the time is not limited, an objective is given `IMPROVING` seconds.
    on_words, on_result
        Told what is being done, and the first tour where there is an objective.

    Raises
    ------
    KTError
        If the method cannot do what is asked, or a parameter is wrong.
    """
    on_words(method or "searching")
    limits = limits.within(None)  # which is when the clock starts
    tried, outcome = [method or AUTOMATIC[0]], Outcome()
    with contextlib.suppress(Stopped):
        tried, outcome = limits.run(lambda: _first(problem, method, settings or {}, seed, limits), GRACE)

    def result_of(tour: Tour | None) -> Result:
        over = "stopped" if limits.stopped else "time limit" if limits.over else "gave up"
        return Result(
            problem,
            "feasible" if tour is not None else "infeasible" if outcome.exhausted else "unknown",
            tour,
            engine=f"find/{tried[-1]}",
            seconds=limits.elapsed,
            certificate=outcome.certificate,
            reason=_reason(tried, outcome.exhausted, over) if tour is None else "",
        )

    result, remark = result_of(outcome.tour), ""
    if outcome.tour is not None and problem.objective is not None:
        on_result(result)
        on_words(f"{tried[-1]}, then fewer {problem.objective_name}")
        longest = limits.within(IMPROVING if limits.seconds is None else None)
        try:
            result = result_of(longest.run(partial(_improved, outcome.tour, problem, seed, longest), GRACE))
        except TooLarge as error:
            remark = f"not improved: {error}"
        except Stopped:
            remark = "not improved: the time was up"
    return Found(result, tried, outcome.statistics, remark)


def _first(
    problem: Problem, method: str, settings: Mapping[str, str], seed: int, limits: Limits
) -> tuple[list[str], Outcome]:
    """What was tried for a first tour, and what came of the last."""
    if method:
        own = checked_parameters(method, dict(settings))
        return [method], find(problem, method, seed=seed, limits=limits, **own)
    if construction := best_construction(problem, seed=seed, limits=limits):
        return [construction[0]], Outcome(construction[1])
    return find_any(problem, seed=seed, limits=limits)


def _improved(tour: Tour, problem: Problem, seed: int, limits: Limits) -> Tour:
    from heuristics.local_search import improve

    return improve(
        tour,
        problem.objective_name or "turns",
        required=problem.required,
        forbidden=problem.forbidden,
        terminals=None if problem.closed else problem.terminals,
        seed=seed,
        limits=limits,
    )


def _reason(tried: list[str], exhausted: bool, over: str) -> str:
    if exhausted:
        return f"the search by {tried[-1]} is complete and found none"
    return f"not found by {', then '.join(tried)} ({over})"
