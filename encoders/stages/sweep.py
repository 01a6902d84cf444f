"""The least value by a sweep, while the first tour is made better where there is a thread for it."""

from __future__ import annotations

from encoders.stages import Search, Stage
from encoders.work.run import race


def work(search: Search) -> None:
    """Sweep."""
    from encoders.annealing import Annealing

    run, sweeping = search.run, search.sweeping
    if sweeping is None:
        return
    sweeping.beside = Annealing(search.problem, run.elapsed) if run.threads > 1 else None
    race(run, [engine for engine in (sweeping, sweeping.beside) if engine is not None])


STAGE = Stage(
    "sweep",
    "the fewest crossings of a small or narrow board",
    60,
    frozenset({"tour", "bound"}),
    work,
    lambda search: search.sweeping is not None and search.plain and search.standing.edges is not None,
)
