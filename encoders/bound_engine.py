"""The engine that proves lower bounds, method by method, beside the search for better tours."""

from __future__ import annotations

import threading
from contextlib import suppress

from encoders.bounds import certify_lower_bound
from encoders.work.run import Engine, Run
from kt_models.errors import KTError
from kt_models.kernel.certificates import Checked
from kt_models.limits import LATE_PREFIX, Report
from kt_models.problem import Problem


class BoundEngine:
    """A thread that proves one bound after the other, each with a certificate, as `certify_lower_bound` does.

    Parameters
    ----------
    problem
        A problem with an objective.
    share
        Share of the time that is left for the bounds.
    then
        The engine that then works on the same thread.
    """

    name = "bounds"
    endless = False
    """Whether the engine now works that never ends by itself."""

    def __init__(self, problem: Problem, share: float = 1.0, then: Engine | None = None) -> None:
        self._problem, self._share, self.then = problem, share, then
        self._stop = threading.Event()
        self._begun: threading.Thread | None = None
        self._fault: BaseException | None = None

    def interrupt(self) -> None:
        """End the work soon."""
        self._stop.set()
        if self.then is not None:
            self.then.interrupt()

    def begin(self, run: Run) -> None:
        """Start before there is a race; `work` waits for the end."""

        def show() -> None:
            try:
                self._show(run)
            except BaseException as error:  # `work` raises it again, in a thread whose faults are reported.
                self._fault = error

        self._begun = threading.Thread(target=show, name=f"{LATE_PREFIX}{self.name}", daemon=True)
        self._begun.start()

    def work(self, run: Run) -> Report:
        """Report each certificate to the run, and then let the other engine work."""
        if self._begun is None:
            self._show(run)
        else:
            self._begun.join()
            if self._fault is not None:
                raise self._fault
        if self.then is None or self._stop.is_set() or run.decided or run.over:
            return Report(self.name)
        self.endless = getattr(self.then, "endless", False)
        return self.then.work(run)

    def _show(self, run: Run) -> None:
        limits = run.limits.until(lambda: self._stop.is_set() or run.decided).part(self._share)

        def hear(certificate: Checked) -> None:
            run.count(self.name, {"certificates": 1})
            if certificate.cost_bound is not None:
                run.report(certificate.method, bound=certificate.cost_bound, certificate=certificate)

        with suppress(KTError):  # These methods prove nothing more.
            certify_lower_bound(self._problem, limits=limits, known=False, on_certificate=hear)
