"""Cores, and processes of our own: they import what this process imports, whatever lies in the current folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kt_models import machine
from tests.processes import PATIENCE

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system binds no process to cores")
def test_cores_that_may_not_be_used_are_not_counted() -> None:
    code = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); from kt_models import machine; "
    command, environment = machine.child_python()
    words = [*command, "-c", code + "print(machine.usable_cores())"]
    assert subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout == "1\n"


def test_without_an_interpreter_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(machine.KTError, match="no Python interpreter"):
        machine.child_python()


@pytest.mark.parametrize("line", [["6x6", "--engine", "sat"], ["5x6", "--minimize", "turns", "--proof", "proof"]])
def test_files_of_the_current_folder_are_not_imported(line: list[str], tmp_path: Path) -> None:
    """As the `kt` script is run: with the current folder not among the places that modules come from."""
    for name in ("json", "queue", "random", "encoders"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('imported from the current folder')")
    done = subprocess.run(
        [sys.executable, "-P", "-c", "from cli import run; run()", "solve", *line, "--json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert "proof" not in line or json.loads(done.stdout)["proof"] == "proof"
