"""Runs: whole, killed, starved, forged, shared out."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from encoders.enumeration import run as running
from encoders.enumeration.run import RunSettings, begin, resume
from kt_models import KTError
from kt_models.kernel.certificates.statement import Statement
from kt_models.runs.audit import audit
from kt_models.runs.bound_task import BoundTask
from kt_models.runs.cubes import Cube
from kt_models.runs.folder import DONE, CubeRecord, locked
from kt_models.runs.ledger import Ledger, create
from kt_models.runs.task import Solutions, Task
from kt_models.writing import write_atomic
from tests import command
from tests.command import answered
from tests.effort import slow, slow_rows
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
        pytest.param(task("6x6", counting=True), 9862, marks=pytest.mark.slow),
        pytest.param(task("6x6", "cycle", "turns", value=32, counting=True), 18, marks=pytest.mark.slow),
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
    [
        *slow_rows([(dies_on_large, "BrokenProcessPool")]),
        pytest.param(greedy_on_large, "MemoryError", marks=pytest.mark.slow),
        (late_on_large, "out of time"),
    ],
)
def test_a_cube_that_fails_is_cut_finer(job: Any, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(tmp_path / "run", task("5x6"), 2)
    monkeypatch.setattr(running, "solve_cube", job)
    status = resume(tmp_path / "run", RunSettings(workers=1, memory=10**9))
    assert status.complete and status.count == 8 and status.splits >= 2
    with Ledger.read(tmp_path / "run") as ledger:
        assert reason in next(ledger.records()).reason
    audit(tmp_path / "run")


@pytest.mark.slow
def test_failures_are_reported_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(tmp_path / "run", task("5x6"), 3)
    with monkeypatch.context() as patch:
        patch.setattr(running, "solve_cube", dies_on_large)
        patch.setattr(running, "MAX_LEVELS", 0)
        status = resume(tmp_path / "run", RunSettings(workers=1))
    assert not status.complete and status.failed == len(status.failures) == 3
    assert "not complete: 0 of 3 cubes" in audit(tmp_path / "run").text
    answer = command.kt("runs", "status", tmp_path / "run")
    assert answer.exit_code == 3 and answer.stdout.count("BrokenProcessPool") == 3
    code, out, _ = kt("--run", str(tmp_path / "run"), "--resume", "--workers", "1", "--json")
    assert code == 0 and json.loads(out)["count"] == 8


def test_stopped_runs_say_so(tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    begin(folder, task("8x8"), 8)
    code, out, _ = kt("--run", folder, "--resume", "--workers", "1", "--time-limit", "0.5", "--json")
    assert code == 3 and json.loads(out)["complete"] is False
    code, _, err = kt("8x8", "--run", f"{folder}2", "--cubes", "1000000", "--time-limit", "0.01")
    assert code == 3 and "no run was begun" in err and not (tmp_path / "run2" / "problem.json").exists()
    answer = command.kt("runs", "status", folder, "--json")
    assert answer.exit_code == 3 and json.loads(answer.stdout)["complete"] is False


BOUND = BoundTask(task("5x6", "cycle", "turns").problem, 28)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() if path.is_file() else b"" for path in folder.iterdir()}


@pytest.mark.parametrize(
    "name",
    [
        "diary.txt", "problem.json", "ledger.sqlite", "formula.cnf", "manifest.json", "lock", "proofs", "proof.lrat",
        "count.json", "index.html", ".hidden", "ledger.sqlite-wal",
    ],
)  # fmt: skip
@pytest.mark.parametrize("asked", [task("5x6"), BOUND], ids=["tours", "bound"])
def test_no_run_begins_in_a_folder_of_somebody_else(name: str, asked: Task, tmp_path: Path) -> None:
    (tmp_path / name).write_text("mine\n")
    before = content(tmp_path)
    with pytest.raises(KTError, match=re.escape(name)):
        begin(tmp_path, asked)
    if name != "lock":  # `create` is called with the folder locked
        with pytest.raises(KTError, match=re.escape(name)):
            create(tmp_path, asked, [Cube()])
    assert content(tmp_path) == before


def test_a_database_of_somebody_else_stays(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "ledger.sqlite")) as database, database:
        database.execute("CREATE TABLE money (amount)")
    before = content(tmp_path)
    with pytest.raises(KTError, match=r"it has other files \(ledger.sqlite\)"):
        begin(tmp_path, task("5x6"))
    assert content(tmp_path) == before


@pytest.mark.parametrize("stage", [0, 3, *slow([1, 2])])
def test_a_run_begins_where_a_beginning_was_stopped(
    stage: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was the last to be written: one of two files beside the ledger, the ledger, the task."""
    asked, left = BOUND, [stage]

    class Killed(BaseException):
        pass

    def killed(write: Any) -> Any:
        def last(*arguments: Any, **more: Any) -> Any:
            left[0] -= 1
            if left[0] < 0:
                raise Killed
            return write(*arguments, **more)

        return last

    with monkeypatch.context() as patch:
        patch.setattr("kt_models.runs.ledger.write_atomic", killed(write_atomic))
        patch.setattr("kt_models.runs.ledger.os.replace", killed(os.replace))
        patch.setattr("kt_models.runs.ledger._remove", lambda path: None)  # A kill tidies nothing away
        with pytest.raises(Killed):
            begin(tmp_path, asked)
    assert content(tmp_path)
    begin(tmp_path, BoundTask(BOUND.problem, 27))
    assert resume(tmp_path, RunSettings(workers=1)).complete
