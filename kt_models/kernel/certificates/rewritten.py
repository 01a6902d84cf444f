"""Rewritten objectives: the same value for every solution, without negative weights of edges that do not meet.

Sweeps and trees of cases do not support a negative weight of two edges e and f without a common vertex. Let f end at a
vertex whose degree d is known: of its edges, f and g, h, ..., exactly d are chosen. If e is chosen, f is chosen as
often as d less those of g, h, ... that are, and if e is not chosen, neither side counts. So

    w x(e) x(f)  =  d w x(e) - w x(e) x(g) - w x(e) x(h) - ...

for every solution, and -w is above 0. No other weight of two edges becomes smaller, so each is rewritten once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from kt_models.errors import CertificateError
from kt_models.kernel.certificates.certificate import Certificate
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.weights import Weights

METHOD = "rewritten"
MAX_WEIGHT = 2**62
"""Largest absolute value of a weight, which has 64 bits."""


def without_gains_apart(problem: Problem) -> Problem | None:
    """The same problem, with an objective in which no two edges that do not meet weigh less than 0.

    None if there are none to begin with, if all four ends of some have no known degree (as those of a path with a free
    end have none, but for its given end), or if the weights become too large.
    """
    if not problem.gains_apart or problem.weights is None:
        return None
    graph = problem.graph
    ends = graph.ends.tolist()
    rows = {(e, f): weight for e, f, weight in problem.weights.canonical()}

    def add(e: int, f: int, weight: int) -> None:
        pair = (min(e, f), max(e, f))
        rows[pair] = rows.get(pair, 0) + weight

    for e, f in sorted(rows):
        weight = rows[e, f]
        if weight >= 0 or set(ends[e]) & set(ends[f]):
            continue
        places = [
            (len(graph.edges_of(vertex)), vertex, near, apart)
            for near, apart in ((f, e), (e, f))
            for vertex in ends[near]
            if _degree(problem, vertex) is not None
        ]
        if not places:
            return None
        # The vertex with fewest edges adds fewest pairs
        _, vertex, near, apart = min(places)
        del rows[e, f]
        add(apart, apart, weight * (_degree(problem, vertex) or 0))
        for edge in graph.edges_of(vertex).tolist():
            if edge != near:
                add(apart, edge, -weight)
    # Python integers cannot overflow, but the arrays of `Weights` can
    if max(map(abs, rows.values()), default=0) > MAX_WEIGHT:
        return None
    table = np.array([(e, f, weight) for (e, f), weight in rows.items()], dtype=np.int64).reshape(-1, 3)
    weights = Weights(table[:, 0], table[:, 1], table[:, 2], problem.weights.name)  # type: ignore[arg-type]
    return replace(problem, objective=weights)


def _degree(problem: Problem, vertex: int) -> int | None:
    """Number of edges of a solution at a vertex; `None` if it may be one or two, as on a path with a free end."""
    if vertex in problem.terminals:
        return 1
    return None if problem.free_ends else 2


def bound(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> int:
    """The bound that the `certificate` of the rewritten problem shows.

    Raises
    ------
    CertificateError
        If the certificate is about another problem, or does not show its claim.
    Stopped
        If a limit is reached.
    """
    certificate = Certificate.from_json(data.get("certificate"))
    if certificate.cost_bound is None:
        raise CertificateError("rewritten: the certificate shows no bound")
    # No recursion: a rewritten problem has nothing left to rewrite
    if certificate.problem != without_gains_apart(problem):
        raise CertificateError("rewritten: the certificate is not of the rewritten problem")
    certificate.check(limits)
    return certificate.cost_bound
