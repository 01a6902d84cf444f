"""`lfsr`: positions along the tour as states of a linear feedback shift register.

The successor of a state shifts its bits by one and fills in the exclusive or of two or four of them. With the right
bits all 2^k - 1 nonzero states form one ring. So a step costs almost nothing where `binary` needs an adder.

Clauses, with N nodes and the least k such that 2^k - 1 ≥ N:

- each inner node has a state of k bits, not all 0: 1 clause;
- each has its feedback, the exclusive or of 2 or 4 bits: 4 or 12 clauses;
- for each arc from u to v: if the tour takes it, v's state is the successor of u's: 2k clauses;
- for each arc out of the root, and into it: the state is the first, and the (N - 1)-st: k clauses.

Complete: the length of a cycle without the root would be a multiple of 2^k - 1, but it is at most N - 1. Correct: the
states in order along the tour.

Size: at most n(k + 3) + 1 variables, 4mk + 2mk + 13n + 1 clauses of at most k literals (or 3); besides the arcs.

Source: A. Johnson, "Quasi-linear reduction of Hamiltonian cycle problem (HCP) to satisfiability problem (SAT)", IP.com
IPCOM000237123D, 2014, and "Solving Hamiltonian cycle problems using Boolean satisfiability", EURO 2019.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from encoders.sat.arcs import Arcs, require_room
from encoders.sat.encodings import Encoding
from encoders.sat.formula import Formula
from encoders.sat.gates import Gates
from encoders.sat.positions import Bits, step, step_clauses

# fmt: off
TAPS: dict[int, tuple[int, ...]] = {
    2: (2, 1), 3: (3, 2), 4: (4, 3), 5: (5, 3), 6: (6, 5), 7: (7, 6), 8: (8, 6, 5, 4), 9: (9, 5), 10: (10, 7),
    11: (11, 9), 12: (12, 6, 4, 1), 13: (13, 4, 3, 1), 14: (14, 5, 3, 1), 15: (15, 14), 16: (16, 15, 13, 4),
    17: (17, 14), 18: (18, 11), 19: (19, 6, 2, 1), 20: (20, 17), 21: (21, 19), 22: (22, 21), 23: (23, 18),
    24: (24, 23, 22, 17),
}
# fmt: on
"""Bits (counted from 1, the last is shifted out) whose exclusive or is shifted in, for a ring of all nonzero states."""


def add(formula: Formula) -> None:
    """Add the connectivity of the formula's problem."""
    arcs = Arcs(formula)
    width = max(2, arcs.nodes.bit_length())
    require_room(formula, step_clauses(arcs, width) + 13 * arcs.nodes)
    gates = Gates(formula)
    bits: list[Bits] = [[]]
    for _ in range(1, arcs.nodes):
        bits.append([formula.new() for _ in range(width)])
        formula.add(bits[-1])  # Zero is its own successor.
    states = [0, 1]
    while len(states) < arcs.nodes:
        states.append(next_state(states[-1], width))
    step(arcs, gates, bits, _shift(gates, width), states.__getitem__)


def next_state(state: int, width: int) -> int:
    """The successor of a state of `width` bits."""
    feedback = sum(state >> (tap - 1) for tap in TAPS[width]) & 1
    return (state << 1 | feedback) & (1 << width) - 1


def _shift(gates: Gates, width: int) -> Callable[[Bits], Bits]:
    def successor(bits: Bits) -> Bits:
        feedback = reduce(gates.xor, (bits[tap - 1] for tap in TAPS[width]))
        return [feedback, *bits[:-1]]

    return successor


def size(arcs: Arcs) -> tuple[int, int]:
    """Most variables and clauses."""
    n, m, k = arcs.nodes, arcs.formula.problem.graph.m, arcs.nodes.bit_length()
    return n * (k + 3) + 1, 6 * m * k + 13 * n + 1


ENCODING = Encoding("lfsr", add, size)
