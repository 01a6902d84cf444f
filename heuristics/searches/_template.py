"""Warnsdorff's rule (1823) with random ties, from random starts, until a walk closes."""

from __future__ import annotations

import numpy as np
from kt.heuristics.method import Method
from kt.heuristics.simple_graph import simple_graph_or_result
from kt.kt_models.limits import NO_LIMITS, Limits
from kt.kt_models.problem import Problem
from kt.kt_models.result import Result


def restarts(problem: Problem, *, limits: Limits = NO_LIMITS, walks: int = 100_000) -> Result:
    """Walk by the rule until a walk is a tour.

    Parameters
    ----------
    walks
        Most walks.
    """
    instance = simple_graph_or_result(problem)
    if isinstance(instance, Result):  # The problem is so small, or so plainly impossible, that no search is needed.
        return instance
    graph, rng = instance.graph, np.random.default_rng(limits.seed)
    near = [graph.neighbours[a:b].tolist() for a, b in zip(graph.indptr, graph.indptr[1:], strict=False)]
    for number in range(1, walks + 1):
        if limits.over:
            break
        left = [len(row) for row in near]
        path = [int(rng.integers(graph.n))]
        left[path[0]] = -1  # Visited
        while ways := [v for v in near[path[-1]] if left[v] >= 0]:
            for v in ways:
                left[v] -= 1
            rng.shuffle(ways)
            path.append(min(ways, key=lambda v: left[v]))
            left[path[-1]] = -1
        if len(path) == graph.n and path[0] in near[path[-1]]:
            return Result(problem, "feasible", instance.lift(np.array(path)), statistics={"walks": number})
    return Result(problem, "unknown", statistics={"walks": walks})


METHOD = Method(restarts, "Warnsdorff's rule with random ties, begun again.")
