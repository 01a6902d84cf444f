"""Symmetric tours by the quotient of a board, and that `find` takes what knows the symmetry that is asked for."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from heuristics.find import find
from heuristics.orbit_search import improve_orbits
from heuristics.searches.quotient import quotient
from kt_models import Problem, Symmetry, graph_of, verify_edges
from kt_models.limits import Limits
from tests import brute
from tests.command import kt, kt_json
from tests.effort import slow_rows


def problem_of(board: str, symmetry: str, is_open: bool = False, **more: object) -> Problem:
    graph = graph_of(board)
    dimension = graph.board.dimension if graph.board else 2
    symmetries = tuple(Symmetry.parse(text, dimension) for text in symmetry.split())
    return Problem(graph, "path" if is_open else "cycle", symmetry=symmetries, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("board", "symmetry"),
    [
        ("6x6", "rot90"), ("26x26", "rot90"), ("46x46", "rot90"), ("8x8", "rot180"), ("10x11", "rot180"),
        ("9x9-e5", "rot90"), ("aztec:6", "rot90"), ("aztec:8", "rot180"), ("torus:6x6", "rot90"),
        ("4x4x6", "(-x,y,-z)"),
    ],
)  # fmt: skip
def test_symmetric_closed_tours_are_valid(board: str, symmetry: str) -> None:
    problem = problem_of(board, symmetry)
    result = find(problem)
    assert result.engine == "find/quotient" and result.edges is not None
    verify_edges(problem, result.edges)


@pytest.mark.parametrize(("board", "ends"), [("5x5", ""), ("7x7", ""), ("4x5", ""), ("5x5", "a1"), ("5x5", "a1 e5")])
def test_symmetric_open_tours_are_valid(board: str, ends: str) -> None:
    graph = graph_of(board)
    problem = problem_of(board, "rot180", True, terminals=tuple(graph.find(cell) for cell in ends.split()))
    result = quotient(problem)
    assert result.edges is not None
    verify_edges(problem, result.edges)


@pytest.mark.parametrize(
    ("board", "symmetry"),
    [
        ("3x10", "rot180"),
        *product(["5x6", "3x10"], ["mirror-x", "mirror-y"]),
        *slow_rows([("5x6", "rot180")]),
    ],
)
def test_a_symmetric_tour_is_found_exactly_if_brute_force_has_one(
    board: str, symmetry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heuristics.searches.quotient.MAX_ROUNDS", 4)
    problem = problem_of(board, symmetry)
    images = problem.graph.edge_permutation(problem.symmetry[0])
    there = any({int(images[e]) for e in tour} == tour for tour in brute.edge_sets(board, True))
    edges = quotient(problem).edges
    assert (edges is not None) == there
    assert edges is None or set(images[edges].tolist()) == set(edges.tolist())


def test_moves_asked_for_are_made() -> None:
    graph = graph_of("10x10")
    required, forbidden = frozenset({graph.find_edge("d4-e6")}), frozenset({graph.find_edge("e5-g6")})
    problem = problem_of("10x10", "rot90", required=required, forbidden=forbidden)
    result = find(problem)
    assert result.edges is not None
    verify_edges(problem, result.edges)
    assert required <= set(result.edges.tolist()) and not forbidden & set(result.edges.tolist())


def test_the_same_seed_gives_the_same_tour() -> None:
    problem = problem_of("14x14", "rot90")
    first, again, other = (quotient(problem, limits=Limits(seed=seed)).edges for seed in (1, 1, 2))
    assert np.array_equal(first, again) and not np.array_equal(first, other)


@pytest.mark.slow
def test_an_objective_keeps_the_symmetry() -> None:
    problem = problem_of("10x10", "rot90", objective="turns")
    plain, result = quotient(problem), find(problem, limits=Limits(0.5))
    assert plain.value is not None and result.value is not None and result.value <= plain.value
    verify_edges(problem, result.edges)  # type: ignore[arg-type]
    better = improve_orbits(problem, plain.edges, max_steps=100_000, limits=Limits(seed=1))  # type: ignore[arg-type]
    verify_edges(problem, better)
    assert problem.value(better) < plain.value


def test_kt_find_names_the_quotient_or_says_that_there_is_none() -> None:
    data = kt_json("find", "26x26", "--symmetry", "rot90")
    assert data["status"] == "feasible" and data["method"] == "quotient"
    none = kt("find", "8x8", "--symmetry", "rot90")
    assert none.exit_code == 0 and "infeasible" in none.stdout
