"""`Limits`: when work has to end, and what it may use.

One frozen value goes from the command line to the innermost loop.  Whoever loops asks `limits.over`, or calls
`limits.check()`, which raises `Stopped`; whoever calls several things in turn gives each a `part` of what is left.
Work that cannot look at them itself, in numpy or in a solver, is handed to `limits.run`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from kt_models.arguments import require_callable, require_number
from kt_models.errors import KTError, TooLarge
from kt_models.machine import resident_memory, usable_memory

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

T = TypeVar("T")
LATE = "kt-late-"
"""How the names of threads begin whose work may go on after it was given up."""
LOOK = 0.02
"""Seconds between two looks while somebody else works."""
QUICK = 0.005
"""Seconds after which work that is quick is done, and there was no need to look."""
MAX_SECONDS = 1e9
"""Longest time limit: 30 years."""
SHARE = 0.8
"""Of the memory that is free, what tables may take by default."""
WATCHED = 0.05
"""Seconds between two looks at the memory that is taken."""


def check_seconds(seconds: float | None) -> None:
    """Refuse a time limit that makes no sense; 0 means what can be said at once.

    Raises
    ------
    KTError
        If it is negative, no number, or `MAX_SECONDS` or more.
    """
    if seconds is not None and not seconds >= 0:
        raise KTError(f"time limit must be at least 0 seconds, got {seconds:g}")
    if seconds is not None and seconds >= MAX_SECONDS:
        raise KTError(f"time limit must be less than {MAX_SECONDS:g} seconds, got {seconds:g}")


class Stopped(KTError):
    """Given up because of limits: the time was up, or somebody asked for the end."""


class Flag(Protocol):
    """Something that somebody sets to ask for the end: `threading.Event` will do."""

    def is_set(self) -> bool:
        """Whether to end."""
        ...


@dataclass(frozen=True)
class Limits:
    """Limits of time, memory and processes.  The time runs from when the value is made.

    Parameters
    ----------
    seconds
        How long work may take; None: as long as it takes.
    stop
        What is set to ask for the end.
    workers
        Processes or threads at once; None: as many as there are cores.
    memory
        Bytes that may be taken: by tables, by each worker process, and, where it is `watched`, by everything since
        then.  None: what is free, and no more than the method itself allows.
    seed
        Of everything random.
    """

    seconds: float | None = None
    stop: Flag | None = None
    workers: int | None = None
    memory: int | None = None
    seed: int = 0
    _start: float = field(default_factory=time.monotonic, repr=False, compare=False)
    _whole: float | None = field(default=None, repr=False, compare=False)
    _unfinished: list[str] = field(default_factory=list, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.seconds != inf:
            check_seconds(self.seconds)
        if self.memory is not None and self.memory < 1:
            raise KTError(f"memory must be at least 1 byte, got {self.memory}")
        if self.workers is not None and not 1 <= self.workers <= 4096:
            raise KTError(f"workers {self.workers}: it is a number from 1 to 4096")
        if not 0 <= self.seed < 2**31:
            raise KTError(f"seed {self.seed}: it is a number from 0 to 2147483647")

    @property
    def elapsed(self) -> float:
        """Seconds since the value was made."""
        return time.monotonic() - self._start

    @property
    def left(self) -> float:
        """Seconds that are left, not below 0; infinite where the time is not limited."""
        return inf if self.seconds is None else max(0.0, self._start + self.seconds - time.monotonic())

    @property
    def _asked(self) -> float | None:
        """The seconds of the limits that these are a part of."""
        return self.seconds if self._whole is None else self._whole

    @property
    def stopped(self) -> bool:
        """Whether somebody asked for the end."""
        return self.stop is not None and self.stop.is_set()

    @property
    def over(self) -> bool:
        """Whether to end: the time is up, or somebody asked for it."""
        return self.stopped or not self.left

    def check(self) -> None:
        """Raise `Stopped` if it is time to end."""
        if self.over:
            raise Stopped(self._why)

    @property
    def reason(self) -> str:
        """Why work was stopped, where that is neither the time nor somebody's wish."""
        return str(getattr(self.stop, "reason", ""))

    @property
    def _why(self) -> str:
        if self.stopped or self._asked is None:
            return self.reason or "stopped before the end"
        return f"not done within {self._asked:g} seconds"

    # -- what was left undone ------------------------------------------------------------------------------------------

    def leave(self, step: str) -> None:
        """Record that a step was cut off or left out because the limits were reached.

        `NO_LIMITS` keeps no record: it is everybody's.
        """
        if not self._is_nobodys and step not in self._unfinished:
            self._unfinished.append(step)

    @property
    def _is_nobodys(self) -> bool:
        """Whether these are `NO_LIMITS`, or were made of them and share their record."""
        return self._unfinished is NO_LIMITS._unfinished

    @property
    def unfinished(self) -> tuple[str, ...]:
        """The steps that these limits, or parts of them, cut off or left out."""
        return tuple(self._unfinished)

    # -- memory --------------------------------------------------------------------------------------------------------

    def room(self, most: int) -> int:
        """Bytes that tables may take: those given, or by default most of what is free, up to a method's own limit."""
        return min(most, int(SHARE * usable_memory())) if self.memory is None else self.memory

    def require_room(self, needed: float, what: str) -> None:
        """Refuse what would take more than the memory given.

        Raises
        ------
        TooLarge
            Saying what it is, what it needs and what it may take.
        """
        if self.memory is not None and needed > self.memory:
            raise TooLarge(
                f"{what}: needs about {needed / 1e9:.2g} GB, more than the {self.memory / 1e9:.2g} GB allowed"
            )

    def watched(self) -> Limits:
        """The same limits, which are reached too when this process and its workers take more than the memory given.

        What they hold by now does not count: the interpreter with its libraries.
        """
        if self.memory is None:
            return self
        return replace(self, stop=_Crowded(self, self.memory, resident_memory()))

    def part(self, share: float) -> Limits:
        """The same limits from now on, with a share (from 0 to 1) of the time that is left."""
        seconds = None if self.seconds is None else self.left * share
        return replace(self, seconds=seconds, _start=time.monotonic(), _whole=self._asked)

    def within(self, seconds: float | None) -> Limits:
        """The same limits from now on, with no more than so many seconds; None or infinity: what is left."""
        least = min(self.left, inf if seconds is None else seconds)
        record = [] if self._is_nobodys else self._unfinished
        return replace(
            self,
            seconds=None if least == inf else least,
            _start=time.monotonic(),
            _whole=self._asked,
            _unfinished=record,
        )

    def with_time_limit(self, time_limit: float | None) -> Limits:
        """The same limits with the seconds that a function was given besides; the clock starts now.

        Raises
        ------
        KTError
            If they make no sense.
        """
        check_seconds(time_limit)
        return self.within(time_limit)

    def until(self, condition: Callable[[], bool]) -> Limits:
        """The same limits, which are reached as well once a condition holds; it is asked often."""
        return replace(self, stop=_Condition(lambda: self.stopped or condition(), self.stop))

    def run(self, work: Callable[[], T], grace: float = 0.0) -> T:
        """The outcome of some work that does not look at limits often enough, or not at all.

        Parameters
        ----------
        work
            It is done in a thread of its own.  Once it is late nobody waits for it; it goes on there to its end.
        grace
            Seconds that it is given to end by itself once the limits are reached.

        Raises
        ------
        Stopped
            If it was not done in time.
        """
        self.check()
        if self.seconds is None and self.stop is None:
            return work()
        outcome: list[T] = []
        fault: list[BaseException] = []

        def target() -> None:
            try:
                outcome.append(work())
            except BaseException as error:  # raised again below, in the caller's thread
                fault.append(error)

        thread = threading.Thread(target=target, name=f"{LATE}work", daemon=True)
        thread.start()
        thread.join(QUICK)
        while thread.is_alive() and not self.over:
            thread.join(min(LOOK, self.left + 1e-3))
        if thread.is_alive() and grace:
            thread.join(grace)
        if fault:
            raise fault[0]
        if not outcome:
            self.check()
            raise Stopped(self._why if self.over else "stopped before the end")  # a flag that was set, and is no longer
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
    """Set for good once more memory is taken than may be; the system is asked now and then."""

    def __init__(self, limits: Limits, memory: int, before: int) -> None:
        self._limits, self._memory, self._before = limits, memory, before
        self._looked, self._full = 0.0, False

    def is_set(self) -> bool:
        now = time.monotonic()
        if not self._full and now - self._looked > WATCHED:
            self._looked, self._full = now, resident_memory() - self._before > self._memory
        return self._full or self._limits.stopped

    @property
    def reason(self) -> str:
        if not self._full:
            return self._limits.reason
        return f"stopped: more than {self._memory / 1e9:g} GB of memory were taken"


