"""GML, GraphML, GEXF and Pajek, read by networkx; node-link JSON, as networkx and D3 write it.

What networkx would read as another graph is refused before: several graphs in a file, vertices of Pajek with one name,
edges and arcs side by side.
"""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING, Any

from kt_models.errors import KTError, excerpt
from kt_models.files.edge_lists import vertices_in_order, weight_of, weighted_graph
from kt_models.files.graph_forms.form import foreign_faults, graph_of_networkx
from kt_models.graph import MoveGraph
from kt_models.storage import lines_of

if TYPE_CHECKING:
    import networkx


def _labelled(graph: networkx.Graph) -> networkx.Graph:
    """The same graph with its nodes' labels as names, if all nodes have distinct labels."""
    import networkx

    labels = {node: data.get("label") for node, data in graph.nodes(data=True)}
    texts = [label for label in labels.values() if isinstance(label, str) and label.strip()]
    return networkx.relabel_nodes(graph, labels) if len(set(texts)) == len(labels) else graph


def read_gml(text: str, name: str) -> MoveGraph:
    """The graph of a GML file; vertices have their labels, or their ids if a label is missing or repeated."""
    with foreign_faults("GML file"):
        import networkx

        graph = networkx.parse_gml(lines_of(text), label="id")
    if len(re.findall(r"(?:^|\])[ \t]*+graph\s*+\[", text, re.MULTILINE | re.IGNORECASE)) > 1:
        raise KTError("it has more than one graph")
    return graph_of_networkx(_labelled(graph), name)


def read_graphml(text: str, name: str) -> MoveGraph:
    """The graph of a GraphML file; vertices have the labels of yEd, or their ids."""
    with foreign_faults("GraphML file"):
        import networkx

        graphs = list(networkx.readwrite.graphml.GraphMLReader(node_type=str)(string=text))
    if len(graphs) != 1:
        raise KTError(f"it has {len(graphs)} graphs" if graphs else "it has no graph")
    return graph_of_networkx(_labelled(graphs[0]), name)


def read_gexf(text: str, name: str) -> MoveGraph:
    """The graph of a GEXF file; vertices have their labels, or their ids if a label is missing or repeated."""
    with foreign_faults("GEXF file"):
        import networkx

        declared = re.sub(r"\A\s*<\?xml[^>]*\?>", "", text)  # whose encoding is no longer that of the bytes
        graph = networkx.read_gexf(BytesIO(declared.encode()), node_type=str)
    return graph_of_networkx(_labelled(graph), name)


def read_pajek(text: str, name: str) -> MoveGraph:
    """The graph of a Pajek network: `*Vertices N`, then `*Edges` or `*Arcs`.

    networkx calls vertices by their names, so that two with one name would become one.
    """
    lines = [line.strip() for line in lines_of(text) if line.strip() and not line.lstrip().startswith("%")]
    sections = [line.split()[0].lower() for line in lines if line.startswith("*")]
    size = next((line.split() for line in lines if line.lower().startswith("*vertices")), [])
    if len(size) < 2 or not re.fullmatch("[0-9]{1,9}", size[1]):
        raise KTError("its line *Vertices has no number")
    if odd := next((s for s in sections if s not in ("*network", "*vertices", "*edges", "*arcs")), None):
        raise KTError(f"its section {odd[:40]} is not read: *Vertices, *Edges and *Arcs are")
    if sections.count("*vertices") > 1:
        raise KTError("it has more than one network")
    if "*edges" in sections and "*arcs" in sections:
        raise KTError("it has *Edges and *Arcs: a graph is undirected or directed")
    n, begin = int(size[1]), next(i for i, line in enumerate(lines) if line.lower().startswith("*vertices")) + 1
    end = next((i for i in range(begin, len(lines)) if lines[i].startswith("*")), len(lines))
    if end - begin not in (0, n):
        raise KTError(f"{n:,} vertices are declared, and {end - begin:,} named")
    if end == begin:  # names may be left out; networkx takes the next lines for them
        lines[begin:begin] = [f"{vertex} {vertex}" for vertex in range(1, min(n, len(text)) + 1)]
    _require_rows(lines, begin, n)
    with foreign_faults("Pajek network"):
        import networkx

        graph = networkx.parse_pajek(lines)
    if len(graph) != n:
        raise KTError("two of its vertices have one name")
    weights = [data.get("weight") for *_, data in graph.edges(data=True)]
    if all(weight in (None, 1) for weight in weights):  # what programs write where there is none
        for *_, data in graph.edges(data=True):
            data.pop("weight", None)
    return graph_of_networkx(graph, name)


