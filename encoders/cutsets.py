"""Cut-sets: linear constraints that a set of edges with the right degrees but wrong connectivity violates.

For a vertex set S that the solution must leave, at least `demand` chosen edges have one end in S:

- `cycle`, `path`: 2 for any S that misses something (an end of the path inside S counts as one edge out of S);
- `paths`: 2 for any S without a terminal;
- `linkage`: 2 for any S without a terminal, and the number of pairs with exactly one end in S for any other;
- the same of solutions that may leave vertices out, if they visit one in S and, for one cycle or path, one outside.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.board import IntArray
from kt_models.graph import MoveGraph
from kt_models.problem import Problem
from kt_models.walks import Walk, walks_of


class CutSet(NamedTuple):
    """A constraint: at least `demand` of `edges`, or of the path ends among `vertices`, are chosen."""

    vertices: IntArray
    edges: npt.NDArray[np.int64]
    demand: int


def leaving(problem: Problem, vertices: Iterable[int]) -> npt.NDArray[np.int64]:
    """The edges with exactly one end in a vertex set, without forbidden ones."""
    graph = problem.graph
    inside = np.zeros(graph.n, dtype=bool)
    inside[list(vertices)] = True
    crossing = np.flatnonzero(inside[graph.tails] != inside[graph.heads])
    if problem.forbidden:
        crossing = crossing[~np.isin(crossing, list(problem.forbidden))]
    return crossing


def violated(problem: Problem, edges: IntArray) -> tuple[list[Walk], list[CutSet]]:
    """The walks of a set of edges with the right degrees, and a cut-set against each wrong walk.

    Every component gives a cut-set; if there are two components, that of the smaller one is enough.
    """
    walks = walks_of(problem.graph.n, problem.graph.ends[edges], np.asarray(edges, dtype=np.int64))
    if problem.optional:
        walks = [walk for walk in walks if walk.edges]  # The others are vertices that are left out.
    partner = {}
    if problem.connectivity == "any":
        return walks, []
    if problem.connectivity in ("linkage", "sublinkage"):
        for s, t in zip(problem.terminals[::2], problem.terminals[1::2], strict=True):
            partner[s], partner[t] = t, s
    cuts = []
    whole = problem.connectivity in ("cycle", "path", "subcycle", "subpath")
    if whole and len(walks) == 1:
        return walks, []
    for walk in sorted(walks, key=lambda walk: len(walk.vertices)):
        wrong_pair = bool(partner) and partner.get(walk.vertices[0]) != walk.vertices[-1]
        demand = 2 if walk.closed or wrong_pair else 0
        if demand:
            cuts.append(CutSet(np.array(walk.vertices, dtype=np.int32), leaving(problem, walk.vertices), demand))
        if problem.closed and len(walks) == 2:
            break
    return walks, cuts


def short_cycles(graph: MoveGraph) -> list[tuple[int, int]]:
    """Edges that join a vertex to itself, each twice, and pairs of edges between the same two vertices."""
    keys = np.sort(graph.ends, axis=1).astype(np.int64) @ np.array([graph.n, 1])
    alike: dict[int, list[int]] = {}
    for e in np.flatnonzero(np.isin(keys, keys[np.argsort(keys)][1:][np.diff(np.sort(keys)) == 0])).tolist():
        alike.setdefault(int(keys[e]), []).append(e)
    loops = np.flatnonzero(graph.tails == graph.heads).tolist()
    return [(e, e) for e in loops] + [pair for edges in alike.values() for pair in combinations(edges, 2)]
