"""Edges of a graph as segments: their vectors, pairs of them that meet at a vertex, and pairs whose boxes overlap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.directed import SplitGraph
from kt_models.errors import KTError, TooLarge
from kt_models.graph import MoveGraph

if TYPE_CHECKING:
    from kt_models.positions import Positions

MAX_PAIRS = 50_000_000
"""Most pairs of edges that are listed, or examined at vertices."""
BLOCK = 1 << 21
"""Pairs that are examined together: their arrays take some hundred megabytes."""

EdgeNumbers = npt.NDArray[np.int64]


class EdgeSegments(NamedTuple):
    """Edges of a graph, or arcs of a directed one, and their vectors."""

    numbers: EdgeNumbers
    """EdgeNumbers of the edges in the graph, shape (k,)."""
    ends: EdgeNumbers
    """Ends of each edge, as the user's graph numbers vertices; the tail of an arc first, shape (k, 2)."""
    vectors: npt.NDArray[Any]
    """Vector of each edge from its first end to the second, as integers in units of `unit`, shape (k, dimension)."""
    positions: Positions | None
    """Positions of the vertices; None on a board, where vectors are those of the moves."""
    n: int
    directed: bool


def segments_of(graph: MoveGraph, edges: EdgeNumbers | None, metric: str) -> EdgeSegments:
    """The segments of a graph, or of some of its edges.

    Raises
    ------
    KTError
        If the vertices have no positions.
    """
    if graph.moves is not None:
        numbers = np.arange(graph.m) if edges is None else np.asarray(edges, dtype=np.int64)
        vectors = graph.moves[graph.edge_move[numbers]].astype(np.int64)
        return EdgeSegments(numbers, graph.ends[numbers].astype(np.int64), vectors, None, graph.n, False)
    if graph.positions is None:
        why = graph.unplaced or (
            f"its {graph.words.places} have no positions; give them by pos= or --positions FILE, or see kt.graph"
        )
        raise KTError(f"{metric} of {graph.name}: {why}")
    split = isinstance(graph, SplitGraph)
    first, all_ends = (graph.first_arc, graph.directed.arcs) if isinstance(graph, SplitGraph) else (0, graph.ends)
    numbers = np.arange(first, graph.m) if edges is None else np.asarray(edges, dtype=np.int64)
    numbers = numbers[numbers >= first]
    ends = all_ends[numbers - first].astype(np.int64)
    points = graph.positions.coordinates
    return EdgeSegments(
        numbers, ends, points[ends[:, 1]] - points[ends[:, 0]], graph.positions, graph.vertex_count, split
    )


def require_lengths(graph: MoveGraph, segments: EdgeSegments, metric: str) -> None:
    """Refuse an edge whose ends coincide, which has no direction."""
    none = ~(segments.vectors != 0).any(axis=1)
    if none.any():
        edge = int(segments.numbers[int(np.argmax(none))])
        raise KTError(
            f"{metric} of {graph.name}: the {graph.words.move} {graph.edge_name(edge)} has length 0, and no direction: "
            "its ends coincide"
        )


class Meetings(NamedTuple):
    """Pairs of segments that meet at a vertex, and their vectors away from it."""

    first: EdgeNumbers
    second: EdgeNumbers
    away: npt.NDArray[Any]
    """Vector of the first segment from the vertex to its other end, shape (p, dimension)."""
    on: npt.NDArray[Any]
    """Vector of the second segment from the vertex, shape (p, dimension)."""


