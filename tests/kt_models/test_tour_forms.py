"""Every form of a tour: written by writers of this file or by kt, read back the same; damaged, refused in one line.

The writers share no code with the readers. A tour read back may be another image under the board's symmetries where a
form has no orientation; which forms these are stands in `TURNED`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import kt
from cli.main import main
from cli.output import print_result
from kt_models import InvalidTour, KTError, Problem, Result, Tour
from kt_models.cells import cell_name
from kt_models.files.given import reading_of
from kt_models.files.tour_forms.table import FORMS, NAMES, WHOLE
from kt_models.files.tour_forms.write import FORMATS
from tests.effort import part_of
from tests.house import ROOT

Text = str
CASES = [
    ("3x4", "1,2", True), ("5x5", "1,2", True), ("5x6", "1,2", False), ("3x10", "1,2", False), ("6x6", "1,2", False),
    ("6x6", "1,2", True), ("8x8", "1,2", False), ("7x9", "1,2", True), ("4x6", "0,1", False), ("3x5", "0,1", True),
    ("10x10", "2,3", False), ("12x11", "1,2", False), ("5x5-a5", "1,2", False), ("aztec:3", "1,2", True),
]  # fmt: skip
"""Boards, pieces, and whether the tour is open."""


@cache
def tours(board: str, leaper: str, is_open: bool) -> list[Tour]:
    """Tours of a board."""
    found = [kt.find(board, leaper=leaper, open=is_open, seed=seed).tour for seed in (1, 2)[: part_of(6)]]
    made = [tour for tour in found if tour is not None]
    assert made
    return made


def every_tour() -> Iterator[tuple[Tour, str, str]]:
    """All of them, with the board and the piece."""
    for board, leaper, is_open in CASES:
        for tour in tours(board, leaper, is_open):
            yield tour, board, leaper


def cells_of(tour: Tour) -> list[tuple[int, int]]:
    return [(int(x), int(y)) for x, y in tour]


def rows_of(tour: Tour, base: int, hole: Text) -> list[list[Text]]:
    """The grid of numbers as texts, the top row first."""
    cells = cells_of(tour)
    number = {cell: str(place + base) for place, cell in enumerate(cells)}
    width, height = tour.graph.geometry[0].shape
    return [[number.get((x, y), hole) for x in range(width)] for y in range(height - 1, -1, -1)]


def spaced(tour: Tour, base: int) -> Text:
    return "\n".join(" ".join(f"{word:>3}" for word in row) for row in rows_of(tour, base, "."))


def ragged_spaces(tour: Tour, base: int) -> Text:
    return "\n".join("  ".join(row) + "  " for row in rows_of(tour, base, "#"))


def commas(tour: Tour, base: int) -> Text:
    return "\r\n".join(",".join(row) for row in rows_of(tour, base, ""))


def commas_at_ends(tour: Tour, base: int) -> Text:
    return "\n".join(", ".join(row) + "," for row in rows_of(tour, base, "x"))


def tabs(tour: Tour, base: int) -> Text:
    return "\n".join("\t".join(row) for row in rows_of(tour, base, "-"))


def boxed(tour: Tour, base: int) -> Text:
    rows = rows_of(tour, base, "")
    bar = "+" + "----+" * len(rows[0])
    return "\n".join([bar, *(f"|{'|'.join(f' {word:<3}' for word in row)}|\n{bar}" for row in rows)])


def drawn(tour: Tour, base: int) -> Text:
    rows = rows_of(tour, base, "")
    line = "┼".join(["───"] * len(rows[0]))
    body = f"\n├{line}┤\n".join("│" + "│".join(f"{word:^3}" for word in row) + "│" for row in rows)
    return f"┌{line.replace('┼', '┬')}┐\n{body}\n└{line.replace('┼', '┴')}┘\n"


def labelled(tour: Tour, base: int) -> Text:
    """As a chess diagram has it: ranks and files."""
    rows = rows_of(tour, base, ".")
    files = "   " + " ".join(f"{chr(97 + k):>3}" for k in range(len(rows[0])))
    ranks = [f"{len(rows) - k:>2} " + " ".join(f"{word:>3}" for word in row) for k, row in enumerate(rows)]
    return "\n".join([*ranks, files])


def markdown(tour: Tour, base: int) -> Text:
    rows = rows_of(tour, base, " ")
    head = "| " + " | ".join(chr(97 + k) for k in range(len(rows[0]))) + " |"
    return "\n".join([head, "|" + "---|" * len(rows[0]), *("| " + " | ".join(row) + " |" for row in rows)])


def numbers_of(tour: Tour, base: int) -> list[list[int]]:
    return [[int(word) for word in row] for row in rows_of(tour, base, "-1")]


GRIDS: dict[str, Callable[[Tour, int], Any]] = {
    "spaces": spaced, "uneven spaces": ragged_spaces, "commas": commas, "commas at ends": commas_at_ends, "tabs": tabs,
    "ASCII borders": boxed, "box drawing": drawn, "ranks and files": labelled, "Markdown": markdown,
    "one line": lambda tour, base: "[" + spaced(tour, base).strip().replace("\n", "; ") + "];\n",
    "nested list": numbers_of, "printed list": lambda tour, base: str(numbers_of(tour, base)),
    "array": lambda tour, base: np.array(numbers_of(tour, base)),
    "printed array": lambda tour, base: str(np.array(numbers_of(tour, base))),
    "its repr": lambda tour, base: repr(np.array(numbers_of(tour, base), dtype=np.int32)),
    "floats": lambda tour, base: np.array(numbers_of(tour, base), dtype=float),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", GRIDS)
def test_grids_that_count_from_one_are_read(name: str) -> None:
    for tour, board, leaper in every_tour():
        assert kt.read(GRIDS[name](tour, 1), leaper=leaper) == tour
        assert kt.read(GRIDS[name](tour, 1), board, leaper=leaper) == tour


@pytest.mark.parametrize("name", GRIDS)
def test_grids_that_count_from_zero_are_read(name: str) -> None:
    for tour, board, leaper in every_tour():
        assert kt.read(GRIDS[name](tour, 0), leaper=leaper, base=0) == tour
        assert kt.read(GRIDS[name](tour, 0), board, leaper=leaper) == tour


def test_zero_is_the_first_number_or_a_hole() -> None:
    """Where both are tours, the closed one with a hole and the open one without, it has to be said."""
    grid = [[0, 11, 16, 5, 20], [17, 4, 19, 10, 15], [12, 1, 8, 21, 6], [3, 18, 23, 14, 9], [24, 13, 2, 7, 22]]
    with pytest.raises(KTError, match=r"0 may be the first number or a hole.*--base 0 or 1"):
        kt.read(grid)
    whole, less = kt.read(grid, base=0), kt.read(grid, base=1)
    assert (len(whole), whole.closed, len(less), less.closed) == (25, False, 24, True)
    assert kt.read(grid, "5x5") == whole and kt.read(grid, "5x5-a5") == less
    tour = tours("8x8", "1,2", False)[0]
    assert kt.read(numbers_of(tour, 0)) == tour  # An open tour without its first cell is no other reading
    assert "no hole" in reading_of(spaced(tour, 0))[1]


def test_tours_as_kt_prints_them_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    """The lines above the grid say the board, the piece, and whether the tour is closed."""
    for tour, board, _leaper in every_tour():
        problem = Problem(tour.graph, "cycle" if tour.closed else "path")
        capsys.readouterr()
        print_result(Result(problem, "feasible", tour, engine="given", seconds=0.1))
        printed = capsys.readouterr().out
        assert kt.read(printed) == tour
        assert kt.read(f"$ kt solve {board}\n{printed}") == tour
        with pytest.raises(InvalidTour, match="not of 9x9"):
            kt.read(printed, "9x9")


def test_tours_in_space_as_kt_prints_them_are_read() -> None:
    tour = kt.solve("4x4x4").tour
    assert tour is not None
    for text in (CliRunner().invoke(main, ["solve", "4x4x4", "--seed", "3"]).stdout,):
        assert kt.read(text).graph == tour.graph
    assert kt.read(tour.numbers) == kt.read(tour.numbers.tolist()) == tour
    assert kt.read(list(tour)) == tour == kt.read(" ".join(tour.names), "4x4x4")


# -- lists -------------------------------------------------------------------------------------------------------------


def successors(tour: Tour, base: int) -> list[int]:
    """The number of the cell after each, cells numbered as in the graph."""
    after = dict(zip(tour.order.tolist(), np.roll(tour.order, -1).tolist(), strict=True))
    return [after[cell] + base for cell in range(len(tour))]


def index_of(tour: Tour, base: int) -> list[int]:
    width, height = tour.graph.geometry[0].shape
    return [(height - 1 - y) * width + x + base for x, y in cells_of(tour)]


LISTS: dict[str, Callable[[Tour], Any]] = {
    "pairs": cells_of,
    "lists": lambda tour: [list(cell) for cell in cells_of(tour)],
    "array": lambda tour: np.array(cells_of(tour)),
    "JSON": lambda tour: str([list(cell) for cell in cells_of(tour)]),
    "Python": lambda tour: str(cells_of(tour)),
    "Python's lines": lambda tour: "\n".join(map(str, cells_of(tour))),
    "CSV": lambda tour: "\n".join(f"{x},{y}" for x, y in cells_of(tour)),
    "CSV with a head": lambda tour: "x,y\n" + "\n".join(f"{x},{y}" for x, y in cells_of(tour)),
    "CSV with numbers": lambda tour: "step;x;y\n" + "\n".join(
        f"{k};{x};{y}" for k, (x, y) in enumerate(cells_of(tour))),
    "CSV of squares": lambda tour: "n,square\n" + "\n".join(f"{k},{n}" for k, n in enumerate(tour.names, 1)),
    "shuffled CSV": lambda tour: "n,x,y\n" + "\n".join(
        sorted(f"{k},{x},{y}" for k, (x, y) in enumerate(cells_of(tour), 1))),
    "columns": lambda tour: "\n".join(f"{x}\t{y}" for x, y in cells_of(tour)),
    "squares": lambda tour: tour.names,
    "squares in a line": lambda tour: " ".join(tour.names),
    "a square a line": lambda tour: "\n".join(tour.names),
    "dashes": lambda tour: "-".join(tour.names),
    "arrows": lambda tour: " → ".join(tour.names),
    "capitals": lambda tour: ", ".join(name.upper() for name in tour.names),
    "the first again": lambda tour: " ".join(tour.names + tour.names[: int(tour.closed)]),
    "moves": lambda tour: tour.moves,
    "moves of text": lambda tour: "\n".join(f"{cell_name(a)}-{cell_name(b)}" for a, b in tour.moves),
    "numbered moves": lambda tour: " ".join(
        f"{k}. N{cell_name(a)}-{cell_name(b)}" for k, (a, b) in enumerate(tour.moves, 1)),
    "moves in one word": lambda tour: "\n".join(
        f"{k}. N{cell_name(a)}{cell_name(b)}" for k, (a, b) in enumerate(tour.moves, 1)),
    "numbered squares": lambda tour: " ".join(f"{k}.N{name}" for k, name in enumerate(tour.names, 1)),
    "numbers by cell": lambda tour: {cell: k for k, cell in enumerate(cells_of(tour), 1)},
    "numbers by square": lambda tour: {name: k for k, name in enumerate(tour.names)},
}  # fmt: skip
TURNED: dict[str, Callable[[Tour], Any]] = {
    "pairs from 1": lambda tour: [(x + 1, y + 1) for x, y in cells_of(tour)],
    "row, column": lambda tour: [(tour.graph.geometry[0].shape[1] - 1 - y, x) for x, y in cells_of(tour)],
    "row, column with a head": lambda tour: "row,col\n" + "\n".join(
        f"{tour.graph.geometry[0].shape[1] - y},{x + 1}" for x, y in cells_of(tour)),
    "indices": lambda tour: index_of(tour, 0),
    "array of indices": lambda tour: np.array(index_of(tour, 0)),
    "successors": lambda tour: successors(tour, 0),
    "successors from 1": lambda tour: str(successors(tour, 1)),
    "indices from 1": lambda tour: " ".join(map(str, index_of(tour, 1))),
    "an index a line": lambda tour: "\n".join(map(str, index_of(tour, 0))),
    "ten indices a line": lambda tour: "\n".join(
        " ".join(map(str, index_of(tour, 0)[k : k + 10])) for k in range(0, len(tour), 10)),
    "LKH": lambda tour: "\n".join([
        f"NAME : knight.{len(tour)}.tour", f"COMMENT : Length = {len(tour)}", "COMMENT : Found by LKH-3 [Helsgaun]",
        "TYPE : TOUR", f"DIMENSION : {len(tour)}", "TOUR_SECTION",
        *(str(v + 1) for v in tour.order.tolist()), "-1", "EOF", ""]),
    "TSPLIB": lambda tour: "\n".join([
        "NAME: t", "TYPE: TOUR", f"DIMENSION: {len(tour)}", "TOUR_SECTION",
        " ".join(str(v + 1) for v in tour.order.tolist()), "-1"]),
    "Concorde": lambda tour: f"{len(tour)}\n" + "".join(
        f"{v}{' ' if k % 10 else chr(10)}" for k, v in enumerate(tour.order.tolist(), 1)),
    "linkern": lambda tour: f"{len(tour)} {len(tour)}\n" + "".join(
        f"{u} {v} 1\n" for u, v in zip(tour.order.tolist(), np.roll(tour.order, -1).tolist(), strict=True)),
}  # fmt: skip
"""Forms whose orientation or origin is a convention: read back up to a symmetry of the board."""
CLOSED = ("LKH", "TSPLIB", "Concorde", "linkern", "successors", "successors from 1")
"""Forms that have closed tours alone."""


@pytest.mark.parametrize("name", LISTS)
def test_lists_of_cells(name: str) -> None:
    for tour, board, leaper in every_tour():
        assert kt.read(LISTS[name](tour), board, leaper=leaper) == tour
        if tour.graph.geometry[0].is_box:
            assert kt.read(LISTS[name](tour), leaper=leaper) == tour
        else:
            with pytest.raises(KTError, match="--board"):
                kt.read(LISTS[name](tour), leaper=leaper)


@pytest.mark.parametrize("name", TURNED)
def test_lists_that_have_no_orientation(name: str) -> None:
    for tour, board, leaper in every_tour():
        if not tour.closed and name in CLOSED:
            continue
        assert kt.read(TURNED[name](tour), board, leaper=leaper).canonical() == tour.canonical()
        if not tour.graph.geometry[0].is_box:
            continue
        alone = kt.read(TURNED[name](tour), leaper=leaper)
        if alone.graph == tour.graph:
            assert alone.canonical() == tour.canonical()
        else:  # Rows and columns exchanged, of a board that is no square
            assert alone.graph.geometry[0].shape == tour.graph.geometry[0].shape[::-1]
        assert reading_of(str(TURNED[name](tour)), leaper=tour.graph.leaper)[1] if isinstance(
            TURNED[name](tour), str | list) else True  # fmt: skip


def test_the_board_of_indices_follows_if_one_alone_fits() -> None:
    order = [0, 1, 2, 3, 7, 6, 5, 4]  # Along the rows of 4x2
    assert kt.read(order, "4x2", leaper="0,1").closed
    assert kt.read(order, leaper="0,1").graph.name == "4x2"
    with pytest.raises(KTError, match=r"no box of 30 cells.*--board"):
        kt.read(list(range(30)), leaper="1,2")


def test_a_list_that_is_a_grid_too_is_refused() -> None:
    """Where the numbers of the visit, read as indices, are another tour, the form has to be said."""
    grid = "1 2\n4 3"
    assert kt.read(grid, leaper="0,1") == kt.read("1 2\n4 3", leaper="0,1", form="grid")
    for name in NAMES:
        assert name in (*FORMS, *WHOLE)
    with pytest.raises(KTError, match="unknown form 'gird', did you mean 'grid'"):
        kt.read(grid, form="gird")


# -- damage ------------------------------------------------------------------------------------------------------------


DAMAGE: dict[str, tuple[Callable[[list[list[str]]], Any], str]] = {}


def damage(says: str) -> Callable[[Callable[[list[list[str]], dict[str, tuple[int, int]]], Any]], None]:
    def add(function: Callable[[list[list[str]], dict[str, tuple[int, int]]], Any]) -> None:
        def apply(rows: list[list[str]]) -> None:
            places = {word: (r, c) for r, row in enumerate(rows) for c, word in enumerate(row)}
            function(rows, places)

        DAMAGE[function.__name__] = (apply, says)

    return add


def put(rows: list[list[str]], place: tuple[int, int], word: str) -> None:
    rows[place[0]][place[1]] = word


@damage(r"16 and 17 are not a knight's move apart \([a-h][1-8] and [a-h][1-8]\)")
def exchanged(rows: list[list[str]], places: dict[str, tuple[int, int]]) -> None:
    put(rows, places["17"], "40")
    put(rows, places["40"], "17")


@damage("18 occurs twice, at .. and .., and 17 is missing")
def twice(rows: list[list[str]], places: dict[str, tuple[int, int]]) -> None:
    put(rows, places["17"], "18")


@damage("17 is missing")
def hole(rows: list[list[str]], places: dict[str, tuple[int, int]]) -> None:
    put(rows, places["17"], ".")


@damage("17 is missing: 64 cells have numbers up to 170")
def slip(rows: list[list[str]], places: dict[str, tuple[int, int]]) -> None:
    put(rows, places["17"], "170")


@damage("'l7' is neither a number nor a hole")
def letter(rows: list[list[str]], places: dict[str, tuple[int, int]]) -> None:
    put(rows, places["17"], "l7")


@damage("row 4 of the grid has 7 entries, and another 8")
def short_row(rows: list[list[str]], places: dict[str, tuple[int, int]]) -> None:
    del rows[3][5]


@damage("is missing")
def lost_row(rows: list[list[str]], places: dict[str, tuple[int, int]]) -> None:
    del rows[0]


@damage("the numbers begin with 2")
def no_first(rows: list[list[str]], places: dict[str, tuple[int, int]]) -> None:
    put(rows, places["1"], ".")


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_grid_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    apply, says = DAMAGE[name]
    rows = rows_of(tours("8x8", "1,2", False)[0], 1, ".")
    apply(rows)
    path = tmp_path / "t.txt"
    for mark in (" ", ",", "\t"):
        path.write_text("\n".join(mark.join(row) for row in rows))
        with pytest.raises(KTError, match=says) as caught:
            kt.read(path)
        assert "\n" not in str(caught.value)
        for command in (["measure"], ["draw", "-o", str(tmp_path / "t.svg")], ["improve", "--minimize", "turns"]):
            result = CliRunner().invoke(main, [command[0], str(path), *command[1:]])
            assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1), result.output
        checked = CliRunner().invoke(main, ["check", str(path)])
        assert checked.exit_code == (2 if name == "letter" else 1)


def read_or_refused(text: str, board: str | None) -> None:
    """Read a text as a tour, which is verified, or be told in one line why not."""
    fault = ""
    try:
        kt.verify(kt.read(text, board))
    except KTError as error:
        fault = str(error)
    assert "\n" not in fault and len(fault) < 1500


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_random_damage_never_passes_as_the_tour(data: st.DataObject) -> None:
    """One number changed, two exchanged, or an entry lost: refused, or read as what it then is."""
    tour = tours("6x6", "1,2", False)[0]
    name = data.draw(st.sampled_from(sorted(LISTS)))
    text = LISTS[name](tour)
    if not isinstance(text, str):
        return
    words = text.split(data.draw(st.sampled_from([" ", "\n", ",", "-"])))
    if len(words) < 3:
        return
    i, j = data.draw(st.integers(0, len(words) - 1)), data.draw(st.integers(0, len(words) - 1))
    words[i], words[j] = data.draw(st.sampled_from([(words[j], words[i]), (words[j], words[j]), ("", words[j])]))
    read_or_refused("\n" + " ".join(words), "6x6")


def test_a_list_with_a_list_for_a_number_is_refused() -> None:
    text = LISTS["JSON"](tours("6x6", "1,2", False)[0])
    read_or_refused(text.replace("[[", "[[[1, 5], ", 1), "6x6")
    read_or_refused(text.replace("[[", "[[1, [", 1) + "]", "6x6")


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="0123456789abcdxyzN.-,;|[]()#' \n\t+", max_size=60))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    read_or_refused(text + "\n", None)


def test_lists_of_cells_that_are_damaged() -> None:
    tour = tours("8x8", "1,2", False)[0]
    names = tour.names
    swapped = [*names]
    swapped[16], swapped[30] = swapped[30], swapped[16]
    moves = [f"{a}-{b}" for a, b in pairwise(names)]
    for cells, says in (
        (" ".join(swapped), f"16 and 17 are not a knight's move apart \\({swapped[15]} and {swapped[16]}\\)"),
        (" ".join(names[:-1]), "is not visited; if it is a hole, give --board 8x8-"),
        (" ".join([*names[:10], names[3], *names[10:]]), f"{names[3]} is visited twice, as 4 and 11"),
        (" ".join([*names[:10], "z", *names[10:]]), "'z' is not a square"),
        ("\n".join(moves[:9] + moves[10:]), f"move 10 begins at {names[10]}, and move 9 ended at {names[9]}"),
        (cells_of(tour)[:-1], "is not visited"),
        (index_of(tour, 0)[:-1], "is missing: 63 numbers"),
        ([*index_of(tour, 0)[:-1], index_of(tour, 0)[5]], "is visited twice, at places 6 and 64"),
        (f"65\n{' '.join(map(str, index_of(tour, 0)))}\n", "the first number says 65 vertices, and 64 are listed"),
        ("[[1, 2], [3, 4]", "truncated"),
        ("hello, this is no tour at all\n", "not a tour in a form that is read; these are: squares or moves"),
        ("\n\n", "empty"),
        ([], "no cell"),
        ({(0, 0), (1, 2)}, "tour must be"),
        ({"a1": 1, "b3": 3}, "has the number 3 where 2 should be"),
        ("[[ 1  2 ...  7  8]\n ...\n [57 58 ... 63 64]]", "threshold"),
    ):
        with pytest.raises(KTError, match=says) as caught:
            kt.read(cells)
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 360, "a longer line loses its middle"
    with pytest.raises(InvalidTour, match="all steps are moves of the leaper 2,3: give --leaper"):
        kt.read(tours("10x10", "2,3", False)[0].numbers)


# -- doors -------------------------------------------------------------------------------------------------------------


def test_every_command_and_function_takes_every_form(tmp_path: Path) -> None:
    tour = tours("6x6", "1,2", False)[0]
    texts = [spaced(tour, 1), commas(tour, 1), " ".join(tour.names), LISTS["CSV with a head"](tour)]
    random.Random(1).shuffle(texts)
    for text in texts:
        path = tmp_path / "t.txt"
        path.write_text(text)
        for words, standard_input in (
            (["check", str(path)], None),
            (["check", "-"], text),
            (["check", text], None),
            (["measure", str(path)], None),
            (["measure", "-"], text),
            (["convert", str(path), str(tmp_path / "t.json"), "--force"], None),
            (["convert", "-", str(tmp_path / "t.json"), "--force"], text),
            (["draw", str(path), "-o", str(tmp_path / "t.svg")], None),
            (["improve", str(path), "--minimize", "turns", "--time-limit", "0.2", "--no-best"], None),
            (["solve", "6x6", "--hint", str(path)], None),
        ):
            result = CliRunner().invoke(main, words, input=standard_input)
            assert result.exit_code in (0, 3), (words, result.output)
        assert kt.read(tmp_path / "t.json") == tour
        assert kt.read(path) == kt.read(text) == kt.verify(text) == tour
        assert kt.check(text).shown and kt.check(path).shown and kt.solve("6x6", hint=text).tour == tour
        assert kt.draw(path) == kt.draw(text) == kt.draw(tour)
        assert kt.improve(text, "turns", time_limit=0.1).value is not None
    assert kt.check(tour.numbers).shown and kt.check(list(tour), "6x6").shown
    assert kt.draw(tour.numbers) == kt.draw(tour)


@pytest.mark.parametrize("name", FORMATS)
def test_written_tours_are_read_back(name: str, tmp_path: Path) -> None:
    for tour, board, leaper in every_tour():
        path = tmp_path / f"t{FORMATS[name].suffix}"
        tour.save(path)
        plain = tour.graph.geometry[0].is_box and leaper == "1,2"
        assert (kt.read(path) if plain or name != "coordinates" else kt.read(path, board, leaper=leaper)) == tour
        tour.save(path)  # A tour takes the place of a tour
        path.write_text("x,y\n3,4\n1,1\n")
        with pytest.raises(KTError, match="it holds something"):
            tour.save(path)
        path.unlink()


def test_an_open_tour_whose_ends_meet_stays_open(tmp_path: Path) -> None:
    tour = kt.verify(list(tours("6x6", "1,2", False)[0]), "6x6", closed=False)
    assert not tour.closed
    for name, row in FORMATS.items():
        path = tmp_path / f"t{row.suffix}"
        if name == "coordinates":
            with pytest.raises(KTError, match="cannot say that the tour is open"):
                tour.save(path)
            continue
        tour.save(path)
        assert kt.read(path) == tour


def test_a_format_by_name_and_what_has_no_place(tmp_path: Path) -> None:
    tour = tours("6x6", "1,2", False)[0]
    tour.save(tmp_path / "t.json")
    for name in FORMATS:
        out = tmp_path / f"{name}.dat"
        result = CliRunner().invoke(main, ["convert", str(tmp_path / "t.json"), str(out), "--format", name])
        assert result.exit_code == 0, result.output
        assert kt.read(out) == tour
    path = kt.solve("4x4x4").tour
    assert path is not None
    for name, says in (("t.moves", "3 dimensions"), ("t.dat", "name has to end in")):
        with pytest.raises(KTError, match=says):
            path.save(tmp_path / name)
    path.save(tmp_path / "space.txt")
    path.save(tmp_path / "space.csv")
    assert kt.read(tmp_path / "space.txt") == path == kt.read(tmp_path / "space.csv")
    graph = kt.solve(edges=[("a", "b"), ("b", "c"), ("c", "a")]).tour
    assert graph is not None
    with pytest.raises(KTError, match="no board"):
        graph.save(tmp_path / "g.csv")


def test_the_page_lists_the_forms_and_formats() -> None:
    page = (ROOT / "docs/use/format.md").read_text()
    for name in (*FORMS, *WHOLE, *FORMATS):
        assert f"`{name}`" in page, name


# -- moves -------------------------------------------------------------------------------------------------------------


def test_moves_and_chains_of_conditions() -> None:
    """Every way to write a move means it; a chain means each of its moves."""
    plain = kt.problem("6x6", require=["a1-b3", "b3-c5"], forbid=["d4-e6"])
    for require, forbid in (
        ("a1-b3-c5", "d4e6"),
        (["Na1-b3", "b3c5"], "Nd4-e6"),
        ("Na1-Nb3-Nc5", "Nd4Ne6"),
        ("a1->b3->c5", "D4-E6"),
        ([("a1", "b3"), ((1, 2), (2, 4))], "d4 - e6"),
    ):
        assert kt.problem("6x6", require=require, forbid=forbid) == plain
    space = kt.problem("4x4x4", require=["0,0,0-1,2,0", "1,2,0-3,1,0"])
    assert kt.problem("4x4x4", require="0,0,0-1,2,0-3,1,0") == kt.problem(
        "4x4x4", require="(0,0,0)-(1,2,0)-(3,1,0)"
    ) == space  # fmt: skip
    names = kt.problem(edges=[("a-b", "c"), ("c", "d"), ("d", "a-b")], require=["a-b-c", "c-d"])
    assert kt.problem(edges=[("a-b", "c"), ("c", "d"), ("d", "a-b")], require="d-c").required < names.required
    numbers = kt.problem(edges=[(1, 2), (2, 3), (3, 1)], require="1-2-3")
    assert len(numbers.required) == 2
    for wrong, says in (("a1-b3-b4", "not a 1,2 move"), ("a1b3c5", "a move is written"), ("a1", "a move is written")):
        with pytest.raises(KTError, match=says):
            kt.problem("6x6", require=wrong)


@pytest.mark.parametrize("made", ["tour", "result", "certificate"])
def test_a_json_document_is_read_as_a_file_a_text_and_a_value(made: str, tmp_path: Path) -> None:
    """Pasted from a file, in one line or in several, or as `json.load` returns it, a document is the same thing."""
    found = kt.find("6x6", method="merge")
    subject = {"tour": found.tour, "result": found, "certificate": kt.bound("6x6", 20)}[made]
    path = tmp_path / "x.json"
    subject.save(path)
    value = json.loads(path.read_text())
    for source in (path, json.dumps(value), json.dumps(value, indent=1), value):
        if made != "certificate":
            assert kt.read(source) == kt.read(path)
        assert kt.check(source).text == kt.check(path).text
    forged = value | ({"bound": value["bound"] + 40} if made == "certificate" else {"tour": value["tour"][::-1][1:]})
    for source in (forged, json.dumps(forged)):
        with pytest.raises(kt.KTError):
            kt.check(source)


def test_a_value_of_another_kind_is_refused_in_one_line() -> None:
    for value in ({}, {"foo": 1}, {"foo": "bar"}, {"kind": "log"}, {"tour": None}):
        for source in (value, json.dumps(value)):
            for call in (kt.read, kt.check):
                with pytest.raises(kt.KTError) as error:
                    call(source)
                assert "\n" not in str(error.value) and len(str(error.value)) < 600
