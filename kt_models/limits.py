"""`Limits`: when work has to end, and which resources it may use.

One frozen value goes from the command line to the innermost loop. Loops test `limits.over`, or call `limits.check()`,
which raises `Stopped`. A caller of several steps gives each a `part` of the remaining time. `limits.run` runs work that
cannot check limits itself, in numpy or in a solver.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from kt_models.decimals import PLAIN, Unit
from kt_models.errors import KTError, TooLarge
from kt_models.machine import resident_memory, usable_memory

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

T = TypeVar("T")
LATE_PREFIX = "kt-late-"
"""Prefix of the names of threads whose work may continue after it was given up."""
POLL_SECONDS = 0.02
"""Seconds between two checks while another thread works."""
FIRST_POLL_SECONDS = 0.005
"""Seconds of the first wait: quick work is done by then, without a check."""
MAX_SECONDS = 1e9
"""Longest time limit: 30 years, within what the system's timers accept."""
MEMORY_SHARE = 0.8
"""Share of the free memory that tables may take by default; the rest is for Python, numpy and the system."""
MEMORY_POLL_SECONDS = 0.05
"""Seconds between two measurements of the memory, each of which reads files of the system."""


def check_seconds(seconds: float | None) -> None:
    """Refuse an invalid time limit; 0 asks for an immediate answer.

    Raises
    ------
    KTError
        If the time is negative, not a number, or `MAX_SECONDS` or more.
    """
    if seconds is not None and not seconds >= 0:
        raise KTError(f"time limit must be at least 0 seconds, got {seconds:g}")
    if seconds is not None and seconds >= MAX_SECONDS:
        raise KTError(f"time limit must be less than {MAX_SECONDS:g} seconds, got {seconds:g}")


def in_seconds(seconds: float) -> str:
    """A length of time in words, such as `1 second` or `0.5 seconds`."""
    return f"{seconds:g} second{'s' if seconds != 1 else ''}"


def spoken_seconds(seconds: float) -> str:
    """A time in words: `about 40 seconds`, `about 2 minutes`."""
    if seconds == inf:
        return "long"
    for size, word in ((3600, "hour"), (60, "minute"), (1, "second")):
        if seconds >= size or size == 1:
            count = max(1, round(seconds / size))
            return f"about {count} {word}{'s' * (count > 1)}"
    raise AssertionError


class Stopped(KTError):
    """Work ended because of limits: the time was up, or the user stopped it."""


class Flag(Protocol):
    """A flag that somebody sets to stop the work, such as `threading.Event`."""

    def is_set(self) -> bool:
        """Whether to stop."""
        ...


