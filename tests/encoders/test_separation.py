"""Sets of vertices that hardly anything leaves, against a library's minimum cuts."""

from __future__ import annotations

import random

import networkx
import numpy as np
import pytest

from encoders.lp.minimum_cuts import Support, cut_sets
from encoders.lp.separation import hardly_left
from kt_models import MoveGraph, Problem
from tests.effort import part_of


@pytest.mark.parametrize("seed", range(part_of(40)))
def test_sets_are_found_where_there_are_any(seed: int) -> None:
    rng = random.Random(seed)
    n = rng.randint(3, 30)
    graph: networkx.Graph = networkx.cycle_graph(n)
    graph.add_edges_from(rng.sample(range(n), 2) for _ in range(rng.randint(0, 2 * n)))
    for _, _, data in graph.edges(data=True):
        data["weight"] = rng.choice([0.25, 0.5, 1.0])
    least, _ = networkx.stoer_wagner(graph)
    for enough in (least - 0.01, least + 0.01, 2 * least):
        joined = {u: {v: data["weight"] for v, data in graph[u].items()} for u in graph}
        parts = list(hardly_left(joined, enough))
        assert (not parts) == (enough < least)
        for part in parts:
            assert 0 < len(part) < n and networkx.cut_size(graph, part, weight="weight") < enough


def random_two_factor(rng: random.Random, n: int) -> list[tuple[int, int]]:
    """Cycles through all of n vertices, each of at least three."""
    order, edges = rng.sample(range(n), n), []
    while order:
        size = len(order) if len(order) < 6 else rng.choice([3, 4, len(order) - 3, len(order)])
        cycle, order = order[:size], order[size:]
        edges += [(min(u, v), max(u, v)) for u, v in zip(cycle, cycle[1:] + cycle[:1], strict=True)]
    return edges


@pytest.mark.parametrize("seed", range(part_of(60)))
def test_cut_sets_are_found_in_mixtures_of_two_factors(seed: int) -> None:
    """Two edges in all are at each vertex, many of them whole, as in solutions of linear programs."""
    rng = random.Random(seed)
    n, parts = rng.randint(6, 24), rng.choice([1, 2, 2, 3, 4])
    first = random_two_factor(rng, n)
    shares: dict[tuple[int, int], float] = {}
    for part in range(parts):
        for pair in first if rng.random() < 0.5 or not part else random_two_factor(rng, n):
            shares[pair] = shares.get(pair, 0.0) + 1 / parts
    graph = networkx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_weighted_edges_from((u, v, share) for (u, v), share in shares.items())
    moves = MoveGraph.from_edges(n, np.array(sorted(shares), dtype=np.int32))
    values = np.array([shares[u, v] for u, v in map(tuple, np.sort(moves.ends, axis=1).tolist())])
    connected = networkx.is_connected(graph)
    least = networkx.stoer_wagner(graph)[0] if connected else 0.0
    found = cut_sets(Support(Problem(moves), np.arange(moves.m), values, np.zeros(n)))
    assert bool(found) == (least < 2 - 1e-2)
    for cut in found:
        assert networkx.cut_size(graph, cut.vertices, weight="weight") < 2 - 1e-4
