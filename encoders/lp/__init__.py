"""Linear programming by HiGHS: the relaxation of a problem, and branch and bound on it.

The modules build on each other: `program` wraps the solver, `duals` turns its floating point numbers into integers, and
`separation` finds cuts; `relaxation` solves the program of a whole problem once, and `node` that of a node of the tree;
`branching` grows the tree, `compact` makes it small, and `engine` lets it race.
"""

from __future__ import annotations

from kt_models.problem import Problem

MAX_CELLS, MAX_CHOICES = 400, 10_000
"""Largest small graph: its vertices, or its choices of two edges at a vertex, of which a grid of 1,000 has so many."""


def is_small(problem: Problem) -> bool:
    """Whether the relaxation of a problem takes some tenths of a second, or some seconds on a graph of few edges."""
    graph = problem.graph
    if graph.n <= MAX_CELLS:
        return True
    # A graph without a list of its edges is none: the number of its vertices is looked at first.
    return graph.n <= MAX_CHOICES and int((graph.degrees * (graph.degrees + 1) // 2).sum()) <= MAX_CHOICES
