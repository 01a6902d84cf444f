"""Cells where a tour goes straight on or turns, as the metric `turns` counts turns, and the pearls of Masyu.

A pearl is about the cells before and after it, too: at a white pearl the tour goes straight on, and turns at one of
these at least; at a black pearl it turns, and goes straight on at both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, product
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from kt_models.board import IntArray
from kt_models.conditions.condition import Exclusion, LocalCondition, counted, edges_at, name_in
from kt_models.determinants import dot_signs, parallel
from kt_models.directed import SplitGraph
from kt_models.errors import KTError
from kt_models.graph import MoveGraph
from kt_models.json_values import are_integers
from kt_models.metrics._segments import require_lengths, segments_of

WAYS = {True: "goes straight on", False: "turns"}
"""The two ways to pass a vertex, in words."""


class FollowingEdges(NamedTuple):
    """Two edges that can follow each other at a vertex; of a directed graph the first is the arc into it."""

    first: int
    second: int
    straight: bool


def pairs_at(graph: MoveGraph, vertices: Sequence[int]) -> dict[int, list[FollowingEdges]]:
    """The pairs of edges that can follow each other at some vertices, which are numbered as users number them.

    Raises
    ------
    KTError
        If the graph has no positions, or an edge has no direction.
    """
    rows: list[tuple[int, int, int]] = []
    for vertex in vertices:
        into, out = edges_at(graph, vertex)
        pairs = product(into, out) if isinstance(graph, SplitGraph) else combinations(into, 2)
        rows += [(vertex, first, second) for first, second in pairs]
    # Without rows the graph has to have positions as well.
    at, first, second = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    numbers, place = np.unique(np.concatenate([first, second]), return_inverse=True)
    segments = segments_of(graph, numbers, "turns")
    require_lengths(graph, segments, "turns")

    def away(side: Any) -> Any:
        tails, vectors = segments.ends[side, 0], segments.vectors[side]
        return np.where((tails == at)[:, None], vectors, -vectors)

    first_side, second_side = away(place[: len(at)]), away(place[len(at) :])
    straight = parallel(first_side, second_side)
    along = np.flatnonzero(straight)
    straight[along] = dot_signs(first_side[along], second_side[along]) < 0
    found: dict[int, list[FollowingEdges]] = {vertex: [] for vertex in vertices}
    for (vertex, e, f), on in zip(rows, straight.tolist(), strict=True):
        found[vertex].append(FollowingEdges(e, f, on))
    return found


@dataclass(frozen=True)
class _Direction(LocalCondition):
    """Vertices where a tour goes straight on, or turns; a path ends at none of them."""

    cells: tuple[int, ...]
    known: tuple[MoveGraph, dict[int, list[FollowingEdges]]] | None = field(default=None, compare=False, repr=False)

    goes_straight: ClassVar[bool]
    of_moves: ClassVar[bool] = True

    @property
    def numbers(self) -> tuple[int, ...]:
        return self.cells

    @property
    def visited(self) -> tuple[int, ...]:
        return self.cells

    @property
    def summary(self) -> tuple[str, str]:
        return "straight" if self.goes_straight else "turning", counted(len(self.cells), "cell")

    def on(self, graph: MoveGraph) -> Self:
        if self.known is not None and self.known[0] is graph:
            return self
        cells = tuple(sorted(set(self.cells)))
        if cells and not 0 <= cells[0] <= cells[-1] < graph.vertex_count:
            raise KTError(f"{self.title}: not a vertex of the graph")
        return type(self)(cells, (graph, pairs_at(graph, cells)))

    def _pairs(self) -> dict[int, list[FollowingEdges]]:
        assert self.known is not None
        return {vertex: self.known[1][vertex] for vertex in self.cells}

    def exclusions(self, graph: MoveGraph) -> Iterator[Exclusion]:
        for vertex, pairs in self._pairs().items():
            yield from (Exclusion((e, f)) for e, f, straight in pairs if straight != self.goes_straight)
            if not isinstance(graph, SplitGraph):
                yield Exclusion((), vertex)
            elif graph.is_open:
                yield from (Exclusion((edge,)) for edge in sorted(graph.edges_at_ends(vertex, vertex)))

    def fault(self, graph: MoveGraph, edges: IntArray, order: IntArray | None, closed: bool) -> str | None:
        chosen = set(edges.tolist())
        for vertex, pairs in self._pairs().items():
            made = [straight for e, f, straight in pairs if e in chosen and f in chosen]
            tour, name = graph.words.tour, name_in(graph, vertex)
            if not made:
                return f"the {tour} ends at {name}, where it {WAYS[self.goes_straight]} as required"
            if made[0] != self.goes_straight:
                return f"the {tour} {WAYS[made[0]]} at {name}, not {WAYS[self.goes_straight]}"
        return None

    def told(self, graph: MoveGraph, names: Sequence[str]) -> str:
        return f"{'going straight on' if self.goes_straight else 'turning'} at {', '.join(names)}"

    def content(self, graph: MoveGraph, closed: bool) -> Any:
        assert self.known is not None
        return list(self.cells) if graph.moves is not None else [list(map(list, self.known[1].items()))]

    def to_json(self, graph: MoveGraph) -> Any:
        return list(self.cells)

    @classmethod
    def from_json(cls, graph: MoveGraph, value: Any) -> Self:
        if not are_integers(value):
            raise KTError(f"{cls.name!r} is not a list of integers")
        return cls(tuple(value))


class Straight(_Direction):
    """Vertices where a tour goes straight on."""

    name = "straight"
    title = "straight cells"
    goes_straight = True


class Turning(_Direction):
    """Vertices where a tour turns."""

    name = "turn"
    title = "turning cells"
    goes_straight = False


class _Pearl(_Direction):
    """Vertices where a closed tour goes straight on or turns, beside vertices where it does the other, as in Masyu."""

    connectivities: ClassVar[tuple[str, ...]] = ("cycle", "subcycle")

    def on(self, graph: MoveGraph) -> Self:
        found = super().on(graph)
        if found is self:
            return self
        near = {u for vertex in found.cells for edge in {*chain(*edges_at(graph, vertex))} for u in _ends(graph, edge)}
        return type(self)(found.cells, (graph, pairs_at(graph, sorted(near.union(found.cells)))))

    def _beside(self, graph: MoveGraph, vertex: int, edge: int, straight: bool) -> Iterator[int]:
        """The edges that follow an edge of a pearl straight on, or with a turn, at its other end."""
        assert self.known is not None
        tail, head = _ends(graph, edge)
        for e, f, on in self.known[1][head if tail == vertex else tail]:
            if edge in (e, f) and on == straight:
                yield f if e == edge else e

    def _breaks(self, graph: MoveGraph, vertex: int, first: int, second: int) -> Iterator[tuple[int, ...]]:
        """Sets of edges that break the condition beside a pearl, which the two edges pass as they should."""
        if self.goes_straight:
            before, after = (list(self._beside(graph, vertex, edge, True)) for edge in (first, second))
            yield from ((first, second, *more) for more in product(before, after))
        else:
            yield from ((edge, other) for edge in (first, second) for other in self._beside(graph, vertex, edge, False))

    def exclusions(self, graph: MoveGraph) -> Iterator[Exclusion]:
        yield from super().exclusions(graph)
        broken = (
            some
            for vertex, pairs in self._pairs().items()
            for e, f, straight in pairs
            if straight == self.goes_straight
            for some in self._breaks(graph, vertex, e, f)
        )
        yield from map(Exclusion, dict.fromkeys(tuple(dict.fromkeys(some)) for some in broken))

    def fault(self, graph: MoveGraph, edges: IntArray, order: IntArray | None, closed: bool) -> str | None:
        if fault := super().fault(graph, edges, order, closed):
            return fault
        chosen = set(edges.tolist())
        for vertex, pairs in self._pairs().items():
            for e, f, _ in pairs:
                if e in chosen and f in chosen and any(chosen.issuperset(s) for s in self._breaks(graph, vertex, e, f)):
                    where = "neither before nor after" if self.goes_straight else "just before or after"
                    return f"the {graph.words.tour} turns {where} {name_in(graph, vertex)}, against {self.title}"
        return None

    @property
    def summary(self) -> tuple[str, str]:
        return self.title, counted(len(self.cells), "cell")

    def told(self, graph: MoveGraph, names: Sequence[str]) -> str:
        beside = "turning just before or after" if self.goes_straight else "going straight on just before and after"
        return f"{super().told(graph, names)} and {beside}"


def _ends(graph: MoveGraph, edge: int) -> tuple[int, int]:
    """The ends of an edge, or of an arc, as users number them."""
    if isinstance(graph, SplitGraph):
        u, v = graph.directed.arcs[edge - graph.first_arc]
    else:
        u, v = graph.ends[edge]
    return int(u), int(v)


class WhitePearls(_Pearl):
    """Vertices where a closed tour goes straight on, and turns just before or just after."""

    name = "white_pearls"
    title = "white pearls"
    goes_straight = True


class BlackPearls(_Pearl):
    """Vertices where a closed tour turns, and goes straight on just before and just after."""

    name = "black_pearls"
    title = "black pearls"
    goes_straight = False
