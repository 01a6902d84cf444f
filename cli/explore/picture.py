"""Pictures of boards and results: the data of the page's viewer, and the text of files."""

from __future__ import annotations

from typing import Any

from cli.explore.points import picture_of, plane_of
from drawing.graph_picture import is_placed
from drawing.hexagonal import is_hexagonal
from drawing.page_data import MAX_KINDS, page_data
from drawing.page_entries import PageEntry, counts_of, entry_of_tour
from kt_models import Certificate, KTError, MoveGraph, Tour
from kt_models.files.tours import tour_to_tsplib
from kt_models.graph_kinds import graph_from_json
from kt_models.tour import tour_from_json, verify

MAX_PREVIEW_CELLS = 40_000
"""Most cells of an empty board that is drawn."""


def describe(data: dict[str, Any], tour: Tour | None, certificate: Certificate | None = None) -> dict[str, Any]:
    """A result and its data for the viewer: `result` and `page`, which is None for a board that has no picture."""
    graph = tour.graph if tour is not None else graph_from_json(data)
    if _is_drawn(graph):
        return {"result": data, "page": picture_of(tour) if tour is not None else board_page(graph)}
    if not _has_picture(graph):
        return {"result": data, "page": None}
    entry = entry_of_tour(tour) if tour is not None else PageEntry(graph.name, graph, certificate=certificate)
    return {"result": data, "page": page_data([entry])}


def board_page(graph: MoveGraph) -> dict[str, Any] | None:
    """The viewer's data of an empty board."""
    if is_placed(graph):
        return plane_of(graph)
    if _is_drawn(graph):
        return picture_of(graph)
    return page_data([PageEntry(graph.name, graph)]) if _has_picture(graph) and graph.n <= MAX_PREVIEW_CELLS else None


def tour_page(tour: Tour) -> tuple[dict[str, Any] | None, str]:
    """The viewer's data of a tour, and its title."""
    if _is_drawn(tour.graph):
        from drawing.graph_picture import caption_of_graph

        return picture_of(tour), caption_of_graph(tour.graph, tour, ())
    entry = entry_of_tour(tour)
    counts = ", ".join(f"{number:,} {metric}" for metric, number in counts_of(entry.tours).items())
    title = f"{tour.graph.name}, {'closed' if tour.closed else 'open'}{', ' if counts else ''}{counts}"
    return page_data([entry]) if _has_picture(tour.graph) else None, title


def draw_comparison(results: list[dict[str, Any]]) -> str:
    """Two results for one board as a page, side by side."""
    from drawing.draw import draw_page

    return draw_page([_entry_of(result) for result in results])


def _entry_of(result: dict[str, Any]) -> PageEntry:
    if "tour" not in result:
        raise KTError("there is no tour to compare")
    tour = tour_from_json(result)
    verify(tour)
    return entry_of_tour(tour, str(result.get("engine") or ""))


def draw_file(kind: str, data: dict[str, Any]) -> str | bytes:
    """A result's tour as the contents of a file: `svg`, `png`, `pdf`, `html` or `tour`."""
    if kind == "comparison":
        return draw_comparison(data["results"])
    tour = tour_from_json(data)
    verify(tour)
    if kind == "tour":
        return tour_to_tsplib(tour)
    if kind in ("svg", "png", "pdf"):
        from drawing.draw import draw_picture

        return draw_picture([(tour, None)], f".{kind}")
    if _is_drawn(tour.graph):
        from drawing.draw import draw_page

        return draw_page([entry_of_tour(tour)])
    from drawing.page_html import page_html

    if not _has_picture(tour.graph):
        raise KTError(f"board {tour.graph.name}: it cannot be drawn")
    return page_html([entry_of_tour(tour)])


def _is_drawn(graph: MoveGraph) -> bool:
    """Whether a graph is shown as a picture that does not move: points, and hexagonal cells."""
    return is_placed(graph) or is_hexagonal(graph)


def _has_picture(graph: MoveGraph) -> bool:
    if graph.board is None or graph.moves is None:
        return False
    return graph.board.dimension <= 3 and len(graph.moves) <= MAX_KINDS
