"""The frontier sweep as it was before the sweep engine was replaced: a witness for the engines that follow.

This is the code of `kt_models/certificates/frontier` of version 0.1.0, in one file.  It decides by a dynamic program
over the vertices what an exhaustive search decides on small boards only: how many solutions a problem has, by value
too, and the least value.  What was left out is what no answer depends on: limits of time, reports of progress, and the
choice of the compiler's cache.  The algorithm, its pruning and its compiled step are unchanged.

The rules that make it a witness:

- It imports numpy and numba only, and nothing but tests imports it.
- It stays one file: numba renews what it keeps of a compiled function when the file of that function changes.  Its
  named tuples have names of their own, since numba takes two of one name for one type.
- It is not renovated.  A fault that is found in it is corrected here and told in the commit; style is not.  That
  it repeats code of the toolkit is its purpose: a search for duplicates passes over it.
- It reads a `tests.oracle.truth.Case`: vertices, edges, cells and conditions as plain numbers.  The oracle calculates
  the weights of turns and crossings from their definitions, so the toolkit's pair weights are judged too.

A new engine is held against it where brute force ends: `tests/oracle/test_frozen_sweep.py` has the boards.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import heappop, heappush
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from tests.oracle.truth import Case

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Costs32 = npt.NDArray[np.int32]


class TooLarge(Exception):
    """The sweep would take more memory, or wider numbers, than it may."""


# -- the net of a problem, and the order in which its vertices are taken -----------------------------------------------

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Winding:
    """How far edges lead round a board that is periodic along an axis, and which walks may lead round it.

    Parameters
    ----------
    gain
        By how many periods the head of each edge lies further on than its tail, shape (m,).  Of each vertex one
        translate is meant; which one is for whoever asks to choose.
    strands
        Whether a closed cycle that leads round is allowed, and a path may lead anywhere.  Otherwise no cycle is, and
        every path between two terminals leads from the one to the other with a total of 0.
    """

    gain: Ints
    strands: bool


@dataclass(frozen=True)
class Net:
    """A problem as degrees to be reached.

    Parameters
    ----------
    n
        Number of vertices, the hub (if there is one) last.
    ends
        Shape (m, 2); the first `m_graph` edges are those of the graph, the others join the hub.
    target
        Degree of every vertex, 1 or 2; 0 where none is asked for, and then no edge joins two such vertices.
    label
        For a vertex of degree 1 the number of its linkage (0 if any pairing will do).
    labels
        How many linkages there are.
    usable, required
        By edge; an edge that is required and not usable makes the problem infeasible.
    hub
        Number of the hub, or -1.
    connected
        Whether one cycle through everything is asked for; `free` whether anything will do.
    inner
        The vertices that `border_of` asks nothing of.
    winding
        How far edges lead round, if it matters.
    """

    n: int
    ends: Ints
    m_graph: int
    target: Ints
    label: Ints
    labels: int
    usable: Bools
    required: Bools
    hub: int
    connected: bool
    free: bool
    inner: Bools
    winding: Winding | None = None


def net_of(case: Case, relaxed: bool = False, inner: Sequence[int] = (), winding: Winding | None = None) -> Net:
    """The net of a case; symmetry is not looked at."""
    n, m, hub = case.n, len(case.edges), -1
    ends = np.array(case.edges, dtype=np.int64).reshape(-1, 2)
    target, label = np.full(n, 2), np.zeros(n, dtype=np.int64)
    required = np.zeros(m, dtype=bool)
    required[list(case.required)] = True
    usable = np.ones(m, dtype=bool)
    usable[list(case.forbidden)] = False
    labels = 0
    if case.connectivity == "path":
        hub = n
        may_end = np.arange(n) if len(case.terminals) < 2 else np.array(sorted(case.terminals))
        ends = np.concatenate([ends, np.stack([may_end, np.full(len(may_end), hub)], axis=1)])
        required = np.concatenate([required, np.isin(may_end, case.terminals)])
        usable = np.concatenate([usable, np.ones(len(may_end), dtype=bool)])
        target = np.full(n + 1, 2)
        label = np.zeros(n + 1, dtype=np.int64)
        n += 1
    elif case.terminals:
        target[list(case.terminals)] = 1
        labels = 1
        if case.connectivity == "linkage" and not relaxed:
            label[list(case.terminals)] = np.arange(len(case.terminals)) // 2
            labels = len(case.terminals) // 2
    free = relaxed or (case.connectivity == "any" and winding is None)
    connected = not free and case.connectivity in ("cycle", "path")
    among = np.isin(np.arange(n), np.array(inner, dtype=np.int64))
    labels = max(labels, int(free))
    return Net(n, ends, m, target, label, labels, usable, required, hub, connected, free, among, winding)


def loose(net: Net) -> Net:
    """The same with the degrees alone asked for."""
    return replace(net, connected=False, free=True, label=np.zeros_like(net.label), labels=1)


def border_of(net: Net) -> Net:
    """The same with the degrees of the border alone asked for: of the vertices that are not inner."""
    usable = net.usable & ~net.inner[net.ends].all(axis=1)
    target = np.where(net.inner, 0, net.target)
    return replace(loose(net), target=target, usable=usable, required=net.required & usable)


def good_order(case: Case) -> Ints:
    """An order of the vertices with a narrow frontier: the best of a few natural ones, shape (n,).

    On a board: rank by rank along each axis and diagonal by diagonal; for every graph also reverse Cuthill-McKee.
    """
    ends = np.array(case.edges, dtype=np.int64).reshape(-1, 2)
    candidates = [np.arange(case.n)]
    if case.cells:
        cells = np.array(case.cells, dtype=np.int64)
        for axes in itertools.permutations(range(cells.shape[1])):
            candidates.append(np.lexsort([cells[:, axis] for axis in reversed(axes)]))
        for sign in (1, -1):
            candidates.append(np.lexsort([cells[:, 0], cells[:, 0] + sign * cells[:, 1]]))
    if case.edges:
        candidates.append(_reverse_cuthill_mckee(case.n, ends))
    return min(candidates, key=lambda order: _width(case.n, ends, order))


def _reverse_cuthill_mckee(n: int, ends: Ints) -> Ints:
    """Breadth first from a vertex of least degree, neighbours of small degree first, and then backwards."""
    near: list[set[int]] = [set() for _ in range(n)]
    for tail, head in ends.tolist():
        near[tail].add(head)
        near[head].add(tail)
    degree = [len(others) for others in near]
    order: list[int] = []
    reached = [False] * n
    for start in sorted(range(n), key=degree.__getitem__):
        if reached[start]:
            continue
        reached[start] = True
        place = len(order)
        order.append(start)
        while place < len(order):
            for vertex in sorted(near[order[place]], key=lambda v: (degree[v], v)):
                if not reached[vertex]:
                    reached[vertex] = True
                    order.append(vertex)
            place += 1
    return np.array(order[::-1], dtype=np.int64)


def _width(n: int, ends: Ints, order: Ints) -> tuple[int, int]:
    """The widest frontier and the sum of all: how many vertices have been reached and not yet taken."""
    position = np.empty(n, dtype=np.int64)
    position[order] = np.arange(n)
    reached = position.copy()
    if len(ends):
        np.minimum.at(reached, ends[:, 0], position[ends[:, 1]])
        np.minimum.at(reached, ends[:, 1], position[ends[:, 0]])
    change = np.zeros(n + 1, dtype=np.int64)
    np.add.at(change, reached, 1)
    np.add.at(change, position + 1, -1)
    width = np.cumsum(change)
    return int(width.max()), int(width.sum())


# -- non-negative integer pair weights, a constant, and a denominator --------------------------------------------------
#
# Two rewritings leave the value of every solution as it is and make partial solutions show their cost sooner.
#
# *Potentials.*  For any numbers `y(e, u) = -y(e, v)` on the edges e = uv, the sum over all vertices of the `y` of their
# chosen edges is 0.  A vertex of degree 2 has exactly one pair of chosen edges, so `y(e, v) + y(f, v)` may be added to
# the weight of every pair e, f at v (at a vertex of degree 1, `y(e, v)` to the weight of the edge).  Good numbers are
# the dual of the linear relaxation; any are valid.
#
# *Vertex constants.*  For the same reason the least weight of a pair at a vertex may be taken off all pairs there and
# added to a constant.

LARGEST = 1 << 29
"""Largest sum of all weights, shown in Python's integers: costs are kept in 32 bits, and no partial solution costs more
than all weights together."""
MOST_CHOICES = 3_000_000
"""Most pairs of edges that meet at a vertex, over all vertices but the hub."""


@dataclass(frozen=True)
class Potentials:
    """Numbers on the edges: `values[e] / denominator` at the tail of edge e, its negative at the head."""

    values: tuple[int, ...]
    denominator: int = 1


@dataclass(frozen=True)
class Costs:
    """The objective is `(constant + sum of weights of chosen pairs) / denominator`.

    Parameters
    ----------
    first, second
        Edge numbers of a net, shape (p,); equal where one edge alone is weighed.
    weight
        Positive integers, shape (p,).
    """

    first: npt.NDArray[np.int64]
    second: npt.NDArray[np.int64]
    weight: npt.NDArray[np.int64]
    constant: int = 0
    denominator: int = 1

    def cap(self, value: int) -> int:
        """The greatest sum of weights of a solution whose objective is at most `value`; -1 if there is none."""
        return max(-1, min(2 * LARGEST, value * self.denominator - self.constant))

    def value(self, cost: int) -> int:
        """The objective of a solution whose weights sum to `cost`."""
        value, left = divmod(cost + self.constant, self.denominator)
        if left:
            raise ValueError(f"weights of {cost} are no multiple of the denominator {self.denominator}")
        return value


def no_costs() -> Costs:
    """Every solution costs nothing."""
    empty = np.zeros(0, dtype=np.int64)
    return Costs(empty, empty, empty)


def costs_of(net: Net, weights: Sequence[tuple[int, int, int]] | None, potentials: Potentials | None = None) -> Costs:
    """Pair weights rewritten for a sweep."""
    if weights is None:
        return no_costs()
    denominator = potentials.denominator if potentials else 1
    if potentials and len(potentials.values) != net.m_graph:
        raise ValueError(f"{len(potentials.values)} potentials for {net.m_graph} edges")
    table: dict[tuple[int, int], int] = {}
    for e, f, w in weights:
        if w < 0:
            raise ValueError("a pair of edges has a negative weight")
        if w and net.usable[e] and net.usable[f]:
            key = (min(e, f), max(e, f))
            table[key] = table.get(key, 0) + w * denominator
    if sum(table.values()) > LARGEST:
        raise TooLarge("the weights of the pairs of edges are too large for a sweep")
    at: list[list[int]] = [[] for _ in range(net.n)]
    for e, (u, v) in enumerate(net.ends.tolist()):
        if net.usable[e]:
            at[u].append(e)
            at[v].append(e)
    if net.hub >= 0:
        at[net.hub] = []  # Its edges have no potential, and its pairs no weight
    if sum(len(edges) * (len(edges) - 1) // 2 for edges in at) > MOST_CHOICES:
        raise TooLarge(f"over {MOST_CHOICES:,} pairs of edges meet at a vertex")
    if potentials:
        if 4 * sum(map(abs, potentials.values)) > LARGEST:
            raise TooLarge("the potentials are too large for a sweep")
        for v in range(net.n):
            _add_potentials(net, v, at[v], potentials.values, table)
    constant = 0
    for v in range(net.n):
        pairs = _choices(at[v], int(net.target[v]))
        least = min((table.get(pair, 0) for pair in pairs), default=0)
        if least:
            constant += least
            for pair in pairs:
                table[pair] = table.get(pair, 0) - least
    kept = sorted((e, f, w) for (e, f), w in table.items() if w)
    if any(w < 0 for *_, w in kept):
        raise ValueError("a pair of edges has a negative weight")
    if sum(w for *_, w in kept) > LARGEST:
        raise TooLarge("the weights of the pairs of edges are too large for a sweep")
    rows = np.array(kept, dtype=np.int64).reshape(-1, 3)
    return Costs(rows[:, 0], rows[:, 1], rows[:, 2], constant, denominator)


def _choices(edges: list[int], target: int) -> list[tuple[int, int]]:
    """The pairs one of which every solution has at a vertex of that degree."""
    if target == 2:
        return [(min(e, f), max(e, f)) for e, f in combinations(edges, 2)]
    return [(e, e) for e in edges] if target == 1 else []


def _add_potentials(
    net: Net, v: int, edges: list[int], values: tuple[int, ...], table: dict[tuple[int, int], int]
) -> None:
    sign = {e: (values[e] if net.ends[e, 0] == v else -values[e]) if e < net.m_graph else 0 for e in edges}
    for e, f in _choices(edges, int(net.target[v])):
        table[e, f] = table.get((e, f), 0) + (sign[e] if e == f else sign[e] + sign[f])


# -- everything that does not depend on the state, as arrays for the compiled step -------------------------------------
#
# Vertices are taken in an order; an edge is decided when the first of its ends is taken.  A vertex is *on the frontier*
# when it has been reached by a decided edge and not yet been taken.  What the past means for the future is the state:
#
# - for every vertex on the frontier, whether it is untouched, has its degree, or is the end of a path and of which (the
#   other end's slot, or the linkage whose terminal is the other end; and how far round that end is, if it matters);
# - which decided edges are chosen, of those that some edge still to be decided forms a weighted pair with.
#
# Each vertex has a slot of a few bits from when it is reached until it is taken, each edge of the second kind a bit
# from when it is decided until its last pair is charged; slots and bits are used again.  So two partial solutions with
# the same state at the same step have the same completions at the same further cost, and one of them, or their number,
# is enough.

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


class FrozenSizes(NamedTuple):
    """Numbers the compiled step reads."""

    hub: int
    connected: bool
    free: bool
    first_mate: int  # Code of "my path's other end has slot 0"
    code_mask: np.uint64
    slot_words: int
    gain_bits: int  # Of a code, the lowest: how far round the other end is
    strands: bool


class FrozenTables(NamedTuple):
    """Arrays the compiled step reads."""

    vertex: Ints
    edge: Ints
    stage: Ints
    later: Ints  # Neighbours, the last taken first
    edges: Ints  # By step, the one whose other end is taken first comes first
    partners: Ints  # Edges a pair is formed with, the last decided first
    due: Ints
    masks: Words  # Bits of partners
    weights: Ints  # Of each mask
    owner: Ints  # Vertex with a slot, by step and slot; -1 where there is none
    full: Words  # The slots after a step when every vertex on the frontier has its degree
    keep: Words  # Bits alive after a step
    sure: Words  # Of these, bits that matter in every state
    across: Words  # Of these, bits of edges that lead across
    edge_of_bit: Ints  # By step and bit


@dataclass(frozen=True)
class SweepPlan:
    """A sweep's tables and the sizes of its states."""

    tables: FrozenTables
    sizes: FrozenSizes
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
    """
    n, ends = net.n, net.ends
    order = np.append(order, net.hub) if net.hub >= 0 else order
    taken = np.empty(n, dtype=np.int64)
    taken[order] = np.arange(n)
    unasked = net.target == 0
    met = np.where(unasked, n, taken)  # Such a vertex decides no edge
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
    for v in range(n):  # Code 1: has its degree
        full[reached[v] : taken[v], word[v]] |= np.uint64(1) << np.uint64(shift[v])

    rank = np.zeros(len(ends), dtype=np.int64)
    rank[usable] = np.arange(len(usable))
    apart = (ends == net.hub).any(axis=1)
    mark = np.random.default_rng(n).integers(MOST_NUMBER, size=n) << np.where(net.inner, INNER_SHIFT, 0)
    crossing = np.flatnonzero(net.usable & ~apart) if cut is not None else np.zeros(0, dtype=np.int64)
    pairs = _Pairs(costs, decided, rank, cut, crossing, taken[far])
    mark = np.where(unasked | (np.arange(n) == net.hub), 0, mark)
    marks = np.where(apart, 0, mark[far if cut is None else near])  # An edge to the hub leads across nothing
    begin, end = pairs.lives()
    bit_of, bit_width = _lowest_free(begin, end)
    bit = np.full(len(ends), -1)
    bit[pairs.edges] = bit_of
    bit_words = -(-bit_width // 64)
    _refuse_wide(width, bit_width, slot_words + bit_words, n)
    edge_of_bit = np.full((n, 64 * bit_words), -1)
    keep, across = np.zeros((2, n, bit_words), dtype=np.uint64)
    for e, b, s, t in zip(pairs.edges.tolist(), bit_of.tolist(), begin.tolist(), end.tolist(), strict=True):
        edge_of_bit[s:t, b] = e  # Alive after the steps s .. t - 1
        keep[s:t, b // 64] |= np.uint64(1) << np.uint64(b % 64)
    for e in crossing.tolist():
        across[decided[e] : taken[far[e]], bit[e] // 64] |= np.uint64(1) << np.uint64(bit[e] % 64)

    may_close = np.maximum.accumulate(reached[order][::-1])[::-1]  # Last step at which a vertex from here on is reached
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
    held_from = np.where(unasked, n, reached)  # No slot tells its degree
    must = np.bincount(decided[net.required], minlength=n)
    tables = FrozenTables(
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
    sizes = FrozenSizes(net.hub, net.connected, net.free, first_mate, mask, slot_words, gain_bits, strands)
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
        """Step at which every remembered edge is decided, and that of its last charge."""
        last = self.decided[self.edges].copy()
        for side, which in ((self.early, ~self.lone), (self.late, self.wait)):
            np.maximum.at(last, np.searchsorted(self.edges, side[which]), self.at[which])
        np.maximum.at(last, np.searchsorted(self.edges, self.crossing), self.until)
        return self.decided[self.edges], last

    def masks(self, bit: Ints, words: int, m: int) -> tuple[Words, Ints, Ints]:
        """Bits of the partners charged when each edge is decided, one mask for each weight, as CSR."""
        which = self.now
        return _masks(self.late[which], bit[self.early[which]], self.weight[which], m, words)

    def due_edges(self, steps: int) -> tuple[Ints, Ints]:
        """Edges some of whose pairs are charged only at a step, for each step."""
        rows = np.unique(np.stack([self.at[self.wait], self.late[self.wait]], axis=1), axis=0).reshape(-1, 2)
        return rows[:, 1].copy(), np.searchsorted(rows[:, 0], np.arange(steps + 1)).astype(np.int64)

    def due_masks(self, bit: Ints, words: int, edges: Ints, at: Ints) -> tuple[Words, Ints, Ints]:
        """Bits of the partners of each of these edges charged then, one mask for each weight, as CSR."""
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
    busy: list[tuple[int, int]] = []  # Last step, number
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
    """Bits alive after each step that matter in every state: a partner has neither end reached."""
    open_until = reached[ends].reshape(-1, 2).min(axis=1, initial=len(reached))
    until = np.zeros(len(ends), dtype=np.int64)
    np.maximum.at(until, costs.first, open_until[costs.second])
    np.maximum.at(until, costs.second, open_until[costs.first])
    sure = np.zeros_like(keep)
    for e in pairs.edges.tolist():
        sure[pairs.decided[e] : until[e], bit[e] // 64] |= np.uint64(1) << np.uint64(bit[e] % 64)
    return sure & keep


# -- the compiled step: from the states before a vertex is taken to those after it -------------------------------------
#
# A state is a row of 64-bit words: the codes of the slots, then the bits of the remembered edges (see `plan`).  A code
# is 0 (untouched, or no vertex in the slot), 1 (has its degree), 2 + l (end of a path whose other end is a terminal of
# linkage l) or `first_mate` + s (end of a path whose other end has slot s).  Where any connection will do, 2 stands for
# "has one edge of two".  Where walks are told apart by how far they lead round, this number is shifted by `gain_bits`,
# and the bits below it say how far the path leads from here to its other end.
#
# States are gathered in an open-addressed hash table of row numbers, so that rows lie densely in the order they were
# found.

UNTOUCHED, DONE = 0, 1
NO, YES, CLOSED = 0, 1, 2


part = numba.njit(nogil=True, _nrt=False)
"""A part of other kernels: it makes no array, and counts no references, which costs more than it does itself."""
kernel = numba.njit(nogil=True, _nrt=False, cache=True)


@part
def popcount(x: Any) -> int:
    """How many bits of a word are 1."""
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@part
def _code(vertex: Ints, sizes: FrozenSizes, state: Words, v: int) -> int:
    return np.int64((state[vertex[v, V_WORD]] >> np.uint64(vertex[v, V_SHIFT])) & sizes.code_mask)


@part
def _set(vertex: Ints, sizes: FrozenSizes, state: Words, v: int, code: int) -> None:
    word, shift = vertex[v, V_WORD], np.uint64(vertex[v, V_SHIFT])
    state[word] = (state[word] & ~(sizes.code_mask << shift)) | (np.uint64(code) << shift)


@part
def _degree(vertex: Ints, code: int, v: int) -> int:
    return 0 if code == UNTOUCHED else (vertex[v, V_TARGET] if code == DONE else 1)


@part
def _gain(sizes: FrozenSizes, code: int) -> int:
    """How far round the other end is, of the code of an end: its lowest bits, as a number with a sign."""
    half = (1 << sizes.gain_bits) >> 1
    gain = code & (2 * half - 1) if half else 0
    return gain - 2 * (gain & half)


@part
def _set_end(vertex: Ints, sizes: FrozenSizes, state: Words, p: int, q: int, gain: int) -> None:
    """Make p the end of a path to q, a vertex or -(number) of a linkage, that is so far round."""
    number = -q if q < 0 else sizes.first_mate + vertex[q, V_SLOT]
    if q < 0 and sizes.strands:  # It does not matter
        gain = 0
    _set(vertex, sizes, state, p, (number << sizes.gain_bits) | (gain & ((1 << sizes.gain_bits) - 1)))


@part
def _end_of_path(
    vertex: Ints, owner: Ints, sizes: FrozenSizes, state: Words, step: int, u: int, code: int
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


@part
def _connect(vertex: Ints, owner: Ints, sizes: FrozenSizes, state: Words, step: int, u: int, v: int, gain: int) -> int:
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
    total = gain + on - back  # From p to q
    if p >= 0:
        _set_end(vertex, sizes, state, p, q, total)
    if q >= 0:
        _set_end(vertex, sizes, state, q, p, -total)
    return NO if p < 0 and q < 0 and (p != q or (total != 0 and not sizes.strands)) else YES


@part
def _starves(vertex: Ints, later: Ints, sizes: FrozenSizes, state: Words, step: int, v: int) -> bool:
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


@part
def _dead(
    vertex: Ints, later: Ints, sizes: FrozenSizes, state: Words, step: int, v: int, a: int, b: int, edge: Ints
) -> bool:
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


@part
def _has_bit(state: Words, slot_words: int, bit: int) -> bool:
    return (state[slot_words + bit // 64] >> np.uint64(bit % 64)) & np.uint64(1) != 0


@part
def _put_bit(state: Words, slot_words: int, bit: int) -> None:
    if bit >= 0:
        state[slot_words + bit // 64] |= np.uint64(1) << np.uint64(bit % 64)


@part
def _charge(masks: Words, weights: Ints, low: int, high: int, state: Words, slot_words: int) -> int:
    """The weights of the masks low..high-1, each as often as it has a bit in common with a state."""
    total = 0
    for i in range(low, high):
        for k in range(masks.shape[1]):
            both = masks[i, k] & state[slot_words + k]
            if both != 0:
                total += weights[i] * popcount(both)
    return total


@part
def _forget(
    vertex: Ints, edge: Ints, partners: Ints, edge_of_bit: Ints, keep: Words, sure: Words, sizes: FrozenSizes,
    state: Words, step: int,
) -> None:  # fmt: skip
    """Drop the bits of edges none of whose partners still to be decided can be chosen."""
    for k in range(keep.shape[1]):
        bits = state[sizes.slot_words + k] & keep[step, k]
        doubtful = bits & ~sure[step, k]
        while doubtful != 0:
            low = doubtful & (~doubtful + np.uint64(1))
            doubtful ^= low
            e = edge_of_bit[step, 64 * k + popcount(low - np.uint64(1))]
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


@part
def _mark(
    vertex: Ints, edge: Ints, owner: Ints, across: Words, edge_of_bit: Ints, sizes: FrozenSizes, state: Words,
    step: int, now: int
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
            total += edge[edge_of_bit[step, 64 * k + popcount(low - np.uint64(1))], E_MARK]
    return total


@part
def _row(mark: int, rows: int) -> int:
    """Where a table of bounds, whose length is a power of two, has the bound of a mark."""
    return (mark + (mark >> INNER_SHIFT)) & (rows - 1)


@part
def _hash(state: Words, cost: int) -> Any:
    h = np.uint64(cost) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x632BE59BD9B4E019)
    for k in range(len(state)):
        h ^= state[k]
        h ^= h >> np.uint64(32)
        h *= np.uint64(0xD6E8FEB86659FD93)
        h ^= h >> np.uint64(32)
        h *= np.uint64(0xD6E8FEB86659FD93)
    return h ^ (h >> np.uint64(32))


@kernel
def reindex(keys: Words, costs: Costs32, count: int, least: bool, index: Costs32) -> None:
    """Enter the first rows into an empty hash table."""
    mask = len(index) - 1
    for p in range(count):
        at = np.int64(_hash(keys[p], 0 if least else costs[p]) & np.uint64(mask))
        while index[at] >= 0:
            at = (at + 1) & mask
        index[at] = p


@part
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


@part
def _choose(
    vertex: Ints, edge: Ints, masks: Words, weights: Ints, owner: Ints, sizes: FrozenSizes, state: Words,
    step: int, v: int, e: int
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


@kernel
def take(
    t: FrozenTables, sizes: FrozenSizes, step: int, cap: int, rest: Ints, border: Ints, least: bool,
    old_keys: Words, old_costs: Costs32, old_limbs: Words, begin: int, stop: int,
    keys: Words, costs: Costs32, limbs: Words, index: Costs32, count: int, children: int, tally: Ints,
    parent: Words, first: Words, state: Words,
) -> tuple[int, int]:  # fmt: skip
    """Take a vertex in the old states begin..stop-1."""
    # One array each: a tuple handed on to a function costs as many reference counts as it has arrays
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


@kernel
def least_by_mark(
    t: FrozenTables, sizes: FrozenSizes, step: int, keys: Words, costs: Costs32, least: Costs32, state: Words
) -> None:
    """Lower the entries of a table to the least cost of a state, after a step, with such a mark."""
    vertex, edge, owner, across, edge_of_bit = t.vertex, t.edge, t.owner, t.across, t.edge_of_bit
    for p in range(len(costs)):
        for k in range(len(state)):
            state[k] = keys[p, k]
        row = _row(_mark(vertex, edge, owner, across, edge_of_bit, sizes, state, step, step + 1), len(least))
        least[row] = min(least[row], costs[p])


# -- taking the vertices one by one: the tables of states, their growth, the limit on memory ---------------------------

GIB = 1 << 30
MEMORY = 8 * GIB
"""Bytes the tables of states may take."""
UNREACHED = np.int32((1 << 31) - 1)
"""A lower bound where there is no completion at all: above every cap."""
SLICE = 4_000_000
"""Most continuations of states between two looks at the clock, a few tenths of a second."""
FIRST_ROWS = 1024
"""Rows that a table of states has room for at first."""
MOST_ROWS = 1 << 30


@dataclass
class Layer:
    """The states after some step: a row each."""

    keys: Words
    costs: npt.NDArray[np.int32]
    limbs: Words
    count: int

    @property
    def bytes_per_row(self) -> int:
        """Memory that a state takes."""
        return 8 * self.keys.shape[1] + 4 + 8 * self.limbs.shape[1]

    def view(self) -> tuple[Words, npt.NDArray[np.int32], Words]:
        """Keys, costs and counts of the rows in use."""
        return self.keys[: self.count], self.costs[: self.count], self.limbs[: self.count]

    def total(self) -> int:
        """The sum of the counts."""
        limbs = self.limbs[: self.count]
        low = (limbs & np.uint64(0xFFFFFFFF)).sum(axis=0, dtype=np.uint64)
        high = (limbs >> np.uint64(32)).sum(axis=0, dtype=np.uint64)
        return sum((int(a) + (int(b) << 32)) << (64 * k) for k, (a, b) in enumerate(zip(low, high, strict=True)))


@dataclass
class Sweep:
    """What a sweep did.

    Attributes
    ----------
    layer
        The last layer: at most one state with cost and count for each value.
    peak_states, peak_bytes
        The largest layer, and the most memory the tables took.
    dropped
        New states dropped because of the cap.
    states
        Size of the layer after each step.
    """

    layer: Layer
    peak_states: int = 0
    peak_bytes: int = 0
    dropped: int = 0
    states: list[int] = field(default_factory=list)


TablesByStep = Sequence[npt.NDArray[np.int32]] | npt.NDArray[np.int32]
"""By step, tables whose lengths are powers of two."""
Watch = Callable[[int, Layer], Layer | None]


def run(
    plan: SweepPlan,
    *,
    counting: bool,
    cap: int | None = None,
    rest: TablesByStep | None = None,
    border: TablesByStep | None = None,
    watch: Watch | None = None,
    begin: int = 0,
    layer: Layer | None = None,
) -> Sweep:
    """Take every vertex of a plan."""
    limit = int(UNREACHED) - 1 if cap is None else cap
    nothing = [np.zeros(1, dtype=np.int32)] * plan.steps
    rests, borders = nothing if rest is None else rest, nothing if border is None else border
    if layer is None:
        layer = _empty(plan.words, 1 if counting else 0, 1)
        layer.keys[0], layer.costs[0], layer.limbs[0], layer.count = 0, 0, 1, 1
    sweep = Sweep(layer)
    for step in range(begin, plan.steps):
        layer = _advance(plan, step, layer, limit, (rests[step], borders[step]), counting, sweep)
        sweep.states.append(layer.count)
        sweep.peak_states = max(sweep.peak_states, layer.count)
        sweep.layer = layer
        if watch is not None:
            followed = watch(step, layer)
            if followed is None:
                break
            sweep.layer = layer = followed
    return sweep


def _advance(
    plan: SweepPlan,
    step: int,
    old: Layer,
    limit: int,
    bounds: tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]],
    counting: bool,
    sweep: Sweep,
) -> Layer:
    children = plan.children(step)
    limbs = -(-max(1, (old.total() * children).bit_length()) // 64) if counting else 0
    new = _empty(plan.words, limbs, max(FIRST_ROWS, children + 1, old.count + old.count // 2))
    index = _index(len(new.keys))
    scratch = [np.empty(plan.words, dtype=np.uint64) for _ in range(3)]
    tally = np.zeros(1, dtype=np.int64)
    done = 0
    some = max(1, SLICE // children)

    def require_room(copied: int = 0) -> None:
        # Rows not yet filled take no memory; the table of row numbers does, and rows copied to a larger table
        room = len(new.keys) if new.count > len(new.keys) // 2 else new.count
        used = old.count * old.bytes_per_row + (room + copied) * new.bytes_per_row + index.nbytes
        sweep.peak_bytes = max(sweep.peak_bytes, used)
        if used > MEMORY or len(new.keys) > MOST_ROWS:
            raise TooLarge(
                f"a sweep of {plan.steps} vertices, at most {plan.widest} on the frontier, has {new.count:,} states at "
                f"vertex {step + 1}: its tables would take more than the limit of {MEMORY / GIB:.2g} GiB"
            )

    while done < old.count:
        require_room()
        done, new.count = take(
            plan.tables, plan.sizes, step, limit, *bounds, not counting,
            *old.view(), done, min(old.count, done + some),
            new.keys, new.costs, new.limbs, index, new.count, children, tally, *scratch,
        )  # fmt: skip
        if new.count > min(len(new.keys), len(index) // 3 * 2) - children:
            require_room(copied=new.count)
            new = _grown(new)
            index = _index(0)  # The old one goes before the next one comes
            index = _index(len(new.keys))
            reindex(new.keys, new.costs, new.count, not counting, index)
    require_room()
    sweep.dropped += int(tally[0])
    return new


def _empty(words: int, limbs: int, rows: int) -> Layer:
    return Layer(
        np.empty((rows, words), dtype=np.uint64), np.empty(rows, dtype=np.int32),
        np.empty((rows, limbs), dtype=np.uint64), 0,
    )  # fmt: skip


def _grown(layer: Layer) -> Layer:
    """The same rows with room for twice as many."""
    grown = _empty(layer.keys.shape[1], layer.limbs.shape[1], 2 * len(layer.keys))
    grown.keys[: layer.count], grown.costs[: layer.count], grown.limbs[: layer.count] = layer.view()
    grown.count = layer.count
    return grown


def _index(rows: int) -> npt.NDArray[np.int32]:
    """An empty hash table for that many rows, at most two thirds full."""
    return np.full(1 << (rows * 3 // 2).bit_length(), -1, dtype=np.int32)


def select(layer: Layer, rows: npt.NDArray[Any]) -> Layer:
    """Some rows of a layer."""
    keys, costs, limbs = (part[rows] for part in layer.view())
    return Layer(keys, costs, limbs, len(costs))


# -- sweeps from both ends of the board, each making the other smaller -------------------------------------------------
#
# A sweep that takes the vertices in the opposite order decides, having taken the last vertices, exactly the edges that
# touch them.  It charges a pair of those edges as soon as one of the two has both ends among the vertices taken.  So
# what it has charged when all but the first s vertices are taken is exactly a part of what the forward sweep charges
# after s vertices: the least of it bounds what is still to be paid from there, and with it the forward sweep drops
# states that cannot stay within a cap.  What the forward sweep has charged after s vertices does the same for the
# backward sweep.
#
# Both sweeps know something of the chosen edges that join the two parts of the board: to how many of them each of the
# later vertices belongs.  The forward sweep has these degrees in its slots, the backward sweep remembers the edges.
# The *mark* is the sum of a number of the later vertex over these edges: of one solution both sweeps compute the same
# mark, whatever the numbers are, so there is a bound for each mark (modulo the size of the table: marks that fall
# together share the least of their bounds).
#
# Both sweeps ask for the degrees alone.  Every solution is a solution of that, so their bounds hold for it, and there
# are far fewer states.  A sweep whose states are too many drops the dearest.  What was dropped never costs less than
# the cheapest of the dropped states did (weights are not negative), so the bounds hold if they are cut at that cost.
# The sweeps alternate, allowed more and more states, until a backward sweep drops nothing but what the cap allows, or a
# forward sweep has few states without.  Then one forward sweep of the problem itself, which drops nothing else either,
# is the proof.
#
# *The border.*  Where most of the cost is paid in one part of the graph, as crossings are near the border of a board,
# the other vertices may be called *inner*.  A backward sweep of the border asks for the degrees of its vertices alone,
# takes the edges that have an end there, and charges pairs of these.  An edge to an inner vertex is decided when its
# other end is taken, so nothing is charged before the sweep of the whole problem charges it: the least cost bounds what
# is still to be paid once more.  This sweep drops nothing, though it has many states; with its bounds the others have
# few.  Its marks are sums over the vertices of the border, which are parts of the marks of the other sweeps.

FIRST_STATES = 100_000
"""States that the first backward sweep may keep at a step."""
GROWTH = 4
"""How many times as many the forward sweep that follows may keep, and the backward sweep after that."""
FEW_STATES = 20_000
"""With so few a forward sweep tells that the sweep of the problem itself will be small, without better bounds."""
MOST_BOUNDS = 1 << 24
"""Most entries of a table of bounds."""
MOST_BITS = 22
"""A table of the border has at most two to this power."""

Bounds = npt.NDArray[np.int32]
"""Lower bounds by number of vertices taken and mark, shape (vertices + 1, a power of two)."""


@dataclass
class BothEnds:
    """The two sweeps of a problem.

    Attributes
    ----------
    before, rest
        What is charged at least by the forward sweep up to, and after, a number of vertices, in every solution within
        the cap.
    peak_states, peak_bytes
        Over all sweeps.
    """

    net: Net
    order: Ints
    costs: Costs
    before: Bounds = field(init=False)
    rest: Bounds = field(init=False)
    peak_states: int = 0
    peak_bytes: int = 0

    def __post_init__(self) -> None:
        n = len(self.order)
        self.whole = make_plan(self.net, self.order, self.costs)
        self.forward = make_plan(loose(self.net), self.order, self.costs)
        self.backward = self._backward(loose(self.net), self.costs)
        degrees = 4**self.forward.widest  # More than there are choices of degrees on the frontier
        width = 1 << max(0, min(MOST_BOUNDS // (n + 1), degrees).bit_length() - 1)
        self.before = np.zeros((n + 1, width), dtype=np.int32)
        self.rest = np.zeros((n + 1, width), dtype=np.int32)

    def lower_bound(self) -> int:
        """A lower bound of the cost of every solution, from one short backward sweep."""
        self._thinned(self.backward, self.rest[::-1], self.before[::-1], int(UNREACHED) - 1, FIRST_STATES)
        return int(self.rest[0].min())

    @cached_property
    def border(self) -> TablesByStep:
        """Bounds of the rest by number of vertices taken, from the backward sweep of the border."""
        n, net, costs = len(self.order), border_of(self.net), self.costs
        tables = [np.zeros(1, dtype=np.int32)] * (n + 1)
        if not self.net.inner.any():
            return tables
        both = net.usable[costs.first] & net.usable[costs.second]
        costs = replace(costs, first=costs.first[both], second=costs.second[both], weight=costs.weight[both])
        plan = self._backward(net, costs)
        room = MEMORY  # The tables of all steps are kept

        def watch(step: int, layer: Layer) -> Layer:
            nonlocal room
            if step < n:
                bits = min(MOST_BITS, layer.count.bit_length())
                room -= 4 << bits
                if room < 0:
                    raise TooLarge("the bounds of the border would take more than the limit of memory")
                tables[n - step - 1] = _least(plan, step, layer, 1 << bits)
            return layer

        self._noted(run(plan, counting=False, watch=watch))
        return tables

    def _backward(self, net: Net, costs: Costs) -> SweepPlan:
        """The plan of a sweep from the other end: a pair is due when the first end of one of its edges is taken."""
        n = len(self.order)
        position = np.full(net.n, n)
        position[self.order] = np.arange(n)
        first_end = position[net.ends].reshape(-1, 2).min(axis=1, initial=n)
        return make_plan(
            net, self.order[::-1], costs, n - 1 - np.maximum(first_end[costs.first], first_end[costs.second])
        )

    def within(self, cap: int | None) -> tuple[Sweep, TablesByStep]:
        """The exact forward sweep of all solutions that cost at most `cap`: its last layer has the least cost."""
        rest = self.rest.copy()
        if cap is not None:
            before, states, exact = self.before.copy(), FIRST_STATES, False
            while not exact:
                exact, _ = self._thinned(self.backward, rest[::-1], before[::-1], cap, states)
                if not exact:
                    exact, sweep = self._thinned(self.forward, before, rest, cap, GROWTH * states)
                    if exact and not sweep.layer.count:  # There is no solution within the cap, of which all is true
                        rest[1:] = UNREACHED
                    exact = exact and sweep.peak_states <= FEW_STATES
                    states *= GROWTH
        after = self._after(self.whole, rest)
        border = None if cap is None else self._after(self.whole, self.border)
        sweep = run(self.whole, counting=False, cap=cap, rest=after, border=border)
        return self._noted(sweep), after

    def _thinned(self, plan: SweepPlan, found: Bounds, other: Bounds, cap: int, states: int) -> tuple[bool, Sweep]:
        """Sweep one way with at most so many states at a step; raise the bounds `found`."""
        n = len(self.order)
        floor = int(UNREACHED)

        def watch(step: int, layer: Layer) -> Layer | None:
            nonlocal floor
            taken = step + 1
            if taken > n:  # The hub
                return layer
            np.maximum(found[taken], np.minimum(_least(plan, step, layer, found.shape[1]), floor), out=found[taken])
            if layer.count > states:
                _, costs, _ = layer.view()
                dear = int(np.partition(costs, states)[states])
                floor = min(floor, dear)
                layer = select(layer, np.flatnonzero(costs < dear))
            if not layer.count:
                np.maximum(found[taken + 1 :], floor, out=found[taken + 1 :])
                return None
            return layer

        after, border = self._after(plan, other), self._after(plan, self.border) if plan is self.forward else None
        sweep = run(plan, counting=False, cap=cap, rest=after, border=border, watch=watch)
        return floor == UNREACHED, self._noted(sweep)

    def _after(self, plan: SweepPlan, bounds: TablesByStep) -> TablesByStep:
        """Bounds by number of vertices taken as bounds by step; when the hub is taken there is no more to pay."""
        return [*bounds[1:], *[np.zeros(1, dtype=np.int32)] * (plan.steps - len(self.order))]

    def _noted(self, sweep: Sweep) -> Sweep:
        self.peak_states = max(self.peak_states, sweep.peak_states)
        self.peak_bytes = max(self.peak_bytes, sweep.peak_bytes)
        return sweep


def _least(plan: SweepPlan, step: int, layer: Layer, width: int) -> npt.NDArray[np.int32]:
    """The least cost of a state after a step by mark: a table of that length, a power of two."""
    keys, costs, _ = layer.view()
    row = np.full(width, UNREACHED, dtype=np.int32)
    least_by_mark(plan.tables, plan.sizes, step, keys, costs, row, np.empty(plan.words, dtype=np.uint64))
    return row


# -- the questions a sweep answers -------------------------------------------------------------------------------------


def count(
    case: Case,
    *,
    by_value: bool = False,
    at_most: int | None = None,
    order: Sequence[int] | None = None,
    winding: Winding | None = None,
) -> dict[int, int]:
    """The exact number of solutions of each value; of all, under 0, unless values are asked for.

    Parameters
    ----------
    at_most
        Count only the solutions of at most this value, by value.
    order
        The vertices in the order they are taken; None: a good one.
    """
    valued = by_value or at_most is not None
    if case.connectivity == "path" and case.n == 1:
        return {0: 1} if at_most is None or at_most >= 0 else {}
    net, taken = net_of(case, winding=winding), _order_of(case, order)
    costs = costs_of(net, case.weights) if valued else no_costs()
    rest = cap = None
    if at_most is not None:
        cap = costs.cap(at_most)
        _, rest = BothEnds(net, taken, costs).within(cap)
    sweep = run(make_plan(net, taken, costs), counting=True, cap=cap, rest=rest)
    _, paid, counts = sweep.layer.view()
    return {
        costs.value(int(cost)): sum(int(limb) << (64 * k) for k, limb in enumerate(limbs))
        for cost, limbs in sorted(zip(paid.tolist(), counts.tolist(), strict=True))
    }


def least(
    case: Case,
    *,
    at_most: int | None = None,
    potentials: Potentials | None = None,
    relaxed: bool = False,
    inner: Sequence[int] = (),
    order: Sequence[int] | None = None,
) -> int | None:
    """The least value of a solution; None if there is none of at most `at_most`.

    Parameters
    ----------
    at_most
        Without it caps are tried from the lower bound up until there is a solution, which takes much longer.
    potentials
        Any are valid, good ones make the sweep much smaller.
    relaxed
        Ask for the degrees alone: a lower bound.
    inner
        Vertices where little is paid: the sweep of the border leaves them out.
    order
        As for `count`.
    """
    if case.connectivity == "path" and case.n == 1:
        return 0 if at_most is None or at_most >= 0 else None
    net = net_of(case, relaxed, inner)
    costs = costs_of(net, case.weights, potentials)
    both = BothEnds(net, _order_of(case, order), costs)
    for cap in [at_most] if at_most is not None else _caps(costs, both.lower_bound()):
        sweep, _ = both.within(None if cap is None else costs.cap(cap))
        if sweep.layer.count:
            return costs.value(int(sweep.layer.costs[0]))
        if not sweep.dropped:
            break
    return None


def has_solution(case: Case, order: Sequence[int] | None = None) -> bool:
    """Whether there is a solution at all."""
    if case.connectivity == "path" and case.n == 1:
        return True
    plan = make_plan(net_of(case), _order_of(case, order), no_costs())
    return run(plan, counting=False).layer.count > 0


def _order_of(case: Case, order: Sequence[int] | None) -> Ints:
    return good_order(case) if order is None else np.array(order, dtype=np.int64)


def _caps(costs: Costs, lowest: int) -> Iterator[int | None]:
    """Caps from that of a lower bound of the cost up, in growing strides; None, no cap, is the last."""
    cap, stride = -(-(costs.constant + lowest) // costs.denominator), 1
    most = (costs.constant + int(costs.weight.sum())) // costs.denominator
    while cap < most:
        yield cap
        cap, stride = cap + stride, stride + 1
    yield None
