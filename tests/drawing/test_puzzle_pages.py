"""Puzzles drawn, printed and played: what a page counts as solved is the solution, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import kt
from drawing.clue_marks import is_marked, marks_of
from drawing.puzzle_page import page_of_puzzles
from drawing.puzzle_sheet import PAGE_HEIGHT, sheets_of, svg_of_puzzles
from kt_models.files.puzzles import KINDS, Puzzle
from tests.axe import LOOKS, MORE_LOOKS, violations
from tests.command import answered
from tests.drawing.test_page_browser import Opener, opened
from tests.effort import slow

__all__ = ["opened"]
CASES = ["numbers", "waypoints", "paths", "closed"]


def puzzles(case: str, count: int = 2) -> list[Puzzle]:
    kind = "waypoints" if case == "closed" else case
    return list(kt.puzzles("4x4", count, kind=kind, leaper="wazir", open=case in ("numbers", "waypoints"), seed=2))


def press(page: Any, vertex: int) -> None:
    page.click(f'#board button[data-v="{vertex}"]')


def play(page: Any, puzzle: Puzzle) -> None:
    """Enter the solution from the first clue on."""
    if puzzle.kind != "numbers":
        for way in puzzle.ways:
            for vertex in way:
                press(page, vertex)
        return
    way = puzzle.ways[0]
    first = min(number for number in puzzle.numbers if number) - 1
    for vertex in way[first + 1 :]:
        press(page, vertex)
    page.click("#way")
    press(page, way[first])
    for vertex in way[:first][::-1]:
        press(page, vertex)


@pytest.mark.parametrize("case", CASES)
def test_a_puzzle_can_be_played(case: str, opened: Opener) -> None:
    made = puzzles(case)
    page = opened(page_of_puzzles(made))
    for number, puzzle in enumerate(made, start=1):
        assert page.inner_text("#which") == f"{number} of 2, {puzzle.difficulty}"
        play(page, puzzle)
        assert page.inner_text("#status") == "Solved."
        page.click("#undo")
        assert page.inner_text("#status") != "Solved."
        if number == 1:
            page.click("#after")
    page.click("#before")  # What was entered is kept.
    assert page.inner_text("#status") != f"{16 - made[0].count} cells left"


@pytest.mark.parametrize("case", CASES)
def test_the_solution_and_mistakes_are_shown(case: str, opened: Opener) -> None:
    puzzle = puzzles(case, 1)[0]
    page = opened(page_of_puzzles([puzzle]))
    page.click("#faults")
    assert page.inner_text("#status") == "No mistake so far."
    page.click("#solve")
    assert page.inner_text("#status") == "This is the solution."
    if case == "numbers":
        buttons = page.eval_on_selector_all("#board button", "all => all.map(b => [Number(b.dataset.v), b.innerText])")
        assert [int(text) for _, text in sorted(buttons)] == [puzzle.ways[0].index(v) + 1 for v in range(16)]
    page.click("#solve")
    start = puzzle.ways[0][0]
    press(page, start)
    way = puzzle.ways[0]
    near = [v for v in range(16) if puzzle.graph.edges_between(start, v) and v not in (way[1], way[-1])]
    if case == "paths" and near:
        free = [v for v in near if not puzzle.numbers[v]]
        if free:
            press(page, free[0])
            page.click("#faults")
            assert page.inner_text("#status") == "1 cell is wrong."


def test_keys_move_and_write(opened: Opener) -> None:
    puzzle = puzzles("numbers", 1)[0]
    page = opened(page_of_puzzles([puzzle]))
    free = next(v for v in range(16) if not puzzle.numbers[v])
    page.focus(f'#board button[data-v="{free}"]')
    page.keyboard.type("12")
    assert page.inner_text(f'#board button[data-v="{free}"]') == "12"
    page.keyboard.press("Backspace")
    assert page.inner_text(f'#board button[data-v="{free}"]') == "1"
    x, y = puzzle.graph.geometry[0].cells[free].tolist()
    page.keyboard.press("ArrowRight" if x < 3 else "ArrowLeft")
    beside = puzzle.graph.geometry[0].number((x + 1 if x < 3 else x - 1, y))
    assert page.evaluate("Number(document.activeElement.dataset.v)") == beside


@pytest.mark.parametrize("look", [*LOOKS, *slow(MORE_LOOKS)], ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_pages_of_puzzles_break_no_rule_of_accessibility(
    kind: str, look: tuple[str, tuple[int, int]], opened: Opener
) -> None:
    scheme, (width, height) = look
    page = opened(
        page_of_puzzles(puzzles(kind, 2), "<b>Monday & more</b>"),
        color_scheme=scheme,
        viewport={"width": width, "height": height},
    )
    play(page, puzzles(kind, 2)[0])
    assert page.inner_text("h1") == "<b>Monday & more</b>"
    assert violations(page) == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


@pytest.mark.parametrize("case", CASES)
def test_a_picture_has_the_clues_and_not_the_solution(case: str) -> None:
    puzzle = puzzles(case, 1)[0]
    drawn = puzzle._repr_svg_()
    assert drawn is not None and "kt-paper" in drawn
    words = [int(text) for text in re.findall(r">(\d+)</text>", drawn)]
    clues = sorted(number for number in puzzle.numbers if number)
    names = [1, 2, 3, 4]  # Ranks
    assert sorted(words) == sorted([*clues, *names])
    assert svg_of_puzzles([puzzle]) == drawn == kt.draw(puzzle)


def test_a_sheet_has_all_puzzles_and_then_all_solutions() -> None:
    made = puzzles("numbers", 7)
    pages = sheets_of(made, "Monday")
    assert len(pages) == 3  # Six on a page
    for page in pages:
        assert max(panel.y + panel.canvas.page.height for panel in page.panels) <= PAGE_HEIGHT
    whole = svg_of_puzzles(made, "Monday")
    assert whole.count("Solutions") == 1 and "Monday" in whole


def test_clues_of_problems_are_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("stops.txt").write_text("+---+---+\n| 1   3 |\n+   +---+\n|     2 |\n+---+---+\n")
    Path("grid.txt").write_text("1 . .\n. 8 .\n. . #\n")
    problem = kt.problem("3x3", leaper="wazir", open=True, in_order=["a1", "b2"], forbid=["c1-c2"])
    assert marks_of(problem).words == {0: "1", 4: "2"} and marks_of(problem).walls == (((2, 0), (2, 1)),)
    assert is_marked(problem) and not is_marked(kt.problem("3x3")) and "<img" in str(problem._repr_html_())
    for words in ("--waypoints stops.txt", "--clues grid.txt", "3x3 --paths a1-c3"):
        status, out, err = answered("draw", *words.split(), "-o", "out.svg", "--force")
        assert status == 0, err
        assert out == "" and "<text" in Path("out.svg").read_text()
    kt.puzzle("4x4", leaper="wazir", open=True).save("puzzle.json")
    for name in ("sheet.pdf", "page.html", "clues.png"):
        assert answered("draw", "puzzle.json", "-o", name)[0] == 0 and Path(name).stat().st_size > 1000


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--clues grid.txt -o out.html", "a page plays tours, and clues have none"),
        ("--clues grid.txt -o out/", "a gallery shows tours"),
        ("--clues grid.txt --waypoints grid.txt -o out.svg", "one grid at a time"),
        ("4x4 --clues grid.txt -o out.svg", "the grid is 3x2"),
        ("3x2 3x2 --clues grid.txt -o out.svg", "clues are drawn on one board"),
        ("--paths a1-b2 -o out.svg", "BOARD is missing"),
        ("--clues grid.txt --numbers -o out.svg", "numbers"),
        ("-o out.svg", "Missing argument"),
    ],
)
def test_clues_that_cannot_be_drawn_are_refused(
    words: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("grid.txt").write_text("1 . .\n. 5 .\n")
    status, _, err = answered("draw", *words.split())
    assert status == 2 and message in err and len(err.splitlines()) <= 2, err
