"""`find_tour`: some tour of a problem, fast, with no solver and no regard to the objective.

The problem is made plain (`reduction`), a random 2-factor is taken (`two_factor`), its cycles are merged (`merge`),
what is left is joined by rotations (`rotation`); then again with another 2-factor, or from single vertices.
"""

from __future__ import annotations

from dataclasses import replace

from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem, solution_edges
from kt_models.tour import Tour

ROUNDS = 60
"""How often a search is begun anew before it is given up."""
SLICE = 1_000_000
"""Elementary steps between two looks at the clock, a few hundredths of a second."""


def find_tour(problem: Problem, *, seed: int = 0, limits: Limits = NO_LIMITS) -> Tour | None:
    """A tour that has the required moves, none of the forbidden ones, and the given ends; symmetry is not looked at.

    Parameters
    ----------
    problem
        Of connectivity `cycle` or `path`.
    seed
        The same seed gives the same tour, unless the limits come first.
    limits
        The search may give up sooner: it begins anew a fixed number of times.

    Returns
    -------
    Tour or None
        A verified tour.  None proves nothing.

    Raises
    ------
    KTError
        If the problem asks for another connectivity.
    """
    import numpy as np

    from heuristics.merge import merge_cycles
    from heuristics.reduction import reduce_problem, tiny_tour
    from heuristics.rotation import Search, single_vertices
    from heuristics.two_factor import random_cover

    if problem.graph.n < 3 and problem.connectivity in ("cycle", "path"):
        tour = tiny_tour(problem)
        return None if tour is None else checked(problem, tour)
    instance = reduce_problem(problem)
    if instance is None:
        return None
    graph = instance.graph
    for number in range(ROUNDS):
        if limits.over:
            return None
        rng = np.random.default_rng((seed, number))
        links = single_vertices(graph.n)
        if number % 4 != 3:  # every fourth search starts from single vertices
            cover = random_cover(graph, instance.colour, rng, limits)
            if cover is None:
                return None
            merge_cycles(graph, cover, rng, limits)
            links = cover
        search = Search(graph, links, rng)
        work = (graph.n + 100) * 400 * (1 + number // 4)
        while work > 0 and not limits.over:
            cycle = search.run(min(work, SLICE))
            if cycle is not None:
                return checked(problem, instance.lift(cycle))
            work -= SLICE
    return None


def checked(problem: Problem, tour: Tour) -> Tour:
    """The tour, after it was checked against the problem (all but symmetry).

    Raises
    ------
    InvalidTour
        If it does not solve the problem: an error in this room, never to be let out of it.
    """
    solution_edges(replace(problem, symmetry=()), tour)
    return tour
