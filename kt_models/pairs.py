"""Pairs of moves that turn or cross: the single source for measuring tours and for encoding problems.

On a board both metrics are translation invariant: whether a pair of moves counts depends only on the two moves and the
offset of the second tail from the first.  So a metric is a short list of patterns `(first, second, offset)`, the same
on every board.  Shifting arrays by the offset finds the pairs of edges of a graph (to encode) and the pairs of moves of
a tour (to measure) alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations, product
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.arguments import require
from kt_models.board import IntArray, shifted
from kt_models.errors import KTError, TooLarge, unknown
from kt_models.graph import MoveGraph
from kt_models.weights import Weights

METRICS = ("turns", "crossings")
METRIC_SYNONYMS = {
    **dict.fromkeys(("angle", "angles", "bend", "bends", "corner", "corners", "turning"), "turns"),
    **dict.fromkeys(("cross", "crosses", "crossovers", "intersection", "intersections"), "crossings"),
    **dict.fromkeys(("cost", "costs", "distance", "length", "lengths", "weights"), "weight"),
}
"""Synonyms of the metrics; messages answer with the right word."""
MAX_PAIRS = 50_000_000
"""Most pairs of edges that are listed; measuring a tour has no such limit."""
MAX_PLACES = 10 * MAX_PAIRS
"""Most pairs of a pattern and a place of the board's box, holes included, that are visited."""
MAX_OFFSETS = 100_000
"""Most places of one move that are examined beside another."""
MAX_KINDS = 500
"""Most moves (without their opposites) whose pairs are examined: three offsets are within it in six dimensions."""

Vector = tuple[int, ...]


class Pattern(NamedTuple):
    """A pattern: move `first` at a tail p and move `second` at the tail p + `offset` make a pair."""

    first: int
    second: int
    offset: Vector


