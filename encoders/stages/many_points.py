"""A short tour of many points, all of whose pairs are edges: no other stage takes so many."""

from __future__ import annotations

from encoders.stages import Solving, Stage
from kt_models.errors import KTError


def work(solving: Solving) -> None:
    """Offer the tour of the heuristics, and say why there is no more."""
    from heuristics.find import find

    request, problem = solving.request, solving.problem
    why = f"all pairs of {problem.graph.n:,} points are edges, too many"
    conditions = problem.is_constrained or problem.numbers is not None or problem.required or problem.forbidden
    if conditions or request.proof or not (request.plain and request.searched):
        raise KTError(
            f"{problem.graph.name}: {why} for engines, proofs and conditions; take fewer: --edges delaunay, nearest:8 "
            "or within:R"
        )
    result = find(problem, limits=solving.run.limits)
    solving.standing.accept(result)
    if problem.objective is not None:
        solving.reason = result.reason or f"no certificate: {why} for a bound"


STAGE = Stage(
    "many points",
    "a short tour of many points, all of whose pairs are edges",
    frozenset({"tour", "bound"}),
    work,
    lambda solving: solving.problem.graph.is_implicit,
    cheap=True,
    numbered=True,
    constrained=True,
    implicit=True,
)
