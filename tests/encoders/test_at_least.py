"""Whether there are at least so many tours, beside counts by brute force."""

from __future__ import annotations

import time
from itertools import pairwise, permutations
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kt
from kt_models import MoveGraph, Problem, verify
from kt_models.limits import Limits, Stopped
from kt_models.runs.tour_task import TourTask
from tests.command import kt as run
from tests.command import kt_json, one_line_refusal
from tests.strategies import small_graphs

UNIQUE = nx.Graph([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (1, 3), (1, 5)])
"""One Hamiltonian cycle: the neighbours of 0, 2 and 4, of degree two, are 1, 3 and 5."""


def cycles(graph: MoveGraph, *, closed: bool) -> int:
    """How many Hamiltonian cycles or paths a small graph has, by trying every order."""
    joined = {(u, v) for edge in graph.ends.tolist() for u, v in (edge, edge[::-1])}
    found = set()
    for order in permutations(range(graph.n)):
        steps = [*pairwise(order), *([(order[-1], order[0])] if closed else [])]
        if graph.n > (2 if closed else 1) and all(step in joined for step in steps):
            found.add(frozenset(map(frozenset, steps)))
    return len(found)


@given(small_graphs(6), st.integers(1, 9), st.booleans(), st.sampled_from(["auto", "search", "sat"]))
def test_the_answer_is_that_of_brute_force(graph: MoveGraph, asked: int, closed: bool, engine: str) -> None:
    from encoders.enumeration.at_least import at_least

    if graph.n < 2:
        return
    number = cycles(graph, closed=closed)
    found = at_least(TourTask(Problem(graph, "cycle" if closed else "path")), asked, Limits(workers=1), engine)
    assert found.answer is (number >= asked)
    assert found.listing.count == min(number, asked) == len({frozenset(t.edges.tolist()) for t in found.tours})
    assert found.listing.complete is (number < asked)
    for tour in found.tours:
        verify(tour)


def digraphs(data: st.DataObject, n: int) -> nx.DiGraph:
    """A directed graph with a cycle through all vertices."""
    arcs = data.draw(st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda a: a[0] != a[1])))
    return nx.DiGraph(sorted(arcs | {(v, (v + 1) % n) for v in range(n)}))


LATER = [
    {"SOLVER_CONFLICTS": 0},
    {"SOLVER_CONFLICTS": 0, "MAX_WIDTH": 0},
    {"SOLVER_LOOKS": 2500, "MAX_WIDTH": 0},
    {"MAX_SOLVER_TOURS": 1},
    {"MAX_SOLVER_TOURS": 1, "SOLVER_LOOKS": 0, "MAX_WIDTH": 0},
]
"""Budgets that leave the answer to later stages, or to other engines."""


@given(st.integers(3, 6), st.integers(1, 6), st.sampled_from(LATER), st.data())
def test_directed_graphs_in_later_stages(n: int, asked: int, budgets: dict[str, int], data: st.DataObject) -> None:
    from encoders.enumeration import at_least as module

    graph = digraphs(data, n)
    orders = ((0, *rest) for rest in permutations(range(1, n)))
    number = sum(all(graph.has_edge(*arc) for arc in pairwise((*order, 0))) for order in orders)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in budgets.items():
            patch.setattr(module, name, value)
        found = module.at_least(TourTask(kt.problem(graph)), asked, Limits(workers=1))
    assert found.answer is (number >= asked)
    for tour in found.tours:
        verify(tour)


def test_a_busy_machine_answers_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that runs a million times faster decides nothing."""
    from encoders.enumeration.at_least import at_least

    task = TourTask(Problem(kt.graph("3x10")))
    begin, now = time.monotonic(), time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: begin + 1e6 * (now() - begin))
    found = at_least(task, 17, Limits(workers=1))
    assert (found.answer, found.listing.count, found.listing.engine) == (False, 16, "sat")


@given(st.integers(4, 7), st.data())
def test_directed_graphs_and_conditions(n: int, data: st.DataObject) -> None:
    graph = digraphs(data, n)
    number = kt.count(graph, require="0->1")
    for asked in (1, number, number + 1):
        assert kt.at_least(graph, asked, require="0->1") is (asked <= number)


def test_the_first_stages_are_left_where_the_solver_is_too_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its moment: `solve` finds the first tour, luck others, and the solver shows that there are no more."""
    from encoders.enumeration import at_least as module

    monkeypatch.setattr(module, "SOLVER_CONFLICTS", 0)
    monkeypatch.setattr(module, "MAX_WIDTH", 0)
    assert kt.at_least("3x10", 16, workers=1) and not kt.at_least("3x10", 17, workers=1)
    assert not kt.at_least(nx.petersen_graph(), 1, workers=1)
    assert kt.at_least(UNIQUE, 1) and not kt.at_least(UNIQUE, 2)
    monkeypatch.setattr(module, "MAX_SOLVER_TOURS", 3)
    assert kt.at_least("3x10", 16, workers=1) and not kt.at_least("3x10", 17, workers=1)


