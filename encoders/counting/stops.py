"""A tour through stops in order is a linkage: a path from each stop to the next, which together visit everything.

A stop belongs to two of these paths. In the graph of the linkage it is two vertices of degree 1, one at which a path
ends and one at which the next begins. Each tour through the stops is one linkage, and each linkage one tour. So a
sweep that counts linkages counts these tours, and whatever is known of several paths serves stops as well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from kt_models.directed import SplitGraph
from kt_models.graph import MoveGraph
from kt_models.problem import Problem
from kt_models.walks import walks_of

CellPair = tuple[int, int]


@dataclass(frozen=True)
class CellLinkage:
    """Paths between given cells, where a cell may be the end of one path and the begin of another.

    Parameters
    ----------
    cell
        The cell of each vertex; a cell where two paths meet has two vertices.
    edges
        Pairs of vertices.
    pairs
        The vertices where each path begins and ends.
    """

    cell: tuple[int, ...]
    edges: tuple[CellPair, ...]
    pairs: tuple[CellPair, ...]

    @classmethod
    def of(cls, count: int, edges: Iterable[CellPair], pairs: Sequence[CellPair]) -> CellLinkage:
        """The linkage of paths between pairs of cells.

        Parameters
        ----------
        count
            Number of cells.
        edges
            Pairs of cells that a path may join.
        """
        ends: list[list[tuple[int, int]]] = [[] for _ in range(count)]  # Of each cell: a path, and 0 or 1 for its end
        for path, pair in enumerate(pairs):
            for side, v in enumerate(pair):
                ends[v].append((path, side))
        cell: list[int] = []
        copies: list[list[tuple[int, int | None]]] = [[] for _ in range(count)]
        at: dict[tuple[int, int], int] = {}
        for v in range(count):
            for path, side in ends[v]:
                at[path, side] = len(cell)
                copies[v].append((len(cell), path))
                cell.append(v)
            if not ends[v]:
                copies[v].append((len(cell), None))
                cell.append(v)
        joined = [
            (a, b)
            for u, v in edges
            for a, first in copies[u]
            for b, second in copies[v]
            if first is None or second is None or first == second
        ]
        return cls(tuple(cell), tuple(joined), tuple((at[p, 0], at[p, 1]) for p in range(len(pairs))))

    @cached_property
    def edge(self) -> dict[CellPair, int]:
        """The number of each edge, in both directions."""
        return {way: e for e, (u, v) in enumerate(self.edges) for way in ((u, v), (v, u))}

    @cached_property
    def _only(self) -> dict[int, int]:
        """The vertex of each cell that is no end."""
        ends = {end for pair in self.pairs for end in pair}
        return {v: vertex for vertex, v in enumerate(self.cell) if vertex not in ends}

    def edges_along(self, ways: Sequence[Sequence[int]]) -> list[int]:
        """The edges of paths, which are in the order of the pairs."""
        chosen = []
        for way, (start, end) in zip(ways, self.pairs, strict=True):
            vertices = [start, *(self._only[v] for v in way[1:-1]), end]
            chosen += [self.edge[step] for step in pairwise(vertices)]
        return chosen

    def ways(self, edges: Sequence[int]) -> tuple[list[tuple[int, ...]], list[list[int]]]:
        """The paths of a set of edges, in the order of the pairs; and the edges of each cycle beside them."""
        rows = np.array([self.edges[e] for e in edges], dtype=np.int64).reshape(-1, 2)
        walks = walks_of(len(self.cell), rows, np.array(edges, dtype=np.int64))
        found = {frozenset((walk.vertices[0], walk.vertices[-1])): walk.vertices for walk in walks if not walk.closed}
        ways = []
        for start, end in self.pairs:
            way = found.get(frozenset((start, end)), ())
            way = way if not way or way[0] == start else way[::-1]
            ways.append(tuple(self.cell[v] for v in way))
        return ways, [list(walk.edges) for walk in walks if walk.closed]

    def chosen(self, graph: MoveGraph, ways: Sequence[Sequence[int]]) -> npt.NDArray[np.int32]:
        """The edges of a graph along paths, in ascending order."""
        steps = (step for way in ways for step in pairwise(way))
        return np.array(sorted(graph.edges_between(u, v)[0] for u, v in steps), dtype=np.int32)

    @property
    def problem(self) -> Problem:
        """The problem of these paths, which `encoders.counting` counts."""
        graph = MoveGraph.from_edges(len(self.cell), self.edges)
        terminals = tuple(end for pair in self.pairs for end in pair)
        return Problem(graph, "path" if len(self.pairs) == 1 else "linkage", None, terminals)


def linkage_of_stops(count: int, edges: Iterable[CellPair], stops: Sequence[int], closed: bool) -> CellLinkage:
    """The linkage of tours through stops: an open one from the first stop to the last, a closed one through three."""
    return CellLinkage.of(count, edges, [*pairwise(stops), *([(stops[-1], stops[0])] if closed else [])])


def as_linkage(problem: Problem) -> CellLinkage | None:
    """The linkage whose solutions are the tours of a problem with stops; None if the problem is another one."""
    stops, graph = problem.in_order, problem.graph
    if (
        len(problem.conditions) != 1
        or not stops
        or problem.optional
        or isinstance(graph, SplitGraph)
        or graph.simple is not graph
    ):
        return None
    if problem.required or problem.symmetry or problem.constraints or problem.objective is not None:
        return None
    if problem.connectivity == "path":
        if len(stops) < 2 or {stops[0], stops[-1]} != set(problem.terminals):
            return None
    elif problem.connectivity != "cycle" or len(stops) < 3:
        return None
    return linkage_of_stops(graph.n, allowed_pairs(graph, problem.forbidden), stops, problem.closed)


def linkage_of_pairs(problem: Problem) -> CellLinkage | None:
    """The linkage of several paths that a problem asks for; None if it asks for something else, or for more."""
    graph, ends = problem.graph, problem.terminals
    if (
        problem.connectivity != "linkage"
        or problem.is_constrained
        or problem.optional
        or problem.required
        or problem.symmetry
    ):
        return None
    if problem.objective is not None or graph.simple is not graph:
        return None
    pairs = list(zip(ends[::2], ends[1::2], strict=True))
    return CellLinkage.of(graph.n, allowed_pairs(graph, problem.forbidden), pairs)


def allowed_pairs(graph: MoveGraph, forbidden: Collection[int] = ()) -> list[CellPair]:
    """The ends of the edges that are not forbidden."""
    return [(u, v) for e, (u, v) in enumerate(graph.ends.tolist()) if e not in forbidden]


def linkage_in(problem: Problem) -> CellLinkage | None:
    """The paths that a problem asks for, between pairs or from stop to stop; None if it asks for something else."""
    return linkage_of_pairs(problem) or as_linkage(problem)
