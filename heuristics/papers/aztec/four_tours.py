"""Four closed tours of equal length that cover an Aztec diamond, for the half of Lemma 3 that the paper leaves open.

A quarter turn moves every cell, so its orbits have four cells each. A closed tour with one cell in each orbit has
n(n+1)/2 cells, and its images under the turn are three more, which share no cell with it. Such a tour is a Hamiltonian
cycle of the graph of the orbits whose moves return to the cell where they began: a move leads from a turned copy of the
orbits into another, by a number of turns, and these sum to a multiple of four.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from heuristics.find import search
from kt_models.board import Board
from kt_models.errors import CertificateError
from kt_models.graph import MoveGraph
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.symmetry import Symmetry

MAX_TRIED = 200
"""Most cycles of the orbits that are tried; nearly every second one will do where there are many."""
MAX_COVERED = 24
"""Most cells of a board that is covered by cycles in every way."""
MAX_LISTED_ORBITS = 10
"""Most orbits whose cycles are all tried."""

VertexCycle = list[int]


def four_equal_tours(radius: int, limits: Limits = NO_LIMITS) -> list[VertexCycle] | None:
    """Four closed tours of equal length that cover all cells; None if none were found, or their length would be odd.

    On radius 3 all ways are tried. Above, the tours are images of each other under a quarter turn.

    Raises
    ------
    Stopped
        If the limits are reached.
    """
    graph = MoveGraph.of(Board.aztec(radius))
    assert graph.board is not None
    if graph.n // 4 % 2:
        return None
    if graph.n <= MAX_COVERED:
        tours = _covering(graph, graph.n // 4, limits)
        if tours is not None:
            require_equal_tours(graph, tours)
        return tours
    turn = Symmetry.parse("rot90", 2).permutation(graph.board)
    images = np.stack([np.arange(graph.n), turn, turn[turn], turn[turn[turn]]])
    orbit = {int(v): k for k, v in enumerate(np.unique(images.min(axis=0)))}
    of = np.array([orbit[int(v)] for v in images.min(axis=0)])
    # How many quarter turns lead from the first cell of its orbit to each cell.
    turns = np.zeros(graph.n, dtype=np.int64)
    for v in orbit:
        for k in range(4):
            turns[images[k, v]] = k
    voltages: dict[tuple[int, int], set[int]] = defaultdict(set)
    for u, v in graph.ends.tolist():
        for a, b in ((u, v), (v, u)):
            if of[a] != of[b]:
                voltages[int(of[a]), int(of[b])].add(int(turns[b] - turns[a]) % 4)
    first = list(orbit)
    for cycle in _cycles(len(orbit), voltages, limits):
        if (steps := _returning(cycle, voltages)) is not None:
            at, tour = 0, []
            for vertex, step in zip(cycle, steps, strict=True):
                tour.append(int(images[at % 4, first[vertex]]))
                at += step
            tours = [[int(images[k, v]) for v in tour] for k in range(4)]
            require_equal_tours(graph, tours)
            return tours
    return None


def require_equal_tours(graph: MoveGraph, tours: list[VertexCycle]) -> None:
    """Check that cycles of moves have equal lengths, and cover each vertex of a graph once.

    Raises
    ------
    CertificateError
        If they do not.
    """
    moves = {frozenset(pair) for pair in graph.ends.tolist()}
    for tour in tours:
        steps = zip(tour, tour[1:] + tour[:1], strict=True)
        if len(tour) < 3 or not all(frozenset(step) in moves for step in steps):
            raise CertificateError("a tour makes a step that is no move")
    if sorted(v for tour in tours for v in tour) != list(range(graph.n)) or len(set(map(len, tours))) > 1:
        raise CertificateError("the tours do not cover the cells once, in equal shares")


def _covering(graph: MoveGraph, length: int, limits: Limits) -> list[VertexCycle] | None:
    """Cycles of a length that cover each vertex once: every way is tried."""
    near = [set(graph.neighbours[graph.indptr[v] : graph.indptr[v + 1]].tolist()) for v in range(graph.n)]

    def cover(free: frozenset[int]) -> list[VertexCycle] | None:
        if not free:
            return []
        walks = [[min(free)]]
        while walks:
            limits.check()
            walk = walks.pop()
            if len(walk) < length:
                walks += [[*walk, w] for w in near[walk[-1]] & free if w not in walk]
            elif length > 2 and walk[0] in near[walk[-1]] and (rest := cover(free - set(walk))) is not None:
                return [walk, *rest]
        return None

    return cover(frozenset(range(graph.n)))


def _cycles(n: int, voltages: dict[tuple[int, int], set[int]], limits: Limits) -> Iterator[VertexCycle]:
    """Hamiltonian cycles of the orbits: all of few, otherwise some that searches find."""
    pairs = sorted({(min(pair), max(pair)) for pair in voltages})
    if n <= MAX_LISTED_ORBITS:
        walks = [[0]]
        while walks:
            limits.check()
            walk = walks.pop()
            if len(walk) < n:
                walks += [[*walk, w] for w in range(n) if w not in walk and (walk[-1], w) in voltages]
            elif n > 2 and (walk[-1], 0) in voltages:
                yield walk
        return
    problem = Problem(MoveGraph.from_edges(n, pairs))
    for seed in range(MAX_TRIED):
        limits.check()
        tour = search(problem, replace(limits, seed=limits.seed + seed), quick=True).tour
        if tour is None:
            return
        yield tour.order.tolist()


def _returning(cycle: VertexCycle, voltages: dict[tuple[int, int], set[int]]) -> list[int] | None:
    """Numbers of turns for the steps of a cycle that sum to a multiple of four; None if no choice does."""
    steps = list(zip(cycle, cycle[1:] + cycle[:1], strict=True))
    reached: list[dict[int, tuple[int, int]]] = []
    sums = {0}
    for step in steps:
        ways = {(total + turn) % 4: (total, turn) for total in sums for turn in voltages[step]}
        reached.append(ways)
        sums = set(ways)
    if 0 not in sums:
        return None
    total, chosen = 0, []
    for ways in reversed(reached):
        total, turn = ways[total]
        chosen.append(turn)
    return chosen[::-1]
