"""Problems made smaller before anything searches: what is forced is followed, and graphs are taken apart at small cuts.

A sparse graph may have long chains, edges that every cycle uses, and parts that hang together by two or three edges
only.  All this is reduced exactly, what is then small or narrow is decided at once, and a cycle of what is left is one
of the whole (`part`, `cuts`, `split`, `decide`, `sweep`; `reduce` is the front door, `refute` says no to others).
"""

from __future__ import annotations

from kt_models.problem import Problem

MAX_EDGES = 300_000
"""Most edges of a graph that is reduced: they are followed in Python, some 100,000 in a second."""
MAX_SPARSE_DEGREE = 3
"""Edges a vertex up to which a graph is sparse; one with a vertex of degree 2 counts as such."""


def is_reduced_first(problem: Problem) -> bool:
    """Whether a problem is reduced before a heuristic is asked: of graphs without a board those that are sparse."""
    graph = problem.graph
    if not applies(problem) or graph.board is not None:
        return False
    return graph.m <= MAX_SPARSE_DEGREE * graph.n or bool(graph.degrees.min() == 2)


def applies(problem: Problem) -> bool:
    """Whether a problem can be reduced."""
    plain = problem.connectivity in ("cycle", "path") and problem.objective is None and not problem.symmetry
    graph = problem.graph
    return plain and 3 <= graph.n <= MAX_EDGES and graph.m <= MAX_EDGES  # vertices first, as listing edges takes long
