"""`closure_cycle`: a Hamiltonian cycle of a graph whose closure is complete (Bondy and Chvátal 1976).

Let two vertices of a graph with n vertices be nonadjacent, and have at least n edges together. To join them does not
change whether there is a Hamiltonian cycle. The closure is the graph after all such joins. If it is complete, which
covers the conditions of Dirac and of Ore, a cycle is made from any order of the vertices: the edges that are not in the
graph are replaced, the latest first, each by two earlier ones.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kt_models.board import IntArray
from kt_models.kernel.certificates.integers import Ints
from kt_models.limits import NO_LIMITS, Limits

MAX_VERTICES = 5_000
"""Largest graph: the table of all pairs takes 50 MB then."""


def closure_cycle(n: int, ends: Ints, limits: Limits = NO_LIMITS) -> IntArray | None:
    """The vertices of a Hamiltonian cycle in order; None if the closure is not complete.

    Parameters
    ----------
    n
        Number of vertices, at least 3.
    ends
        Ends of the edges, shape (m, 2).
    """
    degrees = np.bincount(ends.reshape(-1), minlength=n)
    if n < 3 or n > MAX_VERTICES or np.partition(degrees, n - 2)[n - 2 :].sum() < n:
        return None
    added = _closure(n, ends, limits)
    return None if added is None else _cycle(added, limits)


def _closure(n: int, ends: Ints, limits: Limits) -> npt.NDArray[np.uint16] | None:
    """The round in which each pair is joined, 0 for the edges of the graph, shape (n, n); None if the closure is not
    complete.

    A round joins every pair that the edges of earlier rounds allow.
    """
    never = np.iinfo(np.uint16).max
    added = np.full((n, n), never, dtype=np.uint16)
    added[ends[:, 0], ends[:, 1]] = added[ends[:, 1], ends[:, 0]] = 0
    np.fill_diagonal(added, 0)
    degrees = (added == 0).sum(axis=1) - 1
    number = 0
    while (degrees < n - 1).any():
        limits.check()
        number += 1
        count = 0
        for v in np.flatnonzero(degrees < n - 1).tolist():
            new = (added[v] == never) & (degrees + degrees[v] >= n)
            added[v, new] = number
            count += int(new.sum())
        if not count:
            return None
        degrees = (added <= number).sum(axis=1) - 1
    return added


def _cycle(added: npt.NDArray[np.uint16], limits: Limits) -> IntArray:
    """A cycle of edges of round 0, from the cycle of all vertices in order of number."""
    order = np.arange(len(added))
    while True:
        limits.check()
        rounds = added[order, np.roll(order, -1)]
        last = int(rounds.argmax())
        if rounds[last] == 0:
            return order.astype(np.int32)
        order = np.roll(order, -last - 1)  # Let the edge to be replaced join the last vertex to the first.
        first, end = added[order[0]], added[order[-1]]
        later = np.maximum(first[order[1:]], end[order[:-1]])  # The two edges in its place, for each place to cut.
        place = int(later.argmin()) + 1
        order[place:] = order[place:][::-1].copy()
