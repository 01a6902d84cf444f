"""CP-SAT's models that begin without pairs of edges, beside all tours of small graphs of points; and short tours."""

from __future__ import annotations

import random
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

import kt
from encoders.cpsat import model
from encoders.cpsat.model import Model
from kt_models.problem import Problem
from kt_models.weights import Weights
from tests.effort import part_of

Point = tuple[int, int]


def _side(a: Point, b: Point, c: Point) -> int:
    area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (area > 0) - (area < 0)


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether open segments have a common point."""
    if not (_side(a, b, c) or _side(a, b, d)):
        (p, q), (r, s) = sorted((a, b)), sorted((c, d))
        return max(p, r) < min(q, s)
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _graph(seed: int) -> tuple[Any, list[Point], list[tuple[int, int]]]:
    source = random.Random(seed)
    points = source.sample([(x, y) for x in range(5) for y in range(4)], 7)
    edges = [pair for pair in combinations(range(7), 2) if source.random() < 0.75]
    return kt.graph(points=points, edges=edges), points, edges


def _counts(points: list[Point], edges: list[tuple[int, int]], weight: int = 1) -> list[tuple[int, int]]:
    """Crossings, and crossings plus the squares of the numbers of vertices by steps, of every closed tour."""
    near, counts = set(edges), []
    for rest in permutations(range(1, 7)):
        order = (0, *rest)
        steps = [tuple(sorted(pair)) for pair in zip(order, (*rest, 0), strict=True)]
        if rest[0] < rest[-1] and near.issuperset(steps):
            pairs = combinations([(points[u], points[v]) for u, v in steps], 2)
            crossings = sum(_cross(*e, *f) for e, f in pairs)
            counts.append((crossings, sum((u + 1) * (v + 1) for u, v in steps)))
    return counts


@pytest.mark.parametrize("encoding", ["circuit", "cut-set"])
def test_pairs_that_are_added_later_give_the_least_value(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    monkeypatch.setattr(model, "MAX_PAIRS", 0)
    statuses = set()
    for seed in range(part_of(60)):
        graph, points, edges = _graph(seed)
        counts = _counts(points, edges)
        weights = Weights.of_edges([(u + 1) * (v + 1) for u, v in graph.ends.tolist()])
        most = seed % 3
        few = [total for crossings, total in counts if crossings <= most]
        engine: Any = {"engine": "cpsat", "encoding": encoding, "workers": 1, "presolve": False}
        questions: list[tuple[list[int], Any]] = [
            ([crossings for crossings, _ in counts], {"minimize": "crossings"}),
            ([total + 5 * crossings for crossings, total in counts],
             {"minimize": weights + 5 * kt.pair_weights(graph, "crossings")}),
            (few, {"minimize": weights, "at_most": {"crossings": most}}),
            (few[:1], {"at_most": {"crossings": most}}),
        ]  # fmt: skip
        for wanted, asked in questions:
            result = kt.solve(graph, **asked, **engine)
            statuses.add(result.status)
            assert (result.status == "infeasible") == (not wanted), (seed, asked)
            if wanted and "minimize" in asked:
                assert (result.status, result.value) == ("optimal", min(wanted)), (seed, asked)
            elif wanted:
                assert result.tour is not None
                assert result.tour.measure("crossings") <= most
    assert statuses == {"optimal", "feasible", "infeasible"}


def test_a_model_has_the_pairs_of_the_answers_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "MAX_PAIRS", 0)
    graph = kt.graph(points=[(0, 0), (4, 1), (7, 5), (6, 9), (3, 11), (-1, 8), (-2, 4)])
    made = Model(Problem(graph, objective="crossings"), "circuit")
    assert not made.products
    tours = (kt.Tour(graph, np.array(order), True).edges for order in ([0, 1, 2, 3, 4, 5, 6], [0, 2, 4, 6, 1, 3, 5]))
    for edges in tours:
        crossings = Problem(graph, objective="crossings").cost(edges)
        assert crossings is not None
        before = len(made.products)
        assert made.lacks(edges) == made.add_pairs(edges) == bool(crossings)
        assert not made.lacks(edges) and len(made.products) <= before + crossings
    assert made.products and not made.lacks(np.array([], dtype=np.int32))


def test_all_pairs_of_points_have_a_tour_without_crossings_at_once() -> None:
    points = [(random.Random(seed).randrange(1000), seed * 37 % 1000) for seed in range(60)]
    result = kt.solve(points=points, minimize="crossings", workers=1)
    assert (result.status, result.value, result.engine) == ("optimal", 0, "short tour")


def test_the_shortest_tour_answers_where_crossings_are_limited() -> None:
    points = [(random.Random(seed).randrange(1000), seed * 37 % 1000) for seed in range(25)]
    free = kt.solve(points=points, minimize="length", workers=1)
    limited = kt.solve(points=points, minimize="length", at_most={"crossings": 0}, workers=1)
    assert (limited.status, limited.value) == (free.status, free.value) == ("optimal", free.value)
    assert limited.certificate is not None and kt.check(limited.certificate)


def test_a_bound_of_cpsat_is_rounded_by_its_size() -> None:
    """It reports -136568532494.99998 for -136568532495."""
    points = [(2000000, 1000000), (2000001, 1), (2000000, 2000000), (1000001, 1000000), (0, 0)]
    edges = [(0, 1), (0, 2), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]
    graph = kt.graph(points=points, edges=edges, precision="0.0001")
    result = kt.solve(graph, maximize="length:max + length", workers=1, presolve=False)
    assert (result.status, result.value) == ("optimal", 13656853.2495)
