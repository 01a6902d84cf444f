"""One step of the sweep over a board in bands: the states after a cell, with their costs so far.

A state is two words. The first has the number of moves of each cell ahead, except moves that may still be crossed.
The second marks the moves that may still be crossed. Each state has an integer value, its cost so far or the least
cost from it on. Every sum of costs that is kept fits in 16 bits: the cost of a board is never below 0, the cost of a
band is never below minus the sum of `MOST_PRICES` and `MOST_LEAD`, and sums above `FAR` are dropped.

It stays apart from `kt_models.kernel.sweeps`: the engine could do the steps forward, half of the time of a check, but
not the passes back, the bounds by band, the prices and the lists, which need `children` and a hash table all the same.
Seven of ten states of the bands of 10x10 have a completion, so there is little for the engine's pruning to leave out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.jit import kernel
from kt_models.kernel.certificates.integers import Ints
from kt_models.kernel.sweeps.bits import bare_kernel, popcount

UNIT = 16
"""The cost of a crossing. Prices and shares of crossings are integers in the same unit."""
EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
"""A word that no state has, because no cell has three moves."""
FAR, MOST_PRICES, MOST, MOST_LEAD = 15_000, 7500, 400, 1000
"""More than any sum that matters; then the most of all prices of a band together, of a bound's crossings, of the lead.

