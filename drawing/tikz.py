"""A sheet of drawings as a TikZ picture for a paper, in a whole document: `\\input` it, or run `pdflatex` on it.

Lengths are those of the page at 96 pixels to the inch; `scale` in the picture's options makes it larger or smaller.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from drawing.canvas import (
    PAPER,
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
from drawing.sheet import Panel, Sheet
from drawing.themes import painted
from kt_models.errors import TooLarge

PIXEL = 72.27 / 96
"""A pixel in TeX's points."""
MAX_CELLS = 5_000
"""Most cells of a TeX picture; larger ones exceed TeX's memory."""
ANCHORS = {"start": "west", "middle": "center", "end": "east"}
SPECIAL = str.maketrans({c: f"\\{c}" for c in "#$%&_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}"})


def tikz_of(sheet: Sheet, title: str) -> str:
    """Text of a complete `.tex` file; the picture alone is between the lines of `tikzpicture`.

    Raises
    ------
    TooLarge
        If the page has more than TeX can hold.
    """
    items = [item for panel in sheet.panels for item in panel.canvas.items]
    count = sum(len(item.points) for item in items if isinstance(item, Lines | Dots))
    if sheet.raster or count > 20 * MAX_CELLS:
        raise TooLarge(f"{title}: too many lines for a TeX picture; .svg and .pdf can hold them")
    whole = f"(0,0) rectangle ({short(sheet.width * PIXEL)},{short(sheet.height * PIXEL)})"
    body = [rf"\fill[{_colour(painted(PAPER, sheet.theme))}] {whole};"] if sheet.theme == "dark" else []
    for panel in sheet.panels:
        body += _panel(sheet, panel)
    names = sorted({name for line in body for name in re.findall(r"kt[0-9a-f]{6}", line)})
    return "\n".join(
        [
            f"% kt: {title}",
            r"\documentclass[tikz]{standalone}",
            r"\begin{document}",
            r"\begin{tikzpicture}[x=1pt, y=1pt, font=\sffamily]",
            *(rf"\definecolor{{{name}}}{{HTML}}{{{name[2:].upper()}}}" for name in names),
            rf"\useasboundingbox {whole};",
            *body,
            r"\end{tikzpicture}",
            r"\end{document}",
            "",
        ]
    )


def _panel(sheet: Sheet, panel: Panel) -> list[str]:
    canvas = panel.canvas
    lines = [line for item in canvas.in_order() for line in _drawn(canvas, item)]
    up = sheet.height - panel.y - canvas.page.height
    if panel.x == up == 0:
        return lines
    at = f"({short(panel.x * PIXEL)}pt,{short(up * PIXEL)}pt)"
    return [rf"\begin{{scope}}[shift={{{at}}}]", *lines, r"\end{scope}"]


def _drawn(canvas: Canvas, item: Item) -> Iterator[str]:
    if item.window is not None:
        low, high = _points(canvas, np.array(item.window).reshape(2, 2))
        yield rf"\begin{{scope}}\clip {low} rectangle {high};"
    if isinstance(item, Rectangles):
        faint = f", fill opacity={item.opacity:g}" if item.opacity < 1 else ""
        boxes = zip(_points(canvas, item.corners[:, :2]), _points(canvas, item.corners[:, 2:]), strict=True)
        if path := " ".join(f"{low} rectangle {high}" for low, high in boxes):
            yield rf"\fill[{_colour(item.colour)}{faint}] {path};"
    elif isinstance(item, Lines):
        dash, gap = item.dash * item.width * PIXEL, (0.5 + 0.5 * item.dash) * item.width * PIXEL
        style = f"line width={short(item.width * PIXEL)}pt, line cap={_cap(item)}, line join=round"
        style += f", dash pattern=on {short(dash)}pt off {short(gap)}pt" if item.dash else ""
        for points, colour in zip(item.points, colour_of_each(item.colours, len(item.points)), strict=True):
            yield rf"\draw[{_colour(colour)}, {style}] {_path(canvas, points)};"
    elif isinstance(item, Polygons):
        for points, colour in zip(item.points, colour_of_each(item.colours, len(item.points)), strict=True):
            yield rf"\fill[{_colour(colour)}] {_path(canvas, points)} -- cycle;"
    elif isinstance(item, Dots):
        yield from _dots(canvas, item)
    elif isinstance(item, Writing):
        yield _writing(canvas, item)
    if item.window is not None:
        yield r"\end{scope}"


def _dots(canvas: Canvas, item: Dots) -> Iterator[str]:
    rim = f", draw={_colour(item.edge)}, line width={short(item.rim * PIXEL)}pt" if item.rim else ""
    r = item.radius * PIXEL
    shape = {
        "disc": f"circle [radius={short(r)}]",
        "square": f"+({short(-r)},{short(-r)}) rectangle +({short(r)},{short(r)})",
        "up": _triangle(r, r),
        "down": _triangle(r, -r),
    }[item.marker]
    for point, colour in zip(_points(canvas, item.points), colour_of_each(item.colours, len(item.points)), strict=True):
        yield rf"\path[fill={_colour(colour)}{rim}] {point} {shape};"


def _triangle(r: float, tip: float) -> str:
    return f"+(0,{short(tip)}) -- +({short(-r)},{short(-tip)}) -- +({short(r)},{short(-tip)}) -- cycle"


def _writing(canvas: Canvas, item: Writing) -> str:
    (at,) = _points(canvas, np.array([[item.x, item.y]]))
    anchor = ANCHORS[item.anchor]
    if item.level == "baseline":
        anchor = {"west": "base west", "center": "base", "east": "base east"}[anchor]
    size = short(item.height * PIXEL)
    options = [_colour(item.colour), f"anchor={anchor}", "inner sep=0pt", *(["rotate=90"] if item.upright else [])]
    bold = r"\bfseries" if item.bold else ""
    font = rf"font=\sffamily{bold}\fontsize{{{size}}}{{{size}}}\selectfont"
    return rf"\node[{', '.join(options)}, {font}] at {at} {{{item.text.translate(SPECIAL)}}};"


def _points(canvas: Canvas, points: FloatArray) -> list[str]:
    height = canvas.page.height
    return [f"({short(x * PIXEL)},{short((height - y) * PIXEL)})" for x, y in canvas.in_pixels(points).tolist()]


def _path(canvas: Canvas, points: FloatArray) -> str:
    return " -- ".join(_points(canvas, points))


def _colour(colour: str) -> str:
    return f"kt{colour[1:].lower()}"


def _cap(item: Lines) -> str:
    return {"square": "rect"}.get(item.cap, item.cap)
