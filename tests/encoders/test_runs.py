"""Runs: whole, killed, starved, forged, shared out."""

from __future__ import annotations

import json
import os
import sqlite3
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from encoders.enumeration import run as running
from encoders.enumeration.run import RunSettings, begin, resume
from kt_models import KTError
from kt_models.certificates.statement import Statement
from kt_models.runs.audit import audit
from kt_models.runs.cubes import Cube
from kt_models.runs.folder import DONE, CubeRecord, locked
from kt_models.runs.ledger import Ledger, create
from kt_models.runs.task import Solutions, Task
from tests import command
from tests.command import answered
from tests.run_tools import dies_on_large, finished, greedy_on_large, late_on_large, task

kt = partial(answered, "enumerate")


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        (task("5x6"), 8),
        (task("5x6", up_to_symmetry=True), 3),
        (task("3x4", "path"), 8),
        (task("6x6", symmetry="rot90"), 10),
        (task("6x6", "cycle", "turns", value=32), 18),
        (task("6x6", counting=True), 9862),
        (task("6x6", "cycle", "turns", value=32, counting=True), 18),
        (task("6x6", symmetry="rot90", counting=True), 10),
        (task("4x4"), 0),
    ],
)
def test_a_run_is_whole(asked: Task, count: int, tmp_path: Path) -> None:
    folder = finished(tmp_path / "run", asked)
    with Ledger.read(folder) as ledger:
        status = ledger.status()
        assert status.complete and status.count == count
        assert len(list(ledger.verified())) == (0 if asked.counting else count)
    verdict = audit(folder)
    number = [s.count for s in verdict.shown if isinstance(s, Solutions)]
    assert number == ([] if asked.counting or not count else [count])
    assert [s.value for s in verdict.stated if isinstance(s, Statement)] == [count]


def test_the_ledger_is_only_added_to(tmp_path: Path) -> None:
    folder = finished(tmp_path / "run", task("5x6"))
    with locked(folder), Ledger(folder, writable=True) as ledger:
        with pytest.raises(KTError, match="UNIQUE"):
            ledger.record(CubeRecord(next(ledger.cubes()), DONE))
        assert ledger.status().count == 8
    database = sqlite3.connect(folder / "ledger.sqlite")
    for change in ("DELETE FROM solution", "UPDATE record SET count = '9'"):
        with pytest.raises(sqlite3.DatabaseError, match="only added to"):
            database.execute(change)
    with pytest.raises(KTError, match="already"), locked(folder):
        create(folder, task("5x6"), [Cube()])


def test_a_cube_that_was_done_with_too_few(tmp_path: Path) -> None:
    """Solutions left out and the digest with them: only the search can tell, and the audit does not claim it."""
    begin(tmp_path / "run", task("5x6"), 1)
    with locked(tmp_path / "run"), Ledger(tmp_path / "run", writable=True) as ledger:
        ledger.record(CubeRecord(".", DONE, 0))
    assert "not certified" in audit(tmp_path / "run").text


def test_one_process_at_a_time(tmp_path: Path) -> None:
    begin(tmp_path / "run", task("5x6"), 4)
    with locked(tmp_path / "run"):
        status, out, err = kt("--run", str(tmp_path / "run"), "--resume")
        assert status == 2 and out == "" and f"another process ({os.getpid()})" in err


@pytest.mark.parametrize(
    ("job", "reason"),
    [(dies_on_large, "BrokenProcessPool"), (greedy_on_large, "MemoryError"), (late_on_large, "out of time")],
)
def test_a_cube_that_fails_is_cut_finer(job: Any, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(tmp_path / "run", task("5x6"), 2)
    monkeypatch.setattr(running, "solve_cube", job)
    status = resume(tmp_path / "run", RunSettings(workers=1, memory=10**9))
    assert status.complete and status.count == 8 and status.splits >= 2
    with Ledger.read(tmp_path / "run") as ledger:
        assert reason in next(ledger.records()).reason
    audit(tmp_path / "run")


def test_failures_are_reported_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(tmp_path / "run", task("5x6"), 3)
    with monkeypatch.context() as patch:
        patch.setattr(running, "solve_cube", dies_on_large)
        patch.setattr(running, "MOST_LEVELS", 0)
        status = resume(tmp_path / "run", RunSettings(workers=1))
    assert not status.complete and status.failed == len(status.failures) == 3
    assert "not complete: 0 of 3 cubes" in audit(tmp_path / "run").text
    shown = command.kt("runs", "status", tmp_path / "run")
    assert shown.exit_code == 3 and shown.stdout.count("BrokenProcessPool") == 3
    code, out, _ = kt("--run", str(tmp_path / "run"), "--resume", "--workers", "1", "--json")
    assert code == 0 and json.loads(out)["count"] == 8


def test_stopped_runs_say_so(tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    begin(folder, task("8x8"), 8)
    code, out, _ = kt("--run", folder, "--resume", "--workers", "1", "--time-limit", "0.5", "--json")
    assert code == 3 and json.loads(out)["complete"] is False
    code, _, err = kt("8x8", "--run", f"{folder}2", "--cubes", "1000000", "--time-limit", "0.01")
    assert code == 3 and "no run was begun" in err and not (tmp_path / "run2" / "problem.json").exists()
    shown = command.kt("runs", "status", folder, "--json")
    assert shown.exit_code == 3 and json.loads(shown.stdout)["complete"] is False
