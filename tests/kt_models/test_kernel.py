"""The kernel's page (docs/theory/kernel.md) names every module that a claim rests on."""

from __future__ import annotations

import re

from tests.kernel_lines import BEGIN, END, PAGE, PARTS, ROOT, modules_of, table


def test_the_page_has_the_table_of_the_parts() -> None:
    """The lines are counted when the page is written anew."""
    text = PAGE.read_text()
    shown = text[text.index(BEGIN) + len(BEGIN) : text.index(END)]
    assert re.sub(r"[\d,]+", "", shown) == re.sub(r"[\d,]+", "", table()), "run python -m tests.kernel_lines"


def test_the_page_names_every_module_of_the_kernel() -> None:
    named = {path for part in PARTS for path in modules_of(part)}
    folder = ROOT / "kt_models" / "certificates"
    left_out = {path for path in folder.rglob("*.py") if path.name != "__init__.py"} - named
    assert not left_out
