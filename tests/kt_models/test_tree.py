"""Trees of cases: right on what can be enumerated, and nothing above the optimum is ever accepted."""

from __future__ import annotations

import contextlib
import copy
import itertools
import json
import threading
from functools import cache

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from encoders.bounds.methods.branching import make
from encoders.lp.branching import TooHigh
from kt_models import CertificateError, KTError, MoveGraph, Problem, Symmetry, Weights, graph_of
from kt_models.kernel.certificates.cut_inequalities import Cut, inequality, read_cuts
from kt_models.kernel.certificates.nodes import HEAVY, LEAF, UNUSED, USED, Branching, Instance
from kt_models.kernel.certificates.tree import Evaluator, Preorder, bound
from kt_models.limits import Limits, Report
from kt_models.problem import verify_edges
from tests import brute
from tests.effort import part_of
from tests.strategies import small_graphs

CLOSED = [("5x6", True), ("3x10", True), ("6x6", True)]
OPEN = [("3x4", False), ("4x5", False), ("5x5", False)]


@cache
def problem_of(board: str, closed: bool = True) -> Problem:
    return Problem(graph_of(board), "cycle" if closed else "path", "turns")


@cache
def optimum(board: str, closed: bool = True) -> int:
    return min(brute.values(board, closed, "turns"))


@cache
def tree(board: str, claim: int) -> str:
    data = make(problem_of(board), claim)
    assert data is not None
    return json.dumps(data)


# -- what is made -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("board", "closed"), CLOSED + OPEN)
def test_optimum_is_shown_and_nothing_above(board: str, closed: bool) -> None:
    problem, best = problem_of(board, closed), optimum(board, closed)
    data = make(problem, best)
    assert bound(problem, json.loads(json.dumps(data))) == best
    with pytest.raises(TooHigh, match=f"a solution has the value {best}") as error:
        make(problem, best + 1)
    verify_edges(problem, error.value.edges)
    assert problem.value(error.value.edges) == best


@pytest.mark.parametrize(
    ("board", "value"), [("6x7", 35), pytest.param("8x8", 45, marks=pytest.mark.slow), ("aztec:3", 20)]
)
def test_optimum_of_larger_boards(board: str, value: int) -> None:
    data = json.loads(tree(board, value))
    assert bound(problem_of(board), data) == value
    assert len(tree(board, value)) < 100_000
    with pytest.raises(TooHigh):
        make(problem_of(board), value + 1)


@pytest.mark.parametrize(("board", "claim"), [("6x6", 32), ("7x10", 49)])
def test_a_tree_that_is_grown_twice_is_no_larger(board: str, claim: int) -> None:
    alone = Limits(workers=1)
    once, twice = (make(problem_of(board), claim, limits=alone, small=small) for small in (False, True))
    assert once is not None and twice is not None
    assert len(twice["nodes"]) <= len(once["nodes"]) and bound(problem_of(board), twice) == claim


def weighted(draw: st.DrawFn) -> Problem:
    """A small graph with weights on pairs of edges that meet and on edges alone, and constraints."""
    graph = draw(small_graphs(6))
    assume(graph.n >= 3 and graph.m >= graph.n - 1)
    meeting = [(e, f) for e in range(graph.m) for f in range(e + 1) if set(graph.ends[e]) & set(graph.ends[f])]
    weight = st.integers(-4, 9)
    table = [(e, f, draw(weight)) for e, f in meeting]
    first, second, weights = (np.array(column) for column in zip(*table, strict=True))
    objective = Weights(first.astype(np.int32), second.astype(np.int32), weights)
    connectivity = draw(st.sampled_from(["cycle", "path", "any"]))
    most = {"cycle": 0, "path": 2, "any": graph.n}[connectivity]
    terminals = draw(st.sets(st.integers(0, graph.n - 1), max_size=most))
    edges = st.sets(st.integers(0, graph.m - 1), max_size=1)
    return Problem(graph, connectivity, objective, tuple(terminals), frozenset(draw(edges)), frozenset(draw(edges)))


