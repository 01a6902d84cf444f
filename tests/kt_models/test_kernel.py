"""The kernel's page (docs/theory/kernel.md) names every module that a claim rests on, and no other."""

from __future__ import annotations

import inspect
import re
import sys
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
from click.testing import CliRunner

import kt
from cli.main import main
from kt_models.files.check import check_again
from kt_models.kernel.certificates.methods import methods, theorems
from tests.house import ROOT, imports, modules
from tests.kernel_lines import BEGIN, END, MINOR, PAGE, TIERS, modules_of, on_the_page, tables

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


BRIDGE = ["a-b", "b-c", "c-a", "c-d", "d-e", "e-f", "f-d"]
CLAIMS: list[tuple[str, Any, dict[str, Any]]] = [
    ("The core", "5x5", {}),
    ("The core", "3x8", {}),
    ("The core", "6x6", {"minimize": "turns"}),
    ("The core", "5x6", {"open": True, "require": ["a1-b3"]}),
    ("The core", "torus:4x5", {"minimize": "turns"}),
    ("The core", "6x6", {"symmetry": "rot180"}),
    ("Sums", "6x6", {"at_most": {"turns": 20}}),
    ("Sums", "6x6", {"at_most": {"turns": 36}}),
    ("Graphs and points", {"edges": [tuple(edge.split("-")) for edge in BRIDGE]}, {}),
    ("Graphs and points", {"edges": [(0, 1), (1, 2), (2, 0), (2, 1)], "directed": True}, {}),
    ("Graphs and points", {"points": [(0, 0), (0, 1), (1, 1), (1, 0), (2, 3)]}, {"minimize": "length"}),
    ("Conditions", "5x6", {"in_order": ["a1", "c5", "e3"]}),
    ("Conditions", "5x5", {"leaper": "king", "straight": "b2"}),
    ("Conditions", None, {"clues": "1 . .\n. . .\n. . 9", "leaper": "king", "open": True}),
]
"""Claims by their tier: a board or the keywords of a graph, and those of its problem."""


@pytest.mark.parametrize(("tier", "board", "keywords"), CLAIMS)
def test_a_check_runs_no_function_of_the_tiers_below_its_claim(tier: str, board: Any, keywords: dict[str, Any]) -> None:
    place = [] if board is None else [kt.graph(**board) if isinstance(board, dict) else board]
    document = kt.solve(*place, **keywords).to_json()
    run = _modules_run_by_a_check(document)
    assert _tiers(run) <= set(list(TIERS)[: list(TIERS).index(tier) + 1])
    assert tier in _tiers(run)


@pytest.mark.parametrize("question", ["4x4", "5x6 --minimize turns"])
def test_a_check_of_a_proof_folder_of_a_board_runs_the_core_only(question: str, tmp_path: Path) -> None:
    command = ["solve", *question.split(), "--no-best", "--proof", str(tmp_path / "p")]
    assert CliRunner().invoke(main, command).exit_code == 0
    assert _tiers(_modules_run_by_a_check(tmp_path / "p")) == {"The core"}


def _modules_run_by_a_check(subject: Any) -> set[Path]:
    """Files of this house of which the check of a file runs a function; what modules do when they are loaded is left
    out."""
    codes: set[CodeType] = set()

    def hear(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            codes.add(frame.f_code)

    sys.setprofile(hear)
    try:
        assert check_again(subject).shown
    finally:
        sys.setprofile(None)
    return {Path(code.co_filename) for code in codes if code.co_flags & inspect.CO_OPTIMIZED}


@cache
def _files(tier: str) -> frozenset[Path]:
    return frozenset(path for names in TIERS[tier].values() for path in modules_of(names))


def _tiers(files: set[Path]) -> set[str]:
    """The tiers that have these files."""
    return {tier for tier in TIERS if files & _files(tier)}
