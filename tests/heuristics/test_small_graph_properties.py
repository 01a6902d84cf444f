"""Counts and properties by compiled searches, against definitions in plain Python and published numbers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations
from math import factorial

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heuristics.small_graphs.answers import counts_of, property_of
from heuristics.small_graphs.properties import PROPERTIES
from kt_models.files.graph_lists.block import GraphBlock
from kt_models.files.graph_lists.codes import code_blocks
from tests.small_graphs import Arcs, both_ways, digraph6, graph6, tours


def block_of(*lines: str) -> GraphBlock:
    (block,) = code_blocks(["".join(f"{line}\n" for line in lines).encode()])
    return block


def counts(*lines: str, closed: bool = True, budget: int = 200_000, wanted: int = 0) -> list[int]:
    return counts_of(block_of(*lines), closed=closed, budget=budget, wanted=wanted)[0].tolist()


networks = st.builds(nx.gnp_random_graph, st.integers(1, 6), st.floats(0.3, 1), st.integers(0, 999))
digraphs = st.integers(2, 5).flatmap(
    lambda n: st.tuples(st.just(n), st.frozensets(st.sampled_from(list(permutations(range(n), 2)))))
)


@given(networks, st.booleans())
def test_counts_agree_with_brute_force(network: nx.Graph, closed: bool) -> None:
    """By the search, and by the sum over sets of vertices, which a budget of one step leaves."""
    expected = len(list(tours(len(network), both_ways(network), closed=closed)))
    for budget in (200_000, 1):
        assert counts(graph6(network), closed=closed, budget=budget) == [expected]
    for wanted in (1, 2, 5):
        assert counts(graph6(network), closed=closed, wanted=wanted) == [min(wanted, expected)]


@given(digraphs, st.booleans())
def test_counts_of_directed_graphs_agree_with_brute_force(digraph: tuple[int, Arcs], closed: bool) -> None:
    n, arcs = digraph
    expected = len(list(tours(n, arcs, closed=closed, directed=True)))
    for budget in (200_000, 1):
        assert counts(digraph6(n, arcs), closed=closed, budget=budget) == [expected]


def test_counts_that_are_known() -> None:
    """Complete graphs have (n - 1)!/2 cycles and n!/2 paths; A124355 of the OEIS has prisms; no budget, no count."""
    for n in (3, 8, 13, 17, 18):
        assert counts(graph6(nx.complete_graph(n))) == [factorial(n - 1) // 2]
    assert counts(graph6(nx.complete_graph(12)), closed=False) == [factorial(12) // 2]
    assert counts(graph6(nx.convert_node_labels_to_integers(nx.hypercube_graph(4)))) == [1344]
    assert counts(graph6(nx.dodecahedral_graph())) == [30]
    assert counts(graph6(nx.petersen_graph()), graph6(nx.petersen_graph()), closed=False) == [120, 120]
    assert counts(graph6(nx.complete_graph(20)), budget=100) == [-1]
    assert counts("Bw", budget=0) == [-1]


Definition = Callable[[int, Arcs, bool], bool]


def has(n: int, arcs: Arcs, closed: bool, directed: bool) -> bool:
    return any(True for _ in tours(n, arcs, closed=closed, directed=directed))


def without(n: int, arcs: Arcs, vertex: int) -> tuple[int, Arcs]:
    number = {v: place for place, v in enumerate(v for v in range(n) if v != vertex)}
    return n - 1, frozenset((number[u], number[v]) for u, v in arcs if vertex not in (u, v))


def hypo(n: int, arcs: Arcs, closed: bool, directed: bool) -> bool:
    parts = [without(n, arcs, v) for v in range(n)]
    return n > 2 and not has(n, arcs, closed, directed) and all(has(m, part, closed, directed) for m, part in parts)


def ends_of_paths(n: int, arcs: Arcs, directed: bool) -> set[tuple[int, int]]:
    paths = list(tours(n, arcs, closed=False, directed=directed))
    return {(p[0], p[-1]) for p in paths} | (set() if directed else {(p[-1], p[0]) for p in paths})


def laceable(n: int, arcs: Arcs, directed: bool) -> bool:
    network = nx.empty_graph(n)
    network.add_edges_from(arcs)
    if not nx.is_connected(network) or not nx.is_bipartite(network):
        return False
    left, right = nx.bipartite.sets(network)
    return {(u, v) for u in left for v in right} <= ends_of_paths(n, arcs, directed)


def pancyclic(n: int, arcs: Arcs, directed: bool) -> bool:
    def cyclic(length: int) -> bool:
        rings = (p for part in combinations(range(n), length) for p in permutations(part))
        return any(all((u, v) in arcs for u, v in zip(p, (*p[1:], p[0]), strict=True)) for p in rings)

    return n > 2 and all(map(cyclic, range(3, n + 1)))


def cycles_as_sets(n: int, arcs: Arcs, directed: bool) -> list[set]:
    found = []
    for p in tours(n, arcs, closed=True, directed=directed):
        steps = list(zip(p, (*p[1:], p[0]), strict=True))
        found.append(set(steps) if directed else {tuple(sorted(step)) for step in steps})
    return found


def pairs(arcs: Arcs, directed: bool) -> set:
    return set(arcs) if directed else {(u, v) for u, v in arcs if u < v}


DEFINITIONS: dict[str, Definition] = {
    "hamiltonian": lambda n, arcs, directed: has(n, arcs, True, directed),
    "traceable": lambda n, arcs, directed: has(n, arcs, False, directed),
    "hamilton-connected": lambda n, arcs, directed: set(permutations(range(n), 2)) <= ends_of_paths(n, arcs, directed),
    "hamilton-laceable": laceable,
    "hypohamiltonian": lambda n, arcs, directed: hypo(n, arcs, True, directed),
    "hypotraceable": lambda n, arcs, directed: hypo(n, arcs, False, directed),
    "pancyclic": pancyclic,
    "edges-in-every-cycle": lambda n, arcs, directed: bool(
        (found := cycles_as_sets(n, arcs, directed)) and set.intersection(*found)
    ),
    "edges-in-no-cycle": lambda n, arcs, directed: bool(
        (found := cycles_as_sets(n, arcs, directed)) and pairs(arcs, directed) - set.union(*found)
    ),
}


def test_every_property_has_a_definition_here() -> None:
    assert set(DEFINITIONS) == set(PROPERTIES)


@pytest.mark.parametrize("name", PROPERTIES)
@given(networks)
def test_properties_of_graphs_are_what_their_definitions_say(name: str, network: nx.Graph) -> None:
    n, arcs = len(network), both_ways(network)
    statuses, marks, _ = property_of(block_of(graph6(network)), name)
    assert bool(statuses[0]) == DEFINITIONS[name](n, arcs, False)
    require_edges(name, n, arcs, False, marks)


@pytest.mark.parametrize("name", [name for name in PROPERTIES if name != "hamilton-laceable"])
@given(digraphs)
def test_properties_of_directed_graphs_are_what_their_definitions_say(name: str, digraph: tuple[int, Arcs]) -> None:
    n, arcs = digraph
    statuses, marks, _ = property_of(block_of(digraph6(n, arcs)), name)
    assert bool(statuses[0]) == DEFINITIONS[name](n, arcs, True)
    require_edges(name, n, arcs, True, marks)


def require_edges(name: str, n: int, arcs: Arcs, directed: bool, marks: np.ndarray) -> None:
    """Exactly the edges of the definition are marked, if there is a cycle."""
    if name.startswith("edges") and (found := cycles_as_sets(n, arcs, directed)):
        every = name == "edges-in-every-cycle"
        expected = set.intersection(*found) if every else pairs(arcs, directed) - set.union(*found)
        marked = {(u, v) for u in range(n) for v in range(n) if int(marks[u]) >> v & 1 and (directed or u < v)}
        assert marked == expected


@pytest.mark.parametrize(
    ("n", "yes"),
    [
        (1, {"traceable", "hamilton-connected", "hamilton-laceable"}),
        (2, {"traceable", "hamilton-connected", "hamilton-laceable"}),
        (3, {"hamiltonian", "traceable", "hamilton-connected", "pancyclic", "edges-in-every-cycle"}),
    ],
)
def test_conventions_for_few_vertices(n: int, yes: set[str]) -> None:
    """Complete graphs have conventions; two vertices without an edge have no property at all."""
    line = graph6(nx.complete_graph(n))
    assert {name for name in PROPERTIES if property_of(block_of(line), name)[0][0] == 1} == yes
    assert not any(property_of(block_of("A?"), name)[0][0] for name in PROPERTIES)


def test_properties_that_are_known() -> None:
    """The Petersen graph, a cube (Simmons 1978), and Thomassen's hypotraceable graph of 34 vertices by its parts."""
    petersen, cube = graph6(nx.petersen_graph()), graph6(nx.convert_node_labels_to_integers(nx.hypercube_graph(3)))
    yes = {name for name in PROPERTIES if property_of(block_of(petersen), name)[0][0] == 1}
    assert yes == {"traceable", "hypohamiltonian"}
    yes = {name for name in PROPERTIES if property_of(block_of(cube), name)[0][0] == 1}
    assert yes == {"hamiltonian", "traceable", "hamilton-laceable"}


def test_a_property_that_takes_too_long_is_unknown() -> None:
    for name in PROPERTIES:
        assert property_of(block_of(graph6(nx.tutte_graph())), name, budget=3)[0][0] in (0, 2), name
