"""Rounding to values that the objective can take, and the values that a refutation must rule out.

A formula shows "every solution has at least B" only if it covers all solutions of a value below B. So this module
derives what it may assume about the value from the statement alone, and ignores what a file says.
"""

from __future__ import annotations

import numpy as np

from kt_models.errors import CertificateError
from kt_models.kernel.certificates.integers import largest, require_fit
from kt_models.kernel.certificates.statement import Statement
from kt_models.problem import Problem


def lift_total(problem: Problem, total: int, scale: int) -> int:
    """Least value of the objective that is at least total / scale."""
    step = value_step(problem)
    return -(-total // (scale * step)) * step


def greatest_below(problem: Problem, bound: int) -> int:
    """Greatest value of the objective below a bound; the bound itself need not be a value."""
    step = value_step(problem)
    return (-(-bound // step) - 1) * step


def ruled_out(statement: Statement) -> int | None:
    """Value up to which a refutation must rule out solutions; `None` for all of them."""
    if statement.kind == "infeasible":
        return None
    if statement.kind != "at-least" or statement.value is None:
        raise CertificateError(f"a refutation does not show that {statement}")
    return greatest_below(statement.problem, statement.value)


def value_step(problem: Problem) -> int:
    """A common divisor of all values of the objective.

    The chosen edges are invariant under the problem's symmetry, so their pairs come in whole orbits. So the value is a
    sum of the weights of orbits, and a multiple of their greatest common divisor.
    """
    weights = problem.weights
    if weights is None or not len(weights.weight):
        return 1
    require_fit([largest(weights.weight) * len(weights.weight)], "weights")
    total = weights.weight.astype(np.int64)
    if len(problem.group) > 1:
        size = problem.graph.m
        least = np.full(len(total), size * size)
        for symmetry in problem.group:
            image = problem.graph.edge_permutation(symmetry).astype(np.int64)
            a, b = image[weights.first], image[weights.second]
            np.minimum(least, np.minimum(a, b) * size + np.maximum(a, b), out=least)
        _, number = np.unique(least, return_inverse=True)
        total = np.zeros(number.max() + 1, dtype=np.int64)
        np.add.at(total, number, weights.weight)
    return int(np.gcd.reduce(total)) or 1
