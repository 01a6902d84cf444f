"""A tour through few stops in order: of several tours without the order, one may keep it."""

from __future__ import annotations

from dataclasses import replace
from math import factorial

from encoders.stages import Solving, Stage
from kt_models.errors import InvalidTour
from kt_models.limits import Limits
from kt_models.problem import Problem, solution_edges
from kt_models.result import Result

MAX_ORDERS = 60
"""Most orders of the stops, of which a tour has one by chance: four stops within an open tour have 24."""
TRIES_PER_ORDER = 4
"""Tours that are tried for each order: of 50 searches 49 then succeed."""
SHARE = 0.2
"""Share of the time for this."""


def orders(problem: Problem) -> int:
    """In how many orders a tour can visit the stops, as far as its ends and its directions leave them open."""
    free = len(problem.in_order) - (1 if problem.closed else len(set(problem.terminals) & set(problem.in_order)))
    ways = 1 if problem.graph.directed is not None or (problem.terminals and not problem.closed) else 2
    return max(1, factorial(free) // ways) if free <= MAX_ORDERS else MAX_ORDERS + 1


def work(solving: Solving) -> None:
    """Offer the first tour of the heuristics, each with another seed, that keeps the order."""
    from heuristics.find import search

    problem, run = solving.problem, solving.run
    limits: Limits = run.limits.part(SHARE)
    plain = replace(problem, conditions=(), objective=None)
    for seed in range(TRIES_PER_ORDER * orders(problem)):
        if limits.over or run.over:
            return
        tour = search(plain, replace(limits, seed=limits.seed + seed), quick=True).tour
        if tour is None:
            return
        try:
            solution_edges(problem, tour)
        except InvalidTour:
            continue
        solving.standing.accept(Result(problem, "feasible", tour, engine="find/stops"))
        solving.start_from_standing()
        return


STAGE = Stage(
    "stops",
    "a tour through few stops in order, among tours without the order",
    frozenset({"tour"}),
    work,
    lambda solving: (
        bool(solving.problem.in_order)
        and not solving.problem.optional
        and not solving.problem.constraints
        and len(solving.problem.conditions) == 1  # Tours that keep more conditions are rare.
        and solving.request.plain
        and solving.request.searched is not False
        and orders(solving.problem) <= MAX_ORDERS
    ),
    constrained=True,
)
