"""A cheap bound: from the linear relaxation if that is strong, else from a theorem."""

from __future__ import annotations

from encoders.lp import is_small
from encoders.stages import MAX_QUICK_CELLS, Solving, Stage
from kt_models.errors import KTError
from kt_models.kernel.certificates import Certificate
from kt_models.limits import Limits
from kt_models.problem import Problem

MAX_QUICK_SECONDS = 20.0
"""Longest time for a certificate that takes some tenths of a second on an idle machine. It guards against linear
programs of unusual size, which no count of steps foretells; the engines prove bounds without it."""
MAX_SMALL_CELLS = 16
"""Most vertices of a graph that is swept in tenths of a second whatever its weights are."""


def work(solving: Solving) -> None:
    """Prove the bound."""
    problem = solving.problem
    certificate = quick_certificate(problem, _quick_limits(problem, solving.run.limits))
    if certificate is not None and certificate.cost_bound is not None:
        solving.standing.accept_bound(certificate.method, certificate.cost_bound, certificate)


def quick_certificate(problem: Problem, limits: Limits) -> Certificate | None:
    """The certificate of the bound; None if there is none, or not in time."""
    from encoders.bounds import NotShown, certify_lower_bound

    if not has_quick_certificate(problem):
        return None
    small, apart = is_small(problem), problem.counts_apart
    method = "regions" if apart or not (small or problem.objective == "turns") else "relaxation" if small else "family"
    try:
        return certify_lower_bound(problem, method=method, limits=limits)
    except (NotShown, KTError):
        return None


def has_quick_certificate(problem: Problem) -> bool:
    """Whether there is such a certificate."""
    from kt_models.kernel.certificates.rewritten import without_gains_apart

    n = problem.graph.n
    if problem.objective is None or n < 3:
        return False
    if n <= MAX_SMALL_CELLS and (not problem.gains_apart or without_gains_apart(problem) is not None):
        return True
    return n > MAX_QUICK_CELLS or problem.pairs_meet or problem.counts_apart


def _quick_limits(problem: Problem, limits: Limits) -> Limits:
    """The time for a quick certificate: more on a large board, where the engines could not use it."""
    if problem.graph.n > MAX_QUICK_CELLS:
        return limits.part(0.5)
    return limits.part(0.3 if problem.counts_apart else 0.2).within(MAX_QUICK_SECONDS)


def _before_tours(solving: Solving) -> bool:
    """Whether the bound comes before tours: branch and bound needs it, and a large board may be done."""
    return solving.standing.certificate is None and not _after_tours(solving)


def _after_tours(solving: Solving) -> bool:
    """Whether the bound comes after tours, because it takes longer than the first tour."""
    return solving.problem.counts_apart and solving.problem.graph.n <= MAX_QUICK_CELLS


FIRST = Stage(
    "relaxation",
    "a bound from a linear relaxation, or a theorem",
    frozenset({"bound"}),
    work,
    lambda solving: solving.problem.objective is not None and _before_tours(solving),
    cheap=True,
)
LATER = Stage(
    "late relaxation",
    "a bound that takes longer than the first tour",
    frozenset({"bound"}),
    work,
    lambda solving: (
        _after_tours(solving)
        and (solving.request.cheap_only or solving.helpers.bounds is None)
        and solving.standing.certificate is None
        # The sweep proves the least value.
        and (solving.request.cheap_only or not solving.helpers.has_quick_sweep)
    ),
    cheap=True,
)
