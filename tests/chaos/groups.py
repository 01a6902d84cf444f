"""All groups, and rounds of them."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.chaos import caches, dask, disks, kills, limits, signals, streams

GROUPS: dict[str, Callable[[Random, Path], str]] = {
    "kills": kills.trial,
    "disks": disks.trial,
    "streams": streams.trial,
    "signals": signals.trial,
    "caches": caches.trial,
    "limits": limits.trial,
    "dask": dask.trial,
}
"""One round of each group, from random choices and an empty folder: how it ended. A fault is an `AssertionError`."""
FAULT = "FAULT"


def chaos(group: str, rounds: int, seed: int = 0, first: int = 0, seconds: float = float("inf")) -> Counter[str]:
    """Rounds of a group; each fault is told on stderr, with what brings it back.

    Returns
    -------
    Counter
        How they ended.
    """
    endings: Counter[str] = Counter()
    started = told = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kt-chaos-") as folder:
        for turn in range(first, first + rounds):
            if time.monotonic() - started > seconds:
                break
            work = Path(folder) / f"{group}-{turn}"
            work.mkdir()
            try:
                endings[GROUPS[group](Random(f"{group} {seed} {turn}"), work)] += 1
            except AssertionError as error:
                endings[FAULT] += 1
                print(f"{group} --seed {seed} --first {turn} --rounds 1: {error}", file=sys.stderr, flush=True)
            shutil.rmtree(work, ignore_errors=True)
            if time.monotonic() - told > 60:
                told = time.monotonic()
                print(f"{group}: {endings.total()} in {told - started:.0f} s", file=sys.stderr, flush=True)
    return endings
