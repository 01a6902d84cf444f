"""`absolute`: a variable for each inner node and each position it may be at. A template: a copy is an encoding.

Clauses, with N nodes: each node is at one of the positions 1..N-1; for each arc from u to v and each position i, if the
tour takes it and u is at i, then v is at i + 1, and u is not at N - 1.

Complete: positions along a cycle without the root would grow for ever. Correct: positions along the tour.

Size: 2n² variables, 2mn + n³/2 clauses; besides the arcs.

Source: (author, title, venue, year)
"""

from __future__ import annotations

from kt.encoders.sat.arcs import Arcs, require_room
from kt.encoders.sat.encodings import Encoding
from kt.encoders.sat.formula import Formula


def add(formula: Formula) -> None:
    arcs = Arcs(formula)
    last = arcs.nodes - 1
    require_room(formula, len(arcs.inner) * last + arcs.nodes**3 // 2)
    at = [[formula.new() for _ in range(last)] for _ in range(arcs.nodes)]
    for node in range(1, arcs.nodes):
        formula.exactly(at[node], 1)
    for tail, head, literal in arcs.inner:
        for i in range(last - 1):
            formula.add([-literal, -at[tail][i], at[head][i + 1]])
        formula.add([-literal, -at[tail][last - 1]])
    for node, literal in arcs.first:
        formula.add([-literal, at[node][0]])


def size(arcs: Arcs) -> tuple[int, int]:
    n, m = arcs.nodes, arcs.formula.problem.graph.m
    return 2 * n**2, 2 * m * n + n**3 // 2


ENCODING = Encoding("absolute", add, size)
