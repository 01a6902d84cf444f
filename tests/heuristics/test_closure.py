"""Cycles by the closure: against brute force on small graphs, and on dense ones through `solve`."""

from __future__ import annotations

from itertools import combinations
from math import inf

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from encoders import solve
from encoders.cpsat import MAX_MODEL_EDGES
from encoders.sat.search import MAX_EDGES
from encoders.stages import start
from encoders.work.run import Run
from heuristics.closure import closure_cycle
from kt_models import MoveGraph, Problem, Tour
from kt_models.limits import Limits
from tests.effort import slow_rows

PAIRS = list(combinations(range(7), 2))


def closed_up(graph: nx.Graph) -> nx.Graph:
    """The closure, by its definition."""
    graph = graph.copy()
    while new := [(u, v) for u, v in nx.non_edges(graph) if graph.degree(u) + graph.degree(v) >= len(graph)]:
        graph.add_edge(*new[0])
    return graph


@given(st.sets(st.sampled_from(PAIRS), min_size=9))
def test_closure_gives_a_cycle_exactly_if_it_is_complete(pairs: set[tuple[int, int]]) -> None:
    graph = nx.Graph(sorted(pairs))
    graph.add_nodes_from(range(7))
    order = closure_cycle(7, np.array(sorted(pairs), dtype=np.int64))
    assert (order is not None) is (closed_up(graph).number_of_edges() == len(PAIRS))
    if order is not None:
        assert sorted(order.tolist()) == list(range(7))
        assert all(graph.has_edge(u, v) for u, v in zip(order, np.roll(order, 1), strict=True))


@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
@pytest.mark.parametrize(("n", "share"), [(3, 1.0), (40, 0.6), (300, 1.0), *slow_rows([(300, 0.5), (1000, 1.0)])])
def test_dense_graphs_are_solved_by_it(n: int, share: float, closed: bool) -> None:
    table = np.triu(np.random.default_rng(1).random((n, n)) < share, 1)
    problem = Problem(MoveGraph.from_edges(n, np.argwhere(table), "dense"), "cycle" if closed else "path")
    result = solve(problem)
    assert isinstance(result.tour, Tour) and result.tour.closed is closed
    assert result.engine == "closure"


def test_an_engine_that_is_too_small_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The complete bipartite graph on 6 and 6 vertices, without heuristics and with no room for SAT."""
    monkeypatch.setattr("encoders.sat.search.MAX_EDGES", 10)
    problem = Problem(MoveGraph.from_networkx(nx.complete_bipartite_graph(6, 6))[0])
    assert solve(problem, hint=False).status == "feasible"


def test_the_search_is_waited_for_where_no_engine_takes_the_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    """With an engine it may be late; the engines' limit is that of SAT, the largest of any."""
    assert start.MAX_ENGINE_EDGES == MAX_EDGES >= MAX_MODEL_EDGES
    problem = Problem(MoveGraph.from_networkx(nx.complete_bipartite_graph(6, 6))[0])
    run = Run.of(problem, Limits(workers=2))
    assert start.patience(problem, run) < inf
    monkeypatch.setattr(start, "MAX_ENGINE_EDGES", 35)
    assert start.patience(problem, run) == inf
