"""`frontier`: what makes the sweep small, which is done when the certificate is checked.

Where pairs that meet at a vertex have weight (turns), the potentials of `encoders.lp.relaxation` show most of the bound
before the sweep begins.  Crossings have no such pairs, and are swept as they are.
"""

from __future__ import annotations

from typing import Any

from encoders.bounds.methods import BoundMethod
from kt_models.certificates.frontier import fits
from kt_models.certificates.frontier.bound import potentials_of
from kt_models.errors import KTError, TooLarge
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem


def make(problem: Problem, at_least: int, *, limits: Limits = NO_LIMITS) -> dict[str, Any]:
    """The data of a certificate that the objective is at least `at_least`.

    Returns
    -------
    dict
        Not yet known to show `at_least`: that is the sweep's work.
    """
    data: dict[str, Any] = {"at_least": at_least}
    potentials = _potentials(problem, limits)
    if potentials is not None and fits(problem, potentials_of(problem, potentials)):
        data.update(potentials)
    return data


def _potentials(problem: Problem, limits: Limits) -> dict[str, Any] | None:
    """A dual solution of the relaxation without rows, if it can be of use."""
    from encoders.lp import relaxation

    weights = problem.weights
    assert weights is not None
    ends = problem.graph.ends
    first, second = ends[weights.first], ends[weights.second]
    if not (first[:, :, None] == second[:, None, :]).any():
        return None
    try:
        made = relaxation.make(problem, limits=limits, cuts=False)
    except (KTError, TooLarge):
        return None
    if made is None:
        return None
    potentials = [pair for pair in made["multipliers"] if pair[0] < problem.graph.m]  # the rest is about ends
    return {"potentials": potentials} | {key: made[key] for key in ("denominator", "symmetry") if key in made}


METHOD = BoundMethod(
    "frontier", "every partial solution that could stay below, cell by cell", make, kind="frontier", rank=5
)
