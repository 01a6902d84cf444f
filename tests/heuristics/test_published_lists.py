"""The compiled searches on whole lists of nauty's geng: against brute force, other programs, and published numbers.

Numbers with A are sequences of the OEIS. The tests are slow, and left out where nauty is not installed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from encoders.solve import solve
from heuristics.small_graphs.answers import counts_of, property_of
from heuristics.small_graphs.decide import decide
from kt_models.files.graph_lists.block import SIZE, GraphBlock
from kt_models.files.graph_lists.codes import code_blocks
from kt_models.graph import MoveGraph
from kt_models.limits import Limits
from kt_models.problem import Problem
from tests.small_graphs import Arcs, graph6, tours

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (shutil.which("geng") or shutil.which("nauty-geng")), reason="nauty is not installed"),
]


def nauty(program: str, *arguments: str, text: bytes = b"") -> bytes:
    """The output of one of nauty's programs."""
    path = shutil.which(program) or shutil.which(f"nauty-{program}")
    assert path is not None
    return subprocess.run([path, *arguments], input=text, capture_output=True, check=True).stdout


def geng(*arguments: str) -> bytes:
    return nauty("geng", "-q", *arguments)


def graphs_of(block: GraphBlock) -> Iterator[tuple[int, Arcs]]:
    """Each graph of a block as pairs of vertices."""
    for row, record in enumerate(block.records):
        near = [int(word) for word in block.neighbours(row)]
        yield len(near), frozenset((u, v) for u in range(len(near)) for v in range(len(near)) if near[u] >> v & 1)
        assert record[SIZE] == len(near)


def require_brute_force(data: bytes, closed: bool, directed: bool = False) -> int:
    """Every decision is that of brute force; return how many there were."""
    count = 0
    for block in code_blocks([data]):
        statuses = decide(block, closed=closed).statuses.tolist()
        for (n, arcs), status in zip(graphs_of(block), statuses, strict=True):
            expected = any(True for _ in tours(n, arcs, closed=closed, directed=directed))
            assert status == int(expected), (n, sorted(arcs), closed)
            count += 1
    return count


@pytest.mark.parametrize("closed", [True, False])
def test_all_graphs_of_8_vertices_are_decided_as_brute_force_does(closed: bool) -> None:
    assert require_brute_force(geng("8"), closed) == 12_346


@pytest.mark.parametrize("closed", [True, False])
def test_all_digraphs_of_up_to_5_vertices_are_decided_as_brute_force_does(closed: bool) -> None:
    """A000273 has 3, 16, 218 and 9,608 of them."""
    for n, count in ((2, 3), (3, 16), (4, 218), (5, 9608)):
        assert require_brute_force(nauty("directg", "-q", text=geng(str(n))), closed, directed=True) == count


@pytest.mark.parametrize(("n", "count"), [(4, 1), (6, 2), (8, 5), (10, 19), (12, 85), (14, 509), (16, 4060)])
def test_all_cubic_graphs_are_decided_as_brute_force_does(n: int, count: int) -> None:
    assert require_brute_force(geng("-c", "-d3", "-D3", str(n)), True) == count


def test_cubic_graphs_of_18_vertices_are_decided_as_by_cubhamg() -> None:
    """nauty's own program for cubic graphs prints those without a cycle."""
    data = geng("-c", "-d3", "-D3", "18")
    others = nauty("cubhamg", text=data).split()
    chosen = []
    for block in code_blocks([data]):
        rows = np.flatnonzero(decide(block).statuses == 0)
        chosen += [block.original(row) for row in rows.tolist()]
    assert len(chosen) == 1666 and sorted(chosen) == sorted(others)


def test_cycles_of_cubic_graphs_are_as_many_as_by_cubhamg() -> None:
    data = geng("-c", "-d3", "-D3", "14")
    path = shutil.which("cubhamg") or shutil.which("nauty-cubhamg")
    words = subprocess.run([str(path), "-c"], input=data, capture_output=True, check=True).stderr.decode()
    others = [int(re.search(rf"{name}=(\d+)", words)[1]) for name in ("mincycles", "maxcycles", "total cycles")]  # type: ignore[index]
    counts = [number for block in code_blocks([data]) for number in counts_of(block)[0].tolist()]
    assert len(counts) == 509 and [min(counts), max(counts), sum(counts)] == others


