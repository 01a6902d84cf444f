"""`branching`: a tree of cases with a dual solution in each leaf."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from encoders.bounds.methods import BoundMethod
from kt_models.limits import NO_LIMITS, Limits, Listener, silent
from kt_models.machine import usable_cores
from kt_models.problem import Problem


def make(
    problem: Problem,
    at_least: int,
    *,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
    state: str | Path | None = None,
) -> dict[str, Any] | None:
    """The data of a certificate, as `encoders.lp.branching.make` gives it.

    A tree that is not done in a moment is grown by every core, unless it is kept in a file: that is the tree of one.
    """
    from encoders.lp import branching, engine, parallel

    workers = limits.workers or usable_cores()
    if workers == 1 or state is not None:
        return branching.make(problem, at_least, limits=limits, on_progress=on_progress, state=state)
    tree = branching.CaseTree(problem, at_least)
    if tree.grow(limits, engine.nodes_alone(problem), on_progress):
        return tree.data()
    if limits.over:
        return None
    with parallel.Crew(problem, workers) as crew:
        return tree.data() if parallel.grow(tree, limits, crew, on_progress) else None


METHOD = BoundMethod(
    "branching",
    "a tree of cases with a dual solution in each leaf",
    make,
    rank=4,
    worth=lambda problem, at_least: problem.objective != "crossings",
)
