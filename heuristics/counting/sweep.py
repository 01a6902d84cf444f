"""Sweeping a half: the tables of states, their growth, the limit on memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from heuristics.counting.plan import Half
from heuristics.counting.states import MOST_SLOTS, add_up, compact, enter_all
from heuristics.counting.step import BUFFER, take
from kt_models.certificates.frontier.plan import Words
from kt_models.errors import TooLarge
from kt_models.limits import Limits, Listener, Report

GIB = 1 << 30
DEFAULT_MEMORY = 4 * GIB
"""Bytes the tables may take, unless the limits say otherwise."""
SLICE = 1_000_000
"""Rows between two looks at the clock, some tenths of a second."""
FULL = 0.7
"""Of a table's rows that are filled, where their number is guessed rightly."""
GUESS = 1.4
"""How many times as many states there are after a step, as a first guess."""


HalfLayer = tuple[Words, int]
"""A table without empty rows, and its number of states."""


class TooMany(TooLarge):
    """A number of partial tours may not fit into 64 bits."""


class HalfTables:
    """The tables of states, and the memory that they take.

    Parameters
    ----------
    signed
        Whether numbers are meant modulo 2**64, so that none is too large.
    """

    def __init__(self, limits: Limits, on_progress: Listener, *, signed: bool = False) -> None:
        self.limits, self.on_progress, self.signed = limits, on_progress, signed
        self.memory = limits.memory or DEFAULT_MEMORY
        self.kept: list[Words] = []
        self.peak_bytes = self.peak_states = 0
        self.buffer = np.zeros((BUFFER, 2), dtype=np.uint64)
        self.mate = np.zeros(MOST_SLOTS + 1, dtype=np.int64)

    def start(self) -> HalfLayer:
        """The layer of one state, in which nothing is reached."""
        return np.array([[~np.uint64(0), 1]], dtype=np.uint64), 1

    def reserve(self, size: int) -> None:
        """Note that so many bytes are taken besides the tables kept.

        Raises
        ------
        TooLarge
            If there is no memory for them.
        """
        used = sum(table.nbytes for table in self.kept) + size
        self.peak_bytes = max(self.peak_bytes, used)
        if used > self.memory:
            raise TooLarge(
                f"the tables of states would take {used / GIB:.2g} GiB, more than the limit of "
                f"{self.memory / GIB:.2g} GiB; the largest so far has {self.peak_states:,} states"
            )

    def _new(self, count: int, *others: Words) -> Words:
        rows = max(int(count / FULL), 4 * BUFFER)
        self.reserve(16 * rows + sum(other.nbytes for other in others))
        return np.zeros((rows, 2), dtype=np.uint64)

    def sweep(self, half: Half, begin: int, layer: HalfLayer, name: str) -> Iterator[HalfLayer]:
        """The layer after each step from number `begin` on, given that before it."""
        for number, step in enumerate(half.steps[begin:], begin + 1):
            layer = self._advance(*layer, step.arguments(half.slots), f"{name}, step {number} of {len(half.steps)}")
            self.peak_states = max(self.peak_states, layer[1])
            yield layer

    def total(self, table: Words) -> int:
        """The sum of the numbers of a table."""
        sums = np.zeros(2, dtype=np.uint64)
        add_up(table, sums)
        return int(sums[0]) + (int(sums[1]) << 32)

    def _advance(self, old: Words, old_count: int, told: Any, where: str) -> HalfLayer:
        m = len(told[1])
        if not self.signed and self.total(old) * (1 + m + m * (m - 1) // 2) >= 1 << 64:
            raise TooMany("the partial tours of a state may be more than 64 bits hold")
        table = self._new(int(old_count * GUESS), old)
        done = count = 0
        while done < len(old):
            self.limits.check()
            stop = min(len(old), done + SLICE)
            done, count = take(old, done, stop, *told, table, count, self.mate, self.buffer)
            self.on_progress(Report(words=f"{where}: {count:,} states from {done / len(old):.0%} of {old_count:,}"))
            if done < stop:  # the table is full
                guess = min(2.0, max(1.2, 1.02 * len(old) / max(done, 1)))
                larger = self._new(max(int(count * guess), len(table)), old, table)
                enter_all(table, larger, 0)
                table = larger
        compact(table)
        table.resize((count, 2), refcheck=False)  # in place: the rest of the memory is given back
        return table, count
