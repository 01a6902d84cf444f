"""Sweeps: counts and least values beside brute force and published numbers, and certificates of method `frontier`."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_models import (
    Board,
    CertificateError,
    InvalidTour,
    KTError,
    Leaper,
    MoveGraph,
    Problem,
    TooLarge,
    Weights,
    verify_edges,
)  # fmt: skip
from kt_models.kernel.certificates import Certificate, Statement
from kt_models.kernel.certificates.frontier import Potentials, count_solutions, least_value
from kt_models.kernel.certificates.frontier.bound import bound
from kt_models.kernel.sweeps.net import good_order
from kt_models.limits import Limits, Stopped
from kt_models.symmetry import Symmetry
from tests import brute
from tests.effort import part_of, slow, slow_rows
from tests.processes import StopAfter
from tests.strategies import small_graphs

STOPPED = Limits(seconds=0)


def problem(board: str, connectivity: str = "cycle", objective: str | None = None, leaper: str = "1,2") -> Problem:
    return Problem(MoveGraph.of(Board.parse(board), Leaper.parse(leaper)), connectivity, objective)  # type: ignore[arg-type]


def values_of(p: Problem) -> Counter[int]:
    """The value of every solution, by trying every set of edges of the right size."""
    graph, ends = p.graph, p.graph.ends.tolist()
    target = [1 if v in p.terminals else 2 for v in range(graph.n)]
    found: Counter[int] = Counter()

    def choose(edge: int, chosen: list[int], degree: list[int], missing: int) -> None:
        if missing == 0:
            try:
                verify_edges(p, np.array(chosen, dtype=np.int64))
            except InvalidTour:
                return
            found[p.value(np.array(chosen, dtype=np.int64)) or 0] += 1
            return
        if edge == graph.m:
            return
        u, v = ends[edge]
        if degree[u] < target[u] and degree[v] < target[v]:
            degree[u] += 1
            degree[v] += 1
            choose(edge + 1, [*chosen, edge], degree, missing - 1)
            degree[u] -= 1
            degree[v] -= 1
        choose(edge + 1, chosen, degree, missing)

    choose(0, [], [0] * graph.n, (sum(target) - p.free_ends) // 2)
    return found


# -- numbers that others have found --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "count"),
    [("5x6", 8), ("6x5", 8), ("3x10", 16), ("10x3", 16), ("3x12", 176), ("6x6", 9862), ("5x8", 44202), ("5x6-a1", 0)],
)
def test_closed_tours_are_as_many_as_known(board: str, count: int) -> None:
    assert count_solutions(problem(board)).total == count


@pytest.mark.parametrize(("board", "count"), [("3x4", 8), ("5x5", 864), ("4x5", 82), ("1x1", 1), ("2x2", 0)])
def test_open_tours_are_as_many_as_known(board: str, count: int) -> None:
    assert count_solutions(problem(board, "path")).total == count


def test_a_number_beyond_64_bits_is_exact() -> None:
    """The closed tours of 3 x 2n satisfy the linear recurrence of Knuth and Elkies (1994), of order 21."""
    count = {n: count_solutions(problem(f"3x{2 * n}")).total for n in (4, 5, 6, 7, 8, 9, 10, 11, 12, 60)}
    assert [count[n] for n in (4, 5, 6, 7, 8, 9, 10)] == [0, 16, 176, 1536, 15424, 147728, 1448416]
    assert count[60] > 2**128
    assert count[60] == count_solutions(problem("120x3")).total


@pytest.mark.parametrize(
    ("board", "turns", "crossings"), [pytest.param("5x6", 28, 49, marks=pytest.mark.slow), ("3x10", 26, 55)]
)
def test_least_turns_and_crossings(board: str, turns: int, crossings: int) -> None:
    for objective, value in (("turns", turns), ("crossings", crossings)):
        p = problem(board, "cycle", objective)
        assert least_value(p).value == least_value(p, at_most=value).value == value
        assert least_value(p, at_most=value - 1).value is None
        assert bound(p, {"at_least": value}) == value


# -- beside brute force --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "closed", "objective"),
    [
        ("5x6", True, "turns"),
        ("3x10", True, "crossings"),
        ("3x7", False, "turns"),
        *slow_rows(
            [
                ("5x6", True, "crossings"),
                ("3x10", True, "turns"),
                ("5x5", False, "turns"),
                ("5x5", False, "crossings"),
                ("3x7", False, "crossings"),
            ]
        ),
    ],
)
def test_counts_by_value_agree_with_brute_force(board: str, closed: bool, objective: str) -> None:
    p = problem(board, "cycle" if closed else "path", objective)
    known = Counter(getattr(brute, objective)(p.graph, order, closed) for order in brute.tours(board, closed))
    counted = count_solutions(p, by_value=True)
    assert counted.by_value == dict(sorted(known.items()))
    assert counted.total == sum(known.values())
    least = min(known)
    assert least_value(p).value == least
    few = {value: number for value, number in known.items() if value <= least + 2}
    assert count_solutions(p, by_value=True, at_most=least + 2).by_value == dict(sorted(few.items()))


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Any kind of problem of a graph small enough to try every set of edges."""
    if draw(st.booleans()):
        graph = draw(small_graphs(7))
    else:
        text = draw(
            st.sampled_from(["3x3", "3x4", "2x5", "4x4-a1,d4", "torus:3x3", "cylinder:4x2", "torus:2x4", "2x2x2"])
        )
        graph = MoveGraph.of(Board.parse(text), draw(st.sampled_from([Leaper(1, 2), Leaper(0, 1), Leaper(1, 1)])))
    if graph.m > 16:
        graph = MoveGraph.from_edges(graph.n, graph.ends[:16])
    connectivity = draw(st.sampled_from(["cycle", "path", "linkage", "paths", "any"]))
    vertices = draw(st.permutations(range(graph.n)))
    most = {"cycle": 0, "path": min(2, graph.n)}.get(connectivity, min(4, graph.n))
    terminals = draw(st.integers(0, most))
    if connectivity in ("linkage", "paths"):
        terminals -= terminals % 2
        if not terminals:
            connectivity, terminals = "any", 0
    edges = st.sets(st.integers(0, graph.m - 1), max_size=2) if graph.m else st.just(set())
    objective: str | Weights | None = None
    kind = draw(st.sampled_from(["none", "weights", "turns"]))
    if kind == "turns" and graph.board is not None:
        objective = "turns"
    elif kind != "none":
        pairs = [(e, f) for f in range(graph.m) for e in range(f + 1)]
        chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=30)) if pairs else []
        weight = draw(st.lists(st.integers(0, 5), min_size=len(chosen), max_size=len(chosen)))
        rows = np.array(chosen, dtype=np.int32).reshape(-1, 2)
        objective = Weights(rows[:, 0], rows[:, 1], np.array(weight, dtype=np.int64))
    return Problem(
        graph, connectivity, objective, tuple(vertices[:terminals]), frozenset(draw(edges)), frozenset(draw(edges))
    )  # type: ignore[arg-type]


