"""Progress on stderr while an engine works, and signals that end it with the best answer so far."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from types import FrameType
from typing import Any

import click

from cli import stopping
from cli.error_messages import complain
from cli.files import await_input, is_quiet
from cli.options import LimitOptions, print_json
from cli.status import UNANSWERED
from kt_models import jit
from kt_models.errors import KTError
from kt_models.limits import Limits, Listener, Report, Stopped, check_seconds, silent, spoken_seconds
from kt_models.storage import standard_output

MIN_SECONDS_BETWEEN_SIGNALS = 5.0
MAX_SILENT_SECONDS = 10.0
"""Seconds that a check may take without a word, before it begins or while it goes on."""
BAR_COLUMNS = 30


@contextmanager
def stop_on_signal() -> Iterator[threading.Event]:
    """An event that a stop signal sets; a second one, `MIN_SECONDS_BETWEEN_SIGNALS` later, ends the program."""
    stop = threading.Event()
    first: list[float] = []

    def handler(number: int, frame: FrameType | None) -> None:
        if number == getattr(signal, "SIGXCPU", None):  # This signal comes again every second.
            signal.signal(number, signal.SIG_IGN)
        elif (
            first and time.monotonic() - first[0] > MIN_SECONDS_BETWEEN_SIGNALS
        ):  # A second Ctrl-C that comes sooner is impatience, not a wish to lose the answer.
            raise KeyboardInterrupt
        first.append(time.monotonic())
        stop.set()

    previous = {number: signal.signal(number, handler) for number in stopping.STOP_SIGNALS}
    try:
        yield stop
    finally:
        for number, old in previous.items():  # The program is ending already: no further signal may interrupt that.
            signal.signal(number, signal.SIG_IGN if first else old)


@contextmanager
def limits_of(limit_values: LimitOptions, *, as_json: bool = False, watched: bool = False) -> Iterator[Limits]:
    """The limits of a command: those of its options, and a signal.

    The clock starts with the program, but at least half of the time is for the work, however slowly the program was
    loaded. If the limits are reached before there is any answer, the command says so, and ends.

    Parameters
    ----------
    watched
        Whether --memory limits all memory of the command, rather than its tables alone.
    """
    seconds = limit_values.time_limit
    check_seconds(seconds)
    loaded = 0.0 if stopping.began is None else time.monotonic() - stopping.began
    await_input()
    with stop_on_signal() as stop:
        limits = Limits(seconds, stop, limit_values.workers, gigabytes(limit_values.memory), limit_values.seed)
        if seconds is not None:
            limits = limits.within(max(seconds - loaded, seconds / 2))
        try:
            limits = limits.watched() if watched else limits
            yield limits
            if watched and limits.memory is not None:
                for words in filter(None, (*(f"left out: {step}" for step in limits.unfinished), limits.reason)):
                    complain(words)
        except Stopped as error:
            if as_json:
                print_json({"status": "unknown", "reason": str(error)})
            complain(str(error))
            raise click.exceptions.Exit(UNANSWERED) from None


def gigabytes(memory: float | None) -> int | None:
    """The bytes that --memory means."""
    if memory is not None and not 0 < memory < 1e6:
        raise KTError(f"--memory must be a number of gigabytes above 0, got {memory:g}")
    return None if memory is None else int(memory * 1e9)


@contextmanager
def end_on_signal() -> Iterator[None]:
    """Let a stop signal end the program at once, for work that keeps nothing."""

    def handler(number: int, frame: FrameType | None) -> None:
        with suppress(OSError):  # The terminal may be gone.
            complain("stopped before the end")
            sys.stdout.flush()
        os._exit(UNANSWERED)

    previous = {number: signal.signal(number, handler) for number in stopping.STOP_SIGNALS}
    try:
        yield
    finally:
        for number, old in previous.items():
            signal.signal(number, old)


class Overdue(BaseException):
    """Time ran out in code that does not look at the clock."""


@contextmanager
def end_overdue(seconds: float | None) -> Iterator[None]:
    """Raise `Overdue` within the block a little after `seconds`, for code that does not look at the clock itself."""
    if seconds is None or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def handler(number: int, frame: FrameType | None) -> None:
        raise Overdue

    previous = signal.signal(signal.SIGALRM, handler)
    # Repeat the signal, because a library may swallow the first one.
    signal.setitimer(signal.ITIMER_REAL, 1.05 * seconds + 1, 0.5)
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
def live_progress(first: str = "", after: float = 0.0) -> Iterator[Listener]:
    """A line on stderr, redrawn: the seconds and the latest report; nothing if stderr is no terminal.

    A report that says how much of the work is done gets a bar.

    Parameters
    ----------
    first
        The text before the first report.
    after
        Seconds before the line appears: quick work shows none, and does not load what draws it.
    """
    started = time.monotonic()

    def line(latest: Report | None) -> Any:
        from rich.text import Text

        words = first if latest is None else latest.text
        if loops := sorted(jit.under_way):
            words += f"  (compiling {', '.join(loops)}: once on this machine)"
        style = "dim" if latest is None else ""
        clock = f"{time.monotonic() - started:7.1f} s  "
        if latest is None or latest.share is None:
            return Text(clock + words, style=style)
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        row = Table.grid(padding=(0, 1))
        row.add_row(clock, ProgressBar(1, latest.share, BAR_COLUMNS), f"{latest.share:4.0%}  {words}")
        return row

    if not after:
        with live_view(line) as hear:
            yield hear
        return
    if not _is_watched():
        yield silent
        return
    latest: list[Report] = []
    hearers: list[Listener] = []
    guard, over = threading.Lock(), threading.Event()

    def show() -> None:
        with guard:
            if not over.is_set():
                hearers.append(stack.enter_context(live_view(line)))
                hearers[0](latest[-1] if latest else Report(words=first))

    def pass_on(now: Report) -> None:
        latest[:] = [now]
        for hearer in hearers:
            hearer(now)

    with ExitStack() as stack:
        timer = threading.Timer(after, show)
        timer.daemon = True
        timer.start()
        try:
            yield pass_on
        finally:
            timer.cancel()
            with guard:
                over.set()


def _is_watched() -> bool:
    """Whether progress is shown at all."""
    return not is_quiet() and sys.stderr.isatty()


_views: list[Any] = []
"""The views that are drawn on stderr now."""


def make_way() -> None:
    """Take the line of progress away, before a line is printed on the same terminal; it is drawn again below."""
    if _views and standard_output().isatty():
        from rich.control import Control
        from rich.segment import ControlType

        _views[-1].console.control(Control(ControlType.CARRIAGE_RETURN, (ControlType.ERASE_IN_LINE, 2)))


class LongCheck:
    """A listener that announces a check whose forecast is long, and shows progress once it is announced.

    Parameters
    ----------
    name
        What is checked.
    """

    def __init__(self, name: str) -> None:
        self.name, self.views = name, ExitStack()
        self._started = time.monotonic()
        self._latest = Report()
        self._forecast = self._shown = False
        self._view: Listener = silent

    def __call__(self, now: Report, *, measured: bool = False) -> None:
        """Receive a report; a measured time prevails over forecasts."""
        self._latest = now
        if now.expected and not self._forecast:
            self._forecast = measured
            if now.expected > MAX_SILENT_SECONDS:
                self._forecast = True
                takes = "takes" if measured else "is expected to take"
                self._say(f"the check {takes} {spoken_seconds(now.expected)}")
                self._show()
        self._view(now)

    def go_on(self) -> None:
        """Say that the check goes on, and what it does; at a terminal a live line says so."""
        self._show()
        if not _is_watched():
            seconds = time.monotonic() - self._started
            self._say(": ".join(filter(None, [f"the check goes on after {seconds:.0f} seconds", self._latest.text])))

    def _say(self, words: str) -> None:
        if not is_quiet():
            with suppress(OSError):  # Nobody may be listening.
                click.echo(f"{self.name}: {words}", err=True)

    def _show(self) -> None:
        if not self._shown:
            self._shown = True
            self._view = self.views.enter_context(live_progress(f"checking {os.path.basename(self.name)}"))


@contextmanager
def shown_if_long(name: str) -> Iterator[LongCheck]:
    """A listener for a check that is never silent for longer than `MAX_SILENT_SECONDS`; short ones show nothing."""
    check, ended = LongCheck(name), threading.Event()

    def watch() -> None:
        while not ended.wait(MAX_SILENT_SECONDS):
            check.go_on()

    watcher = threading.Thread(target=watch, name="progress", daemon=True)
    watcher.start()
    try:
        yield check
    finally:
        ended.set()
        watcher.join(1.0)
        check.views.close()


@contextmanager
def live_view(draw: Callable[[Report | None], Any]) -> Iterator[Listener]:
    """Redraw on stderr what `draw` makes of the latest report, with rich; nothing if stderr is no terminal."""
    if not _is_watched():
        yield silent
        return
    from rich.console import Console
    from rich.live import Live

    latest: list[Report | None] = [None]

    class _View:
        def __rich__(self) -> Any:
            return draw(latest[0])

    def hear(now: Report) -> None:
        latest[0] = now

    with Live(_View(), console=Console(stderr=True), refresh_per_second=8, transient=True) as live:
        _views.append(live)
        try:
            yield hear
        finally:
            _views.remove(live)
