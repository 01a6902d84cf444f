"""The glossary names things by the names that they have in the code."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.house import syntax

ROOT = Path(__file__).parents[2]
ROOMS = ("kt_models", "drawing", "theorems", "heuristics", "encoders", "cli", "kt")
ROWS = [
    cells
    for line in (ROOT / "docs" / "glossary.md").read_text().splitlines()
    if line.startswith("| ") and (cells := [cell.strip() for cell in line.strip("|").split(" | ")])[0] != "Term"
    if set(line) - set("|- ")
]
pytestmark = pytest.mark.checkout
NAMES = sorted({name for *_, code in ROWS for name in re.findall(r"`([^`]+)`", code)})


@cache
def definitions() -> dict[str, set[str]]:
    """Modules, functions and classes of the rooms; for each class the names that it, or a call on `self`, defines."""
    found: dict[str, set[str]] = {}
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            found.setdefault(path.parent.name if path.stem == "__init__" else path.stem, set())
            for node in ast.walk(syntax(path)):
                if isinstance(node, ast.ClassDef):
                    members = [n for n in ast.walk(node) if isinstance(n, ast.FunctionDef | ast.Name | ast.Attribute)]
                    found.setdefault(node.name, set()).update(
                        n.name if isinstance(n, ast.FunctionDef) else n.id if isinstance(n, ast.Name) else n.attr
                        for n in members
                    )
                elif isinstance(node, ast.FunctionDef):
                    found.setdefault(node.name, set())
                elif isinstance(node, ast.Assign):  # An alias, as of a type
                    found.update((t.id, set()) for t in node.targets if isinstance(t, ast.Name) and t.id not in found)
    return found


def test_every_row_has_a_term_a_meaning_and_a_name() -> None:
    assert len(ROWS) > 30
    assert all(len(row) == 3 and re.search(r"`\w", row[2]) for row in ROWS)
    terms = [term.strip() for row in ROWS for term in row[0].split(",")]
    assert len(terms) == len(set(terms)), "a term stands there twice"


@pytest.mark.parametrize("name", NAMES)
def test_every_name_exists_in_the_code(name: str) -> None:
    thing, _, member = name.partition(".")
    assert thing in definitions()
    assert not member or member in definitions()[thing]


def test_a_name_that_does_not_exist_is_noticed() -> None:
    assert "Tourr" not in definitions()
    assert "gapp" not in definitions()["Result"]
