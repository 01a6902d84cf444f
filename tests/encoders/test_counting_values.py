"""Counting by value from both ends, beside brute force, the sweep over the whole board, and what is known."""

from __future__ import annotations

from collections import Counter
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from encoders.counting.values import ValueCounts, count_values_by_halves
from kt_models import KTError, Problem, TooLarge, Weights, graph_of
from kt_models.kernel.certificates.frontier import count_solutions
from kt_models.limits import Limits, Stopped
from kt_models.metrics import BOARD_METRICS
from tests import brute
from tests.effort import part_of
from tests.strategies import small_graphs

INT = np.int32


def counted(problem: Problem, **options: object) -> ValueCounts:
    count = count_values_by_halves(problem, **options)  # type: ignore[arg-type]
    assert count is not None
    return count


@pytest.mark.parametrize("metric", BOARD_METRICS)
@pytest.mark.parametrize(
    ("board", "kind"), [("5x6", "cycle"), ("3x10", "cycle"), ("3x8", "path"), ("4x5", "path"), ("5x5", "path")]
)
def test_values_beside_brute_force(board: str, kind: str, metric: str) -> None:
    known = Counter(brute.values(board, kind == "cycle", metric))
    assert counted(Problem(graph_of(board), kind, metric)).by_value == known  # type: ignore[arg-type]


@settings(max_examples=part_of(90), deadline=None)
@given(st.data())
def test_small_graphs_with_any_weights(data: st.DataObject) -> None:
    """Any pairs of edges, and edges alone, with weights of either sign; order, cut, ends, required and forbidden."""
    graph = data.draw(small_graphs(8))
    assume(graph.n >= 4 and graph.m)
    edges = st.integers(0, graph.m - 1)
    pairs = st.tuples(edges, edges).map(lambda pair: (min(pair), max(pair)))
    some = data.draw(st.dictionaries(pairs, st.integers(-4, 4), max_size=30))
    rows = [(e, f, w) for (e, f), w in some.items()]
    weights = Weights(*(np.array([row[k] for row in rows], dtype=t) for k, t in enumerate((INT, INT, np.int64))))
    kind = data.draw(st.sampled_from(["cycle", "path"]))
    ends = data.draw(st.permutations(range(graph.n)))[: data.draw(st.integers(0, 2)) if kind == "path" else 0]
    few = st.sets(edges, max_size=2)
    p = Problem(graph, kind, weights, tuple(ends), frozenset(data.draw(few)), frozenset(data.draw(few)))  # type: ignore[arg-type]
    known: Counter[int] = Counter()
    for tour in brute.cycles(graph) if kind == "cycle" else brute.paths(graph):
        chosen = brute.edge_set(graph, tour, kind == "cycle")
        if p.required <= chosen and not p.forbidden & chosen and set(ends) <= {tour[0], tour[-1]}:
            known[sum(w for (e, f), w in some.items() if e in chosen and f in chosen)] += 1
    order, cut = data.draw(st.permutations(range(graph.n))), data.draw(st.integers(1, (graph.n - 1) // 2))
    assert counted(p, order=order, cut=cut).by_value == known


@pytest.mark.parametrize(
    "board",
    [
        "torus:4x4",
        pytest.param("cylinder:4x6", marks=pytest.mark.slow),
        "aztec:3",
        "2x3x4",
        pytest.param("5x8", marks=pytest.mark.slow),
    ],
)
def test_counts_of_other_boards_agree_with_the_whole_sweep(board: str) -> None:
    """Two moves between the same cells, holes, and three dimensions."""
    p = Problem(graph_of(board), "cycle", "turns")
    assert counted(p).by_value == count_solutions(p, by_value=True).by_value


@pytest.mark.parametrize("metric", BOARD_METRICS)
def test_every_cut_and_way_to_join_gives_the_same(metric: str) -> None:
    p = Problem(graph_of("6x6"), "cycle", metric)  # type: ignore[arg-type]
    whole = count_solutions(p, by_value=True).by_value
    for cut in (9, 12, 16):
        assert counted(p, cut=cut).by_value == whole
    glued = counted(p)
    with mock.patch("encoders.counting.values.VECTOR_BYTES", 8):
        tried = counted(p)
    for workers in (1, 2):
        with mock.patch("encoders.counting.meet.BLOCK", 100):
            assert counted(p, limits=Limits(workers=workers)).by_value == whole
    assert tried.by_value == whole and tried.pairs > glued.pairs > 0


@pytest.mark.slow
def test_distributions_of_7x8_begin_as_listed() -> None:
    """136 tours with 42 turns, the fewest, were listed one by one."""
    count = counted(Problem(graph_of("7x8"), "cycle", "turns"))
    assert count.total == 34_524_432_316 and min(count.by_value) == 42 and count.by_value[42] == 136


def test_what_cannot_be_counted_by_value_is_left_to_others() -> None:
    assert count_values_by_halves(Problem(graph_of("30x30"), "cycle", "turns")) is None
    assert count_values_by_halves(Problem(graph_of("3x200"), "cycle", "turns")) is None
    with pytest.raises(KTError, match="objective"):
        count_values_by_halves(Problem(graph_of("5x6")))
    with pytest.raises(KTError, match="cut"):
        count_values_by_halves(Problem(graph_of("5x6"), "cycle", "turns"), cut=15)


def test_limits_are_kept() -> None:
    p = Problem(graph_of("7x8"), "cycle", "turns")
    with pytest.raises(TooLarge, match="limit of"):
        count_values_by_halves(p, limits=Limits(memory=1 << 20))
    with pytest.raises(Stopped):
        count_values_by_halves(p, limits=Limits(seconds=0))
