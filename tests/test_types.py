"""Type checkers and `help` on `import kt`: right programs pass, and each wrong line of the others is refused."""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import kt
from drawing.options import DrawOptions
from encoders.compare import compare
from encoders.solve import solve
from kt_models.files.calls import LIMITS, PROBLEM, ConstraintKeywords
from kt_models.files.problems import problem_from
from tests.processes import ROOT

RIGHT = {
    "answers": """
import kt

result = kt.solve("6x6", minimize="turns", time_limit=10, symmetry="rot180", engine="cpsat")
value: float | None = result.value
text: str = result.summary()
tour = result.tour
if tour is not None:
    moves: int = len(tour.moves)
    tour.save("tour.svg")
known = kt.best("12x12", minimize="turns", forbid=["a1-b3"])
best: float | None = known.result.value
""",
    "searches": """
import threading

import kt

stop = threading.Event()
for metric in ("turns", "crossings"):
    kt.find("8x8", minimize=metric, open=True, start="a1", seed=3, stop=stop)
kt.find("8x8", "warnsdorff", tie_break="random")
kt.find(cells=[(0, 0), (1, 2)], method="warnsdorff", tries=3)
kt.find(edges=[("a", "b"), ("b", "c"), ("c", "a")], minimize={("a", "b"): 2}, require=("a", "b"))
better: kt.Result = kt.improve("tour.json", "turns", workers=1, stop=kt.value_reached(40) | kt.no_improvement(5.0))
""",
    "proofs": """
import kt

bound: kt.Certificate = kt.bound("6x6", minimize="crossings", at_least=5, workers=2)
number: int = kt.count("6x6", up_to_symmetry=True, stop=lambda: False, memory=10**9)
for tour in kt.tours("5x6", value=28, minimize="turns"):
    print(tour, kt.draw(tour, numbers=True, theme="print"))
problem: kt.Problem = kt.problem("6x6", leaper=(1, 4), end=(0, 0), open=True)
print(kt.check(bound, time_limit=3).text, kt.longest("5x5", uncrossed=True, seed=1).moves)
""",
}
WRONG = {
    "keywords": """
import kt

kt.solve("6x6", minimise="turns")  # wrong
kt.find("6x6", minimise="turns")  # wrong
kt.bound("6x6", minimise="turns")  # wrong
kt.count("6x6", timeout=3)  # wrong
kt.best("6x6", objective="turns")  # wrong
kt.draw("6x6", number=True)  # wrong
kt.improve("tour.json", "turns", symmetry="rot180")  # wrong
""",
    "values": """
import kt

kt.solve("6x6", time_limit="10")  # wrong
kt.find("6x6", open="yes")  # wrong
kt.tours("6x6", stop=3)  # wrong
kt.check("tour.json", workers="2")  # wrong
kt.problem("6x6", minimize=5)  # wrong
""",
    "answers": """
import kt

result = kt.solve("6x6", minimize="turns")
print(result.vlaue)  # wrong
print(result.tour.moves)  # wrong
kt.bound("6x6").sumary()  # wrong
count: str = kt.count("6x6")  # wrong
print(kt.slove)  # wrong
""",
}


STRICT = (
    "disallow-any-generics",
    "disallow-subclassing-any",
    "disallow-untyped-calls",
    "disallow-untyped-defs",
    "disallow-incomplete-defs",
    "check-untyped-defs",
    "disallow-untyped-decorators",
    "warn-unused-ignores",
    "warn-return-any",
    "strict-equality",
    "extra-checks",
)
"""What `mypy --strict` asks for within a file; of what `kt` exports, `pyproject.toml` asks for the rest."""


