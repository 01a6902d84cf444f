"""The most cells of a cycle or path that may leave any cell out: a longest walk, with its sweep."""

from __future__ import annotations

import time
from contextlib import suppress

import numpy as np

from encoders.stages import Solving, Stage
from kt_models.errors import TooLarge
from kt_models.kernel.certificates import Certificate, Statement
from kt_models.limits import Stopped

CERTIFYING = 2.0
"""Most time for the check of the bound, as a multiple of the time that it took to find it, and at least ten seconds."""


def work(solving: Solving) -> None:
    """Offer a longest walk and its bound, which is checked again if that does not take much longer."""
    from encoders.longest import longest
    from kt_models.kernel.certificates.longest.bound import METHOD, longest_task

    problem, standing, limits = solving.problem, solving.standing, solving.run.limits
    task, began = longest_task(problem), time.monotonic()
    assert task is not None
    try:
        answer = longest(task, limits=limits)
    except (Stopped, TooLarge):
        return
    if answer.moves >= (3 if problem.closed else 1):
        standing.accept_solution(METHOD, np.array(answer.edges, dtype=np.int32))
        if answer.bound is not None:
            certificate = Certificate(METHOD, Statement(problem, "at-least", -answer.bound), {"moves": answer.bound})
            seconds = max(10.0, CERTIFYING * (time.monotonic() - began))
            with suppress(Stopped, TooLarge):
                standing.accept_bound(METHOD, -answer.bound, certificate.checked(limits.within(seconds)))
            standing.accept_bound(METHOD, -answer.bound)


def _applies(solving: Solving) -> bool:
    problem = solving.problem
    if not problem.optional or problem.objective is None or not (solving.request.plain and solving.request.searched):
        return False
    from kt_models.kernel.certificates.longest.bound import longest_task

    return longest_task(problem) is not None


STAGE = Stage(
    "longest",
    "the most cells of a walk that may leave any cell out, by exchanges, CP-SAT and a sweep",
    frozenset({"tour", "bound"}),
    work,
    _applies,
    constrained=True,
)
