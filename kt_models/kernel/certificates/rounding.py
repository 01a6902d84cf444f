"""Rounding to values that the objective can take, and the values that a refutation must rule out.

A formula shows "every solution has at least B" only if it covers all solutions of a value below B. So this module
derives what it may assume about the value from the statement alone, and ignores what a file says.
"""

from __future__ import annotations

import math

import numpy as np

from kt_models.errors import CertificateError
from kt_models.kernel.certificates.integers import SUM_LIMIT, Ints, largest
from kt_models.kernel.certificates.nodes import MAX_OPTIONS, Instance
from kt_models.kernel.certificates.statement import Statement
from kt_models.problem import Problem
from kt_models.walks import components

MAX_PAIRS = 500_000
"""Most weights for which the parity of the objective is looked for."""
FEW_VERTICES = 32
"""Vertices whose options are enough to see, for most objectives, that both parities occur."""


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
    sum of the weights of orbits, and a multiple of their greatest common divisor. Of turns in a grid all closed tours
    have an even number (`_is_even`).
    """
    weights = problem.weights
    if weights is None or not len(weights.weight):
        return 1
    if largest(weights.weight) * len(weights.weight) >= SUM_LIMIT:
        return 1  # 1 divides every value, and sums of these do not fit into 64 bits
    total = weights.weight.astype(np.int64)
    unit = int(np.gcd.reduce(total)) or 1
    twice = 2 * unit if _is_even(problem, unit) else unit
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
        unit = int(np.gcd.reduce(total)) or 1
    return math.lcm(unit, twice)


def _is_even(problem: Problem, unit: int) -> bool:
    """Whether the value is an even multiple of `unit`, which divides all weights, because edges have two colours.

    Suppose that edges can be coloured with 0 and 1 so that each pair of edges at a vertex weighs an odd multiple of the
    unit if their colours differ, and an even one if not; that edges alone weigh even multiples; and that other pairs
    weigh nothing. Where every vertex has two edges, the sum over the vertices of the colours of their edges has the
    parity of the value, and is even, because it counts each edge at both of its ends. In a grid the colours are the
    two directions.
    """
    graph, weights = problem.graph, problem.weights
    if problem.connectivity not in ("cycle", "any") or problem.terminals or graph.n < 3 or weights is None:
        return False
    if len(weights.weight) > MAX_PAIRS or (weights.first == weights.second).all():
        return False
    ends = np.sort(graph.ends.astype(np.int64), axis=1)
    # Two parallel edges would meet at two vertices, and weigh once
    if len(np.unique(ends[:, 0] * graph.n + ends[:, 1])) < graph.m:
        return False
    instance = Instance(problem)
    if not instance.weights.local or (instance.weights.alone // unit % 2).any() or instance.count > MAX_OPTIONS:
        return False
    return all(_two_colours(instance, np.arange(min(count, graph.n)), unit) for count in (FEW_VERTICES, graph.n))


def _two_colours(instance: Instance, vertices: Ints, unit: int) -> bool:
    """Whether the edges at some vertices have such colours: in a graph with two copies of each edge, one for each of
    its colours, no two copies of an edge are connected."""
    options, m = instance.options_of(vertices), instance.m
    first, second, odd = options.first, options.second, options.pair // unit % 2
    joined = np.stack([np.append(first, first + m), np.append(second + odd * m, second + (1 - odd) * m)], axis=1)
    label = components(2 * m, joined)
    return bool((label[:m] != label[m:]).all())
