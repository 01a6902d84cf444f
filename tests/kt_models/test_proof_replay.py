"""The steps of proofs: what solvers log, and what is replayed and what is not."""

from __future__ import annotations

import json
import shutil
from io import BytesIO
from pathlib import Path

import pytest

from encoders.proof.log import PROVERS, log_proof
from kt_models import CertificateError, KTError
from kt_models.certificates.proofs import drat
from kt_models.certificates.proofs.dimacs import proof_steps
from kt_models.certificates.proofs.drat import replay
from kt_models.certificates.proofs.folder import check_folder
from kt_models.certificates.proofs.manifest import FORMULA, MANIFEST, PROOF
from tests.effort import slow
from tests.proof_tools import honest_folders, pigeons, seal


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return honest_folders(tmp_path_factory)


def steps_of_file(path: Path) -> list[tuple[bool, list[int]]]:
    with open(path, "rb") as stream:
        return list(proof_steps(stream, path))


# -- solvers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", [*PROVERS, "cadical103", "cadical300", "glucose3", "glucose4", "gluecard4", "ergo"])
@pytest.mark.parametrize("clauses", [pigeons(1), pigeons(5), [[1], [-1]], [[1, 2], []]], ids=str)
def test_proofs_of_several_solvers(solver: str, clauses: list[list[int]], tmp_path: Path) -> None:
    path = tmp_path / PROOF
    whole = log_proof(solver, clauses, path)
    if not solver.startswith("cadical") and len(clauses) < 4 and [] not in clauses:
        assert not whole  # units suffice, and the log is empty
        return
    assert whole
    for engine in ("native", "python"):
        assert replay(clauses, lambda: steps_of_file(path), engine).steps


@pytest.mark.parametrize("solver", ["maplecm", "maplesat"])
def test_solvers_with_wrong_or_short_proofs_are_noticed(solver: str, tmp_path: Path) -> None:
    path, fine = tmp_path / PROOF, []
    for n in (1, 2, 5):
        whole = log_proof(solver, pigeons(n), path)
        try:
            replay(pigeons(n), lambda: steps_of_file(path), "native")
            fine.append(whole)
        except KTError:
            continue
    assert all(fine) and len(fine) < 3


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of a Minisat that was never made
@pytest.mark.parametrize("solver", ["minisat22", "mergesat3"])
def test_solvers_without_proofs_are_refused(solver: str, tmp_path: Path) -> None:
    with pytest.raises(KTError, match="it logs no proofs"):
        log_proof(solver, pigeons(2), tmp_path / PROOF)


# -- replaying --------------------------------------------------------------------------------------------------------


def steps_of(text: str) -> list[tuple[bool, list[int]]]:
    return list(proof_steps(BytesIO(text.encode()), Path(PROOF)))


def rat_proof(folder: Path) -> tuple[list[list[int]], str]:
    """Four pigeons, three holes; a proof that begins with a new variable 13, 1 and 2 together, and deletes clauses."""
    assert log_proof("cadical153", pigeons(3), folder / "log")
    return pigeons(3), "-13 1 0\n-13 2 0\n13 -1 -2 0\n" + (folder / "log").read_text()


def run_replay(clauses: list[list[int]], text: str, engine: str = "native") -> drat.Replay:
    return replay(clauses, lambda: steps_of(text), engine)


@pytest.mark.parametrize("engine", ["native", "python"])
def test_replaying(engine: str, tmp_path: Path) -> None:
    square = [[1, 2], [-1, 2], [1, -2], [-1, -2]]
    assert run_replay(square, "2 0\n0\n", engine).rat_steps == 0
    clauses, text = rat_proof(tmp_path)
    assert run_replay(clauses, text, engine).rat_steps == 2
    for text in ("2 0\n", "", "d 1 2 0\nd -1 2 0\n0\n"):
        with pytest.raises(CertificateError):
            run_replay(square, text, engine)
    with pytest.raises(CertificateError, match="step 1"):
        run_replay([[1, 2]], "0\n", engine)


@pytest.mark.parametrize("engine", ["native", "python"])
def test_deletions_do_not_help_rat_steps(engine: str) -> None:
    """What dratify alone (0.1.10) accepts: a refutation of a formula that has a model."""
    with pytest.raises(CertificateError):
        run_replay([[1], [-1, 2]], "d -1 2 0\n-2 0\n0\n", engine)


@pytest.mark.parametrize("size", [3, 100, *slow([1, 7])])
def test_blocks_do_not_matter(size: int, folders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drat, "BLOCK_STEPS", size)
    monkeypatch.setattr(drat, "GROWTH", 0)
    for name in ("turns", "4x6", "path"):
        assert check_folder(folders[name]).replay.steps > 3
    assert run_replay(*rat_proof(tmp_path)).rat_steps == 2
    with pytest.raises(CertificateError):
        run_replay([[1], [-1, 2]], "d -1 2 0\n-2 0\n0\n")
    lines = (folders["turns"] / PROOF).read_text().splitlines(keepends=True)
    for cut in (0, 1, len(lines) // 2, len(lines) - 1):
        data = json.loads((folders["turns"] / MANIFEST).read_text())
        shutil.copy(folders["turns"] / FORMULA, tmp_path)
        (tmp_path / PROOF).write_text("".join(lines[:cut]))
        seal(tmp_path, data)
        with pytest.raises(CertificateError, match="cut short"):
            check_folder(tmp_path)
