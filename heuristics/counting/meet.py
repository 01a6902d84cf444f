"""Where the halves meet: their states written alike, sorted block by block, and joined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from queue import SimpleQueue

import numpy as np
import numpy.typing as npt

from heuristics.counting.join import MOST_DENSE, PLACES, count_blocks, glue, join, relabel, sort_out
from heuristics.counting.plan import Half
from heuristics.counting.states import MOST_SLOTS, PAIRINGS
from heuristics.counting.sweep import HalfLayer, HalfTables
from kt_models.certificates.frontier.plan import Words
from kt_models.certificates.integers import Ints
from kt_models.limits import Report

BLOCK = 1 << 19
"""Rows of both halves that make a block, about."""
MOST_BITS = 12
WRITTEN = 4096
"""Pairings of a group that are written out at a time."""
TOGETHER = 64
"""Blocks that are joined before the folder of a count is told of them."""
SORTING = 40
"""Bytes a row while it is sorted, besides its own."""


def _zeros(rows: int) -> Ints:
    return np.zeros(rows, dtype=np.int64)


@dataclass
class _Desk:
    """The scratch space of one thread, and what it has counted.

    Parameters
    ----------
    total
        128 bits, the lower ones first.
    tally
        As of a `Meeting`.
    """

    f: Words
    g: Words
    ends: Ints = field(default_factory=lambda: np.zeros((WRITTEN, MOST_SLOTS + 1), dtype=np.int64))
    mate: Ints = field(default_factory=lambda: _zeros(MOST_SLOTS + 1))
    level: Ints = field(default_factory=lambda: _zeros(2 * MOST_DENSE + 4))
    total: Words = field(default_factory=lambda: np.zeros(2, dtype=np.uint64))
    tally: Ints = field(default_factory=lambda: _zeros(4))


class Meeting:
    """A join of two halves, with its tables and scratch space.

    Attributes
    ----------
    tally
        Groups of states that met, pairs tried one by one, groups glued, states of the groups.
    """

    def __init__(self, tables: HalfTables, parts: tuple[Half, Half]) -> None:
        assert parts[0].frontier.keys() == parts[1].frontier.keys()
        self.tables, self.parts = tables, parts
        self.vertices = sorted(parts[0].frontier)
        self.slots = len(self.vertices)
        self.dense = max(1, min(MOST_DENSE, self.slots // 2))
        self.at = np.full(MOST_DENSE + 2, -1, dtype=np.int64)
        self.at[1] = 0
        self.images = self._images(self.dense)
        self.desks = [self._desk() for _ in range(tables.workers)]
        self.tally = [0] * 4
        self.to = np.full((2, MOST_SLOTS), -1, dtype=np.int64)
        for side, half in enumerate(parts):
            for number, v in enumerate(self.vertices):
                self.to[side, half.frontier[v]] = number

    def _desk(self) -> _Desk:
        f, g = np.zeros(PAIRINGS[self.dense], dtype=np.uint64), np.zeros(PLACES[self.dense + 1], dtype=np.uint64)
        return _Desk(f, g)

    def _images(self, dense: int) -> npt.NDArray[np.int32]:
        mate, moved = _zeros(MOST_SLOTS + 1), _zeros(MOST_SLOTS + 1)
        sizes = [PAIRINGS[k] * (2 * k - 1) for k in range(2, dense + 1)]
        self.at[2 : dense + 1] = np.concatenate([[0], np.cumsum(sizes)])[: max(0, dense - 1)]
        images = np.empty(sum(sizes), dtype=np.int32)
        for k in range(2, dense + 1):
            for partner in range(1, 2 * k):
                begin = int(self.at[k]) + (partner - 1) * PAIRINGS[k]
                glue(images[begin : begin + PAIRINGS[k]], k, partner, mate, moved)
        return images

    def align(self, table: Words, side: int) -> None:
        """Write the states of a half's last layer by vertices in order, those of the second half by what they lack."""
        relabel(table, self.parts[side].slots, self.to[side], side == 1, _zeros(MOST_SLOTS + 1), _zeros(MOST_SLOTS + 1))

    def total(self, left: HalfLayer, right: HalfLayer) -> int:
        """The number of pairs of states that are one cycle."""
        tables, layers = self.tables, (left, right)
        bits = min(MOST_BITS, ((len(left) + len(right)) // BLOCK).bit_length())
        pieces = [(side, part) for side in (0, 1) for part in range(len(layers[side].parts))]
        counts = np.array(tables.each(lambda piece: self._counts(layers, piece[0], piece[1], bits), pieces))
        sizes = counts.sum(axis=0)
        tables.kept = list({id(layer): layer for layer in layers}.values())
        low, before = tables.folder.joined() if tables.folder else (0, [0] * 5)
        while low < 1 << bits:
            high, needed = low, SORTING * tables.workers * int(sizes[low:].max())
            while high < 1 << bits and (high == low or tables.fits(needed + 16 * int(sizes[high]))):
                needed += 16 * int(sizes[high])
                high += 1
            tables.reserve(needed)
            for done in self._join_blocks(layers, bits, low, high, pieces, counts):
                if tables.folder:
                    tables.folder.save_joined(done, [a + b for a, b in zip(before, self.sums, strict=True)])
            low = high
        total, *tally = [a + b for a, b in zip(before, self.sums, strict=True)]
        self.tally = tally
        return total % (1 << 128)

    @property
    def sums(self) -> list[int]:
        """The total and the tally of all threads."""
        totals = sum(int(desk.total[0]) + (int(desk.total[1]) << 64) for desk in self.desks)
        return [totals, *np.sum([desk.tally for desk in self.desks], axis=0).tolist()]

    def _counts(self, layers: tuple[HalfLayer, HalfLayer], side: int, part: int, bits: int) -> Ints:
        counts = _zeros(1 << bits)
        count_blocks(layers[side].parts[part], self.parts[side].slots, self.to[side], side == 1, bits, counts)
        return counts

    def _join_blocks(
        self, layers: tuple[HalfLayer, HalfLayer], bits: int, low: int, high: int, pieces: list[tuple[int, int]],
        counts: Ints,
    ) -> Iterator[int]:  # fmt: skip
        """Join the blocks low..high-1: their rows are written down side by side and block by block, then sorted.

        Yields
        ------
        int
            Now and then, how many blocks are joined in all.
        """
        sides = np.array([side for side, _ in pieces])
        rows, starts, places = [], [], np.zeros_like(counts)
        for side in (0, 1):
            own = counts[sides == side, low:high]
            ends = own.sum(axis=0).cumsum()
            starts.append([0, *ends.tolist()])
            places[sides == side, low:high] = np.array([0, *ends[:-1]]) + own.cumsum(axis=0) - own
            rows.append(np.empty((int(ends[-1]), 2), dtype=np.uint64))

        def write(number: int) -> None:
            side, part = pieces[number]
            self.tables.limits.check()
            sort_out(
                layers[side].parts[part], self.parts[side].slots, self.to[side], side == 1, bits, low, high,
                rows[side], places[number], _zeros(MOST_SLOTS + 1), _zeros(MOST_SLOTS + 1),
            )  # fmt: skip

        def meet(block: int) -> None:
            self.tables.limits.check()
            desk = desks.get()
            two = [some[start[block] : start[block + 1]] for some, start in zip(rows, starts, strict=True)]
            if all(map(len, two)):
                one, other = (some[np.argsort(some[:, 0])] for some in two)
                self.join(one, other, desk)
            desks.put(desk)
            self.tables.on_progress(Report(words=f"joined {low + block + 1:,} of {1 << bits:,} blocks"))

        desks: SimpleQueue[_Desk] = SimpleQueue()
        for desk in self.desks:
            desks.put(desk)
        self.tables.each(write, range(len(pieces)))
        for begin in range(0, high - low, TOGETHER):
            end = min(begin + TOGETHER, high - low)
            self.tables.each(meet, range(begin, end))
            yield low + end

    def join(self, one: Words, two: Words, desk: _Desk) -> None:
        """Add the number of pairs of sorted rows that are one cycle."""
        join(one, two, self.images, self.at, desk.f, desk.g, desk.ends, desk.mate, desk.level, desk.total, desk.tally)
