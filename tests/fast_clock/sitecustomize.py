"""Every clock of Python runs three times too fast: no test may notice.

Python imports a module of this name at its start, in child processes too as long as they are given the same
`PYTHONPATH`:

    PYTHONPATH=tests/fast_clock pytest -n auto

Clocks only: `time.sleep`, and waiting for a lock or a process, take as long as ever.
"""

import time
from collections.abc import Callable

SPEED = 3


def fast(clock: Callable[[], float]) -> Callable[[], float]:
    """A clock that is right when the process starts, and then runs fast."""
    began = clock()
    return lambda: began + SPEED * (clock() - began)


for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
    setattr(time, name, fast(getattr(time, name)))
