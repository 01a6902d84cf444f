"""A sheet of drawings as the bytes of a PNG or PDF file, by matplotlib, which no other module of `drawing` imports."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from drawing.canvas import (
    PAPER,
    TEXT_ORDER,
    Canvas,
    Dots,
    Item,
    Lines,
    Polygons,
    Rectangles,
    Writing,
)
from drawing.sheet import Sheet
from drawing.themes import painted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PIXELS_PER_INCH = 96  # The pixel of CSS: on a page an SVG of 640 pixels is as wide as a PNG of 640
POINTS = 72 / PIXELS_PER_INCH
"""Points of a pixel."""
CAPS = {"round": "round", "butt": "butt", "square": "projecting"}
MARKERS = {"disc": "o", "square": "s", "up": "^", "down": "v"}
ALIGNED = {"start": "left", "middle": "center", "end": "right"}


def pdf_of(sheet: Sheet, title: str) -> bytes:
    """Bytes of a PDF file, in which lines stay lines and text stays text; equal drawings give equal bytes."""
    stream = io.BytesIO()
    with _plain_style():
        metadata: dict[str, Any] = {"Title": title, "Creator": "kt", "CreationDate": None}
        _figure(sheet, True).savefig(stream, format="pdf", metadata=metadata)
    return stream.getvalue()


def pdf_of_pages(sheets: Sequence[Sheet], title: str) -> bytes:
    """Bytes of a PDF file with a page for each sheet."""
    from matplotlib.backends.backend_pdf import PdfPages

    stream = io.BytesIO()
    metadata: dict[str, Any] = {"Title": title, "Creator": "kt", "CreationDate": None}
    with _plain_style(), PdfPages(stream, metadata=metadata) as pages:
        for sheet in sheets:
            pages.savefig(_figure(sheet, True))
    return stream.getvalue()


def png_of(sheet: Sheet, title: str, *, text: bool = True, exact: bool) -> bytes:
    """The bytes of a PNG file.

    Parameters
    ----------
    text
        Whether the image includes the text.
    exact
        Whether the image has exactly the pixels of the page; otherwise it may have twice as many, to be sharp.
    """
    with _plain_style():
        figure = _figure(sheet, text)
        stream = io.BytesIO()
        metadata: dict[str, Any] = {"Title": title, "Software": "kt"}
        figure.savefig(stream, format="png", dpi=PIXELS_PER_INCH if exact else _sharp(figure), metadata=metadata)
    return stream.getvalue()


def image_of(figure: Figure, kind: str) -> bytes:
    """A plot as SVG or PNG; the same data make the same file."""
    import matplotlib

    stream = io.BytesIO()
    settings: Any = {"svg.hashsalt": "kt", "svg.fonttype": "none"}
    with matplotlib.rc_context(settings):
        figure.savefig(
            stream, format=kind, metadata={"Date": None, "Title": "kt"} if kind == "svg" else {"Software": "kt"}
        )
    return stream.getvalue()


def _sharp(figure: Figure) -> int:
    """Dots per inch: twice those of the screen, unless that makes more than 6 megapixels."""
    width, height = figure.get_size_inches() * PIXELS_PER_INCH
    return PIXELS_PER_INCH * (2 if 4 * width * height <= 6_000_000 else 1)


@contextmanager
def _plain_style() -> Iterator[None]:
    """Matplotlib's defaults within, whatever the user has set; the user's settings return afterwards."""
    import matplotlib

    groups = r"(agg|axes|figure|font|image|lines|markers|mathtext|patch|path|pdf|savefig|scatter|text)\."
    style: Any = {key: value for key, value in matplotlib.rcParamsDefault.items() if re.match(groups, key)}
    style |= {"font.sans-serif": ["DejaVu Sans"], "pdf.fonttype": 42}
    with matplotlib.rc_context(style), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # A mask's file may be named in any script
        yield


def _figure(sheet: Sheet, text: bool) -> Figure:
    from matplotlib.figure import Figure

    pixels = np.array([sheet.width, sheet.height]) + 1e-7  # Never a pixel less by rounding
    paper = painted(PAPER, sheet.theme)
    figure = Figure(figsize=tuple(pixels / PIXELS_PER_INCH), dpi=PIXELS_PER_INCH, facecolor=paper)
    for panel in sheet.panels:
        page = panel.canvas.page
        low = sheet.height - panel.y - page.height
        where = (panel.x / sheet.width, low / sheet.height, page.width / sheet.width, page.height / sheet.height)
        _fill(figure.add_axes(where), panel.canvas, text)
    return figure


def draw_on_axes(axes: Axes, canvas: Canvas) -> None:
    """Draw on axes of a plot, whose other artists stay; lines and text have the size that the axes have now."""
    page = canvas.page
    box = axes.get_window_extent()
    pixels = PIXELS_PER_INCH / axes.figure.dpi  # Pixels of CSS in one of the figure
    _fill(axes, canvas, True, pixels * min(box.width / page.width, box.height / page.height))
    axes.set_aspect("equal")


def _fill(axes: Axes, canvas: Canvas, text: bool, scale: float = 1.0) -> None:
    """Draw all items of a canvas, with lines and text so many times as large."""
    page = canvas.page
    axes.set_axis_off()
    axes.set_autoscale_on(False)
    axes.set_xlim(canvas.left, canvas.right)
    axes.set_ylim(canvas.bottom, canvas.bottom + page.height / page.cell)
    for item in canvas.in_order():
        if text or item.order < TEXT_ORDER:
            _draw(axes, item, scale * POINTS)


def _draw(axes: Axes, item: Item, points: float) -> None:
    """Draw an item, of whose pixels each has so many points."""
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.patches import Rectangle

    style: dict[str, Any] = {"zorder": item.order, "clip_on": False}
    if item.window is not None:
        x0, y0, x1, y1 = item.window
        seen = Rectangle((x0, y0), x1 - x0, y1 - y0, transform=axes.transData)
        style |= {"clip_on": True, "clip_path": seen}
    if isinstance(item, Rectangles):
        corners = item.corners[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2)
        axes.add_artist(
            PolyCollection(list(corners), facecolors=item.colour, alpha=item.opacity, antialiaseds=False, **style)
        )
    elif isinstance(item, Lines):
        style |= {"capstyle": CAPS[item.cap], "joinstyle": "round"}
        if item.dash:
            style["linestyles"] = (0, (item.dash, 0.5 + 0.5 * item.dash))
        axes.add_artist(LineCollection(item.points, colors=item.colours, linewidths=item.width * points, **style))
    elif isinstance(item, Polygons):
        axes.add_artist(PolyCollection(item.points, facecolors=item.colours, **style))
    elif isinstance(item, Dots) and len(item.points):
        style |= {"edgecolors": item.edge if item.rim else "none", "linewidths": item.rim * points}
        style |= {"s": (2 * item.radius * points) ** 2, "c": item.colours, "marker": MARKERS[item.marker]}
        axes.scatter(item.points[:, 0], item.points[:, 1], **style)
    elif isinstance(item, Writing):
        style |= {"rotation": 90, "rotation_mode": "anchor"} if item.upright else {}
        style |= {"fontsize": item.height * points, "fontweight": "bold" if item.bold else "normal"}
        level = "baseline" if item.level == "baseline" else "center" if item.upright else "center_baseline"
        axes.text(
            item.x,
            item.y,
            item.text,
            ha=ALIGNED[item.anchor],
            va=level,
            color=item.colour,
            parse_math=False,
            **style,
        )