@dataclass(frozen=True)
class Limits:
    """Limits of time, memory and processes. The time runs from the creation of the value.

    Parameters
    ----------
    seconds
        Seconds that the work may take; None for no limit.
    stop
        A flag; the work ends when it is set.
    workers
        Processes or threads at once; None for one per core.
    memory
        Limit in bytes for tables, for each worker process, and, if `watched`, for everything since then. None: the free
        memory, within the limits of the method.
    seed
        Seed of all random choices.
    """

    seconds: float | None = None
    stop: Flag | None = None
    workers: int | None = None
    memory: int | None = None
    seed: int = 0
    # The monotonic clock: changes of the system time do not matter
    _start: float = field(default_factory=time.monotonic, repr=False, compare=False)
    _whole: float | None = field(default=None, repr=False, compare=False)
    _unfinished: list[str] = field(default_factory=list, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.seconds != inf:
            check_seconds(self.seconds)
        if self.memory is not None and self.memory < 1:
            raise KTError(f"memory must be at least 1 byte, got {self.memory}")
        if self.workers is not None and not 1 <= self.workers <= 4096:
            raise KTError(f"workers must be from 1 to 4096, got {self.workers}")
        if not 0 <= self.seed < 2**31:
            raise KTError(f"seed must be from 0 to 2147483647, got {self.seed}")

    @property
    def elapsed(self) -> float:
        """Seconds since the creation of the value."""
        return time.monotonic() - self._start

    @property
    def left(self) -> float:
        """Seconds left, at least 0; infinite without a time limit."""
        return inf if self.seconds is None else max(0.0, self._start + self.seconds - time.monotonic())

    @property
    def _requested_seconds(self) -> float | None:
        """Seconds of the limits that these are a part of."""
        return self.seconds if self._whole is None else self._whole

    @property
    def stopped(self) -> bool:
        """Whether somebody stopped the work."""
        return self.stop is not None and self.stop.is_set()

    @property
    def over(self) -> bool:
        """Whether to stop: the time is up, or a stop was requested."""
        return self.stopped or not self.left

    def check(self) -> None:
        """Raise `Stopped` if it is time to stop."""
        if self.over:
            raise Stopped(self._why)

    @property
    def reason(self) -> str:
        """Reason why work was stopped, if it is neither the time nor a user's request."""
        return str(getattr(self.stop, "reason", ""))

    @property
    def _why(self) -> str:
        if self.stopped or self._requested_seconds is None:
            return self.reason or "stopped before the end"
        return f"not done within {in_seconds(self._requested_seconds)}"

    # -- what was left undone ------------------------------------------------------------------------------------------

    def leave(self, step: str) -> None:
        """Record that a step was cut off or left out because a limit was reached.

        `NO_LIMITS` keeps no record: it is everybody's.
        """
        # `NO_LIMITS` is shared by everybody: nothing is recorded there
        if not self._is_nobodys and step not in self._unfinished:
            self._unfinished.append(step)

    @property
    def _is_nobodys(self) -> bool:
        """Whether these are `NO_LIMITS`, or were derived from them and share their record."""
        return self._unfinished is NO_LIMITS._unfinished

    @property
    def unfinished(self) -> tuple[str, ...]:
        """Steps that these limits, or parts of them, cut off or left out."""
        return tuple(self._unfinished)

    # -- memory --------------------------------------------------------------------------------------------------------

    def room(self, most: int) -> int:
        """Bytes that tables may take: as given, or by default most of the free memory, up to a method's own limit."""
        # An explicit limit overrides a method's own
        return min(most, int(MEMORY_SHARE * usable_memory())) if self.memory is None else self.memory

    def require_room(self, needed: float, task: str) -> None:
        """Refuse work that would take more than the given memory.

        Raises
        ------
        TooLarge
            If the memory does not suffice; the message says for what, how much is needed and how much is allowed.
        """
        if self.memory is not None and needed > self.memory:
            raise TooLarge(
                f"{task}: needs about {needed / 1e9:.2g} GB, more than the {self.memory / 1e9:.2g} GB allowed"
            )

    def watched(self) -> Limits:
        """The same limits, which also stop when this process and its workers take more than the given memory.

        What they hold by now does not count: the interpreter with its libraries.
        """
        if self.memory is None:
            return self
        return replace(self, stop=_Crowded(self, self.memory, resident_memory()))

    def part(self, share: float) -> Limits:
        """The same limits from now on, with a share (0 to 1) of the remaining time."""
        seconds = None if self.seconds is None else self.left * share
        return replace(self, seconds=seconds, _start=time.monotonic(), _whole=self._requested_seconds)

    def within(self, seconds: float | None) -> Limits:
        """The same limits from now on, with at most `seconds`; `None` or infinity stands for the remaining time."""
        least = min(self.left, inf if seconds is None else seconds)
        record = [] if self._is_nobodys else self._unfinished
        return replace(
            self,
            seconds=None if least == inf else least,
            _start=time.monotonic(),
            _whole=self._requested_seconds,
            _unfinished=record,
        )

    def with_time_limit(self, time_limit: float | None) -> Limits:
        """The same limits with the seconds that a function was given in addition; the clock starts now.

        Raises
        ------
        KTError
            If the limits are not valid.
        """
        check_seconds(time_limit)
        return self.within(time_limit)

    def until(self, condition: Callable[[], bool]) -> Limits:
        """The same limits, which also stop once a condition holds; the condition is evaluated often."""
        return replace(self, stop=_Condition(lambda: self.stopped or condition(), self.stop))

    def run(self, work: Callable[[], T], grace: float = 0.0) -> T:
        """Run work that checks limits too rarely, or never, and return its outcome.

        Parameters
        ----------
        work
            The function to call, in a thread of its own. If it is late, the thread is abandoned and runs to its end.
        grace
            Seconds in which it may end by itself once a limit is reached.

        Raises
        ------
        Stopped
            If it did not end in time.
        """
        self.check()
        # Nothing can interrupt the work: no thread is needed
        if self.seconds is None and self.stop is None:
            return work()
        outcome: list[T] = []
        fault: list[BaseException] = []

        def target() -> None:
            try:
                outcome.append(work())
            except BaseException as error:  # Raised again below, in the caller's thread
                fault.append(error)

        # A daemon, so that abandoned work does not keep the process alive
        thread = threading.Thread(target=target, name=f"{LATE_PREFIX}work", daemon=True)
        thread.start()
        thread.join(FIRST_POLL_SECONDS)
        while thread.is_alive() and not self.over:
            # A millisecond beyond the limit, so that `over` is true afterwards
            thread.join(min(POLL_SECONDS, self.left + 1e-3))
        if thread.is_alive() and grace:
            thread.join(grace)
        if fault:
            raise fault[0]
        if not outcome:
            self.check()
            # The flag was set, but has been cleared since
            raise Stopped(self._why if self.over else "stopped before the end")
        return outcome[0]


@dataclass(frozen=True)
class _Condition:
    holds: Callable[[], bool]
    before: Flag | None = None

    def is_set(self) -> bool:
        return self.holds()

    @property
    def reason(self) -> str:
        return getattr(self.before, "reason", "") if self.before is not None and self.before.is_set() else ""


class _Crowded:
    """Becomes true for good once too much memory is taken; it polls the system."""

    def __init__(self, limits: Limits, memory: int, before: int) -> None:
        self._limits, self._memory, self._before = limits, memory, before
        self._looked, self._full = 0.0, False

    def is_set(self) -> bool:
        now = time.monotonic()
        if not self._full and now - self._looked > MEMORY_POLL_SECONDS:
            self._looked, self._full = now, resident_memory() - self._before > self._memory
        return self._full or self._limits.stopped

    @property
    def reason(self) -> str:
        if not self._full:
            return self._limits.reason
        return f"stopped: more than {self._memory / 1e9:g} GB of memory were taken"


NO_LIMITS = Limits()
"""No limits at all."""


@dataclass(frozen=True)
class Report:
    """Progress of some work, or the outcome of an engine; `encoders.solve` makes it a `Result`.

    Nothing in it is verified yet.

    Parameters
    ----------
    value, edges
        Value of the best solution so far; None before the first one.
    bound
        Proved bound; None before the first one.
    seconds
        Seconds since the start.
    status
        As in `Result`.
    conclusive
        Whether the work is complete: nothing is left to find or prove.
    certificate
        Certificate of the bound: a `kt_models.kernel.certificates.Certificate`.
    words
        Words about the work, with or without a value and a bound.
    states
        For a sweep: the greatest number of states so far.
    unit
        How value and bound are made of the integers that are minimised. An engine reports these integers themselves.
    share
        How much of the work is done, from 0 to 1, if that is known.
    expected
        Forecast of the seconds that a check takes which begins now; 0 if there is none.
    """

    engine: str = ""
    value: int | float | None = None
    bound: int | float | None = None
    edges: npt.NDArray[np.int32] | None = field(default=None, repr=False, compare=False)
    seconds: float = 0.0
    status: str = "unknown"
    conclusive: bool = False
    certificate: Any = None
    words: str = ""
    states: int = 0
    unit: Unit = PLAIN
    share: float | None = None
    expected: float = 0.0

    @property
    def cost(self) -> int | None:
        """The value as the integer that is minimised."""
        return self.unit.cost(self.value)

    @property
    def cost_bound(self) -> int | None:
        """The bound as the integer that is minimised."""
        return self.unit.cost(self.bound)

    @property
    def gap(self) -> int | float | None:
        """How far value and bound are apart, if both are known."""
        cost, bound = self.cost, self.cost_bound
        return None if cost is None or bound is None else self.unit.gap(cost, bound)

    @property
    def text(self) -> str:
        """The report as a line of text."""
        if self.words:
            return self.words
        gap = "" if self.gap is None else f"gap {self.gap}"
        best, bound = ("-" if number is None else number for number in (self.value, self.bound))
        return f"best {best}  bound {bound}  {gap}  ({self.engine})"


Listener = Callable[[Report], None]
"""A function that receives progress."""


def silent(now: Report) -> None:
    """A listener that does nothing."""
