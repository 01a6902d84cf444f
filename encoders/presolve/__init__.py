"""Reduction of problems before any search: follow what is forced, and take graphs apart at small cuts.

A sparse graph may have long chains, edges that every cycle uses, and parts that are joined by two or three edges only.
The reduction is exact: small or narrow remainders are decided at once, and a cycle of the remainder gives a cycle of
the whole graph. `part`, `cuts`, `split`, `decide` and `sweep` do the work; `reduce` is the entry, and `refute` makes
certificates.
"""

from __future__ import annotations

from kt_models.problem import Problem

MAX_EDGES = 300_000
"""Most edges of a graph that is reduced: Python follows some 100,000 in a second."""
MAX_SPARSE_DEGREE = 3
"""Greatest mean degree of a sparse graph; one with a vertex of degree 2 counts as sparse too."""


def is_reduced_first(problem: Problem) -> bool:
    """Whether a problem is reduced before a heuristic is tried: sparse graphs without a board are."""
    graph = problem.graph
    if not applies(problem) or graph.board is not None:
        return False
    return graph.m <= MAX_SPARSE_DEGREE * graph.n or bool(graph.degrees.min() == 2)


def applies(problem: Problem) -> bool:
    """Whether a problem can be reduced."""
    plain = problem.connectivity in ("cycle", "path") and problem.objective is None and not problem.symmetry
    graph = problem.graph
    # The number of vertices comes first, because listing edges takes long.
    return plain and 3 <= graph.n <= MAX_EDGES and graph.m <= MAX_EDGES
