"""Display of objects: how they are shown and saved, and how user input becomes objects.

Drawing and files depend on every type, so they register their functions here on import (`drawing`,
`kt_models.files.problems`); nothing in `kt_models` imports upward.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

_WAYS: dict[str, Callable[..., Any]] = {}


def register(**ways: Callable[..., Any]) -> None:
    """Register what draws an object (`svg`), writes rows about it (`html`), and writes it to a file (`save`).

    It also registers what reads a board in any form (`graph`), and cells of one (`vertices`).
    """
    _WAYS.update(ways)


def svg(subject: Any, *details: Any) -> str | None:
    """A drawing; `None` if there is nothing to draw."""
    drawing: str | None = _WAYS["svg"](subject, *details)
    return drawing


def html(subject: Any) -> str:
    """A table of rows in words."""
    table: str = _WAYS["html"](subject)
    return table


def save(subject: Any, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write a tour, a result or a certificate to a file by its suffix; `force` replaces a file of another kind."""
    _WAYS["save"](subject, path, force=force)


def graph_from(board: Any) -> Any:
    """The `MoveGraph` of a board in any form."""
    return _WAYS["graph"](board)


def vertices_from(graph: Any, cells: Any) -> Any:
    """Vertex numbers of cells in any form."""
    return _WAYS["vertices"](graph, cells)
