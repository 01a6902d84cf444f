"""Directed graphs through every front door, against brute force."""

from __future__ import annotations

import random
from collections.abc import Iterator

import networkx as nx
import numpy as np
import pytest

import kt
from encoders.enumeration import enumerate_tours
from encoders.solve import solve
from heuristics.find import METHODS
from kt_models.runs.tour_task import TourTask
from kt_models.weights import Weights
from tests.brute_directed import Arc, all_digraphs, arcs_of, up_to_isomorphism, walks
from tests.effort import part_of, slow_rows

ENGINES = [("cpsat", "circuit"), ("cpsat", "cut-set")]
SLOW_ENGINES = [("sat", "cut-set"), ("sat", "lfsr")]


def digraph(n: int, arcs: set[Arc]) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(sorted(arcs))
    return graph


def turned(tour: kt.Tour) -> tuple[int, ...]:
    """The vertices of a tour, of a cycle from vertex 0 on."""
    vertices = tuple(tour)
    place = vertices.index(0) if tour.closed else 0
    return vertices[place:] + vertices[:place]


def agrees(problem: kt.Problem, expected: set[tuple[int, ...]]) -> None:
    """The answer, its check, the count and the list are what brute force says."""
    result = kt.solve(problem)
    assert result.status == ("feasible" if expected else "infeasible")
    if result.tour is not None:
        assert turned(result.tour) in expected
    kt.check(result)
    assert kt.count(problem) == len(expected)
    tours = [turned(tour) for tour in kt.tours(problem)]
    assert len(tours) == len(expected) and set(tours) == expected


def asked_at_random(seed: int) -> Iterator[tuple[kt.Problem, set[tuple[int, ...]]]]:
    """Problems with ends and arcs given, of up to seven vertices."""
    rng = random.Random(seed)
    for _ in range(part_of(60)):
        n, density, closed = rng.randint(1, 7), rng.random(), rng.random() < 0.5
        arcs = {(u, v) for u in range(n) for v in range(n) if u != v and rng.random() < density}
        start, end = (None, None) if closed else [rng.choice([None, rng.randrange(n)]) for _ in range(2)]
        end = None if start == end and n > 1 else end
        require, forbid = (
            frozenset(arc for arc in sorted(arcs) if rng.random() < rng.choice([0, 0.05, 0.1])) for _ in range(2)
        )
        conditions = {} if closed else {"open": True, "start": start, "end": end}
        problem = kt.problem(digraph(n, arcs), require=sorted(require), forbid=sorted(forbid), **conditions)
        yield problem, walks(n, arcs, closed, start, end, require, forbid)


@pytest.mark.parametrize(
    "closed", [pytest.param(True, id="cycles"), pytest.param(False, id="paths", marks=pytest.mark.slow)]
)
def test_every_small_digraph(closed: bool) -> None:
    """All of up to three vertices, and some of four; the slow test has one of each class."""
    chosen = [(n, arcs) for n in (1, 2, 3) for arcs in all_digraphs(n)]
    for n, arcs in [*chosen, *((4, arcs) for arcs in random.Random(4).sample(up_to_isomorphism(4), 30))]:
        agrees(kt.problem(digraph(n, arcs), open=not closed), walks(n, arcs, closed))


@pytest.mark.slow
@pytest.mark.parametrize("closed", [True, False], ids=["cycles", "paths"])
def test_every_digraph_of_four_vertices(closed: bool) -> None:
    for arcs in all_digraphs(4):
        agrees(kt.problem(digraph(4, arcs), open=not closed), walks(4, arcs, closed))


@pytest.mark.parametrize("seed", range(3))
def test_random_digraphs_with_conditions(seed: int) -> None:
    for problem, expected in asked_at_random(seed):
        agrees(problem, expected)


