"""The worked examples of the pages on adding things: put in as a file, each is there under its name, and works."""

from __future__ import annotations

import importlib
import sys
import types
from pathlib import Path

import pytest
from click.testing import CliRunner
from kt.encoders import engines, stages
from kt.encoders.bounds import methods
from kt.encoders.plan import plan
from kt.encoders.sat import encodings
from kt.encoders.solve import solve
from kt.kt_models import CertificateError, Problem, graph_of
from kt.kt_models.kernel.certificates import methods as arguments
from kt.kt_models.limits import Limits

from cli.explore.job import Allowance
from cli.explore.job_requests import catalogue
from cli.main import main
from tests.cli.test_help import completed
from tests.command import kt, kt_json
from tests.docs.test_docs_site import blocks, module_of, template


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Put a module into a package, as a file that is there for the time of a test."""

    def put_in(package: types.ModuleType, name: str, text: str) -> None:
        (tmp_path / f"{name}.py").write_text(text)
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
        monkeypatch.setitem(sys.modules, f"{package.__name__}.{name}", types.ModuleType("to be taken out again"))
        monkeypatch.delitem(sys.modules, f"{package.__name__}.{name}")
        importlib.invalidate_caches()

    return put_in


def test_the_bound_of_the_page_is_made_and_checked(put, monkeypatch: pytest.MonkeyPatch) -> None:
    text, line, test = blocks("use/extending.md#A bound", "python")
    checker = module_of(f"{arguments.__package__}.narrow", text, monkeypatch)
    for name, method in eval(f"{{{line.strip()}}}", vars(arguments)).items():
        monkeypatch.setitem(arguments.METHODS, name, method)
    problem = Problem(graph_of("8x8"), objective="turns")
    assert checker.bound(problem, {}) == 4
    exec(test, {})
    with pytest.raises(CertificateError):
        checker.bound(Problem(graph_of("8x8"), objective="crossings"), {})
    assert "narrow" not in methods.methods()

    put(methods, "narrow", template(methods).read_text())
    assert "narrow" in methods.methods() and methods.methods()["narrow"].parameters == ("limits",)
    answer = kt_json("bound", "8x8", "--method", "narrow")
    assert (answer["bound"], answer["method"]) == (4, "narrow")
    assert kt("bound", "8x8", "--method", "narow").exit_code == 2
    assert "narrow" in CliRunner().invoke(main, ["bound", "--help"]).output
    assert "narrow" in catalogue(Allowance())["bounds"]
    assert completed("kt bound 8x8 --method na", monkeypatch) == ["plain,narrow"]
    assert methods.methods()["narrow"].worth(problem, None)


def test_the_encoding_of_the_template_works(put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kt.encoders.sat.arcs import Arcs
    from kt.encoders.sat.formula import Formula
    from kt.encoders.sat.oracle import Oracle

    text = template(encodings).read_text()
    assert "absolute" not in encodings.encodings()
    put(encodings, "absolute", text)
    for board, there_is_one in (("5x6", True), ("4x5", False)):
        formula = encodings.encode(Problem(graph_of(board)), "absolute")
        with Oracle("cadical153", formula.clauses) as oracle:
            assert oracle.solve() == there_is_one, board
        arcs = Formula(Problem(graph_of(board)))
        size = encodings.encodings()["absolute"].size(Arcs(arcs))
        assert formula.top - arcs.top <= size[0] and len(formula.clauses) - len(arcs.clauses) <= size[1]
    assert kt("convert", "5x6", tmp_path / "c.cnf", "--encoding", "absolute").exit_code == 0
    assert "absolute" in catalogue(Allowance())["encodings"]["sat"]
    assert completed("kt solve 8x8 --encoding ab", monkeypatch) == ["plain,absolute"]
    assert completed("kt convert 8x8 x.cnf --encoding ab", monkeypatch) == ["plain,absolute"]
    with pytest.raises(Exception, match="absolute"):
        solve(Problem(graph_of("5x6")), engine="sat", encoding="absolut", limits=Limits(workers=1))


def test_the_engine_of_the_template_works(put, monkeypatch: pytest.MonkeyPatch) -> None:
    text = template(engines).read_text()
    assert "backtrack" not in engines.engine_names()
    put(engines, "backtrack", text)
    assert "backtrack" in engines.engine_names() and engines.encodings_of("backtrack") == ()
    for board, status in (("torus:5x4", "feasible"), ("3x6", "infeasible")):
        monkeypatch.setattr(
            importlib.import_module("kt.heuristics.obstruction"), "find_obstruction", lambda problem, limits: None
        )
        result = solve(Problem(graph_of(board)), engine="backtrack")
        assert (result.status, result.engine) == (status, "backtrack")
    assert kt("solve", "torus:5x4", "--engine", "backtrack").exit_code == 0
    assert kt("solve", "5x6", "--engine", "backtrack", "--encoding", "lfsr").exit_code == 2
    assert "backtrack" in CliRunner().invoke(main, ["solve", "--help-all"]).output
    assert "backtrack" in catalogue(Allowance())["encodings"]
    assert completed("kt solve 8x8 --engine ba", monkeypatch) == ["plain,backtrack"]


def test_the_stage_of_the_template_works(put) -> None:
    problem = Problem(graph_of("9x9"), "path")
    assert solve(problem, limits=Limits(workers=1)).engine != "find/warnsdorff"
    put(stages, "ties", template(stages).read_text())
    assert "ties" in {stage.name for stage in plan()}
    assert solve(problem, limits=Limits(workers=1)).engine == "find/warnsdorff"
    assert solve(Problem(graph_of("6x6")), limits=Limits(workers=1)).engine != "find/warnsdorff"
