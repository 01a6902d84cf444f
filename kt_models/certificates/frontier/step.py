"""The compiled step of a sweep: from the states before a vertex is taken to those after it.

A state is a row of 64-bit words: the codes of the slots, then the bits of the remembered edges (see `plan`).  A code is
0 (untouched, or no vertex in the slot), 1 (has its degree), 2 + l (end of a path whose other end is a terminal of
linkage l) or `first_mate` + s (end of a path whose other end has slot s).  Where any connection will do, 2 stands for
"has one edge of two".  Where walks are told apart by how far they lead round, this number is shifted by `gain_bits`,
and the bits below it say how far the path leads from here to its other end.

States are gathered in an open-addressed hash table of row numbers, so that rows lie densely in the order they were
found.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.certificates.frontier.plan import (
    D_BIT,
    D_MASKS_AT,
    E_BIT,
    E_DECIDED,
    E_FAR,
    E_GAIN,
    E_LONE,
    E_MARK,
    E_MASKS_AT,
    E_NEAR,
    E_PARTNERS_AT,
    E_REQUIRED,
    INNER_SHIFT,
    S_DUE_AT,
    S_EDGES_AT,
    S_MAY_CLOSE,
    S_MUST,
    S_VERTEX,
    V_LABEL,
    V_LATER_AT,
    V_MARK,
    V_REACHED,
    V_SHIFT,
    V_SLOT,
    V_TAKEN,
    V_TARGET,
    V_WORD,
    Ints,
    Sizes,
    Tables,
    Words,
)  # fmt: skip
from kt_models.jit import kernel
from kt_models.sweeps.bits import bare_kernel, ones

UNTOUCHED, DONE = 0, 1
NO, YES, CLOSED = 0, 1, 2

Costs32 = npt.NDArray[np.int32]

TABLES = (
    "NamedTuple((int64[:, ::1], int64[:, ::1], int64[:, ::1], int64[::1], int64[::1], int64[::1], int64[:, ::1], "
    "uint64[:, ::1], int64[::1], int64[:, ::1], uint64[:, ::1], uint64[:, ::1], uint64[:, ::1], uint64[:, ::1], "
    "int64[:, ::1]), Tables)"
)
SIZES = "NamedTuple((int64, boolean, boolean, int64, uint64, int64, int64, boolean), Sizes)"
"""How numba calls the tables and the sizes."""


@bare_kernel
def _code(vertex: Ints, sizes: Sizes, state: Words, v: int) -> int:
    return np.int64((state[vertex[v, V_WORD]] >> np.uint64(vertex[v, V_SHIFT])) & sizes.code_mask)  # type: ignore[return-value]


@bare_kernel
def _set(vertex: Ints, sizes: Sizes, state: Words, v: int, code: int) -> None:
    word, shift = vertex[v, V_WORD], np.uint64(vertex[v, V_SHIFT])
    state[word] = (state[word] & ~(sizes.code_mask << shift)) | (np.uint64(code) << shift)


@bare_kernel
def _degree(vertex: Ints, code: int, v: int) -> int:
    return 0 if code == UNTOUCHED else (vertex[v, V_TARGET] if code == DONE else 1)


@bare_kernel
def _gain(sizes: Sizes, code: int) -> int:
    """How far round the other end is, of the code of an end: its lowest bits, as a number with a sign."""
    half = (1 << sizes.gain_bits) >> 1
    gain = code & (2 * half - 1) if half else 0
    return gain - 2 * (gain & half)


@bare_kernel
def _set_end(vertex: Ints, sizes: Sizes, state: Words, p: int, q: int, gain: int) -> None:
    """Make p the end of a path to q, a vertex or -(number) of a linkage, that is so far round."""
    number = -q if q < 0 else sizes.first_mate + vertex[q, V_SLOT]
    if q < 0 and sizes.strands:  # it does not matter
        gain = 0
    _set(vertex, sizes, state, p, (number << sizes.gain_bits) | (gain & ((1 << sizes.gain_bits) - 1)))


@bare_kernel
def _end_of_path(
    vertex: Ints, owner: Ints, sizes: Sizes, state: Words, step: int, u: int, code: int
) -> tuple[int, int]:
    """The other end of the path that ends at u, once u has one more edge, and how far round it is.

    It is a vertex, or -(number) of a linkage.
    """
    if code == UNTOUCHED and vertex[u, V_TARGET] == 2:
        return u, 0
    _set(vertex, sizes, state, u, DONE)
    if code == UNTOUCHED:
        return -vertex[u, V_LABEL], 0
    number = code >> sizes.gain_bits
    end = owner[step, number - sizes.first_mate] if number >= sizes.first_mate else -number
    return end, _gain(sizes, code)


@bare_kernel
def _connect(vertex: Ints, owner: Ints, sizes: Sizes, state: Words, step: int, u: int, v: int, gain: int) -> int:
    """Choose an edge between two vertices, so far round: NO if it cannot be, CLOSED if it closes the one cycle."""
    a = _code(vertex, sizes, state, u)
    b = _code(vertex, sizes, state, v) if vertex[v, V_TARGET] > 0 else UNTOUCHED
    if a == DONE or b == DONE:
        return NO
    if sizes.free:
        _set(vertex, sizes, state, u, 2 if a == UNTOUCHED and vertex[u, V_TARGET] == 2 else DONE)
        if vertex[v, V_TARGET] > 0:
            _set(vertex, sizes, state, v, 2 if b == UNTOUCHED and vertex[v, V_TARGET] == 2 else DONE)
        return YES
    if a >> sizes.gain_bits == sizes.first_mate + vertex[v, V_SLOT]:
        _set(vertex, sizes, state, u, DONE)
        _set(vertex, sizes, state, v, DONE)
        if sizes.connected:
            return CLOSED
        return YES if sizes.strands and _gain(sizes, a) != gain else NO
    p, back = _end_of_path(vertex, owner, sizes, state, step, u, a)
    q, on = _end_of_path(vertex, owner, sizes, state, step, v, b)
    total = gain + on - back  # from p to q
    if p >= 0:
        _set_end(vertex, sizes, state, p, q, total)
    if q >= 0:
        _set_end(vertex, sizes, state, q, p, -total)
    return NO if p < 0 and q < 0 and (p != q or (total != 0 and not sizes.strands)) else YES


@bare_kernel
def _starves(vertex: Ints, later: Ints, sizes: Sizes, state: Words, step: int, v: int) -> bool:
    """Whether a vertex still to be taken can no longer reach its degree."""
    need = vertex[v, V_TARGET] - _degree(
        vertex, _code(vertex, sizes, state, v) if vertex[v, V_REACHED] <= step else UNTOUCHED, v
    )
    if need == 0:
        return False
    for i in range(vertex[v, V_LATER_AT], vertex[v + 1, V_LATER_AT]):
        u = later[i]
        if vertex[u, V_TAKEN] <= step:
            break
        if vertex[u, V_REACHED] > step or _code(vertex, sizes, state, u) != DONE:
            need -= 1
            if need == 0:
                return False
    return True


@bare_kernel
def _dead(vertex: Ints, later: Ints, sizes: Sizes, state: Words, step: int, v: int, a: int, b: int, edge: Ints) -> bool:
    """Whether some vertex near v, just taken with the chosen edges a and b, can no longer reach its degree."""
    for i in range(vertex[v, V_LATER_AT], vertex[v + 1, V_LATER_AT]):
        u = later[i]
        if vertex[u, V_TAKEN] <= step:
            break
        if _code(vertex, sizes, state, u) != DONE:
            if _starves(vertex, later, sizes, state, step, u):
                return True
        elif (a >= 0 and edge[a, E_FAR] == u) or (b >= 0 and edge[b, E_FAR] == u):
            for j in range(vertex[u, V_LATER_AT], vertex[u + 1, V_LATER_AT]):
                w = later[j]
                if vertex[w, V_TAKEN] <= step:
                    break
                if _starves(vertex, later, sizes, state, step, w):
                    return True
    return False


@bare_kernel
def _has_bit(state: Words, slot_words: int, bit: int) -> bool:
    return (state[slot_words + bit // 64] >> np.uint64(bit % 64)) & np.uint64(1) != 0


@bare_kernel
def _put_bit(state: Words, slot_words: int, bit: int) -> None:
    if bit >= 0:
        state[slot_words + bit // 64] |= np.uint64(1) << np.uint64(bit % 64)


@bare_kernel
def _charge(masks: Words, weights: Ints, low: int, high: int, state: Words, slot_words: int) -> int:
    """The weights of the masks low..high-1, each as often as it has a bit in common with a state."""
    total = 0
    for i in range(low, high):
        for k in range(masks.shape[1]):
            both = masks[i, k] & state[slot_words + k]
            if both != 0:
                total += weights[i] * ones(both)
    return total


@bare_kernel
def _forget(
    vertex: Ints, edge: Ints, partners: Ints, edge_of_bit: Ints, keep: Words, sure: Words, sizes: Sizes, state: Words,
    step: int,
) -> None:  # fmt: skip
    """Drop the bits of edges none of whose partners still to be decided can be chosen."""
    for k in range(keep.shape[1]):
        bits = state[sizes.slot_words + k] & keep[step, k]
        doubtful = bits & ~sure[step, k]
        while doubtful != 0:
            low = doubtful & (~doubtful + np.uint64(1))
            doubtful ^= low
            e = edge_of_bit[step, 64 * k + ones(low - np.uint64(1))]
            matters = False
            for i in range(edge[e, E_PARTNERS_AT], edge[e + 1, E_PARTNERS_AT]):
                f = partners[i]
                if edge[f, E_DECIDED] <= step:
                    break
                u, w = edge[f, E_NEAR], edge[f, E_FAR]
                if (vertex[u, V_REACHED] > step or _code(vertex, sizes, state, u) != DONE) and (
                    vertex[w, V_REACHED] > step or _code(vertex, sizes, state, w) != DONE
                ):
                    matters = True
                    break
            if not matters:
                bits ^= low
        state[sizes.slot_words + k] = bits


@bare_kernel
def _mark(
    vertex: Ints, edge: Ints, owner: Ints, across: Words, edge_of_bit: Ints, sizes: Sizes, state: Words, step: int,
    now: int
) -> int:  # fmt: skip
    """The mark of a state whose slots are those of `now`, as far as it is of edges that lead across after `step`."""
    total = 0
    for s in range(owner.shape[1]):
        v = owner[now, s]
        if v >= 0 and vertex[v, V_MARK] != 0 and vertex[v, V_TAKEN] > step:
            total += vertex[v, V_MARK] * _degree(vertex, _code(vertex, sizes, state, v), v)
    for k in range(across.shape[1]):
        bits = state[sizes.slot_words + k] & across[step, k]
        while bits != 0:
            low = bits & (~bits + np.uint64(1))
            bits ^= low
            total += edge[edge_of_bit[step, 64 * k + ones(low - np.uint64(1))], E_MARK]
    return total


@bare_kernel
def _row(mark: int, rows: int) -> int:
    """Where a table of bounds, whose length is a power of two, has the bound of a mark."""
    return (mark + (mark >> INNER_SHIFT)) & (rows - 1)


@bare_kernel
def _hash(state: Words, cost: int) -> Any:
    h = np.uint64(cost) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x632BE59BD9B4E019)
    for k in range(len(state)):
        h ^= state[k]
        h ^= h >> np.uint64(32)
        h *= np.uint64(0xD6E8FEB86659FD93)
        h ^= h >> np.uint64(32)
        h *= np.uint64(0xD6E8FEB86659FD93)
    return h ^ (h >> np.uint64(32))


@kernel("void(uint64[:, ::1], int32[::1], int64, boolean, int32[::1])", counts=False)
def reindex(keys: Words, costs: Costs32, count: int, least: bool, index: Costs32) -> None:
    """Enter the first rows into an empty hash table."""
    mask = len(index) - 1
    for p in range(count):
        at = np.int64(_hash(keys[p], 0 if least else costs[p]) & np.uint64(mask))
        while index[at] >= 0:
            at = (at + 1) & mask
        index[at] = p


@bare_kernel
def _enter(
    state: Words, cost: int, least: bool, old_limbs: Words, p: int, keys: Words, costs: Costs32, limbs: Words,
    index: Costs32, count: int
) -> int:  # fmt: skip
    """Add a state to the table, or to the same state already there; the number of rows afterwards."""
    mask = len(index) - 1
    at = np.int64(_hash(state, 0 if least else cost) & np.uint64(mask))
    while index[at] >= 0:
        row = index[at]
        same = least or costs[row] == cost
        for k in range(len(state)):
            same = same and keys[row, k] == state[k]
        if same:
            if cost < costs[row]:
                costs[row] = cost
            carry = np.uint64(0)
            for k in range(limbs.shape[1]):
                more = old_limbs[p, k] if k < old_limbs.shape[1] else np.uint64(0)
                total = limbs[row, k] + carry
                carry = np.uint64(total < carry)
                total += more
                carry += np.uint64(total < more)
                limbs[row, k] = total
            return count
        at = (at + 1) & mask
    index[at] = count
    for k in range(len(state)):
        keys[count, k] = state[k]
    costs[count] = cost
    for k in range(limbs.shape[1]):
        limbs[count, k] = old_limbs[p, k] if k < old_limbs.shape[1] else np.uint64(0)
    return count + 1


@bare_kernel
def _choose(
    vertex: Ints, edge: Ints, masks: Words, weights: Ints, owner: Ints, sizes: Sizes, state: Words, step: int, v: int,
    e: int
) -> tuple[int, int, int, int]:  # fmt: skip
    """Choose an edge of the vertex: whether it may be, its cost, what it adds to the mark, if it is required.

    The number -1 is no edge: it may be, and is nothing of these.
    """
    if e < 0:
        return YES, 0, 0, 0
    answer = _connect(vertex, owner, sizes, state, step, v, edge[e, E_FAR], edge[e, E_GAIN])
    if answer == NO:
        return NO, 0, 0, 0
    charged = _charge(masks, weights, edge[e, E_MASKS_AT], edge[e + 1, E_MASKS_AT], state, sizes.slot_words)
    _put_bit(state, sizes.slot_words, edge[e, E_BIT])
    return answer, edge[e, E_LONE] + charged, edge[e, E_MARK], edge[e, E_REQUIRED]


@kernel(
    f"UniTuple(int64, 2)({TABLES}, {SIZES}, int64, int64, int32[::1], int32[::1], boolean, "
    "uint64[:, ::1], int32[::1], uint64[:, ::1], int64, int64, "
    "uint64[:, ::1], int32[::1], uint64[:, ::1], int32[::1], int64, int64, int64[::1], "
    "uint64[::1], uint64[::1], uint64[::1])",
    counts=False,
)
def take(
    t: Tables, sizes: Sizes, step: int, cap: int, rest: Ints, border: Ints, least: bool,
    old_keys: Words, old_costs: Costs32, old_limbs: Words, begin: int, stop: int,
    keys: Words, costs: Costs32, limbs: Words, index: Costs32, count: int, children: int, tally: Ints,
    parent: Words, first: Words, state: Words,
) -> tuple[int, int]:  # fmt: skip
    """Take a vertex in the old states begin..stop-1.

    Parameters
    ----------
    cap, rest, border
        A new state is dropped if its cost and the bound of its mark in one of these tables are more than the cap.  Of
        marks, the second sees the part that is of the border.
    least
        Keep the least cost of a state, rather than tell states of different costs apart and add their numbers.
    children
        Most states that come from one.
    tally
        The first entry counts the states dropped by the cap.

    Returns
    -------
    tuple
        The first old state not dealt with, because the table is full, and the number of new rows.
    """
    # one array each: a tuple handed on to a function costs as many reference counts as it has arrays
    vertex, edge, stage, later, edges, partners = t.vertex, t.edge, t.stage, t.later, t.edges, t.partners
    due, masks, weights, owner, full = t.due, t.masks, t.weights, t.owner, t.full
    keep, sure, across, edge_of_bit = t.keep, t.sure, t.across, t.edge_of_bit
    v, slot_words, words = stage[step, S_VERTEX], sizes.slot_words, old_keys.shape[1]
    low, high = stage[step, S_EDGES_AT], stage[step + 1, S_EDGES_AT]
    room = min(len(keys), len(index) // 3 * 2) - children
    for p in range(begin, stop):
        if count > room:
            return p, count
        for k in range(words):
            parent[k] = old_keys[p, k]
        used = _degree(vertex, _code(vertex, sizes, parent, v), v)
        need = vertex[v, V_TARGET] - used
        base = np.int64(old_costs[p])
        for i in range(stage[step, S_DUE_AT], stage[step + 1, S_DUE_AT]):
            if _has_bit(parent, slot_words, due[i, D_BIT]):
                base += _charge(masks, weights, due[i, D_MASKS_AT], due[i + 1, D_MASKS_AT], parent, slot_words)
        mark = _mark(vertex, edge, owner, across, edge_of_bit, sizes, parent, step, step)
        for i in range(low, high if need > 0 else low + 1):
            a = edges[i] if need > 0 else -1
            for k in range(words):
                first[k] = parent[k]
            answer_a, cost_a, mark_a, sure_a = _choose(vertex, edge, masks, weights, owner, sizes, first, step, v, a)
            if answer_a == NO:
                continue
            for j in range(i + 1, high if need == 2 else i + 2):
                b = edges[j] if need == 2 else -1
                for k in range(words):
                    state[k] = first[k]
                answer, cost, mark_b, sure_b = _choose(vertex, edge, masks, weights, owner, sizes, state, step, v, b)
                if answer == NO or sure_a + sure_b < stage[step, S_MUST]:
                    continue
                cost += base + cost_a
                whole_mark = mark + mark_a + mark_b
                if cost + max(rest[_row(whole_mark, len(rest))], border[whole_mark & (len(border) - 1)]) > cap:
                    tally[0] += 1
                    continue
                _set(vertex, sizes, state, v, UNTOUCHED)
                if answer == CLOSED or (b < 0 and answer_a == CLOSED):
                    whole = stage[step, S_MAY_CLOSE] == 1
                    for k in range(slot_words):
                        whole = whole and state[k] == full[step, k]
                    if not whole:
                        continue
                if _dead(vertex, later, sizes, state, step, v, a, b, edge):
                    continue
                _forget(vertex, edge, partners, edge_of_bit, keep, sure, sizes, state, step)
                count = _enter(state, cost, least, old_limbs, p, keys, costs, limbs, index, count)
    return stop, count


@kernel(
    f"void({TABLES}, {SIZES}, int64, uint64[:, ::1], int32[::1], int32[::1], uint64[::1])",
    counts=False,
)
def least_by_mark(
    t: Tables, sizes: Sizes, step: int, keys: Words, costs: Costs32, least: Costs32, state: Words
) -> None:
    """Lower the entries of a table to the least cost of a state, after a step, with such a mark."""
    vertex, edge, owner, across, edge_of_bit = t.vertex, t.edge, t.owner, t.across, t.edge_of_bit
    for p in range(len(costs)):
        for k in range(len(state)):
            state[k] = keys[p, k]
        row = _row(_mark(vertex, edge, owner, across, edge_of_bit, sizes, state, step, step + 1), len(least))
        least[row] = min(least[row], costs[p])
