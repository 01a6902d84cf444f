"""The engine that proves as it searches: one run gives a tour, or the folder of a proof that there is none."""

from __future__ import annotations

import threading

from encoders.proof.log import PROVER
from encoders.proof.prove import Refuted, prove
from encoders.work.run import Run
from kt_models.limits import Report, Stopped
from kt_models.problem import Problem


class ProvingEngine:
    """An engine (see `encoders.work.run.Engine`) for problems without an objective.

    Parameters
    ----------
    directory
        The folder for the proof if there is no tour; it must be empty or new.
    """

    name = f"sat/cut-set {PROVER}"

    def __init__(self, problem: Problem, directory: str) -> None:
        self._problem, self._directory = problem, directory
        self._interrupted = threading.Event()

    def interrupt(self) -> None:
        """Ask for the end."""
        self._interrupted.set()

    def work(self, run: Run) -> Report:
        """Search until there is a tour or a proof."""
        limits = run.limits.until(self._interrupted.is_set)
        try:
            if not prove(self._problem, None, self._directory, limits=limits):
                raise Stopped("stopped before the end")
        except Refuted as error:
            run.report(self.name, edges=error.edges)
            return Report(self.name, edges=error.edges, status="feasible", conclusive=True)
        return Report(self.name, status="infeasible", conclusive=True)
