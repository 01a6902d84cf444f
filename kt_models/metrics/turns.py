"""`turns`: pairs of consecutive moves that do not go straight on."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from kt_models.determinants import dot_signs, parallel
from kt_models.graph import MoveGraph
from kt_models.metrics import Metric, Pattern, Vector
from kt_models.metrics._patterns import minus, patterns_where, plus, same_way
from kt_models.metrics._segments import meetings, require_lengths, segments_of
from kt_models.weights import Weights


@lru_cache(maxsize=64)
def turn_patterns(moves: tuple[Vector, ...]) -> tuple[Pattern, ...]:
    """Pairs of moves that meet at a cell where the direction changes (Besa et al. 2022, Definition 1).

    Continuing by a longer or shorter move in the same direction is not a turn; reversing is one.
    """

    def turn(a: Vector, b: Vector, offset: Vector) -> bool:
        zero = tuple(0 for _ in a)
        head = plus(offset, b)
        # Two moves share a cell tail to tail, head to head, or head to tail.
        shared_tail = offset == zero and a != b
        shared_head = head == a and a != b
        through = (offset == a or head == zero) and not same_way(a, b)
        return shared_tail or shared_head or through

    def offsets(a: Vector, b: Vector) -> set[Vector]:
        zero = tuple(0 for _ in a)
        # The offsets at which two moves can share a cell.
        return {zero, a, minus(zero, b), minus(a, b)}

    return patterns_where(moves, turn, offsets)


def turn_weights(graph: MoveGraph, edges: npt.NDArray[np.int64] | None = None) -> Weights:
    """Pairs of edges that meet at a vertex and do not go straight on there: they are not parallel, or it is a reversal.

    An arc of a directed graph turns into those out of its head.
    """
    segments = segments_of(graph, edges, "turns")
    require_lengths(graph, segments, "turns")
    first, second = [segments.numbers[:0]], [segments.numbers[:0]]
    for pairs in meetings(graph, segments, "turns"):
        turn = ~parallel(pairs.away, pairs.on)
        along = np.flatnonzero(~turn)
        turn[along] = dot_signs(pairs.away[along], pairs.on[along]) > 0
        first.append(segments.numbers[pairs.first[turn]])
        second.append(segments.numbers[pairs.second[turn]])
    a, b = np.concatenate(first), np.concatenate(second)
    return Weights(a, b, np.ones(len(a), dtype=np.int64), "turns")  # type: ignore[arg-type]


METRIC = Metric(
    "turns",
    "pairs of consecutive moves that do not go straight on",
    "pairs that meet",
    turn_weights,
    patterns=turn_patterns,
    synonyms=("bend", "bends", "corner", "corners", "turning"),
)
