"""Versions of files: what is refused, in which words, and that all delivered files are of the version that is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kt_models import KTError, read_tour
from kt_models.certificates import Certificate
from kt_models.certificates.proofs.manifest import Manifest
from kt_models.files.check import check_file
from kt_models.format import FORMAT_VERSION, require_version, solving_command

ROOT = Path(__file__).parents[2]
RESULT = ROOT / "docs" / "results" / "turns-6x6.json"
DELIVERED = [
    path
    for folder in ("docs/results", "docs/results/aztec", "docs/records", "docs/runs", "heuristics/gadgets")
    for path in sorted((ROOT / folder).glob("*.json*"))
    if path.name != "parberry.json"  # a list of commands and what they find
]


def _of_version(version: Any, path: Path, folder: Path) -> Path:
    data = json.loads(path.read_text())
    copy = folder / path.name
    copy.write_text(json.dumps(data | {"version": version}))
    return copy


@pytest.mark.parametrize("path", DELIVERED, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_delivered_files_are_of_this_version(path: Path) -> None:
    for text in path.read_text().splitlines() if path.suffix == ".jsonl" else [path.read_text()]:
        data = json.loads(text)
        assert data["version"] == FORMAT_VERSION
        if "certificate" in data:
            assert Certificate.from_json(data["certificate"]).bound == data["bound"]


@pytest.mark.parametrize(
    ("name", "again"),
    [
        ("docs/results/turns-6x6.json", "kt solve 6x6 --minimize turns -o FILE"),
        ("docs/results/crossings-5x5-open.json", "kt solve 5x5 --open --minimize crossings -o FILE"),
        ("docs/results/turns-all-n.json", ""),
        ("docs/runs/heels-24.json", "kt search heel --all -o FILE"),
        ("docs/runs/turns-6x6.json", "python benchmarks/runs.py --folder DIR"),
        ("heuristics/gadgets/strands-turns.json", "kt search strands"),
        ("heuristics/gadgets/octants-crossings.json", ""),
        ("heuristics/gadgets/rings.json", ""),
    ],
)
@pytest.mark.parametrize("version", [1, 3, 0, "2", True, None, 2.0])
def test_others_are_refused(name: str, again: str, version: Any, tmp_path: Path) -> None:
    with pytest.raises(KTError, match=f"this program reads version {FORMAT_VERSION}") as raised:
        check_file(_of_version(version, ROOT / name, tmp_path))
    assert "\n" not in str(raised.value)
    assert ("make it again: " + again in str(raised.value)) == (version in (0, 1) and version is not True)


def test_certificates_and_proofs_say_how_to_make_them_again() -> None:
    certificate = json.loads(RESULT.read_text())["certificate"]
    with pytest.raises(KTError, match="make it again: kt bound 6x6 --metric turns --certificate FILE"):
        Certificate.from_json(certificate | {"version": 1})
    proof = {"kind": "proof", "version": 1, "problem": certificate["problem"]}
    with pytest.raises(KTError, match="make it again: kt solve 6x6 --minimize turns --proof DIR"):
        Manifest.from_json(proof)


def test_tours_of_version_1_are_read(tmp_path: Path) -> None:
    plain = ROOT / "docs" / "results" / "aztec" / "closed-3.json"
    assert check_file(_of_version(1, plain, tmp_path)).shown == check_file(plain).shown
    assert read_tour(_of_version(1, RESULT, tmp_path)).measure("turns") == 32
    for version in (0, 3, "1", True):
        with pytest.raises(KTError, match="this program reads version 2"):
            read_tour(_of_version(version, plain, tmp_path))


def test_words_of_a_file_stay_on_one_line() -> None:
    """A command that is quoted from a file has no control characters, and an end."""
    with pytest.raises(KTError) as raised:
        require_version({"version": 1}, "run", "rm\n\x1b[31m" + "x" * 10_000)
    assert str(raised.value).isprintable() and len(str(raised.value)) < 400
    assert solving_command([]) == "kt solve BOARD -o FILE"
    problem = {"board": "5x5", "leaper": "1,3", "connectivity": "path", "required": [1]}
    assert solving_command(problem) == "kt solve 5x5 --leaper 1,3 --open ... -o FILE"
