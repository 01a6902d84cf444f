"""Graphs in files: TSPLIB `.hcp`, DIMACS edges, edge lists and JSON, in and out."""

from __future__ import annotations

import json
import os
import re
from typing import Any

import numpy as np

from kt_models.board import Board, integer_rows, is_path
from kt_models.cells import labels_from_comments, labels_to_comments
from kt_models.directed import SplitGraph, graph_from_json, require_undirected
from kt_models.errors import KTError, about, excerpt, row_named, saying, unknown
from kt_models.files.edge_lists import graph_to_edge_list, parse_edge_list
from kt_models.files.endings import ending_of
from kt_models.format import FORMAT_VERSION, read_document
from kt_models.graph import MoveGraph
from kt_models.leaper import KNIGHT, Leaper
from kt_models.reading import are_integers
from kt_models.storage import lines_of, read_json, read_text

FORMS = {
    ".hcp": "TSPLIB: TYPE (HCP, TSP, HCP_DIRECTED, ATSP), DIMENSION, EDGE_DATA_SECTION (EDGE_LIST or ADJ_LIST), "
    "EDGE_WEIGHT_SECTION or NODE_COORD_SECTION, and FIXED_EDGES_SECTION, vertices from 1",
    ".col": "DIMACS: lines 'c ...', 'p edge N M' and 'e U V', vertices from 1",
    ".edges": "a list of edges: lines 'U V' or 'U,V', with a third column for weights; comments begin with # or %",
    ".json": "JSON: the keys 'board' and 'leaper', or 'vertices' and 'edges' (of a directed graph 'arcs'), and "
    "'labels' and 'required' if need be",
}
"""What is read as a graph, by the ending of a file."""
DIMACS, TSPLIB = (".col", ".edge", ".dimacs"), (".hcp", ".tsp", ".atsp")
FORMS |= dict.fromkeys(DIMACS, FORMS[".col"]) | dict.fromkeys(TSPLIB, FORMS[".hcp"])
_DIMACS_PROBLEM = re.compile(r"^\s*p\s+(edge|col|edges)\s", re.MULTILINE)


def graph_of(text: str, leaper: Leaper | None = None) -> MoveGraph:
    """The graph that a command line's BOARD means: a board's text, or a `.hcp`, DIMACS edge or JSON file.

    Raises
    ------
    KTError
        If the text is neither, or a graph that has moves of its own is to be one of another piece.
    """
    return with_moves(read_graph(text) if is_path(text) else Board.parse(text), leaper)


def with_moves(place: Board | MoveGraph, leaper: Leaper | None) -> MoveGraph:
    """The graph of a board and a piece, by default the knight; a graph has its moves, and is only of its own piece."""
    if isinstance(place, Board):
        return MoveGraph.of(place, leaper or KNIGHT)
    if leaper is not None and leaper != place.leaper:
        own = f"those of the leaper {place.leaper}" if place.leaper else "the edges it was given with"
        raise KTError(f"leaper {leaper}: the moves of {place.name} are {own}")
    return place


def read_graph(path: str | os.PathLike[str]) -> MoveGraph:
    """Read a graph from a TSPLIB `.hcp`, DIMACS edge (`.col`, `.edge`, `.dimacs`), edge list (`.edges`) or JSON file.

    Raises
    ------
    KTError
        If the file cannot be read as one; the message names the file, and says what could be read.
    """
    suffix = ending_of(path)
    name = os.path.basename(str(path))
    with about(path):
        if suffix == ".json":
            return graph_of_json(read_json(path))
        return parse_graph(read_text(path), suffix, name)


def parse_graph(text: str, suffix: str, name: str) -> MoveGraph:
    """The graph of a TSPLIB, DIMACS or edge list text, as the ending of its file says."""
    if suffix == ".edges" and _DIMACS_PROBLEM.search(text):
        suffix = ".col"
    if suffix not in FORMS:
        raise KTError(
            "it is no graph: read are TSPLIB (with EDGE_DATA_SECTION or weights), DIMACS ('p edge N M'), a list of "
            "edges (lines '1 2'; with names only in a file .edges), and JSON ('board', or 'vertices' and 'edges')"
        )
    with saying(FORMS[suffix]):
        if suffix in TSPLIB:
            from kt_models.files.tsplib import parse_hcp

            return parse_hcp(text, name)
        return parse_edge_list(text, name) if suffix == ".edges" else _parse_dimacs(text, name)


def graph_of_json(data: Any) -> MoveGraph:
    """The graph or board of a JSON object; what it says is required is fixed, and its edges may have weights.

    Raises
    ------
    KTError
        If it is neither, or has other conditions, which a graph does not have; the message says what could be read.
    """
    with saying(FORMS[".json"]):
        return _graph_of_json(data)


CONDITIONS = ("forbidden", "terminals", "start", "end", "symmetry")
"""Keys of a problem that no board or graph has."""
GRAPH_KEYS = (
    "version", "kind", "board", "leaper", "cells", "shape", "wraps", "vertices", "edges", "arcs", "edge_weights",
    "labels", "required", "weights",
)  # fmt: skip
"""Keys of a board or graph."""
_TOUR_KEYS = (*GRAPH_KEYS, "tour", "closed", "turns", "crossings", "weight", "moves")
JSON_KEYS = {
    "graph": GRAPH_KEYS,
    "tour": _TOUR_KEYS,
    "result": (
        *_TOUR_KEYS, *CONDITIONS, "status", "value", "bound", "connectivity", "objective", "paths", "cycles", "chosen",
        "engine", "seconds", "how", "claims", "reason", "warm_start", "statistics", "certificate",
        "proof", "method", "tried", "sums", "structure",  # which commands print besides
    ),
    "longest-walk": (
        *GRAPH_KEYS, "closed", "uncrossed", "status", "moves", "walk", "chosen", "bound", "reason", "seconds",
    ),
}  # fmt: skip
"""By kind: the keys that an object may have whose board or graph is read."""
_SYNONYMS = {
    "directed": "arcs", "links": "edges", "n": "vertices", "nodes": "vertices", "names": "labels", "fixed": "required",
    "fixed_edges": "required", "holes": "cells", "mask": "cells", "piece": "leaper",
}  # fmt: skip