def solutions(problem: Problem) -> list[np.ndarray]:
    """Every set of edges that solves a problem of a small graph."""
    found = []
    for bits in range(1 << problem.graph.m):
        if bits.bit_count() > problem.graph.n:
            continue
        edges = np.array([e for e in range(problem.graph.m) if bits >> e & 1], dtype=np.int32)
        try:
            verify_edges(problem, edges)
        except KTError:
            continue
        found.append(edges)
    return found


@given(st.data())
@settings(max_examples=part_of(60), deadline=None)
def test_bounds_hold_on_any_small_graph(data: st.DataObject) -> None:
    problem = weighted(data.draw)
    assume(problem.graph.m <= 12)
    values = [problem.value(edges) for edges in solutions(problem)]
    if not values:  # Any bound is true, unless it is seen that there is no solution
        with contextlib.suppress(KTError):
            assert bound(problem, make(problem, 0)) >= 0
        return
    best = min(values)
    made = make(problem, best)
    assert bound(problem, json.loads(json.dumps(made))) == best
    with pytest.raises(TooHigh):
        make(problem, best + 1)


@given(st.data(), st.integers(0, 2**32))
@settings(max_examples=part_of(60), deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_every_solution_satisfies_every_row(data: st.DataObject, seed: int) -> None:
    problem, rng = weighted(data.draw), np.random.default_rng(seed)
    assume(problem.graph.m <= 12)
    instance, graph = Instance(problem), problem.graph
    rows = []
    for _ in range(20):
        with contextlib.suppress(CertificateError):
            rows.append(inequality(problem, Cut(*map(tuple, _random_row(rng, instance)))))
    for edges in solutions(problem):
        degree = np.bincount(graph.ends[edges].reshape(-1), minlength=graph.n)
        free_ends = (degree == 1) & ~np.isin(np.arange(graph.n), problem.terminals)
        for row in rows:
            left = int(row.signs[np.isin(row.edges, edges)].sum()) + int(free_ends[row.vertices].sum())
            assert left >= row.least


# -- nothing above the optimum ------------------------------------------------------------------------------------


@cache
def options_of_tours(board: str, closed: bool) -> tuple[Instance, np.ndarray, np.ndarray]:
    """The option that every tour takes at every vertex, and the values of the tours."""
    graph = graph_of(board)
    instance = Instance(problem_of(board, closed))
    number = []
    for start, end in itertools.pairwise(instance.options.start.tolist()):
        pairs = zip(
            instance.options.first[start:end].tolist(), instance.options.second[start:end].tolist(), strict=True
        )
        number.append({frozenset(e for e in pair if e >= 0): i for i, pair in enumerate(pairs)})
    orders = brute.tours(board, closed)
    rows = []
    for order in orders:
        edges = brute.edge_set(graph, order, closed)
        rows.append([number[v][edges.intersection(instance.incident[v])] for v in range(graph.n)])
    values = np.array(brute.values(board, closed, "turns"))
    return instance, np.array(rows, dtype=np.int64), values


def random_branching(rng: np.random.Generator, instance: Instance, state) -> Branching | None:
    for _ in range(20):
        kind = int(rng.integers(USED, HEAVY + 1))
        subject = int(rng.integers(instance.m if kind in (USED, UNUSED) else instance.n))
        if instance.splits(state, branching := Branching(kind, subject, 0)):
            return branching
    return None


@pytest.mark.parametrize(("board", "closed"), [("5x6", True), ("6x6", True), ("3x4", False), ("4x5", False)])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=part_of(25), deadline=None)
def test_branching_and_propagation_lose_no_best_tour(board: str, closed: bool, seed: int) -> None:
    instance, tours, values = options_of_tours(board, closed)
    rng, taken = np.random.default_rng(seed), np.uint64(1) << tours.astype(np.uint64)

    def best(state) -> int:
        if state is None:
            return 10**6
        inside = (taken & np.array(state.options, dtype=np.uint64)).all(axis=1)
        return int(values[inside].min(initial=10**6))

    state = instance.root()
    assert state is not None
    assert best(state) == values.min()
    for _ in range(12):
        branching = random_branching(rng, instance, state)
        if branching is None:
            return
        children = list(instance.children(state, branching))
        assert best(state) == min(best(child) for child in children)
        alive = [child for child in children if child is not None]
        if not alive:
            return
        state = alive[int(rng.integers(len(alive)))]


