"""How much a test does: a sixth of its random cases with every run, all with `KT_THOROUGH=1`; some cases are slow."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any

import pytest

THOROUGH = bool(os.environ.get("KT_THOROUGH"))
BUDGET = 540
"""Processor seconds of all default tests: less than five minutes on two cores (CONTRIBUTING.md)."""


def part_of(number: int) -> int:
    """Share of a number of random cases, or of what is counted among them."""
    return number if THOROUGH else max(1, number // 6)


def slow(cases: Iterable[Any]) -> list[Any]:
    """Cases of a parametrized test that run with `-m slow` only."""
    return [pytest.param(case, marks=pytest.mark.slow) for case in cases]


def slow_rows(rows: Iterable[tuple[Any, ...]]) -> list[Any]:
    """The same for a test with several parameters."""
    return [pytest.param(*row, marks=pytest.mark.slow) for row in rows]


def processor_seconds() -> float:
    """Processor time of this process so far, and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def used_by_rooms(reports: Iterable[tuple[str, float]]) -> str:
    """A line about node ids of tests and the processor seconds that each of them used."""
    used: Counter[str] = Counter()
    for name, seconds in reports:
        folders = PurePosixPath(name.partition("::")[0]).parts[:-1]
        used[folders[1] if len(folders) > 1 else "tests"] += seconds
    rooms = ", ".join(f"{room} {seconds:.0f}" for room, seconds in used.most_common())
    return f"processor seconds: {used.total():.0f} ({rooms}); the default tests may use {BUDGET}"
