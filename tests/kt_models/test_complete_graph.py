"""Graphs of many points, all of whose pairs are edges, beside the same graphs with a list of edges."""

import itertools
import random

import numpy as np
import pytest

import kt
from kt_models import KTError, MoveGraph, Tour
from kt_models.complete_graph import MAX_POINTS, CompleteGraph
from kt_models.errors import InvalidTour, TooLarge
from kt_models.positions import Positions
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.tour import tour_from_json, tour_to_json, verify

METRICS = ("length", "length:manhattan", "length:max", "turns", "angle", "crossings", "length + 2*angle")


def points(count: int, seed: int, dimension: int = 2) -> Positions:
    rng = random.Random(seed)
    return Positions.of([[rng.random() for _ in range(dimension)] for _ in range(count)])


def both(count: int, seed: int, dimension: int = 2) -> tuple[CompleteGraph, MoveGraph]:
    places = points(count, seed, dimension)
    listed = MoveGraph.from_edges(count, list(itertools.combinations(range(count), 2)))
    return CompleteGraph(count).having(positions=places), listed.having(positions=places)


@pytest.mark.parametrize("count", [2, 3, 4, 7, 20, 101])
def test_edges_are_numbered_as_in_the_list_of_all(count):
    graph, listed = CompleteGraph(count), MoveGraph.from_edges(count, list(itertools.combinations(range(count), 2)))
    assert graph.m == listed.m
    assert graph.ends_of(np.arange(graph.m)).tolist() == listed.ends.tolist()
    u, v = listed.ends.T
    assert graph.edges_joining(u, v).tolist() == graph.edges_joining(v, u).tolist() == list(range(listed.m))


def test_numbers_and_ends_agree_for_many_points():
    graph = CompleteGraph(MAX_POINTS)
    numbers = np.random.default_rng(1).integers(0, graph.m, 100_000)
    starts = graph.edges_joining(np.arange(MAX_POINTS - 1), np.arange(1, MAX_POINTS))
    for edges in (numbers, starts, starts - 1, np.array([0, graph.m - 1])):
        edges = edges[edges >= 0]
        assert (graph.edges_joining(*graph.ends_of(edges).T) == edges).all()


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("metric", METRICS)
def test_tours_measure_what_they_do_with_a_list_of_edges(metric, dimension):
    graph, listed = both(9, 4, dimension)
    order = np.random.default_rng(2).permutation(9)
    for closed in (True, False):
        tours = [Tour(place, order, closed) for place in (graph, listed)]
        results = [
            Result(kt.problem(place, open=not closed, minimize=metric), "feasible", tour)
            for place, tour in zip((graph, listed), tours, strict=True)
        ]
        assert results[0].value == results[1].value
        assert tours[0].metrics == tours[1].metrics
        for name in tours[0].metrics:
            assert tours[0].measure(name) == tours[1].measure(name)


def test_maximised_sums_have_the_sign_that_the_user_asked_for():
    graph, listed = both(8, 5)
    order = np.arange(8)
    values = [Result(kt.problem(g, maximize="length"), "feasible", Tour(g, order, True)).value for g in (graph, listed)]
    assert values[0] == values[1] > 0


def test_wrong_tours_are_refused():
    graph, _ = both(6, 1)
    with pytest.raises(InvalidTour, match="visited twice"):
        verify(Tour(graph, [0, 1, 2, 3, 4, 4], True))
    with pytest.raises(InvalidTour, match="not visited"):
        verify(Tour(graph, [0, 1, 2, 3, 4], True))
    with pytest.raises(KTError, match="from 0 to 14"):
        graph.ends_of([15])


def test_whatever_lists_edges_says_what_to_do_instead():
    graph, _ = both(6, 1)
    for ask in (
        lambda: graph.ends,
        lambda: graph.degrees,
        lambda: graph.edges_of(2),
        lambda: graph.to_networkx(),
        lambda: kt.problem(graph, minimize="length").weights.canonical(),
        lambda: kt.pair_weights(graph, "turns"),
    ):
        with pytest.raises(TooLarge, match="--edges delaunay, nearest:8 or within:R"):
            ask()
    with pytest.raises(TooLarge, match="1,000,000"):
        CompleteGraph(MAX_POINTS + 1)


def test_documents_say_complete_and_are_read_again():
    graph, _ = both(7, 3)
    tour = Tour(graph, np.random.default_rng(1).permutation(7), True)
    data = tour_to_json(tour)
    assert data["edges"] == "complete"
    again = tour_from_json(data)
    assert again == tour
    assert again.graph.positions == graph.positions
    assert again.measure("length") == tour.measure("length")
    problem = kt.problem(graph, minimize="length")
    assert Problem.from_json(problem.to_json()) == problem
    assert Problem.from_json(problem.to_json()).weights == problem.weights
    with pytest.raises(KTError, match="numbers of edges"):
        Problem.from_json(problem.to_json() | {"required": [1]})


def test_problems_about_other_points_are_others():
    graphs = [both(6, seed)[0] for seed in (1, 2)]
    problems = [kt.problem(graph, minimize=metric) for graph in graphs for metric in ("length", "turns")]
    problems += [kt.problem(graphs[0], minimize="length", open=True), kt.problem(graphs[0])]
    assert len({problem.digest for problem in problems}) == len(problems)
    texts = {Result(p, "feasible", Tour(p.graph, np.arange(6), p.closed)).statements[0].text for p in problems}
    assert len(texts) == len(problems)
