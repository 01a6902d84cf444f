"""The kernel's page (docs/theory/kernel.md) names every module that a claim rests on, and no other."""

from __future__ import annotations

import re

import pytest

from kt_models.kernel.certificates.methods import methods, theorems
from tests.house import ROOT, imports, modules
from tests.kernel_lines import BEGIN, END, MINOR, PAGE, on_the_page, tables

pytestmark = pytest.mark.checkout


def test_the_page_has_the_tables_of_the_tiers() -> None:
    """The lines are counted when the page is written anew."""
    text = PAGE.read_text()
    section = text[text.index(BEGIN) + len(BEGIN) : text.index(END)]
    assert re.sub(r"[\d,]+", "", section) == re.sub(r"[\d,]+", "", tables()), "run python -m tests.kernel_lines"


def test_the_page_names_what_a_check_loads_and_nothing_else() -> None:
    """Imports inside functions count, and so does what is loaded by the kind of a file or the name of a method."""
    places = modules()
    named = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in on_the_page()}
    checkers = {method.module for method in methods().values()} | {
        module for theorem in theorems().values() for module in theorem.files.values()
    }
    todo, needed = {"kt_models.files.check", "kt_models.shapes", *checkers}, set[str]()
    while todo:
        name = todo.pop()
        needed.add(name)
        for module, taken, for_types in imports(places[name]):
            target = f"{module}.{taken}" if f"{module}.{taken}" in places else module
            if target in places and not for_types and target not in needed:
                todo.add(target)
    packages = {name for name in places if places[name].name == "__init__.py"}
    # Rows of a registry, which no import names.
    rows = {name for name in places if name.startswith(("kt_models.shapes.", "kt_models.metrics."))}
    assert needed - named - packages == set(MINOR)
    assert named <= needed | packages | rows