def pair_weights(graph: MoveGraph, metric: str) -> Weights:
    """All pairs of edges of a graph that make a turn or a crossing, each with its multiplicity.

    Raises
    ------
    KTError
        If the graph has no board.
    TooLarge
        If there are more than `MAX_PAIRS` pairs.
    """
    patterns = _patterns_of(graph, metric)
    if graph.n * len(patterns) > MAX_PAIRS:
        size = f"about {graph.n * len(patterns):,} pairs of moves, over the limit of {MAX_PAIRS:,}"
        raise TooLarge(f"{metric} of {graph.name}: {size}")
    board, _ = graph.geometry
    if prod(board.shape) * len(patterns) > MAX_PLACES:
        raise TooLarge(f"{metric} of {graph.name}: its box has too many holes")
    at = []
    for k in range(graph.edge_at.shape[1]):
        layer = np.full(board.shape, -1, dtype=np.int32)
        # the edge of move k from each place of the box; -1 for holes and moves off the board
        layer[board.grid >= 0] = graph.edge_at[:, k]
        at.append(layer)
    firsts, seconds = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
    for first, second, offset in patterns:
        # whole-array shift: the partner of every place at once
        place = shifted(at[second], offset, board.wraps, -1)
        both = (at[first] >= 0) & (place >= 0)
        firsts.append(at[first][both])
        seconds.append(place[both])
    low = np.minimum(np.concatenate(firsts), np.concatenate(seconds)).astype(np.int64)
    high = np.maximum(np.concatenate(firsts), np.concatenate(seconds))
    # on a narrow periodic board two moves can meet twice, so equal pairs are added up
    keys, weight = np.unique(low * graph.m + high, return_counts=True)
    return Weights(keys // graph.m, keys % graph.m, weight, metric)  # type: ignore[arg-type]


class PatternPairs(NamedTuple):
    """Pairs of moves of a tour: a pattern, and the tails (coordinates) of the first move of each pair."""

    pattern: Pattern
    tails: npt.NDArray[np.int64]


def pairs_of_steps(
    graph: MoveGraph, metric: str, tails: npt.NDArray[np.integer[Any]], kinds: IntArray
) -> Iterator[PatternPairs]:
    """Pairs among chosen moves, pattern by pattern.

    Parameters
    ----------
    tails, kinds
        Tail (a cell number) and number in `graph.moves` of each chosen move, shape (s,).

    Yields
    ------
    PatternPairs
        A pattern, and the coordinates of the tails of the first moves of its pairs, shape (p, dimension).
    """
    for pattern, both in _overlaps(graph, metric, tails, kinds):
        yield PatternPairs(pattern, np.argwhere(both))


def count_steps(graph: MoveGraph, metric: str, tails: npt.NDArray[np.integer[Any]], kinds: IntArray) -> int:
    """Number of pairs among chosen moves (see `pairs_of_steps`), in linear time and memory."""
    return sum(int(np.count_nonzero(both)) for _, both in _overlaps(graph, metric, tails, kinds))


def _overlaps(
    graph: MoveGraph, metric: str, tails: npt.NDArray[np.integer[Any]], kinds: IntArray
) -> Iterator[tuple[Pattern, npt.NDArray[np.bool_]]]:
    patterns = _patterns_of(graph, metric)
    board, moves = graph.geometry
    places = tails if board.mask is None else np.flatnonzero(board.mask)[tails]
    # one bit map per move: linear in the number of cells
    chosen = np.zeros((len(moves), board.grid.size), dtype=bool)
    chosen[kinds, places] = True
    layers = chosen.reshape(len(moves), *board.shape)
    for pattern in patterns:
        yield pattern, layers[pattern.first] & shifted(layers[pattern.second], pattern.offset, board.wraps, False)


def _patterns_of(graph: MoveGraph, metric: str) -> tuple[Pattern, ...]:
    require(graph, "graph", MoveGraph, "a MoveGraph (kt.graph makes one)")
    if not isinstance(metric, str) or metric not in METRICS:
        raise unknown("metric", metric, METRICS, METRIC_SYNONYMS)
    if graph.board is None or graph.moves is None:
        raise KTError(f"{metric} of {graph.name}: a graph without a board has none, as its edges have no vectors")
    if len(graph.moves) > MAX_KINDS:
        raise TooLarge(f"{metric} of {graph.name}: pairs of over {MAX_KINDS:,} kinds of moves")
    moves = tuple(tuple(int(c) for c in move) for move in graph.moves)
    return turn_patterns(moves) if metric == "turns" else crossing_patterns(moves)


@lru_cache(maxsize=64)
def turn_patterns(moves: tuple[Vector, ...]) -> tuple[Pattern, ...]:
    """Pairs of moves that meet at a cell where the direction changes (Besa et al. 2022, Definition 1).

    Continuing by a longer or shorter move in the same direction is not a turn; reversing is one.
    """

    def turn(a: Vector, b: Vector, offset: Vector) -> bool:
        zero = tuple(0 for _ in a)
        head = _plus(offset, b)
        # two moves share a cell tail to tail, head to head, or head to tail
        shared_tail = offset == zero and a != b
        shared_head = head == a and a != b
        through = (offset == a or head == zero) and not _same_way(a, b)
        return shared_tail or shared_head or through

    def offsets(a: Vector, b: Vector) -> set[Vector]:
        zero = tuple(0 for _ in a)
        # offsets at which two moves can share a cell
        return {zero, a, _minus(zero, b), _minus(a, b)}

    return _patterns(moves, turn, offsets)


@lru_cache(maxsize=64)
def crossing_patterns(moves: tuple[Vector, ...]) -> tuple[Pattern, ...]:
    """Pairs of moves whose open segments intersect (Besa et al. 2022, Definition 2), by integer arithmetic."""

    def offsets(a: Vector, b: Vector) -> set[Vector]:
        # offsets at which the bounding boxes of both segments intersect
        spans = [range(min(0, u) + min(0, -v), max(0, u) + max(0, -v) + 1) for u, v in zip(a, b, strict=True)]
        if prod(len(span) for span in spans) > MAX_OFFSETS:
            raise TooLarge(f"crossings: moves as long as {a} are beyond what is tabulated")
        return set(product(*spans))

    return _patterns(moves, segments_cross, offsets)


def segments_cross(a: Vector, b: Vector, offset: Vector) -> bool:
    """Whether the open segments from 0 to `a` and from `offset` to `offset + b` have a common point.

    In any number of dimensions: such a point is s a = offset + t b with 0 < s, t < 1, and s and t are fractions whose
    denominator is a minor of (a, b).
    """
    axes = range(len(a))
    for i, j in combinations(axes, 2):
        # a non-zero minor: the segments are not parallel
        minor = a[i] * b[j] - a[j] * b[i]
        if minor:
            break
    else:  # parallel segments have a common point if they lie on one line and their open intervals overlap
        if any(a[i] * offset[j] != a[j] * offset[i] for i, j in combinations(axes, 2)):
            return False
        along = [sum(u * v for u, v in zip(a, p, strict=True)) for p in (offset, _plus(offset, b))]
        return min(along) < sum(u * u for u in a) and max(along) > 0
    s = offset[i] * b[j] - offset[j] * b[i]
    t = offset[i] * a[j] - offset[j] * a[i]
    if minor < 0:
        minor, s, t = -minor, -s, -t
    inside = 0 < s < minor and 0 < t < minor
    return inside and all(s * a[k] - t * b[k] == minor * offset[k] for k in axes)


def _patterns(
    moves: tuple[Vector, ...],
    together: Callable[[Vector, Vector, Vector], bool],
    offsets: Callable[[Vector, Vector], set[Vector]],
) -> tuple[Pattern, ...]:
    """Each unordered pair once: the first move has the smaller number, or the smaller tail if the numbers are equal."""
    patterns = []
    for i, a in enumerate(moves):
        for j in range(i, len(moves)):
            zero = tuple(0 for _ in a)
            for offset in sorted(offsets(a, moves[j])):
                if (i < j or offset > zero) and together(a, moves[j], offset):
                    patterns.append(Pattern(i, j, offset))
    return tuple(patterns)


def _same_way(a: Vector, b: Vector) -> bool:
    """Whether two vectors have the same direction."""
    along = sum(u * v for u, v in zip(a, b, strict=True))
    return along > 0 and all(u * w == v * t for (u, v), (t, w) in combinations(zip(a, b, strict=True), 2))


def _plus(a: Vector, b: Vector) -> Vector:
    return tuple(u + v for u, v in zip(a, b, strict=True))


def _minus(a: Vector, b: Vector) -> Vector:
    return tuple(u - v for u, v in zip(a, b, strict=True))
