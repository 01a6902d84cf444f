"""Paths between given cells, or a tour through stops in order, by a short SAT search on the cells of each path."""

from __future__ import annotations

from functools import partial

from encoders.counting.stops import CellLinkage, as_linkage, linkage_of_pairs
from encoders.stages import Solving, Stage
from encoders.work.run import in_time
from kt_models.problem import Problem

MAX_LITERALS = 50_000
"""Most pairs of a cell and a path: 30x30 with fifty paths."""
CONFLICTS = 20_000
"""Conflicts of the search, about a second."""


def linkage_in(problem: Problem) -> CellLinkage | None:
    """The paths that a problem asks for and nothing else; None if it asks for more, or is too large."""
    linkage = linkage_of_pairs(problem) or as_linkage(problem)
    if linkage is None or len(linkage.cell) * len(linkage.pairs) > MAX_LITERALS:
        return None
    return linkage


def work(solving: Solving) -> None:
    """Offer the solution of the search; what it does not find is left to engines."""
    linkage = linkage_in(solving.problem)
    if linkage is None:
        return
    from encoders.linked import first_ways

    ways = in_time(solving.run, partial(first_ways, linkage, CONFLICTS, solving.run.limits.check))
    if ways is not None:
        solving.standing.accept_solution("sat/linked", linkage.chosen(solving.problem.graph, ways))


STAGE = Stage(
    "linked",
    "paths between given cells, by a short SAT search",
    frozenset({"tour"}),
    work,
    lambda solving: (
        (solving.problem.connectivity == "linkage" or bool(solving.problem.in_order))
        and solving.problem.objective is None
        and solving.request.plain
        and solving.request.searched is not False
        and not solving.request.proving
    ),
    constrained=True,
)