@pytest.mark.parametrize(("board", "closed"), CLOSED + OPEN)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=part_of(25), deadline=None)
def test_no_tree_shows_more_than_the_optimum(board: str, closed: bool, seed: int) -> None:
    """Trees with random branchings, rows and multipliers near good ones, all of them of the right form."""
    problem, rng = problem_of(board, closed), np.random.default_rng(seed)
    good = make(problem, optimum(board, closed))
    assert good is not None
    instance = Instance(problem)
    rows = [row for row in (_random_row(rng, instance) for _ in range(5)) if len(row[1]) % 2 or not row[1]]
    evaluator = Evaluator(instance, read_cuts(problem, rows), good["denominator"])
    walk, nodes = Preorder(instance, evaluator), []
    start = [] if good["cuts"] else good["nodes"][0][1:]
    while walk.pending:
        changes = list(start) if not nodes else []
        for i in rng.integers(evaluator.size, size=rng.integers(4)).tolist():
            high = i > instance.m or rng.random() < 0.5
            changes += [i, int(rng.integers(0, 3)) * (1 if high else -1)]
        branching = random_branching(rng, instance, walk.pending[-1][0]) if len(nodes) < 30 else None
        if branching is None:
            nodes.append([LEAF, *changes])
        else:
            nodes.append([*branching[: 2 if branching.kind in (USED, UNUSED) else 3], *changes])
        walk.step(nodes[-1])
    data = {"denominator": good["denominator"], "cuts": rows, "nodes": nodes}
    assert bound(problem, data) <= optimum(board, closed)


def _random_row(rng: np.random.Generator, instance: Instance) -> list[list[int]]:
    inside = rng.random(instance.n) < 0.3
    inside[0], inside[-1] = True, False
    leaving = np.flatnonzero(inside[[u for u, _ in instance.ends]] != inside[[v for _, v in instance.ends]])
    teeth = rng.permutation(leaving)[: int(rng.integers(4))]
    return [np.flatnonzero(inside).tolist(), teeth.tolist()]


@given(st.data())
@settings(max_examples=part_of(150), deadline=None)
def test_a_changed_certificate_shows_no_more_than_the_optimum(data: st.DataObject) -> None:
    board, value = data.draw(st.sampled_from([("6x8", 39), ("aztec:5", 37), ("6x7", 35)]))
    certificate = json.loads(tree(board, value))
    nodes = certificate["nodes"]
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(nodes) - 1))
        change = data.draw(st.sampled_from(["drop", "double", "swap", "number", "denominator", "row"]))
        if change == "drop" and len(nodes) > 1:
            nodes.pop(place)
        elif change == "double":
            nodes.insert(place, copy.deepcopy(nodes[place]))
        elif change == "swap":
            other = data.draw(st.integers(0, len(nodes) - 1))
            nodes[place], nodes[other] = nodes[other], nodes[place]
        elif change == "number":
            index = data.draw(st.integers(0, len(nodes[place]) - 1))
            nodes[place][index] += data.draw(st.sampled_from([-100, -1, 1, 100]))
        elif change == "denominator":
            certificate["denominator"] += data.draw(st.sampled_from([-1, 1]))
        elif certificate["cuts"]:
            row = certificate["cuts"][place % len(certificate["cuts"])]
            row[0][0] = data.draw(st.integers(0, 60))
    with contextlib.suppress(CertificateError):
        assert bound(problem_of(board), certificate) <= value


@pytest.mark.parametrize("place", range(3))
def test_a_dropped_node_is_refused_and_another_board_gets_no_false_bound(place: int) -> None:
    data = json.loads(tree("6x8", 39))
    assert len(data["nodes"]) > 3
    data["nodes"].pop(place - 2)
    with pytest.raises(CertificateError):
        bound(problem_of("6x8"), data)
    with contextlib.suppress(CertificateError):  # It may happen to make sense there
        assert bound(problem_of("8x8"), json.loads(tree("6x8", 39))) <= 45


