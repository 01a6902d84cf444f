"""Branch and bound as an engine: it shows that the best tour so far is best, or meets a better one on the way.

The tree that it grows is the certificate.  It is grown alone at first, for a moment, then beside other engines; if one
of those is done first, it goes on from where it is.
"""

from __future__ import annotations

import threading
import time

from encoders.lp.branching import CaseTree, TooHigh
from encoders.work.run import Run
from kt_models.certificates import Certificate, Statement
from kt_models.errors import CertificateError, TooLarge
from kt_models.limits import Limits, Report, Stopped
from kt_models.problem import Problem

MOST_CELLS = 400
"""Most vertices of a graph whose tree is grown beside other engines."""
ALONE = 200_000
"""Nodes that are grown before other engines start, times the square of the number of vertices: about a second."""
LEAST = 8
"""Where they would be fewer, other engines start at once."""


class BranchAndBound:
    """Works beside others, which find the tours; its bounds come with a certificate."""

    name = "branching"

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._stop = threading.Event()
        self._busy = threading.Lock()
        self._tree: CaseTree | None = None

    @classmethod
    def of(cls, problem: Problem) -> BranchAndBound | None:
        """The engine, if it is one for the problem."""
        kinds = problem.connectivity in ("cycle", "path", "any") and not problem.symmetry
        return cls(problem) if kinds and problem.graph.n <= MOST_CELLS and problem.pairs_meet else None

    def interrupt(self) -> None:
        """End the work soon."""
        self._stop.set()

    def begin(self, run: Run) -> Certificate | None:
        """Work alone for a moment: the certificate of the best value, if it is there by then."""
        nodes = ALONE // max(1, self.problem.graph.n) ** 2
        return self._settle(run, run.limits, nodes).certificate if nodes >= LEAST and run.value is not None else None

    def work(self, run: Run) -> Report:
        """Aim at the best value so far; begin anew when a better one is there."""
        while run.value is None and not (run.over or self._stop.is_set()):
            time.sleep(0.05)
        return self._settle(run, run.limits.until(lambda: self._stop.is_set() or run.settled))

    def prove(self, value: int, limits: Limits) -> Certificate | None:
        """A checked certificate that no solution has a lower value; None if it was not there within the limits.

        Raises
        ------
        TooHigh
            If a solution has.
        """
        return self._prove(value, limits, None)[0]

    def _prove(self, value: int, limits: Limits, nodes: int | None) -> tuple[Certificate | None, int]:
        """A certificate, and how many nodes were grown for it."""
        with self._busy:  # a thread that was told to stop may not be back yet
            if self._tree is None or self._tree.at_least != value:
                self._tree = CaseTree(self.problem, value)
            tree, before = self._tree, len(self._tree.nodes)
            if not tree.grow(limits, nodes):
                return None, len(tree.nodes) - before
            certificate = Certificate("tree", Statement(self.problem, "at-least", value), tree.data())
            certificate.check(limits)
            return certificate, 0

    def _settle(self, run: Run, limits: Limits, nodes: int | None = None) -> Report:
        """Show that the best value is best, or report a better one and go on, with so many nodes at most."""
        try:
            while not limits.over and run.value is not None and (nodes is None or nodes > 0):
                target = run.value
                try:
                    part = limits.until(lambda: run.value != target)  # noqa: B023
                    certificate, grown = self._prove(target, part, nodes)
                except TooHigh as better:
                    run.report(self.name, edges=better.edges, value=better.value)
                    nodes = None if nodes is None else nodes - len(self._tree.nodes if self._tree else []) - 1
                    continue
                if certificate is not None:
                    run.report(self.name, bound=target)
                    return Report(
                        self.name,
                        target,
                        target,
                        run.edges,
                        status="optimal",
                        conclusive=True,
                        certificate=certificate,
                    )
                nodes = None if nodes is None else nodes - grown
        except (CertificateError, TooLarge, Stopped):  # not a problem for this method, or the end came in the check
            pass
        return Report(self.name)
