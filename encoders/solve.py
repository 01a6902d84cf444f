"""`solve`: problem -> `Result`.  One stage after the other, the cheapest first, until the answer is settled."""

from __future__ import annotations

from typing import Literal

from encoders.engines import check_choice
from encoders.stages import Solving, answer
from encoders.work.run import Run
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits, Listener, silent
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.tour import Tour


def solve(
    problem: Problem,
    *,
    engine: str = "auto",
    encoding: str = "",
    solver: str = "",
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
        `auto` takes a heuristic's tour where nothing is to be minimised, and otherwise the engines that measured best;
        the name of one (`encoders.engines`) asks it whatever the heuristics could do.
    encoding
        An encoding of the engine: `circuit` or `cut-set` of CP-SAT, `cut-set` or a complete one of SAT
        (`encoders.sat.encodings`); the best by default.
    solver
        The SAT solver, as PySAT names it (`encoders.sat.oracle.SOLVERS`).
    hint
        A tour to start from; True to make one, False for none; `best` for the best known (`heuristics.best_known`),
        with its bound if the certificate delivered with it is right: that may well be the whole answer.  Engines and
        encodings that are named start as if it were True.
    check_stated
        Whether certificates that are delivered are checked however long it takes; see `heuristics.best_known`.
    proof
        A folder, empty or new, for the proof that there is no tour (`encoders.proof`): where any tour will do, and
        nobody asked for an engine, a solver that logs its proof takes the place of the others, so that nothing has to
        be solved twice.  A certificate that is found before needs no proof, and none is written.
    time_limit, limits
        When to end, with the best answer so far; the seconds are besides the limits.  On a graph of more than
        `encoders.stages.MAX_QUICK_CELLS` vertices a first tour that is `CLOSE_GAP` to the bound ends it too.  Workers
        are threads.  The same seed gives the same answer on one worker (if no other limit cuts in).
    on_progress
        Called with every better value or bound, from whichever thread has it.

    Returns
    -------
    Result
        Verified.  `unknown` if a limit came first and nothing was found.

    Raises
    ------
    KTError
        If the arguments do not fit the problem, or the hint is not a solution of it.
    """
    check_choice(engine, encoding, solver)
    if isinstance(hint, Tour) and problem.objective is None and (engine != "auto" or encoding or solver):
        named = " ".join(filter(None, (engine.replace("auto", ""), encoding, solver)))
        raise KTError(f"{named}: it has nothing to do, as the hint is a tour and nothing is to be least")
    run = Run.of(problem, limits.with_time_limit(time_limit), on_progress)
    searched = False if isinstance(hint, Tour) else hint
    solving = Solving(problem, run, engine, encoding, solver, searched, check_stated, proof=proof)
    if isinstance(hint, Tour):
        run.standing.accept(Result(problem, "feasible", hint, engine="hint"))
        solving.start_from_standing()
    return answer(solving)