def meetings(graph: MoveGraph, segments: EdgeSegments, metric: str) -> Iterator[Meetings]:
    """All pairs of segments that can follow each other in a tour, in blocks; an arc into a vertex with one out of it.

    Raises
    ------
    TooLarge
        If there are more than `MAX_PAIRS` pairs.
    """
    k = len(segments.numbers)
    at, place = segments.ends.T.reshape(-1), np.arange(2 * k)  # Place i < k is the first end of segment i.
    halves = [_at_vertices(at[k:], place[k:], segments.n)] if segments.directed else []
    halves.append(_at_vertices(at[:k], place[:k], segments.n) if halves else _at_vertices(at, place, segments.n))
    into, out = halves[0].degrees, halves[-1].degrees
    sizes = into * out if segments.directed else out * (out - 1) // 2
    if sizes.sum() > MAX_PAIRS:
        raise TooLarge(f"{metric} of {graph.name}: {int(sizes.sum()):,} pairs of edges meet, over {MAX_PAIRS:,}")
    # Vertices of equal degrees have pairs in equal places.
    kinds, kind = np.unique(into * (2 * k + 1) + out, return_inverse=True)
    for number in range(len(kinds)):
        vertices = np.flatnonzero(kind == number)
        if not (size := int(sizes[vertices[0]])):
            continue
        before, after = (half.of(vertices) for half in (halves[0], halves[-1]))
        if segments.directed:
            rows, columns = (index.reshape(-1) for index in np.indices((before.shape[1], after.shape[1])))
        else:
            rows, columns = np.triu_indices(before.shape[1], 1)
        step = max(1, BLOCK // size)
        for some in range(0, len(vertices), step):
            block = slice(some, some + step)
            left, right = before[block][:, rows].reshape(-1), after[block][:, columns].reshape(-1)
            yield Meetings(left % k, right % k, _outward(segments, left, k), _outward(segments, right, k))


class _AtVertices(NamedTuple):
    """Ends of segments by vertex."""

    places: EdgeNumbers
    """Places in order of their vertices."""
    degrees: EdgeNumbers
    """Number of places of each vertex."""
    start: EdgeNumbers
    """Where the places of each vertex begin."""

    def of(self, vertices: EdgeNumbers) -> EdgeNumbers:
        """Places of vertices with equal counts, shape (vertices, count)."""
        width = int(self.degrees[vertices[0]])
        return self.places[self.start[vertices][:, None] + np.arange(width)]


def _at_vertices(at: EdgeNumbers, places: EdgeNumbers, n: int) -> _AtVertices:
    count = np.bincount(at, minlength=n)
    return _AtVertices(places[np.argsort(at, kind="stable")], count, np.cumsum(count) - count)


def _outward(segments: EdgeSegments, places: EdgeNumbers, k: int) -> npt.NDArray[Any]:
    """Vectors from the ends at these places to the other ends."""
    vectors = segments.vectors[places % k]
    return np.where((places < k)[:, None], vectors, -vectors)


def overlapping_boxes(
    low: npt.NDArray[np.float64], high: npt.NDArray[np.float64]
) -> Iterator[tuple[EdgeNumbers, EdgeNumbers]]:
    """Pairs of boxes that have a common point, in blocks, by a sweep along the first axis.

    Parameters
    ----------
    low, high
        Least and greatest coordinates of each box, shape (m, dimension).
    """
    order = np.argsort(low[:, 0], kind="stable")
    left = low[order, 0]
    # Later boxes that begin before this one ends.
    last = np.searchsorted(left, high[order, 0], side="right")
    counts = np.maximum(last - np.arange(len(order)) - 1, 0)
    cuts = np.flatnonzero(np.diff(np.cumsum(counts) // BLOCK)) + 1
    for run in np.split(np.arange(len(order)), cuts):
        size = counts[run]
        if not size.sum():
            continue
        first = np.repeat(run, size)
        second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(size) - size, size)
        i, j = order[first], order[second]
        for axis in range(1, low.shape[1]):
            both = (low[i, axis] <= high[j, axis]) & (low[j, axis] <= high[i, axis])
            i, j = i[both], j[both]
        yield i, j


def boxes_of(segments: EdgeSegments) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Boxes around segments, as floats that are rounded outwards."""
    positions = segments.positions
    assert positions is not None
    floats = positions.coordinates.astype(np.float64)
    a, b = floats[segments.ends[:, 0]], floats[segments.ends[:, 1]]
    return np.nextafter(np.minimum(a, b), -np.inf), np.nextafter(np.maximum(a, b), np.inf)
