"""Symmetric tours: merging symmetric 2-factors, and whole solves on boards where a circuit model alone is slow."""

from __future__ import annotations

import numpy as np
import pytest

from encoders import solve
from heuristics.symmetric_merge import merge_symmetric
from kt_models import Problem, Symmetry, graph_of, verify_edges
from kt_models.graph import parse_edges
from kt_models.limits import Limits


@pytest.mark.parametrize(
    ("board", "symmetry"), [("10x10", "rot90"), ("12x12", "rot180"), ("9x10", "mirror-y"), ("aztec:6", "rot90")]
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
    assert np.array_equal(merge_symmetric(problem, factor), merged)  # the same seed, the same answer


@pytest.mark.parametrize(("board", "symmetry"), [("18x18", "rot90"), ("20x20", "rot180"), ("15x14", "mirror-y")])
def test_larger_symmetric_tours(board: str, symmetry: str) -> None:
    element = Symmetry.parse(symmetry)
    result = solve(Problem(graph_of(board), symmetry=(element,)))
    assert result.status == "feasible"
    assert element in result.tour.symmetries()


def test_symmetry_and_constraints_together() -> None:
    graph = graph_of("10x10")
    required = parse_edges(graph, ["d4-e6"], parallel=False)
    problem = Problem(graph, symmetry=(Symmetry.parse("rot90"),), required=required)
    assert required <= set(solve(problem).edges.tolist())
