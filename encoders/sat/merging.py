"""Local exchanges on the answer of a SAT solver: `heuristics.merging` on the plain graph of a tour problem.

They do not apply to linkages, nor to symmetric tours, in which every place of an orbit must change at once:
`heuristics.symmetric_merge` does that, but within this loop it took longer (8×8 rot90 not settled in 6 s of processor
time, 0.06 s without; 50×50 rot180 not in 7 s, 0.4 s without).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from heuristics.merging import merge_cycles
from heuristics.simple_graph import SimpleGraph, simple_graph_of
from heuristics.two_factor import random_cover
from kt_models.board import IntArray
from kt_models.limits import Limits
from kt_models.problem import Problem
from kt_models.walks import walks_of


class Merged(NamedTuple):
    """The result of exchanges: the number of components, and the edges (if one component is left, those of a tour)."""

    components: int
    edges: IntArray


class Merger:
    """Exchanges that merge the components of edges with the right degrees; see `merger_of`."""

    def __init__(self, problem: Problem, instance: SimpleGraph, seed: int) -> None:
        n, graph = problem.graph.n, instance.graph
        self._problem, self._instance = problem, instance
        self._rng = np.random.default_rng((seed, 1))
        balanced = instance.colour is not None and 2 * np.count_nonzero(instance.colour[:n]) == n
        self._joints = range(n, n) if problem.closed else range(n, n + (2 if balanced else 1))
        self._subdivides = np.arange(graph.n) >= self._joints.stop  # Vertices of degree 2 within required moves.
        self._fixed = graph.ends[self._subdivides[graph.tails] | self._subdivides[graph.heads]]
        allowed = np.setdiff1d(np.arange(problem.graph.m), list(problem.forbidden))
        keys = _keys(problem.graph.ends[allowed], n)
        order = np.argsort(keys, kind="stable")
        self._keys, self._edges = keys[order], allowed[order]

    def merge(self, edges: IntArray, limits: Limits) -> Merged | None:
        """Merge the components of some edges; None if the edges are not cycles of the plain graph."""
        links = self._links(edges)
        return None if links is None else self._merged(links, limits)

    def begin_anew(self, limits: Limits) -> Merged | None:
        """Merge the cycles of a random 2-factor; None if there is none."""
        links = random_cover(self._instance.graph, self._instance.colour, self._rng, limits)
        return None if links is None else self._merged(links, limits)

    def _merged(self, links: IntArray, limits: Limits) -> Merged:
        graph = self._instance.graph
        components = merge_cycles(graph, links, self._rng, limits)
        if components == 1:
            pairs = np.stack([np.repeat(np.arange(graph.n), 2), links.reshape(-1)], axis=1)
            once = np.unique(np.sort(pairs, axis=1), axis=0)
            (cycle,) = walks_of(graph.n, once)
            return Merged(1, self._instance.lift(np.array(cycle.vertices, dtype=np.int32)).edges)
        n = self._problem.graph.n
        pairs = np.stack([np.repeat(np.arange(n), 2), links[:n].reshape(-1)], axis=1)
        inner = np.unique(_keys(pairs[pairs[:, 1] < n], n))
        chosen = self._edges[np.searchsorted(self._keys, inner)]
        return Merged(components, np.union1d(chosen, list(self._problem.required)).astype(np.int32))

    def _links(self, edges: IntArray) -> IntArray | None:
        problem, graph = self._problem, self._instance.graph
        free = np.setdiff1d(edges, list(problem.required))
        pairs = [problem.graph.ends[free], self._fixed]
        if not problem.closed:
            degree = np.bincount(problem.graph.ends[edges].reshape(-1), minlength=problem.graph.n)
            for v in np.flatnonzero(degree < 2).tolist():
                joints = set(graph.neighbours[graph.indptr[v] : graph.indptr[v + 1]].tolist()) & set(self._joints)
                pairs += [np.array([[v, joint]]) for joint in joints]
        both = np.concatenate(pairs)
        both = np.concatenate([both, both[:, ::-1]])
        if len(both) != 2 * graph.n or (np.bincount(both[:, 0], minlength=graph.n) != 2).any():
            return None
        order = np.argsort(both[:, 0], kind="stable")
        return np.ascontiguousarray(both[order, 1].reshape(-1, 2), dtype=np.int32)


def merger_of(problem: Problem, seed: int) -> Merger | None:
    """The merger for a problem; None if exchanges do not apply."""
    if (
        problem.connectivity not in ("cycle", "path")
        or problem.symmetry
        or problem.graph.n < 3
        or problem.is_constrained
    ):
        return None
    instance = simple_graph_of(problem)
    return None if instance is None else Merger(problem, instance, seed)


def _keys(ends: IntArray, n: int) -> IntArray:
    """One number for each pair of vertices, in either order."""
    wide = ends.astype(np.int64)
    return np.asarray(wide.min(axis=1) * n + wide.max(axis=1))
