"""When to end, in words that compose: a value is reached, nothing was gained for so long, or whatever else holds.

Each criterion hears every report, and is then asked, often, whether it is time; `a | b` holds where either does,
`a & b` where both do.  Limits of seconds are apart: they are kept whatever the work is busy with.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from kt_models.limits import Report


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
        self.is_set, self.hear = holds, hear

    def __or__(self, other: Criterion) -> Criterion:
        return Criterion(lambda: self.is_set() or other.is_set(), lambda now: (self.hear(now), other.hear(now))[0])

    def __and__(self, other: Criterion) -> Criterion:
        return Criterion(lambda: self.is_set() and other.is_set(), lambda now: (self.hear(now), other.hear(now))[0])


def value_reached(value: int) -> Criterion:
    """A tour is no worse than this."""
    return when(lambda now: now.value is not None and now.value <= value)


def gap_reached(gap: int) -> Criterion:
    """The best tour and the bound are no further apart than this."""
    return when(lambda now: now.value is not None and now.bound is not None and now.value - now.bound <= gap)


def no_improvement(seconds: float) -> Criterion:
    """Neither a better tour nor a better bound for so long, once there is a tour."""
    best: list[tuple[int | None, int | None]] = []
    since = [0.0]

    def hear(now: Report) -> None:
        if now.value is not None and best[-1:] != [(now.value, now.bound)]:
            best.append((now.value, now.bound))
            since[0] = time.monotonic()

    return Criterion(lambda: bool(best) and time.monotonic() - since[0] >= seconds, hear)


def when(holds: Callable[[Report], bool]) -> Criterion:
    """What holds of a report, once it has held."""
    held: list[bool] = []

    def hear(now: Report) -> None:
        if not held and holds(now):
            held.append(True)

    return Criterion(lambda: bool(held), hear)
