"""DOT, the language of Graphviz: `graph { a -- b -- {c d} }`, `digraph { a -> b [weight=3] }`.

A reader for the whole grammar of one graph. pydot, which networkx uses, is not a dependency, and needs minutes for a
million edges.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

import numpy as np

from kt_models.decimals import number_in
from kt_models.directed import DirectedGraph, SplitGraph
from kt_models.errors import KTError, TooLarge
from kt_models.files.graph_forms.described import NAME_KEYS, names_of_nodes
from kt_models.files.graph_forms.form import labels_of
from kt_models.files.points import placed, point_of
from kt_models.graph import MoveGraph
from kt_models.labels import label_names

MAX_JOINED = 2_000_000
"""Most edges of a file: a few names in joined subgraphs stand for the edges between all pairs of them."""
MAX_NESTED = 100
"""Most levels of nested subgraphs: each level is a recursive call."""
_TOKEN = re.compile(
    r"""(?:\s++|//[^\n]*+|^\#[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+                       # nothing
    (?:(--|->|[{}\[\];,:=+])|("(?:[^"\\]|\\.)*+")|(-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?![\w.]))|([^\W0-9]\w*)|(<)|$)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_WORDS = ("strict", "graph", "digraph", "subgraph", "node", "edge")


class _Reader:
    """Recursive-descent parser of one text."""

    def __init__(self, text: str) -> None:
        self.tokens = list(_tokens(text))
        self.place = 0
        self.nodes: dict[str, dict[str, str]] = {}
        self.points: dict[str, str] = {}
        self.edges: list[tuple[str, str, str | None]] = []
        self.operator = "--"

    @property
    def token(self) -> tuple[str, str]:
        """Kind of the next token (`mark`, `word`, `name`, or `end`), and its text."""
        return self.tokens[self.place]

    def take(self, *marks: str) -> str:
        """The next token, if it is one of these marks or words; otherwise an empty text."""
        kind, text = self.token
        if kind == "mark" and text in marks:
            self.place += 1
            return text
        if kind == "word" and text.lower() in marks:
            self.place += 1
            return text.lower()
        return ""

    def need(self, *marks: str) -> str:
        if not (token := self.take(*marks)):
            raise self.fault(" or ".join(map(repr, marks)))
        return token

    def fault(self, wanted: str) -> KTError:
        kind, text = self.token
        return KTError(f"{wanted} is missing before {text[:40]!r}" if kind != "end" else f"it ends before {wanted}")

    def name(self) -> str | None:
        """The next token, if it is a name."""
        kind, text = self.token
        if kind == "name" or (kind == "word" and text.lower() not in _WORDS):
            self.place += 1
            return text
        return None

    def need_name(self) -> str:
        name = self.name()
        if name is None:
            raise self.fault("a name")
        return name

    def graph(self) -> bool:
        """Read the whole text; return whether the graph is directed."""
        self.take("strict")
        directed = self.need("graph", "digraph") == "digraph"
        self.operator = "->" if directed else "--"
        self.name()
        self.need("{")
        self.statements({}, 0)
        if self.token[0] != "end":
            raise KTError(
                "it has more than one graph" if self.take("strict", "graph", "digraph") else "more follows it"
            )
        return directed

    def statements(self, defaults: dict[str, str], depth: int) -> dict[str, None]:
        """Statements up to the closing brace, with default attributes of edges; returns their nodes."""
        if depth > MAX_NESTED:
            raise KTError(f"its subgraphs are nested over {MAX_NESTED} deep")
        # Attributes set in a subgraph do not hold outside it
        defaults = dict(defaults)
        inside: dict[str, None] = {}
        while not self.take("}"):
            if self.token[0] == "end":
                raise self.fault("'}'")
            if kind := self.take("graph", "node", "edge"):
                if self.token != ("mark", "["):
                    raise self.fault("'['")
                attributes = self.attributes()
                if kind == "edge":
                    defaults.update(attributes)
            else:
                inside.update(self.statement(defaults, depth))
            self.take(";", ",")
        return inside

    def statement(self, defaults: dict[str, str], depth: int) -> dict[str, None]:
        """A node, edges, a subgraph or `key = value`."""
        before = self.place
        if self.name() is not None and self.take("="):
            self.need_name()
            return {}
        self.place = before
        subgraph = self.token == ("mark", "{") or (self.token[0] == "word" and self.token[1].lower() == "subgraph")
        ends = [self.end(defaults, depth)]
        while mark := self.take("--", "->"):
            if mark != self.operator:
                kind = "a digraph" if self.operator == "->" else "an undirected graph"
                raise KTError(f"{mark!r} stands in {kind}")
            ends.append(self.end(defaults, depth))
        stated = self.attributes()
        if len(ends) == 1 and not subgraph:
            for node in ends[0]:
                # In a label \N is the name of the node, and other escapes are about lines
                self.nodes[node] |= {key: stated[key] for key in NAME_KEYS if key in stated and "\\" not in stated[key]}
            if "pos" in stated:
                self.points |= dict.fromkeys(ends[0], stated["pos"])
        attributes = {**defaults, **stated}
        for tails, heads in pairwise(ends):
            # An edge between subgraphs joins all their nodes
            if len(self.edges) + len(tails) * len(heads) > MAX_JOINED:
                raise TooLarge(f"it has over {MAX_JOINED:,} edges, counting all pairs of nodes of joined subgraphs")
            self.edges += [(u, v, attributes.get("weight")) for u, v in product(tails, heads)]
        return {node: None for end in ends for node in end}

    def end(self, defaults: dict[str, str], depth: int) -> dict[str, None]:
        """Nodes at one end of an edge: a node, or all nodes of a subgraph."""
        if self.take("subgraph"):
            self.name()
            self.need("{")
            return self.statements(defaults, depth + 1)
        if self.take("{"):
            return self.statements(defaults, depth + 1)
        node = self.need_name()
        for _ in range(2):  # A port, and a compass point
            if self.take(":"):
                self.need_name()
        self.nodes.setdefault(node, {})
        return {node: None}

    def attributes(self) -> dict[str, str]:
        attributes: dict[str, str] = {}
        while self.take("["):
            while not self.take("]"):
                key = self.need_name()
                attributes[key] = self.need_name() if self.take("=") else "true"
                self.take(";", ",")
        return attributes


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    place = 0
    joined = False
    last: tuple[str, str] | None = None
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise KTError(f"{text[place : place + 40].strip()!r} is not DOT")
        place = match.end()
        mark, quoted, number, word, html = match.groups()
        if mark == "+" and last is not None and last[0] == "name":
            joined = True
            continue
        if html:
            end = _end_of_html(text, match.start(5))
            token, place = ("name", text[match.start(5) : end]), end
        elif quoted:
            token = ("name", re.sub(r"\\(\r?\n|\")", lambda escape: '"' if escape[1] == '"' else "", quoted[1:-1]))
        elif number or mark:
            token = ("mark", mark) if mark else ("name", number)
        elif word:
            token = ("word", word)
        else:
            continue
        if joined:
            if token[0] != "name" or last is None:
                raise KTError("'+' stands between two quoted names")
            last, joined = ("name", last[1] + token[1]), False
            continue
        if last is not None:
            yield last
        last = token
    if last is not None:
        yield last
    yield "end", ""


def _end_of_html(text: str, place: int) -> int:
    depth = 0
    for match in re.finditer("[<>]", text[place:]):
        depth += 1 if match[0] == "<" else -1
        if not depth:
            return place + match.end()
    raise KTError("a name in angle brackets has no end")


def read_dot(text: str, name: str) -> MoveGraph:
    """The graph of a DOT file; if all edges have a number as attribute `weight`, these are the weights."""
    reader = _Reader(text)
    directed = reader.graph()
    if not reader.nodes:
        raise KTError("it has no vertices")
    called = names_of_nodes(reader.nodes)
    labels = labels_of(called.values())
    number = {node: vertex for vertex, node in enumerate(called)}
    ends = np.array([(number[u], number[v]) for u, v, _ in reader.edges], dtype=np.int64).reshape(-1, 2)
    names = tuple(labels.values())
    graph: MoveGraph
    if directed:
        graph = DirectedGraph.from_arcs(len(names), ends, name, names).split()
    else:
        graph = MoveGraph.from_edges(len(names), ends, name, names)
    if reader.points:
        graph = placed(graph, [point_of(reader.points.get(node)) for node in called])
    weights = [weight for *_, weight in reader.edges]
    if not weights or any(weight is None for weight in weights):
        return graph
    try:
        return graph.weighed(ends, [number_in(weight) for weight in weights])
    except KTError as error:
        return graph.having(unweighted=str(error))


def graph_to_dot(graph: MoveGraph) -> str:
    """DOT text of a graph, with the names of its vertices and its weights."""
    directed = isinstance(graph, SplitGraph)
    ends: Any = graph.directed.arcs if isinstance(graph, SplitGraph) else graph.ends
    weights = None if graph.weights is None else graph.weights_in_unit()
    if graph.board is not None:
        names = [graph.name_of(v) for v in range(graph.n)]
    else:
        names = [str(v) for v in range(graph.vertex_count)] if graph.labels is None else label_names(graph.labels)
    quoted = [_quoted(name) for name in names]
    operator = "->" if directed else "--"
    places = [] if graph.positions is None else [",".join(map(str, row)) for row in graph.positions.floats.tolist()]
    rows = [f'  {node} [pos="{place}"];' for node, place in zip(quoted, places, strict=True)] if places else []
    rows = rows or [f"  {node};" for node in quoted]
    for place, (u, v) in enumerate(ends.tolist()):
        weight = "" if weights is None else f" [weight={weights[place]}]"
        rows.append(f"  {quoted[u]} {operator} {quoted[v]}{weight};")
    return f"{'digraph' if directed else 'graph'} {{\n" + "\n".join(rows) + "\n}\n"


def _quoted(name: str) -> str:
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z_0-9]*|[0-9]+", name) and name.lower() not in _WORDS
    if plain:
        return name
    if name.endswith("\\"):
        raise KTError(f"DOT cannot express the name {name[:40]!r}")
    return '"' + name.replace('"', '\\"') + '"'
