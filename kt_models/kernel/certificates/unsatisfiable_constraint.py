"""Proof that a constraint cannot be satisfied: without it, the sum of every solution is beyond its bound."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kt_models.constraints import Constraint
from kt_models.errors import CertificateError
from kt_models.kernel.certificates.certificate import Certificate
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.quantities import quantity_weights

METHOD = "limited"


def least_of(problem: Problem, constraint: Constraint) -> tuple[Problem, int]:
    """A problem without constraints, and the largest value of its solutions that satisfies a constraint.

    Its objective is the sum of the constraint, or the opposite if the limit is from below.
    """
    plain = problem.unconstrained
    if constraint.at_least:
        return replace(plain, objective=-quantity_weights(problem.graph, constraint.quantity)), -constraint.cost_limit
    return replace(plain, objective=constraint.quantity), constraint.cost_limit


def refute(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> str:
    """Check that no solution satisfies a constraint, by a `certificate` of its sum; return why, in words.

    Raises
    ------
    CertificateError
        If it is of another sum, or does not show its claim.
    Stopped
        If the limits are reached.
    """
    certificate = Certificate.from_json(data.get("certificate"))
    if certificate.cost_bound is None:
        raise CertificateError(f"{METHOD}: the certificate shows no bound")
    for constraint in problem.constraints:
        about, most = least_of(problem, constraint)
        if certificate.problem == about and certificate.cost_bound > most:
            return f"{certificate.statement.text} ({certificate.check(limits)})"
    raise CertificateError(f"{METHOD}: the certificate rules out no constraint")
