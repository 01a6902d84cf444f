"""The driver of a sweep: the layers of states, the threads that make them, the limits on memory and the disk.

It is independent of the form and value of states. A step is a pipeline of compiled loops over a buffer of new rows.
`branch` writes the children of some old rows, `charge` their costs, a hook drops what costs too much, `deal` sorts them
by part, and `gather` enters those of one part into its table. Machine code calls them directly, with writable arrays,
because calls dominate the time on narrow boards.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from queue import SimpleQueue
from typing import Any, Protocol, TypeVar

import numpy as np

from kt_models.errors import NoMemory, TooLarge
from kt_models.kernel.sweeps.bits import Ints, Words
from kt_models.kernel.sweeps.charge import charge_of
from kt_models.kernel.sweeps.forms import GAIN, PARENT_AT, SIGN_AT, Form
from kt_models.kernel.sweeps.plan import PlanStep, SweepPlan
from kt_models.kernel.sweeps.values import SALTS, Value, compact
from kt_models.limits import Limits, Listener, Report
from kt_models.machine import usable_cores

T = TypeVar("T")
GIB = 1 << 30
DEFAULT_MEMORY = 4 * GIB
"""Bytes the tables may take, unless the limits say otherwise."""
CHUNK = 1 << 16
"""New rows that one call can make, which limits the old rows of a call."""
CHUNKS = 8
"""Chunks of each thread between two looks at the clock, some tenths of a second: their buffers are small beside the
tables of small boards."""
MOST_SORTED, ROWS_PER_SORT = 1_000_000, 200
"""Children that are merged by sorting before the loops of the tables are compiled, which takes some seconds: a tenth of
a second. Each layer counts as so many more."""
PART_BITS = 6
"""A large layer has 2**6 parts."""
FULL = 0.7
"""Share of a table's rows that are filled, if their number is guessed correctly."""
FULLEST = 0.85
"""Greatest share of a table's rows that may be filled."""
FEWEST_ROWS = 256
GUESS = 0.7
"""First guess of the growth of the number of states in a step; a guess that is too high wastes memory."""
OWN_PAGES = 1 << 17
"""Bytes from which a table has its own pages."""
PRIVATE = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
"""Flags of such pages: those of a shared mapping, the default, are neither huge nor given back before its end."""
HUGE_PAGES = 1 << 22
"""Bytes from which these pages are huge where the system has such: random rows then need fewer page table entries."""
SUMMED, HALF = 1 << 16, np.uint64(0xFFFFFFFF)
"""Rows that are added up at once, and the lower half of a word."""
SPILL = 8
"""With a store, a layer that takes more than the memory divided by this is on disk."""


class TooMany(TooLarge):
    """A number of partial tours may not fit into 64 bits."""


class RowsWriter(Protocol):
    """A file of rows, written part after part."""

    def add(self, part: Words) -> Words:
        """Write a part; the same rows, read from the disk as they are needed."""


class Store(Protocol):
    """The place where large layers are written."""

    def new_file(self) -> RowsWriter:
        """A file for a layer."""


Drop = Callable[[int, Words, Words, int], int]
"""Drops children after a step, given its number, their keys, origins and number; returns how many it dropped."""


@dataclass
class Layer:
    """The states after a step, part by part, without empty rows.

    Parameters
    ----------
    file
        Where they are, if they are on the disk and not yet named there.
    most
        A bound on the sum of the values; None if they have to be added up.
    """

    parts: list[Words]
    file: Any = None
    most: int | None = None

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return bytes_in_memory(self.parts)


def new_table(rows: int, words: int) -> Words:
    """Rows of zeros.

    A large table has pages of its own, which the system gets back with it. Freed memory among tables that are still in
    use would stay with the process, half as much again as all tables take.
    """
    size = 8 * rows * words
    if size < OWN_PAGES:
        return np.zeros((rows, words), dtype=np.uint64)
    pages = mmap.mmap(-1, size, **PRIVATE)
    if size >= HUGE_PAGES and hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):  # Of a kernel without them
            pages.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(pages, dtype=np.uint64).reshape(rows, words)


