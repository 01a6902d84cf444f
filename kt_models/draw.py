"""Drawings of boards, tours and linkages: one picture, as SVG or as PNG.

Everything is placed in units of a cell, the centre of cell (x, y) at (x, y).  The layers of a board in three dimensions
lie side by side on one flat page, so that squares, lines and marks are drawn by the same code as in the plane.

Turns and crossings come from `pairs`, the one source of both: what is marked is what is counted.
"""

from __future__ import annotations

import io
import itertools
import math
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.board import Board, BoolArray, IntArray
from kt_models.cells import cell_name, column_name
from kt_models.errors import InvalidTour, KTError, TooLarge
from kt_models.graph import KNIGHT, MoveGraph
from kt_models.pairs import Pattern, pairs_of_steps
from kt_models.tour import Tour
from kt_models.walks import Walk

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FloatArray = npt.NDArray[np.float64]
Cells = npt.NDArray[np.int64]

MAX_DRAWN = 1_000_000
"""Most cells that are drawn; their box may have four times as many."""
RASTER_FROM = 20_000
"""Above this many cells an SVG carries all but its text as one image, and there are no visit numbers."""
SMALLEST, LARGEST = 50, 10_000
"""Limits of `size`, in pixels."""
LEAST_MARKED = 6.0
"""Turns and crossings are marked where a cell has at least this many pixels; smaller, they would hide the tour."""
LEAST_NUMBER = 5.0
"""Least height of a visit number, in pixels."""

PIXELS_PER_INCH = 96  # the pixel of CSS: on a page an SVG of 640 pixels is as wide as a PNG of 640
POINTS_PER_PIXEL = 72 / PIXELS_PER_INCH
DIGIT = 0.64  # width of a digit of DejaVu Sans over its height; that of a letter is about as much
OVERHANG = 0.3  # how far, in cells, a move that wraps is drawn over the edge

PAPER, INK, SOFT_INK = "#ffffff", "#22262b", "#6b7076"
LIGHT, DARK, BORDER = "#f7f5f0", "#ebe7dd", "#b9b3a4"


# -- what is offered ---------------------------------------------------------------------------------------------------


def draw_svg(
    subject: Board | MoveGraph | Tour,
    walks: Sequence[Walk] | None = None,
    *,
    numbers: bool = False,
    turns: bool = True,
    crossings: bool = True,
    names: bool = True,
    size: int | None = None,
) -> str:
    """A drawing as the text of an SVG file, the same text for the same drawing.

    Parameters
    ----------
    subject
        A board; a tour, coloured along its length; or a graph whose board is drawn.
    walks
        With a graph: paths and cycles of it (a linkage, a 2-factor), one colour each.
    numbers
        Whether the number of its visit, from 1, stands in every cell.
    turns, crossings
        Whether cells where the tour turns have a dot, and points where it crosses itself (in the plane) a white disc.
        They are left out where a cell has fewer than `LEAST_MARKED` pixels.
    names
        Whether files and ranks are named along the edges; on large boards only every few.
    size
        Pixels of the longer side; by default what suits the board, and in a PNG up to twice as many, to be sharp.

    Raises
    ------
    KTError
        If there is no board, it has more than three dimensions, or what is asked does not fit into `size`.
    TooLarge
        Above `MAX_DRAWN` cells, or with numbers above `RASTER_FROM`.
    InvalidTour
        If a step of the tour is not a move.
    """
    with _plain_style():
        figure, title = _draw(subject, walks, _Options(numbers, turns, crossings, names, size))
        stream = io.StringIO()
        metadata: dict[str, Any] = {"Title": title, "Date": None, "Creator": "kt"}
        figure.savefig(stream, format="svg", dpi=_sharp(figure), metadata=metadata)  # of the image in it, if any
    return stream.getvalue()


def draw_png(
    subject: Board | MoveGraph | Tour,
    walks: Sequence[Walk] | None = None,
    *,
    numbers: bool = False,
    turns: bool = True,
    crossings: bool = True,
    names: bool = True,
    size: int | None = None,
) -> bytes:
    """A drawing as the bytes of a PNG file; parameters and errors are those of `draw_svg`."""
    with _plain_style():
        figure, title = _draw(subject, walks, _Options(numbers, turns, crossings, names, size))
        stream = io.BytesIO()
        metadata: dict[str, Any] = {"Title": title, "Software": "kt"}
        figure.savefig(stream, format="png", dpi=PIXELS_PER_INCH if size else _sharp(figure), metadata=metadata)
    return stream.getvalue()


