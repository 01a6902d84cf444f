"""Constraints as part of a problem: identity, files, words, and what is verified."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, replace
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kt
from kt_models import InvalidTour, KTError, Problem, Result, Weights, graph_of
from kt_models.constraints import MAX_CONSTRAINTS, Constraint
from kt_models.kernel.certificates import Statement
from kt_models.problem import solution_edges

LIMITS = st.dictionaries(st.sampled_from(["turns", "crossings", "2*turns + crossings"]), st.integers(-50, 200))


@given(LIMITS, LIMITS)
def test_written_and_read(at_most: dict[str, int], at_least: dict[str, int]) -> None:
    problem = kt.problem("5x6", at_most=at_most, at_least=at_least)
    assert len(problem.constraints) == len(at_most) + len(at_least)
    read = Problem.from_json(json.loads(json.dumps(problem.to_json())))
    assert read == problem and read.constraints == problem.constraints
    assert (problem == kt.problem("5x6")) == (not (at_most or at_least))
    assert problem.unconstrained == kt.problem("5x6")
    words = Statement(problem, "infeasible").text
    assert all(constraint.text in words for constraint in problem.constraints)


def test_constraints_are_equal_where_they_say_the_same() -> None:
    graph = graph_of("5x6")
    few, many = Constraint("turns", 30), Constraint("crossings", 40, at_least=True)
    assert Problem(graph, constraints=(few, many)) == Problem(graph, constraints=(many, few, few))
    opposite = Constraint((-kt.crossings).weights(graph), -40)
    assert Problem(graph, constraints=(opposite,)) == Problem(graph, constraints=(many,))
    lengths = Weights.of_edges([3] * graph.m)
    assert Problem(graph, constraints=(Constraint(lengths, 5),)) == Problem(
        graph, constraints=(Constraint(-lengths, -5, at_least=True),)
    )
    assert Problem(graph, constraints=(few,)) != Problem(graph, constraints=(replace(few, limit=31),))
    assert Problem(graph, constraints=(few,)) != Problem(graph, constraints=(replace(few, at_least=True),))
    with pytest.raises(FrozenInstanceError):
        few.limit = 3  # type: ignore[misc]


def test_a_statement_names_its_constraints() -> None:
    problem = kt.problem("5x6", minimize="turns", at_most={"2*turns + crossings": 120}, at_least={"crossings": 1000})
    assert Statement(problem, "at-least", 28).text == (
        "at least 28 turns in every closed knight's tour of 5x6, "
        "with a value of at most 120 for 2*turns + crossings and at least 1,000 crossings"
    )
    weighed = kt.problem("3x4", open=True, at_most={kt.edge_weights("3x4", {"a1-b3": 2}): 1})
    text = Statement(weighed, "infeasible").text
    assert "of 3x4 (weights of SHA-256 " in text and text.endswith("), with a weight of at most 1")


def test_every_tour_is_verified() -> None:
    problem = kt.problem("6x6", at_most={"turns": 33}, at_least={"crossings": 55})
    kept = 0
    for number, tour in enumerate(islice(kt.tours("6x6"), 700)):
        keeps = tour.measure("turns") <= 33 and tour.measure("crossings") >= 55
        kept += keeps
        if keeps and kept % 10 == 1:
            assert Result(problem, "feasible", tour).tour == tour
            assert Result(problem, "feasible", edges=tour.edges).tour is not None
        elif not keeps and number % 100 == 0:
            with pytest.raises(InvalidTour, match="not at"):
                solution_edges(problem, tour)
            with pytest.raises(InvalidTour, match="not at"):
                Result(problem, "feasible", edges=tour.edges)
    assert kept > 0


@pytest.mark.parametrize(
    "row",
    [
        3,
        {},
        {"sum": "turns"},
        {"at_most": 3},
        {"sum": "turns", "at_most": 3, "at_least": 2},
        {"sum": "turns", "at_most": 3.0},
        {"sum": "turns", "at_most": True},
        {"sum": "bends", "at_most": 3},
        {"sum": 3, "at_most": 3},
        {"sum": "length", "at_most": 3, "weights": [[0, 999, 1]]},
        {"sum": "length", "at_most": 3, "weights": [[0, 1]]},
        {"sum": "turns", "at_most": 2**80},
    ],
)
def test_files_that_are_wrong(row: object) -> None:
    data = Problem(graph_of("5x6")).to_json()
    with pytest.raises(KTError):
        Problem.from_json({**data, "constraints": [row]})


def test_too_many_constraints_are_refused() -> None:
    graph = graph_of("5x6")
    with pytest.raises(KTError, match="limit of"):
        Problem(graph, constraints=tuple(Constraint("turns", limit) for limit in range(MAX_CONSTRAINTS + 1)))
    data = Problem(graph).to_json()
    with pytest.raises(KTError, match="at most"):
        Problem.from_json({**data, "constraints": [{"sum": "turns", "at_most": 3}] * 1000})
    with pytest.raises(KTError, match="board"):
        kt.problem([(0, 1), (1, 2), (2, 0)], at_most={"turns": 3})


def test_statements_without_constraints_imply_those_with_them() -> None:
    problem = kt.problem("6x6", minimize="turns", at_most={"crossings": 60})
    plain = problem.unconstrained
    for kind, value in (("at-least", 32), ("optimum", 32)):
        statement = Statement(plain, kind, value)  # type: ignore[arg-type]
        assert statement.implies(Statement(problem, "at-least", 32))
        assert not statement.implies(Statement(problem, "at-least", 33))
        assert not statement.implies(Statement(problem, "optimum", 32))
        assert not Statement(problem, kind, value).implies(Statement(plain, "at-least", 30))  # type: ignore[arg-type]
    assert Statement(plain, "infeasible").implies(Statement(problem, "infeasible"))
    assert not Statement(problem, "infeasible").implies(Statement(plain, "infeasible"))