NO_LIMITS = Limits()
"""As long as it takes."""


@dataclass(frozen=True)
class Report:
    """What work says of itself while it goes on, and an engine at its end; `encoders.solve` makes that a `Result`.

    Nothing in it is verified yet.

    Parameters
    ----------
    value, edges
        Of the best solution so far; None while there is none.
    bound
        Nothing is below; None while nothing is proved.
    seconds
        Since the start.
    status
        As of a `Result`.
    conclusive
        Whether nothing is left to be found or proved.
    certificate
        Of the bound: a `kt_models.certificates.Certificate`.
    words
        What there is to say of work that has no value and no bound, or besides them.
    states
        Of a sweep: the most partial solutions that it followed side by side.
    """

    engine: str = ""
    value: int | None = None
    bound: int | None = None
    edges: npt.NDArray[np.int32] | None = field(default=None, repr=False, compare=False)
    seconds: float = 0.0
    status: str = "unknown"
    conclusive: bool = False
    certificate: Any = None
    words: str = ""
    states: int = 0

    @property
    def text(self) -> str:
        """A line of it."""
        if self.words:
            return self.words
        gap = f"gap {self.value - self.bound}" if self.value is not None and self.bound is not None else ""
        best, bound = ("-" if number is None else number for number in (self.value, self.bound))
        return f"best {best}  bound {bound}  {gap}  ({self.engine})"


