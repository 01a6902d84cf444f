"""benchmarks/against.py: its arithmetic, what it says of both sides, and a run of it against itself."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import against
from benchmarks.against import COMMANDS, IMPORT, Outcome, Row, Run, answer_of, compare, judge, table
from tests.docs.commands import fault_of

OLD = (Run(2.0, 1.0, 100.0), Run(8.0, 1.5, 120.0), Run(3.0, 1.0, 100.0))
NEW = (Run(1.0, 2.0, 100.0), Run(4.0, 1.5, 60.0), Run(6.0, 4.0, 50.0))
ROW = Row("kt --help", "same", "", OLD, NEW)


def test_medians_are_of_a_side_and_ratios_of_pairs() -> None:
    """The second pair ran on a busy machine: its seconds are no outliers of the ratio."""
    assert [ROW.medians(quantity) for quantity in ("wall", "cpu", "memory")] == [(3.0, 4.0), (1.0, 2.0), (100.0, 60.0)]
    assert [ROW.ratio(quantity) for quantity in ("wall", "cpu", "memory")] == [0.5, 2.0, 0.5]
    assert ROW.to_json()["wall"] == {"old": 3.0, "new": 4.0, "ratio": 0.5}
    assert against.geometric_mean([0.5, 2.0, 8.0]) == pytest.approx(2.0)


def test_the_table_has_medians_ratios_and_what_was_not_measured() -> None:
    rows = [ROW, Row("kt new", "new"), Row("kt solve", "differs", "...", OLD, OLD)]
    lines = table(rows).splitlines()
    assert {line.count("|") for line in lines} == {11}
    assert lines[2] == "| `kt --help` | 3.00 | 4.00 | 0.50 | 1.00 | 2.00 | 2.00 | 100 | 60 | 0.50 |"
    assert lines[3].startswith("| `kt new` | new |")
    assert lines[4].startswith("| `kt solve` (differs) | 3.00 | 3.00 | 1.00 |")
    assert [cell.strip() for cell in lines[5].split("|")[4:11:3]] == ["**0.71**", "**1.41**", "**0.71**"]


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        (Outcome(0, {"value": 45}), Outcome(0, {"value": 45}), "same"),
        (Outcome(0, {"value": 45}), Outcome(0, {"value": 46}), "differs"),
        (Outcome(0, {"bound": 45}), Outcome(3, {"bound": 45}), "differs"),
        (Outcome(2), Outcome(0, {"count": 8}), "new"),
        (Outcome(0, {"count": 8}), Outcome(2), "gone"),
        (Outcome(2), Outcome(2), "same"),
        (Outcome(None), Outcome(0), "too long"),
    ],
)
def test_answers_are_compared(old: Outcome, new: Outcome, status: str) -> None:
    row = judge("kt", old, new)
    assert row.status == status
    assert bool(row.words) is (status in ("differs", "too long"))


def test_what_both_have_to_say_alike() -> None:
    assert answer_of('{"status": "optimal", "value": 45, "seconds": 1.5, "tour": []}') == {
        "status": "optimal",
        "value": 45,
    }
    assert answer_of('{"files": [{"verdict": "ok", "message": "..."}]}') == {"files": ["ok"]}
    assert answer_of("board      6x6") == answer_of("[1]") == {}


def test_runs_go_by_turns() -> None:
    order: list[str] = []

    def once(side: str, command: str) -> tuple[Run, Outcome]:
        order.append(side)
        return Run(float(len(order)), 1.0, 1.0), Outcome(0)

    *_, row = compare(2, "kt", once)
    assert order == ["old", "new"] * 3
    assert [run.wall for run in (*row.old, *row.new)] == [3.0, 5.0, 4.0, 6.0]  # The first runs are not measured


def test_the_commands_are_commands_of_kt() -> None:
    assert len(COMMANDS) == len(set(COMMANDS)) == 30
    for command in COMMANDS:
        assert command == IMPORT or not fault_of(shlex.split(command)), command


@pytest.fixture
def stopping(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Ctrl-C in the ninth run, the first of the second command that is measured."""
    count = 0

    def once(environment: Path, command: str, inputs: Path) -> tuple[Run, Outcome]:
        nonlocal count
        count += 1
        if count == 9:
            raise KeyboardInterrupt
        return Run(1.0, 1.0, 1.0), Outcome(0)

    monkeypatch.setattr(against, "run_once", once)
    monkeypatch.setattr(against, "environment_of", lambda wheel, folder: folder)
    monkeypatch.setattr(against, "build_wheel", lambda source, folder: tmp_path / "old.whl")
    (tmp_path / "old.whl").touch()
    handler = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, handler)


@pytest.mark.usefixtures("stopping")
def test_a_stop_leaves_what_was_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(tmp_path / "old.whl"), "--runs", "2", "-o", str(tmp_path / "against.json")]
    monkeypatch.setattr(sys, "argv", ["against.py", *words])
    assert against.main() == 3
    assert "stopped: 1 of 30 commands" in capsys.readouterr().out
    data = json.loads((tmp_path / "against.json").read_text())
    assert not data["complete"]
    assert [(row["command"], len(row["old"])) for row in data["rows"]] == [(COMMANDS[0], 2)]


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["none.whl"], "there is no such wheel"),
        (["no-such-revision"], "neither a wheel nor a revision"),
        (["none.whl", "--only", "("], "not a regular expression"),
        (["none.whl", "--only", "nonsense"], "no command"),
        (["none.whl", "--runs", "0"], "at least 1"),
    ],
)
def test_wrong_arguments_get_one_line(words: list[str], fault: str) -> None:
    program = [sys.executable, "benchmarks/against.py", *words]
    result = subprocess.run(program, cwd=against.ROOT, capture_output=True, text=True)
    assert result.returncode == 2
    assert fault in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr


@pytest.mark.slow
@pytest.mark.checkout
def test_a_comparison_with_itself_finds_no_difference(tmp_path: Path) -> None:
    """Two commands in two environments of their own, made without a network."""
    wheel = against.build_wheel(against.ROOT, tmp_path / "wheel")
    program = [sys.executable, "benchmarks/against.py", str(wheel), "--only", "import|--help", "--runs", "1"]
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "PIP_NO_INDEX": "1"}
    output = tmp_path / "against.json"
    result = subprocess.run(
        [*program, "-o", str(output)], cwd=against.ROOT, capture_output=True, text=True, env=env, timeout=280
    )
    assert result.returncode == 0, result.stderr
    data = json.loads(output.read_text())
    assert [row["command"] for row in data["rows"]] == [IMPORT, "kt --help"]
    for row in data["rows"]:
        assert row["status"] == "same" and len(row["old"]) == len(row["new"]) == 1
        for run in (*row["old"], *row["new"]):
            assert 0 < run["cpu"] and 0 < run["wall"]
            assert 5 < run["memory"] < 100  # Of the command, not of the parent that starts it
    assert "| geometric mean |" in result.stdout
