"""The sweep that finds a longest walk; its end proves that none is longer.

Vertices are taken in an order, and an edge is chosen or not when the first of its ends is taken.  What the past means
for the rest is the state: of every vertex reached and not yet taken whether it has no edge, its two, or is the end of a
path and of which; and which edges still to be decided cross a chosen one.  Of two partial walks with the same state the
longer is kept.

A partial walk is dropped if it cannot come above a length that is known.  How much the vertices from the i-th on can
still add is bounded by a sweep from the other end: the edges between them that a partial walk has there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.certificates.integers import Ints
from kt_models.certificates.longest.answer import Longest
from kt_models.certificates.longest.task import LongestTask
from kt_models.errors import TooLarge
from kt_models.graph import MoveGraph
from kt_models.jit import kernel
from kt_models.limits import NO_LIMITS, Limits, Stopped
from kt_models.pairs import pair_weights

BITS = 60
"""Bits of a word that are used."""
MOST_WORDS = 16
"""Most words of a state."""
BEAM = 2_000
"""States after each vertex in the first, quick sweep, whose walk need not be the longest."""
MEMORY = 4 << 30
"""Bytes that the tables may take, unless the limits say otherwise."""
SLICE = 200_000
"""States between two looks at the clock."""
PLAIN = 400
"""States of a layer up to which a step is done in plain Python, as compiling takes seconds."""
FREE, FULL, LAST, MATE = 0, 1, 2, 3
"""What a vertex on the frontier is: without an edge; with its two; the end of a path whose other end is an end of the
walk; from `MATE` on the end of a path whose other end has the slot that is added."""
NO, CYCLE, WHOLE = 0, 1, 2


@dataclass(frozen=True)
class _Plan:
    """What a sweep does not learn from a state; vertices and edges are numbered in the order of the sweep.

    `far[v, k]` is the other end of the k-th edge decided with v (-1: none), `number[v, k]` the edge in the graph,
    `mask[v, k]` the bits of the edges decided later that cross it.
    """

    closed: bool
    window: int
    code_bits: int
    per_word: int
    code_words: int
    far: Ints
    number: Ints
    mask: Ints

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers that the compiled step reads."""
        return int(self.closed), self.window, self.code_bits, self.per_word, self.code_words

    @property
    def n(self) -> int:
        """Number of vertices."""
        return len(self.far)

    @cached_property
    def words(self) -> int:
        """Words of a state."""
        return self.code_words + self.mask.shape[2]


def longest(task: LongestTask, *, at_least: int = 0, limits: Limits = NO_LIMITS) -> Longest:
    """A walk that no other one is longer than; or only a long one, where limits or memory end it.

    Parameters
    ----------
    at_least
        Only walks of at least so many moves are looked for; without one the bound is less by 1.

    Raises
    ------
    TooLarge
        If not even a quick sweep is possible.
    Stopped
        If the limits are reached before there is anything.
    """
    order = _order(task.graph)
    plan = _plan(task, order)
    floor = max(at_least - 1, -1 if task.closed else 0)
    best = _sweep(plan, floor, None, limits, beam=BEAM)
    states, reason = best.states, ""
    try:
        final = _sweep(plan, best.moves, _rest(task, plan, order, best.moves, limits), limits)
        states = max(states, final.states)
        best = final if final.moves > best.moves else best
    except (Stopped, TooLarge) as error:
        reason = str(error)
    if not best.edges and (best.moves != 0 or at_least > 0 or task.closed):
        return Longest(task, -1, (), None if reason else max(floor, 0), states, reason)
    edges = tuple(sorted(best.edges))
    return Longest(task, len(edges), edges, None if reason else len(edges), states, reason)


