"""The best of the constructions that serve a board: tours of any size in linear time, with few turns or crossings."""

from __future__ import annotations

from heuristics.find import find
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.tour import Tour

CONSTRUCTIONS = ("strands", "octants", "formation")
"""Methods of `heuristics.find.METHODS` whose tours no local search comes near on large boards."""


def best_construction(problem: Problem, *, seed: int = 0, limits: Limits = NO_LIMITS) -> tuple[str, Tour] | None:
    """The method and the tour with the least objective; None if none serves the problem, or it has no objective."""
    if problem.objective is None or problem.symmetry:
        return None
    best: tuple[int, str, Tour] | None = None
    for name in CONSTRUCTIONS:
        try:
            tour = find(problem, name, seed=seed, limits=limits).tour
        except KTError:  # it is not for this board
            continue
        if tour is not None:
            value = problem.value(tour.edges) or 0
            best = min(best or (value, name, tour), (value, name, tour), key=lambda found: found[0])
    return None if best is None else best[1:]
