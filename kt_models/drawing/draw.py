"""Drawings of boards, tours and linkages: one picture, as SVG or as PNG, or a page.

Everything is placed in units of a cell, the centre of cell (x, y) at (x, y).  The layers of a board in three dimensions
lie side by side on one flat page, so that squares, lines and marks are drawn by the same code as in the plane.

What a drawing is made of is in `kt_models.drawing`; here it is put together.
"""

from __future__ import annotations

import io
import itertools
import math
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_models.board import Board, BoolArray
from kt_models.cells import column_name
from kt_models.drawing.canvas import BORDER, DARK, INK, LIGHT, PAPER, PIXELS_PER_INCH, SOFT_INK, Canvas
from kt_models.drawing.caption import caption_of, shortened
from kt_models.drawing.lines import border, joined, on_page, pieces, runs_of
from kt_models.drawing.page import DIGIT, OVERHANG, DrawOptions, Page, page_of
from kt_models.drawing.parts import Parts, draw_frames, draw_marks, page_with_parts, write_key
from kt_models.drawing.way import Cells, Way, boxed, tours_of, way_of
from kt_models.errors import KTError, TooLarge
from kt_models.graph import MoveGraph
from kt_models.tour import Tour
from kt_models.walks import Walk

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from kt_models.drawing.sides import Side

MAX_DRAWN = 1_000_000
"""Most cells that are drawn; their box may have four times as many."""
RASTER_FROM = 20_000
"""Above this many cells an SVG carries all but its text as one image, and there are no visit numbers."""
LEAST_MARKED = 6.0
"""Turns and crossings are marked where a cell has at least this many pixels; smaller, they would hide the tour."""


# -- what is offered ---------------------------------------------------------------------------------------------------


def draw_svg(
    subject: Board | MoveGraph | Tour, walks: Sequence[Walk] | None = None, *, parts: Parts | None = None, **look: Any
) -> str:
    """A drawing as the text of an SVG file, the same text for the same drawing.

    Parameters
    ----------
    subject
        A board; a tour, coloured along its length; or a graph whose board is drawn.
    walks
        With a graph: paths and cycles of it (a linkage, a 2-factor), one colour each.
    parts
        In the plane: colours of the steps, frames, arrows and a key that explain it.
    look
        `numbers`, `turns`, `crossings`, `names` and `size`: see `kt_models.drawing.page.DrawOptions`.

    Raises
    ------
    KTError
        If there is no board, it has more than three dimensions, `parts` do not fit it, or what is asked does not fit
        into `size`.
    TooLarge
        Above `MAX_DRAWN` cells, or with numbers above `RASTER_FROM`.
    InvalidTour
        If a step of the tour is not a move.
    """
    return saved_svg(lambda: _draw(subject, walks, DrawOptions(**look), parts))


def draw_png(
    subject: Board | MoveGraph | Tour, walks: Sequence[Walk] | None = None, *, parts: Parts | None = None, **look: Any
) -> bytes:
    """A drawing as the bytes of a PNG file; parameters and errors are those of `draw_svg`."""
    options = DrawOptions(**look)
    return saved_png(lambda: _draw(subject, walks, options, parts), exact=options.size is not None)


def saved_svg(draw: Callable[[], tuple[Figure, str]]) -> str:
    """What `draw` makes, a figure and its title, as the text of an SVG file."""
    with _plain_style():
        figure, title = draw()
        stream = io.StringIO()
        metadata: dict[str, Any] = {"Title": title, "Date": None, "Creator": "kt"}
        figure.savefig(stream, format="svg", dpi=_sharp(figure), metadata=metadata)  # of the image in it, if any
    return stream.getvalue()


def saved_png(draw: Callable[[], tuple[Figure, str]], *, exact: bool) -> bytes:
    """The same as the bytes of a PNG file, `exact` if it is to have the pixels that the figure says."""
    with _plain_style():
        figure, title = draw()
        stream = io.BytesIO()
        metadata: dict[str, Any] = {"Title": title, "Software": "kt"}
        figure.savefig(stream, format="png", dpi=PIXELS_PER_INCH if exact else _sharp(figure), metadata=metadata)
    return stream.getvalue()


