"""Closed tours that a symmetry of any order turns: cycles through all orbits of cells, counted one by one.

Let every orbit of cells under a symmetry g of order k > 2 have k cells. A tour that g maps to itself is turned by it,
so the orbits of its moves are one cycle through all orbits of cells. A move from the least cell of an orbit leads to
g^s of the least cell of another; the sum of these s along the cycle tells where one comes back. The cycle is the image
of one tour exactly if the sum has no common divisor with k.
"""

from __future__ import annotations

from math import gcd

import numpy as np

from kt_models.board import IntArray
from kt_models.graph import MoveGraph
from kt_models.jit import kernel
from kt_models.kernel.sweeps.bits import Ints
from kt_models.limits import NO_LIMITS, Limits
from kt_models.symmetry import orbits

STEPS_PER_LOOK = 20_000_000
"""Steps of the search between two looks at the limits: some tenths of a second."""


def count_turned(graph: MoveGraph, step: Ints, order: int, edges: IntArray, limits: Limits = NO_LIMITS) -> int:
    """The number of closed tours that a symmetry turns.

    Parameters
    ----------
    step, edges
        The image of each cell and of each move under the symmetry.
    order
        Its order, more than 2; every cell has this many images.

    Raises
    ------
    Stopped
        If the limits are reached.
    """
    least = orbits([step.astype(np.int32)], graph.n)
    first = np.flatnonzero(least == np.arange(graph.n))
    shift = np.zeros(graph.n, dtype=np.int64)  # By what power the least cell of the orbit comes to a cell
    images = first
    for k in range(order):
        shift[images] = k
        images = step[images]
    orbit = np.searchsorted(first, least)
    least_edge = orbits([edges], graph.m)
    start: list[int] = [0]
    to: list[int] = []
    by: list[int] = []
    name: list[int] = []
    for cell in first.tolist():
        for edge in graph.edges_of(cell).tolist():
            other = int(graph.tails[edge]) + int(graph.heads[edge]) - cell
            to.append(int(orbit[other]))
            by.append(int(shift[other]))
            name.append(int(least_edge[edge]))
        start.append(len(to))
    primitive = np.array([gcd(k, order) == 1 for k in range(order)])
    if len(first) == 1:
        return int(primitive[by].sum()) // 2
    if len(first) == 2:  # Out and back by two different moves
        there = [(s, e) for t, s, e in zip(to[: start[1]], by, name, strict=False) if t == 1]
        return sum(bool(primitive[(s - t) % order]) for s, e in there for t, f in there if e != f) // 2
    state = np.zeros(2, dtype=np.int64)  # The length of the path, and the number of cycles found
    path, dart, total = (np.zeros(len(first) + 1, dtype=np.int64) for _ in range(3))
    used = np.zeros(len(first), dtype=np.bool_)
    tables = tuple(np.array(table, dtype=np.int64) for table in (start, to, by))
    used[0] = True
    while _search(tables, primitive, path, dart, total, used, state, STEPS_PER_LOOK):
        limits.check()
    return int(state[1]) // 2


@kernel(
    "boolean(UniTuple(int64[::1], 3), boolean[::1], int64[::1], int64[::1], int64[::1], "
    "boolean[::1], int64[::1], int64)"
)
def _search(tables, primitive, path, dart, total, used, state, steps):  # type: ignore[no-untyped-def]
    """Go on with the search for so many steps; whether it is not finished.

    `path` are the orbits, `dart[i]` the next move to be tried from `path[i]`, counted from the first of that orbit, and
    `total` the sum of shifts; `state` has the index of the last orbit and the number of cycles.
    """
    start, to, by = tables
    size, order = len(used), len(primitive)
    depth = state[0]
    for _ in range(steps):
        orbit = path[depth]
        place = start[orbit] + dart[depth]
        if place == start[orbit + 1]:
            if depth == 0:
                state[0] = 0
                return False
            used[orbit] = False
            depth -= 1
            continue
        dart[depth] += 1
        following = to[place]
        sum_ = (total[depth] + by[place]) % order
        if following == 0 and depth == size - 1 and primitive[sum_]:
            state[1] += 1
        if used[following]:
            continue
        depth += 1
        used[following] = True
        path[depth] = following
        dart[depth] = 0
        total[depth] = sum_
    state[0] = depth
    return True
