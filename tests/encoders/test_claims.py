"""Bounds shown cube by cube: proofs that are checked, forged, killed on the way; and claims that are wrong."""

from __future__ import annotations

import gzip
import json
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from encoders.enumeration.run import RunSettings, begin, resume
from kt_models import CertificateError, KTError, Problem, Symmetry, graph_of
from kt_models.files.check import check_directory
from kt_models.runs.audit import audit
from kt_models.runs.bound_task import BoundTask
from kt_models.runs.cube_proof import packed
from kt_models.runs.folder import proof_path, write_proof
from kt_models.runs.ledger import Ledger
from tests.command import answered as kt
from tests.processes import PATIENCE
from tests.run_tools import edit, finished, forge, killed_at_work


def claim(
    board: str, metric: str | None, at_least: int | None, kind: str = "cycle", symmetry: str = "", proving: bool = True
) -> BoundTask:
    generators = (Symmetry.parse(symmetry),) if symmetry else ()
    problem = Problem(graph_of(board), kind, metric, symmetry=generators)  # type: ignore[arg-type]
    return BoundTask(problem, at_least, proving)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (claim("6x6", "turns", 32), "at least 32 turns in every closed knight's tour of 6x6"),
        pytest.param(claim("5x6", "crossings", 49), "at least 49 crossings", marks=pytest.mark.slow),
        pytest.param(
            claim("4x5", "turns", 12, "path"),
            "at least 12 turns in every open knight's tour of 4x5",
            marks=pytest.mark.slow,
        ),
        (claim("6x6", "turns", 32, symmetry="rot90"), "symmetric under"),
        (claim("4x6", None, None), "no closed knight's tour of 4x6"),
    ],
)
def test_a_finished_run_shows_its_claim(asked: BoundTask, words: str, tmp_path: Path) -> None:
    folder = finished(tmp_path / "run", asked, 6)
    verdict = audit(folder)
    assert verdict.shown == (asked.statement,) and not verdict.stated
    assert words in verdict.text and "certificate checked" in verdict.text
    assert check_directory(folder) == verdict
    proof = tmp_path / "proof"
    assert kt("convert", str(folder), f"{proof}/")[0] == 0
    assert check_directory(proof).shown == verdict.shown
    assert (proof / "proof.lrat").read_text().splitlines()[-1].split()[1] == "0"  # Nothing after the empty clause
    if shutil.which("cake_lpr"):
        assert kt("check", str(proof), "--with", "cake_lpr")[0] == 0
    with Ledger.read(folder) as ledger:
        assert ledger.task.to_json() == asked.to_json() and ledger.status().complete


@pytest.mark.slow
@pytest.mark.parametrize("asked", [claim("8x8", "turns", 45), claim("6x6", "crossings", 52)])
def test_runs_show_the_fewest_that_solve_finds(asked: BoundTask, tmp_path: Path) -> None:
    """What `kt solve` finds on these boards, shown from below."""
    begin(tmp_path / "run", asked, 64)
    assert resume(tmp_path / "run", RunSettings(workers=2)).complete
    assert "certificate checked: a proof for each cube" in audit(tmp_path / "run").text


@pytest.mark.slow
def test_incomplete_runs_are_not_joined(tmp_path: Path) -> None:
    begin(tmp_path / "open", claim("5x6", "crossings", 49), 3)
    finished(tmp_path / "word", claim("4x6", None, None, proving=False), 3)
    begin(tmp_path / "refuted", claim("5x6", None, None), 2)
    resume(tmp_path / "refuted", RunSettings(workers=1))
    finished(tmp_path / "lost", claim("4x6", None, None), 3)
    for path in (tmp_path / "lost" / "proofs").iterdir():
        path.unlink()
    for name, words in (("open", "complete"), ("word", "no proofs"), ("refuted", "complete"), ("lost", "")):
        code, _, err = kt("convert", str(tmp_path / name), f"{tmp_path}/proof-{name}/")
        assert code == 2 and words in err and err.count("\n") == 1


