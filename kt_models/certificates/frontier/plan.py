"""A plan: everything about a sweep that does not depend on the state, as arrays for the compiled step.

Vertices are taken in an order; an edge is decided when the first of its ends is taken.  A vertex is *on the frontier*
when it has been reached by a decided edge and not yet been taken.  What the past means for the future is the state:

- for every vertex on the frontier, whether it is untouched, has its degree, or is the end of a path and of which
  (the other end's slot, or the linkage whose terminal is the other end; and how far round that end is, if it matters);
- which decided edges are chosen, of those that some edge still to be decided forms a weighted pair with.

Each vertex has a slot of a few bits from when it is reached until it is taken, each edge of the second kind a bit from
when it is decided until its last pair is charged; slots and bits are used again.  So two partial solutions with the
same state at the same step have the same completions at the same further cost, and one of them, or their number, is
enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.certificates.frontier.objective import Costs
from kt_models.errors import TooLarge
from kt_models.sweeps.bits import Ints, Words
from kt_models.sweeps.net import Net

MOST_WORDS = 12
"""Most 64-bit words of a state."""
SLOT_BITS = 64
"""Bits of a word that slots may take."""
MOST_TABLE = 50_000_000
"""Most entries of the tables by step."""
MOST_NUMBER, INNER_SHIFT = 1 << 24, 30
"""The numbers that marks are sums of; those of inner vertices are shifted, so they are not seen modulo 2 ** 30."""


# Columns of the tables: arrays with one row for each vertex, edge or step let compiled functions take few arguments.
# Columns ending in _AT are CSR offsets; these tables have one row more.
V_TARGET, V_LABEL, V_WORD, V_SHIFT, V_SLOT, V_REACHED, V_TAKEN, V_MARK, V_LATER_AT = range(9)
"""Of a vertex: degree, code of a terminal's path, its slot's word, shift and number, the first step at which it has the
slot, the step at which it is taken, what an edge across adds to the mark of a state at this end, its neighbours in
`later`."""
E_NEAR, E_FAR, E_GAIN, E_REQUIRED, E_BIT, E_LONE, E_DECIDED, E_MARK, E_MASKS_AT, E_PARTNERS_AT = range(10)
"""Of an edge: the end taken when it is decided, the other end, how far round that is, whether it is required, its bit
(-1: none), its weight alone, the step at which it is decided, what it adds to the mark, what choosing it adds (in
`masks`), its edges in `partners`."""
S_VERTEX, S_MUST, S_MAY_CLOSE, S_EDGES_AT, S_DUE_AT = range(5)
"""Of a step: vertex taken, number of required edges decided, whether all vertices left are on the frontier afterwards,
the edges decided (in `edges`), the edges with pairs to be charged (in `due`)."""
D_BIT, D_MASKS_AT = range(2)
"""Of an edge with pairs to be charged at a step: its bit, and the masks of its partners (in `masks`)."""


class Sizes(NamedTuple):
    """Numbers the compiled step reads."""

    hub: int
    connected: bool
    free: bool
    first_mate: int  # code of "my path's other end has slot 0"
    code_mask: np.uint64
    slot_words: int
    gain_bits: int  # of a code, the lowest: how far round the other end is
    strands: bool


class Tables(NamedTuple):
    """Arrays the compiled step reads."""

    vertex: Ints
    edge: Ints
    stage: Ints
    later: Ints  # neighbours, the last taken first
    edges: Ints  # by step, the one whose other end is taken first comes first
    partners: Ints  # edges a pair is formed with, the last decided first
    due: Ints
    masks: Words  # bits of partners
    weights: Ints  # of each mask
    owner: Ints  # vertex with a slot, by step and slot; -1 where there is none
    full: Words  # the slots after a step when every vertex on the frontier has its degree
    keep: Words  # bits alive after a step
    sure: Words  # of these, bits that matter in every state
    across: Words  # of these, bits of edges that lead across
    edge_of_bit: Ints  # by step and bit


@dataclass(frozen=True)
class SweepPlan:
    """A sweep's tables and the sizes of its states."""

    tables: Tables
    sizes: Sizes
    steps: int
    words: int
    widest: int
    """Most vertices on the frontier."""

    def children(self, step: int) -> int:
        """A bound of how many states come from one."""
        edges = int(self.tables.stage[step + 1, S_EDGES_AT] - self.tables.stage[step, S_EDGES_AT])
        return max(1, edges, edges * (edges - 1) // 2)


def make_plan(net: Net, order: Ints, costs: Costs, cut: Ints | None = None) -> SweepPlan:
    """The plan of a sweep.

    After every step an edge between a vertex taken and one that is not leads *across*.  The *mark* of a state is the
    sum, over the chosen edges that lead across, of a number of one of their ends: the one not taken, of which the state
    knows the degree, or, with `cut`, the one taken, for which such edges are remembered.

    A vertex with target 0 has a step, at which nothing happens: an edge to it is decided when its other end is taken.

    Parameters
    ----------
    order
        The vertices in the order they are taken; the hub, if any, comes last and is not in it.
    cut
        For a sweep from the other end: for every pair of `costs` the step before whose end it is not to be charged.
        None: as soon as both edges are decided.

    Raises
    ------
    TooLarge
        If the states would be wider than `MOST_WORDS`.
    """
    n, ends = net.n, net.ends
    order = np.append(order, net.hub) if net.hub >= 0 else order
    taken = np.empty(n, dtype=np.int64)
    taken[order] = np.arange(n)
    unasked = net.target == 0
    met = np.where(unasked, n, taken)  # such a vertex decides no edge
    when = met[ends].reshape(-1, 2)
    decided = when.min(axis=1, initial=n)
    swap = when[:, 0] > when[:, 1]
    near, far = np.where(swap, ends[:, 1], ends[:, 0]), np.where(swap, ends[:, 0], ends[:, 1])
    usable = np.flatnonzero(net.usable)
    usable = usable[np.lexsort([when[usable].max(axis=1, initial=0), decided[usable]])]
    edges_at = np.searchsorted(decided[usable], np.arange(n + 1))

    reached, held = taken.copy(), usable[~unasked[far[usable]]]
    np.minimum.at(reached, far[held], decided[held])
    slot, width = _lowest_free(reached, taken)
    first_mate = 2 + net.labels
    gain, gain_bits = _gains(net)
    bits = int(first_mate + width - 1).bit_length() + gain_bits
    per = SLOT_BITS // bits
    slot_words = -(-width // per)
    _refuse_wide(width, 0, slot_words, n)
    word, shift = slot // per, slot % per * bits
    full = np.zeros((n, slot_words), dtype=np.uint64)
    for v in range(n):  # code 1: has its degree
        full[reached[v] : taken[v], word[v]] |= np.uint64(1) << np.uint64(shift[v])

    rank = np.zeros(len(ends), dtype=np.int64)
    rank[usable] = np.arange(len(usable))
    apart = (ends == net.hub).any(axis=1)
    mark = np.random.default_rng(n).integers(MOST_NUMBER, size=n) << np.where(net.inner, INNER_SHIFT, 0)
    crossing = np.flatnonzero(net.usable & ~apart) if cut is not None else np.zeros(0, dtype=np.int64)
    pairs = _Pairs(costs, decided, rank, cut, crossing, taken[far])
    mark = np.where(unasked | (np.arange(n) == net.hub), 0, mark)
    marks = np.where(apart, 0, mark[far if cut is None else near])  # an edge to the hub leads across nothing
    begin, end = pairs.lives()
    bit_of, bit_width = _lowest_free(begin, end)
    bit = np.full(len(ends), -1)
    bit[pairs.edges] = bit_of
    bit_words = -(-bit_width // 64)
    _refuse_wide(width, bit_width, slot_words + bit_words, n)
    edge_of_bit = np.full((n, 64 * bit_words), -1)
    keep, across = np.zeros((2, n, bit_words), dtype=np.uint64)
    for e, b, s, t in zip(pairs.edges.tolist(), bit_of.tolist(), begin.tolist(), end.tolist(), strict=True):
        edge_of_bit[s:t, b] = e  # alive after the steps s .. t - 1
        keep[s:t, b // 64] |= np.uint64(1) << np.uint64(b % 64)
    for e in crossing.tolist():
        across[decided[e] : taken[far[e]], bit[e] // 64] |= np.uint64(1) << np.uint64(bit[e] % 64)

    may_close = np.maximum.accumulate(reached[order][::-1])[::-1]  # last step at which a vertex from here on is reached
    may_close = np.append(may_close[1:], 0) <= np.arange(n)
    later, later_at = _csr(
        np.concatenate([ends[usable, 0], ends[usable, 1]]),
        np.concatenate([ends[usable, 1], ends[usable, 0]]),
        n,
        met,
    )
    partners, partners_at = _csr(
        np.concatenate([costs.first, costs.second]),
        np.concatenate([costs.second, costs.first]),
        len(ends),
        decided,
    )
    lone = np.zeros(len(ends), dtype=np.int64)
    lone[costs.first[pairs.lone]] = costs.weight[pairs.lone]
    masks, weights, masks_at = pairs.masks(bit, bit_words, len(ends))
    due, due_at = pairs.due_edges(n)
    due_masks, due_weights, due_masks_at = pairs.due_masks(bit, bit_words, due, due_at)
    held_from = np.where(unasked, n, reached)  # no slot tells its degree
    must = np.bincount(decided[net.required], minlength=n)
    tables = Tables(
        vertex=_table(
            net.target,
            2 + net.label,
            word,
            shift,
            slot,
            held_from,
            met,
            mark * (cut is None),
            later_at,
        ),
        edge=_table(
            near, far, np.where(swap, -gain, gain), net.required, bit, lone, decided, marks, masks_at, partners_at
        ),
        stage=_table(order, must, may_close, edges_at, due_at),
        later=later,
        edges=usable.astype(np.int64),
        partners=partners,
        due=_table(bit[due], len(masks) + due_masks_at),
        masks=np.concatenate([masks, due_masks]),
        weights=np.concatenate([weights, due_weights]),
        owner=_owners(slot, reached, taken, width, n),
        full=full,
        keep=keep,
        sure=_sure(pairs, costs, bit, keep, reached, ends) if cut is None else keep,
        across=across,
        edge_of_bit=edge_of_bit,
    )
    strands = net.winding is not None and net.winding.strands
    mask = np.uint64((1 << bits) - 1)
    sizes = Sizes(net.hub, net.connected, net.free, first_mate, mask, slot_words, gain_bits, strands)
    return SweepPlan(tables, sizes, n, slot_words + bit_words, width)


def _gains(net: Net) -> tuple[Ints, int]:
    """How far round each edge leads, and the bits that hold this of every path: 0 where it does not matter.

    A path leads no further than the sum, over all vertices, of the most that an edge there does.
    """
    none = np.zeros(len(net.ends), dtype=np.int64)
    if net.winding is None or net.free:
        return none, 0
    most = np.zeros(net.n, dtype=np.int64)
    for end in (0, 1):
        np.maximum.at(most, net.ends[:, end], np.abs(net.winding.gain))
    return net.winding.gain, 1 + int(most.sum()).bit_length()


def _table(*columns: npt.NDArray[Any]) -> Ints:
    """Columns side by side; the last one may be longer than the first by one."""
    table = np.zeros((len(columns[-1]), len(columns)), dtype=np.int64)
    for k, column in enumerate(columns):
        table[: len(column), k] = column
    return table


class _Pairs:
    """When each pair is charged, and which edges must be remembered how long.

    An edge alone is a pair with itself.  Charged when it is decided it needs no memory.
    """

    def __init__(self, costs: Costs, decided: Ints, rank: Ints, cut: Ints | None, crossing: Ints, until: Ints) -> None:
        first, second, self.weight = costs.first, costs.second, costs.weight
        swap = rank[first] > rank[second]
        self.early, self.late = np.where(swap, second, first), np.where(swap, first, second)
        both = decided[self.late]
        self.at = both if cut is None else np.maximum(both, cut)
        self.wait = self.at > both
        self.lone = ~self.wait & (first == second)
        self.now = ~self.wait & (first != second)
        self.decided = decided
        self.edges = np.unique(np.concatenate([self.early[~self.lone], self.late[self.wait], crossing]))
        self.crossing, self.until = crossing, until[crossing]

    def lives(self) -> tuple[Ints, Ints]:
        """Of every remembered edge, the step it is decided at and that of its last charge."""
        last = self.decided[self.edges].copy()
        for side, which in ((self.early, ~self.lone), (self.late, self.wait)):
            np.maximum.at(last, np.searchsorted(self.edges, side[which]), self.at[which])
        np.maximum.at(last, np.searchsorted(self.edges, self.crossing), self.until)
        return self.decided[self.edges], last

    def masks(self, bit: Ints, words: int, m: int) -> tuple[Words, Ints, Ints]:
        """For each edge the bits of the partners charged when it is decided, one mask for each weight, as CSR."""
        which = self.now
        return _masks(self.late[which], bit[self.early[which]], self.weight[which], m, words)

    def due_edges(self, steps: int) -> tuple[Ints, Ints]:
        """For each step the edges some of whose pairs are charged only then."""
        rows = np.unique(np.stack([self.at[self.wait], self.late[self.wait]], axis=1), axis=0).reshape(-1, 2)
        return rows[:, 1].copy(), np.searchsorted(rows[:, 0], np.arange(steps + 1)).astype(np.int64)

    def due_masks(self, bit: Ints, words: int, edges: Ints, at: Ints) -> tuple[Words, Ints, Ints]:
        """For each of these the bits of the partners charged then, one mask for each weight, as CSR."""
        step = np.repeat(np.arange(len(at) - 1), np.diff(at))
        row = {key: r for r, key in enumerate(zip(step.tolist(), edges.tolist(), strict=True))}
        wait = np.flatnonzero(self.wait)
        rows = np.array([row[int(self.at[p]), int(self.late[p])] for p in wait], dtype=np.int64)
        return _masks(rows, bit[self.early[wait]], self.weight[wait], len(edges), words)


def _masks(rows: Ints, bits: Ints, weights: Ints, count: int, words: int) -> tuple[Words, Ints, Ints]:
    """Bits gathered into masks by row and weight: masks, weights, CSR offsets by row."""
    table: dict[tuple[int, int], list[int]] = {}
    for r, b, w in zip(rows.tolist(), bits.tolist(), weights.tolist(), strict=True):
        table.setdefault((r, w), []).append(b)
    masks = np.zeros((len(table), words), dtype=np.uint64)
    keys = sorted(table)
    for index, key in enumerate(keys):
        for b in table[key]:
            masks[index, b // 64] |= np.uint64(1) << np.uint64(b % 64)
    at = np.searchsorted(np.array([r for r, _ in keys], dtype=np.int64), np.arange(count + 1)).astype(np.int64)
    return masks, np.array([w for _, w in keys], dtype=np.int64), at


def _refuse_wide(width: int, edges: int, words: int, steps: int) -> None:
    if words > MOST_WORDS or steps * (width + edges) > MOST_TABLE:
        raise TooLarge(
            f"a frontier of {width} vertices{f' and {edges} edges' if edges else ''} is too wide for a sweep: "
            f"{words} words to a state, the limit is {MOST_WORDS}"
        )


def _lowest_free(begin: Ints, end: Ints) -> tuple[Ints, int]:
    """The least number free for each interval of steps (both ends included), and how many numbers are used."""
    number = np.zeros(len(begin), dtype=np.int64)
    free: list[int] = []
    busy: list[tuple[int, int]] = []  # last step, number
    for i in np.argsort(begin, kind="stable").tolist():
        while busy and busy[0][0] < begin[i]:
            heappush(free, heappop(busy)[1])
        number[i] = heappop(free) if free else len(busy)
        heappush(busy, (int(end[i]), int(number[i])))
    return number, int(number.max(initial=-1)) + 1


def _owners(slot: Ints, reached: Ints, taken: Ints, width: int, steps: int) -> Ints:
    """The vertex in each slot before each step and at the end, -1 where there is none, shape (steps + 1, width)."""
    owner = np.full((steps + 1, width), -1)
    for v in range(len(slot)):
        owner[reached[v] : taken[v] + 1, slot[v]] = v
    return owner


def _csr(rows: Ints, values: Ints, count: int, rank: Ints) -> tuple[Ints, Ints]:
    """Values by row, in order of decreasing rank."""
    order = np.lexsort([-rank[values], rows])
    return values[order].astype(np.int64), np.searchsorted(rows[order], np.arange(count + 1)).astype(np.int64)


def _sure(pairs: _Pairs, costs: Costs, bit: Ints, keep: Words, reached: Ints, ends: Ints) -> Words:
    """Of the bits alive after each step, those that matter in every state: a partner has neither end reached."""
    open_until = reached[ends].reshape(-1, 2).min(axis=1, initial=len(reached))
    until = np.zeros(len(ends), dtype=np.int64)
    np.maximum.at(until, costs.first, open_until[costs.second])
    np.maximum.at(until, costs.second, open_until[costs.first])
    sure = np.zeros_like(keep)
    for e in pairs.edges.tolist():
        sure[pairs.decided[e] : until[e], bit[e] // 64] |= np.uint64(1) << np.uint64(bit[e] % 64)
    return sure & keep