def draw_page(sides: Sequence[Side], *, show: Mapping[str, bool] | None = None) -> str:
    """A page to step through, zoom and turn, as the text of one HTML file that needs no network (docs/page.md).

    Parameters
    ----------
    sides
        One board with its walks, or two to be compared: `kt_models.drawing.sides.side_of_tour` and `read_side` make
        them.
    show
        Whether `turns`, `crossings` and `numbers` are shown at first.

    Raises
    ------
    KTError
        If there is no board, it has more than three dimensions, or two boards are not the same.
    TooLarge
        Above `MAX_DRAWN` cells.
    InvalidTour
        If a step of a tour is not a move.
    """
    from kt_models.drawing.page_html import page_html

    for side in sides:
        board = _board_of(side.graph)
        require_drawable(board)
        if side.parts:
            side.parts.require_fit(board, len(side.tours), sum(len(tour.steps.kinds) for tour in side.tours))
    return page_html(sides, show)


def background(board: Board, caption: str, size: int) -> tuple[bytes, Page]:
    """A board with its names and a caption as the bytes of a PNG file of so many pixels, and where everything is."""
    require_drawable(board)
    with _plain_style():
        page = page_of(board, caption, DrawOptions(size=size))
        canvas = Canvas(page, raster=board.n > RASTER_FROM)
        draw_squares(canvas)
        if page.label:
            _draw_names(canvas, board)
        if page.caption:
            canvas.write_caption(caption)
        stream = io.BytesIO()
        canvas.figure.savefig(stream, format="png", dpi=PIXELS_PER_INCH)
    return stream.getvalue(), page


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


def _draw(
    subject: Board | MoveGraph | Tour, walks: Sequence[Walk] | None, options: DrawOptions, parts: Parts | None = None
) -> tuple[Figure, str]:
    """The figure, and its caption."""
    board = subject if isinstance(subject, Board) else _board_of(subject)
    require_drawable(board)
    if options.numbers and board.n > RASTER_FROM:
        size = f"{board.n:,} cells; numbers are written in at most {RASTER_FROM:,}"
        raise TooLarge(f"board {shortened(board.text)}: {size}")
    tours = tours_of(subject, walks)
    way = way_of(board, tours, along=isinstance(subject, Tour)) if tours else None
    caption = caption_of(board, way)
    if parts:
        parts.require_fit(board, len(tours), 0 if way is None else len(way.starts))
        caption = parts.caption or caption
        way = parts.coloured(way) if way else None
    page = page_with_parts(board, caption, options, parts) if parts else page_of(board, caption, options)
    canvas = Canvas(page, raster=board.n > RASTER_FROM)
    draw_squares(canvas)
    if parts:
        draw_frames(canvas, board, parts)
    if way:
        _draw_way(canvas, board, way, options)
    if parts:
        draw_marks(canvas, parts)
        write_key(canvas, parts)
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


def require_drawable(board: Board) -> None:
    """Refuse a board that is too large, or that has more dimensions than are drawn."""
    text = shortened(board.text)
    if board.dimension > 3:
        raise KTError(f"board {text}: it has {board.dimension} dimensions, and only 2 or 3 are drawn")
    box = math.prod(board.shape)
    if board.n > MAX_DRAWN or box > 4 * MAX_DRAWN:
        raise TooLarge(f"board {text}: {board.n:,} cells in a box of {box:,}; at most {MAX_DRAWN:,} are drawn")


# -- drawing -----------------------------------------------------------------------------------------------------------


