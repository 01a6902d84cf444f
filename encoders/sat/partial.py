"""One cycle, one path or a linkage that may leave vertices out, as clauses for any SAT solver.

Each chosen edge gets a direction, and each vertex at most one arc in and one out. Each vertex has a number, which grows
by 1 along each arc, except into the *root* of a cycle; so directed cycles without the root are excluded. A vertex that
is not optional is the root of the cycle. Otherwise the root is chosen, at most one. A path and a linkage have no root.
Labels that are carried along the paths of a linkage make each end at its partner.

Size, for n vertices and m edges, with k = ⌈log₂ n⌉: 2m + n(2k + 2) variables, and about 8mk clauses.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

from encoders.sat.arcs import label_pairs, require_room
from encoders.sat.formula import MAX_DIRECT_DEGREE, Formula


def add_connectivity(formula: Formula) -> None:
    """Add the connectivity of a problem whose solutions may leave vertices out.

    Raises
    ------
    TooLarge
        If there are too many clauses.
    """
    problem, graph = formula.problem, formula.problem.graph
    width = max(1, (graph.n - 1).bit_length())
    require_room(formula, graph.m * (8 * width + 6) + graph.n * (3 * width + 6 * MAX_DIRECT_DEGREE))
    roots = _roots(formula)
    number = [[formula.new() for _ in range(width)] for _ in range(graph.n)]
    carry = [_carries(formula, bits) for bits in number]
    into: list[list[int]] = [[] for _ in range(graph.n)]
    out: list[list[int]] = [[] for _ in range(graph.n)]
    for e, (u, v) in enumerate(graph.ends.tolist()):
        if e in problem.forbidden:
            continue
        there, back, x = formula.new(), formula.new(), formula.edge[e]
        formula.clauses += [[-there, x], [-back, x], [-x, there, back], [-there, -back]]
        for arc, tail, head in ((there, u, v), (back, v, u)):
            out[tail].append(arc)
            into[head].append(arc)
            if roots[head] is not True:
                free = [] if roots[head] is None else [int(roots[head])]
                formula.clauses += _successor([-arc, *free], number[tail], carry[tail], number[head])
    for arcs in (*into, *out):
        _at_most_one(formula, arcs)
    if problem.connectivity == "sublinkage":
        ends = graph.ends.tolist()
        label_pairs(formula, ((u, v, x) for (u, v), x in zip(ends, formula.edge, strict=True)))


def _roots(formula: Formula) -> list[int | bool | None]:
    """Whether a vertex is the root of the cycle: it is, it cannot be, or a literal."""
    problem, n = formula.problem, formula.problem.graph.n
    roots: list[int | bool | None] = [None] * n
    if problem.connectivity != "subcycle":
        return roots
    visited = next((v for v in range(n) if v not in problem.optional), None)
    if visited is not None:
        roots[visited] = True
        return roots
    literals = [formula.new() for _ in range(n)]
    _at_most_one(formula, literals)
    return list(literals)


def _carries(formula: Formula, bits: Sequence[int]) -> list[int]:
    """Literals that say of each bit of a number whether it and all bits below it are 1."""
    carries = [bits[0]]
    for x in bits[1:]:
        both, below = formula.new(), carries[-1]
        formula.clauses += [[-both, x], [-both, below], [both, -x, -below]]
        carries.append(both)
    return carries


def _successor(unless: list[int], tail: Sequence[int], carry: Sequence[int], head: Sequence[int]) -> list[list[int]]:
    """The number of the head is that of the tail and 1, unless one of some literals holds."""
    clauses = [[*unless, -carry[-1]], [*unless, tail[0], head[0]], [*unless, -tail[0], -head[0]]]
    for c, (x, y) in zip(carry, list(zip(tail, head, strict=True))[1:], strict=False):
        clauses += [[*unless, c, -x, y], [*unless, c, x, -y], [*unless, -c, x, y], [*unless, -c, -x, -y]]
    return clauses


def _at_most_one(formula: Formula, literals: Sequence[int]) -> None:
    """At most one literal holds: pair by pair, or for many by literals that say whether one before holds."""
    if len(literals) <= MAX_DIRECT_DEGREE:
        formula.clauses += [[-x, -y] for x, y in combinations(literals, 2)]
        return
    before = [formula.new() for _ in literals]
    formula.clauses += [[-x, now] for x, now in zip(literals, before, strict=True)]
    formula.clauses += [[-last, now] for last, now in pairwise(before)]
    formula.clauses += [[-last, -x] for last, x in zip(before, literals[1:], strict=False)]
