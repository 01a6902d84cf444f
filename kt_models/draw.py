"""Drawings of boards, tours and linkages: one picture, as SVG or as PNG.

Everything is placed in units of a cell, the centre of cell (x, y) at (x, y).  The layers of a board in three dimensions
lie side by side on one flat page, so that squares, lines and marks are drawn by the same code as in the plane.

Turns and crossings come from `pairs`, the one source of both: what is marked is what is counted.
"""

from __future__ import annotations

import io
import itertools
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.board import Board, IntArray
from kt_models.cells import cell_name, column_name
from kt_models.errors import InvalidTour, KTError, TooLarge
from kt_models.graph import KNIGHT, MoveGraph
from kt_models.pairs import Pattern, pairs_of_steps
from kt_models.tour import Tour
from kt_models.walks import Walk

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FloatArray = npt.NDArray[np.float64]
IntMatrix = npt.NDArray[np.int64]

MAX_DRAWN = 1_000_000
"""Most cells (holes within four times as many) that are drawn."""
RASTER_FROM = 20_000
"""Above this many cells an SVG carries its squares, lines and marks as one image."""
SMALLEST, LARGEST = 100, 8192
"""Limits of `size`, in pixels."""
LEAST_MARKED = 4.0
"""Turns and crossings are marked where a cell has at least this many pixels; smaller, they would hide the tour."""
LEAST_NUMBER = 5.0
"""Least height of a visit number, in pixels."""

PIXELS_PER_INCH = 96  # the pixel of CSS: an SVG of 640 pixels is as wide on a page as the PNG
POINTS_PER_PIXEL = 72 / PIXELS_PER_INCH
DIGIT = 0.64  # width of a digit of DejaVu Sans over its height, as is that of an average letter
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
        Whether the number of the visit, from 1, stands in every cell.
    turns, crossings
        Whether cells where the tour turns have a dot, and points where it crosses itself (in the plane) a white disc.
        They are left out where a cell has fewer than `LEAST_MARKED` pixels.
    names
        Whether files and ranks are named along the edges; on large boards only every few.
    size
        Pixels of the longer side; by default what suits the board (and a PNG then has up to twice as many, to be sharp).

    Raises
    ------
    KTError
        If there is no board, it has more than three dimensions, or what is asked does not fit into `size`.
    TooLarge
        Above `MAX_DRAWN` cells.
    InvalidTour
        If a step of the tour is not a move.
    """
    options = Options(numbers, turns, crossings, names, size)
    with _plain_style():
        figure, title = _draw(subject, walks, options)
        stream = io.StringIO()
        metadata: dict[str, Any] = {"Title": title, "Date": None, "Creator": "kt"}
        figure.savefig(stream, format="svg", dpi=_sharp(figure), metadata=metadata)  # of what is an image within it
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
    options = Options(numbers, turns, crossings, names, size)
    with _plain_style():
        figure, title = _draw(subject, walks, options)
        stream = io.BytesIO()
        metadata: dict[str, Any] = {"Title": title, "Software": "kt"}
        figure.savefig(stream, format="png", dpi=PIXELS_PER_INCH if size else _sharp(figure), metadata=metadata)
    return stream.getvalue()


def _sharp(figure: Figure) -> float:
    """Dots per inch: twice those of the screen, unless that makes over 6 megapixels."""
    width, height = figure.get_size_inches() * PIXELS_PER_INCH
    return PIXELS_PER_INCH * min(2.0, max(1.0, math.sqrt(6e6 / (width * height))))


@dataclass(frozen=True)
class Options:
    """What is drawn; see `draw_svg`."""

    numbers: bool = False
    turns: bool = True
    crossings: bool = True
    names: bool = True
    size: int | None = None

    def __post_init__(self) -> None:
        if self.size is not None and not SMALLEST <= self.size <= LARGEST:
            raise KTError(f"size {self.size}: a drawing has {SMALLEST} to {LARGEST:,} pixels")


@contextmanager
def _plain_style() -> Iterator[None]:
    """Matplotlib's own defaults, whatever the user has set, who gets his settings back."""
    import matplotlib

    keep = ("axes", "figure", "font", "lines", "mathtext", "patch", "path", "savefig", "scatter", "svg", "text")
    plain = {key: value for key, value in matplotlib.rcParamsDefault.items() if key.split(".")[0] in keep}
    # text stays text: smaller than outlines of its letters, can be found and copied, and any sans serif will do
    own = {"svg.hashsalt": "kt", "svg.fonttype": "none", "font.sans-serif": ["DejaVu Sans"]}
    with matplotlib.rc_context({**plain, **own}):
        yield


