"""Matrices as text: n lines of n numbers, as people and programs write them.

Numbers are separated by blanks, commas, tabs or semicolons; rows of 0 and 1 may have nothing between them. Rows may
stand in brackets, as Python, NumPy, Sage, Matlab, Mathematica and Maple have them. Above them there may be the number
of rows, or nauty's `Graph 1, order 5.`, or names of the vertices, which then also begin the rows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from kt_models.decimals import NUMBER, number_in
from kt_models.errors import KTError, TooLarge
from kt_models.files.edge_lists import POINTS_FORM
from kt_models.files.graph_forms.entries import graph_of_entries
from kt_models.files.graph_forms.form import Missing, labels_of
from kt_models.graph import MAX_EDGES, MoveGraph
from kt_models.storage import lines_of

MIN_SURE = 4
"""Fewest rows of numbers alone that are no edges and no points: these have two or three columns."""
MAX_BESIDE = 20
"""Most lines beside those of the rows: a size, names, comments."""
_ORDER = re.compile(r"\s*graph\s+[0-9]{1,15},\s*order\s+([0-9]{1,15})\.\s*", re.IGNORECASE)
_WRAPPED = re.compile(
    r"\s*(?:[A-Za-z_]\w*\s*:?=\s*)?(?:(?:\w+\.)?(?:matrix|array|asarray)\s*\(\s*(?:[A-Z]+\s*,\s*)?(?:[0-9]+\s*,\s*){0,2})?"
    r"(\[.*\]|\{.*\}|\(.*\))\s*(?:,\s*\w+\s*=\s*[\w.'\"]+\s*)*\)?\s*[;:.]?\s*",
    re.IGNORECASE | re.DOTALL,
)
"""A matrix in brackets: a name and `=`, and a function such as `numpy.array`, may stand around it."""
_INNER = re.compile(r"[\[({]([^\[\](){}]*)[\])}]")
_NO_NUMBERS = {"inf": np.inf, "+inf": np.inf, "infinity": np.inf, "∞": np.inf, "-inf": -np.inf} | dict.fromkeys(
    ("nan", "na", "n/a", "none", "null", "-", "--", "", "x", "."), np.nan
)
"""Words in place of numbers."""


@dataclass(frozen=True)
class _Matrix:
    """The words of a square matrix.

    Parameters
    ----------
    rows
        Words by row.
    labels
        Names of the vertices.
    sure
        Whether more than the numbers says that it is a matrix.
    """

    rows: list[list[str]]
    labels: list[Any] | range
    sure: bool


def read_matrix_text(text: str, name: str, directed: bool | None = None, missing: Missing | None = None) -> MoveGraph:
    """The graph of a square matrix; vertices are numbered from 1, below nauty's heading from 0, or have their names.

    Raises
    ------
    KTError
        If it is not square, has other words than numbers, or `graph_of_entries` refuses it.
    """
    matrix = _matrix(text)
    n = len(matrix.rows)
    values = np.array([_value(word) for row in matrix.rows for word in row], dtype=object)
    ends = np.indices((n, n)).reshape(2, -1).T.astype(np.int64)
    return graph_of_entries(ends, values, matrix.labels, name, directed=directed, missing=missing)


def fits_matrix(text: str) -> bool:
    """Whether a text is a square matrix of numbers."""
    head = text[:2000]
    if ":" in head.replace(":=", "") or not re.search("[0-9]", head):
        return False
    lines = [line for line in lines_of(text) if line.strip()]
    if len(lines) > MAX_BESIDE and not re.search(r"[\[({]", head):
        words = max(len(_words(line)) for line in lines[:MAX_BESIDE])
        # A long list of edges is no matrix, and need not be looked at whole
        if words not in range(len(lines) - MAX_BESIDE, len(lines) + 2) and not re.match("[01]+$", lines[-1].strip()):
            return False
    try:
        return all(_is_value(word) for row in _matrix(text).rows for word in row)
    except KTError:
        return False


def is_likely_matrix(text: str) -> bool:
    """Whether a text is a square matrix of numbers that has the diagonal of a graph's."""
    return fits_matrix(text) and has_plain_diagonal(_matrix(text).rows)


def doubt_of_matrix(text: str) -> str:
    """Other readings of a square matrix of numbers; empty if there are none."""
    matrix = _matrix(text)
    n = len(matrix.rows)
    if n < MIN_SURE and not matrix.sure:
        edges = "edges" if n == 2 else "edges with weights"
        return f"it may be a matrix, or {n} {edges} or points: give --form matrix, edges or {POINTS_FORM}"
    if has_plain_diagonal(matrix.rows):
        return ""
    return (
        f"its {n:,} lines of {n:,} numbers may be a matrix, whose diagonal is not 0, or something else: give --form "
        "matrix (the diagonal is then left out), or the name of another form"
    )


