"""A tour with given numbers, or a proof that there is none, by a cheap search that loads no solver."""

from __future__ import annotations

from functools import partial

from encoders.stages import Solving, Stage
from encoders.stages.start import patience
from encoders.work.run import in_time


def work(solving: Solving) -> None:
    """Offer the result of the search, which solves most puzzles."""
    from heuristics.find import find

    problem, run = solving.problem, solving.run
    result = in_time(run, partial(find, problem, quick=True, limits=run.limits), patience(problem, run))
    if result is not None and result.status != "unknown":
        solving.standing.accept(result)


STAGE = Stage(
    "numbering",
    "a tour with given numbers, by a search",
    frozenset({"tour", "refutation"}),
    work,
    lambda solving: solving.problem.numbers is not None and solving.request.plain and solving.request.searched,
    numbered=True,
)
