"""Sums of measures as objectives: how they are written, what they weigh, and how answers are told."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kt
from kt_models import KTError, Problem, Tour, Weights, graph_of
from kt_models.expressions import Expression, objective_from_expression
from kt_models.files.problems import problem_from
from kt_models.kernel.certificates import Statement
from kt_models.metrics import METRICS
from tests import brute
from tests.effort import slow_rows

FACTORS = st.integers(-1000, 1000)
EXPRESSIONS = st.lists(st.tuples(FACTORS, st.sampled_from(list(METRICS))), min_size=1, max_size=6)


@given(EXPRESSIONS)
def test_an_expression_is_written_and_read(terms: list[tuple[int, str]]) -> None:
    expression = Expression(()) + Expression._from_terms(terms)
    total = {name: sum(factor for factor, term in terms if term == name) for name in METRICS}
    assert {name: factor for factor, name in expression.terms} == {k: v for k, v in total.items() if v}
    if expression.terms:
        assert Expression.parse(str(expression)) == expression
        opposite = -expression
        assert -opposite == expression == expression * 1


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2*turns + crossings", "2*turns + crossings"),
        ("2turns+crossings", "2*turns + crossings"),
        ("turns*2 + crossings", "2*turns + crossings"),
        ("turns + turns", "2*turns"),
        ("-crossings", "-crossings"),
        ("  turns  -  3 * crossings ", "turns - 3*crossings"),
        ("crossings - turns + 2*turns", "crossings + turns"),
    ],
)
def test_ways_to_write(text: str, written: str) -> None:
    assert str(Expression.parse(text)) == written


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2*turn + crossings", "did you mean 'turns'"),
        ("2*bends", "turns"),
        ("turns crossings", "a sum of measures"),
        ("turns +", "a sum of measures"),
        ("2*3*turns", "a sum of measures"),
        ("2*turns*3", "a sum of measures"),
        ("(turns)", "a sum of measures"),
        ("1.5*turns", "a sum of measures"),
        ("turns^2", "a sum of measures"),
        ("", "a sum of measures"),
        ("0*turns", "cancel"),
        ("turns - turns", "cancel"),
        ("9999999999999*turns", "a sum of measures"),
        ("turns + " * 300 + "turns", "characters"),
        ("٢*turns", "a sum of measures"),
    ],
)
def test_texts_that_are_no_expression_are_refused(text: str, words: str) -> None:
    with pytest.raises(KTError, match=words) as refusal:
        Expression.parse(text)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(("board", "closed"), [("5x6", True), ("3x4", False), ("4x5", False)])
def test_an_expression_weighs_what_it_says(board: str, closed: bool) -> None:
    graph = graph_of(board)
    weights = (3 * kt.turns - 2 * kt.crossings).weights(graph)
    for order in brute.tours(board, closed)[:20]:
        tour = Tour(graph, np.array(order), closed)
        assert weights.value(tour.edges) == 3 * tour.measure("turns") - 2 * tour.measure("crossings")


@pytest.mark.parametrize(
    ("objective", "value", "words"),
    [
        ("turns", 28, "at least 28 turns in every closed knight's tour of 5x6"),
        ("2*turns + crossings", 105, "a value of at least 105 for 2*turns + crossings in every closed"),
        ("-crossings", -51, "a value of at least -51 for -crossings in every closed knight's tour of 5x6"),
    ],
)
def test_statements_name_the_expression(objective: str, value: int, words: str) -> None:
    graph = graph_of("5x6")
    problem = Problem(graph, "cycle", objective_from_expression(graph, objective))
    assert words in Statement(problem, "at-least", value).text
    data = json.loads(json.dumps(problem.to_json()))
    assert "weights" not in data and data["objective"] == objective
    again = Problem.from_json(data)
    assert again == problem and Statement(again, "at-least", value).text == Statement(problem, "at-least", value).text


@pytest.mark.parametrize(
    ("objective", "cost", "bound", "best"),
    [
        ("crossings", -51, "at most 51 crossings in every", "51 crossings are the most of any"),
        ("turns", -1, "at most 1 turn in every", "1 is the greatest number of turns of any"),
        ("-turns", 8, "a value of at most -8 for -turns in every", "a value of -8 for -turns is the greatest of any"),
        (
            "2*turns + crossings",
            -111,
            "a value of at most 111 for 2*turns + crossings in every",
            "a value of 111 for 2*turns + crossings is the greatest of any",
        ),
    ],
)
def test_statements_about_a_sum_that_is_maximised_have_its_sign(
    objective: str, cost: int, bound: str, best: str
) -> None:
    problem = kt.problem("5x6", maximize=objective)
    data = json.loads(json.dumps(problem.to_json()))
    assert "weights" not in data and (data["objective"], data["sense"]) == (objective, "maximize")
    for about in (problem, Problem.from_json(data)):
        assert Statement(about, "at-least", cost).text == f"{bound} closed knight's tour of 5x6"
        assert Statement(about, "optimum", cost).text == f"{best} closed knight's tour of 5x6"


def test_a_name_says_nothing_about_weights() -> None:
    """Other weights under the name of a sum are told as what they are, and kept."""
    graph = graph_of("5x6")
    honest = Expression.parse("2*turns + crossings").weights(graph)
    forged = Problem(graph, "cycle", Weights(honest.first[1:], honest.second[1:], honest.weight[1:], honest.name))
    assert forged.expression is None
    assert "a weight of at least 1 in every" in Statement(forged, "at-least", 1).text
    data = json.loads(json.dumps(forged.to_json()))
    assert Problem.from_json(data) == forged != Problem(graph, "cycle", honest)


@pytest.mark.parametrize(
    ("objective", "greatest"),
    [
        pytest.param("2*turns + crossings", False, marks=pytest.mark.slow),
        ("crossings - turns", True),
        *slow_rows([("2*turns + crossings", True), ("crossings - turns", False)]),
    ],
)
def test_solving_is_as_brute_force(objective: str, greatest: bool) -> None:
    graph = graph_of("5x6")
    weights = Expression.parse(objective).weights(graph)
    values = [weights.value(Tour(graph, np.array(order), True).edges) for order in brute.tours("5x6", True)]
    found = kt.solve("5x6", **{"maximize" if greatest else "minimize": objective})  # type: ignore[arg-type]
    best = max(values) if greatest else min(values)
    assert found.status == "optimal" and found.value == found.bound == best
    assert f"{best}" in str(found)
    assert found.certificate is not None


def test_the_nearest_tour_is_as_brute_force() -> None:
    graph = graph_of("5x6")
    tours = [frozenset(brute.edge_set(graph, order, True)) for order in brute.tours("5x6", True)]
    base = Tour(graph, np.array(brute.tours("5x6", True)[0]), True)
    for edge in sorted(tours[0])[:4]:
        others = [len(tour - tours[0]) for tour in tours if edge not in tour]
        found = kt.solve(problem_from("5x6", near=base, forbid=graph.edge_name(edge)))
        assert found.value == (min(others) if others else None)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"minimize": "turns", "maximize": "turns"}, "cannot be combined"),
        ({"minimize": "turns", "near": [[1, 2], [3, 4]]}, "near excludes"),
        ({"maximize": 7}, "maximize"),
        ({"maximize": "corners"}, "turns"),
        ({"near": "a1 b3 c1"}, "of 30 cells|3|cells"),
        ({"minimise": "turns"}, "minimize"),
        ({"maximise": "turns"}, "maximize"),
    ],
)
def test_wrong_expressions_are_refused(asked: dict[str, object], words: str) -> None:
    with pytest.raises(KTError, match=words):
        kt.problem("5x6", **asked)  # type: ignore[arg-type]


def test_expressions_and_weights_add_up() -> None:
    lengths = kt.edge_weights("5x6", lambda u, v: abs(u[0] - v[0]))
    total = 2 * kt.turns + lengths - kt.crossings
    tour = kt.solve("5x6").tour
    assert tour is not None
    expected = 2 * tour.measure("turns") + lengths.value(tour.edges) - tour.measure("crossings")
    assert total.value(tour.edges) == expected
    with pytest.raises(KTError, match="do not name their graph"):
        kt.turns + Weights([0], [0], [1])  # type: ignore[arg-type]
    with pytest.raises(KTError, match="a factor is over"):
        10**20 * kt.turns
