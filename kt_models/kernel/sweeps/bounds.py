"""Lower bounds on the remaining costs, looked up by a hash (the mark) of a state's open edges.

The *mark* of a state is the sum, over the chosen edges that lead from a vertex taken to one that is not, of a number of
the later vertex in the order of the board. Two sweeps from opposite ends compute the same mark of one solution,
whatever the numbers are. One sweep knows the degrees of these vertices; the other one remembers the edges. So a sweep
from the other end gives a lower bound on the remaining cost for each mark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kt_models.jit import kernel
from kt_models.kernel.sweeps.bits import Ints, Words, bare_kernel

INNER_SHIFT = 30
"""Shift of the numbers of inner vertices, so that a table of the border does not see them."""
UNREACHED = np.int32((1 << 31) - 1)
"""A lower bound if no completion exists: above every cap."""
MAX_CAP = int(UNREACHED) - 1
SPARSE = 32
"""Entries of a folded table per mark: then at most one mark in this many has the bound of another."""
MarkTable = npt.NDArray[np.int32]
"""Bounds by mark; its length is a power of two, modulo which marks are."""
TablesByStep = Sequence[MarkTable] | npt.NDArray[np.int32]
FULL_WORD, ENDS_WORD, LABEL_WORD = range(3)
"""The source of a mark: the masks of a state, and from `LABEL_WORD` on the words of its label."""


@dataclass(frozen=True)
class Marks:
    """How to read marks after a step: a mark is a sum over some bytes of a state, each with a table.

    Parameters
    ----------
    where
        For each byte, its word and its place there, shape (bytes, 2).
    table
        For each byte and its value, the summand of the mark, shape (bytes, 256).
    """

    where: Ints
    table: Ints

    @classmethod
    def of(cls, weights: Mapping[tuple[int, int], int], constant: int = 0) -> Marks:
        """Marks that are sums over bits, given the summand of each word and bit."""
        rows: dict[tuple[int, int], list[int]] = {(0, 0): [0] * 8} if constant else {}
        for (word, bit), number in weights.items():
            if number:
                rows.setdefault((word, bit & ~7), [0] * 8)[bit & 7] += number
        added = np.array(list(rows.values()), dtype=np.int64).reshape(-1, 8)
        table = np.zeros((len(rows), 256), dtype=np.int64)
        for bit in range(8):  # Bytes in which this is the highest bit
            low = 1 << bit
            np.add(table[:, :low], added[:, bit : bit + 1], out=table[:, low : 2 * low])
        if constant:
            table[0] += constant
        return cls(np.array(list(rows), dtype=np.int64).reshape(-1, 2), table)


def folded(table: MarkTable) -> MarkTable:
    """A smaller table of bounds, if few marks have one: marks that share an entry share the least of their bounds."""
    marks = int(np.count_nonzero(table != UNREACHED))
    while len(table) > max(1, SPARSE * marks):
        table = np.minimum(*table.reshape(2, -1))
    return table


@bare_kernel
def mark_of(masks: Words, at: int, rows: Words, q: int, first: int, where: Ints, table: Ints) -> int:
    """The mark of a state.

    Parameters
    ----------
    masks, at
        `full` and `ends` are in two columns of a row, from `at` on.
    rows, q, first
        Its key, and the first word of the label.
    """
    total = 0
    for i in range(len(where)):
        k = where[i, 0]
        word = masks[q, at + k] if k < LABEL_WORD else rows[q, first + k - LABEL_WORD]
        total += table[i, np.int64(word >> np.uint64(where[i, 1])) & 255]
    return total


@bare_kernel
def place_of(mark: int, size: int) -> int:
    """Where a table, whose length is a power of two, has the bound of a mark."""
    return (mark + (mark >> INNER_SHIFT)) & (size - 1)


@kernel(
    "int64(uint64[:, ::1], uint64[:, ::1], int64, int64, int64, int64, int64, int64[:, ::1], int64[:, ::1], "
    "int32[::1], int32[::1])",
    counts=False,
)
def drop_above_cap(
    fresh: Words, origins: Words, filled: int, first: int, last: int, cost_at: int, cap: int, where: Ints,
    table: Ints, rest: MarkTable, border: MarkTable,
) -> int:  # fmt: skip
    """Drop children whose cost plus the bound of their mark exceeds a cap; return how many.

    Parameters
    ----------
    first, last, cost_at
        The first and the last word of a label, and where the cost begins in that.
    rest, border
        Bounds on the remaining cost. The second uses the part of a mark that belongs to the border.
    """
    dropped = 0
    for q in range(filled):
        cost = np.int64(fresh[q, last] >> np.uint64(cost_at))
        if cost <= cap and (len(rest) > 1 or len(border) > 1):
            mark = mark_of(origins, 1, fresh, q, first, where, table)
            cost += max(rest[place_of(mark, len(rest))], border[mark & (len(border) - 1)])
        else:
            cost += max(rest[0], border[0])
        if cost > cap:
            fresh[q, 0] = 0
            dropped += 1
    return dropped


@kernel(
    "void(uint64[:, ::1], uint64[:, ::1], int64, int64, int64, int64[:, ::1], int64[:, ::1], int32[::1])",
    counts=False,
)
def lower_by_mark(
    rows: Words, masks: Words, first: int, last: int, cost_at: int, where: Ints, table: Ints, least: MarkTable
) -> None:
    """Lower the entries of a table to the least cost of a state with such a mark."""
    for p in range(len(rows)):
        at = place_of(mark_of(masks, 0, rows, p, first, where, table), len(least))
        least[at] = min(least[at], np.int64(rows[p, last] >> np.uint64(cost_at)))
