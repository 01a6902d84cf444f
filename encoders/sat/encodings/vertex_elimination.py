"""`vertex-elimination`: contract the arcs node by node, and never keep a pair that goes both ways.

Inner nodes are eliminated one after another. Clauses:

- variables r(u, v) and r(v, u) for each pair joined by then: a directed walk leads from u to v, whatever lies between
  having been eliminated;
- for each arc from u to v: if the tour takes it, r(u, v);
- when v is eliminated, for each two of its remaining neighbours u and w: r(u, v) and r(v, w) give r(u, w), and the
  same from w to u;
- for each neighbour u of v at that time: not both r(u, v) and r(v, u).

Complete: eliminating a node of a cycle of arcs leaves a shorter cycle of r, at last one of two nodes. Correct: r may
say exactly where walks of a tour lead, which without the root is never back.

Size: with p pairs joined and t triangles (the numbers of `relative`), 2p variables and 2m + 2t + p clauses of at most 3
literals; besides the arcs.

Source: M. F. Rankooh and J. Rintanen, "Propositional encodings of acyclicity and reachability by using vertex
elimination", AAAI 2022; for Hamiltonian cycles see N.-F. Zhou, "Encoding the Hamiltonian cycle problem into SAT based
on vertex elimination", CP 2024 (which contracts the cycle itself, root and all, and keeps one arc in and out).
"""

from __future__ import annotations

from itertools import combinations

from encoders.sat.arcs import Arcs
from encoders.sat.elimination import eliminate, elimination_size
from encoders.sat.encodings import Encoding
from encoders.sat.formula import Formula


def add(formula: Formula) -> None:
    """Add the connectivity of the formula's problem."""
    arcs = Arcs(formula)
    order = eliminate(arcs)
    leads: dict[tuple[int, int], int] = {}
    for v, left in order:
        for u in left:
            leads[u, v], leads[v, u] = formula.new(), formula.new()
            formula.add([-leads[u, v], -leads[v, u]])
    for tail, head, literal in arcs.inner:
        formula.add([-literal, leads[tail, head]])
    for v, left in order:
        for u, w in combinations(left, 2):
            formula.add([-leads[u, v], -leads[v, w], leads[u, w]])
            formula.add([-leads[w, v], -leads[v, u], leads[w, u]])


def size(arcs: Arcs) -> tuple[int, int]:
    """Most variables and clauses."""
    joined, triangles = elimination_size(arcs)
    return 2 * joined, 2 * arcs.formula.problem.graph.m + 2 * triangles + joined


ENCODING = Encoding("vertex-elimination", add, size)
