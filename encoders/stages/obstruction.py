"""A short reason why there is no solution."""

from __future__ import annotations

from encoders.stages import Solving, Stage


def work(solving: Solving) -> None:
    """Look for an obstruction."""
    from heuristics.obstruction import find_obstruction

    if certificate := find_obstruction(solving.problem, solving.run.limits):
        solving.standing.refute("obstruction", certificate)


def _has_isolated_vertex(solving: Solving) -> bool:
    from heuristics.obstruction import isolated_vertex

    return isolated_vertex(solving.problem.graph) is not None


ISOLATED = Stage(
    "isolated",
    "a vertex without an edge, of a large graph",
    frozenset({"refutation", "certificate"}),
    work,
    _has_isolated_vertex,
    cheap=True,
    numbered=True,
    constrained=True,
)
STAGE = Stage(
    "obstruction",
    "why there is no solution, seen at once",
    frozenset({"refutation", "certificate"}),
    work,
    cheap=True,
    numbered=True,
    constrained=True,
)
