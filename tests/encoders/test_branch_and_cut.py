"""Branch and cut by edges: the least sums over single edges, with certificates, through every door."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations
from random import Random
from typing import Any

import networkx as nx
import numpy as np
import pytest

import kt
from encoders import solve
from encoders.bounds import NotShown, certify_lower_bound
from encoders.branch_and_cut import prove
from encoders.branch_and_cut.search import BranchAndCut
from kt_models import Problem, Weights
from kt_models.graph import MoveGraph
from kt_models.kernel.certificates import check
from kt_models.limits import Limits
from tests.effort import part_of

BERLIN52 = """
565 575 25 185 345 750 945 685 845 655 880 660 25 230 525 1000 580 1175 650 1130 1605 620 1220 580 1465 200 1530 5
845 680 725 370 145 665 415 635 510 875 560 365 300 465 520 585 480 415 835 625 975 580 1215 245 1320 315 1250 400
660 180 410 250 420 555 575 665 1150 1160 700 580 685 595 685 610 770 610 795 645 720 635 760 650 475 960 95 260
875 920 700 500 555 815 830 485 1170 65 830 610 605 625 595 360 1340 725 1740 245
"""
EIL51 = """
37 52 49 49 52 64 20 26 40 30 21 47 17 63 31 62 52 33 51 21 42 41 31 32 5 25 12 42 36 16 52 41 27 23 17 33 13 13 57 58
62 42 42 57 16 57 8 52 7 38 27 68 30 48 43 67 58 48 58 27 37 69 38 46 46 10 61 33 62 63 63 69 32 22 45 35 59 15 5 6
10 17 21 10 5 64 30 15 39 10 32 39 25 32 25 55 48 28 56 37 30 40
"""


def tsplib(numbers: str) -> Problem:
    """Points with the weights of TSPLIB's EUC_2D: distances rounded to integers."""
    points = np.array(numbers.split(), dtype=float).reshape(-1, 2)
    n = len(points)
    ends = [(u, v) for u in range(n) for v in range(u + 1, n)]
    graph = MoveGraph.from_edges(n, ends)
    apart = points[graph.tails] - points[graph.heads]
    return Problem(graph, objective=Weights.of_edges(np.floor(np.hypot(*apart.T) + 0.5).astype(np.int64)))


@pytest.mark.parametrize(("numbers", "value"), [(BERLIN52, 7542), (EIL51, 426)])
def test_optima_of_tsplib(numbers: str, value: int) -> None:
    result = solve(tsplib(numbers))
    assert (result.status, result.value, result.bound) == ("optimal", value, value)
    assert result.certificate is not None and result.certificate.method == "edge-tree"
    assert "degrees and cuts" in check(result.certificate)


@cache
def least(seed: int, open: bool) -> tuple[Problem, int | None]:
    """Nine vertices with random weights, and the least value by dynamic programming over sets of vertices."""
    random = Random(seed)
    n = 9
    weight = {(u, v): random.randint(1, 99) for u in range(n) for v in range(n) if u < v and random.random() < 0.75}
    infinite = 10**9

    def step(u: int, v: int) -> int:
        return weight.get((min(u, v), max(u, v)), infinite)

    best = {(1 << v, v): 0 for v in range(n) if open or v == 0}
    for size in range(1, n):
        layer = [(key, value) for key, value in best.items() if key[0].bit_count() == size]
        for (inside, last), value in layer:
            for v in range(n):
                if not inside >> v & 1:
                    key = inside | 1 << v, v
                    best[key] = min(best.get(key, infinite), value + step(last, v))
    full = (1 << n) - 1
    found = min(best[full, v] + (0 if open else step(v, 0)) for v in range(n) if (full, v) in best)
    graph = MoveGraph.from_edges(n, list(weight))
    listed = [weight[min(pair), max(pair)] for pair in map(tuple, graph.ends.tolist())]
    problem = Problem(graph, "path" if open else "cycle", Weights.of_edges(listed))
    return problem, found if found < infinite else None


@pytest.mark.parametrize("open", [False, True])
@pytest.mark.parametrize("seed", range(part_of(36)))
def test_the_least_value_is_that_of_dynamic_programming(seed: int, open: bool) -> None:
    problem, value = least(seed, open)
    result = solve(problem)
    assert result.value == value == result.bound
    if value is not None:
        assert result.certificate is not None and result.certificate.method == "edge-tree"
        result.certificate.check()


