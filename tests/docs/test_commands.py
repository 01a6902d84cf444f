"""Every command that README and pages show or mention can be read: commands, options, values, modules and files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.commands import PAGES, command_lines, fault_of, mentioned


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_can_be_read(page: Path) -> None:
    for words in command_lines(page):
        assert not fault_of(words), words
    for words in mentioned(page):
        fault = fault_of(words)
        assert not fault or "Missing argument" in fault or "requires an argument" in fault, (words, fault)


def test_the_pages_have_commands() -> None:
    assert sum(1 for page in PAGES for _ in command_lines(page)) > 100
    assert fault_of(["kt", "solve", "8x8", "--minimise", "turns"]) and fault_of(["python", "benchmarks/none.py"])
