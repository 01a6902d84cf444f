"""The proofs beside the theorems, and what the code says of their lemmas, are in step."""

from __future__ import annotations

import ast
import importlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import theorems
from kt_models.kernel.certificates.methods import Lemmas
from kt_models.kernel.certificates.methods import theorems as known_theorems
from tests.house import ROOT

ROOM = Path(theorems.__file__).parent
FOLDERS = sorted(path.parent for path in ROOM.glob("*/proof.md"))
ALL = [ROOM, *FOLDERS]
"""With what the theorems share."""
NAMED = re.compile(r"Lemma (\d+) \(([^)]+)\)")
IDS = [folder.name for folder in FOLDERS]
ALL_IDS = [folder.name for folder in ALL]
RESTS_ON_NONE = {"aztec_rings": {"no mirror"}}
"""Lemmas on which no claim rests."""


class Lemma(NamedTuple):
    """A lemma of a proof."""

    number: int
    name: str
    functions: tuple[str, ...]
    text: str


def lemmas_of(folder: Path) -> list[Lemma]:
    """The lemmas of a proof, each with what checks it."""
    found = []
    for part in re.split(r"^### ", (folder / "proof.md").read_text(), flags=re.M)[1:]:
        heading, _, rest = part.partition("\n")
        number, name = NAMED.fullmatch(heading).groups()
        known, _, text = rest.strip().partition("**")
        assert known.startswith(("*By hand.*", "*By program:*")), heading
        functions = tuple(re.findall(r"`([\w.]+)`", known))
        assert bool(functions) == known.startswith("*By program:*"), heading
        found.append(Lemma(int(number), name, functions, text))
    return found


def docstrings(folder: Path) -> Iterator[tuple[str, str]]:
    """The docstrings of a folder: `module` or `module.Class.function`, and the text on one line."""
    for path in sorted(folder.glob("*.py")):
        todo: list[tuple[str, ast.AST]] = [(path.stem, ast.parse(path.read_text()))]
        while todo:
            name, node = todo.pop()
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                yield name, " ".join((ast.get_docstring(node) or "").split())
                todo += [(f"{name}.{child.name}", child) for child in node.body if hasattr(child, "name")]


def test_each_theorem_has_a_proof() -> None:
    assert {name.replace("-", "_") for name in known_theorems()} == set(IDS)


@pytest.mark.parametrize("folder", ALL, ids=ALL_IDS)
def test_lemmas_are_numbered_and_say_something(folder: Path) -> None:
    lemmas = lemmas_of(folder)
    assert [lemma.number for lemma in lemmas] == list(range(1, len(lemmas) + 1))
    assert len({lemma.name for lemma in lemmas}) == len(lemmas)
    assert all(len(lemma.text.split()) > 20 for lemma in lemmas)


@pytest.mark.parametrize("folder", ALL, ids=ALL_IDS)
def test_a_formula_begins_no_list(folder: Path) -> None:
    """A line of a paragraph that began with `- 1` or `6.` would be shown as an item, and the formula would be lost."""
    before = ""
    for line in (folder / "proof.md").read_text().splitlines():
        if re.match(r"\s{0,3}([-+*]|\d+[.)]) ", line) and before:
            assert re.match(r"([-+*]|\d+\.) |   ?\S", before), (before, line)
        before = line


@pytest.mark.parametrize("folder", ALL, ids=ALL_IDS)
def test_named_lemmas_are_in_the_proofs(folder: Path) -> None:
    """In the code, and in the proof itself."""
    names = {lemma.number: lemma.name for lemma in lemmas_of(folder)}
    proof = " ".join((folder / "proof.md").read_text().split())
    for where, text in [("proof.md", proof), *docstrings(folder)]:
        for number, name in NAMED.findall(text):
            assert names.get(int(number)) == name, (where, number, name)
        for several in re.findall(r"Lemmas ([\d, and to]+)", text):
            assert {int(number) for number in re.findall(r"\d+", several)} <= names.keys(), (where, several)


@pytest.mark.parametrize("folder", ALL, ids=ALL_IDS)
def test_programs_and_lemmas_name_each_other(folder: Path) -> None:
    by_proof = {(lemma.name, function) for lemma in lemmas_of(folder) for function in lemma.functions}
    by_code = {
        (name, where)
        for where, text in docstrings(folder)
        for sentence in re.findall(r"Checks (Lemma [^.]*)\.", text)
        for _, name in NAMED.findall(sentence)
    }
    assert by_proof == by_code
    for _, function in by_proof:
        module, *names = function.split(".")
        package = ".".join(folder.relative_to(ROOM.parent).parts)
        value = importlib.import_module(f"{package}.{module}")
        for name in names:
            value = getattr(value, name)
        assert callable(getattr(value, "func", value))  # A property that is kept is one too


@pytest.mark.parametrize("folder", FOLDERS, ids=IDS)
def test_lemmas_of_claims_are_those_of_the_proof(folder: Path) -> None:
    declared = vars(importlib.import_module(f"{theorems.__name__}.{folder.name}")).values()
    parts = [value for value in declared if isinstance(value, Lemmas)]
    parts += [
        part for value in declared if isinstance(value, dict) for part in value.values() if isinstance(part, Lemmas)
    ]
    lemmas = [lemma for lemma in lemmas_of(folder) if lemma.name not in RESTS_ON_NONE.get(folder.name, ())]
    assert {name for part in parts for name in part.by_hand} == {lemma.name for lemma in lemmas if not lemma.functions}
    assert {name for part in parts for name in part.by_program} == {lemma.name for lemma in lemmas if lemma.functions}


def files() -> list[Path]:
    """Every file that comes with kt and claims something about boards of all sizes."""
    kinds = {kind for theorem in known_theorems().values() for kind in theorem.files}
    paths = sorted(
        [*(ROOT / "heuristics/delivered/results").glob("*.json"), *(ROOT / "heuristics/gadgets").glob("*.json")]
    )
    named = {path: re.search(r'"kind": ?"([\w-]+)"', path.read_text()) for path in paths}
    return [path for path, kind in named.items() if kind and kind[1] in kinds]


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_each_file_rests_on_lemmas_of_both_kinds(path: Path) -> None:
    data = json.loads(path.read_text())
    (theorem,) = (theorem for theorem in known_theorems().values() if data["kind"] in theorem.files)
    lemmas = theorem.lemmas(data)
    known = {lemma.name: lemma for lemma in lemmas_of(ROOM / theorem.name.replace("-", "_"))}
    assert lemmas.by_hand and lemmas.by_program
    assert all(not known[name].functions for name in lemmas.by_hand)
    assert all(known[name].functions for name in lemmas.by_program)
    words = theorem.words(data)
    assert all(name in words for name in lemmas.by_hand + lemmas.by_program)
