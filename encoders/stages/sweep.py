"""The least value by a sweep, while a spare thread improves tours and bounds."""

from __future__ import annotations

from encoders.stages import Solving, Stage
from encoders.work.run import race


def work(solving: Solving) -> None:
    """Sweep."""
    from encoders.local_search_engine import LocalSearchEngine

    run, sweeping = solving.run, solving.sweeping
    if sweeping is None:
        return
    if run.threads > 1:
        sweeping.beside = [LocalSearchEngine(solving.problem, run.elapsed)]
        if solving.bounding is not None:  # A sweep proves nothing before its end, and the end may not come in time.
            sweeping.beside.append(solving.bounding)
    race(run, [sweeping, *sweeping.beside])


STAGE = Stage(
    "sweep",
    "the least value on a small or narrow board where pairs count that do not meet",
    60,
    frozenset({"tour", "bound"}),
    work,
    lambda solving: solving.sweeping is not None and solving.plain and solving.standing.edges is not None,
)
