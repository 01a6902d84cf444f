"""`chinese-remainder`: positions along the tour by their remainders modulo a few small numbers.

Clauses, with N nodes and moduli q₁, q₂, ... without a common factor, the cheapest whose product is at least N:

- each inner node has one remainder for each modulus q, as q variables: q(q - 1)/2 + 1 clauses;
- for each arc from u to v and each remainder r: if the tour takes it and u has r, v has r + 1 modulo q: q clauses;
- for each arc out of the root, and into it: the remainder is that of 1, and of N - 1: 1 clause for each modulus.

If the graph is bipartite, the parity of positions is known, and with it half of the remainders modulo a power of 2,
which are then half as expensive.

Complete: the length of a cycle without the root would be a multiple of every modulus and so of their product, but it is
at most N - 1. With a product below N the encoding is smaller and often enough, but it has gaps, at the cycles whose
length is a multiple of the product; an answer then has to be looked at, and the next modulus added. Correct: the
remainders of the positions along the tour.

Size, with s the sum of the moduli and c how many they are (3, 5, 8 for the knight on 10x10; 3, 4, 5, 7 on 20x20): at
most ns + 1 variables, 2ms + 2mc + n(s²/2 + c) + 1 clauses of at most s literals; besides the arcs.

Source: M. J. H. Heule, "Chinese remainder encoding for Hamiltonian cycles", SAT 2021 (which writes remainders in bits,
with adders and shift registers, and chooses the product by hand).
"""

from __future__ import annotations

from math import prod

from encoders.sat.arcs import Arcs, require_room
from encoders.sat.encodings import Encoding
from encoders.sat.formula import Formula
from encoders.sat.gates import Gates

PRIMES = (23, 19, 17, 13, 11, 7, 5, 3, 2)


def add(formula: Formula) -> None:
    """Add the connectivity of the formula's problem."""
    arcs = Arcs(formula)
    chosen = moduli(arcs.nodes, bool(arcs.parity))
    ends = len(arcs.first) + len(arcs.last)
    require_room(formula, sum(chosen) * len(arcs.inner) + len(chosen) * ends + sum(q * q for q in chosen) * arcs.nodes)
    gates = Gates(formula)
    for q in chosen:
        _count_modulo(q, arcs, gates)


def moduli(least: int, parity: bool = False) -> list[int]:
    """Pairwise coprime prime powers of least cost whose product is at least `least`.

    A modulus costs itself, or half of that if it is even and the parity of positions is known.
    """

    def cost(chosen: list[int]) -> int:
        return sum(q // 2 if parity and q % 2 == 0 else q for q in chosen)

    best = [] if least <= 1 else [least]

    def extend(chosen: list[int], primes: tuple[int, ...]) -> None:
        nonlocal best
        if cost(chosen) >= cost(best):
            return
        if prod(chosen) >= least:
            best = chosen
        elif primes:
            extend(chosen, primes[1:])
            power = primes[0]
            while cost([*chosen, power]) < cost(best):
                extend([*chosen, power], primes[1:])
                power *= primes[0]

    extend([], PRIMES)
    return sorted(best)


def _count_modulo(q: int, arcs: Arcs, gates: Gates) -> None:
    """Let every arc lead from a remainder modulo q to the next."""
    formula = gates.formula
    remainder: list[list[int]] = [[]]
    for node in range(1, arcs.nodes):
        possible = [r for r in range(q) if not arcs.parity or q % 2 or r % 2 == arcs.parity[node]]
        variables = {r: gates.true if len(possible) == 1 else formula.new() for r in possible}
        if len(possible) > 1:
            formula.exactly(list(variables.values()), 1)
        remainder.append([variables.get(r, -gates.true) for r in range(q)])
    for tail, head, literal in arcs.inner:
        for r in range(q):
            gates.clause([-literal, -remainder[tail][r], remainder[head][(r + 1) % q]])
    for node, literal in arcs.first:
        gates.clause([-literal, remainder[node][1 % q]])
    if arcs.single:
        for node, literal in arcs.last:
            gates.clause([-literal, remainder[node][(arcs.nodes - 1) % q]])


def size(arcs: Arcs) -> tuple[int, int]:
    """Most variables and clauses."""
    n, m, chosen = arcs.nodes, arcs.formula.problem.graph.m, moduli(arcs.nodes, bool(arcs.parity))
    s, c = sum(chosen), len(chosen)
    return n * s + 1, 2 * m * (s + c) + n * (s * s // 2 + c) + 1


ENCODING = Encoding("chinese-remainder", add, size, rank=1)
