"""`kt solve LIST --run DIR`: a list in blocks, whose answers a ledger keeps, so that a killed run continues."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from click.testing import CliRunner

from cli.main import main
from encoders.many import run as runs
from tests.command import answered, one_line_refusal
from tests.command import kt as kt_command
from tests.effort import slow
from tests.processes import KT, PATIENCE, environment
from tests.small_graphs import graph6

PETERSEN = graph6(nx.petersen_graph())
LINES = ["Bw", "C~", PETERSEN, "B?", "B", ":Cdv", "", "&BP_", "C~"]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(runs, "BLOCK_GRAPHS", 3)
    (tmp_path / "list.g6").write_text("\n".join(LINES) + "\n")
    return tmp_path / "list.g6"


@pytest.mark.parametrize(
    "words",
    [
        ["solve"],
        ["solve", "--property", "edges-in-every-cycle"],
        ["enumerate", "--histogram"],
        *slow(
            [
                ["solve", "--only", "infeasible", "--as", "graph6"],
                ["enumerate", "--count"],
                ["enumerate", "--at-least", "2"],
            ]
        ),
    ],
    ids=" ".join,
)
def test_a_run_says_what_the_list_says_and_says_it_again(words: list[str], path: Path, monkeypatch: Any) -> None:
    """The second time no worker is needed."""
    command, *options = words
    plain = answered(command, path, *options, "--workers", "1")
    run = [command, path, *options, "--workers", "1", "--run", path.parent / "run"]
    first = answered(*run)
    assert first[:2] == plain[:2] and first[0] == 2
    monkeypatch.setattr(runs, "LocalPool", None)
    assert answered(*run)[:2] == plain[:2]


class Failing:
    """A pool whose workers die after some blocks."""

    left = 0

    def __init__(self, *arguments: object) -> None:
        self.size = 1

    def submit(self, function: Any, *arguments: Any) -> Any:
        if Failing.left == 0:
            raise KeyboardInterrupt
        Failing.left -= 1

        class Done:
            def done(self) -> bool:
                return True

            def result(self) -> Any:
                return function(*arguments)

        return Done()

    def close(self) -> None:
        pass


def test_a_run_that_was_interrupted_continues(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time one more block is answered; a finished block is not answered again."""
    monkeypatch.setattr(runs, "LocalPool", Failing)
    monkeypatch.setattr(runs, "wait", lambda *arguments, **keywords: None)
    plain = answered("solve", path, "--workers", "1")
    run = ["solve", path, "--workers", "1", "--run", path.parent / "run"]
    for known in range(3):
        Failing.left = known and 1
        assert answered(*run)[0] == 3
        with sqlite3.connect(path.parent / "run" / "list.sqlite") as file:
            assert file.execute("SELECT count(*) FROM block").fetchone()[0] <= known
    Failing.left = 3
    assert answered(*run)[:2] == plain[:2]
    assert Failing.left >= 0


def test_another_list_or_question_and_damage_are_refused(path: Path) -> None:
    folder = path.parent / "run"
    assert answered("solve", path, "--workers", "1", "--run", folder)[0] == 2
    one_line_refusal(kt_command("solve", path, "--run", folder, "--open"), "another list or question")
    one_line_refusal(kt_command("enumerate", path, "--run", folder, "--count"), "another list or question")
    path.write_text("\n".join(["C~", *LINES[1:]]) + "\n")
    one_line_refusal(kt_command("solve", path, "--run", folder), "block 1", "other graphs")
    path.write_text("\n".join(LINES) + "\n")
    with sqlite3.connect(folder / "list.sqlite") as file:
        file.execute("UPDATE block SET summary = replace(summary, '2', '3') WHERE number = 0")
    one_line_refusal(kt_command("solve", path, "--run", folder), "damaged at block 1")
    (path.parent / "other").mkdir()
    (path.parent / "other" / "letter.txt").write_text("mine")
    one_line_refusal(kt_command("solve", path, "--run", path.parent / "other"), "something else")
    one_line_refusal(kt_command("solve", path, "--scheduler", "tcp://nowhere:1"), "--run")
    one_line_refusal(kt_command("solve", "6x6", "--run", folder), "--run")


def test_kt_runs_says_what_a_list_has_done(path: Path) -> None:
    folder = path.parent / "run"
    whole = answered("solve", path, "--workers", "1", "--run", folder, "--open")[1]
    code, out, _ = answered("runs", "status", folder)
    rows = dict(line.split(maxsplit=1) for line in out.splitlines() if not line.startswith("run of"))
    assert (code, rows["status"], rows["open"], rows["blocks"].strip()) == (0, "complete", "yes", "3 done")
    code, out, _ = answered("runs", "status", folder, "--json")
    data = json.loads(out)
    assert data["kind"] == "run-status" and data["list"] == "list.g6" and data["graphs"] == len(whole.splitlines())
    assert data["statuses"] == Counter(line.split()[1] for line in whole.splitlines())
    one_line_refusal(kt_command("runs", "resume", folder), "the command that began it")
    with sqlite3.connect(folder / "list.sqlite") as file:
        file.execute("DELETE FROM block WHERE number = 2")
    code, out, _ = answered("runs", "status", folder)
    assert code == 3 and "not complete" in out and "2 done" in out
    answered("solve", path, "--workers", "1", "--run", folder, "--open")
    assert answered("runs", "status", folder)[0] == 0
    (folder / "list.sqlite").write_bytes(b"no database")
    one_line_refusal(kt_command("runs", "status", folder), "cannot be read")


def test_an_empty_list_has_no_graphs() -> None:
    """A filter in front may leave nothing."""
    result = CliRunner().invoke(main, ["solve", "-", "--only", "feasible"], input="\n")
    assert (result.exit_code, result.stdout) == (0, "") and "0 graphs" in result.stderr


def test_a_generator_that_finds_nothing_says_so_by_a_header() -> None:
    """There is no fullerene of 22 atoms, and `buckygen -d 22d` writes the header of its list."""
    result = CliRunner().invoke(main, ["solve", "-"], input=b">>planar_code<<")
    assert (result.exit_code, result.stdout) == (0, "") and "0 graphs" in result.stderr


@pytest.mark.slow
def test_a_run_survives_a_kill(tmp_path: Path) -> None:
    """Killed in the midst of a long list; the same command prints the whole list, in order."""
    path = tmp_path / "list.g6"
    path.write_text("\n".join(["Bw", PETERSEN, "C~"] * 40_000) + "\n")
    words = [*KT, "solve", str(path), "--run", str(tmp_path / "run"), "--workers", "2"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as process:
        assert process.stdout
        assert b"feasible" in process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    done = subprocess.run(words, capture_output=True, text=True, env=environment(), timeout=PATIENCE)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert [line.split()[1] for line in lines] == ["feasible", "infeasible", "feasible"] * 40_000
    assert [int(line.split()[0]) for line in lines] == list(range(1, 120_001))


@pytest.mark.slow
def test_a_run_on_a_cluster(path: Path) -> None:
    """On a real Dask cluster of one process."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        folder = path.parent / "run"
        address = cluster.scheduler_address
        run = answered("solve", path, "--run", folder, "--scheduler", address)
    assert run[:2] == answered("solve", path, "--workers", "1")[:2]
