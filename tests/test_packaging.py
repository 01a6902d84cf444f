"""Wheel and sdist hold what is needed, and work where nothing else is installed."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Sequence
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from benchmarks import against
from tests.house import ROOMS, ROOT, syntax

pytestmark = pytest.mark.checkout

NAMED = {  # Texts that are words, and no modules
    ("kt_models/kernel/certificates/methods.py", "theorems"),  # Which `kt_models.registry.room` finds
    ("drawing/notebook.py", "drawing"),
    *(("kt/_checkout.py", room) for room in ROOMS),
}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def run(command: Sequence[str | Path], cwd: Path, seconds: float = 280) -> str:
    """What a command prints; the test fails with its errors if it does."""
    result = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, timeout=seconds)
    assert result.returncode == 0, (command, result.stdout[-2000:], result.stderr[-2000:])
    return result.stdout


def built(folder: Path) -> Path:
    """A folder with an sdist, and with the wheel that is made from it."""
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT], folder)
    return folder


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    (path,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")), versions=["standard"])
    return zipfile.ZipFile(path)


def needed() -> set[str]:
    """Every file of `kt` and of the rooms that is not a by-product of running them."""
    return {
        path.relative_to(ROOT).as_posix()
        for room in ("kt", *ROOMS)
        for path in (ROOT / room).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_one_package_with_every_file_of_the_rooms(wheel: zipfile.ZipFile) -> None:
    names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert names == {f"kt/{name}".replace("kt/kt/", "kt/") for name in needed()}
    assert {"kt/py.typed", "kt/theorems/turns/proof.md", "kt/heuristics/delivered/results/turns-8x8.json"} <= names
    assert {"kt/heuristics/gadgets/rings.json", "kt/cli/explore/explore.html"} <= names


def test_no_import_of_the_wheel_leaves_the_package(wheel: zipfile.ZipFile) -> None:
    """Nor does an example in a docstring, or a name that one refers to."""
    room = re.compile(rf"(?<![\w.])({'|'.join(ROOMS)})\b")
    for name in wheel.namelist():
        text = wheel.read(name).decode() if name.endswith(".py") else ""
        if room.search(text):  # To parse all modules takes seconds
            for node in ast.walk(ast.parse(text)):
                modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                modules += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                assert not {module.partition(".")[0] for module in modules} & set(ROOMS), name
            assert not re.search(rf">>> from ({'|'.join(ROOMS)})\b|`({'|'.join(ROOMS)})\.", text), name


def test_no_text_of_a_program_names_a_module_of_the_rooms() -> None:
    """In a wheel it has another name: `__package__` and `__name__` say which. A word before makes it prose."""
    rooms = "|".join(ROOMS)
    for room in ("kt", *ROOMS):
        for path in (ROOT / room).rglob("*.py"):
            nodes = list(ast.walk(syntax(path)))
            words = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}  # Docstrings
            texts = [node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
            for node in texts:
                named = re.search(rf"(?<![\w-])({rooms})\.[a-z_{{]|(?<![\w -])({rooms})$", node.value)
                where = (path.relative_to(ROOT).as_posix(), node.value)
                assert id(node) in words or not named or where in NAMED, (path, node.lineno, node.value)
            for node in nodes:
                if isinstance(node, ast.Import):
                    dotted = [a.name for a in node.names if "." in a.name or len(node.names) > 1 or a.asname]
                    assert not {name.partition(".")[0] for name in dotted} & set(ROOMS), (path, node.lineno)


def test_the_sdist_holds_tests_and_pages_too() -> None:
    """What is put into it; to compress that takes much longer."""
    names = {file.distribution_path for file in SdistBuilder(str(ROOT)).recurse_included_files()}
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert needed() | pages <= names
    for name in (
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "CITATION.cff",
        "hatch_build.py",
        "tests/test_packaging.py",
        "tests/brute.py",
    ):
        assert name in names
    assert not [name for name in names if "__pycache__" in name or name.endswith((".nbi", ".nbc"))]


def test_metadata_have_the_version_and_the_extras(wheel: zipfile.ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if name.endswith("METADATA"))
    metadata = wheel.read(name).decode()
    from kt_models import __version__

    assert f"\nVersion: {__version__}\n" in metadata
    for extra in ("all", "cluster", "dev", "docs", "explore", "peers", "pictures", "solve", "test"):
        assert f"\nProvides-Extra: {extra}\n" in metadata


def test_dev_is_every_other_extra() -> None:
    extras = PROJECT["optional-dependencies"]
    assert extras["dev"] == [f"knights-tours[{','.join(sorted(set(extras) - {'dev'}))}]"]


STRANGER = re.compile(r"pip install [^`\n&|;#]*(?<![\w/.-])kt(?=[\[\s'\"`=<>]|$)|(?<![\w-])kt\[[a-z]+(,[a-z]+)*\]")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("pip install 'kt[pictures]'", True),
        ("pip install kt", True),
        ("install `kt[solve,all]`", True),
        ("pip install -U kt==1", True),
        ("pip install 'knights-tours[pictures]'", False),
        ('pip install ".[all]" && .venv/bin/kt doctor', False),
        ('pip install -e ".[test]"; kt doctor', False),
    ],
)
def test_a_text_that_installs_another_project_is_recognised(text: str, wrong: bool) -> None:
    assert bool(STRANGER.search(text)) is wrong


def test_no_text_tells_to_install_the_package_of_another_project() -> None:
    """`kt` on the index is not this one: this one is called knights-tours there."""
    texts = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "pyproject.toml"]
    for folder in ("kt", *ROOMS, "docs", "benchmarks", ".ci", "tests"):
        texts += [path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    for path in texts:
        if path.suffix in (".md", ".py", ".toml", ".txt", ".ipynb", ".yml", "") and path != Path(__file__):
            assert not STRANGER.findall(path.read_text(errors="replace")), path


@pytest.fixture(scope="module")
def installed(wheel: zipfile.ZipFile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with the wheel, beside the packages of this one: no network is needed."""
    return against.environment_of(Path(str(wheel.filename)), tmp_path_factory.mktemp("installed")) / "bin"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with packages of its own that are called as the rooms are."""
    for room in ROOMS:
        (tmp_path / room).mkdir()
        (tmp_path / room / "__init__.py").write_text("raise RuntimeError('a stranger was imported')\n")
    return tmp_path


def test_a_project_with_folders_called_as_the_rooms_are_does_no_harm(installed: Path, project: Path) -> None:
    answers = """