def _require_rows(lines: list[str], begin: int, n: int) -> None:
    """Refuse lines that networkx would skip, or read in part: only *Network may come before the vertices' lines.

    A vertex is a number and a name, an edge two numbers and a weight; attributes may follow in both.
    """
    if odd := next((line for line in lines[: begin - 1] if not line.lower().startswith("*network")), None):
        raise KTError(f"its line {odd[:40]!r} is outside of every section")
    numbers = [line.split()[0] for line in lines[begin : begin + n]]
    if odd := next((word for word in numbers if not _is_number(word, n)), None):
        raise KTError(f"its line of the vertex {odd[:40]!r} does not begin with a number in 1..{n}")
    if len(set(map(int, numbers))) < n:
        raise KTError("two of its vertices have one number")
    for line in lines[begin + n :]:
        words = line.split()
        if line.startswith("*"):
            if len(words) > 1 and not re.fullmatch(":[0-9]{1,9}", words[1]):  # the number of a relation
                raise KTError(f"its section {line[:40]!r} is not read: a section is a word alone")
        elif len(words) < 2 or not all(_is_number(word, n) for word in words[:2]):
            raise KTError(f"its line {line[:40]!r} names a vertex outside 1..{n}, or is no edge")
        elif len(words) > 2 and not _WEIGHT.fullmatch(words[2]):
            raise KTError(f"the weight in its line {line[:40]!r} is not a number")


_WEIGHT = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def _is_number(word: str, n: int) -> bool:
    """Whether a word is the number of a vertex, as Pajek writes it; networkx knows no other writing."""
    return re.fullmatch("[1-9][0-9]{0,8}", word) is not None and int(word) <= n


# -- node-link JSON ----------------------------------------------------------------------------------------------------


def is_node_link(data: Any) -> bool:
    """Whether a JSON object is a graph with `nodes`, and `links` or `edges` between them."""
    return isinstance(data, dict) and isinstance(data.get("nodes"), list) and any(k in data for k in ("links", "edges"))


def graph_of_node_link(data: dict[str, Any], name: str) -> MoveGraph:
    """The graph of node-link JSON: `nodes` with an `id`, `links` (or `edges`) with `source` and `target`.

    The attribute `weight` of all links is their weight.
    """
    nodes, links = data["nodes"], data.get("links", data.get("edges"))
    if "links" in data and "edges" in data:
        raise KTError("it has 'links' and 'edges', which are the same")
    if not isinstance(links, list) or not all(isinstance(row, dict) for row in (*nodes, *links)):
        raise KTError("'nodes' and 'links' are not lists of objects")
    ids = [_plain(row.get("id")) for row in nodes]
    if len(set(ids)) < len(ids):
        raise KTError("two nodes have one id")
    known = set(ids)
    pairs = [(_plain(row.get("source")), _plain(row.get("target"))) for row in links]
    if odd := next((end for pair in pairs for end in pair if end not in known), None):
        raise KTError(f"a link names the node {excerpt(odd)}, which is not there")
    if type(data.get("directed", False)) is not bool:
        raise KTError("'directed' is not true or false")
    weights = [row.get("weight") for row in links]
    weighted = bool(weights) and all(weight is not None for weight in weights)
    directed = data.get("directed", False)
    labels = vertices_in_order(ids)
    if not labels:
        raise KTError("it has no vertices")
    try:
        worths: list[int | None] = [weight_of(weight) if weighted else None for weight in weights]
        return weighted_graph(labels, pairs, worths, name, directed=directed)
    except KTError as error:
        plain = weighted_graph(labels, pairs, [None] * len(pairs), name, directed=directed)
        return plain.having(unweighted=str(error)) if weighted else plain


def _plain(value: Any) -> Any:
    """An id: a text or an integer, or a tuple for a list."""
    if isinstance(value, list):
        return tuple(map(_plain, value))
    if type(value) not in (int, str):
        raise KTError(f"the id {excerpt(value)} is neither a text nor an integer")
    return value
