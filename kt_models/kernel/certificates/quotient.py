"""Quotients: a bound on symmetric tours, from the tours of the quotient graph.

The *quotient* of a graph by a group of its symmetries has a vertex for each orbit of vertices and an edge for each
orbit of edges. Let the group move every vertex and every edge: no symmetry but the identity maps one to itself. It
maps a symmetric tour to itself, as rotations of a cycle, then, since a reflection of a cycle fixes a vertex or an edge.
So the orbits of the tour's vertices, in the order of the tour, are a tour of the quotient, and its edges are the
orbits of the tour's edges. An edge between two vertices of one orbit is in no tour of more than one orbit: it would
be a loop of that cycle.

The weight of two orbits of edges is the sum over the pairs of their edges, so the tour of the quotient has the same
weight. Not all tours of the quotient come from a symmetric tour, so this gives only a bound.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kt_models.errors import CertificateError
from kt_models.graph import MoveGraph
from kt_models.kernel.certificates.frontier import bound as frontier
from kt_models.kernel.certificates.integers import largest, require_fit
from kt_models.limits import NO_LIMITS, Limits, Listener, silent
from kt_models.problem import Problem
from kt_models.symmetry import orbits
from kt_models.weights import Weights


def quotient_of(problem: Problem) -> Problem | None:
    """The problem whose solutions weigh no more than the symmetric tours: a graph with parallel edges, and weights.

    None if the problem has no objective, no symmetry or is not about a cycle, if a symmetry maps a vertex or an edge to
    itself, if all vertices are one orbit, or if a required move is in no tour.
    """
    graph, order, weights = problem.graph, len(problem.group), problem.weights
    if weights is None or not problem.closed or order == 1 or graph.board is None or graph.n <= order:
        return None
    cells, cell = np.unique(
        orbits([symmetry.permutation(graph.board) for symmetry in problem.symmetry], graph.n), return_inverse=True
    )
    rows, edge = np.unique(problem.edge_orbits, return_inverse=True)
    if (np.bincount(cell) != order).any() or (np.bincount(edge) != order).any():
        return None
    ends = cell[graph.ends[rows]]
    kept = ends[:, 0] != ends[:, 1]
    # The edge of the quotient that stands for the orbit of each edge
    name = np.where(kept, np.cumsum(kept) - 1, -1)[edge]
    required = {int(name[e]) for e in problem.required}
    if -1 in required:
        return None
    require_fit([largest(weights.weight) * len(weights.weight)], "weights")
    size = int(kept.sum())
    first, second = name[weights.first].astype(np.int64), name[weights.second].astype(np.int64)
    both = (first >= 0) & (second >= 0)
    pairs, pair = np.unique(
        np.minimum(first, second)[both] * size + np.maximum(first, second)[both], return_inverse=True
    )
    total = np.zeros(len(pairs), dtype=np.int64)
    np.add.at(total, pair, weights.weight[both].astype(np.int64))
    return Problem(
        MoveGraph(None, n=len(cells), edges=ends[kept], name=f"quotient of {graph.name}"),
        "cycle",
        Weights((pairs // max(size, 1)).astype(np.int32), (pairs % max(size, 1)).astype(np.int32), total),
        required=frozenset(required),
        forbidden=frozenset(int(name[e]) for e in problem.forbidden) - {-1},
    )


def bound(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS, on_progress: Listener = silent) -> int:
    """The bound that a sweep of the quotient shows; `data` is that of `frontier.bound`, for the quotient.

    Raises
    ------
    CertificateError
        If there is no quotient, the data is wrong, or the quotient has no tour.
    TooLarge
        If the sweep would exceed the memory.
    Stopped
        If a limit is reached.
    """
    quotient = quotient_of(problem)
    if quotient is None:
        raise CertificateError("quotient: no tours of orbits stand for the tours of this problem")
    return frontier.bound(quotient, data, limits, on_progress)
