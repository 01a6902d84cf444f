"""Branch and bound as an engine: it shows that the best tour so far is best, or meets a better one on the way.

The tree that it grows is the certificate.  It is grown alone at first, for a moment, then by a process a core, beside
engines that look for better tours.

A tree that aims too high costs the most, as it ends only when a better solution is met, and what the heuristics have
is seldom the optimum where that is hard.  So where the gap is wide it aims a little above the bound that is shown,
again and again: each step takes several times as long as the one before, all of them little more than the last.
"""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack

from encoders.lp import parallel
from encoders.lp.branching import CaseTree, TooHigh
from encoders.standing import NARROW_GAP
from encoders.work.run import Run
from kt_models.certificates import Certificate, Checked, Statement
from kt_models.certificates.rounding import value_step
from kt_models.errors import CertificateError, TooLarge
from kt_models.limits import Limits, Report, Stopped
from kt_models.machine import usable_cores
from kt_models.problem import Problem

MAX_CELLS = 400
"""Most vertices of a graph whose tree is grown beside other engines."""
WORK_ALONE = 200_000
"""Nodes that are grown before other processes start, times the square of the number of vertices: about a second."""
MIN_NODES_ALONE = 8
"""Where they would be fewer, other engines start at once."""
MIN_NODES_UNPREPARED = 32
"""Where they would be fewer, processes are called before they are needed: it takes them half a second to be ready."""
SLOPE = 4
"""Where the gap is wide, a step is so many times less."""


def nodes_alone(problem: Problem) -> int:
    """Nodes of a problem's tree that one process grows before others start."""
    return WORK_ALONE // max(1, problem.graph.n) ** 2


class BranchAndBound:
    """Works beside others, which find the tours; its bounds come with a certificate."""

    name = "branching"

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._stop = threading.Event()
        self._closed = threading.Event()
        self._busy = threading.Lock()
        self._tree: CaseTree | None = None
        self.grown = 0
        """Nodes of all trees, less those that processes have grown of trees that were not completed."""
        self._open = ExitStack()
        self._crew: parallel.Crew | None = None
        """Processes for the trees that take longer."""

    def __enter__(self) -> BranchAndBound:
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        self._open.close()

    @property
    def takes_long(self) -> bool:
        """Whether the tree is likely to take longer than a moment, so that processes are called before it is begun."""
        return nodes_alone(self.problem) < MIN_NODES_UNPREPARED

    @classmethod
    def of(cls, problem: Problem) -> BranchAndBound | None:
        """The engine, if it is one for the problem."""
        return cls(problem) if 3 <= problem.graph.n <= MAX_CELLS and problem.pairs_meet else None

    def interrupt(self) -> None:
        """End the work soon."""
        self._stop.set()

    def call(self, workers: int) -> parallel.Crew:
        """Have processes get ready to grow trees, unless they are there."""
        if self._crew is None:
            self._crew = self._open.enter_context(parallel.Crew(self.problem, workers))
        return self._crew

    def begin(self, run: Run) -> Certificate | None:
        """Work alone for a moment: the certificate of the best value, if it is there by then."""
        nodes = nodes_alone(self.problem)
        if nodes < MIN_NODES_ALONE or self._crew is not None:
            return None
        while nodes > 0 and run.value is not None and not run.over:
            before = self.grown
            if not self.grow(run, run.limits, nodes):
                return None
            if run.decided:
                return run.standing.certificate
            nodes -= max(1, self.grown - before)
        return None

    def work(self, run: Run) -> Report:
        """Show one bound after the other, until there is none above."""
        limits = run.limits.until(lambda: self._stop.is_set() or run.decided)
        while not limits.over:
            if run.value is None:
                time.sleep(0.05)
            elif not self.grow(run, limits):
                break
        return Report(self.name)

    def grow(self, run: Run, limits: Limits, nodes: int | None = None) -> bool:
        """Show the next bound, or go on with it for so many nodes; False if this is not a problem for the method."""
        assert run.value is not None
        try:
            target = self._target(run.value, run.bound)
            certificate = self.prove(target, limits.until(lambda: (run.value or 0) < target), nodes)
        except TooHigh as better:
            run.report(self.name, edges=better.edges, value=better.value)
        except Stopped:  # the end came in the check
            return True
        except (CertificateError, TooLarge):
            return False
        else:
            if certificate is not None:
                run.report(self.name, bound=target, certificate=certificate)
        return True

    def _target(self, value: int, bound: int | None) -> int:
        """What to show next."""
        if bound is None:
            return value
        step = value_step(self.problem)
        gap = (value - bound) // step
        return value if gap <= NARROW_GAP else bound + max(1, gap // SLOPE) * step

    def prove(self, value: int, limits: Limits, nodes: int | None = None) -> Checked | None:
        """A checked certificate that no solution has a lower value; None if it was not there within the limits.

        Parameters
        ----------
        nodes
            The most that are grown now, all of them in this process.

        Raises
        ------
        TooHigh
            If a solution has.
        """
        limits = limits.until(self._closed.is_set)
        with self._busy:  # a thread that was told to stop may not be back yet
            if self._tree is None or self._tree.at_least != value:
                self._tree = CaseTree(self.problem, value, self._tree.costs if self._tree else None)
            tree, before, workers = self._tree, len(self._tree.nodes), limits.workers or usable_cores()
            try:
                if nodes is None and workers > 1:
                    alone = 0 if self._crew else max(MIN_NODES_ALONE, nodes_alone(self.problem)) - len(tree.nodes)
                    done = tree.grow(limits, max(0, alone))
                    done = done or (not limits.over and parallel.grow(tree, limits, self.call(workers)))
                else:
                    done = tree.grow(limits, nodes)
            finally:
                self.grown += len(tree.nodes) - before
            if not done:
                return None
            return Certificate("tree", Statement(self.problem, "at-least", value), tree.data()).checked(limits)
