"""`solve`: from a `Problem` to a `Result`, by one stage after the other, the cheapest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from encoders.engines import check_choice
from encoders.plan import plan
from encoders.stages import Request, Solving, answer
from encoders.work.run import Run
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits, Listener, silent
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.tour import Tour

if TYPE_CHECKING:
    from encoders.pb.minizinc import MiniZincSolver
    from encoders.sat.solver_program import SolverProgram


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
        names = (engine.replace("auto", ""), encoding, str(solver) if program is None else program.name)
        named = " ".join(filter(None, names))
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