def _draw(subject: Board | MoveGraph | Tour, walks: Sequence[Walk] | None, options: Options) -> tuple[Figure, str]:
    board = subject if isinstance(subject, Board) else _board_of(subject)
    _require_drawable(board)
    tours = _tours_of(subject, walks)
    way = _way_of(board, tours, one=isinstance(subject, Tour)) if tours else None
    caption = _caption(board, way)
    page = _page_of(board, caption, options)
    canvas = _Canvas(page, raster=board.n > RASTER_FROM)
    _draw_squares(canvas)
    if way:
        _draw_way(canvas, board, way, options)
    if options.names:
        _draw_names(canvas, board)
    canvas.write_caption(caption)
    return canvas.figure, caption


def _board_of(subject: MoveGraph | Tour) -> Board:
    graph = subject.graph if isinstance(subject, Tour) else subject
    if graph.board is None:
        raise KTError(f"graph {graph.name} has no board: it cannot be drawn")
    return graph.board


def _require_drawable(board: Board) -> None:
    text = _shortened(board.text)
    if board.dimension > 3:
        raise KTError(f"board {text}: it has {board.dimension} dimensions, boards of 2 or 3 are drawn")
    if board.n > MAX_DRAWN or math.prod(board.shape) > 4 * MAX_DRAWN:
        raise TooLarge(f"board {text}: {board.n:,} cells in a box of {math.prod(board.shape):,}; at most {MAX_DRAWN:,} are drawn")


# -- the way: all moves that are drawn ---------------------------------------------------------------------------------


class _Way(NamedTuple):
    """The moves of one tour, or of several walks, in the order they are walked."""

    graph: MoveGraph
    tours: list[Tour]
    starts: IntMatrix
    """The cell each move leaves, shape (s, dimension)."""
    vectors: IntMatrix
    """Its displacement as it is walked, shape (s, dimension)."""
    colours: IntArray
    """Which row of `palette` each has, shape (s,)."""
    cell_colours: IntArray
    """The same for the cells of all tours, one after the other."""
    palette: FloatArray
    turns: IntMatrix
    """A cell for each turn, shape (t, dimension)."""
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


def _way_of(board: Board, tours: list[Tour], one: bool) -> _Way:
    graph = tours[0].graph
    assert graph.moves is not None
    tails = np.concatenate([tour.steps.tails for tour in tours])
    kinds = np.concatenate([tour.steps.kinds for tour in tours])
    forward = np.concatenate([tour.steps.forward for tour in tours])
    starts = np.concatenate([tour.coordinates[: len(tour.steps.tails)] for tour in tours]).astype(np.int64)
    if one:
        palette, (colours, cell_colours) = _along(len(tails), tours[0])
    else:
        palette = _apart(len(tours))
        colours = np.repeat(np.arange(len(tours)), [len(tour.steps.tails) for tour in tours])
        cell_colours = np.repeat(np.arange(len(tours)), [len(tour) for tour in tours])
    turns = [np.zeros((0, board.dimension), dtype=np.int64)]
    for pattern, cells in pairs_of_steps(graph, "turns", tails, kinds):
        turns.append(_in_box(cells + _turn_offset(graph.moves, pattern), board))
    crossings: list[FloatArray] = [np.zeros((0, 2))]
    if board.dimension == 2:
        for pattern, cells in pairs_of_steps(graph, "crossings", tails, kinds):
            crossings.append(_in_box(cells + _crossing_offset(graph.moves, pattern), board))
    return _Way(
        graph,
        tours,
        starts,
        graph.moves[kinds] * np.where(forward, 1, -1)[:, None],
        colours.astype(np.int32),
        cell_colours.astype(np.int32),
        palette,
        np.concatenate(turns),
        np.concatenate(crossings) if board.dimension == 2 else None,
    )


