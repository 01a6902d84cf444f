"""Sweeping a half: the layers of states, the threads that make them, the limit on memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from typing import Any, TypeVar

import numpy as np

from heuristics.counting.folder import CountFolder, RowsFile
from heuristics.counting.plan import Half
from heuristics.counting.states import MOST_SLOTS, add_up, compact, enter_all
from heuristics.counting.step import branch, gather
from kt_models.certificates.frontier.plan import Words
from kt_models.certificates.integers import Ints
from kt_models.errors import TooLarge
from kt_models.limits import Limits, Listener, Report
from kt_models.machine import usable_cores

T = TypeVar("T")
GIB = 1 << 30
DEFAULT_MEMORY = 4 * GIB
"""Bytes the tables may take, unless the limits say otherwise."""
CHUNK = 1 << 16
"""New rows that one call can make; the old rows are cut accordingly."""
CHUNKS = 48
"""Chunks between two looks at the clock, some tenths of a second."""
PART_BITS = 6
"""A large layer has 2**6 parts."""
FULL = 0.7
"""Of a table's rows that are filled, where their number is guessed rightly."""
FULLEST = 0.85
"""Of a table's rows that may be filled."""
FEWEST_ROWS = 256
GUESS = 1.4
"""How many times as many states there are after a step, as a first guess."""
SPILL = 8
"""With a folder, a layer of more than one part in so many of the memory is on the disk."""


class TooMany(TooLarge):
    """A number of partial tours may not fit into 64 bits."""


@dataclass
class HalfLayer:
    """The states after a step, part by part, without empty rows.

    Parameters
    ----------
    file
        Where they are, if they are on the disk and not yet named there.
    """

    parts: list[Words]
    file: RowsFile | None = None

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return bytes_in_memory(self.parts)


def bytes_in_memory(tables: Iterable[Words]) -> int:
    """The bytes of those that are in memory, and not in a file."""
    return sum(table.nbytes for table in tables if not isinstance(table, np.memmap))


class HalfTables:
    """The tables of states, the threads that fill them, and the memory that they take.

    Parameters
    ----------
    signed
        Whether numbers are meant modulo 2**64, so that none is too large.
    folder
        Where large layers are written, and the last ones kept.
    """

    def __init__(
        self, limits: Limits, on_progress: Listener, *, signed: bool = False, folder: CountFolder | None = None
    ) -> None:
        self.limits, self.on_progress, self.signed, self.folder = limits, on_progress, signed, folder
        self.memory = limits.room(DEFAULT_MEMORY)
        self.workers = limits.workers or usable_cores()
        self.kept: list[HalfLayer] = []
        self.peak_bytes = self.peak_states = 0
        self.mate = np.zeros(MOST_SLOTS + 1, dtype=np.int64)

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.workers, "kt-count")

    @cached_property
    def _chunks(self) -> tuple[Words, Words, Ints]:
        """Scratch space of the chunks, what comes of them, and where each part begins in it."""
        room = [np.empty((CHUNKS, CHUNK, 2), dtype=np.uint64) for _ in range(2)]
        return room[0], room[1], np.zeros((CHUNKS, (1 << PART_BITS) + 1), dtype=np.int64)

    def each(self, work: Callable[[Any], T], items: Iterable[Any]) -> list[T]:
        """What work makes of each item, on all threads."""
        todo = list(items)
        if self.workers == 1 or len(todo) == 1:
            return [work(item) for item in todo]
        return list(self._threads.map(work, todo))

    def start(self) -> HalfLayer:
        """The layer of one state, in which nothing is reached."""
        return HalfLayer([np.array([[~np.uint64(0), 1]], dtype=np.uint64)])

    def fits(self, size: int) -> bool:
        """Whether there is memory for so many bytes besides the layers kept."""
        return sum(layer.nbytes for layer in self.kept) + size <= self.memory

    def reserve(self, size: int) -> None:
        """Note that so many bytes are taken besides the layers kept.

        Raises
        ------
        TooLarge
            If there is no memory for them.
        """
        used = sum(layer.nbytes for layer in self.kept) + size
        self.peak_bytes = max(self.peak_bytes, min(used, self.memory))
        if not self.fits(size):
            raise TooLarge(
                f"the tables of states would take {used / GIB:.2g} GiB, more than the limit of "
                f"{self.memory / GIB:.2g} GiB; the largest so far has {self.peak_states:,} states"
            )

    def sweep(self, half: Half, begin: int, layer: HalfLayer, name: str, keep: bool) -> Iterator[HalfLayer]:
        """The layer after each step from number `begin` on, given that before it.

        Parameters
        ----------
        keep
            Whether layers stay as they are; otherwise each but the first is given up as the next one is made.
        """
        for number, step in enumerate(half.steps[begin:], begin + 1):
            where = f"{name}, step {number} of {len(half.steps)}"
            layer = self._advance(layer, step.arguments(half.slots), where, keep or number == begin + 1)
            self.peak_states = max(self.peak_states, len(layer))
            yield layer

    def total(self, layer: HalfLayer) -> int:
        """The sum of the numbers of a layer."""

        def part_total(table: Words) -> int:
            sums = np.zeros(2, dtype=np.uint64)
            add_up(table, sums)
            return int(sums[0]) + (int(sums[1]) << 32)

        return sum(self.each(part_total, layer.parts))

    def _advance(self, old: HalfLayer, told: Any, where: str, keep: bool) -> HalfLayer:
        m = len(told[1])
        most = 1 + m + m * (m - 1) // 2
        if not self.signed and self.total(old) * most >= 1 << 64:
            raise TooMany("the partial tours of a state may be more than 64 bits hold")
        bits = PART_BITS if len(old) * most > CHUNKS * CHUNK else 0
        parts: list[Words] = []
        spilled = None
        while len(parts) < 1 << bits:
            some = _Filling(self, old, told, where, bits, len(parts)).run(keep or self.folder is not None)
            if self.folder and (spilled or len(some) < 1 << bits or SPILL * bytes_in_memory(some) > self.memory):
                spilled = spilled or self.folder.new_file()
                some = [spilled.add(part) for part in some]
            parts += some
        return HalfLayer(parts, spilled)


