"""What is over in a moment in this process: a plain SAT search, and tours merged from random 2-factors."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from encoders.stages import Solving, Stage
from encoders.work.run import Run, in_time
from kt_models.board import IntArray
from kt_models.problem import Problem

if TYPE_CHECKING:
    from encoders.sat.plain import Budget, PlainSearch

MAX_EDGES = 50_000
"""Of the largest graph that is searched plainly."""


class PlainAnswer(NamedTuple):
    """What a search came to: who found it, and the edges of a tour, or None where there is none."""

    engine: str
    edges: IntArray | None


def found_at_once(problem: Problem, run: Run, search: PlainSearch | None = None) -> PlainAnswer | None:
    """What the second budget brings, and then some tours that are merged; None if nothing."""
    if _is_plain(problem):
        from encoders.sat.plain import SECOND_BUDGET

        search = search or _search(problem, run)
        with closing(search):
            if (answer := _answered(search, SECOND_BUDGET)) is not None:
                return answer
    from heuristics.searches.merge import merged_quickly

    tour = merged_quickly(problem, run.limits)
    return None if tour is None else PlainAnswer("find/merge", tour.edges)


def _answered(search: PlainSearch, budget: Budget) -> PlainAnswer | None:
    edges = search.work(budget)
    return None if edges is None else PlainAnswer(search.name, None if edges is False else edges)


def _search(problem: Problem, run: Run) -> PlainSearch:
    from encoders.sat.plain import PlainSearch

    return PlainSearch(problem, run.limits.check, partial(run.count, PlainSearch.name))


def _first(solving: Solving) -> PlainAnswer | None:
    from encoders.sat.plain import FIRST_BUDGET

    solving.plain_search = search = _search(solving.problem, solving.run)
    solving.run.helpers.callback(search.close)
    return _answered(search, FIRST_BUDGET)


def _tell(solving: Solving, answer: PlainAnswer | None) -> None:
    if answer is not None and answer.edges is None:
        solving.standing.refute(answer.engine)
    elif answer is not None and answer.edges is not None:
        solving.standing.accept_solution(answer.engine, answer.edges)


def work(solving: Solving) -> None:
    """Begin."""
    in_time(solving.run, lambda: _tell(solving, _first(solving)))


def go_on(solving: Solving) -> None:
    """Search on, with more."""
    in_time(solving.run, lambda: _tell(solving, found_at_once(solving.problem, solving.run, solving.plain_search)))


def _is_plain(problem: Problem) -> bool:
    """Whether one cycle or path is asked for, and any will do."""
    asked = problem.objective is not None or problem.symmetry
    return (
        problem.connectivity in ("cycle", "path")
        and not asked
        and 3 <= problem.graph.n
        and problem.graph.m <= MAX_EDGES
    )


def _serves(solving: Solving) -> bool:
    able = solving.plain and solving.searched and not solving.moments
    return able and solving.problem.graph.board is None and _is_plain(solving.problem)


FIRST = Stage(
    "plain", "a SAT search in this process, for a moment", -20, frozenset({"tour", "refutation"}), work, _serves
)
LATER = Stage(
    "late plain",
    "the same with a larger budget, and merged tours",
    16,
    frozenset({"tour", "refutation"}),
    go_on,
    lambda solving: _serves(solving) and solving.remainder is None,
)
