"""A little of the robustness runs of `tests.fuzz`; the long ones are commands of their own (docs/use/limits.md)."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.effort import part_of
from tests.fuzz.checks import commands, readers
from tests.fuzz.disks import WRITERS, mounted, written_to
from tests.fuzz.inputs import slots
from tests.fuzz.signals import LONG, one
from tests.fuzz.watch import Tally, watched
from tests.processes import PATIENCE

STOPS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGXCPU") if hasattr(signal, name)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where good files are made, once for both tests."""
    return tmp_path_factory.mktemp("corpus")


def test_damaged_files_are_told_in_one_line(folder: Path) -> None:
    tally = readers(folder, part_of(400), seeded=True)
    assert tally.inputs >= part_of(400)
    assert tally.statuses[2] > 0
    assert tally.statuses[1] > 0  # some damage leaves a file that can be read and is wrong


def test_command_lines_end_as_foreseen(folder: Path) -> None:
    tally = commands(folder, part_of(80), seeded=True)
    assert tally.statuses[0] > 0
    assert tally.statuses[2] > 0


def test_every_command_that_is_long_or_writes_has_a_line_here() -> None:
    quick = {"check", "measure", "runs", "completion", "doctor", "draw", "convert", "improve", "best"}
    there = {line[0] for line in LONG}
    assert {slot.words[0] for slot in slots()} - quick <= there
    assert {"solve", "find", "bound", "enumerate", "draw", "convert"} <= {line[0] for line in WRITERS}


@pytest.mark.parametrize("line", [["check", "/"], ["solve", "1" * 5000], ["solve", "8x8", "--leaper", "9" * 5000]])
def test_a_refusal_is_of_readable_length(line: list[str]) -> None:
    watched(line, Tally())


@pytest.mark.parametrize("number", [pytest.param(signal.SIGINT, marks=pytest.mark.slow), *STOPS])
def test_a_signal_gives_back_what_there_is(number: signal.Signals, tmp_path: Path) -> None:
    line = ["solve", "20x20", "--minimize", "turns", "--no-best", "--json", "-o", "out.json"]
    assert one(line, number, 0, tmp_path / "work", at="encoders.solve:race", patience=PATIENCE) == "stopped"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="mounting needs root")
@pytest.mark.parametrize("options", ["ro", "size=4k,nr_inodes=4"])
def test_a_disk_that_takes_no_more(options: str, tmp_path: Path) -> None:
    for line in (WRITERS[3], WRITERS[-2]):
        try:
            with mounted(tmp_path / "disk", options) as place:
                assert written_to(place, line) == "refused"
        except PermissionError as error:
            pytest.skip(f"no mounts here: {error}")
