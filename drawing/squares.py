"""The board under a tour: its squares, the names along its edges, and the caption."""

from __future__ import annotations

import numpy as np

from drawing.canvas import (
    BORDER,
    DARK,
    LIGHT,
    SOFT_INK,
    Canvas,
    Lines,
    Rectangles,
)
from drawing.lines import border, runs_of
from drawing.page import DIGIT, OVERHANG
from kt_models.board import Board, BoolArray
from kt_models.cells import column_name, layer_name


def draw_squares(canvas: Canvas) -> None:
    """Squares of the page, light and dark, and the border around them."""
    squares = canvas.page.squares
    draw_chequered(canvas, squares > 0, squares == 2, (0.0, 0.0))
    if canvas.page.cell > 1.5:
        lines, width = border(squares > 0), canvas.pixels(0.02, 1.0)
        canvas.put(Lines(name="border", order=0.2, points=lines, colours=BORDER, width=width, cap="square"))


def draw_chequered(canvas: Canvas, there: BoolArray, dark: BoolArray, corner: tuple[float, float]) -> None:
    """Light squares where there are any, dark ones on some of them; the square of [0, 0] is centred at `corner`."""
    x, y = np.nonzero(dark)
    squares = np.stack([x - 0.5, y - 0.5, x + 0.5, y + 0.5], axis=1)
    for name, corners, colour, order in (("squares", runs_of(there), LIGHT, 0.0), ("dark-squares", squares, DARK, 0.1)):
        canvas.put(Rectangles(name=name, order=order, corners=corners + np.tile(corner, 2), colour=colour))


def write_names(canvas: Canvas, board: Board, caption: str, title: str = "") -> None:
    """Names, the caption and the title, as far as there is room."""
    canvas.write_title(title)
    if canvas.page.label:
        _draw_names(canvas, board)
    if canvas.page.caption:
        canvas.write_caption(caption)


def _draw_names(canvas: Canvas, board: Board) -> None:
    """Files below, ranks on the left and layers above, as many as fit."""
    page = canvas.page
    width, height = board.shape[:2]
    plane = board.dimension == 2
    files = [column_name(x) if plane else str(x) for x in range(width)]
    ranks = [str(y + 1 if plane else y) for y in range(height)]
    line = page.label / page.cell
    away = 0.5 + (OVERHANG if any(board.wraps) else 0.0)
    for layer in np.ndindex(board.shape[2:]):
        x0, y0 = page.offsets[layer].tolist()
        for x in _every(width, DIGIT * line * (1 + len(files[-1]))):
            canvas.write(x0 + x, y0 - away - 0.85 * line, files[x], page.label, "names", colour=SOFT_INK)
        for y in _every(height, 1.3 * line):
            canvas.write(x0 - away - 0.45 * line, y0 + y, ranks[y], page.label, "names", colour=SOFT_INK, anchor="end")
        if not plane:
            above = y0 + height - 1 + away + 0.8 * line
            canvas.write(x0 + (width - 1) / 2, above, layer_name(layer), page.label, "names")


def _every(count: int, room: float) -> list[int]:
    """Names that are written if each needs some room, in cells: all, or the first and then every few."""
    if room <= 1:
        return list(range(count))
    step = next(s for power in range(12) for s in (2 * 10**power, 5 * 10**power, 10 * 10**power) if s >= room)
    chosen = list(range(step - 1, count, step))
    return chosen if chosen and step - 1 < room else [0, *chosen]
