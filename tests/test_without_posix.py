"""kt where `SIGALRM`, `pthread_sigmask`, `fork` and what else Windows lacks are missing: it does without them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import PATIENCE, ROOT

PRESENT = (
    "import os, signal; print(hasattr(os, 'fork'), hasattr(signal, 'SIGALRM'), hasattr(signal, 'pthread_sigmask'))"
)
COMMANDS = [
    (["doctor"], 0, "cores"),
    (["check", str(ROOT / "heuristics" / "delivered" / "results" / "turns-6x6.json")], 0, "ok"),
    (["find", "8x8", "-o", "tour.json", "--force"], 0, "feasible"),
    (["draw", "tour.json", "-o", "tour.svg", "--force"], 0, ""),
    (["solve", "6x6", "--minimize", "turns", "--no-best", "--workers", "2"], 0, "32 (least, proved)"),
    (["solve", "4x6"], 0, "infeasible"),
    (["enumerate", "5x6", "--count", "--run", "run"], 0, "8 tours"),
    (["improve", "tour.json", "--minimize", "turns", "--time-limit", "1"], (0, 3), "turns"),
]


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """A command of Python where they are missing."""
    path = f"{ROOT / 'tests' / 'without_posix'}{os.pathsep}{ROOT}"
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True,
        timeout=PATIENCE, check=False,
    )  # fmt: skip


def test_they_are_missing(tmp_path: Path) -> None:
    assert run(["-c", PRESENT], tmp_path).stdout == "False False False\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("without")


@pytest.mark.parametrize(
    ("words", "status", "says"), COMMANDS, ids=lambda value: value[0] if isinstance(value, list) else ""
)
def test_commands_do_without_them(words: list[str], status: int | tuple[int, ...], says: str, folder: Path) -> None:
    done = run(["-m", "kt", *words], folder)
    assert done.returncode in (status if isinstance(status, tuple) else (status,)), done.stderr
    assert says in done.stdout and "Traceback" not in done.stderr


def test_python_does_without_them(tmp_path: Path) -> None:
    code = """
import json, threading, kt
answers = []
def work():
    answers.append(kt.solve("6x6", minimize="turns", time_limit=60).value)
    answers.append(kt.count("5x6"))
work()
thread = threading.Thread(target=work)
thread.start()
thread.join()
print(json.dumps(answers))
"""
    done = run(["-c", code], tmp_path)
    assert json.loads(done.stdout) == [32, 8] * 2, done.stderr
