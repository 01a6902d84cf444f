"""The `kt` command: parses, calls the other rooms, shows progress, prints.

Whatever is wrong with what was typed is a `KTError`, raised anywhere here; `main` makes one line of it.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
import time
from typing import NoReturn

STOP_SIGNALS = tuple(
    number
    for number in (getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGXCPU"))
    if number is not None and not (number.name == "SIGHUP" and signal.getsignal(number) == signal.SIG_IGN)
)
"""What ends a command with its best answer so far: Ctrl-C, `kill`, a dropped connection (unless `nohup` said to go on),
and the limit on processor time."""
began: float | None = None
"""When the program began, by `time.monotonic`; None where commands are called within another one."""


def run() -> NoReturn:
    """What the `kt` script calls: a signal that comes while modules are still being loaded is no traceback either."""
    global began
    began = time.monotonic()
    status: object = 3
    try:
        _end_at_once(3)
        from cli.streams import open_streams

        open_streams()
        from cli.main import main

        main(prog_name="kt")  # also as `python -m kt`
    except KeyboardInterrupt:
        pass
    except SystemExit as ended:
        status = ended.code
    _leave(status)


def interruptible() -> None:
    """From now on a stop signal is a `KeyboardInterrupt`: all modules are loaded, and there may be files to tidy away.

    While modules are loaded it may not be one.  Some of them take it for a fault of their own.
    """
    if began is not None:
        for number in STOP_SIGNALS:
            signal.signal(number, signal.default_int_handler)


def _end_at_once(status: int) -> None:
    for number in STOP_SIGNALS:
        signal.signal(number, lambda *_: os._exit(status))


def _leave(status: object) -> NoReturn:
    """End at once: nobody waits for work that was too late (`Limits.run`), or for every object to be taken apart.

    That takes Python tenths of a second, more with large boards, after the time limit.
    """
    number = status if isinstance(status, int) else 0 if status is None else 1
    _end_at_once(number)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(number)
