"""`length`: the length of a tour, Euclidean, or by the norms `length:manhattan` and `length:max`.

Lengths are integers of a precision, a power of ten: by default the greatest one that is at most a millionth of the
largest extent of the positions; on boards a millionth. Each edge's length is rounded correctly, half up.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import isqrt
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kt_models.decimals import MAX_DECIMALS, MAX_WEIGHT
from kt_models.errors import KTError
from kt_models.graph import MoveGraph
from kt_models.metrics import Metric
from kt_models.metrics._segments import segments_of
from kt_models.weights import Weights

if TYPE_CHECKING:
    from fractions import Fraction

BOARD_DECIMALS = 6
"""Decimals of lengths on boards."""
MAX_EXACT = 2**52
"""Floats are integers up to this number; a root of a square below is off by at most one after rounding."""

Rounded = Callable[[npt.NDArray[Any], "Fraction"], list[int]]


def euclidean(vectors: npt.NDArray[Any], scale: Fraction) -> list[int]:
    """Lengths of vectors times `scale`, rounded correctly."""
    squares = (vectors.astype(object) ** 2).sum(axis=1).tolist() if len(vectors) else []
    over, under = (4 * scale**2).as_integer_ratio()
    # Half of the root of 4 x, rounded: (floor(2 r) + 1) // 2 is the integer nearest to r.
    return [(isqrt(square * over // under) + 1) // 2 for square in squares]


def manhattan(vectors: npt.NDArray[Any], scale: Fraction) -> list[int]:
    """Sums of the absolute values of coordinates times `scale`, rounded."""
    return [_half_up(int(total) * scale) for total in np.abs(vectors.astype(object)).sum(axis=1).tolist()]


def greatest(vectors: npt.NDArray[Any], scale: Fraction) -> list[int]:
    """Greatest absolute values of coordinates times `scale`, rounded."""
    return [_half_up(int(most) * scale) for most in np.abs(vectors.astype(object)).max(axis=1).tolist()]


def _half_up(number: Fraction) -> int:
    return (2 * number.numerator + number.denominator) // (2 * number.denominator)


def length_weights(norm: Rounded, name: str, graph: MoveGraph, edges: npt.NDArray[np.int64] | None = None) -> Weights:
    """Lengths of the edges."""
    segments = segments_of(graph, edges, name)
    positions = segments.positions
    from fractions import Fraction

    decimals, unit = (BOARD_DECIMALS, Fraction(1)) if positions is None else (positions.decimals, positions.unit)
    if decimals > MAX_DECIMALS:
        raise KTError(
            f"{name} of {graph.name}: a precision of {decimals} decimals; at most {MAX_DECIMALS} are possible"
        )
    lengths = norm(segments.vectors, unit * Fraction(10) ** decimals) if len(segments.numbers) else []
    if max(lengths, default=0) * 10 ** max(-decimals, 0) > MAX_WEIGHT:
        raise KTError(f"{name} of {graph.name}: a length has over 15 digits; give a coarser precision")
    if decimals < 0:
        lengths, decimals = [length * 10**-decimals for length in lengths], 0
    return Weights(
        segments.numbers,  # type: ignore[arg-type]
        segments.numbers,  # type: ignore[arg-type]
        np.array(lengths, dtype=np.int64),
        name,
        decimals=decimals,
    )


def length_decimals(graph: MoveGraph) -> int:
    """Number of decimals of lengths on a graph."""
    return BOARD_DECIMALS if graph.positions is None else max(0, graph.positions.decimals)


def precision_words(graph: MoveGraph) -> str:
    """The precision of lengths on a graph in words."""
    decimals = BOARD_DECIMALS if graph.positions is None else graph.positions.decimals
    from fractions import Fraction  # Only where lengths are asked for.

    from kt_models.positions import number_text

    return f"lengths of edges rounded to {number_text(Fraction(10) ** -decimals)}"


LENGTH = Metric(
    "length",
    "Euclidean length",
    "edges",
    partial(length_weights, euclidean, "length"),
    unit="the unit of the positions",
    rounding=precision_words,
    decimals=length_decimals,
    synonyms=("lengths", "euclidean", "length:euclidean"),
)
MANHATTAN = Metric(
    "length:manhattan",
    "length as the sum of the differences of coordinates",
    "edges",
    partial(length_weights, manhattan, "length:manhattan"),
    unit="the unit of the positions",
    rounding=precision_words,
    decimals=length_decimals,
    synonyms=("manhattan", "taxicab"),
)
MAXIMUM = Metric(
    "length:max",
    "length as the greatest difference of coordinates",
    "edges",
    partial(length_weights, greatest, "length:max"),
    unit="the unit of the positions",
    rounding=precision_words,
    decimals=length_decimals,
    synonyms=("chebyshev", "length:maximum", "length:chebyshev"),
)
