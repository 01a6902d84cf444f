"""benchmarks/lines.py counts code, and neither prose nor layout."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.lines import ROOMS, Count, code_lines, short_and_lonely, table
from tests.house import ROOT

SAMPLE = '''"""A module."""

# A comment.
import os  # Another one.

LIMIT = 3
"""What it limits."""


class Box:
    """A box."""

    text = """two
    lines"""

    def size(self) -> int:
        """Its size."""
        # Computed once.
        return (
            LIMIT

            + 1
        )


async def longer(a: int) -> int:
    b = a
    def inner() -> None: ...
    print(b)
    return os.getpid()
'''


def test_only_lines_of_code_are_counted() -> None:
    assert sorted(code_lines(SAMPLE)) == [4, 6, 10, 13, 14, 16, 19, 20, 22, 23, 26, 27, 28, 29, 30]
    assert Count.of(SAMPLE) == Count(files=1, lines=15, functions=3, short=1)
    assert Count.of("") == Count(files=1)


def test_the_table_has_a_row_for_each_room_and_their_sum(tmp_path: Path) -> None:
    for name in ("kt/a.py", "kt/deep/b.py", "cli/c.py", "tests/d.py", "kt/__pycache__/e.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(SAMPLE)
    rows = [line.split() for line in table(tmp_path, ("cli", "kt")).splitlines()]
    assert rows[1:] == [["cli", "1", "15", "3", "1"], ["kt", "2", "30", "6", "2"], ["all", "3", "45", "9", "3"]]


def test_a_short_function_is_named_if_it_is_mentioned_once(tmp_path: Path) -> None:
    (tmp_path / "kt").mkdir()
    text = (
        "def once() -> int:\n    return 1\n\n\ndef twice() -> int:\n    return 2\n\n\nprint(once(), twice(), twice())\n"
    )
    (tmp_path / "kt" / "a.py").write_text(text)
    assert list(short_and_lonely(tmp_path)) == ["kt/a.py:1 once 1"]


@pytest.mark.checkout
def test_the_rooms_are_those_of_the_wheel() -> None:
    rooms = re.search(r"^ROOMS = \((.*)\)$", (ROOT / "hatch_build.py").read_text(), re.M)
    assert rooms is not None and set(re.findall(r'"(\w+)"', rooms[1])) <= set(ROOMS)
