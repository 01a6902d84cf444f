"""The compiled step that decides some edges of a vertex in all states of a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from heuristics.counting.states import RANK_BITS, bare, enter, home, part_of, popcount, rank_of, spread
from kt_models.certificates.frontier.plan import Words
from kt_models.certificates.integers import Ints
from kt_models.jit import kernel

AHEAD = 2048
"""New states entered at a time: their rows are read together first, so that memory is waited for once."""
CHOICE = (1 << 20) - 1
"""Of what is chosen in a step, the bits of one edge."""
TURNED = 1 << 40
"""Of what is chosen in a step: whether it turns the sign.  Below are the numbers of the one or two edges, from 1."""

STEP = "int64, int64[:, ::1], boolean, int64, int64[:, ::1], int64, int64[::1]"
"""What `children` is told of a step: the vertex's slot; by edge the slot of the other end, whether it is required,
whether it turns the sign; whether these are the vertex's last edges; how many are required; what `alive` looks at;
the number of slots; what `balanced` looks at."""


@bare
def alive(full: int, ends: int, watch: Ints) -> bool:
    """Whether every vertex can still have its degree: `watch` has slot, slots of neighbours, and other neighbours."""
    for i in range(len(watch)):
        s = watch[i, 0]
        if full >> s & 1:
            continue
        if (ends >> s & 1) + watch[i, 2] + popcount(watch[i, 1] & ~full) < 2:
            return False
    return True


@bare
def balanced(pattern: Any, slot: int, balance: Ints) -> bool:
    """Whether the ends of a path, after an edge to a slot, can have the colours that they must have.

    Where edges join vertices of different colours, the degrees of the two colours differ by the ends chosen so far.
    `balance` has the hub's slot, or -1; the lower bits of the slots of one colour and of the other; and what all
    degrees on the frontier have to differ by once both ends are chosen.
    """
    if slot != balance[0]:
        return True
    ends_left = 2 - (np.int64(pattern >> np.uint64(2 * slot)) & 3)
    one, two, upper = np.uint64(balance[1]), np.uint64(balance[2]), pattern >> np.uint64(1)
    here = popcount(pattern & one) + 2 * popcount(upper & one) - popcount(pattern & two) - 2 * popcount(upper & two)
    return -ends_left <= balance[3] - here <= ends_left


@bare
def children(
    stored: int, vertex: int, edges: Ints, retire: bool, must: int, watch: Ints, slots: int, balance: Ints,
    mate: Ints, out: Words, filled: int
) -> int:  # fmt: skip
    """Write the states that come from one, and what was chosen for each, behind the rows filled; how many are then."""
    key = ~stored
    m = len(edges)
    ends = spread(key, slots, mate)
    pattern = key >> np.uint64(RANK_BITS)
    full: Any = 0
    for s in range(slots):
        full |= np.int64(pattern >> np.uint64(2 * s + 1) & np.uint64(1)) << s
    need = 2 - (np.int64(pattern >> np.uint64(2 * vertex)) & 3)
    gone = np.uint64(3) << np.uint64(2 * vertex) if retire else np.uint64(0)
    if must == 0 and (need == 0 or not retire) and alive(full, ends, watch):
        out[filled, 0] = ~((pattern & ~gone) << np.uint64(RANK_BITS) | np.uint64(rank_of(ends, mate)))
        out[filled, 1] = 0
        filled += 1
    for i in range(m if need > 0 else 0):
        w = edges[i, 0]
        a, b = mate[vertex], mate[w]
        if b < 0 or a == w:  # it has its degree, or they are the two ends of a path
            continue
        old_a, old_b = mate[a], mate[b]
        mate[a], mate[b] = b, a
        both = (1 << vertex) | (1 << w)
        full_i, ends_i = full | (ends & both), ends ^ both
        pattern_i = pattern + np.uint64((1 << (2 * vertex)) + (1 << (2 * w)))
        enough = (need == 1 or not retire) and edges[i, 1] >= must
        if enough and alive(full_i, ends_i, watch) and balanced(pattern_i, w, balance):
            out[filled, 0] = ~((pattern_i & ~gone) << np.uint64(RANK_BITS) | np.uint64(rank_of(ends_i, mate)))
            out[filled, 1] = (i + 1) | (TURNED if edges[i, 2] else 0)
            filled += 1
        for j in range(i + 1, m if need == 2 else 0):
            x = edges[j, 0]
            c, d = mate[vertex], mate[x]
            if d < 0 or full_i >> x & 1 or c == x or edges[i, 1] + edges[j, 1] < must:
                continue
            both = (1 << vertex) | (1 << x)
            full_j, ends_j = full_i | (ends_i & both), ends_i ^ both
            pattern_j = pattern_i + np.uint64((1 << (2 * vertex)) + (1 << (2 * x)))
            if not (alive(full_j, ends_j, watch) and balanced(pattern_j, x, balance)):
                continue
            old_c, old_d = mate[c], mate[d]
            mate[c], mate[d] = d, c
            out[filled, 0] = ~((pattern_j & ~gone) << np.uint64(RANK_BITS) | np.uint64(rank_of(ends_j, mate)))
            out[filled, 1] = (i + 1) | ((j + 1) << 20) | (TURNED if edges[i, 2] != edges[j, 2] else 0)
            filled += 1
            mate[c], mate[d] = old_c, old_d
        mate[a], mate[b] = old_a, old_b
    return filled


@kernel(
    f"void(uint64[:, ::1], int64, int64, {STEP}, int64, int64, int64, int64[::1], uint64[:, ::1], uint64[:, ::1], "
    "int64[::1])",
    counts=False,
)
def branch(
    old: Words, begin: int, stop: int,
    vertex: int, edges: Ints, retire: bool, must: int, watch: Ints, slots: int, balance: Ints,
    bits: int, low: int, high: int, mate: Ints, scratch: Words, out: Words, starts: Ints,
) -> None:  # fmt: skip
    """Decide some edges of a vertex in the old rows begin..stop-1, and sort what comes of them by part.

    Parameters
    ----------
    bits, low, high
        There are 2**bits parts; only new rows of the parts low..high-1 are wanted.
    scratch, out
        Room for all new rows; these are in `out` afterwards.
    starts
        By part where its rows begin in `out`; one more.
    """
    filled = 0
    for p in range(begin, stop):
        first = filled
        filled = children(old[p, 0], vertex, edges, retire, must, watch, slots, balance, mate, scratch, filled)
        number = old[p, 1]
        for q in range(first, filled):
            scratch[q, 1] = np.uint64(0) - number if scratch[q, 1] & np.uint64(TURNED) else number
    parts = 1 << bits
    for part in range(parts + 1):
        starts[part] = 0
    for q in range(filled):
        starts[part_of(scratch[q, 0], bits)] += 1
    where = 0
    for part in range(parts):
        size = starts[part] if low <= part < high else 0
        starts[part] = where
        where += size
    starts[parts] = where
    for q in range(filled):
        part = part_of(scratch[q, 0], bits)
        if low <= part < high:
            at = starts[part]
            starts[part] += 1
            out[at, 0] = scratch[q, 0]
            out[at, 1] = scratch[q, 1]
    for part in range(parts, 0, -1):  # each start has become the next one
        starts[part] = starts[part - 1]
    starts[0] = 0


@kernel("Tuple((int64, uint64))(uint64[:, :, ::1], int64[:, ::1], int64, int64, uint64[:, ::1], int64)", counts=False)
def gather(out: Any, starts: Ints, chunks: int, part: int, table: Words, count: int) -> tuple[int, Any]:
    """Enter the rows that chunks have for a part into its table; how many rows that has then, and nothing of use."""
    seen = np.uint64(0)
    for chunk in range(chunks):
        for begin in range(starts[chunk, part], starts[chunk, part + 1], AHEAD):
            stop = min(begin + AHEAD, starts[chunk, part + 1])
            for i in range(begin, stop):
                seen ^= table[home(out[chunk, i, 0], len(table)), 0]
            for i in range(begin, stop):
                count = enter(out[chunk, i, 0], out[chunk, i, 1], table, count)
    return count, seen  # what is never used would not be read


@kernel(
    f"boolean(uint64[:, ::1], uint64, uint64, {STEP}, int64[::1], uint64[:, ::1], uint64[::1])",
    counts=False,
)
def come_from(
    old: Words, state: int, number: int,
    vertex: int, edges: Ints, retire: bool, must: int, watch: Ints, slots: int, balance: Ints,
    mate: Ints, buffer: Words, answer: Words,
) -> bool:  # fmt: skip
    """Of all that leads to a state, in the order of the old rows, what has a number (from 0).

    Parameters
    ----------
    answer
        The old state, what was chosen, and the number among what leads to the old state; if there are not so many, the
        number less all that there are, as the last one.
    """
    for p in range(len(old)):
        for q in range(children(old[p, 0], vertex, edges, retire, must, watch, slots, balance, mate, buffer, 0)):
            if buffer[q, 0] == state:
                if number < old[p, 1]:
                    answer[0], answer[1], answer[2] = old[p, 0], buffer[q, 1], number
                    return True
                number -= old[p, 1]
    answer[2] = number
    return False
