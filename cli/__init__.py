"""The `kt` command: parses, calls the other rooms, shows progress, prints.

Whatever is wrong with what was typed is a `KTError`, raised anywhere here; `main` makes one line of it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from typing import NoReturn


def run() -> NoReturn:
    """What the `kt` script calls: a signal that comes while modules are still being loaded is no traceback either."""
    status: object = 3
    try:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        from cli.main import main

        main()
    except KeyboardInterrupt:
        pass
    except SystemExit as ended:
        status = ended.code
    _leave(status)


def _leave(status: object) -> NoReturn:
    """End, though there may be work that was too late: nobody waits for it (`Limits.run`)."""
    from kt_models.limits import LATE

    if any(thread.name.startswith(LATE) for thread in threading.enumerate()):
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(status if isinstance(status, int) else 0 if status is None else 1)
    sys.exit(status)  # type: ignore[arg-type]
