"""Pictures of a graph by the positions of its vertices: its edges, and tours or walks on it.

The unit of a page is the side of a square with room for one vertex. Points in space are drawn in a parallel projection,
in which no axis hides another.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from drawing.canvas import BORDER, DARK, INK, PAPER, SOFT_INK, Canvas, Dots, Lines, Polygons, hexadecimal
from drawing.caption import plural
from drawing.drawn_moves import FloatArray, colours_along, distinct
from drawing.hexagonal import hexagons, in_plane, is_hexagonal, lies_in_plane, placed
from drawing.lines import arrowheads
from drawing.options import DrawOptions
from drawing.page import DIGIT, MAX_DRAWN, page_of
from kt_models.board import Board
from kt_models.errors import KTError, TooLarge, shortened
from kt_models.graph import MoveGraph
from kt_models.metrics import METRICS
from kt_models.tour import Tour
from kt_models.walks import Walk

RASTER_FROM = 20_000
"""Vertices from which on an SVG carries one image: browsers would be slow."""
MAX_EDGES_UNDER_TOUR = 6
"""Most edges for each vertex that are drawn under a tour; more would hide it."""
MAX_EDGES = 200_000
"""Most edges that are drawn."""
MAX_NAMED = 80
"""Most vertices whose names are written."""
MAX_NAME = 24
"""Most letters of a name."""
MAX_MARKED = 3_000
"""Most edges of a tour whose turns and crossings are marked."""
ARROW_HEADS = 32
DEPTH = (0.45, 0.3)
"""Where a unit along the third axis is drawn."""


def is_placed(graph: MoveGraph) -> bool:
    """Whether a graph without a board has positions to be drawn by."""
    return graph.board is None and graph.positions is not None


def places_of(graph: MoveGraph) -> tuple[FloatArray, Board]:
    """Points of the vertices on the page, shape (n, 2), and a board as large as the page."""
    positions = graph.positions
    if positions is None:
        raise KTError(
            f"graph {shortened(graph.name)} has no board and no positions: it cannot be drawn; give pos= or --positions"
        )
    if positions.n > MAX_DRAWN:
        raise TooLarge(f"graph {shortened(graph.name)}: {positions.n:,} vertices; at most {MAX_DRAWN:,} are drawn")
    points = in_plane(graph) if lies_in_plane(positions) else positions.floats
    points = points - points.min(axis=0)
    if points.shape[1] == 3:
        points = points[:, :2] + points[:, 2:] * np.array(DEPTH)
    extent = points.max(axis=0)
    room = math.sqrt(max(float(extent[0] * extent[1]), float(extent.max()) ** 2 / positions.n, 1e-300) / positions.n)
    points = points / (room if math.isfinite(room) and room > 0 else 1.0)
    columns, rows = (min(4 * MAX_DRAWN, 1 + math.ceil(side)) for side in points.max(axis=0).tolist())
    points = points + (np.array([columns - 1, rows - 1]) - points.max(axis=0)) / 2
    return points, Board((columns, rows), text="")


def draw_graph(
    subject: Board | MoveGraph | Tour, walks: Sequence[Walk] | None, options: DrawOptions
) -> tuple[Canvas, str]:
    """The drawing of a graph, or of a tour of one, and its caption; a board of hexagons has its cells drawn."""
    tiled = is_hexagonal(subject)
    if tiled or isinstance(subject, Board):
        subject, walks = placed(subject, walks)
    graph = subject.graph if isinstance(subject, Tour) else subject
    points, board = places_of(graph)
    if options.numbers and graph.vertex_count > RASTER_FROM:
        raise TooLarge(f"{graph.name}: {graph.vertex_count:,} vertices; numbers are written at most at {RASTER_FROM:,}")
    routes = _routes(subject, walks)
    caption = caption_of_graph(graph, subject if isinstance(subject, Tour) else None, routes)
    words = options.title or caption
    caption = caption if options.caption is None else options.caption
    page = page_of(board, caption, replace(options, names=False))
    canvas = Canvas(page, raster=graph.vertex_count > RASTER_FROM)
    if tiled:
        _draw_hexagons(canvas, points, graph)
    most = min(MAX_EDGES_UNDER_TOUR * len(points) if routes else MAX_EDGES, MAX_EDGES)
    if not tiled and (graph.m if graph.directed is None else graph.directed.m) <= most:  # type: ignore[attr-defined]
        ends: Any = graph.directed.arcs if graph.directed is not None else graph.ends  # type: ignore[attr-defined]
        width = canvas.pixels(0.03, 0.6)
        canvas.put(Lines(name="edges", order=0.5, points=list(points[ends]), colours=BORDER, width=width))
    _draw_routes(canvas, points, routes, isinstance(subject, Tour), options)
    if isinstance(subject, Tour):
        _draw_marks(canvas, points, subject, options)
    if not tiled and not (options.numbers and routes):
        radius = canvas.pixels(0.09, 0.8)
        canvas.put(Dots(name="vertices", order=2, points=points, radius=radius, colours=INK))
    if options.names and not tiled and len(points) <= MAX_NAMED and graph.labels is not None and not options.numbers:
        _write_names(canvas, points, graph)
    canvas.write_title(options.title)
    if page.caption:
        canvas.write_caption(caption)
    return canvas, words


def _draw_hexagons(canvas: Canvas, points: FloatArray, graph: MoveGraph) -> None:
    """The cells of a board of hexagons."""
    far = in_plane(graph)
    there = int(np.argmax(np.hypot(*(far - far[0]).T)))
    whole = float(np.hypot(*(far[there] - far[0])))
    scale = float(np.hypot(*(points[there] - points[0]))) / whole if whole else 1.0
    # Neighbouring cells are the root of two apart; between hexagons the page shows as a line.
    tiles = hexagons(points, 0.95 * math.sqrt(2) * scale)
    canvas.put(Polygons(name="hexagons", order=0, points=tiles, colours=DARK))


def caption_of_graph(graph: MoveGraph, tour: Tour | None, routes: Sequence[Any]) -> str:
    """`points.csv, closed, 12 turns, 0 crossings, length 4.3`."""
    parts = [shortened(graph.name)]
    if tour is not None:
        parts.append("closed" if tour.closed else f"open from {tour.names[0]} to {tour.names[-1]}")
        for metric in tour.metrics:
            value = tour.measure(metric)
            parts.append(
                plural(value, METRICS[metric].singular) if METRICS[metric].counts else f"{metric} {_rounded(value)}"
            )
        return ", ".join(parts)
    if routes:
        return ", ".join([*parts, plural(len(routes), "walk")])
    return ", ".join([*parts, plural(graph.vertex_count, "vertex").replace("vertexs", "vertices")])


def _rounded(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"


def _routes(subject: MoveGraph | Tour, walks: Sequence[Walk] | None) -> list[tuple[list[int], bool]]:
    """Vertices of tours or walks in order, and whether each is closed."""
    if isinstance(subject, Tour):
        return [(subject.vertices.tolist(), subject.closed)]
    return [(list(walk.vertices), walk.closed) for walk in walks or ()]


def _draw_routes(
    canvas: Canvas, points: FloatArray, routes: Sequence[tuple[list[int], bool]], along: bool, options: DrawOptions
) -> None:
    width = canvas.pixels(0.075, 0.9)
    for number, (order, closed) in enumerate(routes):
        path = points[order + order[: int(closed)]]
        steps = len(path) - 1
        if steps < 1:
            continue
        palette = colours_along(len(order), closed) if along else distinct(len(routes))[[number]]
        shades = hexadecimal(palette)
        cuts = np.linspace(0, steps, min(len(shades), steps) + 1).astype(int).tolist()
        lines = [path[a : b + 1] for a, b in pairwise(cuts) if b > a]
        colours = shades[: len(lines)] if along else shades * len(lines)
        canvas.put(Lines(name="path", order=1, points=lines, colours=colours, width=width))
        if not closed or options.direction:
            rim, disc = canvas.pixels(0.035, 0.7), canvas.pixels(0.19, 3.3)
            canvas.put(Dots(name="starts", order=4.5, points=path[:1], radius=disc, colours=INK, edge=PAPER, rim=rim))
        if not closed:
            square = canvas.pixels(0.17, 3.3)
            last = Dots(name="ends", order=4.5, points=path[-1:], radius=square, colours=INK, edge=PAPER, rim=rim)
            canvas.put(replace(last, marker="square"))
        if options.direction:
            _draw_direction(canvas, path)
        if options.numbers:
            _write_numbers(canvas, points, order)


def _draw_direction(canvas: Canvas, path: FloatArray) -> None:
    """Heads of arrows along a route, as many as are easily seen."""
    tail, head = path[:-1], path[1:]
    chosen = np.arange(0, len(tail), max(1, len(tail) // ARROW_HEADS))
    tail, head = tail[chosen], head[chosen]
    gaps = head - tail
    sizes = np.hypot(*gaps.T)
    seen = sizes > 0
    tail, gaps, sizes = tail[seen], gaps[seen], sizes[seen]
    heads = arrowheads(tail + 0.5 * gaps, gaps / sizes[:, None], max(0.15, 4.0 / canvas.page.cell), 0.7)
    canvas.put(Polygons(name="direction", order=5, points=list(heads), colours=INK))


def _write_numbers(canvas: Canvas, points: FloatArray, order: list[int]) -> None:
    """Discs with the numbers of the visits."""
    radius, rim = canvas.pixels(0.28), canvas.pixels(0.02)
    discs = Dots(name="visits", order=2.5, points=points[order], radius=radius, colours=PAPER, edge=BORDER, rim=rim)
    canvas.put(discs)
    for number, vertex in enumerate(order, start=1):
        x, y = points[vertex].tolist()
        canvas.write(x, y, str(number), canvas.page.number, name="numbers")


def _draw_marks(canvas: Canvas, points: FloatArray, tour: Tour, options: DrawOptions) -> None:
    """Dots where a tour turns; in the plane, discs where it crosses itself."""
    if len(tour) > MAX_MARKED:
        return
    graph, edges = tour.placed_edges
    positions = graph.positions
    assert positions is not None
    ends = {int(e): pair for e, pair in zip(edges.tolist(), _ends_of(graph, edges), strict=True)}
    if options.turns and "turns" in tour.metrics:
        pairs = METRICS["turns"].weights(graph, edges)
        shared = [
            next(iter(set(ends[e]) & set(ends[f])))
            for e, f in zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
        ]
        radius = canvas.pixels(0.13, 1.6)
        canvas.put(Dots(name="turns", order=3, points=points[sorted(set(shared))], radius=radius, colours=INK))
    if options.crossings and positions.dimension == 2:
        pairs = METRICS["crossings"].weights(graph, edges)
        marks = [
            _meeting(points[list(ends[e])], points[list(ends[f])])
            for e, f in zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
        ]
        radius, rim = canvas.pixels(0.09, 1.5), canvas.pixels(0.03, 0.5)
        placed = np.array(marks).reshape(-1, 2)
        canvas.put(Dots(name="crossings", order=4, points=placed, radius=radius, colours=PAPER, rim=rim))


def _ends_of(graph: MoveGraph, edges: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
    """Ends of edges as vertices that users number; of edges inside a split vertex, that vertex twice."""
    if graph.directed is None:
        return [tuple(pair) for pair in graph.ends[edges].tolist()]
    first = graph.first_arc  # type: ignore[attr-defined]
    arcs = graph.directed.arcs  # type: ignore[attr-defined]
    return [tuple(arcs[e - first].tolist()) if e >= first else (0, 0) for e in edges.tolist()]


def _meeting(first: FloatArray, second: FloatArray) -> list[float]:
    """Where two segments cross; on one line, the middle of their common part."""
    (p, q), (r, s) = first, second
    a, b, c = q - p, s - r, r - p
    area = float(a[0] * b[1] - a[1] * b[0])
    if abs(area) > 1e-12 * float(np.abs(a).max() * np.abs(b).max()):
        along = float(c[0] * b[1] - c[1] * b[0]) / area
    else:
        square = float(a @ a)
        low, high = sorted((float(c @ a) / square, float((s - p) @ a) / square))
        along = (max(0.0, low) + min(1.0, high)) / 2
    place: list[float] = (p + along * a).tolist()
    return place


def _write_names(canvas: Canvas, points: FloatArray, graph: MoveGraph) -> None:
    """Names of the vertices, above them to the right; to the left where the page ends."""
    place: Any = graph.directed or graph
    # Browsers shrink large pages to the screen, and names with them.
    most = max(11.0, max(canvas.page.width, canvas.page.height) / 50)
    height = min(most, max(7.0, 0.34 * canvas.page.cell))
    letter, off = DIGIT * height / canvas.page.cell, 0.12 + 0.4 * height / canvas.page.cell
    for vertex, (x, y) in enumerate(points.tolist()):
        right, left = canvas.right - (x + off), (x - off) - canvas.left
        onward = letter * len(name := place.name_of(vertex)[:MAX_NAME]) <= right or right >= left
        name = shortened(name, max(1, int((right if onward else left) / letter)))
        at, anchor = (x + off, "start") if onward else (x - off, "end")
        canvas.write(at, y + off, name, height, "names", colour=SOFT_INK, anchor=anchor)
