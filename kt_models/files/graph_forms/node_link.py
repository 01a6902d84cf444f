"""Node-link JSON, as networkx, D3, rustworkx and graphology write it."""

from __future__ import annotations

from typing import Any

from kt_models.errors import KTError, excerpt
from kt_models.files.edge_lists import NUMBER, vertices_in_order
from kt_models.files.graph_forms.described import NAME_KEYS, DescribedGraph
from kt_models.files.points import coordinates_of
from kt_models.graph import MoveGraph


def is_node_link(data: Any) -> bool:
    """Whether a JSON object is a graph with `nodes`, and `links` or `edges` between them."""
    return isinstance(data, dict) and isinstance(data.get("nodes"), list) and any(k in data for k in ("links", "edges"))


def graph_of_node_link(data: dict[str, Any], name: str) -> MoveGraph:
    """The graph of node-link JSON: `nodes` with an `id`, `links` (or `edges`) with `source` and `target`.

    The attribute `weight` of all links is their weight, and `pos`, or `x` and `y`, of all nodes their position.
    Attributes may stand in an object of their own: `data`, as rustworkx writes them, with numbers as texts, or
    `attributes`, as graphology does, whose ids are called `key`.
    """
    nodes, links = data["nodes"], data.get("links", data.get("edges"))
    if "links" in data and "edges" in data:
        raise KTError("it has 'links' and 'edges', which are the same")
    if not isinstance(links, list) or not all(isinstance(row, dict) for row in (*nodes, *links)):
        raise KTError("'nodes' and 'links' are not lists of objects")
    described = DescribedGraph(_is_directed(data, links))
    for row in map(_with_attributes, nodes):
        names = {name: row.get(name) for name in NAME_KEYS if name != "id"}
        described.add_node(_plain(row.get("id", row.get("key"))), names, coordinates_of(row))
    described.nodes = {id: described.nodes[id] for id in vertices_in_order(described.nodes)}
    for row in map(_with_attributes, links):
        described.links.append((_plain(row.get("source")), _plain(row.get("target")), row.get("weight")))
    return described.graph(name)


def _is_directed(data: dict[str, Any], links: list[dict[str, Any]]) -> bool:
    """The value of `directed`; graphology has the type of the graph among its `options`, and mixed graphs too."""
    directed, options = data.get("directed", False), data.get("options")
    if type(directed) is not bool:
        raise KTError("'directed' is not true or false")
    if "directed" in data or not (isinstance(options, dict) and "type" in options):
        return directed
    kind = options["type"]
    if kind not in ("directed", "undirected", "mixed"):
        raise KTError(f"the type of the graph is {excerpt(kind)}, not directed, undirected or mixed")
    ways = {kind != "undirected" and row.get("undirected") is not True for row in links}
    if len(ways) > 1:
        raise KTError("some of its edges are directed and others are not: a graph is undirected or directed")
    return ways.pop() if ways else kind == "directed"


def _with_attributes(row: dict[str, Any]) -> dict[str, Any]:
    """A node or link, with the attributes that it has in an object of their own."""
    for key in ("data", "attributes"):
        if isinstance(more := row.get(key), dict):
            if twice := next(
                (attribute for attribute in more if attribute in row and attribute not in ("id", "key")), None
            ):
                raise KTError(f"it has {twice!r} and, in {key!r}, another one")
            numbers = {
                attribute: _number(more[attribute]) for attribute in ("weight", "x", "y", "z") if attribute in more
            }
            return {**more, **numbers, **row}
    return row


def _number(value: Any) -> Any:
    """A number that is written as a text."""
    if isinstance(value, str) and NUMBER.fullmatch(value):
        from decimal import Decimal  # Only such texts need it.

        return Decimal(value)
    return value


def _plain(value: Any) -> Any:
    """An id: a text or an integer, or a tuple for a list."""
    if isinstance(value, list):
        return tuple(map(_plain, value))
    if type(value) not in (int, str):
        raise KTError(f"the id {excerpt(value)} is neither a text nor an integer")
    return value