@settings(max_examples=part_of(120), deadline=None)
@given(st.data())
def test_every_kind_of_problem(data: st.DataObject) -> None:
    p = data.draw(problems())
    known = values_of(p)
    order = data.draw(st.none() | st.permutations(range(p.graph.n)))
    assert count_solutions(p, order=order).total == sum(known.values())
    if p.objective is None:
        return
    assert count_solutions(p, by_value=True, order=order).by_value == dict(sorted(known.items()))
    denominator = data.draw(st.integers(1, 4))
    values = data.draw(st.lists(st.integers(-6, 6), min_size=p.graph.m, max_size=p.graph.m))
    few = data.draw(st.sampled_from([1, 10, 100_000]))
    inner = data.draw(st.lists(st.integers(0, p.graph.n - 1), unique=True)) if p.graph.n else []
    with mock.patch("kt_models.kernel.certificates.frontier.both_ends.FIRST_STATES", few):
        check_least(p, known, order, inner, Potentials(tuple(values), denominator))


def check_least(p: Problem, known: Counter[int], order: list[int] | None, inner: list[int], some: Potentials) -> None:
    least = min(known, default=None)
    for potentials in (None, some):
        assert least_value(p, potentials=potentials, order=order).value == least
        if least is not None:
            assert least_value(p, potentials=potentials, at_most=least, inner=inner).value == least
            assert least_value(p, potentials=potentials, at_most=least - 1, inner=inner).value is None
            relaxed = least_value(p, potentials=potentials, relaxed=True).value
            assert relaxed is not None and relaxed <= least


