"""The sheet of docs/site/figures.py: boards side by side, what is put on them, and the text of the SVG file.

It is the canvas of `drawing`, with the look of `kt draw`; all places are in cells of one of the boards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from drawing.canvas import BORDER, INK, PAPER, SOFT_INK, Canvas, Dots, Lines, Rectangles
from drawing.drawn_moves import way_of
from drawing.lines import border, runs_of
from drawing.page import Page
from drawing.squares import draw_chequered
from drawing.svg import svg_of
from kt_models.board import Board
from kt_models.graph import MoveGraph
from kt_models.tour import Tour

BLUE, ORANGE, GREEN, PURPLE, GOLD, TEAL = "#2878b5", "#e0541f", "#3b8f3e", "#8a4fae", "#c08a00", "#16918f"
COLOURS = (BLUE, ORANGE, GREEN, PURPLE, GOLD, TEAL)
FAINT = "#b5b1a8"
TEXT = 13.0
"""Height of what is written, in pixels; nothing is written smaller."""

Point = Sequence[float]
Cell = tuple[int, int]


class Sheet:
    """Boards side by side, their lower edges on one line.

    Parameters
    ----------
    boards
        In the plane.
    cell
        Pixels of a cell.
    gap
        Between two boards, in cells.
    above, below, aside
        Pixels above the boards, below them, and left and right.
    """

    def __init__(
        self,
        boards: Sequence[Board],
        cell: float,
        *,
        gap: float = 1.0,
        above: float = 10,
        below: float = 48,
        aside: float = 10,
    ) -> None:
        self.boards, self.cell = boards, cell
        widths = [board.shape[0] for board in boards]
        self.left = [sum(widths[:i]) + gap * i for i in range(len(boards))]
        height = max(board.shape[1] for board in boards)
        width = self.left[-1] + widths[-1]
        size = round(width * cell + 2 * aside), round(height * cell + above + below)
        squares, offsets = np.zeros((0, 0), dtype=np.int8), np.zeros((1, 2), dtype=np.int64)  # They are drawn here
        page = Page(squares, offsets, cell, 0, 0, 0, round(aside), round(below), *size)
        self.canvas = Canvas(page)
        for board, left in zip(boards, self.left, strict=True):
            self._squares(board, left)

    def _squares(self, board: Board, left: float) -> None:
        there = board.grid >= 0
        x, y = np.nonzero(there)
        dark = np.zeros_like(there)
        dark[x, y] = (x + y) % 2 == 0
        draw_chequered(self.canvas, there, dark, (left, 0.0))
        lines = [line + np.array([left, 0]) for line in border(there)]
        self.canvas.put(Lines(name="border", order=0.2, points=lines, colours=BORDER, width=1.0, cap="square"))

    def at(self, panel: int, points: Any) -> Any:
        """Points of a board as points of the sheet."""
        return np.asarray(points, dtype=np.float64) + np.array([self.left[panel], 0])

    def tint(self, panel: int, cells: Any, colour: str, alpha: float = 0.3) -> None:
        """Cells filled with a colour."""
        boxes = runs_of(self._there(panel, cells))
        boxes[:, [0, 2]] += self.left[panel]
        self.canvas.put(Rectangles(name="tint", order=0.15, corners=boxes, colour=colour, opacity=alpha))

    def frame(self, panel: int, cells: Any, colour: str, width: float = 2.2) -> None:
        """An outline around cells."""
        outline = [self.at(panel, line) for line in border(self._there(panel, cells))]
        self.canvas.put(
            Lines(name="frame", order=0.4, points=outline, colours=colour, width=4 * width / 3, cap="square")
        )

    def values(self, panel: int, cells: Any, numbers: Sequence[int]) -> None:
        """Whole numbers in cells, which are the bluer the larger they are, and orange below 0."""
        self.tint(panel, cells, PAPER, 1)
        for value in sorted(set(numbers) - {0}):
            where = [cell for cell, number in zip(cells, numbers, strict=True) if number == value]
            self.tint(panel, where, BLUE if value > 0 else ORANGE, 0.2 * abs(value))
        for cell, number in zip(cells, numbers, strict=True):
            self.write(panel, cell, signed(number).removeprefix("+"), size=15)

    def _there(self, panel: int, cells: Any) -> Any:
        there = np.zeros(self.boards[panel].shape, dtype=bool)
        there[tuple(np.asarray(cells).T)] = True
        return there

    def lines(
        self, panel: int, lines: Iterable[Any], colour: str, width: float = 2.2, order: float = 1, dash: float = 0
    ) -> None:
        """Lines through points, in dashes of so many widths if there are any; `width` in pixels."""
        placed, cap = [self.at(panel, line) for line in lines], "butt" if dash else "round"
        self.canvas.put(
            Lines(name="lines", order=order, points=placed, colours=colour, width=width, cap=cap, dash=dash)
        )

    def dots(self, panel: int, points: Any, colour: str, radius: float = 4.0, order: float = 3, **style: Any) -> None:
        """Discs; `radius` in pixels."""
        placed = self.at(panel, points).reshape(-1, 2)
        self.canvas.put(Dots(name="dots", order=order, points=placed, radius=radius, colours=colour, **style))

    def discs(self, panel: int, points: Any, order: float = 4) -> None:
        """White discs, as crossings are marked."""
        self.dots(panel, points, PAPER, 3.6, order, rim=1.3)

    def write(self, panel: int, at: Point, text: str, colour: str = INK, size: float = TEXT, **style: Any) -> None:
        x, y = self.at(panel, at)
        self.canvas.write(x, y, text, size, colour=colour, **style)

    def label(self, panel: int, at: Point, text: str) -> None:
        """Text in a box, above the lines."""
        (x, y), tall = self.at(panel, at), 1.1 * TEXT / self.cell
        wide = (0.32 * TEXT * len(text) + 6) / self.cell
        box = np.array([[x - wide, y - tall, x + wide, y + tall]])
        rim = box[0, [0, 1, 2, 1, 2, 3, 0, 3, 0, 1]].reshape(5, 2)
        self.canvas.put(Rectangles(name="box", order=5, corners=box, colour=PAPER))
        self.canvas.put(Lines(name="rim", order=5.1, points=[rim], colours=BORDER, width=1.0))
        self.write(panel, at, text)

    def under(self, panel: int, *lines: str) -> None:
        """Lines of text below a board, from the top down; the first one is bold if there are more."""
        middle = (self.boards[panel].shape[0] - 1) / 2
        for number, line in enumerate(lines):
            y = -0.5 - (14 + 17 * number) / self.cell
            bold = number == 0 and len(lines) > 1
            self.write(panel, (middle, y), line, INK if number == 0 else SOFT_INK, bold=bold)


@dataclass(frozen=True)
class Figure:
    """A sheet, and what it shows: a title, and a sentence for those who do not see it."""

    sheet: Sheet
    title: str
    description: str


def svg(figure: Figure) -> str:
    """The text of the SVG file."""
    return svg_of(figure.sheet.canvas, figure.title, figure.description)


# -- boards and moves --------------------------------------------------------------------------------------------------


def board_of(graph: MoveGraph) -> Board:
    assert graph.board is not None
    return graph.board


def segments(board: Board, edges: Any) -> Any:
    """The ends of moves, given as pairs of cell numbers, as coordinates; shape (k, 2, 2)."""
    return board.cells[np.asarray(edges, dtype=np.int64).reshape(-1, 2)]


def moves_of(tour: Tour) -> set[tuple[int, int]]:
    """The moves of a tour as pairs of cell numbers, the lesser first."""
    return set(map(tuple, tour.graph.ends[tour.edges].tolist()))


def moves_of_links(links: Any) -> set[tuple[int, int]]:
    """The moves of cycles given by the two neighbours of each cell."""
    return {(min(u, v), max(u, v)) for u, pair in enumerate(links.tolist()) for v in pair}


def crossings(graph: MoveGraph, lines: Any) -> Any:
    """The points where moves, given as coordinates of their ends, cross: one for each pair; shape (k, 2)."""
    board = board_of(graph)
    moves = [Tour(graph, board.numbers(np.asarray(line)), closed=False) for line in lines]
    return way_of(board, moves, along=False).crossings


def signed(number: int) -> str:
    return f"{number:+d}".replace("-", "−") if number else "0"
