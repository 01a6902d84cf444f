"""The `kt` command: parses, calls the other rooms, shows progress, prints."""

from __future__ import annotations

import signal
import sys
from typing import NoReturn


def run() -> NoReturn:
    """What the `kt` script calls: a signal that comes while modules are still being loaded is no traceback either."""
    try:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        from cli.main import main

        main()
    except KeyboardInterrupt:
        pass
    sys.exit(3)