def refused_by_mypy(folder: Path) -> set[tuple[str, int]]:
    """The lines of the programs in a folder that `mypy --strict` refuses; it has nothing to say against kt itself.

    One run for both: without the cache of an earlier one, it takes half a minute to read all rooms.
    """
    for program in folder.iterdir():
        place = f"# {program}"  # Other texts in each run: in the cache are errors with the places of an earlier one
        program.write_text(f"{program.read_text()}# mypy: {', '.join(STRICT)}\n{place}\n")
    rooms = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["files"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *rooms, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "MYPYPATH": str(folder)},
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = re.findall(r"^(.+)\.py:(\d+): error", done.stdout, flags=re.M)
    refused = {(Path(name).name, int(line)) for name, line in found if (ROOT / name).resolve().parent == folder}
    assert len({*found}) == len(refused), done.stdout
    return refused


def refused_by_pyright(folder: Path) -> set[tuple[str, int]]:
    """The lines of the programs in a folder that pyright, as it is without settings, refuses."""
    pyright = shutil.which("pyright", path=str(Path(sys.executable).parent)) or shutil.which("pyright")
    if pyright is None:
        pytest.skip("pyright is not installed (pip install 'pyright[nodejs]')")
    (folder / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(ROOT)]}))
    done = subprocess.run([pyright, "--outputjson"], cwd=folder, capture_output=True, text=True)
    try:
        found = json.loads(done.stdout)["generalDiagnostics"]
    except ValueError:
        pytest.skip(f"pyright could not be started: {done.stderr.strip()[-200:]}")
    errors = [error for error in found if error["severity"] == "error"]
    return {(Path(error["file"]).stem, error["range"]["start"]["line"] + 1) for error in errors}


@pytest.mark.parametrize(
    "refused",
    [
        pytest.param(refused_by_mypy, id="mypy", marks=pytest.mark.checkout),
        pytest.param(refused_by_pyright, id="pyright"),
    ],
)
def test_type_checkers_pass_right_programs_and_refuse_each_wrong_line(refused, tmp_path: Path) -> None:
    wrong = set()
    for kind, programs in (("right", RIGHT), ("wrong", WRONG)):
        for name, text in programs.items():
            (tmp_path / f"{kind}_{name}.py").write_text(text)
            lines = enumerate(text.splitlines(), 1)
            wrong |= {(f"{kind}_{name}", number) for number, line in lines if line.endswith("# wrong")}
    assert refused(tmp_path) == wrong


def test_help_shows_names_types_and_defaults_of_every_keyword() -> None:
    """The defaults are those of the functions that do the work."""
    problem = inspect.signature(problem_from).parameters
    constraints = set(ConstraintKeywords.__annotations__)
    for name in ("problem", "solve", "find", "bound", "best", "tours", "count", "magic", "pareto"):
        parameters = inspect.signature(getattr(kt, name)).parameters
        read = PROBLEM if name in ("problem", "solve", "tours", "count", "pareto") else PROBLEM - constraints
        for word in read | (LIMITS if name != "problem" else set()):
            assert parameters[word].kind is inspect.Parameter.KEYWORD_ONLY and parameters[word].annotation, (name, word)
        for word in read - {"minimize"} if name in ("bound", "best") else read:
            assert parameters[word].default == problem[word].default, (name, word)
    # Only counts and lists take this one.
    assert set(problem) - {"board", "distinguish_moves"} == PROBLEM
    asked = inspect.signature(kt.solve).parameters
    for word in ("engine", "encoding", "solver"):
        assert asked[word].default == inspect.signature(solve).parameters[word].default
    effort = inspect.signature(compare).parameters
    assert all(inspect.signature(kt.compare).parameters[w].default == effort[w].default for w in ("effort", "leaper"))
    drawn = inspect.signature(kt.draw).parameters
    assert set(DrawOptions.__dataclass_fields__) < set(drawn)
    gathered = {
        name: [p.name for p in inspect.signature(getattr(kt, name)).parameters.values() if p.kind is p.VAR_KEYWORD]
        for name in kt.__all__
        if inspect.isfunction(getattr(kt, name))
    }
    assert {name: words for name, words in gathered.items() if words} == {"find": ["keywords"]}  # A method's parameters
