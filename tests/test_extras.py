"""kt without solvers checks and draws, and what it cannot do it says in one line, with the command that brings it."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

from cli.doctor import MODULES
from kt_models.errors import EXTRAS, SOLVE
from tests.command import kt
from tests.processes import PATIENCE, ROOT

SMALL = """
import json, sys
from importlib.abc import MetaPathFinder

class Missing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

MISSING = json.loads(sys.argv[1])
sys.meta_path.insert(0, Missing())
from tests.command import kt
answers = []
for words in json.loads(sys.argv[2]):
    result = kt(*words)
    answers.append((result.exit_code, result.stdout, result.stderr))
import kt as door
try:
    door.bound("6x6")
except door.KTError as error:
    answers.append((2, "", str(error)))
print(json.dumps([answers, sorted({name.partition(".")[0] for name in sys.modules} & set(MISSING))]))
"""


CHECKER = {"click", "numpy", "packaging"}
"""Packages that checks and drawings need."""


def test_the_modules_that_may_be_missing_are_those_of_the_project_file() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = {SOLVE: project["dependencies"], **project["optional-dependencies"]}
    assert asked["solve"] == []
    for name, modules in EXTRAS.items():
        packages = [text.split(">")[0].split("[")[0] for text in asked[name]]
        assert name != SOLVE or set(packages) >= CHECKER
        packages = [package for package in packages if package not in CHECKER]
        named = {MODULES.get(package, package) for package in packages}
        assert named <= set(modules) and set(modules) - named <= {"PIL"}  # Pillow comes with matplotlib


def test_checks_and_drawings_need_no_solver(tmp_path: Path) -> None:
    tour, tree, cut, sweep = (str(tmp_path / f"{name}.json") for name in ("tour", "tree", "cut", "sweep"))
    assert kt("find", "6x6", "-o", tour).exit_code == 0
    assert kt("bound", "6x6", "--certificate", tree).exit_code == 0
    assert kt("bound", "4x6", "--certificate", cut).exit_code == 0
    assert kt("bound", "5x6", "--minimize", "crossings", "--certificate", sweep).exit_code == 0
    commands = [
        ["check", tour, tree, cut, sweep],
        ["draw", tour, "-o", "-", "--numbers"],
        ["draw", tree, "-o", str(tmp_path / "page.html")],
        ["convert", tour, "-"],
        ["measure", tour],
        ["solve", "6x6", "--minimize", "turns", "--no-best"],
        ["draw", tour, "-o", str(tmp_path / "tour.png")],
        ["explore", "--no-browser"],
    ]
    missing = [module for modules in EXTRAS.values() for module in modules]
    done = subprocess.run(
        [sys.executable, "-c", SMALL, json.dumps(missing), json.dumps(commands)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    (*works, solve, picture, explore, door), loaded = json.loads(done.stdout)
    assert [code for code, _, _ in works] == [0] * 5, works
    assert loaded == []
    assert works[0][1].count(": ok: ") == 4
    for refused, extra in ((solve, ""), (picture, "[pictures]"), (explore, "[explore]"), (door, "")):
        code, out, error = refused
        assert (code, out) == (2, "") and error.count("\n") <= 1
        command = f"'knights-tours{extra}'" if extra else "knights-tours"
        assert f"is not installed: pip install {command}" in error
