"""Progress on stderr while an engine works, and signals that end it with the best answer so far."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from encoders.run import Progress


PATIENCE = 5.0


@contextmanager
def stop_on_signal() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set; a second one `PATIENCE` seconds later ends the program at once."""
    stop = threading.Event()
    first: list[float] = []

    def handler(number: int, frame: FrameType | None) -> None:
        if first and time.monotonic() - first[0] > PATIENCE:  # sooner it is a nervous finger, not a second wish
            raise KeyboardInterrupt
        first.append(time.monotonic())
        stop.set()

    previous = {number: signal.signal(number, handler) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, old in previous.items():  # once told to stop, it is on its way out: no signal may spoil that
            signal.signal(number, signal.SIG_IGN if first else old)


@contextmanager
def live_progress() -> Iterator[Callable[[Progress], None] | None]:
    """A line on stderr with incumbent, bound, gap and time; nothing where stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    started = time.monotonic()
    latest: list[Progress] = []

    class Line:
        def __rich__(self) -> Text:
            seconds = time.monotonic() - started
            if not latest:
                return Text(f"{seconds:7.1f} s  searching", style="dim")
            now = latest[-1]
            gap = f"gap {now.value - now.bound}" if now.value is not None and now.bound is not None else ""
            best = "-" if now.value is None else now.value
            bound = "-" if now.bound is None else now.bound
            return Text(f"{seconds:7.1f} s  best {best}  bound {bound}  {gap}  ({now.engine})")

    with Live(Line(), console=Console(stderr=True), refresh_per_second=8, transient=True):
        yield latest.append


@contextmanager
def live_words() -> Iterator[Callable[[str], None] | None]:
    """A line on stderr with the latest words and the time; nothing where stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    started = time.monotonic()
    latest = [""]

    class Line:
        def __rich__(self) -> Text:
            return Text(f"{time.monotonic() - started:7.1f} s  {latest[0]}", style="dim")

    def say(words: str) -> None:
        latest[0] = words

    with Live(Line(), console=Console(stderr=True), refresh_per_second=8, transient=True):
        yield say
