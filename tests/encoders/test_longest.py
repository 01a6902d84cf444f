"""Longest walks by every means: tours of all cells, CP-SAT, the sweep; and the bound by counting cells."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kt
from encoders.longest import _Walks, longest
from heuristics.walk_search import longer_walks
from kt_models import KTError, MoveGraph, TooLarge, graph_of
from kt_models.kernel.certificates.longest import sweep
from kt_models.kernel.certificates.longest.task import LongestTask, most_moves
from kt_models.limits import Limits
from tests.command import kt as command
from tests.effort import part_of, slow
from tests.kt_models.test_longest import brute_longest

SMALL = ("2x2", "3x3", "3x4", "4x4", "2x5", "3x3-b2", "4x4-a1", "1x4", "torus:3x3", "cylinder:3x4")


@pytest.mark.parametrize("uncrossed", [False, True], ids=["crossed", "uncrossed"])
@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
@pytest.mark.parametrize("board", [*SMALL[:3], "3x3-b2", *slow(name for name in SMALL[3:] if name != "3x3-b2")])
def test_against_every_walk_there_is(board: str, closed: bool, uncrossed: bool) -> None:
    task = LongestTask(graph_of(board), closed, uncrossed)
    expected = brute_longest(task.graph, closed, uncrossed)
    answer = longest(task)
    assert answer.moves == expected and most_moves(task) >= expected
    assert answer.bound == max(expected, 0) and answer.status in ("optimal", "infeasible")
    walks = _Walks(task, most_moves(task))
    walks.solve(Limits(20))
    assert len(walks.best or ()) == max(expected, 0)


@pytest.mark.parametrize(
    ("board", "closed", "moves"), [("7x7", True, 24), ("7x7", False, 24), ("9x9", True, 42), ("10x10", True, 54)]
)
def test_uncrossed_walks_as_long_as_those_published(board: str, closed: bool, moves: int) -> None:
    task = LongestTask(graph_of(board), closed, True)
    assert any(len(walk) == moves for walk in longer_walks(task, limits=Limits(100)))


@settings(max_examples=part_of(60), deadline=None)
@given(st.data())
def test_exchanges_give_walks_of_any_graph(data: st.DataObject) -> None:
    """Each is verified, longer than the last, and none is longer than the longest."""
    if data.draw(st.booleans(), label="board"):
        graph, uncrossed = graph_of(data.draw(st.sampled_from(SMALL))), data.draw(st.booleans())
    else:
        pairs = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda p: p[0] < p[1]), unique=True)
        graph, uncrossed = MoveGraph.from_edges(8, sorted(data.draw(pairs)), "random"), False
    task = LongestTask(graph, data.draw(st.booleans()), uncrossed)
    limits = Limits(seed=data.draw(st.integers(0, 99)))
    lengths = [len(task.verify(walk).edges) for walk in islice(longer_walks(task, limits=limits.within(0.2)), 20)]
    assert lengths == sorted(set(lengths)) and max(lengths, default=0) <= max(0, sweep.longest(task).moves)


@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
@pytest.mark.parametrize("seed", range(part_of(12)))
def test_counting_is_a_bound_for_any_graph(seed: int, closed: bool) -> None:
    graph = MoveGraph.from_networkx(nx.gnp_random_graph(8, 0.25, seed=seed))[0] if seed % 2 else _bipartite(seed)
    task = LongestTask(graph, closed)
    best = sweep.longest(task).moves
    assert most_moves(task) >= best
    assert longest(task).moves == best


def _bipartite(seed: int) -> MoveGraph:
    return MoveGraph.from_networkx(nx.algorithms.bipartite.random_graph(5, 3, 0.5, seed=seed))[0]


@pytest.mark.slow
@pytest.mark.parametrize(("board", "closed", "moves"), [("8x8", False, 63), ("10x10", False, 99), ("5x5", True, 24)])
def test_a_walk_of_all_cells_needs_no_sweep(board: str, closed: bool, moves: int, monkeypatch, tmp_path: Path) -> None:
    answer = longest(LongestTask(graph_of(board), closed), limits=Limits(60))
    assert (answer.moves, answer.bound, answer.status) == (moves, moves, "optimal")
    answer.save(tmp_path / "walk.json")
    monkeypatch.setattr("kt_models.kernel.certificates.longest.check.longest", None)
    assert command("check", tmp_path / "walk.json").exit_code == 0
    data = json.loads((tmp_path / "walk.json").read_text())
    (tmp_path / "less.json").write_text(json.dumps(data | {"bound": moves - 1, "status": "feasible"}))
    monkeypatch.undo()
    assert command("check", tmp_path / "less.json", "--time-limit", "5").exit_code in (1, 3)


@pytest.mark.slow
def test_there_is_a_bound_whatever_the_sweep_comes_to(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(*_: object, **__: object) -> None:
        raise TooLarge("no room")

    monkeypatch.setattr("encoders.longest.sweep", too_large)
    answer = kt.longest("6x6", uncrossed=True, time_limit=3)
    assert answer.moves == 12 and answer.bound == 36 and answer.status == "feasible" and answer.reason == "no room"
    result = command("longest", "6x6", "--uncrossed", "--time-limit", "3")
    assert (
        result.exit_code == 3
        and "no uncrossed closed walk of the knight on 6x6 has more than 36 moves" in result.stdout
    )


def test_a_graph_that_is_too_large_for_everything_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("encoders.longest.MAX_MOVES", 0)
    monkeypatch.setattr("encoders.longest.longer_walks", lambda *_, **__: iter(()))
    monkeypatch.setattr("encoders.longest.sweep", lambda *_, **__: (_ for _ in ()).throw(TooLarge("no room")))
    with pytest.raises(KTError, match="no room"):
        kt.longest("4x4", uncrossed=True, time_limit=2)
