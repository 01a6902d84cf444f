"""Tours in data of Python or JSON: lists, arrays, dictionaries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from kt_models.arguments import array_of, items_of
from kt_models.cells import parse_cell
from kt_models.errors import InvalidTour, KTError, excerpt
from kt_models.files.tour_forms.reading import Candidate, GivenFacts, Reading, by_cells, by_indices, choose
from kt_models.files.tour_forms.scan import MAX_DEPTH
from kt_models.files.tour_forms.table import by_successors, cells_of_list, grid_of_array, is_numbering
from kt_models.files.tours import is_document, tour_of_json
from kt_models.files.vertices import vertices_from
from kt_models.tour import Tour


def tour_of_data(data: Any, facts: GivenFacts, form: str | None = None) -> tuple[Tour, str]:
    """The tour in data of Python or JSON."""
    if is_document(data):
        return tour_of_json(data), ""
    if form is not None and form not in ("nodes", "squares", "coordinates", "grid", "indices", "successors"):
        raise KTError(f"form {form}: that is a text or a file, got {excerpt(data)}")
    if isinstance(data, Mapping):
        data = _ordered(data)
    elif hasattr(data, "columns") and hasattr(data, "to_numpy"):
        data = data.to_numpy()
    if isinstance(data, np.ma.MaskedArray):
        data = data.filled(-1)
    if (
        isinstance(data, bytes)
        or not (hasattr(data, "__array__") or isinstance(data, Iterable))
        or isinstance(data, set | frozenset)
    ):
        raise KTError(f"tour must be {PYTHON_FORMS}; got {excerpt(data)}")
    graph = facts.graph
    if graph is not None and graph.board is None and (graph.labels is not None or not hasattr(data, "dtype")):
        items = items_of(data, "tour")
        closed = facts.kind
        if len(items) > 3 and items[0] == items[-1] and len(items) > graph.vertex_count:
            items, closed = items[:-1], True
        return Reading(graph, vertices_from(graph, items), closed=closed).tour, ""
    array, items = _array_or_list(data)
    if array is not None:
        if array.ndim == 1:
            ways: list[tuple[str, Candidate]] = [
                ("indices", lambda: by_indices(array, facts)),
                ("successors", lambda: by_successors(array, facts)),
            ]
            return tour_of(choose([way for way in ways if form in (None, way[0])]))
        cells = ("coordinates", lambda: by_cells(array, facts))
        grid = ("grid", lambda: grid_of_array(array, facts))
        if form is not None:
            return tour_of(choose([cells if form == "coordinates" else grid]))
        if array.ndim == 3 and array.shape[1] == 2 and not is_numbering(array):
            return tour_of(choose([("coordinates", lambda: cells_of_list(array.tolist(), facts))]))
        if array.ndim > 2:
            return tour_of(choose([grid]))
        if 2 <= array.shape[1] <= 8 and not is_numbering(array):
            return tour_of(choose([cells]))
        return tour_of(choose([grid, cells] if array.shape[1] == 2 else [grid]))
    if all(isinstance(item, str) for item in items):
        return tour_of(choose([("squares", lambda: cells_of_list(items, facts))]))
    nested = _listed(items)
    if any(isinstance(row, str) for row in nested):
        raise KTError(f"tour must be {PYTHON_FORMS}; got {excerpt(data)}")
    if all(isinstance(row, list) for row in nested):
        lengths = {len(row) for row in nested}
        strings = any(isinstance(part, str | list) for row in nested for part in row)
        if strings and lengths == {2}:
            return tour_of(choose([("coordinates", lambda: cells_of_list(nested, facts))]))
        if not strings:
            return tour_of(choose([("grid", lambda: grid_of_array(nested, facts))]))
    raise KTError(f"tour must be {PYTHON_FORMS}; got {excerpt(data)}")


PYTHON_FORMS = (
    "a Tour, a Result, the path or the text of a file, cells in order such as [(0, 0), (1, 2), ...] or "
    "['a1', 'b3', ...], an array or nested list of the numbers of the visit, or a list of numbers of cells"
)


def _array_or_list(data: Any) -> tuple[Any, list[Any]]:
    """Integers as an array of one shape; other data as a list."""
    items: list[Any] = []
    if not hasattr(data, "dtype"):
        items = items_of(data, "tour")
        if not items:
            raise KTError("tour: there is no cell in it")
    try:
        array = array_of(items or data, "tour")
    except (ValueError, TypeError):
        return None, items
    if array.dtype.kind == "f" and array.size and (np.isnan(array) | (array == np.floor(array))).all():
        array = np.where(np.isnan(array), -1, array).astype(np.int64)
    if array.dtype.kind in "iu" and array.ndim and array.size:
        return array.astype(np.int64), items
    return None, items or (array.tolist() if array.ndim else [])


def _listed(items: Sequence[Any], depth: int = 0) -> list[Any]:
    """Lists for tuples and arrays; NumPy's numbers as Python's."""
    if depth > MAX_DEPTH:
        raise KTError(f"tour: lists are nested over {MAX_DEPTH} deep")
    listed: list[Any] = []
    for item in items:
        if hasattr(item, "tolist"):
            item = item.tolist()
        if isinstance(item, list | tuple):
            listed.append(_listed(item, depth + 1))
        elif item is None or isinstance(item, str) or (isinstance(item, int) and not isinstance(item, bool)):
            listed.append(item)
        else:
            raise KTError(f"tour must be {PYTHON_FORMS}; got {excerpt(item)}")
    return listed


def _ordered(numbers: Mapping[Any, Any]) -> list[Any]:
    """Cells of a dictionary from cells to their numbers, in order."""
    pairs = list(numbers.items())
    if not pairs or not all(isinstance(value, int | np.integer) for _, value in pairs):
        raise KTError("a dictionary of a tour leads from each cell to its number")
    ranked = sorted(pairs, key=lambda pair: int(pair[1]))
    for place, (cell, value) in enumerate(ranked):
        wanted = place + int(ranked[0][1])
        if value != wanted or ranked[0][1] not in (0, 1):
            raise InvalidTour(f"{excerpt(cell)} has the number {value} where {wanted} should be")
    return [parse_cell(cell) if isinstance(cell, str) else cell for cell, _ in ranked]


def tour_of(reading: Reading) -> tuple[Tour, str]:
    """A reading as a tour, and its note."""
    return reading.tour, reading.note
