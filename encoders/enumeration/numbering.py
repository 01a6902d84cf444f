"""Enumeration of the numberings of a problem with given numbers, each once and verified.

First a SAT solver looks whether there is at most one, as of a puzzle. Otherwise a search extends 1, 2, 3, ... for a
short time. Then a solver finds a few numberings, and proves quickly that there are no others. If there are many, the
search goes on; or, with few given numbers, tours are listed and numbered in every way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from encoders.enumeration.search import by_search
from encoders.numbering import needs_edges
from encoders.numbering.clauses import SOLVER, NumberClauses, first_numberings
from encoders.sat.oracle import Oracle
from encoders.work.run import Run, race
from heuristics.numbering import NumberSearch, NumberTable, is_possible, table_of
from kt_models.errors import InvalidTour
from kt_models.limits import NO_LIMITS, Limits, Stopped
from kt_models.numbers import Order
from kt_models.problem import Problem, verify_conditions
from kt_models.result import Result
from kt_models.runs.tour_task import TourTask
from kt_models.tour import Tour

FIRST_STEPS = 5_000_000
"""Steps of the search before a solver is asked: about a second."""
MAX_SOLVER_NUMBERINGS = 50
"""Most numberings that a solver is asked for; each one costs it a clause."""
MAX_GIVEN_LISTED = 3
"""Most given numbers for which listing all tours is faster than the search (6x6: 2 s and 17 s)."""
MAX_LISTED_CELLS = 64
"""Most cells of a board whose tours are listed instead."""


def every_numbering(problem: Problem, limits: Limits = NO_LIMITS) -> Iterator[Order]:
    """Yield every numbering: vertices in the order of their numbers. Objective and symmetry are ignored.

    Raises
    ------
    Stopped
        If the limits are reached before all numberings were found.
    """
    assert problem.numbers is not None
    table = table_of(problem, limits)
    if not problem.numbers.sums:
        only, complete = first_numberings(problem, table, 2, limits.check)
        if complete:
            yield from only
            return
    search = NumberSearch(problem, table)
    seen: set[bytes] = set()
    for order in search.run(limits, FIRST_STEPS):
        seen.add(order.tobytes())
        yield order
    if search.over:
        return
    solved = _by_sums(problem, limits) if problem.numbers.sums else _by_clauses(problem, table, limits)
    for number, order in enumerate(solved):
        if order.tobytes() not in seen:
            seen.add(order.tobytes())
            yield order
        if number == MAX_SOLVER_NUMBERINGS:
            break
    else:
        return
    fixed = sum(len(numbers) == 1 for _, numbers in problem.numbers.allowed)
    listed = fixed <= MAX_GIVEN_LISTED and not problem.numbers.sums and problem.graph.n <= MAX_LISTED_CELLS
    for order in _by_tours(problem, limits) if listed else search.run(limits):
        if order.tobytes() not in seen:
            yield order


def _by_clauses(problem: Problem, table: NumberTable, limits: Limits) -> Iterator[Order]:
    """Yield numberings by SAT, excluding each one that is found."""
    if not is_possible(table):
        return
    clauses = NumberClauses(problem, table)
    with Oracle(SOLVER, clauses.clauses, 0, limits.check) as oracle:
        while oracle.solve():
            order = clauses.order(oracle.model())
            yield order
            oracle.add([clauses.others(order.tolist())])


def _by_sums(problem: Problem, limits: Limits) -> Iterator[Order]:
    """Yield numberings by CP-SAT, excluding each one that is found.

    Raises
    ------
    Stopped
        If the limits are reached first.
    """
    from encoders.numbering.engine import NumberEngine
    from encoders.numbering.model import NumberModel

    plain = replace(problem, objective=None, symmetry=())
    model = NumberModel(plain, limits)
    while True:
        run = Run.of(plain, limits)
        engine = NumberEngine(plain, run.threads, model)
        report = race(run, [engine])
        if report.status == "infeasible":
            return
        if engine.order is None:
            limits.check()
            raise Stopped("CP-SAT gave up")
        yield engine.order
        model.exclude(engine.order)


def _by_tours(problem: Problem, limits: Limits) -> Iterator[Order]:
    """Yield the numberings of one tour after the other."""
    assert problem.numbers is not None
    for tour in by_search(TourTask(replace(problem, numbers=None, objective=None, symmetry=())), limits):
        yield from problem.numbers.all_fitting(tour.order, problem.closed)


def numbered_tours(task: TourTask, limits: Limits = NO_LIMITS) -> Iterator[Tour]:
    """Yield the numberings of a task, each as the tour written from 1, verified.

    Raises
    ------
    Stopped
        If the limits are reached before all numberings were found.
    """
    problem = task.problem
    for order in every_numbering(problem, limits):
        tour = Tour(problem.graph, order, problem.closed)
        if needs_edges(problem):
            try:
                verify_conditions(problem, tour.edges)
            except InvalidTour:
                continue
            if task.value is not None and problem.cost(tour.edges) != task.value:
                continue
        result = Result(problem, "feasible", tour)
        assert result.tour is not None
        yield result.tour
