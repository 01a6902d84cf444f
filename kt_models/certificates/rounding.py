"""Rounding a bound up to a value that the objective can have."""

from __future__ import annotations

import math

import numpy as np

from kt_models.certificates.integers import largest, require_fit
from kt_models.problem import Problem


def lift_total(problem: Problem, total: int, scale: int) -> int:
    """The least value the objective can have that is at least total / scale."""
    step = value_step(problem)
    return -(-total // (scale * step)) * step


def value_step(problem: Problem) -> int:
    """A number that every value of the objective is a multiple of.

    The chosen edges being invariant under the problem's symmetry, pairs of them come in whole orbits; so the value is
    a sum of what orbits weigh, and a multiple of the greatest common divisor of these.
    """
    weights = problem.weights
    if weights is None or not len(weights.weight):
        return 1
    require_fit([largest(weights.weight) * len(weights.weight)], "weights")
    total = weights.weight.astype(np.int64)
    if len(problem.group) > 1:
        size = problem.graph.m
        keys = []
        for symmetry in problem.group:
            image = problem.graph.edge_permutation(symmetry).astype(np.int64)
            a, b = image[weights.first], image[weights.second]
            keys.append(np.minimum(a, b) * size + np.maximum(a, b))
        _, number = np.unique(np.minimum.reduce(keys), return_inverse=True)
        total = np.zeros(number.max() + 1, dtype=np.int64)
        np.add.at(total, number, weights.weight)
    return math.gcd(*np.unique(total).tolist()) or 1
