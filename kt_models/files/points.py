"""Positions from data: attributes of nodes, mappings, arrays, points of Shapely; and the graph of points."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.arguments import array_of, items_of
from kt_models.complete_graph import CompleteGraph
from kt_models.errors import KTError, TooLarge, excerpt
from kt_models.graph import MAX_EDGES, MoveGraph
from kt_models.positions import DIMENSIONS, Positions

AXES = (("x", "y"), ("x", "y", "z"))
"""Attributes of nodes that are coordinates."""
ON_EARTH = ("lon", "lat", "long", "lng", "longitude", "latitude")
"""Names of coordinates on the Earth."""
EARTH_NOTE = "longitude and latitude are taken as coordinates in the plane"
KINDS = ("complete", "delaunay", "nearest:K", "within:R")
"""Edges between points that have names."""
MAX_LISTED = 2000
"""Most points all of whose pairs are listed, two million of them. Methods that list pairs stop there, too."""
_SEPARATORS = re.compile(r"\s*[,;]\s*|\s+")


def point_of(value: Any) -> Sequence[Any] | None:
    """The coordinates in a value: a row of numbers, a text such as `1.5,2!`, an object with `x` and `y`; else None."""
    if isinstance(value, str):
        words = _SEPARATORS.split(value.strip().strip("\"'").strip("()[]{} ").removesuffix("!").strip())
        return words if len(words) in (2, 3) else None
    if isinstance(value, Mapping):
        return coordinates_of(value)
    if hasattr(value, "x") and hasattr(value, "y"):
        return [value.x, value.y, value.z] if getattr(value, "has_z", False) else [value.x, value.y]
    if isinstance(value, complex | np.complexfloating):
        return [float(value.real), float(value.imag)]
    if isinstance(value, list | tuple) or hasattr(value, "__array__"):
        row = array_of(value, "a position").tolist() if hasattr(value, "__array__") else list(value)
        return row if isinstance(row, list) else None
    return None


def coordinates_of(attributes: Mapping[Any, Any]) -> Sequence[Any] | None:
    """The coordinates among the attributes of a node: `pos`, or `x` and `y` (and `z`); None if there are none."""
    if attributes.get("pos") is not None:
        return point_of(attributes["pos"])
    if attributes.get("x") is not None and attributes.get("y") is not None:
        third = attributes.get("z")
        return [attributes["x"], attributes["y"], *([] if third in (None, "None") else [third])]
    viz = attributes.get("viz")
    place = viz.get("position") if isinstance(viz, Mapping) else None
    return coordinates_of(place) if isinstance(place, Mapping) else None


def placed(graph: MoveGraph, points: Sequence[Any], *, strict: bool = False) -> MoveGraph:
    """The graph with the position of each vertex, in the order of their numbers.

    Parameters
    ----------
    points
        Rows of coordinates; None for a vertex without a position.
    strict
        Whether a missing or wrong position raises an error at once. Otherwise it is raised when somebody asks for a
        metric of positions.
    """
    if not strict and all(point is None for point in points):
        return graph
    try:
        return graph.having(positions=_positions(graph, points))
    except KTError as error:
        if strict:
            raise
        return graph.having(unplaced=str(error))


def _positions(graph: MoveGraph, points: Sequence[Any]) -> Positions:
    place: Any = graph.directed or graph
    missing = next((vertex for vertex, point in enumerate(points) if point is None), None)
    if missing is not None:
        raise KTError(f"vertex {place.name_of(missing)} has no position, and others have one")
    positions = Positions.of(list(points), lambda vertex: f"vertex {place.name_of(vertex)}")
    flat = positions.dimension == 3 and (positions.coordinates[:, 2] == positions.coordinates[0, 2]).all()
    # Programs write a third coordinate of 0 into files of drawings.
    return Positions.of([point[:2] for point in points]) if flat else positions


def placed_by(graph: MoveGraph, pos: Any, attributes: Sequence[Mapping[str, Any]] | None = None) -> MoveGraph:
    """The graph with the positions that `pos=` means.

    Parameters
    ----------
    pos
        The name of a node attribute, a mapping from nodes to coordinates, or coordinates in the order of the vertices.
    attributes
        Attributes of the nodes, for a name.

    Raises
    ------
    KTError
        If a node has no position there, or one that cannot be read.
    """
    if isinstance(pos, Positions):
        return graph.having(positions=pos)
    place: Any = graph.directed or graph
    nodes = range(graph.vertex_count) if graph.labels is None else graph.labels
    if isinstance(pos, str):
        if attributes is None:
            raise KTError(f"pos {excerpt(pos)}: a name is that of a node attribute of a networkx or igraph graph")
        rows = [point_of(node[pos]) if pos in node else None for node in attributes]
    elif isinstance(pos, Mapping):
        rows = [point_of(pos[node]) if node in pos else None for node in nodes]
    else:
        values = items_of(pos, "pos")
        if len(values) != graph.vertex_count:
            raise KTError(f"pos: {len(values):,} positions for {graph.vertex_count:,} {graph.words.places}")
        rows = [point_of(row) for row in values]
    if all(row is None for row in rows):
        raise KTError(f"pos {excerpt(pos)}: no {graph.words.place} has a position there")
    if (missing := next((v for v, row in enumerate(rows) if row is None), None)) is not None:
        raise KTError(f"pos: {graph.words.place} {place.name_of(missing)} has no position there")
    return placed(graph, rows, strict=True)


# -- graphs of points --------------------------------------------------------------------------------------------------


def named_points(points: Any) -> tuple[list[Hashable] | None, list[Any]]:
    """Names and coordinates of points in any form; no names for the numbers from 0.

    A mapping from names to points, a list or array of rows, a list of pairs of a name and a point or of rows that begin
    with a name, or points of Shapely and GeoPandas.
    """
    if hasattr(points, "geometry"):  # A table or series of GeoPandas.
        points = list(points.geometry)
    elif hasattr(points, "geoms"):
        points = list(points.geoms)
    if isinstance(points, Mapping):
        items = list(points.items())
        return [name for name, _ in items], [_read(point, name) for name, point in items]
    rows = items_of(points, "points")
    if not rows:
        raise KTError("points: there are none")
    if all(isinstance(row, list | tuple) and len(row) > 1 and _is_name(row[0]) for row in rows):
        names = [row[0] for row in rows]
        return names, [_read(row[1] if len(row) == 2 else row[1:], row[0]) for row in rows]
    return None, [_read(row, index) for index, row in enumerate(rows)]


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and not re.fullmatch(r"\s*[+-]?(\d|\.\d).*", value, re.DOTALL)


def _read(point: Any, name: Any) -> Sequence[Any]:
    # Each row is looked at before the next is read: an array that repeats a long one may be larger than memory.
    if (row := point_of(point)) is None or len(row) not in DIMENSIONS:
        raise KTError(f"points: {excerpt(point)} of {excerpt(name)} is no point: give two or three coordinates")
    return row


def graph_of_points(
    names: Sequence[Hashable] | None,
    rows: Sequence[Any],
    edges: Any = None,
    name: str = "points",
    *,
    directed: bool = False,
) -> MoveGraph:
    """The graph of points.

    Parameters
    ----------
    names
        Names of the points; None for the numbers from 0.
    rows
        Their coordinates.
    edges
        `complete` (None means it), `delaunay`, `nearest:8`, `within:1.5`; or pairs of names, and their weights, which
        may be None.

    Raises
    ------
    KTError
        If a point or an edge cannot be read, or two points have one name.
    """
    labels = list(range(len(rows))) if names is None else list(names)
    if len(set(labels)) < len(labels):
        twice = next(label for place, label in enumerate(labels) if label in labels[:place])
        raise KTError(f"points: two points have the name {excerpt(twice)}")
    places = Positions.of(list(rows), lambda vertex: f"point {excerpt(labels[vertex])}")
    if edges is None or isinstance(edges, str):
        kind, vertex_labels = "complete" if edges is None else edges, None if names is None else tuple(labels)
        if kind.strip() == "complete" and places.n > MAX_LISTED:
            return CompleteGraph(places.n, name, vertex_labels).having(positions=places)
        return MoveGraph.from_edges(len(labels), pairs_of(places, kind), name, vertex_labels).having(positions=places)
    from kt_models.files.edge_lists import weighted_graph

    pairs, weights = edges
    known = set(labels)
    for pair in pairs:
        if odd := [node for node in pair if node not in known]:
            raise KTError(f"edges: {excerpt(odd[0])} is not one of the points")
    return weighted_graph(labels, pairs, weights, name, directed=directed).having(positions=places)


def pairs_of(places: Positions, kind: str) -> npt.NDArray[np.int64]:
    """Pairs of points that a kind of edges joins, shape (p, 2).

    Raises
    ------
    KTError
        If the kind is unknown, or does not exist for these points.
    """
    word, _, number = kind.strip().partition(":")
    if word == "complete" and not number:
        return np.stack(np.triu_indices(places.n, 1), axis=1).astype(np.int64)
    if word == "delaunay" and not number:
        return _delaunay(places)
    if word == "nearest" and re.fullmatch(r"[1-9][0-9]{0,8}", number):
        return _nearest(places, int(number))
    if word == "within" and number:
        return _within(places, number)
    raise KTError(f"edges {excerpt(kind)}: it is one of {', '.join(KINDS)}, such as nearest:8 or within:1.5")


def _delaunay(places: Positions) -> npt.NDArray[np.int64]:
    from scipy.spatial import Delaunay, QhullError

    if len({tuple(row) for row in places.coordinates.tolist()}) < places.n:
        raise KTError("edges delaunay: two points coincide")
    try:
        made = Delaunay(places.centred)
    except (QhullError, ValueError):
        raise KTError("edges delaunay: there are too few points, or all lie on a line or in a plane") from None
    if len(made.coplanar):
        raise KTError(f"edges delaunay: point {int(made.coplanar[0][0])} is too close to others for its numbers")
    corners = made.simplices.astype(np.int64)
    i, j = np.triu_indices(corners.shape[1], 1)
    return np.stack([corners[:, i].reshape(-1), corners[:, j].reshape(-1)], axis=1)


def _nearest(places: Positions, count: int) -> npt.NDArray[np.int64]:
    """Each point and its nearest others; of equally near ones those with smaller numbers."""
    from scipy.spatial import cKDTree

    n, count = places.n, min(count, places.n - 1)
    if n * count > MAX_EDGES:
        raise TooLarge(f"edges nearest:{count}: over {MAX_EDGES:,} edges")
    points = places.centred
    # Some more, as equally near points come in any order.
    distances, others = cKDTree(points).query(points, k=min(n, count + 9))
    distances, others = distances.reshape(n, -1), others.reshape(n, -1)
    distances = np.where(others == np.arange(n)[:, None], np.inf, np.round(distances, 12))
    order = np.lexsort((others, distances), axis=1)[:, :count]
    heads = np.take_along_axis(others, order, axis=1).reshape(-1)
    return np.stack([np.repeat(np.arange(n), count), heads], axis=1).astype(np.int64)


def _within(places: Positions, text: str) -> npt.NDArray[np.int64]:
    """Points at most a distance apart, exactly."""
    from scipy.spatial import cKDTree

    from kt_models.positions import coordinate

    radius = coordinate(text, f"edges within:{text}: the distance")
    if radius <= 0:
        raise KTError(f"edges within:{text}: the distance must be above 0")
    whole = places.coordinates - places.coordinates[0]
    extent = max(1, int(np.abs(whole).max()))
    reach = float(radius / places.unit / extent) * (1 + 1e-9)
    tree = cKDTree(places.centred)
    if tree.count_neighbors(tree, reach) > 2 * MAX_EDGES:
        raise TooLarge(f"edges within:{text}: over {MAX_EDGES:,} edges")
    pairs = tree.query_pairs(reach, output_type="ndarray").astype(np.int64)
    gaps = (places.coordinates[pairs[:, 0]] - places.coordinates[pairs[:, 1]]).astype(object)
    most = (radius / places.unit) ** 2
    near = [square * most.denominator <= most.numerator for square in (gaps**2).sum(axis=1).tolist()]
    return pairs[np.array(near, dtype=bool)] if len(pairs) else pairs
