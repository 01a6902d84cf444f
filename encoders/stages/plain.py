"""Cheap searches in this process: a plain SAT search, and tours merged from random 2-factors."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from encoders.engines import asks_any_tour
from encoders.stages import Brings, Solving, Stage
from encoders.work.run import Run, in_time
from kt_models.board import IntArray
from kt_models.problem import Problem

if TYPE_CHECKING:
    from encoders.sat.plain import PlainSearch

MAX_EDGES = 50_000
"""Edges of the largest graph for the plain search; larger ones take longer than tenths of a second."""


class PlainAnswer(NamedTuple):
    """The answer of a search: the engine, and the edges of a tour, or None if there is none."""

    engine: str
    edges: IntArray | None


def search_of(problem: Problem, run: Run) -> PlainSearch | None:
    """The search for a problem, which ends with the run; None if it does not apply."""
    if not _is_plain(problem):
        return None
    from encoders.sat.plain import PlainSearch

    search = PlainSearch(problem, run.limits.check, partial(run.count, PlainSearch.name))
    run.helpers.callback(search.close)
    return search


def answered(search: PlainSearch | None, turn: int) -> PlainAnswer | None:
    """The answer of a search within the next of its budgets; None if the budget is used up."""
    from encoders.sat.plain import BUDGETS

    edges = None if search is None else search.work(BUDGETS[turn])
    return None if search is None or edges is None else PlainAnswer(search.name, None if edges is False else edges)


def merged(problem: Problem, run: Run) -> PlainAnswer | None:
    """A tour merged from a random 2-factor, if few of them are needed."""
    from heuristics.searches.merge import merged_quickly

    tour = merged_quickly(problem, run.limits)
    return None if tour is None else PlainAnswer("find/merge", tour.edges)


def _tell(solving: Solving, answer: PlainAnswer | None) -> None:
    if answer is not None and answer.edges is None:
        solving.standing.refute(answer.engine)
    elif answer is not None and answer.edges is not None:
        solving.standing.accept_solution(answer.engine, answer.edges)


def work(solving: Solving) -> None:
    """Spend the first budget."""

    def begin() -> None:
        solving.plain_search = search_of(solving.problem, solving.run)
        _tell(solving, answered(solving.plain_search, 0))

    in_time(solving.run, begin)


def go_on(solving: Solving) -> None:
    """Spend the second budget."""
    in_time(solving.run, lambda: _tell(solving, answered(solving.plain_search, 1)))


def go_on_longer(solving: Solving) -> None:
    """Spend the third budget, and merge tours."""
    run = solving.run
    in_time(run, lambda: _tell(solving, answered(solving.plain_search, 2) or merged(solving.problem, run)))


def _is_plain(problem: Problem) -> bool:
    """Whether any cycle or path will do, and the graph is neither tiny nor too large."""
    return asks_any_tour(problem) and 3 <= problem.graph.n and problem.graph.m <= MAX_EDGES


def _applies(solving: Solving) -> bool:
    able = solving.plain and solving.searched and not (solving.cheap_only or solving.proving)
    return able and solving.problem.graph.board is None and _is_plain(solving.problem)


def _serves_whole(solving: Solving) -> bool:
    return _applies(solving) and solving.remainder is None


BRINGS: frozenset[Brings] = frozenset({"tour", "refutation"})
FIRST = Stage("plain", "a short SAT search in this process", -20, BRINGS, work, _applies)
SECOND = Stage("more plain", "the same with a larger budget", -12, BRINGS, go_on, _serves_whole)
THIRD = Stage("late plain", "the same with more again, and merged tours", 16, BRINGS, go_on_longer, _serves_whole)
