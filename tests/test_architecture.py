"""The shape of the project: imports go one way, types and style are clean, the hook's promises hold."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "command",
    [
        ["lint-imports", "--no-cache"],
        ["ruff", "check", "--no-cache", "."],
        ["ruff", "format", "--no-cache", "--check", "."],
        ["mypy", "--no-incremental"],
    ],
    ids=lambda command: command[0] + " " + command[1],
)
def test_tools_are_content(command: list[str]) -> None:
    tool = Path(sys.executable).parent / command[0]
    result = subprocess.run([str(tool), *command[1:]], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def test_every_module_says_what_it_is() -> None:
    for room in ("kt_models", "heuristics", "encoders", "cli"):
        for path in (ROOT / room).rglob("*.py"):
            text = path.read_text()
            assert not text or text.startswith('"""'), path
            assert len(text.splitlines()) <= 500, path
