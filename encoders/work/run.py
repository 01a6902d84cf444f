"""What every engine is given and gives back: a run and its limits, and reports; and how engines race."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Protocol, TypeVar

from encoders.standing import Standing
from kt_models.board import IntArray
from kt_models.certificates import Certificate
from kt_models.errors import TooLarge
from kt_models.limits import LATE_PREFIX, NO_LIMITS, Limits, Listener, Report, Stopped, silent
from kt_models.machine import usable_cores
from kt_models.problem import Problem
from kt_models.result import WarmStart

T = TypeVar("T")
GRACE_SECONDS = 1.0
"""Seconds an engine has to notice that it should stop before what it said last is taken."""


class Run:
    """One solve: its limits, and the standing that engines read and improve.

    Parameters
    ----------
    limits
        The clock starts when the run is made.  The same seed gives the same answer on one worker, unless another limit
        comes first.
    minimises
        Whether there is an objective; without one any solution settles the run.
    on_progress
        Called with every better value or bound.
    problem
        What is solved, if that is a `Problem`: then every solution is verified as it comes.
    """

    def __init__(
        self,
        limits: Limits = NO_LIMITS,
        minimises: bool = True,
        on_progress: Listener = silent,
        *,
        problem: Problem | None = None,
    ) -> None:
        ended = threading.Event()
        self.end = ended.set  # for all that work on it
        self.limits = limits.within(None).until(ended.is_set)
        self.standing = Standing(
            problem, minimises=minimises, on_progress=on_progress, clock=lambda: self.limits.elapsed
        )
        self.start: WarmStart | None = None
        self.counts: Counter[str] = Counter()
        """What engines have counted: conflicts, nodes, ... under the engine's name and the word."""
        self.helpers = ExitStack()
        """What is closed at the end of the run."""
        self._lock = threading.Lock()

    @classmethod
    def of(cls, problem: Problem, limits: Limits = NO_LIMITS, on_progress: Listener = silent) -> Run:
        """The run of a problem."""
        return cls(limits, on_progress=on_progress, problem=problem)

    def again(self, limits: Limits) -> Run:
        """A run that goes on from the same standing, with limits of its own."""
        run = Run(limits)
        run.standing, run.start, run.counts = self.standing, self.start, self.counts
        return run

    @property
    def minimises(self) -> bool:
        """Whether there is an objective."""
        return self.standing.minimises

    @property
    def value(self) -> int | None:
        """Value of the best solution."""
        return self.standing.value

    @property
    def edges(self) -> IntArray | None:
        """Edges of the best solution."""
        return self.standing.edges

    @property
    def first(self) -> IntArray | None:
        """Edges of the first solution."""
        return self.standing.first

    @property
    def bound(self) -> int | None:
        """The best bound."""
        return self.standing.bound

    @property
    def engine(self) -> str:
        """Where the best solution is from."""
        return self.standing.source

    @property
    def threads(self) -> int:
        """Threads to use: as asked for, or one a core this process may run on."""
        return self.limits.workers or usable_cores()

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return self.limits.elapsed

    @property
    def over(self) -> bool:
        """Whether the run is to end."""
        return self.limits.over

    @property
    def decided(self) -> bool:
        """Whether nothing is left to do: value and bound have met, or any solution will do and one is there."""
        return self.standing.decided

    def summary(self, engine: str) -> Report:
        """The best that is known, as the report of an engine."""
        status = "unknown" if self.edges is None else "optimal" if self.minimises and self.decided else "feasible"
        return Report(engine, self.value, self.bound, self.edges, self.elapsed, status)

    def report(
        self,
        engine: str,
        *,
        value: int | None = None,
        edges: IntArray | None = None,
        bound: int | None = None,
        certificate: Certificate | None = None,
    ) -> None:
        """Keep what is better than before, and pass it on.  Engines call this from their own threads."""
        if edges is not None:
            self.standing.accept_solution(engine, edges, value)
        if bound is not None:
            self.standing.accept_bound(engine, bound, certificate)

    def count(self, engine: str, counts: Mapping[str, int]) -> None:
        """Add to what an engine has counted, such as `conflicts`."""
        with self._lock:
            self.counts.update({f"{engine} {name}": number for name, number in counts.items()})


class Engine(Protocol):
    """Something that solves: it works in a thread of its own, reports to the run, and can be told to stop."""

    name: str

    def work(self, run: Run) -> Report:
        """Solve, until done or told to stop."""

    def interrupt(self) -> None:
        """Stop soon; called again and again, from another thread."""


def in_time(run: Run, work: Callable[[], T], patience: float = math.inf) -> T | None:
    """The outcome of some work, or None if it is not there after so many seconds, or when the run is over.

    Work that is late goes on in its thread, and may still report to the run.
    """
    try:
        return run.limits.within(patience).run(work, GRACE_SECONDS / 2)
    except Stopped:
        pass
    except KeyboardInterrupt:  # in a notebook: give back what there is
        run.end()
    return None


def _wait(run: Run, threads: list[threading.Thread], over: Callable[[], bool], interrupt: Callable[[], None]) -> None:
    """Wait for threads; once `over`, interrupt them again and again, for at most `GRACE_SECONDS` seconds."""
    stopped: float | None = None
    while alive := [thread for thread in threads if thread.is_alive()]:
        try:
            alive[0].join(0.02)
        except KeyboardInterrupt:  # in a notebook: give back what there is
            run.end()
            interrupt()  # here, as `join` may have lost count of a thread that it was interrupted on
        if stopped is None and over():
            stopped = time.monotonic()
        if stopped is not None:
            interrupt()
            if time.monotonic() - stopped > GRACE_SECONDS:
                return


def race(run: Run, engines: Sequence[Engine]) -> Report:
    """Let engines work side by side on one problem, each helped by what the others report.

    It ends when one of them has settled the problem, when the best value and the best bound meet, or when the run is
    over.  Engines work in threads, so that signals are seen meanwhile; one that has not come back `GRACE_SECONDS`
    seconds after it was told to stop is left to end by itself.

    Returns
    -------
    Report
        The one that settles it, or else the best of all.
    """
    reports: list[Report] = []
    faults: list[BaseException] = []
    refusals: list[TooLarge] = []

    def target(engine: Engine) -> None:
        try:
            reports.append(engine.work(run))
        except Stopped:
            pass
        except TooLarge as error:  # the others go on
            refusals.append(error)
        except BaseException as error:  # raised again below, in the caller's thread
            faults.append(error)

    threads = [threading.Thread(target=target, args=(e,), name=f"{LATE_PREFIX}{e.name}", daemon=True) for e in engines]
    for thread in threads:
        thread.start()

    def over() -> bool:
        return bool(faults) or run.over or run.decided or any(report.conclusive for report in reports)

    def interrupt() -> None:
        for engine in engines:
            engine.interrupt()

    _wait(run, threads, over, interrupt)
    conclusive = next((report for report in reports if report.conclusive), None)
    if refusals and len(refusals) == len(engines):
        raise refusals[0]
    for fault in faults:  # what is known is not thrown away as the system ends a process; any other fault is a defect
        from encoders.work.child import ChildEnded

        if conclusive is None and not (isinstance(fault, MemoryError | ChildEnded) and run.edges is not None):
            raise fault
    if conclusive is not None:
        return conclusive
    name = "+".join(dict.fromkeys(n for n in (run.engine, run.standing.bound_source) if n)) or "+".join(
        e.name for e in engines
    )
    return run.summary(name)
