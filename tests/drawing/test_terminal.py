"""Tours in a terminal: every move is a line of dots between the places of its cells."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import kt
from drawing.draw import draw_in_terminal
from drawing.terminal import BITS, BRAILLE
from tests.command import kt as command

DOTS = 8


def dots_of(picture: str) -> set[tuple[int, int]]:
    """The places (column, row from above) of the dots of braille signs."""
    return {
        (2 * x + i, 4 * y + j)
        for y, line in enumerate(picture.splitlines())
        for x, sign in enumerate(line)
        for j in range(4)
        for i in range(2)
        if (ord(sign) - BRAILLE) & int(BITS[j, i])
    }


@pytest.mark.parametrize("board", ["5x6", "6x6", "3x10", "aztec:4", "ring:9x9/3"])
def test_the_dots_are_those_within_half_a_dot_of_a_move(board: str) -> None:
    tour = kt.find(board).tour
    assert tour is not None
    picture = draw_in_terminal(tour, 80)
    assert picture is not None
    cells = np.array(list(tour)) * DOTS
    top = cells[:, 1].max()
    seen = dots_of(picture)
    near = set()
    for a, b in zip(cells, np.roll(cells, -1, axis=0), strict=True):
        for x in range(min(a[0], b[0]), max(a[0], b[0]) + 1):
            for y in range(min(a[1], b[1]), max(a[1], b[1]) + 1):
                along, off = b - a, np.array([x, y]) - a
                if 2 * abs(along[0] * off[1] - along[1] * off[0]) <= max(abs(along)):
                    near.add((int(x), int(top - y)))
    assert {(int(x), int(top - y)) for x, y in cells} <= seen
    assert seen <= near


def test_a_tour_that_is_too_wide_has_no_picture() -> None:
    tour = kt.find("30x30").tour
    assert tour is not None
    assert draw_in_terminal(tour, 45) is not None and draw_in_terminal(tour, 30) is None
    assert all(len(line) <= 45 for line in (draw_in_terminal(tour, 45) or "").splitlines())


def test_kt_show_prints_measures_numbers_and_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    assert command("find", "5x6", "-o", path).exit_code == 0
    blocks = command("show", path).stdout.split("\n\n")
    assert [part.splitlines()[0].split()[0] for part in blocks[:1]] == ["board"]
    assert sorted(map(int, blocks[1].split())) == list(range(1, 31)) and BRAILLE < ord(max(blocks[2]))
    points = tmp_path / "p.json"
    kt.solve(kt.graph(points=[(0, 0), (3, 0), (3, 2), (0, 2), (1, 1)]), minimize="length").save(os.fspath(points))
    assert "length" in command("show", points).stdout and dots_of(command("show", points).stdout.split("\n\n")[2])
    plain = tmp_path / "g.json"
    kt.solve(edges=[(0, 1), (1, 2), (2, 0)]).save(os.fspath(plain))
    assert command("show", plain).stdout.endswith("0 1 2\n")


@pytest.mark.parametrize(("board", "drawn"), [("2x3x3x4", True), ("2x2x2x3x4", False)])
def test_kt_show_shows_as_many_dimensions_as_it_can(tmp_path: Path, board: str, drawn: bool) -> None:
    path = tmp_path / "t.json"
    assert command("solve", board, "-o", path).exit_code == 0
    seen = command("show", path)
    assert seen.exit_code == 0 and not seen.stderr
    assert ("z = 2, w = 3" in seen.stdout) == (BRAILLE < ord(max(seen.stdout))) == drawn
