"""Vertices as users write them: cells by name or coordinates, nodes of a graph by label or number."""

from __future__ import annotations

from collections.abc import Set
from itertools import islice
from typing import Any

import numpy as np

from kt_models.arguments import require_items, require_wholes
from kt_models.board import MAX_DIMENSION, IntArray
from kt_models.errors import KTError, excerpt
from kt_models.graph import MoveGraph


def integer_of(value: Any) -> int:
    """A Python or NumPy integer; raises `TypeError` for others, including True and False."""
    # Booleans are integers in Python, and a cell (True, 0) is a mistake
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise TypeError
    return int(value)


def few_integers(values: Any) -> list[int]:
    """Integers of coordinates or offsets; at most a few more than a board has axes."""
    return [integer_of(value) for value in islice(iter(values), MAX_DIMENSION + 1)]


def cell_of(graph: MoveGraph, vertex: int) -> Any:
    """A vertex as users write it: coordinates, or a node."""
    if graph.board is not None:
        return tuple(graph.board.cells[vertex].tolist())
    return vertex if graph.labels is None else graph.labels[vertex]


def cell_named(graph: MoveGraph, name: str) -> Any:
    """The vertex that a text names, in an unambiguous form for `vertex_from`: with labels of both types, the text `1`
    may name two."""
    return name if graph.board is not None else cell_of(graph, graph.find(name))


def vertex_from(graph: MoveGraph, cell: Any) -> int:
    """Number of a cell: by its name, its coordinates, its label or, without any of these, its number."""
    vertex = graph.vertex_labelled(cell)
    if vertex is not None:
        return vertex
    if isinstance(cell, str):
        return graph.find(cell)
    if graph.board is None:
        raise KTError(f"vertex {excerpt(cell)} is not in {graph.name}: {graph.vertices_text}")
    try:
        return graph.board.number(few_integers(cell))
    except TypeError:
        raise KTError(f"cell {excerpt(cell)}: a cell is written 'a1' or (0, 0)") from None


def vertices_from(graph: MoveGraph, cells: Any) -> IntArray:
    """Numbers of cells, each in any form that `vertex_from` reads."""
    if isinstance(cells, np.ndarray) and cells.dtype.kind != "U" and graph.board is not None:
        rows = require_wholes(cells, "cells", graph.board.dimension)
        numbers = graph.board.numbers(rows)
        if (numbers < 0).any():
            # Raises the right error for the missing cell
            graph.board.number(rows[int(np.argmax(numbers < 0))].tolist())
        return numbers
    wanted = "a list of cells, such as [(0, 0), (1, 2)] or ['a1', 'b3']"
    if isinstance(cells, Set):
        raise KTError(f"cells must be {wanted}; a set has no order, got {excerpt(cells)}")
    entries = cells.tolist() if isinstance(cells, np.ndarray) else require_items(cells, "cells", wanted)
    return np.array([vertex_from(graph, cell) for cell in entries], dtype=np.int32)
