"""`edge`: cells without a straight pair of moves, which is the relaxation with no numbers at all."""

from __future__ import annotations

from encoders.bounds.methods import BoundMethod
from encoders.bounds.paper import attempts_on_turns, certificate_of
from heuristics.paper_bounds.edge import bound
from kt_models.certificates import Certificate
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem

MOST_CELLS = 100_000
"""Up to so many cells a certificate is tried, which takes seconds where the number itself takes none."""


def make(problem: Problem, *, limits: Limits = NO_LIMITS) -> Certificate | None:
    """The number with what shows it, if anything does."""
    value = bound(problem)
    return certificate_of(problem, value, attempts_on_turns(problem, limits, MOST_CELLS, relaxed=False), limits)


METHOD = BoundMethod(
    "edge",
    "cells without a straight pair of moves (Besa et al. 2022, before Theorem 8)",
    make,
    rank=0,
    worth=lambda problem, at_least: problem.objective == "turns",
    number=bound,
)
