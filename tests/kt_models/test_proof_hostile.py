"""Proof folders and proofs of cubes that were made to break things: one line each, no hang, nothing false."""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from encoders.proof.formula import ProofFormula
from encoders.proof.prove import Refuted, formula_text, manifest_of, write_folder, write_proof
from kt_models import CertificateError, KTError, Problem, Result, graph_of
from kt_models.errors import TooLarge
from kt_models.files.check import RESULT, check_directory
from kt_models.kernel.certificates.proofs import dimacs, lrat
from kt_models.kernel.certificates.proofs.check_folder import check_folder
from kt_models.kernel.certificates.proofs.dimacs import ProofStep
from kt_models.kernel.certificates.proofs.manifest import FORMULA, MANIFEST, PROOF
from kt_models.kernel.certificates.statement import Statement
from kt_models.limits import Limits, Stopped
from kt_models.runs import cube_proof
from kt_models.runs.cube_proof import CubeProofs, formula_digest, head_of, packed
from kt_models.runs.cubes import Cube
from tests.command import kt, one_line_refusal
from tests.proof_tools import FILES, honest_folders, seal


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return honest_folders(tmp_path_factory)


@pytest.fixture
def folder(folders, tmp_path: Path) -> Path:
    for name in FILES:
        shutil.copy(folders["4x6"] / name, tmp_path)
    return tmp_path


def reseal(folder: Path) -> None:
    seal(folder, json.loads((folder / MANIFEST).read_text()))


# -- the answer beside the proof ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Answer that 6x6 has no closed tour with under 32 turns: a tour, and a proof without a certificate beside it."""
    folder = tmp_path_factory.mktemp("answered")
    problem = Problem(graph_of("6x6"), "cycle", "turns")
    with pytest.raises(Refuted) as refuted:
        write_proof(ProofFormula(problem, 32), folder / PROOF)
    edges = refuted.value.edges
    write_folder(problem, 31, folder)
    result = Result(problem, "optimal", edges=edges, bound=32)
    (folder / RESULT).write_text(json.dumps(result.to_json()))
    assert "at least 32 turns in every closed knight's tour of 6x6" in check_directory(folder).text
    return folder


