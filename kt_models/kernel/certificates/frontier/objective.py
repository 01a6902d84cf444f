"""The objective as the sweep sees it: non-negative integer pair weights, a constant, and a denominator.

Three rewritings preserve the value of every solution. Two of them reveal the cost of partial solutions earlier.

*Potentials.*  For any numbers `y(e, u) = -y(e, v)` on the edges e = uv, the sum over all vertices of the `y` of their
chosen edges is 0. A vertex of degree 2 has exactly one pair of chosen edges, so `y(e, v) + y(f, v)` may be added to
the weight of every pair e, f at v (at a vertex of degree 1, `y(e, v)` to the weight of the edge). Good numbers are the
dual of the linear relaxation; any are valid.

*Vertex constants.*  For the same reason the least weight of a pair at a vertex may be taken off all pairs there and
added to a constant. That least weight may be below 0.

*Edges.*  Every solution has as many edges as the degrees say, half their sum. So a number may be added to the weight
of each edge, if that multiple of it is subtracted from the constant. Then no edge has a negative weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from kt_models.errors import CertificateError, KTError, TooLarge
from kt_models.kernel.sweeps.net import Net
from kt_models.limits import NO_LIMITS, Limits
from kt_models.weights import Weights

LARGEST = 1 << 29
"""Largest sum of all weights, shown in Python's integers: costs are kept in 32 bits, and no partial solution costs more
than all weights together."""
MOST_CHOICES = 3_000_000
"""Most pairs of edges that meet at a vertex, over all vertices but the hub."""


@dataclass(frozen=True)
class Potentials:
    """Numbers on the edges: `values[e] / denominator` at the tail of edge e, its negative at the head."""

    values: tuple[int, ...]
    denominator: int = 1


@dataclass(frozen=True)
class Costs:
    """The objective is `(constant + sum of weights of chosen pairs) / denominator`.

    Parameters
    ----------
    first, second
        Edge numbers of a net, shape (p,); equal where one edge alone is weighed.
    weight
        Positive integers, shape (p,).
    """

    first: npt.NDArray[np.int64]
    second: npt.NDArray[np.int64]
    weight: npt.NDArray[np.int64]
    constant: int = 0
    denominator: int = 1

    def cap(self, value: int) -> int:
        """The greatest sum of weights of a solution whose objective is at most `value`; -1 if there is none."""
        return max(-1, min(2 * LARGEST, value * self.denominator - self.constant))

    def value(self, cost: int) -> int:
        """The objective of a solution whose weights sum to `cost`."""
        value, left = divmod(cost + self.constant, self.denominator)
        if left:
            raise CertificateError(f"weights of {cost} are not a multiple of the denominator {self.denominator}")
        return value


def no_costs() -> Costs:
    """Every solution costs nothing."""
    empty = np.zeros(0, dtype=np.int64)
    return Costs(empty, empty, empty)


def costs_of(
    net: Net, weights: Weights | None, potentials: Potentials | None = None, limits: Limits = NO_LIMITS
) -> Costs:
    """Pair weights rewritten for a sweep.

    Raises
    ------
    KTError
        If a pair of edges that do not meet has a negative weight, or the potentials do not belong to the graph.
    TooLarge
        If the weights are beyond 32-bit sums.
    Stopped
        If the limits end it.
    """
    if weights is None:
        return no_costs()
    denominator = potentials.denominator if potentials else 1
    if potentials and len(potentials.values) != net.m_graph:
        raise KTError(f"{len(potentials.values)} potentials for {net.m_graph} edges")
    table: dict[tuple[int, int], int] = {}
    for e, f, w in zip(weights.first.tolist(), weights.second.tolist(), weights.weight.tolist(), strict=True):
        if w and net.usable[e] and net.usable[f]:
            key = (min(e, f), max(e, f))
            table[key] = table.get(key, 0) + w * denominator
    constant = _raise_edges(net, table)
    if sum(map(abs, table.values())) + abs(constant) > LARGEST:
        raise TooLarge("the weights of the pairs of edges are too large for a sweep")
    at: list[list[int]] = [[] for _ in range(net.n)]
    for e, (u, v) in enumerate(net.ends.tolist()):
        if net.usable[e]:
            at[u].append(e)
            at[v].append(e)
    if net.hub >= 0:
        at[net.hub] = []  # Its edges have no potential, and its pairs no weight
    if sum(len(edges) * (len(edges) - 1) // 2 for edges in at) > MOST_CHOICES:
        raise TooLarge(f"over {MOST_CHOICES:,} pairs of edges meet at a vertex")
    if potentials:
        if 4 * sum(map(abs, potentials.values)) > LARGEST:
            raise TooLarge("the potentials are too large for a sweep")
        for v in range(net.n):
            limits.check()
            _add_potentials(net, v, at[v], potentials.values, table)
    for v in range(net.n):
        limits.check()
        pairs = _choices(at[v], int(net.target[v]))
        least = min((table.get(pair, 0) for pair in pairs), default=0)
        if least:
            constant += least
            for pair in pairs:
                table[pair] = table.get(pair, 0) - least
    kept = sorted((e, f, w) for (e, f), w in table.items() if w)
    if any(w < 0 for *_, w in kept):
        raise KTError("a pair of edges that do not meet has a negative weight")
    if sum(w for *_, w in kept) > LARGEST:
        raise TooLarge("the weights of the pairs of edges are too large for a sweep")
    rows = np.array(kept, dtype=np.int64).reshape(-1, 3)
    return Costs(rows[:, 0], rows[:, 1], rows[:, 2], constant, denominator)


def _raise_edges(net: Net, table: dict[tuple[int, int], int]) -> int:
    """Add a number to the weights of all edges so that none is negative; return the constant that remains."""
    least = min((w for (e, f), w in table.items() if e == f), default=0)
    if least >= 0:
        return 0
    for e in np.flatnonzero(net.usable[: net.m_graph]).tolist():
        table[e, e] = table.get((e, e), 0) - least
    number = int(net.target.sum()) // 2 - (int(net.target[net.hub]) if net.hub >= 0 else 0)
    return least * number


def _choices(edges: list[int], target: int) -> list[tuple[int, int]]:
    """The pairs one of which every solution has at a vertex of that degree."""
    if target == 2:
        return [(min(e, f), max(e, f)) for e, f in combinations(edges, 2)]
    return [(e, e) for e in edges] if target == 1 else []


def _add_potentials(
    net: Net, v: int, edges: list[int], values: tuple[int, ...], table: dict[tuple[int, int], int]
) -> None:
    sign = {e: (values[e] if net.ends[e, 0] == v else -values[e]) if e < net.m_graph else 0 for e in edges}
    for e, f in _choices(edges, int(net.target[v])):
        table[e, f] = table.get((e, f), 0) + (sign[e] if e == f else sign[e] + sign[f])
