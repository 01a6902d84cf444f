"""Paths between given cells, or a tour through stops in order, by a short SAT search on the cells of each path."""

from __future__ import annotations

from functools import partial

from encoders.counting.stops import linkage_in
from encoders.stages import Solving, Stage
from encoders.work.run import in_time

CONFLICTS = 20_000
"""Conflicts of the search, about a second."""


def work(solving: Solving) -> None:
    """Offer the solution of the search; what it does not find is left to engines."""
    linkage = linkage_in(solving.problem)
    if linkage is None:
        return
    from encoders.linked import first_ways

    found = in_time(solving.run, partial(first_ways, linkage, 1, CONFLICTS, solving.run.limits.check))
    for ways in found[0] if found is not None else ():
        solving.standing.accept_solution("sat/linked", linkage.chosen(solving.problem.graph, ways))


STAGE = Stage(
    "linked",
    "paths between given cells, by a short SAT search",
    frozenset({"tour"}),
    work,
    lambda solving: (
        (solving.problem.connectivity == "linkage" or bool(solving.problem.in_order))
        and not solving.problem.optional
        and solving.problem.objective is None
        and solving.request.plain
        and solving.request.searched is not False
        and not solving.request.proving
    ),
    constrained=True,
)
