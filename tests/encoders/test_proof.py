"""Proofs of true claims: each is written, checks and says what it shows; false claims are refused; the command line."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from benchmarks.peers.graphs import dot_products
from encoders import solve
from encoders.proof.engine import ProvingEngine
from encoders.proof.prove import prove, require_proof_directory, write_folder, write_formula
from encoders.proof_folder import prove_result
from encoders.solve import begin
from encoders.stages import Request
from encoders.stages.engines import by_engines
from encoders.work.run import Run, race
from kt_models import CertificateError, KTError, MoveGraph, Problem, Symmetry, Weights, graph_of
from kt_models.errors import CannotWrite
from kt_models.files.check import RESULT
from kt_models.kernel.certificates.proofs.check_folder import check_folder
from kt_models.kernel.certificates.proofs.manifest import FORMULA, PROOF, Manifest
from kt_models.limits import NO_LIMITS, Limits, Report, silent
from kt_models.result import Result
from tests import brute
from tests.command import kt, kt_json, one_line_refusal
from tests.proof_tools import FILES, least, seal, solutions

# -- true claims are proved -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("height", range(1, 7))
@pytest.mark.parametrize("width", range(1, 6))
def test_every_infeasible_board_up_to_5x6_has_a_proof(width: int, height: int, closed: bool, tmp_path: Path) -> None:
    board = f"{width}x{height}"
    problem = Problem(graph_of(board), "cycle" if closed else "path")
    if brute.has_tour(board, closed):
        with pytest.raises(KTError, match="there is a solution"):
            write_folder(problem, None, tmp_path)
        return
    write_folder(problem, None, tmp_path)
    checked = check_folder(tmp_path)
    assert checked.statement.kind == "infeasible"
    assert f"no {'closed' if closed else 'open'} knight's tour of {board};" in str(checked)


@pytest.mark.parametrize(
    ("board", "closed", "metric", "value"),
    [
        ("5x6", True, "turns", 28),
        ("5x6", True, "crossings", 49),
        ("6x6", True, "turns", 32),
        ("3x10", True, "turns", None),
        ("3x10", True, "crossings", None),
        ("3x4", False, "turns", None),
        ("3x4", False, "crossings", None),
        ("4x5", False, "turns", None),
        pytest.param("5x5", False, "turns", None, marks=pytest.mark.slow),
    ],
)
def test_optima_are_certified_from_below(board, closed, metric, value, tmp_path: Path) -> None:
    problem = Problem(graph_of(board), "cycle" if closed else "path", metric)
    if board != "6x6":
        assert value in (None, least(problem))
        value = least(problem)
    write_folder(problem, value - 1, tmp_path)
    checked = check_folder(tmp_path)
    assert checked.statement.value == value
    assert f"at least {value} {metric}" in str(checked)
    if board != "6x6":
        with pytest.raises(KTError, match=f"solution of value {value}"):
            write_folder(problem, value, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("board", "metric", "value"), [("8x8", "turns", 45), ("4x20", None, None)])
def test_larger_proofs_are_checked(board: str, metric: str | None, value: int | None, tmp_path: Path) -> None:
    write_folder(Problem(graph_of(board), "cycle", metric), None if value is None else value - 1, tmp_path)
    assert check_folder(tmp_path).statement.value == value


@pytest.mark.parametrize(
    ("board", "symmetry", "metric"),
    [
        ("5x6", "mirror-x", None),
        ("6x6", "rot90", "turns"),
        ("6x6", "rot180", "turns"),
        pytest.param("6x6", "rot180", "crossings", marks=pytest.mark.slow),
    ],
)
def test_symmetric_tours(board: str, symmetry: str, metric: str | None, tmp_path: Path) -> None:
    problem = Problem(graph_of(board), "cycle", metric, symmetry=(Symmetry.parse(symmetry),))
    if metric is None:
        assert not solutions(problem)
        write_folder(problem, None, tmp_path)
    else:
        result = solve(problem, engine="cpsat", limits=Limits(workers=2))
        assert result.status == "optimal"
        write_folder(problem, result.value - 1, tmp_path)
    assert "symmetric under" in str(check_folder(tmp_path))


@pytest.mark.parametrize(
    ("board", "connectivity", "terminals"),
    [("3x3", "paths", (0, 1)), ("3x3", "linkage", (0, 1)), ("5x5", "any", ()), ("4x4", "linkage", (0, 15)),
     ("3x3", "any", (4,)), ("4x4", "paths", (0, 15))],
)  # fmt: skip
def test_proofs_of_other_connectivities_are_checked(
    board: str, connectivity: str, terminals: tuple[int, ...], tmp_path: Path
) -> None:
    problem = Problem(graph_of(board), connectivity, None, terminals)
    write_folder(problem, None, tmp_path)
    check_folder(tmp_path)


def test_negative_weights_are_proved(tmp_path: Path) -> None:
    weights = Weights(np.array([0]), np.array([1]), np.array([-3]))
    problem = Problem(graph_of("5x6"), "cycle", weights)
    with pytest.raises(KTError, match="of value -3"):
        prove(problem, -3, tmp_path / "none")
    assert prove(problem, -4, tmp_path / "proof")
    assert check_folder(tmp_path / "proof").statement.value == -3
    write_formula(3, [[]], tmp_path / FORMULA)  # A hand-made claim that no value is below 0
    (tmp_path / PROOF).write_text("9999 0 1 0\n")
    manifest = Manifest(problem, 0, {}, (), (), ()).to_json()
    manifest["counters"] = [{"of": "objective", "nodes": []}]
    manifest["groups"] = [{"rule": "counter", "counter": 0, "clauses": 1}]
    seal(tmp_path, manifest)
    with pytest.raises(CertificateError, match="does not follow"):
        check_folder(tmp_path)


# -- the process and the command line ---------------------------------------------------------------------------------


def test_prove_writes_and_gives_up_cleanly(tmp_path: Path) -> None:
    problem = Problem(graph_of("6x6"), "cycle", "turns")
    folder = tmp_path / "proof"
    words: list[str] = []
    assert prove(problem, 31, folder, on_progress=lambda now: words.append(now.words)) and words
    assert sorted(p.name for p in folder.iterdir()) == sorted(FILES)
    check_folder(folder, on_progress=lambda now: words.append(now.words))
    with pytest.raises(KTError, match="not empty"):
        prove(problem, 31, folder)
    hard = Problem(graph_of("12x12"), "cycle", "crossings")
    assert not prove(hard, 300, tmp_path / "late", limits=Limits(0.2))
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    empty = tmp_path / "empty"
    empty.mkdir()
    assert not prove(hard, 300, empty, limits=Limits(stop=stop))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["empty", "proof"] and not list(empty.iterdir())
    with pytest.raises(KTError, match="there is a solution of value"):
        prove(problem, 40, tmp_path / "false")
    require_proof_directory(tmp_path / "no" / "folder")
    assert not prove(hard, 300, tmp_path / "no" / "folder", limits=Limits(0.2))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["empty", "proof"]  # Nothing is left of folders it made
    (tmp_path / "file").write_text("")
    with pytest.raises(KTError, match="not a folder"):
        require_proof_directory(tmp_path / "file")
    with pytest.raises(KTError, match="not done within"):
        check_folder(folder, limits=Limits(0))


def test_kt_solve_writes_a_proof_that_kt_check_accepts(tmp_path: Path) -> None:
    folder = str(tmp_path / "proof")
    data = kt_json("solve", "6x6", "--minimize", "turns", "--proof", folder)
    assert data["exit"] == 0 and data["proof"] == folder and "kt check" in data["how"]
    result = kt("check", folder)
    assert result.exit_code == 0 and "at least 32 turns in every closed knight's tour of 6x6" in result.stdout
    one_line_refusal(kt("solve", "4x8", "--proof", folder), "not empty")
    result = kt("solve", "4x8", "--proof", str(tmp_path / "none"))
    assert result.exit_code == 0 and "kt check" in result.stdout
    assert "no closed knight's tour of 4x8" in kt("check", str(tmp_path / "none")).stdout
    (tmp_path / "none" / PROOF).write_text("9999 0 1 0\n")
    result = kt("check", str(tmp_path / "none"))
    assert result.exit_code == 1 and "WRONG" in result.stdout
    result = kt("solve", "6x6", "--proof", str(tmp_path / "tour"))
    assert result.exit_code == 0 and "a tour is its own proof" in result.stderr
    one_line_refusal(kt("check", str(tmp_path)), "not a proof folder or a run")


# -- the engine that proves as it searches -----------------------------------------------------------------------------


def raced(problem: Problem, folder: Path, limits: Limits = NO_LIMITS) -> Report:
    return race(Run.of(problem, limits, silent), [ProvingEngine(problem, str(folder))])


def test_one_run_finds_a_tour_or_writes_a_proof(tmp_path: Path) -> None:
    report = raced(Problem(graph_of("6x6")), tmp_path / "tour")
    assert report.status == "feasible" and report.edges is not None
    assert Result(Problem(graph_of("6x6")), "feasible", edges=report.edges).tour is not None
    assert not (tmp_path / "tour").exists()
    report = raced(Problem(graph_of("4x4"), "path"), tmp_path / "none")
    assert report.status == "infeasible" and check_folder(tmp_path / "none").statement.kind == "infeasible"


def test_proof_ends_with_the_limits_and_leaves_nothing_behind(tmp_path: Path) -> None:
    pairs = dot_products(60)
    graph = MoveGraph.from_edges(1 + max(map(max, pairs)), pairs)
    report = raced(Problem(graph), tmp_path / "late", Limits(0.1))
    assert report.status == "unknown" and not list(tmp_path.iterdir())


def test_the_answer_that_a_certificate_does_not_show_is_proved_by_the_run_that_found_it(tmp_path: Path) -> None:
    problem = Problem(graph_of("4x4"), "path")
    solving = begin(Request(problem, proof=str(tmp_path / "proof")), Run.of(problem, NO_LIMITS, silent))
    assert solving.request.proving
    by_engines(solving)
    result, fault = prove_result(solving.run.standing.result(), str(tmp_path / "proof"), NO_LIMITS)
    assert fault is None and result.status == "infeasible" and result.engine == ProvingEngine.name
    assert "no open knight's tour of 4x4" in str(check_folder(tmp_path / "proof"))
    assert sorted(path.name for path in (tmp_path / "proof").iterdir()) == sorted([*FILES, RESULT])


def test_a_disk_that_fills_after_the_proof_loses_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem(graph_of("4x4"), "path")
    assert raced(problem, tmp_path / "proof").status == "infeasible"

    def full(path: object, value: object) -> None:
        raise CannotWrite(f"{path}: cannot write: no room")

    monkeypatch.setattr("encoders.proof_folder.write_json", full)
    result, fault = prove_result(Result(problem, "infeasible"), str(tmp_path / "proof"), NO_LIMITS)
    assert result.status == "infeasible" and isinstance(fault, CannotWrite)
