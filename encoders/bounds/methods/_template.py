"""`narrow`: cells that have two moves only. A template: a copy is a method once its checker exists."""

from __future__ import annotations

from typing import Any

from kt.encoders.bounds.methods import BoundMethod
from kt.kt_models.limits import NO_LIMITS, Limits
from kt.kt_models.problem import Problem


def make(problem: Problem, *, limits: Limits = NO_LIMITS) -> dict[str, Any]:
    """The data, which are empty."""
    return {}


METHOD = BoundMethod(
    "narrow",
    "cells that have two moves only",
    make,
    kind="narrow",
    rank=0,
    worth=lambda problem, at_least: problem.objective == "turns",
)
