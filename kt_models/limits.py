"""`Limits`: when work has to end, and what it may use.

One frozen value goes from the command line to the innermost loop.  Whoever loops asks `limits.over`, or calls
`limits.check()`, which raises `Stopped`; whoever calls several things in turn gives each a `part` of what is left.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from math import inf
from typing import Protocol

from kt_models.errors import KTError


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
        Bytes that tables may take; None: what the method itself allows.
    seed
        Of everything random.
    """

    seconds: float | None = None
    stop: Flag | None = None
    workers: int | None = None
    memory: int | None = None
    seed: int = 0
    _start: float = field(default_factory=time.monotonic, repr=False, compare=False)

    @property
    def left(self) -> float:
        """Seconds that are left, not below 0; infinite where the time is not limited."""
        return inf if self.seconds is None else max(0.0, self._start + self.seconds - time.monotonic())

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
            raise Stopped("stopped before the end" if self.stopped else f"not done within {self.seconds:g} seconds")

    def part(self, share: float) -> Limits:
        """The same limits from now on, with a share (from 0 to 1) of the time that is left."""
        seconds = None if self.seconds is None else self.left * share
        return replace(self, seconds=seconds, _start=time.monotonic())


NO_LIMITS = Limits()
"""As long as it takes."""
