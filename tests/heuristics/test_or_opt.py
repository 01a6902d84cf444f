"""`or-opt`: short tours of points, beside all tours of a few points."""

import itertools
import math
import random

import numpy as np
import pytest

import kt
from heuristics.find import find
from heuristics.searches.or_opt import MAX_LISTED, in_strips
from heuristics.searches.or_opt.greedy import greedy_tour
from kt_models import KTError
from kt_models.complete_graph import CompleteGraph
from kt_models.limits import Limits
from kt_models.positions import Positions
from kt_models.problem import Problem
from tests.effort import part_of

NORMS = {
    "length": math.dist,
    "length:manhattan": lambda p, q: sum(abs(a - b) for a, b in zip(p, q, strict=True)),
    "length:max": lambda p, q: max(abs(a - b) for a, b in zip(p, q, strict=True)),
}


def graph_of(rows) -> CompleteGraph:
    return CompleteGraph(len(rows)).having(positions=Positions.of(rows))


def shortest(rows, norm, closed, ends=()) -> float:
    """The length of a shortest tour, by all orders."""
    best = math.inf
    for order in itertools.permutations(range(len(rows))):
        if (closed and order[0]) or not set(ends) <= {order[0], order[-1]}:
            continue
        steps = zip(order, order[1:] + order[: int(closed)], strict=False)
        best = min(best, sum(norm(rows[u], rows[v]) for u, v in steps))
    return best


@pytest.mark.parametrize("metric", NORMS)
@pytest.mark.parametrize("dimension", [2, 3])
def test_tours_of_a_few_points_are_shortest(metric, dimension):
    rng = random.Random(dimension)
    for count in range(3, MAX_LISTED + 1):
        for _ in range(part_of(12)):
            rows = [[rng.randrange(5) for _ in range(dimension)] for _ in range(count)]
            for closed, ends in ((True, ()), (False, ()), (False, (1,)), (False, (2, 0))):
                problem = Problem(graph_of(rows), "cycle" if closed else "path", metric, ends)
                result = find(problem, kicks=300, method="or-opt")
                assert result.value == pytest.approx(shortest(rows, NORMS[metric], closed, ends), abs=1e-5)


def scattered(count: int, seed: int, dimension: int = 2):
    return np.random.default_rng(seed).random((count, dimension)).tolist()


@pytest.mark.parametrize(
    "rows",
    [
        [[1, 1]] * 30,
        [[x, 0] for x in range(40)],
        [[x, x, x] for x in range(40)],
        [[x % 2, x % 3] for x in range(50)],
        scattered(50, 1, 3),
        [[1e12 + x, y * 1e-3] for x, y in scattered(40, 2)],
        [[0, 0]] * 20 + [[1, 1]] * 20 + scattered(9, 3),
    ],
    ids=["one place", "line", "line in space", "few places", "space", "far away", "places twice"],
)
@pytest.mark.parametrize("closed", [True, False])
def test_tours_of_odd_points_are_tours(rows, closed):
    for ends in ((), (4,), (3, 7))[: 1 if closed else 3]:
        result = find(Problem(graph_of(rows), "cycle" if closed else "path", "length", ends), "or-opt", kicks=500)
        assert len(result.tour) == len(rows)
        assert set(ends) <= {int(result.tour.order[0]), int(result.tour.order[-1])}


def test_points_on_a_line_are_visited_there_and_back():
    rows = [[3 * x, 4 * x] for x in random.Random(1).sample(range(200), 200)]
    assert find(Problem(graph_of(rows), "cycle", "length"), "or-opt", kicks=1).value == 2 * 5 * 199
    assert find(Problem(graph_of(rows), "path", "length"), "or-opt", kicks=1).value == 5 * 199


def test_many_random_points_have_a_tour_near_the_constant():
    # A shortest tour of a thousand points has a length of about 0.7313 sqrt(nA).
    result = find(Problem(graph_of(scattered(1000, 1)), "cycle", "length"), "or-opt", kicks=20_000)
    assert result.value / 1000**0.5 < 0.75
    assert result.tour.measure("crossings") == 0


def test_the_same_seed_gives_the_same_tour():
    problem = Problem(graph_of(scattered(100, 4)), "cycle", "length")
    tours = [find(problem, "or-opt", kicks=300, limits=Limits(seed=seed)).tour for seed in (1, 1)]
    assert tours[0].order.tolist() == tours[1].order.tolist()


def test_a_given_tour_is_improved_and_never_made_worse():
    from heuristics.local_search import improve
    from kt_models.tour import Tour

    problem = Problem(graph_of(scattered(60, 5)), "cycle", "length")
    poor = Tour(problem.graph, np.arange(60), True)
    better = improve(poor, problem, max_steps=200)
    assert better.measure("length") < poor.measure("length") / 2
    assert improve(better, problem, max_steps=1).measure("length") <= better.measure("length")


def test_greedy_tours_join_all_paths():
    # Near points only within groups: the ends of paths are joined later.
    rows = np.array([[10 * (k // 5), k % 5] for k in range(40)], dtype=float)
    gaps = np.linalg.norm(rows[:, None] - rows[None], axis=2)

    def nearest(some, count):
        part = gaps[np.ix_(some, some)]
        order = np.argsort(part, axis=1, kind="stable")[:, :count]
        return np.take_along_axis(part, order, axis=1), order

    distances, near = nearest(np.arange(40), 4)
    order = greedy_tour(near[:, 1:].astype(np.int32), distances[:, 1:], nearest)
    assert sorted(order.tolist()) == list(range(40))


def test_strips_are_a_tour_at_once():
    for closed, ends in ((True, ()), (False, (5, 2))):
        result = in_strips(Problem(graph_of(scattered(100, 6)), "cycle" if closed else "path", "length", ends))
        assert result.status == "feasible"


def test_a_time_limit_of_nothing_leaves_a_tour():
    result = find(Problem(graph_of(scattered(3000, 1)), "cycle", "length"), limits=Limits(seconds=0))
    assert (result.status, result.reason) == ("feasible", "not improved: the time was up")


def test_other_graphs_and_conditions_are_refused():
    graph = graph_of(scattered(9, 7))
    for problem in (
        Problem(graph, "cycle", "length", required=frozenset({1})),
        Problem(kt.graph("6x6"), "cycle", "turns"),
        Problem(kt.graph(points=scattered(9, 7), edges="nearest:3"), "cycle", "length"),
    ):
        with pytest.raises(KTError, match="all of whose pairs"):
            find(problem, "or-opt")
    with pytest.raises(KTError, match="kicks must be at least 0"):
        find(Problem(graph, "cycle", "length"), "or-opt", kicks=-1)


def test_solve_brings_the_tour_and_says_why_there_is_no_bound():
    graph = graph_of(scattered(40, 8))
    result = kt.solve(graph, minimize="length")
    assert (result.status, result.bound, result.engine) == ("feasible", None, "find/or-opt")
    assert result.reason == "no certificate: all pairs of 40 points are edges, too many for a bound"
    turning = kt.solve(graph, minimize="turns")
    assert turning.reason == "not improved: the 40 points are too many for turns; the tour is short"
    assert kt.solve(graph).status == "feasible"
    for asked in ({"at_most": {"crossings": 0}}, {"engine": "cpsat"}, {"require": [(0, 1)]}, {"hint": False}):
        with pytest.raises(KTError, match="all pairs of"):
            kt.solve(graph, minimize="length", **asked)
