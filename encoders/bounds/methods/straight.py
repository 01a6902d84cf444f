"""`straight`: the straight lines of a torus; the checker follows them, so there are no data to make."""

from __future__ import annotations

from typing import Any

from encoders.bounds.methods import BoundMethod
from kt_models.kernel.certificates.torus_lines import applies
from kt_models.problem import Problem

MAX_CELLS, MAX_TURNS = 36, 11
"""Largest torus, and most turns; more would take hours."""


def make(problem: Problem, at_least: int) -> dict[str, Any]:
    """The data of a certificate that every closed tour of a torus has `at_least` turns."""
    return {"at_least": at_least}


def _worth(problem: Problem, at_least: int | None) -> bool:
    return at_least is not None and at_least <= MAX_TURNS and applies(problem) and problem.graph.n <= MAX_CELLS


METHOD = BoundMethod(
    "straight", "all ways to make a tour of so few straight lines", make, kind="straight", rank=3, worth=_worth
)
