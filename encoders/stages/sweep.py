"""The least value by a sweep, while a spare thread improves tours and bounds."""

from __future__ import annotations

from encoders.stages import Solving, Stage
from encoders.work.run import race


def work(solving: Solving) -> None:
    """Find the least value by a sweep, and improve tours and bounds beside it."""
    from encoders.local_search_engine import LocalSearchEngine

    run, sweeping = solving.run, solving.helpers.sweep
    if sweeping is None:
        return
    if run.threads > 1:
        sweeping.beside = [LocalSearchEngine(solving.problem, run.elapsed)]
        if (
            solving.helpers.bounds is not None
        ):  # A sweep proves nothing before its end, and the end may not come in time.
            sweeping.beside.append(solving.helpers.bounds)
    race(run, [sweeping, *sweeping.beside])


STAGE = Stage(
    "sweep",
    "the least value on a small or narrow board where pairs count that do not meet",
    frozenset({"tour", "bound"}),
    work,
    lambda solving: solving.helpers.sweep is not None and solving.request.plain and solving.standing.edges is not None,
    lambda solving: solving.helpers.sweep_cost,
)
