"""The lower bounds of Besa et al. (2022), computed as the paper argues, with explicit constants for the board at hand.

Each method is a module with a function `bound(problem) -> int`: the number that the argument gives, over every solution
of the problem.  Nothing here is a certificate, and nothing that is checked rests on it.  The arguments about runs of
straight moves (`central`, `crown`) charge cells for turns far away, so they are no dual solution and no sweep; the
checkers of `kt_models.certificates` show their numbers in other ways (`encoders.paper`).
"""

from __future__ import annotations

import importlib

from kt_models.errors import unknown
from kt_models.problem import Problem

METHODS = {
    "edge": "cells without a straight pair of moves (Besa et al. 2022, before Theorem 8)",
    "central": "4.25 n for turns (Besa et al. 2022, Appendix A)",
    "crown": "(6 - ε) n for turns (Besa et al. 2022, Theorem 8)",
    "triplet": "4 n for crossings (Besa et al. 2022, Theorem 9)",
}
"""The paper's arguments, in words."""


def paper_bound(problem: Problem, method: str) -> int:
    """The number that an argument of the paper gives.

    Raises
    ------
    KTError
        If the method is unknown, or its argument does not apply to the problem.

    Examples
    --------
    >>> from kt_models import Problem, graph_of
    >>> paper_bound(Problem(graph_of("8x8"), objective="turns"), "central")
    33
    """
    if method not in METHODS:
        raise unknown("method", method, METHODS)
    return int(importlib.import_module(f"heuristics.paper_bounds.{method}").bound(problem))
