"""An alarm: what takes too long is ended, and told from everything else that may go wrong."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


class Hang(BaseException):
    """Not an `Exception`: nothing that guards against foreseen faults may swallow it."""


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise `Hang` after so many seconds."""

    def ring(signum: int, frame: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
