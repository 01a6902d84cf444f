"""Report on stderr while an engine works, and signals that end it with the best answer so far."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from types import FrameType

import click

import cli
from cli.complain import complain
from cli.files import await_input, is_quiet
from cli.options import LimitOptions, print_json
from cli.status import UNANSWERED
from kt_models import jit
from kt_models.errors import KTError
from kt_models.limits import Limits, Listener, Report, Stopped, silent

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
def limits_of(
    time_limit: float | None = None,
    workers: int | None = None,
    memory: float | None = None,
    seed: int = 0,
    *,
    least: float = 1e-9,
    as_json: bool = False,
) -> Iterator[Limits]:
    """The limits of a command: what its options say, and a signal.

    The clock started with the program; but half of the time is for the work, however slowly the program was loaded.
    Where they are reached before there is anything to say, the command says that, and ends.

    Parameters
    ----------
    memory
        Gigabytes.
    least
        The least time limit that makes sense.

    Raises
    ------
    KTError
        If an option makes no sense.
    """
    if time_limit is not None and not least <= time_limit < 1e9:
        raise KTError(f"--time-limit: a time limit of {time_limit} is not a number of seconds above 0")
    loaded = 0.0 if cli.began is None else time.monotonic() - cli.began
    await_input()
    with stop_on_signal() as stop:
        limits = Limits(time_limit, stop, workers, gigabytes(memory), seed)
        if time_limit is not None:
            limits = limits.within(max(time_limit - loaded, time_limit / 2))
        try:
            yield limits
        except Stopped as error:
            if as_json:
                print_json({"status": "unknown", "reason": str(error)})
            complain(str(error))
            raise click.exceptions.Exit(UNANSWERED) from None


def limits_asked(
    limited: LimitOptions, *, least: float = 1e-9, as_json: bool = False
) -> AbstractContextManager[Limits]:
    """`limits_of` what was asked about them."""
    return limits_of(**asdict(limited), least=least, as_json=as_json)


def gigabytes(memory: float | None) -> int | None:
    """The bytes that --memory means.

    Raises
    ------
    KTError
        If it is no amount of memory.
    """
    if memory is not None and not 0 < memory < 1e6:
        raise KTError(f"--memory {memory}: it is a number of gigabytes above 0")
    return None if memory is None else int(memory * 1e9)


@contextmanager
def end_on_signal() -> Iterator[None]:
    """Work that keeps nothing: Ctrl-C and SIGTERM end the program at once, wherever it is."""

    def handler(number: int, frame: FrameType | None) -> None:
        complain("stopped before the end")
        sys.stdout.flush()
        os._exit(UNANSWERED)

    previous = {number: signal.signal(number, handler) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, old in previous.items():
            signal.signal(number, old)


class Overdue(BaseException):
    """Time is up, and nothing that was called has seen it."""


@contextmanager
def end_overdue(seconds: float | None) -> Iterator[None]:
    """Raise `Overdue` within the block a little after so many seconds: for what does not look at the clock itself."""
    if seconds is None or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def handler(number: int, frame: FrameType | None) -> None:
        raise Overdue

    previous = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 1.05 * seconds + 1, 0.5)  # and again, where somebody swallowed it
    try:
        yield
    finally:
        while True:
            try:
                signal.setitimer(signal.ITIMER_REAL, 0)
                break
            except Overdue:
                continue
        signal.signal(signal.SIGALRM, previous)


@contextmanager
def live_progress(first: str = "") -> Iterator[Listener]:
    """A line on stderr, drawn anew: the seconds, and what the latest report says; silence where it is no terminal.

    Parameters
    ----------
    first
        What stands there before the first report.
    """
    if is_quiet() or not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    started = time.monotonic()
    latest: list[Report] = []

    class _Line:
        def __rich__(self) -> Text:
            words = latest[-1].text if latest else first
            if jit.under_way:
                words += "  (compiling, once)"
            return Text(f"{time.monotonic() - started:7.1f} s  {words}", style="" if latest else "dim")

    def hear(now: Report) -> None:
        latest[:] = [now]

    with Live(_Line(), console=Console(stderr=True), refresh_per_second=8, transient=True):
        yield hear
