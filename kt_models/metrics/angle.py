"""`angle`: the sum of turning angles, in degrees with three decimals.

A turning angle is from 0, straight on, to 180 degrees, a reversal. Each is rounded correctly to a thousandth of a
degree. No turning angle between points with rational coordinates is half-way between two thousandths: the square of
its cosine is rational, and the only angles of a rational number of degrees with this property are the multiples of 30
and of 45 (Niven's theorem).
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.graph import MoveGraph
from kt_models.metrics import Metric
from kt_models.metrics._segments import meetings, require_lengths, segments_of
from kt_models.weights import Weights

DECIMALS = 3
"""Decimals of an angle in degrees."""
MARGIN = 1e-6
"""Distance from a half, in thousandths, within which a float does not decide: its error is below 1e-9 of them."""


def angle_weights(graph: MoveGraph, edges: npt.NDArray[np.int64] | None = None) -> Weights:
    """Turning angles of pairs of edges that meet."""
    segments = segments_of(graph, edges, "angle")
    require_lengths(graph, segments, "angle")
    first, second, weights = [segments.numbers[:0]], [segments.numbers[:0]], [np.zeros(0, dtype=np.int64)]
    for pairs in meetings(graph, segments, "angle"):
        angles = thousandths(-pairs.away, pairs.on)
        some = angles != 0
        first.append(segments.numbers[pairs.first[some]])
        second.append(segments.numbers[pairs.second[some]])
        weights.append(angles[some])
    rows = (np.concatenate(first), np.concatenate(second), np.concatenate(weights))
    return Weights(*rows, "angle", decimals=DECIMALS)  # type: ignore[arg-type]


def thousandths(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Angle between vectors in thousandths of a degree, rounded correctly, shape (p,)."""
    u, v = (vector.astype(np.float64) for vector in (a, b))
    # Lengths are divided out first, so that no square overflows.
    u, v = (vector / np.abs(vector).max(axis=1, keepdims=True) for vector in (u, v))
    dots = (u * v).sum(axis=1)
    squares = np.zeros(len(u))
    for i in range(u.shape[1]):
        for j in range(i + 1, u.shape[1]):
            squares += (u[:, i] * v[:, j] - u[:, j] * v[:, i]) ** 2
    near = np.degrees(np.arctan2(np.sqrt(squares), dots)) * 1000
    angles: npt.NDArray[np.int64] = np.rint(near).astype(np.int64)
    for place in np.flatnonzero(np.abs(near - np.floor(near) - 0.5) < MARGIN).tolist():
        angles[place] = _decided(
            list(map(int, a[place].tolist())), list(map(int, b[place].tolist())), float(near[place])
        )
    return angles


def _decided(a: list[int], b: list[int], near: float) -> int:
    """The integer nearest to the angle, of the two around a float that is near a half."""
    below = int(np.floor(near))
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    size = sum(x * x for x in a) * sum(y * y for y in b)
    digits = 40
    while True:
        with localcontext() as context:
            context.prec = digits + 10
            gap = Decimal(dot) / Decimal(size).sqrt() - _cosine(Decimal(2 * below + 1) / 2000)
            if abs(gap) > Decimal(10) ** -digits:
                # The cosine falls with the angle.
                return below if gap > 0 else below + 1
        digits *= 2


def _cosine(degrees: Decimal) -> Decimal:
    """Cosine in the precision of the context, by its series; the angle is halved until the series is short."""
    x = degrees * _pi() / 180
    halvings = 0
    while abs(x) > Decimal("0.01"):
        x, halvings = x / 2, halvings + 1
    term = total = Decimal(1)
    k = 0
    while total + term != total or k == 0:
        k += 2
        term = -term * x * x / (k * (k - 1))
        total += term
    for _ in range(halvings):
        total = 2 * total * total - 1
    return total


def _pi() -> Decimal:
    """Pi in the precision of the context, by Machin's formula."""

    def arctangent(inverse: int) -> Decimal:
        power = total = Decimal(1) / inverse
        k = 1
        while True:
            power = -power / (inverse * inverse)
            k += 2
            if total + power / k == total:
                return total
            total += power / k

    return 4 * (4 * arctangent(5) - arctangent(239))


METRIC = Metric(
    "angle",
    "sum of turning angles",
    "pairs that meet",
    angle_weights,
    unit="degrees",
    rounding=lambda graph: "angles rounded to 0.001 degrees",
    decimals=lambda graph: 3,
    synonyms=("angles", "turning-angle"),
)
