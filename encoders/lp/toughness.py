"""Vertices whose removal leaves more pieces than were removed, by a linear program; or its dual, if there are none.

A search (`heuristics.toughness.Climber`) comes first, from the vertices of high degree, and then from those between
likely pieces. Where it fails, the linear program shows better pieces.

A cycle through all vertices uses two edges at each vertex, and leaves each set of vertices by at least two. Let
vertices have more than two edges, at a price: the least total excess is 0 if there is a cycle. If it is above 0, the
vertices with high multipliers have to be passed too often, and the set is among them, unless the multipliers of the
sets that are left are fractions. Then the dual solution itself shows that there is no cycle (`encoders.lp.farkas`).
If the least excess is 0, blossoms may exclude the solution: a cycle leaves a set of vertices an even number of times.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from encoders.lp.program import Entries, Floats, LinearProgram
from encoders.lp.separation import blossoms, hardly_left
from heuristics.toughness import MAX_SHARE, Climber, clusters, shares_out, trimmed
from kt_models.kernel.certificates.integers import Ints
from kt_models.limits import Limits
from kt_models.walks import components

TOLERANCE = 1e-6
NO_TEETH = np.zeros(0, dtype=np.int64)
MAX_ROUNDS = 400
"""Most linear programs. Of 300 graphs with such sets, of 100 to 400 vertices, none took more than 100."""
MAX_BLOSSOM_VERTICES, MAX_BLOSSOM_ROUNDS = 400, 20
"""Most vertices of a graph for blossoms, and most linear programs with new ones. In a Delaunay graph of 2,000 vertices
they took 14 s, in vain, where the rest takes 1.3 s."""
MAX_THRESHOLDS = 12
"""Most thresholds: the vertices whose multipliers exceed a threshold are removed on trial."""
SHARES = (TOLERANCE, 0.3, 0.5, 0.7, 0.9)
"""Shares of edges: edges above a share keep vertices together, and the resulting pieces may have too few edges out."""
FEW_CUTS = 30
"""Fewer such sets than this are not worth a linear program, so minimum cuts are sought as well."""
MAX_CUTS = 100
"""Most minimum cuts that go into one linear program."""
MAX_MINIMUM_CUT = 10_000
"""Most vertices of a graph for a minimum cut, if no share separates it."""


class Dual(NamedTuple):
    """Multipliers that contradict each other.

    Attributes
    ----------
    vertices
        Multipliers of the degree of each vertex, shape (size,).
    cuts
        Multiplier of each set of `parts`.
    parts
        Sets of vertices that a cycle leaves, each with the numbers of the edges that are teeth of a blossom.
    """

    vertices: Floats
    cuts: Floats
    parts: list[tuple[Ints, Ints]]


def too_many_pieces(size: int, ends: Ints, limits: Limits) -> Ints | Dual | None:
    """A set of vertices that leaves more pieces than it has vertices, or else a dual solution without a cycle.

    Parameters
    ----------
    size
        Number of vertices.
    ends
        Ends of the edges, shape (m, 2).

    Returns
    -------
    array or Dual or None
        None if neither was found.
    """
    climber = Climber(size, ends)
    degrees = np.bincount(ends.reshape(-1), minlength=size).astype(float)
    if (removed := climber.among(degrees, limits)) is not None:
        return removed
    grown = list(map(np.array, sorted(map(sorted, clusters(size, ends, limits)))))
    if (removed := climber.among(shares_out(size, ends, grown), limits)) is not None:
        return removed
    m = len(ends)
    program = LinearProgram(
        np.concatenate([np.zeros(m), np.ones(size)]),
        Entries.joined(
            [
                (ends.T.reshape(-1), np.tile(np.arange(m), 2), np.ones(2 * m)),
                (np.arange(size), m + np.arange(size), np.full(size, -1.0)),
            ]
        ),
        np.full(size, 2.0),
        np.full(size, 2.0),
        warm=True,
    )
    program.cap(np.arange(m), np.ones(m))
    parts: list[tuple[Ints, Ints]] = []

    def leave(sets: Sequence[tuple[Ints, Ints]]) -> None:
        """Require at least two of the edges that leave each of these sets of vertices."""
        parts.extend((part, NO_TEETH) for part, _ in sets)
        program.add_sums([leaving for _, leaving in sets], 2.0)

    def leave_evenly(handle: Ints, teeth: Ints) -> None:
        """Require that the edges that leave a set are not exactly the teeth, which are an odd number."""
        parts.append((handle, teeth))
        leaving = _edges_out(size, ends, handle)
        program.add_row(leaving, np.where(np.isin(leaving, teeth), -1.0, 1.0), 1.0 - len(teeth))
        program.add_slack(1.0)

    leave([(cluster, _edges_out(size, ends, cluster)) for cluster in grown])
    dual: Dual | None = None
    rounds = MAX_BLOSSOM_ROUNDS if size <= MAX_BLOSSOM_VERTICES else 0
    left_by_few: list[Ints] = []
    for turn in range(1, 1 + MAX_ROUNDS):
        if limits.over or not program.solve(limits):
            break
        chosen, duals = program.variables[:m], program.duals
        prices = -duals[:size]
        if program.value > TOLERANCE:
            dual = Dual(duals[:size], duals[size:], list(parts))
            if (removed := _among(size, ends, prices)) is not None:
                return removed
        cuts = _left_by_too_few(size, ends, chosen, prices)
        leave(cuts)
        left_by_few += [part for part, _ in cuts]
        # The first of these sets may already show which vertices join the pieces. As the number of rounds doubles from
        # one search to the next, there are few of them.
        if (
            turn & (turn - 1) == 0
            and (removed := climber.among(shares_out(size, ends, left_by_few), limits)) is not None
        ):
            return removed
        if not cuts:
            odd = list(blossoms(size, ends, chosen)) if rounds else []
            rounds -= 1
            for handle, teeth in odd:
                leave_evenly(handle, teeth)
            if dual is not None or not odd:
                break
    return dual


def _edges_out(size: int, ends: Ints, part: Ints) -> Ints:
    """The edges that leave a set of vertices."""
    inside = np.zeros(size, dtype=np.bool_)
    inside[part] = True
    return np.flatnonzero(inside[ends[:, 0]] != inside[ends[:, 1]])


def _among(size: int, ends: Ints, prices: Floats) -> Ints | None:
    """The set, among the vertices whose prices exceed some threshold."""
    values = np.unique(np.round(prices[prices > TOLERANCE], 3))[::-1]
    for threshold in values[:: 1 + len(values) // MAX_THRESHOLDS].tolist():
        removed = np.flatnonzero(prices > threshold - 0.001)
        if len(removed) <= MAX_SHARE * size:
            removed, excess = trimmed(size, ends, removed)
            if excess > 0 and len(removed):
                return removed
    return None


def _left_by_too_few(size: int, ends: Ints, chosen: Floats, prices: Floats) -> list[tuple[Ints, Ints]]:
    """Sets of vertices that fewer than two edges leave, and the edges out of each."""
    labels = [components(size, ends[chosen > share]) for share in SHARES]
    for threshold in (TOLERANCE, 0.5):  # The pieces that remain without the expensive vertices.
        left = prices <= threshold
        if not left.all():
            labels.append(components(size, ends[left[ends].all(axis=1)]))
    cuts: dict[bytes, tuple[Ints, Ints]] = {}
    for label in labels:
        label = np.unique(label, return_inverse=True)[1]
        across = np.flatnonzero(label[ends[:, 0]] != label[ends[:, 1]])
        weight = sum(np.bincount(side, chosen[across], label.max() + 1) for side in label[ends[across]].T)
        sizes = np.bincount(label)
        for piece in np.flatnonzero((weight < 2 - 1e-4) & (sizes > 1) & (sizes < size)).tolist():
            leaving = across[(label[ends[across]] == piece).any(axis=1)]
            cuts[leaving.tobytes()] = np.flatnonzero(label == piece), leaving
    if len(cuts) < FEW_CUTS and size <= MAX_MINIMUM_CUT:
        joined: dict[int, dict[int, float]] = {v: {} for v in range(size)}
        there = chosen > SHARES[0]
        for (u, v), weight in zip(ends[there].tolist(), chosen[there].tolist(), strict=True):
            joined[u][v] = joined[v][u] = joined[u].get(v, 0.0) + weight
        if not labels[0].any():  # Connected
            for part in islice(hardly_left(joined, 2 - 1e-3), MAX_CUTS):
                members = np.array(sorted(part), dtype=np.int64)
                leaving = _edges_out(size, ends, members)
                cuts[leaving.tobytes()] = members, leaving
    return list(cuts.values())
