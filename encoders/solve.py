"""`solve`: from a `Problem` to a `Result`, by one stage after the other, the cheapest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from encoders import stages
from encoders.engines import check_choice
from encoders.stages import (
    Request,
    Solving,
    Stage,
    answer,
    background_bounds,
    branch_and_cut,
    certify,
    closure,
    construction,
    cut,
    delivered,
    engines,
    many_points,
    numbering,
    obstruction,
    parts,
    plain,
    reduction,
    relaxation,
    start,
    stops,
    sweep,
    tree,
    two_factor,
    without_constraints,
)
from encoders.work.run import Run
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits, Listener, silent
from kt_models.problem import Problem
from kt_models.registry import rows
from kt_models.result import Result
from kt_models.tour import Tour

if TYPE_CHECKING:
    from encoders.pb.minizinc import MiniZincSolver
    from encoders.sat.solver_program import SolverProgram

PLAN: tuple[Stage, ...] = (
    many_points.STAGE,  # No other stage takes graphs that do not list their edges.
    obstruction.ISOLATED,  # A few edges may have a hundred million vertices, for which nothing is to be allocated.
    # Graphs without a board and without an objective: searches in this process, before any solver is loaded.
    closure.STAGE,  # A dense graph has a tour by its closure, in less time than it takes to load anything.
    plain.FIRST,  # Most graphs have a tour that a few conflicts find, and few of the others need more.
    reduction.FIRST,  # What remains of a graph after its forced edges is smaller, and may fall into parts.
    plain.SECOND,  # Where nothing could be reduced, a larger budget.
    # Every problem: what is known, or seen at once.
    obstruction.STAGE,  # Reasons why there is no solution are seen in tenths of a second.
    delivered.STAGE,  # The delivered tour and bound may complete the answer.
    background_bounds.STAGE,  # From here on a thread proves bounds where they take long.
    parts.QUICK,  # Before the search for too many pieces: loading a solver of linear programs takes as long.
    cut.FIRST,  # Where there is no such set, it takes less than the searches that follow.
    plain.THIRD,  # The largest budget, before engines are started.
    reduction.SEARCHED,  # The same for the parts that a reduction has left.
    parts.CERTIFYING,  # It is known that there is no tour, and a certificate is missing.
    # Bounds and tours that are cheap, the bounds first: branch and bound needs them, and a large board may be done.
    without_constraints.STAGE,  # A bound of the problem without its constraints holds with them.
    numbering.STAGE,  # Most puzzles with given numbers need no solver.
    stops.STAGE,  # A few stops in order are met by chance, also on boards that are too large for engines.
    branch_and_cut.FIRST,  # Sums over single edges have tours and proofs of their own, which leave others far behind.
    relaxation.FIRST,  # A bound by a theorem or a linear program.
    two_factor.STAGE,  # In grids, the least cycles through all vertices are nearly a tour.
    construction.STAGE,  # A tour by rule, which searches of a large board do not reach.
    start.STAGE,  # A tour by a heuristic, improved by exchanges; engines start from it.
    branch_and_cut.AGAIN,  # Where exchanges alone found no tour, they start from that of another search.
    relaxation.LATER,  # A bound that takes longer than the first tour.
    # Exact answers, in the order of what they cost where they do not apply.
    sweep.STAGE,  # A small or narrow board is decided by a sweep.
    cut.LATER,  # Searches found nothing: perhaps there is nothing.
    reduction.LATER,
    parts.REFUTING,
    reduction.PARTS,  # Engines on the parts of a reduction are quicker than on the whole.
    tree.STAGE,  # A tree of a few nodes is enough for most small boards.
    engines.STAGE,  # All cores, until the answer is complete or the time is over.
    certify.STAGE,  # A certificate for an answer that an engine gave without one.
)
"""The stages of a solve in order, each with the reason for its place: what is cheap and good comes first."""


def plan() -> tuple[Stage, ...]:
    """The stages of `PLAN`, and those of further modules in `encoders/stages`, each where it says."""
    order = list(PLAN)
    for stage in rows(stages.__name__, Stage).values():
        if stage not in order:
            order.insert(_place(stage, order), stage)
    return tuple(order)


def _place(stage: Stage, order: list[Stage]) -> int:
    for place, other in enumerate(order):
        if other.name == stage.before:
            return place
    raise KTError(f"stage {stage.name}: before={stage.before!r} names no stage")


def begin(request: Request, run: Run) -> Solving:
    """A solve that has not done anything yet."""
    return Solving(request, run, plan())


def solve(
    problem: Problem,
    *,
    engine: str = "auto",
    encoding: str = "",
    solver: str | SolverProgram | MiniZincSolver = "",
    presolve: bool = True,
    hint: Tour | bool | Literal["best"] = True,
    check_stated: bool = False,
    proof: str = "",
    time_limit: float | None = None,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
) -> Result:
    """Solve a problem, and verify the answer.

    Parameters
    ----------
    problem
        What to solve.
    engine
        `auto` takes a heuristic's tour if there is no objective, and otherwise the engines that measured best. A named
        engine (`encoders.engines`) works whatever the heuristics could do.
    encoding
        An encoding of the engine: `circuit` or `cut-set` of CP-SAT, `cut-set` or a complete one of SAT
        (`encoders.sat.encodings`); by default the best.
    solver
        The SAT solver, as PySAT names it (`encoders.sat.oracle.SOLVERS`), or an outside program
        (`encoders.sat.solver_program`), or a solver of MiniZinc (`encoders.pb.minizinc`).
    presolve
        Whether other stages than the engines may answer, such as reasons why there is no tour.
    hint
        A tour to start from; True makes one, False makes none. `best` starts from the best known tour
        (`heuristics.best_known`), with its bound if the delivered certificate is right, which may complete the answer.
        Named engines and encodings start as with True.
    check_stated
        Whether to check delivered certificates however long it takes; see `heuristics.best_known`.
    proof
        A folder, empty or new, for the proof that there is no tour (`encoders.proof`). If any tour will do and no
        engine is named, a solver that logs its proof replaces the others, so that the problem is solved only once. If a
        certificate is found first, no proof is needed and none is written.
    time_limit, limits
        When to end, with the best answer so far; `time_limit` applies besides the limits. On a graph of more than
        `encoders.stages.MAX_QUICK_CELLS` vertices a first tour within `CLOSE_GAP` of the bound ends the solve too.
        Workers are threads. The same seed gives the same answer on one worker, unless another limit comes first.
    on_progress
        Called with every better value or bound, from any thread.

    Returns
    -------
    Result
        A verified answer. Its status is `unknown` if a limit came first and nothing was found.

    Raises
    ------
    KTError
        If the arguments do not fit the problem, or the hint is not a solution of it.
    """
    program = None
    if not isinstance(solver, str):
        program, solver = solver, ""
    check_choice(engine, encoding, solver, "" if program is None else program.words[0])
    if isinstance(hint, Tour) and problem.objective is None and (engine != "auto" or encoding or solver or program):
        named = " ".join(filter(None, (engine.replace("auto", ""), encoding, solver, program and program.name)))
        raise KTError(f"{named}: it has nothing to do, because the hint is a tour and there is no objective")
    run = Run.of(problem, limits.with_time_limit(time_limit), on_progress)
    searched = False if isinstance(hint, Tour) else hint
    request = Request(
        problem, engine, encoding, solver, searched, check_stated, proof=proof, program=program, presolving=presolve
    )
    solving = begin(request, run)
    if isinstance(hint, Tour):
        run.standing.accept(Result(problem, "feasible", hint, engine="hint"))
        solving.start_from_standing()
    return answer(solving)
