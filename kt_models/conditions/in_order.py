"""Stops: vertices that a tour visits in a given order, in one of its two directions.

Between two stops a tour has a *segment*. A closed tour with k stops has k segments. An open one also has a segment
before its first stop and one after its last, which are empty if it begins and ends there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from kt_models.board import IntArray
from kt_models.conditions.condition import Condition, counted, name_in
from kt_models.errors import KTError
from kt_models.graph import MoveGraph
from kt_models.json_values import are_integers

MAX_STOPS = 2500
"""Most stops of a problem."""


def require_stops(stops: Sequence[int], count: int) -> None:
    """Refuse stops that are not different vertices of a graph with `count` vertices.

    Raises
    ------
    KTError
        If one is no vertex, or is given twice; or if there are too many.
    """
    if len(stops) > MAX_STOPS:
        raise KTError(f"in order: {len(stops):,} stops, over the limit of {MAX_STOPS:,}")
    if any(not 0 <= stop < count for stop in stops):
        raise KTError("in order: a stop is not a vertex of the graph")
    if len(set(stops)) < len(stops):
        raise KTError("in order: a stop is given twice")


def order_fault(
    stops: Sequence[int],
    order: npt.NDArray[np.integer],
    closed: bool,
    directed: bool,
    name: Callable[[int], str] = str,
) -> str | None:
    """The conflict of a tour with the order of its stops; `None` if it visits them in this order.

    Parameters
    ----------
    order
        The vertices in the order of the visit, among them all stops.
    directed
        Whether the tour has only one direction.
    name
        Makes the name of a vertex.
    """
    place = np.empty(int(order.max(initial=0)) + 1, dtype=np.int64)
    place[order] = np.arange(len(order))
    at = place[list(stops)]
    for way in (at,) if directed else (at, -at):
        steps = (way - way[0]) % len(order) if closed else way
        if bool((np.diff(steps) > 0).all()):
            return None
    met = [stops[k] for k in np.argsort(at).tolist()]
    return f"{', '.join(map(name, met))} are visited in this order, not {', '.join(map(name, stops))}"


def is_order_free(stops: Sequence[int], closed: bool, directed: bool) -> bool:
    """Whether every tour visits so few stops in their order: a closed one three, and two if it has one direction."""
    return len(stops) <= (2 if directed else 3) if closed else len(stops) <= (1 if directed else 2)


@dataclass(frozen=True)
class InOrder(Condition):
    """Stops: vertices that a tour visits in this order, in one of its two directions; along the arcs if it has one."""

    stops: tuple[int, ...]

    name = "in_order"
    title = "stops in order"
    connectivities = ("cycle", "path", "subcycle", "subpath")

    @property
    def numbers(self) -> tuple[int, ...]:
        return self.stops

    @property
    def visited(self) -> tuple[int, ...]:
        return self.stops

    @property
    def summary(self) -> tuple[str, str]:
        return "in order", counted(len(self.stops), "stop")

    def on(self, graph: MoveGraph) -> Self:
        require_stops(self.stops, graph.vertex_count)
        return self

    def fault(self, graph: MoveGraph, edges: IntArray, order: IntArray | None, closed: bool) -> str | None:
        assert order is not None
        return order_fault(self.stops, order, closed, graph.directed is not None, lambda v: name_in(graph, v))

    def told(self, graph: MoveGraph, names: Sequence[str]) -> str:
        return f"through {', '.join(names)} in this order"

    def content(self, graph: MoveGraph, closed: bool) -> Any:
        # The stops from the first one or the last, or around from any: one list for each condition.
        stops = list(self.stops)
        ways = [stops] if graph.directed is not None else [stops, stops[::-1]]
        return min(way[k:] + way[:k] for way in ways for k in (range(len(way)) if closed else [0]))

    def to_json(self, graph: MoveGraph) -> Any:
        return list(self.stops)

    @classmethod
    def from_json(cls, graph: MoveGraph, value: Any) -> Self:
        if not are_integers(value):
            raise KTError(f"{cls.name!r} is not a list of integers")
        return cls(tuple(value))
