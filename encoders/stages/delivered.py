"""The best tour that comes with kt, and its bound if the certificate is right."""

from __future__ import annotations

from encoders.stages import Search, Stage
from encoders.work.run import in_time
from heuristics.best_known import best_known


def work(search: Search) -> None:
    """Take the best tour delivered, each part of the answer as soon as it is there."""
    problem, run, standing = search.problem, search.run, search.standing
    known = in_time(
        run, lambda: best_known(problem, run.limits.part(0.5), standing.accept, check_stated=search.check_stated)
    )
    if known is None:
        return
    standing.accept(known.result)
    if known.stated is not None:
        standing.state(known.stated)
    search.start_from_standing()


STAGE = Stage(
    "delivered",
    "the best tour and bound that come with kt",
    10,
    frozenset({"tour", "bound"}),
    work,
    lambda search: search.hint == "best" and search.plain and not search.given,
)
