"""A canvas as the text of an SVG file, the same text for the same drawing.

Colours are attributes, for programs that know no style sheets, and classes besides: a page sets `--kt-paper`,
`--kt-ink`, `--kt-soft-ink`, `--kt-light`, `--kt-dark` and `--kt-border` to have a drawing in its own colours.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

import numpy as np

from kt_models.drawing.canvas import (
    BORDER,
    DARK,
    INK,
    LIGHT,
    PAPER,
    SOFT_INK,
    TEXT_ORDER,
    Canvas,
    Dots,
    Item,
    Lines,
    Polygons,
    Rectangles,
    Writing,
    colour_of_each,
    short,
)
from kt_models.drawing.way import FloatArray

THEME = {PAPER: "paper", INK: "ink", SOFT_INK: "soft-ink", LIGHT: "light", DARK: "dark", BORDER: "border"}
FONT = "DejaVu Sans, Verdana, sans-serif"
MIDDLE = 0.36
"""From the middle of a digit down to its foot, in font sizes."""


GAP = 12
"""Pixels between two drawings of a sheet."""


def svg_of(canvas: Canvas, title: str, description: str = "") -> str:
    """The text of the file."""
    page = canvas.page
    parts = [
        _root(page.width, page.height),
        f"<title>{_plain(title)}</title>",
        f"<desc>{_plain(description)}</desc>" if description else "",
        f"<style>{''.join(_rules())}</style>",
        *_body(canvas, title),
    ]
    return "\n".join(filter(None, [*parts, "</svg>"])) + "\n"


def sheet_of(drawings: Sequence[tuple[Canvas, str]]) -> str:
    """Several drawings in one file, side by side and row by row."""
    across = math.ceil(math.sqrt(len(drawings)))
    rows = [drawings[i : i + across] for i in range(0, len(drawings), across)]
    pages = [[canvas.page for canvas, _ in row] for row in rows]
    columns = [max(row[i].width for row in pages if i < len(row)) for i in range(across)]
    width = sum(columns) + GAP * (across - 1)
    height = sum(max(page.height for page in row) for row in pages) + GAP * (len(rows) - 1)
    parts = [
        _root(width, height),
        f"<title>{len(drawings)} drawings</title>",
        f"<style>{''.join(_rules())}</style>",
        f'<rect class="kt-paper" width="{width}" height="{height}" fill="{PAPER}"/>',
    ]
    y = 0
    for row in rows:
        for i, (canvas, title) in enumerate(row):
            page, x = canvas.page, sum(columns[:i]) + GAP * i
            parts.append(f'<svg x="{x}" y="{y}" width="{page.width}" height="{page.height}">')
            parts += [f"<title>{_plain(title)}</title>", *_body(canvas, title), "</svg>"]
        y += max(canvas.page.height for canvas, _ in row) + GAP
    return "\n".join(filter(None, [*parts, "</svg>"])) + "\n"


def _root(width: int, height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">'
    )


def _body(canvas: Canvas, title: str) -> list[str]:
    page = canvas.page
    parts = [
        f'<rect class="kt-paper" width="{page.width}" height="{page.height}" fill="{PAPER}"/>',
    ]
    if canvas.raster:
        from kt_models.drawing.figure import png_of

        image = base64.b64encode(png_of(canvas, title, text=False, exact=False)).decode("ascii")
        parts.append(f'<image width="{page.width}" height="{page.height}" href="data:image/png;base64,{image}"/>')
    items = [item for item in canvas.in_order() if not canvas.raster or item.order >= TEXT_ORDER]
    for (name, window), group in groupby(items, key=lambda item: (item.name, item.window)):
        body = "".join(text for item in group for text in _drawn(canvas, item))
        if window is not None:
            name = f'{name}" clip-path="{_clip(canvas, window)}'
        parts.append(f'<g class="{name}">{body}</g>' if body else "")
    return parts


def _rules() -> Iterator[str]:
    for colour, name in THEME.items():
        value = f"var(--kt-{name},{colour})"
        yield f".kt-{name}{{fill:{value}}}.kt-{name}-line{{stroke:{value}}}"


def _clip(canvas: Canvas, window: tuple[float, float, float, float]) -> str:
    corners = canvas.in_pixels(np.array(window).reshape(2, 2))
    (x0, y1), (x1, y0) = corners.tolist()
    page = canvas.page
    edges = (y0, page.width - x1, page.height - y1, x0)
    return f"inset({' '.join(f'{short(max(edge, 0))}px' for edge in edges)}) view-box"


def _drawn(canvas: Canvas, item: Item) -> Iterator[str]:
    if isinstance(item, Rectangles):
        yield _filled(_boxes(canvas, item.corners), item.colour, item.opacity)
    elif isinstance(item, Lines):
        yield from _lines(canvas, item)
    elif isinstance(item, Dots):
        yield from _dots(canvas, item)
    elif isinstance(item, Polygons):
        for points, colour in zip(item.points, colour_of_each(item.colours, len(item.points)), strict=True):
            yield _filled(_path(canvas, points) + "z", colour)
    elif isinstance(item, Writing):
        yield _words(canvas, item)


def _boxes(canvas: Canvas, corners: FloatArray) -> str:
    low, high = canvas.in_pixels(corners[:, :2]), canvas.in_pixels(corners[:, 2:])
    return "".join(
        f"M{short(x0)} {short(y0)}H{short(x1)}V{short(y1)}H{short(x0)}z"
        for (x0, y0), (x1, y1) in zip(low.tolist(), high.tolist(), strict=True)
    )


def _filled(path: str, colour: str, opacity: float = 1.0) -> str:
    faint = f' fill-opacity="{opacity:g}"' if opacity < 1 else ""
    return f'<path d="{path}" {_fill(colour)}{faint}/>' if path else ""


def _lines(canvas: Canvas, item: Lines) -> Iterator[str]:
    dashes = item.dash * item.width, (0.5 + 0.5 * item.dash) * item.width
    how = f' stroke-dasharray="{short(dashes[0])} {short(dashes[1])}"' if item.dash else ""
    yield (
        f'<g fill="none" stroke-width="{short(item.width)}" stroke-linecap="{item.cap}" stroke-linejoin="round"{how}>'
    )
    coloured = zip(item.points, colour_of_each(item.colours, len(item.points)), strict=True)
    for colour, run in groupby(coloured, key=lambda pair: pair[1]):
        yield f'<path d="{"".join(_path(canvas, points) for points, _ in run)}" {_stroke(colour)}/>'
    yield "</g>"


def _path(canvas: Canvas, points: FloatArray) -> str:
    return "M" + "L".join(f"{short(x)} {short(y)}" for x, y in canvas.in_pixels(points).tolist())


def _dots(canvas: Canvas, item: Dots) -> Iterator[str]:
    colours, r = colour_of_each(item.colours, len(item.points)), item.radius
    yield f'<g stroke-width="{short(item.rim)}" {_stroke(item.edge)}>' if item.rim else "<g>"
    for (x, y), colour in zip(canvas.in_pixels(item.points).tolist(), colours, strict=True):
        if item.marker == "disc":
            yield f'<circle cx="{short(x)}" cy="{short(y)}" r="{short(r)}" {_fill(colour)}/>'
        elif item.marker == "square":
            side = short(2 * r)
            yield (f'<rect x="{short(x - r)}" y="{short(y - r)}" width="{side}" height="{side}" {_fill(colour)}/>')
        else:
            foot = r if item.marker == "up" else -r
            corners = f"M{short(x)} {short(y - foot)}L{short(x - r)} {short(y + foot)}"
            yield f'<path d="{corners}H{short(x + r)}z" {_fill(colour)}/>'
    yield "</g>"


def _words(canvas: Canvas, item: Writing) -> str:
    ((x, y),) = canvas.in_pixels(np.array([[item.x, item.y]])).tolist()
    down = MIDDLE * item.height if item.level == "middle" else 0.0
    turned = f' transform="rotate(-90 {short(x)} {short(y)})"' if item.upright else ""
    bold = ' font-weight="bold"' if item.bold else ""
    return (
        f'<text x="{short(x)}" y="{short(y + down)}" font-family="{FONT}" font-size="{short(item.height)}" '
        f'text-anchor="{item.anchor}" {_fill(item.colour)}{bold}{turned}>{_plain(item.text)}</text>'
    )


def _fill(colour: str) -> str:
    return f'class="kt-{THEME[colour]}" fill="{colour}"' if colour in THEME else f'fill="{colour}"'


def _stroke(colour: str) -> str:
    return f'class="kt-{THEME[colour]}-line" stroke="{colour}"' if colour in THEME else f'stroke="{colour}"'


def _plain(text: str) -> str:
    """Text that XML may hold: what is no character, or none that it allows, becomes a question mark."""
    allowed = (c if c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff" else "?" for c in text)
    return escape("".join(allowed), quote=False)