@dataclass(frozen=True)
class _Options:
    numbers: bool
    turns: bool
    crossings: bool
    names: bool
    size: int | None

    def __post_init__(self) -> None:
        if self.size is not None and not SMALLEST <= self.size <= LARGEST:
            raise KTError(f"size {self.size}: a drawing has {SMALLEST} to {LARGEST:,} pixels")


def _sharp(figure: Figure) -> int:
    """Dots per inch: twice those of the screen where that makes at most 6 megapixels."""
    width, height = figure.get_size_inches() * PIXELS_PER_INCH
    return PIXELS_PER_INCH * (2 if 4 * width * height <= 6_000_000 else 1)


@contextmanager
def _plain_style() -> Iterator[None]:
    """Matplotlib's own defaults whatever the user has set, whose settings come back afterwards."""
    import matplotlib

    groups = r"(agg|axes|figure|font|image|lines|markers|mathtext|patch|path|savefig|scatter|svg|text)\."
    style: Any = {key: value for key, value in matplotlib.rcParamsDefault.items() if re.match(groups, key)}
    # text stays text: smaller than outlines of its letters, can be found and copied, and any sans serif will do
    style |= {"svg.hashsalt": "kt", "svg.fonttype": "none", "font.sans-serif": ["DejaVu Sans"]}
    with matplotlib.rc_context(style), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # a mask's file may be named in any script
        yield


def _draw(subject: Board | MoveGraph | Tour, walks: Sequence[Walk] | None, options: _Options) -> tuple[Figure, str]:
    """The figure, and its caption."""
    board = subject if isinstance(subject, Board) else _board_of(subject)
    _require_drawable(board, options)
    tours = _tours_of(subject, walks)
    way = _way_of(board, tours, along=isinstance(subject, Tour)) if tours else None
    caption = _caption(board, way)
    page = _page_of(board, caption, options)
    canvas = _Canvas(page, raster=board.n > RASTER_FROM)
    _draw_squares(canvas)
    if way:
        _draw_way(canvas, board, way, options)
    if page.label:
        _draw_names(canvas, board)
    if page.caption:
        canvas.write_caption(caption)
    return canvas.figure, caption


def _board_of(subject: MoveGraph | Tour) -> Board:
    graph = subject.graph if isinstance(subject, Tour) else subject
    if graph.board is None:
        raise KTError(f"graph {graph.name} has no board: it cannot be drawn")
    return graph.board


def _require_drawable(board: Board, options: _Options) -> None:
    text = _shortened(board.text)
    if board.dimension > 3:
        raise KTError(f"board {text}: it has {board.dimension} dimensions, and only 2 or 3 are drawn")
    box = math.prod(board.shape)
    if board.n > MAX_DRAWN or box > 4 * MAX_DRAWN:
        raise TooLarge(f"board {text}: {board.n:,} cells in a box of {box:,}; at most {MAX_DRAWN:,} are drawn")
    if options.numbers and board.n > RASTER_FROM:
        raise TooLarge(f"board {text}: {board.n:,} cells; numbers are written in at most {RASTER_FROM:,}")


# -- the way: all moves that are drawn ---------------------------------------------------------------------------------


class _Way(NamedTuple):
    """What is walked, by one tour or by several walks; "cells" are coordinates, shape (k, dimension)."""

    tours: list[Tour]
    cells: Cells
    """The cells of all tours, one tour after the other."""
    cell_colours: IntArray
    """Which row of `palette` each of them has."""
    starts: Cells
    """The cell each move leaves."""
    vectors: Cells
    """The displacement of each move as it is walked."""
    colours: IntArray
    """Which row of `palette` each move has."""
    palette: FloatArray
    turns: Cells
    """A cell for each turn."""
    crossings: FloatArray | None
    """A point for each crossing, shape (c, 2); None but in the plane."""


def _tours_of(subject: Board | MoveGraph | Tour, walks: Sequence[Walk] | None) -> list[Tour]:
    """What is walked: a walk of a graph is a tour of some of its vertices."""
    if walks is not None and not isinstance(subject, MoveGraph):
        raise KTError("walks are drawn on the graph whose edges they have")
    if isinstance(subject, MoveGraph):
        tours = [_tour_of(subject, walk) for walk in walks or ()]
    else:
        tours = [subject] if isinstance(subject, Tour) else []
    for tour in tours:
        if not len(tour):
            raise InvalidTour("a tour of no cells cannot be drawn")
        if tour.order.min() < 0 or tour.order.max() >= tour.graph.n:
            raise InvalidTour(f"the tour has a vertex that is not on {tour.graph.name}")
    return tours


