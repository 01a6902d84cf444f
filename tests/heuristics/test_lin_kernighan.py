"""Exchanges of Lin and Kernighan: what they return is a tour of the problem, of the value that they state."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import kt
from encoders import solve
from heuristics.lin_kernighan import Exchanges
from heuristics.local_search import improve
from kt_models import Problem, Weights
from kt_models.board import IntArray
from kt_models.graph import MoveGraph
from kt_models.limits import Limits
from kt_models.problem import verify_edges
from kt_models.result import Result
from tests.effort import part_of


def posed(seed: int) -> Problem:
    """Complete and sparse graphs, closed and open tours with 0, 1 and 2 given ends, negative weights."""
    random = Random(seed)
    n = random.randint(8, 14)
    ends = [(u, v) for u in range(n) for v in range(u + 1, n) if random.random() < random.choice((1.0, 0.7))]
    graph = MoveGraph.from_edges(n, ends)
    weights = Weights.of_edges([random.randint(-5, 40) for _ in range(graph.m)])
    few = random.sample(range(graph.m), random.choice((0, 2, 4)))
    kind = random.randrange(4)
    terminals = tuple(random.sample(range(n), kind - 1)) if kind > 1 else ()
    half = len(few) // 2
    return Problem(graph, "path" if kind else "cycle", weights, terminals, frozenset(few[:half]), frozenset(few[half:]))


def value_of(problem: Problem, edges: IntArray | None) -> int:
    assert edges is not None
    value = problem.cost(edges)
    assert value is not None
    return value


@pytest.mark.parametrize("seed", range(part_of(60)))
def test_tours_are_tours_of_the_problem(seed: int) -> None:
    problem = posed(seed)
    exchanges = Exchanges(problem, seed=seed)
    values: list[int] = []
    for _ in range(4):
        exchanges.improve(25)
        if (edges := exchanges.edges) is not None:
            verify_edges(problem, edges)
            values.append(value_of(problem, edges))
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("seed", range(part_of(30)))
def test_exchanges_start_from_a_given_tour_and_never_make_it_worse(seed: int) -> None:
    problem = posed(seed)
    first = Exchanges(problem, seed=seed)
    first.improve(1)
    if first.edges is None:
        pytest.skip("no tour to start from")
    second = Exchanges(problem, first.edges, seed + 1)
    assert value_of(problem, second.edges) == value_of(problem, first.edges)
    second.improve(50)
    assert value_of(problem, second.edges) <= value_of(problem, first.edges)


def test_the_tour_around_a_circle_is_found() -> None:
    angles = np.random.default_rng(3).permutation(40) * np.pi / 20
    graph = kt.graph(points=np.round(np.stack([np.cos(angles), np.sin(angles)], axis=1), 6))
    problem = kt.problem(graph, minimize="length")
    exchanges = Exchanges(problem)
    exchanges.improve(50)
    assert exchanges.edges is not None
    order = np.argsort(angles)
    around = {frozenset(pair) for pair in zip(order.tolist(), np.roll(order, -1).tolist(), strict=True)}
    assert {frozenset(pair) for pair in graph.ends[exchanges.edges].tolist()} == around


def test_the_same_seed_gives_the_same_tour_and_no_time_gives_no_kicks() -> None:
    problem = kt.problem(points=[(x * 7 % 31, x * x % 29) for x in range(24)], minimize="length")
    tours = []
    for _ in range(2):
        exchanges = Exchanges(problem, seed=5)
        exchanges.improve(30)
        tours.append(exchanges.edges)
    assert tours[0] is not None and tours[1] is not None and (tours[0] == tours[1]).all()
    assert Exchanges(problem).improve(10**9, Limits(seconds=0)) in (True, False)


@pytest.mark.parametrize("open", [False, True])
def test_improve_takes_them_on_dense_graphs(open: bool) -> None:
    points = [(x * 37 % 101, x * x * 11 % 97) for x in range(40)]
    problem = kt.problem(points=points, minimize="length", open=open)
    first = Exchanges(problem, seed=1).edges
    assert first is not None
    tour = Result(problem, "feasible", edges=first).tour
    assert tour is not None
    better = improve(tour, problem, max_steps=40_000)
    assert problem.cost(better.edges) == solve(problem).cost
    assert better.closed is not open and sorted(better.order.tolist()) == list(range(40))
