"""Numbers of Hamiltonian cycles or paths of small graphs: a search for a few, a sum over sets of vertices for many."""

from __future__ import annotations

from typing import Any

import numpy as np

from heuristics.small_graphs.bit_sets import first, least, without_least
from heuristics.small_graphs.search import OUT_OF_STEPS, count_orders
from heuristics.small_graphs.tails import tails
from kt_models.files.graph_lists.block import DIRECTED, KIND, MAX_SMALL, ROW, SIZE
from kt_models.jit import kernel
from kt_models.kernel.sweeps.bits import bare_kernel

MAX_SUMMED = 18
"""Most vertices of a graph whose tours are counted over all sets of vertices: tables of 38 MB."""


@bare_kernel
def _summed(n: int, vertices: Any, starts: Any, ends: Any, out: Any, table: Any) -> int:
    """The number of orders of the vertices, all below n, by the set of the first ones and the last of these (Bellman
    1962, Held and Karp 1962).
    """
    for place in range((1 << n) * n):
        table[place] = 0
    todo = starts & vertices
    while todo:
        v = least(todo)
        todo = without_least(todo)
        table[(1 << v) * n + v] = 1
    whole = np.int64(vertices)
    for chosen in range(1, whole):
        if chosen & ~whole:
            continue
        inside = np.uint64(chosen)
        while inside:
            v = least(inside)
            inside = without_least(inside)
            ways = table[chosen * n + v]
            if ways:
                after = out[v] & vertices & ~np.uint64(chosen)
                while after:
                    w = least(after)
                    after = without_least(after)
                    table[(chosen | 1 << w) * n + w] += ways
    total = 0
    todo = ends & vertices
    while todo:
        v = least(todo)
        todo = without_least(todo)
        total += table[whole * n + v]
    return total


@kernel("int64(int64[:, ::1], uint64[::1], boolean, int64, int64, int64[::1], int64[::1])")
def count_tours(records: Any, rows: Any, closed: bool, budget: int, wanted: int, counts: Any, stop: Any) -> int:
    """Count the Hamiltonian cycles, or paths, of each small graph; tours of undirected graphs have no direction.

    Parameters
    ----------
    records, rows
        As of a `GraphBlock`.
    budget
        Most steps of a search.
    wanted
        A count ends with this number; 0 for all.
    counts
        Gets the numbers; `OUT_OF_STEPS` for a graph that took too many steps, or has no bit sets.
    stop
        The work ends when its only value is set.

    Returns
    -------
    int
        How many graphs were looked at.
    """
    into = np.empty(MAX_SMALL, dtype=np.uint64)
    choices = np.empty(MAX_SMALL, dtype=np.uint64)
    path = np.empty(MAX_SMALL, dtype=np.uint8)
    table = np.empty(1, dtype=np.int64)
    for g in range(len(records)):
        if stop[0]:
            return g
        n = records[g, SIZE]
        if n < 1:
            counts[g] = OUT_OF_STEPS
            continue
        out = rows[records[g, ROW] : records[g, ROW] + n]
        directed = records[g, KIND] == DIRECTED
        if directed:
            tails(n, out, into)
        back = into if directed else out
        if closed and n < (2 if directed else 3):
            counts[g] = 0
            continue
        # A cycle is counted from its vertex of greatest number, whose neighbours begin and end the order of the others
        start = n - 1
        vertices = first(n - 1) if closed else first(n)
        starts = out[start] if closed else vertices
        ends = back[start] if closed else vertices
        size = n - 1 if closed else n
        count = count_orders(vertices, starts, ends, out, back, directed, path, choices, size, budget, wanted)
        if count == OUT_OF_STEPS and size <= MAX_SUMMED and budget > 0:
            if len(table) < (1 << size) * size:
                table = np.empty((1 << size) * size, dtype=np.int64)
            count = _summed(size, vertices, starts, ends, out, table)
            if not directed and size > 1:
                count //= 2
        counts[g] = count
    return len(records)
