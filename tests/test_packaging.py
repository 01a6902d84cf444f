"""Wheel and sdist hold what is needed, and work where nothing else is installed."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder

ROOT = Path(__file__).parent.parent
ROOMS = ("kt", "kt_models", "heuristics", "encoders", "cli")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def run(command: Sequence[str | Path], cwd: Path, seconds: float = 280) -> str:
    """What a command prints; the test fails with its errors if it does."""
    result = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, timeout=seconds)
    assert result.returncode == 0, (command, result.stdout[-2000:], result.stderr[-2000:])
    return result.stdout


def built(folder: Path, *kinds: str) -> Path:
    """A folder with a wheel; unless it is of the only kind asked for, made from the sdist, which is there too."""
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, *kinds, ROOT], folder)
    return folder


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    (path,) = built(tmp_path_factory.mktemp("wheel"), "--wheel").iterdir()
    return zipfile.ZipFile(path)


def needed() -> set[str]:
    """Every file of the rooms that is not a by-product of running them."""
    return {
        path.relative_to(ROOT).as_posix()
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def delivered() -> set[str]:
    """The best known: files of docs that a wheel has in another place."""
    paths = [path for name in ("records", "results") for path in (ROOT / "docs" / name).rglob("*.json")]
    return {f"heuristics/delivered/{path.relative_to(ROOT / 'docs').as_posix()}" for path in paths}


def test_the_wheel_holds_every_file_of_the_rooms_and_the_best_known(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    assert {name for name in names if ".dist-info/" not in name} == needed() | delivered()
    assert {f"{room}/py.typed" for room in ROOMS} <= names
    assert "heuristics/gadgets/rings.json" in names


def test_the_sdist_holds_tests_and_pages_too() -> None:
    """What is put into it; to compress that takes much longer."""
    names = {file.distribution_path for file in SdistBuilder(str(ROOT)).recurse_included_files()}
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert needed() | pages <= names
    for name in ("README.md", "LICENSE", "CHANGELOG.md", "tests/test_packaging.py", "tests/brute.py"):
        assert name in names
    assert not [name for name in names if "__pycache__" in name or name.endswith((".nbi", ".nbc"))]


def test_metadata(wheel: zipfile.ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if name.endswith("METADATA"))
    metadata = wheel.read(name).decode()
    from kt_models import __version__

    assert f"\nVersion: {__version__}\n" in metadata
    for extra in ("all", "cluster", "dev", "docs", "explore", "peers", "pictures", "solve", "test"):
        assert f"\nProvides-Extra: {extra}\n" in metadata


def test_dev_is_every_other_extra() -> None:
    extras = PROJECT["optional-dependencies"]
    assert extras["dev"] == [f"knights-tours[{','.join(sorted(set(extras) - {'dev'}))}]"]


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
def test_it_installs_into_an_empty_environment_and_answers(kind: str, tmp_path: Path) -> None:
    (tmp_path / "dist").mkdir()
    (made,) = built(tmp_path / "dist").glob(kind)
    run([sys.executable, "-m", "venv", tmp_path / "empty"], tmp_path)
    bin_ = tmp_path / "empty" / "bin"
    run([bin_ / "pip", "install", "--quiet", f"{made}[all]"], tmp_path, 800)
    kt = bin_ / "kt"
    assert run([kt, "--version"], tmp_path).startswith("kt ")
    run([kt, "doctor"], tmp_path)
    solved = json.loads(run([kt, "solve", "6x6", "--minimize", "turns", "-o", "t.json", "--json"], tmp_path))
    assert (solved["status"], solved["value"]) == ("optimal", 32)
    assert "heuristics/delivered/results/turns-12x12.json" in run([kt, "best", "12x12"], tmp_path)
    run([kt, "draw", "t.json", "-o", "t.svg"], tmp_path)
    for board in ("100x100", "aztec:20"):
        assert "status     feasible" in run([kt, "find", board], tmp_path)
    assert "rings" in run([kt, "find", "aztec:20", "--method", "rings"], tmp_path)  # reads a data file
    assert "ok" in run([kt, "check", "t.json", ROOT / "docs" / "results" / "turns-8x8.json"], tmp_path)
    typed = run([bin_ / "python", "-c", "import kt_models; print(kt_models.__file__)"], tmp_path).strip()
    assert (Path(typed).parent / "py.typed").exists() and (tmp_path / "empty") in Path(typed).parents
