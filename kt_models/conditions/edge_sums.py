"""How many of some edges a solution chooses, such as those around a face in Slitherlink."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from kt_models.board import IntArray
from kt_models.conditions.condition import Condition, counted
from kt_models.directed import SplitGraph
from kt_models.errors import KTError, TooLarge
from kt_models.graph import MoveGraph
from kt_models.json_values import are_integers, is_integer

MAX_SUMS = 100_000
"""Most sums of a problem."""


class EdgeSum(NamedTuple):
    """At least `least` and at most `most` of some edges are chosen."""

    edges: tuple[int, ...]
    least: int
    most: int

    @property
    def words(self) -> str:
        """The bounds: `2`, `0 to 1`."""
        return f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"


@dataclass(frozen=True)
class EdgeSums(Condition):
    """How many edges of some sets are chosen.

    Parameters
    ----------
    sums
        The sets and their bounds.
    """

    sums: tuple[EdgeSum, ...]

    name = "sum_of_edges"
    title = "sums of edges"
    of_moves = True

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(x for edges, least, most in self.sums for x in (least, most, len(edges), *edges))

    @property
    def size(self) -> int:
        return sum(len(edges) for edges, *_ in self.sums)

    @property
    def summary(self) -> tuple[str, str]:
        return "edges", counted(len(self.sums), "sum")

    def on(self, graph: MoveGraph) -> Self:
        if len(self.sums) > MAX_SUMS:
            raise TooLarge(f"{self.title}: {len(self.sums):,}, over the limit of {MAX_SUMS:,}")
        sums = sorted({EdgeSum(tuple(sorted(set(edges))), least, most) for edges, least, most in self.sums})
        for edges, least, most in sums:
            if not edges or not 0 <= edges[0] <= edges[-1] < graph.m:
                raise KTError(f"{self.title}: no {graph.words.moves} of the graph")
            if not 0 <= least <= most or least > len(edges):
                raise KTError(f"{self.title}: from {least} to {most} of {len(edges)} {graph.words.moves} is impossible")
        return type(self)(tuple(sums))

    def fault(self, graph: MoveGraph, edges: IntArray, order: IntArray | None, closed: bool) -> str | None:
        chosen = np.zeros(graph.m, dtype=bool)
        chosen[edges] = True
        for part in self.sums:
            count = int(chosen[list(part.edges)].sum())
            if not part.least <= count <= part.most:
                names = " ".join(map(graph.edge_name, part.edges[:8])) + (" ..." if len(part.edges) > 8 else "")
                return f"{count} of the {graph.words.moves} {names} are made, not {part.words}"
        return None

    def names(self, graph: MoveGraph) -> list[str]:
        moves = graph.words.moves
        return [f"{part.words} of the {moves} {' '.join(map(graph.edge_name, part.edges))}" for part in self.sums]

    def told(self, graph: MoveGraph, names: Sequence[str]) -> str:
        return f"with {'' if names[0][:1].isdigit() else 'sums '}{' and '.join(names)}"

    def content(self, graph: MoveGraph, closed: bool) -> Any:
        return [[list(edges), least, most] for edges, least, most in self.sums]

    def to_json(self, graph: MoveGraph) -> Any:
        def named(edges: tuple[int, ...]) -> list[int]:
            return graph.numbers_of(edges).tolist() if isinstance(graph, SplitGraph) else list(edges)

        return [[named(edges), least, most] for edges, least, most in self.sums]

    @classmethod
    def from_json(cls, graph: MoveGraph, value: Any) -> Self:
        rows: list[Any] = value if isinstance(value, list) else [None]
        right = len(rows) <= MAX_SUMS and all(
            isinstance(row, list) and len(row) == 3 and are_integers(row[0], 0, graph.m - 1) and row[0]
            and is_integer(row[1]) and is_integer(row[2])
            for row in rows
        )  # fmt: skip
        if not right:
            raise KTError(f"{cls.name!r} is not a list of [edges, least, most]")
        split = graph if isinstance(graph, SplitGraph) else None
        named = [row[0] if split is None else split.edges_numbered(row[0]).tolist() for row in rows]
        return cls(tuple(EdgeSum(tuple(edges), row[1], row[2]) for edges, row in zip(named, rows, strict=True)))
