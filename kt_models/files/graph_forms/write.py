"""Writers of graphs for other programs, by the suffix of a file.

What a form cannot express is refused: directed graphs, weights, fixed edges, parallel edges. Only names are left out,
if a form has only numbers (`NUMBERED`); a vertex is then its number in kt's order.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_models.directed import SplitGraph
from kt_models.errors import KTError, TooLarge
from kt_models.file_kinds import MARKS
from kt_models.files.edge_lists import graph_to_edge_list, no_name
from kt_models.files.graph_forms.codes import code_of, digraph6_of, sparse6_of
from kt_models.files.graph_forms.dimacs import graph_to_dimacs
from kt_models.files.graph_forms.documents import graph_to_json
from kt_models.files.graph_forms.dot import graph_to_dot
from kt_models.files.graph_forms.matrix import graph_to_matrix
from kt_models.files.graph_forms.tsplib import graph_to_hcp, require_unweighted
from kt_models.files.graphs import read_graph
from kt_models.graph import MoveGraph, require_undirected
from kt_models.labels import label_names

if TYPE_CHECKING:
    import networkx


def _require_plain(graph: MoveGraph, kind: str) -> None:
    """Refuse fixed edges, which only TSPLIB and JSON support."""
    if graph.fixed:
        raise KTError(f"{kind} cannot say which edges are fixed; .hcp and .json files can")


def _require_simple(graph: MoveGraph, kind: str) -> None:
    """Refuse parallel edges, as moves on a torus may be."""
    if graph.board is not None and len(np.unique(np.sort(graph.ends, axis=1), axis=0)) < graph.m:
        raise KTError(f"two moves join the same two cells, and {kind} has no place for that; .s6 and .dot files have")


def _names(graph: MoveGraph) -> list[str]:
    if graph.board is not None:
        return [graph.name_of(vertex) for vertex in range(graph.n)]
    return [str(v) for v in range(graph.vertex_count)] if graph.labels is None else label_names(graph.labels)


def _as_networkx(graph: MoveGraph, kind: str) -> networkx.Graph:
    """The networkx graph with names as nodes, with edge weights, and positions as `x`, `y` and `z`; nothing else."""
    import networkx

    _require_plain(graph, kind)
    _require_simple(graph, kind)
    split = isinstance(graph, SplitGraph)
    ends: Any = graph.directed.arcs if isinstance(graph, SplitGraph) else graph.ends
    weights = None if graph.weights is None else graph.weights_in_unit()
    made: networkx.Graph = networkx.DiGraph() if split else networkx.Graph()
    names = _names(graph)
    made.add_nodes_from(zip(names, _coordinates(graph), strict=True))
    for place, (u, v) in enumerate(ends.tolist()):
        made.add_edge(names[u], names[v], **({} if weights is None else {"weight": weights[place]}))
    return made


def _coordinates(graph: MoveGraph) -> list[dict[str, float]]:
    """The coordinates of each vertex by axis; empty without positions."""
    if graph.positions is None:
        return [{} for _ in range(graph.vertex_count)]
    return [dict(zip("xyz", point, strict=False)) for point in graph.positions.floats.tolist()]


def graph_to_graph6(graph: MoveGraph) -> str:
    """A line of graph6."""
    require_undirected(graph, "graph6")
    _require_plain(graph, "graph6")
    require_unweighted(graph)
    _require_simple(graph, "graph6")
    ends = np.sort(graph.ends.astype(np.int64), axis=1)
    bits = np.zeros(graph.n * (graph.n - 1) // 2, dtype=np.bool_)
    bits[ends[:, 1] * (ends[:, 1] - 1) // 2 + ends[:, 0]] = True
    return code_of(graph.n, bits) + "\n"


def graph_to_sparse6(graph: MoveGraph) -> str:
    """A line of sparse6, which has parallel edges too."""
    require_undirected(graph, "sparse6")
    _require_plain(graph, "sparse6")
    require_unweighted(graph)
    return sparse6_of(graph.n, graph.ends.astype(np.int64)) + "\n"


def graph_to_digraph6(graph: MoveGraph) -> str:
    """A line of digraph6."""
    if not isinstance(graph, SplitGraph):
        raise KTError("digraph6 has directed graphs; .g6 and .s6 files have others")
    _require_plain(graph, "digraph6")
    require_unweighted(graph)
    return digraph6_of(graph.directed) + "\n"


def graph_to_gml(graph: MoveGraph) -> str:
    """GML, by networkx, with numbers that igraph reads too.

    networkx writes 1e-05 as `1.E-05`, which igraph refuses, and it reads the `1e-05` of igraph as a number and a key.
    Both read `1.0E-05`.
    """
    import networkx

    lines = networkx.generate_gml(_as_networkx(graph, "a GML file"))
    return "".join(re.sub(r"^(\s*\w+ -?[0-9]+\.)(E[-+][0-9]+)$", r"\g<1>0\2", line) + "\n" for line in lines)


def graph_to_graphml(graph: MoveGraph) -> str:
    """GraphML, by networkx."""
    import networkx

    return "\n".join(networkx.generate_graphml(_as_networkx(graph, "a GraphML file"))) + "\n"


def graph_to_gexf(graph: MoveGraph) -> str:
    """GEXF, by networkx."""
    import networkx

    stream, made = BytesIO(), _as_networkx(graph, "a GEXF file")
    for attributes in made.nodes.values():
        if attributes:  # Without z, networkx writes "None", which it refuses to read.
            position = {"z": 0.0} | dict(attributes)
            attributes.clear()
            attributes["viz"] = {"position": position}
    networkx.write_gexf(made, stream)
    return stream.getvalue().decode()


def graph_to_pajek(graph: MoveGraph) -> str:
    """A Pajek network."""
    made = _as_networkx(graph, "a Pajek network")
    names = {name: number for number, name in enumerate(made, start=1)}
    if odd := next((name for name in names if '"' in name or "\\" in name), None):
        raise KTError(f"a Pajek network has no place for the name {odd[:40]!r}")
    places = {name: "".join(f" {value}" for value in made.nodes[name].values()) for name in names}
    head = "".join(f'{number} "{name}"{places[name]}\n' for name, number in names.items())
    rows = "".join(f"{names[u]} {names[v]} {data.get('weight', 1)}\n" for u, v, data in made.edges(data=True))
    return f"*Vertices {len(names)}\n{head}*{'Arcs' if made.is_directed() else 'Edges'}\n{rows}"


def graph_to_adjacency(graph: MoveGraph) -> str:
    """An adjacency list, by networkx."""
    import networkx

    require_undirected(graph, "an adjacency list")
    require_unweighted(graph)
    made = _as_networkx(graph, "an adjacency list")
    if odd := next((name for name in made if no_name(name) or any(mark in name for mark in " #,")), None):
        raise KTError(f"an adjacency list has no place for the name {odd[:40]!r}; .json files have")
    return "\n".join(networkx.generate_adjlist(made)) + "\n"


def graph_to_metis(graph: MoveGraph) -> str:
    """METIS, with edge weights if there are any; they have to be positive."""
    require_undirected(graph, "a METIS file")
    _require_plain(graph, "a METIS file")
    _require_simple(graph, "a METIS file")
    if graph.weights is not None and graph.m and (graph.decimals or graph.weights.min() < 1):
        raise KTError("weights of METIS are integers of at least 1; .edges and .json files have any")
    rows: list[list[str]] = [[] for _ in range(graph.n)]
    for edge, (u, v) in enumerate(graph.ends.tolist()):
        weight = [] if graph.weights is None else [str(graph.weights[edge])]
        rows[u] += [str(v + 1), *weight]
        rows[v] += [str(u + 1), *weight]
    head = f"{graph.n} {graph.m}{'' if graph.weights is None else ' 1'}\n"
    return f"% kt {graph.name}\n{head}" + "".join(" ".join(row) + "\n" for row in rows)


def _matrix(graph: MoveGraph) -> str:
    _require_plain(graph, "a matrix")
    _require_simple(graph, "a matrix")
    return graph_to_matrix(graph)


def _dot(graph: MoveGraph) -> str:
    _require_plain(graph, "DOT")
    return graph_to_dot(graph)


WRITERS: dict[str, Callable[[MoveGraph], str]] = {
    ".hcp": graph_to_hcp,
    ".col": graph_to_dimacs,
    ".dimacs": graph_to_dimacs,
    ".edges": graph_to_edge_list,
    ".json": graph_to_json,
    ".g6": graph_to_graph6,
    ".s6": graph_to_sparse6,
    ".d6": graph_to_digraph6,
    ".gml": graph_to_gml,
    ".graphml": graph_to_graphml,
    ".gexf": graph_to_gexf,
    ".net": graph_to_pajek,
    ".dot": _dot,
    ".gv": _dot,
    ".adjlist": graph_to_adjacency,
    ".graph": graph_to_metis,
    ".mtx": _matrix,
}
"""Writers of graphs by the suffix of a file."""
NUMBERED = {".g6": 0, ".s6": 0, ".d6": 0, ".graph": 1, ".mtx": 1}
"""Suffixes of formats without names of vertices, and the number of the first vertex."""

PLACED = (".json", ".gml", ".graphml", ".gexf", ".net", ".dot", ".gv")
"""Suffixes of formats with positions of vertices."""


EDGES_ONLY = (".hcp", ".col", ".dimacs", ".json")
"""Suffixes of formats that declare the number of vertices, and have a line for each edge only."""
MAX_BARE = 1_000_000
"""Most vertices of a graph that is written with something for each of them, if most have no edge."""


def text_of_graph(graph: MoveGraph, suffix: str) -> str:
    """The text of a file with a suffix.

    Raises
    ------
    TooLarge
        If most of more than `MAX_BARE` vertices have no edge, and the form has something for each.
    KTError
        If the form cannot express the graph.
    """
    n, edges = graph.vertex_count, graph.directed.m if isinstance(graph, SplitGraph) else graph.m
    if suffix not in EDGES_ONLY and graph.board is None and n > max(MAX_BARE, 4 * edges):
        forms = ", ".join(EDGES_ONLY)
        raise TooLarge(
            f"{n:,} vertices, over the limit of {MAX_BARE:,} for so few edges; {forms} have lines for edges only"
        )
    return WRITERS[suffix](graph)


def may_replace_graph(path: str) -> bool:
    """Whether a path holds a graph in the form of its suffix, which has no room for a mark of kt."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix not in WRITERS or suffix in MARKS or suffix == ".json" or not os.path.isfile(path):
        return False
    try:
        read_graph(path)
    except KTError:
        return False
    return True


def left_out(graph: MoveGraph, suffix: str) -> str:
    """The names or positions of a graph that a file with this suffix loses, in words; empty if it keeps all."""
    first = NUMBERED.get(suffix)
    if graph.positions is not None and suffix not in PLACED:
        return "positions of its vertices are left out, as this form has none"
    if first is None:
        return ""
    named = graph.board is not None or not (
        graph.labels is None or list(graph.labels) in ([*range(graph.n)], [*range(1, graph.vertex_count + 1)])
    )
    return f"its vertices are called {first}, {first + 1}, ..., as this form has no names" if named else ""
