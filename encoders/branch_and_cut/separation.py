"""Rows that a solution of the linear program violates: cut-sets by maximum flows, blossoms by components."""

from __future__ import annotations

import numpy as np

from encoders.lp.minimum_cuts import MAX_CUTS, TOLERANCE, Support, cut_sets, labels
from encoders.lp.program import Floats
from kt_models.kernel.certificates.cut_inequalities import Cut
from kt_models.kernel.certificates.integers import Ints
from kt_models.problem import Problem

LEAST_SHARES = 0.0, 0.1, 0.2, 0.3
"""Shares below which, and above one less which, edges are left out where handles of blossoms are sought."""


def separate(problem: Problem, edges: Ints, shares: Floats, ending: Floats) -> list[Cut]:
    """Violated rows: cut-sets, and blossoms if there are none.

    Parameters
    ----------
    edges
        Numbers of edges, and in `shares` the share of each of them.
    ending
        Share of a free end at each vertex, shape (n,).
    """
    support = Support(problem, edges, shares, ending)
    return cut_sets(support) or blossoms(support)


def blossoms(support: Support) -> list[Cut]:
    """Blossoms whose handle is a component of edges with a middling share (Padberg and Hong 1980)."""
    problem, tails, heads, shares = support.problem, support.tails, support.heads, support.shares
    if problem.free_ends:
        return []
    alone = np.zeros(support.n, dtype=np.int64)
    alone[list(problem.terminals)] = 1
    found: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[float, Cut]] = {}
    for share in LEAST_SHARES:
        middling = (shares > share + TOLERANCE) & (shares < 1 - share - TOLERANCE)
        label = labels(support.n, tails[middling], heads[middling])
        for k in np.flatnonzero(np.bincount(label) >= 3).tolist():
            inside = label == k
            leaving = np.flatnonzero(inside[tails] != inside[heads])
            x = shares[leaving]
            teeth = x > 0.5
            # The edge nearest to one half changes sides if the number is even.
            if (int(teeth.sum()) + int(alone[inside].sum())) % 2 == 0:
                if not len(x):
                    continue
                nearest = int(np.argmin(np.abs(x - 0.5)))
                teeth[nearest] = ~teeth[nearest]
            least = float(x[~teeth].sum() + (1 - x[teeth]).sum())
            if teeth.any() and least < 1 - 50 * TOLERANCE:
                handle = tuple(np.flatnonzero(inside).tolist())
                edges = tuple(sorted(support.edges[leaving[teeth]].tolist()))
                found[handle, edges] = least, Cut(handle, edges)
    return [cut for _, cut in sorted(found.values(), key=lambda item: item[0])[:MAX_CUTS]]
