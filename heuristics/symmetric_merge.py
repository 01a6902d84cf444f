"""Merging of the cycles of a symmetric 2-factor by exchanges of parallel edges at all images at once."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from kt_models.board import IntArray
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.walks import walks_of

MAX_KICKS = 60
"""Exchanges in a row that leave as many cycles as before, until the merging gives up."""


def merge_symmetric(problem: Problem, edges: IntArray, *, seed: int = 0, limits: Limits = NO_LIMITS) -> IntArray:
    """Reduce the number of cycles of a symmetric 2-factor by exchanges.

    An exchange replaces edges (u, v) and (x, y) by (u, x) and (v, y), and does the same to their images under the
    problem's symmetry. It is kept if every degree stays and the number of cycles falls. If there is no such exchange, a
    random one that leaves as many is made instead, at most `MAX_KICKS` times (cycles that are images of one another may
    merge only in pairs, until something else has changed).

    Parameters
    ----------
    problem
        A `cycle` problem; required and forbidden edges are respected.
    edges
        A set of edges with the right degrees that the symmetry maps to itself.
    limits
        Looked at now and then.
    """
    factor = _Factor(problem, set(edges.tolist()), random.Random(seed))
    kicks = 0
    while factor.cycles > 1 and kicks <= MAX_KICKS and not limits.over:
        if not factor.exchange(between=True, most=factor.cycles - 1, limits=limits):
            kicks += 1
            factor.exchange(between=False, most=factor.cycles, limits=limits)
    return np.array(sorted(factor.edges), dtype=np.int32)


class _Factor:
    """A symmetric 2-factor that changes: its edges, the number of their cycles, and the cycle of each vertex."""

    def __init__(self, problem: Problem, edges: set[int], rng: random.Random) -> None:
        graph = problem.graph
        images = [graph.edge_permutation(element) for element in problem.group]
        self.problem, self.graph, self.rng = problem, graph, rng
        self.orbit = [{int(image[e]) for image in images} for e in range(graph.m)]
        self.ends: list[tuple[int, int]] = [(u, v) for u, v in graph.ends.tolist()]
        self.joint = {pair: e for e, (u, v) in enumerate(self.ends) for pair in ((u, v), (v, u))}
        self.edges = edges
        self.cycles, self.place = self._split(edges)

    def _split(self, edges: set[int]) -> tuple[int, list[int]]:
        rows = np.array(sorted(edges))
        walks = walks_of(self.graph.n, self.graph.ends[rows], rows)
        place = [0] * self.graph.n
        for number, walk in enumerate(walks):
            for vertex in walk.vertices:
                place[vertex] = number
        return len(walks), place

    def exchange(self, *, between: bool, most: int, limits: Limits) -> bool:
        """Make the first exchange, in random order, that leaves at most `most` cycles."""
        for out, into in self._exchanges(between):
            if limits.over:
                return False
            changed = (self.edges - out) | into
            cycles, place = self._split(changed)
            if cycles <= most:
                self.edges, self.cycles, self.place = changed, cycles, place
                return True
        return False

    def _exchanges(self, between: bool) -> Iterator[tuple[set[int], set[int]]]:
        """Exchanges of edges that keep every degree; with `between`, of different cycles only."""
        graph, place = self.graph, self.place
        around: list[list[int]] = [[] for _ in range(graph.n)]
        for e in self.edges:
            u, v = self.ends[e]
            around[u].append(v)
            around[v].append(u)
        order = sorted(self.edges)
        self.rng.shuffle(order)
        for e in order:
            for u, v in (self.ends[e], self.ends[e][::-1]):
                for x in graph.neighbours[graph.indptr[u] : graph.indptr[u + 1]].tolist():
                    if x == v or (between and place[x] == place[u]):
                        continue
                    for y in around[x]:
                        if y == u or (v, y) not in self.joint:
                            continue
                        out = self.orbit[e] | self.orbit[self.joint[x, y]]
                        into = self.orbit[self.joint[u, x]] | self.orbit[self.joint[v, y]]
                        fixed = out & self.problem.required or into & (self.problem.forbidden | self.edges)
                        if not fixed and self._degrees_stay(out, into):
                            yield out, into

    def _degrees_stay(self, out: set[int], into: set[int]) -> bool:
        lost = sorted(v for e in out for v in self.ends[e])
        return lost == sorted(v for e in into for v in self.ends[e])
