"""A tour with a small objective by a construction, made by rule."""

from __future__ import annotations

from functools import partial

from encoders.stages import Solving, Stage
from encoders.stages.start import patience
from encoders.work.run import in_time
from heuristics.find import construct


def work(solving: Solving) -> None:
    """Offer the best tour of all constructions."""
    problem, run = solving.problem, solving.run
    built = in_time(run, partial(construct, problem, run.limits), patience(problem, run))
    if built is not None:
        solving.standing.accept(built)
        solving.start_from_standing()


STAGE = Stage(
    "construction",
    "a tour by rule, where there are rules for few turns or crossings",
    35,
    frozenset({"tour"}),
    work,
    lambda solving: (
        solving.problem.objective is not None
        and solving.searched
        and solving.problem.connectivity in ("cycle", "path")
        and (solving.moments or solving.standing.edges is None)  # what is delivered is as good
    ),
    moment=True,
)
