"""`DescribedGraph`: nodes and the links between them, as GML, GraphML, GEXF, Pajek and node-link JSON describe them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kt_models.errors import KTError, excerpt
from kt_models.files.edge_lists import weighted_graph
from kt_models.graph import MoveGraph

NAME_KEYS = ("label", "name", "id")
"""Attributes of nodes that name them, in every form; the first one counts that names all nodes differently."""


def names_of_nodes(nodes: Mapping[Any, Mapping[str, Any]]) -> dict[Any, Any]:
    """Names of nodes by their ids: by the first of `NAME_KEYS` that all have, or by their ids.

    Parameters
    ----------
    nodes
        The naming attributes of each node, by its id: texts or integers.
    """
    for key in NAME_KEYS:
        names = [_name_in(attributes.get(key)) for attributes in nodes.values()]
        if None not in names and len({*map(str, names)}) == len(names):
            return dict(zip(nodes, names, strict=True))
    return {id: id for id in nodes}


def _name_in(value: Any) -> str | int | None:
    """A text that is not blank, or an integer."""
    if isinstance(value, str):
        return value if value.strip() else None
    return value if type(value) is int else None


@dataclass
class DescribedGraph:
    """Nodes by their ids, with the attributes that name them and their points, and links from id to id, with weights.

    Attributes
    ----------
    directed
        Whether links have a direction.
    """

    directed: bool = False
    nodes: dict[Any, Mapping[str, Any]] = field(default_factory=dict)
    links: list[tuple[Any, Any, Any]] = field(default_factory=list)
    points: dict[Any, Any] = field(default_factory=dict)

    def add_node(self, id: Any, names: Mapping[str, Any], point: Any = None) -> None:
        """Add a node with the attributes that name it, and its coordinates, if it has any.

        Raises
        ------
        KTError
            If a node has this id already.
        """
        if id in self.nodes:
            raise KTError(f"two nodes have one id, {excerpt(id)}")
        self.nodes[id] = names
        if point is not None:
            self.points[id] = point

    def graph(self, name: str) -> MoveGraph:
        """The graph; vertices are called as `names_of_nodes` says.

        Raises
        ------
        KTError
            If there is no node, or a link leads to a node that is not there.
        """
        known = self.nodes
        if not known:
            raise KTError("it has no vertices")
        for ends in self.links:
            for end in ends[:2]:
                if end not in known:
                    raise KTError(f"an edge names the node {excerpt(end)}, which is not there")
        name_of = names_of_nodes(known)
        pairs = [(name_of[u], name_of[v]) for u, v, _ in self.links]
        names, weights = list(name_of.values()), [weight for *_, weight in self.links]
        plain = weighted_graph(names, pairs, [None] * len(pairs), name, directed=self.directed)
        if self.points:
            from kt_models.files.points import placed

            plain = placed(plain, [self.points.get(id) for id in known])
        if all(weight is None for weight in weights):
            return plain
        try:
            made = weighted_graph(names, pairs, weights, name, directed=self.directed)
        except KTError as error:  # The error is raised only if somebody asks for the weights
            return plain.having(unweighted=str(error))
        return made.having(positions=plain.positions, unplaced=plain.unplaced)