@pytest.mark.parametrize(("engine", "encoding"), [*ENGINES, *slow_rows(SLOW_ENGINES)], ids=str)
def test_each_engine_and_each_way_to_list(engine: str, encoding: str) -> None:
    for problem, expected in list(asked_at_random(10))[:12]:
        result = solve(problem, engine=engine, encoding=encoding, hint=False)
        assert result.status == ("feasible" if expected else "infeasible")
        assert result.tour is None or turned(result.tour) in expected
        listed = [turned(tour) for tour in enumerate_tours(TourTask(problem), engine="sat")]
        assert sorted(listed) == sorted(expected)


@pytest.mark.parametrize("method", sorted(name for name, row in METHODS.items() if row.priority))
def test_searches_find_directed_cycles(method: str) -> None:
    graph = nx.DiGraph(nx.cycle_graph(12, create_using=nx.DiGraph))
    graph.add_edges_from([(3, 1), (0, 5), (7, 2), (11, 4)])
    result = kt.find(graph, method, seed=3, time_limit=20)
    assert result.tour is not None and turned(result.tour) == tuple(range(12))


def test_reasons_speak_of_the_directed_graph() -> None:
    two_parts = nx.DiGraph([("a", "b"), ("b", "a"), ("b", "c"), ("c", "d"), ("d", "c")])
    hub = nx.DiGraph([("hub", leaf) for leaf in "xyz"] + [(leaf, "hub") for leaf in "xyz"])
    reasons = {
        "no arc leads to p": nx.DiGraph([("p", "q"), ("q", "r"), ("r", "q")]),
        "no arc leads from r": nx.DiGraph([("p", "q"), ("q", "p"), ("q", "r")]),
        "no arc leads into the part a, b": two_parts,
        "a cycle needs two vertices": nx.DiGraph([("p", "p")]),
        "without the arcs from hub and the arcs to hub, with the arcs to x, y kept apart": hub,
    }
    for reason, graph in reasons.items():
        result = kt.solve(graph)
        assert result.status == "infeasible" and result.certificate is not None
        assert reason in result.reason, result.reason
        assert "directed graph" in kt.check(result).text
    forbidden = kt.solve(nx.DiGraph([(0, 1), (1, 2), (2, 0), (1, 0)]), forbid=[(2, 0)])
    assert forbidden.status == "infeasible" and forbidden.reason == "no allowed arc leads from 2"


def test_the_smallest_cases() -> None:
    """A cycle has two vertices or more, and both arcs of two; a path of one vertex has no arc."""
    vertex, loop, there, both = nx.DiGraph(), nx.DiGraph([(0, 0)]), nx.DiGraph([(0, 1)]), nx.DiGraph([(0, 1), (1, 0)])
    vertex.add_node(0)
    answers = [(kt.count(graph), kt.count(graph, open=True)) for graph in (vertex, loop, there, both)]
    assert answers == [(0, 1), (0, 1), (0, 1), (1, 2)]
    assert list(kt.solve(both).tour or ()) in ([0, 1], [1, 0])
    assert list(kt.solve(vertex, open=True).tour or ()) == [0]


@pytest.mark.parametrize(
    "closed", [pytest.param(True, id="cycles"), pytest.param(False, id="paths", marks=pytest.mark.slow)]
)
def test_weights_of_arcs(closed: bool) -> None:
    """The asymmetric travelling salesman, and weights of pairs of arcs, against brute force."""
    rng = random.Random(5)
    for _ in range(part_of(30)):
        n = rng.randint(2, 6)
        arcs = sorted({(u, v) for u in range(n) for v in range(n) if u != v and rng.random() < 0.8})
        graph = digraph(n, set(arcs))
        alone = {arc: rng.randint(-3, 9) for arc in arcs}
        pairs = {tuple(rng.sample(range(len(arcs)), 2)): rng.randint(0, 5) for _ in range(4)} if len(arcs) > 1 else {}
        weights = Weights.of_edges([alone[arc] for arc in arcs]) + Weights(
            [a for a, _ in pairs], [b for _, b in pairs], list(pairs.values())
        )
        expected = [
            sum(alone[arc] for arc in used)
            + sum(w for (a, b), w in pairs.items() if arcs[a] in used and arcs[b] in used)
            for used in (set(arcs_of(walk, closed)) for walk in walks(n, set(arcs), closed))
        ]
        problem = kt.problem(graph, minimize=weights, open=not closed)
        result = kt.solve(problem)
        assert (result.status, result.value) == (("optimal", min(expected)) if expected else ("infeasible", None))
        kt.check(result)
        assert kt.Problem.from_json(problem.to_json()) == problem


