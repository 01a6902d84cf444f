"""Matchings and components in plain Python beside those of SciPy and networkx (`heuristics.graph_searches`)."""

import networkx
import numpy as np
import pytest

from heuristics import graph_searches
from heuristics.graph_searches import maximum_matching, neighbours, reached, smaller_colour_class, strong_components
from tests.effort import part_of


def random_arcs(rng: np.random.Generator) -> tuple[int, np.ndarray]:
    size = int(rng.integers(1, 12))
    there = rng.random((size, size)) < rng.choice([0.1, 0.2, 0.4])
    return size, np.argwhere(there)


@pytest.fixture(params=["small", "large"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to search, for graphs of any size."""
    monkeypatch.setattr(graph_searches, "MAX_PLAIN_ARCS", 10**6 if request.param == "small" else -1)


@pytest.mark.usefixtures("way")
def test_matchings_are_maximum() -> None:
    rng = np.random.default_rng(1)
    for _ in range(part_of(1000)):
        size, arcs = random_arcs(rng)
        partner = maximum_matching(size, arcs).tolist()
        pairs = {(u, w) for u, w in enumerate(partner) if w >= 0}
        assert pairs <= set(map(tuple, arcs.tolist()))
        assert len({w for _, w in pairs}) == len(pairs)
        double: networkx.Graph = networkx.Graph([(u, size + w) for u, w in arcs.tolist()])
        known = networkx.bipartite.hopcroft_karp_matching(double, set(arcs[:, 0].tolist()))
        assert 2 * len(pairs) == len(known)


@pytest.mark.usefixtures("way")
def test_strong_components_are_those_of_networkx() -> None:
    rng = np.random.default_rng(2)
    for _ in range(part_of(1000)):
        size, arcs = random_arcs(rng)
        label = strong_components(size, arcs).tolist()
        plain: networkx.DiGraph = networkx.DiGraph(arcs.tolist())
        plain.add_nodes_from(range(size))
        known = {frozenset(part) for part in networkx.strongly_connected_components(plain)}
        found = {frozenset(np.flatnonzero(np.array(label) == part).tolist()) for part in set(label)}
        assert found == known
        assert sorted(set(label)) == list(range(len(known)))
        start = int(rng.integers(size))
        assert set(reached(neighbours(size, arcs), start)) == {start} | networkx.descendants(plain, start)


@pytest.mark.parametrize("seed", range(30))
def test_the_smaller_colour_is_that_of_networkx(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 12))
    graph = networkx.random_labeled_tree(n, seed=seed)
    for _ in range(int(rng.choice([0, 0, 1, 3]))):
        graph.add_edge(*rng.permutation(n)[:2].tolist())
    found = smaller_colour_class(n, np.array(graph.edges)).tolist()
    if not networkx.is_bipartite(graph):
        assert found == []
        return
    first, second = map(sorted, networkx.bipartite.sets(graph))
    assert found == ([] if len(first) == len(second) else min(first, second, key=len))
