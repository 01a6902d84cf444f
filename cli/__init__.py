"""The `kt` command: parses, calls the other rooms, shows progress, prints.

Invalid input raises a `KTError`, anywhere in this package; `main` turns it into one line.
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
    """Run the `kt` script; a signal while modules are still loading leads to no traceback either."""
    stopping.began = time.monotonic()
    status: object = 3
    try:
        stopping.end_at_once(3)
        from cli.streams import open_streams

        open_streams()
        from cli.main import main

        main(prog_name="kt")  # `python -m kt` arrives here too.
    except KeyboardInterrupt:
        pass
    except SystemExit as ended:
        status = ended.code
    _leave(status)


def _leave(status: object) -> NoReturn:
    """End at once: do not wait for late work (`Limits.run`), nor for Python to free every object.

    Freeing takes Python tenths of a second, more with large boards, after the time limit has passed.
    """
    number = status if isinstance(status, int) else 0 if status is None else 1
    stopping.end_at_once(number)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(number)
