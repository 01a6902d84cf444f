"""Listing by several processes: the same tours, each once, and what there is when it is stopped."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from encoders.enumeration import enumerate_tours, list_tours, together
from encoders.enumeration.together import line_of, list_together
from kt_models import Problem, Symmetry, graph_of
from kt_models.limits import Limits, Stopped
from kt_models.runs.tour_task import TourTask
from kt_models.tour import tour_from_json
from tests.command import kt

TWO = Limits(workers=2)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "ALONE_SECONDS", 0.0)
    monkeypatch.setattr(together, "CUBES_PER_PROCESS", 4)


def task(board: str, classes: bool = False) -> TourTask:
    return TourTask(Problem(graph_of(board)), None, classes, False, False)


@pytest.mark.parametrize("classes", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_the_tours_are_those_of_one_process(classes: bool) -> None:
    asked, lines = task("3x10", classes), []
    listing = list_together(asked, TWO, "auto", lambda line, count: lines.append((line, count)))
    assert listing.complete and listing.count == len(lines) == (6 if classes else 16)
    assert [count for _, count in lines] == list(range(1, len(lines) + 1))
    keys = {asked.key(tour_from_json(json.loads(line))) for line, _ in lines}
    assert keys == {asked.key(tour) for tour in enumerate_tours(asked)} and len(keys) == len(lines)


@pytest.mark.slow
def test_what_was_listed_here_is_not_listed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first moment ends after some tours, as if the time were up."""
    asked, lines = task("3x10"), []

    def some(asked, limits, engine, on_tour):
        for count, tour in enumerate(enumerate_tours(asked), start=1):
            on_tour(tour, count)
            if count == 5:
                break
        return replace(list_tours(asked, Limits(stop=_Set())), count=5)

    monkeypatch.setattr(together, "list_tours", some)
    listing = list_together(asked, TWO, "auto", lambda line, count: lines.append(line))
    assert listing.complete and listing.count == len(lines) == len(set(lines)) == 16


def test_a_count_by_processes_lists_nothing() -> None:
    symmetric = Problem(graph_of("6x6"), symmetry=(Symmetry.parse("rot90"),))
    counted = TourTask(symmetric, None, False, True, False)
    lines: list[str] = []
    listing = list_together(counted, TWO, "auto", lambda line, count: lines.append(line))
    assert listing.complete and listing.count == list_tours(counted, Limits()).count > 0 and not lines


@pytest.mark.parametrize("last", [1, pytest.param(5, marks=pytest.mark.slow)])
def test_a_list_ends_when_nobody_reads_on(last: int) -> None:
    lines: list[str] = []

    def take(line: str, count: int) -> None:
        if count > last:
            raise Stopped("nobody reads on")
        lines.append(line)

    listing = list_together(task("3x10"), TWO, "auto", take)
    assert not listing.complete and len(lines) == last


def test_listing_ends_at_a_stop() -> None:
    stop, lines = _Set(False), []

    def take(line: str, count: int) -> None:
        lines.append(line)
        stop.value = True

    listing = list_together(task("3x12"), Limits(stop=stop, workers=2), "auto", take)
    assert not listing.complete and 0 < listing.count == len(lines) < 176


def test_one_worker_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "LocalPool", None)
    result = kt("enumerate", "5x6", "--workers", 1)
    assert result.exit_code == 0 and result.stdout.count("\n") == 8
    tour = tour_from_json(json.loads(result.stdout.splitlines()[0]))
    assert line_of(tour) in result.stdout


class _Set:
    def __init__(self, value: bool = True) -> None:
        self.value = value

    def is_set(self) -> bool:
        return self.value
