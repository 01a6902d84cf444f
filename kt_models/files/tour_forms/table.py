"""Forms of tours that are read: one table for the readers, the documentation, the errors and the tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from kt_models.cells import parse_cell
from kt_models.errors import InvalidTour, KTError, excerpt, row_named
from kt_models.files.tour_forms.reading import (
    GivenFacts,
    Reading,
    Wholes,
    by_cells,
    by_indices,
    by_numbers,
    order_of_edges,
)
from kt_models.files.tour_forms.scan import (
    TourLines,
    literal_of,
    looks_like_list,
    most_are_squares,
    squares_of,
    table_of,
)

GridRows = list[list[int | None]]


@dataclass(frozen=True)
class TourForm:
    """A form of text.

    Parameters
    ----------
    words, example
        Description and example for the help.
    fits
        Whether lines may have this form; if none can be read, the first that fits reports the fault.
    read
        Makes the readings.
    """

    words: str
    example: str
    fits: Callable[[TourLines, GivenFacts], bool]
    read: Callable[[TourLines, GivenFacts], Iterable[Reading]]


# -- grids -------------------------------------------------------------------------------------------------------------


def _grid(lines: TourLines, facts: GivenFacts) -> Iterable[Reading]:
    if looks_like_list(lines.text):
        return grid_of_array(literal_of(lines.text), facts)
    return _grid_of_layers(table_of(lines), facts)


def _grid_of_layers(layers: list[GridRows], facts: GivenFacts) -> Iterable[Reading]:
    height = max(len(rows) for rows in layers)
    cells, numbers, width = [], [], 0
    board = facts.board
    for z, rows in enumerate(layers):
        if len(rows) != height:
            raise InvalidTour(f"layer {z} has {len(rows)} rows, and another {height}")
        width = max(width, *(len(row) for row in rows))
    for z, rows in enumerate(layers):
        for place, row in enumerate(rows):
            # The first row of the text is the top rank
            y = height - 1 - place
            columns: Sequence[int] = range(len(row))
            if len(row) != width:
                # A short row fits if it has an entry for each cell of the board in that row
                columns = _columns(facts, y, z, len(row)) or _ragged(place, len(row), width)
            for x, value in zip(columns, row, strict=False):
                if value is not None:
                    cells.append(
                        (x, y, z) if (board is not None and board.dimension == 3) or len(layers) > 1 else (x, y)
                    )
                    numbers.append(value)
    shape = (width, height, len(layers))[: len(cells[0]) if cells else 2]
    if board is not None and len(shape) == board.dimension and board.mask is not None:
        moved = _where_the_board_is(cells, shape, facts)
        if moved is not None:
            cells, shape = moved, board.shape
    return by_numbers(np.array(cells, dtype=np.int64).reshape(-1, len(shape)), _values(numbers), shape, facts)


def _where_the_board_is(cells: list[Any], shape: Sequence[int], facts: GivenFacts) -> list[Any] | None:
    """Cells that were printed without the empty columns beside them, placed on the board's columns."""
    board = facts.board
    assert board is not None
    if tuple(shape) == board.shape:
        return None
    array = np.array(cells, dtype=np.int64)
    moved = array - array.min(axis=0) + board.cells.min(axis=0)
    return moved.tolist() if (board.numbers(moved) >= 0).all() else None


def _columns(facts: GivenFacts, y: int, z: int, count: int) -> list[int]:
    """Columns of the cells in a row of the board, if their number matches."""
    board = facts.board
    if board is None or board.dimension > 3 or y >= board.shape[1]:
        return []
    row = board.grid[:, y] if board.dimension == 2 else board.grid[:, y, z]
    inside: list[int] = np.flatnonzero(row >= 0).tolist()
    return inside if len(inside) == count else []


def _ragged(place: int, count: int, width: int) -> Sequence[int]:
    raise InvalidTour(f"row {place + 1} of the grid has {count} entries, and another {width}; a hole is written '.'")


def _values(numbers: Sequence[Any]) -> Wholes:
    try:
        return np.array(numbers, dtype=np.int64)
    except OverflowError:
        raise KTError("a number is too large") from None
    except (TypeError, ValueError):
        raise KTError(f"{excerpt(numbers)} is not a list of numbers") from None


