"""`Condition`: what a tour has to keep besides degrees, connectivity, given moves and numbers, and bounds of sums.

A condition knows how a solution is checked, its words, its JSON value and its part of the digest; `encoders.conditions`
has its clauses. An engine, count or checker that does not know conditions refuses every problem that has some
(`Problem.is_constrained`, `require_unconstrained`), so a new condition is never ignored.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from kt_models.board import IntArray
from kt_models.directed import SplitGraph
from kt_models.graph import MoveGraph


class Condition(ABC):
    """A condition on the solutions of a problem.

    Attributes
    ----------
    name
        Its key in files, and the argument of `kt.problem`.
    title
        It in a few words, for refusals.
    of_moves
        Whether it depends on which of several moves between two cells is made.
    connectivities
        The connectivities of problems that can have it.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    of_moves: ClassVar[bool] = False
    connectivities: ClassVar[tuple[str, ...]] = (
        "cycle", "path", "linkage", "paths", "any", "subcycle", "subpath", "sublinkage",
    )  # fmt: skip

    @abstractmethod
    def on(self, graph: MoveGraph) -> Self:
        """The condition for the solutions of a graph, with what it takes from the graph.

        Raises
        ------
        KTError
            If it does not fit the graph.
        """

    @abstractmethod
    def fault(self, graph: MoveGraph, edges: IntArray, order: IntArray | None, closed: bool) -> str | None:
        """How a solution breaks the condition, in words; None if it keeps it.

        Parameters
        ----------
        edges
            The chosen edges.
        order
            For one tour, the vertices of the user's graph in the order of the visit; otherwise None.
        closed
            Whether the solution is one closed tour.
        """

    @abstractmethod
    def told(self, graph: MoveGraph, names: Sequence[str]) -> str:
        """The condition in the words of a claim, such as `through a1, b3, c2 in this order`.

        Parameters
        ----------
        names
            The names of what it lists, or one text that stands for too many of them.
        """

    @property
    @abstractmethod
    def numbers(self) -> tuple[int, ...]:
        """The kind of numbers that it lists: vertices as users number them, or edges."""

    @property
    def visited(self) -> tuple[int, ...]:
        """Vertices that it makes every solution visit, as users number them."""
        return ()

    @property
    def size(self) -> int:
        """How many things it lists."""
        return len(self.numbers)

    @property
    @abstractmethod
    def summary(self) -> tuple[str, str]:
        """A word or two, and how much there is of it: `in order`, `3 stops`."""

    def names(self, graph: MoveGraph) -> list[str]:
        """The names of what it lists."""
        return [name_in(graph, vertex) for vertex in self.numbers]

    @abstractmethod
    def content(self, graph: MoveGraph, closed: bool) -> Any:
        """Content for a digest, equal for equivalent conditions; positions, which graphs do not have there, too."""

    @abstractmethod
    def to_json(self, graph: MoveGraph) -> Any:
        """The value of its key."""

    @classmethod
    @abstractmethod
    def from_json(cls, graph: MoveGraph, value: Any) -> Self:
        """Read the value of its key.

        Raises
        ------
        KTError
            If it is of the wrong type.
        """


class Exclusion(NamedTuple):
    """Edges of which a solution does not have all, or not all while a path ends at a vertex."""

    edges: tuple[int, ...]
    end: int | None = None


class LocalCondition(Condition):
    """A condition that rules out some small sets of edges: each is one clause for any solver."""

    @abstractmethod
    def exclusions(self, graph: MoveGraph) -> Iterator[Exclusion]:
        """The pairs and triples of edges that no solution has."""


def counted(number: int, noun: str) -> str:
    """`1 stop`, `3 stops`."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def name_in(graph: MoveGraph, vertex: int) -> str:
    """The name of a vertex as users number it."""
    return graph.directed.name_of(vertex) if isinstance(graph, SplitGraph) else graph.name_of(vertex)


def edges_at(graph: MoveGraph, vertex: int) -> tuple[list[int], list[int]]:
    """The edges into and out of a vertex as users number it; without directions, twice the same."""
    if not isinstance(graph, SplitGraph):
        edges = graph.edges_of(vertex).tolist()
        return edges, edges
    arcs = graph.directed.arcs
    into, out = (np.flatnonzero(arcs[:, side] == vertex) + graph.first_arc for side in (1, 0))
    return into.tolist(), out.tolist()
