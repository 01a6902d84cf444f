"""How much a test does: a sixth of its random cases with every run, all with `KT_THOROUGH=1`; some cases are slow."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

THOROUGH = bool(os.environ.get("KT_THOROUGH"))


def part_of(number: int) -> int:
    """So many of a number of random cases, or of what is counted among them."""
    return number if THOROUGH else max(1, number // 6)


def slow(cases: Iterable[Any]) -> list[Any]:
    """Cases of a parametrized test that run with `-m slow` only."""
    return [pytest.param(case, marks=pytest.mark.slow) for case in cases]


def slow_rows(rows: Iterable[tuple[Any, ...]]) -> list[Any]:
    """The same for a test with several parameters."""
    return [pytest.param(*row, marks=pytest.mark.slow) for row in rows]
