"""A page of a graph with positions: its picture, to zoom, and its tour, to play, in one file without a network."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from drawing.graph_picture import draw_graph, places_of
from drawing.hexagonal import is_hexagonal, placed_graph
from drawing.options import DrawOptions
from drawing.page_html import fill
from drawing.svg import svg_of
from kt_models.errors import TooLarge

if TYPE_CHECKING:
    from drawing.canvas import Canvas
    from drawing.page_entries import PageEntry
    from kt_models.tour import Tour

MAX_PLAYED = 20_000
"""Most vertices on a page; a picture has more."""


def graph_page(entry: PageEntry, show: Mapping[str, bool] | None = None, title: str = "") -> str:
    """The text of an HTML file.

    Parameters
    ----------
    show
        Whether `turns`, `crossings` and `numbers` are shown.
    title
        The title of the page, in place of the name of the graph.

    Raises
    ------
    TooLarge
        If there are more than `MAX_PLAYED` vertices.
    """
    graph = entry.graph
    if graph.vertex_count > MAX_PLAYED:
        raise TooLarge(f"{graph.name}: {graph.vertex_count:,} vertices; a page has at most {MAX_PLAYED:,}")
    look: dict[str, Any] = dict(show or {})
    options = DrawOptions(**look, size=900)
    subject = entry.tours[0] if entry.tours and not entry.walks else graph
    canvas, words = draw_graph(subject, entry.walks or None, options)
    way = way_of(canvas, entry.tours[0]) if entry.tours and not entry.walks else {"route": [], "names": []}
    rows = [*entry.facts, *([("Claim", entry.claim.text), ("Known by", entry.claim.known)] if entry.claim else [])]
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in rows if text)
    heading = title or entry.name
    # The data stand in a script, where no text may end it.
    data = json.dumps(way).replace("<", "\\u003c")
    picture = svg_of(canvas, words)
    return fill("graph.html", title=escape(heading), caption=escape(words), picture=picture, facts=facts, data=data)


def way_of(canvas: Canvas, tour: Tour) -> dict[str, Any]:
    """The data that play a tour over its picture: its visits in pixels, back to the first if it is closed; names."""
    graph, last = tour.graph, int(tour.closed)
    order = tour.vertices.tolist()
    points, _ = places_of(placed_graph(graph) if is_hexagonal(graph) else graph)
    route = canvas.in_pixels(points[order + order[:last]]).round(2).tolist()
    return {"route": route, "names": [*tour.names, *tour.names[:last]]}
