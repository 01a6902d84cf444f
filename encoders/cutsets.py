"""Cut-sets: linear constraints that a set of edges with the right degrees but wrong connectivity violates.

For a vertex set S that the solution must leave, at least `demand` chosen edges have one end in S:

- `cycle`, `path`: 2 for any S that misses something (an end of the path inside S counts as one edge out of S);
- `paths`: 2 for any S without a terminal;
- `linkage`: 2 for any S without a terminal, and the number of pairs with exactly one end in S for any other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.board import IntArray
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
    partner = {}
    if problem.connectivity == "any":
        return walks, []
    if problem.connectivity == "linkage":
        for s, t in zip(problem.terminals[::2], problem.terminals[1::2], strict=True):
            partner[s], partner[t] = t, s
    cuts = []
    whole = problem.connectivity in ("cycle", "path")
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
