"""The kinds of graphs, undirected, directed and complete: read from JSON objects, and compared."""

from __future__ import annotations

from typing import Any

from kt_models.complete_graph import COMPLETE, CompleteGraph
from kt_models.directed import DirectedGraph, SplitGraph
from kt_models.errors import KTError
from kt_models.graph import MoveGraph, weights_from_json
from kt_models.shapes import MAX_CELLS

BOARD_KEYS, GRAPH_KEYS = ("cells", "shape", "wraps"), ("labels", "edge_weights", "positions", "unit", "precision")
"""Keys of boards only, and keys of graphs without a board only, besides those that identify them."""


def same_place(graph: MoveGraph, second: MoveGraph) -> bool:
    """Whether two graphs are equal but for a convention.

    Two may be split from equal directed graphs, one for cycles and one for paths. Two may be of one board, one with an
    edge for each move, and one with an edge for all moves between the same two cells.
    """
    sides = (side.directed if isinstance(side, SplitGraph) else side.multigraph for side in (graph, second))
    return next(sides) == next(sides)


def graph_from_json(data: dict[str, Any], most: int = MAX_CELLS) -> MoveGraph:
    """Read the graph of a JSON object: for a directed graph its split graph, for paths if the object has an open tour.

    `most` is as for `Board.parse`.

    Raises
    ------
    KTError
        If a key is missing or of the wrong type, or two contradict each other.
    """
    if data.get("directed") and "arcs" not in data:
        raise KTError("it is 'directed', and has no 'arcs', the key of a directed graph in place of 'edges'")
    kind, *others = ("graph", *BOARD_KEYS) if data.keys() & {"vertices", "arcs"} else ("board", *GRAPH_KEYS)
    if odd := next((key for key in others if key in data), None):
        raise KTError(f"it has {odd!r}, and it is a {kind}, which has no such key")
    if data.get("edges") == COMPLETE:
        return CompleteGraph.from_json(data)
    if "arcs" not in data:
        return MoveGraph.from_json(data, most)
    directed = DirectedGraph.from_json(data)
    graph = directed.split(open=data.get("connectivity") == "path" or data.get("closed") is False)
    from kt_models.positions import Positions  # Most graphs have none.

    graph = graph.having(positions=Positions.from_json(data, directed.n))
    if "edge_weights" in data:
        return graph.weighed(directed.arcs, weights_from_json(data["edge_weights"], directed.m))
    return graph