def grid_of_array(data: Any, facts: GivenFacts) -> Iterable[Reading]:
    """Readings of an array or nested list of numbers: the first row is on top; in space the axes are `[x, y, z]`."""
    try:
        array = np.asarray(data)
    except ValueError:
        rows = [[None if value in (-1, None) else value for value in row] for row in data]
        return _grid_of_layers([rows], facts)
    if array.dtype.kind == "f" and (np.isnan(array) | (array == np.floor(array))).all():
        # Spreadsheets and pandas write holes as NaN, which makes all numbers floats
        array = np.where(np.isnan(array), -1, array).astype(np.int64)
    if array.dtype.kind == "O":
        array = np.array([[-1 if value is None else value for value in row] for row in array.tolist()])
    if array.dtype.kind not in "iu" or array.ndim < 2:
        raise KTError(f"{excerpt(data)} is not a grid of numbers")
    array = array.astype(np.int64)
    if array.ndim == 2:
        array = array[::-1].T
    cells = np.argwhere(array >= 0)
    return by_numbers(cells, array[tuple(cells.T)], array.shape, facts)


# -- lists -------------------------------------------------------------------------------------------------------------


def _flat(lines: TourLines) -> Wholes:
    """All numbers of a text, with anything between them."""
    text = lines.text
    if looks_like_list(text):
        values = literal_of(text)
    else:
        words = re.sub(r"[\s,;|]+", " ", text).split()
        if odd := next((word for word in words if not re.fullmatch(r"[0-9]{1,12}(\.0*)?", word)), None):
            raise KTError(f"{excerpt(odd)} is not a number of a cell")
        values = [int(word.partition(".")[0]) for word in words]
    if not values or not all(type(value) is int for value in values):
        raise KTError("it is not a list of numbers")
    return _values(values)


def _indices(lines: TourLines, facts: GivenFacts) -> Iterable[Reading]:
    return by_indices(_flat(lines), facts)


def _successors(lines: TourLines, facts: GivenFacts) -> Iterable[Reading]:
    return by_successors(_flat(lines), facts)


def by_successors(following: Wholes, facts: GivenFacts) -> Iterable[Reading]:
    """Readings of the successor of each cell, as constraint solvers write circuits; cells are numbered as in kt.

    An open tour has one more vertex between its ends, the last one.
    """
    base = int(following.min()) if facts.base is None else facts.base
    after = following - base
    if base not in (0, 1) or not np.array_equal(np.sort(after), np.arange(len(after))):
        raise InvalidTour("it is not a successor for each cell, counted from 0 or 1")
    cells = None if facts.graph is None else facts.graph.vertex_count
    is_open = len(after) == cells + 1 if cells is not None else facts.kind is False
    first = len(after) - 1 if is_open else 0
    order = [first]
    while (cell := int(after[order[-1]])) != first:
        order.append(cell)
    if len(order) < len(after):
        raise InvalidTour(f"the successors of a cell come back to it after {len(order)} of {len(after)} cells")
    numbers = _values([cell + base for cell in order[is_open:]])
    readings = by_indices(numbers, replace(facts, closed=not is_open), own_numbers=True, base=base)
    return [replace(reading, note=f"successors, {reading.note or f'from {base}'}") for reading in readings]


def _concorde(lines: TourLines, facts: GivenFacts) -> Iterable[Reading]:
    numbers = _flat(lines)
    if len(numbers) < 2 or int(numbers[0]) != len(numbers) - 1:
        raise InvalidTour(f"the first number says {numbers[0]} vertices, and {len(numbers) - 1} are listed")
    # Concorde counts vertices from 0
    return by_indices(numbers[1:], facts, own_numbers=True, base=0)


def _linkern(lines: TourLines, facts: GivenFacts) -> Iterable[Reading]:
    rows = [line.split() for _, line in lines.rows]
    if not all(len(row) == 3 and all(re.fullmatch(r"-?[0-9]{1,12}", word) for word in row) for row in rows[1:]):
        raise InvalidTour("a line is not an edge: two vertices, and what it weighs")
    count = int(rows[0][0])
    edges = [(int(row[0]), int(row[1])) for row in rows[1:]]
    if len(edges) != count or rows[0][0] != rows[0][1]:
        raise InvalidTour(f"the first line says {' '.join(rows[0])}, and {len(edges)} edges are listed")
    for place, ((_, end), (start, _)) in enumerate(zip(edges, edges[1:] + edges[:1], strict=True), start=1):
        if end != start:
            raise InvalidTour(f"edge {place} ends at {end}, and the next begins at {start}")
    closed = GivenFacts(facts.graph, facts.leaper, True if facts.closed is None else facts.closed)
    return by_indices(_values([u for u, _ in edges]), closed, own_numbers=True, base=0)


