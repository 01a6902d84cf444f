"""Cheap searches of a graph, or of the parts that a reduction of it has left: in this process, before any engine."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from encoders.engines import asks_any_tour
from encoders.work.run import Run
from kt_models.board import IntArray
from kt_models.problem import Problem
from kt_models.result import Result

if TYPE_CHECKING:
    from encoders.presolve.reduce import Remainder
    from encoders.sat.plain import PlainSearch

PRESOLVE = "presolve"
"""The name of the engine in `Result.engine`."""


MAX_EDGES = 50_000
"""Edges of the largest graph for the plain search; larger ones take longer than tenths of a second."""


class PlainAnswer(NamedTuple):
    """The answer of a search: the engine, and the edges of a tour, or None if there is none."""

    engine: str
    edges: IntArray | None


def search_of(problem: Problem, run: Run) -> PlainSearch | None:
    """The search for a problem, which ends with the run; None if it does not apply."""
    if not is_plain(problem):
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


def is_plain(problem: Problem) -> bool:
    """Whether any cycle or path will do, and the graph is neither tiny nor too large."""
    return asks_any_tour(problem) and 3 <= problem.graph.n and problem.graph.m <= MAX_EDGES


class Reduction:
    """The problem that a reduction has left, and the answers for its parts.

    Parameters
    ----------
    run
        The run of the whole problem, whose standing gets the answer.
    remainder
        What is left of it.
    """

    def __init__(self, problem: Problem, run: Run, remainder: Remainder) -> None:
        self._problem, self._run, self._remainder = problem, run, remainder
        self._parts = list(remainder.problems())
        # For each part the edges of a tour, if one is known, and a search that has used up its first budgets.
        self._edges: list[IntArray | None] = [None] * len(self._parts)
        self._searches: list[PlainSearch | None] = []
        self._engines = [PRESOLVE]

    @property
    def engine(self) -> str:
        """The names of the engines that have answered."""
        return "+".join(dict.fromkeys(self._engines))

    @property
    def searched(self) -> bool:
        """Whether the smaller budgets of all parts are used up."""
        return len(self._searches) == len(self._parts) > 0

    @property
    def open_parts(self) -> Iterator[tuple[int, Problem]]:
        """The parts without a tour, with their numbers."""
        return ((number, part) for number, part in enumerate(self._parts) if self._edges[number] is None)

    def search(self) -> None:
        """Search each part with the two smaller budgets of `PlainSearch`; merge 2-factors where that does not apply."""
        for number, part in enumerate(self._parts):
            search = search_of(part, self._run)
            self._searches.append(search)
            answer = answered(search, 0) or answered(search, 1) if search else merged(part, self._run)
            if answer is not None and not self.record(number, answer):
                return
        self.join()

    def search_longer(self) -> None:
        """Search the parts that are left with the largest budget of `PlainSearch`, then merge 2-factors."""
        for number, part in self.open_parts:
            answer = answered(self._searches[number], 2) or merged(part, self._run)
            if answer is not None and not self.record(number, answer):
                return
        self.join()

    def record(self, number: int, answer: PlainAnswer) -> bool:
        """Record the answer for a part; return `False` if it shows that the part has no tour."""
        self._engines.append(answer.engine)
        self._edges[number] = answer.edges
        if answer.edges is None:
            self._run.standing.refute(self.engine)
        return answer.edges is not None

    def note(self, engine: str) -> None:
        """Note an engine that left a part open."""
        self._engines.append(engine)

    def join(self) -> None:
        """Join the tours of the parts to a tour of the problem and accept it, if every part has one."""
        known = [edges for edges in self._edges if edges is not None]
        if len(known) == len(self._edges):
            lifted = self._remainder.lift(known)
            self._run.standing.accept(Result(self._problem, "feasible", lifted, engine=self.engine))
