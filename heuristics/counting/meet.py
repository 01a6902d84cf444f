"""Where the halves meet: their tables written alike, sorted block by block, and joined."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from heuristics.counting.join import MOST_DENSE, PLACES, extract, glue, join, relabel
from heuristics.counting.plan import Half
from heuristics.counting.states import MOST_SLOTS, PAIRINGS, RANK_BITS
from heuristics.counting.sweep import HalfTables
from kt_models.certificates.frontier.plan import Words
from kt_models.limits import Report

BLOCK = 16_000_000
"""Rows of both tables that are sorted and joined at a time."""
SAMPLE = 100_000
"""Rows of a table that are looked at to cut it into blocks."""
WRITTEN = 4096
"""Pairings of a group that are written out at a time."""


class Meeting:
    """A join of two halves, with its tables and scratch space.

    Attributes
    ----------
    tally
        Groups of states that met, pairs tried one by one, groups glued.
    """

    def __init__(self, tables: HalfTables, parts: tuple[Half, Half]) -> None:
        assert parts[0].frontier.keys() == parts[1].frontier.keys()
        self.tables, self.parts = tables, parts
        self.vertices = sorted(parts[0].frontier)
        self.slots = len(self.vertices)
        dense = max(1, min(MOST_DENSE, self.slots // 2))
        self.at = np.full(MOST_DENSE + 2, -1, dtype=np.int64)
        self.at[1] = 0
        self.f = np.zeros(PAIRINGS[dense], dtype=np.uint64)
        self.g = np.zeros(PLACES[dense + 1], dtype=np.uint64)
        self.images = self._images(dense)
        self.ends = np.zeros((WRITTEN, MOST_SLOTS + 1), dtype=np.int64)
        self.level = np.zeros(2 * MOST_DENSE + 4, dtype=np.int64)
        self.tally = np.zeros(3, dtype=np.int64)

    def _images(self, dense: int) -> npt.NDArray[np.int32]:
        moved = np.zeros(MOST_SLOTS + 1, dtype=np.int64)
        sizes = [PAIRINGS[k] * (2 * k - 1) for k in range(2, dense + 1)]
        self.at[2 : dense + 1] = np.concatenate([[0], np.cumsum(sizes)])[: max(0, dense - 1)]
        images = np.empty(sum(sizes), dtype=np.int32)
        for k in range(2, dense + 1):
            for partner in range(1, 2 * k):
                begin = int(self.at[k]) + (partner - 1) * PAIRINGS[k]
                glue(images[begin : begin + PAIRINGS[k]], k, partner, self.tables.mate, moved)
        return images

    def align(self, table: Words, side: int) -> None:
        """Write the states of a half's last layer by vertices in order, those of the second half by what they lack."""
        half = self.parts[side]
        to = np.full(MOST_SLOTS, -1, dtype=np.int64)
        for number, v in enumerate(self.vertices):
            to[half.frontier[v]] = number
        moved = np.zeros(MOST_SLOTS + 1, dtype=np.int64)
        relabel(table, half.slots, to, side == 1, self.tables.mate, moved)

    def total(self, left: Words, right: Words) -> int:
        """The number of pairs of states that are one cycle; the tables are not what they were afterwards."""
        self.align(left, 0)
        self.align(right, 1)
        bounds = self.bounds(left, right)
        total = np.zeros(2, dtype=np.uint64)
        for number, (low, high) in enumerate(pairwise(bounds), 1):
            self.join(self.rows(left, low, high), self.rows(right, low, high), total)
            self.tables.on_progress(Report(words=f"joined {number} of {len(bounds) - 1} blocks"))
        return int(total[0]) + (int(total[1]) << 64)

    def join(self, one: Words, two: Words, total: Words) -> None:
        """Add the number of pairs of sorted rows that are one cycle."""
        join(one, two, self.images, self.at, self.f, self.g, self.ends, self.tables.mate, self.level, total, self.tally)

    def rows(self, table: Words, low: np.uint64, high: np.uint64) -> Words:
        """The rows with low <= pattern < high, sorted, with their states as they are."""
        self.tables.limits.check()
        count = min(len(table), BLOCK + BLOCK // 4)  # bounds are guessed from a sample
        rows = np.empty((count, 2), dtype=np.uint64)
        count = extract(table, low, high, rows)
        self.tables.reserve(56 * count)  # rows, sorted rows, their order, and the columns that are sorted
        if count > len(rows):
            rows = np.empty((count, 2), dtype=np.uint64)
            extract(table, low, high, rows)
        rows = rows[:count]
        return rows[np.argsort(rows[:, 0])]

    def bounds(self, left: Words, right: Words) -> list[np.uint64]:
        """Bounds of patterns that cut the rows of both tables into blocks of about the same size."""
        some = [table[:: max(1, len(table) // SAMPLE), 0] for table in (left, right)]
        patterns = np.sort(np.concatenate([~part[part != 0] >> np.uint64(RANK_BITS) for part in some]))
        blocks = -(-(len(left) + len(right)) // BLOCK)
        inner = patterns[np.linspace(0, len(patterns), blocks + 1).astype(int)[1:-1]] if len(patterns) else []
        return [np.uint64(0), *sorted(set(inner)), np.uint64(1 << (2 * self.slots))]
