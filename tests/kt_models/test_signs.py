"""Drawn grids: one table of signs for masks and grids of clues; what may mean two boards is asked about."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kt
from kt_models import Board, KTError, TooLarge
from kt_models.files.clues import clues_from
from kt_models.leaper import RIDERS, Leaper
from kt_models.signs import SIGNS
from tests.command import kt as run
from tests.command import one_line_refusal

SQUARE = Board.parse("2x2")
CORNERS = Board.parse("3x2-a1,b2")
L = ["##.", ".##"]
PAGE = Path(__file__).parents[2] / "docs" / "use" / "boards.md"


def refusal(read: Any) -> str:
    with pytest.raises(KTError) as caught:
        read()
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("between", ["", " ", "  ", "\t", ",", ", ", ";", "|"])
@pytest.mark.parametrize("signs", ["#.", "10"])
@pytest.mark.parametrize("size", ["", "2 3", "3 2", "2x3"])
def test_a_mask_is_read_with_separators_and_a_size(between: str, signs: str, size: str) -> None:
    """All of them mean the same board; damaged in one place, each is refused."""
    rows = [between.join(signs["#.".index(sign)] for sign in row) for row in L]
    head = [size] if size else []
    if between == "  " and signs == "#.":  # Too wide for a sign at every second place: holes between
        return
    assert Board.from_mask([*head, *rows], "mask") == CORNERS_OF_L
    for damaged in ([rows[0] + between + signs[0], rows[1]], [rows[0].replace(signs[0], "Q", 1), rows[1]]):
        refusal(lambda damaged=damaged: Board.from_mask([*head, *damaged], "mask"))


CORNERS_OF_L = Board.from_mask(L, "mask")


def test_a_separator_may_end_each_line_of_a_mask() -> None:
    assert (
        Board.from_mask(["1,1,0,", "0,1,1,"], "mask") == Board.from_mask(["|1|1|0|", "|0|1|1|"], "mask") == CORNERS_OF_L
    )


def test_nothing_between_two_separators_is_a_hole() -> None:
    assert Board.from_mask(["1,1,", "0,1,1"], "mask") == CORNERS_OF_L


def test_blanks_of_a_mask_without_marked_holes_are_asked_about() -> None:
    for rows in (["# #", "# #"], ["# # #"], ["  # #", "  # #"], ["11 11", "11 11"]):
        assert "may be holes or separators" in refusal(lambda rows=rows: Board.from_mask(rows, "mask"))
    assert Board.from_mask(["# #", "# #"], "mask", "#").n == 4
    assert Board.from_mask(["# #", "# #"], "mask", "#").shape == (3, 2)
    assert Board.from_mask(["11 11", "11 11"], "mask", "1").n == 8
    # Drawn so that the blanks cannot separate
    assert Board.from_mask(["1111", "1  1", "1111"], "mask").n == 10
    assert Board.from_mask(["# #", " # ", "# #"], "mask").n == 5
    assert Board.from_mask([" 1 ", "111", " 1 "], "mask").n == 5
    assert "blanks separate all signs or none" in refusal(lambda: Board.from_mask(["11 10", "11 11"], "mask"))
    assert "blanks separate signs here" in refusal(lambda: Board.from_mask(["1 1", " 1 ", "1 1"], "mask"))


WALLED = {
    "a room": ["####", "#..#", "#..#", "####"],
    "a room of blanks": ["####", "#  #", "#  #", "####"],
    "a room with blanks outside": ["  ####", "###..#", "#....#", "######"],
    "separated": ["# # # #", "# . . #", "# . . #", "# # # #"],
    "a maze with two doors": ["#.######", "#......#", "######.#"],
}


@pytest.mark.parametrize("name", WALLED)
def test_walls_around_the_floor_are_asked_about(name: str, tmp_path: Path) -> None:
    """`--cells` decides, at the terminal, in Python, and in data."""
    rows, path = WALLED[name], tmp_path / "map.txt"
    path.write_text("\n".join(rows) + "\n")
    floor = "." if any("." in row for row in rows) else " "
    message = refusal(lambda: kt.graph(f"@{path}"))
    assert f"say --cells '#' or --cells {floor!r}" in message
    one_line_refusal(run("solve", f"@{path}", "--leaper", "wazir"), "say --cells")
    tight = [row.replace(" ", "") if floor == "." and name == "separated" else row for row in rows]
    width = max(map(len, tight))
    for sign in ("#", floor):
        wanted = {
            (x, y) for y, row in enumerate(reversed(tight)) for x, mark in enumerate(row.ljust(width)) if mark == sign
        }
        for board in (kt.graph(f"@{path}", cells=sign).board, Board.from_mask(rows, "map", sign)):
            assert board is not None and {*map(tuple, board.cells.tolist())} == wanted
        if floor == ".":
            listed = [list(row.ljust(width)) for row in tight]
            assert kt.graph(listed, cells=sign).board == Board.from_mask(rows, "map", sign)
            assert kt.graph(np.array(listed), cells=sign).board == Board.from_mask(rows, "map", sign)


def test_holes_that_are_no_floor_are_holes() -> None:
    for rows in (["###", "#..", "###"], [".##", "###"], ["#.#", "###"], ["#.##", "##.#"], ["1111", "1001", "1111"]):
        assert Board.from_mask(rows, "mask").n == sum(row.count("#") + row.count("1") for row in rows)


def test_a_floor_of_0_is_asked_for_by_its_sign() -> None:
    rows = ["1111", "1001", "1001", "1111"]
    assert Board.from_mask(rows, "mask").n == 12 and Board.from_mask(rows, "mask", "0").n == 4
    assert kt.graph([[*map(int, row)] for row in rows], cells="0").board == Board.from_mask(rows, "mask", "0")


def test_other_signs_of_cells_are_named() -> None:
    """As in drawings of Life, or maps with a start and an end."""
    assert "has 'O'" in refusal(lambda: Board.from_mask([".O.", "OOO"], "mask"))
    assert "--cells" in refusal(lambda: Board.from_mask([".O.", "OOO"], "mask"))
    assert Board.from_mask([".O.", "OOO"], "mask", "O").n == 4
    assert Board.from_mask(["#####", "#S.E#", "#####"], "mask", ".SE").n == 3
    assert "has 'S', which is neither" in refusal(lambda: Board.from_mask(["#####", "#S.E#", "#####"], "mask", "."))
    assert "no cell ('.')" in refusal(lambda: Board.from_mask(["###"], "mask", "."))
    assert "the sign of a cell" in refusal(lambda: Board.from_mask(["###"], "mask", ""))


def test_a_drawing_in_place_of_a_graph_is_known(tmp_path: Path) -> None:
    for text in ("####\n#..#\n####\n", "# #\n ##\n", "..#..\n.###.\n"):
        (tmp_path / "drawing.txt").write_text(text)
        one_line_refusal(run("solve", tmp_path / "drawing.txt"), "given as @FILE", "--clues")


def test_signs_of_cells_need_a_drawing() -> None:
    for board, form in (("8x8", {}), (Board.parse("3x3"), {}), (7, {})):
        assert "cells '#'" in refusal(lambda board=board, form=form: kt.graph(board, cells="#", **form))
    one_line_refusal(run("solve", "3x4", "--open", "--cells", "#"), "--cells", "where BOARD is a mask")


# -- grids of clues ----------------------------------------------------------------------------------------------------


EMPTY = [".", "0", "_", "?", "-", "-1", "x", "X", "*"]


@pytest.mark.parametrize("empty", EMPTY)
@pytest.mark.parametrize("between", [" ", ",", "\t", ""])
@pytest.mark.parametrize("size", ["", "3", "3 3", "3x3"])
def test_a_lone_sign_of_a_puzzle_is_a_free_cell(empty: str, between: str, size: str) -> None:
    if empty == "-1" and not between:
        return
    rows = [[empty] * 3 for _ in range(3)]
    rows[0][0], rows[2][2] = "1", "9"
    text = "\n".join([*([size] if size else []), *map(between.join, rows)]) + "\n"
    assert kt.problem(clues=text) == kt.problem("3x3", numbers={"a3": 1, "c1": 9})
    data = [[int(word) if word.lstrip("-").isdigit() else word for word in row] for row in rows]
    assert kt.problem(clues=data) == kt.problem("3x3", numbers={"a3": 1, "c1": 9}) == kt.problem(clues=rows)
    damaged = text.replace(between.join(rows[1]), between.join(rows[1][:2]))
    refusal(lambda: kt.problem(clues=damaged))
    refusal(lambda: kt.problem(clues=text.replace("9", "Q")))


@pytest.mark.parametrize(("first", "second"), [pair for pair in product(EMPTY, EMPTY) if pair[0] < pair[1]])
def test_two_signs_besides_numbers_are_asked_about(first: str, second: str) -> None:
    """In text and in data alike; only 0 and -1 say which is the hole. `cells` decides always."""
    rows = [["1", first, second], [first, first, "3"]]
    text = "\n".join(map(" ".join, rows))
    data = [[int(word) if word.lstrip("-").isdigit() else word for word in row] for row in rows]
    for grid in (text, rows, data):
        if {first, second} == {"0", "-1"}:
            # The hole is that of -1, wherever it stands
            assert clues_from(grid).board.n == (5 if second == "-1" else 3)
        else:
            assert "--cells" in refusal(lambda grid=grid: clues_from(grid))
        assert clues_from(grid, first).board.n == 5 and clues_from(grid, second).board.n == 3
        assert clues_from(grid, first + second).board == kt.graph("3x2").board


def test_a_hole_of_its_own_sign_frees_the_others() -> None:
    for empty in EMPTY[:-1]:
        grid = f"1 {empty} #\n{empty} {empty} 5"
        assert clues_from(grid).board == Board.parse("3x2-c2")
        assert clues_from(grid, "#").board.n == 3  # The two numbers and what is a hole elsewhere
    assert clues_from([["1", ".", "#"], [None, "_", 5]]).board == Board.parse("3x2-c2")


def test_numbers_up_to_the_last_make_a_lone_sign_a_question() -> None:
    for sign in ("-1", "-", "x"):
        assert "may be a free cell or a hole" in refusal(lambda sign=sign: clues_from(f"1 {sign}\n2 3"))
        assert clues_from(f"1 {sign}\n2 3", sign).board.n == 4
    assert clues_from([[1, -1], [2, 3]], "-1").board.n == 4
    assert clues_from("1 .\n2 3").board.n == 4 and clues_from("1 #\n2 3").board.n == 3


def test_a_size_that_may_be_a_row_is_asked_about() -> None:
    assert "may be the size of the grid or a row" in refusal(lambda: clues_from("3 2\n1 0\n0 0\n0 6"))
    assert clues_from("2 2\n1 0\n0 4").board.n == 4  # 2 twice is no row
    assert "row 2 has 3 entries" in refusal(lambda: clues_from("4\n1 0 0\n0 0 0\n0 0 9"))


def test_blanks_that_may_be_free_cells_are_asked_about() -> None:
    assert "may be free cells" in refusal(lambda: clues_from("1   3\n6 5  "))
    assert clues_from("1 2\n4 3").board.n == 4


def test_the_page_has_the_table_of_signs() -> None:
    words = {True: "a cell", False: "a hole", None: "refused"}
    clue_words = {True: "free", False: "a hole", None: "free, if alone"}
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| `") and line.count("|") == 4]
    table = {
        cells[0].strip(): (cells[1].strip(), cells[2].strip()) for cells in (row.strip("|").split("|") for row in rows)
    }
    for sign in SIGNS.values():
        name = "a blank, or nothing between two separators" if sign.mark == " " else f"`{sign.mark}`"
        if sign.mark == " ":
            continue
        clue = "a number" if sign.mark == "1" else clue_words[sign.clues]
        assert table[name] == (words[sign.mask], clue), sign.mark


# -- riders ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RIDERS)
@pytest.mark.parametrize("board", ["3x3", "4x4", "2x5", "5x3-b2", "8x8", "3x3x3", "1x4"])
def test_riders_move_any_distance(name: str, board: str) -> None:
    """Along rows and columns, and diagonals, over holes."""
    graph = kt.graph(board, leaper=name)
    assert graph.board is not None
    cells = graph.board.cells.tolist()
    wanted = set()
    for (u, first), (v, second) in product(enumerate(cells), enumerate(cells)):
        steps = sorted(abs(a - b) for a, b in zip(first, second, strict=True))
        straight = steps[-1] > 0 and not any(steps[:-1])
        slanted = steps[-1] > 0 and steps[-1] == steps[-2] and not any(steps[:-2])
        if u < v and ((straight and name != "bishop") or (slanted and name != "rook")):
            wanted.add((u, v))
    assert {*map(tuple, np.sort(graph.ends).tolist())} == wanted
    assert kt.problem(board, leaper=name) == kt.problem(board, leaper=graph.leaper)
    assert type(graph).from_json(graph.to_json()) == graph


def test_riders_are_refused_where_their_moves_have_no_bound() -> None:
    for board in ("torus:4x4", "cylinder:4x4"):
        assert "periodic" in refusal(lambda board=board: kt.graph(board, leaper="rook"))
    with pytest.raises(TooLarge, match="over the limit of 32"):
        kt.graph("40x40", leaper="queen")
    assert "needs a board" in refusal(lambda: Leaper.parse("queen"))
    assert "has to be given" in refusal(lambda: kt.read("a1 a2 b2 b1", leaper="rook"))
    assert kt.read("a1 a2 b2 b1", "2x2", leaper="rook").graph == kt.graph("2x2", leaper="rook")
    one_line_refusal(run("solve", "torus:8x8", "--leaper", "rook"), "periodic")
    one_line_refusal(run("solve", "20x20", "--leaper", "queen"), "over the limit of 32")


def test_a_sum_may_have_a_rider() -> None:
    chancellor = kt.graph("5x5", leaper="rook+knight")
    assert chancellor.m == kt.graph("5x5", leaper="rook").m + kt.graph("5x5").m
    assert kt.solve("5x5", leaper="queen").status == "feasible" == kt.solve("3x3", leaper="rook", open=True).status
    assert kt.count("2x3", leaper="rook") == 3  # Those of a prism


def test_rows_of_a_spreadsheet_may_begin_or_end_with_free_cells() -> None:
    """Tabs of copied cells: no row loses an empty cell, and no empty row is lost."""
    rows = [["1", "", ""], ["", "", ""], ["", "", "9"]]
    marked = "\n".join(" ".join(word or "." for word in row) for row in rows)
    for head in ("", "3\n", "3 3\n"):
        copied = head + "".join("\t".join(row) + "\n" for row in rows)
        assert str(clues_from(copied if head else "\n" + copied)) == str(clues_from(marked))
    assert "row 2 has" in refusal(lambda: clues_from("1\t2\t\n3\t\t\t\n\t\t9\n"))
