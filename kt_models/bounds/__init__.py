"""Lower bounds that are recomputed from a problem and a certificate's data: exact integers, no solver.

Each method is a module here with a function `bound(problem, data) -> int`: the greatest integer that `data` shows to
be a lower bound of the objective, over every solution of the problem.  It believes nothing in `data`, and raises
`CertificateError` where `data` makes no sense or the method does not apply.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from kt_models.errors import CertificateError
from kt_models.limits import NO_LIMITS, Limits

if TYPE_CHECKING:
    from kt_models.problem import Problem

METHODS = {
    "relaxation": "a dual solution of the linear relaxation",
    "regions": "the least that the moves of belts of cells can weigh, swept exactly",
    "branching": "a tree of cases with a dual solution in each leaf",
    "frontier": "every partial solution that could stay below, cell by cell",
}
"""What each method's bound rests on, in words."""


SWEPT = {"regions": "kt_models.certificates.regions", "frontier": "kt_models.certificates.frontier.bound"}
"""Methods that live elsewhere, and take limits."""


def recompute(method: str, problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> int:
    """The bound that a method's data shows.

    Raises
    ------
    CertificateError
        If the method is unknown, does not apply to the problem, or the data is wrong.
    """
    if method not in METHODS:
        raise CertificateError(f"unknown method of a bound {method!r}; known are {', '.join(METHODS)}")
    if problem.objective is None:
        raise CertificateError("the problem has no objective to be bounded")
    bound = importlib.import_module(SWEPT.get(method, f"kt_models.bounds.{method}")).bound
    return int(bound(problem, data, limits) if method in SWEPT else bound(problem, data))
