"""What comes out today is what is recorded (tests/golden/README.md)."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from kt_models.file_kinds import MARKS
from kt_models.kernel.certificates.methods import methods, theorems
from kt_models.problem import Connectivity
from kt_models.runs.kinds import TASK_KINDS as TASKS
from tests.golden.forged import NEVER_RIGHT, SAYS_LESS
from tests.golden.recordings import Recording, recordings
from tests.golden.shown import NO_SAMPLE, NOT_RECORDED, kinds_in_source, recorded_commands, shown_commands
from tests.golden.transcript import HERE, SAMPLES, TRANSCRIPTS

SLOW = [pytest.mark.slow, pytest.mark.timeout(7200)]
ONLY_STATED = frozenset(
    {"ledger.json", "puzzle-numbers.json", "puzzle-paths.json", "puzzle-waypoints.json", "puzzles.json", "run-gadgets",
     "run-summary.json", "run-tours"}
)  # fmt: skip
"""Samples that claim something which nothing in them shows: `kt check` ends with 3."""


@pytest.mark.parametrize(
    "recording",
    [pytest.param(recording, id=recording.name, marks=SLOW if recording.slow else []) for recording in recordings()],
)
def test_nothing_differs_from_what_is_recorded(recording: Recording) -> None:
    """A difference is a fault, or is accepted with the command that the message names."""
    difference = recording.difference()
    if difference:
        pytest.fail(difference, pytrace=False)


def test_every_command_that_is_shown_is_recorded_or_has_a_reason() -> None:
    """A new command on a page or in a help text belongs into a transcript, or into the table of reasons."""
    recorded, on_pages = recorded_commands(), shown_commands()
    missing = {command: where for command, where in on_pages.items() if command not in recorded | NOT_RECORDED.keys()}
    assert not missing
    assert not [command for command in NOT_RECORDED if command not in on_pages or command in recorded]


def test_samples_stay_readable() -> None:
    """What was written once is checked, or read by a command, whatever is recorded anew."""
    text = "".join((HERE / "checks" / f"{name}.txt").read_text() for name in ("check-samples", "slow-check-samples"))
    verdicts = dict(re.findall(r"^tests/golden/samples/(\S+) (\d)$", text, flags=re.MULTILINE))
    read = re.findall(r"^\$ kt (.*)\nexit 0$", (TRANSCRIPTS / "samples.txt").read_text(), flags=re.MULTILINE)
    for path in SAMPLES.iterdir():
        accepted = verdicts[path.name] == ("3" if path.name in ONLY_STATED else "0")
        assert accepted or any(f"samples/{path.name}" in command.split() for command in read), path.name


def test_no_kind_lacks_a_sample() -> None:
    """A new kind of file, or a new method of certificates, needs a sample from its first day."""
    objects = list(_objects())
    missing = kinds_in_source() - {data.get("kind") for data in objects} - NO_SAMPLE.keys()
    assert not missing
    assert methods().keys() <= {data.get("method") for data in objects}
    assert {kind for theorem in theorems().values() for kind in theorem.files} <= {data.get("kind") for data in objects}
    assert TASKS.keys() <= {data.get("kind") for data in objects}
    assert set(get_args(Connectivity)) <= {data.get("connectivity") for data in objects}
    assert MARKS.keys() <= {path.suffix for path in SAMPLES.iterdir()} | NO_SAMPLE.keys()


def _objects() -> Iterator[dict[str, Any]]:
    """Every JSON object in the samples, and every one within another."""
    for path in SAMPLES.rglob("*"):
        if path.suffix in (".json", ".jsonl", ".map"):
            lines = [path.read_text()] if path.suffix != ".jsonl" else path.read_text().splitlines()
            for line in lines:
                yield from _within(json.loads(line))
        elif path.name.endswith(".gz.base64"):  # Its first line is a remark
            first = gzip.decompress(base64.b64decode(path.read_text())).split(b"\n", 1)[0]
            yield from _within(json.loads(first.removeprefix(b"c ")))


def _within(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _within(inner)


def test_no_forged_file_passes() -> None:
    """What cannot be right is refused, whatever is recorded anew."""
    for name in ("forged.txt", "slow-forged.txt"):
        for line in (HERE / "checks" / name).read_text().splitlines():
            forged, status, *_ = line.split("  ")
            stem, ending = Path(forged).stem, Path(forged).suffix
            assert status != "0" or forged == SAYS_LESS or (ending == ".json" and not stem.endswith(NEVER_RIGHT)), line
