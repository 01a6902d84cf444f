"""`crown`: turns away from the edge, certified by the relaxation, which shows more."""

from __future__ import annotations

from encoders.bounds.methods import BoundMethod
from encoders.bounds.paper import attempts_on_turns, certificate_of
from heuristics.paper_bounds.crown import bound
from kt_models.certificates import Certificate
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem

MOST_CELLS = 2500
"""Up to so many cells the relaxation is solved for a certificate."""


def make(problem: Problem, *, limits: Limits = NO_LIMITS) -> Certificate | None:
    """The number with what shows it, if anything does."""
    value = bound(problem)
    return certificate_of(problem, value, attempts_on_turns(problem, limits, MOST_CELLS, relaxed=True), limits)


METHOD = BoundMethod("crown", "(6 - ε) n for turns (Besa et al. 2022, Theorem 8)", make, number=bound)
