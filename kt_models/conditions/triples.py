"""Triples of moves of which a tour does not make all: given ones, or those of a rule with a name.

`celtic`: the three moves cross pairwise and enclose a triangle, and no three moves of the piece enclose a smaller one.
Jelliss calls knight's tours without such triangles Celtic; an example is b8-c6, b6-d7, b5-c7.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from kt_models.board import IntArray, shifted
from kt_models.conditions.condition import Exclusion, LocalCondition, counted
from kt_models.directed import SplitGraph
from kt_models.errors import KTError, TooLarge, unknown
from kt_models.graph import MoveGraph
from kt_models.json_values import are_integers
from kt_models.metrics import Vector
from kt_models.metrics.crossings import crossing_patterns

if TYPE_CHECKING:
    from fractions import Fraction

MAX_TRIPLES = 2_000_000
"""Most triples of a problem."""
MAX_KINDS = 24
"""Most moves of a piece, without their opposites, whose triangles are compared."""

TripleArray = npt.NDArray[np.int32]
Placed = tuple[int, Vector]
"""A move of a piece, and its tail."""


# -- celtic tours ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def smallest_triangles(moves: tuple[Vector, ...]) -> tuple[tuple[Placed, Placed, Placed], ...]:
    """Triples of moves that cross pairwise and enclose a triangle of the least area, the tail of the first at 0."""
    crossing: dict[int, set[Placed]] = defaultdict(set)
    for first, second, offset in crossing_patterns(moves):
        crossing[first].add((second, offset))
        crossing[second].add((first, tuple(-c for c in offset)))
    zero = (0,) * len(moves[0])
    areas: dict[tuple[Placed, ...], Fraction] = {}
    for first in sorted(crossing):
        for left, right in combinations(sorted(crossing[first]), 2):
            apart = tuple(q - p for p, q in zip(left[1], right[1], strict=True))
            if (right[0], apart) not in crossing[left[0]]:
                continue
            triple = sorted([(first, zero), left, right])
            tail = triple[0][1]
            key = tuple((move, tuple(c - t for c, t in zip(at, tail, strict=True))) for move, at in triple)
            if key not in areas and (area := _area([(at, moves[move]) for move, at in key])):
                areas[key] = area
    least = min(areas.values(), default=None)
    return tuple(key for key, area in sorted(areas.items()) if area == least)  # type: ignore[misc]


def _area(segments: Sequence[tuple[Vector, Vector]]) -> Fraction:
    """Twice the area between three lines, each a point and a direction; 0 if two are parallel or all meet."""
    from fractions import Fraction

    corners = []
    for ((px, py), (ax, ay)), ((qx, qy), (bx, by)) in combinations(segments, 2):
        minor = ax * by - ay * bx
        if not minor:
            return Fraction(0)
        along = Fraction((qx - px) * by - (qy - py) * bx, minor)
        corners.append((px + along * ax, py + along * ay))
    (x, y), (u, v), (s, t) = corners
    return abs((u - x) * (t - y) - (v - y) * (s - x))


def celtic(graph: MoveGraph) -> TripleArray:
    """The triples of moves on a board that enclose a smallest triangle.

    Raises
    ------
    KTError
        If the graph is no board in the plane, or no three of its moves enclose a triangle.
    """
    if graph.moves is None or graph.board is None or graph.board.dimension != 2:
        raise KTError(f"celtic: {graph.name} is not a board in the plane")
    board = graph.board
    if len(graph.moves) > MAX_KINDS:
        raise TooLarge(f"celtic: the piece has over {MAX_KINDS} moves")
    patterns = smallest_triangles(tuple(tuple(map(int, move)) for move in graph.moves.tolist()))
    if not patterns:
        raise KTError(f"celtic: no three moves of the leaper {graph.leaper} enclose a triangle")
    if len(patterns) * board.n > MAX_TRIPLES * 4:
        raise TooLarge(f"celtic: over {MAX_TRIPLES:,} triples of moves")
    at = np.full((len(graph.moves), *board.shape), -1, dtype=np.int32)
    for k in range(len(graph.moves)):
        at[k][board.grid >= 0] = graph.edge_at[:, k]
    rows = [np.zeros((0, 3), dtype=np.int32)]
    for pattern in patterns:
        edges = np.stack([shifted(at[move], offset, board.wraps, -1) for move, offset in pattern], axis=-1)
        rows.append(edges.reshape(-1, 3)[(edges >= 0).all(axis=-1).reshape(-1)])
    return np.concatenate(rows)


RULES: dict[str, tuple[Callable[[MoveGraph], TripleArray], str]] = {
    "celtic": (celtic, "without three moves that enclose a smallest triangle"),
}
"""Rules by name: their triples, and their words in claims."""


# -- the condition -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Triples(LocalCondition):
    """Triples of edges of which a solution does not have all three.

    Parameters
    ----------
    triples
        Triples of edges, of a directed graph those that stand for arcs.
    rules
        Names of rules.
    """

    triples: tuple[tuple[int, ...], ...] = ()
    rules: tuple[str, ...] = ()
    known: tuple[MoveGraph, TripleArray] | None = field(default=None, compare=False, repr=False)

    name = "forbid_triples"
    title = "forbidden triples of moves"
    of_moves = True

    def on(self, graph: MoveGraph) -> Self:
        if self.known is not None and self.known[0] is graph:
            return self
        for rule in self.rules:
            if rule not in RULES:
                raise unknown("rule for triples of moves", rule, RULES)
        triples = tuple(sorted({tuple(sorted(triple)) for triple in self.triples}))
        for triple in triples:
            if len(set(triple)) != 3 or not 0 <= triple[0] <= triple[-1] < graph.m:
                raise KTError(f"{self.title}: not three different {graph.words.moves} of the graph")
        rows = [np.array(triples, dtype=np.int32).reshape(-1, 3), *(RULES[rule][0](graph) for rule in self.rules)]
        table = np.unique(np.sort(np.concatenate(rows), axis=1), axis=0)
        # On a narrow torus one move can be two of a pattern's moves: then they are not three.
        table = table[(np.diff(table, axis=1) > 0).all(axis=1)]
        if len(table) > MAX_TRIPLES:
            raise TooLarge(f"{self.title}: {len(table):,}, over the limit of {MAX_TRIPLES:,}")
        return type(self)(triples, tuple(sorted(set(self.rules))), (graph, table))

    @property
    def table(self) -> TripleArray:
        """All triples of edges, shape (t, 3)."""
        assert self.known is not None
        return self.known[1]

    def exclusions(self, graph: MoveGraph) -> Iterator[Exclusion]:
        for triple in self.table.tolist():
            yield Exclusion(tuple(triple))

    def fault(self, graph: MoveGraph, edges: IntArray, order: IntArray | None, closed: bool) -> str | None:
        chosen = np.zeros(graph.m, dtype=bool)
        chosen[edges] = True
        made = np.flatnonzero(chosen[self.table].all(axis=1))
        if not len(made):
            return None
        names = [graph.edge_name(e) for e in self.table[made[0]].tolist()]
        return f"the {graph.words.moves} {names[0]}, {names[1]} and {names[2]} are all made, which is forbidden"

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(e for triple in self.triples for e in triple)

    def names(self, graph: MoveGraph) -> list[str]:
        return [" ".join(map(graph.edge_name, triple)) for triple in self.triples]

    @property
    def size(self) -> int:
        return len(self.triples)

    @property
    def summary(self) -> tuple[str, str]:
        triples = [counted(len(self.triples), "triple")] if self.triples else []
        return "forbidden", " and ".join([*self.rules, *triples])

    def told(self, graph: MoveGraph, names: Sequence[str]) -> str:
        parts = [RULES[rule][1] for rule in self.rules]
        if self.triples:
            parts.append(f"never with all three of the {graph.words.moves} {', '.join(names)}")
        return " and ".join(parts)

    def content(self, graph: MoveGraph, closed: bool) -> Any:
        return [list(self.rules), list(map(list, self.triples))]

    def to_json(self, graph: MoveGraph) -> Any:
        triples = np.array(self.triples, dtype=np.int32).reshape(-1, 3)
        numbers = graph.numbers_of(triples) if isinstance(graph, SplitGraph) else triples
        return [*self.rules, *numbers.tolist()]

    @classmethod
    def from_json(cls, graph: MoveGraph, value: Any) -> Self:
        rows = value if isinstance(value, list) else [value]
        rules = tuple(row for row in rows if isinstance(row, str))
        triples = [row for row in rows if not isinstance(row, str)]
        right = all(are_integers(row, 0, graph.m - 1) and len(row) == 3 for row in triples)
        if not right or len(triples) > MAX_TRIPLES:
            raise KTError(f"{cls.name!r} is not a list of names of rules and of [edge, edge, edge]")
        if isinstance(graph, SplitGraph):
            triples = [graph.edges_numbered(row).tolist() for row in triples]
        return cls(tuple(map(tuple, triples)), rules)
