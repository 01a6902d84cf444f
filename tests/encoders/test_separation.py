"""Sets of vertices that hardly anything leaves, against a library's minimum cuts."""

from __future__ import annotations

import random

import networkx
import pytest

from encoders.lp.separation import hardly_left
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
