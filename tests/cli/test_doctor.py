"""`kt doctor`: every solver is asked, what is wrong is told, and nothing that fails ends it."""

from __future__ import annotations

import errno
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cli import doctor
from encoders import probes
from encoders.sat.oracle import SOLVERS
from kt_models.errors import KTError
from kt_models.json_version import FORMAT_VERSION
from tests import command
from tests.effort import slow

kt = partial(command.kt, "doctor")


def findings(*arguments: str) -> dict[str, dict[str, Any]]:
    result = kt("--json", *arguments)
    assert result.stdout.count("\n") == 1 and result.stderr == ""
    data = json.loads(result.stdout)
    assert data["version"] == FORMAT_VERSION and data["ok"] == (result.exit_code == 0)
    return {finding["name"]: finding for finding in data["findings"]}


def test_all_that_is_needed_works_here() -> None:
    result = kt()
    assert result.exit_code == 0, result.output
    for name in ("CP-SAT", "HiGHS", "SAT engine", "proof", "numba", *(f"SAT {solver}" for solver in SOLVERS)):
        assert any(line.startswith(f"  {name} ") and " ok " in line for line in result.stdout.splitlines()), name
    assert result.stdout.endswith("everything needed works\n")


def test_quick_asks_no_solver() -> None:
    found = findings("--quick")
    assert {"kt", "python", "cores", "memory", "temporary files", "ortools", "click"} <= set(found)
    assert all(finding["group"] not in ("solvers", "compiler") for finding in found.values())
    assert all(finding["status"] in ("ok", "absent") for finding in found.values()), found


@pytest.mark.parametrize(
    "fault", [ImportError("libfoo.so: not found"), *slow([KTError("it was slow"), RuntimeError("a\nb")])]
)
def test_a_solver_that_fails_is_told_and_the_others_are_asked(
    fault: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> str:
        raise fault

    monkeypatch.setattr(probes, "_highs", broken)
    for quick in ("_cpsat", "_sat_engine", "_proof"):
        monkeypatch.setattr(probes, quick, lambda: "fine")
    monkeypatch.setattr(doctor, "_compiler", lambda: doctor.Finding("compiler", "numba", "ok", "fine"))
    found = findings()
    assert found["HiGHS"]["status"] == "FAILED" and found["HiGHS"]["words"].endswith(" ".join(str(fault).split()))
    assert found["proof"]["status"] == "ok"
    result = kt()
    assert result.exit_code == 1 and result.stdout.endswith("1 FAILED: HiGHS\n")
    assert "Traceback" not in result.output


def test_a_wrong_answer_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    from encoders.sat.oracle import Oracle

    monkeypatch.setattr(Oracle, "solve", lambda self, assumptions=(): True)
    probe = probes._asked("SAT", lambda: probes._oracle("cadical153"))
    assert not probe.ok and "four pigeons" in probe.words


def test_a_solver_that_only_a_name_asks_for_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def some() -> Any:
        yield probes.Probe("SAT minisat22", False, "not in this version of PySAT", 0.0, needed=False)

    monkeypatch.setattr(probes, "probes", some)
    assert [finding.status for finding in doctor._solvers()] == ["absent"]


def test_packages_that_are_missing_or_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ["click>=99", "surely-not-there>=1", "numpy>=2", 'pytest>=99; extra == "test"']
    monkeypatch.setattr(doctor, "requires", lambda name: asked)
    found = {finding.name: finding for finding in doctor._packages()}
    assert {name: finding.status for name, finding in found.items()} == {
        "click": "FAILED",
        "surely-not-there": "FAILED",
        "numpy": "ok",
    }
    assert ">=99 is needed" in found["click"].words


def test_a_highs_that_cannot_stand_beside_or_tools_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """highspy 1.15 and OR-Tools 9.15, each with a HiGHS of its own, do not load in one process."""
    monkeypatch.setattr(doctor, "requires", lambda name: ["highspy>=1.12,<1.13"])
    monkeypatch.setattr(doctor, "version", lambda name: "1.15.1")
    (finding,) = doctor._packages()
    assert (finding.name, finding.status) == ("highspy", "FAILED")
    assert finding.words.startswith("1.15.1, but <1.13,>=1.12 is needed: OR-Tools has a HiGHS of its own inside")
    monkeypatch.setattr(doctor, "version", lambda name: "1.12.0")
    assert [(finding.status, finding.words) for finding in doctor._packages()] == [("ok", "1.12.0")]


def test_what_keeps_a_package_old_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """lkh 2.0.0 asks for networkx below 3 and click below 7, tsplib95 0.7.1 for networkx below 3."""
    monkeypatch.setattr(doctor, "requires", lambda name: ["click>=8.4,<9", "networkx>=3.2,<4"])
    monkeypatch.setattr(doctor, "version", {"click": "6.7", "networkx": "2.8.8"}.__getitem__)
    for finding in doctor._packages():
        assert finding.status == "FAILED" and "tsplib95 and lkh ask for older ones" in finding.words


def test_a_folder_that_cannot_be_written_to(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(doctor.os, "access", lambda path, mode: False)
    found = {finding.name: finding for finding in doctor._folders()}
    assert found["temporary files"].status == "FAILED" and found["this folder"].status == "absent"


def test_a_machine_without_a_folder_for_temporary_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp', '/A']")

    monkeypatch.setattr("tempfile.gettempdir", none)
    rows = findings("--quick")
    assert rows["temporary files"]["status"] == "FAILED"
    assert rows["temporary files"]["words"] == "No usable temporary directory found in ['/tmp', '/A']"
