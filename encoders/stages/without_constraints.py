"""Claims about the problem without its constraints: a bound that holds with them, too, or that none is satisfied.

A tour that it finds may satisfy them, and is then as good as the bound.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Literal

from encoders.stages import Request, Solving, Stage, answer
from encoders.work.run import Run
from kt_models.errors import InvalidTour, KTError
from kt_models.kernel.certificates import Certificate, Checked, Statement
from kt_models.limits import Limits
from kt_models.problem import Problem

SHARE, SECONDS = 0.2, 10.0
"""Share of the remaining time, and most seconds, for each of these bounds: only cheap ones are tried. The cheap stages
have no common step to count, and the engines decide what they leave open."""


def work(solving: Solving) -> None:
    """Offer a bound of the problem without its constraints, or a constraint that no solution satisfies."""
    from kt_models.kernel.certificates.unsatisfiable_constraint import METHOD, least_of

    problem, standing = solving.problem, solving.standing
    for constraint in problem.constraints:
        about, most = least_of(problem, constraint)
        known = _bound(about, solving)
        if known is not None and known.cost_bound is not None and known.cost_bound > most:
            claim = Statement(problem, "infeasible")
            standing.refute("relaxed", Certificate(METHOD, claim, {"certificate": known.to_json()}).checked())
            return
    if problem.objective is not None:
        known = _bound(problem.unconstrained, solving)
        if known is not None and known.cost_bound is not None:
            same = Certificate(known.method, replace(known.statement, problem=problem), known.data).checked()
            standing.accept_bound("relaxed", known.cost_bound, same)


def _bound(problem: Problem, solving: Solving) -> Checked | None:
    """The best bound of the cheap stages, or of all for sums over single edges, with its certificate.

    Their tour is offered.
    """
    limits: Limits = solving.run.limits.part(SHARE).within(SECONDS)
    hint: bool | Literal["best"] = "best" if solving.request.hint == "best" else True
    # Branch and cut is no cheap stage, and proves most lengths at once.
    solved = solving.of(Request(problem, hint=hint, cheap_only=not problem.weighs_edges), Run.of(problem, limits))
    try:
        result = answer(solved)
    except KTError:
        return None
    if result.edges is not None:
        with suppress(InvalidTour):  # It breaks a constraint.
            solving.standing.accept_solution("relaxed", result.edges, solving.problem.cost(result.edges))
    return result.certificate if isinstance(result.certificate, Checked) else None


STAGE = Stage(
    "relaxed",
    "a tour and a bound without the constraints, or the bound of the sum of one",
    frozenset({"tour", "bound", "refutation"}),
    work,
    lambda solving: (
        solving.problem.is_constrained
        and not solving.problem.optional  # No stage for plain problems shows anything of it.
        and solving.request.plain
        and solving.request.searched
    ),
    constrained=True,
)
