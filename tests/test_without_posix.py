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


def test_modules_of_posix_are_missing(tmp_path: Path) -> None:
    assert run(["-c", PRESENT], tmp_path).stdout == "False False False\n"


def test_the_program_does_without_them(tmp_path: Path) -> None:
    done = run(["-m", "kt", "solve", "4x6"], tmp_path)
    assert done.returncode == 0 and "infeasible" in done.stdout, done.stderr


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[int, str, str]]:
    """What the commands are answered, one after the other in one process."""
    code = (
        "import json, sys\nfrom tests.command import answered\n"
        "print(json.dumps([answered(*words) for words in json.loads(sys.argv[1])]))"
    )
    done = run(["-c", code, json.dumps([words for words, _, _ in COMMANDS])], tmp_path_factory.mktemp("without"))
    assert done.returncode == 0, done.stderr
    return [tuple(answer) for answer in json.loads(done.stdout)]


@pytest.mark.parametrize("number", range(len(COMMANDS)), ids=[words[0] for words, _, _ in COMMANDS])
def test_commands_do_without_them(number: int, answers: list[tuple[int, str, str]]) -> None:
    (status, out, complaint), (_, expected, says) = answers[number], COMMANDS[number]
    assert status in (expected if isinstance(expected, tuple) else (expected,)), complaint
    assert says in out and "Traceback" not in complaint


def test_python_with_a_thread_does_without_them(tmp_path: Path) -> None:
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