@given(small_graphs(6), st.integers(1, 9), st.booleans())
def test_a_sweep_counts_where_the_solver_is_too_slow(graph: MoveGraph, asked: int, closed: bool) -> None:
    from encoders.enumeration import at_least as module

    number = cycles(graph, closed=closed)
    if graph.n > 1:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "SOLVER_CONFLICTS", 0)
            task = TourTask(Problem(graph, "cycle" if closed else "path"))
            found = module.at_least(task, asked, Limits(workers=1))
        assert (found.answer, found.listing.complete) == (number >= asked, True)
        assert (found.listing.count, found.listing.engine) == (number, "sweep")


@given(small_graphs(6), st.integers(1, 9), st.booleans())
def test_exchanges_make_other_tours_of_a_dense_graph(graph: MoveGraph, asked: int, closed: bool) -> None:
    from encoders.enumeration import at_least as module

    number = cycles(graph, closed=closed)
    if graph.n > 1:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "MAX_SOLVER_EDGES", 0)
            patch.setattr(module, "SOLVER_CONFLICTS", 0)
            patch.setattr(module, "MAX_WIDTH", 0)
            task = TourTask(Problem(graph, "cycle" if closed else "path"))
            found = module.at_least(task, asked, Limits(workers=1))
        assert found.answer is (number >= asked)
        assert found.listing.count == min(number, asked) == len({frozenset(t.edges.tolist()) for t in found.tours})


def test_two_tours_of_a_large_complete_graph() -> None:
    from encoders.enumeration.at_least import at_least

    graph = MoveGraph.from_networkx(nx.complete_graph(230))[0]
    found = at_least(TourTask(Problem(graph)), 2, Limits(workers=1))
    assert (found.answer, found.listing.engine) == (True, "exchange")  # No formula is written.


def test_boards_values_and_classes() -> None:
    assert kt.at_least("5x6", 8) and not kt.at_least("5x6", 9)
    assert kt.at_least("3x10", 2, minimize="turns") is (kt.count("3x10", minimize="turns") >= 2)
    classes = kt.count("5x6", up_to_symmetry=True)
    assert kt.at_least("5x6", classes, up_to_symmetry=True)
    assert not kt.at_least("5x6", classes + 1, up_to_symmetry=True) and kt.at_least("5x6", 9, open=True)
    with pytest.raises(kt.KTError, match="at least 1"):
        kt.at_least("6x6", 0)
    with pytest.raises(Stopped, match="so far"):
        kt.at_least("30x30", 10**6, time_limit=0.3)


def test_the_command_says_yes_or_no(tmp_path: Path) -> None:
    path = tmp_path / "unique.g6"
    path.write_bytes(nx.to_graph6_bytes(UNIQUE))
    yes, no = (kt_json("enumerate", path, "--at-least", k) for k in (1, 2))
    assert (yes["status"], yes["count"], yes["exit"], len(yes["known"])) == ("yes", 1, 0, 1)
    assert (no["status"], no["count"], no["exit"], no["complete"]) == ("no", 1, 0, True)
    assert no["claims"] == kt_json("enumerate", path, "--count")["claims"]
    assert "at least   2: no" in run("enumerate", path, "--at-least", "2").stdout
    late = kt_json("enumerate", "40x40", "--at-least", "1000000", "--time-limit", "0.2")
    assert (late["status"], late["exit"], late["complete"]) == ("unknown", 3, False)
    for words in (["--count"], ["--forecast"], ["--run", tmp_path / "run"], ["-o", tmp_path / "x.jsonl"]):
        one_line_refusal(run("enumerate", path, "--at-least", "2", *words), "--at-least")


def test_more_tours_than_a_machine_can_number_are_asked_for() -> None:
    assert not kt.at_least("3x4", 2**63, open=True)
