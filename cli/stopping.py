"""Signals that stop the program, and the time of its start."""

from __future__ import annotations

import os
import signal

STOP_SIGNALS = tuple(
    number
    for number in (getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGXCPU"))
    if number is not None and not (number.name == "SIGHUP" and signal.getsignal(number) == signal.SIG_IGN)
)
"""Signals that end a command with its best answer so far: Ctrl-C, `kill`, a dropped connection (unless `nohup` is
used), and the limit on processor time."""
began: float | None = None
"""The start of the program by `time.monotonic`; None if a command is called within another program."""


def interruptible() -> None:
    """Let a stop signal raise `KeyboardInterrupt` from now on: all modules are loaded, and there may be files to tidy.

    While modules are loading it must not, because some of them would take it for a fault of their own.
    """
    if began is not None:
        for number in STOP_SIGNALS:
            signal.signal(number, signal.default_int_handler)


def end_at_once(status: int) -> None:
    """Let a stop signal end the program at once with a status from now on, without tidying."""
    for number in STOP_SIGNALS:
        signal.signal(number, lambda *_: os._exit(status))
