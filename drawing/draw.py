"""Drawings of boards, tours and linkages: one picture, as SVG or as PNG, or a page.

Everything is placed in units of a cell, the centre of cell (x, y) at (x, y). The layers of a board in three or
four dimensions lie side by side on one flat page, so that squares, lines and marks are drawn by the same code as in the
plane.

The parts of a drawing are in `drawing`; this module assembles them.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from drawing.board_marks import MOVES, draw_moves, require_moves
from drawing.canvas import (
    BORDER,
    INK,
    PAPER,
    Canvas,
    Dots,
    Lines,
    Marker,
    Polygons,
    hexadecimal,
)
from drawing.caption import board_of, caption_of, plural
from drawing.certificate_pictures import draw_argument
from drawing.clue_marks import draw_clues, grid_canvas, marks_of
from drawing.drawn_moves import Cells, FloatArray, Way, boxed, tours_of, way_of
from drawing.explanation_parts import Parts, draw_frames, draw_marks, page_with_parts, write_key
from drawing.graph_picture import draw_graph, is_placed
from drawing.hexagonal import is_hexagonal
from drawing.lines import arrowheads, joined, on_page, pieces
from drawing.options import DrawOptions
from drawing.page import MAX_DRAWN, page_of, require_dimensions, require_drawable
from drawing.sheet import sheet_of, single
from drawing.squares import draw_squares, write_names
from drawing.svg import svg_of, svg_of_sheet
from drawing.themes import in_theme, require_fixed
from kt_models.board import Board, BoolArray, IntArray
from kt_models.errors import KTError, TooLarge, shortened
from kt_models.graph import MoveGraph
from kt_models.kernel.certificates import Certificate
from kt_models.problem import Problem
from kt_models.tour import Tour
from kt_models.walks import Walk

if TYPE_CHECKING:
    from drawing.page_entries import PageEntry

Subject = Board | MoveGraph | Tour | Certificate | Problem
RASTER_FROM = 20_000
"""Cells beyond which an SVG carries all but its text as one image, without visit numbers: browsers would be slow."""
ARROW_HEADS = 32
"""Approximate number of arrow heads that show the direction of a tour."""
PICTURES = (".svg", ".png", ".pdf", ".tex")
"""Suffixes of files that hold a picture."""
VISIT, CROSSING = 0.28, 0.065
"""Radius of the disc with a number, and of the mark of a crossing, in cells."""
MIN_SCALE = 0.4
"""Least factor of both, where moves pass so near to cells that they have to be smaller."""
MIN_MARKED_PIXELS = 6.0
"""Least pixels of a cell for marks of turns and crossings; on smaller cells they would hide the tour."""


# -- what is offered ---------------------------------------------------------------------------------------------------


def draw_picture(
    subjects: Sequence[tuple[Subject, Sequence[Walk] | None]],
    suffix: str,
    *,
    parts: Parts | None = None,
    **look: Any,
) -> str | bytes:
    """One drawing, or a sheet of several, as the text or the bytes of a file.

    Parameters
    ----------
    subjects
        Each a board; a tour, coloured along its length; a graph whose board is drawn, with walks on it, if there are
        any (a linkage, a 2-factor), in one colour each; or a certificate that was checked.
    suffix
        One of `PICTURES`.
    parts
        For a single drawing in the plane: colours of the steps, frames, arrows and a key that explain it.
    look
        The fields of `drawing.options.DrawOptions`. On a sheet `size` is that of each drawing; title and
        caption are those of the sheet.

    Raises
    ------
    KTError
        If there is no board, it has more than four dimensions, `parts` do not fit it, or what is asked does not fit
        into `size`.
    TooLarge
        If there are more than `MAX_DRAWN` cells, or with numbers more than `RASTER_FROM`.
    InvalidTour
        If a step of a tour is not a move.
    """
    options = DrawOptions(**look)
    if suffix != ".svg":
        require_fixed(options.theme, f"a {suffix} file")
    if len(subjects) == 1:
        canvas, title = _draw(*subjects[0], options, parts)
        if suffix == ".svg":
            return svg_of(canvas, title)
        sheet = single(canvas, title)
    else:
        inner = replace(options, title="", caption=None)
        sheet = sheet_of([_draw(subject, walks, inner) for subject, walks in subjects], options)
        title = options.title or options.caption or f"{len(subjects)} drawings"
        if suffix == ".svg":
            return svg_of_sheet(sheet, title)
    if suffix == ".tex":
        from drawing.tikz import tikz_of

        return tikz_of(sheet, title)
    from drawing.figure import pdf_of, png_of

    sheet.require_size(suffix)
    return pdf_of(sheet, title) if suffix == ".pdf" else png_of(sheet, title, exact=options.size is not None)


def canvas_of(subject: Subject, walks: Sequence[Walk] | None, options: DrawOptions) -> Canvas:
    """The items of a drawing, for those who draw them themselves."""
    return _draw(subject, walks, options, None)[0]


def draw_in_terminal(tour: Tour, columns: int) -> str | None:
    """A tour as lines of text; none if it does not fit into a number of columns."""
    from drawing.terminal import text_of

    canvas, _ = _draw(tour, None, DrawOptions(turns=False, crossings=False), None)
    return text_of(canvas, columns)


def draw_svg(subject: Subject, walks: Sequence[Walk] | None = None, *, parts: Parts | None = None, **look: Any) -> str:
    """A drawing as the text of an SVG file; equal drawings give equal text (`draw_picture`)."""
    return str(draw_picture([(subject, walks)], ".svg", parts=parts, **look))


def draw_page(entries: Sequence[PageEntry], *, show: Mapping[str, bool] | None = None, title: str = "") -> str:
    """A page to step through, zoom and turn, as the text of one HTML file that needs no network (docs/use/pages.md).

    Parameters
    ----------
    entries
        Boards with their walks; two walks of one board are compared. `entry_of_tour` and `read_entry` of
        `drawing.page_entries` make them.
    show
        Whether `turns`, `crossings` and `numbers` are shown at first.
    title
        The title of the page, in place of the default.

    Raises
    ------
    KTError
        If there is no board, or it has more than three dimensions; or if clues are to be drawn.
    TooLarge
        If a board has more than `MAX_DRAWN` cells, or all boards twice as many.
    InvalidTour
        If a step of a tour is not a move.
    """
    from drawing.graph_page import graph_page
    from drawing.page_html import page_html

    if any(entry.problem for entry in entries):
        raise KTError("a page plays tours, and clues have none: .svg, .png and .pdf draw them, kt puzzle makes a page")
    if any(is_placed(entry.graph) or is_hexagonal(entry.graph) for entry in entries):
        if len(entries) > 1:
            raise KTError("a page of a graph without a board, or of hexagons, has one drawing")
        return graph_page(entries[0], show, title)
    cells = sum(entry.graph.n for entry in entries)
    if cells > 2 * MAX_DRAWN:
        raise TooLarge(f"{len(entries)} boards have {cells:,} cells; at most {2 * MAX_DRAWN:,} are on a page")
    for entry in entries:
        board = board_of(entry.graph)
        require_dimensions(board, page=True)
        require_drawable(board)
        if entry.parts:
            entry.parts.require_fit(board, len(entry.tours), sum(len(tour.steps.kinds) for tour in entry.tours))
    return page_html(entries, show, title)


def require_effect(subjects: Sequence[tuple[Subject, Sequence[Walk] | None]], options: DrawOptions) -> None:
    """Refuse options of tours for subjects without a tour.

    Raises
    ------
    KTError
        If an option has no effect; the message names the first one.
    """
    if any(isinstance(subject, Tour) or walks for subject, walks in subjects):
        return
    usual = DrawOptions()
    for name in ("numbers", "turns", "crossings", "direction"):
        if getattr(options, name) != getattr(usual, name):
            raise KTError(f"{name}: it is about a tour, and there is none to draw")


def draw_ground(board: Board, caption: str, options: DrawOptions) -> Canvas:
    """A board with its names, a caption and a title."""
    require_drawable(board)
    caption = caption if options.caption is None else options.caption
    canvas = Canvas(page_of(board, caption, options))
    draw_squares(canvas)
    write_names(canvas, board, caption, options.title)
    return in_theme(canvas, options.theme)


def drawn_way(canvas: Canvas, graph: MoveGraph, walks: Sequence[Walk], options: DrawOptions) -> None:
    """Draw the lines of walks on a board that is drawn."""
    board = board_of(graph)
    way = way_of(board, tours_of(graph, walks), along=False)
    look = replace(options, numbers=False, turns=False, crossings=False, direction=False)
    _draw_way(canvas, board, way, look, 1.0)


def _draw(
    subject: Subject, walks: Sequence[Walk] | None, options: DrawOptions, parts: Parts | None = None
) -> tuple[Canvas, str]:
    """The drawing, and its caption."""
    if isinstance(subject, Certificate):
        require_moves(subject, options)
        canvas, title = draw_argument(subject, options)
        return in_theme(canvas, options.theme), title
    graph = subject.graph if isinstance(subject, Tour | Problem) else subject
    require_moves(graph, options)
    if isinstance(subject, Problem):
        board = board_of(subject.graph)
        words = f"{caption_of(board, None)}, {plural(len(marks_of(subject).words), 'clue')}"
        canvas = grid_canvas(board, words if options.caption is None else options.caption, options)
        if any(getattr(options, name) for name in MOVES):
            draw_moves(canvas, subject.graph, options)
        draw_clues(canvas, board, marks_of(subject))
        return in_theme(canvas, options.theme), options.title or words
    if is_hexagonal(subject) or (isinstance(graph, MoveGraph) and graph.board is None):
        canvas, title = draw_graph(subject, walks, options)
        return in_theme(canvas, options.theme), title
    board = graph if isinstance(graph, Board) else board_of(graph)
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
    words = options.title or caption
    caption = caption if options.caption is None else options.caption
    beside = options.numbers and options.crossings and way is not None and way.crossings is not None
    # Moves pass close to cells of other visits, so numbers and crossings shrink to fit beside them
    scale = mark_scale(way.vectors) if way is not None and beside else 1.0
    if parts:
        page = page_with_parts(board, caption, options, parts, scale)
    else:
        page = page_of(board, caption, options, scale)
    canvas = Canvas(page, raster=board.n > RASTER_FROM)
    draw_squares(canvas)
    if isinstance(graph, MoveGraph) and any(getattr(options, name) for name in MOVES):
        draw_moves(canvas, graph, options)
    if parts:
        draw_frames(canvas, board, parts)
    if way:
        _draw_way(canvas, board, way, options, scale)
    if parts:
        draw_marks(canvas, parts)
        write_key(canvas, parts)
    write_names(canvas, board, caption, options.title)
    return in_theme(canvas, options.theme), words


# -- drawing -----------------------------------------------------------------------------------------------------------


def mark_scale(vectors: Cells) -> float:
    """Factor by which discs with numbers and marks of crossings shrink, so that none covers another.

    A line that passes a cell is at least gcd / length away from its centre, and a crossing at a cell's side lies on
    such a line.
    """
    moves = np.unique(vectors, axis=0)
    # The least distance of a cell off the line to the line of a move (a, b) is gcd(a, b) over its length
    nearest = np.gcd.reduce(moves, axis=1) / np.sqrt((moves**2).sum(axis=1))
    return float(np.clip(nearest.min(initial=1.0) / (VISIT + CROSSING + 0.02), MIN_SCALE, 1.0))


def _draw_way(canvas: Canvas, board: Board, way: Way, options: DrawOptions, scale: float) -> None:
    offsets = canvas.page.offsets
    cells, turns = (on_page(places, offsets).astype(np.float64) for places in (way.cells, way.turns))
    width, palette = canvas.pixels(0.075, 0.9), hexadecimal(way.palette)
    # Moves between the layers of a board are drawn as stubs
    within = (way.vectors[:, 2:] == 0).all(axis=1)
    segments, index = pieces(board, way.starts[within], way.vectors[within], offsets)
    lines, colours = joined(segments, way.colours[within][index])
    canvas.put(Lines(name="path", order=1, points=lines, colours=[palette[c] for c in colours], width=width))
    if board.dimension > 2:
        _draw_stubs(canvas, board, way, ~within, width)
        shades = [palette[c] for c in way.cell_colours]
        canvas.put(Dots(name="cells", order=2, points=cells, radius=canvas.pixels(0.12), colours=shades))

    marked = canvas.page.cell >= MIN_MARKED_PIXELS
    if options.numbers:
        rim, radius = canvas.pixels(0.01), canvas.pixels(scale * VISIT)
        visits = Dots(name="visits", order=2.5, points=cells, radius=radius, colours=PAPER, edge=BORDER, rim=2 * rim)
        canvas.put(visits)
        if options.turns:
            canvas.put(replace(visits, name="turns", order=2.6, points=turns, edge=INK, rim=3 * rim))
        numbers = itertools.chain.from_iterable(range(1, len(tour) + 1) for tour in way.tours)
        for (x, y), number in zip(cells.tolist(), numbers, strict=True):
            canvas.write(x, y, str(number), canvas.page.number, name="numbers")
    else:
        if options.turns and marked:
            radius = canvas.pixels(0.085 if board.dimension == 2 else 0.06, 0.8)
            canvas.put(Dots(name="turns", order=3, points=turns, radius=radius, colours=INK))
        _draw_ends(canvas, way, cells)
        if options.direction:
            _draw_starts(canvas, way, cells)
    if options.direction:
        _draw_direction(canvas, way, segments, index)
    if options.crossings and marked and way.crossings is not None:
        radius, rim = canvas.pixels(scale * CROSSING), canvas.pixels(scale * 0.022, 0.3)
        canvas.put(Dots(name="crossings", order=4, points=way.crossings, radius=radius, colours=PAPER, rim=rim))


def _draw_ends(canvas: Canvas, way: Way, cells: FloatArray) -> None:
    """A disc at the start of an open tour or walk, and a square at its end."""
    first = np.cumsum([0, *(len(tour) for tour in way.tours)])
    paths = [i for i, tour in enumerate(way.tours) if not tour.closed]
    starts, ends = first[paths], first[[i + 1 for i in paths if len(way.tours[i]) > 1]] - 1
    rim = canvas.pixels(0.035, 0.7)
    disc = Dots(
        name="starts", order=4.5, points=cells[:0], radius=canvas.pixels(0.19, 3.3), colours=(), edge=PAPER, rim=rim
    )
    square = replace(disc, name="ends", radius=canvas.pixels(0.17, 3.3), marker="square")
    for which, dots in ((starts, disc), (ends, square)):
        canvas.put(replace(dots, points=cells[which], colours=hexadecimal(way.palette[way.cell_colours[which]])))


def _draw_starts(canvas: Canvas, way: Way, cells: FloatArray) -> None:
    """A disc at the start of each closed tour; an open tour has one already."""
    first = np.cumsum([0, *(len(tour) for tour in way.tours)])
    closed = first[[i for i, tour in enumerate(way.tours) if tour.closed]]
    radius, rim = canvas.pixels(0.19, 3.3), canvas.pixels(0.035, 0.7)
    canvas.put(Dots(name="start", order=4.5, points=cells[closed], radius=radius, colours=INK, edge=PAPER, rim=rim))


def _draw_direction(canvas: Canvas, way: Way, segments: FloatArray, index: IntArray) -> None:
    """Heads of arrows along all tours."""
    if not len(segments):
        return
    # A head on each move would hide the tour; the first move of each tour always has one
    every = max(1, len(segments) // ARROW_HEADS)
    of_tour = np.cumsum([0, *(len(tour.steps.kinds) for tour in way.tours)])
    chosen = np.union1d(np.arange(0, len(segments), every), np.searchsorted(index, of_tour[:-1]))
    tail, head = segments[chosen, 0], segments[chosen, 1]
    along = (head - tail) / np.hypot(*(head - tail).T)[:, None]
    heads = arrowheads(tail + 0.3 * (head - tail), along, max(0.15, 4.0 / canvas.page.cell), 0.7)
    canvas.put(Polygons(name="heads", order=2.9, points=heads, colours=INK))


def _draw_stubs(canvas: Canvas, board: Board, way: Way, chosen: BoolArray, width: float) -> None:
    """Moves between layers: at each end a stub towards the other cell, with ▲ to a higher and ▼ to a lower layer.

    Two triangles mean two layers or more. Where both stubs of a cell have one direction they lean aside, those to a
    higher layer to the left and those to a lower one to the right. In four dimensions the triangles point to where the
    other layer is in the grid, and so does the stub of a move that changes only z and w.
    """
    starts, vectors = way.starts[chosen], way.vectors[chosen]
    cells = np.concatenate([starts, boxed(starts + vectors, board).astype(np.int64)])
    towards = np.concatenate([vectors, -vectors])
    shades = way.palette[np.tile(way.colours[chosen], 2)]
    double = (np.abs(towards[:, 2:]) > 1).any(axis=1)
    layers = np.sign(towards[:, :1:-1])  # (w, z) in four dimensions, as they lie on the page, or z alone
    aims, grid = towards[:, :2], board.dimension == 4
    if grid:
        aims = np.where(aims.any(axis=1, keepdims=True), aims, layers)
    # Stubs that leave a cell in the same direction lean apart, so that both are seen
    where = np.concatenate([cells, np.sign(aims)], axis=1)
    _, firsts, same, count = np.unique(where, axis=0, return_index=True, return_inverse=True, return_counts=True)
    same = same.reshape(-1)
    side, degrees = layers[:, 0], np.where(double, 36, 12)
    if grid:
        side, degrees = np.where(firsts[same] == np.arange(len(same)), 1, -1), np.full(len(same), 30)
    lean = np.radians(degrees) * side * (count[same] > 1)
    angle = np.arctan2(aims[:, 1], aims[:, 0]) + lean  # 0 for straight up or down, which has no direction here
    roots = on_page(cells, canvas.page.offsets).astype(np.float64)
    tips = roots + 0.33 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    stubs = list(np.stack([roots, tips], axis=1))
    colours = hexadecimal(shades)
    canvas.put(Lines(name="stubs", order=1.1, points=stubs, colours=colours, width=width, cap="butt"))
    if grid:
        along = layers / np.hypot(*layers.T)[:, None]
        points = np.concatenate([tips, tips[double] - 0.13 * along[double]])
        heads = arrowheads(points, np.concatenate([along, along[double]]), 0.085, 0.9)
        faces = hexadecimal(np.concatenate([shades, shades[double]]))
        canvas.put(Polygons(name="heads", order=1.2, points=heads, colours=faces))
        return
    lift, radius = np.array([0.0, 0.07]), canvas.pixels(0.085)
    marks: tuple[tuple[int, Marker], ...] = ((1, "up"), (-1, "down"))
    for sign, marker in marks:
        single, twofold = (side == sign) & ~double, (side == sign) & double
        points = np.concatenate([tips[single], tips[twofold] + lift, tips[twofold] - lift])
        faces = hexadecimal(np.concatenate([shades[single], shades[twofold], shades[twofold]]))
        canvas.put(Dots(name=marker, order=1.2, points=points, radius=radius, colours=faces, marker=marker))
