"""A metric is a row: what the table says of each, and that a new file in its folder is all that a new one needs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kt_models.metrics import BOARD_METRICS, METRICS, SYNONYMS, WEIGHS
from tests.command import kt
from tests.effort import slow
from tests.processes import ROOT

ADDED = """
import json
import kt as toolkit  # first of all packages of a checkout, as the command does
from tests.command import kt, kt_json
from kt_models.metrics import METRICS

solved = kt_json("solve", "5x6", "--minimize", "straights", "-o", "few.json")
opposite = kt_json("solve", "5x6", "--maximize", "turns")
mixed = kt_json("solve", "5x6", "--minimize", "turns + 2*straights")
checked = kt_json("check", "few.json")
measured = kt_json("measure", "few.json")
bound = kt_json("bound", "5x6", "--minimize", "straights")
listed = kt_json("enumerate", "5x6", "--count", "--by", "straights")
print(json.dumps({
    "names": list(METRICS), "solved": [solved["status"], solved["value"]], "most turns": opposite["value"],
    "mixed": mixed["value"],
    "checked": [file["ok"] for file in checked["files"]],
    "measured": [measured["straights"], measured["turns"]], "bound": bound["bound"],
    "by value": listed["by_value"] if "by_value" in listed else sorted(listed),
    "wrong": kt("solve", "5x6", "--minimize", "straight").stderr,
}))
"""


def test_metrics_are_in_the_order_in_which_they_are_shown() -> None:
    assert list(METRICS)[:2] == ["turns", "crossings"] == list(BOARD_METRICS)
    assert all(metric.weighs in WEIGHS and metric.summary and name == metric.name for name, metric in METRICS.items())
    assert set(SYNONYMS.values()) <= set(METRICS) and not set(SYNONYMS) & set(METRICS)


@pytest.mark.parametrize(
    ("name", "text"), [("turns", "1,234 turns"), ("crossings", "1,234 crossings"), ("weight", "weight 1,234")]
)
def test_values_are_named(name: str, text: str) -> None:
    assert METRICS[name].text(1234) == text


@pytest.mark.parametrize(
    "words", [("bound", "5x6"), ("best", "5x6"), *slow([("table", "5x6", "--seconds", "0"), ("solve", "5x6")])]
)
def test_metric_is_a_hidden_synonym_of_minimize(words: tuple[str, ...]) -> None:
    answers = [kt(*words, option, "crossings", "--json") for option in ("--metric", "--minimize")]
    values = [json.loads(answer.stdout.splitlines()[0]) for answer in answers]
    assert all(answer.exit_code == 0 for answer in answers)
    assert str(values[0].get("bound")) == str(values[1].get("bound"))
    assert "--metric" not in kt(words[0], "--help").stdout
    assert kt(*words, "--metric", "turns", "--minimize", "turns").exit_code == 2


@pytest.mark.checkout
def test_a_new_file_is_a_new_metric(tmp_path: Path) -> None:
    """In a checkout with one more file, kt solves, bounds, enumerates, measures and checks by the new metric."""
    for room in (
        *(
            path
            for path in ROOT.iterdir()
            if path.is_dir() and path.name[0] != "." and path.name not in ("kt", "kt_models")
        ),
        ROOT / "pyproject.toml",
    ):
        (tmp_path / room.name).symlink_to(room)
    shutil.copytree(ROOT / "kt", tmp_path / "kt")  # Which looks where it lies
    (tmp_path / "kt_models" / "metrics").mkdir(parents=True)
    for path in (ROOT / "kt_models").iterdir():
        if path.name != "metrics":
            (tmp_path / "kt_models" / path.name).symlink_to(path)
    for path in (ROOT / "kt_models" / "metrics").glob("*.py"):
        (tmp_path / "kt_models" / "metrics" / path.name).symlink_to(path)
    (tmp_path / "kt_models/metrics/straights.py").write_text((ROOT / "kt_models/metrics/_template.py").read_text())
    run = subprocess.run(
        [sys.executable, "-c", ADDED], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    answer = json.loads(run.stdout)
    assert set(answer["names"]) == {*METRICS, "straights"}
    # Each of the 30 visits is a turn or straight on.
    least = 30 - answer["most turns"]
    assert answer["solved"] == ["optimal", least] and answer["bound"] <= least
    assert answer["measured"] == [least, answer["most turns"]] and answer["checked"] == [True]
    assert answer["mixed"] == 30 + least and answer["by value"][str(least)] > 0
    assert "did you mean 'straights'" in answer["wrong"]
