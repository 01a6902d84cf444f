"""The hash table of states: what a state is worth, and what becomes of two that are the same.

A row is some words: the *key*, which tells states apart, then the value.  The kinds of value differ in a few names that
an instance of the loops binds:

- COUNT: the key is the state, the value the number of partial tours with it.
- BY_VALUE: the key is the state and its label; the value is as of COUNT.  A *label* has the remembered edges in the
  lower 48 bits, and what is charged so far in the upper 16, as a number with a sign.

A table is open-addressed, and a row whose first word is 0 is empty.  A large layer is cut into parts by the first bits
of the hash, each with a table of its own: threads fill different parts and never meet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kt_models.jit import Kernel, kernel
from kt_models.sweeps.bits import Ints, Words, bare_kernel
from kt_models.sweeps.forms import PARENT_AT, SIGN_AT

AHEAD = 2048
"""Rows entered at a time: the rows of the table are read together first, so that memory is waited for once."""
LABEL_BITS = 48
"""Bits for remembered edges in a label."""
EDGES = (1 << LABEL_BITS) - 1

KEY, WORDS = 1, 2
"""Words of the key, and of a row.  Bound to each instance: read from the shape of a table they would take half of the
time again."""


@bare_kernel
def value_of(label: int) -> int:
    """What a label says is charged so far."""
    return np.int64(label) >> LABEL_BITS  # type: ignore[return-value]


@bare_kernel
def scrambled(word: Any) -> Any:
    """A word that is different for different words, and looks random."""
    h = np.uint64(word) * np.uint64(0x9E3779B97F4A7C15)
    h = (h ^ (h >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return h ^ (h >> np.uint64(32))


@bare_kernel
def hashed(rows: Words, p: int) -> Any:
    """The hash of the key of a row."""
    h = scrambled(rows[p, KEY - 1])
    for k in range(2, KEY + 1):
        h = scrambled(h ^ rows[p, KEY - k])
    return h


@bare_kernel
def same(table: Words, at: int, rows: Words, p: int) -> bool:
    """Whether two rows have the same key."""
    equal = table[at, 0] == rows[p, 0]
    for k in range(1, KEY):
        equal = equal and table[at, k] == rows[p, k]
    return equal


@bare_kernel
def worth_signed(old: Words, parent: int, out: Words, q: int, origin: int) -> None:
    """The value of a child: that of its parent, negative if the edges reverse the sign."""
    number = old[parent, WORDS - 1]
    out[q, WORDS - 1] = np.uint64(0) - number if origin >> SIGN_AT & 1 else number


@bare_kernel
def worth_same(old: Words, parent: int, out: Words, q: int, origin: int) -> None:
    """The value of a child: that of its parent."""
    out[q, WORDS - 1] = old[parent, WORDS - 1]


@bare_kernel
def add(table: Words, at: int, rows: Words, p: int) -> None:
    """The value of two rows with the same key: the sum."""
    table[at, WORDS - 1] += rows[p, WORDS - 1]


worth, merge = worth_signed, add


@bare_kernel
def part_of(rows: Words, p: int, bits: int) -> Any:
    """Which of 2**bits parts of a layer a row belongs to."""
    return np.int64(hashed(rows, p) >> np.uint64(63 - bits) >> np.uint64(1))


@bare_kernel
def home(rows: Words, p: int, size: int) -> Any:
    """The row where a key belongs; in the order of the hash, so that a larger table is filled from front to back."""
    return np.int64(((hashed(rows, p) & np.uint64(0xFFFFFFFF)) * np.uint64(size)) >> np.uint64(32))


@kernel(
    "void(uint64[:, ::1], int64, uint64[:, ::1], uint64[:, ::1], int64, int64, int64, int64, uint64[:, ::1], "
    "int64[::1])",
    counts=False,
)
def deal(
    old: Words, begin: int, fresh: Words, origins: Words, filled: int, bits: int, low: int, high: int, out: Words,
    starts: Ints,
) -> None:  # fmt: skip
    """Sort the children of the old rows from `begin` on by part, with their values.

    A child whose state is 0 is left out.

    Parameters
    ----------
    fresh, origins
        See `forms.branch`; the key of each child is complete.
    bits, low, high
        There are 2**bits parts; only children of the parts low..high-1 are wanted.
    out
        Gets the new rows.
    starts
        Gets by part where its rows begin in `out`; one more.
    """
    parts = 1 << bits
    for part in range(parts + 1):
        starts[part] = 0
    for q in range(filled):
        if fresh[q, 0] != 0:
            starts[part_of(fresh, q, bits)] += 1
    where = 0
    for part in range(parts):
        size = starts[part] if low <= part < high else 0
        starts[part] = where
        where += size
    starts[parts] = where
    for q in range(filled):
        if fresh[q, 0] == 0:
            continue
        part = part_of(fresh, q, bits)
        if low <= part < high:
            at = starts[part]
            starts[part] += 1
            for k in range(KEY):
                out[at, k] = fresh[q, k]
            origin = np.int64(origins[q, 0])
            worth(old, begin + (origin >> PARENT_AT), out, at, origin)
    for part in range(parts, 0, -1):  # each start has become the next one
        starts[part] = starts[part - 1]
    starts[0] = 0


@bare_kernel
def enter(rows: Words, p: int, table: Words, count: int) -> int:
    """Enter a row into a table; the number of rows afterwards."""
    size = len(table)
    at = home(rows, p, size)
    while True:
        if table[at, 0] == 0:
            for k in range(WORDS):
                table[at, k] = rows[p, k]
            return count + 1
        if same(table, at, rows, p):
            merge(table, at, rows, p)
            return count
        at += 1
        if at == size:
            at = 0


@kernel("Tuple((int64, uint64))(uint64[:, :, ::1], int64[:, ::1], int64, int64, uint64[:, ::1], int64)", counts=False)
def gather(out: Any, starts: Ints, chunks: int, part: int, table: Words, count: int) -> tuple[int, Any]:
    """Enter the rows that chunks have for a part into its table; how many rows it has then, and nothing of use."""
    seen = np.uint64(0)
    for chunk in range(chunks):
        rows = out[chunk]
        for begin in range(starts[chunk, part], starts[chunk, part + 1], AHEAD):
            stop = min(begin + AHEAD, starts[chunk, part + 1])
            for i in range(begin, stop):
                seen ^= table[home(rows, i, len(table)), 0]
            for i in range(begin, stop):
                count = enter(rows, i, table, count)
    return count, seen  # what is never used would not be read


@kernel("int64(uint64[:, ::1], uint64[:, ::1], int64)", counts=False)
def enter_all(some: Words, table: Words, count: int) -> int:
    """Enter the rows of another table; the number of rows afterwards."""
    for p in range(len(some)):
        if some[p, 0] != 0:
            count = enter(some, p, table, count)
    return count


@kernel("int64(uint64[:, ::1])", counts=False)
def compact(table: Words) -> int:
    """Move all rows to the front, in their order; how many there are.  It is no hash table any more."""
    count = 0
    for p in range(len(table)):
        if table[p, 0] != 0:
            for k in range(table.shape[1]):
                table[count, k] = table[p, k]
            count += 1
    return count


@kernel("void(uint64[:, ::1], uint64[::1])", counts=False)
def add_up(table: Words, halves: Words) -> None:
    """Add the last words of all rows to two sums: of their lower 32 bits, and of their upper ones."""
    for p in range(len(table)):
        halves[0] += table[p, -1] & np.uint64(0xFFFFFFFF)
        halves[1] += table[p, -1] >> np.uint64(32)


deal_by_value = deal.instance("deal_by_value", KEY=2, WORDS=3, worth=worth_same)
gather_by_value = gather.instance("gather_by_value", KEY=2, WORDS=3)
enter_all_by_value = enter_all.instance("enter_all_by_value", KEY=2, WORDS=3)


@dataclass(frozen=True)
class Value:
    """What a state is worth.

    Parameters
    ----------
    key, words
        Words of the key, and of a row.
    start
        The row of the state in which nothing is reached.
    deal, gather, enter_all
        The loops bound to it.
    """

    key: int
    words: int
    start: tuple[int, ...]
    deal: Kernel
    gather: Kernel
    enter_all: Kernel

    @property
    def row_bytes(self) -> int:
        """Bytes of a state."""
        return 8 * self.words


NOTHING = (1 << 64) - 1
"""The state in which nothing is reached, inverted."""
COUNT = Value(1, 2, (NOTHING, 1), deal, gather, enter_all)
BY_VALUE = Value(2, 3, (NOTHING, 0, 1), deal_by_value, gather_by_value, enter_all_by_value)