A choice of moves that costs at most `MOST` crossings on the board costs any band, up to any cell and from there on, at
most the sum of `UNIT * MOST`, `MOST_PRICES` and `MOST_LEAD`. This is less than `FAR`, whatever the prices are.
"""

StateWords = npt.NDArray[np.uint64]
StateValues = npt.NDArray[np.int16]
StateTable = tuple[StateWords, StateValues]
"""A hash table: rows of two words (degrees of cells ahead; moves that may be crossed), and a value for each row."""


class BandTables(NamedTuple):
    """The data of a band or of the board for the kernels, by cell and by move up from it."""

    slots: StateWords  # For a cell, the mask of its slot, and its shift
    far: StateWords  # For a move, the mask of the far cell's slot, its shift, and bits of other moves to that cell
    chosen: StateWords  # For a move, what it adds to the two words
    paid: StateWords  # For a move, bits of moves whose crossings with it cost a quarter, a half, or all
    price: Ints
    ends: StateWords  # For a move that can no longer be crossed, its bit, and what it adds to the first word
    counts: Ints  # For a cell, the number of its moves up, of its rows of `ends`, and whether it needs two moves


TABLES = (
    "NamedTuple((uint64[:, ::1], uint64[:, :, ::1], uint64[:, :, ::1], uint64[:, :, ::1], int64[:, ::1], "
    "uint64[:, :, ::1], int64[:, ::1]), BandTables)"
)
STATES = "uint64[:, ::1], int16[::1]"


@bare_kernel
def place(keys: StateWords, first: int, size: int, low: Any, high: Any) -> Any:
    """The row where a state is, or would be, in the table of `size` rows (a power of two) from row `first` on."""
    x = (low * np.uint64(0x9E3779B97F4A7C15)) ^ (high * np.uint64(0xC2B2AE3D27D4EB4F))
    x = (x ^ (x >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    at = np.int64(x >> np.uint64(29)) & (size - 1)
    while keys[first + at, 0] != EMPTY and (keys[first + at, 0] != low or keys[first + at, 1] != high):
        at = (at + 1) & (size - 1)
    return first + at


@kernel(f"Tuple(({STATES}))({STATES}, int64)")
def table(keys: StateWords, values: StateValues, size: int) -> StateTable:
    """The same states in a table of `size` rows."""
    found, worth = np.full((size, 2), EMPTY, dtype=np.uint64), np.empty(size, dtype=np.int16)
    for a in range(len(keys)):
        if keys[a, 0] != EMPTY:
            at = place(found, 0, size, keys[a, 0], keys[a, 1])
            found[at, 0], found[at, 1], worth[at] = keys[a, 0], keys[a, 1], values[a]
    return found, worth


@kernel(f"int64({TABLES}, int64, uint64, uint64, uint64[:, ::1], int64[:, ::1])", counts=False)
def children(tables: BandTables, t: int, low: Any, high: Any, keys: StateWords, costs: Ints) -> int:
    """Write the states after cell t, each with its cost and the chosen moves; return how many there are."""
    least, most, full, number = 0, 2, 0, 0  # Fewest and most moves to choose, far cells that have two
    if tables.counts[t, 2]:
        least = most = 2 - np.int64((low & tables.slots[t, 0]) >> tables.slots[t, 1])  # type: ignore[assignment]
        low &= ~tables.slots[t, 0]
    for k in range(tables.counts[t, 0]):
        degree = np.int64((low & tables.far[t, k, 0]) >> tables.far[t, k, 1]) + popcount(high & tables.far[t, k, 2])
        full |= (degree == 2) << k
    for some in range(1 << tables.counts[t, 0]):
        size = (some & 1) + (some >> 1 & 1) + (some >> 2 & 1) + (some >> 3)
        if some & full or size < least or size > most:
            continue
        cost, degrees, bits = 0, low, high
        for k in range(tables.counts[t, 0]):
            if some >> k & 1:
                cost += tables.price[t, k]
                for share in range(3):
                    cost += popcount(high & tables.paid[t, k, share]) * (UNIT >> (2 - share))
                degrees += tables.chosen[t, k, 0]
                bits += tables.chosen[t, k, 1]
        for k in range(tables.counts[t, 1]):
            if bits & tables.ends[t, k, 0]:
                bits &= ~tables.ends[t, k, 0]
                degrees += tables.ends[t, k, 1]
        keys[number, 0], keys[number, 1], costs[number, 0], costs[number, 1] = degrees, bits, cost, some
        number += 1
    return number


@kernel(f"Tuple(({STATES}, int64))({TABLES}, int64, {STATES}, int64, int64, {STATES}, uint64[:, ::1], int64[:, ::1])")
def step(
    tables: BandTables, t: int, keys: StateWords, values: StateValues, cap: int, most: int, rest: StateWords,
    least: StateValues, masks: StateWords, of: Ints,
) -> tuple[StateWords, StateValues, int]:  # fmt: skip
    """The states after cell t with which a solution may stay within the cap, and how many there are.

    The tables of the bounds follow each other in `rest` and `least`. For each table, `masks` has the part of a state
    that it depends on, and `of` where it begins, its length, and whether it bounds the lower half. If any table does,
    the last one does. A state that is not in the table of a bound has no completion. The step ends as soon as there
    are more than `most` states.
    """
    found, worth = np.full((1024, 2), EMPTY, dtype=np.uint64), np.empty(1024, dtype=np.int16)
    after, costs, number = np.empty((16, 2), dtype=np.uint64), np.empty((16, 2), dtype=np.int64), 0
    for a in range(len(keys)):
        if keys[a, 0] == EMPTY:
            continue
        for b in range(children(tables, t, keys[a, 0], keys[a, 1], after, costs)):
            cost, low, high = values[a] + costs[b, 0], after[b, 0], after[b, 1]
            whole, half = cost, cost
            for r in range(len(of)):
                at = place(rest, of[r, 0], of[r, 1], low & masks[r, 0], high & masks[r, 1])
                more = FAR if rest[at, 0] == EMPTY else least[at]
                if of[r, 2]:
                    half += more
                else:
                    whole += more
                if more == FAR:
                    whole = FAR
                    break
            bound = max(whole, 2 * half) if len(of) and of[-1, 2] else whole
            if cost > cap or bound > cap or whole == FAR:
                continue
            at = place(found, 0, len(found), low, high)
            if found[at, 0] != EMPTY and worth[at] <= cost:
                continue
            number += found[at, 0] == EMPTY
            found[at, 0], found[at, 1], worth[at] = low, high, cost
            if number > most:
                return found, worth, number
            if 5 * number > 3 * len(found):
                found, worth = table(found, worth, 2 * len(found))
    return found, worth, number


@kernel(f"Tuple(({STATES}))({TABLES}, int64, {STATES}, {STATES})")
def back(
    tables: BandTables, t: int, keys: StateWords, values: StateValues, rest: StateWords, least: StateValues
) -> StateTable:
    """The least cost from cell t on, for those states before it that have a completion."""
    kept, worth, number = keys.copy(), values.copy(), 0
    after, costs = np.empty((16, 2), dtype=np.uint64), np.empty((16, 2), dtype=np.int64)
    for a in range(len(keys)):
        if keys[a, 0] == EMPTY:
            continue
        best = FAR
        for b in range(children(tables, t, keys[a, 0], keys[a, 1], after, costs)):
            at = place(rest, 0, len(rest), after[b, 0], after[b, 1])
            if rest[at, 0] != EMPTY:
                best = min(best, least[at] + costs[b, 0])
        worth[a] = best
        if best == FAR:
            kept[a, 0] = EMPTY
        else:
            number += 1
    size = 16
    while 3 * size < 5 * number:
        size *= 2
    return table(kept, worth, size)


@kernel(f"int64({STATES}, uint64, uint64)", counts=False)
def least(keys: StateWords, values: StateValues, low: Any, high: Any) -> int:
    """The value of a state; `FAR` if the table does not have it."""
    at = place(keys, 0, len(keys), low, high)
    return FAR if keys[at, 0] == EMPTY else values[at]
