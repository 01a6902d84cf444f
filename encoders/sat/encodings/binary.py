"""`binary`: positions along the tour as binary numbers, and an adder from each node to the next.

Clauses, with N nodes (the root is at position 0) and k = ⌈log₂ N⌉ bits:

- each inner node has a position p between its distance from the root and N less its distance to it: at most k clauses
  for each bound (which cut off what cannot be, not more);
- each has the bits of p + 1, by a chain of k - 1 exclusive ors and k - 2 conjunctions;
- for each arc from u to v: if the tour takes it, the bits of v's position are those of u's plus 1: 2k clauses;
- for each arc out of the root, and into it: the position is 1, and N - 1: k clauses.

If the graph is bipartite, the lowest bit is known, so it is no variable, and neither is the first carry.

Complete: the adder drops the last carry, so the length of a cycle without the root would be a multiple of 2^k, but it
is at most N - 1. Correct: positions along the tour.

Size: at most n(3k - 3) + 1 variables, 4mk + 2mk + n(9k - 10) + 1 clauses of at most k + 1 literals; besides the arcs.

Source: N.-F. Zhou, "In pursuit of an efficient SAT encoding for the Hamiltonian cycle problem", CP 2020 (the adder, the
bounds by distance, and the parity).
"""

from __future__ import annotations

from collections.abc import Callable

from encoders.sat.arcs import Arcs, require_room
from encoders.sat.encodings import Encoding
from encoders.sat.formula import Formula
from encoders.sat.gates import Gates
from encoders.sat.positions import Bits, step, step_clauses


def add(formula: Formula) -> None:
    """Add the connectivity of the formula's problem."""
    arcs = Arcs(formula)
    width = (arcs.nodes - 1).bit_length()
    require_room(formula, step_clauses(arcs, width) + 9 * width * arcs.nodes)
    gates = Gates(formula)
    bits: list[Bits] = [[]]
    for node in range(1, arcs.nodes):
        lowest = gates.constant(arcs.parity[node]) if arcs.parity else formula.new()
        bits.append([lowest, *(formula.new() for _ in range(width - 1))])
    _bound(arcs, gates, bits)
    step(arcs, gates, bits, _plus_one(gates), lambda position: position)


def _bound(arcs: Arcs, gates: Gates, bits: list[Bits]) -> None:
    """Keep positions within the bounds that the distances from and to the root imply."""
    distances = zip(arcs.distances(), arcs.distances(reverse=True), strict=True)
    for node, (there, back) in enumerate(distances):
        if there is None or back is None:
            gates.clause([])  # No walk from the root passes here.
        elif node:
            _between(gates, bits[node], there, arcs.nodes - back)


def _between(gates: Gates, bits: Bits, least: int, most: int) -> None:
    """Compare with both bounds: where a digit of the bound decides, it agrees or a higher digit makes up for it."""
    for i, x in enumerate(bits):
        if least >> i & 1:
            gates.clause([x, *(y for j, y in enumerate(bits) if j > i and not least >> j & 1)])
        if not most >> i & 1:
            gates.clause([-x, *(-y for j, y in enumerate(bits) if j > i and most >> j & 1)])


def _plus_one(gates: Gates) -> Callable[[Bits], Bits]:
    def successor(bits: Bits) -> Bits:
        carry, total = gates.true, []
        for i, x in enumerate(bits):
            total.append(gates.xor(x, carry))
            if i + 1 < len(bits):
                carry = gates.both(x, carry)
        return total

    return successor


def size(arcs: Arcs) -> tuple[int, int]:
    """Most variables and clauses."""
    n, m, k = arcs.nodes, arcs.formula.problem.graph.m, (arcs.nodes - 1).bit_length()
    return n * (3 * k - 3) + 1, 6 * m * k + n * (9 * k - 10) + 1


ENCODING = Encoding("binary", add, size, rank=0)
"""Closed tours of 16x16 with variables and clauses in random order, 5 times each, took CaDiCaL 1.5.3 0.1 to 1 s,
with `chinese-remainder` 3 s to more than 10 s; `relative` and `lfsr` are slower from 12x12 on."""
