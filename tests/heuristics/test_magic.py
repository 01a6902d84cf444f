"""Sums of a tour's numbers, and the types that `kt measure` shows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from heuristics.find import find
from kt_models import Problem, Tour, graph_of, verify, write_tour
from kt_models.line_sums import LineSums, line_sums
from tests.command import kt, kt_json

BEVERLEY = """
 1 30 47 52  5 28 43 54
48 51  2 29 44 53  6 27
31 46 49  4 25  8 55 42
50  3 32 45 56 41 26  7
33 62 15 20  9 24 39 58
16 19 34 61 40 57 10 23
63 14 17 36 21 12 59 38
18 35 64 13 60 37 22 11
"""
"""W. Beverley, Philosophical Magazine, 1848: the first semi-magic knight's tour."""


def tour_of(text: str) -> Tour:
    """The open tour of a square of numbers, its top row first."""
    rows = [[int(word) for word in line.split()] for line in text.split("\n") if line]
    graph = graph_of(f"{len(rows[0])}x{len(rows)}")
    cell = {n: (x, len(rows) - 1 - y) for y, row in enumerate(rows) for x, n in enumerate(row)}
    order = graph.board.numbers(np.array([cell[i + 1] for i in range(graph.n)]))  # type: ignore[union-attr]
    return Tour(graph, order, False)


def test_beverleys_square_is_semi_magic() -> None:
    tour = tour_of(BEVERLEY)
    verify(tour)
    sums = line_sums(tour)
    assert sums == LineSums((260,) * 8, (260,) * 8, (210, 282)) and sums.magic == "semi-magic"


@pytest.mark.parametrize("board", ["8x8", "5x6", "3x10"])
def test_sums_are_those_of_the_grid(board: str) -> None:
    tour = find(Problem(graph_of(board))).tour
    assert tour is not None and tour.graph.board is not None
    number = {tuple(cell): i + 1 for i, cell in enumerate(tour.graph.board.cells[tour.order].tolist())}
    width, height = tour.graph.board.shape
    sums = line_sums(tour)
    assert sums is not None and sums.magic == "no" and len(sums.diagonals) == (2 if width == height else 0)
    assert sums.rows == tuple(sum(number[x, y] for x in range(width)) for y in reversed(range(height)))
    assert sums.columns == tuple(sum(number[x, y] for y in range(height)) for x in range(width))


def test_magic_tours_are_told_from_semi_magic_ones() -> None:
    assert LineSums((15, 15, 15), (15, 15, 15), (15, 15)).magic == "magic"
    assert LineSums((15, 15, 15), (15, 15, 15), (15, 6)).magic == "semi-magic"
    assert LineSums((10, 10), (4, 4, 12)).magic == "no" and LineSums((9, 9), (6, 6, 6)).magic == "semi-magic"
    assert line_sums(find(Problem(graph_of("aztec:4"))).tour) is None  # type: ignore[arg-type]


def test_kt_measure_prints_sums_and_the_type(tmp_path: Path) -> None:
    tour = tour_of(BEVERLEY)
    write_tour(tmp_path / "t.json", tour)
    text = kt("measure", tmp_path / "t.json").stdout
    assert "rows 260, columns 260, diagonals 210 to 282: semi-magic" in text
    data = kt_json("measure", tmp_path / "t.json")
    assert data["sums"]["magic"] == "semi-magic" and data["sums"]["rows"] == [260] * 8
    # Four corners, 24 cells of the sides, 36 within; read from the end that comes first
    assert [data["type"].count(code) for code in "210"] == [4, 24, 36] and data["type"] <= data["type"][::-1]
