"""Tours from 2-factors of least value."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest

import kt
from encoders.stages.two_factor import merged
from kt_models import Leaper, Problem, graph_of
from kt_models.limits import NO_LIMITS
from kt_models.problem import verify_edges
from tests.effort import part_of


def with_holes(seed: int) -> nx.Graph:
    """A grid without some of its vertices, two-connected, and with as many vertices of either colour."""
    rng = random.Random(seed)
    while True:
        graph = nx.grid_2d_graph(rng.randint(4, 9), rng.randint(4, 9))
        graph.remove_nodes_from([cell for cell in list(graph) if rng.random() < 0.08])
        if nx.is_biconnected(graph) and 2 * sum((x + y) % 2 for x, y in graph) == len(graph):
            return graph


@pytest.mark.parametrize("seed", range(part_of(30)))
def test_merged_two_factors_are_tours(seed: int) -> None:
    graph = with_holes(seed)
    problem = Problem(kt.graph(graph, pos={cell: cell for cell in graph}), objective="turns")
    edges = merged(problem, NO_LIMITS)
    if edges is not None:
        verify_edges(problem, edges)


def test_the_first_tour_of_a_grid_is_merged_and_nearly_the_best() -> None:
    graph = kt.graph(nx.grid_2d_graph(30, 4), pos={(x, y): (x, y) for x in range(30) for y in range(4)})
    result = kt.solve(graph, minimize="turns")
    assert (result.status, result.value, result.engine.split("+")[0]) == ("optimal", 8, "2-factor")
    assert result.certificate is not None
    assert kt.check(result.certificate)


def test_two_factors_that_are_not_whole_or_do_not_exist_are_left_out() -> None:
    square = {(x, y): (x, y) for x in range(3) for y in range(3)}
    assert merged(Problem(kt.graph(nx.grid_2d_graph(3, 3), pos=square), objective="turns"), NO_LIMITS) is None
    torus = graph_of("torus:2x6", Leaper.parse("0,1"))
    edges = merged(Problem(torus, objective="turns"), NO_LIMITS)
    assert edges is None or len(np.unique(edges)) == torus.n
