"""Clues on a board: given numbers, stops, the ends of paths, and walls between cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from drawing.canvas import BORDER, INK, PAPER, Canvas, Dots, Lines
from drawing.drawn_moves import FloatArray
from drawing.lines import on_page
from drawing.options import DrawOptions
from drawing.page import page_of, require_drawable
from drawing.squares import draw_chequered, write_names
from kt_models.board import Board
from kt_models.files.clues import WAZIR
from kt_models.files.puzzles import Puzzle
from kt_models.numbers import spoken
from kt_models.problem import Problem

MOST_DIMENSIONS = 3
DISC = 0.34
"""Radius of the disc under a stop or the end of a path, in cells."""


@dataclass(frozen=True)
class ClueMarks:
    """The clues of a problem.

    Parameters
    ----------
    words
        What is written in the cells that have a clue: a number, or several that are possible.
    walls
        Pairs of cells with a wall between them.
    discs
        What is drawn under the words: nothing, dark discs for stops, light ones for ends of paths.
    """

    words: Mapping[int, str]
    walls: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    discs: str = ""


def marks_of(subject: Problem | Puzzle) -> ClueMarks:
    """The clues of a problem on a board: numbers, stops or ends of paths, and the wazir's forbidden moves as walls."""
    problem = subject.problem if isinstance(subject, Puzzle) else subject
    graph = problem.graph
    walls: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    if graph.leaper == WAZIR and graph.board is not None:
        cells = [tuple(cell) for cell in graph.board.cells.tolist()]
        pairs = graph.ends[sorted(problem.forbidden)].tolist()
        walls = tuple((cells[u], cells[v]) for u, v in pairs)
    if problem.in_order:
        words = {stop: str(number) for number, stop in enumerate(problem.in_order, start=1)}
        return ClueMarks(words, walls, "dark")
    if problem.terminals and problem.numbers is None:
        pairs = range(0, len(problem.terminals), 2)
        words = {end: str(1 + k // 2) for k in pairs for end in problem.terminals[k : k + 2]}
        return ClueMarks(words, walls, "light")
    allowed = () if problem.numbers is None else problem.numbers.allowed
    return ClueMarks({vertex: spoken(numbers) for vertex, numbers in allowed}, walls)


def is_marked(problem: Problem) -> bool:
    """Whether a problem has clues on a board, that can be drawn."""
    board = problem.graph.board
    if board is None or board.is_flat or board.dimension > MOST_DIMENSIONS or problem.graph.directed is not None:
        return False
    marks = marks_of(problem)
    return bool(marks.words or marks.walls)


def grid_canvas(board: Board, caption: str, options: DrawOptions) -> Canvas:
    """A board as the grid of a puzzle: one colour, and a line around each cell."""
    require_drawable(board)
    canvas = Canvas(page_of(board, caption, options))
    draw_chequered(canvas, canvas.page.squares > 0, np.zeros_like(canvas.page.squares, dtype=bool), (0.0, 0.0))
    places = np.argwhere(canvas.page.squares > 0).tolist()
    sides = {side for x, y in places for side in ((x, y, 0), (x, y, 1), (x + 1, y, 0), (x, y + 1, 1))}
    corners = [np.array([[x, y], [x + level, y + 1 - level]]) - 0.5 for x, y, level in sorted(sides)]
    canvas.put(Lines(name="grid", order=0.2, points=corners, colours=BORDER, width=canvas.pixels(0.02, 0.8)))
    write_names(canvas, board, caption, options.title)
    return canvas


def draw_clues(canvas: Canvas, board: Board, marks: ClueMarks) -> None:
    """Draw clues on a board."""
    offsets = canvas.page.offsets
    places: FloatArray = on_page(board.cells.astype(np.int64), offsets).astype(np.float64)
    there = sorted(marks.words)
    if there and marks.discs:
        face = INK if marks.discs == "dark" else PAPER
        canvas.put(
            Dots(
                name="clue-discs", order=5.0, points=places[there], radius=canvas.pixels(DISC), colours=face,
                edge=INK, rim=canvas.pixels(0.02, 0.6),
            )
        )  # fmt: skip
    for vertex in there:
        x, y = places[vertex].tolist()
        words = marks.words[vertex]
        height = min(0.42, 0.85 / (0.64 * max(len(words), 1))) * canvas.page.cell
        colour = PAPER if marks.discs == "dark" else INK
        canvas.write(x, y, words, height, name="clues", colour=colour, bold=True)
    lines = [_between(offsets.reshape(-1, 2)[0].tolist(), first, second) for first, second in marks.walls]
    if lines:
        width = canvas.pixels(0.1, 2.0)
        canvas.put(Lines(name="walls", order=0.3, points=lines, colours=INK, width=width, cap="round"))


def _between(offset: list[int], first: tuple[int, ...], second: tuple[int, ...]) -> FloatArray:
    """The side that two neighbouring cells share."""
    middle = (np.array(first) + np.array(second)) / 2 + np.array(offset)
    along = np.array([0.5, 0.0] if first[0] == second[0] else [0.0, 0.5])
    return np.stack([middle - along, middle + along])