def _turn_offset(moves: IntMatrix, pattern: Pattern) -> IntMatrix:
    """Where the two moves of a turn meet, from the tail of the first: there or at its head."""
    offset = np.array(pattern.offset)
    meet_at_tail = not offset.any() or not (offset + moves[pattern.second]).any()
    return moves[pattern.first] * (0 if meet_at_tail else 1)


def _crossing_offset(moves: IntMatrix, pattern: Pattern) -> FloatArray:
    """Where the two moves of a crossing cross, from the tail of the first; the middle of what they share if on one line."""
    (ax, ay), (bx, by), (ox, oy) = (tuple(map(int, v)) for v in (moves[pattern.first], moves[pattern.second], pattern.offset))
    if area := ax * by - ay * bx:
        along = Fraction(ox * by - oy * bx, area)
    else:
        square = ax * ax + ay * ay
        ends = sorted(Fraction(x * ax + y * ay, square) for x, y in ((ox, oy), (ox + bx, oy + by)))
        along = (max(Fraction(0), ends[0]) + min(Fraction(1), ends[1])) / 2
    return np.array([float(along * ax), float(along * ay)])


def _in_box(points: Any, board: Board) -> Any:
    """The same points of a periodic board, brought into its box (whose cells reach half a unit around their centres)."""
    for axis, (wrap, period) in enumerate(zip(board.wraps, board.shape, strict=True)):
        if wrap:
            points[:, axis] -= (period * np.floor((points[:, axis] + 0.5) / period)).astype(points.dtype)
    return points


# -- colours -----------------------------------------------------------------------------------------------------------


