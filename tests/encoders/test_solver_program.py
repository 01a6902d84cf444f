"""Outside programs as SAT solvers: what they print is read, checked, and never believed further than it is shown."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from pathlib import Path

import pytest

import kt as kt_package
from cli.explore.job import Allowance
from cli.explore.job_requests import job_of
from encoders.proof.program import is_lrat
from encoders.sat.options import SatOptions
from encoders.sat.solver_program import ProgramOracle, SolverProgram, solver_of_text
from kt_models import KTError
from tests.command import kt, one_line_refusal
from tests.processes import running, started, until

SOLVER = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from pysat.formula import CNF
from encoders.proof.log import LoggedOracle
form, cnf, *more = sys.argv[1:]
with LoggedOracle(CNF(from_file=cnf).clauses) as solver:
    found = solver.solve()
    literals = " ".join(map(str, solver.model())) if found else ""
    if form == "result":
        lines = ["SAT", literals + " 0"] if found else ["UNSAT"]
        Path(more[0]).write_text("\\n".join(lines) + "\\n")
        sys.exit(10 if found else 20)
    if form in ("lrat", "wrong") and not found:
        solver.write(Path(more[0]))
        if form == "wrong":
            text = Path(more[0]).read_text().splitlines()
            Path(more[0]).write_text("\\n".join(text[1:]) + "\\n")
    if form == "drat" and not found:
        Path(more[0]).write_text("1 2 0\\n0\\n")
    print("c a comment")
    print("s SATISFIABLE" if found else "s UNSATISFIABLE")
    for literal in literals.split():
        print("v", literal)
    print("v 0")
"""
FILES = {"lines": "{cnf}", "result": "{cnf} {result}", "lrat": "{cnf} {proof}", "drat": "{cnf} {proof}"}
FILES["wrong"] = FILES["lrat"]


