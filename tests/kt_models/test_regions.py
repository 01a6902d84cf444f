"""Bounds by regions: below every true optimum, exact on what they say they are, and nothing gets past the checker."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from encoders.bounds.methods.regions import belts, make, proposals
from kt_models import CertificateError, KTError, MoveGraph, Problem, graph_of
from kt_models.kernel.certificates import regions, states
from kt_models.limits import Limits, Stopped
from kt_models.pairs import pair_weights
from kt_models.weights import Weights
from tests import brute
from tests.effort import part_of

LEAST = {"5x6": 49, "3x10": 55, "6x6": 52, "6x7": 56, "6x8": 59, "7x8": 65, "8x8": 69}
"""Fewest crossings of closed tours, proved elsewhere (docs/data/results.md)."""


def closed(board: str, objective="crossings") -> Problem:
    return Problem(graph_of(board), objective=objective)


def least_by_trying(problem: Problem, cells: list[int]) -> int | None:
    """The least weight of a set of moves at the cells that gives each of them its degree: all sets are tried."""
    graph, weights = problem.graph, problem.weights
    moves = sorted({int(e) for v in cells for e in graph.edges_of(v)} - problem.forbidden)
    place = {e: i for i, e in enumerate(moves)}
    sets = (np.arange(2 ** len(moves))[:, None] >> np.arange(len(moves))) & 1
    at = np.array([[v in graph.ends[e] for v in cells] for e in moves], dtype=np.int64).reshape(-1, len(cells))
    missing = np.array([1 if v in problem.terminals else 2 for v in cells]) - sets @ at
    fits = (missing >= 0).all(axis=1) & (missing <= 1).all(axis=1) & (missing.sum(axis=1) <= problem.free_ends)
    for e in problem.required & set(moves):
        fits &= sets[:, place[e]] == 1
    value = np.zeros(len(sets), dtype=np.int64)
    for e, f, w in zip(weights.first.tolist(), weights.second.tolist(), weights.weight.tolist(), strict=True):
        if e in place and f in place:
            value += w * sets[:, place[e]] * sets[:, place[f]]
    return int(value[fits].min()) if fits.any() else None


# -- the minimum of one region is exact ------------------------------------------------------------------------------


@settings(max_examples=part_of(40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_an_open_region_has_the_minimum_that_trying_everything_finds(data):
    board = data.draw(st.sampled_from(["3x3", "3x4", "4x4", "3x5", "4x5", "torus:4x5", "5x5-c3"]))
    graph = graph_of(board)
    cells = data.draw(st.permutations(range(graph.n)))
    kept: list[int] = []
    for v in cells:  # As many as have up to 13 moves between them
        if len({int(e) for u in [*kept, v] for e in graph.edges_of(u)}) <= 13:
            kept.append(v)
    edges = sorted({int(e) for u in kept for e in graph.edges_of(u)})
    weigh = data.draw(st.booleans())
    rng = np.random.default_rng(data.draw(st.integers(0, 9)))
    pairs = np.array([(e, f) for e in edges for f in edges if e <= f and rng.random() < 0.3]).reshape(-1, 2)
    weights = Weights(*pairs.astype(np.int32).T, rng.integers(0, 9, len(pairs)))
    some = st.sets(st.sampled_from(edges), max_size=1) if edges else st.just(set())
    problem = Problem(
        graph,
        data.draw(st.sampled_from(["any", "path", "cycle"])),
        weights if weigh else "crossings",
        required=frozenset(data.draw(some)),
        forbidden=frozenset(data.draw(some)),
    )
    expected = least_by_trying(problem, kept)
    proof = {"regions": [{"cells": kept}]}
    if expected is None:
        with pytest.raises(CertificateError):
            regions.bound(problem, proof)
    else:
        assert regions.bound(problem, proof) == expected


@pytest.mark.parametrize("board", [pytest.param("3x10", marks=pytest.mark.slow), "4x5", "5x6"])
def test_the_whole_board_as_a_region_is_the_least_two_factor(board):
    from ortools.sat.python import cp_model

    problem = closed(board)
    graph, weights = problem.graph, problem.weights
    model = cp_model.CpModel()
    x = [model.new_bool_var("") for _ in range(graph.m)]
    for v in range(graph.n):
        model.add(sum(x[e] for e in graph.edges_of(v)) == 2)
    both = [model.new_bool_var("") for _ in weights.first]
    for e, f, z in zip(weights.first, weights.second, both, strict=True):
        model.add_bool_or([~x[e], ~x[f], z])
    model.minimize(sum(both))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 2
    assert solver.solve(model) == cp_model.OPTIMAL
    assert regions.bound(problem, {"regions": [{"cells": list(range(graph.n))}]}) == round(solver.objective_value)


# -- never above the truth -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", LEAST)
@pytest.mark.parametrize("rows", [1, 2])
def test_belts_stay_below_the_least_number_of_crossings(board, rows):
    problem = closed(board)
    for alternatives in proposals(problem.graph.board, rows):
        for data in alternatives:
            assert regions.bound(problem, data) <= LEAST[board]


@pytest.mark.parametrize("objective", ["crossings", "turns"])
@pytest.mark.parametrize(
    ("board", "is_closed"), [("3x10", True), ("5x6", True), ("3x4", False), ("4x5", False), ("5x5", False)]
)
def test_the_bound_stays_below_every_tour(board, is_closed, objective):
    graph = graph_of(board)
    least = min(brute.values(board, is_closed, objective))
    problem = Problem(graph, "cycle" if is_closed else "path", objective)
    assert 0 < regions.bound(problem, make(problem, limits=Limits(600), depth=2)) <= least


@settings(max_examples=part_of(60), deadline=None)
@given(st.data())
def test_whatever_cells_in_whatever_order_the_bound_stays_below_the_optimum(data):
    board, is_closed = data.draw(st.sampled_from([("3x10", True), ("5x6", True), ("3x4", False), ("4x5", False)]))
    graph = graph_of(board)
    least = min(brute.values(board, is_closed, "crossings"))
    cells = st.lists(st.integers(0, graph.n - 1), min_size=1, max_size=9, unique=True)
    found = data.draw(st.lists(st.fixed_dictionaries({"cells": cells, "closed": st.booleans()}), max_size=4))
    proof = {"regions": found, "laps": data.draw(st.integers(1, 3)), "penalty": data.draw(st.integers(0, 20))}
    problem = Problem(graph, "cycle" if is_closed else "path", "crossings")
    assert regions.bound(problem, proof) <= least


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_a_belt_that_was_tampered_with_shows_no_more_than_is_true(data):
    board = data.draw(st.sampled_from(["5x6", "6x6", "6x7"]))
    problem = closed(board)
    cells = list(belts(problem.graph.board, data.draw(st.sampled_from([1, 2])))[0])
    for _ in range(data.draw(st.integers(1, 2))):
        i = data.draw(st.integers(0, len(cells) - 1))
        j = (i + data.draw(st.integers(1, 3))) % len(cells)  # Not far: the sweep would become wide
        if data.draw(st.booleans()):
            cells[i], cells[j] = cells[j], cells[i]
        else:
            del cells[i]
    data_ = {"regions": [{"cells": cells, "closed": True}], "laps": 2}
    assert regions.bound(problem, data_) <= LEAST[board]


@pytest.mark.parametrize(("objective", "least"), [("turns", 20), pytest.param("crossings", 34, marks=pytest.mark.slow)])
def test_an_end_seen_by_two_regions_is_not_two_ends(objective: str, least: int) -> None:
    """Regions that overlap each see the same free end; spread over them as over disjoint ones, 29 and 40 came out."""
    problem = Problem(graph_of("5x5"), "path", objective)
    most = [v for v in range(25) if v not in (9, 21)]
    for first, second in ((most, list(range(25))), (list(range(25)), most)):
        data = {"regions": [{"cells": first, "closed": False}, {"cells": second, "closed": False}]}
        assert regions.bound(problem, data) <= least


def test_regions_without_a_common_cell_share_the_ends() -> None:
    """Sides that share their corners lose an end each time; cut apart they lose two in all."""
    board = graph_of("20x20").board
    sides = [side.tolist() for side in (board.grid[0], board.grid[:, -1], board.grid[-1, ::-1], board.grid[::-1, 0])]
    problem = Problem(graph_of("20x20"), "path", "crossings")
    whole, apart = ({"regions": [{"cells": side[:stop]} for side in sides]} for stop in (None, -1))
    assert regions.bound(problem, whole) < regions.bound(problem, apart) == 77


def test_a_single_cell_has_the_bound_0_where_a_path_may_be_nothing_else() -> None:
    for terminals in ((), (0,)):
        problem = Problem(graph_of("1x1"), "path", "crossings", terminals=terminals)
        for closed in (False, True):
            assert regions.bound(problem, {"regions": [{"cells": [0], "closed": closed}] * 2}) == 0


def test_weights_near_the_limits_of_machine_integers_are_exact_or_refused() -> None:
    graph = graph_of("3x3-b2")
    pairs = np.arange(8, dtype=np.int32)
    data = {"regions": [{"cells": list(range(8))}]}
    for weight in (2**8, 2**9 - 1, 2**11 - 1):
        assert regions.bound(Problem(graph, "cycle", Weights(pairs, pairs, np.full(8, weight))), data) == 8 * weight
    for weight in (2**12, 2**31, 2**40, 2**62, 2**63 - 1):
        with pytest.raises(CertificateError, match="differ by too much"):
            regions.bound(Problem(graph, "cycle", Weights(pairs, pairs, np.full(8, weight))), data)


def test_limits_are_kept() -> None:
    star = MoveGraph.from_edges(4000, [[0, v] for v in range(1, 4000)])
    first = np.zeros(3999, dtype=np.int32)
    problem = Problem(star, "any", Weights(first, np.arange(3999, dtype=np.int32), first.astype(np.int64)))
    with pytest.raises(Stopped):
        regions.bound(problem, {"regions": [{"cells": [0], "closed": True}]}, Limits(seconds=0.3))
    with pytest.raises(CertificateError, match="continuations"):
        regions.bound(closed("6x6"), {"regions": [{"cells": list(range(36))}]}, Limits(memory=1 << 16))


def test_given_ends_and_moves_make_it_no_smaller():
    graph = graph_of("4x5")
    tours = brute.tours("4x5", False)
    data = make(Problem(graph, "path", "crossings"), depth=2)
    free = regions.bound(Problem(graph, "path", "crossings"), data)
    for order in tours[:5]:
        edges = frozenset(list(brute.edge_set(graph, order, False))[:3])
        fixed = Problem(graph, "path", "crossings", terminals=(order[0], order[-1]), required=edges)
        assert free <= regions.bound(fixed, data) <= brute.crossings(graph, order, False)


# -- what the bound is worth -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "constant"), [(1, 16), (2, 32)])
@pytest.mark.parametrize("n", [9, 10, 12, 20, 50, 100])
def test_four_n_and_a_constant_on_squares(n, rows, constant):
    problem = closed(f"{n}x{n}")
    [[data, _], *_] = list(proposals(problem.graph.board, rows))[-1:]
    assert regions.bound(problem, data) == 4 * n + constant
    assert len(json.dumps(data)) < 10_000


def settled(n: int, rows: int, monkeypatch: pytest.MonkeyPatch) -> list[list[tuple[bytes, int]]]:
    """Digest of V after each column, and what the column added, for each side of the last lap."""
    log: list[tuple[bytes, int]] = []
    apply = states.Memory.apply

    def logged(memory, step, front):
        front, cost = apply(memory, step, front)
        log.append((front.digest, cost))
        return front, cost

    problem = closed(f"{n}x{n}")
    with monkeypatch.context() as patch:
        patch.setattr(states.Memory, "apply", logged)
        regions.bound(problem, {"regions": [{"cells": belts(problem.graph.board, rows)[0], "closed": True}], "laps": 2})
    lap = log[-4 * (n - rows) * rows :]
    columns = [(lap[i + rows - 1][0], sum(c for _, c in lap[i : i + rows])) for i in range(0, len(lap), rows)]
    return [columns[k * (n - rows) : (k + 1) * (n - rows)] for k in range(4)]


@pytest.mark.parametrize(("rows", "n"), [(1, 12), (2, 16), pytest.param(3, 26, marks=pytest.mark.slow)])
def test_a_longer_side_adds_exactly_one_per_column_whatever_its_length(rows, n, monkeypatch):
    """The bounds 4n + constant therefore hold for every n from here on: the column in the middle can be repeated."""
    sides = settled(n, rows, monkeypatch)
    assert sides[0] == sides[1] == sides[2] == sides[3]
    middle = n // 2
    assert sides[0][middle] == sides[0][middle + 1]
    assert sides[0][middle][1] == 1
    longer = settled(n + 1, rows, monkeypatch)[0]
    assert longer == [*sides[0][:middle], sides[0][middle], *sides[0][middle:]]


@pytest.mark.slow
@pytest.mark.parametrize("n", [10, 12, 20, 50, 100])
def test_three_rows_on_squares(n):
    problem = closed(f"{n}x{n}")
    assert regions.bound(problem, make(problem, limits=Limits(600))) == 4 * n + 36


def test_a_stop_leaves_a_valid_certificate():
    import threading

    stop = threading.Event()
    stop.set()
    problem = closed("20x20")
    assert regions.bound(problem, make(problem, limits=Limits(stop=stop))) == 0


# -- hostile data ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"regions": None},
        {"regions": {}},
        {"regions": [3]},
        {"regions": [{}]},
        {"regions": [{"cells": []}]},
        {"regions": [{"cells": [0, 0]}]},
        {"regions": [{"cells": [-1]}]},
        {"regions": [{"cells": [36]}]},
        {"regions": [{"cells": [True]}]},
        {"regions": [{"cells": [0.0]}]},
        {"regions": [{"cells": [10**40]}]},
        {"regions": [{"cells": ["a1"]}]},
        {"regions": [{"cells": [[0]]}]},
        {"regions": [{"cells": [0], "closed": 1}]},
        {"regions": [{"cells": list(range(36))}] * 1999 + [{"cells": [0]}] * 2},
        {"regions": [{"cells": [0]}] * 10**5},
        {"regions": [], "laps": 0},
        {"regions": [], "laps": 10**9},
        {"regions": [], "laps": True},
        {"regions": [], "penalty": -1},
        {"regions": [], "penalty": "6"},
    ],
)
def test_data_that_makes_no_sense_is_refused(data):
    with pytest.raises(CertificateError):
        regions.bound(closed("6x6"), data)


def test_a_sweep_that_is_too_wide_is_refused():
    cells = np.random.default_rng(0).permutation(100).tolist()
    with pytest.raises(CertificateError, match="more than"):
        regions.bound(closed("10x10"), {"regions": [{"cells": cells, "closed": True}]})


def test_costs_that_are_too_large_are_refused():
    graph = graph_of("5x6")
    base = pair_weights(graph, "crossings")
    heavy = Weights(base.first, base.second, base.weight * 10**15)
    with pytest.raises(CertificateError, match="differ"):
        regions.bound(Problem(graph, objective=heavy), {"regions": [{"cells": list(range(30))}]})


def test_objectives_that_do_not_fit_are_refused():
    graph = graph_of("5x6")
    base = pair_weights(graph, "crossings")
    for objective in (None, Weights(base.first, base.second, -base.weight)):
        problem = Problem(graph, objective=objective)
        with pytest.raises(CertificateError):
            regions.bound(problem, {"regions": []})
        with pytest.raises(KTError):
            make(problem)
