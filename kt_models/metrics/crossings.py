"""`crossings`: pairs of moves whose open segments have a common point."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, permutations, product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.determinants import RELATIVE_ERROR, dot_signs, minor_signs, parallel
from kt_models.errors import KTError, TooLarge
from kt_models.graph import MoveGraph
from kt_models.metrics import Metric, Pattern, Vector
from kt_models.metrics._patterns import patterns_where, plus
from kt_models.metrics._segments import MAX_PAIRS, EdgeNumbers, EdgeSegments, boxes_of, overlapping_boxes, segments_of
from kt_models.weights import Weights

MAX_OFFSETS = 100_000
"""Most places of one move that are examined beside another."""
EVEN = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
"""Even permutations of three axes."""


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
    """Pairs of edges whose open segments have a common point.

    An overlap counts once. An end of one edge inside another does not count.
    """
    segments = segments_of(graph, edges, "crossings")
    first, second = [segments.numbers[:0]], [segments.numbers[:0]]
    found = 0
    for i, j in overlapping_boxes(*boxes_of(segments)):
        crossed = _crossed(segments, i, j)
        first.append(segments.numbers[i[crossed]])
        second.append(segments.numbers[j[crossed]])
        found += len(first[-1])
        if found > MAX_PAIRS:
            raise TooLarge(f"crossings of {graph.name}: over {MAX_PAIRS:,} pairs of edges cross")
    a, b = np.concatenate(first), np.concatenate(second)
    units = np.ones(len(a), dtype=np.int64)
    return Weights(np.minimum(a, b), np.maximum(a, b), units, "crossings")


def touchings(graph: MoveGraph, edges: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
    """Edges with a vertex strictly between their ends: the number of the edge, and that of the vertex."""
    segments = segments_of(graph, edges, "crossings")
    positions = segments.positions
    if positions is None:
        raise KTError(f"touchings of {graph.name}: its positions are cells")
    points, count = positions.coordinates, len(segments.numbers)
    (low, high), floats = boxes_of(segments), points.astype(np.float64)
    low, high = np.concatenate([low, floats]), np.concatenate([high, floats])
    found = []
    for i, j in overlapping_boxes(low, high):
        edge, vertex = np.minimum(i, j), np.maximum(i, j) - count
        mixed = (edge < count) & (vertex >= 0)
        edge, vertex = edge[mixed], vertex[mixed]
        before = points[vertex] - points[segments.ends[edge, 0]]
        behind = points[vertex] - points[segments.ends[edge, 1]]
        inside = np.flatnonzero(dot_signs(before, behind) < 0)
        inside = inside[parallel(before[inside], behind[inside])]
        found += list(zip(segments.numbers[edge[inside]].tolist(), vertex[inside].tolist(), strict=True))
    return sorted(found)


def _crossed(segments: EdgeSegments, i: EdgeNumbers, j: EdgeNumbers) -> npt.NDArray[np.bool_]:
    """Whether the open segments i and j have a common point."""
    positions = segments.positions
    assert positions is not None
    points = positions.coordinates
    p, q, r, s = (points[segments.ends[edges, side]] for edges in (i, j) for side in (0, 1))
    a, b, between = q - p, s - r, r - p
    if positions.dimension > 2:
        # Few pairs of segments in space lie in one plane.
        flat = _volumes(a, b, between) == 0
        crossed = np.zeros(len(i), dtype=bool)
        for place in np.flatnonzero(flat).tolist():
            vectors = (tuple(map(int, vector[place].tolist())) for vector in (a, b, between))
            crossed[place] = segments_cross(*vectors) and bool(a[place].any()) and bool(b[place].any())
        return crossed
    # On which sides of the line of one segment the ends of the other lie.
    sides = [minor_signs(a, between), minor_signs(a, s - p), minor_signs(b, -between), minor_signs(b, q - r)]
    crossed = (sides[0] * sides[1] < 0) & (sides[2] * sides[3] < 0)
    line = np.flatnonzero(~np.any(sides, axis=0))
    # On one line they overlap if their extents along an axis do.
    axis = np.where(a[line, 0] != 0, 0, 1)
    p, q, r, s = (ends[line, axis] for ends in (p, q, r, s))
    begin, end = np.maximum(np.minimum(p, q), np.minimum(r, s)), np.minimum(np.maximum(p, q), np.maximum(r, s))
    crossed[line] = begin < end
    return crossed


def _volumes(a: npt.NDArray[Any], b: npt.NDArray[Any], c: npt.NDArray[Any]) -> npt.NDArray[np.int8]:
    """Sign of the determinants of three vectors in space, shape (p,); 0 also where floats cannot tell it from 0."""
    floats = [vector.astype(np.float64) for vector in (a, b, c)]
    near = np.zeros(len(a))
    size = np.zeros(len(a))
    for x, y, z in permutations(range(3)):
        product = floats[0][:, x] * floats[1][:, y] * floats[2][:, z]
        near += product if (x, y, z) in EVEN else -product
        size += np.abs(product)
    result = np.sign(near).astype(np.int8)
    result[~(np.abs(near) > RELATIVE_ERROR * size)] = 0
    return result


METRIC = Metric(
    "crossings",
    "pairs of moves whose open segments have a common point",
    "pairs",
    crossing_weights,
    patterns=crossing_patterns,
    synonyms=("cross", "crosses", "crossovers", "intersection", "intersections"),
)
