"""The methods of `heuristics.find`: never a wrong tour, complete searches agree with brute force, the
papers' small facts, and what stops a search."""

from __future__ import annotations

import inspect
import itertools
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from heuristics.find import METHODS, _work, find, method_named
from heuristics.papers.aztec.path_conversion import cut_path, join_cycles, links_of_pieces, round_of
from heuristics.papers.euler.search import EulerPath, Rule
from heuristics.searches.warnsdorff import Walker
from heuristics.simple_graph import simple_graph_or_result
from kt_models import InvalidTour, KTError, MoveGraph, Problem, Result, Symmetry, Tour, Weights, graph_of
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import verify_edges
from tests import brute
from tests.effort import part_of
from tests.processes import StopAfter
from tests.strategies import small_graphs

SLOW = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
OWN = ["merge", "path-conversion", "euler", "warnsdorff", "random-walk"]

# -- the table ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(METHODS))
def test_every_method_has_the_common_shape(name: str) -> None:
    method = METHODS[name]
    signature = inspect.signature(method.function)
    names = list(signature.parameters)
    assert names[0] == "problem"
    assert "limits" in names and method.name == name
    assert all(p.kind is p.KEYWORD_ONLY for p in list(signature.parameters.values())[1:])
    assert all(p.default is not inspect.Parameter.empty for p in list(signature.parameters.values())[1:])
    for parameter in method.parameters.values():
        assert parameter.type in (bool, int, float, str)
        assert parameter.value(parameter.default) == parameter.default
        assert parameter.name in parameter.text


def test_the_table_imports_nothing_heavy() -> None:
    """Nor does the search for a proof that there is no tour, where a theorem says that there is."""
    code = "from heuristics import find; from kt_models import Problem, graph_of; import sys; "
    code += "assert find.find_obstruction(Problem(graph_of('8x8'))) is None; "
    code += "assert not {'numba', 'scipy', 'networkx', 'ortools'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_construction_is_not_improved_where_time_is_too_short_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though none of it passes here: what counts is how much there is."""
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    problem = Problem(graph_of("100x100"), objective="crossings")
    result = find(problem, limits=NO_LIMITS.within(0.9))
    assert result.value == 710 and result.reason == "not improved: for so large a board the time is too short"
    assert find(problem, quick=True, enough=1000).value == 710


