"""Cut-set clauses against a set of edges that has the right degrees and the wrong connectivity.

Every component that the solution must leave gives a clause: at least one edge leaves it. With these clauses alone the
solver can join two components and keep the others, so unions are added too. The smallest component is joined to the one
with which it shares the most edges, again and again, until two are left. From k components this makes a binary tree of
at most k - 2 more vertex sets, from small ones up to halves of the graph.
"""

from __future__ import annotations

import heapq
from collections import defaultdict

import numpy as np

from encoders.cutsets import CutSet, violated
from encoders.sat.formula import Clause, Formula, VertexSet
from kt_models.board import IntArray
from kt_models.problem import Problem
from kt_models.walks import Walk

MAX_LITERALS = 2_000_000
"""Most literals in one round's clauses; beyond it the unions are left out, the smallest ones come first."""


def clauses_broken_by(formula: Formula, edges: IntArray) -> tuple[list[Walk], list[Clause]]:
    """The walks of edges with the right degrees, and clauses that forbid them: none if the edges solve the problem."""
    walks, cuts = violated(formula.problem, edges)
    return walks, [list(clause) for clause in cut_clauses(formula, walks, cuts)]


def cut_clauses(formula: Formula, walks: list[Walk], cuts: list[CutSet]) -> dict[tuple[int, ...], list[int]]:
    """The clauses, with their vertex sets, of the cut-sets that walks violate (see `violated`), and of unions."""
    if not cuts:
        return {}
    if formula.problem.optional:
        return _partial_clauses(formula, walks, cuts)
    clauses: dict[tuple[int, ...], list[int]] = {}  # Under symmetry many sets make the same clause.
    literals = 0
    for vertices in (cut.vertices.tolist() for cut in cuts):
        clause = formula.cut_set(vertices)
        literals += len(clause)
        clauses[tuple(clause)] = vertices
    for vertices in unions_of(formula.problem, walks):
        clause = formula.cut_set(vertices)
        literals += len(clause)
        if literals > MAX_LITERALS:
            break
        clauses[tuple(clause)] = vertices
    return clauses


def _partial_clauses(formula: Formula, walks: list[Walk], cuts: list[CutSet]) -> dict[tuple[int, ...], list[int]]:
    """The same where vertices may be left out: a set has to be left if a vertex in it and one outside are visited.

    There is a clause for each vertex of a walk, so that the walk does not come again around one of them.
    """
    problem = formula.problem
    clauses: dict[tuple[int, ...], list[int]] = {}
    for vertices in (cut.vertices.tolist() for cut in cuts):
        inside = set(vertices)
        if inside.intersection(problem.terminals):  # It parts the terminals of a pair.
            sets = [VertexSet(vertices)]
        else:
            outside: list[int] = []
            if problem.connectivity != "sublinkage":
                others = [v for v in range(problem.graph.n) if v not in inside and v not in problem.optional]
                outside = others[:1] or [next(walk.vertices[0] for walk in walks if walk.vertices[0] not in inside)]
            witnesses = vertices if inside <= problem.optional else sorted(inside - problem.optional)[:1]
            sets = [VertexSet(vertices, [v, *outside]) for v in witnesses]
        clauses |= {tuple(formula.cut_set(some)): some for some in sets}
    return clauses


def unions_of(problem: Problem, walks: list[Walk]) -> list[list[int]]:
    """Unions of neighbouring components that every solution must leave."""
    members = {number: list(walk.vertices) for number, walk in enumerate(walks)}
    touching = _adjacency(problem, walks)
    heap = [(len(vertices), number) for number, vertices in members.items()]
    heapq.heapify(heap)
    unions: list[list[int]] = []
    while len(heap) > 2:
        _, a = heapq.heappop(heap)
        # The heap may hold a component that was merged since, or one without neighbours.
        if a not in members or not touching[a]:
            continue
        # The neighbour with the most edges in between is the most likely one to be joined; ties by number, for the same
        # answer each time.
        b = max(touching[a], key=lambda neighbour: (touching[a][neighbour], -neighbour))
        new = len(walks) + len(unions)
        union = members.pop(a) + members.pop(b)
        members[new] = union
        unions.append(union)
        # The union inherits the neighbours of its two parts, with their numbers of edges added.
        for old in (a, b):
            for neighbour, count in touching.pop(old).items():
                touching[neighbour].pop(old)
                if neighbour not in (a, b):
                    touching[new][neighbour] = touching[neighbour][new] = touching[new].get(neighbour, 0) + count
        heapq.heappush(heap, (len(union), new))
    return [side for union in unions if (side := _to_be_left(problem, union))]


def _adjacency(problem: Problem, walks: list[Walk]) -> dict[int, dict[int, int]]:
    """Number of allowed edges from each component to each other one."""
    graph = problem.graph
    component = np.empty(graph.n, dtype=np.int64)
    for number, walk in enumerate(walks):
        component[list(walk.vertices)] = number
    # Forbidden edges join nothing.
    ends = np.delete(component[graph.ends], list(problem.forbidden), axis=0)
    pairs, counts = np.unique(np.sort(ends, axis=1), axis=0, return_counts=True)
    touching: dict[int, dict[int, int]] = defaultdict(dict)
    for (a, b), count in zip(pairs.tolist(), counts.tolist(), strict=True):
        if a != b:
            touching[a][b] = touching[b][a] = count
    return touching


def _to_be_left(problem: Problem, vertices: list[int]) -> list[int]:
    """The vertex set in a list, if every solution has an edge out of it; otherwise an empty list."""
    inside = set(vertices)
    if len(inside) == problem.graph.n:
        return []
    if problem.connectivity in ("cycle", "path") or not inside & set(problem.terminals):
        return vertices
    # For a linkage a set has to be left if it separates a pair.
    pairs = zip(problem.terminals[::2], problem.terminals[1::2], strict=True)
    if problem.connectivity == "linkage" and any((s in inside) != (t in inside) for s, t in pairs):
        return vertices
    return []
