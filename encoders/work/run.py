"""The run of a solve with its limits and reports, the protocol of an engine, and the race of engines."""

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
from kt_models.errors import TooLarge
from kt_models.kernel.certificates import Certificate
from kt_models.limits import LATE_PREFIX, NO_LIMITS, Limits, Listener, Report, Stopped, silent
from kt_models.machine import usable_cores
from kt_models.problem import Problem
from kt_models.result import WarmStart

T = TypeVar("T")
GRACE_SECONDS = 1.0
"""Seconds that an engine has to notice that it should stop; then its last report is taken."""


class Run:
    """One solve: its limits, and the standing that engines read and improve.

    Parameters
    ----------
    limits
        The clock starts when the run is made. The same seed gives the same answer on one worker, unless another limit
        comes first.
    minimises
        Whether there is an objective; without one any solution settles the run.
    on_progress
        Called with every better value or bound.
    problem
        The problem to solve, if it is a `Problem`: then every solution is verified as it comes.
    """

    def __init__(
        self,
        limits: Limits = NO_LIMITS,
        minimises: bool = True,
        on_progress: Listener = silent,
        *,
        problem: Problem | None = None,
    ) -> None:
        # Each run has an event of its own, so that one run can end while others with the same limits go on.
        ended = threading.Event()
        self.end = ended.set  # Ends every thread that works on this run.
        self.limits = limits.within(None).until(ended.is_set)
        self.standing = Standing(
            problem, minimises=minimises, on_progress=on_progress, clock=lambda: self.limits.elapsed
        )
        self.start: WarmStart | None = None
        self.counts: Counter[str] = Counter()
        """Counts by engine and word, such as conflicts or nodes."""
        self.alone = threading.Event()
        """Set once only engines are left that never end by themselves, and no time limit ends them: they then end after
        a fixed amount of work."""
        self.helpers = ExitStack()
        """Contexts that close at the end of the run."""
        self._lock = threading.Lock()

    @classmethod
    def of(cls, problem: Problem, limits: Limits = NO_LIMITS, on_progress: Listener = silent) -> Run:
        """The run of a problem."""
        return cls(limits, on_progress=on_progress, problem=problem)

    def again(self, limits: Limits) -> Run:
        """A run that continues from the same standing, with its own limits."""
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
        """The source of the best solution."""
        return self.standing.source

    @property
    def threads(self) -> int:
        """Threads to use: as requested, or one for each core that this process may use."""
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
        """Whether nothing is left to do: value and bound have met, or any solution will do and one is known."""
        return self.standing.decided

    def summary(self, engine: str) -> Report:
        """The best answer so far, as the report of an engine."""
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
        """Keep what is better than before, and pass it on; engines call this from their own threads."""
        if edges is not None:
            self.standing.accept_solution(engine, edges, value)
        if bound is not None:
            self.standing.accept_bound(engine, bound, certificate)

    def count(self, engine: str, counts: Mapping[str, int]) -> None:
        """Add to the counts of an engine, such as `conflicts`."""
        with self._lock:
            self.counts.update({f"{engine} {name}": number for name, number in counts.items()})


class Engine(Protocol):
    """A solver that works in a thread of its own, reports to the run, and can be told to stop.

    An engine that never ends by itself has an attribute `endless` that is true, and looks at `Run.alone`.
    """

    name: str

    def work(self, run: Run) -> Report:
        """Solve, until done or told to stop."""

    def interrupt(self) -> None:
        """Stop soon; called again and again, from another thread."""


def in_time(run: Run, work: Callable[[], T], patience: float = math.inf) -> T | None:
    """The outcome of some work, or None if it is late or the run is over.

    Late work goes on in its thread, and may still report to the run.
    """
    try:
        return run.limits.within(patience).run(work, GRACE_SECONDS / 2)
    except Stopped:
        pass
    except KeyboardInterrupt:  # In a notebook, return what there is.
        run.end()
    return None


def _wait(run: Run, threads: list[threading.Thread], over: Callable[[], bool], interrupt: Callable[[], None]) -> None:
    """Wait for threads; once `over`, interrupt them again and again, for at most `GRACE_SECONDS` seconds."""
    stopped: float | None = None
    while alive := [thread for thread in threads if thread.is_alive()]:
        try:
            alive[0].join(0.02)
        except KeyboardInterrupt:  # In a notebook, return what there is.
            run.end()
            interrupt()  # Interrupt again here: `join` loses count of a thread during which it was interrupted.
        if stopped is None and over():
            stopped = time.monotonic()
        if stopped is not None:
            interrupt()
            if time.monotonic() - stopped > GRACE_SECONDS:
                return


def race(run: Run, engines: Sequence[Engine]) -> Report:
    """Let engines work side by side on one problem; each uses the reports of the others.

    The race ends when one of them has settled the problem, when the best value and the best bound meet, or when the run
    is over. Without a time limit it also ends soon after the last engine that ends by itself has given up. Engines work
    in threads, so that signals are seen meanwhile. An engine that does not return within `GRACE_SECONDS` after it was
    told to stop is left to end by itself.

    Returns
    -------
    Report
        The report that settles the problem, or else the best answer.
    """
    reports: list[Report] = []
    faults: list[BaseException] = []
    refusals: list[TooLarge] = []

    def target(engine: Engine) -> None:
        try:
            reports.append(engine.work(run))
        except Stopped:
            pass
        except TooLarge as error:  # The other engines go on.
            refusals.append(error)
        except BaseException as error:  # Raised again below, in the caller's thread.
            faults.append(error)

    threads = [threading.Thread(target=target, args=(e,), name=f"{LATE_PREFIX}{e.name}", daemon=True) for e in engines]
    for thread in threads:
        thread.start()

    def over() -> bool:
        left = [engine for engine, thread in zip(engines, threads, strict=True) if thread.is_alive()]
        if left and run.limits.seconds is None and all(getattr(engine, "endless", False) for engine in left):
            run.alone.set()
        return bool(faults) or run.over or run.decided or any(report.conclusive for report in reports)

    def interrupt() -> None:
        for engine in engines:
            engine.interrupt()

    _wait(run, threads, over, interrupt)
    conclusive = next((report for report in reports if report.conclusive), None)
    if refusals and len(refusals) == len(engines):
        raise refusals[0]
    # If the system ends a process for lack of memory, keep the answer so far; any other fault is a defect.
    for fault in faults:
        from encoders.work.child import ChildEnded

        if conclusive is None and not (isinstance(fault, MemoryError | ChildEnded) and run.edges is not None):
            raise fault
    if conclusive is not None:
        return conclusive
    name = "+".join(dict.fromkeys(n for n in (run.engine, run.standing.bound_source) if n)) or "+".join(
        e.name for e in engines
    )
    return run.summary(name)
