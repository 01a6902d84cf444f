"""Properties of graphs by ordinary solves, against the compiled searches, which brute force checks."""

from __future__ import annotations

from itertools import permutations

import networkx as nx
import pytest

from encoders.many.properties import has_property
from heuristics.small_graphs.answers import property_of
from heuristics.small_graphs.properties import PROPERTIES
from kt_models.directed import DirectedGraph
from kt_models.files.graph_lists.codes import code_blocks
from kt_models.graph import MoveGraph
from kt_models.limits import Limits
from tests.small_graphs import digraph6, graph6

NAMES = [name for name in PROPERTIES if name != "pancyclic" and not name.startswith("edges")]
GRAPHS = {
    "one vertex": nx.empty_graph(1),
    "two vertices": nx.path_graph(2),
    "two apart": nx.empty_graph(2),
    "triangle": nx.complete_graph(3),
    "square": nx.cycle_graph(4),
    "path": nx.path_graph(4),
    "complete": nx.complete_graph(4),
    "two parts": nx.disjoint_union(nx.complete_graph(3), nx.complete_graph(3)),
    "cube": nx.convert_node_labels_to_integers(nx.hypercube_graph(3)),
    "Petersen": nx.petersen_graph(),
}


def compiled(line: str, name: str) -> bool | None:
    (block,) = code_blocks([line.encode()])
    return {0: False, 1: True, 2: None}[int(property_of(block, name)[0][0])]


@pytest.mark.parametrize("name", NAMES)
def test_ordinary_solves_agree_with_the_compiled_searches(name: str) -> None:
    for words, network in GRAPHS.items():
        graph = MoveGraph.from_edges(len(network), list(network.edges), "graph")
        assert has_property(graph, name, Limits(workers=1)) == compiled(graph6(network), name), words


@pytest.mark.parametrize("name", NAMES)
def test_properties_of_directed_graphs_agree_with_the_compiled_ones(name: str) -> None:
    for n, arcs in ((2, {(0, 1), (1, 0)}), (3, {(0, 1), (1, 2), (2, 0)}), (3, set(permutations(range(3), 2)))):
        graph = DirectedGraph.from_arcs(n, sorted(arcs)).split()
        assert has_property(graph, name, Limits(workers=1)) == compiled(digraph6(n, frozenset(arcs)), name), (n, arcs)


def test_what_is_not_asked_of_large_graphs_is_unknown() -> None:
    for name in set(PROPERTIES) - set(NAMES):
        assert has_property(MoveGraph.from_edges(3, [(0, 1), (1, 2), (2, 0)], "graph"), name, Limits()) is None
