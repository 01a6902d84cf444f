"""MatrixMarket, read and written by SciPy: a square matrix whose entries are edges and their weights."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import numpy as np

from kt_models.directed import DirectedGraph, SplitGraph
from kt_models.errors import KTError, TooLarge
from kt_models.files.graph_forms.form import foreign_faults
from kt_models.graph import MAX_EDGES, MAX_WEIGHT, MoveGraph
from kt_models.storage import lines_of

_HEADER = re.compile(r"%%MatrixMarket\s+matrix\s+(coordinate|array)\s+(\w+)\s+([\w-]+)\s*", re.IGNORECASE)


def read_matrix(text: str, name: str) -> MoveGraph:
    """The graph of a square MatrixMarket file, vertices from 1.

    It is undirected where the matrix is symmetric, its values included; otherwise entry (u, v) is the arc from u to v.
    Entries on the diagonal are loops, which are ignored. Whole numbers that are not all 1 are weights.

    Raises
    ------
    KTError
        If it is not square, has complex entries, NaN or infinities, an explicit entry 0, or fewer entries than its
        second line states.
    """
    _require_size(text)
    with foreign_faults("MatrixMarket file"):
        from scipy.io import mmread

        matrix = mmread(BytesIO(text.encode()), spmatrix=False)
    n, entries = matrix.shape[0], np.asarray(getattr(matrix, "data", matrix))
    if entries.dtype.kind == "c" and entries.size:
        raise KTError("its entries are complex: an edge is there or not, and weighs a whole number")
    if entries.dtype.kind == "f" and not np.isfinite(entries).all():
        raise KTError("an entry is NaN or infinite")
    if isinstance(matrix, np.ndarray):
        ends = np.argwhere(matrix != 0)
        values = matrix[tuple(ends.T)]
    else:
        ends, values = np.stack([matrix.row, matrix.col], axis=1).astype(np.int64), matrix.data
        if (values == 0).any():
            u, v = (ends[np.argmax(values == 0)] + 1).tolist()
            raise KTError(f"its entry ({u}, {v}) is 0: an edge of weight 0, or none")
    return graph_of_entries(ends, values, n, name)


def graph_of_entries(ends: Any, values: Any, n: int, name: str) -> MoveGraph:
    """The graph of the entries of a square matrix from `read_matrix`; vertices are named 1..n."""
    proper = ends[:, 0] != ends[:, 1]
    ends, values = ends[proper], values[proper]
    labels = range(1, n + 1)
    if _is_symmetric(ends, values):
        graph: MoveGraph = MoveGraph.from_edges(n, ends, name, labels)
    else:
        graph = DirectedGraph.from_arcs(n, ends, name, labels).split()
    if values.dtype.kind == "b" or not graph.m or (values == 1).all():
        return graph
    if (values != np.floor(values)).any() or np.abs(values.astype(np.float64)).max() > MAX_WEIGHT:
        return graph.having(unweighted="its entries are not whole numbers, or too large ones")
    try:
        return graph.weighed(ends, values.astype(np.int64).tolist())
    except KTError as error:
        return graph.having(unweighted=str(error))


def _is_symmetric(ends: Any, values: Any = None) -> bool:
    """Whether each entry has an opposite entry with the same value."""
    values = np.ones(len(ends)) if values is None else values
    order = np.lexsort((values, ends[:, 1], ends[:, 0]))
    reverse = np.lexsort((values, ends[:, 0], ends[:, 1]))
    return np.array_equal(ends[order], ends[reverse][:, ::-1]) and np.array_equal(values[order], values[reverse])


def _require_size(text: str) -> None:
    """Refuse a matrix that is not square, or claims more entries than it has lines: SciPy would allocate them."""
    lines = lines_of(text)
    header = _HEADER.fullmatch(lines[0]) if lines else None
    if header is None:
        raise KTError("its first line is not '%%MatrixMarket matrix coordinate|array FIELD SYMMETRY'")
    rows = [line.split() for line in lines[1:] if line.strip() and not line.startswith("%")]
    width = 3 if header[1].lower() == "coordinate" else 2
    if not rows or len(rows[0]) != width or not all(re.fullmatch("[0-9]{1,18}", word) for word in rows[0]):
        raise KTError(f"its size is not {'rows, columns and entries' if width == 3 else 'rows and columns'}")
    height, columns, *entries = map(int, rows[0])
    if height != columns:
        raise KTError(f"it has {height:,} rows and {columns:,} columns; the matrix of a graph is square")
    if height > MAX_EDGES:
        raise TooLarge(f"over the limit of {MAX_EDGES:,} vertices")
    general = header[3].lower() == "general"
    least = entries[0] if entries else height * height if general else height * (height - 1) // 2
    if least > sum(map(len, rows[1:])) if width == 2 else least != len(rows) - 1:
        raise KTError(f"{least:,} entries are declared, and {len(rows) - 1:,} lines follow")


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
        if (weights == 1).all():
            raise KTError("all edges weigh 1, and a matrix of 1 has no weights; .edges and .json files can say it")
    if split and _is_symmetric(ends, weights):
        raise KTError("a symmetric matrix is read as an undirected graph; .d6 and .json files say that it is directed")
    values = np.ones(len(ends), dtype=np.int64) if weights is None else weights
    stream = BytesIO()
    mmwrite(
        stream,
        coo_array((values, (ends[:, 0], ends[:, 1])), shape=(n, n)),
        comment=f" kt {graph.name}",
        field="pattern" if weights is None else "integer",
        symmetry="general" if split else "symmetric",
    )
    return stream.getvalue().decode()