def test_leaves_without_multipliers_show_less() -> None:
    data = json.loads(tree("6x8", 39))
    data["nodes"] = [node[:1] if node[0] == LEAF else node for node in data["nodes"]]
    assert bound(problem_of("6x8"), data) < 39


# -- hostile data -------------------------------------------------------------------------------------------------

numbers = st.one_of(st.integers(-3, 60), st.sampled_from([2**31, 2**63, 10**400, -(2**64)]))
junk = st.recursive(
    st.one_of(numbers, st.none(), st.booleans(), st.text(max_size=3), st.floats()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=2), inner, max_size=2)),
    max_leaves=8,
)


@given(
    st.one_of(numbers, junk),
    st.one_of(junk, st.lists(st.lists(st.lists(numbers, max_size=5), min_size=2, max_size=2), max_size=3)),
    st.one_of(junk, st.lists(st.lists(numbers, max_size=6), max_size=6)),
)
@settings(max_examples=part_of(200), deadline=None)
def test_nonsense_is_refused(denominator, rows, nodes) -> None:
    with contextlib.suppress(CertificateError):
        assert bound(problem_of("3x4", False), {"denominator": denominator, "cuts": rows, "nodes": nodes}) <= 12


@pytest.mark.parametrize(
    ("node", "message"),
    [
        ([0, 0], "pairs"),
        ([0, 10**6, 1], "pairs"),
        ([0, 0, 2**40, 0, 1], "too large"),
        ([0, 0, 2**41], "an integer from"),
        ([9], "kind"),
        ([3, 0], "too short"),
        ([1, 10**9], "subject"),
        ([], "the kind"),
        ([True], "bool stands where an integer"),
        ([0.5], "float stands where an integer"),
        ({}, "not a list of integers"),
        ([4, 0, -1], "already decided"),
        ([3, 14, 0], "breaks off"),
    ],
)
def test_nodes_that_make_no_sense(node, message: str) -> None:
    with pytest.raises(CertificateError, match=message):
        bound(problem_of("6x6"), {"denominator": 1, "cuts": [], "nodes": [node]})


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([[], []], "none, all"),
        ([list(range(36)), []], "none, all"),
        ([[1, 1], []], "not distinct"),
        ([[0, 1], [0, 0, 0]], "not distinct"),
        ([[0], [0, 1]], "even number"),
        ([[30], [0]], "that leave it"),
    ],
)
def test_rows_that_are_not_valid(row, message: str) -> None:
    with pytest.raises(CertificateError, match=message):
        bound(problem_of("6x6"), {"denominator": 1, "cuts": [row], "nodes": [[0]]})


def test_a_cut_set_needs_connectivity_and_a_negative_multiplier_is_refused() -> None:
    cut, graph = [list(range(6)), []], graph_of("6x6")
    nodes = [[LEAF, graph.m + 1, -1]]
    with pytest.raises(CertificateError, match="negative"):
        bound(problem_of("6x6"), {"denominator": 1, "cuts": [cut], "nodes": nodes})
    with pytest.raises(CertificateError, match="that requires no edge"):
        bound(Problem(graph, "any", "turns"), {"denominator": 1, "cuts": [cut], "nodes": [[LEAF]]})


# -- what it is for, stopping and going on -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "problem",
    [
        Problem(graph_of("6x6"), "cycle"),
        Problem(MoveGraph.from_edges(2, [(0, 1)]), "path", Weights(*np.zeros((3, 1), dtype=np.int64))),
    ],
)
def test_other_problems_are_refused(problem: Problem) -> None:
    with pytest.raises(KTError):
        make(problem, 1)
    with pytest.raises(CertificateError):
        bound(problem, {"denominator": 1, "cuts": [], "nodes": [[0]]})


def test_weights_of_moves_that_do_not_meet_are_left_out() -> None:
    problem = Problem(graph_of("6x6"), "cycle", "crossings")
    with pytest.raises(CertificateError, match="moves that meet"):
        make(problem, 1)
    assert bound(problem, {}) == 0