def _tour_of(graph: MoveGraph, walk: Walk) -> Tour:
    vertices = np.array(walk.vertices, dtype=np.int32)
    if graph.board is None or graph.moves is None or not any(graph.board.wraps):
        return Tour(graph, vertices, walk.closed)
    edges = np.array(walk.edges, dtype=np.int64)
    ahead = graph.tails[edges] == vertices[: len(edges)]
    return Tour(graph, vertices, walk.closed, graph.moves[graph.edge_move[edges]] * np.where(ahead, 1, -1)[:, None])


def _way_of(board: Board, tours: list[Tour], along: bool) -> _Way:
    graph, moves = tours[0].graph, tours[0].graph.moves
    assert moves is not None
    steps = [tour.steps for tour in tours]
    tails, kinds, forward = (np.concatenate(column) for column in zip(*steps, strict=True))
    palette, colours = _along(tours[0]) if along else _apart(tours)
    cells = [tour.coordinates.astype(np.int64) for tour in tours]
    leaves = [len(step.tails) for step in steps]  # a move leaves each cell, but for the last of a path

    turns = [np.zeros((0, board.dimension), dtype=np.int64)]
    for pattern, firsts in pairs_of_steps(graph, "turns", tails, kinds):
        turns.append(_boxed(firsts + _turn_offset(moves, pattern), board).astype(np.int64))
    crossings = [np.zeros((0, 2))]
    if board.dimension == 2:
        for pattern, firsts in pairs_of_steps(graph, "crossings", tails, kinds):
            crossings.append(_boxed(firsts + _crossing_offset(moves, pattern), board))
    return _Way(
        tours,
        np.concatenate(cells),
        np.concatenate(colours),
        np.concatenate([row[:count] for row, count in zip(cells, leaves, strict=True)]),
        moves[kinds] * np.where(forward, 1, -1)[:, None],
        np.concatenate([row[:count] for row, count in zip(colours, leaves, strict=True)]),
        palette,
        np.concatenate(turns),
        np.concatenate(crossings) if board.dimension == 2 else None,
    )


def _turn_offset(moves: Cells, pattern: Pattern) -> Cells:
    """Where the two moves of a turn meet, from the tail of the first: there or at its head."""
    offset = np.array(pattern.offset)
    at_tail = not offset.any() or not (offset + moves[pattern.second]).any()
    return moves[pattern.first] * (0 if at_tail else 1)


def _crossing_offset(moves: Cells, pattern: Pattern) -> FloatArray:
    """Where two moves cross, from the tail of the first; if they are on one line, the middle of what they share."""
    (ax, ay), (bx, by), (x, y) = moves[pattern.first].tolist(), moves[pattern.second].tolist(), pattern.offset
    if area := ax * by - ay * bx:
        along = Fraction(x * by - y * bx, area)
    else:
        square = ax * ax + ay * ay
        low, high = sorted((Fraction(x * ax + y * ay, square), Fraction((x + bx) * ax + (y + by) * ay, square)))
        along = (max(Fraction(0), low) + min(Fraction(1), high)) / 2
    return np.array([float(along * ax), float(along * ay)])


def _boxed(points: npt.NDArray[Any], board: Board) -> FloatArray:
    """The same points of a periodic board within its box, whose cells reach half a unit around their centres."""
    shape = np.array(board.shape)
    return points - np.where(board.wraps, shape * np.floor((points + 0.5) / shape), 0.0)


# -- colours -----------------------------------------------------------------------------------------------------------


