"""The engines, side by side on all cores."""

from __future__ import annotations

from encoders.cpsat import BYTES_PER_EDGE
from encoders.engines import start
from encoders.stages import Search, Stage
from encoders.work.run import Engine, race
from kt_models.errors import TooLarge
from kt_models.limits import Report, Stopped


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
    problem, run, prover = search.problem, search.run, search.prover
    if prover is not None and problem.objective == "turns" and run.edges is not None:
        from encoders.annealing import Annealing, InTurn

        annealing = Annealing(problem, run.elapsed)  # CP-SAT is ten times slower, at what either does
        return [prover, annealing] if run.threads > 1 else [InTurn(prover, annealing)]

    def ready() -> list[Engine]:
        run.limits.require_room(problem.graph.m * BYTES_PER_EDGE, "a model of the problem")
        return start(problem, run.threads, search.engine, search.encoding, search.solver)

    engines = run.limits.run(ready)
    return [*engines, prover] if prover is not None and run.threads > 1 else engines


STAGE = Stage("engines", "the engines, side by side", 100, frozenset({"tour", "bound", "refutation"}), work)
