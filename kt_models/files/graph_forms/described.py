"""`DescribedGraph`: nodes and the links between them, as GML, GraphML, GEXF, Pajek and node-link JSON describe them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from kt_models.errors import KTError, excerpt
from kt_models.files.edge_lists import weighted_graph
from kt_models.graph import MoveGraph

WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
"""An integer in a text."""
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
"""A decimal number in a text."""


@dataclass
class DescribedGraph:
    """Nodes by their ids, with their labels, and links from id to id, with their weights.

    Attributes
    ----------
    directed
        Whether links have a direction.
    """

    directed: bool = False
    nodes: dict[Any, Any] = field(default_factory=dict)
    links: list[tuple[Any, Any, Any]] = field(default_factory=list)

    def add_node(self, id: Any, label: Any = None) -> None:
        """Add a node.

        Raises
        ------
        KTError
            If a node has this id already.
        """
        if id in self.nodes:
            raise KTError(f"two nodes have one id, {excerpt(id)}")
        self.nodes[id] = label

    def graph(self, name: str) -> MoveGraph:
        """The graph; vertices have the labels of the nodes, or their ids if a label is missing or repeated.

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
        labels = [label for label in known.values() if isinstance(label, str) and label.strip()]
        name_of = known if len(set(labels)) == len(known) else {id: id for id in known}
        pairs = [(name_of[u], name_of[v]) for u, v, _ in self.links]
        names, weights = list(name_of.values()), [weight for *_, weight in self.links]
        plain = weighted_graph(names, pairs, [None] * len(pairs), name, directed=self.directed)
        if all(weight is None for weight in weights):
            return plain
        try:
            return weighted_graph(names, pairs, weights, name, directed=self.directed)
        except KTError as error:  # the error is raised only if somebody asks for the weights
            return plain.having(unweighted=str(error))


def number_in(text: str | None) -> Any:
    """The number that a text is, exactly; any other text as it is."""
    word = (text or "").strip()
    if WHOLE.fullmatch(word):
        return int(word)
    from decimal import Decimal  # Only decimals need it.

    return Decimal(word) if NUMBER.fullmatch(word) else text
