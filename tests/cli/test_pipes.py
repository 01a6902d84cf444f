"""`-` is standard input and standard output, in every command that reads or writes a file."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from tests.processes import KT, ROOT


def kt(*words: str, given: str = "") -> Result:
    return CliRunner().invoke(main, list(words), input=given)


@pytest.fixture(scope="module")
def found() -> str:
    return kt("find", "6x6", "--json").stdout


def test_an_answer_is_read_from_standard_input(found: str, tmp_path: Path) -> None:
    assert "a closed knight's tour of 6x6" in kt("check", "-", given=found).stdout
    assert kt("measure", "-", "--json", given=found).exit_code == 0
    assert kt("draw", "-", "-o", "-", given=found).stdout.startswith("<svg")
    assert kt("convert", "-", str(tmp_path / "t.tour"), given=found).exit_code == 0
    listed = kt("enumerate", "5x6").stdout
    assert "8 different tours" in kt("check", "-", given=listed).stdout
    hcp = kt("convert", "6x6", "-").stdout
    assert "36 vertices" in kt("solve", "-", given=hcp).stdout
    tsplib = (tmp_path / "t.tour").read_text()
    assert "each move verified" in kt("check", "-", given=tsplib).stdout


def test_a_file_on_standard_output_is_alone_there(tmp_path: Path) -> None:
    result = kt("solve", "6x6", "--minimize", "turns", "-o", "-")
    assert json.loads(result.stdout)["value"] == 32 and "known by" in result.stderr
    assert kt("check", "-", given=result.stdout).exit_code == 0
    certificate = kt("bound", "6x6", "--metric", "turns", "--certificate", "-")
    assert json.loads(certificate.stdout)["bound"] == 32 and "at least" in certificate.stderr
    assert kt("check", "-", given=certificate.stdout).exit_code == 0


@pytest.mark.parametrize(
    "given", ["", "{", "[1, 2]", "NAME: x", "\x00", "<svg/>", '{"kind": "tour"}\n{"kind": "tour"}\n']
)
def test_what_is_no_answer_is_one_line(given: str) -> None:
    for words in (["check", "-"], ["solve", "-"], ["draw", "-", "-o", "-"], ["measure", "-"]):
        result = kt(*words, given=given)
        assert result.exit_code in (1, 2), (words, result.output)
        assert len((result.stderr or result.stdout).splitlines()) == 1


def test_two_writers_cannot_have_it() -> None:
    assert "both write to standard output" in kt("find", "6x6", "--json", "-o", "-").stderr


def test_real_processes_in_a_row() -> None:
    command = " ".join([*KT, "find 6x6 --json |", *KT, "draw - -o - --numbers |", "tail -c 7"])
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("</svg>\n", "")