import kt, sys
result = kt.solve("6x6", minimize="turns", engine="sat", time_limit=60)  # in a child process
print(result.status, result.value, kt.best("12x12").result.value, kt.find("aztec:20", "rings").status)
rooms = {"kt_models", "drawing", "theorems", "heuristics", "encoders", "cli"}
print(sorted({name.partition(".")[0] for name in sys.modules} & rooms))
"""
    assert run([installed / "python", "-c", answers], project) == "optimal 32 77 feasible\n[]\n"
    assert run([installed / "python", "-m", "kt", "--version"], project).startswith("kt ")
    delivered = [ROOT / "heuristics" / name for name in ("delivered/results/turns-8x8.json", "gadgets/rings.json")]
    checked = run([installed / "kt", "check", "--verbose", *delivered], project)
    assert checked.count(": ok: ") == 2
    assert "proved by hand in theorems/aztec_rings/proof.md: splicing" in checked
    assert run([installed / "kt", "doctor", "--quick"], project).count("FAILED") == 0


def test_whoever_hides_a_room_of_a_checkout_is_named(project: Path) -> None:
    program = [sys.executable, "-c", "import kt"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(program, cwd=project, env=environment, capture_output=True, text=True)
    last = done.stderr.splitlines()[-1]
    assert done.returncode == 1 and last.startswith("ImportError: kt runs from the checkout ")
    assert f"{project / 'kt_models'} hides its folder kt_models" in last and "a stranger" not in done.stderr
    command = [sys.executable, "-m", "kt", "--version"]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert done.stderr.startswith("kt: cannot start: ") and "hides its folder kt_models" in done.stderr
    shutil.rmtree(project / "kt_models")
    assert "hides its folder drawing" in subprocess.run(
        program, cwd=project, env=environment, capture_output=True, text=True
    ).stderr  # fmt: skip


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
def test_wheel_installs_into_an_empty_environment_and_answers(kind: str, tmp_path: Path) -> None:
    (tmp_path / "dist").mkdir()
    (made,) = built(tmp_path / "dist").glob(kind)
    run([sys.executable, "-m", "venv", tmp_path / "empty"], tmp_path)
    bin_ = tmp_path / "empty" / "bin"
    run([bin_ / "pip", "install", "--quiet", made], tmp_path, 800)  # Needs an index
    kt = bin_ / "kt"
    assert run([kt, "--version"], tmp_path).startswith("kt ")
    run([kt, "doctor"], tmp_path)
    solved = json.loads(run([kt, "solve", "6x6", "--minimize", "turns", "-o", "t.json", "--json"], tmp_path))
    assert (solved["status"], solved["value"]) == ("optimal", 32)
    assert "kt/heuristics/delivered/results/turns-12x12.json" in run([kt, "best", "12x12"], tmp_path)
    run([kt, "draw", "t.json", "-o", "t.svg"], tmp_path)
    for board in ("100x100", "aztec:20"):
        assert "status     feasible" in run([kt, "find", board], tmp_path)
    assert "rings" in run([kt, "find", "aztec:20", "--method", "rings"], tmp_path)  # Reads a data file
    assert "ok" in run(
        [kt, "check", "t.json", ROOT / "heuristics" / "delivered" / "results" / "turns-8x8.json"], tmp_path
    )
    typed = run([bin_ / "python", "-c", "import kt; print(kt.__file__)"], tmp_path).strip()
    assert (Path(typed).parent / "py.typed").exists() and (tmp_path / "empty") in Path(typed).parents


# -- a release ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def release() -> ModuleType:
    loader = SourceFileLoader("release", str(ROOT / ".ci" / "release"))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_a_release_writes_its_version_wherever_it_stands(release: ModuleType, tmp_path: Path) -> None:
    for name in (*release.PLACES, "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    changes = tmp_path / "CHANGELOG.md"
    changes.write_text(re.sub(r"^## .*$", "## 9.8.7 (unreleased)", changes.read_text(), count=1, flags=re.M))
    release.with_version(tmp_path, "9.8.7", "2030-01-02")
    assert tomllib.loads((tmp_path / "pyproject.toml").read_text())["project"]["version"] == "9.8.7"
    assert '__version__ = "9.8.7"' in (tmp_path / "kt_models" / "__init__.py").read_text()
    citation = (tmp_path / "CITATION.cff").read_text()
    assert citation.count("\nversion: 9.8.7\ndate-released: 2030-01-02\n") == citation.count("date-released") == 1
    assert changes.read_text().startswith("# Changelog\n\n## 9.8.7 (2030-01-02)\n")
    with pytest.raises(SystemExit, match="no section"):  # It was released
        release.with_version(tmp_path, "9.8.7", "2030-01-02")


def test_a_release_is_tagged_where_it_was_built(
    release: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The branch moves to the commit that was built; if it has moved elsewhere meanwhile, nothing is tagged."""
    root, copy = tmp_path / "root", tmp_path / "copy"
    root.mkdir()
    monkeypatch.setattr(release, "ROOT", root)

    def git(*words: str | Path) -> str:
        return run(["git", *words], root).strip()

    git("init", "--quiet")
    git("config", "user.name", "Somebody")
    git("config", "user.email", "somebody@example.org")
    (root / "version").write_text("0")
    git("add", "version")
    git("commit", "--quiet", "--message", "A start")
    for version in ("1.0.0", "2.0.0"):
        git("worktree", "add", "--detach", copy)
        (copy / "version").write_text(version)
        if version == "2.0.0":
            git("commit", "--quiet", "--allow-empty", "--message", "Something else")
            with pytest.raises(SystemExit, match="merge"):
                release.tag(copy, version)
        else:
            release.tag(copy, version)
        git("worktree", "remove", "--force", copy)
        assert (root / "version").read_text() == "1.0.0" and git("tag") == "v1.0.0"
        assert not git("status", "--porcelain")
    assert git("describe", "HEAD~1") == "v1.0.0" and git("log", "-1", "--format=%s", "v1.0.0") == "Version 1.0.0"
    assert all((ROOT / name).exists() for name in release.FEW_TESTS)


def test_a_release_refuses_a_large_base_install(release: ModuleType, tmp_path: Path) -> None:
    packages = tmp_path / "lib" / "python3.11" / "site-packages"
    for name, size in (("pip", 5), ("kt", 3), ("numpy", 2)):
        (packages / name).mkdir(parents=True)
        (packages / name / "data").write_bytes(bytes(size * 10**6))
    assert release.installed_mb(tmp_path) == 5 and release.MAX_INSTALL_MB == 110


def test_classifiers_name_the_versions_that_were_tried() -> None:
    page = (ROOT / "docs" / "use" / "installing.md").read_text()
    versions = [text.rpartition(" ")[2] for text in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", text)]
    assert versions == ["3.11", "3.12"] and all(f"{version}" in page for version in versions)
    assert "Operating System :: POSIX :: Linux" in PROJECT["classifiers"]
