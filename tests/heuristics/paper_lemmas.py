"""Computations that show two numbers of Besa et al. (2022) on which `heuristics.papers.taming.bounds` rest."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from heuristics.papers.taming.bounds import crown, triplet


@cache
def most_clean_cells() -> int:
    """Most clean cells of one crown, over all lengths of the base: the proof of `crown.MAX_CLEAN_CELLS` (a few
    seconds).

    Go through the clean cells from the top down. A cell at height r with a leg D_j forbids the leg D_i, i < j, to
    every cell below it that is congruent to r modulo `MODULUS[i, j]`. What is forbidden altogether is so a set of
    residues for each of the six pairs (i, j): 3 + 5 + 4 + 2 + 5 + 3 = 22 bits. How many clean cells can still follow
    depends on these bits alone; as each cell adds a bit (its own residue, for its own two legs), it is found from the
    full set down. All 60 heights modulo the moduli are open to each cell, as gaps can be of any length.
    """
    from numba import njit

    shift, total = {}, 0
    for pair, modulus in crown.MODULUS.items():
        shift[pair] = total
        total += modulus
    options = set()
    for legs in combinations(range(1, 5), 2):
        for height in range(60):
            bits = {pair: 1 << (shift[pair] + height % modulus) for pair, modulus in crown.MODULUS.items()}
            blocked_by = sum(bit for (i, _), bit in bits.items() if i in legs)
            blocks = sum(bit for (_, j), bit in bits.items() if j in legs)
            options.add((blocked_by, blocks))
    blocked_by, blocks = np.array(sorted(options), dtype=np.int64).T

    @njit
    def longest(states: int, blocked_by: np.ndarray, blocks: np.ndarray) -> int:  # pragma: no cover (compiled)
        more = np.zeros(states, np.uint8)
        for state in range(states - 1, -1, -1):
            best = 0
            for k in range(len(blocks)):
                if state & blocked_by[k] == 0:
                    best = max(best, more[state | blocks[k]] + 1)
            more[state] = best
        return int(more[0])

    return int(longest(1 << total, np.ascontiguousarray(blocked_by), np.ascontiguousarray(blocks)))


def triplet_weights() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Crossings within each of the 216 choices of a triplet, shape (216,), and from each to the next, (216, 216)."""
    pairs = [(1 << d) + (1 << e) for d, e in combinations(range(4), 2)]
    triplets = np.array(list(product(pairs, repeat=3)))
    table = np.stack([triplet._CHOICES @ cross @ triplet._CHOICES.T for cross in triplet._CROSS.astype(np.int64)])
    within = sum(table[j - i - 1][triplets[:, i], triplets[:, j]] for i, j in combinations(range(3), 2))
    between = np.zeros((len(triplets), len(triplets)), dtype=np.int64)
    for i, j in product(range(3), repeat=2):
        if 3 + j - i <= triplet.MAX_CROSSING_DISTANCE:
            between += table[2 + j - i][triplets[:, i][:, None], triplets[:, j][None, :]]
    return np.asarray(within), between


def crossings_per_triplet() -> Fraction:
    """The least mean weight of a cycle of triplets: 3 (Besa et al. 2022, Theorem 9 and Figure 17)."""
    within, between = triplet_weights()
    mean = least_mean_cycle(within[:, None] + between)
    assert mean is not None
    return mean


def least_mean_cycle(weights: npt.NDArray[np.int64]) -> Fraction | None:
    """Least mean weight of a directed cycle, exactly (Karp 1978, Theorem 1); None without a cycle.

    With F_k(v) the least weight of a walk of k arcs that ends in v, wherever it starts, and n vertices, it is the least
    over v of the greatest over k < n of (F_n(v) - F_k(v)) / (n - k).

    Parameters
    ----------
    weights
        Weight of the arc from u to v, shape (n, n); `triplet.INFINITE` where there is none.

    Raises
    ------
    ValueError
        If the weights are too large to be added up n times in 64 bits.
    """
    n = len(weights)
    present = weights < triplet.INFINITE
    if not present.any():
        return None
    if int(np.abs(weights[present]).max()) * (n + 1) >= triplet.INFINITE // 4:
        raise ValueError("the weights are too large")
    walks = np.zeros((n + 1, n), dtype=np.int64)
    for k in range(n):
        least = (walks[k][:, None] + weights).min(axis=0)
        walks[k + 1] = np.where(least < triplet.INFINITE // 2, least, triplet.INFINITE)
    means = []
    for v in np.flatnonzero(walks[n] < triplet.INFINITE).tolist():
        full, *shorter = (int(x) for x in walks[::-1, v])
        means.append(max(Fraction(full - part, k) for k, part in enumerate(shorter, 1) if part < triplet.INFINITE))
    return min(means, default=None)
