"""The first tour, by heuristics; engines start from it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import inf

from encoders.lp import is_small
from encoders.stages import Request, Solving, Stage, answer
from encoders.work.run import Run, in_time
from kt_models.limits import Report, Stopped
from kt_models.problem import Problem
from kt_models.result import Result

MIN_LARGE_VERTICES = 10_000
"""Least size of a large graph, in vertices."""
MAX_ENGINE_EDGES = 500_000
"""Most edges of a graph that an engine takes: those of a SAT formula."""
EXCHANGES_PER_CELL = 5_000
"""Exchanges per cell that improve a solution before the engines start: half a second on 10x10."""
EXCHANGES_BEFORE_TREE = 10_000
"""Exchanges per cell before branch and bound, if exchanges go on beside it: a third of a second on 10x10."""


def work(solving: Solving) -> None:
    """Find the first tour, unless there is one, and improve it."""
    problem, run = solving.problem, solving.run
    request = solving.request
    wanted = request.searched and (request.plain or problem.objective is not None) and not request.reduced_first
    if wanted and (solving.standing.edges is None or solving.constructed):
        prover = solving.helpers.start_prover()
        if prover is not None and prover.takes_long and run.threads > 1:
            prover.call(run.threads)
        beside = request.plain and not problem.counts_apart and is_small(problem)
        per_cell = EXCHANGES_PER_CELL if problem.symmetry else EXCHANGES_BEFORE_TREE if beside else None
        exchanges = None if per_cell is None else per_cell * problem.graph.n
        first = in_time(run, partial(warm_start, solving, exchanges), patience(problem, run))
        if first is not None:
            solving.standing.accept(first)
    solving.start_from_standing()


def warm_start(solving: Solving, exchanges: int | None = None) -> Result | None:
    """Find a solution by heuristics, and offer it to the standing at once.

    The answer is None for linkages without an objective: engines start those from nothing.
    """
    problem, run, standing = solving.problem, solving.run, solving.standing
    searches = problem.connectivity in ("cycle", "path")

    from heuristics.find import made_better, search

    def hear(now: Report) -> None:
        if now.edges is not None:
            standing.accept_solution(now.engine, now.edges, now.cost)

    first = standing.result() if solving.constructed else search(problem, run.limits, True, hear) if searches else None
    if first is None or (first.tour is None and problem.symmetry):
        return None if problem.objective is None else _exchanged_start(solving)
    result = made_better(
        first, run.limits, quick=True, exchanges=exchanges, enough=solving.good_value, on_progress=hear
    )
    if result.tour is None:
        return None
    standing.accept(result)
    return result


def _exchanged_start(solving: Solving) -> Result | None:
    """Find any solution by an engine and improve it by exchanges, or prove that there is none."""
    from encoders.local_search_engine import exchanged

    problem, run = solving.problem, solving.run
    limits = run.limits.within(patience(problem, run))
    plain = replace(problem, objective=None)
    first = answer(solving.of(Request(plain), Run.of(plain, limits)))
    if first.edges is None:
        return None if first.status == "unknown" else replace(first, problem=problem)
    run.report(first.engine, edges=first.edges, value=problem.cost(first.edges))
    try:
        edges = exchanged(problem, first.edges, EXCHANGES_PER_CELL * problem.graph.n, limits.part(0.5))
    except Stopped:
        edges = first.edges
    return Result(problem, "feasible", edges=edges, engine=first.engine)


def patience(problem: Problem, run: Run) -> float:
    """Seconds to wait for the warm start before the engines start beside it.

    It takes that long only if its code has to be compiled first, and then an engine may finish sooner, unless the board
    is too large for engines. With one worker nothing runs beside it, so that the same seed gives the same answer. The
    clock may decide here, because a late search goes on beside the engines and still reports its tour; where no engine
    takes the graph there is nothing beside which it could.
    """
    if problem.graph.n > MIN_LARGE_VERTICES or problem.graph.m > MAX_ENGINE_EDGES or run.threads == 1:
        return inf
    if problem.objective is None:
        return 4.0
    from heuristics.find import quick_seconds

    return 4.0 + 2 * quick_seconds(problem.graph.n)


STAGE = Stage("start", "the first tour, without a solver", frozenset({"tour", "refutation"}), work, engine=True)
