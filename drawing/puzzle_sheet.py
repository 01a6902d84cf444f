"""Sheets of puzzles to print: the puzzles page by page, and their solutions at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import wrap

import numpy as np

from drawing.canvas import SOFT_INK, Canvas
from drawing.caption import piece_words
from drawing.clue_marks import draw_clues, grid_canvas, marks_of
from drawing.draw import drawn_way
from drawing.options import DrawOptions
from drawing.page import Page
from drawing.sheet import Panel, Sheet, single
from drawing.svg import svg_of, svg_of_sheet
from drawing.themes import in_theme
from kt_models.files.puzzles import Puzzle

PAGE_WIDTH, PAGE_HEIGHT = 794, 1123
"""A sheet of A4 paper, in pixels of 1/96 inch."""
MARGIN, GAP = 48, 28
HEADING = 17.0
"""Height of the line above all, in pixels."""
MIN_CELL = 26
"""Least pixels of a cell of a puzzle: a finger or a pencil has to write in it."""
SOLUTIONS_ACROSS = 4
THEME = "print"


def rule_of(puzzle: Puzzle) -> str:
    """The task of a puzzle, in one sentence."""
    piece = {"0,1": "steps to a neighbouring cell", "0,1+1,1": "king's moves", "1,2": "knight's moves"}
    moves = piece.get(str(puzzle.graph.leaper), f"moves of the leaper {puzzle.graph.leaper}")
    if puzzle.kind == "paths":
        return f"Join each two equal numbers by a path of {moves}. The paths visit every cell once."
    if puzzle.kind == "waypoints":
        ends = "and return to 1" if puzzle.closed else "from 1 to the last"
        return f"Visit every cell once by {moves}, and the numbers in their order, {ends}."
    closing = f", and {puzzle.graph.n} to 1" if puzzle.closed else ""
    return f"Write the numbers 1 to {puzzle.graph.n} so that {moves} lead from 1 to 2, to 3 and so on{closing}."


def puzzle_canvas(puzzle: Puzzle, options: DrawOptions, *, solved: bool = False) -> tuple[Canvas, str]:
    """The drawing of a puzzle, or of its solution, and its description."""
    graph = puzzle.graph
    board = graph.geometry[0]
    caption = options.caption if options.caption is not None else caption_of_puzzle(puzzle)
    canvas = grid_canvas(board, caption, replace(options, caption=caption))
    marks = marks_of(puzzle)
    if solved and puzzle.kind == "numbers":
        _write_numbers(canvas, puzzle, set(marks.words))
    elif solved:
        drawn_way(canvas, graph, puzzle.walks, options)
    draw_clues(canvas, board, marks)
    return in_theme(canvas, options.theme), caption_of_puzzle(puzzle)


def _write_numbers(canvas: Canvas, puzzle: Puzzle, clues: set[int]) -> None:
    """The numbers of the solution that are not given."""
    cells = puzzle.graph.geometry[0].cells
    for number, vertex in enumerate(puzzle.ways[0], start=1):
        if vertex not in clues:
            x, y = cells[vertex].tolist()
            canvas.write(x, y, str(number), 0.36 * canvas.page.cell, name="numbers", colour=SOFT_INK)


def caption_of_puzzle(puzzle: Puzzle) -> str:
    """`6x6, closed, 5 numbers, medium`."""
    kind = [] if puzzle.kind == "paths" else ["closed" if puzzle.closed else "open"]
    noun = {"numbers": "numbers", "waypoints": "stops", "paths": "pairs"}[puzzle.kind]
    return ", ".join(
        [puzzle.graph.name, *piece_words(puzzle.graph), *kind, f"{puzzle.count} {noun}", puzzle.difficulty]
    )


def puzzle_svg(puzzle: Puzzle) -> str:
    """The drawing of one puzzle without its solution."""
    return svg_of(*puzzle_canvas(puzzle, DrawOptions()))


def sheets_of(puzzles: Sequence[Puzzle], title: str = "") -> list[Sheet]:
    """Pages of A4 paper: the puzzles with their rule, and small solutions at the end."""
    return [*_puzzle_pages(puzzles, title), *_solution_pages(puzzles)]


def svg_of_puzzles(puzzles: Sequence[Puzzle], title: str = "") -> str:
    """All pages below one another; a single puzzle is a drawing without its solution."""
    if len(puzzles) == 1:
        return puzzle_svg(puzzles[0])
    pages = sheets_of(puzzles, title)
    panels = tuple(
        replace(panel, y=panel.y + number * PAGE_HEIGHT) for number, page in enumerate(pages) for panel in page.panels
    )
    return svg_of_sheet(Sheet(panels, PAGE_WIDTH, PAGE_HEIGHT * len(pages)), title or "kt")


def pdf_of_puzzles(puzzles: Sequence[Puzzle], title: str = "") -> bytes:
    """A PDF file to print."""
    from drawing.figure import pdf_of_pages

    return pdf_of_pages(sheets_of(puzzles, title), title or "kt")


def png_of_puzzle(puzzle: Puzzle) -> bytes:
    """The picture of one puzzle."""
    from drawing.figure import png_of

    canvas, title = puzzle_canvas(puzzle, DrawOptions())
    return png_of(single(canvas, title), title, exact=False)


def _puzzle_pages(puzzles: Sequence[Puzzle], title: str) -> Iterator[Sheet]:
    side = max(puzzles[0].graph.geometry[0].shape)
    across = max(1, min(2, (PAGE_WIDTH - 2 * MARGIN + GAP) // (MIN_CELL * (side + 1) + GAP)))
    head = _lines([title] if title else [], HEADING, bold=True) + _lines(wrap(rule_of(puzzles[0]), 92), 13.0)
    top = MARGIN + sum(canvas.page.height for canvas in head) + GAP // 2
    down = 3 if side < 10 else 2
    width = min(
        (PAGE_WIDTH - 2 * MARGIN - GAP * (across - 1)) // across,
        (PAGE_HEIGHT - MARGIN - top - GAP * (down - 1)) // down,
    )
    drawn = [
        puzzle_canvas(
            puzzle, DrawOptions(size=width, caption=f"{number}: {puzzle.difficulty}", theme=THEME, names=False)
        )
        for number, puzzle in enumerate(puzzles, start=1)
    ]
    yield from _pages(drawn, head, top, across, width)


def _solution_pages(puzzles: Sequence[Puzzle]) -> Iterator[Sheet]:
    across = SOLUTIONS_ACROSS
    width = (PAGE_WIDTH - 2 * MARGIN - GAP * (across - 1)) // across
    head = _lines(["Solutions"], HEADING, bold=True)
    drawn = [
        puzzle_canvas(puzzle, DrawOptions(size=width, caption=str(number), theme=THEME, names=False), solved=True)
        for number, puzzle in enumerate(puzzles, start=1)
    ]
    yield from _pages(drawn, head, MARGIN + head[0].page.height + GAP // 2, across, width)


def _pages(
    drawn: Sequence[tuple[Canvas, str]], head: Sequence[Canvas], top: int, across: int, width: int
) -> Iterator[Sheet]:
    height = max(canvas.page.height for canvas, _ in drawn)
    down = max(1, (PAGE_HEIGHT - MARGIN - top + GAP) // (height + GAP))
    for first in range(0, len(drawn), across * down):
        panels, y = [], MARGIN
        for canvas in head:
            panels.append(Panel(canvas, "", 0, y))
            y += canvas.page.height
        left = (PAGE_WIDTH - across * width - GAP * (across - 1)) // 2
        for place, (canvas, words) in enumerate(drawn[first : first + across * down]):
            row, column = divmod(place, across)
            panels.append(Panel(canvas, words, left + column * (width + GAP), top + row * (height + GAP)))
        yield Sheet(tuple(panels), PAGE_WIDTH, PAGE_HEIGHT)


def _lines(texts: Sequence[str], height: float, *, bold: bool = False) -> list[Canvas]:
    """Strips with a line of text each."""
    made = []
    for text in texts:
        tall = round(1.7 * height)
        page = Page(np.zeros((0, 0), np.int8), np.zeros((1, 2), np.int64), 1.0, 0, 0, 0, 0, 0, PAGE_WIDTH, tall)
        canvas = Canvas(page)
        size = min(height, (PAGE_WIDTH - 2 * MARGIN) / (0.62 * max(1, len(text))))
        canvas.write((canvas.left + canvas.right) / 2, canvas.bottom + tall / 2, text, size, bold=bold)
        made.append(in_theme(canvas, THEME))
    return made
