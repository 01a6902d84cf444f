"""Nothing that an adversary does to a proof, its formula or its manifest makes a false claim pass."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from encoders.proof.formula import ProofFormula
from encoders.proof.log import log_proof
from encoders.proof.prove import write_folder, write_formula
from kt_models import CertificateError, KTError, Problem, graph_of
from kt_models.kernel.certificates.proofs.check_folder import check_folder
from kt_models.kernel.certificates.proofs.dimacs import read_formula
from kt_models.kernel.certificates.proofs.manifest import FORMULA, MANIFEST, PROOF, Manifest
from tests.command import kt, one_line_refusal
from tests.effort import part_of
from tests.proof_tools import FILES, TOUR, altered_clauses, claim_is_true, honest_folders, least, seal


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return honest_folders(tmp_path_factory)


@given(st.sampled_from(["turns", "4x6", "path"]), st.sampled_from([FORMULA, PROOF]), st.data())
@settings(max_examples=part_of(80), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_digests_catch_any_alteration(folders, tmp_path: Path, name: str, file: str, data: st.DataObject) -> None:
    for copied in FILES:
        shutil.copy(folders[name] / copied, tmp_path)
    content = bytearray((tmp_path / file).read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    (tmp_path / file).write_bytes(bytes(content))
    with pytest.raises(CertificateError, match=f"{file} is not the file"):
        check_folder(tmp_path)


def numbers_in(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where the numbers and texts of a JSON value are."""
    if isinstance(data, dict):
        return [p for key, value in data.items() for p in numbers_in(value, (*path, key))]
    if isinstance(data, list):
        return [path, *(p for i, value in enumerate(data) for p in numbers_in(value, (*path, i)))]
    return [path]


def put(data: Any, path: tuple[Any, ...], value: Any) -> None:
    for key in path[:-1]:
        data = data[key]
    data[path[-1]] = value


