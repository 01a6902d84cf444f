"""Symmetric tours: merging symmetric 2-factors, and whole solves on boards where a circuit model alone is slow."""

from __future__ import annotations

import numpy as np
import pytest

from encoders import solve
from heuristics.orbit_search import improve_orbits
from heuristics.symmetric_merge import merge_symmetric
from kt_models import Problem, Symmetry, graph_of, verify_edges
from kt_models.files.problems import parse_edges
from kt_models.limits import Limits


@pytest.mark.parametrize(
    ("board", "symmetry"),
    [
        ("10x10", "rot90"),
        pytest.param("12x12", "rot180", marks=pytest.mark.slow),
        pytest.param("9x10", "mirror-y", marks=pytest.mark.slow),
        ("aztec:6", "rot90"),
    ],
)
def test_merging_keeps_degrees_symmetry_and_constraints(board: str, symmetry: str) -> None:
    graph = graph_of(board)
    generators = (Symmetry.parse(symmetry),)
    factor = solve(Problem(graph, "any", symmetry=generators), limits=Limits(workers=1)).edges
    required = frozenset(factor[:1].tolist())
    forbidden = frozenset(list(set(range(graph.m)) - set(factor.tolist()))[:2])
    problem = Problem(graph, symmetry=generators, required=required, forbidden=forbidden)
    merged = merge_symmetric(problem, factor)
    relaxed = Problem(graph, "any", symmetry=generators, required=required, forbidden=forbidden)
    assert len(verify_edges(relaxed, merged)) <= len(verify_edges(Problem(graph, "any"), factor))
    assert np.array_equal(merge_symmetric(problem, factor), merged)  # The same seed, the same answer


@pytest.mark.parametrize(("board", "symmetry"), [("18x18", "rot90"), ("20x20", "rot180"), ("15x14", "mirror-y")])
def test_larger_symmetric_tours(board: str, symmetry: str) -> None:
    element = Symmetry.parse(symmetry)
    result = solve(Problem(graph_of(board), symmetry=(element,)))
    assert result.status == "feasible"
    assert element in result.tour.symmetries()


def test_symmetry_and_constraints_together() -> None:
    graph = graph_of("10x10")
    required = parse_edges(graph, ["d4-e6"])
    problem = Problem(graph, symmetry=(Symmetry.parse("rot90"),), required=required)
    assert required <= set(solve(problem).edges.tolist())


@pytest.mark.parametrize(
    ("board", "connectivity", "terminals", "symmetry", "objective", "most"),
    [
        pytest.param("10x10", "cycle", (), "rot90", "turns", 72, marks=pytest.mark.slow),
        ("10x10", "cycle", (), "rot90", "crossings", 96),
        pytest.param("8x8", "cycle", (), "rot180", "turns", 50, marks=pytest.mark.slow),
        ("6x6", "any", (), "rot90", "turns", 32),
        ("9x10", "cycle", (), "mirror-y", "turns", 90),
        ("5x5", "path", (), "rot180", "turns", 23),
        ("6x6", "path", (0,), "", "turns", 34),
        ("6x6", "path", (0, 5), "", "crossings", 60),
        ("8x8", "linkage", (0, 1, 7, 6, 56, 57), "", "turns", 40),
        pytest.param("6x6", "paths", (0, 1, 4, 5), "", "turns", 40, marks=pytest.mark.slow),
    ],
)
def test_exchanges_of_whole_orbits(
    board: str, connectivity: str, terminals: tuple[int, ...], symmetry: str, objective: str, most: int
) -> None:
    generators = (Symmetry.parse(symmetry),) if symmetry else ()
    start = solve(Problem(graph_of(board), connectivity, terminals=terminals, symmetry=generators)).edges
    problem = Problem(graph_of(board), connectivity, objective, terminals=terminals, symmetry=generators)
    better = improve_orbits(problem, start, max_steps=100_000, limits=Limits(seed=1))
    verify_edges(problem, better)
    assert problem.value(better) <= min(most, problem.value(start))
    first, again = (improve_orbits(problem, start, max_steps=10_000, limits=Limits(seed=1)) for _ in range(2))
    assert np.array_equal(first, again)


@pytest.mark.parametrize(
    ("board", "connectivity", "terminals", "symmetry", "least"),
    [
        ("6x6", "cycle", (), "rot90", 32),
        pytest.param("8x8", "cycle", (), "rot180", 46, marks=pytest.mark.slow),
        ("8x8", "any", (), "rot90", 48),
        ("6x6", "linkage", (0, 1, 5, 4), "", 26),
        ("6x6", "paths", (0, 1, 5, 4), "", 26),
    ],
)
def test_fewest_turns_of_symmetric_tours_and_linkages(
    board: str, connectivity: str, terminals: tuple[int, ...], symmetry: str, least: int
) -> None:
    generators = (Symmetry.parse(symmetry),) if symmetry else ()
    problem = Problem(graph_of(board), connectivity, "turns", terminals=terminals, symmetry=generators)
    result = solve(problem)
    assert (result.status, result.value) == ("optimal", least)
    assert result.certificate.method == "tree"
