"""The common part of `binary` and `lfsr`: positions of inner nodes in bits, and arcs that lead to the next one."""

from __future__ import annotations

from collections.abc import Callable

from encoders.sat.arcs import Arcs
from encoders.sat.gates import Gates

Bits = list[int]
"""A literal for each bit of a position, the lowest first."""


def step_clauses(arcs: Arcs, width: int) -> int:
    """Most clauses of `step` without its gates: 2 a bit for each arc."""
    ends = len(arcs.first) + (len(arcs.last) if arcs.single else 0)
    return 2 * width * len(arcs.inner) + width * ends


def step(
    arcs: Arcs, gates: Gates, bits: list[Bits], successor: Callable[[Bits], Bits], number: Callable[[int], int]
) -> None:
    """Let every arc lead from a position to the next; the first node is at position 1, the last at the last position.

    Parameters
    ----------
    bits
        The position of each node (the root's is not used).
    successor
        Maps the literals of a position to those of the next one.
    number
        The number whose binary digits are the bits of the i-th position.
    """
    following = [successor(bits[node]) if node else [] for node in range(arcs.nodes)]
    for tail, head, literal in arcs.inner:
        for next_digit, digit in zip(following[tail], bits[head], strict=True):
            gates.equal(literal, next_digit, digit)
    ends = [(arcs.first, 1)] + ([(arcs.last, arcs.nodes - 1)] if arcs.single else [])
    for some, position in ends:
        for node, literal in some:
            for bit, digit in enumerate(bits[node]):
                gates.clause([-literal, digit if number(position) >> bit & 1 else -digit])
