"""GraphML and GEXF: graphs in XML.

What would have another meaning is refused: graphs within graphs, edges with more than two ends, directed and
undirected edges side by side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from kt_models.decimals import number_in
from kt_models.errors import KTError, excerpt
from kt_models.files.graph_forms.described import NAME_KEYS, DescribedGraph
from kt_models.files.points import coordinates_of
from kt_models.graph import MoveGraph
from kt_models.positions import coordinate

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def read_graphml(text: str, name: str) -> MoveGraph:
    """The graph of a GraphML file; a label of yEd is a label."""
    root = _root(text, "graphml")
    only = _only_graph(root, _GRAPHML)
    keys = {_attribute(key, "id"): key for key in _children(root, "key")}
    described = DescribedGraph()
    for node in _children(only, "node"):
        label = next((e.text for e in node.iter() if _local(e) == "NodeLabel" and (e.text or "").strip()), None)
        names = {name: _data(node, keys, name) for name in NAME_KEYS}
        names |= {} if label is None else {"label": label.strip()}
        described.add_node(_attribute(node, "id"), names, _point(node, keys))
    kinds = set()
    for edge in _children(only, "edge"):
        attribute = edge.get("directed")
        directed = {"true": True, "1": True, "false": False, "0": False}.get(attribute or "", _drawn_kind(edge))
        if attribute is not None and attribute not in ("true", "1", "false", "0"):
            raise KTError(f"an edge is directed={excerpt(attribute)}, neither true nor false")
        kinds.add(_default_kind(only) if directed is None else directed)
        weight = number_in(_data(edge, keys, "weight"))
        described.links.append((_attribute(edge, "source"), _attribute(edge, "target"), weight))
    described.directed = _one_kind(kinds or {_default_kind(only)})
    return described.graph(name)


def _drawn_kind(edge: Element) -> bool | None:
    """False for an edge that yEd draws without arrows, otherwise None: yEd writes `directed` for all graphs."""
    arrows = next((element for element in edge.iter() if _local(element) == "Arrows"), None)
    return False if arrows is not None and arrows.get("source") == arrows.get("target") == "none" else None


def _point(node: Element, keys: dict[str, Element]) -> Any:
    """The coordinates of a node: its data `pos`, or `x` and `y` (and `z`), or the middle of its shape in yEd."""
    coordinates = {name: _data(node, keys, name) for name in ("pos", "x", "y", "z")}
    if (point := coordinates_of(coordinates)) is not None:
        return point
    shape = next((element for element in node.iter() if _local(element) == "Geometry"), None)
    if shape is None or shape.get("x") is None or shape.get("y") is None:
        return None
    corner, size = [shape.get("x"), shape.get("y")], [shape.get("width", "0"), shape.get("height", "0")]
    try:
        return [coordinate(low, "x") + coordinate(wide, "width") / 2 for low, wide in zip(corner, size, strict=True)]
    except KTError:  # Whoever asks for positions gets the error.
        return corner


def _default_kind(graph: Element) -> bool:
    """Whether edges are directed if they do not say it themselves."""
    default = graph.get("edgedefault")
    if default not in ("directed", "undirected"):
        raise KTError(f"its edgedefault is {excerpt(default)}, neither directed nor undirected")
    return default == "directed"


def _data(element: Element, keys: dict[str, Element], wanted: str) -> str | None:
    """The value of an attribute, by its name in the keys; the default of the key, if the element has none."""
    kind = _local(element)
    texts = {_attribute(data, "key"): data.text for data in _children(element, "data")}
    if len(texts) < sum(1 for _ in _children(element, "data")):
        raise KTError(f"it has an element {kind} with two data of one key")
    for name, text in texts.items():
        if name not in keys:
            raise KTError(f"it has no key {excerpt(name)}, which an element {kind} names")
        if keys[name].get("attr.name") == wanted:
            return text
    for key in keys.values():
        if key.get("attr.name") == wanted and key.get("for", "all") in (kind, "all"):
            return next((default.text for default in _children(key, "default")), None)
    return None


def read_gexf(text: str, name: str) -> MoveGraph:
    """The graph of a GEXF file."""
    root = _root(text, "gexf")
    only = _only_graph(root, _GEXF)
    default = only.get("defaultedgetype", "undirected")
    titles, names_by = _titles(only, "edge"), _titles(only, "node")
    described = DescribedGraph()
    for nodes in _children(only, "nodes"):
        for node in _children(nodes, "node"):
            values = {names_by.get(value.get("for", "")): value.get("value") for value in _values(node)}
            names = {name: values.get(name) for name in NAME_KEYS}
            place = next((element for element in node.iter() if _local(element) == "position"), None)
            point = coordinates_of(values if place is None else dict(place.attrib))
            described.add_node(_attribute(node, "id"), names | {"label": node.get("label")}, point)
    kinds = set()
    for edges in _children(only, "edges"):
        for edge in _children(edges, "edge"):
            kind = edge.get("type", default)
            weights = (value for value in _values(edge) if titles.get(value.get("for", "")) == "weight")
            worth = next((value.get("value") for value in weights), None)
            link = _attribute(edge, "source"), _attribute(edge, "target"), number_in(edge.get("weight", worth))
            kinds.add(_is_directed(kind))
            described.links.append(link)
            if kind == "mutual":  # Both arcs
                described.links.append((link[1], link[0], link[2]))
    described.directed = _one_kind(kinds or {_is_directed(default)})
    return described.graph(name)


def _titles(graph: Element, kind: str) -> dict[str, str | None]:
    """Names of the attributes of nodes or edges of GEXF, by their ids."""
    return {
        _attribute(attribute, "id"): attribute.get("title")
        for attributes in _children(graph, "attributes")
        if attributes.get("class") == kind
        for attribute in _children(attributes, "attribute")
    }


def _values(element: Element) -> Iterator[Element]:
    """Values of attributes of GEXF."""
    return (value for value in element.iter() if _local(value) == "attvalue")


def _is_directed(kind: str) -> bool:
    """Whether edges of a type of GEXF are directed."""
    if kind not in ("directed", "mutual", "undirected"):
        raise KTError(f"the type of its edges is {excerpt(kind)}, and not directed, mutual or undirected")
    return kind != "undirected"


_GRAPHML = {
    "graphml": ("desc", "key", "data", "graph"),
    "graph": ("desc", "data", "locator", "node", "edge"),
    "node": ("desc", "data", "port"),
    "edge": ("desc", "data"),
}
"""Elements of GraphML that are read; others are graphs within graphs, and edges with more than two ends."""
_GEXF = {"gexf": ("meta", "graph"), "graph": ("attributes", "nodes", "edges"), "nodes": ("node",), "edges": ("edge",)}


# -- XML ---------------------------------------------------------------------------------------------------------------


def _root(text: str, wanted: str) -> Element:
    """The root of an XML text, which has to have this name."""
    from xml.etree import ElementTree
    from xml.parsers.expat import ErrorString

    declared = re.sub(r"\A\s*<\?xml[^>]*\?>", "", text)  # Whose encoding is no longer that of the text
    skipped = text[: len(text) - len(declared)].count("\n")
    try:
        root = ElementTree.fromstring(declared)
    except ElementTree.ParseError as error:
        line, column = error.position
        words = "it ends too early" if not declared.strip() or error.code == _ENDS else ErrorString(error.code)
        raise KTError(f"it is not XML: {words} (line {line + skipped}, column {column + 1})") from None
    except (RecursionError, MemoryError):
        raise KTError("it is not XML: nested too deeply") from None
    if _local(root) != wanted:
        raise KTError(f"its outermost element is {excerpt(_local(root))}, and not {wanted!r}")
    return root


_ENDS = 3
"""Expat's number of the error that a text ends before its root does."""


