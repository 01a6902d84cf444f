"""Certificates that there is no solution, by duality: of the linear relaxation alone, or of a tree of cases.

`kt_models.kernel.certificates.tree` explains them: in each leaf, multipliers of degrees and cuts contradict each other.
`of_dual` rounds a dual solution of the relaxation, and `by_cases` grows a tree.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from encoders.lp.branching import CaseTree
from encoders.lp.duals import DENOMINATORS, FINE_DENOMINATORS, integers
from encoders.lp.toughness import Dual
from kt_models.errors import CertificateError, KTError, TooLarge
from kt_models.kernel.certificates import Certificate, Checked, Statement
from kt_models.kernel.certificates.nodes import NOTHING
from kt_models.limits import Limits
from kt_models.problem import Problem

METHOD = "farkas"
MAX_VERTICES = 400
"""Most vertices of a graph for a tree; each node takes about a tenth of a second then."""


def of_dual(problem: Problem, dual: Dual, limits: Limits) -> Checked | None:
    """The certificate of a dual solution of the plain graph's relaxation; None if no denominator makes it exact."""
    for denominator in (*DENOMINATORS, *FINE_DENOMINATORS):
        with suppress(CertificateError, TooLarge):
            return _certificate(problem, _rounded(problem, dual, denominator), limits)
    return None


def _rounded(problem: Problem, dual: Dual, denominator: int) -> dict[str, Any]:
    """The data of a tree with a single leaf.

    The price of an edge at its tail is the multiplier of that vertex, and what is left of it is paid at its head.
    """
    graph, n = problem.graph, problem.graph.n
    prices = integers(dual.vertices, denominator)
    tails = prices[graph.tails]
    multipliers = [[e, int(tails[e])] for e in np.flatnonzero(tails).tolist()]
    if problem.free_ends:
        multipliers.append([graph.m, -int(prices[n])])
    cuts: list[list[list[int]]] = []
    allowed = np.setdiff1d(np.arange(graph.m), list(problem.forbidden | problem.required))
    for (part, teeth), amount in zip(dual.parts, integers(np.maximum(dual.cuts, 0), denominator).tolist(), strict=True):
        inside = np.zeros(len(prices), dtype=np.bool_)
        inside[part] = True
        # Vertex n of the plain graph of a path joins its ends, and is outside of every set.
        vertices = np.flatnonzero((inside ^ (not problem.closed and inside[n]))[:n])
        # Such a set as the others leave out, and teeth that stand for ends, are of no use.
        if amount and 0 < len(vertices) < n and (teeth < len(allowed)).all():
            multipliers.append([graph.m + 1 + len(cuts), amount])
            cuts.append([vertices.tolist(), allowed[teeth].tolist()])
    return {"denominator": denominator, "cuts": cuts, "multipliers": multipliers}


def by_cases(problem: Problem, limits: Limits, nodes: int) -> Checked | None:
    """The certificate of a tree of cases; None if a tree needs more nodes or time, or there is a solution."""
    if not 3 <= problem.graph.n <= MAX_VERTICES:
        return None
    with suppress(KTError):
        tree = CaseTree(replace(problem.unconstrained, objective=NOTHING), 1)
        if tree.grow(limits, nodes):
            return _certificate(problem, tree.data(), limits)
    return None


def _certificate(problem: Problem, data: dict[str, Any], limits: Limits) -> Checked:
    return Certificate(METHOD, Statement(problem, "infeasible"), data).checked(limits)