def test_arcs_and_weights_from_python_data() -> None:
    arcs = [(0, 1), (1, 2), (2, 0), (1, 0)]
    expected = kt.problem(nx.DiGraph(arcs))
    matrix = nx.to_numpy_array(nx.DiGraph(arcs), dtype=int, nodelist=[0, 1, 2])
    neighbours = {0: [1], 1: [2, 0], 2: [0]}
    for form in (
        {"edges": arcs, "directed": True},
        {"adjacency": matrix},
        {"adjacency": matrix.tolist(), "directed": True},
        {"adjacency": neighbours, "directed": True},
        {"adjacency": neighbours},
    ):
        assert kt.problem(**form) == expected and kt.count(**form) == 1
    complete = np.ones((4, 4), dtype=int) - np.eye(4, dtype=int)
    assert (kt.count(adjacency=complete), kt.count(adjacency=complete, directed=True)) == (3, 6)
    upper = np.triu(np.ones((3, 3), dtype=int), 1)
    assert kt.solve(adjacency=upper, directed=True).status == "infeasible"
    lengths = [("a", "b", 1), ("b", "a", 5), ("b", "c", 1), ("c", "a", 1), ("a", "c", 5), ("c", "b", 5)]
    graph = kt.graph(edges=lengths, directed=True)
    assert graph.weights is not None and graph.weights[graph.m - 6 :].tolist() == [1, 5, 5, 1, 1, 5]
    opened = graph.split(open=True)
    assert opened.weights.tolist() == [0] * (opened.m - 6) + [1, 5, 5, 1, 1, 5]


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"adjacency": [[0, 1, 1], [0, 0, 1], [0, 0, 0]]}, "say directed=True"),
        ({"adjacency": [[0, 1, 0], [0, 0, 1], [1, 0, 0]], "directed": False}, "0 leads to 1 but 1 not to 0;"),
        ({"board": "6x6", "directed": True}, "it says what edges= or adjacency= are"),
        ({"board": nx.DiGraph([(0, 1)]), "directed": True}, "DiGraph says so itself"),
        ({"edges": [(0, 1), (1, 0)], "directed": 1}, "directed must be True or False"),
        ({"edges": [(0, 1, 2), (0, 1, 3)], "directed": True}, "the arc 0->1 has two weights"),
        ({"edges": [(0, 1)], "directed": True, "minimize": Weights([1], [1], [1])}, "it has 1 arcs"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_data_that_do_not_fit_are_refused(form: dict, words: str) -> None:
    with pytest.raises(kt.KTError, match=words):
        kt.problem(**form)


def test_engines_that_do_not_serve_directed_graphs_say_so() -> None:
    graph = nx.DiGraph([(0, 1), (1, 2), (2, 0)])
    calls = {
        "longest": lambda: kt.longest(graph),
        "magic": lambda: kt.magic(graph),
        "bound": lambda: kt.bound(graph),
        "best": lambda: kt.best(graph),
        "draw a result": lambda: kt.draw(kt.solve(graph)),
        "draw the graph": lambda: kt.draw(graph),
        "improve": lambda: kt.improve(kt.solve(graph).tour, "turns"),
        "classes": lambda: kt.count(graph, up_to_symmetry=True),
        "minimize": lambda: kt.solve(graph, minimize="crossings"),
        "turns": lambda: kt.solve(graph).tour.measure("turns"),
    }
    for name, call in calls.items():
        with pytest.raises(kt.KTError, match="graph") as refusal:
            call()
        assert "\n" not in str(refusal.value), name