def _rest(task: LongestTask, plan: _Plan, order: list[int], known: int, limits: Limits) -> Ints:
    """For each step what a walk of more than `known` moves can add from there on, at most."""
    inner = _sweep(_plan(task, order[::-1]), known, None, limits, stop=plan.n - plan.n // 2).inner
    rest = np.full(plan.n + 1, np.iinfo(np.int32).max, dtype=np.int64)
    rest[plan.n - np.arange(len(inner))] = inner
    for i in range(plan.n - 1, -1, -1):  # a vertex decides two edges at most
        rest[i] = min(rest[i], rest[i + 1] + 2)
    return rest


def _order(graph: MoveGraph) -> list[int]:
    """The vertices, rank by rank along the axis that keeps the frontier narrow."""
    if graph.board is None:
        return list(range(graph.n))
    cells = graph.board.cells
    axes = sorted(range(graph.board.dimension), key=lambda axis: graph.board.shape[axis])  # type: ignore[union-attr]
    orders = [np.lexsort(cells.T[[other for other in axes if other != axis] + [axis]]) for axis in axes]

    def reach(order: npt.NDArray[Any]) -> int:
        place = np.empty(graph.n, dtype=np.int64)
        place[order] = np.arange(graph.n)
        return int(np.abs(place[graph.tails] - place[graph.heads]).max(initial=0))

    return [int(v) for v in min(orders, key=reach)]


def _plan(task: LongestTask, order: list[int]) -> _Plan:
    graph = task.graph
    place = np.empty(graph.n, dtype=np.int64)
    place[order] = np.arange(graph.n)
    ends = np.sort(place[graph.ends.astype(np.int64)].reshape(-1, 2), axis=1)
    pairs = np.zeros((0, 2), dtype=np.int64)
    if task.uncrossed:
        weights = pair_weights(graph, "crossings")
        pairs = np.stack([weights.first, weights.second], axis=1).astype(np.int64)
        pairs = np.where((ends[pairs[:, 0], 0] <= ends[pairs[:, 1], 0])[:, None], pairs, pairs[:, ::-1])
    apart = ends[pairs[:, 1], 0] - ends[pairs[:, 0], 0]
    window = 1 + max(int((ends[:, 1] - ends[:, 0]).max(initial=0)), int(apart.max(initial=0)))
    width = max(1, int(np.bincount(ends[:, 0], minlength=graph.n).max()))
    bits = max(2, (MATE + window - 1).bit_length())
    per = BITS // bits
    code_words, bit_words = -(-window // per), -(-window * width // BITS)
    if code_words + bit_words > MOST_WORDS:
        raise TooLarge(
            f"longest walks of {graph.name}: a frontier of {window} {graph.words.places} is too wide for a sweep"
        )
    far = np.full((graph.n, width), -1, dtype=np.int64)
    number = np.full((graph.n, width), -1, dtype=np.int64)
    column = np.zeros(graph.m, dtype=np.int64)
    count = np.zeros(graph.n, dtype=np.int64)
    own = set(pairs[pairs[:, 0] == pairs[:, 1], 0].tolist())  # on a narrow periodic board a move can cross its image
    for e in np.lexsort([np.arange(graph.m), ends[:, 1], ends[:, 0]]).tolist():
        v, w = ends[e].tolist()
        if v != w and e not in own:
            column[e] = count[v]
            far[v, column[e]], number[v, column[e]] = w, e
            count[v] += 1
    mask = np.zeros((graph.n, width, bit_words), dtype=np.int64)
    for e, f in pairs.tolist():
        if e in own or f in own:
            continue
        for one, other in ((e, f), (f, e)) if ends[e, 0] == ends[f, 0] else ((e, f),):
            bit = int(ends[other, 0] % window * width + column[other])
            mask[ends[one, 0], column[one], bit // BITS] |= 1 << bit % BITS
    return _Plan(task.closed, window, bits, per, code_words, far, number, mask)


# -- the sweep ---------------------------------------------------------------------------------------------------------


@dataclass
class _Outcome:
    """The longest walk of a sweep, and for each step the most edges that a partial walk has between taken vertices."""

    moves: int
    edges: list[int]
    inner: list[int]
    states: int


def _sweep(
    plan: _Plan, known: int, rest: Ints | None, limits: Limits, *, beam: int = 0, stop: int | None = None
) -> _Outcome:
    """Take the vertices one by one; with `beam` only the best states are kept, so that the walk may not be longest."""
    width = plan.far.shape[1]
    keys, values = np.zeros((1, plan.words), dtype=np.int64), np.zeros(1, dtype=np.int64)
    history: list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]] = []
    best, where, inner, peak = known, (-1, -1, -1), [0], 1
    children = 2 + width + width * (width - 1) // 2
    taken, room = 0, limits.room(MEMORY)
    for v in range(plan.n if stop is None else stop):
        rows, start = 2 * len(keys) + children + 1, 0
        fresh = np.zeros((rows, plan.words), dtype=np.int64)
        length, parent, choice = (np.zeros(rows, dtype=np.int64) for _ in range(3))
        index = _index(rows)
        count, champion = 0, np.array([best, -1, -1, 0], dtype=np.int64)
        later = np.iinfo(np.int32).max if rest is None else int(rest[v + 1])
        while start < len(keys):
            limits.check()
            start, count = _take(
                keys, values, np.array(plan.sizes), v, plan.far, plan.mask, start, min(len(keys), start + SLICE),
                later, fresh, length, parent, choice, index, count, children, champion,
            )  # fmt: skip
            if count > len(fresh) - children:
                fresh, length, parent, choice = (
                    np.concatenate([part, np.zeros_like(part)]) for part in (fresh, length, parent, choice)
                )
                index = _index(len(fresh))
                _reindex(fresh, count, index)
            used = taken + keys.nbytes + fresh.nbytes + 24 * len(fresh) + index.nbytes
            if used > room:
                raise TooLarge(f"longest walks: {count:,} states after vertex {v + 1} of {plan.n}: too many")
        best = int(champion[0])
        if champion[1] >= 0:
            where = (v, int(champion[1]), int(champion[2]))
        keys, values = fresh[:count], length[:count]
        kept = np.argsort(-values, kind="stable")[:beam] if beam and count > beam else slice(None)
        keys, values = keys[kept].copy(), values[kept].copy()
        history.append((parent[:count][kept].astype(np.int32), choice[:count][kept].astype(np.int32)))
        taken += 8 * len(keys)
        peak = max(peak, count)
        inner.append(max(_inner(keys, values, np.array(plan.sizes), v), best if best > known else 0))
    return _Outcome(best, _edges(plan, history, where), inner, peak)


def _edges(plan: _Plan, history: list[Any], where: tuple[int, int, int]) -> list[int]:
    """The edges of the walk that was completed at a step, from a state, by a choice."""
    v, row, choice = where
    edges: list[int] = []
    width = plan.far.shape[1] + 1
    while v >= 0:
        for k in (choice // width, choice % width):
            if k:
                edges.append(int(plan.number[v, k - 1]))
        v -= 1
        if v >= 0:
            row, choice = int(history[v][0][row]), int(history[v][1][row])
    return edges


def _index(rows: int) -> npt.NDArray[np.int32]:
    """An empty hash table for so many rows, at most two thirds full."""
    return np.full(1 << (rows * 3 // 2).bit_length(), -1, dtype=np.int32)


_part = kernel("", counts=False)
"""A part of the loops below."""


@_part
def _code(sizes: Ints, state: Ints, slot: int) -> int:
    return (state[slot // sizes[3]] >> (slot % sizes[3] * sizes[2])) & ((1 << sizes[2]) - 1)


@_part
def _put(sizes: Ints, state: Ints, slot: int, code: int) -> None:
    word, shift = slot // sizes[3], slot % sizes[3] * sizes[2]
    state[word] = (state[word] & ~(((1 << sizes[2]) - 1) << shift)) | (code << shift)


@_part
def _join(sizes: Ints, state: Ints, tip: int, w: int) -> int:
    """Join a path, whose other end has the slot `tip` (-1: it is an end of the walk), to slot w.

    It is a path (`NO`), a cycle or whole, from an end of the walk to the other.
    """
    code = _code(sizes, state, w)
    if w == tip:
        _put(sizes, state, w, FULL)
        return CYCLE
    if code == FREE:
        other = w
    else:
        _put(sizes, state, w, FULL)
        other = -1 if code == LAST else code - MATE
    if tip >= 0:
        _put(sizes, state, tip, LAST if other < 0 else MATE + other)
    if other >= 0:
        _put(sizes, state, other, LAST if tip < 0 else MATE + tip)
    return WHOLE if tip < 0 and other < 0 else NO


@_part
def _count(sizes: Ints, state: Ints, least: int, most: int) -> int:
    """How many slots have a code in a range."""
    total = 0
    for slot in range(sizes[1]):
        code = _code(sizes, state, slot)
        if least <= code <= most:
            total += 1
    return total


@_part
def _hash(state: Ints, mask: int) -> int:
    h = np.int64(1469598103)
    for k in range(len(state)):
        h = (h ^ (state[k] & 0x3FFFFFFF)) * 1099511 & 0x3FFFFFFFFFF
        h = (h ^ (h >> 17) ^ (state[k] >> 30)) * 1315423 & 0x3FFFFFFFFFF
    return (h ^ (h >> 21)) & mask  # type: ignore[return-value]


@kernel("void(int64[:, ::1], int64, int32[::1])", plain=PLAIN, counts=False)
def _reindex(keys: Ints, count: int, index: npt.NDArray[np.int32]) -> None:
    """Enter the first rows into an empty hash table."""
    for row in range(count):
        at = _hash(keys[row], len(index) - 1)
        while index[at] >= 0:
            at = (at + 1) & (len(index) - 1)
        index[at] = row


@kernel("int64(int64[:, ::1], int64[::1], int64[::1], int64)", plain=PLAIN, counts=False)
def _inner(keys: Ints, values: Ints, sizes: Ints, v: int) -> int:
    """The most edges between taken vertices: those chosen, less those that lead on."""
    most = 0
    for p in range(len(keys)):
        ahead = _count(sizes, keys[p], LAST, 1 << 62) + 2 * _count(sizes, keys[p], FULL, FULL)
        most = max(most, values[p] - ahead)
    return most


@kernel(
    "UniTuple(int64, 2)(int64[:, ::1], int64[::1], int64[::1], int64, int64[:, ::1], int64[:, :, ::1], int64, int64, "
    "int64, int64[:, ::1], int64[::1], int64[::1], int64[::1], int32[::1], int64, int64, int64[::1])",
    plain=PLAIN,
)
def _take(
    keys: Ints, values: Ints, sizes: Ints, v: int, far: Ints, mask: Ints, start: int, stop: int, later: int,
    fresh: Ints, length: Ints, parent: Ints, choice: Ints, index: npt.NDArray[np.int32], count: int, children: int,
    champion: Ints,
) -> tuple[int, int]:  # fmt: skip
    """Take vertex v in the states start..stop-1; `champion` has the most moves of a whole walk, its state and choice.

    Returns
    -------
    tuple
        The first state not dealt with, because the table is full, and the number of new rows.
    """
    closed, window, code_words, width = sizes[0], sizes[1], sizes[4], far.shape[1]
    state, here = np.zeros(keys.shape[1], dtype=np.int64), v % window
    for p in range(start, stop):
        if count > len(fresh) - children:
            return p, count
        code = _code(sizes, keys[p], here)
        ends = 0 if closed else _count(sizes, keys[p], LAST, LAST)
        # a and b are the edges chosen, counted from 1; 0 is none
        for a in range(width + 1):
            for b in range(a, width + 1):
                if (b == a and a > 0) or (a > 0 and code != FREE) or (b > 0 and code == FULL):
                    continue
                new = (a > 0) + (b > 0)
                last = (code == FREE and new == 1) or (code >= LAST and new == 0)
                if last and (closed or ends == 2):
                    continue
                fits = True
                for k in (a - 1, b - 1):
                    if k >= 0:
                        bit = here * width + k
                        w = far[v, k]
                        blocked = (keys[p, code_words + bit // BITS] >> (bit % BITS)) & 1
                        if w < 0 or blocked or _code(sizes, keys[p], w % window) == FULL:
                            fits = False
                if fits and a > 0 and far[v, a - 1] == far[v, b - 1]:  # two moves that join the same cells
                    fits = _code(sizes, keys[p], far[v, a - 1] % window) == FREE
                if fits and a > 0:
                    bit = here * width + b - 1
                    fits = (mask[v, a - 1, bit // BITS] >> (bit % BITS)) & 1 == 0
                total = values[p] + new
                if not fits or total + later <= champion[0]:
                    continue
                for k in range(len(state)):
                    state[k] = keys[p, k]
                _put(sizes, state, here, FREE)
                answer = NO
                if last and new == 0:
                    if code == LAST:
                        answer = WHOLE
                    else:
                        _put(sizes, state, code - MATE, LAST)
                elif a > 0:
                    w = far[v, a - 1] % window
                    joined = _code(sizes, state, w)
                    tip = w
                    if joined != FREE:
                        _put(sizes, state, w, FULL)
                        tip = -1 if joined == LAST else joined - MATE
                    answer = _join(sizes, state, tip, far[v, b - 1] % window)
                elif b > 0:
                    tip = -1 if last or code == LAST else code - MATE
                    answer = _join(sizes, state, tip, far[v, b - 1] % window)
                if answer == CYCLE and not closed:
                    continue
                if answer != NO:
                    if _count(sizes, state, LAST, 1 << 62) == 0 and total > champion[0]:
                        champion[0], champion[1], champion[2] = total, p, a * (width + 1) + b
                    continue
                _block(sizes, state, v, far, mask, a, b, code_words)
                at = _hash(state, len(index) - 1)
                while index[at] >= 0:
                    row = index[at]
                    same = True
                    for k in range(len(state)):
                        same = same and fresh[row, k] == state[k]
                    if same:
                        break
                    at = (at + 1) & (len(index) - 1)
                if index[at] < 0:
                    index[at] = count
                    for k in range(len(state)):
                        fresh[count, k] = state[k]
                    length[count] = -1
                    count += 1
                row = index[at]
                if total > length[row]:
                    length[row], parent[row], choice[row] = total, p, a * (width + 1) + b
    return stop, count


@_part
def _block(sizes: Ints, state: Ints, v: int, far: Ints, mask: Ints, a: int, b: int, code_words: int) -> None:
    """Block what the chosen edges cross; forget of edges decided with v, and of those that lead to a full vertex."""
    window, width, n = sizes[1], far.shape[1], len(far)
    for word in range(mask.shape[2]):
        if a > 0:
            state[code_words + word] |= mask[v, a - 1, word]
        if b > 0:
            state[code_words + word] |= mask[v, b - 1, word]
    for u in range(v, min(n, v + window)):
        done = u == v or _code(sizes, state, u % window) == FULL
        for k in range(width):
            bit = u % window * width + k
            word, shift = code_words + bit // BITS, bit % BITS
            if (state[word] >> shift) & 1:
                w = far[u, k]
                reached = w < v + window
                if done or (reached and _code(sizes, state, w % window) == FULL):
                    state[word] &= ~(1 << shift)
