"""The compiled searches on bit sets against brute force in plain Python, and the verifier against forged cycles."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heuristics.small_graphs import bit_sets, verify
from heuristics.small_graphs.decide import decide
from heuristics.small_graphs.search import FEASIBLE, INFEASIBLE, UNKNOWN
from kt_models.errors import KTError
from kt_models.files.graph_lists.block import GraphBlock
from kt_models.files.graph_lists.codes import code_blocks
from tests.small_graphs import Arcs, all_digraphs, both_ways, digraph6, graph6, is_tour, tours


def block_of(*lines: str) -> GraphBlock:
    (block,) = code_blocks(["".join(f"{line}\n" for line in lines).encode()])
    return block


def require_right(line: str, n: int, arcs: Arcs, closed: bool, directed: bool) -> None:
    """The outcome is that of brute force, and its order is a tour."""
    decided = decide(block_of(line), closed=closed)
    expected = any(True for _ in tours(n, arcs, closed=closed, directed=directed))
    assert decided.statuses[0] == (FEASIBLE if expected else INFEASIBLE), (line, closed)
    if expected:
        assert is_tour(decided.orders[0, :n].tolist(), n, arcs, closed=closed), (line, closed)


networks = st.builds(nx.gnp_random_graph, st.integers(1, 8), st.floats(0.2, 0.9), st.integers(0, 999))


@given(networks, st.booleans())
def test_undirected_graphs_are_decided_as_brute_force_does(network: nx.Graph, closed: bool) -> None:
    require_right(graph6(network), len(network), both_ways(network), closed, False)


digraphs = st.integers(1, 6).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.frozensets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda a: a[0] != a[1])),
    )
)


@given(digraphs, st.booleans())
def test_directed_graphs_are_decided_as_brute_force_does(digraph: tuple[int, Arcs], closed: bool) -> None:
    n, arcs = digraph
    require_right(digraph6(n, arcs), n, arcs, closed, True)


def test_all_digraphs_of_up_to_three_vertices() -> None:
    for n in (1, 2, 3):
        for arcs in all_digraphs(n):
            for closed in (True, False):
                require_right(digraph6(n, arcs), n, arcs, closed, True)


def test_connected_graphs_with_a_cycle_are_as_many_as_published() -> None:
    """A003216 of the OEIS; the atlas of networkx has all graphs of up to 7 vertices (Read and Wilson 1998)."""
    counts = dict.fromkeys(range(1, 8), 0)
    atlas = nx.graph_atlas_g()[1:]
    decided = decide(block_of(*map(graph6, atlas)))
    for network, status in zip(atlas, decided.statuses.tolist(), strict=True):
        counts[len(network)] += status
    assert list(counts.values()) == [0, 0, 1, 3, 8, 48, 383]


LINES = {frozenset((line + shift) % 7 for line in (0, 1, 3)) for shift in range(7)}
TRIPLES = [frozenset(triple) for triple in combinations(range(7), 3) if frozenset(triple) not in LINES]
COXETER = nx.Graph((u, v) for u, v in combinations(range(28), 2) if not TRIPLES[u] & TRIPLES[v])
"""Triples of seven points that are no line of the Fano plane; disjoint ones are neighbours."""
KNOWN = {
    "Petersen": (nx.petersen_graph(), False, True),
    "Tutte": (nx.tutte_graph(), False, True),
    "dodecahedron": (nx.dodecahedral_graph(), True, True),
    "Coxeter": (COXETER, False, True),
    "cube of six dimensions": (nx.convert_node_labels_to_integers(nx.hypercube_graph(6)), True, True),
    "64 in a cycle": (nx.cycle_graph(64), True, True),
    "64 in a path": (nx.path_graph(64), False, True),
    "star": (nx.star_graph(63), False, False),
    "complete": (nx.complete_graph(64), True, True),
    "unequal classes": (nx.complete_bipartite_graph(7, 8), False, True),
    "more unequal classes": (nx.complete_bipartite_graph(6, 8), False, False),
}


@pytest.mark.parametrize("name", KNOWN)
def test_graphs_with_known_answers(name: str) -> None:
    network, cycle, path = KNOWN[name]
    for closed, expected in ((True, cycle), (False, path)):
        decided = decide(block_of(graph6(network)), closed=closed)
        assert decided.statuses[0] == (FEASIBLE if expected else INFEASIBLE), closed
        if expected:
            order = decided.orders[0, : len(network)].tolist()
            assert is_tour(order, len(network), both_ways(network), closed=closed)


def test_a_budget_or_a_stop_leaves_graphs_unknown() -> None:
    block = block_of(graph6(nx.tutte_graph()), "Bw")
    assert decide(block, budget=50).statuses.tolist() == [UNKNOWN, FEASIBLE]
    assert decide(block, budget=0).statuses.tolist() == [UNKNOWN, UNKNOWN]
    stopped = decide(block, stop=np.ones(1, dtype=np.int64))
    assert stopped.done == 0 and stopped.statuses.tolist() == [UNKNOWN, UNKNOWN]


@given(networks, st.data())
def test_the_verifier_refuses_every_order_that_is_no_tour(network: nx.Graph, data: st.DataObject) -> None:
    n = len(network)
    order = data.draw(st.one_of(st.permutations(range(n)), st.lists(st.integers(0, 70), min_size=n, max_size=n)))
    closed = data.draw(st.booleans())
    block = block_of("Bw", graph6(network))
    orders = np.zeros((2, 64), dtype=np.uint8)
    orders[0, :3], orders[1, :n] = [2, 0, 1], order
    right = is_tour(order, n, both_ways(network), closed=closed) and (n > 2 or not closed)
    statuses = np.ones(2, dtype=np.uint8)
    assert verify.first_wrong(block.records, block.rows, statuses, orders, closed) == (-1 if right else 1)


def test_the_verifier_knows_directions() -> None:
    block = block_of(digraph6(3, frozenset({(0, 1), (1, 2), (2, 0)})), digraph6(2, frozenset({(0, 1), (1, 0)})))
    orders = np.zeros((2, 64), dtype=np.uint8)
    orders[0, :3], orders[1, :2] = [0, 1, 2], [1, 0]
    both = np.ones(2, dtype=np.uint8)
    assert verify.first_wrong(block.records, block.rows, both, orders, True) == -1
    orders[0, :3] = [0, 2, 1]
    assert verify.first_wrong(block.records, block.rows, both, orders, True) == 0


def test_a_wrong_search_shows_no_cycle(monkeypatch: pytest.MonkeyPatch) -> None:
    from heuristics.small_graphs import decide as module

    def forged(
        records: np.ndarray, rows: object, closed: bool, budget: int, statuses: np.ndarray, *rest: object
    ) -> int:
        statuses[:] = FEASIBLE
        rest[0][:] = 0  # type: ignore[index]
        return len(records)

    forged.machine_code = True  # type: ignore[attr-defined]
    monkeypatch.setattr(module, "_decide", forged)
    with pytest.raises(KTError, match="internal error"):
        decide(block_of("Bw"))


def test_sets_of_bits() -> None:
    for vertex in range(64):
        for more in (0, 1 << 63, (1 << 63) - (1 << vertex) if vertex < 63 else 0):
            word = np.uint64((1 << vertex) | (more >> vertex << vertex))
            assert bit_sets.least.interpreted(word) == vertex
    assert [int(bit_sets.first.interpreted(n)) for n in (1, 2, 63, 64)] == [1, 3, 2**63 - 1, 2**64 - 1]
