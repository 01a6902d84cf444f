"""Nothing that an adversary does to a run's folder makes something false come out as shown or as complete, or hangs."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kt_models import CertificateError, KTError, Problem, graph_of
from kt_models.kernel.certificates import Statement
from kt_models.limits import Limits, Stopped
from kt_models.runs.audit import account, audit
from kt_models.runs.bound_task import BoundTask
from kt_models.runs.cubes import Cube
from kt_models.runs.folder import DONE, FAILED, CubeRecord, locked
from kt_models.runs.ledger import Ledger, create
from kt_models.runs.task import Solutions
from tests import brute
from tests.effort import part_of
from tests.processes import PATIENCE, StopAfter
from tests.run_mutations import attack, bound, honest, refute, seal, trial, values
from tests.run_tools import edit, finished, forge, task

TRIALS = range(200)[-part_of(200) :]  # Of the first ones almost all are refused


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return honest(tmp_path_factory.mktemp("honest"))


@pytest.fixture
def copied(folders: dict[str, Path], tmp_path: Path) -> Callable[[str], Path]:
    return lambda name: shutil.copytree(folders[name], tmp_path / name)


def test_honest_runs_are_accepted(folders: dict[str, Path]) -> None:
    for folder in folders.values():
        assert refute(folder, audit(folder)) == ""


def test_mutated_runs_say_nothing_false(folders: dict[str, Path], tmp_path: Path) -> None:
    """More of them: `python -m tests.run_mutations`."""
    kinds = set()
    for number in TRIALS:
        kind, wrong = trial(random.Random(number), folders, tmp_path)
        assert not wrong, number
        kinds.add(kind)
    assert kinds == {"refused", "same", "other"}


@pytest.mark.parametrize(
    "board",
    ["3x4", "4x4", pytest.param("4x5", marks=pytest.mark.slow), "5x6", pytest.param("3x10", marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("kind", ["cycle", "path"])
def test_complete_runs_say_what_brute_force_says(board: str, kind: str, tmp_path: Path) -> None:
    """What complete runs say, where all tours are known."""
    graph = graph_of(board)
    if kind == "path" and graph.n > 20:
        pytest.skip("too many open tours")
    problem = Problem(graph, kind, "turns")  # type: ignore[arg-type]
    turns = sorted(values(task(board, kind, "turns")))
    count = len(turns)
    verdict = audit(finished(tmp_path / "list", task(board, kind), 3))
    assert [s.count for s in verdict.shown if isinstance(s, Solutions)] == ([count] if count else [])
    assert verdict.stated == (Statement(problem, "complete", count),)
    verdict = audit(finished(tmp_path / "count", task(board, kind, "turns", counting=True, by_value=True), 3))
    each = tuple(Statement(problem, "count", turns.count(value), value) for value in sorted(set(turns)))
    assert verdict.stated == (Statement(problem, "count", count), *each) and not verdict.shown
    least = min(turns, default=None)
    asked = BoundTask(Problem(graph, kind) if least is None else problem, least)  # type: ignore[arg-type]
    assert audit(finished(tmp_path / "bound", asked, 3)).shown == (asked.statement,)
    if least is not None:
        with pytest.raises(CertificateError, match="refuted"):
            audit(finished(tmp_path / "more", BoundTask(problem, least + 1), 3))
    assert count == len({brute.edge_set(graph, o, kind == "cycle") for o in brute.tours(board, kind == "cycle")})


# -- what once passed --------------------------------------------------------------------------------------------------


def test_a_failure_after_a_proof_hides_nothing(tmp_path: Path) -> None:
    """A claim of 1,000 crossings, no formula, no proofs, and for every cube a `failed` row after a `done` one."""
    folder = tmp_path / "run"
    asked = bound("6x6", "crossings", 1000, True)
    files = {"formula.cnf": "p cnf 0 0\n"}
    with locked(folder):
        create(folder, asked, [Cube(((0, True),)), Cube(((0, False),))], files)
        with Ledger(folder, writable=True) as ledger:
            for name in list(ledger.cubes()):
                ledger.record(CubeRecord(name, DONE))
                ledger.record(CubeRecord(name, FAILED))
            assert ledger.status().complete
    for verify in (True, False):
        with pytest.raises(KTError):
            account(folder, verify=verify)


@pytest.mark.parametrize("name", ["list", "count", "word"])
def test_a_cube_without_a_name(name: str, copied: Callable[[str], Path]) -> None:
    """One unfinished cube, and a row that is done and about no cube at all."""
    folder = copied(name)
    database = sqlite3.connect(folder / "ledger.sqlite", isolation_level=None)

    def change() -> None:
        for table in ("record", "cube", "place", "solution"):
            database.execute(f"DELETE FROM {table}")
        database.execute("INSERT INTO cube VALUES ('.')")
        database.execute(
            "INSERT INTO record VALUES (1, NULL, 'done', '9851', '[]', ?, '[]', '', '', '', 0.0, 0.0)", ("0" * 64,)
        )

    attack(database, change)
    database.close()
    with pytest.raises(CertificateError, match="wrong type"):
        audit(folder)


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"


@pytest.mark.parametrize(
    "statements",
    [
        ("DROP TABLE cube", f"CREATE VIEW cube AS {ENDLESS}"),
        ("DROP TABLE cube", f"CREATE VIEW cube AS SELECT count(*) AS name FROM ({ENDLESS})"),
        (f"CREATE VIEW more AS {ENDLESS}",),
        ("DROP TABLE cube", "CREATE TABLE cube (name TEXT PRIMARY KEY)", "INSERT INTO cube VALUES ('.')"),
        ("DROP TABLE cube", "CREATE TABLE cube (name TEXT PRIMARY KEY COLLATE NOCASE) WITHOUT ROWID"),
        ("DROP TABLE cube", "CREATE TABLE cube (name INTEGER PRIMARY KEY)"),
        ("DROP TABLE cube", "CREATE TABLE cube (id TEXT PRIMARY KEY, name TEXT AS ('.')) WITHOUT ROWID"),
        ("DROP TABLE cube", "CREATE VIRTUAL TABLE cube USING fts5(name)"),
        ("CREATE TABLE other (name)",),
        ("ALTER TABLE record ADD COLUMN more",),
        ("CREATE INDEX other ON record (state)",),
        ("DROP INDEX settled",),
        ("DROP INDEX settled", "CREATE UNIQUE INDEX settled ON record (cube) WHERE state = 'none'"),
        ("CREATE TRIGGER other AFTER INSERT ON record BEGIN DELETE FROM record; END",),
        ("ANALYZE",),
        ("DROP TABLE record", "CREATE TABLE record (cube, state)"),
    ],
)
def test_a_ledger_of_another_schema_is_refused(statements: tuple[str, ...], copied: Callable[[str], Path]) -> None:
    folder = copied("list")
    forge(*statements)(folder)
    with pytest.raises(CertificateError, match="ledger"):
        audit(folder)
    with pytest.raises(CertificateError, match="ledger"):
        Ledger.read(folder)


@pytest.mark.parametrize("old", ["view", "trigger"])
def test_a_schema_that_lies(old: str, copied: Callable[[str], Path]) -> None:
    """The text of a table, under the type of something else."""
    folder = copied("list")
    database = sqlite3.connect(folder / "ledger.sqlite", isolation_level=None)
    database.execute("PRAGMA writable_schema = ON")
    database.execute("UPDATE sqlite_master SET type = ? WHERE name = 'cube'", (old,))
    database.close()
    with pytest.raises(KTError):
        audit(folder)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE record SET count = {}",
        "UPDATE record SET cube = {} WHERE id = 1",
        "UPDATE record SET by_value = {}",
        "UPDATE record SET state = {} WHERE id = 1",
        "UPDATE record SET digest = {}",
    ],
)
@pytest.mark.parametrize(
    "value",
    ["' 8'", "'1_000'", "'１'", "'-1'", "'1e3'", "'08'", "8", "NULL", "x'38'", "8.0", "'DONE'", "'done '", "'+07'",
     "'a'", "'9' || char(0)", "hex(zeroblob(5000))", "zeroblob(100)",
     "'[' || hex(zeroblob(3000000)) || ']'", "'[[1,2],[1,2]]'"],
)  # fmt: skip
def test_senseless_values_in_a_ledger_are_refused(change: str, value: str, copied: Callable[[str], Path]) -> None:
    folder = copied("count")
    database = sqlite3.connect(folder / "ledger.sqlite", isolation_level=None)
    attack(database, lambda: database.execute(change.format(value)))
    database.close()
    with pytest.raises(KTError) as raised:
        audit(folder)
    assert "\n" not in str(raised.value) and len(str(raised.value)) < 1000


@pytest.mark.parametrize(
    "task_text",
    ['{"kind": "bound"}', '{"kind": []}', "[" * 100_000, "9" * 10_000, "null", '{"kind": "tours", "problem": 1}'],
)
def test_tasks_that_are_none(task_text: str, copied: Callable[[str], Path]) -> None:
    folder = copied("list")
    (folder / "problem.json").write_text(f'{{"version": 2, "kind": "run", "task": {task_text}}}')
    with pytest.raises(KTError):
        audit(folder)


def test_more_is_claimed_than_was_searched_for(copied: Callable[[str], Path]) -> None:
    """Another bound in the task and in the ledger: the formula and the certificates are about the old one."""
    for name, old in (("proofs", 49), ("certificates", 28)):
        folder = copied(name)
        edit("problem.json", f'"at_least": {old}', f'"at_least": {old + 1}')(folder)
        seal(folder)
        with pytest.raises(CertificateError):
            audit(folder)
        edit("manifest.json", f'"bound": {old}', f'"bound": {old + 1}')(folder)
        with pytest.raises(CertificateError):
            audit(folder)


# -- limits, signals, company ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["", "-wal", "-shm"])
def test_a_pipe_for_a_file(ending: str, copied: Callable[[str], Path]) -> None:
    path = copied("list") / f"ledger.sqlite{ending}"
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    with pytest.raises(KTError, match="not a file"):
        audit(path.parent)


@pytest.fixture(scope="module")
def large(folders: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half a million rows about cubes that are none of the run."""
    folder = shutil.copytree(folders["list"], tmp_path_factory.mktemp("large") / "list")
    database = sqlite3.connect(folder / "ledger.sqlite", isolation_level=None)
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 500000)"
    attack(database, lambda: database.execute(f"INSERT INTO place {numbers} SELECT '+' || i, 'x' FROM n"))
    database.close()
    return folder


