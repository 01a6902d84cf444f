"""Drawings of gadgets: the region's squares, the paths in one colour each, and their lines outside, thinner.

Of a periodic gadget a few periods are drawn, cut off at both ends: paths that leave one period are seen to go on.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from drawing.canvas import INK, PAPER, Canvas, Dots, Lines, hexadecimal
from drawing.caption import plural
from drawing.drawn_moves import Cells, FloatArray, Way, distinct, tours_of, way_of
from drawing.options import DrawOptions
from drawing.page import page_of
from drawing.sheet import single
from drawing.squares import draw_squares
from drawing.svg import svg_of
from kt_models.board import Board
from kt_models.gadgets.gadget import Gadget
from kt_models.walks import walks_of

COPIES, MIN_LENGTH = 3, 8
"""Least number of periods of a periodic gadget that are drawn, and least number of cells."""


def gadget_svg(gadget: Gadget) -> str:
    """A drawing of a gadget as the text of an SVG file."""
    return svg_of(*_draw(gadget))


def gadget_png(gadget: Gadget) -> bytes:
    """A drawing of a gadget as the bytes of a PNG file."""
    from drawing.figure import png_of

    canvas, title = _draw(gadget)
    return png_of(single(canvas, title), title, exact=False)


def caption_of(gadget: Gadget) -> str:
    """`24 cells, 4 paths, 22 turns, 32 crossings`."""
    strands = sum(path.start is None for path in gadget.paths)
    parts = [plural(len(gadget.frame.cells), "cell"), plural(len(gadget.paths) - strands, "path")]
    parts += [plural(strands, "strand")] if strands else []
    parts += [plural(gadget.turns, "turn"), plural(gadget.crossings, "crossing")]
    return ", ".join(parts) + (" a period" if gadget.frame.periodic else "")


def _draw(gadget: Gadget) -> tuple[Canvas, str]:
    frame, title = gadget.frame, caption_of(gadget)
    period = np.array(frame.period)
    copies = max(COPIES, -(-MIN_LENGTH // max(frame.period))) if frame.periodic else 1
    cells = (np.array(frame.cells) + np.arange(copies)[:, None, None] * period).reshape(-1, 2)
    everything = np.concatenate([cells, _window_lines(gadget, cells)])
    low = everything.min(axis=0)
    page = page_of(Board(tuple((everything.max(axis=0) - low + 1).tolist())), title, DrawOptions(names=False))
    squares = np.zeros(page.squares.shape, dtype=np.int8)
    for x, y in cells.tolist():
        squares[x - low[0], y - low[1]] = 1 + (x + y + 1) % 2  # As on a board: a1 is dark
    canvas = Canvas(page._replace(squares=squares))
    draw_squares(canvas)
    window = _window(gadget, cells) - low
    reach = int(max(np.ptp(np.array(path.cells) @ period) for path in gadget.paths)) // max(1, int(period @ period)) + 1
    for k in range(-reach, copies + reach) if frame.periodic else (0,):
        _draw_paths(canvas, gadget, k * period - low, window)
    if page.caption:
        canvas.write_caption(title)
    return canvas, title


def _window(gadget: Gadget, cells: Cells) -> FloatArray:
    """Visible part, (lower left, upper right): everything, or along a period the part with squares."""
    periodic = np.array(gadget.frame.period) > 0
    return np.stack(
        [np.where(periodic, cells.min(axis=0) - 0.5, -np.inf), np.where(periodic, cells.max(axis=0) + 0.5, np.inf)]
    )


def _window_lines(gadget: Gadget, cells: Cells) -> Cells:
    """Cells outside, those of a periodic gadget shifted to where there are squares."""
    beyond = np.array([cell for port in gadget.frame.ports for cell in port.line], dtype=np.int64).reshape(-1, 2)
    return np.where(np.array(gadget.frame.period) > 0, cells.min(axis=0), beyond)


def _draw_paths(canvas: Canvas, gadget: Gadget, offset: Cells, window: FloatArray) -> None:
    way = _way(gadget)
    inner: list[FloatArray] = []
    outer: list[FloatArray] = []
    for path in gadget.paths:
        inner.append(np.array(path.cells) + offset)
        for number, cell in ((path.start, path.cells[0]), (path.end, path.cells[-1])):
            if number is not None:
                port = replace(gadget.frame.ports[number], cell=cell)
                outer.append(np.array([cell, *port.line]) + offset)
    palette = hexadecimal(distinct(len(inner)))
    shades = [
        colour for colour, path in zip(palette, gadget.paths, strict=True) if path.start is not None for _ in "12"
    ]
    seen = tuple(window.clip(-1e4, 1e4).reshape(-1).tolist()) if gadget.frame.periodic else None
    width, thin = canvas.pixels(0.075, 0.9), canvas.pixels(0.03, 0.7)
    canvas.put(Lines(name="paths", order=1, points=inner, colours=palette, width=width, window=seen))
    canvas.put(Lines(name="outside", order=0.9, points=outer, colours=shades, width=thin, window=seen))
    turns = _seen(_in_plane(gadget, way.turns) + offset, window)
    canvas.put(Dots(name="turns", order=3, points=turns, radius=canvas.pixels(0.085, 0.8), colours=INK))
    if way.crossings is not None:
        crossings, rim = _seen(_in_plane(gadget, way.crossings) + offset, window), canvas.pixels(0.022, 0.3)
        radius = canvas.pixels(0.065, 0.8)
        canvas.put(Dots(name="crossings", order=4, points=crossings, radius=radius, colours=PAPER, rim=rim))


def _seen(places: FloatArray, window: FloatArray) -> FloatArray:
    return places[((places >= window[0]) & (places <= window[1])).all(axis=1)]


def _way(gadget: Gadget) -> Way:
    """The gadget on its board, for the positions of its turns and crossings."""
    graph = gadget.frame.graph
    board, _ = graph.geometry
    walks = walks_of(graph.n, graph.ends[gadget.edges], gadget.edges.astype(np.int64))
    return way_of(board, tours_of(graph, walks), along=False)


def _in_plane(gadget: Gadget, places: FloatArray | Cells) -> FloatArray:
    """Positions on the gadget's board, in the coordinates of its frame."""
    placed = places[:, ::-1] if gadget.frame.across else places
    return np.asarray(placed + np.array(gadget.frame.corner), dtype=np.float64)
