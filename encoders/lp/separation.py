"""Cuts that a solution of a relaxation violates: cut-sets by minimum cuts, blossoms by the usual heuristic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from typing import Any

import numpy as np
import numpy.typing as npt

from encoders.lp.minimum_cuts import TOLERANCE, Support, cut_sets
from encoders.lp.program import Floats
from kt_models.board import IntArray
from kt_models.kernel.certificates.cut_inequalities import Cut
from kt_models.kernel.certificates.integers import Ints
from kt_models.problem import Problem
from kt_models.walks import components

_Edges = npt.NDArray[np.integer[Any]]
MAX_MERGED = 400
"""Most vertices of a graph whose vertices are merged to find a minimum cut; that needs nothing compiled."""


def separate(problem: Problem, chosen: Floats, ending: Floats) -> list[Cut]:
    """Violated cuts.

    Parameters
    ----------
    chosen
        Share of each edge, between 0 and 1, shape (m,).
    ending
        Share of a free end at each vertex, shape (n,).
    """
    cuts = [] if problem.connectivity == "any" else _cut_sets(problem, chosen, ending)
    # Blossoms are sought only if no cut-set is violated: cut-sets raise the bound more, and are found sooner.
    if cuts or problem.free_ends:
        return cuts
    graph = problem.graph
    found = blossoms(graph.n, graph.ends, chosen, problem.terminals)
    return [Cut(tuple(handle.tolist()), tuple(teeth.tolist())) for handle, teeth in found]


def _components(n: int, ends: _Edges) -> tuple[int, IntArray]:
    """The number of components of a graph, and for each vertex the number of its component."""
    least, label = np.unique(components(n, ends), return_inverse=True)
    return len(least), label.astype(np.int32)


def hardly_left(joined: dict[int, dict[int, float]], enough: float) -> Iterator[set[int]]:
    """Yield sets of vertices of a connected graph whose edges out weigh less than `enough`, if there are any.

    Vertices that no such set separates are merged, until a single vertex is such a set or only one is left. First a
    vertex is merged with the neighbour that gets half of its weight (Padberg and Rinaldi 1990). If there is no such
    pair, vertices are merged whose connectivity is `enough`, according to a maximum adjacency order (Nagamochi and
    Ibaraki 1992). A set that was found is merged with its nearest neighbour, and the search continues; it may miss
    other sets then. `joined` is consumed.
    """
    parts = {v: {v} for v in joined}

    def merge(kept: int, merged: int) -> None:
        for v, weight in joined.pop(merged).items():
            del joined[v][merged]
            if v != kept:
                joined[v][kept] = joined[kept][v] = joined[kept].get(v, 0.0) + weight
        parts[kept] |= parts.pop(merged)

    waiting = list(joined)
    while len(joined) > 1:
        while waiting and len(joined) > 1:
            v = waiting.pop()
            if v not in joined:
                continue
            # The weight of all edges out of v is the weight of a cut: that of v's part.
            out, nearest = sum(joined[v].values()), max(joined[v], key=joined[v].__getitem__)
            if out < enough:
                yield set(parts[v])
            # If half of v's weight goes to one neighbour, moving v to its side makes no cut heavier, so no light cut
            # needs to separate them.
            if out < enough or 2 * joined[v][nearest] >= out - TOLERANCE / 10:
                merge(nearest, v)
                waiting += [nearest, *joined[nearest]]
        if len(joined) > 1:
            pairs = _well_joined(joined, enough)
            if not pairs:  # Through rounding, some vertex is on the verge of being such a set.
                return
            for v, u in pairs:
                first, second = (next(k for k, part in parts.items() if w in part) for w in (v, u))
                if first != second:
                    merge(first, second)
            # All vertices may have become mergeable by now.
            waiting = list(joined)


def _well_joined(joined: dict[int, dict[int, float]], enough: float) -> list[tuple[int, int]]:
    """Pairs of vertices, at least one, that no cut of weight below `enough` separates."""
    reach, heap, seen = dict.fromkeys(joined, 0.0), [(0.0, next(iter(joined)))], set[int]()
    pairs = []
    while heap:
        _, v = heappop(heap)
        if v in seen:
            continue
        seen.add(v)
        for u, weight in joined[v].items():
            if u not in seen:
                reach[u] += weight
                # Instead of a change of priority a new entry is pushed; the old one is skipped above.
                heappush(heap, (-reach[u], u))
                if reach[u] >= enough:
                    pairs.append((v, u))
    return pairs


def _cut_sets(problem: Problem, chosen: Floats, ending: Floats) -> list[Cut]:
    graph = problem.graph
    # Vertex -1 stands for everything outside: the ends of paths count as edges to it.
    outside = [(t, 1.0) for t in problem.terminals] + [(int(v), float(ending[v])) for v in np.flatnonzero(ending > 0)]
    number, label = _components(graph.n, graph.ends[chosen > TOLERANCE])
    if number > 1:
        sets = [np.flatnonzero(label == k).astype(np.int32) for k in range(number)]
    elif graph.n <= MAX_MERGED:
        joined: dict[int, dict[int, float]] = {v: {} for v in range(graph.n)}
        chosen_pairs = [
            (u, v, x) for (u, v), x in zip(graph.ends.tolist(), chosen.tolist(), strict=True) if x > TOLERANCE
        ]
        for u, v, x in (*chosen_pairs, *((v, -1, x) for v, x in outside)):
            for tail, head in ((u, v), (v, u)):  # The weights of parallel edges add up.
                there = joined.setdefault(tail, {})
                there[head] = there.get(head, 0.0) + x
        whole = set(joined)
        # A margin below 2, because the solver's values are exact only up to its tolerance.
        part = next(hardly_left(joined, 2 - 10 * TOLERANCE), None)
        if part is None:
            return []
        # The side without the outside is a set of vertices.
        sets = [np.array(sorted(part if -1 not in part else whole - part), dtype=np.int32)]
    elif problem.connectivity in ("cycle", "path"):
        edges = np.flatnonzero(chosen > TOLERANCE)
        return cut_sets(Support(problem, edges, chosen[edges], ending))
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
        # Each end inside replaces an edge out of the set.
        least = 2 - sum(held)
        if any(held) and problem.connectivity == "linkage":
            least = sum(s != t for s, t in zip(held[::2], held[1::2], strict=True))
        if leaving < least - 10 * TOLERANCE and 0 < len(vertices) < graph.n:
            cuts.append(Cut(tuple(vertices.tolist())))
    return cuts


def blossoms(n: int, ends: _Edges, chosen: Floats, terminals: Sequence[int] = ()) -> Iterator[tuple[Ints, Ints]]:
    """Components of the fractional edges as handles, and the edges out of them that are nearly chosen as teeth.

    Parameters
    ----------
    ends
        Ends of the edges, shape (m, 2).
    chosen
        Share of each edge, shape (m,).
    terminals
        Vertices with a single chosen edge.
    """
    fractional = (chosen > TOLERANCE) & (chosen < 1 - TOLERANCE)
    number, label = _components(n, ends[fractional])
    alone = np.bincount(label[list(terminals)], minlength=number)
    for k in np.flatnonzero(np.bincount(label) >= 3).tolist():
        inside = label == k
        leaving = np.flatnonzero(inside[ends[:, 0]] != inside[ends[:, 1]])
        x = chosen[leaving]
        # Edges of more than one half are teeth; if their number is even, the edge nearest to one half changes sides at
        # the least loss.
        teeth = x > 0.5
        if (teeth.sum() + alone[k]) % 2 == 0 and len(x):
            nearest = int(np.argmin(np.abs(x - 0.5)))
            teeth[nearest] = ~teeth[nearest]
        if teeth.any() and x[~teeth].sum() + (1 - x[teeth]).sum() < 1 - 10 * TOLERANCE:
            yield np.flatnonzero(inside), leaving[teeth]
