"""The compiled join of two halves, without values: count the pairs of states that make one cycle.

A state of one half and one of the other fit if the degrees of every vertex on the frontier add up to 2 and the two
pairings of the vertices of degree 1 together form one cycle. Rows are sorted, so that states with the same degrees form
a *group*; matching groups of the two halves are joined in turn.

Few pairs are tried one by one. For many, both groups become vectors over all pairings, and the first vertex is
eliminated: the pairings of one half in which its partner is a form a slice of the vector; in the other half the ends of
the first vertex and of a are joined (`glue`), after which some pairings coincide and their numbers are added. This
leaves the same problem for two vertices fewer. For 2k vertices that costs some (2k - 1)(2k - 1)!! additions rather
than the square of (2k - 1)!!.  If vectors over all pairings would be too long, the states of one half are processed by
the partners of their first ends, and those of the other are glued one by one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.jit import kernel
from kt_models.kernel.sweeps.bits import Ints, Words, popcount
from kt_models.kernel.sweeps.bits import bare_kernel as bare
from kt_models.kernel.sweeps.forms import FULL_AT, PAIRINGS, RANK, RANK_BITS, SLOTS, rank_of, ranked, unrank
from kt_models.kernel.sweeps.values import value_of

MOST_DENSE = 7
"""Pairs of ends up to which vectors over all pairings are used: 135,135 pairings."""
PAIR_COST = 3
"""Steps of the glueing that take as long as a step around the cycle of two pairings."""


@bare
def pattern_of(key: int, slots: int, to: Ints, complement: bool) -> Any:
    """The degrees of a state's vertices at other slots (`to`, -1: no vertex), or what they lack (`complement`)."""
    was_full, was_end = np.int64(key >> np.uint64(FULL_AT)), np.int64(key >> np.uint64(RANK_BITS)) & SLOTS
    chosen = ~(was_full | was_end) if complement else was_full
    full, ends = 0, 0
    for s in range(slots):
        if to[s] >= 0:
            ends |= (was_end >> s & 1) << to[s]
            full |= (chosen >> s & 1) << to[s]
    return ranked(full, ends, 0) >> np.uint64(RANK_BITS)


@bare
def rank_at(key: int, slots: int, to: Ints, mate: Ints, moved: Ints) -> Any:
    """The number of a state's pairing with its vertices at other slots."""
    left = np.int64(key >> np.uint64(RANK_BITS)) & SLOTS
    unrank(np.int64(key & np.uint64(RANK)), left, mate)
    ends = 0
    while left:
        low = left & -left
        left ^= low
        s = popcount(low - 1)
        ends |= 1 << to[s]
        moved[to[s]] = to[mate[s]]
    return np.uint64(rank_of(ends, moved))


