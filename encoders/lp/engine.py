"""Branch and bound as an engine: it proves that the best tour is optimal, or meets a better one on the way.

Its tree is the certificate. At first it grows in this process, then in a process for each core, beside engines that
look for better tours.

A tree with too high a claim costs the most, because it ends only when a better solution is met, and on hard problems
the heuristics seldom have the optimum. So if the gap is wide, the engine claims a little more than the proved bound,
again and again. Each step takes several times as long as the one before, so all earlier steps cost little more than the
last.
"""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack

from encoders.lp import is_small, parallel
from encoders.lp.branching import CaseTree, TooHigh
from encoders.standing import NARROW_GAP
from encoders.work.run import Run
from kt_models.errors import CertificateError, TooLarge
from kt_models.kernel.certificates import Certificate, Checked, Statement
from kt_models.kernel.certificates.integers import SUM_LIMIT, largest
from kt_models.kernel.certificates.rounding import value_step
from kt_models.limits import Limits, Report, Stopped
from kt_models.machine import usable_cores
from kt_models.problem import Problem

WORK_ALONE = 200_000
"""Nodes grown before other processes start, times the square of the number of vertices: about a second."""
MIN_NODES_ALONE = 8
"""If fewer nodes than this would be grown alone, other engines start at once."""
MIN_NODES_UNPREPARED = 32
"""If fewer nodes than this would be grown alone, processes start in advance: they take half a second to get ready."""
SLOPE = 4
"""Divisor of a wide gap in the next claim; a larger one takes more, but shorter steps."""
LEAST_DENOMINATOR = 1 << 12
"""The coarsest denominator of multipliers with which a tree is worth growing."""
LAST_SHARE = 0.2
"""Share of the first gap from which on the best value is claimed: the steps of lengths and angles would not end."""


def nodes_alone(problem: Problem) -> int:
    """Nodes of a problem's tree that one process grows before others start."""
    return WORK_ALONE // max(1, problem.graph.n) ** 2


def _weights_fit(problem: Problem) -> bool:
    """Whether sums of multipliers stay within 64 bits; an engine that others rely on must not give up on the first."""
    weights = problem.weights
    return weights is None or largest(weights.weight) * len(weights.weight) * LEAST_DENOMINATOR < SUM_LIMIT


class BranchAndBound:
    """An engine that works beside others, which find the tours; its bounds have certificates."""

    name = "branching"

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._stop = threading.Event()
        self._closed = threading.Event()
        self._busy = threading.Lock()
        self._tree: CaseTree | None = None
        self._first_bound: int | None = None
        self.grown = 0
        """Nodes of all trees, without those that processes grew in trees that were not completed."""
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
        """Whether the tree is likely to be large, so that processes start before it is begun."""
        return nodes_alone(self.problem) < MIN_NODES_UNPREPARED

    @classmethod
    def of(cls, problem: Problem) -> BranchAndBound | None:
        """The engine for a problem, if it applies."""
        applies = problem.graph.n >= 3 and is_small(problem) and problem.pairs_meet and _weights_fit(problem)
        return cls(problem) if applies else None

    def interrupt(self) -> None:
        """End the work soon."""
        self._stop.set()

    def call(self, workers: int) -> parallel.Crew:
        """Start processes for trees, unless they are running."""
        if self._crew is None:
            self._crew = self._open.enter_context(parallel.Crew(self.problem, workers))
        return self._crew

    def begin(self, run: Run) -> Certificate | None:
        """Grow a few nodes in this process; return the certificate of the best value, if they suffice."""
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
        """Prove one bound after the other, until the value is reached."""
        limits = run.limits.until(lambda: self._stop.is_set() or run.decided)
        while not limits.over:
            if run.value is None:
                time.sleep(0.05)
            elif not self.grow(run, limits):
                break
        return Report(self.name)

    def grow(self, run: Run, limits: Limits, nodes: int | None = None) -> bool:
        """Prove the next bound, or continue for some nodes; False if the method does not apply to the problem."""
        assert run.value is not None
        try:
            target = self._target(run.value, run.bound)
            certificate = self.prove(target, limits.until(lambda: (run.value or 0) < target), nodes)
        except TooHigh as better:
            run.report(self.name, edges=better.edges, value=better.value)
        except Stopped:  # The limit was reached during the check.
            return True
        except (CertificateError, TooLarge):
            return False
        else:
            if certificate is not None:
                run.report(self.name, bound=target, certificate=certificate)
        return True

    def _target(self, value: int, bound: int | None) -> int:
        """The next bound to claim."""
        if bound is None:
            return value
        step = value_step(self.problem)
        gap = (value - bound) // step
        self._first_bound = bound if self._first_bound is None else min(bound, self._first_bound)
        narrow = max(NARROW_GAP, LAST_SHARE * ((value - self._first_bound) // step))
        return value if gap <= narrow else bound + max(1, gap // SLOPE) * step

    def prove(self, value: int, limits: Limits, nodes: int | None = None) -> Checked | None:
        """A checked certificate that no solution has a lower value; None if it was not found within the limits.

        Parameters
        ----------
        nodes
            Most nodes to grow now, all of them in this process.

        Raises
        ------
        TooHigh
            If a solution has a lower value.
        """
        limits = limits.until(self._closed.is_set)
        with self._busy:  # A thread that was told to stop may still be running.
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
