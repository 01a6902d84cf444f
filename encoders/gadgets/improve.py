"""Better gadgets from a known one: its paths become one cycle outside the region, and `improve` frees windows of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from encoders.improve import improve
from kt_models.board import IntArray
from kt_models.graph import MoveGraph
from kt_models.limits import Limits
from kt_models.problem import Problem
from kt_models.tour import Tour
from kt_models.weights import Weights


def improve_paths(
    problem: Problem,
    paths: Sequence[Sequence[int]],
    limits: Limits,
    accepts: Callable[[IntArray], bool],
    on_better: Callable[[IntArray], object],
) -> None:
    """Look for paths that end and cover the same vertices, are joined as wanted, and cost less.

    Parameters
    ----------
    problem
        A problem with an objective, solved by the paths.
    paths
        The vertices of each path, all vertices of the graph in all.
    limits
        When to end.
    accepts
        Whether the paths with these edges are joined as wanted.
    on_better
        Called with the edges of each better solution.
    """
    graph, weights = problem.graph, problem.weights
    assert weights is not None
    # A new vertex between two ends keeps the link apart from any move between them.
    links = [(path[-1], after[0]) for path, after in pairwise([*paths, paths[0]])]
    outside = [(end, graph.n + k) for k, link in enumerate(links) for end in link]
    closed = MoveGraph.from_edges(graph.n + len(links), np.concatenate([graph.ends, np.array(outside)]), graph.name)
    number = {tuple(ends): e for e, ends in enumerate(closed.ends.tolist())}
    place = np.array([number[a, b] for a, b in np.sort(graph.ends, axis=1).tolist()], dtype=np.int32)
    back = np.full(closed.m, -1, dtype=np.int32)
    back[place] = np.arange(graph.m)
    linked = Problem(
        closed,
        "cycle",
        Weights(place[weights.first], place[weights.second], weights.weight),
        required=frozenset([*(number[ends] for ends in outside), *place[list(problem.required)].tolist()]),
        forbidden=frozenset(place[list(problem.forbidden)].tolist()),
    )
    order = np.array([v for k, path in enumerate(paths) for v in (*path, graph.n + k)], dtype=np.int32)

    def inside(edges: IntArray | None) -> IntArray:
        assert edges is not None
        numbers = back[edges]
        return np.sort(numbers[numbers >= 0])

    improve(
        Tour(closed, order, True),
        linked,
        limits=limits,
        bound=False,
        accepts=lambda edges: accepts(inside(edges)),
        on_improvement=lambda result: on_better(inside(result.edges)),
    )
