"""How fast this machine is: an expected cost is compared with the time that is left.

Costs are in *reference seconds*: processor seconds of the machine on which they were measured. `kt doctor` measures how
many of them a second of this machine has, and keeps the number in the folder of machine code.
"""

from __future__ import annotations

import time
from functools import cache

from kt_models.limits import Limits, spoken_seconds

REFERENCE_SECONDS = 0.1
"""Processor seconds of `_reference_work` on the machine where costs were measured."""
ROUNDS = 5
"""Times that the work is measured; the quickest counts, because another program may have slowed the others down."""
FACTOR = 16.0
"""A machine counts as at most this many times faster or slower than the reference."""
FILE = "speed"


@cache
def speed() -> float:
    """Reference seconds in a second of this machine; 1 if `kt doctor` has not measured it."""
    from kt_models.code_cache import cache_folder, read_checked

    content = read_checked(cache_folder() / FILE)
    return 1.0 if content is None else min(max(float(content), 1 / FACTOR), FACTOR)


def measure_speed() -> float:
    """Measure the speed of this machine, and keep it.

    Raises
    ------
    OSError
        If it cannot be kept.
    """
    from kt_models.code_cache import cache_folder, write_checked

    measured = REFERENCE_SECONDS / min(_timed() for _ in range(ROUNDS))
    write_checked(cache_folder() / FILE, f"{measured:.3g}".encode())
    speed.cache_clear()
    return speed()


def fits(cost: float, limits: Limits) -> bool:
    """Whether work of an expected cost can end within what is left of some limits."""
    # Most costs are far below: then nothing has to be known of the machine.
    return FACTOR * cost <= limits.left or cost / speed() <= limits.left


def expected(step: str, cost: float) -> str:
    """A step with the seconds that it would take on this machine, in words."""
    return f"{step} ({spoken_seconds(cost / speed())})"


def _timed() -> float:
    begin = time.thread_time()
    _reference_work()
    return time.thread_time() - begin


def _reference_work() -> None:
    """Work as a search does it: a loop of Python, and one of numpy over more than fits into a fast cache."""
    import numpy as np

    words = np.arange(1 << 20, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    words.sort()
    total = 0
    for k in range(1 << 20):
        total += k & 7
