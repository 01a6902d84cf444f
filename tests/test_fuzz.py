"""A little of the robustness runs of `tests.fuzz`; the long ones are commands of their own (docs/use/limits.md)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.effort import part_of
from tests.fuzz.checks import commands, readers
from tests.fuzz.watch import Tally, watched


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where good files are made, once for both tests."""
    return tmp_path_factory.mktemp("corpus")


def test_damaged_files_are_told_in_one_line(folder: Path) -> None:
    tally = readers(folder, part_of(400), seeded=True)
    assert tally.inputs >= part_of(400)
    assert tally.statuses[2] > 0
    assert tally.statuses[1] > 0  # Some damage leaves a file that can be read and is wrong


def test_command_lines_end_as_foreseen(folder: Path) -> None:
    tally = commands(folder, part_of(240), seeded=True)
    assert tally.statuses[0] > 0
    assert tally.statuses[2] > 0


@pytest.mark.parametrize("line", [["check", "/"], ["solve", "1" * 5000], ["solve", "8x8", "--leaper", "9" * 5000]])
def test_a_refusal_is_of_readable_length(line: list[str]) -> None:
    watched(line, Tally())
