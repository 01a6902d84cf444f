"""Random tours: a tour is changed step by step, by exchanges of its ends, until nothing is left of the first one.

From an end of a path, any move leads back to a vertex of the path. Leaving out the edge behind that vertex makes
another path through all vertices ("backbite"). A closed tour is a path whose ends are a move apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from kt_models.limits import NO_LIMITS, Limits

EXCHANGES_PER_VERTEX = 40
"""Exchanges for each vertex before a path counts as random."""
MAX_EXCHANGES_PER_VERTEX = 100_000
"""Exchanges for each vertex after which a closed tour is given up."""


def random_way(
    near: Sequence[Sequence[int]], way: Sequence[int], closed: bool, random: Random, limits: Limits = NO_LIMITS
) -> list[int] | None:
    """A random path or closed tour through all vertices.

    Parameters
    ----------
    near
        The neighbours of each vertex.
    way
        Any path through all vertices.
    closed
        Whether the ends have to be a move apart; the tour then begins at a random vertex.

    Returns
    -------
    list of int or None
        The vertices in order; None if no closed tour came up.

    Raises
    ------
    Stopped
        If the limits are reached first.
    """
    path, n = list(way), len(way)
    if n < 3:
        return path
    for exchange in range(MAX_EXCHANGES_PER_VERTEX * n):
        if exchange % 1000 == 0:
            limits.check()
        if exchange >= EXCHANGES_PER_VERTEX * n and (not closed or path[0] in near[path[-1]]):
            break
        if random.random() < 0.5:
            path.reverse()
        behind = path.index(random.choice(near[path[-1]])) + 1
        path[behind:] = path[behind:][::-1]
    else:
        return None
    if closed:
        first = random.randrange(n)
        path = path[first:] + path[:first]
    return path
