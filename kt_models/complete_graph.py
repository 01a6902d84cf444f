"""`CompleteGraph`: a graph of many points all of whose pairs are edges, none of which is listed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NoReturn

import numpy as np
import numpy.typing as npt

from kt_models.board import is_board
from kt_models.errors import KTError, TooLarge
from kt_models.graph import EDGE_KEYS, MoveGraph
from kt_models.json_values import is_integer
from kt_models.labels import labels_from_json, labels_to_json

MAX_POINTS = 1_000_000
"""Most points."""
COMPLETE = "complete"
"""The word for the edges in JSON files."""


class CompleteGraph(MoveGraph):
    """The complete graph on many vertices. Edges have numbers as in a list of all pairs in ascending order.

    Whatever needs the list of all edges raises `TooLarge`. Tours are verified and measured by their own edges alone.
    """

    is_implicit: ClassVar[bool] = True
    edge_type: ClassVar[type[np.integer[Any]]] = np.int64

    def __init__(self, n: int, name: str = "points", labels: Sequence[Any] | None = None) -> None:
        if n > MAX_POINTS:
            raise TooLarge(f"graph {name}: {n:,} points; at most {MAX_POINTS:,} are read")
        super().__init__(None, n=n, name=name, labels=labels)

    @property
    def m(self) -> int:
        """Number of edges."""
        return self.n * (self.n - 1) // 2

    @property
    def _ends(self) -> NoReturn:
        raise TooLarge(
            f"{self.name}: all pairs of its {self.n:,} points are edges, too many to list; kt find and kt solve with "
            "--minimize length make a tour; else take fewer edges: --edges delaunay, nearest:8 or within:R"
        )

    def edges_joining(self, u: npt.NDArray[np.integer[Any]], v: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.int64]:
        """Numbers of the edges between vertices, pair by pair; -1 where both are one vertex."""
        low, high = np.minimum(u, v).astype(np.int64), np.maximum(u, v).astype(np.int64)
        return np.where(low == high, -1, low * (2 * self.n - low - 1) // 2 + high - low - 1)

    def edges_between(self, u: int, v: int) -> list[int]:
        """The edge that joins two vertices, as a list; an empty one for one vertex."""
        return [edge for edge in self.edges_joining(np.array([u]), np.array([v])).tolist() if edge >= 0]

    def ends_of(self, edges: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Ends of edges with given numbers, the smaller first, shape (k, 2)."""
        numbers = np.asarray(edges, dtype=np.int64)
        if not len(numbers):
            return np.zeros((0, 2), dtype=np.int64)
        if not 0 <= numbers.min() <= numbers.max() < self.m:
            raise KTError(f"edges must be numbers from 0 to {self.m - 1:,}")
        twice = 2 * self.n - 1
        low = ((twice - np.sqrt(float(twice) ** 2 - 8.0 * numbers)) / 2).astype(np.int64)
        # The root is rounded, and may be off by one.
        low -= low * (twice - low) // 2 > numbers
        low += (low + 1) * (twice - low - 1) // 2 <= numbers
        return np.stack([low, numbers - low * (twice - low) // 2 + low + 1], axis=1)

    def part(self, edges: npt.ArrayLike) -> MoveGraph:
        """The graph of all vertices, with their names and positions, and some of the edges."""
        made = MoveGraph.from_edges(self.n, self.ends_of(edges), self.name, self.labels)
        return made.having(positions=self.positions, unplaced=self.unplaced, unweighted=self.unweighted)

    def edge_name(self, edge: int) -> str:
        """An edge in the notation of the command line, `3-7`."""
        u, v = self.ends_of([edge])[0].tolist()
        return f"{self.name_of(u)}-{self.name_of(v)}"

    def to_json(self) -> dict[str, Any]:
        """The keys of other graphs, with the word `complete` for the edges."""
        data: dict[str, Any] = {"board": self.name, "vertices": self.n, "edges": COMPLETE}
        if self.labels is not None:
            data["labels"] = labels_to_json(self.labels)
        return data if self.positions is None else data | self.positions.to_json()

    @classmethod
    def from_json(cls, data: dict[str, Any], most: int = MAX_POINTS) -> CompleteGraph:
        """Read the graph of a JSON object that `to_json` wrote, with at most `most` points.

        Raises
        ------
        KTError
            If a key is missing or of the wrong type.
        """
        from kt_models.positions import Positions  # Most graphs have none.

        n, name = data.get("vertices"), data.get("board", "points")
        if not is_integer(n) or n < 1 or not isinstance(name, str) or not name.isprintable():
            raise KTError("'vertices' or 'board' is missing or has the wrong type")
        if any(data.get(key) for key in (*EDGE_KEYS, "edge_weights")):
            raise KTError("'edges' is 'complete', and other keys have numbers of edges")
        labels = labels_from_json(data["labels"], n) if "labels" in data else None
        return cls(n, "points" if is_board(name) else name, labels).having(positions=Positions.from_json(data, n))

    def __repr__(self) -> str:
        return f"CompleteGraph({self.name!r}, n={self.n})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MoveGraph):
            return NotImplemented
        return isinstance(other, CompleteGraph) and self.n == other.n

    def __hash__(self) -> int:
        return hash((COMPLETE, self.n))
