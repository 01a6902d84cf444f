"""`Criterion`: when to stop, in words that compose; and the history of reports, in which values only improve."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from kt_models.arguments import require_callable, require_number
from kt_models.limits import Report


class History:
    """The best value and the best bound reported so far, and how they improved."""

    def __init__(self) -> None:
        self.reports: list[Report] = []

    def hear(self, now: Report) -> Report | None:
        """Merge a report: return it with the best of both, and keep it, if one of them improved."""
        last = self.reports[-1] if self.reports else Report(unit=now.unit)
        cost = min((number for number in (last.cost, now.cost) if number is not None), default=None)
        cost_bound = max((number for number in (last.cost_bound, now.cost_bound) if number is not None), default=None)
        if (cost, cost_bound) == (last.cost, last.cost_bound):
            return None
        self.reports.append(replace(now, value=now.unit.value(cost), bound=now.unit.value(cost_bound)))
        return self.reports[-1]


class Criterion:
    """A condition that says when to stop.

    Parameters
    ----------
    holds
        Called often; returns whether it is time to end.
    hear
        Called with every report.
    """

    def __init__(self, holds: Callable[[], bool], hear: Callable[[Report], None] = lambda now: None) -> None:
        self.is_set = require_callable(holds, "holds", 0, "no arguments")
        self.hear = require_callable(hear, "hear", 1, "one argument, a report")
        self._text = "Criterion(...)"

    def __repr__(self) -> str:
        return self._text

    def __or__(self, other: Criterion) -> Criterion:
        if not isinstance(other, Criterion):
            return NotImplemented
        return self._joined(lambda: self.is_set() or other.is_set(), other, "|")

    def __and__(self, other: Criterion) -> Criterion:
        if not isinstance(other, Criterion):
            return NotImplemented
        return self._joined(lambda: self.is_set() and other.is_set(), other, "&")

    def _joined(self, holds: Callable[[], bool], other: Criterion, sign: str) -> Criterion:
        def hear(now: Report) -> None:
            self.hear(now)
            other.hear(now)

        return _named(Criterion(holds, hear), f"({self} {sign} {other})")


def _named(criterion: Criterion, text: str) -> Criterion:
    """A criterion that is displayed as an expression."""
    criterion._text = text
    return criterion


def value_reached(value: float) -> Criterion:
    """Stop once a tour is at least as good as a value."""
    require_number(value, "value")

    def reached(now: Report) -> bool:
        if now.value is None:
            return False
        return now.value >= value if now.unit.maximised else now.value <= value

    return _when(reached, f"value_reached({value})")


def gap_reached(gap: float) -> Criterion:
    """Stop once the best tour and the bound are at most a gap apart."""
    require_number(gap, "gap")
    return _when(lambda now: now.gap is not None and now.gap <= gap, f"gap_reached({gap})")


def no_improvement(seconds: float) -> Criterion:
    """Stop after a time without a better tour or bound, once there is a tour."""
    require_number(seconds, "seconds")
    best: list[tuple[float | None, float | None]] = []
    # Lists, because the closures below have to change them
    since = [0.0]

    def hear(now: Report) -> None:
        if now.value is not None and best[-1:] != [(now.value, now.bound)]:
            best.append((now.value, now.bound))
            since[0] = time.monotonic()

    criterion = Criterion(lambda: bool(best) and time.monotonic() - since[0] >= seconds, hear)
    return _named(criterion, f"no_improvement({seconds})")


def when(holds: Callable[[Report], bool]) -> Criterion:
    """A condition on reports that stays true once it has held."""
    require_callable(holds, "holds", 1, "one argument, a report")
    return _when(holds, f"when({getattr(holds, '__name__', '...')})")


def _when(holds: Callable[[Report], bool], text: str) -> Criterion:
    held: list[bool] = []

    def hear(now: Report) -> None:
        if not held and holds(now):
            held.append(True)

    return _named(Criterion(lambda: bool(held), hear), text)
