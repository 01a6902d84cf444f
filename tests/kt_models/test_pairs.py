"""Turns and crossings: one list of pairs, against geometry worked out from nothing."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kt_models import KTError, MoveGraph, Tour, graph_of, pair_weights
from kt_models.metrics.crossings import crossing_patterns, segments_cross
from kt_models.metrics.turns import turn_patterns
from tests import brute
from tests.strategies import boards, leapers, tours

vectors = st.tuples(st.integers(-4, 4), st.integers(-4, 4))


@given(tours())
def test_measure_agrees_with_geometry(tour: Tour) -> None:
    order = tuple(tour.order.tolist())
    assert tour.measure("turns") == brute.turns(tour.graph, order, tour.closed)
    assert tour.measure("crossings") == brute.crossings(tour.graph, order, tour.closed)


@given(tours(), st.sampled_from(["turns", "crossings"]))
def test_pair_weights_agree_with_measure(tour: Tour, metric: str) -> None:
    assert pair_weights(tour.graph, metric).value(tour.edges) == tour.measure(metric)
    assert sum(len(placed.tails) for placed in tour.pairs(metric)) == tour.measure(metric)


@given(boards(), leapers, st.data())
def test_any_choice_of_edges_is_measured_alike(board, leaper, data) -> None:
    """Also on tori and cylinders, and for edges that are no tour: listing pairs and counting steps agree."""
    from kt_models.pairs import count_steps

    graph = MoveGraph.of(board, leaper)
    if graph.m == 0:
        return
    edges = np.array(sorted(data.draw(st.sets(st.integers(0, graph.m - 1), max_size=30))), dtype=np.int64)
    for metric in ("turns", "crossings"):
        weights = pair_weights(graph, metric)
        assert weights.value(edges) == count_steps(graph, metric, graph.tails[edges], graph.edge_move[edges])


@given(tours())
def test_symmetric_images_measure_the_same(tour: Tour) -> None:
    for symmetry in tour.graph.symmetries():
        image = tour.transformed(symmetry)
        assert image.measure("turns") == tour.measure("turns")
        assert image.measure("crossings") == tour.measure("crossings")


def test_turns_in_space() -> None:
    graph = graph_of("3x1x5")  # One layer deep: a plane seen from the side
    plane = graph_of("3x5")
    assert len(pair_weights(graph, "turns").first) == len(pair_weights(plane, "turns").first)
    assert len(pair_weights(graph, "crossings").first) == len(pair_weights(plane, "crossings").first)


@pytest.mark.parametrize("text", ["3x3x3", "2x3x4", "2x3x2x3"])
def test_crossings_of_a_box_are_the_pairs_of_segments_that_meet(text: str) -> None:
    graph = graph_of(text)
    cells = graph.board.cells.tolist()
    segments = [(cells[u], cells[v]) for u, v in graph.ends.tolist()]
    weights = pair_weights(graph, "crossings")
    listed = set(zip(weights.first.tolist(), weights.second.tolist(), strict=True))
    assert set(weights.weight.tolist()) == {1}
    assert listed == {
        (e, f) for e, f in combinations(range(graph.m), 2) if brute.meet_in_space(*segments[e], *segments[f])
    }


@given(st.tuples(*[st.integers(-3, 3)] * 3), st.tuples(*[st.integers(-3, 3)] * 3), st.tuples(*[st.integers(-3, 3)] * 3))
def test_crossing_test_in_space_agrees_with_fractions(a, b, offset) -> None:
    assume(any(a) and any(b))
    head = [p + q for p, q in zip(offset, b, strict=True)]
    if np.linalg.matrix_rank(np.array([a, b])) == 2:
        assert segments_cross(a, b, offset) == brute.meet_in_space([0, 0, 0], a, offset, head)
    assert segments_cross(a, b, offset) == segments_cross(b, a, tuple(-c for c in offset))


@given(vectors, vectors, vectors)
def test_crossing_test_is_symmetric_and_agrees_with_fractions(a, b, offset) -> None:
    assume(a != (0, 0) and b != (0, 0))  # A move leads somewhere
    back = (-offset[0], -offset[1])
    assert segments_cross(a, b, offset) == segments_cross(b, a, back)
    if a[0] * b[1] != a[1] * b[0]:
        head = (offset[0] + b[0], offset[1] + b[1])
        assert segments_cross(a, b, offset) == brute._meet((0, 0), a, offset, head)


def test_overlapping_collinear_segments_cross_and_touching_ones_do_not() -> None:
    assert segments_cross((2, 4), (2, 4), (1, 2))
    assert not segments_cross((1, 2), (1, 2), (1, 2))
    assert not segments_cross((2, 0), (0, 2), (1, 0))  # An end on the other's inside


def test_patterns_are_few_and_each_pair_is_listed_once() -> None:
    moves = tuple(tuple(m) for m in graph_of("8x8").moves.tolist())
    assert len(turn_patterns(moves)) == 24
    for patterns in (turn_patterns(moves), crossing_patterns(moves)):
        mirrored = {(p.second, p.first, tuple(-c for c in p.offset)) for p in patterns}
        assert not mirrored & {tuple(p) for p in patterns}


def test_graphs_without_positions_have_no_turns() -> None:
    graph = MoveGraph.from_edges(3, [[0, 1], [1, 2], [0, 2]])
    with pytest.raises(KTError, match="its vertices have no positions"):
        pair_weights(graph, "turns")
    with pytest.raises(KTError, match="unknown metric"):
        pair_weights(graph_of("5x5"), "beauty")