def _along(tour: Tour) -> tuple[FloatArray, list[IntArray]]:
    """Colours along a tour: a wheel if it is closed, from dark to light if not.

    There are at most 256 (more only where a run of one colour would have over 1000 moves): a run is drawn as one line.
    """
    import matplotlib

    count = max(min(len(tour), 256), len(tour) // 1000)
    place = np.linspace(0.5, count - 0.5, count) / count
    # viridis without its yellow, which is too pale for a line on a light square
    palette = _wheel(place) if tour.closed else matplotlib.colormaps["viridis"](0.88 * place)[:, :3]
    return palette, [(np.arange(len(tour)) * count // len(tour)).astype(np.int32)]


def _apart(tours: list[Tour]) -> tuple[FloatArray, list[IntArray]]:
    """A colour for each tour, its hue far from those just before it."""
    golden = (math.sqrt(5) - 1) / 2
    palette = _wheel(0.08 + golden * np.arange(len(tours)))
    return palette, [np.full(len(tour), i, dtype=np.int32) for i, tour in enumerate(tours)]


def _wheel(place: npt.NDArray[np.floating[Any]]) -> FloatArray:
    """Colours of even chroma round the hues of Oklab (Ottosson 2020), yellow a little lighter than blue, as sRGB.

    Parameters
    ----------
    place
        In turns round the wheel, shape (k,).
    """
    hue = 2 * np.pi * (0.72 + place)
    lab = np.stack([0.60 + 0.09 * np.cos(hue - np.radians(105)), 0.15 * np.cos(hue), 0.15 * np.sin(hue)])
    cones = np.array([[1, 0.39633778, 0.21580376], [1, -0.10556135, -0.06385417], [1, -0.08948418, -1.29148555]]) @ lab
    linear = (
        np.array(
            [
                [4.07674166, -3.30771159, 0.23096993],
                [-1.26843800, 2.60975740, -0.34131940],
                [-0.00419609, -0.70341861, 1.70761470],
            ]
        )
        @ cones**3
    ).clip(0, 1)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055).T


# -- the page ----------------------------------------------------------------------------------------------------------


class _Page(NamedTuple):
    """Where everything goes, in pixels but for `squares` and `offsets`, which are in cells."""

    squares: npt.NDArray[np.int8]
    """Of all layers, at [x, y]: 0 for nothing, 1 for a light and 2 for a dark square."""
    offsets: Cells
    """Where cell (0, 0) of each layer is, shape (layers, 2)."""
    cell: float
    label: float
    """Height of the names along the edges, 0 if they are not asked for or do not fit."""
    caption: float
    """Height of the caption, 0 if it does not fit."""
    number: float
    left: int
    bottom: int
    width: int
    height: int


def _page_of(board: Board, caption: str, options: _Options) -> _Page:
    squares, offsets, gap = _laid_out(board)
    columns, rows = squares.shape
    over = 2 * OVERHANG if any(board.wraps) else 0.0
    digits = len(str(board.n))
    least_cell = LEAST_NUMBER * DIGIT * digits / 0.5 if options.numbers else 0.0
    size = options.size or _usual_size(max(columns, rows), board.dimension, 1.2 * least_cell)

    pad = max(6.0, size / 60)
    text = min(max(size / 42, 9.0), 15.0)
    label = min(max(0.3 * size / max(columns, rows), 8.0), text) if options.names else 0.0
    caption_height = text * min(1.0, (size - 2 * pad) / (DIGIT * text * len(caption)))
    caption_height = caption_height if caption_height >= 7 else 0.0
    across = 2 * pad + label * (0.7 + DIGIT * len(str(board.shape[1])))
    down = 2 * pad + 1.7 * label * (board.dimension - 1) + 1.9 * caption_height

    cell = min((size - across) / (columns + over), (size - down) / (rows + over))
    if cell <= 0:
        raise KTError(f"size {size}: too few pixels for {_shortened(board.text)}")
    if cell < least_cell:
        needed = math.ceil(size * least_cell / cell)
        raise KTError(f"numbers in {_shortened(board.text)} need about {needed:,} pixels; the drawing has {size:,}")
    if cell >= 16 or not options.size:  # whole steps give an SVG short coordinates
        cell = math.floor(3 * cell) / 3 or cell
    inner = cell * (columns + over)
    width = max(inner + across, min(size, DIGIT * caption_height * len(caption) + 2 * pad))
    height = cell * (rows + over) + down
    if options.size:  # what the steps left over becomes margin
        width, height = (size, height) if width >= height else (width, size)
    if board.dimension == 3:  # two lines of names fit between the layers
        label = min(label, gap * cell / 3.4, (board.shape[0] + gap) * cell / 5)
    return _Page(
        squares,
        offsets,
        cell,
        label if label >= 6 else 0.0,
        caption_height,
        min(0.34 * cell, 0.5 * cell / (DIGIT * digits)),
        left=round(across - pad + (width - inner - across) / 2 + cell * over / 2),
        bottom=round(pad + 1.9 * caption_height + 1.7 * label + cell * over / 2),
        width=math.ceil(width),
        height=math.ceil(height),
    )


def _usual_size(side: int, dimension: int, least_cell: float) -> int:
    """Pixels that suit so many cells: about 48 for each on a small board, fewer on a large one, more in space."""
    usual = min(48 * side + 64, 640) if dimension == 2 else min(64 * side + 64, 960)
    return min(max(240, usual, min(8 * side, 1600), math.ceil(least_cell * (side + 2))), LARGEST)


def _laid_out(board: Board) -> tuple[npt.NDArray[np.int8], Cells, int]:
    """The squares of all layers on one page, row by row as text is read; where each layer is; the gap between them."""
    there = np.ones(board.shape, dtype=bool) if board.mask is None else board.mask
    there = there if there.ndim == 3 else there[:, :, None]
    width, height, layers = there.shape
    gap = 1 + max(width, height) // 8 + any(board.wraps)
    across = _layers_across(width + gap, height + gap, layers)
    down = -(-layers // across)
    z = np.arange(layers)
    offsets = np.stack([z % across * (width + gap), (down - 1 - z // across) * (height + gap)], axis=1)
    squares = np.zeros((across * (width + gap) - gap, down * (height + gap) - gap), dtype=np.int8)
    x, y, z = np.nonzero(there)
    squares[x + offsets[z, 0], y + offsets[z, 1]] = 1 + (x + y + z + 1) % 2  # a1 is dark
    return squares, offsets, gap


def _layers_across(width: int, height: int, layers: int) -> int:
    """How many layers side by side make the page nearest to twice as wide as high."""
    ideal = math.sqrt(2 * layers * height / width)
    counts = {min(max(1, round_(ideal)), layers) for round_ in (math.floor, math.ceil)}
    return min(counts, key=lambda across: max(across * width / 2, -(-layers // across) * height))


class _Canvas:
    """A figure whose one pair of axes measures in cells, and the few kinds of things that are put on it."""

    def __init__(self, page: _Page, raster: bool) -> None:
        from matplotlib.figure import Figure

        self.page = page
        self.raster = raster
        pixels = np.array([page.width, page.height]) + 1e-7  # never a pixel less by rounding
        self.figure = Figure(figsize=tuple(pixels / PIXELS_PER_INCH), dpi=PIXELS_PER_INCH, facecolor=PAPER)
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_axis_off()
        self.axes.set_autoscale_on(False)
        left, bottom = -0.5 - page.left / page.cell, -0.5 - page.bottom / page.cell
        self.axes.set_xlim(left, left + page.width / page.cell)
        self.axes.set_ylim(bottom, bottom + page.height / page.cell)
        if raster:
            self.axes.set_rasterization_zorder(5)  # all but text

    def points(self, cells: float, least: float = 0.0) -> float:
        """A length in cells, but at least so many pixels, in points."""
        return max(cells * self.page.cell, least) * POINTS_PER_PIXEL

    def fill(self, rectangles: FloatArray, colour: str, order: float, gid: str) -> None:
        """Rectangles (x0, y0, x1, y1) of one colour, as one path."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        corners = rectangles[:, [0, 1, 2, 1, 2, 3, 0, 3, 0, 1]].reshape(-1, 2)
        codes = np.tile([Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY], len(rectangles))
        path = Path(corners, codes)
        self.axes.add_artist(PathPatch(path, facecolor=colour, linewidth=0, zorder=order, gid=gid, clip_on=False))

    def lines(self, lines: Sequence[FloatArray], colours: Any, width: float, order: float, **how: Any) -> None:
        """Lines through points, each of one colour; `width` in points."""
        from matplotlib.collections import LineCollection

        how = {"capstyle": "round", "joinstyle": "round", "clip_on": False, **how}
        self.axes.add_artist(LineCollection(list(lines), colors=colours, linewidths=width, zorder=order, **how))

    def dots(self, points: npt.NDArray[Any], radius: float, face: Any, order: float, **how: Any) -> None:
        """Marks of one size, of one colour or of one each; `radius` in points."""
        if len(points):
            how = {"linewidths": 0, "edgecolors": "none", "clip_on": False, **how}
            self.axes.scatter(points[:, 0], points[:, 1], s=(2 * radius) ** 2, c=face, zorder=order, **how)

    def write(self, x: float, y: float, text: str, pixels: float, **how: Any) -> None:
        """Text of a height in pixels, centred unless told otherwise."""
        how = {"ha": "center", "va": "center_baseline", "color": INK, **how}
        self.axes.text(x, y, text, fontsize=pixels * POINTS_PER_PIXEL, zorder=6, parse_math=False, **how)

    def write_caption(self, text: str) -> None:
        """A line below the board, in its middle unless it is wider."""
        page = self.page
        half = DIGIT * page.caption * len(text) / 2 / page.cell
        left, right = self.axes.get_xlim()
        middle = min(max((page.squares.shape[0] - 1) / 2, left + half), max(right - half, left + half))
        low = -0.5 - (page.bottom - max(6.0, 0.7 * page.caption)) / page.cell
        self.write(middle, low, text, page.caption, va="baseline", gid="caption")


# -- drawing -----------------------------------------------------------------------------------------------------------


def _draw_squares(canvas: _Canvas) -> None:
    squares = canvas.page.squares
    if canvas.raster:
        from matplotlib.colors import ListedColormap

        extent = (-0.5, squares.shape[0] - 0.5, -0.5, squares.shape[1] - 0.5)
        shades = ListedColormap([PAPER, LIGHT, DARK])
        how: dict[str, Any] = {"origin": "lower", "aspect": "auto", "interpolation": "nearest", "clip_on": False}
        canvas.axes.imshow(squares.T, cmap=shades, vmin=0, vmax=2, extent=extent, zorder=0, **how)
    else:
        x, y = np.nonzero(squares == 2)
        canvas.fill(_runs(squares > 0), LIGHT, 0, "squares")
        canvas.fill(np.stack([x - 0.5, y - 0.5, x + 0.5, y + 0.5], axis=1), DARK, 0.1, "dark-squares")
    if canvas.page.cell > 1.5:
        canvas.lines(_border(squares > 0), BORDER, canvas.points(0.02, 0.75), 0.2, gid="border", capstyle="projecting")


def _runs(there: BoolArray) -> FloatArray:
    """Each column's runs of squares, as rectangles (x0, y0, x1, y1)."""
    change = np.diff(np.pad(there.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    x, low = np.nonzero(change == 1)
    high = np.nonzero(change == -1)[1]
    return np.stack([x - 0.5, low - 0.5, x + 0.5, high - 0.5], axis=1)


def _border(there: BoolArray) -> list[FloatArray]:
    """The lines between squares and what is none, each as long as it can be."""
    lines: list[FloatArray] = []
    for inside, axes in ((there, (0, 1)), (there.T, (1, 0))):
        walled = np.pad(inside, ((1, 1), (0, 0)))
        runs = _runs(walled[1:] != walled[:-1])
        lines.extend(runs[:, [0, 1, 0, 3]].reshape(-1, 2, 2)[:, :, axes])
    return lines


def _draw_way(canvas: _Canvas, board: Board, way: _Way, options: _Options) -> None:
    offsets = canvas.page.offsets
    cells, turns = _on_page(way.cells, offsets), _on_page(way.turns, offsets)
    width = canvas.points(0.075, 0.7)
    within = (way.vectors[:, 2:] == 0).all(axis=1)
    segments, index = _pieces(board, way.starts[within], way.vectors[within], offsets)
    lines, colours = _joined(segments, way.colours[within][index])
    canvas.lines(lines, way.palette[colours], width, 1, gid="path")
    if board.dimension == 3:
        _draw_stubs(canvas, board, way, ~within, width)
        canvas.dots(cells, canvas.points(0.12), way.palette[way.cell_colours], 2, gid="cells")

    marked = canvas.page.cell >= LEAST_MARKED
    if options.numbers:
        rim = canvas.points(0.01)
        canvas.dots(cells, canvas.points(0.28), PAPER, 2.5, edgecolors=BORDER, linewidths=2 * rim, gid="visits")
        if options.turns:
            canvas.dots(turns, canvas.points(0.28), PAPER, 2.6, edgecolors=INK, linewidths=3 * rim, gid="turns")
        numbers = itertools.chain.from_iterable(range(1, len(tour) + 1) for tour in way.tours)
        for (x, y), number in zip(cells.tolist(), numbers, strict=True):
            canvas.write(x, y, str(number), canvas.page.number)
    else:
        if options.turns and marked:
            canvas.dots(turns, canvas.points(0.085 if board.dimension == 2 else 0.06, 0.6), INK, 3, gid="turns")
        _draw_ends(canvas, way, cells)
    if options.crossings and marked and way.crossings is not None:
        rim = canvas.points(0.022, 0.25)
        canvas.dots(way.crossings, canvas.points(0.065), PAPER, 4, edgecolors=INK, linewidths=rim, gid="crossings")


def _draw_ends(canvas: _Canvas, way: _Way, cells: Cells) -> None:
    """A disc where an open tour or walk starts, a square where it ends."""
    first = np.cumsum([0, *(len(tour) for tour in way.tours)])
    paths = [i for i, tour in enumerate(way.tours) if not tour.closed]
    starts, ends = first[paths], first[[i + 1 for i in paths if len(way.tours[i]) > 1]] - 1
    for which, radius, marker, gid in ((starts, 0.19, "o", "starts"), (ends, 0.17, "s", "ends")):
        shades, rim = way.palette[way.cell_colours[which]], canvas.points(0.035, 0.5)
        size = canvas.points(radius, 2.5)
        canvas.dots(cells[which], size, shades, 4.5, marker=marker, edgecolors=PAPER, linewidths=rim, gid=gid)


def _on_page(cells: Cells, offsets: Cells) -> Cells:
    """Where cells are on the page, shape (k, 2)."""
    return cells[:, :2] + (offsets[cells[:, 2]] if cells.shape[1] == 3 else offsets[0])


def _pieces(board: Board, starts: Cells, vectors: Cells, offsets: Cells) -> tuple[FloatArray, IntArray]:
    """The lines of moves within a layer, shape (k, 2, 2), and which move each is of, shape (k,), in order.

    A move that wraps has a piece at each end, which leaves the board over the edge (and one between them, if it cuts
    a corner).
    """
    shape = np.array(board.shape[:2])
    heads = starts[:, :2] + vectors[:, :2]
    rounds = heads // shape  # 0 but for moves that wrap
    shift = _on_page(starts, offsets) - starts[:, :2]
    lines, indices = [], []
    for bits in itertools.product((0, 1), repeat=2):
        use = np.flatnonzero(((rounds != 0) | (np.array(bits) == 0)).all(axis=1))
        back = rounds[use] * np.array(bits) * shape
        line = np.stack([starts[use, :2] - back, heads[use] - back], axis=1).astype(np.float64)
        wrapped = rounds[use].any(axis=1)
        seen = ~wrapped
        line[wrapped], seen[wrapped] = _clipped(line[wrapped], shape)
        lines.append((line + shift[use, None])[seen])
        indices.append(use[seen])
    index = np.concatenate(indices)
    order = np.argsort(index, kind="stable")
    return np.concatenate(lines)[order], index[order].astype(np.int32)


def _clipped(lines: FloatArray, shape: npt.NDArray[Any]) -> tuple[FloatArray, BoolArray]:
    """What of each line is on the board or at most `OVERHANG` over its edge, and whether any is on the board."""
    vector = lines[:, 1] - lines[:, 0]

    def span(over: float) -> tuple[FloatArray, FloatArray]:
        low, high = -0.5 - over - lines[:, 0], shape - 0.5 + over - lines[:, 0]
        inside = (low < 0) & (high > 0)  # all that matters along an axis in which the line does not move
        with np.errstate(divide="ignore", invalid="ignore"):
            one, other = low / vector, high / vector
        enter = np.where(vector == 0, np.where(inside, 0.0, 2.0), np.minimum(one, other)).max(axis=1)
        leave = np.where(vector == 0, np.where(inside, 1.0, -1.0), np.maximum(one, other)).min(axis=1)
        return enter.clip(0.0), leave.clip(None, 1.0)

    enter, leave = span(0.0)
    seen = leave - enter > 1e-9
    ends = [lines[:, 0] + t[:, None] * vector for t in span(OVERHANG)]
    return np.stack(ends, axis=1), seen


def _joined(segments: FloatArray, colours: IntArray) -> tuple[list[FloatArray], IntArray]:
    """Segments that follow one another in one colour, joined to lines; and the colour of each line."""
    if not len(segments):
        return [], colours
    breaks = (segments[1:, 0] != segments[:-1, 1]).any(axis=1) | (colours[1:] != colours[:-1])
    cuts = np.flatnonzero(breaks) + 1
    runs = np.split(segments, cuts)
    return [np.concatenate([run[:, 0], run[-1:, 1]]) for run in runs], colours[np.concatenate([[0], cuts])]


def _draw_stubs(canvas: _Canvas, board: Board, way: _Way, chosen: BoolArray, width: float) -> None:
    """Moves between layers: at each end a stub towards the other cell, with ▲ to a higher and ▼ to a lower layer.

    Two triangles mean two layers or more.  Where both stubs of a cell have one direction they lean aside, those to a
    higher layer to the left and those to a lower one to the right.
    """
    starts, vectors = way.starts[chosen], way.vectors[chosen]
    cells = np.concatenate([starts, _boxed(starts + vectors, board).astype(np.int64)])
    towards = np.concatenate([vectors, -vectors])
    shades = way.palette[np.tile(way.colours[chosen], 2)]
    rise, double = np.sign(towards[:, 2]), np.abs(towards[:, 2]) > 1
    where = np.concatenate([cells, np.sign(towards[:, :2])], axis=1)
    _, same, count = np.unique(where, axis=0, return_inverse=True, return_counts=True)
    lean = np.radians(np.where(double, 36, 12)) * rise * (count[same.reshape(-1)] > 1)
    angle = np.arctan2(towards[:, 1], towards[:, 0]) + lean  # 0 for straight up or down, which has no direction here
    roots = _on_page(cells, canvas.page.offsets).astype(np.float64)
    tips = roots + 0.33 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    canvas.lines(list(np.stack([roots, tips], axis=1)), shades, width, 1.1, gid="stubs", capstyle="butt")
    lift = np.array([0.0, 0.07])
    for sign, marker, gid in ((1, "^", "up"), (-1, "v", "down")):
        one, two = (rise == sign) & ~double, (rise == sign) & double
        points = np.concatenate([tips[one], tips[two] + lift, tips[two] - lift])
        faces = np.concatenate([shades[one], shades[two], shades[two]])
        canvas.dots(points, canvas.points(0.085), faces, 1.2, marker=marker, gid=gid)


def _draw_names(canvas: _Canvas, board: Board) -> None:
    """Files below, ranks on the left and layers above, as many as fit."""
    page = canvas.page
    width, height = board.shape[:2]
    plane = board.dimension == 2
    files = [column_name(x) if plane else str(x) for x in range(width)]
    ranks = [str(y + 1 if plane else y) for y in range(height)]
    line = page.label / page.cell
    away = 0.5 + (OVERHANG if any(board.wraps) else 0.0)
    for z, (x0, y0) in enumerate(page.offsets.tolist()):
        for x in _every(width, DIGIT * line * (1 + len(files[-1]))):
            canvas.write(x0 + x, y0 - away - 0.85 * line, files[x], page.label, color=SOFT_INK)
        for y in _every(height, 1.3 * line):
            canvas.write(x0 - away - 0.45 * line, y0 + y, ranks[y], page.label, color=SOFT_INK, ha="right")
        if not plane:
            canvas.write(x0 + (width - 1) / 2, y0 + height - 1 + away + 0.8 * line, f"z = {z}", page.label)


def _every(count: int, room: float) -> list[int]:
    """Which of so many names are written if each needs so much room, in cells: all, or the first and then every few."""
    if room <= 1:
        return list(range(count))
    step = next(s for power in range(12) for s in (2 * 10**power, 5 * 10**power, 10 * 10**power) if s >= room)
    chosen = list(range(step - 1, count, step))
    return chosen if chosen and step - 1 < room else [0, *chosen]


# -- the caption -------------------------------------------------------------------------------------------------------


def _caption(board: Board, way: _Way | None) -> str:
    """`8x8, closed, 38 turns, 62 crossings`."""
    name = _shortened(board.text)
    if way is None:
        return f"{name}, {_counted(board.n, 'cell')}"
    leaper = way.tours[0].graph.leaper
    parts = [name] if leaper == KNIGHT else [name, f"({leaper})-leaper"]
    if len(way.tours) == 1:
        parts.append(_described(way.tours[0], board))
    else:
        cycles = sum(tour.closed for tour in way.tours)
        parts += [_counted(k, what) for k, what in ((cycles, "cycle"), (len(way.tours) - cycles, "path")) if k]
    if len(way.cells) != board.n:
        parts.append(f"{len(way.cells)} of {_counted(board.n, 'cell')}")
    parts.append(_counted(len(way.turns), "turn"))
    if way.crossings is not None:
        parts.append(_counted(len(way.crossings), "crossing"))
    return ", ".join(parts)


def _described(tour: Tour, board: Board) -> str:
    if tour.closed:
        return "closed"
    names = [cell_name(cell) for cell in tour.coordinates[[0, -1]].tolist()]
    return "open from {} to {}".format(*(name if board.dimension == 2 else f"({name})" for name in names))


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _shortened(text: str, most: int = 40) -> str:
    """A board's text in one short line that any file can carry."""
    line = "".join(c if c.isprintable() else "?" for c in text)
    return line if len(line) <= most else line[: most - 1] + "…"
