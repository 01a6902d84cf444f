"""Boards: their text, cells, numbering, symmetries, and what is refused."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_models import Board, KTError, MoveGraph, TooLarge
from kt_models.board import shifted
from kt_models.cells import cell_name, column_name, parse_cell
from kt_models.symmetry import Symmetry, board_group, board_symmetries, generate, orbits
from tests.strategies import boards


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("8x8", 64),
        ("3x10", 30),
        ("4x4x4", 64),
        ("2x3x2x3", 36),
        ("aztec:1", 4),
        ("aztec:5", 60),
        ("8x8-a1,h8", 62),
        ("8x8-c3..f6", 48),
        ("8x8-f3..c6,a1", 47),
        ("4x4x4-(1,1,1)..(2,2,2)", 56),
        ("ring:8x8/2", 48),
        ("ring:3x4x5/1", 54),
        ("ring:5x5/1-a1", 15),
        ("8X8-A1", 63),
        ("4x4x4-(0,0,0)", 63),
        ("4x4x4-(0,0,0),(3, 3, 3)", 62),
        ("aztec:3-d1", 23),
        ("torus:8x8", 64),
        ("torus:3x4x5", 60),
        ("cylinder:4x10", 40),
        ("1x1", 1),
    ],
)
def test_board_texts(text: str, cells: int) -> None:
    board = Board.parse(text)
    assert board.n == len(board.cells) == cells
    assert Board.parse(board.text) == board
    assert Board.from_json(board.to_json()) == board


def test_a_cylinder_is_periodic_along_x_only() -> None:
    board = Board.parse("cylinder:6x8")
    assert board == Board.cylinder(6, 8) == Board.from_json({"board": "cylinder:6x8"})
    assert board.wraps == (True, False) and Board.parse("cylinder:4x3x3").wraps == (True, False, False)
    # Of the knight's eight moves from a cell in the bottom row those that lead down are off, and no other
    assert MoveGraph.of(board).degrees.reshape(6, 8)[0].tolist() == [4, 6, 8, 8, 8, 8, 6, 4]


def test_a_mask_without_holes_is_none() -> None:
    drawn = Board.from_mask(["###", "###"], "@box.txt")
    assert drawn.mask is None and drawn == Board.box(3, 2) and drawn.is_box
    assert Board.from_json(drawn.to_json()).text == "@box.txt"
    assert [Board.parse(text).is_box for text in ("4x4x4", "8x8-a1", "aztec:2", "torus:4x4", "cylinder:4x4")] == [
        True, False, False, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        *("", "foo", "8", "8x", "x8", "8x-8", "0x3", "8x8-", "8x8-z99", "8x8-a1,", "8x8-i1", "8x8-(0,0,0)", "aztec:0"),
        *(
            "aztec:",
            "aztec:x",
            "aztec:3x3",
            "torus:5",
            "torus:",
            "cylinder:",
            "strip:6x8",
            "klein:4x4",
            "1x2x1x2x1x2x1x2x1",
            "-a1",
        ),
        *("@no-such-file", "1x1-a1", "8x8,a1", "８x８", "8.5x8", "1e3x4", "\x00", "8x8\n9x9"),
    ],
)
def test_bad_board_texts_are_one_line(text: str) -> None:
    with pytest.raises(KTError) as caught:
        Board.parse(text)
    assert "\n" not in str(caught.value).strip() or "\n" in text


@pytest.mark.parametrize("text", ["1000000000x1000000000", "aztec:100000", "9" * 18 + "x1", "1000x1000x1000"])
def test_huge_boards_are_refused_before_memory_is_taken(text: str) -> None:
    with pytest.raises(TooLarge):
        Board.parse(text)


def test_a_large_board_costs_nothing_until_its_cells_are_asked_for() -> None:
    board = Board.parse("10000x10000")
    assert board.n == 10**8
    assert board.name(10**8 - 1) == cell_name((9999, 9999))
    assert "cells" not in vars(board)
    assert "grid" not in vars(board)


def test_cells_are_numbered_in_lexicographic_order() -> None:
    for board in (Board.box(3, 4), Board.aztec(3), Board.box(2, 3, 2)):
        rows = board.cells.tolist()
        assert rows == sorted(rows)
        assert [board.number(cell) for cell in rows] == list(range(board.n))


def test_columns_and_cells_have_their_names() -> None:
    assert [column_name(x) for x in (0, 25, 26, 27, 701, 702)] == ["a", "z", "aa", "ab", "zz", "aaa"]
    assert Board.parse("8x8").find("h8") == 63
    assert Board.parse("4x4x4").find("0,3,2") == Board.parse("4x4x4").number((0, 3, 2))


@given(st.tuples(st.integers(0, 20_000), st.integers(0, 20_000)))
def test_a_name_says_its_cell(cell: tuple[int, int]) -> None:
    assert parse_cell(cell_name(cell)) == cell


@given(boards())
def test_every_cell_is_found_by_its_name(board: Board) -> None:
    assert [board.find(board.name(v)) for v in range(board.n)] == list(range(board.n))


def test_mask_files(tmp_path) -> None:
    path = tmp_path / "mask.txt"
    path.write_text("\n.##.\n####\n.##.\n\n")
    board = Board.parse(f"@{path}")
    assert board.n == 8
    assert board.shape == (4, 3)
    assert [board.name(v) for v in range(3)] == ["a2", "b1", "b2"]
    kept = Board.from_json(board.to_json())
    path.unlink()
    without = Board.from_json(board.to_json())
    assert kept == without == board and kept.text == without.text == board.text  # The cells travel with it
    assert MoveGraph.from_json({"board": f"@{path}", "vertices": 2, "edges": []}).name == f"@{path}"
    path.write_text("##\n#x\n")
    with pytest.raises(KTError, match="line 2 has 'x'"):
        Board.parse(f"@{path}")


@pytest.mark.parametrize(
    ("drawing", "words"),
    [
        ("###\n#.#\n##", "line 3 has 2 characters"),
        ("###\n.\n###", "line 2 has 1 characters"),
        ("###\n\n###", "line 2 has 0 characters"),
        ("#.#\n\n#.#", "line 2 has 0 characters"),
    ],
)
def test_a_drawing_with_something_missing_is_refused(drawing: str, words: str) -> None:
    with pytest.raises(KTError, match=words):
        Board.from_mask(drawing.split("\n"), "@mask")


def test_spaces_at_the_end_of_a_line_may_be_missing() -> None:
    for drawing in (["###", "#", "###"], ["### ", "#   ", "###"], [" ##", "# ", "  #"]):
        rows = [f"{line:<3}"[:3].replace(" ", ".") for line in drawing]
        assert Board.from_mask(drawing, "@mask") == Board.from_mask(rows, "@mask")


def test_aztec_diamonds_have_2n_n_plus_1_cells() -> None:
    assert [Board.aztec(n).n for n in range(1, 30)] == [2 * n * (n + 1) for n in range(1, 30)]
    assert len(board_symmetries(Board.aztec(7))) == 8


@given(boards())
def test_symmetries_form_a_group_of_permutations(board: Board) -> None:
    group = board_group(board)
    permutations = {s: s.permutation(board) for s in group}
    assert len(permutations) == len({tuple(p.tolist()) for p in permutations.values()}) == group.order
    for s in [*permutations][:40]:
        assert sorted(permutations[s].tolist()) == list(range(board.n))
        assert np.array_equal(permutations[group.named(s.inverse)][permutations[s]], np.arange(board.n))
        for t in [*permutations][-40:]:
            product = (s @ t).on(board)
            assert group.named(product) in permutations
            assert np.array_equal(product.permutation(board), permutations[s][permutations[t]])
    label = orbits(permutations.values(), board.n)
    assert all(np.array_equal(label[p], label) for p in permutations.values())


def test_symmetry_names_mean_what_they_say() -> None:
    board = Board.parse("3x3")
    corner = board.find("a1")
    images = {
        name: board.name(int(Symmetry.parse(name).permutation(board)[corner]))
        for name in ("rot180", "rot90", "mirror-x", "mirror-y", "diagonal", "antidiagonal")
    }
    assert images == {
        "rot180": "c3",
        "rot90": "c1",
        "mirror-x": "c1",
        "mirror-y": "a3",
        "diagonal": "a1",
        "antidiagonal": "c3",
    }
    assert Symmetry.parse("(-x,y)").name == "mirror-x"
    assert len(generate([Symmetry.parse("rot90")], Board.box(4, 4))) == 4
    assert str(Symmetry.parse("(-z,x,y)", 3)) == "(-z,x,y)"


@pytest.mark.parametrize("text", ["", "rot45", "(x)", "(x,x)", "(x,y,z)", "(x,-w)", "x y", "(--x,y)"])
def test_bad_symmetries(text: str) -> None:
    with pytest.raises(KTError):
        Symmetry.parse(text)


@given(boards(), st.lists(st.integers(-9, 9), min_size=3, max_size=3))
def test_shifted_reads_at_the_offset(board: Board, offsets: list[int]) -> None:
    offset = offsets[: board.dimension]
    moved = shifted(board.grid, offset, board.wraps, -7)
    for cell in np.ndindex(*board.shape):
        target = [c + o for c, o in zip(cell, offset, strict=True)]
        target = [t % s if w else t for t, s, w in zip(target, board.shape, board.wraps, strict=True)]
        inside = all(0 <= t < s for t, s in zip(target, board.shape, strict=True))
        assert moved[cell] == (board.grid[tuple(target)] if inside else -7)


def test_a_mask_of_another_shape_is_refused_as_such() -> None:
    with pytest.raises(KTError, match="its mask has the shape 3x3"):
        Board((8, 8), np.ones((3, 3), dtype=np.bool_))
    with pytest.raises(KTError, match="no cells are left"):
        Board((8, 8), np.zeros((8, 8), dtype=np.bool_))


def test_a_mask_has_one_alphabet() -> None:
    """Cells are `#` or `1`, holes `.`, `0` or spaces; a drawing that mixes the two is refused in one line."""
    drawn = Board.from_mask(["##.", "###"], "@mask")
    for rows in (["110", "111"], ["11 ", "111"], ["11", "111"], ["## ", "###"], ["##", "###"]):
        assert Board.from_mask(rows, "@mask") == drawn
    for rows in (["##0", "###"], ["11.", "111"], ["#1#"], ["1.#0"], ["##", "00"]):
        with pytest.raises(KTError, match="and not of both") as caught:
            Board.from_mask(rows, "@mask")
        assert "\n" not in str(caught.value)


def test_a_ring_is_its_box_without_the_box_in_the_middle() -> None:
    for wide, high, width in product(range(3, 9), range(3, 9), range(1, 4)):
        if 2 * width < min(wide, high):
            low, high_corner = cell_name((width, width)), cell_name((wide - width - 1, high - width - 1))
            ranged = Board.parse(f"{wide}x{high}-{high_corner}..{low}")
            assert Board.parse(f"ring:{wide}x{high}/{width}") == ranged == Board.parse(ranged.text)
            assert ranged.n == wide * high - (wide - 2 * width) * (high - 2 * width)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ring:4x4/2", "width"),
        ("ring:4x4/0", "width"),
        ("ring:8x8", "ring:8x8/2"),
        ("8x8-c3..i9", "i9 is not on the board"),
        ("8x8-c3..f6,d4", "d4 is removed twice"),
        ("8x8-c3..f6,e5..h8", "e5 is removed twice"),
        ("8x8-c3..", "unknown board"),
        ("aztec:3-c1..d3-a1", "unknown board"),
        ("aztec:3-a3..c5", "a5 is not on the board"),
        ("4x4x4-(0,0,0)..(1,1)", "3 dimensions"),
    ],
)
def test_a_box_of_removed_cells_is_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(KTError) as refusal:
        Board.parse(text)
    assert words in str(refusal.value)
