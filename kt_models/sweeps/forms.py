"""Forms of a state, and the compiled step that goes from the states before a step to those after it.

A vertex on the frontier has a slot.  A state says of each slot whether its vertex has its degree (a bit of `full`) or
is the end of a path (a bit of `ends`), and, where it matters, which end belongs to which: the other end of each path
(`mate`).  `branch` works with these masks, whatever the form in which the state is written:

- RANKED: 19 bits of `full`, 19 of `ends`, and the number of the *pairing* of the path ends in 26 bits.  The pairings of
  2k vertices are numbered from 0 to (2k - 1)!! - 1: the partner of the first vertex is the first digit, and the pairing
  of the others, in the same way, the rest.  Of 19 slots 18 at most are ends, and (17)!! < 2**26.
- DEGREES: 32 bits of `full` and 32 of `ends`.  Cycles may close anywhere.

A state is stored with all bits inverted, so that 0 is an empty row of a table.  No state is all ones, as no vertex both
has its degree and is an end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kt_models.jit import Kernel, kernel
from kt_models.sweeps.bits import Ints, Words, bare_kernel, ones
from kt_models.sweeps.plan import MAX_SLOTS

RANK_BITS = 26
RANK = (1 << RANK_BITS) - 1
"""Of a ranked state, the number of its pairing."""
SLOTS = (1 << MAX_SLOTS) - 1
FULL_AT = RANK_BITS + MAX_SLOTS
PAIRINGS = (1, 1, 3, 15, 105, 945, 10395, 135135, 2027025, 34459425)
"""(2k - 1)!! by k."""
MAX_DEGREE_SLOTS = 32

CHOICE = (1 << 20) - 1
"""Of the origin of a child, the bits of one edge."""
SIGN_AT, PARENT_AT = 40, 41
"""An *origin* says where a child comes from: the numbers (from 1, 0 for none) of the one or two edges chosen, 20 bits
each, whether they reverse the sign, and the place of the parent among the old rows of the call."""

STEP = "int64, int64[:, ::1], boolean, int64, int64[:, ::1], int64, int64[::1]"
"""How numba calls `Step.arguments`: the vertex's slot; by edge the slot of the other end, whether it is required,
whether it reverses the sign; whether these are the vertex's last edges; how many are required; what `alive` reads; the
number of slots; what `balanced` reads."""


@bare_kernel
def unrank(rank: int, ends: int, mate: Ints) -> None:
    """Write out a pairing of the slots in `ends`: by slot the other end."""
    left = ends
    size = ones(ends) - 2
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
        a, b = ones(low - 1), ones(partner - 1)
        mate[a] = b
        mate[b] = a
        size -= 2


@bare_kernel
def rank_of(ends: int, mate: Ints) -> int:
    """The number of a pairing."""
    rank = 0
    size = ones(ends)
    left = ends
    while left:
        low = left & -left
        left ^= low
        b = mate[ones(low - 1)]
        rank = rank * (size - 1) + ones(left & ((1 << b) - 1))
        left ^= 1 << b
        size -= 2
    return rank


@bare_kernel
def ranked(full: int, ends: int, rank: int) -> Any:
    """A state of the form RANKED, not inverted."""
    return np.uint64(full) << np.uint64(FULL_AT) | np.uint64(ends) << np.uint64(RANK_BITS) | np.uint64(rank)


@bare_kernel
def read_ranked(old: Words, p: int, slots: int, mate: Ints) -> tuple[int, int]:
    """Read a state: `full` and `ends`; `mate` gets the other ends, of an untouched slot itself."""
    key = ~old[p, 0]
    ends = np.int64(key >> np.uint64(RANK_BITS)) & SLOTS
    for s in range(slots):
        mate[s] = s
    unrank(np.int64(key & np.uint64(RANK)), ends, mate)
    return np.int64(key >> np.uint64(FULL_AT)), ends  # type: ignore[return-value]  # integers to numba


@bare_kernel
def write_ranked(fresh: Words, q: int, full: int, ends: int, mate: Ints) -> None:
    """Write a state into a row."""
    fresh[q, 0] = ~ranked(full, ends, rank_of(ends, mate))


@bare_kernel
def read_degrees(old: Words, p: int, slots: int, mate: Ints) -> tuple[int, int]:
    """As `read_ranked`, without other ends."""
    key = ~old[p, 0]
    return np.int64(key >> np.uint64(32)), np.int64(key & np.uint64(0xFFFFFFFF))  # type: ignore[return-value]


@bare_kernel
def write_degrees(fresh: Words, q: int, full: int, ends: int, mate: Ints) -> None:
    """As `write_ranked`, without other ends."""
    fresh[q, 0] = ~(np.uint64(full) << np.uint64(32) | np.uint64(ends))


@bare_kernel
def alive(full: int, ends: int, watch: Ints) -> bool:
    """Whether every vertex in `Step.watch` can still have its degree."""
    for i in range(len(watch)):
        s = watch[i, 0]
        if full >> s & 1:
            continue
        if (ends >> s & 1) + watch[i, 2] + ones(watch[i, 1] & ~full) < 2:
            return False
    return True


@bare_kernel
def balanced(full: int, ends: int, slot: int, balance: Ints) -> bool:
    """Whether the ends of an open tour, after an edge to a slot, can have the colours that they must have.

    Where edges join vertices of different colours, the degrees of the two colours differ by the ends chosen so far.
    `balance` has the hub's slot, or -1; the slots of one colour and of the other; and what all degrees on the frontier
    have to differ by once both ends are chosen.
    """
    if slot != balance[0]:
        return True
    ends_left = 2 - 2 * (full >> slot & 1) - (ends >> slot & 1)
    one, two = balance[1], balance[2]
    here = 2 * ones(full & one) + ones(ends & one) - 2 * ones(full & two) - ones(ends & two)
    return -ends_left <= balance[3] - here <= ends_left


MATES = True
"""Whether the form knows the other ends; what is not used is no part of the machine code."""
read, write = read_ranked, write_ranked


@kernel(f"int64(uint64[:, ::1], int64, int64, {STEP}, int64[::1], uint64[:, ::1], uint64[:, ::1])", counts=False)
def branch(
    old: Words, begin: int, stop: int,
    vertex: int, edges: Ints, retire: bool, must: int, watch: Ints, slots: int, balance: Ints,
    mate: Ints, fresh: Words, origins: Words,
) -> int:  # fmt: skip
    """Decide some edges of a vertex in the old rows begin..stop-1; the number of children.

    Parameters
    ----------
    fresh
        Gets the state of each child.
    origins
        Gets the origin of each child, and its `full` after the step.
    """
    filled = 0
    here = 1 << vertex
    kept = ~here if retire else -1
    for p in range(begin, stop):
        origin = (p - begin) << PARENT_AT
        full, ends = read(old, p, slots, mate)
        need = 2 - 2 * (full >> vertex & 1) - (ends >> vertex & 1)
        if must == 0 and (need == 0 or not retire) and alive(full, ends, watch):
            write(fresh, filled, full & kept, ends, mate)
            origins[filled, 0] = np.uint64(origin)
            origins[filled, 1] = np.uint64(full & kept)
            filled += 1
        for i in range(len(edges) if need > 0 else 0):
            w = edges[i, 0]
            if full >> w & 1:
                continue
            # an end becomes full, and an untouched vertex an end
            both = here | 1 << w
            full_i, ends_i = full | (ends & both), ends ^ both
            a, b, old_a, old_b = 0, 0, 0, 0
            if MATES:
                a, b = mate[vertex], mate[w]
                if a == w:  # the two ends of a path
                    continue
                old_a, old_b = mate[a], mate[b]
                mate[a], mate[b] = b, a
            enough = (need == 1 or not retire) and edges[i, 1] >= must
            if enough and alive(full_i, ends_i, watch) and balanced(full_i, ends_i, w, balance):
                write(fresh, filled, full_i & kept, ends_i, mate)
                origins[filled, 0] = np.uint64(origin | (i + 1) | edges[i, 2] << SIGN_AT)
                origins[filled, 1] = np.uint64(full_i & kept)
                filled += 1
            for j in range(i + 1, len(edges) if need == 2 else 0):
                x = edges[j, 0]
                if full_i >> x & 1 or edges[i, 1] + edges[j, 1] < must:
                    continue
                both = here | 1 << x
                full_j, ends_j = full_i | (ends_i & both), ends_i ^ both
                if not (alive(full_j, ends_j, watch) and balanced(full_j, ends_j, x, balance)):
                    continue
                c, d, old_c, old_d = 0, 0, 0, 0
                if MATES:
                    c, d = mate[vertex], mate[x]
                    if c == x:
                        continue
                    old_c, old_d = mate[c], mate[d]
                    mate[c], mate[d] = d, c
                write(fresh, filled, full_j & kept, ends_j, mate)
                turned = (edges[i, 2] ^ edges[j, 2]) << SIGN_AT
                origins[filled, 0] = np.uint64(origin | (i + 1) | (j + 1) << 20 | turned)
                origins[filled, 1] = np.uint64(full_j & kept)
                filled += 1
                if MATES:
                    mate[c], mate[d] = old_c, old_d
            if MATES:
                mate[a], mate[b] = old_a, old_b
    return filled


@dataclass(frozen=True)
class Form:
    """How a state is written into a row.

    Parameters
    ----------
    branch
        The compiled step.
    slots
        How many it has room for.
    """

    branch: Kernel
    slots: int


RANKED = Form(branch, MAX_SLOTS)
