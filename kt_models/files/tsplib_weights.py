"""Weights of edges in TSPLIB files: a written matrix, or distances of points (Reinelt 1995).

Distances are rounded as TSPLIB rounds them, so optimal values are those that people publish.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.decimals import MAX_WEIGHT
from kt_models.errors import KTError, TooLarge

PointValues = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
EARTH = 6378.388
"""Radius of the Earth in TSPLIB, in kilometres."""
PI = 3.141592
"""Value of pi in TSPLIB; more digits would change distances."""
MAX_COMPLETE = 3000
"""Most vertices of a file without edges, in which all pairs of vertices are edges: 4.5 million of them."""


def _rounded(values: PointValues) -> Integers:
    return (values + 0.5).astype(np.int64)


def _euclidean(gaps: PointValues) -> Integers:
    return _rounded(np.sqrt((gaps * gaps).sum(axis=1)))


def _ceiling(gaps: PointValues) -> Integers:
    return np.ceil(np.sqrt((gaps * gaps).sum(axis=1))).astype(np.int64)


def _floor(gaps: PointValues) -> Integers:
    return np.sqrt((gaps * gaps).sum(axis=1)).astype(np.int64)


def _manhattan(gaps: PointValues) -> Integers:
    return _rounded(np.abs(gaps).sum(axis=1))


def _maximum(gaps: PointValues) -> Integers:
    return _rounded(np.abs(gaps)).max(axis=1)


def _pseudo_euclidean(gaps: PointValues) -> Integers:
    exact = np.sqrt((gaps * gaps).sum(axis=1) / 10.0)
    near = _rounded(exact)
    return near + (near < exact)


OF_GAPS: dict[str, tuple[int, Callable[[PointValues], Integers]]] = {
    "EUC_2D": (2, _euclidean),
    "EUC_3D": (3, _euclidean),
    "CEIL_2D": (2, _ceiling),
    "CEIL_3D": (3, _ceiling),
    "FLOOR_2D": (2, _floor),
    "FLOOR_3D": (3, _floor),
    "MAN_2D": (2, _manhattan),
    "MAN_3D": (3, _manhattan),
    "MAX_2D": (2, _maximum),
    "MAX_3D": (3, _maximum),
    "ATT": (2, _pseudo_euclidean),
}
"""Number of coordinates of a point, and its distance from another point by their differences, shape (p,
coordinates). LKH added `CEIL_3D` and those that round down to the types of TSPLIB."""
TYPES = ("EXPLICIT", *OF_GAPS, "GEO")
TRIANGLES = {
    "UPPER_ROW": (1, False),
    "UPPER_DIAG_ROW": (0, False),
    "LOWER_ROW": (1, True),
    "LOWER_DIAG_ROW": (0, True),
    "UPPER_COL": (1, True),
    "UPPER_DIAG_COL": (0, True),
    "LOWER_COL": (1, False),
    "LOWER_DIAG_COL": (0, False),
}
"""Halves of a symmetric matrix: whether without the diagonal, and whether row u ends at column u."""
FORMATS = ("FULL_MATRIX", *TRIANGLES)

Measure = Callable[[Integers, Integers], Integers]
"""Weights of edges by the numbers of their ends from 0, shape (m,)."""


def measure_of(values: dict[str, str], sections: dict[str, npt.NDArray[Any]], n: int, *, directed: bool) -> Measure:
    """Weights of edges from the keywords of a file.

    Parameters
    ----------
    values, sections
        The fields of `Tsplib`.
    directed
        Whether the matrix need not be symmetric.

    Raises
    ------
    KTError
        If the keywords are inconsistent, or a number is missing.
    """
    kind = values.get("EDGE_WEIGHT_TYPE", "EXPLICIT")
    if kind not in TYPES:
        raise KTError(f"EDGE_WEIGHT_TYPE {kind[:40]} is not known; use {', '.join(TYPES)}")
    if kind == "EXPLICIT":
        return _listed(values, sections, n, directed=directed)
    if "EDGE_WEIGHT_SECTION" in sections:
        raise KTError(f"it has an EDGE_WEIGHT_SECTION, and weights of type {kind} follow from coordinates")
    width, function = (2, None) if kind == "GEO" else OF_GAPS[kind]
    points = _points(sections, n, width)
    if function is None:
        return lambda u, v: _on_earth(points[u], points[v])
    return lambda u, v: function(points[u] - points[v])


def _points(sections: dict[str, npt.NDArray[Any]], n: int, width: int) -> PointValues:
    numbers = sections.get("NODE_COORD_SECTION")
    if numbers is None:
        raise KTError("there is no NODE_COORD_SECTION")
    if len(numbers) % (width + 1):  # Some files end the matrix with -1, as they end sections of edges
        numbers = numbers[:-1] if len(numbers) and numbers[-1] == -1 else numbers
    if len(numbers) != n * (width + 1):
        raise KTError(f"the NODE_COORD_SECTION has not {width} coordinates of each of {n:,} vertices")
    rows = numbers.reshape(n, width + 1)
    places = rows[:, 0]
    if (places != np.floor(places)).any() or sorted(places.tolist()) != list(range(1, n + 1)):
        raise KTError(f"the NODE_COORD_SECTION does not name each vertex from 1 to {n} once")
    if not np.isfinite(rows).all() or np.abs(rows).max(initial=0) > 1e12:
        raise KTError("a coordinate in the NODE_COORD_SECTION is too large")
    points = np.empty((n, width))
    points[places.astype(np.int64) - 1] = rows[:, 1:]
    return points


def _on_earth(tails: PointValues, heads: PointValues) -> Integers:
    """Distances in kilometres of places in degrees and minutes; `52.30` is 52 degrees 30 minutes."""
    (x, y), (u, v) = (_radians(places).T for places in (tails, heads))
    q1, q2, q3 = np.cos(y - v), np.cos(x - u), np.cos(x + u)
    return (EARTH * np.arccos(np.clip(0.5 * ((1 + q1) * q2 - (1 - q1) * q3), -1, 1)) + 1.0).astype(np.int64)


def _radians(places: PointValues) -> PointValues:
    degrees = np.trunc(places)
    radians: PointValues = PI * (degrees + 5.0 * (places - degrees) / 3.0) / 180.0
    return radians


def _listed(values: dict[str, str], sections: dict[str, npt.NDArray[Any]], n: int, *, directed: bool) -> Measure:
    layout = values.get("EDGE_WEIGHT_FORMAT", "FULL_MATRIX")
    if layout not in FORMATS or (directed and layout != "FULL_MATRIX"):
        raise KTError(
            f"EDGE_WEIGHT_FORMAT {layout[:40]} is not known; use "
            f"{'FULL_MATRIX' if directed else ', '.join(FORMATS)} (of edges by coordinates, EDGE_WEIGHT_TYPE says how)"
        )
    numbers = sections.get("EDGE_WEIGHT_SECTION")
    if numbers is None:
        raise KTError("there is no EDGE_WEIGHT_SECTION")
    matrix = np.zeros((n, n), dtype=np.int64)
    if layout == "FULL_MATRIX":
        _require_count(numbers, n * n, layout)
        matrix[:] = numbers.reshape(n, n)
        if not directed and not np.array_equal(matrix, matrix.T):
            raise KTError("the EDGE_WEIGHT_SECTION is not symmetric; TYPE ATSP has weights of arcs")
    else:
        skip, lower = TRIANGLES[layout]
        rows, columns = np.tril_indices(n, -skip) if lower else np.triu_indices(n, skip)
        _require_count(numbers, len(rows), layout)
        matrix[rows, columns] = numbers
        matrix[columns, rows] = numbers
    if np.abs(matrix).max(initial=0) > MAX_WEIGHT:
        raise KTError(f"a number in the EDGE_WEIGHT_SECTION is over {MAX_WEIGHT:,}")
    return lambda u, v: matrix[u, v]


def _require_count(numbers: npt.NDArray[Any], count: int, layout: str) -> None:
    if len(numbers) != count:
        raise KTError(f"the EDGE_WEIGHT_SECTION has {len(numbers):,} numbers, and {layout} has {count:,}")


def all_pairs(n: int, *, directed: bool) -> Integers:
    """Edges of a complete graph, or arcs of a complete directed one, shape (m, 2)."""
    if n > MAX_COMPLETE:
        raise TooLarge(f"all pairs of {n:,} vertices are edges, and at most {MAX_COMPLETE:,} vertices are read then")
    if directed:
        u, v = np.divmod(np.arange(n * n), n)
        return np.stack([u[u != v], v[u != v]], axis=1)
    return np.stack(np.triu_indices(n, 1), axis=1)
