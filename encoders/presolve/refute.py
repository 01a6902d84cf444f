"""A certificate that a problem which was reduced to nothing has no solution: a sweep of the kernel, over all of it.

What was reduced is not told.  Graphs that fall apart at small cuts are narrow as a whole, too, and in an order that
keeps the frontier small the kernel's sweep takes about as long as the reduction did.
"""

from __future__ import annotations

from dataclasses import replace

from encoders.presolve.part import Subgraph
from encoders.presolve.sweep import TooWide, narrow_order
from kt_models.certificates import Certificate, Statement
from kt_models.errors import CertificateError, TooLarge
from kt_models.limits import Limits, Stopped
from kt_models.problem import Problem

MEMORY = 1 << 30
"""Bytes that the sweep may take."""
WIDEST = 24
"""Most vertices of a frontier."""


def refutation(problem: Problem, limits: Limits) -> Certificate | None:
    """A checked certificate that there is no solution; None if the graph is too wide for it, or it is late."""
    graph = problem.graph
    try:
        order = narrow_order(Subgraph.of(graph.n, graph.ends.tolist()), limits.check, WIDEST)
        certificate = Certificate("sweep", Statement(problem, "infeasible"), {"order": order[::-1]})
        return certificate.checked(replace(limits, memory=min(MEMORY, limits.room(MEMORY))))
    except (TooWide, CertificateError, TooLarge, Stopped):
        return None
