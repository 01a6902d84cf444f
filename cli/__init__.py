"""The `kt` command: parses, calls the other rooms, shows progress, prints.

Whatever is wrong with what was typed is a `KTError`, raised anywhere here; `main` makes one line of it.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
import time
from typing import NoReturn

from cli import stopping


def run() -> NoReturn:
    """What the `kt` script calls: a signal that comes while modules are still being loaded is no traceback either."""
    stopping.began = time.monotonic()
    status: object = 3
    try:
        stopping.end_at_once(3)
        from cli.streams import open_streams

        open_streams()
        from cli.main import main

        main(prog_name="kt")  # also as `python -m kt`
    except KeyboardInterrupt:
        pass
    except SystemExit as ended:
        status = ended.code
    _leave(status)


def _leave(status: object) -> NoReturn:
    """End at once: nobody waits for work that was too late (`Limits.run`), or for every object to be taken apart.

    That takes Python tenths of a second, more with large boards, after the time limit.
    """
    number = status if isinstance(status, int) else 0 if status is None else 1
    stopping.end_at_once(number)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(number)
