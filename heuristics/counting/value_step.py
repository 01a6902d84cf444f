"""Compiled loops of a count by value: states with remembered edges and a value, and where two halves of them meet.

A row has three words: the state (see `states`), its *label*, and the number of partial tours with both.  Of a label the
lower `LABEL_BITS` are the remembered edges, and the upper ones the value charged so far.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from heuristics.counting.join import MOST_DENSE, PAIR_COST, PLACES, RANK, add_product, ends_of, next_groups, try_pairs
from heuristics.counting.states import LABEL_BITS, PAIRINGS, RANK_BITS, bare, hashed, home, popcount, value_of
from heuristics.counting.step import CHOICE, STEP, children
from kt_models.certificates.frontier.plan import Words
from kt_models.certificates.integers import Ints
from kt_models.jit import kernel

EDGES = (1 << LABEL_BITS) - 1
VALUE_STEP = (
    "int64[::1], int64[:, ::1], int64[::1], uint64[::1], int64[::1], uint64[::1], int64[::1], int64[::1], uint64[::1]"
)
"""The parts of a `ValueStep`."""


@bare
def charged(label: int, begin: int, stop: int, masks: Words, weights: Ints) -> int:
    """The weights of masks, each as often as it has a bit in common with a label."""
    total = 0
    for i in range(begin, stop):
        total += weights[i] * popcount(masks[i] & label)
    return total


@kernel(
    f"int64(uint64[:, ::1], int64, int64, {STEP}, {VALUE_STEP}, int64[::1], uint64[:, ::1], uint64[:, ::1])",
    counts=False,
)
def branch_by_value(
    old: Words, begin: int, stop: int,
    vertex: int, edges: Ints, retire: bool, must: int, watch: Ints, slots: int, balance: Ints,
    bits: Ints, within: Ints, charge_at: Ints, charge_masks: Words, charge_weights: Ints, keep: Words, doubtful: Ints,
    partner_at: Ints, partner_masks: Words, mate: Ints, scratch: Words, out: Words,
) -> int:  # fmt: skip
    """Decide some edges of a vertex in the old rows begin..stop-1; how many rows are in `out` then."""
    filled = 0
    values = ~np.uint64(EDGES)
    for p in range(begin, stop):
        label = old[p, 1]
        many = children(old[p, 0], vertex, edges, retire, must, watch, slots, balance, mate, scratch, 0)
        for q in range(many):
            first = np.int64(scratch[q, 1]) & CHOICE
            second = np.int64(scratch[q, 1]) >> 20 & CHOICE
            now, cost = label, 0
            for choice in (first, second):
                if choice > 0:
                    e = choice - 1
                    cost += within[e, e]
                    cost += charged(label, charge_at[e], charge_at[e + 1], charge_masks, charge_weights)
                    if bits[e] >= 0:
                        now |= np.uint64(1) << np.uint64(bits[e])
            if second > 0:
                cost += within[first - 1, second - 1]
            now &= keep[0] | values
            pattern = ~scratch[q, 0] >> np.uint64(RANK_BITS)
            for d in range(len(doubtful)):
                bit = np.uint64(1) << np.uint64(doubtful[d])
                if now & bit:
                    matters = False
                    for k in range(partner_at[d], partner_at[d + 1]):
                        matters = matters or pattern & partner_masks[k] == 0
                    if not matters:
                        now &= ~bit
            out[filled, 0] = scratch[q, 0]
            out[filled, 1] = now + (np.uint64(cost) << np.uint64(LABEL_BITS))
            out[filled, 2] = old[p, 2]
            filled += 1
    return filled


@kernel("int64(uint64[:, ::1], int64, uint64[:, ::1], int64)", counts=False)
def enter_by_value(some: Words, many: int, table: Words, count: int) -> int:
    """Enter rows, but for empty ones, into a hash table; the number of its rows afterwards."""
    for p in range(many):
        stored, label = some[p, 0], some[p, 1]
        if stored == 0:
            continue
        at = home(stored ^ hashed(label), len(table))
        while table[at, 0] != 0 and (table[at, 0] != stored or table[at, 1] != label):
            at += 1
            if at == len(table):
                at = 0
        if table[at, 0] == 0:
            table[at, 0] = stored
            table[at, 1] = label
            count += 1
        table[at, 2] += some[p, 2]
    return count


@bare
def charged_across(label: int, other: int, at: Ints, masks: Words, weights: Ints) -> int:
    """What two labels are charged with where the halves meet."""
    total = 0
    left = label & np.uint64(EDGES)
    while left:
        low = left & (~left + np.uint64(1))
        left ^= low
        bit = popcount(low - np.uint64(1))
        total += charged(other, at[bit], at[bit + 1], masks, weights)
    return total


@bare
def glue_by_value(
    first: Words, begin: int, stop: int, k: int, g: Words, wide: int, least: int, images: npt.NDArray[np.int32],
    at: Ints, base: Ints, totals: Words,
) -> None:  # fmt: skip
    """Add the pairs of rows begin..stop-1, sorted by pairing, and of vectors by pairing and value (see `by_glueing`).

    Parameters
    ----------
    g
        By k' <= k in turn, by pairing of 2k' vertices and by value from `least` on (`wide` of them) a number.
    base
        Scratch: by k' the first pairing of the slice that is glued.
    totals
        By value 128 bits.
    """
    depth = k
    base[k] = 0
    for p in range(begin, stop):
        rank = np.int64(first[p, 0] & np.uint64(RANK))
        while rank >= base[depth] + PAIRINGS[depth]:
            depth += 1
        while depth > 1:
            size, many = PAIRINGS[depth - 1], PAIRINGS[depth]
            partner = (rank - base[depth]) // size
            below, own = PLACES[depth - 1] * wide, PLACES[depth] * wide
            for i in range(size * wide):
                g[below + i] = 0
            start = at[depth] + partner * many
            for i in range(many):
                to = images[start + i]
                if to >= 0:
                    for v in range(wide):
                        g[below + to * wide + v] += g[own + i * wide + v]
            base[depth - 1] = base[depth] + partner * size
            depth -= 1
        value = value_of(first[p, 1]) + least
        for v in range(wide):
            if g[v]:
                add_product(first[p, 2], g[v], totals[value + v])


@kernel(
    "int64(uint64[:, ::1], uint64[:, ::1], int64[::1], uint64[::1], int64[::1], int32[::1], int64[::1], uint64[::1], "
    "int64[:, ::1], int64[::1], int64[::1], int64[::1], int64, uint64[:, ::1])",
    counts=False,
)
def join_by_value(
    first: Words, second: Words, across_at: Ints, across_masks: Words, across_weights: Ints,
    images: npt.NDArray[np.int32], at: Ints, g: Words, ends: Ints, mate: Ints, columns: Ints, base: Ints, offset: int,
    totals: Words,
) -> int:  # fmt: skip
    """Add the numbers of pairs of rows of two halves that are one cycle, by value.

    Parameters
    ----------
    first, second
        Sorted by degrees, remembered edges, pairing and value; by degrees alone suffices for the second.
    g, ends, mate, columns, base
        Scratch; there are as many `columns` as a group of the second half has rows.
    offset
        Where in `totals` the value 0 is.

    Returns
    -------
    int
        Pairs tried one by one.
    """
    tried = 0
    i, last, j, j_end = next_groups(first, 0, second, 0)
    while i < last:
        k = ends_of(first[i, 0])
        while i < last:
            label = first[i, 1] & np.uint64(EDGES)
            i_end = i + 1
            while i_end < last and first[i_end, 1] & np.uint64(EDGES) == label:
                i_end += 1
            least, most = np.int64(1) << 40, -(np.int64(1) << 40)
            met, cost = ~np.uint64(0), 0
            for q in range(j, j_end):
                if second[q, 1] & np.uint64(EDGES) != met:
                    met = second[q, 1] & np.uint64(EDGES)
                    cost = charged_across(label, met, across_at, across_masks, across_weights)
                value = value_of(second[q, 1]) + cost
                columns[q - j] = value + offset
                least, most = min(least, value), max(most, value)
            wide = most - least + 1
            pairs = (i_end - i) * (j_end - j)
            glueing = 0 < k <= MOST_DENSE and at[min(k, MOST_DENSE)] >= 0 and (PLACES[k] + PAIRINGS[k]) * wide <= len(g)
            if glueing and pairs * PAIR_COST * k > (PAIRINGS[k] * wide) * (1 + min(i_end - i, 2 * k - 1)):
                own = PLACES[k] * wide
                for r in range(PAIRINGS[k] * wide):
                    g[own + r] = 0
                for q in range(j, j_end):
                    rank = np.int64(second[q, 0] & np.uint64(RANK))
                    g[own + rank * wide + columns[q - j] - offset - least] += second[q, 2]
                glue_by_value(first, i, i_end, k, g, wide, least + offset, images, at, base, totals)
            elif k > 0:
                tried += pairs
                try_pairs(first, i, i_end, second, j, j_end, k, ends, mate, columns, totals)
            i = i_end
        i, last, j, j_end = next_groups(first, last, second, j_end)
    return tried
