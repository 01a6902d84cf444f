"""The hash table of states, with their values (costs or counts), which merges states that are equal.

A row consists of words: the *key*, which identifies the state, then the value. The kinds of value differ in a few names
that an instance of the loops binds:

- COUNT: the key is the state, the value the number of partial solutions with it, modulo 2**64.
- BY_VALUE: the key is the state and its label; the value is as of COUNT.
- LEAST: the key is the state and its label, but for the cost; of two equal states the cheaper one is kept.
- TRACED: as LEAST; the value is a number of the parent, which the caller has written into its row, and the edges
  chosen.
- LIMBS: the key is the state and its label, the value a number of as many words as a step needs.

A *label* has the remembered edges in the lower bits of its words, and in the upper bits of the last word what is
charged so far: 16 bits, with a sign, for BY_VALUE; as many as the weights can need for LEAST and LIMBS. All loops get
a mask of the bits of a key's last word that tell states apart.

A table is open-addressed, and a row whose first word is 0 is empty. A large layer is cut into parts by the first bits
of the hash, each with a table of its own: threads fill different parts and never meet.

Rows are in the order of the hash, and most states of some steps are those of the step before. So the hash has a
*salt*, which changes from step to step. With the same hash, such states would be entered in the order of their places:
a table that is to grow would be full at one end and empty at the other, its rows far from their places, and all threads
would wait for one part.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kt_models.jit import Kernel, Template, kernel
from kt_models.kernel.sweeps.bits import Ints, Words, bare_kernel
from kt_models.kernel.sweeps.forms import PARENT_AT, SIGN_AT

AHEAD = 2048
"""Rows entered at a time: the rows of the table are read together first, so that memory is waited for once."""
LABEL_BITS = 48
"""Bits for remembered edges in a label of BY_VALUE."""
EDGES = (1 << LABEL_BITS) - 1
TRACED_BITS = 10
"""Bits of an edge's number in a value of TRACED."""
SALTS = (np.uint64(0), np.uint64(0xD6E8FEB86659FD93))
"""Salts of even and of odd steps."""
TRACED_EDGE = (1 << TRACED_BITS) - 1
KEY: Template[int] = 1
WORDS: Template[int] = 2
"""Words of the key, and of a row; 0 to read them from the arguments. They are bound to each instance, as reading them
would take half of the time again."""


@bare_kernel
def value_of(label: int) -> int:
    """The charge so far in a label of BY_VALUE."""
    return np.int64(label) >> LABEL_BITS  # type: ignore[return-value]


