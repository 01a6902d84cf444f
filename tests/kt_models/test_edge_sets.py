"""Tours as sets of edges in any order: pairs of numbers of vertices, or of cells."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kt
from tests.command import answered


def shuffled(pairs: list[Any], seed: int) -> list[Any]:
    rng = random.Random(seed)
    mixed = [pair if rng.random() < 0.5 else (pair[1], pair[0]) for pair in pairs]
    rng.shuffle(mixed)
    return mixed


@pytest.mark.parametrize("open", [False, True], ids=["closed", "open"])
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("seed", range(3))
def test_a_cycle_or_path_is_read_from_its_edges(open: bool, first: int, seed: int, tmp_path: Path) -> None:
    board = "3x4" if open else "5x6"
    tour = kt.find(board, open=open).tour
    assert tour is not None
    order = (tour.order + first).tolist()
    pairs = shuffled(list(zip(order, order[1:] + order[: not open], strict=False)), seed)
    file = tmp_path / "edges.txt"
    file.write_text("".join(f"{u} {v}\n" for u, v in pairs))
    status, text, complaint = answered("check", file, "--board", board)
    assert (status, kt.read(pairs, board)) == (0, tour), (text, complaint)
    assert kt.read(np.array(pairs), board) == tour
    cells = shuffled([tuple(map(tuple, move)) for move in tour.moves], seed)
    file.write_text(str(cells))
    assert answered("check", file, "--board", board)[0] == 0 and kt.read(cells, board) == tour


@pytest.mark.parametrize(
    "pairs",
    [[(1, 2), (3, 4), (5, 7)], [(1, 2), (2, 3), (3, 1), (4, 5), (5, 6), (6, 4)], [(1, 8), (2, 8), (3, 7)]],
    ids=str,
)
def test_other_sets_of_edges_are_not_read(pairs: list[tuple[int, int]], tmp_path: Path) -> None:
    file = tmp_path / "edges.txt"
    file.write_text("".join(f"{u} {v}\n" for u, v in pairs))
    status, text, complaint = answered("check", file, "--board", "3x3")
    assert status == 2 and not text and "not one cycle or path" in complaint
    with pytest.raises(kt.KTError, match="not one cycle or path"):
        kt.read(pairs, "3x3")


def test_a_damaged_list_of_cells_is_still_wrong(tmp_path: Path) -> None:
    cells = kt.find("5x6").tour[:]
    cells[3], cells[9] = cells[9], cells[3]
    file = tmp_path / "cells.txt"
    file.write_text("".join(f"{x} {y}\n" for x, y in cells))
    assert answered("check", file, "--board", "5x6")[0] == 1
