"""`Page`: sizes and positions of everything on a drawing, and of the layers of a board in three or four dimensions."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from drawing.drawn_moves import Cells
from drawing.options import MAX_SIZE, DrawOptions
from kt_models.board import Board
from kt_models.errors import KTError, TooLarge, shortened

MIN_NUMBER_HEIGHT = 5.0
"""Least height of a visit number in pixels; smaller digits cannot be read."""

DIGIT = 0.64  # Width of a digit of DejaVu Sans over its height; that of a letter is about as much
MIN_LINE_HEIGHT = 7.0
"""Least height of a title or a caption in pixels."""
TITLE = 1.25
"""Height of a title relative to other text."""
OVERHANG = 0.3  # How far, in cells, a move that wraps is drawn over the edge


MOST_DRAWN, MOST_ON_A_PAGE = 4, 3
"""Most dimensions of a board in a picture, and on a page, which has no grid of layers."""
MAX_DRAWN = 1_000_000
"""Most cells or vertices that are drawn; the box of cells may have four times as many."""


class Page(NamedTuple):
    """Positions of everything, in pixels; only `squares` and `offsets` are in cells."""

    squares: npt.NDArray[np.int8]
    """Squares of all layers, at [x, y]: 0 for nothing, 1 for a light and 2 for a dark square."""
    offsets: Cells
    """Position of cell (0, 0) of each layer: shape (2,) in the plane, (z, 2) in space, (z, w, 2) in four dimensions."""
    cell: float
    label: float
    """Height of the names along the edges; 0 if they are not wanted or do not fit."""
    caption: float
    """Height of the caption; 0 if it does not fit."""
    number: float
    left: int
    bottom: int
    width: int
    height: int
    title: float = 0.0
    """Height of the title; 0 without one."""


def require_dimensions(board: Board, page: bool = False) -> None:
    """Refuse a board with more dimensions than a picture shows, or a `page`, which takes no grid of layers."""
    most, shows = (MOST_ON_A_PAGE, "a page shows") if page else (MOST_DRAWN, "a picture shows")
    if board.dimension > most:
        raise KTError(f"board {shortened(board.text)}: it has {board.dimension} dimensions; {shows} at most {most}")


def require_drawable(board: Board) -> None:
    """Refuse a board that is too large or has too many dimensions to be drawn."""
    text = shortened(board.text)
    require_dimensions(board)
    box = math.prod(board.shape)
    if board.n > MAX_DRAWN or box > 4 * MAX_DRAWN:
        raise TooLarge(f"board {text}: {board.n:,} cells in a box of {box:,}; at most {MAX_DRAWN:,} are drawn")


def page_of(board: Board, caption: str, options: DrawOptions, scale: float = 1.0) -> Page:
    """The page of a given size or, by default, of one that suits the board; `scale` is that of the numbers."""
    squares, offsets, gap = _laid_out(board)
    columns, rows = squares.shape
    over = 2 * OVERHANG if any(board.wraps) else 0.0
    digits = len(str(board.n))
    least_cell = MIN_NUMBER_HEIGHT * DIGIT * digits / 0.5 / scale if options.numbers or options.degrees else 0.0
    size = options.size or _usual_size(max(columns, rows), board.dimension, 1.2 * least_cell)

    pad = max(6.0, size / 60)
    text = min(max(size / 42, 9.0), 15.0)
    label = min(max(0.3 * size / max(columns, rows), 8.0), text) if options.names else 0.0
    caption_height = fitting(caption, text, size - 2 * pad, "caption" if options.caption else "")
    title_height = fitting(options.title, TITLE * text, size - 2 * pad, "title")
    across = 2 * pad + label * (0.7 + DIGIT * len(str(board.shape[1])))
    down = 2 * pad + 1.7 * label * min(board.dimension - 1, 2) + 1.9 * caption_height + 1.9 * title_height

    cell = min((size - across) / (columns + over), (size - down) / (rows + over))
    if cell <= 0:
        raise KTError(f"size {size}: too few pixels for {shortened(board.text)}")
    if cell < least_cell:
        needed = math.ceil(size * least_cell / cell)
        raise KTError(f"numbers in {shortened(board.text)} need about {needed:,} pixels; the drawing has {size:,}")
    if cell >= 16 or not options.size:  # Whole steps give an SVG short coordinates
        cell = math.floor(3 * cell) / 3 or cell
    inner = cell * (columns + over)
    line = DIGIT * max(caption_height * len(caption), title_height * len(options.title))
    width = max(inner + across, min(size, line + 2 * pad))
    height = cell * (rows + over) + down
    if options.size:  # What the steps left over becomes margin
        width, height = (size, height) if width >= height else (width, size)
    if board.dimension > 2:  # Two lines of names fit between the layers
        label = min(label, gap * cell / 3.4, (board.shape[0] + gap) * cell / (5 if board.dimension == 3 else 9))
    return Page(
        squares,
        offsets,
        cell,
        label if label >= 6 else 0.0,
        caption_height,
        scale * min(0.34 * cell, 0.5 * cell / (DIGIT * digits)),
        left=round(across - pad + (width - inner - across) / 2 + cell * over / 2),
        bottom=round(pad + 1.9 * caption_height + 1.7 * label + cell * over / 2),
        width=math.ceil(width),
        height=math.ceil(height),
        title=title_height,
    )


def fitting(line: str, height: float, width: float, required: str = "") -> float:
    """Height, up to the given one, at which a line fits a width; 0 if it would be unreadable.

    Raises
    ------
    KTError
        If the text is `required`, because an option with this name asks for it, and does not fit.
    """
    height = min(height, width / (DIGIT * len(line))) if line else 0.0
    if line and height < MIN_LINE_HEIGHT and required:
        raise KTError(f"{required}: {len(line)} characters do not fit {round(width):,} pixels; a larger size has room")
    return height if height >= MIN_LINE_HEIGHT else 0.0


def _usual_size(side: int, dimension: int, least_cell: float) -> int:
    """Pixels that suit a number of cells: about 48 for each on a small board, fewer on a large one, more in space."""
    usual = min(48 * side + 64, 640) if dimension == 2 else min(64 * side + 64, 960)
    return min(max(240, usual, min(8 * side, 1600), math.ceil(least_cell * (side + 2))), MAX_SIZE)


def _laid_out(board: Board) -> tuple[npt.NDArray[np.int8], Cells, int]:
    """Squares of all layers on one page; the position of each layer; the gap between them.

    Layers in space are in reading order. In four dimensions they are a grid: z goes up, and w to the right.
    """
    there = np.ones(board.shape, dtype=bool) if board.mask is None else board.mask
    width, height = there.shape[:2]
    gap = 1 + max(width, height) // 8 + any(board.wraps)
    if there.ndim == 4:
        down, across = there.shape[2:]
        row, column = np.indices((down, across))
    else:
        layers = math.prod(there.shape[2:])
        across = _layers_across(width + gap, height + gap, layers)
        down = -(-layers // across)
        z = np.arange(layers).reshape(there.shape[2:])
        row, column = down - 1 - z // across, z % across
    offsets = np.stack([column * (width + gap), row * (height + gap)], axis=-1)
    squares = np.zeros((across * (width + gap) - gap, down * (height + gap) - gap), dtype=np.int8)
    cells = np.argwhere(there)
    x, y = (cells[:, :2] + offsets[tuple(cells[:, 2:].T)]).T
    squares[x, y] = 1 + (cells.sum(axis=1) + 1) % 2  # a1 is dark
    return squares, offsets, gap


def _layers_across(width: int, height: int, layers: int) -> int:
    """Number of layers side by side that makes the page nearest to twice as wide as high."""
    ideal = math.sqrt(2 * layers * height / width)
    counts = {min(max(1, round_(ideal)), layers) for round_ in (math.floor, math.ceil)}
    return min(counts, key=lambda across: max(across * width / 2, -(-layers // across) * height))
