"""The question whether a problem has at least K tours, decided as soon as K are known.

A SAT solver is asked for one tour after the other, each different from the known ones. On all but tiny graphs it is
quicker than the depth-first search: with 162 vertices and three cycles (the generalised Petersen graph of 81 and 2) it
needs 7 s to prove that there is no fourth, and the search has not found the first after 20. If the solver has not
answered within `SOLVER_CONFLICTS`, a sweep counts all tours of a narrow graph. For a wide graph, `solve` looks for the
first tour, or for a reason that there is none; searches with other seeds look for further tours; and the solver goes on
beside these. In a dense graph, `solve` has a tour at once, and exchanges of two edges make others of it. For many
tours the depth-first search is quicker, because the solver's clauses grow with every tour.

All budgets are of conflicts, steps and bytes: a busy machine takes longer, and answers the same.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from encoders.enumeration import (
    GRACE_SECONDS,
    SETTLED,
    Listing,
    chosen_engine,
    enumerate_tours,
    sweep_tours,
    why_none,
)
from encoders.presolve.subgraph import Subgraph
from encoders.presolve.sweep import TooWide, narrow_order
from encoders.stages.closure import applies
from encoders.work.spending import Spending, Spent
from kt_models.board import IntArray
from kt_models.errors import InvalidTour, KTError, TooLarge
from kt_models.kernel.certificates import Statement
from kt_models.limits import Limits, Listener, Report, Stopped, silent
from kt_models.problem import LEFT_OUT, Problem
from kt_models.runs.tour_task import TourTask
from kt_models.tour import Tour, order_to_json

MAX_SOLVER_TOURS = 100
"""Most tours that the SAT solver is asked for: each adds a clause, and the search is quicker for more."""
SOLVER_CONFLICTS, SOLVER_LOOKS = 25_000, 10_000_000
"""Conflicts of the solver, and edges looked at, before anything else is tried: a few seconds."""
SWEEP_BYTES = 1 << 31
"""Bytes of the states after all steps of a sweep that counts all tours: up to half a minute."""
MAX_SOLVER_EDGES = 20_000
"""Most edges of a dense graph for the solver to come first."""
MAX_WIDTH = 18
"""Most vertices of the frontier of such a sweep."""


class AtLeast:
    """The knowledge about the number of tours of a task.

    Attributes
    ----------
    task, asked
        Which tours, and the number in question.
    listing
        The number of known tours, whether these are all, and the engine.
    tours
        The known tours, verified; at most `MAX_SOLVER_TOURS` of them, and fewer than `listing` has if a sweep counted.
    """

    def __init__(self, task: TourTask, number: int, listing: Listing, tours: tuple[Tour, ...] = ()) -> None:
        self.task, self.number, self.listing, self.tours = task, number, listing, tours

    @property
    def answer(self) -> bool | None:
        """Whether there are at least that many tours; None if that was not decided in time."""
        if self.listing.count >= self.number:
            return True
        return False if self.listing.complete else None

    @property
    def status(self) -> str:
        """The answer in a word: `yes`, `no` or `unknown`."""
        return {True: "yes", False: "no", None: "unknown"}[self.answer]

    @property
    def statements(self) -> list[Statement]:
        """The statements that were proved: the number of tours, if the known ones are all."""
        if not self.listing.complete:
            return []
        classes = self.task.up_to_symmetry
        return [Statement(self.task.problem, "count", self.listing.count, of_value=self.task.value, classes=classes)]

    def to_json(self) -> dict[str, Any]:
        """The keys that `kt enumerate --at-least` prints."""
        problem, listing = self.task.problem, self.listing
        value = {} if self.task.value is None else {"value": problem.unit.value(self.task.value)}
        return {
            "kind": "enumeration",
            **problem.to_json(),
            "closed": problem.closed,
            "at_least": self.number,
            "status": self.status,
            "count": listing.count,
            "complete": listing.complete,
            "up_to_symmetry": self.task.up_to_symmetry,
            **({"distinguish_moves": True} if self.task.distinguishes_moves else {}),
            "known": [order_to_json(problem.graph, tour.vertices) for tour in self.tours],
            **value,
            "claims": [statement.text for statement in self.statements],
            "engine": listing.engine,
        }


def at_least(
    task: TourTask, number: int, limits: Limits, engine: str = "auto", on_progress: Listener = silent
) -> AtLeast:
    """Decide whether a task has at least a number of tours.

    Parameters
    ----------
    task
        Which tours: those of a value, or one of each class.
    number
        A positive number of tours.
    engine
        The engines of `enumerate_tours`; `auto` takes SAT, or the search for more than `MAX_SOLVER_TOURS`.

    Raises
    ------
    TooLarge
        If no engine can handle such a large graph.
    """

    def listed(engine: str, spending: Spending | None = None) -> AtLeast:
        tours = enumerate_tours(task, limits, engine=engine, spending=spending)
        if spending is not None:
            tours = _going_on(tours, spending)
        return _first(task, number, tours, [chosen_engine(task, engine)], on_progress)

    if not task.lists_tours:
        topic = LEFT_OUT if task.problem.optional else "several paths or cycles"
        raise KTError(f"{topic}: whether there are so many is not asked; kt enumerate --count counts them")
    if reason := why_none(task.problem):
        return AtLeast(task, number, Listing(0, True, SETTLED, reason=reason))
    if engine != "auto" or task.problem.numbers is not None:
        return listed(engine)
    if task.value is not None or task.up_to_symmetry:
        return listed("sat" if number <= MAX_SOLVER_TOURS else engine)
    if number > MAX_SOLVER_TOURS:
        with suppress(Spent):
            return listed(engine, Spending(SOLVER_CONFLICTS, SOLVER_LOOKS))
    engines = ["sat"]
    return _first(task, number, _one_by_one(task, number, limits, engines), engines, on_progress)


def _going_on(tours: Iterator[Tour], spending: Spending) -> Iterator[Tour]:
    """The same tours, without a budget from the first one on: whoever finds one will find others."""
    for tour in tours:
        spending.without_end()
        yield tour


def _first(task: TourTask, number: int, tours: Iterator[Tour], engines: list[str], on_progress: Listener) -> AtLeast:
    """The answer that the first of some tours give; the last engine is the one that answered."""
    known: list[Tour] = []
    count, complete = 0, False
    try:
        for tour in islice(tours, min(number, sys.maxsize)):
            count += 1
            if len(known) < MAX_SOLVER_TOURS:
                known.append(tour)
            on_progress(Report(words=f"{count:,} found"))
        complete = count < number
    except _Counted as counted:
        return AtLeast(task, number, counted.listing, tuple(known))
    except Stopped:
        pass
    return AtLeast(task, number, Listing(count, complete, engines[-1]), tuple(known))


class _Counted(Exception):
    """A sweep has counted all tours."""

    def __init__(self, listing: Listing) -> None:
        self.listing = listing


def _count_if_narrow(task: TourTask, limits: Limits) -> None:
    """Count all tours by a sweep, if few vertices are on its frontier; go on without an answer otherwise.

    Raises
    ------
    _Counted
        If there is an answer.
    """
    problem, graph = task.problem, task.problem.graph
    if problem.symmetry or problem.is_constrained or graph.m > MAX_WIDTH * graph.n:
        return
    with suppress(TooWide, TooLarge):
        narrow_order(Subgraph.of(graph.n, graph.ends.tolist()), limits.check, MAX_WIDTH)
        memory = min(limits.room(SWEEP_BYTES), SWEEP_BYTES // graph.n)
        raise _Counted(sweep_tours(task, replace(limits, memory=memory)))


def _one_by_one(task: TourTask, number: int, limits: Limits, engines: list[str]) -> Iterator[Tour]:
    """Yield the tours once each: by SAT at first; then the first by `solve`, others by luck, and by SAT again.

    Whoever is at work is the last of `engines`.
    """
    from encoders.solve import solve

    known: list[IntArray] = []
    problem = _by_moves(replace(task.problem, objective=None))
    # A dense graph has a tour by its closure, and the clauses of the solver would fill the memory.
    if problem.graph.m <= MAX_SOLVER_EDGES or not applies(problem):
        try:
            for tour in _beside(task, known, limits, Spending(SOLVER_CONFLICTS, SOLVER_LOOKS)):
                known.append(tour.edges)
                yield tour
            return
        except (TooLarge, Spent):
            pass
        _count_if_narrow(task, limits)
    if not known:
        first = solve(problem, limits=limits)
        engines.append(first.engine)
        if first.status == "infeasible":
            return
        limits.check()
        if first.tour is None:
            raise Stopped("no tour was found in time")
        tour = _of_task(task, first.tour)
        known.append(tour.edges)
        yield tour
    engines.append("exchange")
    yield from _by_exchange(task, known, number, limits)
    if not problem.is_constrained:  # Which a search would meet by chance alone
        engines.append("find")
        yield from _by_luck(task, problem, known, number, limits)
    try:
        engines.append("sat")
        yield from _beside(task, known, limits)
    except TooLarge:
        engines.append("search")
        keys = {frozenset(edges.tolist()) for edges in known}
        listed = enumerate_tours(task, limits, engine="search")
        yield from (tour for tour in listed if frozenset(tour.edges.tolist()) not in keys)


def _by_exchange(task: TourTask, known: list[IntArray], number: int, limits: Limits) -> Iterator[Tour]:
    """Yield closed tours that differ from the first one by two edges; add them to the known ones.

    If u, v and x, y are consecutive, the edges uv and xy may be exchanged for ux and vy.
    """
    problem, graph = task.problem, task.problem.graph
    if not problem.closed or problem.symmetry or problem.is_constrained or graph.n < 4:
        return
    if graph.directed is not None:  # An exchange would reverse arcs.
        return
    keys = {frozenset(edges.tolist()) for edges in known}
    order = task.solution(known[0]).vertices
    place = np.argsort(order)
    for i, u in enumerate(order.tolist()):
        limits.check()
        v = order[(i + 1) % graph.n]
        after_v = set(graph.neighbours[graph.indptr[v] : graph.indptr[v + 1]].tolist())
        for x in graph.neighbours[graph.indptr[u] : graph.indptr[u + 1]].tolist():
            if len(known) >= number:
                return
            j = int(place[x])
            if j < i + 2 or (i == 0 and j == graph.n - 1) or int(order[(j + 1) % graph.n]) not in after_v:
                continue
            turned = np.concatenate([order[: i + 1], order[i + 1 : j + 1][::-1], order[j + 1 :]])
            with suppress(InvalidTour):  # An edge may be required or forbidden.
                tour = task.solution(Tour(graph, turned, True).edges)
                if (key := frozenset(tour.edges.tolist())) not in keys:
                    keys.add(key)
                    known.append(tour.edges)
                    yield tour


def _by_moves(problem: Problem) -> Problem:
    """A problem whose tours are, as orders of cells, those of a problem, for searches that know moves only."""
    graph = problem.graph.multigraph
    if graph is problem.graph:
        return problem
    tails, kinds = problem.graph.tails, problem.graph.edge_move
    edge = problem.graph.edges_by(graph.tails, graph.edge_move)
    required = graph.edges_by(tails, kinds)[sorted(problem.required)].tolist()
    forbidden = np.flatnonzero(np.isin(edge, sorted(problem.forbidden))).tolist()
    return replace(problem, graph=graph, required=frozenset(required), forbidden=frozenset(forbidden))


def _of_task(task: TourTask, tour: Tour) -> Tour:
    """A tour that a search found, as one of a task."""
    graph = task.problem.graph
    return Tour(graph, tour.order, tour.closed) if graph.merged else tour


def _by_luck(task: TourTask, problem: Problem, known: list[IntArray], number: int, limits: Limits) -> Iterator[Tour]:
    """Yield other tours as long as searches with other seeds find them; add them to the known ones."""
    from heuristics.find import find

    keys = {frozenset(edges.tolist()) for edges in known}
    while len(known) < number:
        seed = (limits.seed + len(known)) % 2**31
        result = find(problem, limits=replace(limits, seed=seed), quick=True)
        limits.check()
        if result.tour is None:
            return
        tour = _of_task(task, result.tour)
        if (key := frozenset(tour.edges.tolist())) in keys:
            return
        keys.add(key)
        known.append(tour.edges)
        yield tour


def _beside(task: TourTask, known: list[IntArray], limits: Limits, spending: Spending | None = None) -> Iterator[Tour]:
    """Yield the tours other than the known ones, by SAT."""
    from encoders.enumeration.blocking import task_formula
    from encoders.sat.listing import Lister

    formula = limits.run(lambda: task_formula(task, limits), GRACE_SECONDS)
    with Lister(formula, limits, spending=spending) as lister:
        lister.block(*known)
        for edges in lister.all():
            yield task.solution(edges)
