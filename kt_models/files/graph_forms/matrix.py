"""Matrices: MatrixMarket here, others in `matrix_text`; the first line decides.

SciPy's reader takes `6 1.5` for `6 1`, adds up repeated entries, and ends the process at an array with too few entries.
So this module reads the words itself; SciPy writes.
"""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.decimals import NUMBER, WHOLE
from kt_models.directed import SplitGraph
from kt_models.errors import KTError, TooLarge
from kt_models.files.graph_forms.entries import WHICH_MISSING, graph_of_entries, is_symmetric
from kt_models.files.graph_forms.form import Missing
from kt_models.graph import MAX_EDGES, MoveGraph, distinct_pairs
from kt_models.storage import lines_of

_HEADER = re.compile(
    r"%%MatrixMarket\s+matrix\s+(coordinate|array)\s+(real|double|integer|unsigned-integer|pattern|complex)"
    r"\s+(general|symmetric|skew-symmetric|hermitian)\s*",
    re.IGNORECASE,
)
_INDEX = re.compile("[1-9][0-9]{0,8}")


def read_matrix(text: str, name: str, directed: bool | None = None, missing: Missing | None = None) -> MoveGraph:
    """The graph of a square matrix, in MatrixMarket or as `read_matrix_text` reads it, vertices from 1.

    It is undirected where the matrix is symmetric, its values included; otherwise entry (u, v) is the arc from u to v.
    Entries on the diagonal are loops, which are ignored. Numbers that are not all 1 are weights.

    Raises
    ------
    KTError
        If it is not square, has complex entries, NaN or infinities, an explicit entry 0, an entry with a value twice,
        or another number of entries than its second line states.
    """
    if not text.lstrip().lower().startswith("%%matrixmarket"):
        from kt_models.files.graph_forms.matrix_text import read_matrix_text

        return read_matrix_text(text, name, directed, missing)
    lines = lines_of(text)
    header = _HEADER.fullmatch(lines[0]) if lines else None
    if header is None:
        raise KTError(
            "its first line is not '%%MatrixMarket matrix coordinate|array FIELD SYMMETRY', with a field such as real, "
            "integer or pattern, and general, symmetric or skew-symmetric"
        )
    layout, field, symmetry = (word.lower() for word in header.groups())
    if field == "complex" or symmetry == "hermitian":
        raise KTError("its entries are complex: an edge is there or not, and weighs a whole number")
    rows = [words for line in lines[1:] if not line.startswith("%") and (words := line.split())]
    n, declared = _size(rows[:1], 3 if layout == "coordinate" else 2)
    if field == "pattern" and (layout == "array" or symmetry == "skew-symmetric"):
        raise KTError(
            f"its first line says pattern and {symmetry if layout == 'coordinate' else layout}: these have values"
        )
    if layout == "coordinate":
        ends, values = _coordinates(rows[1:], n, declared, field, zeros=missing is not None)
    else:
        ends, values = _array([word for row in rows[1:] for word in row], n, field, symmetry)
    if symmetry != "general":
        proper = ends[:, 0] != ends[:, 1]
        if symmetry == "skew-symmetric" and not proper.all():
            raise KTError("it is skew-symmetric, and has an entry on its diagonal")
        opposite = values[proper] if symmetry == "symmetric" else -values[proper]
        ends, values = np.concatenate([ends, ends[proper][:, ::-1]]), np.concatenate([values, opposite])
    distinct = distinct_pairs(ends, n + 1)
    if field == "pattern":  # Repeated entries are parallel edges
        ends, values = distinct, np.ones(len(distinct), dtype=np.bool_)
    elif len(distinct) < len(ends):  # Repetitions, or numbers to be added
        raise KTError("an entry with a value occurs twice")
    labels = range(1, n + 1)
    if missing is None and directed is None:
        return _graph_of_stored(ends, values, labels, name)
    return graph_of_entries(ends, values, labels, name, directed=directed, missing=missing or frozenset())


def _size(first: list[list[str]], width: int) -> tuple[int, int]:
    """Number of rows, and that of entries."""
    if not first or len(first[0]) != width or not all(re.fullmatch("[0-9]{1,18}", word) for word in first[0]):
        raise KTError(f"its size is not {'rows, columns and entries' if width == 3 else 'rows and columns'}")
    height, columns, *entries = map(int, first[0])
    if height != columns:
        raise KTError(f"it has {height:,} rows and {columns:,} columns; the matrix of a graph is square")
    if height > MAX_EDGES:
        raise TooLarge(f"over the limit of {MAX_EDGES:,} vertices")
    return height, entries[0] if entries else 0


