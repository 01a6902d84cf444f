"""Graphs in JSON files of kt, read and written; node-link JSON of networkx is read, too."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from kt_models.conditions import CONDITIONS
from kt_models.decimals import scaled
from kt_models.directed import SplitGraph
from kt_models.errors import KTError, excerpt, row_named, saying, unknown
from kt_models.fields import FIELDS, PLACE_KEYS
from kt_models.files.graph_forms.node_link import graph_of_node_link, is_node_link
from kt_models.files.graph_forms.unread import unread_json
from kt_models.graph import MoveGraph
from kt_models.graph_kinds import graph_from_json
from kt_models.json_values import are_integers
from kt_models.json_version import FORMAT_VERSION, read_document
from kt_models.storage import parse_json

RULE = (
    "JSON: the keys 'board' and 'leaper', or 'vertices' and 'edges' (of a directed graph 'arcs'), and "
    "'labels' and 'required' if need be; or 'nodes' and 'links', as networkx has them"
)
"""The rule that errors quote."""


def read_json_graph(text: str, name: str) -> MoveGraph:
    """The graph or board of a JSON text."""
    data = parse_json(text)
    if words := unread_json(data):
        raise KTError(words)
    with saying(RULE):
        return graph_of_node_link(data, name) if is_node_link(data) else _graph_of_json(data)


def graph_of_json(data: Any) -> MoveGraph:
    """The graph or board of a JSON object; its required edges are fixed, and its edges may have weights.

    Raises
    ------
    KTError
        If the data are neither, or have conditions that a graph cannot have; the message says what can be read.
    """
    with saying(RULE):
        return _graph_of_json(data)


PROBLEM_ONLY = (
    "forbidden", "optional", "terminals", "start", "end", "symmetry", "constraints", "numbers", "line_sums",
    "tour_shape", *CONDITIONS,
)  # fmt: skip
"""Keys of a problem that no board or graph has."""
GRAPH_KEYS = (*PLACE_KEYS, "required", "weights")
"""Keys of a board or graph."""
JSON_KEYS = {
    "graph": GRAPH_KEYS,
    **{kind: (*FIELDS[kind].keys, "required", "weights") for kind in ("tour", "result", "longest-walk")},
}
"""Keys that an object of each kind may have when its board or graph is read."""
_SYNONYMS = {
    "directed": "arcs", "links": "edges", "n": "vertices", "nodes": "vertices", "names": "labels", "fixed": "required",
    "fixed_edges": "required", "holes": "cells", "mask": "cells", "piece": "leaper",
}  # fmt: skip


def _graph_of_json(data: Any) -> MoveGraph:
    if not isinstance(data, dict):
        raise KTError("not a JSON object")
    if "version" in data:  # Written by kt; by hand it needs none
        data = read_document(data, "graph")
    _require_keys(data)
    graph = graph_from_json(data)
    required = data.get("required", [])
    if not are_integers(required, 0, graph.m - 1):
        raise KTError("'required' is not a list of edge numbers")
    edges = graph.conditions_from_json(data)[0] if isinstance(graph, SplitGraph) else required
    graph = graph.having(fixed=frozenset(edges))
    if data.get("weights", []) != []:
        graph = _with_weights(graph, data["weights"])
    return graph


def _with_weights(graph: MoveGraph, rows: Any) -> MoveGraph:
    """The graph with the weights of an objective, if these are weights of its edges alone."""
    rows = rows.tolist() if isinstance(rows, np.ndarray) else rows
    count = graph.directed.m if isinstance(graph, SplitGraph) else graph.m
    if not isinstance(rows, list) or not all(isinstance(row, list) and len(row) == 3 for row in rows):
        raise KTError("'weights' is not a list of [edge, edge, weight]")
    edges = [row[0] for row in rows]
    # Pairs of different edges would be an objective, not weights of the graph
    if edges != [row[1] for row in rows] or not are_integers(edges, 0, count - 1) or len({*edges}) < len(edges):
        raise KTError("'weights' is not a list of [edge, edge, weight], one for each edge")
    weights, decimals = scaled([row[2] for row in rows], lambda row: f"'weights': the weight of edge {edges[row]}")
    row = np.zeros(graph.m, dtype=np.int64)
    row[[edge + graph.m - count for edge in edges]] = weights
    if graph.weights is None:
        return graph.having(weights=row, decimals=decimals)
    if decimals != graph.decimals or (graph.weights != row).any():
        raise KTError("'weights' and 'edge_weights' do not agree")
    return graph


def _require_keys(data: dict[str, Any]) -> None:
    """Refuse a key that would be ignored: an unknown one, or a condition."""
    for key in PROBLEM_ONLY:
        if data.get(key) not in (None, [], ()):
            raise KTError(f"it has {key!r}, and a board or graph has no such condition")
    known = row_named(data.get("kind", "result" if "tour" in data else "graph"), JSON_KEYS, "kind")
    if "connectivity" not in known and data.get("connectivity", "cycle") != "cycle":
        raise KTError(
            f"it has 'connectivity' {excerpt(data['connectivity'])}, and a board or graph has no such condition"
        )
    for key in data:
        if key not in (*known, *PROBLEM_ONLY, "connectivity"):
            raise unknown("key", key, GRAPH_KEYS, _SYNONYMS)
    if known is GRAPH_KEYS and "leaper" in data and ("vertices" in data or "arcs" in data):
        raise KTError("it has 'leaper', a key of boards, and 'vertices' or 'arcs', keys of graphs")


def graph_to_json(graph: MoveGraph) -> str:
    """JSON text of a graph."""
    if isinstance(graph, SplitGraph):
        fixed = graph.conditions_to_json(graph.fixed, frozenset())
    else:
        fixed = {"required": sorted(graph.fixed)} if graph.fixed else {}
    data = {"version": FORMAT_VERSION, "kind": "graph", **graph.to_json(), **fixed}
    if graph.weights is not None and "edge_weights" not in data:
        data["weights"] = [[edge, edge, weight] for edge, weight in enumerate(graph.weights.tolist())]
    return json.dumps(data) + "\n"
