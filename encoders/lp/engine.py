"""Branch and bound as an engine: it shows that the best tour so far is best, or meets a better one on the way."""

from __future__ import annotations

import threading
import time

from encoders.lp.branching import TooHigh, make
from encoders.work.run import Report, Run
from kt_models.certificates import Certificate, Statement
from kt_models.errors import CertificateError, TooLarge
from kt_models.problem import Problem


class BranchAndBound:
    """Works beside others, which find the tours; its bounds come with a certificate."""

    name = "branching"

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._stop = threading.Event()

    def interrupt(self) -> None:
        """End the work soon."""
        self._stop.set()

    def work(self, run: Run) -> Report:
        """Aim at the best value so far; begin anew when a better one is there."""
        while not (run.over or run.settled or self._stop.is_set()):
            target = run.value
            if target is None:
                time.sleep(0.05)
                continue
            try:
                limits = run.limits.until(lambda: self._stop.is_set() or run.settled or run.value != target)  # noqa: B023
                data = make(self.problem, target, limits=limits)
            except TooHigh as better:
                run.report(self.name, edges=better.edges, value=better.value)
                continue
            except (CertificateError, TooLarge):  # not a problem for this method
                break
            if data is not None:
                run.report(self.name, bound=target)
                shown = Certificate("tree", Statement(self.problem, "at-least", target), data)
                return Report(
                    self.name, target, target, run.edges, status="optimal", conclusive=True, certificate=shown
                )
        return Report(self.name)
