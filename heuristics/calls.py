"""Many calls of one function, in this process or in several, with their outcomes in order."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from kt_models.errors import KTError
from kt_models.limits import Limits
from kt_models.machine import Pool

C = TypeVar("C", bound=tuple[Any, ...])
POLL_SECONDS = 0.2
"""Seconds between two looks at the clock during the work."""


def outcomes(
    function: Callable[..., Any], calls: Sequence[C], limits: Limits, pool: Pool | None
) -> Iterator[tuple[C, Any]]:
    """The calls in order, each with its outcome, until the limits are reached; the last one may be cut short.

    Parameters
    ----------
    function
        A function of the arguments of a call and of limits. A worker gets only the seed of the limits, because no
        signal reaches it.
    pool
        The pool that does the work; without one this process does it.
    """
    if pool is None:
        for call in calls:
            yield call, function(*call, limits)
            if limits.over:
                return
        return
    waiting: deque[tuple[C, Future[Any]]] = deque()
    todo, seeded = iter(calls), Limits(workers=1, seed=limits.seed)
    while True:
        while sum(not future.done() for _, future in waiting) < pool.size and (next_one := next(todo, None)):
            waiting.append((next_one, pool.submit(function, *next_one, seeded)))
        if not waiting:
            return
        call, future = waiting.popleft()
        outcome = _await(future, limits)
        if outcome is None:
            return
        yield call, outcome


def _await(future: Future[Any], limits: Limits) -> Any:
    """The result of a call; None once the limits are reached."""
    from concurrent.futures.process import BrokenProcessPool

    while not limits.over:
        try:
            return future.result(timeout=POLL_SECONDS)
        except TimeoutError:
            continue
        except BrokenProcessPool:
            time.sleep(
                POLL_SECONDS
            )  # SIGTERM to the whole group ends the workers, and this process may hear of it later
            if not limits.over:
                raise KTError("a worker process was ended; was there too little memory for so many?") from None
    return None