def _squares(lines: TourLines, facts: GivenFacts) -> Iterable[Reading]:
    text = lines.text
    return by_cells(squares_of(re.sub(r"[\[\](){}]", " ", text)), facts, exact=True)


COLUMNS = {
    "x": 0, "col": 0, "column": 0, "file": 0, "y": 1, "row": 1, "rank": 1, "z": 2,
    "step": -1, "move": -1, "number": -1, "n": -1, "order": -1, "visit": -1, "no": -1, "index": -1, "": -1,
    "square": -2, "cell": -2, "position": -2, "name": -2,
}  # fmt: skip
"""Column names in the head of a table: a coordinate, the number of the visit (-1), or a square (-2)."""


def _coordinates(lines: TourLines, facts: GivenFacts) -> Iterable[Reading]:
    text = lines.text
    if looks_like_list(text):
        return cells_of_list(literal_of(text), facts)
    table = [[part.strip().strip("\"'") for part in re.split(r"[,;\t]|\s+", line.strip())] for _, line in lines.rows]
    if re.fullmatch(r"\s*-?[0-9][\s,0-9-]*", text) and "\n" not in text.strip() and "," in text and " " in text.strip():
        table = [word.split(",") for word in text.split()]  # 0,3,2 1,1,3 as kt prints cells in space
    head = [name.lower() for name in table[0]] if any(re.search("[A-Za-z]", part) for part in table[0]) else None
    if head is not None and set(head) <= COLUMNS.keys():
        table = table[1:]
    else:
        head = None
    width = len(table[0]) if table else 0
    for place, row in enumerate(table, start=1):
        if len(row) != width:
            raise InvalidTour(f"row {place} has {len(row)} entries, and another {width}")
    if head is not None:
        return _of_columns(head, table, facts)
    for row in table:
        if odd := next((word for word in row if not re.fullmatch(r"-?[0-9]{1,12}(\.0*)?", word)), None):
            raise KTError(f"{excerpt(odd)} is not a coordinate")
    return by_cells(_values([[int(w.partition(".")[0]) for w in row] for row in table]), facts)


def _of_columns(head: list[str], table: list[list[str]], facts: GivenFacts) -> Iterable[Reading]:
    kinds = [COLUMNS[name] for name in head]
    if len(table[0]) != len(head) if table else True:
        raise InvalidTour(f"the head has {len(head)} columns, and the rows {len(table[0]) if table else 'none'}")
    counted = [k for k, kind in enumerate(kinds) if kind == -1]
    # A column that counts the steps puts the rows in order
    if counted:
        try:
            numbers = [int(row[counted[0]]) for row in table]
        except ValueError:
            raise KTError(f"the column {head[counted[0]]!r} has an entry that is not a number") from None
        if sorted(numbers) != list(range(min(numbers), min(numbers) + len(numbers))):
            raise InvalidTour(f"the column {head[counted[0]]!r} does not count the cells")
        table = [row for _, row in sorted(zip(numbers, table, strict=True))]
    if -2 in kinds:
        return by_cells(_values([parse_cell(row[kinds.index(-2)]) for row in table]), facts, exact=True)
    axes = [k for k, kind in enumerate(kinds) if kind >= 0]
    if sorted(kinds[k] for k in axes) != list(range(len(axes))) or len(axes) < 2:
        raise KTError(f"columns {', '.join(head)} are not one for each coordinate")
    try:
        rows = np.array([[int(row[k]) for k in sorted(axes, key=lambda k: kinds[k])] for row in table], dtype=np.int64)
    except (ValueError, OverflowError):
        raise KTError("a coordinate is not a whole number") from None
    if "row" in head and len(rows):  # Rows are counted from the top
        rows[:, 1] = rows[:, 1].max() + rows[:, 1].min() - rows[:, 1]
    if set(head) >= {"x", "y"} and len(rows) and not rows.min(axis=0).any():  # As kt writes it
        return [replace(reading, note="") for reading in by_cells(rows, facts)]
    return by_cells(rows, facts)