def draw_squares(canvas: Canvas) -> None:
    """The squares of the page, light and dark, and the border around them."""
    squares = canvas.page.squares
    if canvas.raster:
        from matplotlib.colors import ListedColormap

        extent = (-0.5, squares.shape[0] - 0.5, -0.5, squares.shape[1] - 0.5)
        shades = ListedColormap([PAPER, LIGHT, DARK])
        how: dict[str, Any] = {"origin": "lower", "aspect": "auto", "interpolation": "nearest", "clip_on": False}
        canvas.axes.imshow(squares.T, cmap=shades, vmin=0, vmax=2, extent=extent, zorder=0, **how)
    else:
        x, y = np.nonzero(squares == 2)
        canvas.fill(runs_of(squares > 0), LIGHT, 0, "squares")
        canvas.fill(np.stack([x - 0.5, y - 0.5, x + 0.5, y + 0.5], axis=1), DARK, 0.1, "dark-squares")
    if canvas.page.cell > 1.5:
        canvas.lines(border(squares > 0), BORDER, canvas.points(0.02, 0.75), 0.2, gid="border", capstyle="projecting")


def _draw_way(canvas: Canvas, board: Board, way: Way, options: DrawOptions) -> None:
    offsets = canvas.page.offsets
    cells, turns = on_page(way.cells, offsets), on_page(way.turns, offsets)
    width = canvas.points(0.075, 0.7)
    within = (way.vectors[:, 2:] == 0).all(axis=1)
    segments, index = pieces(board, way.starts[within], way.vectors[within], offsets)
    lines, colours = joined(segments, way.colours[within][index])
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


def _draw_ends(canvas: Canvas, way: Way, cells: Cells) -> None:
    """A disc where an open tour or walk starts, a square where it ends."""
    first = np.cumsum([0, *(len(tour) for tour in way.tours)])
    paths = [i for i, tour in enumerate(way.tours) if not tour.closed]
    starts, ends = first[paths], first[[i + 1 for i in paths if len(way.tours[i]) > 1]] - 1
    for which, radius, marker, gid in ((starts, 0.19, "o", "starts"), (ends, 0.17, "s", "ends")):
        shades, rim = way.palette[way.cell_colours[which]], canvas.points(0.035, 0.5)
        size = canvas.points(radius, 2.5)
        canvas.dots(cells[which], size, shades, 4.5, marker=marker, edgecolors=PAPER, linewidths=rim, gid=gid)


def _draw_stubs(canvas: Canvas, board: Board, way: Way, chosen: BoolArray, width: float) -> None:
    """Moves between layers: at each end a stub towards the other cell, with ▲ to a higher and ▼ to a lower layer.

    Two triangles mean two layers or more.  Where both stubs of a cell have one direction they lean aside, those to a
    higher layer to the left and those to a lower one to the right.
    """
    starts, vectors = way.starts[chosen], way.vectors[chosen]
    cells = np.concatenate([starts, boxed(starts + vectors, board).astype(np.int64)])
    towards = np.concatenate([vectors, -vectors])
    shades = way.palette[np.tile(way.colours[chosen], 2)]
    rise, double = np.sign(towards[:, 2]), np.abs(towards[:, 2]) > 1
    where = np.concatenate([cells, np.sign(towards[:, :2])], axis=1)
    _, same, count = np.unique(where, axis=0, return_inverse=True, return_counts=True)
    lean = np.radians(np.where(double, 36, 12)) * rise * (count[same.reshape(-1)] > 1)
    angle = np.arctan2(towards[:, 1], towards[:, 0]) + lean  # 0 for straight up or down, which has no direction here
    roots = on_page(cells, canvas.page.offsets).astype(np.float64)
    tips = roots + 0.33 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    canvas.lines(list(np.stack([roots, tips], axis=1)), shades, width, 1.1, gid="stubs", capstyle="butt")
    lift = np.array([0.0, 0.07])
    for sign, marker, gid in ((1, "^", "up"), (-1, "v", "down")):
        one, two = (rise == sign) & ~double, (rise == sign) & double
        points = np.concatenate([tips[one], tips[two] + lift, tips[two] - lift])
        faces = np.concatenate([shades[one], shades[two], shades[two]])
        canvas.dots(points, canvas.points(0.085), faces, 1.2, marker=marker, gid=gid)


def _draw_names(canvas: Canvas, board: Board) -> None:
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