def get(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


BOARDS = ["5x6", "3x10", "3x4", "4x5", "4x6", "4x4", "6x5"]


def altered_manifest(data: dict[str, Any], draw: st.DataObject) -> dict[str, Any]:
    """One or two changes anywhere: a number off, a list shorter or longer, another board, claim or rule."""
    data = copy.deepcopy(data)
    for _ in range(draw.draw(st.integers(1, 2))):
        path = draw.draw(
            st.sampled_from([p for p in numbers_in(data) if p and p[0] not in ("sha256", "version", "kind")])
        )
        value = get(data, path)
        if path == ("problem", "board"):
            put(data, path, draw.draw(st.sampled_from(BOARDS)))
        elif isinstance(value, bool) or not isinstance(value, int | list):
            put(
                data,
                path,
                draw.draw(st.sampled_from(["turns", "crossings", "cycle", "path", "degree", "counter", None])),
            )
        elif isinstance(value, int):
            near = st.integers(value - 3, value + 3) | st.integers(0, 60)
            put(data, path, draw.draw(near | st.sampled_from([-1, 10**12, 1.5, True, "1", None])))
        elif value:
            i = draw.draw(st.integers(0, len(value) - 1))
            change = draw.draw(st.sampled_from(["drop", "double", "reverse", "empty"]))
            new = {
                "drop": value[:i] + value[i + 1 :],
                "double": [*value, value[i]],
                "reverse": value[::-1],
                "empty": [],
            }
            put(data, path, new[change])
    return data


def accepted_claim_is_true(folder: Path) -> bool:
    """Check a folder; False only if a false claim passes."""
    try:
        checked = check_folder(folder)
    except KTError:
        return True
    return claim_is_true(checked.statement.problem, checked.statement.value)


FUZZ = settings(
    max_examples=part_of(180),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@given(st.sampled_from(["turns", "4x6", "path", "symmetry"]), st.data())
@FUZZ
def test_no_alteration_of_an_honest_proof_shows_what_is_false(
    folders, tmp_path, name: str, draw: st.DataObject
) -> None:
    """Manifest, formula and proof changed at will, digests made anew."""
    for copied in FILES:
        shutil.copy(folders[name] / copied, tmp_path)
    data = json.loads((tmp_path / MANIFEST).read_text())
    clauses = read_formula(tmp_path / FORMULA)
    top = max(abs(literal) for clause in clauses for literal in clause)
    if draw.draw(st.booleans()):
        data = altered_manifest(data, draw)
    if draw.draw(st.booleans()):
        (tmp_path / FORMULA).unlink(missing_ok=True)
        write_formula(top, altered_clauses(clauses, top, draw), tmp_path / FORMULA)
    lines = (tmp_path / PROOF).read_text().splitlines()
    change = draw.draw(st.sampled_from(["", "", "cut", "shuffle", "drop", "early", "delete"]))
    i = draw.draw(st.integers(0, len(lines) - 1))
    lines = {
        "": lines,
        "cut": lines[:i],
        "shuffle": lines[i:] + lines[:i],
        "drop": lines[:i] + lines[i + 1 :],
        "early": [*lines[:i], "0"],
        "delete": [*(f"d {' '.join(map(str, c))} 0" for c in clauses[: i + 1]), *lines],
    }[change]
    (tmp_path / PROOF).write_text("".join(f"{line}\n" for line in lines))
    seal(tmp_path, data)
    assert accepted_claim_is_true(tmp_path)


FALSE = {
    "turns": (Problem(graph_of("5x6"), "cycle", "turns"), 28),
    "crossings": (Problem(graph_of("3x4"), "path", "crossings"), None),
    "path": (Problem(graph_of("3x4"), "path", "turns"), None),
    "ends": (Problem(graph_of("4x5"), "path"), None),
    "given": (
        Problem(graph_of("5x6"), required=frozenset(TOUR[:3]), forbidden=frozenset(range(20)) - set(TOUR)),
        None,
    ),
}
"""Problems with a solution (of at most the number)."""


@pytest.fixture(scope="module")
def false_claims() -> dict[str, tuple[dict[str, Any], int, list[list[int]]]]:
    """Manifest, number of variables and clauses of false claims, everything right but that there is no proof."""
    made = {}
    for name, (problem, at_most) in FALSE.items():
        at_most = least(problem) if problem.objective else at_most
        assert not claim_is_true(problem, None if at_most is None else at_most + 1)
        formula = ProofFormula(problem, at_most)
        n = problem.graph.n
        formula.add_cut_sets([list(range(k)) for k in (1, 2, n // 2)])
        bound = None if at_most is None else at_most + 1
        manifest = Manifest(
            problem, bound, {}, tuple(formula.counted), tuple(formula.counters), tuple(formula.groups), "an adversary"
        )
        made[name] = json.loads(json.dumps(manifest.to_json())), formula.top, formula.clauses
    return made


@given(st.sampled_from(sorted(FALSE)), st.data())
@FUZZ
def test_no_false_claim_is_explained(false_claims, tmp_path: Path, name: str, draw: st.DataObject) -> None:
    """An adversary changes clauses until there is no model, has a solver write a perfect proof, and explains away."""
    data, top, clauses = false_claims[name]
    if draw.draw(st.booleans()):
        data = altered_manifest(data, draw)
    data, clauses = copy.deepcopy(data), altered_clauses(clauses, top, draw)
    missing = len(clauses) - sum(g["clauses"] for g in data["groups"] if type(g.get("clauses")) is int)
    if missing and data["groups"]:  # Have the groups explain as many clauses as there are
        group = draw.draw(st.sampled_from(data["groups"]))
        if type(group.get("clauses")) is int:
            group["clauses"] += missing
    (tmp_path / FORMULA).unlink(missing_ok=True)
    write_formula(top, clauses, tmp_path / FORMULA)
    try:
        log_proof(clauses, tmp_path / PROOF)
    except KTError:  # It still has a model
        (tmp_path / PROOF).write_text("9999999 0 1 0\n")
    seal(tmp_path, data)
    assert accepted_claim_is_true(tmp_path)


def cheat_smaller_limit(data, clauses):
    """The clauses of a smaller, true bound."""
    formula = ProofFormula(FALSE["turns"][0], 27)
    true = Manifest(formula.problem, 28, {}, tuple(formula.counted), tuple(formula.counters), tuple(formula.groups))
    return {**data, **{k: true.to_json()[k] for k in ("counted", "counters", "groups")}}, formula.clauses


def cheat_heavier(data, clauses):
    """Each turn counts for two."""
    formula = ProofFormula(FALSE["turns"][0], 28)
    heavier = ProofFormula.__new__(ProofFormula)
    heavier.__dict__.update(formula.__dict__)
    pairs = next(i for i, g in enumerate(formula.groups) if g.rule == "pair")
    kept = sum(g.clauses for g in formula.groups[: pairs + 1])
    heavier.explained, heavier.clauses = formula.explained[: pairs + 1], formula.clauses[:kept]
    heavier.counted, heavier.counters = [(v, 2) for v, _ in formula.counted], []
    heavier.top = max(v for v, _ in formula.counted)
    heavier.count("objective", heavier.counted, 28, None)
    parts = Manifest(
        formula.problem, 29, {}, tuple(heavier.counted), tuple(heavier.counters), tuple(heavier.groups)
    ).to_json()
    return {**data, **{k: parts[k] for k in ("counted", "counters", "groups")}}, heavier.clauses


def cheat_twice_below(data, clauses):
    """An item is added to itself."""
    nodes = data["counters"][0]["nodes"]
    for node in nodes:
        node[1] = node[0]
    return data, clauses


def cheat_edge_is_counted(data, clauses):
    """A counted variable that is an edge's: it would have to be chosen with any turn."""
    old = data["counted"][0][0]
    data["counted"][0][0] = 1
    return data, [[1 if x == old else -1 if x == -old else x for x in clause] for clause in clauses]


def cheat_empty_clause(data, clauses):
    data["groups"].append({"rule": "counter", "counter": 0, "clauses": 1})
    return data, [*clauses, []]


def cheat_whole_board(data, clauses):
    """A vertex set that nothing has to leave."""
    data["groups"].append({"rule": "cut-set", "sets": [list(range(30))], "clauses": 1})
    return data, [*clauses, []]


def cheat_no_set(data, clauses):
    data["groups"].append({"rule": "cut-set", "sets": [[]], "clauses": 1})
    return data, [*clauses, []]


def cheat_trailing_clause(data, clauses):
    return data, [*clauses, []]


def cheat_two_definitions(data, clauses):
    data["counted"].append(list(data["counted"][0]))
    return data, [*clauses]


def cheat_required(data, clauses):
    data["groups"] += [{"rule": "required", "clauses": 1}, {"rule": "forbidden", "clauses": 1}]
    return data, [*clauses, [1], [-1]]


CHEATS = [
    cheat_smaller_limit, cheat_heavier, cheat_twice_below, cheat_edge_is_counted, cheat_empty_clause,
    cheat_whole_board, cheat_no_set, cheat_trailing_clause, cheat_two_definitions, cheat_required,
]  # fmt: skip


@pytest.mark.parametrize("cheat", CHEATS)
def test_every_cheat_is_noticed(cheat, false_claims, tmp_path: Path) -> None:
    """Each would make 29 turns on 5x6 (which has a tour with 28) a bound, were it not looked for."""
    data, top, clauses = false_claims["turns"]
    data, clauses = cheat(copy.deepcopy(data), copy.deepcopy(clauses))
    (tmp_path / FORMULA).unlink(missing_ok=True)
    write_formula(max([top, *(abs(x) for clause in clauses for x in clause)]), clauses, tmp_path / FORMULA)
    try:
        log_proof(clauses, tmp_path / PROOF)
    except KTError:
        assert cheat in (cheat_twice_below, cheat_two_definitions, cheat_edge_is_counted)
        (tmp_path / PROOF).write_text("9999999 0 1 0\n")
    seal(tmp_path, data)
    with pytest.raises(CertificateError) as refusal:
        check_folder(tmp_path)
    assert "step" not in str(refusal.value)  # The meaning was refused, not the proof


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (FORMULA, "p cnf 10 2\n1 0\n"),
        (FORMULA, "p cnf 1 1\n1 2 0\n"),
        (FORMULA, "1 0\n"),
        (FORMULA, "p cnf 1 1\n1\n"),
        (FORMULA, "p cnf 1 1\np cnf 1 1\n1 0\n"),
        (FORMULA, "p cnf 99999999999 0\n"),
        (FORMULA, "p cnf x y\n"),
        (FORMULA, "%\n"),
        (FORMULA, "\0" * 20),
        (PROOF, "1 2\n"),
        (PROOF, "d\n"),
        (PROOF, "1e3 0\n"),
        (PROOF, "99999999999 0\n"),
        (PROOF, "0 0\n"),
        (PROOF, "a\0\0"),
        (PROOF, "1 0 2 0 3 0\n"),
        (MANIFEST, "[]"),
        (MANIFEST, "{"),
        (MANIFEST, '{"version": 2, "kind": "proof"}'),
    ],
)
def test_unreadable_files_are_refused(folders, tmp_path: Path, file: str, text: str) -> None:
    for copied in FILES:
        shutil.copy(folders["4x6"] / copied, tmp_path)
    data = json.loads((tmp_path / MANIFEST).read_text())
    (tmp_path / file).write_text(text)
    if file != MANIFEST:
        seal(tmp_path, data)
    one_line_refusal(kt("check", str(tmp_path)))
    (tmp_path / file).unlink()
    one_line_refusal(kt("check", str(tmp_path)))


@pytest.mark.parametrize("names", [["../formula.cnf", PROOF], [FORMULA], [FORMULA, PROOF, "/etc/passwd"]])
def test_only_the_two_files_are_named(folders, tmp_path: Path, names: list[str]) -> None:
    for copied in FILES:
        shutil.copy(folders["4x6"] / copied, tmp_path)
    data = json.loads((tmp_path / MANIFEST).read_text())
    (tmp_path / MANIFEST).write_text(json.dumps({**data, "sha256": dict.fromkeys(names, "0")}))
    one_line_refusal(kt("check", str(tmp_path)), "sha256")


@pytest.mark.parametrize(
    "change",
    [
        {"vertices": 4, "edges": [[0, 1], [1, 2], [1, 3]]},
        {"cells": [[0, 0], [1, 2], [2, 0], [4, 4]]},
    ],
    ids=str,
)
def test_names_are_not_believed(change: dict[str, Any], tmp_path: Path) -> None:
    """A graph or a board of one's own is not called by the name that the manifest gives it."""
    problem = Problem.from_json({"board": "5x6", "leaper": "1,2", "connectivity": "cycle", **change})
    write_folder(problem, None, tmp_path)
    data = json.loads((tmp_path / MANIFEST).read_text())
    seal(tmp_path, {**data, "problem": {**data["problem"], **change}})
    text = check_folder(tmp_path).statement.text
    assert "turns" not in text
    name = "cells a1 b3 c1 e5" if "cells" in change else "the graph (4 vertices, 3 edges, SHA-256 "
    assert name in text and "of 5x6" not in text


def test_weights_are_not_called_by_the_name_of_a_metric_that_they_are_not() -> None:
    data = {"board": "5x6", "leaper": "1,2", "connectivity": "cycle", "objective": "turns", "weights": [[0, 1, 9]]}
    with pytest.raises(KTError, match="are not its weights"):
        Problem.from_json(data)
