"""Edge deletion: complete under every choice of rules, never a wrong tour, no rule discards a state that has a tour."""

from __future__ import annotations

import itertools
import threading

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heuristics.papers.large_boards.edge_deletion import edge_deletion
from heuristics.papers.large_boards.edge_deletion.deletion import fresh_state
from heuristics.papers.large_boards.edge_deletion.islands import is_tough
from heuristics.papers.large_boards.edge_deletion.names import COUNTERS, RULES
from heuristics.papers.large_boards.edge_deletion.search import luby
from heuristics.papers.large_boards.edge_deletion.walk import EXHAUSTED, FOUND, DeletionSearch
from heuristics.searches.merge import merge
from heuristics.simple_graph import simple_graph_of
from kt_models import Leaper, MoveGraph, Problem, graph_of
from kt_models.errors import KTError
from kt_models.limits import Limits
from kt_models.problem import solution_edges
from research.every_tour import every_tour
from tests import brute
from tests.effort import part_of, slow
from tests.strategies import small_graphs

PROPERTY = settings(max_examples=part_of(80), deadline=None, suppress_health_check=[HealthCheck.too_slow])

rule_sets = st.sets(st.sampled_from(RULES)).map(lambda rules: ",".join(sorted(rules)))


def keys(tours) -> list[frozenset[int]]:
    return [frozenset(tour.edges.tolist()) for tour in tours]


def brute_edges(problem: Problem) -> set[frozenset[int]]:
    """The edge sets of all solutions, from the enumeration in tests/brute.py."""
    graph, closed = problem.graph, problem.closed
    orders = brute.cycles(graph) if closed else brute.paths(graph)
    return {
        edges
        for order in orders
        if set(problem.terminals) <= {order[0], order[-1]}
        and problem.required <= (edges := brute.edge_set(graph, order, closed))
        and not problem.forbidden & edges
    }


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """A cycle or path problem on a small graph, with given ends, required and forbidden edges."""
    graph = draw(small_graphs(most=8).filter(lambda graph: graph.n >= 2))
    closed = draw(st.booleans())
    edge = st.integers(0, graph.m - 1) if graph.m else st.nothing()
    some = st.frozensets(edge, max_size=2) if graph.m else st.just(frozenset())
    ends = draw(st.lists(st.integers(0, graph.n - 1), unique=True, max_size=2)) if not closed else []
    return Problem(
        graph,
        "cycle" if closed else "path",
        terminals=tuple(ends),
        required=draw(some),
        forbidden=draw(some) if draw(st.booleans()) else frozenset(),
    )


# -- complete ----------------------------------------------------------------------------------------------------------


@PROPERTY
@given(problems(), rule_sets, st.integers(0, 5), st.sampled_from(["random", "uniform"]), st.integers(1, 2))
def test_every_tour_once_whatever_the_rules(
    problem: Problem, without: str, seed: int, order: str, toughness: int
) -> None:
    found = keys(every_tour(problem, without=without, seed=seed, order=order, toughness=toughness))
    assert len(found) == len(set(found))
    assert set(found) == brute_edges(problem)


@PROPERTY
@given(problems(), rule_sets, st.integers(1, 3), st.sampled_from([0.0, 0.1, 1.5]), st.floats(0, 1))
def test_the_answer_is_right(problem: Problem, without: str, orders: int, patience: float, alone: float) -> None:
    outcome = edge_deletion(problem, without=without, orders=orders, patience=patience, sequential=alone)
    assert (outcome.tour is not None) == bool(brute_edges(problem))
    assert (outcome.status == "infeasible") == (outcome.tour is None)
    if outcome.tour is not None:
        solution_edges(problem, outcome.tour)


