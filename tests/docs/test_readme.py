"""The README is the shop window: every command in it runs, and says what the README says it says."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from tests.effort import slow
from tests.processes import PATIENCE

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)


def console() -> list[tuple[str, list[str]]]:
    """Every `$ kt ...` command with the lines that the README shows below it."""
    commands: list[tuple[str, list[str]]] = []
    for line in "".join(blocks("console")).splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif commands and line.strip():
            commands[-1][1].append(line)
    return commands


def stable(line: str) -> bool:
    """Whether a line is the same in every run: not the time, and not which of several best tours was found."""
    varies = line.startswith(("engine", "seconds", "crossings", "turns")) and "least" not in line
    return not varies and not re.fullmatch(r"[ 0-9.]+", line)


LARGE = ("100x100", "c.json", "rings.json")
"""Boards, and files made of them, that take seconds."""


@pytest.mark.parametrize("large", [False, *slow([True])], ids=lambda large: "large" if large else "small")
def test_every_kt_command_runs_and_prints_what_is_shown(
    large: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    commands = [row for row in console() if any(word in row[0] for word in LARGE) is large]
    assert len(commands) >= 3
    for command, output in commands:
        program, *arguments = shlex.split(command)
        assert program == "kt"
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 0, (command, result.output)
        printed = result.stdout.splitlines()
        for line in filter(stable, output):
            assert line in printed, (command, line)


def test_the_python_example_runs() -> None:
    (example,) = blocks("python")
    subprocess.run([sys.executable, "-c", example], check=True, cwd=ROOT, timeout=PATIENCE)


def test_the_table_of_optima_is_what_the_files_hold() -> None:
    import json

    tables = re.findall(r"^\| board \| (.*?) \|\n.*?\n\| fewest (\w+) \| (.*?) \|$", README, flags=re.MULTILINE)
    assert len(tables) == 2
    for boards, metric, values in tables:
        for board, value in zip(boards.split(" | "), values.split(" | "), strict=True):
            name = f"{metric}-{board.replace('×', 'x')}.json"
            places = (ROOT / "heuristics" / "delivered" / folder / name for folder in ("results", "records"))
            path = next(place for place in places if place.exists())
            data = json.loads(path.read_text())
            assert (data["status"], data["value"]) == ("optimal", int(value))


HEAVY = (
    "crossings-6x6-open.json",
    *(f"crossings-5x{height}.json" for height in (10, 12, 14, 16)),
    *(f"crossings-6x{height}.json" for height in range(7, 17)),
    "crossings-7x8.json",
    "crossings-7x10.json",
    "crossings-7x12.json",
    "crossings-14x14-rot90.json",
    *(f"crossings-8x{n}.json" for n in range(8, 13)),
    "crossings-aztec-3-open.json",
    "crossings-aztec-4.json",
    "crossings-aztec-5.json",
    "strips-5.json",
    "strips-6.json",
    *(f"uncrossed-{name}.json" for name in ("7x7", "7x7-open", "8x8", "8x8-open")),
)
"""Certificates whose check sweeps millions of states, for tens of seconds or minutes."""
INTERIORS = ("turns-interior-0-mod-4.json", "turns-interior-2-mod-4.json")
BORDERS = tuple(f"turns-border-{sides}-mod-4.json" for sides in ("0-0", "0-2", "0-3", "2-2"))
FACING = ("turns-facing-2-mod-4.json", "turns-facing-2-mod-20.json")
MANY = ("turns-many-0-mod-4.json",)
ELSEWHERE = (
    "crossings-all-n.json",
    "crossings-cuts.json",
    "crossings-open-all-n.json",
    "strips.json",
    "turns-quarter.json",
    *BORDERS,
    *INTERIORS,
    *FACING,
    *MANY,
    *(
        path.name
        for kind in ("turns-all-n", "turns-torus")
        for path in (ROOT / "heuristics" / "delivered" / "results").glob(f"{kind}*")
    ),
)
"""Certificates of many boards and of tori, which test_all_sizes.py, test_corner_cuts.py, test_quarter.py,
test_strips.py, test_borders.py, test_interiors.py, test_facing.py, test_many_turns.py, test_family.py,
test_family_period.py and test_straight.py of tests/kt_models check."""
STATED = ("aztec.json",)
"""Files that claim something which nothing in them shows."""


@pytest.mark.slow
def test_all_result_files_check() -> None:
    paths = sorted((ROOT / "heuristics" / "delivered" / "results").rglob("*.json"))
    quick = [path for path in paths if path.name not in (*HEAVY, *ELSEWHERE, *STATED)]
    result = CliRunner().invoke(main, ["check", *map(str, quick)])
    assert result.exit_code == 0, result.output
    for name in STATED:
        result = CliRunner().invoke(main, ["check", str(ROOT / "heuristics" / "delivered" / "results" / name)])
        assert result.exit_code == 3 and "not shown: " in result.stdout, result.output


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", HEAVY)
def test_result_files_that_take_long_check(name: str) -> None:
    result = CliRunner().invoke(main, ["check", str(ROOT / "heuristics" / "delivered" / "results" / name)])
    assert result.exit_code == 0, result.output


@pytest.mark.checkout
def test_links_lead_somewhere() -> None:
    for source in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)|src=\"([^\"]+)\"", source.read_text()):
            path = "".join(target)
            assert path.startswith("http") or (source.parent / path).exists(), (source.name, path)


@pytest.mark.slow
@pytest.mark.checkout
def test_the_first_command_installs_and_answers(tmp_path: Path) -> None:
    """In a copy of what a fresh checkout holds; what the package needs is taken from here, as `.ci/run` has just had it
    installed into a new environment by the same means."""
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    names = tracked.stdout.splitlines() if tracked.returncode == 0 else []
    assert names, "the tests run in a git checkout"
    for name in names:
        if (ROOT / name).exists():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name)
    command = next(block for block in blocks("sh") if "kt solve" in block)
    quicker = {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_COMPILE": "1", "PIP_NO_BUILD_ISOLATION": "0"}  # 0: none
    variables = {**os.environ, **quicker}
    variables["PYTHONPATH"] = sysconfig.get_paths()["purelib"]  # Without the path files of an editable installation
    result = subprocess.run(["bash", "-euc", command], cwd=tmp_path, env=variables, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[-2000:]
    assert "turns      45 (least, proved)" in result.stdout


def test_the_results_page_says_what_the_files_hold() -> None:
    import json

    page = (ROOT / "docs" / "data" / "results.md").read_text()
    file = r"\(\.\./\.\./(heuristics/delivered/results/[^)]*)\)"
    rows = re.findall(rf"^\| \[[^]]*\]{file} \| (\d+) \| \d+ \| `(\w+)` \|", page, flags=re.MULTILINE)
    assert len(rows) > 20
    for name, value, known in rows:
        data = json.loads((ROOT / name).read_text())
        assert (data["status"], data["value"], data["certificate"]["method"]) == ("optimal", int(value), known), name
    rectangles = re.findall(r"\[(\d+)\]\(\.\./\.\./(heuristics/delivered/results/\w+-\d+x\d+\.json)\)", page)
    assert len(rectangles) > 70
    for value, name in rectangles:
        data = json.loads((ROOT / name).read_text())
        assert (data["status"], data["value"], data["bound"]) == ("optimal", int(value), int(value)), name
        assert data["certificate"]["method"] in ("tree", "regions", "frontier", "bands"), name
