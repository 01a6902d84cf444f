"""Random graphs of section 5 of Davies, Xue and Yerger (2017): G(n, p), and given degrees by pairing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from heuristics.compiled_helpers import below, random_state
from kt_models.board import IntArray
from kt_models.errors import KTError
from kt_models.graph import MoveGraph
from kt_models.jit import kernel
from kt_models.limits import NO_LIMITS, Limits

MAX_RESTARTS = 1000
"""Most attempts at a pairing, or at a connected graph."""
MAX_DRAWS_IN_VAIN = 1000
"""Entries drawn in vain after which a pairing starts again."""
MAX_VERTICES = 20_000
"""Most vertices of a graph. There is no look at the clock while it is drawn and measured, some seconds at this size."""


@dataclass(frozen=True)
class GraphFamily:
    """A distribution of graphs on a number of vertices.

    Parameters
    ----------
    n
        Number of vertices.
    degree
        Expected average degree of G(n, p), for which `shares` is empty.
    shares
        Pairs (degree, count): the degrees and the number of vertices that have them. One pair makes regular graphs.

    Raises
    ------
    KTError
        If there is no such graph.
    """

    n: int
    degree: float = 0.0
    shares: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        if not 3 <= self.n <= MAX_VERTICES:
            raise KTError(f"random graphs of {self.n} vertices: there are between 3 and {MAX_VERTICES:,}")
        if self.shares:
            if sum(count for _, count in self.shares) != self.n or any(not 0 < d < self.n for d, _ in self.shares):
                raise KTError(f"degrees {self.text}: they do not fit {self.n} vertices")
            if sum(d * count for d, count in self.shares) % 2:
                raise KTError(f"degrees {self.text}: their sum is odd, so no graph has them")
        elif not 0 < self.degree <= self.n - 1:
            raise KTError(f"average degree {self.degree:g}: a graph of {self.n} vertices has one in 0..{self.n - 1}")

    @property
    def text(self) -> str:
        """The family in words."""
        if not self.shares:
            return f"G({self.n}, p), average degree {self.degree:g}"
        return ", ".join(f"{count} of degree {degree}" for degree, count in self.shares)

    @property
    def mean(self) -> float:
        """The (expected) average degree."""
        return sum(d * count for d, count in self.shares) / self.n if self.shares else self.degree

    @property
    def variance(self) -> float:
        """The variance of the degree of a vertex (before disconnected graphs are dropped)."""
        if self.shares:
            return sum((d - self.mean) ** 2 * count for d, count in self.shares) / self.n
        return self.degree * (1 - self.degree / (self.n - 1))

    def draw(self, rng: np.random.Generator) -> MoveGraph:
        """A graph, connected or not."""
        if self.shares:
            degrees = np.repeat([d for d, _ in self.shares], [count for _, count in self.shares])
            return MoveGraph.from_edges(self.n, pairing_of(rng.permutation(degrees), rng))
        return MoveGraph.from_edges(self.n, binomial_edges(self.n, self.degree / (self.n - 1), rng))

    def draw_connected(self, rng: np.random.Generator, limits: Limits = NO_LIMITS) -> tuple[MoveGraph, int] | None:
        """The first connected graph, and the number of graphs dropped before it; None if the limits came first.

        Raises
        ------
        KTError
            After `MAX_RESTARTS` graphs.
        """
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        for dropped in range(MAX_RESTARTS):
            if limits.over:
                return None
            graph = self.draw(rng)
            entries = np.ones(graph.m, dtype=np.int8)
            matrix = coo_array((entries, (graph.tails, graph.heads)), shape=(self.n, self.n))
            if connected_components(matrix, directed=False, return_labels=False) == 1:
                return graph, dropped
        raise KTError(f"{self.text}: {MAX_RESTARTS} graphs in a row were not connected")


def binomial_edges(n: int, p: float, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """The edges of G(n, p), shape (m, 2): a binomial number of edges, then a uniformly random set of that size."""
    pairs = n * (n - 1) // 2
    code = rng.choice(pairs, rng.binomial(pairs, p), replace=False, shuffle=False)
    # Pairs (u, v) with u < v are numbered by v, then u: v is the largest number with v(v - 1)/2 <= code
    v = ((1 + np.sqrt(8 * code + 1)) // 2).astype(np.int64)
    v -= v * (v - 1) // 2 > code
    v += v * (v + 1) // 2 <= code
    return np.stack([code - v * (v - 1) // 2, v], axis=1)


def pairing_of(degrees: npt.NDArray[np.int64], rng: np.random.Generator) -> IntArray:
    """The edges of a simple graph with given degrees, by the pairing procedure of section 5.3, shape (m, 2).

    A list has every vertex as often as its degree. A random entry i is drawn, and then entries j until the two make a
    new edge; both are removed. After `MAX_DRAWS_IN_VAIN` entries j in vain the pairing starts again.

    Raises
    ------
    KTError
        After `MAX_RESTARTS` attempts.
    """
    state = random_state(rng)
    for _ in range(MAX_RESTARTS):
        entries = np.repeat(np.arange(len(degrees)), degrees)
        edges = _pair(entries, len(degrees), max(1, int(degrees.max(initial=0))), state, MAX_DRAWS_IN_VAIN)
        if len(edges) or not degrees.any():
            return np.asarray(edges)
    raise KTError(f"random graph of {len(degrees)} vertices: the pairing was stuck {MAX_RESTARTS} times")


@kernel("int32[:, ::1](int64[::1], int64, int64, uint64[::1], int64)")
def _pair(entries, n, highest, state, patience):  # type: ignore[no-untyped-def]
    """One attempt at a pairing; empty if it got stuck."""
    size = len(entries)
    around = np.empty((n, highest), dtype=np.int32)
    have = np.zeros(n, dtype=np.int64)
    edges = np.empty((size // 2, 2), dtype=np.int32)
    made = 0
    while size > 1:
        first = below(state, size)
        u = entries[first]
        second = -1
        for _ in range(patience):
            candidate = below(state, size)
            v = entries[candidate]
            known = v == u
            for i in range(have[u]):
                known |= around[u, i] == v
            if known:
                continue
            second = candidate
            break
        if second < 0:
            return edges[:0]
        v = entries[second]
        around[u, have[u]], around[v, have[v]] = v, u
        have[u] += 1
        have[v] += 1
        edges[made, 0], edges[made, 1] = u, v
        made += 1
        for place in (max(first, second), min(first, second)):  # The last entry takes the place of a removed one.
            size -= 1
            entries[place] = entries[size]
    return edges