def trimmed(table: Words, count: int) -> Words:
    """The first rows of a new table; the pages of the others go back to the system, where it can take them."""
    if table.nbytes < OWN_PAGES:
        return table[:count].copy()
    first = -(-table[:count].nbytes // mmap.PAGESIZE) * mmap.PAGESIZE
    if hasattr(mmap, "MADV_DONTNEED") and first < table.nbytes:
        pages: Any = table
        while isinstance(pages, np.ndarray):
            pages = pages.base
        pages.obj.madvise(mmap.MADV_DONTNEED, first, table.nbytes - first)  # A copy would take as many new pages
    return table[:count]


def bytes_in_memory(tables: Iterable[Words]) -> int:
    """The bytes of those that are in memory, and not in a file."""
    return sum(table.nbytes for table in tables if not isinstance(table, np.memmap))


@dataclass
class Scratch:
    """Buffers of one thread for children."""

    fresh: Words
    origins: Words
    mate: Ints
    dropped: int = 0


class SweepEngine:
    """The tables of states, the threads that fill them, and the memory that they take.

    Parameters
    ----------
    form, value
        Form and value of states.
    store
        Where large layers are written.
    drop
        Hook that drops children that cost too much.

    Attributes
    ----------
    key
        Words of a key.
    peak_states, peak_bytes
        The largest layer, and the most memory that tables took.
    """

    def __init__(
        self, form: Form, value: Value, limits: Limits, on_progress: Listener, *,
        store: Store | None = None, drop: Drop | None = None,
    ) -> None:  # fmt: skip
        self.form, self.value, self.store, self.drop = form, value, store, drop
        self.limits, self.on_progress = limits, on_progress
        self.key = form.words + value.labels
        self._charge = charge_of(value)
        self.memory = limits.room(DEFAULT_MEMORY)
        self.workers = limits.workers or usable_cores()
        self.chunks = CHUNKS * self.workers
        self._rows: Words | None = None
        self._starts = np.zeros((self.chunks, (1 << PART_BITS) + 1), dtype=np.int64)
        self.kept: list[Layer] = []
        self._sorted_rows = 0
        self.peak_bytes = self.peak_states = 0

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.workers, "kt-sweep")

    @property
    def words(self) -> int:
        """Words of a row of the newest layer."""
        return self.key + self.value.limbs

    @property
    def row_bytes(self) -> int:
        """Bytes of such a row."""
        return 8 * self.words

    @property
    def buffers(self) -> tuple[Words, Ints]:
        """The new rows of each chunk, and where each part begins among them."""
        if self._rows is None or self._rows.shape[2] != self.words:
            self._rows = np.empty((self.chunks, CHUNK, self.words), dtype=np.uint64)
        return self._rows, self._starts

    @cached_property
    def _scratches(self) -> list[Scratch]:
        return [self.new_scratch() for _ in range(self.workers)]

    @cached_property
    def scratch(self) -> SimpleQueue[Scratch]:
        """Scratch space that no thread is using."""
        free: SimpleQueue[Scratch] = SimpleQueue()
        for scratch in self._scratches:
            free.put(scratch)
        return free

    @property
    def dropped(self) -> int:
        """Children left out."""
        return sum(scratch.dropped for scratch in self._scratches)

    def new_scratch(self) -> Scratch:
        """Room for the children of a chunk."""
        fresh, origins = (np.empty((CHUNK, words), dtype=np.uint64) for words in (self.key, 3))
        return Scratch(fresh, origins, np.zeros(2 * GAIN, dtype=np.int64))

    def each(self, work: Callable[[Any], T], items: Iterable[Any]) -> list[T]:
        """Results of work on each item, on all threads."""
        todo = list(items)
        if self.workers == 1 or len(todo) == 1:
            return [work(item) for item in todo]
        return list(self._threads.map(work, todo))

    def start(self) -> Layer:
        """The layer of one state, in which nothing is reached."""
        label = [self.form.always, *[0] * self.value.labels][: self.value.labels]
        return Layer([np.array([[*self.form.start, *label, *self.value.start]], dtype=np.uint64)])

    def fits(self, size: int) -> bool:
        """Whether memory suffices for some bytes besides the layers kept."""
        return sum(layer.nbytes for layer in self.kept) + size <= self.memory

    def reserve(self, size: int) -> None:
        """Record that some bytes are taken besides the layers kept.

        Raises
        ------
        NoMemory
            If there is no memory for them.
        """
        used = sum(layer.nbytes for layer in self.kept) + size
        self.peak_bytes = max(self.peak_bytes, min(used, self.memory))
        if not self.fits(size):
            raise NoMemory(
                f"the tables of states would take {used / GIB:.2g} GiB, more than the limit of "
                f"{self.memory / GIB:.2g} GiB; the largest so far has {self.peak_states:,} states"
            )

    def sweep(self, plan: SweepPlan, begin: int, layer: Layer, name: str, keep: bool) -> Iterator[Layer]:
        """The layer after each step from number `begin` on, given that before it.

        Parameters
        ----------
        keep
            Whether layers are kept; otherwise each but the first is released as the next one is made.
        """
        for number in range(begin, len(plan.steps)):
            where = f"{name}, step {number + 1} of {len(plan.steps)}"
            layer = self.advance(plan, number, layer, where, keep=keep or number == begin)
            yield layer

    def advance(self, plan: SweepPlan, number: int, layer: Layer, where: str = "", *, keep: bool = False) -> Layer:
        """The layer after a step, given that before it.

        Parameters
        ----------
        where
            Words for a report.
        keep
            Whether the old layer stays as it is.
        """
        step = plan.steps[number]
        cost = plan.costs[number] if plan.costs else None
        layer = self._advance(layer, _Todo(number, step, step.arguments, cost, where), keep)
        self.peak_states = max(self.peak_states, len(layer))
        return layer

    def branch(self, step: PlanStep, old: Words, begin: int, stop: int, scratch: Scratch) -> int:
        """Write the children of some old rows into a scratch, without their costs; return their number."""
        return self._branch(0, step.arguments, old, begin, stop, scratch)

    def _branch(self, number: int, step: Any, old: Words, begin: int, stop: int, scratch: Scratch) -> int:
        layout, mate = self.form.layout(number), scratch.mate
        return int(self.form.branch.machine_code(old, begin, stop, *step, layout, mate, scratch.fresh, scratch.origins))

    def children(self, todo: _Todo, old: Words, begin: int, stop: int, scratch: Scratch) -> int:
        """Write the children of some old rows into a scratch, with their labels; return their number."""
        filled = self._branch(todo.number, todo.arguments, old, begin, stop, scratch)
        fresh, origins = scratch.fresh, scratch.origins
        if todo.cost is not None:
            self._charge.machine_code(
                old, begin, fresh, origins, filled, self.form.words, self.value.labels, self.value.cost_at, *todo.cost
            )
        elif self.value.labels:
            fresh[:filled, self.form.words :] = 0
        if self.drop is not None:
            scratch.dropped += self.drop(todo.number, fresh, origins, filled)
        return filled

    def total(self, layer: Layer) -> int:
        """The sum of the values of a layer."""

        def part_total(table: Words) -> int:
            # Halves of words cannot overflow, and numpy needs no loop to be compiled.
            blocks = (table[at : at + SUMMED, self.key :] for at in range(0, len(table), SUMMED))
            whole = 0
            for block in blocks:
                for k, column in enumerate(block.T):
                    low, high = int((column & HALF).sum()), int((column >> np.uint64(32)).sum())
                    whole += (low + (high << 32)) << (64 * k)
            return whole

        return sum(self.each(part_total, layer.parts))

    def _advance(self, old: Layer, todo: _Todo, keep: bool) -> Layer:
        most = todo.step.children
        coming = self._coming(old, most)
        if self._sorts(len(old) * most):
            return Layer([self._sorted(old, todo)], None, coming)
        bits = PART_BITS if len(old) * most > self.chunks * CHUNK else 0
        parts: list[Words] = []
        spilled = None
        while len(parts) < 1 << bits:
            some = _Filling(self, old, todo, bits, len(parts)).run(keep or self.store is not None)
            if self.store and (spilled or len(some) < 1 << bits or SPILL * bytes_in_memory(some) > self.memory):
                spilled = spilled or self.store.new_file()
                some = [spilled.add(part) for part in some]
            parts += some
        return Layer(parts, spilled, coming)

    def _sorts(self, children: int) -> bool:
        """Whether to merge so many children by sorting: until that has taken a moment, no table has to be compiled."""
        return self.value.limbs == 1 and self.value.counts and self._sorted_rows + children <= MOST_SORTED

    def _sorted(self, old: Layer, todo: _Todo) -> Words:
        """The states after a step and the numbers of their partial solutions, in the order of their keys."""
        scratch, rows, size = self._scratches[0], [], CHUNK // todo.step.children
        chunks = [(table, begin) for table in old.parts for begin in range(0, len(table), size)]
        for table, begin in chunks:
            self.limits.check()
            filled = self.children(todo, table, begin, min(len(table), begin + size), scratch)
            keys, origins = scratch.fresh[:filled], scratch.origins[:filled, 0]
            numbers = table[begin:][origins >> np.uint64(PARENT_AT), self.key]
            turned = origins >> np.uint64(SIGN_AT) & np.uint64(1) != 0
            numbers[turned] = np.uint64(0) - numbers[turned]
            rows.append(np.column_stack([keys, numbers])[keys[:, 0] != 0])
        every = np.concatenate([np.zeros((0, self.words), dtype=np.uint64), *rows])
        self._sorted_rows += len(every) + ROWS_PER_SORT
        if not len(every):
            return every
        every = every[np.lexsort(every[:, : self.key].T)]
        starts = np.flatnonzero(np.r_[True, (every[1:, : self.key] != every[:-1, : self.key]).any(axis=1)])
        merged = every[starts]
        merged[:, self.key] = np.add.reduceat(every[:, self.key], starts)
        self.on_progress(Report(words=f"{todo.where}: {len(merged):,} states from 100% of {len(old):,}"))
        return merged

    def _coming(self, old: Layer, children: int) -> int | None:
        """A bound on the sum of the values of the next layer, for which there is room."""
        if not self.value.counts:
            return None
        coming = None if old.most is None else old.most * children
        if coming is None or coming.bit_length() > 64 * self.value.limbs:
            coming = self.total(old) * children  # Not after every step: on a narrow board that would take long
        value = self.value.held(coming)
        if value is None:
            raise TooMany("the partial solutions of a state may be more than 64 bits hold")
        self.value = value
        return coming


