"""`relative`: which of two nodes comes first, as an order.

Clauses, over the inner nodes (all but the root), completed to a chordal graph by elimination:

- a variable o(u, v) for each pair joined: u comes before v, and o(v, u) is its negation;
- for each arc from u to v: if the tour takes it, u comes before v;
- for each triangle {u, v, w}: neither o(u, v), o(v, w), o(w, u) nor o(v, u), o(w, v), o(u, w) all hold.

Complete: a cycle of arcs would make a cycle of the order, which has a chord in a chordal graph unless it is a
triangle, so there would be a shorter one. Correct: positions along the tour are such an order.

Size: with p pairs joined and t triangles (for a knight on 12x12 p = 2,252 and t = 29,793, on 20x20 12,048 and 319,473),
p variables and 2m + 2t clauses of at most 3 literals; besides the arcs.

Source: M. N. Velev and P. Gao, "Efficient SAT techniques for relative encoding of permutations with constraints",
AI 2009: Advances in Artificial Intelligence, 2009; triangulated transitivity after R. E. Bryant and M. N. Velev,
"Boolean satisfiability with transitivity constraints", ACM Transactions on Computational Logic, 2002.
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
    place = {node: i for i, (node, _) in enumerate(order)}
    variable = {(node, later): formula.new() for node, left in order for later in left}

    def before(u: int, v: int) -> int:
        return variable[u, v] if place[u] < place[v] else -variable[v, u]

    for tail, head, literal in arcs.inner:
        formula.add([-literal, before(tail, head)])
    for u, left in order:
        for v, w in combinations(left, 2):
            round_trip = [before(u, v), before(v, w), before(w, u)]
            formula.clauses += [[-x for x in round_trip], round_trip]


def size(arcs: Arcs) -> tuple[int, int]:
    """Most variables and clauses."""
    joined, triangles = elimination_size(arcs)
    return joined, 2 * arcs.formula.problem.graph.m + 2 * triangles


ENCODING = Encoding("relative", add, size)
