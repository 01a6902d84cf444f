"""Cells of formation tours by index, and back, on boards that nobody makes."""

from __future__ import annotations

import numpy as np
import pytest

from heuristics.find import find
from heuristics.papers.taming.formation.lookup import TourLookup
from kt_models import KTError, Problem, graph_of
from tests.command import kt, kt_json, one_line_refusal
from tests.effort import slow


@pytest.mark.parametrize(
    ("board", "heel"),
    [("16x12", "turns"), ("13x18", "crossings"), pytest.param("24x31", "plain", marks=pytest.mark.slow)],
)
def test_lookup_gives_the_tour_of_the_method(board: str, heel: str) -> None:
    tour = find(Problem(graph_of(board)), "formation", heel=heel).tour
    assert tour is not None and tour.graph.board is not None
    lookup = TourLookup.of(board, heel)  # type: ignore[arg-type]
    cells = tour.graph.board.cells[tour.order].tolist()
    assert lookup.locator.cells(np.arange(len(cells))).tolist() == [c[::-1] if lookup.turned else c for c in cells]
    for index in range(0, len(cells), 23):
        assert lookup.cell(index) == tuple(cells[index]) and lookup.index(*cells[index]) == index


@pytest.mark.parametrize(
    "board",
    [
        "1000000000x1000000000",
        pytest.param("15x1000000000", marks=pytest.mark.slow),
        *slow(["1000000000x999999999", "1000000x77"]),
    ],
)
def test_indices_of_large_boards_follow_knight_moves(board: str) -> None:
    """A knight's move from each index to the next, the last to the first too, and every cell has its index."""
    lookup = TourLookup.of(board)
    cells = lookup.width * lookup.height
    rng = np.random.default_rng(0)
    for index in [0, 1, cells // 4, cells - 1, *rng.integers(0, cells, 6).tolist()]:
        (x, y), (u, v) = lookup.cell(index), lookup.cell((index + 1) % cells)
        assert sorted((abs(x - u), abs(y - v))) == [1, 2]
        assert 0 <= x < lookup.width and 0 <= y < lookup.height
        assert lookup.index(x, y) == index


@pytest.mark.slow
def test_every_cell_near_a_corner_has_one_index() -> None:
    lookup = TourLookup.of("1000000000x1000000000")
    near = [(x, y) for x in (*range(3), *range(10**9 - 3, 10**9)) for y in range(10**9 - 3, 10**9)]
    indices = [lookup.index(x, y) for x, y in near]
    assert len(set(indices)) == len(near) and [lookup.cell(index) for index in indices] == near


def test_kt_find_looks_cells_and_indices_up() -> None:
    data = kt_json("find", "1000000000x1000000000", "--cell-at", "123456789123456789")
    (row,) = data["cells"]
    assert row["index"] == 123456789123456789
    text = kt("find", "1000000000x1000000000", "--index-of", ",".join(map(str, row["cell"]))).stdout
    assert text.split() == ["123,456,789,123,456,789", ",".join(map(str, row["cell"]))]
    for words in (
        ["24x24", "--cell-at", "576"], ["24x24", "--cell-at", "-1"], ["24x24", "--index-of", "24,0"],
        ["24x24", "--index-of", "a1"], ["aztec:9", "--cell-at", "1"], ["17x17", "--cell-at", "1"],
        ["24x24", "--cell-at", "1", "--method", "merge"], ["10000000000x16", "--cell-at", "1"],
    ):  # fmt: skip
        one_line_refusal(kt("find", *words))


def test_other_boards_than_rectangles_are_refused() -> None:
    for text in ("", "8x8", "torus:20x20", "20x20x20", "9" * 99):
        with pytest.raises(KTError):
            TourLookup.of(text)