def without(*names: str, **more: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda data: {**{k: v for k, v in data.items() if k not in names}, **more}


@pytest.mark.parametrize(
    "change",
    [
        without("tour", "value", "turns", "crossings", "closed", status="infeasible"),
        without("tour", "value", "turns", "crossings", "closed", "bound", status="infeasible"),
        without("tour", "value", "turns", "crossings", "closed", "bound", status="unknown"),
        without("bound", status="feasible"),
        without("tour", "value", "turns", "crossings", "closed", status="unknown", bound=33),
        without(forbidden=[0], status="unknown", bound=32),
        without("tour", "value", "turns", "crossings", status="unknown", bound=32, connectivity="path"),
    ],
)
def test_a_folder_shows_its_answer(change, answered: Path, tmp_path: Path) -> None:
    for name in FILES:
        shutil.copy(answered / name, tmp_path)
    data = json.loads((answered / RESULT).read_text())
    (tmp_path / RESULT).write_text(json.dumps(change(data)))
    with pytest.raises(KTError):
        check_directory(tmp_path)
    result = kt("check", tmp_path)
    assert result.exit_code in (1, 2) and "ok" not in result.stdout


def test_a_weaker_answer_is_shown_too(answered: Path, tmp_path: Path) -> None:
    for name in FILES:
        shutil.copy(answered / name, tmp_path)
    data = json.loads((answered / RESULT).read_text())
    del data["claims"]
    (tmp_path / RESULT).write_text(json.dumps({**data, "status": "feasible", "bound": 30}))
    assert "at least 32 turns" in check_directory(tmp_path).text


# -- proofs and formulas -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "2147483648 1 0 1 0\n",
        "900 2147483648 0 1 0\n",
        "900 -2147483648 0 1 0\n",
        "900 1 0 2147483648 0\n",
        "9" * 5000 + " 1 0 1 0\n",
        "+900 1 0 1 0\n",
        "900 1_0 0 1 0\n",
        "900 --1 0 1 0\n",
        "900 - 0 1 0\n",
        "900 -0 0 1 0\n",
        "900 0 0 0\n",
        "900 \u0661 0 1 0\n",
        "0 0 1 0\n",
        "900 d 0 1 0\n",
        "900 d 1\n",
        "d 1 0\n",
        "900 1 0 d 1 0\n",
        "a 900 1 0 1 0\n",
        "\xff\xfe",
        "900 1\x000 1 0\n",
        "900 1 0 1",
        "900 1 0\n",
        "900 1 2 3",
        "900 d\n",
        "900\n",
        "900 1.0 0 1 0\n",
        "900 0 1 0",  # Follows from nothing
        "900 " + "1 " * 9_000_000 + "0 1 0\n",
        "\n" * 100,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_hostile_steps_are_refused(text: str, folder: Path) -> None:
    (folder / PROOF).write_text(text, encoding="latin-1" if text.isascii() or "\xff" in text else "utf-8")
    reseal(folder)
    with pytest.raises(KTError):
        check_folder(folder)
    result = kt("check", folder)
    assert result.exit_code in (1, 2) and result.output.count("\n") == 1 and "internal" not in result.output


@pytest.mark.parametrize("text", ["900 d 400000 0\n", "900 d 1 1 0\n", "900 d -1 0\n", "900 d 0 1 0\n"])
def test_deletions_of_what_is_not_there(text: str, folder: Path) -> None:
    (folder / PROOF).write_text(text + (folder / PROOF).read_text())
    reseal(folder)
    with pytest.raises(KTError, match=r"does not exist|not a step"):
        check_folder(folder)


@pytest.mark.parametrize(
    "text",
    [
        "p cnf 2147483647 0\n",
        "p cnf 2147483648 0\n",
        "p cnf -1 0\n",
        "p cnf 1 -1\n",
        "p cnf 1\n",
        "p  cnf 1 1 1\n1 0\n",
        "p cnf 2147483647 1\n2147483647 0\n",
        "p cnf 9 1\n" + "1 " * 9_000_000 + "0\n",
        "p cnf 1 1\n1 0 1\n",
        "p cnf 1 1\n0 0\n",
    ],
    ids=lambda text: repr(text[:24]),
)
def test_hostile_formulas_are_refused(text: str, folder: Path) -> None:
    (folder / FORMULA).write_text(text)
    (folder / PROOF).write_text("0\n")
    reseal(folder)
    with pytest.raises(KTError):
        check_folder(folder)


def test_numbers_of_variables_take_no_memory(folder: Path) -> None:
    """A header may say what it likes: variables are numbered as they are met."""
    lines = (folder / FORMULA).read_text().splitlines()
    lines[0] = f"p cnf 2147483647 {lines[0].split()[3]}"
    (folder / FORMULA).write_text("\n".join(lines) + "\n")
    reseal(folder)
    check_folder(folder)


def test_memory_is_limited_while_reading(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLarge, match="memory"):
        check_folder(folder, limits=Limits(memory=10_000))
    monkeypatch.setattr(dimacs, "MAX_PROOF_BYTES", 100)
    with pytest.raises(TooLarge, match="larger than 100"):
        check_folder(folder)
    monkeypatch.setattr(dimacs, "MAX_FORMULA_BYTES", 100)
    with pytest.raises(TooLarge, match="larger than 100"):
        check_folder(folder)


def test_lemmas_are_limited() -> None:
    lemmas = (ProofStep(number, [1, 2, *range(3, 9)], [1]) for number in range(2, 10_000))
    with pytest.raises(TooLarge):
        lrat.replay([[1, 2]], lemmas, Limits(memory=100_000))
    gone = (ProofStep(2 + i // 2, None if i % 2 else [1, 2], [2 + i // 2 if i % 2 else 1]) for i in range(20_000))
    with pytest.raises(CertificateError, match="cut short"):
        lrat.replay([[1, 2]], gone, Limits(memory=100_000))


@pytest.mark.parametrize("name", FILES)
def test_pipes_and_folders_are_refused(name: str, folder: Path) -> None:
    (folder / name).unlink()
    os.mkfifo(folder / name)
    with pytest.raises(KTError):
        check_folder(folder)
    (folder / name).unlink()
    (folder / name).mkdir()
    one_line_refusal(kt("check", folder))


def test_limits_hold_while_a_proof_is_read(folder: Path) -> None:
    """Steps that follow, for ever: the time limit ends them."""

    class Endless(io.RawIOBase):
        number = 10

        def readline(self, most: int | None = -1) -> bytes:
            self.number += 1
            return b"%d 1 0 1 0\n" % self.number

    limits = Limits(0.2)
    with pytest.raises(Stopped, match=r"not done within 0\.2 seconds"):
        lrat.replay([[1]], dimacs.proof_steps(Endless(), folder, limits), limits)  # type: ignore[arg-type]


# -- manifests ---------------------------------------------------------------------------------------------------------


def node(*numbers: Any) -> dict[str, Any]:
    return {"of": "degree", "vertex": 0, "nodes": [list(numbers)]}


@pytest.mark.parametrize(
    "change",
    [
        {"counters": [node(0, 1, 2**31, [1])]},
        {"counters": [node(0, 1, 1, [1])]},
        {"counters": [node(-1, 1, 900, [1])]},
        {"counters": [node(0, 2**31 - 1, 900, [1])]},
        {"counters": [node(0, 0, 900, [1])]},
        {"counters": [node(0, 1, 900, [0])]},
        {"counters": [node(0, 1, 900, [2**31])]},
        {"counters": [node(0, 1, 900, "1")]},
        {"counters": [{"of": "degree", "nodes": []}]},
        {"counters": [{"of": "degree", "vertex": 10**6, "nodes": []}]},
        {"counters": [{"of": "objective", "nodes": []}]},
        {"counters": [{"of": "ends", "nodes": []}]},
        {"counters": [{"of": []}]},
        {"counters": {}},
        {"counters": [[]]},
        {"counted": [[1, 1]]},
        {"counted": [[900, 0]]},
        {"counted": [[900, 1], [900, 1]]},
        {"counted": [[10**30, 1]]},
        {"counted": [1]},
        {"groups": []},
        {"groups": [{"rule": "degree", "clauses": 2**31 - 1, "vertex": 0}]},
        {"groups": [{"rule": "degree", "clauses": -1}]},
        {"groups": [{"rule": "degree", "clauses": 10**400}]},
        {"groups": [7]},
        {"groups": [{"rule": "cut-set", "clauses": 1, "sets": [[10**9]]}]},
        {"groups": [{"rule": "cut-set", "clauses": 1, "sets": 1}]},
        {"groups": [{"rule": "counter", "clauses": 1, "counter": []}]},
        {"groups": [{"rule": "__init__", "clauses": 1}]},
        {"claim": {"bound": 10**30}},
        {"claim": {"bound": True}},
        {"claim": {"bound": 1}},
        {"claim": {"bound": 1, "status": "infeasible"}},
        {"claim": "infeasible"},
        {"problem": []},
        {"problem": {}},
        {"sha256": []},
        {"version": 0},
        {"version": "1"},
        {"kind": "result"},
    ],
    ids=str,
)
def test_hostile_manifests_are_refused(change: dict[str, Any], folder: Path) -> None:
    data = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps({**data, **change}))
    with pytest.raises(KTError) as refusal:
        check_folder(folder)
    assert len(str(refusal.value)) < 400 and "\n" not in str(refusal.value)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"kind":' * 50_000, "1" * 10_000, "NaN", "\xff", "", '{"a":1}' * 2])
def test_hostile_json_is_refused_in_one_line(text: str, folder: Path) -> None:
    (folder / MANIFEST).write_text(text, encoding="latin-1")
    one_line_refusal(kt("check", folder))


# -- proofs of cubes ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cubes(tmp_path_factory: pytest.TempPathFactory) -> tuple[CubeProofs, bytes]:
    """What checks that 4x6 has no closed tour, and an honest proof of it, unpacked."""
    folder = tmp_path_factory.mktemp("cubes")
    formula = ProofFormula(Problem(graph_of("4x6")), None)
    text = formula_text(formula.top, formula.clauses)
    (folder / FORMULA).write_text(text)
    digests = {FORMULA: formula_digest(text), PROOF: ""}
    (folder / MANIFEST).write_text(json.dumps(manifest_of(formula, None, digests, "").to_json()))
    sets = write_proof(formula, folder / PROOF)
    honest = head_of(Cube(), sets).encode() + (folder / PROOF).read_bytes()
    return CubeProofs(folder, Statement(formula.problem, "infeasible")), honest


def check_packed(proofs: CubeProofs, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "proof.gz"
    path.write_bytes(content)
    proofs.check(path, sha256(content).hexdigest(), Cube())


def test_honest_proofs_of_cubes(cubes, tmp_path: Path) -> None:
    proofs, honest = cubes
    check_packed(proofs, packed(honest), tmp_path)
    check_packed(proofs, packed(honest[:50]) + packed(honest[50:]), tmp_path)  # As gzip has it
    assert proofs.checked["LRAT"] >= 2


@pytest.mark.parametrize(
    "change",
    [
        lambda text: packed(text)[:-9],
        lambda text: packed(text)[:20],
        lambda text: b"",
        lambda text: b"\x1f\x8b",
        lambda text: text,
        lambda text: packed(text) + b"garbage",
        lambda text: packed(text[: text.rindex(b"\n", 0, -1)] + b"\n")[:-4] + b"\0\0\0\0",
        lambda text: bytes(b ^ (i == 40) for i, b in enumerate(packed(text))),
        lambda text: packed(b""),
        lambda text: packed(b"{"),
        lambda text: packed(b"{" * 100_000),
        lambda text: packed(b'{"a": ' + b"1" * 5000 + b"}"),
        lambda text: packed(b"{\xff}"),
        lambda text: packed(b"\xff" + text),
        lambda text: packed(b"c " + b"[" * 100_000 + b"\n"),
        lambda text: packed(text.replace(b"\n", b"\nc cut-set " + b"9" * 5000 + b"\n", 1)),
        lambda text: packed(text.replace(b"\n", b"\nc cut-set x\n", 1)),
        lambda text: packed(text.replace(b"\n", b"\nc cut-set 0 99\n", 1)),
        lambda text: packed(text.replace(b"\n", b"\nc cut-set\n", 1)),
        lambda text: packed(text.replace(b'"version": 2', b'"version": 99', 1)),
        lambda text: packed(text.replace(b'"proof": "lrat"', b'"proof": "drat"', 1)),
    ],
)
def test_hostile_proofs_of_cubes(change, cubes, tmp_path: Path) -> None:
    proofs, honest = cubes
    with pytest.raises(KTError) as refusal:
        check_packed(proofs, change(honest), tmp_path)
    assert "\n" not in str(refusal.value) and len(str(refusal.value)) < 500


@pytest.mark.parametrize("filling", [b"\n", b"c\n", b"c cut-set 0\n", b"9 d 0\n", b" ", b"{"])
def test_compression_bombs_are_refused(filling: bytes, cubes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bomb: 3 MB in 3 kB. It is refused as it is expanded, long before its end."""
    proofs, honest = cubes
    monkeypatch.setattr(cube_proof, "EXTRA_BYTES", cube_proof.EXTRA_BYTES // 100)
    block = filling * (1_000_000 // len(filling))
    path = tmp_path / "bomb.gz"
    with gzip.open(path, "wb") as stream:
        if filling != b"{":
            stream.write(honest.split(b"\n")[0] + b"\n")
        for _ in range(3):
            stream.write(block)
    size = path.stat().st_size
    assert size < 20_000
    with pytest.raises(KTError):
        check_packed(proofs, path.read_bytes(), tmp_path)


def test_expansion_is_counted(cubes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    proofs, honest = cubes
    monkeypatch.setattr(cube_proof, "MAX_PROOF_BYTES", len(honest) - 1)
    with pytest.raises(TooLarge, match="expands"):
        check_packed(proofs, packed(honest), tmp_path)


def test_the_formula_has_to_be_that_of_the_run(cubes, tmp_path: Path) -> None:
    proofs, _ = cubes
    folder = tmp_path / "other"
    folder.mkdir()
    formula = ProofFormula(Problem(graph_of("4x6"), forbidden=frozenset({0})), None)
    text = formula_text(formula.top, formula.clauses)
    (folder / FORMULA).write_text(text)
    digests = {FORMULA: formula_digest(text), PROOF: ""}
    (folder / MANIFEST).write_text(json.dumps(manifest_of(formula, None, digests, "").to_json()))
    with pytest.raises(CertificateError, match="different claims"):
        CubeProofs(folder, proofs.statement)
