"""A race without a time limit ends when only engines are left that never end by themselves."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace

import pytest

from encoders import local_search_engine
from encoders.bound_engine import BoundEngine
from encoders.local_search_engine import LocalSearchEngine
from encoders.stages import engines as stage
from encoders.work.run import Engine, Run, race
from heuristics.find import find
from kt_models import Problem, graph_of
from kt_models.board import IntArray
from kt_models.limits import Limits, Report

PROBLEM = Problem(graph_of("10x10"), objective="crossings")


class Tired:
    """An engine that proves nothing."""

    name = "tired"

    def interrupt(self) -> None:
        """Do nothing: it has ended."""

    def work(self, run: Run) -> Report:
        return Report(self.name)


class Waiting(Tired):
    """An engine that ends when another one has done some work."""

    def __init__(self, engine: LocalSearchEngine, rounds: int) -> None:
        self.engine, self.rounds, self.ended = engine, rounds, threading.Event()

    def interrupt(self) -> None:
        self.ended.set()

    def work(self, run: Run) -> Report:
        while self.engine._rounds < self.rounds and not self.ended.wait(0.01):
            pass
        return Report(self.name)


@pytest.fixture(autouse=True)
def short_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_search_engine, "STEPS_PER_CELL", 10)


def started(limits: Limits | None = None) -> Run:
    run = Run.of(PROBLEM, limits or Limits(workers=1))
    edges = first_tour()
    run.report("found", edges=edges, value=PROBLEM.cost(edges))
    return run


@cache
def first_tour() -> IntArray:
    tour = find(Problem(PROBLEM.graph)).tour
    assert tour is not None
    return tour.edges


def annealing() -> LocalSearchEngine:
    return LocalSearchEngine(PROBLEM)


RACES: dict[str, Callable[[], list[Engine]]] = {
    "annealing": lambda: [annealing()],
    "tired and annealing": lambda: [Tired(), annealing()],
    "two annealings": lambda: [annealing(), Tired(), annealing()],
    "annealing after bounds": lambda: [BoundEngine(PROBLEM, 0.0, annealing())],
}


@pytest.mark.parametrize("racers", RACES)
@pytest.mark.parametrize("has_tour", [True, False])
def test_a_race_of_engines_that_never_end_has_an_end(
    racers: str, has_tour: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BoundEngine, "_show", lambda self, run: None)
    run = started() if has_tour else Run.of(PROBLEM, Limits(workers=1))
    report = race(run, RACES[racers]())
    assert run.alone.is_set() and not report.conclusive
    assert report.status == ("feasible" if has_tour else "unknown")
    assert not has_tour or run.counts["annealing searches"] >= local_search_engine.ROUNDS_ALONE


def test_one_thread_does_the_same_work_each_time() -> None:
    values = []
    for _ in range(2):
        run = started()
        race(run, [annealing()])
        values.append((run.value, run.counts["annealing searches"]))
    assert values[0] == values[1] and values[0][1] == local_search_engine.ROUNDS_ALONE


def test_annealing_goes_on_while_another_engine_works() -> None:
    engine, run = annealing(), started()
    race(run, [engine, Waiting(engine, 40)])
    assert run.counts["annealing searches"] >= 40


def test_a_time_limit_is_used_to_its_end() -> None:
    """The limit ends the race; here it is over once more work is done than a race without it would do."""
    engine = annealing()
    limits = Limits(1000.0, workers=1).until(lambda: engine._rounds >= 40)
    run = started(limits)
    race(run, [Tired(), engine])
    assert not run.alone.is_set() and run.counts["annealing searches"] >= 39


def test_the_answer_says_that_the_proof_was_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage, "_racers", lambda solving: [Tired(), annealing()])
    run = started()
    solving = SimpleNamespace(
        problem=PROBLEM, run=run, standing=run.standing, request=SimpleNamespace(program=None), left_out=[]
    )
    report = stage.by_engines(solving)  # type: ignore[arg-type]
    assert report.status == "feasible" and solving.left_out == [stage.GIVEN_UP]
