"""Limits are kept: looks are counted, not seconds."""

from __future__ import annotations

import ast
import threading
import time

import pytest

from encoders import solve
from encoders.bounds import NotShown, certified, certify_lower_bound
from encoders.bounds.methods.family import make_family
from encoders.find import METHODS, find
from heuristics.obstruction import find_obstruction
from kt_models import KTError, Problem, Result, graph_of
from kt_models.limits import NO_LIMITS, Limits, Stopped
from tests.house import ROOMS, ROOT, syntax
from tests.processes import StopAfter


def test_limits_are_reached_by_the_clock_or_the_flag() -> None:
    assert not NO_LIMITS.over and NO_LIMITS.left == float("inf")
    assert Limits(0).over and not Limits(1e6).over
    flag = threading.Event()
    limits = Limits(stop=flag)
    limits.check()
    flag.set()
    assert limits.over and limits.stopped
    with pytest.raises(Stopped, match="stopped before the end"):
        limits.check()
    with pytest.raises(Stopped, match="within 0 seconds"):
        Limits(0).check()


def test_parts_have_no_more_than_the_whole() -> None:
    whole = Limits(1000, workers=3, memory=5, seed=7)
    for part in (whole.part(0.5), whole.within(500), whole.within(None), whole.within(float("inf"))):
        assert part.left <= whole.seconds and (part.workers, part.memory, part.seed) == (3, 5, 7)
    assert whole.part(0.5).seconds <= 500 and NO_LIMITS.part(0.5).seconds is None
    assert NO_LIMITS.within(float("inf")).seconds is None
    with pytest.raises(Stopped, match="within 1000 seconds"):
        whole.within(0).check()


def test_a_condition_ends_them_too() -> None:
    values = [False, True]
    flag = threading.Event()
    limits = Limits(stop=flag).until(lambda: values.pop(0))
    assert not limits.over and limits.over
    values += [False, False]
    flag.set()
    assert limits.over


@pytest.mark.parametrize("wrong", [{"seconds": -1}, {"seconds": float("nan")}, {"workers": 0}, {"seed": -1}])
def test_limits_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(KTError):
        Limits(**wrong)  # type: ignore[arg-type]
    for time_limit in (-1, float("nan"), 1e9):
        with pytest.raises(KTError, match="time limit"):
            NO_LIMITS.with_time_limit(time_limit)


def test_work_that_does_not_look_is_given_up() -> None:
    free = threading.Event()
    with pytest.raises(Stopped):
        Limits(stop=StopAfter(3)).run(lambda: free.wait(600))
    free.set()
    assert Limits(600).run(lambda: 5) == 5
    assert NO_LIMITS.run(threading.current_thread) is threading.current_thread()
    with pytest.raises(ZeroDivisionError):
        Limits(600).run(lambda: 1 // 0)


def test_work_that_ends_soon_after_is_taken() -> None:
    flag = threading.Event()

    def work() -> str:
        flag.set()
        time.sleep(0.2)
        return "done"

    assert Limits(stop=flag).run(work, 600) == "done"


@pytest.mark.parametrize("name", METHODS)
def test_no_method_begins_once_limits_are_reached(name: str) -> None:
    board = {"rings": "aztec:30", "torus": "torus:30x30", "uncrossed": "torus:30x31"}.get(name, "30x30")
    flag = StopAfter(0)
    assert find(Problem(graph_of(board)), name, limits=Limits(stop=flag)).tour is None
    assert flag.seen < 20


@pytest.mark.parametrize("metric", ["turns", "crossings"])
@pytest.mark.parametrize("looks", [0, 1, 5])
def test_solve_gives_back_what_there_is(metric: str, looks: int) -> None:
    result = solve(Problem(graph_of("30x30"), objective=metric), limits=Limits(stop=StopAfter(looks)))
    assert result.status in ("unknown", "feasible") and result.bound is not None


def test_the_front_door_without_a_solver_looks_too() -> None:
    result = find(Problem(graph_of("60x60"), objective="crossings"), limits=Limits(stop=StopAfter(1)))
    assert result.status == "unknown" and "stopped" in result.reason


@pytest.mark.parametrize("method", ["relaxation", "regions", "family", "belt", "edge", "triplet", "auto"])
def test_bounds_look_at_limits(method: str) -> None:
    metric = "crossings" if method in ("regions", "belt", "triplet") else "turns"
    problem = Problem(graph_of("60x60"), objective=metric)
    with pytest.raises(NotShown):
        certify_lower_bound(problem, method=method, limits=Limits(stop=StopAfter(1)))


def test_a_family_looks_between_its_programs() -> None:
    with pytest.raises(Stopped):
        make_family(limits=Limits(0))
    with pytest.raises(Stopped):
        make_family(limits=Limits(stop=StopAfter(1)))


def test_the_clock_of_certified_is_the_callers() -> None:
    problem = Problem(graph_of("6x6"), objective="turns")
    result = solve(problem)
    bare = Result(problem, "optimal", result.tour, bound=result.bound)
    assert certified(bare, limits=Limits(0)) is bare
    assert certified(bare).certificate is not None


def test_an_obstruction_is_not_looked_for_without_time() -> None:
    problem = Problem(graph_of("4x6"))
    assert find_obstruction(problem) is not None and find_obstruction(problem, Limits(0)) is None


@pytest.mark.checkout
def test_there_is_one_kind_of_limits_and_one_of_giving_up() -> None:
    kinds, both = [], []
    for path in (path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        for node in ast.walk(syntax(path)):
            if isinstance(node, ast.ClassDef) and node.name in ("Stopped", "Stop", "Clock"):
                kinds.append(str(path.relative_to(ROOT)))
            if isinstance(node, ast.FunctionDef):
                names = {a.arg for a in [*node.args.args, *node.args.kwonlyargs]}
                if {"time_limit", "stop"} <= names or {"seconds", "stop"} <= names:
                    both.append(f"{path}: {node.name}")
    assert kinds == ["kt_models/limits.py"] and not both
