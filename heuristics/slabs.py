"""A tour of a large box from tours of its slabs, each searched by itself: this takes the memory of one slab's search.

A slab is a run of rows (places on the first axis), so its cells have consecutive numbers. Let a tour of the slabs so
far have a move (u, v), and the tour of the next slab a move (x, y). If u-x and v-y are moves too, they take the place
of the two and make one tour of both.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from heuristics.simple_graph import SimpleGraph, is_plain, simple_graph_of
from kt_models.board import Board, IntArray, coordinates_of
from kt_models.graph import MoveGraph
from kt_models.problem import Problem

MAX_WHOLE_CELLS = 1 << 20
"""Most cells of a box that is searched as a whole; its search takes some 80 bytes for each."""
SLAB_CELLS = 1 << 18
"""Most cells of a slab, roughly: its search takes some 20 megabytes."""
MIN_SLAB_ROWS = 50
"""Least number of rows of a slab: along a narrow one, an exchange or even a tour may not exist."""


def tour_of_slabs(problem: Problem, search: Callable[[SimpleGraph, int], IntArray | None]) -> IntArray | None:
    """The order of a closed tour of a large box, joined from tours of its slabs.

    Parameters
    ----------
    search
        Makes a tour of a slab with a number, from 0; `None` if it fails.

    Returns
    -------
    IntArray or None
        `None` if the problem is not one of a large box without conditions, or a slab has no tour, or no exchange joins
        two of them: then the box may still have a tour.
    """
    board, leaper = problem.graph.board, problem.graph.leaper
    if board is None or board.mask is not None or not is_plain(problem) or board.n <= MAX_WHOLE_CELLS or board.n % 2:
        return None
    rows, count = board.shape[0], -(-board.n // SLAB_CELLS)
    if rows < count * MIN_SLAB_ROWS:
        return None
    # An even number of rows, so that a slab has as many cells of either colour
    cuts = [*(2 * (rows * number // (2 * count)) for number in range(count)), rows]
    instances: dict[int, SimpleGraph | None] = {}  # Slabs of equal size share their graph
    order: IntArray | None = None
    for number, (first, last) in enumerate(pairwise(cuts)):
        if last - first not in instances:
            slab = Board.box(last - first, *board.shape[1:])
            instances[last - first] = simple_graph_of(Problem(MoveGraph(slab, leaper)))
        instance = instances[last - first]
        cycle = None if instance is None else search(instance, number)
        if cycle is None:
            return None
        base = first * (board.n // rows)
        order = cycle if order is None else _joined(problem.graph, order, cycle + np.int32(base), base)
        if order is None:
            return None
    return order


def _joined(graph: MoveGraph, order: IntArray, cycle: IntArray, base: int) -> IntArray | None:
    """One tour from that of the cells before `base` and that of the cells from there on; `None` if none is found."""
    board, moves = graph.geometry
    signed = np.concatenate([moves, -moves])
    reach = int(np.abs(moves[:, 0]).max()) * (board.n // board.shape[0])
    place = {int(cycle[at]): int(at) for at in np.flatnonzero(cycle < base + reach)}

    def reached(vertex: int) -> list[int]:
        cell = coordinates_of(board, np.array([vertex], dtype=np.int32))
        return [int(number) for number in board.numbers(cell + signed)]

    for at in np.flatnonzero(order >= base - reach).tolist():
        u, v = int(order[at]), int(order[(at + 1) % len(order)])
        wanted = {number for number in reached(v) if number >= base}
        for x in reached(u) if wanted else ():
            if (start := place.get(x)) is None:
                continue
            # From v to u, then from x to its neighbour y on the cycle, which the other move joins to v
            if int(cycle[start - 1]) in wanted:
                return np.concatenate([order[at + 1 :], order[: at + 1], cycle[start:], cycle[:start]])
            if int(cycle[(start + 1) % len(cycle)]) in wanted:
                back, behind = cycle[: start + 1][::-1], cycle[start + 1 :][::-1]
                return np.concatenate([order[at + 1 :], order[: at + 1], back, behind])
    return None
