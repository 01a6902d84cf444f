"""Properties of graphs that are too large or too hard for the compiled searches, by ordinary solves of their parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from kt_models.directed import DirectedGraph, SplitGraph
from kt_models.graph import MoveGraph
from kt_models.limits import Limits


def has_property(graph: MoveGraph, name: str, limits: Limits) -> bool | None:
    """Whether a graph has a property of `heuristics.small_graphs.properties.PROPERTIES`.

    Lengths of cycles, and edges in every or in no cycle, are not asked of large graphs: their answer is unknown.
    """
    n = graph.directed.n if isinstance(graph, SplitGraph) else graph.n
    if name == "hamiltonian":
        return _has_tour(graph, limits)
    if name == "traceable":
        return _has_tour(graph, limits, open=True)
    if name in ("hypohamiltonian", "hypotraceable"):
        is_open = name == "hypotraceable"
        if n < 3:
            return False
        parts = _all(_has_tour(_without(graph, vertex), limits, open=is_open) for vertex in range(n))
        if parts is not True:
            return parts
        whole = _has_tour(graph, limits, open=is_open)
        return None if whole is None else not whole
    if name == "hamilton-connected":
        return _all(_has_tour(graph, limits, open=True, start=u, end=v) for u, v in _pairs(graph, n))
    if name == "hamilton-laceable" and not isinstance(graph, SplitGraph):
        classes = _classes(graph)
        if classes is None:
            return False
        pairs = ((u, v) for u in classes[0] for v in classes[1])
        return _all(_has_tour(graph, limits, open=True, start=u, end=v) for u, v in pairs)
    return None


def _all(verdicts: Iterable[bool | None]) -> bool | None:
    """Whether all hold; it ends with the first that does not."""
    unknown = False
    for verdict in verdicts:
        if verdict is False:
            return False
        unknown = unknown or verdict is None
    return None if unknown else True


def _pairs(graph: MoveGraph, n: int) -> Iterator[tuple[int, int]]:
    for u in range(n):
        for v in range(n) if isinstance(graph, SplitGraph) else range(u + 1, n):
            if u != v:
                yield u, v


def _has_tour(graph: MoveGraph, limits: Limits, **conditions: Any) -> bool | None:
    from encoders.solve import solve
    from kt_models.files.problems import problem_from

    limits.check()
    status = solve(problem_from(graph, **conditions), limits=replace(limits, workers=1)).status
    return {"feasible": True, "infeasible": False}.get(status)


def _without(graph: MoveGraph, vertex: int) -> MoveGraph:
    """A graph without one of its vertices; the others keep their order."""
    directed = isinstance(graph, SplitGraph)
    ends = (graph.directed.arcs if isinstance(graph, SplitGraph) else graph.ends).astype(np.int64)
    kept = ends[(ends != vertex).all(axis=1)]
    kept = kept - (kept > vertex)
    n = (graph.directed.n if isinstance(graph, SplitGraph) else graph.n) - 1
    return DirectedGraph.from_arcs(n, kept).split() if directed else MoveGraph.from_edges(n, kept, "part")


def _classes(graph: MoveGraph) -> tuple[list[int], list[int]] | None:
    """The classes of a connected bipartite graph; None of any other."""
    near: list[list[int]] = [[] for _ in range(graph.n)]
    for u, v in graph.ends.tolist():
        near[u].append(v)
        near[v].append(u)
    side = {0: 0}
    todo = [0]
    for u in todo:  # The list grows during the loop.
        for v in near[u]:
            if v not in side:
                side[v] = 1 - side[u]
                todo.append(v)
            elif side[v] == side[u]:
                return None
    if len(side) < graph.n:
        return None
    return [v for v in side if not side[v]], [v for v in side if side[v]]
