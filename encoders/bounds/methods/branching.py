"""`branching`: a tree of cases with a dual solution in each leaf."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from encoders.bounds.methods import BoundMethod
from kt_models.limits import NO_LIMITS, Limits, Listener, silent
from kt_models.problem import Problem


def make(
    problem: Problem,
    at_least: int,
    *,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
    state: str | Path | None = None,
) -> dict[str, Any] | None:
    """The data of a certificate, as `encoders.lp.branching.make` gives it."""
    from encoders.lp import branching

    return branching.make(problem, at_least, limits=limits, on_progress=on_progress, state=state)


METHOD = BoundMethod(
    "branching",
    "a tree of cases with a dual solution in each leaf",
    make,
    rank=4,
    worth=lambda problem, at_least: problem.objective != "crossings",
)
