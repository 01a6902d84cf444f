"""`improve`: a better tour from a given one by large-neighbourhood search.

Again and again a window of the tour is freed and solved (`window`), the rest stays.  Every worker is a process with
one window at a time; windows under way keep clear of each other where there is room.  What comes back replaces the
window if the whole is still one tour and no worse: two windows that were searched at the same time may not go
together.  A tour as good as the one before is taken too, as most ways to a better tour lead along such steps.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from encoders.improve import window as windows
from encoders.improve.choice import Chooser, WindowKind
from encoders.work.run import Run, in_time
from kt_models.board import BoolArray, IntArray
from kt_models.certificates import Certificate
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits, Listener, silent
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.tour import Tour
from kt_models.walks import walks_of
from kt_models.weights import Weights

ENGINE = "improve"
SECONDS = 60.0
"""How long it takes where nothing limits it."""
WORK = 1.0
"""Deterministic seconds that the search of a window may take at first."""
MOST_WORK = 30.0
STALL = 25
"""After so many windows without a better tour they may take longer, by half."""
BUSY = 20.0
"""How many times its deterministic seconds a window may take by the clock, on a machine with other work."""
ATTEMPTS = 10
"""Windows drawn until one keeps clear of those under way; the last is taken though it does not."""
MOST_LOST = 10
"""Processes that may die one after the other, for want of memory, before it is given up."""
ANNEALING_SHARE, LONGER = 0.4, 4
"""Of the time, the most that exchanges may take at first, and times what they are given before a solver begins."""
BOUND_SHARE = 0.5
"""Of the time, the most that a bound may take, beside the search."""


def improve(
    tour: Tour,
    objective: str | Weights | Problem,
    *,
    time_limit: float | None = None,
    limits: Limits = NO_LIMITS,
    anneal: bool = True,
    bound: bool = True,
    on_progress: Listener = silent,
    on_improvement: Callable[[Result], object] | None = None,
) -> Result:
    """A tour that is no worse than the given one.

    Parameters
    ----------
    tour
        A valid tour, closed or open.
    objective
        `turns`, `crossings` or any weights on pairs of edges, of which less is better; or a problem that the tour
        solves, where there is more that has to stay: moves, ends, a symmetry.
    time_limit, limits
        When to end; by default after `SECONDS`.  Workers are processes.  On one worker the same seed gives the same
        answer (if no other limit cuts in).
    anneal
        Whether the exchanges of `heuristics.local_search` are tried for a moment first; a tour made by a pattern does
        not gain by it.
    bound
        Whether a lower bound is looked for beside the search.
    on_progress
        Called with every better value or bound.
    on_improvement
        Called with a verified result for every better tour.

    Returns
    -------
    Result
        Verified.  `optimal` if the value meets a certified bound, otherwise `feasible`.

    Raises
    ------
    InvalidTour
        If the given tour is not what was asked for.
    KTError
        If the arguments do not fit together.
    """
    problem = objective
    if not isinstance(problem, Problem):
        problem = Problem(tour.graph, "cycle" if tour.closed else "path", problem)
    if problem.objective is None:
        raise KTError("a tour is improved by an objective, and there is none: turns, crossings or weights")
    if time_limit is None and limits.seconds is None:
        time_limit = SECONDS
    run = Run(limits.with_time_limit(time_limit), True, on_progress)
    first = Result(problem, "feasible", tour, engine=ENGINE)
    weights = in_time(run, lambda: problem.weights)  # a million cells take seconds
    if weights is None:
        return replace(first, seconds=run.elapsed)
    run.bound = trivial = sum(np.minimum(weights.weight, 0).tolist())
    run.report(ENGINE, edges=first.edges, value=first.value)
    shown: list[Certificate] = []
    if bound:
        threading.Thread(target=_bound, args=(problem, run, shown), name="kt-bound", daemon=True).start()
    best = first
    try:
        if anneal and problem.graph.n >= 5 and not problem.symmetry:
            best = in_time(run, lambda: _annealed(first, run)) or first
            _tell(best, first, run, on_improvement)
        if problem.graph.n >= 5 and not run.over and not run.settled:
            start = best
            if search := in_time(run, lambda: WindowSearch(start, run, on_improvement)):
                best = search.search()
    except KeyboardInterrupt:  # in a notebook: give back what there is
        run.end()
    certificate = shown[0] if shown else None
    least = certificate.bound if certificate else trivial
    proved = least == best.value
    status: Literal["optimal", "feasible"] = "optimal" if proved else "feasible"
    best = replace(best, status=status, bound=least, certificate=certificate, seconds=run.elapsed)
    return best.with_notes(statistics=+run.counts)


def _bound(problem: Problem, run: Run, shown: list[Certificate]) -> None:
    """The best bound that is a matter of a moment, while windows are searched."""
    from encoders.bounds import NotShown, certify_lower_bound

    try:
        certificate = certify_lower_bound(problem, limits=run.limits.part(BOUND_SHARE))
    except NotShown as error:
        if error.best is None:
            return
        certificate = error.best
    except KTError:  # no method applies
        return
    if certificate.bound is not None:
        shown.append(certificate)
        run.report(certificate.method, bound=certificate.bound)


def _annealed(first: Result, run: Run) -> Result:
    """The tour after a moment of exchanges, which need no solver."""
    from heuristics.find import quick_seconds
    from heuristics.local_search import improve as exchange
    from heuristics.local_search import phases_for

    problem, tour = first.problem, first.tour
    assert tour is not None and problem.objective is not None
    limits = run.limits.part(ANNEALING_SHARE).within(LONGER * quick_seconds(problem.graph.n))
    better = exchange(tour, problem, phases=phases_for(problem, limits), limits=limits)
    return first if better is tour else Result(problem, "feasible", better, engine=ENGINE)


def _tell(now: Result, before: Result, run: Run, on_improvement: Callable[[Result], object] | None) -> None:
    assert now.value is not None and before.value is not None
    if now.value < before.value:
        run.report(ENGINE, edges=now.edges, value=now.value)
        if on_improvement is not None:
            on_improvement(now)


@dataclass
class WindowJob:
    """A window under way."""

    window: windows.Window
    inside: BoolArray
    kind: WindowKind


class WindowSearch:
    """The tour as it is, and the windows under way.

    Parameters
    ----------
    best
        Where to start from.
    """

    def __init__(self, best: Result, run: Run, on_improvement: Callable[[Result], object] | None) -> None:
        self.best = best
        self.run = run
        self.on_improvement = on_improvement
        self.problem = best.problem
        self.ground = windows.Ground(self.problem)
        self.rng = np.random.default_rng(run.limits.seed)
        self.chooser = Chooser(self.problem.graph, len(self.problem.group), self.rng)
        self.work = WORK
        self.tried = 0  # windows since the last better tour
        self.lost = 0  # processes since one did its work
        assert best.edges is not None and best.value is not None
        self.value = best.value
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
        """Search windows until the run is over or the value meets the bound; the best tour found."""
        from encoders.work.pool import LEAST_MEMORY, LocalPool

        memory = self.run.limits.memory
        pool = LocalPool(self.run.threads, None if memory is None else max(LEAST_MEMORY, memory // self.run.threads))
        jobs: dict[Future[windows.WindowResult], WindowJob] = {}
        try:
            while not self.run.over and not self.run.settled:
                while len(jobs) < pool.size and (job := self._draw(jobs.values())):
                    seed = int(self.rng.integers(2**31))
                    future = pool.submit(windows.search, job.window, seed, self.work, BUSY * self.work)
                    jobs[future] = job
                done, _ = wait(jobs, timeout=0.1, return_when=FIRST_COMPLETED)
                for future in done:
                    self._take(jobs.pop(future), future)
        except KeyboardInterrupt:  # in a notebook: give back what there is
            self.run.end()
        finally:
            pool.close()
        return self.best

    def _draw(self, under_way: Iterable[WindowJob]) -> WindowJob | None:
        """A window that has no vertex in common with those under way, if one is found in a few attempts."""
        taken = np.zeros(self.ground.n, dtype=bool)
        for job in under_way:
            taken |= job.inside
        taken[self.problem.graph.n :] = False
        costs = self.ground.costs(self.chosen)[: self.problem.graph.n]
        for attempt in range(ATTEMPTS):
            kind, vertices = self.chooser.draw(costs)
            inside = self.ground.closure(vertices)
            if (inside & taken).any() and attempt < ATTEMPTS - 1:
                continue
            window = windows.contract(self.ground, self.order, self.edges, inside, self.rng)
            if window is not None:
                return WindowJob(window, inside, kind)
            self.chooser.learn(kind, True)
        return None

    def _take(self, job: WindowJob, future: Future[windows.WindowResult]) -> None:
        """Put what was found in place of a window, if the whole is a tour and no worse."""
        try:
            found = future.result()
        except (MemoryError, BrokenProcessPool):  # too large a window for the memory
            self.chooser.learn(job.kind, False)
            self.lost += 1
            if self.lost > MOST_LOST:
                raise KTError("the processes that search windows die, one after the other") from None
            return
        self.lost = 0
        self.run.count(ENGINE, {"windows": 1, "windows cut short": not found.finished})
        self.chooser.learn(job.kind, found.finished)
        self.tried += 1
        if self.tried % STALL == 0:
            self.work = min(MOST_WORK, 1.5 * self.work)
        if found.edges is None:
            return
        chosen = self.chosen.copy()
        chosen[windows.chosen_edges(job.window, job.window.now)] = False
        chosen[windows.chosen_edges(job.window, found.edges)] = True
        if np.array_equal(chosen, self.chosen) or (cycle := self._cycle(chosen)) is None:
            return
        edges = np.flatnonzero(chosen[: self.problem.graph.m]).astype(np.int32)
        value = self.problem.value(edges)
        assert value is not None
        if value > self.value:
            return
        self.chosen, (self.order, self.edges) = chosen, cycle
        if value < self.value:
            self.value, self.tried, self.work = value, 0, max(WORK, self.work / 1.5)
            before, self.best = self.best, Result(self.problem, "feasible", edges=edges, engine=ENGINE)
            _tell(self.best, before, self.run, self.on_improvement)

    def _cycle(self, chosen: BoolArray) -> tuple[IntArray, IntArray] | None:
        """The vertices and edges of a choice in order, None if it is not one cycle."""
        edges = np.flatnonzero(chosen)
        if (np.bincount(self.ground.ends[edges].reshape(-1), minlength=self.ground.n) != 2).any():
            return None
        walk, *others = walks_of(self.ground.n, self.ground.ends[edges], edges)
        if others or not walk.closed:
            return None
        return np.array(walk.vertices, dtype=np.int32), np.array(walk.edges, dtype=np.int32)