@bare_kernel
def scrambled(word: Any) -> Any:
    """A word that is different for different words, and looks random."""
    h = np.uint64(word) * np.uint64(0x9E3779B97F4A7C15)
    h = (h ^ (h >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return h ^ (h >> np.uint64(32))


@bare_kernel
def hashed(rows: Words, p: int, key: int, mask: Any, salt: Any) -> Any:
    """The hash of the key of a row."""
    h = scrambled(rows[p, key - 1] & mask ^ salt)
    for k in range(2, key + 1):
        h = scrambled(h ^ rows[p, key - k])
    return h


@bare_kernel
def same(table: Words, at: int, rows: Words, p: int, key: int, mask: Any) -> bool:
    """Whether two rows have the same key."""
    equal = (table[at, key - 1] ^ rows[p, key - 1]) & mask == 0
    for k in range(key - 1):
        equal = equal and table[at, k] == rows[p, k]
    return equal


@bare_kernel
def worth_signed(old: Words, parent: int, out: Words, q: int, key: int, words: int, origin: int) -> None:
    """The value of a child: that of its parent, negative if the edges reverse the sign."""
    number = old[parent, words - 1]
    out[q, words - 1] = np.uint64(0) - number if origin >> SIGN_AT & 1 else number


@bare_kernel
def worth_same(old: Words, parent: int, out: Words, q: int, key: int, words: int, origin: int) -> None:
    """The value of a child: that of its parent."""
    out[q, words - 1] = old[parent, words - 1]


@bare_kernel
def worth_limbs(old: Words, parent: int, out: Words, q: int, key: int, words: int, origin: int) -> None:
    """The value of a child: that of its parent, which may have fewer words."""
    for k in range(key, words):
        out[q, k] = old[parent, k] if k < old.shape[1] else np.uint64(0)


@bare_kernel
def worth_nothing(old: Words, parent: int, out: Words, q: int, key: int, words: int, origin: int) -> None:
    """No value: the cost of a child is in its label."""


@bare_kernel
def worth_traced(old: Words, parent: int, out: Words, q: int, key: int, words: int, origin: int) -> None:
    """The value of a child: the number of its parent, and the edges chosen."""
    edges = origin & TRACED_EDGE | (origin >> 20 & TRACED_EDGE) << TRACED_BITS
    out[q, words - 1] = old[parent, words - 1] << np.uint64(2 * TRACED_BITS) | np.uint64(edges)


@bare_kernel
def add(table: Words, at: int, rows: Words, p: int, key: int, words: int) -> None:
    """The value of two rows with the same key: the sum."""
    table[at, words - 1] += rows[p, words - 1]


@bare_kernel
def add_limbs(table: Words, at: int, rows: Words, p: int, key: int, words: int) -> None:
    """The same of numbers of several words, the lowest first."""
    carry = np.uint64(0)
    for k in range(key, words):
        total = table[at, k] + carry
        carry = np.uint64(total < carry)
        total += rows[p, k]
        carry += np.uint64(total < rows[p, k])
        table[at, k] = total


@bare_kernel
def keep_least(table: Words, at: int, rows: Words, p: int, key: int, words: int) -> None:
    """The cheaper of two equal states: the cost is in the upper bits of the last word."""
    if rows[p, key - 1] < table[at, key - 1]:
        table[at, key - 1] = rows[p, key - 1]


@bare_kernel
def keep_traced(table: Words, at: int, rows: Words, p: int, key: int, words: int) -> None:
    """The same, with where it comes from."""
    if rows[p, key - 1] < table[at, key - 1]:
        table[at, key - 1] = rows[p, key - 1]
        table[at, words - 1] = rows[p, words - 1]


worth: Template[Kernel] = worth_signed
merge: Template[Kernel] = add


@bare_kernel
def part_of(rows: Words, p: int, key: int, mask: Any, salt: Any, bits: int) -> Any:
    """Which of 2**bits parts of a layer a row belongs to."""
    return np.int64(hashed(rows, p, key, mask, salt) >> np.uint64(63 - bits) >> np.uint64(1))


@bare_kernel
def home(rows: Words, p: int, key: int, mask: Any, salt: Any, size: int) -> Any:
    """The row where a key belongs; in the order of the hash, so that a larger table is filled from front to back."""
    return np.int64(((hashed(rows, p, key, mask, salt) & np.uint64(0xFFFFFFFF)) * np.uint64(size)) >> np.uint64(32))


@kernel(
    "void(uint64[:, ::1], int64, uint64[:, ::1], uint64[:, ::1], int64, int64, uint64, uint64, int64, int64, int64, "
    "uint64[:, ::1], "
    "int64[::1])",
    counts=False,
)
def deal(
    old: Words, begin: int, fresh: Words, origins: Words, filled: int, key: int, mask: Any, salt: Any, bits: int,
    low: int, high: int, out: Words, starts: Ints,
) -> None:  # fmt: skip
    """Sort the children of the old rows from `begin` on by part, with their values.

    A child whose state is 0 is left out.

    Parameters
    ----------
    fresh, origins
        See `forms.branch`; the key of each child is complete.
    key, mask, salt
        Words of a key, the bits of the last one that belong to it, and the salt of the hash.
    bits, low, high
        There are 2**bits parts; only children of the parts low..high-1 are wanted.
    out
        Gets the new rows.
    starts
        Gets by part where its rows begin in `out`; one more.
    """
    parts, key = 1 << bits, KEY or key
    words = WORDS or out.shape[1]
    for part in range(parts + 1):
        starts[part] = 0
    for q in range(filled):
        if fresh[q, 0] != 0:
            starts[part_of(fresh, q, key, mask, salt, bits)] += 1
    where = 0
    for part in range(parts):
        size = starts[part] if low <= part < high else 0
        starts[part] = where
        where += size
    starts[parts] = where
    for q in range(filled):
        if fresh[q, 0] == 0:
            continue
        part = part_of(fresh, q, key, mask, salt, bits)
        if low <= part < high:
            at = starts[part]
            starts[part] += 1
            for k in range(key):
                out[at, k] = fresh[q, k]
            origin = np.int64(origins[q, 0])
            worth(old, begin + (origin >> PARENT_AT), out, at, key, words, origin)
    for part in range(parts, 0, -1):  # Each start has become the next one
        starts[part] = starts[part - 1]
    starts[0] = 0


@bare_kernel
def enter(rows: Words, p: int, table: Words, key: int, mask: Any, salt: Any, words: int, count: int) -> int:
    """Enter a row into a table; the number of rows afterwards."""
    size = len(table)
    at = home(rows, p, key, mask, salt, size)
    while True:
        if table[at, 0] == 0:
            for k in range(words):
                table[at, k] = rows[p, k]
            return count + 1
        if same(table, at, rows, p, key, mask):
            merge(table, at, rows, p, key, words)
            return count
        at += 1
        if at == size:
            at = 0


@kernel(
    "Tuple((int64, uint64))(uint64[:, :, ::1], int64[:, ::1], int64, int64, uint64[:, ::1], int64, uint64, uint64, "
    "int64)",
    counts=False,
)
def gather(
    out: Any, starts: Ints, chunks: int, part: int, table: Words, key: int, mask: Any, salt: Any, count: int
) -> tuple[int, Any]:
    """Enter the rows of chunks for a part into its table; return its number of rows, and an unused number."""
    seen, key, words = np.uint64(0), KEY or key, WORDS or table.shape[1]
    for chunk in range(chunks):
        rows = out[chunk]
        for begin in range(starts[chunk, part], starts[chunk, part + 1], AHEAD):
            stop = min(begin + AHEAD, starts[chunk, part + 1])
            for i in range(begin, stop):
                seen ^= table[home(rows, i, key, mask, salt, len(table)), 0]
            for i in range(begin, stop):
                count = enter(rows, i, table, key, mask, salt, words, count)
    return count, seen  # What is never used would not be read


@kernel("int64(uint64[:, ::1], uint64[:, ::1], int64, uint64, uint64, int64)", counts=False)
def enter_all(some: Words, table: Words, key: int, mask: Any, salt: Any, count: int) -> int:
    """Enter the rows of another table; the number of rows afterwards."""
    key, words = KEY or key, WORDS or table.shape[1]
    for p in range(len(some)):
        if some[p, 0] != 0:
            count = enter(some, p, table, key, mask, salt, words, count)
    return count


@kernel("int64(uint64[:, ::1])", counts=False)
def compact(table: Words) -> int:
    """Move all rows to the front, in their order; how many there are. It is no hash table any more."""
    count = 0
    for p in range(len(table)):
        if table[p, 0] != 0:
            for k in range(table.shape[1]):
                table[count, k] = table[p, k]
            count += 1
    return count


@dataclass(frozen=True)
class Loops:
    """The loops bound to a kind of value."""

    deal: Kernel
    gather: Kernel
    enter_all: Kernel


_by_value: Any = {"KEY": 2, "WORDS": 3, "worth": worth_same}
deal_by_value = deal.instance("deal_by_value", **_by_value)
gather_by_value = gather.instance("gather_by_value", **_by_value)
enter_all_by_value = enter_all.instance("enter_all_by_value", **_by_value)

_least: Any = {"worth": worth_nothing, "merge": keep_least}
deal_least_1 = deal.instance("deal_least_1", KEY=1, WORDS=1, **_least)
gather_least_1 = gather.instance("gather_least_1", KEY=1, WORDS=1, **_least)
enter_all_least_1 = enter_all.instance("enter_all_least_1", KEY=1, WORDS=1, **_least)
deal_least_2 = deal.instance("deal_least_2", KEY=2, WORDS=2, **_least)
gather_least_2 = gather.instance("gather_least_2", KEY=2, WORDS=2, **_least)
enter_all_least_2 = enter_all.instance("enter_all_least_2", KEY=2, WORDS=2, **_least)
deal_least_3 = deal.instance("deal_least_3", KEY=3, WORDS=3, **_least)
gather_least_3 = gather.instance("gather_least_3", KEY=3, WORDS=3, **_least)
enter_all_least_3 = enter_all.instance("enter_all_least_3", KEY=3, WORDS=3, **_least)
deal_least = deal.instance("deal_least", KEY=0, WORDS=0, **_least)
gather_least = gather.instance("gather_least", KEY=0, WORDS=0, **_least)
enter_all_least = enter_all.instance("enter_all_least", KEY=0, WORDS=0, **_least)
LEAST_LOOPS = {
    1: Loops(deal_least_1, gather_least_1, enter_all_least_1),
    2: Loops(deal_least_2, gather_least_2, enter_all_least_2),
    3: Loops(deal_least_3, gather_least_3, enter_all_least_3),
    0: Loops(deal_least, gather_least, enter_all_least),
}
"""Loops by the words of a row; most rows have at most three."""

_traced: Any = {"KEY": 0, "WORDS": 0, "worth": worth_traced, "merge": keep_traced}
deal_traced = deal.instance("deal_traced", **_traced)
gather_traced = gather.instance("gather_traced", **_traced)
enter_all_traced = enter_all.instance("enter_all_traced", **_traced)

_limbs: Any = {"KEY": 0, "WORDS": 0, "worth": worth_limbs, "merge": add_limbs}
deal_limbs = deal.instance("deal_limbs", **_limbs)
gather_limbs = gather.instance("gather_limbs", **_limbs)
enter_all_limbs = enter_all.instance("enter_all_limbs", **_limbs)


@dataclass(frozen=True)
class Value:
    """The value of a state.

    Parameters
    ----------
    loops
        Bound to it.
    labels
        Words of the label.
    limbs
        Words of the value; of LIMBS at first.
    cost_at
        Where the cost begins in the last word of the label; `LABEL_BITS` for values with a sign.
    start
        The value of the state in which nothing is reached; a label is 0 then.
    grows, wraps
        Whether the value gets the words that it needs; whether numbers are meant modulo 2**64.
    traced
        Whether the value records the origin of a state.
    """

    loops: Loops
    labels: int
    limbs: int
    cost_at: int = 64
    start: tuple[int, ...] = (1,)
    grows: bool = False
    wraps: bool = False
    traced: bool = False

    @property
    def counts(self) -> bool:
        """Whether partial solutions are counted."""
        return self.limbs > 0 and not self.traced

    @property
    def mask(self) -> np.uint64:
        """The bits of the last word of a key that tell states apart."""
        apart = self.labels and not self.counts  # The least cost is kept
        return np.uint64((1 << self.cost_at if apart else 1 << 64) - 1)

    def held(self, total: int) -> Value | None:
        """The value with room for a sum; None if none has enough."""
        if not self.counts or self.wraps or (not self.grows and total < 1 << 64):
            return self
        words = -(-max(1, total.bit_length()) // 64)
        return None if not self.grows else self if words == self.limbs else replace(self, limbs=words)


COUNT = Value(Loops(deal, gather, enter_all), 0, 1)
SIGNED = replace(COUNT, wraps=True)
BY_VALUE = Value(Loops(deal_by_value, gather_by_value, enter_all_by_value), 1, 1, LABEL_BITS)


def label_of(edges: int, largest: int) -> tuple[int, int]:
    """The words of a label with so many remembered edges and costs up to `largest`, and where a cost begins."""
    bits = max(1, largest.bit_length())
    return -(-(edges + bits) // 64), 64 - bits


def least(labels: int, cost_at: int, state_words: int) -> Value:
    """The least cost of each state; without labels nothing but the state."""
    if not labels:
        return Value(Loops(deal_limbs, gather_limbs, enter_all_limbs), 0, 0, start=())
    return Value(LEAST_LOOPS.get(state_words + labels, LEAST_LOOPS[0]), labels, 0, cost_at, start=())


def traced(labels: int, cost_at: int) -> Value:
    """The least cost of each state, and where the cheapest way to it comes from."""
    loops = Loops(deal_traced, gather_traced, enter_all_traced)
    return Value(loops, labels, 1, cost_at, start=(0,), traced=True)


def limbs(labels: int, cost_at: int) -> Value:
    """The number of partial solutions of each state and cost."""
    return Value(Loops(deal_limbs, gather_limbs, enter_all_limbs), labels, 1, cost_at, grows=True)