def has_plain_diagonal(rows: list[list[str]]) -> bool:
    """Whether the entries on the diagonal are all 0, or all no numbers."""
    diagonal = [_value(row[place]) for place, row in enumerate(rows)]
    return all(value == 0 for value in diagonal) or not any(np.isfinite(float(value)) for value in diagonal)


def _value(word: str) -> Any:
    lowered = word.lower()
    if lowered in _NO_NUMBERS:
        return _NO_NUMBERS[lowered]
    return number_in(word)


def _is_value(word: str) -> bool:
    return word.lower() in _NO_NUMBERS or NUMBER.fullmatch(word) is not None


def _matrix(text: str) -> _Matrix:
    """The matrix in a text."""
    lines = [line.strip() for line in lines_of(text) if line.strip() and not line.lstrip().startswith(("#", "%", "//"))]
    if not lines:
        raise KTError("it has no row")
    order = _ORDER.fullmatch(lines[0])
    lines = lines[1:] if order else lines
    if any(map(_ORDER.fullmatch, lines)):
        raise KTError("it holds several matrices; nauty-showg without -a and -A writes lists, of which each is read")
    if len(lines) > 2 and re.fullmatch(r"[A-Za-z]\w*\s*=", lines[0]):  # As Matlab shows a variable
        lines = lines[1:]
    body = "\n".join(lines)
    rows = _bracketed(body) if re.search(r"[\[({]", body) else [_words(line) for line in lines]
    sized = re.match(r"[^\[({]*\bmatrix\s*\(", body, re.IGNORECASE) is not None
    if len(rows) > 1 and len(rows[0]) <= 2 and {*rows[0]} == {str(len(rows) - 1)}:
        rows, sized = rows[1:], len(rows) > 3
    if all(len(row) == 1 and re.fullmatch("[01]+", row[0]) for row in rows) and len(rows) > 1:
        rows, sized = [list(row[0]) for row in rows], True
    labels: list[Any] | range = range(len(rows)) if order else range(1, len(rows) + 1)
    if names := _names_around(rows):
        known = labels_of(names)
        if len(known) < len(names):
            raise KTError("two of its columns have one name")
        rows, labels = [row[len(row) - len(names) :] for row in rows[1:]], list(known.values())
    _require_square(rows, order)
    return _Matrix(rows, labels, sized or bool(names) or order is not None)


def _words(line: str) -> list[str]:
    """The words of a line; an empty one stands between two commas."""
    for mark in (",", ";", "\t"):
        if mark in line:
            return [word.strip().strip("\"'") for word in line.rstrip(mark if mark != "\t" else "").split(mark)]
    return [word.strip("\"'") for word in line.split()]


def _bracketed(body: str) -> list[list[str]]:
    """Rows in brackets."""
    match = _WRAPPED.fullmatch(body)
    if match is None:
        raise KTError("its brackets are not those of a matrix")
    inside = match[1]
    rows = _INNER.findall(inside)
    rest = _INNER.sub("", inside)
    if len(rows) == 1 and not rest.strip():  # One pair of brackets, as Matlab has it
        return [_words(row.strip()) for row in re.split(r"[;\n]", rows[0]) if row.strip()]
    if not re.fullmatch(r"\s*([\[({][\s,;]*[\])}]|[\s,;]*)\s*", rest):
        raise KTError("its brackets are not those of a matrix")
    return [_words(" ".join(row.split())) for row in rows]


def _names_around(rows: list[list[str]]) -> list[str]:
    """Names of the vertices on the first line and, perhaps, at the beginning of each row; empty if there are none."""
    n = len(rows) - 1
    first = rows[0]
    if n < 1 or not first or not (first[0] == "" or any(not _is_value(word) for word in first)):
        return []
    beside = [row[0] for row in rows[1:] if row]
    for names in (first, first[1:]):
        if len(names) != n:
            continue
        wide = {len(row) for row in rows[1:]}
        if wide == {n} and names is first and "" not in names and all(_is_value(word) for word in beside):
            return names
        if wide == {n + 1}:
            if beside != names:
                raise KTError("the names above its columns and beside its rows differ")
            return names
    return []


def _require_square(rows: list[list[str]], order: re.Match[str] | None) -> None:
    n = len(rows)
    if n > MAX_EDGES:
        raise TooLarge(f"over the limit of {MAX_EDGES:,} vertices")
    if (odd := next((len(row) for row in rows if len(row) != n), None)) is not None:
        raise KTError(f"it has {n:,} rows, and one has {odd:,} entries: the matrix of a graph is square")
    if n < 2:
        raise KTError("a matrix of one number is not read")
    if order and int(order[1]) != n:
        raise KTError(f"it has {n:,} rows, and its first line says {int(order[1]):,}")
    if word := next((word for row in rows for word in row if not _is_value(word)), None):
        raise KTError(f"its entry {word[:20]!r} is not a number")
