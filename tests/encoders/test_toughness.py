"""Vertex sets that leave too many pieces: against all sets of small graphs, and on graphs in which they are planted."""

from __future__ import annotations

import random
from itertools import combinations, permutations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.peers.not_tough import FAMILIES
from encoders import solve
from encoders.lp import toughness
from encoders.lp.toughness import Dual, too_many_pieces
from heuristics.toughness import (
    MAX_CLUSTER,
    Climber,
    _put_back,
    _remove_joints,
    by_degree,
    clusters,
    shares_out,
    trimmed,
)
from kt_models import MoveGraph, Problem
from kt_models.kernel.certificates import check
from kt_models.limits import Limits

PAIRS = list(combinations(range(8), 2))


def excess(graph: nx.Graph, removed: set[int]) -> int:
    """Pieces that are left, less the vertices that were removed."""
    return nx.number_connected_components(graph.subgraph(set(graph) - removed)) - len(removed)


def has_cycle(graph: nx.Graph) -> bool:
    """Whether a graph has a Hamiltonian cycle, by trying all orders."""
    orders = ((0, *rest, 0) for rest in permutations(range(1, len(graph))))
    return any(nx.is_path(graph, order) for order in orders)


@given(st.sets(st.sampled_from(PAIRS), min_size=8), st.sets(st.integers(0, 7), max_size=5))
def test_against_all_sets_of_small_graphs(pairs: set[tuple[int, int]], some: set[int]) -> None:
    graph = nx.Graph(sorted(pairs))
    graph.add_nodes_from(range(8))
    ends = np.array(sorted(pairs), dtype=np.int64)
    most = max(excess(graph, set(s)) for k in range(1, 5) for s in combinations(range(8), k))
    removed, figure = trimmed(8, ends, np.array(sorted(some), dtype=np.int64))
    assert figure == excess(graph, set(removed.tolist())) >= excess(graph, some) and set(removed.tolist()) <= some
    for found in [*by_degree(8, ends), too_many_pieces(8, ends, Limits())]:
        if isinstance(found, Dual):
            assert not has_cycle(graph)
        else:
            assert found is None or 0 < excess(graph, set(found.tolist())) <= most


@given(st.sets(st.sampled_from(PAIRS), min_size=8), st.sets(st.integers(0, 7), max_size=6), st.integers(0, 3))
def test_steps_of_the_search(pairs: set[tuple[int, int]], some: set[int], most: int) -> None:
    """What is put back is adjacent to few pieces at that moment, and what is removed cuts its piece into many."""
    graph = nx.Graph(sorted(pairs))
    graph.add_nodes_from(range(8))
    climber = Climber(8, np.array(sorted(pairs), dtype=np.int64))

    def pieces(removed: set[int]) -> list[set[int]]:
        return list(nx.connected_components(graph.subgraph(set(graph) - removed)))

    left = np.array([v not in some for v in range(8)])
    count = _put_back(climber.begin, climber.near, left, most)
    removed = set(some)
    for v in sorted(some):  # One after the other
        if sum(bool(piece & set(graph[v])) for piece in pieces(removed)) <= most:
            removed.remove(v)
    assert removed == set(np.flatnonzero(~left).tolist()) and count == len(pieces(removed))
    joints = {v for v in set(graph) - removed if len(pieces(removed | {v})) > len(pieces(removed)) + 1}
    _remove_joints(climber.begin, climber.near, left)
    assert set(np.flatnonzero(~left).tolist()) == removed | joints


@given(st.sets(st.sampled_from(PAIRS), min_size=8), st.lists(st.sets(st.integers(0, 7), min_size=1), max_size=3))
def test_shares_of_edges_out(pairs: set[tuple[int, int]], sets: list[set[int]]) -> None:
    graph = nx.Graph(sorted(pairs))
    graph.add_nodes_from(range(8))
    sides = [some if len(some) <= 4 else set(graph) - some for some in sets]
    shares = shares_out(8, np.array(sorted(pairs), dtype=np.int64), [np.array(sorted(some)) for some in sets])
    for v, share in enumerate(shares.tolist()):
        around = [len(set(graph[v]) - side) / len(graph[v]) for side in sides if v in side and graph[v]]
        assert share == pytest.approx(sum(around) / len(around) if around else 1)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("family", ["glued", "small parts"])
