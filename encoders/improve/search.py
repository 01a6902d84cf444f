"""The windows of a tour that are searched at the same time, and their answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

import numpy as np

from encoders.improve import window as windows
from encoders.improve.choice import Chooser, WindowKind
from encoders.work.run import Run
from kt_models.board import BoolArray, IntArray
from kt_models.errors import KTError
from kt_models.result import Result
from kt_models.walks import walks_of

FIRST_WORK = 1.0
"""Deterministic seconds for the search of a window at first."""
MAX_WORK = 30.0
STALLED_WINDOWS = 25
"""Windows without a better tour after which each may take half as long again."""
BUSY_FACTOR = 20.0
"""Greatest ratio of clock seconds to deterministic seconds of a window, for a machine with other work."""
MAX_ATTEMPTS = 10
"""Windows drawn until one keeps clear of those under way; the last one is taken in any case."""
MAX_LOST = 10
"""Processes that may die in a row, for lack of memory, before the search gives up."""


@dataclass
class WindowJob:
    """A window under way."""

    window: windows.Window
    inside: BoolArray
    kind: WindowKind


class WindowSearch:
    """The present tour, and the windows under way.

    Parameters
    ----------
    best
        The tour to start from.
    accepts
        Whether a tour may be taken, given its edges.
    """

    def __init__(
        self,
        best: Result,
        run: Run,
        on_improvement: Callable[[Result], object] | None,
        accepts: Callable[[IntArray], bool] = lambda edges: True,
    ) -> None:
        self.best, self._accepts = best, accepts
        self.run = run
        self.on_improvement = on_improvement
        self.problem = best.problem
        self.ground = windows.Ground(self.problem)
        self.rng = np.random.default_rng(run.limits.seed)
        self.chooser = Chooser(self.problem.graph, len(self.problem.group), self.rng)
        self.work = FIRST_WORK
        self.tried = 0  # Windows since the last better tour.
        self.lost = 0  # Processes that died since one finished its work.
        assert best.edges is not None and best.cost is not None
        self.value = best.cost
        edges = best.edges
        if not self.problem.closed:
            degree = np.bincount(self.problem.graph.ends[edges].reshape(-1), minlength=self.problem.graph.n)
            edges = np.concatenate([edges, self.problem.graph.m + np.flatnonzero(degree < 2)])
        self.chosen = np.zeros(len(self.ground.ends), dtype=bool)
        self.chosen[edges] = True
        order = self._cycle(self.chosen)
        assert order is not None
        self.order, self.edges = order

    def search(self) -> Result:
        """Search windows until the run is over or the value meets the bound; return the best tour."""
        from encoders.work.pool import MIN_WORKER_BYTES, LocalPool

        memory = self.run.limits.memory
        pool = LocalPool(
            self.run.threads, None if memory is None else max(MIN_WORKER_BYTES, memory // self.run.threads)
        )
        jobs: dict[Future[windows.WindowResult], WindowJob] = {}
        try:
            while not self.run.over and not self.run.decided:
                while len(jobs) < pool.size and (job := self._draw(jobs.values())):
                    seed = int(self.rng.integers(2**31))
                    future = pool.submit(windows.search, job.window, seed, self.work, BUSY_FACTOR * self.work)
                    jobs[future] = job
                done, _ = wait(jobs, timeout=0.1, return_when=FIRST_COMPLETED)
                for future in done:
                    self._take(jobs.pop(future), future)
        except KeyboardInterrupt:  # In a notebook, return what there is.
            self.run.end()
        finally:
            pool.close()
        return self.best

    def _draw(self, under_way: Iterable[WindowJob]) -> WindowJob | None:
        """A window disjoint from those under way, if one is found in a few attempts."""
        taken = np.zeros(self.ground.n, dtype=bool)
        for job in under_way:
            taken |= job.inside
        taken[self.problem.graph.n :] = False
        costs = self.ground.costs(self.chosen)[: self.problem.graph.n]
        for attempt in range(MAX_ATTEMPTS):
            kind, vertices = self.chooser.draw(costs)
            inside = self.ground.closure(vertices)
            if (inside & taken).any() and attempt < MAX_ATTEMPTS - 1:
                continue
            window = windows.contract(self.ground, self.order, self.edges, inside, self.rng)
            if window is not None:
                return WindowJob(window, inside, kind)
            self.chooser.learn(kind, True)
        return None

    def _take(self, job: WindowJob, future: Future[windows.WindowResult]) -> None:
        """Put an answer in place of its window, if the whole is a tour and no worse."""
        try:
            result = future.result()
        except (MemoryError, BrokenProcessPool):  # The window is too large for the memory.
            self.chooser.learn(job.kind, False)
            self.lost += 1
            if self.lost > MAX_LOST:
                raise KTError("the processes that search windows die one after another") from None
            return
        self.lost = 0
        self.run.count(self.best.engine, {"windows": 1, "windows cut short": not result.finished})
        self.chooser.learn(job.kind, result.finished)
        self.tried += 1
        if self.tried % STALLED_WINDOWS == 0:
            self.work = min(MAX_WORK, 1.5 * self.work)
        if result.edges is None:
            return
        chosen = self.chosen.copy()
        chosen[windows.chosen_edges(job.window, job.window.now)] = False
        chosen[windows.chosen_edges(job.window, result.edges)] = True
        if np.array_equal(chosen, self.chosen) or (cycle := self._cycle(chosen)) is None:
            return
        edges = np.flatnonzero(chosen[: self.problem.graph.m]).astype(np.int32)
        value = self.problem.cost(edges)
        assert value is not None
        if value > self.value or not self._accepts(edges):
            return
        self.chosen, (self.order, self.edges) = chosen, cycle
        if value < self.value:
            self.value, self.tried, self.work = value, 0, max(FIRST_WORK, self.work / 1.5)
            before, self.best = self.best, Result(self.problem, "feasible", edges=edges, engine=self.best.engine)
            tell(self.best, before, self.run, self.on_improvement)

    def _cycle(self, chosen: BoolArray) -> tuple[IntArray, IntArray] | None:
        """The vertices and edges of a choice in order; None if it is not one cycle."""
        edges = np.flatnonzero(chosen)
        if (np.bincount(self.ground.ends[edges].reshape(-1), minlength=self.ground.n) != 2).any():
            return None
        walk, *others = walks_of(self.ground.n, self.ground.ends[edges], edges)
        if others or not walk.closed:
            return None
        return np.array(walk.vertices, dtype=np.int32), np.array(walk.edges, dtype=np.int32)


def tell(now: Result, before: Result, run: Run, on_improvement: Callable[[Result], object] | None) -> None:
    """Report a tour, and pass it to the listener if it is better than the one before."""
    assert now.cost is not None and before.cost is not None
    if now.cost < before.cost:
        run.report(now.engine, edges=now.edges, value=now.cost)
        if on_improvement is not None:
            on_improvement(now)
