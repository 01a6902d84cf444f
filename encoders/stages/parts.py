"""Parts behind few edges that no cycle can pass, and graphs that are narrow along a tree."""

from __future__ import annotations

from functools import partial

from encoders.stages import Solving, Stage
from encoders.work.run import in_time

MAX_EDGES = 20_000
"""Of the largest graph that is taken apart; it takes some seconds."""
SHARE = 0.3
"""Of the time."""


def small_cuts_refute(solving: Solving) -> bool:
    """Whether the small cuts of a graph show that there is no cycle; the standing has the certificate then."""
    from encoders.presolve.refute import refutation

    problem, run = solving.problem, solving.run
    if problem.graph.m > MAX_EDGES:
        return False
    certificate = in_time(run, partial(refutation, problem, run.limits.part(SHARE), swept=False))
    if certificate is None:
        return False
    solving.standing.refute("presolve", certificate)
    return True


def work(solving: Solving) -> None:
    """Look for them."""
    small_cuts_refute(solving)


STAGE = Stage(
    "parts",
    "parts behind few edges that no cycle can pass",
    85,
    frozenset({"refutation"}),
    work,
    lambda solving: solving.reducible and solving.problem.graph.board is None,
)
