"""Parts behind few edges that no cycle can pass, and graphs that are narrow along a tree."""

from __future__ import annotations

from functools import partial

from encoders.stages import Solving, Stage
from encoders.work.run import in_time

MAX_EDGES = 20_000
"""Edges of the largest graph that is taken apart, in some seconds."""
TIME_SHARE = 0.3
"""Share of the time that is left, if engines follow."""


def work(solving: Solving) -> None:
    """Look for such parts."""
    from encoders.presolve.refute import refutation

    problem, run = solving.problem, solving.run
    # Where the answer is known, no other work has to follow.
    limits = run.limits if solving.standing.refuted_by else run.limits.part(TIME_SHARE)
    certificate = in_time(run, partial(refutation, problem, limits))
    if certificate is not None:
        solving.standing.refute("presolve", certificate)


def _applies(solving: Solving) -> bool:
    graph = solving.problem.graph
    return solving.reducible and graph.board is None and graph.m <= MAX_EDGES


CERTIFYING = Stage(
    "certifying parts",
    "parts behind few edges, where it is known that there is no tour",
    19,
    frozenset({"certificate"}),
    work,
    lambda solving: solving.reducible,
)
REFUTING = Stage(
    "parts",
    "parts behind few edges that no cycle can pass",
    85,
    frozenset({"refutation"}),
    work,
    _applies,
)