@pytest.mark.parametrize(
    "without",
    [
        "",
        pytest.param("parity", marks=pytest.mark.slow),
        "parity,bridgeless,balance,two-factor,toughness",
        *slow(rule for rule in RULES if rule != "parity"),
    ],
)
def test_all_tours_of_6x6_are_found_whichever_rules_are_off(without: str) -> None:
    graph = graph_of("6x6")
    instance = simple_graph_of(Problem(graph))
    assert instance is not None
    walk = DeletionSearch(
        graph, np.arange(2 * graph.m), 0, instance.colour, frozenset(RULES) - set(without.split(",")), 300
    )
    count = 0
    while (status := walk.run(10**9)) != EXHAUSTED:
        count += status == FOUND
    assert count == 9862


@pytest.mark.slow
def test_counts_with_up_to_four_rules_off() -> None:
    for size in range(5):
        for off in itertools.combinations(RULES, size):
            if {"deletion", "terminal", "three-way"} <= set(off):
                continue  # Little is left to prune: minutes each
            for board, count in (("5x6", 8), ("3x10", 16)):
                assert sum(1 for _ in every_tour(Problem(graph_of(board)), without=",".join(off))) == count


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize(
    "board", ["12x12", pytest.param("20x20", marks=pytest.mark.slow), "aztec:12", "6x40", "torus:9x9", "4x4x4"]
)
def test_no_rule_discards_a_known_tour(board: str, closed: bool) -> None:
    """A visit order that follows a tour leads to it without a single step back, whatever islands it leaves behind."""
    problem = Problem(graph_of(board), "cycle" if closed else "path")
    tour = merge(problem).tour
    assert tour is not None
    order = tour.order.tolist()
    if not closed:
        problem = Problem(graph_of(board), "path", terminals=(order[0], order[-1]))
    instance = simple_graph_of(problem)
    assert instance is not None
    graph = instance.graph
    while len(order) < graph.n:  # On from its end through the auxiliary vertices, which then have two neighbours each
        near = graph.neighbours[graph.indptr[order[-1]] : graph.indptr[order[-1] + 1]]
        order.append(next(int(v) for v in near if v >= problem.graph.n and v not in order))
    rank = np.empty(graph.n, dtype=np.int64)
    rank[order] = np.arange(graph.n)
    owner = np.repeat(np.arange(graph.n), graph.degrees)
    visit = np.lexsort(((rank[graph.neighbours] - rank[owner]) % graph.n, owner))
    walk = DeletionSearch(graph, visit, order[0], instance.colour, frozenset(RULES), graph.n)
    assert walk.run(10**9) == FOUND
    counts = dict(zip(COUNTERS, walk.counts.tolist(), strict=True))
    assert counts["backtracks"] == 0 and counts["islands"] > 0
    assert np.array_equal(walk.path, order)


# -- boards ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("board", ["8x8", "20x20", "48x48", "aztec:8", "torus:8x9", "torus:7x7", "4x4x4", "3x30"])
def test_random_orders_find_closed_tours(board: str, seed: int) -> None:
    outcome = edge_deletion(Problem(graph_of(board)), limits=Limits(seed=seed))
    assert outcome.tour is not None and outcome.tour.closed


def test_given_ends_start_and_other_leapers() -> None:
    graph = graph_of("10x10")
    ends = (graph.find("a1"), graph.find("j9"))
    tour = edge_deletion(Problem(graph, "path", terminals=ends)).tour
    assert tour is not None and tour.order[0] == ends[0] and tour.order[-1] == ends[1]
    assert edge_deletion(Problem(graph), origin="e5").tour is not None
    assert edge_deletion(Problem(graph_of("10x10", Leaper(1, 4))), order="uniform").tour is not None
    assert edge_deletion(Problem(graph_of("7x7"), "path"), order="1,2 2,1").tour is not None


def test_toughness_and_two_factor_without_colours() -> None:
    bow = MoveGraph.from_edges(
        5, [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (2, 4)]
    )  # An articulation vertex, odd cycles
    assert edge_deletion(Problem(bow)).status == "infeasible"
    assert edge_deletion(Problem(bow, "path")).tour is not None


