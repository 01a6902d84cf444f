"""Points on the page: the text of a board that lists them, `points:nearest:8 0,0 3,1 Ulm=2.5,4`, and pictures."""

from __future__ import annotations

import base64
import re
from typing import Any

from kt_models import KTError, MoveGraph, TooLarge, Tour
from kt_models.files.points import graph_of_points

POINTS = "points:"
"""The beginning of the text of points."""
MAX_POINTS = 2_000
"""Most points of a board: that many have all pairs as edges."""
MAX_LINES = 3_000
"""Most edges that are drawn between points."""
_TEXT = re.compile(r"points:(complete|delaunay|nearest:[0-9]{1,6}|within:[0-9.]{1,30})?((?:\s+\S+)*)\s*")
_POINT = re.compile(r"(?:([^\s=,]{1,60})=)?([^\s=,]{1,60}),([^\s=,]{1,60})(?:,([^\s=,]{1,60}))?")


def graph_of_points_text(text: str, most: int) -> MoveGraph:
    """The graph of a text such as `points:nearest:8 0,0 3,1 Ulm=2.5,4`.

    Raises
    ------
    KTError
        If the text has another form, or has no point.
    """
    match = _TEXT.fullmatch(text.strip())
    if match is None:
        raise KTError("points are written points:complete 0,0 3,1 Ulm=2.5,4, or with delaunay, nearest:8 or within:1.5")
    words = match[2].split()
    if len(words) > min(most, MAX_POINTS):
        raise TooLarge(f"{len(words):,} points; at most {min(most, MAX_POINTS):,} are taken here")
    rows = []
    for word in words:
        if (point := _POINT.fullmatch(word)) is None:
            raise KTError(f"point {word[:40]!r}: it is written 2.5,4 or Ulm=2.5,4")
        rows.append(point.groups())
    if not rows:
        raise KTError("click onto the plane to make points")
    named = [name for name, *_ in rows if name is not None]
    if named and len(named) < len(rows):
        raise KTError("some points have names, and others have none")
    places = [[value for value in row[1:] if value is not None] for row in rows]
    return graph_of_points(named or None, places, match[1] or "complete", "points")


def edges_named(text: str) -> str:
    """The edges between the points of a text, as `--edges` takes it; empty for all pairs."""
    match = _TEXT.fullmatch(text.strip())
    return "" if match is None or match[1] in (None, "complete") else match[1]


def points_text(names: list[str] | None, rows: list[list[str]]) -> str:
    """The text of points; names that the text cannot have are left out."""
    if names is not None and not all(re.fullmatch(r"[^\s=,]{1,60}", name) for name in names):
        names = [re.sub(r"[\s=,]+", "-", name)[:60] for name in names]
        names = names if len(set(names)) == len(names) and all(names) else None
    words = [",".join(row) for row in rows]
    return f"{POINTS}complete " + " ".join(
        words if names is None else [f"{name}={word}" for name, word in zip(names, words, strict=True)]
    )


def plane_of(graph: MoveGraph) -> dict[str, Any]:
    """The page's data of points without a tour: where they are, and which of them edges join, if they are not many."""
    assert graph.positions is not None
    points = graph.positions.floats.tolist()
    few = graph.directed is None and not graph.is_implicit and graph.m <= MAX_LINES
    return {"title": graph.name, "points": points, "lines": graph.ends.tolist() if few else []}


def picture_of(subject: MoveGraph | Tour) -> dict[str, Any]:
    """The page's data of a graph of points or of hexagonal cells: a picture; and of a tour of it what plays it."""
    from drawing.graph_page import way_of
    from drawing.graph_picture import draw_graph
    from drawing.options import DrawOptions
    from drawing.svg import svg_of

    canvas, words = draw_graph(subject, None, DrawOptions())
    code = base64.b64encode(svg_of(canvas, words).encode()).decode("ascii")
    name = subject.graph.name if isinstance(subject, Tour) else subject.name
    page = {"title": name, "picture": f"data:image/svg+xml;base64,{code}"}
    if not isinstance(subject, Tour):
        return page
    size = [canvas.page.width, canvas.page.height]
    return {**page, "size": size, "radius": max(size) / 100, **way_of(canvas, subject)}