@dataclass(frozen=True)
class _Todo:
    """A step, what it charges, both as the compiled loops read them, and words for the user."""

    number: int
    step: PlanStep
    arguments: Any
    cost: Any
    where: str


class _Filling:
    """The parts of the next layer from a number on, as many of them as there is memory for."""

    def __init__(self, engine: SweepEngine, old: Layer, todo: _Todo, bits: int, low: int) -> None:
        self.engine, self.old, self.todo = engine, old, todo
        self.bits, self.low, self.high = bits, low, 1 << bits
        self.salt = SALTS[todo.number & 1]
        self.out, self.starts = engine.buffers
        self.words = engine.words
        self.parts: list[Words] = []
        self.counts: list[int] = []
        rows = max(int(len(old) * GUESS / FULL) >> bits, FEWEST_ROWS)
        while not self._room(engine.row_bytes * rows * (self.high - low)):
            self.high = (low + self.high) // 2
        self.parts = [new_table(rows, self.words) for _ in range(low, self.high)]
        self.counts = [0] * (self.high - low)

    def run(self, keep: bool) -> list[Words]:
        """Process the old rows, which are released on the way unless they are kept."""
        engine, total, done = self.engine, len(self.old), 0
        chunks = self._chunks(CHUNK // self.todo.step.children, keep)
        while batch := list(islice(chunks, engine.chunks)):
            engine.limits.check()
            engine.each(self._branch, enumerate(batch))
            done += sum(stop - begin for _, begin, stop in batch)
            self._grow(len(batch), done / total)
            self.counts = engine.each(partial(self._gather, len(batch)), range(len(self.parts)))
            some = len(self.parts) < 1 << self.bits
            share = f", parts {self.low + 1} to {self.high} of {1 << self.bits}" if some else ""
            words = f"{self.todo.where}{share}: {sum(self.counts):,} states from {done / total:.0%} of {total:,}"
            engine.on_progress(Report(words=words))
        return engine.each(self._compact, range(len(self.parts)))

    def _chunks(self, size: int, keep: bool) -> Iterator[tuple[Words, int, int]]:
        for number, table in enumerate(self.old.parts):
            for begin in range(0, len(table), size):
                yield table, begin, min(len(table), begin + size)
            if not keep:
                self.old.parts[number] = table[:0].copy()

    def _branch(self, item: tuple[int, tuple[Words, int, int]]) -> None:
        number, (table, begin, stop) = item
        engine = self.engine
        scratch = engine.scratch.get()
        filled = engine.children(self.todo, table, begin, stop, scratch)
        engine.value.loops.deal.machine_code(
            table, begin, scratch.fresh, scratch.origins, filled, engine.key, engine.value.mask, self.salt, self.bits,
            self.low, self.high, self.out[number], self.starts[number],
        )  # fmt: skip
        engine.scratch.put(scratch)

    def _gather(self, chunks: int, i: int) -> int:
        gather, key, mask = self.engine.value.loops.gather.machine_code, self.engine.key, self.engine.value.mask
        part, count = self.low + i, self.counts[i]
        return int(gather(self.out, self.starts, chunks, part, self.parts[i], key, mask, self.salt, count)[0])

    def _grow(self, chunks: int, done: float) -> None:
        """Make room for further rows."""
        starts = self.starts[:chunks, self.low : self.high + 1].sum(axis=0)
        coming = (starts[1:] - starts[:-1]).tolist()
        wanted = [count + more for count, more in zip(self.counts, coming, strict=True)]
        small = {i for i, table in enumerate(self.parts) if wanted[i] > FULLEST * len(table)}
        if not small:
            return
        guess = min(2.0, max(1.2, 1.02 / done))
        rows = {i: int(wanted[i] * guess / FULL) + FEWEST_ROWS for i in small}
        while not self._room(
            self.engine.row_bytes * sum(rows[i] if i in small else len(t) for i, t in enumerate(self.parts))
        ):
            self.high = (self.low + self.high) // 2
            del self.parts[self.high - self.low :], self.counts[self.high - self.low :]

        def enlarge(i: int) -> None:
            larger = new_table(rows[i], self.words)
            engine = self.engine
            engine.value.loops.enter_all(self.parts[i], larger, engine.key, engine.value.mask, self.salt, 0)
            self.parts[i] = larger

        self.engine.each(enlarge, sorted(i for i in small if i < len(self.parts)))

    def _room(self, size: int) -> bool:
        """Whether memory suffices for tables of some bytes; an error if it does not and there is no alternative."""
        try:
            largest = max((table.nbytes for table in self.parts), default=0)  # A table and its larger one
            self.engine.reserve(self.old.nbytes + size + self.engine.workers * largest)
        except TooLarge:
            if self.engine.store is None or self.high - self.low < 2:
                raise
            return False
        return True

    def _compact(self, i: int) -> Words:
        count = compact.machine_code(self.parts[i])
        self.parts[i] = trimmed(self.parts[i], count)
        return self.parts[i]
