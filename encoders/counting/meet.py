"""The meeting of the two halves: states brought to one layout, sorted in blocks, and passed to the join."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from queue import SimpleQueue

import numpy as np
import numpy.typing as npt

from encoders.counting.folder import CountFolder
from encoders.counting.join import MOST_DENSE, PLACES, count_blocks, glue, join, relabel, sort_out
from kt_models.kernel.sweeps.bits import Ints, Words
from kt_models.kernel.sweeps.forms import PAIRINGS
from kt_models.kernel.sweeps.plan import MAX_SLOTS, SweepPlan
from kt_models.kernel.sweeps.run import Layer, SweepEngine
from kt_models.limits import Report

BLOCK = 1 << 19
"""Rows of both halves that make a block, about."""
MAX_BITS = 12
WRITTEN = 4096
"""Pairings of a group that are written out at a time."""
TOGETHER = 64
"""Blocks that are joined between two records in the folder of a count."""
SORTING = 40
"""Bytes a row while it is sorted, besides its own."""
TALLY = 4
"""Numbers of a `Meeting.tally`."""


def _zeros(rows: int) -> Ints:
    return np.zeros(rows, dtype=np.int64)


@dataclass
class Desk:
    """The scratch space of one thread, and what it has counted.

    Parameters
    ----------
    f, g
        Vectors over pairings.
    totals
        128 bits each, the lower ones first: one number, or one for each value of the objective.
    columns, base
        For values, see `join_by_value`.
    tally
        As of a `Meeting`.
    """

    f: Words
    g: Words
    totals: Words = field(default_factory=lambda: np.zeros((1, 2), dtype=np.uint64))
    columns: Ints = field(default_factory=lambda: _zeros(0))
    base: Ints = field(default_factory=lambda: _zeros(MOST_DENSE + 2))
    ends: Ints = field(default_factory=lambda: np.zeros((WRITTEN, MAX_SLOTS + 1), dtype=np.int64))
    mate: Ints = field(default_factory=lambda: _zeros(MAX_SLOTS + 1))
    level: Ints = field(default_factory=lambda: _zeros(2 * MOST_DENSE + 4))
    tally: Ints = field(default_factory=lambda: _zeros(TALLY))


class Meeting:
    """A join of two halves, with its tables and scratch space.

    Attributes
    ----------
    tally
        Groups of states that met, pairs tried one by one, groups glued, states of the groups.
    """

    def __init__(
        self, engine: SweepEngine, parts: tuple[SweepPlan, SweepPlan], folder: CountFolder | None = None
    ) -> None:
        assert parts[0].frontier.keys() == parts[1].frontier.keys()
        self.engine, self.parts, self.folder = engine, parts, folder
        self.vertices = sorted(parts[0].frontier)
        self.slots = len(self.vertices)
        self.dense = max(1, min(MOST_DENSE, self.slots // 2))
        self.at = np.full(MOST_DENSE + 2, -1, dtype=np.int64)
        self.at[1] = 0
        self.images = self._images(self.dense)
        self.desks = [self._desk() for _ in range(engine.workers)]
        self.tally = [0] * TALLY
        self.to = np.full((2, MAX_SLOTS), -1, dtype=np.int64)
        for side, plan in enumerate(parts):
            for number, v in enumerate(self.vertices):
                self.to[side, plan.frontier[v]] = number

    def _desk(self) -> Desk:
        f, g = np.zeros(PAIRINGS[self.dense], dtype=np.uint64), np.zeros(PLACES[self.dense + 1], dtype=np.uint64)
        return Desk(f, g)

    def _images(self, dense: int) -> npt.NDArray[np.int32]:
        mate, moved = _zeros(MAX_SLOTS + 1), _zeros(MAX_SLOTS + 1)
        sizes = [PAIRINGS[k] * (2 * k - 1) for k in range(2, dense + 1)]
        self.at[2 : dense + 1] = np.concatenate([[0], np.cumsum(sizes)])[: max(0, dense - 1)]
        images = np.empty(sum(sizes), dtype=np.int32)
        for k in range(2, dense + 1):
            for partner in range(1, 2 * k):
                begin = int(self.at[k]) + (partner - 1) * PAIRINGS[k]
                glue(images[begin : begin + PAIRINGS[k]], k, partner, mate, moved)
        return images

    def align(self, table: Words, side: int) -> None:
        """Write the states of a half's last layer by vertices in order; those of the second half with complementary
        degrees."""
        relabel(table, self.parts[side].slots, self.to[side], side == 1, _zeros(MAX_SLOTS + 1), _zeros(MAX_SLOTS + 1))

    def totals(self, left: Layer, right: Layer) -> list[int]:
        """The number of pairs of states that are one cycle, modulo 2**128."""
        engine, layers, row = self.engine, (left, right), self.engine.row_bytes
        bits = min(MAX_BITS, ((len(left) + len(right)) // BLOCK).bit_length())
        pieces = [(side, part) for side in (0, 1) for part in range(len(layers[side].parts))]
        counts = np.array(engine.each(lambda piece: self._counts(layers, piece[0], piece[1], bits), pieces))
        sizes = counts.sum(axis=0)
        engine.kept = list({id(layer): layer for layer in layers}.values())
        low, before = self.folder.joined() if self.folder else (0, [0] * len(self.sums))
        while low < 1 << bits:
            high, needed = low, SORTING * engine.workers * int(sizes[low:].max())
            while high < 1 << bits and (high == low or engine.fits(needed + row * int(sizes[high]))):
                needed += row * int(sizes[high])
                high += 1
            engine.reserve(needed)
            for done in self._join_blocks(layers, bits, low, high, pieces, counts):
                if self.folder:
                    self.folder.save_joined(done, [a + b for a, b in zip(before, self.sums, strict=True)])
            low = high
        sums = [a + b for a, b in zip(before, self.sums, strict=True)]
        self.tally = sums[-TALLY:]
        return [total % (1 << 128) for total in sums[:-TALLY]]

    @property
    def sums(self) -> list[int]:
        """The totals and the tally of all threads."""
        totals = [
            sum(int(low) + (int(high) << 64) for low, high in rows)
            for rows in zip(*(desk.totals.tolist() for desk in self.desks), strict=True)
        ]
        return [*totals, *np.sum([desk.tally for desk in self.desks], axis=0).tolist()]

    def _counts(self, layers: tuple[Layer, Layer], side: int, part: int, bits: int) -> Ints:
        counts = _zeros(1 << bits)
        count_blocks(layers[side].parts[part], self.parts[side].slots, self.to[side], side == 1, bits, counts)
        return counts

    def _join_blocks(
        self, layers: tuple[Layer, Layer], bits: int, low: int, high: int, pieces: list[tuple[int, int]],
        counts: Ints,
    ) -> Iterator[int]:  # fmt: skip
        """Join the blocks low..high-1: their rows are written down side by side and block by block, then sorted.

        Yields
        ------
        int
            From time to time, the number of joined blocks.
        """
        sides = np.array([side for side, _ in pieces])
        rows, starts, places = [], [], np.zeros_like(counts)
        for side in (0, 1):
            counted = counts[sides == side, low:high]
            ends = counted.sum(axis=0).cumsum()
            starts.append([0, *ends.tolist()])
            places[sides == side, low:high] = np.array([0, *ends[:-1]]) + counted.cumsum(axis=0) - counted
            rows.append(np.empty((int(ends[-1]), self.engine.words), dtype=np.uint64))

        def write(number: int) -> None:
            side, part = pieces[number]
            self.engine.limits.check()
            sort_out(
                layers[side].parts[part], self.parts[side].slots, self.to[side], side == 1, bits, low, high,
                rows[side], places[number], _zeros(MAX_SLOTS + 1), _zeros(MAX_SLOTS + 1),
            )  # fmt: skip

        def meet(block: int) -> None:
            self.engine.limits.check()
            desk = desks.get()
            two = [some[start[block] : start[block + 1]] for some, start in zip(rows, starts, strict=True)]
            if all(map(len, two)):
                first, second = map(self.sorted, two)
                self.join(first, second, desk)
            desks.put(desk)
            self.engine.on_progress(Report(words=f"joined {low + block + 1:,} of {1 << bits:,} blocks"))

        desks: SimpleQueue[Desk] = SimpleQueue()
        for desk in self.desks:
            desks.put(desk)
        self.engine.each(write, range(len(pieces)))
        for begin in range(0, high - low, TOGETHER):
            end = min(begin + TOGETHER, high - low)
            self.engine.each(meet, range(begin, end))
            yield low + end

    def sorted(self, rows: Words) -> Words:
        """The rows of a block in the order in which `join` reads them: by degrees, then by pairing."""
        return rows[np.argsort(rows[:, 0])]

    def join(self, first: Words, second: Words, desk: Desk) -> None:
        """Add the number of pairs of sorted rows that are one cycle."""
        join(
            first, second, self.images, self.at, desk.f, desk.g, desk.ends, desk.mate, desk.level, desk.totals[0],
            desk.tally,
        )  # fmt: skip
