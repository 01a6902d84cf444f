"""Node-link JSON, as networkx and D3 write it."""

from __future__ import annotations

from typing import Any

from kt_models.errors import KTError, excerpt
from kt_models.files.edge_lists import vertices_in_order
from kt_models.files.graph_forms.described import NAME_KEYS, DescribedGraph
from kt_models.files.points import coordinates_of
from kt_models.graph import MoveGraph


def is_node_link(data: Any) -> bool:
    """Whether a JSON object is a graph with `nodes`, and `links` or `edges` between them."""
    return isinstance(data, dict) and isinstance(data.get("nodes"), list) and any(k in data for k in ("links", "edges"))


def graph_of_node_link(data: dict[str, Any], name: str) -> MoveGraph:
    """The graph of node-link JSON: `nodes` with an `id`, `links` (or `edges`) with `source` and `target`.

    The attribute `weight` of all links is their weight, and `pos`, or `x` and `y`, of all nodes their position.
    """
    nodes, links = data["nodes"], data.get("links", data.get("edges"))
    if "links" in data and "edges" in data:
        raise KTError("it has 'links' and 'edges', which are the same")
    if not isinstance(links, list) or not all(isinstance(row, dict) for row in (*nodes, *links)):
        raise KTError("'nodes' and 'links' are not lists of objects")
    directed = data.get("directed", False)
    if type(directed) is not bool:
        raise KTError("'directed' is not true or false")
    described = DescribedGraph(directed)
    for row in nodes:
        names = {name: row.get(name) for name in NAME_KEYS if name != "id"}
        described.add_node(_plain(row.get("id")), names, coordinates_of(row))
    described.nodes = {id: described.nodes[id] for id in vertices_in_order(described.nodes)}
    described.links = [(_plain(row.get("source")), _plain(row.get("target")), row.get("weight")) for row in links]
    return described.graph(name)


def _plain(value: Any) -> Any:
    """An id: a text or an integer, or a tuple for a list."""
    if isinstance(value, list):
        return tuple(map(_plain, value))
    if type(value) not in (int, str):
        raise KTError(f"the id {excerpt(value)} is neither a text nor an integer")
    return value