class _Filling:
    """The parts of the next layer from a number on, as many of them as there is memory for."""

    def __init__(self, tables: HalfTables, old: HalfLayer, told: Any, where: str, bits: int, low: int) -> None:
        self.tables, self.old, self.told, self.where = tables, old, told, where
        self.bits, self.low, self.high = bits, low, 1 << bits
        self.scratch, self.out, self.starts = tables._chunks
        self.parts: list[Words] = []
        self.counts: list[int] = []
        rows = max(int(len(old) * GUESS / FULL) >> bits, FEWEST_ROWS)
        while not self._room(16 * rows * (self.high - low)):
            self.high = (low + self.high) // 2
        self.parts = [np.zeros((rows, 2), dtype=np.uint64) for _ in range(low, self.high)]
        self.counts = [0] * (self.high - low)

    def run(self, keep: bool) -> list[Words]:
        """Go through the old rows, which are given up on the way unless they are to be kept."""
        tables, total, done = self.tables, len(self.old), 0
        m = len(self.told[1])
        size = CHUNK // (1 + m + m * (m - 1) // 2)
        chunks = self._chunks(size, keep)
        while batch := list(islice(chunks, CHUNKS)):
            tables.limits.check()
            tables.each(self._branch, enumerate(batch))
            done += sum(stop - begin for _, begin, stop in batch)
            self._grow(len(batch), done / total)
            self.counts = tables.each(partial(self._gather, len(batch)), range(len(self.parts)))
            some = len(self.parts) < 1 << self.bits
            share = f", parts {self.low + 1} to {self.high} of {1 << self.bits}" if some else ""
            words = f"{self.where}{share}: {sum(self.counts):,} states from {done / total:.0%} of {total:,}"
            tables.on_progress(Report(words=words))
        return tables.each(self._compact, range(len(self.parts)))

    def _chunks(self, size: int, keep: bool) -> Iterator[tuple[Words, int, int]]:
        for number, table in enumerate(self.old.parts):
            for begin in range(0, len(table), size):
                yield table, begin, min(len(table), begin + size)
            if not keep:
                self.old.parts[number] = table[:0].copy()

    def _branch(self, item: tuple[int, tuple[Words, int, int]]) -> None:
        number, (table, begin, stop) = item
        mate = np.zeros(MOST_SLOTS + 1, dtype=np.int64)
        branch(
            table, begin, stop, *self.told, self.bits, self.low, self.high, mate,
            self.scratch[number], self.out[number], self.starts[number],
        )  # fmt: skip

    def _gather(self, chunks: int, i: int) -> int:
        return int(gather(self.out, self.starts, chunks, self.low + i, self.parts[i], self.counts[i])[0])

    def _grow(self, chunks: int, done: float) -> None:
        """See to it that what comes has room."""
        starts = self.starts[:chunks].sum(axis=0)
        coming = np.diff(starts)[self.low : self.high].tolist()
        wanted = [count + more for count, more in zip(self.counts, coming, strict=True)]
        small = {i for i, table in enumerate(self.parts) if wanted[i] > FULLEST * len(table)}
        if not small:
            return
        guess = min(2.0, max(1.2, 1.02 / done))
        rows = {i: int(wanted[i] * guess / FULL) + FEWEST_ROWS for i in small}
        while not self._room(sum(16 * (rows[i] if i in small else len(t)) for i, t in enumerate(self.parts))):
            self.high = (self.low + self.high) // 2
            del self.parts[self.high - self.low :], self.counts[self.high - self.low :]

        def enlarge(i: int) -> None:
            larger = np.zeros((rows[i], 2), dtype=np.uint64)
            enter_all(self.parts[i], larger, 0)
            self.parts[i] = larger

        self.tables.each(enlarge, sorted(i for i in small if i < len(self.parts)))

    def _room(self, size: int) -> bool:
        """Whether there is memory for tables of so many bytes; without, and with no way round it, that is an error."""
        try:
            largest = max((table.nbytes for table in self.parts), default=0)  # a table and its larger one
            self.tables.reserve(self.old.nbytes + size + self.tables.workers * largest)
        except TooLarge:
            if self.tables.folder is None or self.high - self.low < 2:
                raise
            return False
        return True

    def _compact(self, i: int) -> Words:
        count = compact(self.parts[i])
        self.parts[i].resize((count, 2), refcheck=False)  # in place: the rest of the memory is given back
        return self.parts[i]