@pytest.mark.parametrize("n", range(20, 65, 4))
def test_random_graphs_of_up_to_64_vertices_are_decided_as_by_the_solvers(n: int) -> None:
    """Sparse ones, about half of which have a cycle, and bipartite ones."""
    made = [nx.gnp_random_graph(n, (np.log(n) + 1.5) / n, seed) for seed in range(6)]
    made += [nx.random_regular_graph(3, n, seed) for seed in range(3)]
    made += [nx.bipartite.random_graph(n // 2, n - n // 2, 6 / n, seed) for seed in range(3)]
    for network in made:
        network = nx.convert_node_labels_to_integers(network)
        (block,) = code_blocks([graph6(network).encode()])
        status = int(decide(block).statuses[0])
        graph = MoveGraph.from_edges(n, list(network.edges), "graph")
        answer = solve(Problem(graph, "cycle"), limits=Limits(workers=1)).status
        assert status == 2 or answer == ("infeasible", "feasible")[status]


@pytest.mark.parametrize(("n", "count"), [(3, 1), (4, 3), (5, 8), (6, 48), (7, 383), (8, 6196), (9, 177_083)])
def test_connected_graphs_with_a_cycle(n: int, count: int) -> None:
    """A003216."""
    assert sum(int((decide(block).statuses == 1).sum()) for block in code_blocks([geng("-c", str(n))])) == count


@pytest.mark.parametrize(("n", "count"), [(3, 1), (4, 2), (5, 3), (6, 12), (7, 49), (8, 482), (9, 6380)])
def test_uniquely_hamiltonian_graphs(n: int, count: int) -> None:
    """By the counts of brute force up to 7 vertices; beyond that, as kt counted them in November 2026."""
    found = 0
    for block in code_blocks([geng("-c", str(n))]):
        counts = counts_of(block)[0]
        found += int((counts == 1).sum())
        if n <= 7:
            for (size, arcs), number in zip(graphs_of(block), counts.tolist(), strict=True):
                assert len(list(tours(size, arcs, closed=True))) == number
    assert found == count


def test_the_hypohamiltonian_graphs_of_up_to_10_vertices() -> None:
    """None below 10, and the Petersen graph (Aldred, McKay and Wormald 1997)."""
    found = []
    for n in range(3, 11):
        for block in code_blocks([geng("-c", "-d3", str(n)) if n > 3 else b""]):
            rows = np.flatnonzero(property_of(block, "hypohamiltonian")[0] == 1)
            found += [nx.from_graph6_bytes(block.original(row)) for row in rows.tolist()]
    assert len(found) == 1 and nx.is_isomorphic(found[0], nx.petersen_graph())


def test_snarks_of_up_to_18_vertices_have_no_cycle(tmp_path: Path) -> None:
    """Cubic graphs of girth 5 or more without a cycle: one of 10 vertices and three of 18.

    Two of the latter are the snarks of Blanusa; the third has a cut of three edges. House of Graphs has 1, 0, 0, 0, 2
    snarks.
    """
    for n, count in ((10, 1), (12, 0), (14, 0), (16, 0), (18, 3)):
        snarks = without_cycle = 0
        for block in code_blocks([geng("-c", "-tf", "-d3", "-D3", str(n))]):
            for row in np.flatnonzero(decide(block).statuses == 0).tolist():
                without_cycle += 1
                snarks += not has_small_cut(nx.from_graph6_bytes(block.original(row)))
        assert (without_cycle, snarks) == (count, {10: 1, 18: 2}.get(n, 0)), n


def has_small_cut(network: nx.Graph) -> bool:
    """Whether three edges or fewer separate two cycles."""
    from itertools import combinations

    for size in (1, 2, 3):
        for edges in combinations(network.edges, size):
            rest = network.copy()
            rest.remove_edges_from(edges)
            parts = [rest.subgraph(part) for part in nx.connected_components(rest)]
            if len(parts) > 1 and all(part.number_of_edges() >= len(part) for part in parts):
                return True
    return False