@pytest.mark.parametrize("first", slow([1, 60]))
def test_sweeps_that_drop_states_are_still_exact(first: int) -> None:
    """The bounds from both ends hold however few states a sweep may keep."""
    with mock.patch("kt_models.kernel.certificates.frontier.both_ends.FIRST_STATES", first):
        for objective, value in (("turns", 28), ("crossings", 49))[: 1 if first == 1 else 2]:
            assert least_value(problem("5x6", "cycle", objective)).value == value
        p = problem("4x5", "path", "crossings")
        known = Counter(brute.crossings(p.graph, order, False) for order in brute.tours("4x5", False))
        assert least_value(p).value == min(known)


# -- limits and wrong input ----------------------------------------------------------------------------------------


def test_too_large_sweeps_are_refused() -> None:
    with pytest.raises(TooLarge, match="limit of"):
        count_solutions(problem("8x8"), limits=Limits(memory=1 << 20))
    with pytest.raises(TooLarge, match="too wide"):
        count_solutions(problem("100x100"))
    with pytest.raises(TooLarge, match="vertices"):
        count_solutions(problem("200x200"))


def test_a_stop_is_heard() -> None:
    with pytest.raises(Stopped):
        count_solutions(problem("8x8"), limits=STOPPED)


def test_limits_are_kept_however_many_moves_a_cell_has() -> None:
    graph = MoveGraph.from_edges(40, list(combinations(range(40), 2)))
    weights = Weights(*(np.arange(graph.m, dtype=np.int32),) * 2, np.arange(graph.m))
    with pytest.raises(Stopped):
        least_value(Problem(graph, "any", weights), limits=Limits(stop=StopAfter(5)))


def test_a_single_cell_is_counted_by_value_too() -> None:
    single = problem("1x1", "path", "turns")
    assert [count_solutions(single, at_most=cap).total for cap in (-1, 0)] == [0, 1]
    assert count_solutions(single, by_value=True, at_most=-1).by_value == {}


@pytest.mark.parametrize("weight", [2**20, 2**26, 2**27, 2**31, 2**40, 2**62, 2**63 - 1])
def test_large_weights_are_exact_or_refused(weight: int) -> None:
    graph = problem("3x3-b2").graph
    edges = np.arange(8, dtype=np.int32)
    p = Problem(graph, "cycle", Weights(edges, edges, np.full(8, weight)))
    try:
        assert least_value(p).value == 8 * weight
        assert count_solutions(p, by_value=True).by_value == {8 * weight: 1}
    except TooLarge:
        assert 8 * weight > 2**29
    with pytest.raises(TooLarge):
        bound(p, {"potentials": [[0, 1 << 40]]})


def test_problems_without_a_sweep_are_refused() -> None:
    with pytest.raises(KTError, match="symmetric"):
        count_solutions(Problem(problem("6x6").graph, symmetry=(Symmetry.parse("rot180", 2),)))
    with pytest.raises(KTError, match="objective"):
        count_solutions(problem("6x6"), by_value=True)
    graph = problem("5x6").graph
    apart = Weights([0], [graph.m - 1], [-1])  # type: ignore[arg-type]
    with pytest.raises(KTError, match="negative"):
        least_value(Problem(graph, objective=apart))


@pytest.mark.parametrize(
    "data",
    [
        {"at_least": "28"}, {"at_least": True}, {"at_least": 1 << 80}, {"at_least": None}, {"relaxed": 1},
        {"order": [0, 1]}, {"order": [0] * 30}, {"order": 5}, {"order": ["0"] * 30}, {"potentials": 3},
        {"potentials": [[0, 1.5]]}, {"potentials": [[999, 1]]}, {"potentials": [[0, 1], [0, 2]]},
        {"potentials": [[0, 1]], "denominator": 0}, {"potentials": [[0, 1]], "symmetry": ["nonsense"]},
        {"inner": 3}, {"inner": [30]}, {"inner": [7, 7]}, {"inner": [-1]},
    ],
)  # fmt: skip
def test_wrong_data_is_a_certificate_error(data: dict) -> None:
    with pytest.raises(CertificateError):
        bound(problem("5x6", "cycle", "turns"), data)


def test_a_claim_below_at_and_above_the_truth() -> None:
    p = problem("5x6", "cycle", "turns")
    assert [bound(p, {"at_least": claim}) for claim in (-3, 25, 28, 29, 40)] == [-3, 25, 28, 28, 28]
    assert bound(p, {}) == 28
    assert bound(p, {"relaxed": True}) <= 28


@pytest.mark.slow
@pytest.mark.parametrize(("board", "least"), [("6x6", 52), ("5x6", 49), ("aztec:4", 32)])
def test_the_border_alone_has_bounds_for_all(board: str, least: int) -> None:
    from encoders.bounds.methods.frontier import inner_cells

    p = problem(board, "cycle", "crossings")
    data = {"inner": inner_cells(p.graph.board)}
    assert [bound(p, data | {"at_least": claim}) for claim in (least, least + 1)] == [least, least]