@pytest.mark.parametrize(
    "asked",
    [
        claim("6x6", "turns", 33),
        pytest.param(claim("5x6", None, None), marks=pytest.mark.slow),
        pytest.param(claim("3x10", "crossings", 99), marks=pytest.mark.slow),
    ],
)
def test_a_claim_that_is_too_strong_is_refuted(asked: BoundTask, tmp_path: Path) -> None:
    begin(tmp_path / "run", asked, 4)
    status = resume(tmp_path / "run", RunSettings(workers=1))
    assert status.count >= 1
    with pytest.raises(CertificateError, match="refuted"):
        audit(tmp_path / "run")
    code, out, _ = kt("bound", "--run", str(tmp_path / "run"), "--resume", "--json")
    data = json.loads(out)
    assert code == 1 and data["refuted"] and not data["shown"] and "bound" not in data and len(data["tour"]) >= 30


def test_without_proofs_it_is_the_solvers_word(tmp_path: Path) -> None:
    folder = finished(tmp_path / "run", claim("6x6", "turns", 32, proving=False), 6)
    verdict = audit(folder)
    assert verdict.stated and not verdict.shown and "not certified" in verdict.text
    assert not (folder / "proofs").exists()


# -- forgeries ---------------------------------------------------------------------------------------------------------


def _proof(folder: Path) -> tuple[str, Path]:
    """A cube with an LRAT proof, and the proof's file."""
    with Ledger.read(folder) as ledger:
        for record in ledger.records():
            name, path = record.cube, proof_path(folder, record.proof)
            if gzip.decompress(path.read_bytes()).startswith(b"c"):
                return name, path
    raise AssertionError("no such proof")


def _rewrite(change: Callable[[str], str]) -> Callable[[Path], None]:
    """Another proof for a cube, with the digest that it should have."""

    def forged(folder: Path) -> None:
        name, path = _proof(folder)
        text = gzip.decompress(path.read_bytes()).decode()
        assert change(text) != text
        digest = write_proof(folder, packed(change(text).encode()))
        forge(f"UPDATE record SET proof = '{digest}' WHERE cube = '{name}'")(folder)

    return forged


def _claim_more(folder: Path) -> None:
    """A higher bound, in the task and in the ledger's digest of it."""
    edit("problem.json", '"at_least": 49', '"at_least": 50')(folder)
    digest = sha256((folder / "problem.json").read_bytes()).hexdigest()
    forge(f"UPDATE about SET value = '{digest}'")(folder)


def _stronger_formula(folder: Path) -> None:
    text = (folder / "formula.cnf").read_text()
    header, clauses = text.split("\n", 1)
    (folder / "formula.cnf").write_text(header + "\n" + clauses.replace(" 0\n", " 1 0\n", 1))