def _graph_of_json(data: Any) -> MoveGraph:
    if not isinstance(data, dict):
        raise KTError("not a JSON object")
    if "version" in data:  # written by kt; by hand it needs none
        data = read_document(data, "graph")
    _require_keys(data)
    graph = graph_from_json(data)
    required = data.get("required", [])
    if not are_integers(required, 0, graph.m - 1):
        raise KTError("'required' is not a list of edge numbers")
    edges = graph.conditions_from_json(data)[0] if isinstance(graph, SplitGraph) else required
    graph = graph.having(fixed=frozenset(edges))
    if data.get("weights", []) != []:
        rows = integer_rows(data["weights"], "weights")
        if rows.shape != (graph.m, 3) or (rows[:, :2] != np.arange(graph.m)[:, None]).any():
            raise KTError("'weights' is not one [edge, edge, weight] for each edge, in their order")
        if graph.weights is not None and (graph.weights != rows[:, 2]).any():
            raise KTError("'weights' and 'edge_weights' do not agree")
        graph = graph.having(weights=rows[:, 2])
    return graph


def _require_keys(data: dict[str, Any]) -> None:
    """Refuse a key that would not be read: an unknown one, or a condition."""
    for key in CONDITIONS:
        if data.get(key) not in (None, [], ()):
            raise KTError(f"it has {key!r}, and a board or graph has no such condition")
    known = row_named(data.get("kind", "result" if "tour" in data else "graph"), JSON_KEYS, "kind")
    if "connectivity" not in known and data.get("connectivity", "cycle") != "cycle":
        raise KTError(
            f"it has 'connectivity' {excerpt(data['connectivity'])}, and a board or graph has no such condition"
        )
    for key in data:
        if key not in (*known, *CONDITIONS, "connectivity"):
            raise unknown("key", key, GRAPH_KEYS, _SYNONYMS)
    if known is GRAPH_KEYS and "leaper" in data and ("vertices" in data or "arcs" in data):
        raise KTError("it has 'leaper', which a board has, and 'vertices' or 'arcs', which a graph has")


def _parse_dimacs(text: str, name: str) -> MoveGraph:
    n, declared, pairs, comments = 0, 0, [], []
    for line_number, line in enumerate(lines_of(text), start=1):
        words = line.split()
        if not words or words[0] == "c":
            comments.append(line.strip()[1:])
        elif (
            words[0] == "p"
            and len(words) == 4
            and words[1] in ("edge", "col", "edges")
            and words[2].isdecimal()
            and words[3].isdecimal()
            and max(map(len, words)) < 20
            and not n
        ):
            n, declared = int(words[2]), int(words[3])
        elif words[0] == "e" and len(words) == 3:
            pairs += words[1:]
        else:
            raise KTError(f"line {line_number} is not a DIMACS line")
    if not n:
        raise KTError("there is no line 'p edge N M' with at least one vertex")
    if word := next((word for word in pairs if not re.fullmatch(r"[0-9]{1,15}", word)), None):
        raise KTError(f"{word[:20]!r} is not a vertex number")
    graph = MoveGraph.from_edges(n, np.array(pairs, dtype=np.int64).reshape(-1, 2) - 1, name, range(1, n + 1))
    graph = graph.having(labels=labels_from_comments(comments, n))
    if declared not in (len(pairs) // 2, graph.m):  # some files list each edge from both ends, and count it once
        kind = "truncated: " if len(pairs) // 2 < declared else ""
        raise KTError(f"{kind}{declared} edges are declared, {len(pairs) // 2} are there")
    return graph


def graph_to_dimacs(graph: MoveGraph) -> str:
    """DIMACS edge text of a graph; vertices count from 1, and comments have their names."""
    from kt_models.files.tsplib import require_unweighted

    require_undirected(graph, "a DIMACS file")
    if graph.fixed:
        raise KTError("a DIMACS file cannot say which edges are fixed; .hcp and .json files can")
    require_unweighted(graph)
    head = f"c kt {graph.name}" + (f" leaper={graph.leaper}" if graph.leaper else "")
    names = "".join(f"c {line}\n" for line in labels_to_comments(graph.labels))
    edges = "".join(f"e {u + 1} {v + 1}\n" for u, v in graph.ends.tolist())
    return f"{head}\n{names}p edge {graph.n} {graph.m}\n{edges}"


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


def _graph_to_hcp(graph: MoveGraph) -> str:
    from kt_models.files.tsplib import graph_to_hcp

    return graph_to_hcp(graph)


WRITERS = {
    ".hcp": _graph_to_hcp,
    ".col": graph_to_dimacs,
    ".dimacs": graph_to_dimacs,
    ".edges": graph_to_edge_list,
    ".json": graph_to_json,
}
"""How a graph is written, by the ending of a file."""