@pytest.mark.parametrize(
    ("board", "inner"),
    [("3x3", 0), ("8x8", 16), ("9x9-e5", 12), ("aztec:5", 24), ("cylinder:8x8", 32), ("torus:8x8", 64)],
)
def test_two_rings_are_the_border_of_a_board_of_any_shape(board: str, inner: int) -> None:
    from encoders.bounds.methods.frontier import inner_cells

    assert len(inner_cells(problem(board, "cycle", "crossings").graph.board)) == inner


def test_the_bounds_of_the_border_count_as_memory() -> None:
    """Bounds are kept for every step: on a long board they take more than the states."""
    data = {"inner": [60], "at_least": 20}
    assert bound(problem("3x40", "cycle", "turns"), data, Limits(memory=1 << 20)) == 20
    with pytest.raises(TooLarge, match="border"):
        bound(problem("3x40", "cycle", "turns"), data, Limits(memory=1 << 17))


@pytest.mark.slow
def test_good_potentials_and_bad_ones_show_the_same() -> None:
    """Any potentials do; with good ones 45, which is more than the relaxation or any 2-factor gives, is quick."""
    from encoders.bounds.methods.frontier import make

    p = problem("8x8", "cycle", "turns")
    data = json.loads(json.dumps(make(p, 45)))
    assert "potentials" in data
    assert bound(p, data) == 45
    assert Certificate("frontier", Statement(p, "at-least", 45), data).check()
    with pytest.raises(Stopped):
        bound(p, data, STOPPED)
    crossings = problem("5x6", "cycle", "crossings")
    assert bound(crossings, make(crossings, 50)) == 49
    small = problem("5x6", "cycle", "turns")
    bad = {"potentials": [[e, (-1) ** e * e] for e in range(small.graph.m)], "denominator": 7}
    assert bound(small, {**bad, "at_least": 28}) == bound(small, {**bad, "at_least": 29}) == 28


@pytest.mark.slow
def test_a_box_is_swept_in_an_order_with_few_states() -> None:
    from encoders.bounds.methods.frontier import make
    from encoders.bounds.methods.orders import states

    p = problem("3x3x4", "cycle", "crossings")
    data = make(p, 2)
    assert sorted(data["order"]) == list(range(36))
    ends = p.graph.ends.astype(np.int64)
    found, layers = (states(ends, p.weights, np.array(order)) for order in (data["order"], good_order(p.graph)))
    assert found < layers - 4
    assert bound(p, data) == 2


def test_symmetry_rounds_a_bound_up_but_is_not_counted() -> None:
    p = Problem(problem("5x6").graph, "cycle", "turns", symmetry=(Symmetry.parse("rot180", 2),))
    assert bound(p, {"at_least": 27}) == 28


def test_huge_numbers_do_no_harm() -> None:
    p = problem("5x6", "cycle", "turns")
    assert bound(p, {"at_least": 1 << 40}) == 28
    assert bound(p, {"at_least": -(1 << 40)}) == -(1 << 40)
    with pytest.raises(TooLarge):
        bound(p, {"potentials": [[0, 1 << 40]]})
    with pytest.raises(TooLarge):
        bound(p, {"potentials": [[0, 1]], "denominator": 1 << 40})
    with pytest.raises(CertificateError, match="no solution"):
        bound(problem("4x4", "cycle", "turns"), {})
    assert bound(problem("4x4", "cycle", "turns"), {"at_least": 9}) == 9
    with pytest.raises(TooLarge):
        bound(problem("8x8", "cycle", "crossings"), {"at_least": 69}, Limits(memory=1 << 22))


def test_pairs_of_terminals_are_told_apart() -> None:
    """Paths join the terminals in any pairing, a linkage in the one given."""
    graph = problem("3x4", leaper="0,1").graph
    compared = 0
    for a, b, c, d in combinations(range(0, 12, 2), 4):
        paths = count_solutions(Problem(graph, "paths", terminals=(a, b, c, d))).total
        pairings = [(a, b, c, d), (a, c, b, d), (a, d, b, c)]
        linkages = [count_solutions(Problem(graph, "linkage", terminals=ends)).total for ends in pairings]
        assert sum(linkages) == paths
        compared += len([n for n in linkages if n]) > 1
    assert compared
