"""`crossings`: pairs of moves whose open segments have a common point."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, product
from math import prod

import numpy as np
import numpy.typing as npt

from kt_models.errors import KTError, TooLarge
from kt_models.graph import MoveGraph
from kt_models.metrics import Metric, Pattern, Vector
from kt_models.metrics._patterns import patterns_where, plus
from kt_models.weights import Weights

MAX_OFFSETS = 100_000
"""Most places of one move that are examined beside another."""


@lru_cache(maxsize=64)
def crossing_patterns(moves: tuple[Vector, ...]) -> tuple[Pattern, ...]:
    """Pairs of moves whose open segments intersect (Besa et al. 2022, Definition 2), by integer arithmetic."""

    def offsets(a: Vector, b: Vector) -> set[Vector]:
        # The offsets at which the bounding boxes of both segments intersect.
        spans = [range(min(0, u) + min(0, -v), max(0, u) + max(0, -v) + 1) for u, v in zip(a, b, strict=True)]
        if prod(len(span) for span in spans) > MAX_OFFSETS:
            raise TooLarge(f"crossings: moves as long as {a} are beyond what is tabulated")
        return set(product(*spans))

    return patterns_where(moves, segments_cross, offsets)


def segments_cross(a: Vector, b: Vector, offset: Vector) -> bool:
    """Whether the open segments from 0 to `a` and from `offset` to `offset + b` have a common point.

    In any number of dimensions: such a point is s a = offset + t b with 0 < s, t < 1, and s and t are fractions whose
    denominator is a minor of (a, b).
    """
    axes = range(len(a))
    for i, j in combinations(axes, 2):
        # A non-zero minor: the segments are not parallel.
        minor = a[i] * b[j] - a[j] * b[i]
        if minor:
            break
    else:  # Parallel segments have a common point if they lie on one line and their open intervals overlap.
        if any(a[i] * offset[j] != a[j] * offset[i] for i, j in combinations(axes, 2)):
            return False
        along = [sum(u * v for u, v in zip(a, p, strict=True)) for p in (offset, plus(offset, b))]
        return min(along) < sum(u * u for u in a) and max(along) > 0
    s = offset[i] * b[j] - offset[j] * b[i]
    t = offset[i] * a[j] - offset[j] * a[i]
    if minor < 0:
        minor, s, t = -minor, -s, -t
    inside = 0 < s < minor and 0 < t < minor
    return inside and all(s * a[k] - t * b[k] == minor * offset[k] for k in axes)


def crossing_weights(graph: MoveGraph, edges: npt.NDArray[np.int64] | None = None) -> Weights:
    """Crossings of a graph without a board."""
    raise KTError(f"crossings of {graph.name}: a graph without a board has none: its edges have no vectors")


METRIC = Metric(
    "crossings",
    "pairs of moves whose open segments have a common point",
    "pairs",
    crossing_weights,
    patterns=crossing_patterns,
    synonyms=("cross", "crosses", "crossovers", "intersection", "intersections"),
)
