"""Lemma 5, Theorem 9 and Lemma 7 of Besa et al. (2022), repeated: the numbers on which the bounds of the paper rest."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from heuristics.papers.taming.bounds import crown, triplet
from kt_models.errors import KTError
from kt_models.jit import kernel
from kt_models.leaper import KNIGHT
from kt_models.tour import Tour


@dataclass(frozen=True)
class CrownCount:
    """A crown of a tour.

    Parameters
    ----------
    side
        The side of the board where its base lies: left, right, bottom or top.
    cells, clean
        The edge cells of its base, and those of which both legs end outside the crown.
    turns
        The turns inside.
    """

    side: str
    cells: int
    clean: int
    turns: int

    @property
    def least(self) -> int:
        """The fewest turns by Lemma 5: m + (m - k)/2."""
        return self.cells + -(-(self.cells - self.clean) // 2)


def crowns_of(tour: Tour) -> list[CrownCount]:
    """Lemma 5 on a closed tour of a rectangle: the crowns of Theorem 8, with their clean cells and turns.

    Raises
    ------
    KTError
        If it is not a closed knight's tour of a rectangle.
    """
    board, _ = tour.graph.geometry
    if not tour.closed or tour.graph.leaper != KNIGHT or not board.is_box or board.dimension != 2:
        raise KTError(f"the tour of {tour.graph.name} is not a closed knight's tour of a rectangle")
    cells = board.cells[tour.order].astype(np.int64)
    onward = np.roll(cells, -1, axis=0) - cells
    is_turn = (onward != np.roll(onward, 1, axis=0)).any(axis=1)
    places = np.flatnonzero(is_turn)
    width, height = board.shape
    views = {
        "left": (cells, height, width),
        "right": (cells * (-1, 1) + (width - 1, 0), height, width),
        "bottom": (cells[:, ::-1], width, height),
        "top": (cells[:, ::-1] * (-1, 1) + (height - 1, 0), width, height),
    }
    found = []
    for side, (seen, length, depth) in views.items():
        for low, high in crown.crowns(length, depth):
            inside = in_crown(seen, low, high)
            base = np.flatnonzero((seen[:, 0] == 0) & (seen[:, 1] >= low) & (seen[:, 1] <= high))
            # Every edge cell is a turn, so its legs end at the turns before and after it
            rank = np.searchsorted(places, base)
            before, after = places[rank - 1], places[(rank + 1) % len(places)]
            clean = int(np.count_nonzero(~inside[before] & ~inside[after]))
            found.append(CrownCount(side, len(base), clean, int(np.count_nonzero(is_turn & inside))))
    return found


def in_crown(cells: npt.NDArray[np.int64], low: int, high: int) -> npt.NDArray[np.bool_]:
    """Whether cells are in the crown of the base from (0, low) to (0, high): one of its three triangles."""
    x, y = cells.T
    between = ((4 * x, x), (x, -x), (-x, -4 * x))
    return np.logical_or.reduce([(2 * low + up <= 2 * y) & (2 * y <= 2 * high + down) for up, down in between])


def share_in_crowns(side: int) -> Fraction:
    """Lemma 7 on a square: the share of the cells of a side in the bases of its crowns."""
    return Fraction(sum(high - low + 1 for low, high in crown.crowns(side, side)), side)


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

    return int(_longest(np.ascontiguousarray(blocked_by), np.ascontiguousarray(blocks), 1 << total))


@kernel("int64(int64[::1], int64[::1], int64)")
def _longest(blocked_by, blocks, states):  # type: ignore[no-untyped-def]
    """Most cells that can follow the empty set of residues."""
    more = np.zeros(states, np.uint8)
    # Every cell adds a bit, so the full set comes first
    for state in range(states - 1, -1, -1):
        best = 0
        for k in range(len(blocks)):
            if state & blocked_by[k] == 0:
                best = max(best, more[state | blocks[k]] + 1)
        more[state] = best
    return more[0]


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
