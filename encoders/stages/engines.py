"""The engines, side by side on all cores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from encoders.engines import start
from encoders.stages import Request, Solving, Stage, sweep
from encoders.work.run import Engine, race
from kt_models.errors import KTError, TooLarge
from kt_models.limits import Report, Stopped
from kt_models.problem import Problem

if TYPE_CHECKING:
    from encoders.pb.minizinc import MiniZincSolver
    from encoders.sat.solver_program import SolverProgram

BOUND_SHARE = 0.5
"""Share of the time for bounds on one thread; the rest is for better tours."""
GIVEN_UP = "a proof (every engine that proves gave up)"
MAX_SOLVER_CELLS = 400
"""Most vertices of a graph on which a solver is asked for crossings once the bounds are done; chosen, not measured."""


def work(solving: Solving) -> None:
    """Let the engines race."""
    solving.answered_by = by_engines(solving).engine


def by_engines(solving: Solving) -> Report:
    """The result of the race; the present answer if no engine could start."""
    problem, run, standing, request = solving.problem, solving.run, solving.standing, solving.request
    try:
        report = race(run, _racers(solving))
        if run.alone.is_set() and not report.conclusive:
            solving.left_out.append(GIVEN_UP)
    except TooLarge as error:
        if run.edges is None and not run.over:
            raise
        run.limits.leave(str(error))
    except Stopped:
        pass
    else:
        if request.program is not None:
            solving.evidence = report.words
        if report.status == "infeasible":
            standing.refute(report.engine)
            return report
        if report.edges is not None:
            standing.accept_solution(report.engine, report.edges, problem.cost(report.edges))
        if report.cost_bound is not None:
            standing.accept_bound(report.engine, report.cost_bound, report.certificate)
        # Solver and kt disagree on the objective: a defect of the model.
        if report.status == "optimal" and not standing.decided:
            raise RuntimeError(f"{report.engine} claims an optimum of {report.bound}, but its tour has {run.value}")
        return report
    return run.summary(run.engine or "heuristic")


def _racers(solving: Solving) -> list[Engine]:
    """The engines that work side by side."""
    problem, run, prover = solving.problem, solving.run, solving.helpers.start_prover()
    if solving.request.program is not None:
        return _program(problem, solving.request, solving.request.program)
    if problem.numbers is not None:
        return _for_numbers(solving)
    if solving.request.proving:
        from encoders.proof.engine import ProvingEngine

        return [ProvingEngine(problem, solving.request.proof)]
    if solving.request.plain and run.edges is not None and not problem.is_constrained:
        if prover is not None and not problem.weighs_edges:
            from encoders.local_search_engine import Alternation, LocalSearchEngine

            # CP-SAT is ten times slower than the two of them, at tours and at bounds of turns and angles.
            annealing = LocalSearchEngine(problem, run.elapsed)
            return [prover, annealing] if run.threads > 1 else [Alternation(prover, annealing)]
        if problem.counts_apart and problem.graph.board is not None:
            return _for_crossings(solving)
        if problem.objective is not None and not problem.pairs_meet and run.threads > 1:
            from encoders.local_search_engine import LocalSearchEngine

            return [LocalSearchEngine(problem, run.elapsed), *_solvers(solving, run.threads)]
    engines = _solvers(solving, run.threads)
    return [*engines, prover] if prover is not None and run.threads > 1 else engines


def _program(problem: Problem, request: Request, program: SolverProgram | MiniZincSolver) -> list[Engine]:
    """The engine of an outside program."""
    from encoders.pb.minizinc import MiniZincEngine, MiniZincSolver

    if isinstance(program, MiniZincSolver):
        if problem.numbers is not None or request.encoding or request.proof:
            raise KTError(f"solver {program.words[0]}: it has no given numbers, no encoding and no proof")
        return [MiniZincEngine(problem, program)]
    if problem.numbers is not None:
        from encoders.numbering.engine import sat_engines

        return sat_engines(problem, request.encoding, program)
    from encoders.proof.program_engine import ProgramEngine

    return [ProgramEngine(problem, program, request.encoding, request.proof)]


def _for_numbers(solving: Solving) -> list[Engine]:
    """Solvers, and a search beside them if the choice is free and any numbering will do."""
    from encoders.numbering import needs_edges
    from encoders.numbering.engine import NumberSearchEngine

    problem, threads = solving.problem, solving.run.threads
    beside = solving.request.plain and threads > 1 and not needs_edges(problem)
    return [*_solvers(solving, threads), *([NumberSearchEngine(problem)] if beside else [])]


def _for_crossings(solving: Solving) -> list[Engine]:
    """Of a board: solvers if a sweep has proved the least value; on larger ones bounds and annealing, each on a thread.

    A solver's own bounds are poor if pairs of moves count that do not meet: on 20x20 it proves 14 in 30 s, and
    `regions` proves 116.
    """
    from encoders.bound_engine import BoundEngine
    from encoders.local_search_engine import LocalSearchEngine

    problem, run = solving.problem, solving.run
    if sweep.STAGE.name in solving.done:
        return _solvers(solving, run.threads)
    annealing = LocalSearchEngine(problem, run.elapsed)
    if run.threads == 1:
        return [BoundEngine(problem, BOUND_SHARE, annealing)]
    solvers = _solvers(solving, max(1, run.threads - 2)) if problem.graph.n <= MAX_SOLVER_CELLS else []
    bounding = solving.helpers.bounds or BoundEngine(problem)  # The stage `bounds` may have started it.
    if run.threads == 2 and solvers:
        bounding.then = solvers.pop(0)
    return [annealing, bounding, *([] if run.threads == 2 else solvers)]


def _solvers(solving: Solving, threads: int) -> list[Engine]:
    """The engines that were named, or those that measured best."""
    from encoders.cpsat import BYTES_PER_EDGE

    run, request = solving.run, solving.request

    def ready() -> list[Engine]:
        run.limits.require_room(solving.problem.graph.m * BYTES_PER_EDGE, "a model of the problem")
        return start(request.problem, threads, request.engine, request.encoding, request.solver)

    return run.limits.run(ready)


STAGE = Stage(
    "engines",
    "the engines, side by side",
    frozenset({"tour", "bound", "refutation"}),
    work,
    numbered=True,
    constrained=True,
    engine=True,
)
