"""Numbers of tours that kt knows without counting."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kt
from heuristics.known_counts import known_count, known_counts
from kt_models.files.problems import problem_from

RUNS = Path(__file__).parents[2] / "docs" / "runs"


def test_the_delivered_counts_are_those_of_the_page() -> None:
    rows: dict[str, dict[str, str]] = {}
    for name in ("counts.json", "counts-other.json"):
        rows |= json.loads((RUNS / name).read_text())["counts"]
    counts = {name: int(row["count"]) for name, row in rows.items() if len(name.split()) == 2 and "count" in row}
    # On a small torus two counts differ: by orders of cells, or by moves.
    assert known_counts() == {name: count for name, count in counts.items() if not name.startswith("torus")}


@pytest.mark.parametrize(
    ("board", "is_open", "leaper"),
    [("5x6", False, "knight"), ("6x5", False, "knight"), ("4x3", True, "knight"), ("6x6", False, "wazir")],
)
def test_known_counts_are_those_of_a_count(board: str, is_open: bool, leaper: str) -> None:
    problem = problem_from(board, open=is_open, leaper=leaper)
    assert known_count(problem) == kt.count(board, open=is_open, leaper=leaper)


@pytest.mark.parametrize(
    "asked",
    [
        {"symmetry": "rot180"},
        {"require": "a1-b3"},
        {"at_most": {"turns": 30}},
        {"leaper": "camel"},
        {"numbers": {"a1": 1}},
    ],
)
def test_nothing_is_known_of_other_questions(asked: dict[str, object]) -> None:
    assert known_count(problem_from("6x6", **asked)) is None  # type: ignore[arg-type]


def test_holes_and_tori_are_no_rectangles() -> None:
    assert known_count(problem_from("6x6-a1,f6")) is None
    assert known_count(problem_from("torus:4x4")) is None