def cells_of_list(data: Any, facts: GivenFacts) -> Iterable[Reading]:
    """Readings of a list of cells, each as coordinates or a square; or of moves, each a pair of cells."""
    if not isinstance(data, list) or not data:
        raise KTError(f"{excerpt(data)} is not a list of cells")
    if all(isinstance(cell, str) for cell in data):
        return by_cells(squares_of(" ".join(data)), facts, exact=True)
    if all(isinstance(move, list) and len(move) == 2 and all(isinstance(c, list | str) for c in move) for move in data):
        ends = [[_cell(cell) for cell in move] for move in data]
        chained = sum(start == end for (_, end), (start, _) in pairwise(ends))
        if 2 * chained < len(ends) - 1:  # In any order, as Graphillion returns them, and no damaged tour
            order, closed = order_of_edges(ends)
            return by_cells(_values(order), replace(facts, closed=closed if facts.closed is None else facts.closed))
        for place, ((_, end), (start, _)) in enumerate(pairwise(ends), start=2):
            if start != end:
                raise InvalidTour(f"move {place} begins at {start}, and move {place - 1} ended at {end}")
        return by_cells(_values([ends[0][0], *(end for _, end in ends)]), facts)
    widths = {len(cell) if isinstance(cell, list) else 0 for cell in data}
    if len(widths) != 1 or not min(widths) or not all(type(c) is int for cell in data for c in cell):
        raise KTError("its entries are not cells with the same number of coordinates")
    return by_cells(_values(data), facts)


def _cell(cell: Any) -> tuple[int, ...]:
    if isinstance(cell, str):
        return parse_cell(cell)
    if not all(type(c) is int for c in cell):
        raise KTError(f"{excerpt(cell)} is not a cell")
    return tuple(cell)


def _labels(lines: TourLines, facts: GivenFacts) -> Iterable[Reading]:
    """Names of vertices of a graph without a board."""
    assert facts.graph is not None
    text = lines.text.strip().strip("[](){}")
    parts = [part.strip().strip("\"'") for part in re.split(r"[,;\n]" if re.search("[,;\n]", text) else r"\s+", text)]
    order = np.array([facts.graph.find(part) for part in parts if part], dtype=np.int32)
    if len(order) > 2 and order[0] == order[-1]:
        return [Reading(facts.graph, order[:-1], closed=True)]
    return [Reading(facts.graph, order, closed=facts.kind)]


# -- which form --------------------------------------------------------------------------------------------------------


def _numeric(lines: TourLines) -> list[list[int]] | None:
    """The numbers of each line, if there is nothing else."""
    rows = []
    for _, line in lines.rows:
        words = re.split(r"[\s,;]+", line.strip(" \t,;"))
        if not all(re.fullmatch(r"[0-9]{1,12}(\.0*)?", word) for word in words):
            return None
        rows.append([int(word.partition(".")[0]) for word in words])
    return rows or None


def _fits_concorde(lines: TourLines, facts: GivenFacts) -> bool:
    rows = _numeric(lines)
    return rows is not None and len(rows) > 1 and len(rows[0]) == 1 and any(len(row) > 1 for row in rows[1:])


def _fits_linkern(lines: TourLines, facts: GivenFacts) -> bool:
    rows = _numeric(lines)
    head = rows is not None and len(rows) > 2 and len(rows[0]) == 2 and rows[0][0] == rows[0][1]
    return bool(head and rows and all(len(row) == 3 for row in rows[1:]))


def _fits_coordinates(lines: TourLines, facts: GivenFacts) -> bool:
    if looks_like_list(lines.text):
        value = literal_of(lines.text)
        return _are_cells(value, facts)
    head = re.split(r"[\s,;\t]+", lines.rows[0][1].strip().lower()) if lines.rows else []
    if len(lines.rows) > 1 and head and set(head) <= COLUMNS.keys() and any(head):
        return True
    rows = _numeric(lines)
    text = lines.text.strip()
    if rows is not None and len(rows) == 1 and "," in text and re.search(r"[0-9] [0-9]", text):
        return True
    return rows is not None and len(rows) > 1 and _are_cells(rows, facts)


