"""Tables at the terminal fit it, whatever they hold; and as workbooks they hold what they are printed from."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.tables import MIN_WORDS, table_lines
from kt_models.files.workbook import MAX_TEXT, workbook
from tests.command import kt, one_line_refusal
from tests.effort import part_of

WORDS = st.lists(st.text("abc", min_size=1, max_size=9), max_size=30).map(" ".join)


@settings(max_examples=part_of(100))
@given(st.integers(1, 9).flatmap(lambda n: st.lists(st.lists(WORDS, min_size=n, max_size=n), min_size=1, max_size=4)))
def test_no_word_of_a_table_is_lost_and_no_line_is_too_long(rows: list[list[str]]) -> None:
    left, room = range(len(rows[0])), 2 * MIN_WORDS + 40
    rows = [[row[0][:9], *row[1:]] for row in rows]
    lines = list(table_lines(rows, left, room))
    assert all(len(line) <= room for line in lines)
    written, printed = (sorted(" ".join(part).split()) for part in ([text for row in rows for text in row], lines))
    assert [word for word in written if printed.count(word) < written.count(word)] == []


def test_columns_without_room_follow_below_the_others() -> None:
    rows = [["board", *(f"method-{number}" for number in range(9))], ["6x6", *map(str, range(9))]]
    lines = list(table_lines(rows, (0,), 40))
    assert lines[0] == "board  method-0  method-1  method-2"
    assert lines[1] == "6x6           0         1         2"
    assert lines[2:4] == ["", "board  method-3  method-4  method-5"] and len(lines) == 8


def sheet_of(content: bytes) -> list[tuple[Any, ...]]:
    """The rows of a workbook, as another library reads them."""
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed (pip install openpyxl)")
    return list(openpyxl.load_workbook(io.BytesIO(content)).active.iter_rows(values_only=True))


def test_texts_of_a_workbook_are_never_formulas() -> None:
    made = workbook(("=1+1", "n"), [("=HYPERLINK(1)", 3), ("\x07\ud800", True), ("x" * 40_000, None)], "rows")
    rows = sheet_of(made)
    assert rows[:3] == [("=1+1", "n"), ("=HYPERLINK(1)", 3), ("??", True)] and len(rows[3][0]) == MAX_TEXT
    assert made == workbook(("=1+1", "n"), [("=HYPERLINK(1)", 3), ("\x07\ud800", True), ("x" * 40_000, None)], "rows")


@pytest.mark.parametrize(
    ("words", "head", "count"),
    [
        ("enumerate 5x6", ("number", "closed", "turns", "crossings", "tour"), 8),
        ("enumerate 3x4 --optional a1 --open", ("number",), None),
        ("table 5x6 --minimize turns --seconds 1", ("board", "cells", "measure"), 1),
        ("best 5x6 3x4 --open --minimize turns", ("board", "cells", "measure"), 2),
        ("compare 5x6 --minimize turns --tries 1 --seconds 0.1 --proof 0", ("board", "cells", "bound"), None),
        ("pareto 3x4 --open", ("turns", "crossings", "proved", "how", "tour"), None),
    ],
)
def test_answers_that_are_tables_are_workbooks_too(
    words: str, head: tuple[str, ...], count: int | None, tmp_path: Path
) -> None:
    path = tmp_path / "rows.xlsx"
    answer = kt(*words.split(), "-o", path)
    assert answer.exit_code in (0, 3), answer.stderr
    first, *rows = sheet_of(path.read_bytes())
    assert first[: len(head)] == head and rows and (count is None or len(rows) == count)
    assert kt(*words.split(), "-o", path).exit_code == answer.exit_code, "its own file is replaced"
    path.write_text("mine")
    one_line_refusal(kt(*words.split(), "-o", path), "not of kt")


def test_rows_of_a_workbook_are_those_of_the_list(tmp_path: Path) -> None:
    listed = [json.loads(line) for line in kt("enumerate", "5x6").stdout.splitlines()]
    kt("enumerate", "5x6", "-o", tmp_path / "rows.xlsx")
    _, *rows = sheet_of((tmp_path / "rows.xlsx").read_bytes())
    assert [row[1:4] for row in rows] == [(True, data["turns"], data["crossings"]) for data in listed]
    assert [row[4].split()[0] for row in rows] == ["a1"] * 8


def test_names_of_boards_are_short_in_tables() -> None:
    holes = ",".join(f"{column}{row}" for column in "abcdefgh" for row in range(1, 13))
    board, *lines = kt("best", f"20x20-{holes}", "--minimize", "turns", "--time-limit", "20").stdout.splitlines()
    assert len(board) < 100 and all(len(line) <= 80 for line in lines if not line.startswith("  check"))
    assert any(line.startswith("20x20-a1,a2,a3,a4,a5,a6…") for line in lines)
