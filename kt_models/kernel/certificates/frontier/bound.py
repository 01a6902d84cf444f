"""The checker of `frontier` bounds: a sweep over every partial solution that could stay below the claim.

The checker repeats the sweep from the problem alone. The data only controls how far it looks, and how fast. Whatever
the data is, the resulting bound holds:

- `at_least`: look only for solutions below this integer. If there is none, the bound is `at_least`; otherwise, and
  without it, the bound is the least value;
- `potentials` ([edge, number at its tail] of edges, others have 0), their `denominator`, and `symmetry`: the numbers
  apply to all images under the group that it generates. They rewrite the objective (`objective`) without changing its
  values, which makes the sweep smaller;
- `order`: the vertices in the order they are taken;
- `relaxed`: true to use only the degrees;
- `inner`: vertices that the sweep of the border leaves out (`both_ends`), which makes the others smaller.

A symmetry that the problem asks for is used only to round the bound up to a value the objective can have.

`refute` does the same for a problem without an objective: it has no solution.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from kt_models.errors import CertificateError, KTError, TooLarge
from kt_models.json_values import integer, integers, rows
from kt_models.kernel.certificates.frontier.objective import Potentials
from kt_models.kernel.certificates.frontier.solve import has_solution, least_value
from kt_models.kernel.certificates.rounding import lift_total
from kt_models.kernel.certificates.tree import read_symmetry
from kt_models.limits import NO_LIMITS, Limits, Listener, Stopped, silent
from kt_models.problem import Problem

MEMORY = 8 << 30
"""Bytes that the tables of states may take, unless the limits say otherwise."""
LARGEST = 1 << 40
"""Limit of claims and of denominators; what a sweep can hold is less."""


def bound(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS, on_progress: Listener = silent) -> int:
    """The bound that a sweep proves (see the module), with reports on each part.

    Raises
    ------
    CertificateError
        If the data is wrong, a pair of edges apart has a negative weight, or the problem has no solution at all.
    TooLarge
        If the sweep would take more memory than it may.
    Stopped
        If the limits end it.
    """
    at_least = integer(data["at_least"], "'at_least'", -LARGEST, LARGEST) if "at_least" in data else None
    relaxed = data.get("relaxed", False)
    if type(relaxed) is not bool:
        raise CertificateError("'relaxed' is neither true nor false")
    inner = integers(data.get("inner", []), "'inner'", 0, problem.graph.n - 1, distinct=True)
    order = _order_of(problem, data)
    try:
        least = least_value(
            problem,
            at_most=None if at_least is None else at_least - 1,
            potentials=potentials_of(problem, data),
            relaxed=relaxed,
            inner=inner,
            order=order,
            limits=replace(limits, memory=limits.room(MEMORY)),
            on_progress=on_progress,
        )
    except (TooLarge, Stopped):
        raise
    except KTError as error:
        raise CertificateError(f"frontier: {error}") from None
    value = at_least if least.value is None else least.value
    if value is None:
        raise CertificateError("frontier: the problem has no solution, so its objective has no bound")
    return lift_total(problem, value, 1)


def refute(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> str:
    """Check that a problem has no solution: follow every partial one to its end, in the `order` of the data.

    Raises
    ------
    CertificateError
        If it has one, ignoring its symmetry.
    TooLarge
        If the sweep would take more memory than it may.
    Stopped
        If the limits end it.
    """
    if has_solution(problem, order=_order_of(problem, data), limits=replace(limits, memory=limits.room(MEMORY))):
        raise CertificateError("sweep: there is a solution, or one that only lacks the symmetry")
    return "no partial solution, followed vertex by vertex, comes to an end"


def _order_of(problem: Problem, data: dict[str, Any]) -> list[int] | None:
    """The order that `data` gives, if it gives one."""
    if "order" not in data:
        return None
    order = integers(data["order"], "'order'", 0, problem.graph.n - 1, distinct=True)
    if len(order) != problem.graph.n:
        raise CertificateError("'order' does not name every vertex")
    return order


def potentials_of(problem: Problem, data: dict[str, Any]) -> Potentials | None:
    """The potentials that `data` gives, if it gives any."""
    if "potentials" not in data:
        return None
    m = problem.graph.m
    images = read_symmetry(problem, data.get("symmetry", []))
    pairs = rows(data["potentials"], "'potentials'", 2)
    edges = np.array(integers([p[0] for p in pairs], "'potentials'", 0, m - 1, distinct=True), dtype=np.int64)
    numbers = np.array(integers([p[1] for p in pairs], "a potential", -LARGEST, LARGEST), dtype=np.int64)
    values = np.zeros(m, dtype=np.int64)
    for image, turned in zip(images.edges[::-1], images.swapped[::-1], strict=True):  # The identity last: it prevails
        values[image[edges]] = np.where(turned[edges], -numbers, numbers)
    return Potentials(tuple(values.tolist()), integer(data.get("denominator", 1), "'denominator'", 1, LARGEST))
