"""Tables of boards and measures: their rows, files, and runs that are stopped and continued."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from encoders import solve, table
from encoders.table import BoardRow, BoardTable, boards_of, csv_text, lines, plot, problems_of, settle
from kt_models import KTError, Problem, Result, graph_of
from kt_models.limits import Limits
from tests.command import kt, kt_json, one_line_refusal


def test_ranges_of_boards_are_written_out() -> None:
    assert boards_of(["6x6..8x8", "3x10..3x12", "7x7"]) == ["6x6", "7x7", "8x8", "3x10", "3x11", "3x12"]
    assert boards_of(["aztec:2..aztec:4", "8x8-a1,h8", "4x4x4..6x6x6"]) == [
        "aztec:2", "aztec:3", "aztec:4", "8x8-a1,h8", "4x4x4", "5x5x5", "6x6x6",
    ]  # fmt: skip
    assert boards_of(["6x6..6x6", "../x.hcp"]) == ["6x6", "../x.hcp"]
    assert boards_of("5x6..7x7") == ["5x6", "5x7", "6x6", "6x7", "7x7"]
    assert boards_of("5x6..8x8")[:4] == ["5x6", "5x7", "5x8", "6x6"] and len(boards_of("5x6..8x8")) == 9


@pytest.mark.parametrize("text", ["6x6..12", "8x8..6x6", "6x8..8x7", "6x6..aztec:7", "6x6..", "1x1..99999x99999"])
def test_ranges_that_make_no_sense(text: str) -> None:
    with pytest.raises(KTError, match="boards"):
        boards_of([text])


@pytest.mark.slow
def test_rows_have_values_and_bounds() -> None:
    rows = [[*settle(problem, 30.0)][-1] for problem in problems_of(["5x6", "5x5"], ["turns", "-crossings"])]
    by = [(row.cells[0], row.cells[1], *row.cells[2:5]) for row in rows]
    assert by == [
        ("5x6", "turns", "28", "28", "0"), ("5x6", "crossings", "51", "51", "0"),
        ("5x5", "turns", "none", "", ""), ("5x5", "crossings", "none", "", ""),
    ]  # fmt: skip
    assert "certificate checked (tree)" in rows[0].known_by and "13 and 12" in rows[2].known_by
    assert lines(rows)[0][:5] == ["board", "measure", "value", "bound", "gap"]
    listed = list(csv.DictReader(io.StringIO(csv_text(rows))))
    assert [row["value"] for row in listed] == ["28", "51", "", ""]
    assert "5x6" in plot(rows).decode()


def test_rows_without_a_certificate_say_so() -> None:
    result = solve(Problem(graph_of("5x6"), objective="turns"))
    row = BoardRow(Result(result.problem, "optimal", result.tour, bound=28, engine="cpsat"), 1.0)
    assert row.known_by == "cpsat, bound not certified" and row.to_json()["certificate"] is None
    assert BoardRow(Result(result.problem, "unknown"), 1.0).known_by == "no tour known"


def test_a_run_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, problems = tmp_path / "run", problems_of(["5x6", "3x10"], ["turns", "crossings"])
    settled: list[str] = []

    def right(problem: Problem, *rest: object, **more: object) -> BoardRow:
        settled.append(problem.graph.name)
        if len(settled) == 3:
            raise KeyboardInterrupt
        return settle(problem, 30.0)

    monkeypatch.setattr(table, "settle", right)
    first = BoardTable(problems, 30.0, folder=folder)
    with pytest.raises(KeyboardInterrupt):
        first.fill()
    assert len(first.rows) == 2 and not first.complete
    again = BoardTable(problems, 30.0, folder=folder)
    again.fill()
    assert again.complete and settled == ["5x6", "5x6", "3x10", "3x10", "3x10"]
    assert [row.cells[:5] for row in again.rows[:2]] == [row.cells[:5] for row in first.rows]
    known = json.loads((folder / "table.json").read_text())
    known["results"][0]["result"]["value"] = 27
    (folder / "table.json").write_text(json.dumps(known))
    with pytest.raises(KTError, match="27"):
        BoardTable(problems, 30.0, folder=folder).fill()


@pytest.mark.slow
def test_more_seconds_try_again(tmp_path: Path) -> None:
    problems = problems_of(["6x7"], ["crossings"])
    quick = BoardTable(problems, 0.0, best=False, folder=tmp_path)
    quick.fill()
    assert quick.complete and not quick.rows[0].result.answered
    once_more = BoardTable(problems, 0.0, best=False, folder=tmp_path)
    once_more.fill()
    assert once_more.rows[0].seconds == quick.rows[0].seconds
    longer = BoardTable(problems, 60.0, folder=tmp_path)
    longer.fill(Limits(60))
    assert longer.rows[0].result.value == 56


def test_kt_table_writes_a_sheet_and_a_picture(tmp_path: Path) -> None:
    sheet, picture = tmp_path / "t.csv", tmp_path / "t.svg"
    words = [
        "table",
        "5x6",
        "5x5",
        "--minimize",
        "turns,crossings",
        "--csv",
        sheet,
        "-o",
        picture,
        "--run",
        tmp_path / "run",
    ]
    data = kt_json(*words)
    assert data["complete"]
    assert [(row["board"], row["measure"], row["value"]) for row in data["rows"]] == [
        ("5x6", "turns", 28), ("5x6", "crossings", 49), ("5x5", "turns", None), ("5x5", "crossings", None),
    ]  # fmt: skip
    assert sheet.read_text().count("\n") == 5 and picture.read_text().startswith("<?xml")
    assert kt(*words).exit_code == 0  # The files are those of kt
    (tmp_path / "mine.csv").write_text("a,b\n")
    one_line_refusal(kt("table", "5x6", "--csv", tmp_path / "mine.csv"), "mine.csv")
    stopped = kt("table", "5x6", "60x60", "--time-limit", "1", "--no-best", "--minimize", "crossings")
    assert stopped.exit_code == 3 and ("stopped: " in stopped.stderr or "not done within" in stopped.stderr)


def test_best_and_compare_have_the_same_rows() -> None:
    head = ["board", "measure", "value", "bound", "gap", "evidence", "seconds"]
    several = kt("best", "5x6", "6x6").stdout.splitlines()
    assert several[0].split() == head and [line.split()[:5] for line in several[1:]] == [
        ["5x6", "turns", "28", "28", "0"], ["5x6", "crossings", "49", "49", "0"],
        ["6x6", "turns", "32", "32", "0"], ["6x6", "crossings", "52", "52", "0"],
    ]  # fmt: skip
    assert kt("best", "6x6").stdout.splitlines()[2].split() == head  # After the board and the number of tours
    compared = kt("compare", "5x6", "--minimize", "turns", "--tries", "1", "--seconds", "0.1", "--workers", "1")
    assert compared.stdout.splitlines()[0].split()[:7] == head


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["5x6", "--minimize", "bends"], ["turns"]),
        (["5x6", "--minimize", "turns,turns"], ["twice"]),
        (["5x6", "--minimize", ""], ["--minimize"]),
        (["5x6", "--seconds", "-1"], ["seconds"]),
        (["5x6", "--csv", "t.txt"], [".csv"]),
        (["5x6", "-o", "t.png"], [".svg"]),
        (["8x8..5x5"], ["range"]),
        ([], ["BOARD"]),
    ],
)
def test_senseless_tables_are_refused(arguments: list[str], words: list[str]) -> None:
    one_line_refusal(kt("table", *arguments), *words)
