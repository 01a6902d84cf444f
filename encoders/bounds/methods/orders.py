"""An order of the vertices in which a sweep has few states, found by annealing.

In a box the moves of a cell lead to many layers, so no order of the cells by layers or lines keeps a sweep narrow.
"""

from __future__ import annotations

import numpy as np

from kt_models.kernel.certificates.integers import Ints
from kt_models.kernel.sweeps.net import good_order
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.weights import Weights

MAX_STEPS = 20_000
"""Number of orders tried; for 36 cells about a second."""
FIRST_TEMPERATURE, LAST_TEMPERATURE = 1.0, 0.01
"""Temperatures, in units of the logarithm of the number of states."""
VERTEX_WEIGHT, EDGE_WEIGHT = 1.3, 0.12
"""Estimated logarithm of the number of states that a vertex on the frontier, and an edge that waits for a pair, add.
The first is a little less than ln 4, for up to three degrees and perhaps a path; few edges are chosen."""


def narrow_order(problem: Problem, *, steps: int = MAX_STEPS, limits: Limits = NO_LIMITS) -> list[int]:
    """The vertices in the best order found, by moving one at a time."""
    weights = problem.weights
    assert weights is not None
    rng = np.random.default_rng(0)
    n, ends = problem.graph.n, problem.graph.ends.astype(np.int64)
    order = good_order(problem.graph)
    size = states(ends, weights, order)
    least, best = size, order
    for k in range(steps):
        if limits.over:
            break
        temperature = FIRST_TEMPERATURE * (LAST_TEMPERATURE / FIRST_TEMPERATURE) ** (k / steps)
        taken, place = rng.integers(n), rng.integers(n)
        candidate = np.insert(np.delete(order, taken), place, order[taken])
        cost = states(ends, weights, candidate)
        if cost < size or rng.random() < np.exp((size - cost) / temperature):
            order, size = candidate, cost
            if size < least:
                least, best = size, order
    return best.tolist()


def states(ends: Ints, weights: Weights, order: Ints) -> float:
    """A rough estimate of the logarithm of the number of states of a sweep."""
    n = len(order)
    position = np.empty(n, dtype=np.int64)
    position[order] = np.arange(n)
    decided, later = np.sort(position[ends], axis=1).T
    reached = np.arange(n)
    np.minimum.at(reached, later, decided)
    last = decided.copy()
    np.maximum.at(last, weights.first, decided[weights.second])
    np.maximum.at(last, weights.second, decided[weights.first])
    vertices = np.cumsum(np.bincount(reached, minlength=n)) - np.arange(1, n + 1)
    edges = np.cumsum(np.bincount(decided, minlength=n) - np.bincount(last, minlength=n))
    return float(np.logaddexp.reduce(VERTEX_WEIGHT * vertices + EDGE_WEIGHT * edges))