def test_bounds_hold_under_an_imposed_symmetry() -> None:
    graph = graph_of("6x6")
    tours = [(brute.edge_set(graph, order, True), order) for order in brute.tours("6x6", True)]
    for text in ("rot180", "rot90"):
        problem = Problem(graph, "cycle", "turns", symmetry=(Symmetry.parse(text),))
        image = graph.edge_permutation(problem.symmetry[0]).tolist()
        found = [order for edges, order in tours if {image[e] for e in edges} == edges]
        data = make(problem, 32)
        assert data is not None
        proved = bound(problem, json.loads(json.dumps(data)))
        assert proved == 32 <= min(brute.turns(graph, order, True) for order in found)


def test_a_tree_shows_the_least_value_of_a_linkage() -> None:
    problem = Problem(graph_of("4x5"), "linkage", "turns", (0, 1, 18, 19))
    values = [problem.value(edges) for edges in _linkages(problem)]
    best = min(value for value in values if value is not None)
    assert bound(problem, json.loads(json.dumps(make(problem, best)))) == best
    with pytest.raises(TooHigh):
        make(problem, best + 1)


def _linkages(problem: Problem) -> list[np.ndarray]:
    """Every linkage of a problem, found by walking the paths of its pairs one after the other."""
    graph, found = problem.graph, []
    pairs = list(zip(problem.terminals[::2], problem.terminals[1::2], strict=True))

    def walk(place: int, vertex: int, seen: frozenset[int], edges: tuple[int, ...]) -> None:
        if vertex == pairs[place][1]:
            if place + 1 < len(pairs):
                start = pairs[place + 1][0]
                walk(place + 1, start, seen | {start}, edges)
            elif len(seen) == graph.n:
                found.append(np.array(sorted(edges), dtype=np.int32))
            return
        others = {end for pair in pairs for end in pair} - {pairs[place][1]}
        run = slice(graph.indptr[vertex], graph.indptr[vertex + 1])
        for u, e in zip(graph.neighbours[run].tolist(), graph.incident[run].tolist(), strict=True):
            if u not in seen and u not in others:
                walk(place, u, seen | {u}, (*edges, e))

    walk(0, pairs[0][0], frozenset([pairs[0][0]]), ())
    return found


def test_values_that_are_all_even_are_rounded_up_to_even_ones() -> None:
    weights = problem_of("6x7").weights
    double = Problem(graph_of("6x7"), "cycle", Weights(weights.first, weights.second, 2 * weights.weight))
    assert bound(double, make(double, 69)) == 70
    with pytest.raises(TooHigh):
        make(double, 71)


def test_no_solution_is_not_a_bound() -> None:
    with pytest.raises(KTError, match="no solution"):
        make(Problem(graph_of("3x3"), "cycle", "turns"), 1)


def test_a_stopped_search_goes_on_from_its_state(tmp_path) -> None:
    problem, state, seen = problem_of("6x8"), tmp_path / "state.json", []
    data, rounds = None, 0
    while data is None and rounds < 100:
        stop = threading.Event()  # Set as soon as there is one node more

        def note(now: Report, stop: threading.Event = stop) -> None:
            seen.append(now.words)
            stop.set()

        data = make(problem, 39, limits=Limits(stop=stop), state=state, on_progress=note)
        rounds += 1
    assert rounds > 1
    assert bound(problem, data) == 39
    assert seen[-1].endswith("100.0 % of the tree")
    with pytest.raises(KTError, match="another bound"):
        make(problem, 38, state=state)
    state.write_text("{}")
    with pytest.raises(KTError, match="not the state"):
        make(problem, 39, state=state)


def test_no_time_no_certificate() -> None:
    assert make(problem_of("8x8"), 45, limits=Limits(0)) is None


@pytest.mark.slow
def test_the_fewest_turns_of_ten_by_ten() -> None:
    assert bound(problem_of("10x10"), json.loads(tree("10x10", 62))) == 62