@bare
def block_of(pattern: int, bits: int) -> Any:
    """Which of 2**bits blocks a group belongs to."""
    return np.int64((np.uint64(pattern) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(63 - bits) >> np.uint64(1))


@kernel("void(uint64[:, ::1], int64, int64[::1], boolean, int64[::1], int64[::1])", counts=False)
def relabel(table: Words, slots: int, to: Ints, complement: bool, mate: Ints, moved: Ints) -> None:
    """Give the slots other numbers, and degrees their complement; rows stay where they are."""
    for p in range(len(table)):
        key = ~table[p, 0]
        pattern = pattern_of(key, slots, to, complement)
        table[p, 0] = ~(pattern << np.uint64(RANK_BITS) | rank_at(key, slots, to, mate, moved))


@kernel("void(uint64[:, ::1], int64, int64[::1], boolean, int64, int64[::1])", counts=False)
def count_blocks(table: Words, slots: int, to: Ints, complement: bool, bits: int, counts: Ints) -> None:
    """Add to `counts` how many rows belong to each block."""
    for p in range(len(table)):
        counts[block_of(pattern_of(~table[p, 0], slots, to, complement), bits)] += 1


@kernel(
    "void(uint64[:, ::1], int64, int64[::1], boolean, int64, int64, int64, uint64[:, ::1], int64[::1], int64[::1], "
    "int64[::1])",
    counts=False,
)
def sort_out(
    table: Words, slots: int, to: Ints, complement: bool, bits: int, low: int, high: int, rows: Words, places: Ints,
    mate: Ints, moved: Ints,
) -> None:  # fmt: skip
    """Write the rows of the blocks low..high-1 down, relabelled, each block from its place on; `places` move on."""
    for p in range(len(table)):
        key = ~table[p, 0]
        pattern = pattern_of(key, slots, to, complement)
        block = block_of(pattern, bits)
        if low <= block < high:
            at = places[block]
            places[block] += 1
            rows[at, 0] = pattern << np.uint64(RANK_BITS) | rank_at(key, slots, to, mate, moved)
            for k in range(1, table.shape[1]):
                rows[at, k] = table[p, k]


@bare
def join_first(ends: int, partner: int, mate: Ints, moved: Ints) -> bool:
    """Join the first of so many ends and `partner`; False if that closes a cycle.

    `moved` gets the other ends in the pairing of those that are left, which move up; `mate` is changed.
    """
    a, b = mate[0], mate[partner]
    if a == partner:
        return False
    mate[a], mate[b] = b, a
    rest = 0
    for s in range(1, ends):
        if s != partner:
            moved[rest] = mate[s] - 1 - (mate[s] > partner)
            rest += 1
    return True


@kernel("void(int32[::1], int64, int64, int64[::1], int64[::1])", counts=False)
def glue(images: npt.NDArray[np.int32], k: int, partner: int, mate: Ints, moved: Ints) -> None:
    """Pairing of the others for each pairing of 2k vertices once 0 and `partner` are joined; -1 for a cycle."""
    ends = (1 << (2 * k)) - 1
    for rank in range(len(images)):
        unrank(rank, ends, mate)
        images[rank] = rank_of(ends >> 2, moved) if join_first(2 * k, partner, mate, moved) else -1


@bare
def add_product(a: int, b: int, total: Words) -> None:
    """Add a product of 64-bit words to a number of 128 bits."""
    half, mask = np.uint64(32), np.uint64(0xFFFFFFFF)
    a0, a1, b0, b1 = a & mask, a >> half, b & mask, b >> half
    middle = (a0 * b0 >> half) + (a1 * b0 & mask) + (a0 * b1 & mask)
    low = a * b
    total[0] += low
    total[1] += a1 * b1 + (a1 * b0 >> half) + (a0 * b1 >> half) + (middle >> half) + np.uint64(total[0] < low)


@bare
def by_glueing(k: int, f: Words, g: Words, images: npt.NDArray[np.int32], at: Ints, level: Ints, total: Words) -> None:
    """Sum f[i] g[j] over the pairs of pairings that are one cycle.

    Parameters
    ----------
    f
        By pairing of 2k vertices.
    g
        By k' <= k in turn the vectors of the other half, that of k at its place; the others are overwritten.
    images, at
        `glue` of all k' and partners, the first of which is at at[k'] in `images`.
    level
        Scratch: by k' the pairing of the other half's k'-th vector that comes first, and the partner.
    """
    # level[2 k'] is where f's slice for k' begins, level[2 k' + 1] the partner tried next
    depth = k
    level[2 * k], level[2 * k + 1] = 0, 1
    while depth <= k:
        if depth == 1:
            add_product(f[level[2]], g[0], total)
            depth = 2
            continue
        partner = level[2 * depth + 1]
        if partner == 2 * depth:
            depth += 1
            continue
        level[2 * depth + 1] += 1
        size, wide = PAIRINGS[depth - 1], PAIRINGS[depth]
        begin = level[2 * depth] + (partner - 1) * size
        some = False
        for i in range(begin, begin + size):
            some = some or f[i] != 0
        if not some:
            continue
        below, place = PLACES[depth - 1], PLACES[depth]
        for i in range(size):
            g[below + i] = 0
        base = at[depth] + (partner - 1) * wide
        for i in range(wide):
            to = images[base + i]
            if to >= 0:
                g[below + to] += g[place + i]
        level[2 * depth - 2], level[2 * depth - 1] = begin, 1
        depth -= 1


@bare
def glued(k: int, prefix: int, mate: Ints, moved: Ints) -> int:
    """The pairing of 2 MOST_DENSE vertices that is left of one of 2k, each first end joined as a prefix says.

    Parameters
    ----------
    prefix
        The first digits of a pairing of the other half: the partners of the first end, of the first one left, ...
    mate
        The other ends in the pairing; it is overwritten.

    Returns
    -------
    int
        Its number, or -1 if a cycle closes before.
    """
    for left in range(k, MOST_DENSE, -1):
        each = PAIRINGS[left - 1] // PAIRINGS[MOST_DENSE]
        partner = prefix // each + 1
        prefix %= each
        if not join_first(2 * left, partner, mate, moved):
            return -1
        for s in range(2 * left - 2):
            mate[s] = moved[s]
    return rank_of((1 << (2 * MOST_DENSE)) - 1, mate)


PLACES = tuple(sum(PAIRINGS[1:k]) for k in range(MOST_DENSE + 2))
"""Where the vector of k begins among those of all k from 1."""


@bare
def partners(k: int, key: int, row: Ints) -> None:
    """The other ends in a pairing of 2k vertices."""
    unrank(np.int64(key & np.uint64(RANK)), (1 << (2 * k)) - 1, row)


@bare
def one_cycle(k: int, first: Ints, second: Ints) -> bool:
    """Whether two pairings of 2k vertices, given by the other ends, are one cycle together."""
    met, steps = second[first[0]], 1
    while met != 0:
        met = second[first[met]]
        steps += 1
    return steps == k


@bare
def next_groups(first: Words, i: int, second: Words, j: int) -> tuple[int, int, int, int]:
    """From two rows on, the next groups with the same degrees: where each begins and ends; empty ones at the end."""
    shift = np.uint64(RANK_BITS)
    while i < len(first) and j < len(second):
        pattern, other = first[i, 0] >> shift, second[j, 0] >> shift
        if pattern < other:
            i += 1
        elif other < pattern:
            j += 1
        else:
            i_end, j_end = i + 1, j + 1
            while i_end < len(first) and first[i_end, 0] >> shift == pattern:
                i_end += 1
            while j_end < len(second) and second[j_end, 0] >> shift == pattern:
                j_end += 1
            return i, i_end, j, j_end
    return i, i, j, j


@bare
def ends_of(row: int) -> int:
    """Half the number of vertices of degree 1 in a state of a table that was aligned."""
    return popcount(np.int64(row >> np.uint64(RANK_BITS)) & SLOTS) // 2


@bare
def try_pairs(
    first: Words, begin: int, stop: int, second: Words, low: int, high: int, k: int, ends: Ints,
    columns: Ints, totals: Words,
) -> None:  # fmt: skip
    """Add the pairs of rows begin..stop-1 and low..high-1 that are one cycle, tried one by one.

    Parameters
    ----------
    ends
        Scratch of `len(ends)` rows: as many states of the second half are written out at a time.
    columns
        By row of the second half the total that a first row of value 0 is added to; none where nothing has a value.
    totals
        128 bits each.
    """
    pairing = ends[len(ends) - 1]
    for part in range(low, high, len(ends) - 1):
        end = min(high, part + len(ends) - 1)
        for q in range(part, end):
            partners(k, second[q, 0], ends[q - part])
        for p in range(begin, stop):
            partners(k, first[p, 0], pairing)
            for q in range(part, end):
                if one_cycle(k, pairing, ends[q - part]):
                    at = columns[q - low] + value_of(first[p, 1]) if len(columns) else 0
                    add_product(first[p, -1], second[q, -1], totals[at])


@kernel(
    "void(uint64[:, ::1], uint64[:, ::1], int32[::1], int64[::1], uint64[::1], uint64[::1], int64[:, ::1], "
    "int64[::1], int64[::1], uint64[::1], int64[::1])",
    counts=False,
)
def join(
    first: Words, second: Words, images: npt.NDArray[np.int32], at: Ints, f: Words, g: Words, ends: Ints,
    mate: Ints, level: Ints, total: Words, tally: Ints,
) -> None:  # fmt: skip
    """Add the numbers of pairs of the sorted rows of two halves to a total of 128 bits.

    Parameters
    ----------
    images, at
        See `by_glueing`; at[k] is -1 where it is not to be used.
    ends
        Scratch, see `try_pairs`.
    tally
        Added to: groups, pairs tried one by one, groups glued, rows of the groups.
    """
    plain, totals = tally[:0], total.reshape((1, 2))  # No values, one total
    i, i_end, j, j_end = next_groups(first, 0, second, 0)
    while i < i_end:
        k = ends_of(first[i, 0])
        tally[0] += 1
        pairs = (i_end - i) * (j_end - j)
        tally[3] += i_end - i + j_end - j
        dense = min(k, MOST_DENSE)
        size, place = PAIRINGS[dense], PLACES[dense]
        if at[dense] >= 0 and pairs * PAIR_COST * k > 3 * (2 * dense - 1) * PAIRINGS[k]:
            tally[2] += 1
            while i < i_end:
                prefix = np.int64(first[i, 0] & np.uint64(RANK)) // size
                for p in range(size):
                    f[p] = 0
                    g[place + p] = 0
                while i < i_end and np.int64(first[i, 0] & np.uint64(RANK)) // size == prefix:
                    f[np.int64(first[i, 0] & np.uint64(RANK)) % size] = first[i, 1]
                    i += 1
                for q in range(j, j_end):
                    to = np.int64(second[q, 0] & np.uint64(RANK))
                    if k > dense:
                        partners(k, second[q, 0], ends[0])
                        to = glued(k, prefix, ends[0], mate)
                    if to >= 0:
                        g[place + to] += second[q, 1]
                by_glueing(dense, f, g, images, at, level, total)
        elif k > 0:
            tally[1] += pairs
            try_pairs(first, i, i_end, second, j, j_end, k, ends, plain, totals)
        i, i_end, j, j_end = next_groups(first, i_end, second, j_end)