def test_the_audit_looks_at_its_limits(large: Path) -> None:
    for looks in (0, 1, 5, 50):
        with pytest.raises(Stopped):
            audit(large, limits=Limits(stop=StopAfter(looks)))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_audit_ends_at_a_signal(number: int, large: Path) -> None:
    words = "from kt_models.runs.audit import audit; print(1, flush=True)\nwhile True: audit({!r})"
    child = subprocess.Popen([sys.executable, "-c", words.format(str(large))], stdout=-1, stderr=-1)
    assert child.stdout is not None and child.stdout.readline()
    time.sleep(0.3)
    child.send_signal(number)
    _, errors = child.communicate(timeout=PATIENCE)
    assert child.returncode
    assert number == signal.SIGTERM or b"KeyboardInterrupt" in errors.splitlines()[-1]


def test_an_audit_sees_one_moment_of_a_run_that_is_written(tmp_path: Path) -> None:
    """A run is audited while cubes are written to it, each time as it was at one moment."""
    folder = tmp_path / "run"
    whole = finished(tmp_path / "whole", task("5x6"), 6)
    with Ledger.read(whole) as ledger:
        records, solutions = list(ledger.records()), {s.key: s for s in ledger.solutions()}
    places = sqlite3.connect(whole / "ledger.sqlite").execute("SELECT cube, key FROM place").fetchall()
    with locked(folder):
        create(folder, task("5x6"), [Cube.parse(record.cube) for record in records])
        with Ledger(folder, writable=True) as ledger:
            for number, record in enumerate(records):
                assert (account(folder).done, account(folder).cubes) == (number, len(records))
                mine = tuple(solutions[key] for cube, key in places if cube == record.cube)
                ledger.record(CubeRecord(record.cube, DONE, len(mine), mine))
            assert account(folder).complete and account(folder).count == 8
    assert audit(folder).shown == audit(whole).shown
