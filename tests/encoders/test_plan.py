"""`encoders.solve.PLAN` is the order of a solve, and the only place that has it."""

from __future__ import annotations

import pkgutil
import re
from dataclasses import replace
from pathlib import Path

import pytest

from encoders import stages
from encoders.solve import PLAN, begin, plan
from encoders.stages import Request, answer, construction
from encoders.work.run import Run
from kt_models import KTError, Problem, graph_of
from kt_models.registry import rows


def test_the_plan_has_every_stage_of_the_folder_once() -> None:
    assert len({stage.name for stage in PLAN}) == len(PLAN)
    assert set(rows(stages.__name__, stages.Stage)) == {stage.name for stage in PLAN}
    modules = {entry.name for entry in pkgutil.iter_modules(stages.__path__) if not entry.name.startswith("_")}
    assert modules == {stage.work.__module__.rpartition(".")[2] for stage in PLAN}
    assert plan() == PLAN


def test_each_stage_of_the_plan_has_a_reason_or_a_name_that_is_one() -> None:
    text = Path(str(begin.__code__.co_filename)).read_text()
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
