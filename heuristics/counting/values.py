"""Counting tours by turns, crossings, or any other sum of weights of pairs of edges, from both ends of the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from queue import SimpleQueue

import numpy as np

from heuristics.counting.count import FEWEST, HalvesEffort
from heuristics.counting.join import MOST_DENSE, relabel
from heuristics.counting.meet import WRITTEN, Meeting
from heuristics.counting.plan import Half, halves, in_common, middle, require_cut
from heuristics.counting.states import MOST_SLOTS, RANK_BITS, compact
from heuristics.counting.sweep import CHUNK, FULLEST, HalfTables, TooMany
from heuristics.counting.value_plan import Across, ValueStep, pair_weights, value_steps
from heuristics.counting.value_step import EDGES, branch_by_value, enter_by_value, join_by_value
from kt_models.certificates.frontier.layout import checked_order, net_of
from kt_models.certificates.frontier.plan import Words
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.problem import Problem, require_plain

ROW = 24
"""Bytes of a state."""
LARGEST_VALUE = 1 << 14
"""A sum of weights without their signs is below: it has to fit above the remembered edges."""
VECTOR_BYTES = 1 << 26
"""Of the vectors that are glued."""
PIECE = 1 << 17
"""Rows of the first half that are joined at a time."""
TABLE = 1 << 12
"""Rows of a table at first."""


@dataclass(frozen=True)
class ValueCounts(HalvesEffort):
    """How many tours have which value, and what it took.

    Parameters
    ----------
    by_value
        For each value of the objective the number of tours.
    """

    by_value: dict[int, int]

    @property
    def total(self) -> int:
        """All tours."""
        return sum(self.by_value.values())


def count_values_by_halves(
    problem: Problem, *, order: Sequence[int] | None = None, cut: int | None = None,
    limits: Limits = NO_LIMITS, on_progress: Listener = silent,
) -> ValueCounts | None:  # fmt: skip
    """The exact number of tours with each value of the objective, undirected and with no symmetry taken off.

    Parameters
    ----------
    order, cut
        As for `count_by_halves`.

    Returns
    -------
    ValueCounts or None
        None where this cannot count: as for `count_by_halves`, and where values are large or more edges have to be
        remembered than there are bits.

    Raises
    ------
    TooLarge
        If the tables would take more memory.
    Stopped
        If the limits end it.
    KTError
        If symmetry is asked for, there is no objective, or the order or the cut makes no sense.
    """
    require_plain(problem, "a sweep")
    weights = problem.weights
    if problem.symmetry:
        raise KTError("a sweep does not count symmetric solutions")
    if weights is None:
        raise KTError("counting by value needs an objective")
    if problem.connectivity not in ("cycle", "path") or problem.graph.n < FEWEST:
        return None
    net, taken = net_of(problem), checked_order(problem.graph, order)
    constant, both = pair_weights(net, weights)
    offset = sum(abs(w) for row in both.values() for w in row.values())
    if offset >= LARGEST_VALUE:
        return None
    at = middle(net, taken)[0] if cut is None else cut
    require_cut(at, taken)
    parts = halves(net, taken, at)
    if parts is None:
        return None
    plan = value_steps(net, parts, both)
    if plan is None:
        return None
    *plans, across = plan
    tables = HalfTables(limits, on_progress)
    try:
        layers, states = _sweep(tables, parts, (plans[0], plans[1]))
    except TooMany:
        return None
    numbers, pairs = _meet(tables, parts, layers, across, offset)
    by_value = {constant - offset + v: number for v, number in enumerate(numbers) if number}
    return ValueCounts(at, states, pairs, tables.peak_bytes, by_value)


def _sweep(
    tables: HalfTables, parts: tuple[Half, Half], plans: tuple[list[ValueStep], list[ValueStep]]
) -> tuple[tuple[Words, Words], tuple[tuple[int, ...], tuple[int, ...]]]:
    """The last layers of both halves; what these have in common is swept once."""
    common = in_common(*(list(zip(half.steps, plan, strict=True)) for half, plan in zip(parts, plans, strict=True)))
    start = np.array([[~np.uint64(0), 0, 1]], dtype=np.uint64)
    shared: list[int] = []
    base = _go_on(tables, parts[0], plans[0], 0, common, start, 0, "both halves", shared)
    ends: list[Words] = []
    states = []
    for half, plan, name in zip(parts, plans, ("first half", "second half"), strict=True):
        counts = list(shared)
        kept = base.nbytes * (len(half.steps) > common) + sum(end.nbytes for end in ends)
        ends.append(_go_on(tables, half, plan, common, len(half.steps), base, kept, name, counts))
        states.append(tuple(counts))
    return (ends[0], ends[1]), (states[0], states[1])


def _go_on(
    tables: HalfTables, half: Half, plan: Sequence[ValueStep], begin: int, end: int, layer: Words, kept: int, name: str,
    counts: list[int],
) -> Words:  # fmt: skip
    """The layer after the steps begin..end-1; `kept` bytes are in use besides."""
    mate = np.zeros(MOST_SLOTS + 1, dtype=np.int64)
    scratch, out = np.empty((CHUNK, 2), dtype=np.uint64), np.empty((CHUNK, 3), dtype=np.uint64)
    for number in range(begin, end):
        told = half.steps[number].arguments(half.slots)
        m = len(told[1])
        most = 1 + m + m * (m - 1) // 2
        if _total(layer) * most >= 1 << 64:
            raise TooMany("the partial tours of a state may be more than 64 bits hold")
        table, count = np.zeros((max(TABLE, 2 * len(layer)), 3), dtype=np.uint64), 0
        for low in range(0, len(layer), CHUNK // most):
            tables.limits.check()
            high = min(len(layer), low + CHUNK // most)
            many = branch_by_value(layer, low, high, *told, *plan[number].arguments, mate, scratch, out)
            if count + many > FULLEST * len(table):
                rows = int(max(1.3 * len(table), 1.6 * (count + many)))
                tables.reserve(kept + layer.nbytes + table.nbytes + ROW * rows)
                larger = np.zeros((rows, 3), dtype=np.uint64)
                enter_by_value(table, len(table), larger, 0)
                table = larger
            count = enter_by_value(out, many, table, count)
            words = f"{name}, step {number + 1} of {len(half.steps)}: {count:,} states from {high / len(layer):.0%}"
            tables.on_progress(Report(words=words))
        tables.reserve(kept + layer.nbytes + table.nbytes)
        compact(table)
        table.resize((count, 3), refcheck=False)
        layer = table
        tables.peak_states = max(tables.peak_states, count)
        counts.append(count)
    return layer


def _total(layer: Words) -> int:
    low, high = layer[:, 2] & np.uint64(0xFFFFFFFF), layer[:, 2] >> np.uint64(32)
    return int(low.sum()) + (int(high.sum()) << 32)


def _meet(
    tables: HalfTables, parts: tuple[Half, Half], layers: tuple[Words, Words], across: Across, offset: int,
) -> tuple[list[int], int]:  # fmt: skip
    """By value from -offset on the tours, 128 bits each; and how many pairs of states were tried one by one."""
    meeting = Meeting(tables, parts)
    tables.reserve(sum(layer.nbytes for layer in layers) + 2 * max(layer.nbytes for layer in layers))
    scratch = np.zeros((2, MOST_SLOTS + 1), dtype=np.int64)
    rows = []
    for side, layer in enumerate(layers):
        layer = layer.copy() if side == 0 and layers[0] is layers[1] else layer
        relabel(layer, parts[side].slots, meeting.to[side], side == 1, scratch[0], scratch[1])
        layer[:, 0] = ~layer[:, 0]
        tables.limits.check()
        patterns = layer[:, 0] >> np.uint64(RANK_BITS)
        rows.append(layer[np.lexsort([layer[:, 0], layer[:, 1] & np.uint64(EDGES), patterns])])
    patterns, starts, sizes = np.unique(rows[1][:, 0] >> np.uint64(RANK_BITS), return_index=True, return_counts=True)
    begins = np.atleast_1d(np.searchsorted(rows[0][:, 0] >> np.uint64(RANK_BITS), patterns))
    marks = [*map(int, np.flatnonzero(np.diff(begins // PIECE, prepend=-1))), len(patterns)]
    one, two = [*begins.tolist(), len(rows[0])], [*starts.tolist(), len(rows[1])]
    pieces = [(slice(one[a], one[b]), slice(two[a], two[b])) for a, b in pairwise(marks)]
    desks: SimpleQueue[_Desk] = SimpleQueue()
    made = [_Desk(int(sizes.max(initial=1)), offset) for _ in range(tables.workers)]
    for desk in made:
        desks.put(desk)

    def join(number: int) -> None:
        tables.limits.check()
        first, second = pieces[number]
        desk = desks.get()
        desk.pairs += join_by_value(
            rows[0][first], rows[1][second], across.at, across.masks, across.weights, meeting.images, meeting.at,
            desk.vectors, desk.ends, desk.mate, desk.columns, desk.base, offset, desk.totals,
        )  # fmt: skip
        desks.put(desk)
        tables.on_progress(Report(words=f"joined {number + 1:,} of {len(pieces):,} pieces"))

    tables.each(join, range(len(pieces)))
    numbers = [
        sum(int(desk.totals[v, 0]) + (int(desk.totals[v, 1]) << 64) for desk in made) for v in range(2 * offset + 1)
    ]
    return numbers, sum(desk.pairs for desk in made)


class _Desk:
    """The scratch space of one thread, and what it has counted."""

    def __init__(self, group: int, offset: int) -> None:
        self.vectors = np.zeros(VECTOR_BYTES // 8, dtype=np.uint64)
        self.ends = np.zeros((WRITTEN, MOST_SLOTS + 1), dtype=np.int64)
        self.mate = np.zeros(MOST_SLOTS + 1, dtype=np.int64)
        self.columns = np.zeros(group, dtype=np.int64)
        self.base = np.zeros(MOST_DENSE + 2, dtype=np.int64)
        self.totals = np.zeros((2 * offset + 1, 2), dtype=np.uint64)
        self.pairs = 0
