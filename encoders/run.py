"""What every engine is given and gives back: limits, progress, answers."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from kt_models.board import IntArray
from kt_models.errors import KTError

Status = str
GRACE = 3.0
"""Seconds an engine has to notice that it should stop before its last report is taken instead of its answer."""


@dataclass(frozen=True)
class Progress:
    """A report while solving: seconds since the start, best value so far and proved bound (None while unknown)."""

    seconds: float
    value: int | None
    bound: int | None
    engine: str


@dataclass(frozen=True)
class Answer:
    """What an engine says; `encoders.solve` verifies it and makes it a `Result`."""

    status: Status
    edges: IntArray | None = None
    bound: int | None = None
    engine: str = ""


@dataclass
class Run:
    """One solve: its deadline, its stop signal, and where its best answer so far is kept.

    Parameters
    ----------
    time_limit
        Seconds from now; None for none.
    workers
        Threads an engine may use; None for as many as there are cores.
    seed
        Same seed, same answer, on one worker and without a time limit.
    stop
        Set it, from any thread or a signal handler, to end the run with the best answer so far.
    on_progress
        Called with every better value or bound.
    """

    time_limit: float | None = None
    workers: int | None = None
    seed: int = 0
    stop: threading.Event = field(default_factory=threading.Event)
    on_progress: Callable[[Progress], None] | None = None
    started: float = field(default_factory=time.monotonic)
    value: int | None = None
    bound: int | None = None
    edges: IntArray | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        if self.time_limit is not None and not 0 < self.time_limit < 1e9:
            raise KTError(f"time limit {self.time_limit}: it is a number of seconds above 0")
        if self.workers is not None and not 1 <= self.workers <= 4096:
            raise KTError(f"workers {self.workers}: it is a number from 1 to 4096")
        if not 0 <= self.seed < 2**31:
            raise KTError(f"seed {self.seed}: it is a number from 0 to 2147483647")

    @property
    def threads(self) -> int:
        return self.workers or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else self.workers or os.cpu_count() or 1

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.started

    @property
    def remaining(self) -> float:
        """Seconds left; infinite without a limit, never negative."""
        return float("inf") if self.time_limit is None else max(0.0, self.time_limit - self.elapsed)

    @property
    def over(self) -> bool:
        return self.stop.is_set() or self.remaining <= 0

    def report(self, engine: str, *, value: int | None = None, edges: IntArray | None = None, bound: int | None = None) -> None:
        """Keep what is better than before, and pass it on.  Engines call this from their own threads."""
        with self._lock:
            better = False
            if edges is not None and (self.edges is None or (value is not None and self.value is not None and value < self.value)):
                self.edges, self.value, better = edges, value, True
            if bound is not None and (self.bound is None or bound > self.bound):
                self.bound, better = bound, True
            progress = Progress(self.elapsed, self.value, self.bound, engine)
        if better and self.on_progress is not None:
            self.on_progress(progress)


def call_until_over(run: Run, work: Callable[[], Answer], interrupt: Callable[[], None], engine: str) -> Answer:
    """Run an engine in a thread, so that signals are seen while it works and a deaf one does not hold the caller.

    When the run is over, `interrupt` asks the engine to stop; if it has not come back after `GRACE` seconds, the best
    it reported is the answer and its thread is left to end by itself.
    """
    box: list[Answer] = []
    fault: list[BaseException] = []

    def target() -> None:
        try:
            box.append(work())
        except BaseException as error:  # handed to the caller below
            fault.append(error)

    thread = threading.Thread(target=target, name=f"kt-{engine}", daemon=True)
    thread.start()
    stopped: float | None = None
    while thread.is_alive():
        try:
            thread.join(0.05)
        except KeyboardInterrupt:  # in a notebook: give back what there is
            run.stop.set()
        if stopped is None and run.over:
            stopped = time.monotonic()
        if stopped is not None:
            interrupt()  # again and again: an engine may only listen once it has started to search
            if time.monotonic() - stopped > GRACE:
                break
    if fault:
        raise fault[0]
    if box:
        return box[0]
    return Answer("feasible" if run.edges is not None else "unknown", run.edges, run.bound, engine)
