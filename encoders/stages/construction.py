"""A tour with a small objective by a construction."""

from __future__ import annotations

from functools import partial

from encoders.stages import Solving, Stage
from encoders.stages.start import patience
from encoders.work.run import in_time


def work(solving: Solving) -> None:
    """Offer the best tour of all constructions; accept a late one too, because they do not run again."""
    in_time(solving.run, partial(_build, solving), patience(solving.problem, solving.run))
    solving.start_from_standing()


def _build(solving: Solving) -> None:
    from heuristics.find import construct

    built = construct(solving.problem, solving.run.limits, quick=True)
    if built is not None:
        solving.standing.accept(built)


STAGE = Stage(
    "construction",
    "a tour by rule, where there are rules for few turns or crossings",
    frozenset({"tour"}),
    work,
    lambda solving: (
        solving.problem.objective is not None
        and solving.request.searched
        and solving.problem.connectivity in ("cycle", "path")
        and (solving.request.cheap_only or solving.standing.edges is None)  # A delivered tour is as good.
    ),
    cheap=True,
)
