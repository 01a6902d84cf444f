"""What a page was given as the text of a file: a graph or a mask becomes the text of a board, a tour is shown."""

from __future__ import annotations

import os
import re
from typing import Any

from cli.explore.job import GRAPH, graph_text
from cli.explore.picture import tour_page
from cli.explore.reading import LONGEST_BOARD
from kt_models import KTError, MoveGraph
from kt_models.cells import cell_name
from kt_models.files.graphs import parse_graph
from kt_models.files.tours import parse_tour
from kt_models.storage import parse_json
from kt_models.tour import tour_from_json, verify


def open_text(data: Any) -> dict[str, Any]:
    """What the page shows of a file: `board`, its text for the form; and of a tour `page` and `title`."""
    if (
        not isinstance(data, dict)
        or set(data) != {"name", "text"}
        or not all(isinstance(v, str) for v in data.values())
    ):
        raise KTError('a file is given as {"name": ..., "text": ...}')
    name, text = data["name"][:200], data["text"]
    ending = os.path.splitext(name)[1].lower()
    stripped = text.strip()
    if "TOUR_SECTION" in text or ending == ".tour":
        return _tour(parse_tour(text))
    if stripped.startswith("{"):
        value = parse_json(text)
        if isinstance(value, dict) and "tour" in value:
            return _tour(tour_from_json(value))
        if not isinstance(value, dict) or value.get("kind") not in (None, "graph"):
            raise KTError(f"{name}: neither a tour nor a graph; kt check and kt draw read certificates")
        graph = MoveGraph.from_json(value)
        return {"board": graph.name if graph.board is not None else _short(graph_text(graph))}
    if stripped and re.fullmatch(r"[#.\s]+", stripped):
        return {"board": _short(_mask(stripped))}
    suffix = ".hcp" if "EDGE_DATA_SECTION" in text else ending
    return {"board": _short(graph_text(parse_graph(text, suffix, name)))}


def _tour(tour: Any) -> dict[str, Any]:
    verify(tour)
    page, title = tour_page(tour)
    return {"board": tour.graph.name if tour.graph.board is not None else "", "page": page, "title": title}


def _mask(text: str) -> str:
    """A box without the holes of a drawing, whose first line is the highest rank."""
    rows = [line.strip() for line in text.splitlines()][::-1]
    width = max(map(len, rows))
    holes = [cell_name((x, y)) for y, row in enumerate(rows) for x in range(width) if row[x : x + 1] != "#"]
    return f"{width}x{len(rows)}" + (f"-{','.join(holes)}" if holes else "")


def _short(text: str) -> str:
    if len(text) > LONGEST_BOARD:
        kind = "graph" if text.startswith(GRAPH) else "board"
        raise KTError(f"this {kind} is too large for the page: kt solve reads its file")
    return text
