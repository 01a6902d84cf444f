"""The engines, side by side on all cores."""

from __future__ import annotations

from encoders.annealing import Annealing, InTurn
from encoders.bounding import Bounding
from encoders.cpsat import BYTES_PER_EDGE
from encoders.engines import start
from encoders.stages import Search, Stage
from encoders.work.run import Engine, race
from kt_models.errors import TooLarge
from kt_models.limits import Report, Stopped

BOUND_SHARE = 0.5
"""Of the time, for bounds on one thread; the rest is for better tours."""
MAX_SOLVER_CELLS = 400
"""Most vertices of a graph on which a solver has ever made a tour with few crossings better."""


def work(search: Search) -> None:
    """Let them race."""
    search.answered_by = by_engines(search).engine


def by_engines(search: Search) -> Report:
    """What the engines come to; what there is already where they could not begin."""
    problem, run, standing = search.problem, search.run, search.standing
    try:
        report = race(run, _racers(search))
    except TooLarge as error:
        if run.edges is None and not run.over:
            raise
        run.limits.leave(str(error))
    except Stopped:
        pass
    else:
        if report.status == "infeasible":
            standing.refute(report.engine)
            return report
        if report.edges is not None:
            standing.accept_solution(report.engine, report.edges, problem.value(report.edges))
        if report.bound is not None:
            standing.accept_bound(report.engine, report.bound, report.certificate)
        if report.status == "optimal" and not standing.settled:  # its objective is not what we measure
            raise RuntimeError(f"{report.engine} claims an optimum of {report.bound}, but its tour has {run.value}")
        return report
    return run.summary(run.engine or "heuristic")


def _racers(search: Search) -> list[Engine]:
    """Who works side by side."""
    problem, run, prover = search.problem, search.run, search.prover
    if search.plain and run.edges is not None:
        if prover is not None and problem.objective == "turns":
            annealing = Annealing(problem, run.elapsed)  # CP-SAT is ten times slower, at what either does
            return [prover, annealing] if run.threads > 1 else [InTurn(prover, annealing)]
        if problem.objective == "crossings":
            return _for_crossings(search)
    engines = _solvers(search, run.threads)
    return [*engines, prover] if prover is not None and run.threads > 1 else engines


def _for_crossings(search: Search) -> list[Engine]:
    """Bounds and annealing, each on a thread; solvers where there are more, or once there are no better bounds.

    A solver's own bounds are poor where pairs of moves count that do not meet: on 20x20 it shows 14 in 30 s, and
    `bands` shows 116.  No solver makes such a tour better as quickly as annealing does, either.
    """
    problem, run = search.problem, search.run
    annealing = Annealing(problem, run.elapsed)
    if run.threads == 1:
        return [Bounding(problem, BOUND_SHARE, annealing)]
    if run.threads == 2:
        solvers = [] if problem.graph.n > MAX_SOLVER_CELLS else _solvers(search, 1)
        return [annealing, Bounding(problem, then=solvers[0] if solvers else None)]
    return [annealing, Bounding(problem), *_solvers(search, run.threads - 2)]


def _solvers(search: Search, threads: int) -> list[Engine]:
    """The engines that were asked for, or those that measured best."""
    run = search.run

    def ready() -> list[Engine]:
        run.limits.require_room(search.problem.graph.m * BYTES_PER_EDGE, "a model of the problem")
        return start(search.problem, threads, search.engine, search.encoding, search.solver)

    return run.limits.run(ready)


STAGE = Stage("engines", "the engines, side by side", 100, frozenset({"tour", "bound", "refutation"}), work)