@pytest.mark.parametrize(
    ("board", "objective", "value"),
    [("100x100", "turns", 782), ("100x100", "crossings", 710), ("30x30", "turns", 222), ("30x30", "crossings", 241)],
)
def test_the_best_construction_is_asked_first(
    board: str, objective: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tour of the best construction is there when time is up after the first one."""
    made: list[Result] = []

    def work(*arguments: Any) -> Result:
        result = _work(*arguments)
        made.extend([result] if result.tour is not None else [])
        return result

    monkeypatch.setattr("heuristics.find._work", work)
    result = find(Problem(graph_of(board), objective=objective), limits=NO_LIMITS.until(lambda: bool(made)))
    assert result.value == value and len(made) == 1


@pytest.mark.parametrize(
    ("texts", "value"),
    [
        ({"passes": "3"}, {"passes": 3}),
        ({"pairs": "yes", "cut": "even"}, {"pairs": True, "cut": "even"}),
        ({"origin": "a1"}, {"origin": "a1"}),
    ],
)
def test_parameters_are_read(texts: dict[str, str], value: dict[str, object]) -> None:
    assert method_named("path-conversion").checked_parameters(texts) == value


@pytest.mark.parametrize(
    "parameters",
    [{"passes": "1.5"}, {"passes": True}, {"pairs": "maybe"}, {"cut": "GREATEST"}, {"x": 1}, {"passes": "9" * 99}],
)
def test_wrong_parameters_are_refused(parameters: dict[str, object]) -> None:
    with pytest.raises(KTError, match="parameter"):
        method_named("path-conversion").checked_parameters(parameters)


def test_parameters_that_a_method_does_not_take_are_refused() -> None:
    graph = graph_of("8x8")
    with pytest.raises(KTError, match="unknown method"):
        find(Problem(graph), "nosuch")
    with pytest.raises(KTError, match="supports no symmetry"):
        find(Problem(graph, symmetry=(Symmetry.parse("rot180"),)), "euler")
    with pytest.raises(KTError, match="does not take"):
        find(Problem(graph, "linkage", terminals=(0, 1)), "merge")
    assert "no method takes connectivity 'any'" in find(Problem(graph, "any")).reason
    with pytest.raises(KTError, match="no centre"):
        find(Problem(MoveGraph.from_edges(3, [(0, 1), (1, 2), (0, 2)])), "warnsdorff", tie_break="centre")
    for text in ("6x8", "torus:8x8", "8x8-a1,a2"):
        with pytest.raises(KTError, match="squirrel-cull"):
            find(Problem(graph_of(text)), "warnsdorff", tie_break="squirrel-cull")


def merge_of(right: Tour) -> Callable[..., Result]:
    """A method that takes no notice of what is asked."""

    def merge(problem: Problem, *, limits: Limits) -> Result:
        return Result(Problem(right.graph), "feasible", right)

    return merge


def test_a_wrong_tour_does_not_get_out(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem(graph_of("6x6"))
    right = find(problem, "merge").tour
    assert right is not None
    forbidden = Problem(problem.graph, forbidden=frozenset([int(right.edges[0])]))
    wrong = replace(METHODS["merge"], function=merge_of(right))
    monkeypatch.setitem(METHODS, "merge", wrong)
    with pytest.raises(InvalidTour, match="forbidden"):
        find(forbidden, "merge")


# -- tours -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["merge", "path-conversion", "euler"])
@pytest.mark.parametrize("board", ["6x6", "8x8", "5x6", "3x10", "20x20", "aztec:3", "aztec:8", "4x4x4", "torus:7x7"])
def test_closed_tours_are_valid(name: str, board: str) -> None:
    problem = Problem(graph_of(board))
    extra = {"tie_break": "random", "passes": 50, "join": "kick"} if name == "path-conversion" else {}
    outcome = find(problem, name, **extra)
    assert outcome.tour is not None and outcome.status != "infeasible"
    verify_edges(problem, outcome.tour.edges)


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize(
    ("board", "ends"), [("5x5", ""), ("5x5", "a1"), ("8x8", ""), ("8x8", "d4 e4"), ("aztec:4", "")]
)
def test_open_tours_are_valid(name: str, board: str, ends: str) -> None:
    graph = graph_of(board)
    problem = Problem(graph, "path", terminals=tuple(graph.find(cell) for cell in ends.split()))
    extra = {"steps": 200_000, "branch": "fewest"} if name == "random-walk" else {}
    outcome = find(problem, name, **extra)
    assert outcome.tour is not None
    verify_edges(problem, outcome.tour.edges)


@pytest.mark.parametrize("name", ["merge", "path-conversion", "euler", "warnsdorff"])
def test_required_and_forbidden_moves(name: str) -> None:
    graph = graph_of("8x8")
    required = frozenset(graph.find_edge(m) for m in ("d4-e6", "a3-b5"))
    forbidden = frozenset(graph.find_edge(m) for m in ("e5-g6", "c2-e3"))
    problem = Problem(graph, "path" if name == "warnsdorff" else "cycle", required=required, forbidden=forbidden)
    extra = {"tie_break": "random", "passes": 5} if name == "warnsdorff" else {}
    outcome = find(problem, name, **extra)
    assert outcome.tour is not None
    verify_edges(problem, outcome.tour.edges)


PROBLEMS = st.tuples(small_graphs(9), st.sampled_from(["cycle", "path"]))
PARAMETERS: dict[str, list[dict[str, object]]] = {
    "merge": [{}],
    "path-conversion": [
        {"cut": c, "pairs": p, "join": j, "tie_break": t}
        for c, p, j, t in itertools.product(
            ("greatest", "fewest", "even"), (False, True), ("number", "shortest", "kick"), ("ordered", "forks")
        )
    ],
    "euler": [
        {"begin": b, "rule": r, "tries": 3}
        for b in ("random", "lookahead", "none")
        for r in ("wander", "nearer", "least")
    ],
    "warnsdorff": [{"tie_break": t, "passes": 2} for t in ("ordered", "random", "lookahead", "forks")],
    "random-walk": [{"branch": b, "steps": s} for b in ("ordered", "random", "fewest") for s in (0, 50)],
}


def solutions(problem: Problem) -> int:
    """How many tours a problem has, by brute force."""
    graph, closed = problem.graph, problem.closed
    orders = brute.cycles(graph) if closed else brute.paths(graph)
    count = 0
    for order in orders:
        edges = brute.edge_set(graph, order, closed)
        count += (
            problem.required <= edges
            and not problem.forbidden & edges
            and set(problem.terminals) <= {order[0], order[-1]}
        )
    return count


@pytest.mark.parametrize("name", OWN)
@SLOW
@given(data=st.data())
def test_any_graph_never_a_wrong_answer(name: str, data: st.DataObject) -> None:
    graph, connectivity = data.draw(PROBLEMS)
    pick = st.sets(st.integers(0, graph.m - 1), max_size=2) if graph.m else st.just(set())
    ends = data.draw(st.lists(st.integers(0, graph.n - 1), unique=True, max_size=2)) if connectivity == "path" else []
    assume(graph.n > 1 or len(ends) < 2)
    problem = Problem(graph, connectivity, None, tuple(ends), frozenset(data.draw(pick)), frozenset(data.draw(pick)))
    outcome = find(
        problem, name, limits=Limits(seed=data.draw(st.integers(0, 3))), **data.draw(st.sampled_from(PARAMETERS[name]))
    )
    expected = solutions(problem)
    if outcome.tour is not None:  # `find` has checked it, by other code than brute force
        assert expected and outcome.status != "infeasible"
    if outcome.status == "infeasible":
        assert expected == 0


@settings(max_examples=part_of(150), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_the_random_walk_is_complete(data: st.DataObject) -> None:
    graph, connectivity = data.draw(PROBLEMS)
    problem = Problem(graph, connectivity)
    starts = ["", *map(str, range(graph.n))]
    start = data.draw(st.sampled_from(starts)) if connectivity == "cycle" else ""
    outcome = find(
        problem, "random-walk", branch=data.draw(st.sampled_from(["ordered", "random", "fewest"])), origin=start
    )
    assert (outcome.tour is not None) == (solutions(problem) > 0)
    assert (outcome.status == "infeasible") == (outcome.tour is None)


# -- the papers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("radius", [*range(2, 12), 31, 58])
def test_path_conversion_on_diamonds(radius: int) -> None:
    """Davies, Xue and Yerger found all of these; the parameters are theirs."""
    outcome = find(Problem(graph_of(f"aztec:{radius}")), "path-conversion", preset="paper")
    assert outcome.tour is not None
    assert outcome.statistics["walks"] >= outcome.statistics["open_tours"] >= 1


def test_a_preset_is_values_of_parameters() -> None:
    row = method_named("path-conversion")
    assert row.checked_parameters({"preset": "paper"}) == {"join": "number"}
    assert row.checked_parameters({"preset": "paper", "join": "shortest"}) == {"join": "shortest"}
    assert row.checked_parameters({"preset": "usual"}) == {}
    assert method_named("random-walk").checked_parameters({"preset": "paper"})["seconds"] == 10.0
    with pytest.raises(KTError, match="'paper'"):
        row.checked_parameters({"preset": "papre"})
    with pytest.raises(KTError, match="no parameter"):
        method_named("merge").checked_parameters({"preset": "paper"})
    for name, method in METHODS.items():
        for preset in method.presets.values():
            assert method.checked_parameters(preset) == preset, name


def test_ties_are_broken_in_reading_order() -> None:
    graph = graph_of("8x8")
    walker = Walker(simple_graph_or_result(Problem(graph)), "ordered", np.random.default_rng(0))  # type: ignore[arg-type]
    assert [graph.name_of(int(o[0])) for o in walker.openings[:9]] == [*(f"{c}8" for c in "abcdefgh"), "a7"]
    assert walker.walk(0)
    seen: set[int] = set()
    rank = {int(opening[0]): i for i, opening in enumerate(walker.openings)}

    def free(v: int) -> list[int]:
        return [u for u in graph.neighbours[graph.indptr[v] : graph.indptr[v + 1]].tolist() if u not in seen]

    for vertex, following in itertools.pairwise(walker.path.tolist()):
        seen.add(vertex)
        assert following == min(free(vertex), key=lambda v: (len(free(v)), rank[v]))


@pytest.mark.parametrize("m", [5, 6, 8, 9, 15, 31, 44, 112, 113, 114, 115, 116, 117, 118, 119, 125])
def test_the_rules_of_squirrel_and_cull_need_one_walk(m: int) -> None:
    """From the corner, without a failure: one board for each case of their table at least."""
    outcome = find(Problem(graph_of(f"{m}x{m}"), "path"), "warnsdorff", tie_break="squirrel-cull")
    assert outcome.tour is not None and outcome.statistics["walks"] == 1


@pytest.mark.parametrize("m", [5, 6, 8, 9, 31, 44])
def test_squirrel_and_cull_from_every_corner(m: int) -> None:
    """The rule is reflected, so that an open tour may start from whichever corner is asked for."""
    graph = graph_of(f"{m}x{m}")
    for cell in ((0, 0), (0, m - 1), (m - 1, 0), (m - 1, m - 1)):
        start = int(graph.geometry[0].numbers(np.array([cell]))[0])
        outcome = find(Problem(graph, "path", terminals=(start,)), "warnsdorff", tie_break="squirrel-cull")
        assert outcome.tour is not None and outcome.statistics["walks"] == 1 and outcome.tour[0] == cell
    with pytest.raises(KTError, match="from a corner"):
        find(Problem(graph, "path", terminals=(graph.find("c3"),)), "warnsdorff", tie_break="squirrel-cull")


def test_pieces_are_as_few_as_brute_force_finds() -> None:
    """Against all cuttings of a short path, tried one by one."""
    instance = simple_graph_or_result(Problem(graph_of("5x6")))
    assert not isinstance(instance, Result)
    walker = Walker(instance, "random", np.random.default_rng(1))
    compared = 0
    for number in walker.turns(20):
        if not walker.walk(number):
            continue
        path = walker.path.tolist()
        best: list[tuple[int, int] | None] = [None] * 30 + [(0, 0)]
        for begin in range(29, -1, -1):
            ends = [
                e for e in range(begin + 3, 31) if best[e] and instance.graph.edges_between(path[begin], path[e - 1])
            ]
            best[begin] = min(((best[e][0] + 1, best[e][1] + (e - begin) ** 2) for e in ends), default=None)  # type: ignore[index]
        pieces = cut_path(walker, "even", False)
        if best[0] is None:
            assert pieces is None
            continue
        compared += 1
        assert pieces is not None
        lengths = np.diff(np.append(pieces, 30))
        assert (len(pieces), int((lengths**2).sum())) == best[0]
        greedy = cut_path(walker, "greatest", False)
        assert greedy is None or len(greedy) >= len(pieces)
    assert compared > 20


def test_joining_keeps_every_vertex_once() -> None:
    instance = simple_graph_or_result(Problem(graph_of("aztec:15")))
    assert not isinstance(instance, Result)
    walker = Walker(instance, "ordered", np.random.default_rng(0))
    joined = 0
    for number in range(60):
        if not walker.walk(number) or (pieces := cut_path(walker, "fewest", False)) is None:
            continue
        for join in ("number", "shortest", "kick"):
            links = links_of_pieces(walker.path, pieces)
            if join_cycles(instance.graph, links, join, np.random.default_rng(0), NO_LIMITS) == 1:
                joined += len(pieces) > 1
                assert sorted(round_of(links).tolist()) == list(range(instance.graph.n))
    assert joined > 50


@pytest.mark.parametrize(
    ("board", "begin"),
    [("8x8", "none"), ("8x8", "random"), ("aztec:6", "none"), pytest.param("5x6", "random", marks=pytest.mark.slow)],
)
def test_every_step_of_euler_is_as_it_is_said(board: str, begin: str) -> None:
    instance = simple_graph_or_result(Problem(graph_of(board)))
    assert not isinstance(instance, Result)
    graph, kinds = instance.graph, set()
    for seed in range(6):
        rng = np.random.default_rng(seed)
        walker = Walker(instance, begin, rng)
        walker.walk(int(rng.integers(len(walker.openings))), hopeless=False)
        path = EulerPath(walker, rng, 1000, NO_LIMITS)
        old, closed = path.path[: path.length].tolist(), path.closed
        for kind in path.steps():
            new, was_closed, closed = path.path[: path.length].tolist(), closed, path.closed
            kinds.add(kind)
            assert len(set(new)) == len(new)
            assert all(graph.edges_between(u, v) for u, v in itertools.pairwise(new))
            assert closed == (len(new) > 2 and bool(graph.edges_between(new[0], new[-1])))
            if kind == "extend":
                assert new[:-1] == old
            elif kind == "open":
                assert was_closed and sorted(new) == sorted(old)
                assert set(graph.neighbours[graph.indptr[new[-1]] : graph.indptr[new[-1] + 1]].tolist()) - set(new)
            elif kind == "reverse":
                assert new == old[::-1]
            else:  # The end behind some cell was turned round
                k = next(i for i, (u, v) in enumerate(zip(old, new, strict=True)) if u != v)
                assert new[k:] == old[k:][::-1]
            old = new
    assert "nearer" in kinds
    if begin == "none":
        assert {"extend", "open", "turn"} <= kinds


@pytest.mark.parametrize("rule", ["wander", "nearer", "least"])
def test_the_rules_of_euler_choose_the_turns_they_say(rule: Rule) -> None:
    """Brute force looks at all possible new tails, and at their distances from the head."""
    graph = graph_of("6x6")
    instance = simple_graph_or_result(Problem(graph))
    assert not isinstance(instance, Result)
    away = dict(nx.all_pairs_shortest_path_length(nx.Graph(list(zip(graph.tails, graph.heads, strict=True)))))
    ended = set()
    for seed in range(40):
        rng = np.random.default_rng(seed)
        walker = Walker(instance, "random", rng)
        if not walker.walk(int(rng.integers(len(walker.openings)))) or walker.closes():
            continue
        path = EulerPath(walker, rng, 30, NO_LIMITS, rule)
        old = path.path.tolist()
        for kind in path.steps():
            new = path.path.tolist()
            near = {old[k + 1]: away[old[0]][old[k + 1]] for k in range(len(old) - 2) if away[old[k]][old[-1]] == 1}
            before, after = away[old[0]][old[-1]], near[new[-1]]
            assert kind == ("nearer" if after < before else "turn")
            if rule != "wander" or kind == "nearer":
                assert after == min(near.values())
            assert rule != "nearer" or kind == "nearer"
            old = new
        ended.add(path.complete)
        if rule == "nearer" and not path.complete:  # It is stuck only where no turn brings the tail nearer
            near = {old[k + 1]: away[old[0]][old[k + 1]] for k in range(len(old) - 2) if away[old[k]][old[-1]] == 1}
            assert min(near.values(), default=99) >= away[old[0]][old[-1]]
    assert True in ended and (rule != "nearer" or False in ended)


# -- limits ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OWN)
def test_a_stop_is_kept(name: str) -> None:
    stop = threading.Event()
    stop.set()
    outcome = find(Problem(graph_of("aztec:40")), name, limits=Limits(stop=stop))
    assert outcome.tour is None and outcome.status != "infeasible"


def test_a_long_search_is_stopped() -> None:
    stop = StopAfter(5)
    outcome = find(Problem(graph_of("aztec:30")), "random-walk", limits=Limits(stop=stop))
    assert outcome.tour is None and outcome.status != "infeasible" and stop.seen > 5


@pytest.mark.parametrize("name", ["merge", "euler", "path-conversion"])
def test_same_seed_same_tour(name: str) -> None:
    problem = Problem(graph_of("20x20"))
    extra = {"tie_break": "random"} if name == "path-conversion" else {}
    tours = [find(problem, name, limits=Limits(seed=s), **extra).tour for s in (1, 1, 2)]
    orders = [t.order.tolist() for t in tours if t is not None]
    assert orders[0] == orders[1] != orders[2]


def test_the_automatic_choice() -> None:
    def tried(problem: Problem, **asked: bool) -> tuple[list[str], Result]:
        names: list[str] = []
        result = find(problem, on_progress=lambda now: names.append(now.engine.removeprefix("find/")), **asked)
        return names, result

    names, outcome = tried(Problem(graph_of("8x8")))
    assert names == ["merge"] and outcome.tour is not None
    names, outcome = tried(Problem(graph_of("4x6")))
    assert outcome.status == "infeasible" and outcome.certificate is not None
    petersen = [(i, (i + 1) % 5) for i in range(5)]
    petersen += [(5 + i, 5 + (i + 2) % 5) for i in range(5)] + [(i, i + 5) for i in range(5)]
    names, outcome = tried(Problem(MoveGraph.from_edges(10, petersen)))
    assert names == ["merge", "obstruction", "random-walk"] and outcome.status == "infeasible"
    names, outcome = tried(Problem(MoveGraph.from_edges(10, petersen)), quick=True)
    assert names == ["merge"] and outcome.status == "unknown" and "merge (gave up)" in outcome.reason


def test_any_weights_are_worked_on() -> None:
    """Custom weights go through the same door; an objective makes a tour no worse than it was."""
    graph = graph_of("6x6")
    edges = np.arange(graph.m - 1, dtype=np.int32)
    weights = Weights(edges, edges + 1, np.ones(graph.m - 1, dtype=np.int64))
    plain = find(Problem(graph)).tour
    result = find(Problem(graph, objective=weights), quick=True)
    assert plain is not None and result.value is not None and result.value <= weights.value(plain.edges)
