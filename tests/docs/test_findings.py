"""The scripts about outside software: executable, pinned, in the table, and free of hosts and of paths of a machine."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "findings"
SCRIPTS = sorted(FOLDER.glob("*.sh"))
ROW = re.compile(r"\| \[([\w-]+)\]\(\1\.sh\) \| (.+?) \| .+ \| .+ \|")
PIN = {"install": re.compile(r"'[\w.-]+==[\w.]+'"), "install_npm": re.compile(r"[@\w./-]+@[\d.]+")}
pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason="the package has no findings")


def packages_of(script: Path) -> list[str]:
    """`name version` of each package that a script installs; anything else there is an error."""
    found = []
    for line in re.findall(r"^ *(install(?:_npm)? .*)$", script.read_text(), re.MULTILINE):
        command, *words = [word for word in line.split() if word != "--no-deps"]
        assert words and all(PIN[command].fullmatch(word) for word in words), (script.name, line)
        found += [re.sub(r"==|(?<=\w)@", " ", word.strip("'")) for word in words]
    return found


def test_there_are_scripts_and_each_has_one_row() -> None:
    lines = (FOLDER / "README.md").read_text().splitlines()
    rows = {row[1]: row[2] for row in map(ROW.fullmatch, lines) if row}
    assert len(SCRIPTS) >= 12 and list(rows) == [script.stem for script in SCRIPTS]
    for script in SCRIPTS:
        assert rows[script.stem].split(", ") == packages_of(script), script.name


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_is_executable_pinned_and_whole(script: Path) -> None:
    text = script.read_text()
    assert os.access(script, os.X_OK) and text.startswith("#!/usr/bin/env bash\n# ")
    assert 'source "$(dirname "$0")/common"\n' in text and packages_of(script)
    for word in ("guess", "behaviour", "seen=", "compare"):
        assert len(re.findall(rf"^{word}", text, re.MULTILINE)) == 1, word
    assert not re.search(r"^\s*(import|from) kt\b", text, re.MULTILINE)
    assert subprocess.run(["bash", "-n", script], check=False).returncode == 0


@pytest.mark.parametrize("path", [*SCRIPTS, FOLDER / "common", FOLDER / "README.md"], ids=lambda path: path.name)
def test_nothing_names_a_host_or_a_path_of_a_machine(path: Path) -> None:
    """The namespaces of XML are no hosts that are asked."""
    text = re.sub(r"xmlns(:\w+)?=\\?\"[^\"]*\"|xmlnsi=\"[^\"]*\"|\(http:///", "", path.read_text())
    assert not re.search(r"https?:|index-url|--registry|--find-links", text), path.name
    assert not re.search(r"(?<![\w.$/}])/(work|root|tmp|home|opt|usr/(?!bin/env bash)|var)\b", text), path.name
