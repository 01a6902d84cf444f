"""How many closed tours a choice of moves makes, two at each cell, and whether they have equal lengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from kt_models.board import IntArray
from kt_models.conditions.condition import Condition, counted
from kt_models.directed import SplitGraph
from kt_models.errors import KTError
from kt_models.graph import MoveGraph, not_for_directed
from kt_models.json_values import is_integer
from kt_models.walks import walks_of

LEAST = 3
"""Fewest vertices of a cycle."""


@dataclass(frozen=True)
class Cycles(Condition):
    """The chosen edges make a number of cycles, each of at least three vertices.

    Parameters
    ----------
    count
        Number of cycles.
    equal
        Whether they have equal lengths.
    """

    count: int
    equal: bool = False

    name = "cycle_count"
    title = "a number of cycles"
    connectivities = ("any",)

    @property
    def numbers(self) -> tuple[int, ...]:
        return ()

    @property
    def summary(self) -> tuple[str, str]:
        return "in", f"{counted(self.count, 'cycle')}{' of equal length' if self.equal else ''}"

    def on(self, graph: MoveGraph) -> Self:
        if isinstance(graph, SplitGraph):
            not_for_directed(graph, "a number of cycles")
        if not 1 <= self.count <= max(1, graph.n // LEAST):
            many = f"{self.count:,} of at least {LEAST} {graph.words.places}"
            raise KTError(f"cycles: {many} do not fit into {graph.n:,}")
        return self

    def fault(self, graph: MoveGraph, edges: IntArray, order: IntArray | None, closed: bool) -> str | None:
        walks = walks_of(graph.n, graph.ends[edges], edges)
        lengths = sorted(len(walk.vertices) for walk in walks)
        if not all(walk.closed for walk in walks) or min(lengths, default=0) < LEAST:
            return f"the {graph.words.moves} do not make cycles of at least {LEAST} {graph.words.places}"
        if len(walks) != self.count:
            return f"the {graph.words.moves} make {counted(len(walks), 'cycle')}, not {self.count:,}"
        if self.equal and lengths[0] < lengths[-1]:
            return f"the cycles have from {lengths[0]:,} to {lengths[-1]:,} {graph.words.places}"
        return None

    def told(self, graph: MoveGraph, names: Sequence[str]) -> str:
        return f"that make {counted(self.count, 'cycle')}{' of equal length' if self.equal else ''}"

    def content(self, graph: MoveGraph, closed: bool) -> Any:
        return [self.count, self.equal]

    def to_json(self, graph: MoveGraph) -> Any:
        return {"count": self.count, "equal": self.equal}

    @classmethod
    def from_json(cls, graph: MoveGraph, value: Any) -> Self:
        if not isinstance(value, dict) or set(value) != {"count", "equal"} or not is_integer(value["count"]):
            raise KTError(f"{cls.name!r} is not an object with 'count' and 'equal'")
        if type(value["equal"]) is not bool:
            raise KTError(f"{cls.name!r}: 'equal' is not true or false")
        return cls(value["count"], value["equal"])