def _are_cells(rows: Any, facts: GivenFacts) -> bool:
    """Whether rows can be cells: equally long rows of integers that are not a grid of distinct numbers."""
    if not isinstance(rows, list) or not rows:
        return False
    if all(isinstance(row, str) for row in rows):
        return True
    widths = {len(row) if isinstance(row, list | tuple) else 0 for row in rows}
    if len(widths) != 1 or not 2 <= min(widths) <= 8:
        return False
    values = [value for row in rows for value in row]
    if any(isinstance(value, str | list | tuple) for value in values):
        return True
    if facts.board is not None and facts.board.dimension != min(widths):
        return False
    # A grid with few columns looks like coordinates, but its numbers are all different
    return not is_numbering(np.array(rows))


def is_numbering(array: Any) -> bool:
    """Whether rows are a grid of numbers and no coordinates: two columns without a repeated number, more with few."""
    counted = array[array > 0]
    if not len(counted):
        return False
    if array.shape[-1] == 2:
        return len(np.unique(counted)) == len(counted) and int(counted.max()) in (len(counted), array.size - 1)
    return len(np.unique(counted)) * 2 > len(counted)


def _fits_indices(lines: TourLines, facts: GivenFacts) -> bool:
    if looks_like_list(lines.text):
        value = literal_of(lines.text)
        return all(type(part) is int for part in value)
    return _numeric(lines) is not None


def _fits_grid(lines: TourLines, facts: GivenFacts) -> bool:
    text = lines.text
    if looks_like_list(text):
        value = literal_of(text)
        return len(value) > 0 and all(isinstance(row, list) for row in value)
    rows = _numeric(lines)
    if rows is not None and (len(rows) == 1 or all(len(row) == 1 for row in rows)):
        return facts.board is not None and rows is not None and 1 in facts.board.shape
    words = re.findall(r"\w+", text)
    return sum(word.isdecimal() or word in ("x", "X", "None", "nan") for word in words) * 2 > len(words)


def _fits_squares(lines: TourLines, facts: GivenFacts) -> bool:
    return most_are_squares(re.sub(r"[\[\](){}]", " ", lines.text))


def _fits_labels(lines: TourLines, facts: GivenFacts) -> bool:
    return facts.graph is not None and facts.graph.board is None


FORMS: dict[str, TourForm] = {
    "nodes": TourForm("names of a graph's vertices", "ulm, bonn, kiel", _fits_labels, _labels),
    "squares": TourForm("squares or moves", "a1 b3 c5, a1-b3-c5, 1. Na1-b3", _fits_squares, _squares),
    "coordinates": TourForm("coordinates", "[(0, 0), (1, 2), ...], or lines 0,0", _fits_coordinates, _coordinates),
    "linkern": TourForm("the edges that linkern writes", "64 64, then lines 0 10 1", _fits_linkern, _linkern),
    "concorde": TourForm("the cycle that Concorde writes", "64, then 0 10 27 ...", _fits_concorde, _concorde),
    "grid": TourForm("a grid of numbers", "1 38 55 34, the top row first; '.' is a hole", _fits_grid, _grid),
    "indices": TourForm("numbers of cells, row by row", "0, 10, 27 in the order of the visit", _fits_indices, _indices),
    "successors": TourForm(
        "the successor of each cell", "[11, 12, ...], as MiniZinc's circuit", _fits_indices, _successors
    ),
}
"""Forms besides JSON and TSPLIB, by the name that `--form` takes."""
WHOLE = {
    "json": "JSON that kt writes ('board', 'tour', 'closed')",
    "tsplib": "a tour file of TSPLIB or LKH (TOUR_SECTION)",
}
"""Forms of whole files, which describe themselves."""
NAMES = (*FORMS, *WHOLE)


def forms_text() -> str:
    """All forms in a line, for an error."""
    return "; ".join([*(form.words for name, form in FORMS.items() if name != "nodes"), *WHOLE.values()])


def form_named(name: str) -> TourForm:
    """The form with a name."""
    return row_named(name, FORMS, "form", tuple(WHOLE))
