"""The best tour that comes with kt, and its bound if the certificate is right."""

from __future__ import annotations

from encoders.stages import Solving, Stage
from encoders.work.run import in_time


def work(solving: Solving) -> None:
    """Accept each part of the delivered answer as soon as it is read."""
    from heuristics.best_known import best_known

    problem, run, standing = solving.problem, solving.run, solving.standing
    check_stated = solving.request.check_stated
    known = in_time(run, lambda: best_known(problem, run.limits, standing.accept, check_stated=check_stated))
    if known is None:
        return
    solving.known = known
    standing.accept(known.result)
    if known.stated is not None:
        standing.state(known.stated)
    solving.start_from_standing()


STAGE = Stage(
    "delivered",
    "the best tour and bound that come with kt",
    frozenset({"tour", "bound"}),
    work,
    lambda solving: solving.request.hint == "best" and solving.request.plain,
    cheap=True,
)