@pytest.fixture(scope="module")
def solver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SAT solver as a program of its own."""
    path = tmp_path_factory.mktemp("solver") / "solver.py"
    path.write_text(SOLVER.format(root=str(Path(__file__).parents[2])))
    return path


def command(solver: Path, form: str) -> str:
    """The command line of the program in one of its forms."""
    return f"{sys.executable} {solver} {form} {FILES[form]}"


@pytest.mark.parametrize("form", ["lines", "result"])
def test_a_program_finds_tours_and_says_that_there_is_none(form: str, solver: Path) -> None:
    asked = ["--solver", command(solver, form), "--no-presolve", "--json"]
    found = json.loads(kt("solve", "3x4", "--open", *asked).stdout)
    assert (found["status"], found["engine"]) == ("feasible", f"sat/cut-set program {Path(sys.executable).name}")
    none = json.loads(kt("solve", "3x4", *asked).stdout)
    assert none["status"] == "infeasible"
    assert none["evidence"] == f"answer of the program {Path(sys.executable).name}, not checked"


def test_an_lrat_proof_of_a_program_is_checked_and_kept(solver: Path, tmp_path: Path) -> None:
    folder = tmp_path / "proof"
    asked = ["--open", "--minimize", "turns", "--no-best", "--no-presolve", "--solver", command(solver, "lrat")]
    answer = kt("solve", "3x4", *asked, "--proof", folder)
    assert answer.exit_code == 0
    assert "steps, checked, in" in answer.stdout
    checked = kt("check", folder)
    assert checked.exit_code == 0
    assert "LRAT proof" in checked.stdout


def test_a_folder_that_kt_proves_besides_a_program_is_right(solver: Path, tmp_path: Path) -> None:
    folder = tmp_path / "proof"
    answer = kt("solve", "4x6", "--no-presolve", "--solver", command(solver, "lines"), "--proof", folder)
    assert answer.exit_code == 0
    assert {"formula.opb", "proof.lrat"} <= {path.name for path in folder.iterdir()}
    checked = kt("check", folder)
    assert checked.exit_code == 0
    assert "ok: there is no closed knight's tour of 4x6" in checked.stdout


def test_a_wrong_lrat_proof_is_no_answer(solver: Path, tmp_path: Path) -> None:
    asked = ["solve", "3x4", "--no-presolve", "--solver", command(solver, "wrong")]
    one_line_refusal(kt(*asked, "--proof", tmp_path / "proof"), "its LRAT proof is wrong")
    assert not list((tmp_path / "proof").iterdir())


def test_a_drat_proof_is_kept_and_not_believed(solver: Path, tmp_path: Path) -> None:
    folder = tmp_path / "proof"
    answer = kt("solve", "3x4", "--no-presolve", "--solver", command(solver, "drat"), "--proof", folder)
    assert "is not LRAT, and was not checked" in answer.stdout
    assert (folder / "proof.drat").read_text() == "1 2 0\n0\n"
    checked = kt("check", folder)
    assert checked.exit_code == 3
    assert "claimed, not shown" in checked.stdout


@pytest.mark.parametrize(
    ("text", "lrat"), [("5 1 2 0 1 2 0\n", True), ("c x\n7 d 1 2 0\n", True), ("1 -2 0\n", False), ("a\x01\x00", False)]
)
def test_lrat_is_told_from_drat(text: str, lrat: bool, tmp_path: Path) -> None:
    (tmp_path / "p").write_bytes(text.encode())
    assert is_lrat(tmp_path / "p") == lrat


def test_a_program_bounds_and_refutes_a_bound(solver: Path, tmp_path: Path) -> None:
    asked = ["bound", "3x4", "--open", "--minimize", "turns", "--solver", command(solver, "lrat")]
    least = kt_package.solve("3x4", open=True, minimize="turns").value
    data = json.loads(kt(*asked, "--at-least", least, "--json", "--proof", tmp_path / "proof").stdout)
    assert data["bound"] == least
    assert data["evidence"].startswith("LRAT proof")
    assert kt("check", tmp_path / "proof").exit_code == 0
    refuted = kt(*asked, "--at-least", int(least or 0) + 1, "--json")
    assert refuted.exit_code == 1
    assert json.loads(refuted.stdout)["refuted"] is True
    one_line_refusal(kt(*asked), "--at-least K")


def test_a_program_lists_and_counts_all_tours(solver: Path) -> None:
    asked = ["enumerate", "3x4", "--open", "--solver", command(solver, "result")]
    counted = json.loads(kt(*asked, "--count", "--json").stdout)
    assert counted["count"] == 8
    assert "not checked" in counted["evidence"]
    assert len(kt(*asked).stdout.splitlines()) == 8


def test_a_program_numbers_cells(solver: Path) -> None:
    asked = ["solve", "3x4", "--open", "--number", "a1=1", "--solver", command(solver, "lines"), "--no-presolve"]
    assert json.loads(kt(*asked, "--json").stdout)["engine"].startswith("sat/numbers/program")


def test_python_names_a_program_by_its_words(solver: Path) -> None:
    words = [sys.executable, str(solver), "lines"]
    result = kt_package.solve("3x4", presolve=False, solver=words)
    assert result.status == "infeasible"
    assert "not checked" in str(result)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("true", "it printed nothing"),
        ("echo hello", "hello"),
        ("echo s UNKNOWN", "gave up"),
        ("echo s SATISFIABLE", "prints no lines 'v 1 -2'"),
        ("echo s SATISFIABLE; echo v 0", "its model breaks the clause"),
        ("echo s SATISFIABLE; echo v 1 two 0", "is not a list of literals"),
        ("echo s SATISFIABLE; echo s UNSATISFIABLE", "both that there is a model"),
        ("echo s SATISFIABLE; exit 20", "both that there is a model"),
        ("echo no memory >&2; kill -9 $$", "signal 9"),
    ],
)
def test_a_program_that_fails_is_named_in_one_line(script: str, words: str, tmp_path: Path) -> None:
    program = tmp_path / "solver"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    one_line_refusal(kt("solve", "3x4", "--no-presolve", "--solver", program), words)


def test_a_missing_program_is_named(tmp_path: Path) -> None:
    one_line_refusal(kt("solve", "3x4", "--solver", tmp_path / "nowhere"), "there is no such program")


def test_a_program_ends_with_the_limits(tmp_path: Path) -> None:
    program, pid = tmp_path / "solver", tmp_path / "pid"
    program.write_text(f"#!/bin/sh\necho $$ > {pid}\nsleep 60 & wait\n")
    program.chmod(0o755)
    answer = kt("solve", "5x6", "--no-presolve", "--solver", program, "--time-limit", "0.3")
    assert answer.exit_code == 3
    for _ in range(200):
        if not _runs(int(pid.read_text())):
            return
        time.sleep(0.01)
    pytest.fail("the program goes on")


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_program_and_what_it_started_end_with_a_killed_kt(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    script = tmp_path / "endless.sh"
    script.write_text(f"#!/bin/sh\nsleep 1000 &\necho $$ $! > {pids}.part\nmv {pids}.part {pids}\nwait\n")
    script.chmod(0o755)
    process = started("solve", "4x4", "--no-presolve", "--no-best", "--solver", script)
    try:
        until(pids.exists)
    finally:
        process.kill()
        process.communicate()
    until(lambda: not any(running(int(pid)) for pid in pids.read_text().split()))


def test_only_a_command_line_or_python_names_a_program() -> None:
    """A job of the explorer, a list, a run, and the task of a child process are texts or files."""
    with pytest.raises(KTError, match="solver"):
        job_of({"task": "solve", "board": "6x6", "solver": "/bin/true"}, Allowance(10, 10**9, 1))
    with pytest.raises(KTError, match="solver"):
        job_of({"task": "solve", "board": "6x6", "solver": ["/bin/true"]}, Allowance(10, 10**9, 1))
    with pytest.raises(KTError, match="SAT solver"):
        kt_package.solve("6x6", solver="/bin/true")
    with pytest.raises(ValueError, match="command line"):
        SatOptions(solver=SolverProgram(("/bin/true",))).to_json()
    one_line_refusal(kt("enumerate", "5x6", "--solver", "/bin/true", "--run", "nowhere"), "leave out --solver")


@pytest.mark.skipif(shutil.which("minizinc") is None, reason="minizinc is not installed")
def test_minizinc_solves_and_is_not_believed() -> None:
    asked = ["--solver", "minizinc:gecode", "--no-presolve", "--json"]
    best = json.loads(kt("solve", "5x6", "--minimize", "turns", "--no-best", *asked).stdout)
    assert (best["status"], best["value"]) == ("optimal", 28)
    assert best["evidence"] == "answer of minizinc gecode, not checked"
    assert json.loads(kt("solve", "3x4", *asked).stdout)["status"] == "infeasible"
    one_line_refusal(kt("solve", "3x4", "--no-presolve", "--solver", "minizinc:nosuch"), "nosuch")


@pytest.mark.parametrize("name", ["minizinc:", "minizinc:-x", "minizinc:a b"])
def test_a_solver_of_minizinc_is_one_word(name: str) -> None:
    one_line_refusal(kt("solve", "3x4", "--solver", name), "minizinc --solvers")


def test_words_with_a_path_are_a_program_and_names_are_not() -> None:
    assert solver_of_text("cadical153") == "cadical153"
    assert solver_of_text("/bin/sh '-c x'") == SolverProgram(("/bin/sh", "-c x"))
    assert solver_of_text("sh {cnf}") == SolverProgram(("sh", "{cnf}"))


def test_assumptions_are_clauses_of_one_answer(solver: Path) -> None:
    program = SolverProgram((sys.executable, str(solver), "lines"))
    with ProgramOracle(program, [[1, 2]]) as oracle:
        assert oracle.solve([-1])
        assert 2 in oracle.model()
        assert not oracle.solve([-1, -2])
        assert oracle.solve()
