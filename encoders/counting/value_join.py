"""The compiled join of two halves by value: count pairs of states that make one cycle, for each sum.

A row has three words: the state, its label (see `kt_models.kernel.sweeps.values`), and the number of partial tours with
both.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from encoders.counting.join import MOST_DENSE, PAIR_COST, PLACES, add_product, ends_of, next_groups, try_pairs
from kt_models.jit import kernel
from kt_models.kernel.sweeps.bits import Ints, Words, popcount
from kt_models.kernel.sweeps.bits import bare_kernel as bare
from kt_models.kernel.sweeps.charge import charged
from kt_models.kernel.sweeps.forms import PAIRINGS, RANK
from kt_models.kernel.sweeps.values import EDGES, value_of


@bare
def charged_across(label: int, second: Words, q: int, at: Ints, masks: Words, weights: Ints) -> int:
    """The charge of a label with that of a row of the other half where the halves meet."""
    total = 0
    left = label & np.uint64(EDGES)
    while left:
        low = left & (~left + np.uint64(1))
        left ^= low
        bit = popcount(low - np.uint64(1))
        total += charged(second, q, 1, 1, at[bit], at[bit + 1], masks, weights)
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
            below, place = PLACES[depth - 1] * wide, PLACES[depth] * wide
            for i in range(size * wide):
                g[below + i] = 0
            start = at[depth] + partner * many
            for i in range(many):
                to = images[start + i]
                if to >= 0:
                    for v in range(wide):
                        g[below + to * wide + v] += g[place + i * wide + v]
            base[depth - 1] = base[depth] + partner * size
            depth -= 1
        value = value_of(first[p, 1]) + least
        for v in range(wide):
            if g[v]:
                add_product(first[p, 2], g[v], totals[value + v])


@kernel(
    "int64(uint64[:, ::1], uint64[:, ::1], int64[::1], uint64[:, ::1], int64[::1], int32[::1], int64[::1], "
    "uint64[::1], int64[:, ::1], int64[::1], int64[::1], int64, uint64[:, ::1])",
    counts=False,
)
def join_by_value(
    first: Words, second: Words, across_at: Ints, across_masks: Words, across_weights: Ints,
    images: npt.NDArray[np.int32], at: Ints, g: Words, ends: Ints, columns: Ints, base: Ints, offset: int,
    totals: Words,
) -> int:  # fmt: skip
    """Add the numbers of pairs of rows of two halves that are one cycle, by value.

    Parameters
    ----------
    first, second
        Sorted by degrees, remembered edges, pairing and value; by degrees alone suffices for the second.
    g, ends, columns, base
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
                    cost = charged_across(label, second, q, across_at, across_masks, across_weights)
                value = value_of(second[q, 1]) + cost
                columns[q - j] = value + offset
                least, most = min(least, value), max(most, value)
            wide = most - least + 1
            pairs = (i_end - i) * (j_end - j)
            glueing = 0 < k <= MOST_DENSE and at[min(k, MOST_DENSE)] >= 0 and (PLACES[k] + PAIRINGS[k]) * wide <= len(g)
            if glueing and pairs * PAIR_COST * k > (PAIRINGS[k] * wide) * (1 + min(i_end - i, 2 * k - 1)):
                place = PLACES[k] * wide
                for r in range(PAIRINGS[k] * wide):
                    g[place + r] = 0
                for q in range(j, j_end):
                    rank = np.int64(second[q, 0] & np.uint64(RANK))
                    g[place + rank * wide + columns[q - j] - offset - least] += second[q, 2]
                glue_by_value(first, i, i_end, k, g, wide, least + offset, images, at, base, totals)
            elif k > 0:
                tried += pairs
                try_pairs(first, i, i_end, second, j, j_end, k, ends, columns, totals)
            i = i_end
        i, last, j, j_end = next_groups(first, last, second, j_end)
    return tried
