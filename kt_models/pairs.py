"""Pairs of moves that turn or cross: the single source for measuring tours and for encoding problems.

On a board these metrics are translation invariant: whether a pair of moves counts depends only on the two moves and the
offset of the second tail from the first. So a metric is a short list of patterns `(first, second, offset)`, the same
on every board. Shifting arrays by the offset finds the pairs of edges of a graph (to encode) and the pairs of moves of
a tour (to measure) alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.arguments import require
from kt_models.board import IntArray, shifted
from kt_models.errors import KTError, TooLarge, unknown
from kt_models.graph import MoveGraph
from kt_models.metrics import METRICS, SYNONYMS, Pattern
from kt_models.weights import Weights

MAX_PAIRS = 50_000_000
"""Most pairs of edges that are listed; measuring a tour has no such limit."""
MAX_PLACES = 10 * MAX_PAIRS
"""Most pairs of a pattern and a place of the board's box, holes included, that are visited."""
MAX_KINDS = 500
"""Most moves (without their opposites) whose pairs are examined: three offsets are within it in six dimensions."""


def pair_weights(graph: MoveGraph, metric: str) -> Weights:
    """All edges and pairs of edges of a graph that have a weight by a metric, each with its total.

    Raises
    ------
    KTError
        If the graph lacks what the metric needs.
    TooLarge
        If there are more than `MAX_PAIRS` pairs.
    """
    if not has_patterns(graph, metric):
        return METRICS[metric].weights(graph, None)
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
        # The edge of move k from each place of the box; -1 for holes and moves off the board
        layer[board.grid >= 0] = graph.edge_at[:, k]
        at.append(layer)
    firsts, seconds = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
    for first, second, offset in patterns:
        # Whole-array shift: the partner of every place at once
        place = shifted(at[second], offset, board.wraps, -1)
        both = (at[first] >= 0) & (place >= 0)
        firsts.append(at[first][both])
        seconds.append(place[both])
    low = np.minimum(np.concatenate(firsts), np.concatenate(seconds)).astype(np.int64)
    high = np.maximum(np.concatenate(firsts), np.concatenate(seconds))
    # On a narrow periodic board two moves can meet twice, so equal pairs are added up
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
    # One bit map per move: linear in the number of cells
    chosen = np.zeros((len(moves), board.grid.size), dtype=bool)
    chosen[kinds, places] = True
    layers = chosen.reshape(len(moves), *board.shape)
    for pattern in patterns:
        yield pattern, layers[pattern.first] & shifted(layers[pattern.second], pattern.offset, board.wraps, False)


def has_patterns(graph: MoveGraph, metric: str) -> bool:
    """Whether a metric is found by patterns of moves on a graph; the metric has to be known.

    Raises
    ------
    KTError
        If there is no such metric.
    """
    require(graph, "graph", MoveGraph, "a MoveGraph (kt.graph makes one)")
    if not isinstance(metric, str) or metric not in METRICS:
        raise unknown("metric", metric, METRICS, SYNONYMS)
    return METRICS[metric].patterns is not None and graph.moves is not None


def _patterns_of(graph: MoveGraph, metric: str) -> tuple[Pattern, ...]:
    if not has_patterns(graph, metric):
        raise KTError(f"{metric} of {graph.name}: its moves have no patterns")
    _, moves = graph.geometry
    if len(moves) > MAX_KINDS:
        raise TooLarge(f"{metric} of {graph.name}: pairs of over {MAX_KINDS:,} kinds of moves")
    make = METRICS[metric].patterns
    assert make is not None
    return make(tuple(tuple(int(c) for c in move) for move in moves))