def _along(steps: int, tour: Tour) -> tuple[FloatArray, tuple[IntArray, IntArray]]:
    """Colours for the steps and the cells of one tour: a wheel if it is closed, from dark to light if not.

    At most 256 (more only where a run of one colour would have over 1000 steps), so that a run is drawn as one line.
    """
    import matplotlib

    count = max(1, min(steps, 256), steps // 1000)
    place = (np.arange(count) + 0.5) / count
    # viridis without its yellow, which is too pale for a line on a light square
    palette = _wheel(place) if tour.closed else matplotlib.colormaps["viridis"](0.88 * place)[:, :3]
    colours = np.arange(steps) * count // max(1, steps)
    cells = np.minimum(np.arange(len(tour)) * count // max(1, steps), count - 1)
    return np.asarray(palette), (colours.astype(np.int32), cells.astype(np.int32))


def _apart(count: int) -> FloatArray:
    """Colours for so many walks, each hue far from those just before it."""
    golden = (math.sqrt(5) - 1) / 2
    return _wheel((0.08 + golden * np.arange(count)) % 1.0)


def _wheel(turn: FloatArray) -> FloatArray:
    """Colours of even chroma round the hues of Oklab (Ottosson 2020), yellow a little lighter than blue, as sRGB.

    Parameters
    ----------
    turn
        Place on the wheel, 0 to 1, shape (k,).
    """
    hue = 2 * np.pi * (0.72 + turn)
    lightness = 0.60 + 0.09 * np.cos(hue - np.radians(105))
    lab = np.stack([lightness, 0.15 * np.cos(hue), 0.15 * np.sin(hue)])
    to_cones = np.array([[1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728], [1, -0.0894841775, -1.2914855480]])
    to_linear = np.array(
        [
            [4.0767416621, -3.3077115913, 0.2309699292],
            [-1.2684380046, 2.6097574011, -0.3413193965],
            [-0.0041960863, -0.7034186147, 1.7076147010],
        ]
    )
    linear = np.clip(to_linear @ (to_cones @ lab) ** 3, 0, 1)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055).T


# -- the page ----------------------------------------------------------------------------------------------------------


class _Page(NamedTuple):
    """Where everything goes.  Lengths are in pixels but for `offsets` and `squares`, which are in cells."""

    squares: npt.NDArray[np.int8]
    """0 for nothing, 1 for a light and 2 for a dark square, of all layers."""
    offsets: IntMatrix
    """Where cell (0, 0) of each layer is, shape (layers, 2)."""
    cell: float
    label: float
    caption: float
    """Height of the caption, 0 if it does not fit."""
    number: float
    left: int
    bottom: int
    width: int
    height: int


def _page_of(board: Board, caption: str, options: Options) -> _Page:
    squares, offsets = _laid_out(board)
    columns, rows = squares.shape
    margin = 2 * OVERHANG if any(board.wraps) else 0.0
    digits = len(str(board.n))
    least_cell = LEAST_NUMBER * DIGIT * digits / 0.6
    size = options.size or _usual_size(max(columns, rows), board.dimension, 1.2 * least_cell if options.numbers else 0.0)
    pad = max(6.0, size / 60)
    text = min(max(size / 42, 9.0), 18.0)
    label = min(max(0.3 * size / max(columns, rows), 8.0), text) if options.names else 0.0
    caption_height = text * min(1.0, (size - 2 * pad) / (DIGIT * text * len(caption)))
    if caption_height < 7:
        caption_height = 0.0
    across = 2 * pad + label * (0.7 + DIGIT * len(str(board.shape[1])))
    down = 2 * pad + 1.7 * label * (board.dimension - 1) + 1.9 * caption_height
    cell = min((size - across) / (columns + margin), (size - down) / (rows + margin))
    if options.numbers and cell < least_cell:
        needed = math.ceil(size * least_cell / max(cell, 1e-3))
        raise KTError(f"numbers in {_shortened(board.text)} need about {needed:,} pixels, the drawing has {size:,}")
    if cell <= 0:
        raise KTError(f"size {size}: too few pixels for {_shortened(board.text)}")
    if cell >= 16:  # whole steps give an SVG short coordinates
        cell = math.floor(3 * cell) / 3
    inner = cell * (columns + margin)
    width = max(inner + across, min(size, DIGIT * caption_height * len(caption) + 2 * pad))
    height = cell * (rows + margin) + down
    if width >= height:
        width = size
    else:
        height = size
    return _Page(
        squares,
        offsets,
        cell,
        label,
        caption_height,
        min(0.34 * cell, 0.6 * cell / (DIGIT * digits)),
        left=round(across - pad + (width - inner - across) / 2 + cell * margin / 2),
        bottom=round(pad + 1.9 * caption_height + 1.7 * label + cell * margin / 2),
        width=math.ceil(width),
        height=math.ceil(height),
    )


def _usual_size(side: int, dimension: int, least_cell: float) -> int:
    """Pixels that suit so many cells: about 48 each on a small board, fewer on a large one, more in three dimensions."""
    usual = min(48 * side + 64, 640) if dimension == 2 else min(64 * side + 64, 960)
    size = max(usual, min(8 * side, 1600), math.ceil(least_cell * (side + 2)) + 64 * (least_cell > 0))
    return min(max(size, 240), LARGEST)


def _laid_out(board: Board) -> tuple[npt.NDArray[np.int8], IntMatrix]:
    """The squares of all layers on one page, and where each layer is: z upwards is read as text is, row by row."""
    there = np.ones(board.shape, dtype=bool) if board.mask is None else board.mask
    if board.dimension == 2:
        there = there[:, :, None]
    width, height, layers = there.shape
    gap = 1 + max(width, height) // 8
    across = _layers_across(width + gap, height + gap, layers)
    down = -(-layers // across)
    z = np.arange(layers)
    offsets = np.stack([z % across * (width + gap), (down - 1 - z // across) * (height + gap)], axis=1)
    squares = np.zeros((across * (width + gap) - gap, down * (height + gap) - gap), dtype=np.int8)
    x, y, z = np.nonzero(there)
    squares[x + offsets[z, 0], y + offsets[z, 1]] = 1 + (x + y + z + 1) % 2  # a1 is dark
    return squares, offsets.astype(np.int64)


def _layers_across(width: int, height: int, layers: int) -> int:
    """How many layers side by side make the page nearest to twice as wide as high."""
    best = math.sqrt(2 * layers * height / width)
    counts = {min(max(1, math.floor(best)), layers), min(max(1, math.ceil(best)), layers)}
    return min(counts, key=lambda across: max(across * width / 2, -(-layers // across) * height))


class _Canvas:
    """A figure whose one pair of axes measures in cells, and the few things that are put on it."""

    def __init__(self, page: _Page, raster: bool) -> None:
        from matplotlib.figure import Figure

        self.page = page
        self.raster = raster
        inches = ((page.width + 1e-7) / PIXELS_PER_INCH, (page.height + 1e-7) / PIXELS_PER_INCH)  # never a pixel less
        self.figure = Figure(figsize=inches, dpi=PIXELS_PER_INCH, facecolor=PAPER)
        self.axes: Axes = self.figure.add_axes((0, 0, 1, 1))
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

    def fill(self, corners: FloatArray, colour: str, layer: float, gid: str) -> None:
        """Rectangles of one colour as one path; `corners` has rows (x0, y0, x1, y1)."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        x0, y0, x1, y1 = corners.T
        vertices = np.stack([x0, y0, x1, y0, x1, y1, x0, y1, x0, y0], axis=1).reshape(-1, 2)
        codes = np.tile([Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY], len(corners))
        patch = PathPatch(Path(vertices, codes), facecolor=colour, linewidth=0, zorder=layer, gid=gid, clip_on=False)
        self.axes.add_artist(patch)

    def lines(self, lines: Sequence[FloatArray], colours: Any, width: float, layer: float, gid: str, cap: Any = "round") -> None:
        """Lines through points, each of one colour; `width` in points."""
        from matplotlib.collections import LineCollection

        self.axes.add_artist(
            LineCollection(
                list(lines), colors=colours, linewidths=width, capstyle=cap, joinstyle="round", zorder=layer, gid=gid, clip_on=False
            )
        )

    def dots(
        self, points: npt.NDArray[Any], radius: float, face: Any, edge: Any, rim: float, layer: float, gid: str, marker: str = "o"
    ) -> None:
        """Marks of one size and edge; `radius` and the width `rim` of the edge in points."""
        from matplotlib.lines import Line2D

        if not len(points):
            return
        if isinstance(face, str):
            line = Line2D(points[:, 0], points[:, 1], linestyle="", marker=marker, markersize=2 * radius, zorder=layer, gid=gid)
            line.set(markerfacecolor=face, markeredgecolor=edge, markeredgewidth=rim, clip_on=False)
            self.axes.add_artist(line)
        else:
            area, x, y = (2 * radius) ** 2, points[:, 0], points[:, 1]
            dots = self.axes.scatter(x, y, s=area, c=face, edgecolors=edge, linewidths=rim, marker=marker, zorder=layer, gid=gid)
            dots.set_clip_on(False)

    def write(self, x: float, y: float, text: str, pixels: float, colour: str = INK, gid: str | None = None, **how: Any) -> None:
        how = {"ha": "center", "va": "center_baseline", **how}
        size = pixels * POINTS_PER_PIXEL
        self.axes.text(x, y, text, fontsize=size, color=colour, zorder=6, gid=gid, parse_math=False, **how)

    def write_caption(self, text: str) -> None:
        page = self.page
        if page.caption:
            low = -0.5 - (page.bottom - max(6.0, 0.7 * page.caption)) / page.cell
            x = (page.squares.shape[0] - 1) / 2
            half = DIGIT * page.caption * len(text) / 2 / page.cell
            left, right = self.axes.get_xlim()
            x = min(max(x, left + half), right - half) if right - left > 2 * half else (left + right) / 2
            self.write(x, low, text, page.caption, va="baseline", gid="caption")


# -- drawing -----------------------------------------------------------------------------------------------------------


def _draw_squares(canvas: _Canvas) -> None:
    squares = canvas.page.squares
    if canvas.raster:
        from matplotlib.colors import ListedColormap

        colours = ListedColormap([PAPER, LIGHT, DARK])
        width, height = squares.shape
        extent = (-0.5, width - 0.5, -0.5, height - 0.5)
        image = canvas.axes.imshow(
            squares.T, cmap=colours, vmin=0, vmax=2, origin="lower", extent=extent, aspect="auto", interpolation="nearest", zorder=0
        )
        image.set_clip_on(False)
    else:
        canvas.fill(_runs(squares > 0), LIGHT, 0, "squares")
        x, y = np.nonzero(squares == 2)
        canvas.fill(np.stack([x - 0.5, y - 0.5, x + 0.5, y + 0.5], axis=1), DARK, 0.1, "dark-squares")
    border = _border(squares > 0)
    if canvas.page.cell > 1.5:
        canvas.lines(border, BORDER, canvas.points(0.02, 0.75), 0.2, "border", cap="projecting")


def _runs(there: npt.NDArray[np.bool_]) -> FloatArray:
    """Each column's runs of squares, as rectangles (x0, y0, x1, y1)."""
    change = np.diff(np.pad(there.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    x, low = np.nonzero(change == 1)
    high = np.nonzero(change == -1)[1]
    return np.stack([x - 0.5, low - 0.5, x + 0.5, high - 0.5], axis=1)


def _border(there: npt.NDArray[np.bool_]) -> list[FloatArray]:
    """The lines between squares and holes or the outside, each as long as it can be."""
    lines: list[FloatArray] = []
    for axis in (0, 1):
        inside = there if axis == 0 else there.T
        edge = np.diff(np.pad(inside, ((1, 1), (0, 0))).astype(np.int8), axis=0) != 0
        runs = _runs(edge)
        ends = np.stack([runs[:, 0], runs[:, 1], runs[:, 0], runs[:, 3]], axis=1).reshape(-1, 2, 2)
        lines.extend(ends if axis == 0 else ends[:, :, ::-1])
    return lines


def _draw_way(canvas: _Canvas, board: Board, way: _Way, options: Options) -> None:
    offsets, cell = canvas.page.offsets, canvas.page.cell
    cells = np.concatenate([tour.coordinates for tour in way.tours]).astype(np.int64)
    width = canvas.points(0.075, 0.7)
    flat = way.vectors[:, 2:].any(axis=1) == False  # noqa: E712
    segments, index = _pieces(board, way.starts[flat], way.vectors[flat], offsets)
    lines, colours = _joined(segments, way.colours[flat][index])
    canvas.lines(lines, way.palette[colours], width, 1, "path")
    if not flat.all():
        _draw_stubs(canvas, board, way, ~flat, width)
    if board.dimension == 3 or any(len(tour) == 1 for tour in way.tours):
        canvas.dots(_on_page(cells, offsets), canvas.points(0.12), way.palette[way.cell_colours], "none", 0, 2, "cells")
    marked = cell >= LEAST_MARKED
    if options.numbers:
        canvas.dots(_on_page(cells, offsets), canvas.points(0.3), PAPER, BORDER, canvas.points(0.02), 2.5, "visits")
        if options.turns:
            canvas.dots(_on_page(way.turns, offsets), canvas.points(0.3), PAPER, INK, canvas.points(0.03), 2.6, "turns")
    elif options.turns and marked:
        radius = 0.085 if board.dimension == 2 else 0.06
        canvas.dots(_on_page(way.turns, offsets), canvas.points(radius, 0.6), INK, "none", 0, 3, "turns")
    if options.crossings and marked and way.crossings is not None:
        canvas.dots(way.crossings, canvas.points(0.065, 0.5), PAPER, INK, canvas.points(0.022, 0.25), 4, "crossings")
    _draw_ends(canvas, way, options)
    if options.numbers:
        visits = np.concatenate([np.arange(1, len(tour) + 1) for tour in way.tours])
        for (x, y), visit in zip(_on_page(cells, offsets).tolist(), visits.tolist(), strict=True):
            canvas.write(x, y, str(visit), canvas.page.number)


def _draw_ends(canvas: _Canvas, way: _Way, options: Options) -> None:
    """A disc where an open tour or walk starts, a square where it ends."""
    ends = [tour.coordinates[[0, -1]].astype(np.int64) for tour in way.tours if not tour.closed]
    if not ends or options.numbers:
        return
    first = np.cumsum([0] + [len(tour) for tour in way.tours])
    open_ones = [i for i, tour in enumerate(way.tours) if not tour.closed]
    rim = canvas.points(0.035, 0.5)
    for which, radius, marker, gid in ((0, 0.19, "o", "starts"), (1, 0.17, "s", "ends")):
        colours = [way.cell_colours[first[i] if which == 0 else first[i + 1] - 1] for i in open_ones]
        points = _on_page(np.stack([pair[which] for pair in ends]), canvas.page.offsets)
        canvas.dots(points, canvas.points(radius, 2.5), way.palette[colours], PAPER, rim, 4.5, gid, marker)


def _on_page(cells: IntMatrix, offsets: IntMatrix) -> IntMatrix:
    """Where cells are on the page, shape (k, 2)."""
    return cells[:, :2] + offsets[cells[:, 2] if cells.shape[1] == 3 else np.zeros(len(cells), dtype=np.int64)]


def _pieces(board: Board, starts: IntMatrix, vectors: IntMatrix, offsets: IntMatrix) -> tuple[FloatArray, IntArray]:
    """The lines of moves within a layer, shape (k, 2, 2), and which move each is of, shape (k,), in order.

    A move that wraps has a piece at each end, which leaves the board over the edge (and one between them, if it cuts
    a corner).
    """
    shape = np.array(board.shape[:2])
    heads = starts[:, :2] + vectors[:, :2]
    rounds = np.floor_divide(heads, shape)  # 0 within the box; a move that does not wrap stays within it
    shift = _on_page(starts, offsets) - starts[:, :2]
    found, indices = [], []
    for bits in itertools.product((0, 1), repeat=2):
        use = np.flatnonzero(((rounds != 0) | (np.array(bits) == 0)).all(axis=1))
        back = rounds[use] * np.array(bits) * shape
        segments = np.stack([starts[use, :2] - back, heads[use] - back], axis=1).astype(np.float64)
        wrapped = rounds[use].any(axis=1)
        segments[wrapped], seen = _clipped(segments[wrapped], shape)
        kept = ~wrapped
        kept[wrapped] = seen
        found.append((segments + shift[use, None])[kept])
        indices.append(use[kept])
    index = np.concatenate(indices)
    order = np.argsort(index, kind="stable")
    return np.concatenate(found)[order], index[order].astype(np.int32)


def _clipped(segments: FloatArray, shape: npt.NDArray[Any]) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """What of each segment is on the board or at most `OVERHANG` over its edge, and whether any is on the board."""

    def span(margin: float) -> tuple[FloatArray, FloatArray]:
        with np.errstate(divide="ignore", invalid="ignore"):
            low = (-0.5 - margin - segments[:, 0]) / vector
            high = (shape - 0.5 + margin - segments[:, 0]) / vector
        inside = (segments[:, 0] > -0.5 - margin) & (segments[:, 0] < shape - 0.5 + margin)
        flat = vector == 0
        enter = np.where(flat, np.where(inside, 0.0, 2.0), np.minimum(low, high)).max(axis=1)
        leave = np.where(flat, np.where(inside, 1.0, -1.0), np.maximum(low, high)).min(axis=1)
        return np.maximum(enter, 0.0), np.minimum(leave, 1.0)

    vector = segments[:, 1] - segments[:, 0]
    enter, leave = span(0.0)
    seen = leave - enter > 1e-9
    enter, leave = span(OVERHANG)
    ends = [segments[:, 0] + t[:, None] * vector for t in (enter, leave)]
    return np.stack(ends, axis=1), seen


def _joined(segments: FloatArray, colours: IntArray) -> tuple[list[FloatArray], IntArray]:
    """Segments that follow one another in one colour, joined to lines; and the colour of each line."""
    if not len(segments):
        return [], colours
    breaks = (segments[1:, 0] != segments[:-1, 1]).any(axis=1) | (colours[1:] != colours[:-1])
    cuts = np.flatnonzero(breaks) + 1
    runs = np.split(segments, cuts)
    return [np.concatenate([run[:, 0], run[-1:, 1]]) for run in runs], colours[np.concatenate([[0], cuts])]


def _draw_stubs(canvas: _Canvas, board: Board, way: _Way, chosen: npt.NDArray[np.bool_], width: float) -> None:
    """Moves between layers: at each end a stub towards the other cell, with ▲ to a higher and ▼ to a lower layer.

    Two triangles mean two layers or more.
    """
    starts, vectors = way.starts[chosen], way.vectors[chosen]
    heads = _in_box(starts + vectors, board)
    cells = np.concatenate([starts, heads])
    towards = np.concatenate([vectors, -vectors])
    colours = np.tile(way.colours[chosen], 2)
    flat = towards[:, :2].astype(np.float64)
    flat[~flat.any(axis=1)] = (1.0, 1.0)
    length = np.hypot(flat[:, 0], flat[:, 1])
    direction = flat / length[:, None]
    roots = _on_page(cells, canvas.page.offsets).astype(np.float64)
    tips = roots + direction * np.where(length > 1.5, 0.4, 0.33)[:, None]
    canvas.lines(list(np.stack([roots, tips], axis=1)), way.palette[colours], width, 1.1, "stubs", cap="butt")
    rise = np.sign(towards[:, 2])
    double = np.abs(towards[:, 2]) > 1
    for sign, marker, gid in ((1, "^", "up"), (-1, "v", "down")):
        for which, lift in ((~double, 0.0), (double, 0.07), (double, -0.07)):
            use = (rise == sign) & which
            points = tips[use] + np.array([0.0, lift])
            canvas.dots(points, canvas.points(0.085), way.palette[colours[use]], "none", 0, 1.2, gid, marker)


def _draw_names(canvas: _Canvas, board: Board) -> None:
    """Files below, ranks on the left and layers above, as many as fit."""
    page = canvas.page
    width, height = board.shape[:2]
    plane = board.dimension == 2
    files = [column_name(x) if plane else str(x) for x in range(width)]
    ranks = [str(y + 1 if plane else y) for y in range(height)]
    away = (OVERHANG if any(board.wraps) else 0.0) + 0.5
    line = page.label / page.cell
    if not plane and width < 2.5 * DIGIT * line:  # layers too small for any name
        return
    for x0, y0 in page.offsets.tolist():
        for x in _every(width, DIGIT * line * (1 + max(map(len, files[-1:])))):
            canvas.write(x0 + x, y0 - away - 0.85 * line, files[x], page.label, SOFT_INK)
        for y in _every(height, 1.3 * line):
            canvas.write(x0 - away - 0.45 * line, y0 + y, ranks[y], page.label, SOFT_INK, ha="right")
    if not plane:
        for z, (x0, y0) in enumerate(page.offsets.tolist()):
            canvas.write(x0 + (width - 1) / 2, y0 + height - 1 + away + 0.8 * line, f"z = {z}", page.label)


def _every(count: int, room: float) -> list[int]:
    """Which of so many names are written if each needs so much room, in cells: all, or 1 and the multiples of 2, 5, 10..."""
    if room <= 1:
        return list(range(count))
    steps = (base * 10**power for power in range(9) for base in (2, 5, 10))
    step = next(s for s in steps if s >= room)
    chosen = [i for i in range(count) if (i + 1) % step == 0]
    return chosen if chosen and step - 1 < room else [0, *chosen]


# -- the caption -------------------------------------------------------------------------------------------------------


def _caption(board: Board, way: _Way | None) -> str:
    """`8x8, closed, 38 turns, 62 crossings`."""
    parts = [_shortened(board.text)]
    if way is None:
        return f"{parts[0]}, {_counted(board.n, 'cell')}"
    if way.graph.leaper != KNIGHT:
        parts.append(f"({way.graph.leaper})-leaper")
    if len(way.tours) == 1:
        parts.append(_described(way.tours[0], board))
    else:
        cycles = sum(tour.closed for tour in way.tours)
        parts += [_counted(k, what) for k, what in ((cycles, "cycle"), (len(way.tours) - cycles, "path")) if k]
    if (covered := sum(map(len, way.tours))) != board.n:
        parts.append(f"{covered} of {_counted(board.n, 'cell')}")
    parts.append(_counted(len(way.turns), "turn"))
    if way.crossings is not None:
        parts.append(_counted(len(way.crossings), "crossing"))
    return ", ".join(parts)


def _described(tour: Tour, board: Board) -> str:
    if tour.closed:
        return "closed"
    ends = [cell_name(cell) for cell in tour.coordinates[[0, -1]].tolist()]
    return "open from {} to {}".format(*(end if board.dimension == 2 else f"({end})" for end in ends))


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _shortened(text: str, most: int = 40) -> str:
    """A board's text in one short line that any font and file can carry."""
    line = "".join(c if c.isprintable() else "?" for c in text)
    return line if len(line) <= most else line[: most - 1] + "…"