@pytest.mark.parametrize("open", [False, True])
@pytest.mark.parametrize("seed", range(part_of(24)))
def test_the_least_weight_of_directed_graphs_is_that_of_every_order(seed: int, open: bool) -> None:
    random = Random(seed)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(6))
    for u, v in permutations(range(6), 2):
        if random.random() < 0.8:
            graph.add_edge(u, v, weight=random.randint(-9, 50))
    values = []
    for order in permutations(range(6)):
        steps = list(zip(order, order[1:] + order[: not open], strict=False))
        if all(graph.has_edge(*step) for step in steps):
            values.append(sum(graph.edges[step]["weight"] for step in steps))
    result = kt.solve(graph, minimize="weight", open=open)
    assert result.value == min(values, default=None) == result.bound
    if values:
        assert result.certificate is not None and result.certificate.method == "edge-tree"
        result.certificate.check()


@pytest.mark.parametrize("seed", range(part_of(12)))
def test_bounds_by_the_method_are_those_of_the_least_value(seed: int) -> None:
    problem, value = least(seed, False)
    if value is None:
        pytest.skip("no tour")
    certificate = certify_lower_bound(problem, value, method="branch-and-cut")
    assert certificate.bound == value and certificate.method == "edge-tree"
    with pytest.raises(NotShown):
        certify_lower_bound(problem, value + 1, method="branch-and-cut")


@pytest.mark.parametrize("metric", ["length", "length:manhattan", "length:max"])
@pytest.mark.parametrize("open", [False, True])
def test_lengths_of_points(metric: str, open: bool) -> None:
    points = [(x * 37 % 101, x * x * 11 % 97) for x in range(25)]
    result = kt.solve(points=points, minimize=metric, open=open)
    assert result.status == "optimal" and result.certificate is not None and result.certificate.method == "edge-tree"


def test_a_greatest_sum_is_shown_with_its_sign() -> None:
    points = [(x * 37 % 101, x * x * 11 % 97) for x in range(12)]
    result = kt.solve(points=points, maximize="length")
    assert result.status == "optimal" and result.value == result.bound and (result.value or 0) > 0
    assert result.certificate is not None and result.certificate.method == "edge-tree"


def test_the_same_seed_gives_the_same_certificate() -> None:
    problem = kt.problem(points=[(x * 37 % 101, x * x * 11 % 97) for x in range(30)], minimize="length")
    first, second = (solve(problem, limits=Limits(workers=1, seed=7)).certificate for _ in range(2))
    assert first is not None and first == second


def test_a_limit_leaves_a_bound_that_was_shown() -> None:
    """After one node there is a certificate of the root's bound; a search that is stopped then keeps it."""
    problem = kt.problem(points=[(x * 37 % 101, x * x * 11 % 97) for x in range(60)], minimize="length")
    certificates = [step.certificate for step in prove.steps(problem, None) if step.certificate is not None]
    bounds = [certificate.cost_bound or 0 for certificate in certificates]
    assert bounds == sorted(bounds)
    tree = BranchAndCut(problem)
    assert not tree.grow(Limits(seconds=0)) and tree.bound is None and tree.data() is None


@pytest.mark.parametrize("keys", [{"at_most": {"crossings": 3}}, {"in_order": [0, 5, 3]}])
def test_constraints_are_left_to_others(keys: dict[str, Any]) -> None:
    problem = kt.problem(points=[(x * 37 % 101, x * x * 11 % 97) for x in range(9)], minimize="length", **keys)
    assert not prove.serves(problem)
    result = solve(problem)
    assert result.status == "optimal"
    if result.certificate is not None:  # Of all tours, with or without the constraints
        kt.check(result.certificate)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("closed", [True, False])
def test_weights_above_and_below_0_may_cancel_out(seed: int, closed: bool) -> None:
    """The value of a tour near 0 says nothing about the size of the weights: linear programs had cheap faults."""
    random = Random(seed)
    n = 6
    weight = {pair: random.choice([-20, -7, 0, 7, 20]) for pair in combinations(range(n), 2)}
    orders = [(0, *rest) for rest in permutations(range(1, n))] if closed else list(permutations(range(n)))
    steps = [list(zip(order, order[1:] + order[: closed * 1], strict=False)) for order in orders]
    least = min(sum(weight[min(a, b), max(a, b)] for a, b in tour) for tour in steps)
    graph = kt.graph(edges=list(weight))
    result = kt.solve(graph, minimize=weight, open=not closed)
    assert (result.status, result.value) == ("optimal", least) and result.certificate is not None
