"""Pictures of the steps of an algorithm: a page that plays them, a sheet of all of them, or an animation."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from drawing.canvas import BORDER, INK, PAPER, SOFT_INK, Canvas, Dots, Lines
from drawing.lines import lines_of_edges, on_page
from drawing.options import DrawOptions
from drawing.page import DIGIT, page_of
from drawing.page_html import fill, json_block
from drawing.sheet import sheet_of, single
from drawing.squares import draw_squares, write_names
from drawing.svg import svg_of, svg_of_sheet
from drawing.themes import in_theme
from kt_models.errors import KTError, shortened
from kt_models.graph import MoveGraph
from kt_models.recording import KEPT, OPEN, PATH, STRAND, TIE, RecordedStep, Recording

if TYPE_CHECKING:
    from drawing.explanation_parts import Parts
    from kt_models.tour import Tour

PICTURES = (".html", ".svg", ".png", ".pdf", ".tex", ".gif")
"""Suffixes of files of pictures of steps."""
MAX_PANELS, MAX_FRAMES = 64, 200
"""Most steps of a sheet and of an animation; of more, some are left out evenly."""
PANEL_PIXELS, FRAME_PIXELS, PAGE_PIXELS = 260, 480, 640
"""The longer sides of the board on a sheet, in an animation and on a page."""
TEXT, LINES = 11.0, 3
"""Height of a sentence in pixels, and the lines that it may take."""
FRAME_SECONDS, LAST_FRAME_SECONDS, MOST_SECONDS = 0.8, 3.0, 60.0
COLOURS = {PATH: "#2467b8", KEPT: "#109070", OPEN: BORDER, TIE: INK}
CYCLES = ("#c2417f", "#2467b8", "#109070", "#dd8a10", "#6a4c9c", "#4a7f86", "#9c4a3c", "#7a8c1e")
"""Colours of cycles and strands, in turn."""
GONE = "#c0392b"
WIDTHS = {PATH: 0.075, KEPT: 0.075, OPEN: 0.025}
NEW = 1.7
"""How much wider a line is that a step adds."""


def draw_steps(steps: Recording, suffix: str) -> str | bytes:
    """The text or the bytes of a file with all steps.

    Parameters
    ----------
    suffix
        One of `PICTURES`.

    Raises
    ------
    KTError
        If the graph has no board in the plane.
    """
    require_drawn(steps.graph)
    if suffix == ".html":
        return _page(steps)
    states = [*steps.states()]
    before: list[dict[int, str]] = [{}, *(now for _, now in states)]
    count, most = len(states), MAX_FRAMES if suffix == ".gif" else MAX_PANELS
    chosen = np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int)).tolist()
    size = FRAME_PIXELS if suffix == ".gif" else PANEL_PIXELS
    title = f"{shortened(steps.graph.name)}, {steps.method}"
    canvases = [_drawn(steps, k, states[k][0], states[k][1], before[k], size) for k in chosen]
    if suffix == ".gif":
        return _gif(canvases, title)
    panels = [(canvas, states[k][0].text) for canvas, k in zip(canvases, chosen, strict=True)]
    some = f", {len(chosen)} of {count} steps" if len(chosen) < count else ""
    sheet = sheet_of(panels, DrawOptions(title=title + some))
    if suffix == ".svg":
        return svg_of_sheet(sheet, title)
    if suffix == ".tex":
        from drawing.tikz import tikz_of

        return tikz_of(sheet, title)
    from drawing.figure import pdf_of, png_of

    sheet.require_size(suffix)
    return pdf_of(sheet, title) if suffix == ".pdf" else png_of(sheet, title, exact=False)


def require_drawn(graph: MoveGraph) -> None:
    """Refuse a graph whose steps cannot be drawn.

    Raises
    ------
    KTError
        If it has no board in the plane.
    """
    if graph.board is None or graph.moves is None or graph.board.dimension != 2:
        raise KTError(
            f"{shortened(graph.name)}: steps are drawn on boards in the plane; a .json file holds those of any"
        )


def _colour(kind: str) -> str:
    name, _, number = kind.partition(" ")
    return CYCLES[(int(number) - 1) % len(CYCLES)] if number else COLOURS[name]


def _drawn(
    steps: Recording, number: int, step: RecordedStep, now: dict[int, str], before: dict[int, str], size: int
) -> Canvas:
    """The picture of a step, with its sentence below the board."""
    graph = steps.graph
    board, _ = graph.geometry
    options = DrawOptions(size=size, caption="")
    page = page_of(board, "", options)
    room = page.width - 8
    sentence = textwrap.wrap(f"{number + 1}. {step.text}", max(12, int(room / (DIGIT * TEXT * 0.92))))[:LINES]
    below = round(LINES * 1.35 * TEXT)
    canvas = Canvas(page._replace(bottom=page.bottom + below, height=page.height + below))
    draw_squares(canvas)
    places = on_page(board.cells.astype(np.int64), page.offsets).astype(np.float64)
    lost = {edge: kind for edge, kind in before.items() if edge not in now and kind != OPEN}
    drawn = {
        "gone": [*lost],
        **{kind: [e for e, k in now.items() if k == kind] for kind in dict.fromkeys(now.values())},
    }
    for kind, edges in drawn.items():
        if not edges:
            continue
        numbers = np.array(edges, dtype=np.int32)
        segments, index = lines_of_edges(graph, numbers, page.offsets)
        if kind == "gone":
            width = canvas.pixels(0.05, 1.0)
            canvas.put(Lines(name=kind, order=0.9, points=list(segments), colours=GONE, width=width, dash=2.0))
            continue
        fresh = np.array([before.get(edge, OPEN) == OPEN != kind for edge in edges])[index] & bool(before)
        width = canvas.pixels(WIDTHS.get(kind, WIDTHS[PATH]), 0.7)
        order = 0.5 if kind == OPEN else 1.0
        for part, times in ((~fresh, 1.0), (fresh, NEW)):
            if part.any():
                lines = list(segments[part])
                canvas.put(Lines(name="edges", order=order, points=lines, colours=_colour(kind), width=width * times))
    if step.cells:
        at = places[list(step.cells)]
        canvas.put(
            Dots(name="cells", order=2, points=at, radius=canvas.pixels(0.2, 2.5), colours=INK, edge=PAPER, rim=1.0)
        )
    if step.marks:
        height = min(max(0.34 * page.cell, 7.0), 14.0)
        at = places[list(step.marks)]
        canvas.put(
            Dots(name="discs", order=2.5, points=at, radius=canvas.pixels(0.3), colours=PAPER, edge=SOFT_INK, rim=1.0)
        )
        for (x, y), mark in zip(at.tolist(), step.marks.values(), strict=True):
            canvas.write(x, y, mark, min(height, 1.3 * page.cell / max(1, len(mark))), name="marks")
    write_names(canvas, board, "")
    left = canvas.left + 4 / page.cell
    for line, words in enumerate(sentence):
        y = canvas.bottom + (below - (line + 0.7) * 1.3 * TEXT) / page.cell
        canvas.write(left, y, words, TEXT, "sentence", anchor="start")
    return in_theme(canvas, "light")


def _gif(frames: list[Canvas], title: str) -> bytes:
    from PIL import Image

    from drawing.figure import png_of

    images = [
        Image.open(io.BytesIO(png_of(single(frame, title), title, exact=True))).convert("RGB").quantize(64)
        for frame in frames
    ]
    seconds = min(FRAME_SECONDS, MOST_SECONDS / len(images))
    durations = [round(1000 * seconds)] * (len(images) - 1) + [round(1000 * LAST_FRAME_SECONDS)]
    stream = io.BytesIO()
    images[0].save(
        stream, "GIF", save_all=True, append_images=images[1:], duration=durations, loop=0, comment=b"kt", disposal=1
    )
    return stream.getvalue()


def _page(steps: Recording) -> str:
    """A page that plays the steps, in one file without a network."""
    graph = steps.graph
    board, _ = graph.geometry
    options = DrawOptions(size=PAGE_PIXELS, caption="")
    canvas = Canvas(page_of(board, "", options))
    draw_squares(canvas)
    write_names(canvas, board, "")
    canvas = in_theme(canvas, "light")
    used = sorted({edge for step in steps.steps for edge in step.edges})
    place = {edge: number for number, edge in enumerate(used)}
    lines: list[list[list[float]]] = [[] for _ in used]
    if used:
        segments, index = lines_of_edges(graph, np.array(used, dtype=np.int32), canvas.page.offsets)
        for segment, number in zip(canvas.in_pixels(segments).round(1).tolist(), index.tolist(), strict=True):
            lines[number].append([*segment[0], *segment[1]])
    cells = canvas.in_pixels(on_page(board.cells.astype(np.int64), canvas.page.offsets).astype(np.float64))
    kinds = sorted({kind for step in steps.steps for kind in step.edges.values()})
    data = {
        "lines": lines,
        "cells": cells.round(1).tolist(),
        "cell": canvas.page.cell,
        "kinds": [{"name": kind, "colour": _colour(kind), "faint": kind == OPEN} for kind in kinds],
        "gone": GONE,
        "steps": [
            {
                "text": step.text,
                "edges": [[place[edge], kinds.index(kind)] for edge, kind in step.edges.items()],
                "gone": [place[edge] for edge in step.gone],
                "cells": step.cells,
                "marks": [[v, mark] for v, mark in step.marks.items()],
            }
            for step in steps.steps
        ],
    }
    heading = f"{shortened(graph.name)}: {steps.method}, step by step"
    return fill("steps.html", title=escape(heading), picture=svg_of(canvas, heading), data=json_block(data))


def record_parts(steps: Recording, tour: Tour, parts: Parts) -> None:
    """Add the steps of a construction by a rule: the pieces of the board, and then one strand after the other."""
    board, _ = tour.graph.geometry
    for label in dict.fromkeys(frame.label for frame in parts.frames):
        of_label = [frame.cells for frame in parts.frames if frame.label == label]
        cells = board.numbers(np.concatenate(of_label)).tolist()
        count = len(of_label)
        steps.record(f"The cells of the {label if count == 1 else f'{count} {label}s'}.", cells=cells)
    if parts.steps is None:
        return
    ends, rows = tour.graph.ends[tour.edges], parts.steps
    pairs: dict[str, Iterable[Sequence[int]]] = {}
    for colour, text in parts.key:
        row = parts.palette.index(colour)
        pairs[TIE if colour == INK else f"{STRAND} {row + 1}"] = ends[rows == row].tolist()
        steps.record(f"{text[0].upper()}{text[1:]}.", pairs=pairs)
