"""Signals that stop the program, and when it began."""

from __future__ import annotations

import os
import signal

STOP_SIGNALS = tuple(
    number
    for number in (getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGXCPU"))
    if number is not None and not (number.name == "SIGHUP" and signal.getsignal(number) == signal.SIG_IGN)
)
"""What ends a command with its best answer so far: Ctrl-C, `kill`, a dropped connection (unless `nohup` said to go on),
and the limit on processor time."""
began: float | None = None
"""When the program began, by `time.monotonic`; None where commands are called within another one."""


def interruptible() -> None:
    """From now on a stop signal is a `KeyboardInterrupt`: all modules are loaded, and there may be files to tidy away.

    While modules are loaded it may not be one.  Some of them take it for a fault of their own.
    """
    if began is not None:
        for number in STOP_SIGNALS:
            signal.signal(number, signal.default_int_handler)


def end_at_once(status: int) -> None:
    """From now on a stop signal ends the program with a status, and nothing is tidied away."""
    for number in STOP_SIGNALS:
        signal.signal(number, lambda *_: os._exit(status))
