"""`quotient`: the sweep of `frontier` over orbits of cells and moves, for tours with a symmetry."""

from __future__ import annotations

from typing import Any

from encoders.bounds.methods import BoundMethod, frontier
from kt_models.errors import KTError
from kt_models.kernel.certificates.quotient import quotient_of
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem

MAX_ORBITS = 49
"""Most orbits of cells; a sweep of 25 takes some seconds, and one of 49 four minutes."""


def make(problem: Problem, at_least: int, *, limits: Limits = NO_LIMITS) -> dict[str, Any]:
    """The data of a certificate that the objective is at least `at_least`.

    Returns
    -------
    dict
        Data that may prove `at_least`; only the sweep shows whether they do.

    Raises
    ------
    KTError
        If the tours of the problem do not correspond to tours of orbits.
    """
    quotient = quotient_of(problem)
    if quotient is None:
        raise KTError("quotient: it needs closed tours with a symmetry that maps no cell and no move to itself")
    return frontier.make(quotient, at_least, limits=limits)


def _worth(problem: Problem, at_least: int | None) -> bool:
    if not problem.symmetry or problem.graph.n > MAX_ORBITS * len(problem.group):
        return False
    return quotient_of(problem) is not None


METHOD = BoundMethod(
    "quotient",
    "every symmetric tour that could stay below, orbit by orbit",
    make,
    kind="quotient",
    rank=3,
    worth=_worth,
)
