"""Cuts that a solution of a relaxation breaks: cut-sets by minimum cuts, blossoms by the usual rule of thumb."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from encoders.lp.program import Floats
from kt_models.board import IntArray
from kt_models.certificates.cuts import Cut
from kt_models.problem import Problem

TOLERANCE = 1e-4
MAX_MINIMUM_CUT = 200
"""Most vertices of a graph whose minimum cut is sought; of larger ones only the components are looked at."""


def separate(problem: Problem, chosen: Floats, ending: Floats) -> list[Cut]:
    """Violated cuts.

    Parameters
    ----------
    chosen
        How far each edge is chosen, between 0 and 1, shape (m,).
    ending
        How far a path ends freely at each vertex, shape (n,).
    """
    cuts = [] if problem.connectivity == "any" else _cut_sets(problem, chosen, ending)
    return cuts or ([] if problem.free_ends else _blossoms(problem, chosen))


def _components(n: int, ends: IntArray) -> tuple[int, IntArray]:
    graph = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(n, n))
    number, label = connected_components(graph, directed=False)
    return number, label


def _cut_sets(problem: Problem, chosen: Floats, ending: Floats) -> list[Cut]:
    graph = problem.graph
    outside = [(t, 1.0) for t in problem.terminals] + [(int(v), float(ending[v])) for v in np.flatnonzero(ending > 0)]
    number, label = _components(graph.n, graph.ends[chosen > TOLERANCE])
    if number > 1:
        sets = [np.flatnonzero(label == k).astype(np.int32) for k in range(number)]
    elif graph.n <= MAX_MINIMUM_CUT:
        import networkx

        weighted: networkx.Graph = networkx.Graph()
        for (u, v), x in zip(graph.ends.tolist(), chosen.tolist(), strict=True):
            if x > TOLERANCE:  # parallel edges add up
                weighted.add_edge(u, v, weight=x + (weighted[u][v]["weight"] if weighted.has_edge(u, v) else 0.0))
        for v, x in outside:
            weighted.add_edge(v, -1, weight=x)
        _, (one, other) = networkx.stoer_wagner(weighted)
        sets = [np.array(sorted(one if -1 not in one else other), dtype=np.int32)]
    else:
        return []
    cuts = []
    for vertices in sets:
        inside = np.zeros(graph.n, dtype=bool)
        inside[vertices] = True
        leaving = float(chosen[inside[graph.tails] != inside[graph.heads]].sum() + ending[inside].sum())
        held = [bool(inside[t]) for t in problem.terminals]
        if any(held) and problem.connectivity == "paths":
            continue
        least = 2 - sum(held)
        if any(held) and problem.connectivity == "linkage":
            least = sum(s != t for s, t in zip(held[::2], held[1::2], strict=True))
        if leaving < least - 10 * TOLERANCE and 0 < len(vertices) < graph.n:
            cuts.append(Cut(tuple(vertices.tolist())))
    return cuts


def _blossoms(problem: Problem, chosen: Floats) -> list[Cut]:
    """Components of the fractional edges, with the edges out of them that are nearly chosen as teeth."""
    graph = problem.graph
    fractional = (chosen > TOLERANCE) & (chosen < 1 - TOLERANCE)
    number, label = _components(graph.n, graph.ends[fractional])
    terminals = np.bincount(label[list(problem.terminals)], minlength=number) if problem.terminals else None
    cuts = []
    for k in range(number):
        inside = label == k
        if inside.sum() < 3:
            continue
        leaving = np.flatnonzero(inside[graph.tails] != inside[graph.heads])
        x = chosen[leaving]
        teeth = x > 0.5
        parity = int(teeth.sum()) + (int(terminals[k]) if terminals is not None else 0)
        if parity % 2 == 0 and len(x):
            nearest = int(np.argmin(np.abs(x - 0.5)))
            teeth[nearest] = ~teeth[nearest]
        if len(x) and teeth.any() and x[~teeth].sum() + (1 - x[teeth]).sum() < 1 - 10 * TOLERANCE:
            cuts.append(Cut(tuple(np.flatnonzero(inside).tolist()), tuple(leaving[teeth].tolist())))
    return cuts