def _coordinates(
    rows: list[list[str]], n: int, declared: int, field: str, *, zeros: bool = False
) -> tuple[npt.NDArray[np.int64], Any]:
    """Row and column, from 0, and value of each entry."""
    if declared != len(rows):
        raise KTError(f"{declared:,} entries are declared, and {len(rows):,} lines follow")
    width = 2 if field == "pattern" else 3
    if odd := next((row for row in rows if len(row) != width), None):
        raise KTError(f"its line {' '.join(odd)[:40]!r} has not {width} numbers")
    for row in rows:
        if not (_INDEX.fullmatch(row[0]) and _INDEX.fullmatch(row[1]) and int(row[0]) <= n and int(row[1]) <= n):
            raise KTError(f"its line {' '.join(row)[:40]!r} names a vertex outside 1..{n}")
    ends = np.array([row[:2] for row in rows], dtype=np.int64).reshape(-1, 2) - 1
    values = np.ones(len(rows), dtype=np.bool_) if field == "pattern" else _values([row[2] for row in rows], field)
    if not zeros and not values.all():
        u, v = (ends[np.argmin(values != 0)] + 1).tolist()
        raise KTError(f"its entry ({u}, {v}) is 0: an edge of weight 0, or none; {WHICH_MISSING.format(0)}")
    return ends, values


def _array(words: list[str], n: int, field: str, symmetry: str) -> tuple[npt.NDArray[np.int64], Any]:
    """Row and column, from 0, and value of each entry of an array that is not 0; it goes down the columns."""
    least = {"general": n * n, "symmetric": n * (n + 1) // 2, "skew-symmetric": n * (n - 1) // 2}[symmetry]
    if least != len(words):
        raise KTError(f"{least:,} entries are declared, and {len(words):,} follow")
    values = _values(words, field)
    columns, rows = (
        np.triu_indices(n, symmetry == "skew-symmetric") if symmetry != "general" else np.indices((n, n)).reshape(2, -1)
    )
    there = values != 0
    return np.stack([rows[there], columns[there]], axis=1).astype(np.int64), values[there]


def _values(words: list[str], field: str) -> npt.NDArray[np.float64]:
    """Numbers; a float has room for each weight that is read."""
    pattern = WHOLE if "integer" in field else NUMBER
    if odd := next((word for word in words if not pattern.fullmatch(word)), None):
        kind = (
            "NaN or infinite"
            if re.fullmatch("[+-]?(nan|inf|infinity)", odd.lower())
            else f"no number of the field {field}"
        )
        raise KTError(f"its entry {odd[:20]!r} is {kind}")
    values = np.array(words, dtype=np.float64)
    if not np.isfinite(values).all():
        raise KTError("an entry is too large")
    return values


def _graph_of_stored(ends: Any, values: Any, labels: range, name: str) -> MoveGraph:
    """The graph of the entries of a MatrixMarket file, which names all of them: none is half of another."""
    proper = ends[:, 0] != ends[:, 1]
    ends, values = ends[proper], values[proper]
    plain = values.dtype.kind == "b" or bool((values == 1).all())
    directed = not is_symmetric(ends, values)
    return graph_of_entries(ends, values, labels, name, directed=directed, missing=None if plain else frozenset())


def graph_to_matrix(graph: MoveGraph) -> str:
    """MatrixMarket text of a graph, with its weights if it has any; symmetric, or general for a directed graph."""
    from scipy.io import mmwrite
    from scipy.sparse import coo_array

    split = isinstance(graph, SplitGraph)
    ends = graph.directed.arcs if isinstance(graph, SplitGraph) else graph.ends[:, ::-1]
    n, weights = graph.vertex_count, graph.weights
    if weights is not None:
        weights = weights[graph.first_arc if isinstance(graph, SplitGraph) else 0 :]
        if not weights.all():
            raise KTError(
                "an edge weighs 0, and a matrix has 0 where there is no edge; .edges and .json files can say it"
            )
        if not graph.decimals and (weights == 1).all():
            raise KTError("all edges weigh 1, and a matrix of 1 has no weights; .edges and .json files can say it")
    if split and is_symmetric(ends, weights):
        raise KTError("a symmetric matrix is read as an undirected graph; .d6 and .json files say that it is directed")
    decimals = 0 if weights is None else graph.decimals
    values: Any = np.ones(len(ends), dtype=np.int64) if weights is None else weights
    if decimals:  # Both are exact as floats, so that the quotient is the float that means the decimal
        values = values / 10.0**decimals
    stream = BytesIO()
    mmwrite(
        stream,
        coo_array((values, (ends[:, 0], ends[:, 1])), shape=(n, n)),
        comment=f" kt {graph.name}",
        field="pattern" if weights is None else "real" if decimals else "integer",
        precision=17 if decimals else None,
        symmetry="general" if split else "symmetric",
    )
    return stream.getvalue().decode()
