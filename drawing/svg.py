"""SVG files of a canvas; equal drawings give equal text.

Colours are attributes, for programs without style sheets, and also classes: a page sets `--kt-paper`,
`--kt-ink`, `--kt-soft-ink`, `--kt-light`, `--kt-dark` and `--kt-border` to have a drawing in its own colours. In
theme `auto` every colour has a class, and a rule of its own for readers with a dark screen.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

import numpy as np

from drawing.canvas import (
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
from drawing.drawn_moves import FloatArray
from drawing.sheet import Sheet, single
from drawing.themes import in_theme, painted

NAMES = {PAPER: "paper", INK: "ink", SOFT_INK: "soft-ink", LIGHT: "light", DARK: "dark", BORDER: "border"}
CLASSES = {painted(colour, theme): name for theme in ("light", "dark") for colour, name in NAMES.items()}
FONT = "DejaVu Sans, Verdana, sans-serif"
MIDDLE = 0.36
"""Distance from the middle of a digit down to its foot, in font sizes."""


def svg_of(canvas: Canvas, title: str, description: str = "") -> str:
    """The text of the file."""
    page = canvas.page
    parts = [
        _root(page.width, page.height, canvas.theme),
        f"<title>{_plain(title)}</title>",
        f"<desc>{_plain(description)}</desc>" if description else "",
        _style([canvas]),
        *_body(canvas, title),
    ]
    return "\n".join(filter(None, [*parts, "</svg>"])) + "\n"


def svg_of_sheet(sheet: Sheet, title: str) -> str:
    """The text of a file with several drawings."""
    parts = [
        _root(sheet.width, sheet.height, sheet.theme),
        f"<title>{_plain(title)}</title>",
        _style([panel.canvas for panel in sheet.panels]),
        _paper(sheet.theme, sheet.width, sheet.height),
    ]
    for panel in sheet.panels:
        page = panel.canvas.page
        parts.append(f'<svg x="{panel.x}" y="{panel.y}" width="{page.width}" height="{page.height}">')
        parts += [f"<title>{_plain(panel.title)}</title>", *_body(panel.canvas, panel.title), "</svg>"]
    return "\n".join(filter(None, [*parts, "</svg>"])) + "\n"


def _root(width: int, height: int, theme: str) -> str:
    name = "" if theme == "light" else f'class="kt-in-{theme}" '
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {name}role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">'
    )


def _body(canvas: Canvas, title: str) -> list[str]:
    page = canvas.page
    parts = [_paper(canvas.theme, page.width, page.height)]
    if canvas.raster:
        from drawing.figure import png_of

        for theme in ("light", "dark") if canvas.theme == "auto" else (canvas.theme,):
            themed = in_theme(canvas, theme) if theme != canvas.theme else canvas
            image = base64.b64encode(png_of(single(themed, title), title, text=False, exact=False)).decode("ascii")
            attributes = f'width="{page.width}" height="{page.height}" href="data:image/png;base64,{image}"'
            theme_class = f'class="kt-image-{theme}" ' if theme != canvas.theme else ""
            parts.append(f"<image {theme_class}{attributes}/>")
    items = [item for item in canvas.in_order() if not canvas.raster or item.order >= TEXT_ORDER]
    for (name, window), group in groupby(items, key=lambda item: (item.name, item.window)):
        body = "".join(text for item in group for text in _drawn(canvas, item))
        if window is not None:
            name = f'{name}" clip-path="{_clip(canvas, window)}'
        parts.append(f'<g class="{name}">{body}</g>' if body else "")
    return parts


def _paper(theme: str, width: int, height: int) -> str:
    colour = painted(PAPER, theme)
    return f'<rect {_class(colour, theme, "shape")}width="{width}" height="{height}" fill="{colour}"/>'


def _style(canvases: Sequence[Canvas]) -> str:
    """Rules of the theme: a drawing in print is black whatever page holds it.

    Rules that are not those of `light` name their root, as there may be several drawings on a page.
    """
    theme = canvases[0].theme
    if theme == "print":
        return ""
    root = "" if theme == "light" else f".kt-in-{theme} "
    rules = list(_named_rules(root, "light" if theme == "auto" else theme))
    if theme == "auto":
        shades = sorted({shade for canvas in canvases for shade in _shades(canvas)})
        dark = [*_named_rules(root, "dark"), *(_dark_rule(root, name, colour) for name, colour in shades)]
        dark_hidden = [f"{root}.kt-image-dark{{display:none}}"]
        light = [f"{root}.kt-image-light{{display:none}}{root}.kt-image-dark{{display:inline}}"]
        if not any(canvas.raster for canvas in canvases):
            dark_hidden = light = []
        rules += [*dark_hidden, "@media (prefers-color-scheme:dark){", *dark, *light, "}"]
    return f"<style>{''.join(rules)}</style>"


def _named_rules(root: str, theme: str) -> Iterator[str]:
    for colour, name in NAMES.items():
        value = f"var(--kt-{name},{painted(colour, theme)})"
        yield f"{root}.kt-{name}{{fill:{value}}}{root}.kt-{name}-line{{stroke:{value}}}"


def _shades(canvas: Canvas) -> Iterator[tuple[str, str]]:
    """Unnamed colours, each with its use: a fill under others, a shape, or a line."""
    for item in canvas.items:
        for name in ("colour", "colours", "edge"):
            colours = getattr(item, name, ())
            line = isinstance(item, Lines) or name == "edge"
            use = "line" if line else "fill" if isinstance(item, Rectangles) else "shape"
            for colour in {colours} if isinstance(colours, str) else set(colours):
                if colour not in NAMES:
                    yield use, colour


def _dark_rule(root: str, use: str, colour: str) -> str:
    attribute = "stroke" if use == "line" else "fill"
    return f"{root}.kt-{use}-{colour[1:]}{{{attribute}:{painted(colour, 'dark', fill=use == 'fill')}}}"


def _clip(canvas: Canvas, window: tuple[float, float, float, float]) -> str:
    corners = canvas.in_pixels(np.array(window).reshape(2, 2))
    (x0, y1), (x1, y0) = corners.tolist()
    page = canvas.page
    edges = (y0, page.width - x1, page.height - y1, x0)
    return f"inset({' '.join(f'{short(max(edge, 0))}px' for edge in edges)}) view-box"


def _drawn(canvas: Canvas, item: Item) -> Iterator[str]:
    if isinstance(item, Rectangles):
        yield _filled(_boxes(canvas, item.corners), _fill(item.colour, canvas.theme, "fill"), item.opacity)
    elif isinstance(item, Lines):
        yield from _lines(canvas, item)
    elif isinstance(item, Dots):
        yield from _dots(canvas, item)
    elif isinstance(item, Polygons):
        for points, colour in zip(item.points, colour_of_each(item.colours, len(item.points)), strict=True):
            yield _filled(_path(canvas, points) + "z", _fill(colour, canvas.theme))
    elif isinstance(item, Writing):
        yield _words(canvas, item)


def _boxes(canvas: Canvas, corners: FloatArray) -> str:
    low, high = canvas.in_pixels(corners[:, :2]), canvas.in_pixels(corners[:, 2:])
    return "".join(
        f"M{short(x0)} {short(y0)}H{short(x1)}V{short(y1)}H{short(x0)}z"
        for (x0, y0), (x1, y1) in zip(low.tolist(), high.tolist(), strict=True)
    )


def _filled(path: str, fill: str, opacity: float = 1.0) -> str:
    faint = f' fill-opacity="{opacity:g}"' if opacity < 1 else ""
    return f'<path d="{path}" {fill}{faint}/>' if path else ""


def _lines(canvas: Canvas, item: Lines) -> Iterator[str]:
    dashes = item.dash * item.width, (0.5 + 0.5 * item.dash) * item.width
    dash = f' stroke-dasharray="{short(dashes[0])} {short(dashes[1])}"' if item.dash else ""
    yield (
        f'<g fill="none" stroke-width="{short(item.width)}" stroke-linecap="{item.cap}" stroke-linejoin="round"{dash}>'
    )
    coloured = zip(item.points, colour_of_each(item.colours, len(item.points)), strict=True)
    for colour, run in groupby(coloured, key=lambda pair: pair[1]):
        yield f'<path d="{"".join(_path(canvas, points) for points, _ in run)}" {_stroke(colour, canvas.theme)}/>'
    yield "</g>"


def _path(canvas: Canvas, points: FloatArray) -> str:
    return "M" + "L".join(f"{short(x)} {short(y)}" for x, y in canvas.in_pixels(points).tolist())


def _dots(canvas: Canvas, item: Dots) -> Iterator[str]:
    colours, r = colour_of_each(item.colours, len(item.points)), item.radius
    yield f'<g stroke-width="{short(item.rim)}" {_stroke(item.edge, canvas.theme)}>' if item.rim else "<g>"
    for (x, y), colour in zip(canvas.in_pixels(item.points).tolist(), colours, strict=True):
        if item.marker == "disc":
            yield f'<circle cx="{short(x)}" cy="{short(y)}" r="{short(r)}" {_fill(colour, canvas.theme)}/>'
        elif item.marker == "square":
            side = short(2 * r)
            square = f'x="{short(x - r)}" y="{short(y - r)}" width="{side}" height="{side}"'
            yield f"<rect {square} {_fill(colour, canvas.theme)}/>"
        else:
            foot = r if item.marker == "up" else -r
            corners = f"M{short(x)} {short(y - foot)}L{short(x - r)} {short(y + foot)}"
            yield f'<path d="{corners}H{short(x + r)}z" {_fill(colour, canvas.theme)}/>'
    yield "</g>"


def _words(canvas: Canvas, item: Writing) -> str:
    ((x, y),) = canvas.in_pixels(np.array([[item.x, item.y]])).tolist()
    down = MIDDLE * item.height if item.level == "middle" else 0.0
    rotation = f' transform="rotate(-90 {short(x)} {short(y)})"' if item.upright else ""
    bold = ' font-weight="bold"' if item.bold else ""
    return (
        f'<text x="{short(x)}" y="{short(y + down)}" font-family="{FONT}" font-size="{short(item.height)}" '
        f'text-anchor="{item.anchor}" {_fill(item.colour, canvas.theme)}{bold}{rotation}>{_plain(item.text)}</text>'
    )


def _fill(colour: str, theme: str, use: str = "shape") -> str:
    return f'{_class(colour, theme, use)}fill="{colour}"'


def _stroke(colour: str, theme: str) -> str:
    return f'{_class(colour, theme, "line")}stroke="{colour}"'


def _class(colour: str, theme: str, use: str) -> str:
    """The class by which the rules of the theme reach a colour, if any."""
    if theme == "print":
        return ""
    if colour in CLASSES:
        return f'class="kt-{CLASSES[colour]}{"-line" if use == "line" else ""}" '
    return f'class="kt-{use}-{colour[1:]}" ' if theme == "auto" else ""


def _plain(text: str) -> str:
    """Text that XML allows: forbidden characters become question marks."""
    allowed = (c if c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff" else "?" for c in text)
    return escape("".join(allowed), quote=False)
