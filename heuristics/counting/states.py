"""States of half a board as single words, and tables of them.

A vertex on the frontier has a slot.  A state is a word: for each slot two bits, the degree that its vertex has so far
(0 where there is no vertex), and below them the number of the *pairing*: which vertices of degree 1 are the two ends of
a path.  The pairings of 2k vertices are numbered from 0 to (2k - 1)!! - 1: the partner of the first vertex is the first
digit, and the pairing of the others, in the same way, the rest.

States are kept in open-addressed hash tables of two words a row: the state, with all bits turned so that 0 is an empty
row, and the number of partial tours with it.  A large layer is cut into parts by the first bits of the hash, each with
a table of its own, so that several threads can fill it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.certificates.frontier.plan import Words
from kt_models.certificates.integers import Ints
from kt_models.jit import kernel

RANK_BITS = 26
MOST_SLOTS = 19
"""Two bits each are 38, and the pairings of 18 vertices are fewer than 2**26."""
PAIRINGS = (1, 1, 3, 15, 105, 945, 10395, 135135, 2027025, 34459425)
"""(2k - 1)!! by k."""
LABEL_BITS = 48
"""Bits for remembered edges in a label, where tours are counted by value; those above are for the value."""
bare = kernel("", counts=False)
"""A part of the loops of this package."""


@bare
def value_of(label: int) -> int:
    """The value of a label."""
    return np.int64(label) >> LABEL_BITS  # type: ignore[return-value]


@bare
def popcount(x: Any) -> Any:
    """The number of bits that are set."""
    x = np.uint64(x)
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@bare
def spread(key: int, slots: int, mate: Ints) -> int:
    """Write out a state: by slot the other end of its path (itself if untouched, -1 if full); the slots of degree 1."""
    pattern = np.uint64(key) >> np.uint64(RANK_BITS)
    ends = 0
    size = 0
    for s in range(slots):
        code = np.int64(pattern >> np.uint64(2 * s)) & 3
        mate[s] = s if code == 0 else -1
        if code == 1:
            ends |= 1 << s
            size += 1
    rank = np.int64(np.uint64(key) & np.uint64((1 << RANK_BITS) - 1))
    left = ends
    size -= 2
    while left:
        low = left & -left
        left ^= low
        each = PAIRINGS[size >> 1]
        digit = rank // each
        rank -= digit * each
        rest = left
        for _ in range(digit):
            rest &= rest - 1
        partner = rest & -rest
        left ^= partner
        a, b = popcount(low - 1), popcount(partner - 1)
        mate[a] = b
        mate[b] = a
        size -= 2
    return ends


@bare
def rank_of(ends: int, mate: Ints) -> int:
    """The number of a pairing."""
    rank = 0
    size = popcount(ends)
    left = ends
    while left:
        low = left & -left
        left ^= low
        b = mate[popcount(low - 1)]
        rank = rank * (size - 1) + popcount(left & ((1 << b) - 1))
        left ^= 1 << b
        size -= 2
    return rank


@bare
def hashed(stored: int) -> Any:
    """A word that is different for different states, and looks drawn by lot."""
    h = np.uint64(stored) * np.uint64(0x9E3779B97F4A7C15)
    h = (h ^ (h >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return h ^ (h >> np.uint64(32))


@bare
def part_of(stored: int, bits: int) -> Any:
    """Which of 2**bits parts of a layer a state belongs to."""
    return np.int64(hashed(stored) >> np.uint64(63 - bits) >> np.uint64(1))


@bare
def home(stored: int, rows: int) -> Any:
    """The row where a state belongs; in the order of the hash, so that a larger table is filled from front to back."""
    return np.int64(((hashed(stored) & np.uint64(0xFFFFFFFF)) * np.uint64(rows)) >> np.uint64(32))


@bare
def enter(stored: int, number: int, table: Words, count: int) -> int:
    """Add a number to that of a state; the number of rows afterwards."""
    rows = len(table)
    at = home(stored, rows)
    while True:
        there = table[at, 0]
        if there == stored:
            table[at, 1] += number
            return count
        if there == 0:
            table[at, 0] = stored
            table[at, 1] = number
            return count + 1
        at += 1
        if at == rows:
            at = 0


@kernel("int64(uint64[:, ::1], uint64[:, ::1], int64)", counts=False)
def enter_all(some: Words, table: Words, count: int) -> int:
    """Enter the rows of another table; the number of rows afterwards."""
    for p in range(len(some)):
        if some[p, 0] != 0:
            count = enter(some[p, 0], some[p, 1], table, count)
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
def add_up(table: Words, halves: npt.NDArray[np.uint64]) -> None:
    """Add the numbers of all rows to two sums: of their lower 32 bits, and of their upper ones."""
    for p in range(len(table)):
        halves[0] += table[p, 1] & np.uint64(0xFFFFFFFF)
        halves[1] += table[p, 1] >> np.uint64(32)