def _other_cut_set(text: str) -> str:
    """A set that no solution has to leave: everything."""
    first, rest = text.split("\n", 1)
    return first + "\nc cut-set " + " ".join(map(str, range(30))) + "\n" + rest


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that is accepted as it is."""
    folder = finished(tmp_path_factory.mktemp("honest") / "run", claim("5x6", "crossings", 49), 4)
    audit(folder)
    return folder


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: _proof(folder)[1].write_bytes(b"nothing"),
        edit("manifest.json", '"bound": 49', '"bound": 50'),
        _claim_more,
        _stronger_formula,
        _rewrite(lambda text: text.replace("cube-proof", "cube", 1)),
        _rewrite(lambda text: "\n".join(text.splitlines()[:-1]) + "\n"),
        _rewrite(lambda text: "0\n"),
        _rewrite(lambda text: text[: text.index("\n") + 1] + "0\n"),
        _rewrite(_other_cut_set),
        _rewrite(lambda text: text.replace("\n", "\nc cut-set 99999\n", 1)),
        _rewrite(lambda text: text.replace("\n", "\nc cut-set -1\n", 1)),
        _rewrite(lambda text: '{"kind": "certificate"}'),
        forge("UPDATE record SET proof = (SELECT proof FROM record ORDER BY cube DESC LIMIT 1)"),
        forge("UPDATE record SET proof = '' WHERE cube = (SELECT MIN(cube) FROM record)"),
    ],
)
def test_forged_runs_are_refused(change: Callable[[Path], None], honest: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(honest, folder)
    change(folder)
    with pytest.raises(KTError):
        audit(folder)


def test_a_certificate_of_another_cube(tmp_path: Path) -> None:
    folder = finished(tmp_path / "run", claim("6x6", "turns", 32), 2)
    forge("UPDATE record SET proof = (SELECT proof FROM record ORDER BY cube LIMIT 1)")(folder)
    with pytest.raises(CertificateError, match="another statement"):
        audit(folder)


# -- killed, starved, refused ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_killed_run_is_resumed(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    words = ["bound", "5x6", "--minimize", "crossings", "--at-least", "49", "--cubes", "12", "--workers", "1"]
    killed_at_work(folder, 2, *words)
    with Ledger.read(folder) as ledger:
        before = ledger.status()
        early = [record.cube for record in ledger.records()]
    assert 2 <= before.done < before.cubes == 12
    verdict = audit(folder)
    assert not verdict.shown and f"{before.done} of 12 cubes" in verdict.text
    again = [sys.executable, "-m", "kt", "bound", "--run", str(folder), "--resume", "--workers", "1", "--json"]
    done = subprocess.run(again, timeout=PATIENCE, stdout=subprocess.PIPE)
    assert done.returncode == 0 and json.loads(done.stdout)["bound"] == 49
    with Ledger.read(folder) as ledger:
        order = [record.cube for record in ledger.records()]
    assert order[: len(early)] == early and len(order) == len(set(order)) == 12
    assert "certificate checked: a proof for each cube" in audit(folder).text


def test_a_run_without_room_goes_on_later(tmp_path: Path) -> None:
    """Files may not grow beyond a limit, as on a full disk: one line, nothing lost, and it goes on with more room."""
    folder = tmp_path / "run"
    begin(folder, claim("5x6", "crossings", 49), 16)
    words = [sys.executable, "-m", "kt", "bound", "--run", str(folder), "--resume", "--workers", "1"]
    least = (folder / "ledger.sqlite").stat().st_size

    def starve() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (least + 40_000, least + 40_000))

    starved = subprocess.run(words, timeout=PATIENCE, capture_output=True, text=True, preexec_fn=starve)
    assert starved.returncode == 2 and starved.stderr.count("\n") == 1 and "disk" in starved.stderr
    with Ledger.read(folder) as ledger:
        before = ledger.status()
    assert 0 < before.done < before.cubes and "not complete" in audit(folder).text
    assert resume(folder, RunSettings(workers=1)).complete
    assert "certificate checked" in audit(folder).text


def test_another_formula_is_refused(tmp_path: Path) -> None:
    begin(tmp_path / "run", claim("4x6", None, None), 2)
    edit("manifest.json", '"formula.cnf": "', '"formula.cnf": "0')(tmp_path / "run")
    with pytest.raises(KTError, match="another formula"):
        resume(tmp_path / "run", RunSettings(workers=1))


@pytest.mark.parametrize(
    "words",
    [
        "6x6 --at-least 32 --infeasible --run {}",
        "6x6 --run {}",
        "6x6 --infeasible",
        "6x6 --no-proofs",
        "6x6 --at-least 32 --cubes 4",
        "6x6 --at-least 32 --run {} --method frontier",
        "6x6 --at-least 32 --run {} --certificate c.json",
        "--at-least 32 --run {}",
        "--at-least 32",
        "6x6 --at-least 32 --run {} --resume",
        "--run {} --resume",
        "6x6 --at-least 32 --run {} --memory 0",
    ],
)
def test_bad_words_are_refused_in_one_line(words: str, tmp_path: Path) -> None:
    code, out, err = kt("bound", *words.format(tmp_path / "run").split())
    assert code == 2 and out == "" and err.startswith("kt: ") and err.count("\n") == 1


def test_the_command_shows_a_claim_cube_by_cube(tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    code, out, _ = kt("bound", "6x6", "--at-least", "32", "--run", folder, "--cubes", "4", "--workers", "1", "--json")
    data = json.loads(out)
    assert code == 0 and data["bound"] == 32 and data["shown"] and data["how"].startswith("proof written")
    assert kt("check", folder)[0] == 0
    assert kt("runs", "status", folder)[0] == 0 and kt("runs", "resume", folder)[0] == 0
    code, _, err = kt("enumerate", "--run", folder, "--resume")
    assert code == 2 and "not a run of kt enumerate" in err
