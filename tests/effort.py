"""How many random cases a test draws: a third of them with every run, all of them with `KT_THOROUGH=1`."""

from __future__ import annotations

import os

THOROUGH = bool(os.environ.get("KT_THOROUGH"))


def part_of(number: int) -> int:
    """So many of a number of random cases, or of what is counted among them."""
    return number if THOROUGH else max(1, number // 3)
