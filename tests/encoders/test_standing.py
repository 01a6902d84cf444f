"""The standing of a search: it only improves, verifies each solution, and keeps where everything is from."""

from __future__ import annotations

from itertools import pairwise
from threading import Thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from encoders.bounds import certify_lower_bound
from encoders.standing import Standing
from heuristics.find import find
from kt_models import InvalidTour, Problem, Weights, graph_of
from kt_models.limits import Report
from kt_models.result import Result, Stated
from tests.brute import edge_sets

TURNS = Problem(graph_of("5x6"), objective="turns")


ALL = [np.array(sorted(edges), dtype=np.int32) for edges in sorted(map(sorted, edge_sets("5x6", True)))]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(range(len(ALL))), st.integers(0, 28)), max_size=12))
def test_standing_only_improves(offers: list[tuple[int, int]]) -> None:
    heard: list[Report] = []
    standing = Standing(TURNS, on_progress=heard.append)
    for index, bound in offers:
        standing.accept_solution(f"tour {index}", ALL[index], TURNS.value(ALL[index]))
        standing.accept_bound(f"bound {bound}", bound)
    values = [TURNS.value(ALL[index]) for index, _ in offers]
    assert standing.value == min(values, default=None)
    assert standing.bound == max((bound for _, bound in offers), default=0)
    steps = [(-(now.value or 99), now.bound or 0) for now in heard]
    assert all(a <= c and b <= d and (a, b) != (c, d) for (a, b), (c, d) in pairwise(steps))
    if offers:
        assert standing.source == f"tour {offers[values.index(min(values))][0]}"
        assert standing.result("engine", 1.0).value == min(values)


def test_a_solution_that_is_none_is_refused_and_changes_nothing() -> None:
    standing = Standing(TURNS)
    standing.accept_solution("right", ALL[0], TURNS.value(ALL[0]))
    before = standing.value
    with pytest.raises(InvalidTour):
        standing.accept_solution("wrong", ALL[0][:-1], 0)
    assert (standing.value, standing.source) == (before, "right")


def test_a_value_that_is_claimed_too_low_is_measured() -> None:
    standing = Standing(TURNS)
    standing.accept_solution("boast", ALL[0], 3)
    assert standing.value == TURNS.value(ALL[0])


def test_a_certificate_stays_with_its_bound() -> None:
    certificate = certify_lower_bound(TURNS, method="relaxation")
    assert certificate.bound is not None
    standing = Standing(TURNS)
    standing.accept_bound("tree", certificate.bound, certificate)
    assert standing.certified and standing.result().certificate is not None
    standing.accept_bound("solver", certificate.bound + 1)
    assert not standing.certified and standing.result().certificate is None
    standing.accept_bound("late", certificate.bound, certificate)
    assert (standing.bound, standing.certificate) == (certificate.bound + 1, None)


def test_a_stated_bound_is_shown_until_a_better_one_is_known() -> None:
    standing = Standing(TURNS)
    standing.state(Stated(25, "results/a.json", 130.0))
    standing.state(Stated(24, "results/b.json"))
    assert standing.result().stated == Stated(25, "results/a.json", 130.0)
    assert standing.result().to_json()["stated_in"] == "results/a.json"
    assert "about 2 minutes" in str(standing.result())
    standing.accept_bound("tree", 25)
    assert standing.result().stated is None


def test_what_no_edges_go_below_is_known_from_the_start() -> None:
    pairs = np.array([[0, 1], [0, 2], [1, 2]], dtype=np.int32)
    weights = Weights(pairs[:, 0], pairs[:, 1], np.array([4, -3, -2]))
    assert Standing(Problem(graph_of("5x6"), objective=weights)).bound == -5
    assert Standing(TURNS).bound == 0
    assert Standing(Problem(graph_of("5x6"))).bound is None


def test_any_solution_settles_a_problem_without_an_objective() -> None:
    problem = Problem(graph_of("5x6"))
    standing = Standing(problem)
    assert not standing.decided
    standing.accept(find(problem))
    assert standing.decided and standing.certified and standing.result().status == "feasible"


def test_a_refutation_settles_it() -> None:
    problem = Problem(graph_of("4x4"))
    standing = Standing(problem)
    standing.refute("presolve")
    assert standing.decided and not standing.certified
    assert standing.result().status == "infeasible" and standing.result().engine == "presolve"


def test_threads_may_offer_at_once() -> None:
    standing = Standing(TURNS)

    def offer(part: list[np.ndarray]) -> None:
        for edges in part:
            standing.accept(Result(TURNS, "feasible", edges=edges, engine="thread"))

    threads = [Thread(target=offer, args=(ALL[start::4],)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert standing.value == min(TURNS.value(edges) for edges in ALL)
