"""`ties`: a tour by Warnsdorff's rule with random ties, where any tour will do.

A template: a copy without the underscore is a stage.
"""

from __future__ import annotations

from encoders.stages import Search, Stage
from heuristics.find import find

SHARE = 0.1
"""Of the time that is left: most boards take a moment."""


def work(search: Search) -> None:
    """Offer the tour to the standing, which verifies it."""
    result = find(search.problem, "warnsdorff", limits=search.run.limits.part(SHARE))
    if result.edges is not None:
        search.standing.accept(result)


STAGE = Stage(
    "ties",
    "a tour by Warnsdorff's rule",
    35,  # before the other searches
    frozenset({"tour"}),
    work,
    lambda search: search.plain and search.problem.objective is None and search.problem.connectivity == "path",
)