class History:
    """The best value and the best bound of what was reported so far, and how they became better."""

    def __init__(self) -> None:
        self.reports: list[Report] = []

    def hear(self, now: Report) -> Report | None:
        """The report with the best of both, if one of them is better than before; it is kept then."""
        last = self.reports[-1] if self.reports else Report()
        value = min((number for number in (last.value, now.value) if number is not None), default=None)
        bound = max((number for number in (last.bound, now.bound) if number is not None), default=None)
        if (value, bound) == (last.value, last.bound):
            return None
        self.reports.append(replace(now, value=value, bound=bound))
        return self.reports[-1]


Listener = Callable[[Report], None]
"""What hears of progress."""


def silent(now: Report) -> None:
    """A listener that says nothing."""


# -- when to end, in words that compose --------------------------------------------------------------------------------


class Criterion:
    """Something that says when to end.

    Parameters
    ----------
    holds
        Asked often; whether it is time to end.
    hear
        Called with every report.
    """

    def __init__(self, holds: Callable[[], bool], hear: Callable[[Report], None] = lambda now: None) -> None:
        self.is_set = require_callable(holds, "holds", 0, "no arguments")
        self.hear = require_callable(hear, "hear", 1, "one argument, a report")

    def __or__(self, other: Criterion) -> Criterion:
        if not isinstance(other, Criterion):
            return NotImplemented
        return Criterion(lambda: self.is_set() or other.is_set(), lambda now: (self.hear(now), other.hear(now))[0])

    def __and__(self, other: Criterion) -> Criterion:
        if not isinstance(other, Criterion):
            return NotImplemented
        return Criterion(lambda: self.is_set() and other.is_set(), lambda now: (self.hear(now), other.hear(now))[0])


def value_reached(value: int) -> Criterion:
    """A tour is no worse than this."""
    require_number(value, "value")
    return when(lambda now: now.value is not None and now.value <= value)


def gap_reached(gap: int) -> Criterion:
    """The best tour and the bound are no further apart than this."""
    require_number(gap, "gap")
    return when(lambda now: now.value is not None and now.bound is not None and now.value - now.bound <= gap)


def no_improvement(seconds: float) -> Criterion:
    """Neither a better tour nor a better bound for so long, once there is a tour."""
    require_number(seconds, "seconds")
    best: list[tuple[int | None, int | None]] = []
    since = [0.0]

    def hear(now: Report) -> None:
        if now.value is not None and best[-1:] != [(now.value, now.bound)]:
            best.append((now.value, now.bound))
            since[0] = time.monotonic()

    return Criterion(lambda: bool(best) and time.monotonic() - since[0] >= seconds, hear)


def when(holds: Callable[[Report], bool]) -> Criterion:
    """What holds of a report, once it has held."""
    require_callable(holds, "holds", 1, "one argument, a report")
    held: list[bool] = []

    def hear(now: Report) -> None:
        if not held and holds(now):
            held.append(True)

    return Criterion(lambda: bool(held), hear)
