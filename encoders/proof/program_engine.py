"""The engine of an outside program: the lazy search of `encoders.sat.search`, answered by a `SolverProgram`."""

from __future__ import annotations

import threading
from dataclasses import replace

from encoders.proof.program import prove_by_program
from encoders.proof.prove import Refuted
from encoders.sat.optimise import solve
from encoders.sat.options import CUT_SET, SatOptions
from encoders.sat.solver_program import SolverProgram
from encoders.work.run import Run
from kt_models.errors import KTError
from kt_models.limits import Limits, Report, Stopped
from kt_models.problem import Problem


class ProgramEngine:
    """An engine (see `encoders.work.run.Engine`) that asks a program, in this process.

    Parameters
    ----------
    encoding
        As of `SatOptions`; empty for `cut-set`. Only that has proofs.
    proof
        A folder, empty or new, for the program's proof; empty for none.
    """

    def __init__(self, problem: Problem, program: SolverProgram, encoding: str = "", proof: str = "") -> None:
        self._options = SatOptions(encoding or CUT_SET, program)
        self._problem, self._program, self._proof = problem, program, proof
        self.name = self._options.name
        self._interrupted = threading.Event()

    def interrupt(self) -> None:
        """Ask for the end."""
        self._interrupted.set()

    def work(self, run: Run) -> Report:
        """Search until there is an answer; if the program writes proofs, with one."""
        mine = run.again(run.limits.until(self._interrupted.is_set))
        proves = self._program.proves and self._options.encoding == CUT_SET
        if self._problem.objective is None and proves:
            return self._proved(mine, Report(self.name, status="infeasible", conclusive=True))
        if proves:
            mine = self._apart(run, mine.limits)
        report = solve(self._problem, mine, self._options)
        run.counts.update(mine.counts)
        if not proves or report.status not in ("optimal", "infeasible"):
            return replace(report, words=f"answer of the {self._program.name}, not checked")
        return self._proved(mine, report)

    def _apart(self, run: Run, limits: Limits) -> Run:
        """A run that passes on solutions only: a bound would end the race before it is proved."""

        def hear(now: Report) -> None:
            if now.edges is not None:
                run.report(self.name, edges=now.edges)

        apart = Run.of(self._problem, limits, hear)
        if run.edges is not None:
            apart.standing.accept_solution(run.engine, run.edges, run.value)
        if run.bound is not None:
            apart.standing.accept_bound(run.standing.bound_source, run.bound)
        return apart

    def _proved(self, run: Run, report: Report) -> Report:
        """The report with the proof of what does not exist."""
        at_most = report.cost - 1 if report.status == "optimal" and report.cost is not None else None
        try:
            words = prove_by_program(self._program, self._problem, at_most, self._proof, limits=run.limits)
        except Refuted as error:
            if self._problem.objective is not None:
                raise KTError(f"solver {self._program.words[0]}: its answers contradict each other") from None
            run.report(self.name, edges=error.edges)
            return Report(self.name, edges=error.edges, status="feasible", conclusive=True)
        except Stopped:
            if self._problem.objective is None:
                raise
            words = f"answer of the {self._program.name}, whose proof was not finished"
        return replace(report, words=words)