@PROPERTY
@given(small_graphs(most=8).filter(lambda graph: graph.n >= 3))
def test_toughness_of_one_and_two_vertices(graph: MoveGraph) -> None:
    def parts(*without: int) -> int:
        return nx.number_connected_components(nx.subgraph_view(whole, filter_node=lambda v: v not in without))

    whole = nx.Graph(graph.ends.tolist())
    whole.add_nodes_from(range(graph.n))
    rows, scratch = (graph.indptr, graph.neighbours, graph.incident), np.empty((5, graph.n), dtype=np.int64)
    state = fresh_state(graph.degrees, graph.m)
    alone = [parts(v) <= 1 for v in range(graph.n)]
    assert is_tough(*rows, state, -1, scratch) == all([parts() == 1, *alone])
    for v in range(graph.n):
        expected = alone[v] and all(parts(v, w) <= 2 for w in range(graph.n) if w != v)
        assert is_tough(*rows, state, v, scratch) == expected


def test_three_parts_at_two_vertices() -> None:
    """Each part is well connected, so a search that sees single vertices alone has much to try."""
    parts = [range(2 + 6 * part, 8 + 6 * part) for part in range(3)]
    inside = [edge for part in parts for edge in itertools.combinations(part, 2) if sum(edge) % 3]
    problem = Problem(MoveGraph.from_edges(20, [*inside, *((u, v) for u in (0, 1) for part in parts for v in part)]))
    first, second = (edge_deletion(problem, limits=Limits(workers=1), toughness=k, patience=0) for k in (1, 2))
    assert first.status == second.status == "infeasible"
    assert first.statistics["nodes"] > 1000 and second.statistics["nodes"] == 0 and second.statistics["pairs"] == 1


# -- limits ------------------------------------------------------------------------------------------------------------


def test_the_seed_decides() -> None:
    problem = Problem(graph_of("32x32"))
    first, second, other = (
        edge_deletion(problem, order="random", limits=Limits(seed=seed, workers=1), orders=3) for seed in (4, 4, 5)
    )
    assert first.tour is not None and second.tour is not None and other.tour is not None
    assert np.array_equal(first.tour.order, second.tour.order) and first.statistics == second.statistics
    assert not np.array_equal(first.tour.order, other.tour.order)


def test_every_core_has_an_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heuristics.papers.large_boards.edge_deletion.search.usable_cores", lambda: 3)
    assert edge_deletion(Problem(graph_of("8x8"))).statistics["orders"] == 3
    assert edge_deletion(Problem(graph_of("8x8")), limits=Limits(workers=1)).statistics["orders"] == 1
    assert edge_deletion(Problem(graph_of("7x7"), "path"), order="1,2 2,1").statistics["orders"] == 1


def test_a_limit_or_a_stop_is_no_proof() -> None:
    problem = Problem(graph_of("160x160"))
    outcome = edge_deletion(problem, limits=Limits(0.1))
    assert outcome.status != "infeasible"
    stop = threading.Event()
    stop.set()
    outcome = edge_deletion(problem, limits=Limits(stop=stop, workers=2))
    assert outcome.tour is None and outcome.status != "infeasible"


@pytest.mark.parametrize(
    "wrong",
    [
        *({"without": "magic"}, {"order": "sideways"}, {"order": "1,1"}, {"orders": 0}),
        *({"sequential": 2.0}, {"patience": -1.0}, {"origin": "z9"}, {"island_limit": -1}, {"toughness": 3}),
    ],
)
def test_wrong_parameters_are_refused(wrong) -> None:
    with pytest.raises(KTError):
        edge_deletion(Problem(graph_of("8x8")), **wrong)
    with pytest.raises(KTError):
        edge_deletion(Problem(graph_of("8x8"), "path"), origin="a1")


def test_luby_gives_lubys_sequence() -> None:
    assert [luby(i) for i in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
