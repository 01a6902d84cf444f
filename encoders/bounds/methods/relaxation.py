"""`relaxation`: a dual solution of the linear relaxation of the whole problem."""

from __future__ import annotations

from typing import Any

from encoders.bounds.methods import BoundMethod, is_large_rectangle
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem

MAX_SOLVED_CELLS = 2500
"""Most cells of a rectangle for which its own relaxation is solved besides the solution for all sizes."""


def make(problem: Problem, *, limits: Limits = NO_LIMITS) -> dict[str, Any] | None:
    """The data of a certificate from `encoders.lp.relaxation.make`."""
    from encoders.lp import relaxation

    return relaxation.make(problem, limits=limits)


def _worth(problem: Problem, at_least: int | None) -> bool:
    from encoders.branch_and_cut.prove import serves

    if at_least is None and serves(problem):  # Its root has the same bound, for much less work.
        return False
    small = not is_large_rectangle(problem) or problem.graph.n <= MAX_SOLVED_CELLS
    return not problem.counts_apart and (small or at_least is not None)


METHOD = BoundMethod("relaxation", "a dual solution of the linear relaxation", make, rank=2, worth=_worth)