def _local(element: Element) -> str:
    """The name of an element, without its namespace; that of a comment is empty."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _children(element: Element, name: str) -> Iterator[Element]:
    return (child for child in element if _local(child) == name)


def _attribute(element: Element, name: str) -> str:
    value = element.get(name)
    if value is None:
        raise KTError(f"its element {_local(element)} has no attribute {name!r}")
    return value


def _only_graph(root: Element, contents: Mapping[str, tuple[str, ...]]) -> Element:
    """The only graph of a file.

    Parameters
    ----------
    contents
        The elements that stand in some elements, and nowhere else; those of another namespace stand anywhere.
    """
    space = root.tag.rpartition("}")[0]
    graphs = list(_children(root, "graph"))
    if len(graphs) != 1:
        raise KTError(f"it has {len(graphs)} graphs" if graphs else "it has no graph")
    placed = {name for names in contents.values() for name in names}
    for parent in root.iter():
        within, in_space = _local(parent), parent.tag.rpartition("}")[0] == space
        allowed = contents.get(within) if in_space else None
        for child in parent:
            name = _local(child)
            alien = name in placed - {"data", "desc"} if allowed is None else name not in allowed
            if in_space and alien and child.tag.rpartition("}")[0] == space:
                raise KTError(f"it has an element {name[:40]} within an element {within[:40]}, which is not read")
    return graphs[0]


def _one_kind(kinds: set[bool]) -> bool:
    """Whether edges are directed, if all are of one kind."""
    if len(kinds) > 1:
        raise KTError("some of its edges are directed and others are not: a graph is undirected or directed")
    return next(iter(kinds))
