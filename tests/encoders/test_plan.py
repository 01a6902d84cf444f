"""`encoders.plan.PLAN` is the order of a solve, and the only place that has it."""

from __future__ import annotations

import pkgutil
import re
from dataclasses import replace
from pathlib import Path

import pytest

from encoders import stages
from encoders.bounds import certify_lower_bound
from encoders.bounds.methods import methods
from encoders.bounds.methods import relaxation as relaxation_method
from encoders.plan import PLAN, plan
from encoders.solve import begin
from encoders.stages import Request, answer, construction
from encoders.work.run import Run
from kt_models import KTError, Problem, Result, graph_of
from kt_models.limits import Limits
from kt_models.registry import rows


@pytest.fixture(autouse=True)
def reference_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine on which costs were measured, whatever `kt doctor` says of this one."""
    monkeypatch.setattr("kt_models.speed.speed", lambda: 1.0)


def test_the_plan_has_every_stage_of_the_folder_once() -> None:
    assert len({stage.name for stage in PLAN}) == len(PLAN)
    assert set(rows(stages.__name__, stages.Stage)) == {stage.name for stage in PLAN}
    modules = {entry.name for entry in pkgutil.iter_modules(stages.__path__) if not entry.name.startswith("_")}
    assert modules == {stage.work.__module__.rpartition(".")[2] for stage in PLAN}
    assert plan() == PLAN


def test_each_stage_of_the_plan_has_a_reason_or_a_name_that_is_one() -> None:
    text = Path(str(plan.__code__.co_filename)).read_text()
    lines = re.search(r"PLAN: .*?\n\)\n", text, re.DOTALL)
    assert lines is not None
    entries = [line for line in lines.group().splitlines() if re.match(r" +\w+\.[A-Z]+,", line)]
    assert len(entries) == len(PLAN)
    # A stage that comes a second time has its reason where it comes first.
    assert {line.strip() for line in entries if "#" not in line} <= {"reduction.LATER,", "parts.REFUTING,"}


def test_a_further_stage_runs_before_the_one_that_it_names(monkeypatch: pytest.MonkeyPatch) -> None:
    more = replace(construction.STAGE, name="more", before="relaxation")
    monkeypatch.setattr(construction, "MORE", more, raising=False)
    names = [stage.name for stage in plan()]
    assert names.index("more") + 1 == names.index("relaxation") and len(names) == len(PLAN) + 1
    monkeypatch.setattr(construction, "MORE", replace(more, before="nothing"))
    with pytest.raises(KTError, match="stage more: before='nothing' names no stage"):
        plan()


def with_costs(cost: float, *names: str) -> list[stages.Stage]:
    """The plan, in which some stages have a cost."""
    return [replace(stage, cost=lambda solving: cost) if stage.name in names else stage for stage in PLAN]


def answered(limits: Limits, plan_: list[stages.Stage]) -> Result:
    problem = Problem(graph_of("8x8"), objective="turns")
    solving = begin(Request(problem), Run.of(problem, limits))
    solving.plan = plan_
    return answer(solving)


def test_a_stage_that_does_not_fit_is_left_out_and_the_answer_says_so() -> None:
    result = answered(Limits(1000, workers=1), with_costs(1e6, "tree", "engines"))
    assert result.status == "feasible" and result.certificate is not None
    assert result.left_out == ("tree (about 278 hours)", "engines (about 278 hours)")
    assert result.to_json()["left_out"] == list(result.left_out)
    assert "left out   tree (about" in str(result)


def test_what_was_left_out_is_not_told_once_the_answer_is_complete() -> None:
    result = answered(Limits(1000, workers=1), with_costs(1e6, "engines"))
    assert result.status == "optimal" and not result.left_out and "left_out" not in result.to_json()


def test_without_a_time_limit_nothing_is_left_out() -> None:
    result = answered(Limits(workers=1), with_costs(1e6, "tree"))
    assert result.status == "optimal" and not result.left_out


def test_a_stage_that_was_left_out_works_when_there_is_more_time() -> None:
    problem = Problem(graph_of("8x8"), objective="turns")
    solving = begin(Request(problem, cheap_only=True), Run.of(problem, Limits(1000, workers=1)))
    solving.plan = with_costs(2000, "relaxation", "tree")
    quick = answer(solving)
    assert quick.left_out == ("relaxation (about 33 minutes)",) and quick.certificate is None
    result = solving.go_on(quick, Limits(1e5, workers=1))
    assert result.status == "optimal" and not result.left_out


def test_a_certificate_of_the_cheap_stages_is_kept_by_the_others() -> None:
    problem = Problem(graph_of("8x8"), objective="turns")
    solving = begin(Request(problem, cheap_only=True), Run.of(problem, Limits(workers=1)))
    solving.plan = [stage for stage in PLAN if stage.name != "tree"]
    quick = answer(solving)
    solving.plan = []
    assert quick.certificate is not None
    assert solving.go_on(quick, Limits(workers=1)).certificate == quick.certificate


def test_a_sweep_that_does_not_fit_leaves_its_place_to_bounds_and_exchanges() -> None:
    problem = Problem(graph_of("8x12"), objective="crossings")
    run = Run.of(problem, Limits(5, workers=2))
    solving = begin(Request(problem), run)
    assert (solving.helpers.sweep_cost or 0) > 50
    assert not solving.helpers.has_quick_sweep and solving.helpers.bounds is not None


def test_costs_of_sweeps_grow_with_the_board() -> None:
    row = methods()["frontier"]
    for boards in (("5x8", "5x12", "5x20"), ("6x6", "6x9", "6x20"), ("5x10", "6x10", "7x10", "8x10"), ("8x8", "8x12")):
        costs = [row.cost(Problem(graph_of(board), objective="crossings"), 1) or 0.0 for board in boards]
        assert costs == sorted(costs) and costs[0] < costs[-1]


def test_a_method_that_does_not_fit_is_left_out_unless_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        relaxation_method, "METHOD", replace(relaxation_method.METHOD, cost=lambda problem, workers: 1e6)
    )
    problem, limits = Problem(graph_of("8x8"), objective="turns"), Limits(1000)
    assert (certify_lower_bound(problem, limits=limits, known=False).bound or 0) < 44
    assert limits.unfinished == ("relaxation (about 278 hours)",)
    assert certify_lower_bound(problem, method="relaxation", limits=limits).bound == 44


def test_nothing_is_asked_of_a_stage_once_the_answer_is_complete() -> None:
    asked: list[str] = []

    def watched(stage: stages.Stage) -> stages.Stage:
        def applies(solving: stages.Solving) -> bool:
            asked.append(stage.name)
            return stage.applies(solving)

        return replace(stage, applies=applies)

    problem = Problem(graph_of("6x6"), objective="turns")
    solving = begin(Request(problem, hint="best"), Run.of(problem))
    solving.plan = [watched(stage) for stage in PLAN]
    result = answer(solving)
    assert result.status == "optimal" and result.certificate is not None
    assert asked[-1] == "delivered" and "engines" not in asked
