"""Parts of an explanation in a drawing: colours of moves, frames around cells, arrows, dots, and a key.

A part is a colour of some of the steps; a frame is a set of cells with an outline and a name; an arrow leads from one
point to another; a mark is a dot. What any of them stands for is known to the code that makes them.

Names of frames stand in a band around the board, each at the edge that its frame is nearest to, so that they hide no
move; names of frames that do not touch an edge, or are longer than their frame, are left out.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from drawing.canvas import INK, PAPER, SOFT_INK, Canvas, Dots, Lines, Polygons, Rectangles
from drawing.drawn_moves import Cells, FloatArray, Way
from drawing.lines import border, on_page, runs_of
from drawing.options import DrawOptions
from drawing.page import DIGIT, Page, page_of
from kt_models.board import Board, IntArray
from kt_models.errors import KTError

MARGIN_PIXELS, TEXT = 19.0, 11.0
"""Width of the margin around the board, and height of the text there and in the key, in pixels."""
MIN_SIZE_WITH_TEXT = 200
"""Least size of a drawing with these texts, in pixels."""
SWATCH = 20.0
"""Length of the stroke before a name in the key, in pixels."""


@dataclass(frozen=True, eq=False)
class Outline:
    """A set of cells with an outline.

    Parameters
    ----------
    cells
        Coordinates, shape (k, 2).
    label
        The label; "" for none.
    colour
        Colour of the outline; the cells have a tint of it.
    """

    cells: Cells
    label: str = ""
    colour: str = SOFT_INK


@dataclass(frozen=True)
class Arrow:
    """From one point to another, both in cells; a line if it has no head."""

    start: tuple[float, ...]
    end: tuple[float, ...]
    colour: str = INK
    head: bool = True


@dataclass(frozen=True)
class Mark:
    """A dot at a point, in cells."""

    at: tuple[float, ...]
    colour: str = INK


@dataclass(frozen=True, eq=False)
class Parts:
    """Additions to a drawing of a tour or a board; in space cells and points have three coordinates.

    Parameters
    ----------
    steps
        The row of `palette` for each step of the tour, shape (steps,); None keeps the colours of the tour.
    palette
        Colours, `#rrggbb`.
    key
        Colours and their meanings, in the order of the lines below the board.
    caption
        The caption, in place of the default, if not "".
    """

    steps: IntArray | None = None
    palette: tuple[str, ...] = ()
    frames: tuple[Outline, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    marks: tuple[Mark, ...] = ()
    key: tuple[tuple[str, str], ...] = ()
    caption: str = ""

    def require_fit(self, board: Board, tours: int, steps: int) -> None:
        """Refuse parts that do not fit a board with these tours and steps.

        Raises
        ------
        KTError
            If a frame leaves the board, a point has another number of coordinates, or `steps` does not fit the tour.
        """
        points = [*(arrow.start for arrow in self.arrows), *(mark.at for mark in self.marks)]
        if any(len(point) != board.dimension for point in points):
            raise KTError(f"board {board.text}: parts have points with {board.dimension} coordinates there")
        for frame in self.frames:
            if len(frame.cells) == 0 or board.numbers(frame.cells).min() < 0:
                raise KTError(f"frame {frame.label or 'without a label'}: it has no cells, or some not on {board.text}")
        if self.steps is not None:
            if tours != 1 or len(self.steps) != steps:
                raise KTError(f"parts of {len(self.steps):,} steps do not fit a drawing of {steps:,}")
            if steps and not 0 <= self.steps.min() <= self.steps.max() < len(self.palette):
                raise KTError(f"parts: a step has a colour that is not one of {len(self.palette)}")

    def coloured(self, way: Way) -> Way:
        """The way in the colours of the parts."""
        if self.steps is None:
            return way
        colours = self.steps.astype(np.int32)
        last = len(way.cells) - len(colours)  # An open tour has one cell more than steps
        cells = np.concatenate([colours, colours[-1:] if last else colours[:0]])
        palette = np.array([[int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)] for c in self.palette]).reshape(-1, 3)
        return way._replace(colours=colours, cell_colours=cells, palette=palette)


def page_with_parts(board: Board, caption: str, options: DrawOptions, parts: Parts, scale: float = 1.0) -> Page:
    """The page with room for the names of frames all around, and for the key."""
    if options.size and options.size < MIN_SIZE_WITH_TEXT:
        return page_of(board, caption, options, scale)
    margin = round(MARGIN_PIXELS) if board.dimension == 2 and any(frame.label for frame in parts.frames) else 0
    below = round(1.8 * TEXT) if parts.key else 0
    inner = replace(options, size=options.size - 2 * margin - below) if options.size else options
    page = page_of(board, caption, inner, scale)
    left, bottom = page.left + margin, page.bottom + margin + below
    width, height = page.width + 2 * margin, page.height + 2 * margin + below
    more = max(0, (options.size or 0) - max(width, height))  # What is left over becomes margin of the longer side
    if width >= height:
        left, width = left + more // 2, width + more
    else:
        bottom, height = bottom + more // 2, height + more
    return page._replace(left=left, bottom=bottom, width=width, height=height)


def _has_text(page: Page) -> bool:
    return max(page.width, page.height) >= MIN_SIZE_WITH_TEXT


def draw_frames(canvas: Canvas, board: Board, parts: Parts) -> None:
    """Tints and outlines under the moves, names around the board."""
    width = canvas.pixels(0.05, 1.6)
    for number, frame in enumerate(parts.frames):
        cells = on_page(frame.cells, canvas.page.offsets)  # A frame is on one level
        low = cells.min(axis=0)
        there = np.zeros(cells.max(axis=0) - low + 1, dtype=bool)
        there[tuple((cells - low).T)] = True
        name, colour, corners = f"frame-{number}", frame.colour, runs_of(there) + np.tile(low, 2)
        canvas.put(Rectangles(name=name, order=0.3, corners=corners, colour=colour, opacity=0.13))
        outline, name = [line + low for line in border(there)], f"outline-{number}"
        canvas.put(Lines(name=name, order=0.4, points=outline, colours=colour, width=width, cap="square"))
        if frame.label and board.dimension == 2 and _has_text(canvas.page):
            _write_label(canvas, board, frame)


def _write_label(canvas: Canvas, board: Board, frame: Outline) -> None:
    page = canvas.page
    low, high = frame.cells.min(axis=0), frame.cells.max(axis=0)
    # Distances from the lower, upper, left and right edge; of equal ones the first counts
    gaps = (low[1], board.shape[1] - 1 - high[1], low[0], board.shape[0] - 1 - high[0])
    side = int(np.argmin(gaps))
    if gaps[side]:  # Of frames one behind the other the names would be, too
        return
    upright = side >= 2
    axis = int(upright)
    if (high[axis] - low[axis] + 1) * page.cell < DIGIT * TEXT * (len(frame.label) + 1.5):
        return
    # The names of files and ranks are between the board and the band, below and on the left
    names = (1.7 * page.label, 0.0, page.label * (0.7 + DIGIT * len(str(board.shape[1]))), 0.0)[side]
    away = 0.5 + (names + MARGIN_PIXELS / 2) / page.cell
    across = -away if side % 2 == 0 else board.shape[1 - axis] - 1 + away
    middle = float(low[axis] + high[axis]) / 2
    x, y = (across, middle) if upright else (middle, across)
    canvas.write(x, y, frame.label, TEXT, "labels", colour=frame.colour, upright=upright)


def draw_marks(canvas: Canvas, parts: Parts) -> None:
    """Arrows and dots, above the moves."""
    if parts.arrows:
        start, end = (_flat([getattr(arrow, name) for arrow in parts.arrows], canvas.page) for name in ("start", "end"))
        shades = [arrow.colour for arrow in parts.arrows]
        length = np.hypot(*(end - start).T)[:, None]
        along = (end - start) / np.maximum(length, 1e-9)
        aside = along[:, ::-1] * (-1, 1)
        headed = np.array([arrow.head for arrow in parts.arrows])
        neck = np.where(headed[:, None], end - along * np.minimum(0.5, 0.6 * length), end)
        shafts = np.stack([start, neck], axis=1)
        for rows, name, width in ((headed, "arrows", (0.11, 1.3)), (~headed, "lines", (0.08, 1.0))):
            chosen = np.flatnonzero(rows)
            if len(chosen):
                colours = [shades[row] for row in chosen]
                lines = list(shafts[chosen])
                canvas.put(Lines(name=name, order=4.6, points=lines, colours=colours, width=canvas.pixels(*width)))
        heads = np.stack([end, neck + 0.24 * aside, neck - 0.24 * aside], axis=1)[headed]
        if len(heads):
            of_heads = list(itertools.compress(shades, headed))
            canvas.put(Polygons(name="heads", order=4.7, points=list(heads), colours=of_heads))
    if parts.marks:
        points = _flat([mark.at for mark in parts.marks], canvas.page)
        shades = [mark.colour for mark in parts.marks]
        rim, radius = canvas.pixels(0.04, 0.8), canvas.pixels(0.22, 2.0)
        canvas.put(Dots(name="marks", order=4.5, points=points, radius=radius, colours=shades, edge=PAPER, rim=rim))


def _flat(points: Sequence[Sequence[float]], page: Page) -> FloatArray:
    """Positions of points on the page, shape (k, 2)."""
    rows = np.array(points, dtype=np.float64)
    return rows[:, :2] + page.offsets[tuple(np.rint(rows[:, 2:]).astype(np.int64).T)]


def write_key(canvas: Canvas, parts: Parts) -> None:
    """The key in one line below the board; left out if the page is too narrow for it."""
    page = canvas.page
    if not (parts.key and _has_text(page)):
        return
    for swatch, gap, space in ((SWATCH, 5.0, 14.0), (0.4 * SWATCH, 3.0, 7.0)):
        widths = [swatch + gap + DIGIT * TEXT * len(text) * 0.92 for _, text in parts.key]
        whole = sum(widths) + space * (len(widths) - 1)
        if whole <= page.width - 8:
            break
    else:
        return
    left, bottom = canvas.left, canvas.bottom
    middle = (page.squares.shape[0] - 1) / 2 - left  # Of the board, in cells from the left
    at = min(max(middle * page.cell - whole / 2, 4.0), page.width - whole - 4)
    y = bottom + (6.0 + 1.9 * page.caption + 0.9 * TEXT) / page.cell
    strokes: list[FloatArray] = []
    for (_, text), width in zip(parts.key, widths, strict=True):
        x = left + at / page.cell
        strokes.append(np.array([[x, y], [x + swatch / page.cell, y]]))
        canvas.write(x + (swatch + gap) / page.cell, y, text, TEXT, "key", anchor="start")
        at += width + space
    colours = [colour for colour, _ in parts.key]
    canvas.put(Lines(name="key", order=5, points=strokes, colours=colours, width=4.0))
