"""`ties`: a tour by Warnsdorff's rule with random ties, if there is no objective.

A template: a copy without the underscore is a stage.
"""

from __future__ import annotations

from kt.encoders.stages import Solving, Stage
from kt.heuristics.find import find

TIME_SHARE = 0.1
"""Share of the time that is left; most boards take a moment."""


def work(solving: Solving) -> None:
    """Offer the tour to the standing, which verifies it."""
    result = find(solving.problem, "warnsdorff", limits=solving.run.limits.part(TIME_SHARE))
    if result.edges is not None:
        solving.standing.accept(result)


STAGE = Stage(
    "ties",
    "a tour by Warnsdorff's rule",
    frozenset({"tour"}),
    work,
    lambda solving: (
        solving.request.plain and solving.problem.objective is None and solving.problem.connectivity == "path"
    ),
    before="construction",  # Cheap, so it runs before the other searches.
)
