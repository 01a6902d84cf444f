"""A tour with a small objective by a construction, made by rule."""

from __future__ import annotations

from functools import partial

from encoders.stages import Solving, Stage
from encoders.stages.start import patience
from encoders.work.run import in_time


def work(solving: Solving) -> None:
    """Offer the best tour of all constructions; they are not asked again, so one that is late is taken as well."""
    in_time(solving.run, partial(_build, solving), patience(solving.problem, solving.run))
    solving.start_from_standing()


def _build(solving: Solving) -> None:
    from heuristics.find import construct

    built = construct(solving.problem, solving.run.limits)
    if built is not None:
        solving.standing.accept(built)


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
