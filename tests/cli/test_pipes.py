"""`-` is standard input and standard output, in every command that reads or writes a file."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import cli.check
import cli.files
import cli.live
from cli.main import main
from cli.options import LimitOptions
from kt_models.storage import standard_output
from tests.processes import KT, ROOT


def kt(*words: str, text: str = "") -> Result:
    return CliRunner().invoke(main, list(words), input=text)


@pytest.fixture(scope="module")
def found() -> str:
    return kt("find", "6x6", "--json").stdout


def test_an_answer_is_read_from_standard_input(found: str, tmp_path: Path) -> None:
    assert "a closed knight's tour of 6x6" in kt("check", "-", text=found).stdout
    assert kt("measure", "-", "--json", text=found).exit_code == 0
    assert kt("draw", "-", "-o", "-", text=found).stdout.startswith("<svg")
    assert kt("convert", "-", str(tmp_path / "t.tour"), text=found).exit_code == 0
    listed = kt("enumerate", "5x6").stdout
    assert "8 different tours" in kt("check", "-", text=listed).stdout
    hcp = kt("convert", "6x6", "-").stdout
    assert "36 vertices" in kt("solve", "-", text=hcp).stdout
    tsplib = (tmp_path / "t.tour").read_text()
    assert "each move verified" in kt("check", "-", text=tsplib).stdout


def test_a_file_on_standard_output_is_alone_there(tmp_path: Path) -> None:
    result = kt("solve", "6x6", "--minimize", "turns", "-o", "-")
    assert json.loads(result.stdout)["value"] == 32 and "evidence" in result.stderr
    assert kt("check", "-", text=result.stdout).exit_code == 0
    certificate = kt("bound", "6x6", "--minimize", "turns", "--certificate", "-")
    assert json.loads(certificate.stdout)["bound"] == 32 and "at least" in certificate.stderr
    assert kt("check", "-", text=certificate.stdout).exit_code == 0


@pytest.mark.parametrize(
    "text", ["", "{", "[1, 2]", "NAME: x", "\x00", "<svg/>", '{"kind": "tour"}\n{"kind": "tour"}\n']
)
def test_faults_in_pipes_are_one_line(text: str) -> None:
    for words in (["check", "-"], ["solve", "-"], ["draw", "-", "-o", "-"], ["measure", "-"]):
        result = kt(*words, text=text)
        assert result.exit_code in (1, 2), (words, result.output)
        assert len((result.stderr or result.stdout).splitlines()) == 1


def test_two_writers_cannot_have_it() -> None:
    assert "both would write to standard output" in kt("find", "6x6", "--json", "-o", "-").stderr


def test_real_processes_in_a_row() -> None:
    command = " ".join([*KT, "find 6x6 --json |", *KT, "draw - -o - --numbers |", "tail -c 7"])
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("</svg>\n", "")


def test_written_files_are_named_once_on_stderr(tmp_path: Path, found: str) -> None:
    tour, picture, log = tmp_path / "t.json", tmp_path / "t.svg", tmp_path / "log.jsonl"
    result = kt("find", "6x6", "-o", str(tour), "--log", str(log))
    assert result.stderr == f"written {tour}\nwritten {log}\n" and "written" not in result.stdout
    assert kt("draw", str(tour), "-o", str(picture)).stderr == f"written {picture}\n"
    assert kt("convert", "-", str(tmp_path / "t2.json"), text=found).stderr == f"written {tmp_path / 't2.json'}\n"
    listed = kt("enumerate", "5x6", "-o", str(tmp_path / "all.jsonl"))
    assert listed.stderr == f"written {tmp_path / 'all.jsonl'}\n"
    assert len(kt("enumerate", "5x6", "-o", "-").stdout.splitlines()) == 8 and not Path("-").exists()


def test_a_quiet_command_writes_and_ends(tmp_path: Path, found: str) -> None:
    tour = tmp_path / "t.json"
    quiet = kt("find", "6x6", "-q", "-o", str(tour))
    assert (quiet.exit_code, quiet.output) == (0, "") and tour.exists()
    assert json.loads(kt("find", "6x6", "-q", "--json").output)["status"] == "feasible"
    assert kt("draw", "-", "-q", "-o", "-", text=found).output.startswith("<svg")
    assert kt("check", "-q", str(tour)).output == ""
    tour.write_text(found.replace("[[", "[[5, 5], [", 1))
    wrong = kt("check", "-q", str(tour))
    assert wrong.exit_code == 1 and wrong.output == ""
    assert kt("find", "6x6", "-q", "--method", "none").stderr.startswith("kt: unknown method")


@pytest.mark.parametrize("words", [["-q", "--seed", "no"], ["-o", "-", "--seed", "no"]])
def test_output_is_where_it_was_after_a_line_that_cannot_be_read(words: list[str]) -> None:
    """Even if nothing is left of the command: a collection of garbage would put it back at any time."""
    try:
        assert kt("find", "6x6", *words).exit_code == 2
        assert standard_output() is sys.stdout
    finally:
        gc.collect()


def test_files_of_another_kind_are_replaced_only_by_force(tmp_path: Path, found: str) -> None:
    tour, certificate = tmp_path / "t.json", tmp_path / "c.json"
    tour.write_text(found)
    certificate.write_text('{"version": 2, "kind": "certificate"}')
    improve = ["improve", str(tour), "--minimize", "turns", "--time-limit", "0.1", "-o"]
    for words in ([*improve, str(tour)], ["convert", str(tour), str(tour)], ["draw", str(tour), "-o", str(tour)]):
        result = kt(*words)
        assert (result.exit_code, result.stderr) == (
            2,
            f"kt: {tour}: the command reads this file too; --force replaces it\n",
        )
    for words in (["find", "6x6", "-o"], ["convert", str(tour)]):
        result = kt(*words, str(certificate))
        assert result.exit_code == 2 and "JSON of kind 'certificate'" in result.stderr
    assert "certificate" in certificate.read_text() and tour.read_text() == found
    refused = kt("bound", "4x6", "--certificate", str(tour))
    assert "JSON of kind 'result', not a certificate" in refused.stderr
    assert kt("find", "6x6", "--force", "-o", str(certificate)).exit_code == 0
    assert json.loads(certificate.read_text())["kind"] == "result"


def test_no_clock_runs_while_the_command_before_the_pipe_works(found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    for module, name in ((cli.files, "await_standard_input"), (cli.live, "Limits"), (cli.check, "Limits")):
        monkeypatch.setattr(module, name, partial(noted, events, name, getattr(module, name)))
    for words in (["check", "-"], ["improve", "-", "--minimize", "turns", "--time-limit", "0.1"]):
        events.clear()
        kt(*words, text=found)
        assert events[:2] == ["await_standard_input", "Limits"]


def noted(events: list[str], name: str, function: Callable[..., object], *words: object, **more: object) -> object:
    events.append(name)
    return function(*words, **more)


def test_a_log_says_how_it_went(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in kt("solve", "6x6", "--minimize", "turns", "--log", "-").stdout.splitlines()]
    assert (lines[0]["kind"], lines[0]["board"], lines[-1]["status"]) == ("log", "6x6", "optimal")
    assert (lines[-1]["value"], lines[-1]["bound"]) == (32, 32)
    values = [line["value"] for line in lines[1:] if "value" in line]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize(("loaded", "left"), [(None, 1e6), (1e5, 9e5), (9e5, 5e5)])
def test_the_clock_starts_with_the_program(loaded: float | None, left: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli.stopping, "began", None if loaded is None else time.monotonic() - loaded)
    with cli.live.limits_of(LimitOptions(time_limit=1e6)) as limits:
        assert 0 <= left - limits.left < 1e4