def test_most_planted_sets_are_found_without_a_linear_program(
    family: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toughness, "LinearProgram", None)
    rng = random.Random(seed)
    n, edges = FAMILIES[family](rng.randint(100, 200), rng)
    removed = too_many_pieces(n, np.array(sorted(edges), dtype=np.int64), Limits())
    assert isinstance(removed, np.ndarray) and excess(nx.Graph(sorted(edges)), set(removed.tolist())) > 0


@given(st.sets(st.sampled_from(PAIRS), min_size=8))
def test_clusters_are_connected_and_each_vertex_on_their_rim_would_raise_their_edges_out(
    pairs: set[tuple[int, int]],
) -> None:
    graph = nx.Graph(sorted(pairs))
    graph.add_nodes_from(range(8))
    for cluster in clusters(8, np.array(sorted(pairs), dtype=np.int64), Limits()):
        assert 2 <= len(cluster) <= MAX_CLUSTER and nx.is_connected(graph.subgraph(cluster))
        leaving = nx.cut_size(graph, cluster)
        rim = nx.node_boundary(graph, cluster)
        assert rim and all(nx.cut_size(graph, cluster | {v}) > leaving for v in rim)


def test_most_small_pieces_are_clusters() -> None:
    rng = random.Random(1)
    n, edges = FAMILIES["small parts"](600, rng)
    ends = np.array(sorted(edges), dtype=np.int64)
    removed = too_many_pieces(n, ends, Limits())
    assert isinstance(removed, np.ndarray)
    pieces = list(nx.connected_components(nx.Graph(sorted(edges)).subgraph(set(range(n)) - set(removed.tolist()))))
    grown = clusters(n, ends, Limits())
    assert sum(frozenset(piece) in grown for piece in pieces) > 0.8 * len(pieces)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("family", ["glued", "planted", "small parts"])
def test_planted_sets_are_found_and_certified(family: str, seed: int) -> None:
    rng = random.Random(seed)
    n, edges = FAMILIES[family](rng.randint(60, 150), rng)
    graph = nx.Graph(sorted(edges))
    assert min(dict(graph.degree).values()) >= 3 and nx.is_connected(graph)
    result = solve(Problem(MoveGraph.from_edges(n, sorted(edges), family)))
    assert result.status == "infeasible" and result.certificate is not None and result.certificate.method == "cut"
    assert check(result.certificate)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("family", ["fractional", "2-factors"])
def test_tough_graphs_are_ruled_out_by_their_relaxation(family: str, seed: int) -> None:
    rng = random.Random(seed)
    n, edges = FAMILIES[family](80, rng)
    graph = nx.Graph(sorted(edges))
    assert min(dict(graph.degree).values()) >= 3 and nx.is_connected(graph)
    found = too_many_pieces(n, np.array(sorted(edges), dtype=np.int64), Limits())
    result = solve(Problem(MoveGraph.from_edges(n, sorted(edges), family)))
    assert result.status == "infeasible"
    assert not isinstance(found, Dual) or (result.certificate is not None and check(result.certificate))


@pytest.mark.parametrize("seed", range(3))
def test_open_tours_and_required_moves(seed: int) -> None:
    """An open tour may leave one piece more; a move that has to be used is passed like a vertex."""
    rng = random.Random(seed)
    n, edges = FAMILIES["small parts"](80, rng)
    graph = MoveGraph.from_edges(n, sorted(edges), "small parts")
    closed = Problem(graph, required=frozenset({0}))
    opened = Problem(graph, "path", terminals=(0, 1))
    for problem in (closed, opened):
        result = solve(problem, limits=Limits(20))
        assert result.status in ("infeasible", "feasible")
        assert problem is opened or result.status == "infeasible"
        assert result.certificate is None or check(result.certificate)
