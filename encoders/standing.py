"""`Standing`: the best solution and the best bound of a problem so far, with their sources."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Literal

from kt_models.board import IntArray
from kt_models.decimals import PLAIN
from kt_models.kernel.certificates import Certificate
from kt_models.limits import Listener, Report, silent
from kt_models.problem import Problem
from kt_models.result import Result, Stated

NARROW_GAP = 1
"""Gap, as a number of possible values of the objective, up to which the best value is likely to be optimal."""


def least_weight(problem: Problem) -> int | None:
    """A lower bound for any choice of edges, from the signs of the weights; None if there is none."""
    if problem.objective is None:
        return None
    return 0 if isinstance(problem.objective, str) else problem.objective.least


class Standing:
    """The knowledge about a problem. It only improves, and it verifies each solution; threads may share it.

    Parameters
    ----------
    problem
        The problem, for which every solution is verified. Without one, the caller verifies its own solutions. `value`
        and `bound` are costs, the integers that are minimised (`Problem.unit`); reports and results have values that
        users see.
    minimises
        Whether there is an objective, if there is no problem to tell. Without one any solution settles everything.
    on_progress
        Called with every better value or bound.
    clock
        Returns the seconds since the start.
    """

    def __init__(
        self,
        problem: Problem | None = None,
        *,
        minimises: bool = True,
        on_progress: Listener = silent,
        clock: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self.problem = problem
        self.minimises = minimises if problem is None else problem.objective is not None
        self.value: int | None = None
        self.edges: IntArray | None = None
        self.source = ""
        """Source of the solution."""
        self.first: IntArray | None = None
        """The first solution, from which searches may start again."""
        self.bound = None if problem is None else least_weight(problem)
        self.bound_source = ""
        self.certificate: Certificate | None = None
        """A certificate of the bound, if there is one."""
        self.stated: Stated | None = None
        """The best bound that a file states without proof."""
        self.refuted_by = ""
        """Source of the claim that there is no solution; empty without such a claim."""
        self.refutation: Certificate | None = None
        self._best: Result | None = None
        self._on_progress, self._clock = on_progress, clock
        self._lock = threading.Lock()

    @property
    def decided(self) -> bool:
        """Whether nothing is left to find: no solution, value and bound meet, or any solution will do."""
        if self.refuted_by:
            return True
        if not self.minimises:
            return self.edges is not None
        return self.value is not None and self.value == self.bound

    @property
    def certified(self) -> bool:
        """Whether a certificate proves everything that the solution does not."""
        if self.refuted_by:
            return self.refutation is not None
        return self.bound is None or self.certificate is not None

    def accept(self, result: Result) -> None:
        """Take over a verified answer to the same problem: its solution, its bound, or that there is none."""
        if result.status == "infeasible":
            self.refute(result.engine, result.certificate)
        elif result.edges is not None:
            self._solution(result.engine, result.edges, result.cost, result)
        if result.cost_bound is not None:
            source = result.certificate.method if result.certificate is not None else result.engine
            self.accept_bound(source, result.cost_bound, result.certificate)

    def accept_solution(self, source: str, edges: IntArray, value: int | None = None) -> None:
        """Keep a solution if it is better than the present one.

        Raises
        ------
        InvalidTour
            If it does not solve the problem.
        """
        self._solution(source, edges, value, None)

    def _solution(self, source: str, edges: IntArray, value: int | None, result: Result | None) -> None:
        # Look without the lock first: a verification of the tour takes long, and most reports are no better.
        if not self._is_better(value):
            return
        if result is None and self.problem is not None:
            result = Result(self.problem, "feasible", edges=edges, engine=source)
        if result is not None:
            value = result.cost
        with self._lock:
            # Look again: another thread may have reported a better one in the meantime.
            if not self._is_better(value):
                return
            self.edges, self.value, self.source, self._best = edges, value, source, result
            self.first = edges if self.first is None else self.first
            report = self._report(source)
        # Outside the lock, since a listener may take long, or report itself.
        self._on_progress(report)

    def _is_better(self, value: int | None) -> bool:
        return self.edges is None or (value is not None and self.value is not None and value < self.value)

    def accept_bound(self, source: str, bound: int, certificate: Certificate | None = None) -> None:
        """Keep a bound if it is better than the present one, or the first with a certificate."""
        with self._lock:
            better = self.bound is None or bound > self.bound
            if better:
                self.bound, self.bound_source, self.certificate = bound, source, certificate
            elif bound == self.bound and self.certificate is None:
                self.certificate = certificate
            report = self._report(source)
        if better:
            self._on_progress(report)

    def state(self, stated: Stated) -> None:
        """Keep a bound that a file states if it is better than the present stated bound."""
        with self._lock:
            if self.stated is None or stated.bound > self.stated.bound:
                self.stated = stated

    def refute(self, source: str, certificate: Certificate | None = None) -> None:
        """Keep the claim that there is no solution; the first one stays, unless a later one has a certificate."""
        with self._lock:
            if not self.refuted_by or (certificate is not None and self.refutation is None):
                self.refuted_by, self.refutation = source, certificate

    def _report(self, source: str) -> Report:
        unit = PLAIN if self.problem is None else self.problem.unit
        value, bound = unit.value(self.value), unit.value(self.bound)
        return Report(source, value, bound, self.edges, self._clock(), unit=unit)

    def result(self, engine: str = "", seconds: float = 0.0) -> Result:
        """The answer so far.

        Parameters
        ----------
        engine
            The engine of the answer; by default the source of the solution.
        """
        problem = self.problem
        if problem is None:
            raise ValueError("a standing without a problem has no result")
        if self.refuted_by:
            return Result(problem, "infeasible", engine=self.refuted_by, seconds=seconds, certificate=self.refutation)
        bound, certificate = (problem.unit.value(self.bound), self.certificate) if self.minimises else (None, None)
        if self.edges is None:
            return Result(
                problem,
                "unknown",
                bound=bound,
                engine=engine,
                seconds=seconds,
                certificate=certificate,
                stated=self.stated,
            )
        status: Literal["optimal", "feasible"] = "optimal" if self.minimises and self.decided else "feasible"
        best = self._best or Result(problem, "feasible", edges=self.edges)
        known = best.with_bound(status, bound, certificate)
        return known.with_notes(engine=engine or self.source, seconds=seconds, stated=self.stated)
