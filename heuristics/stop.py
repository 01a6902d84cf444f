"""When a search is to end: its time is up, or somebody asks it to."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol


class Stop(Protocol):
    """What is asked of a `stop`: `threading.Event` will do."""

    def is_set(self) -> bool:
        """Whether to end."""
        ...


def stopper(time_limit: float, stop: Stop | None) -> Callable[[], bool]:
    """A function that tells whether the time is up or a stop was asked for."""
    deadline = time.monotonic() + time_limit
    return lambda: time.monotonic() >= deadline or (stop is not None and stop.is_set())
