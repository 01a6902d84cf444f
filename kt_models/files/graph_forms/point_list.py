"""Lists of points: a point on a line, with its name or without, as tables and plotters write them.

A first line of names says which columns are coordinates: `x`, `y` (and `z`), or `lon` and `lat`, and which one has the
names of the points: `name`, `id` or `label`; other columns are left out. Without it a line has two coordinates, or a
name and two or three; the columns are separated by commas, semicolons, tabs or spaces. Between semicolons decimals may
have commas, as spreadsheets of many languages write them.
"""

from __future__ import annotations

import csv
import re
from typing import Any, NamedTuple

from kt_models.errors import KTError, excerpt
from kt_models.files.points import EARTH_NOTE, ON_EARTH, graph_of_points
from kt_models.graph import MoveGraph
from kt_models.storage import lines_of

NAMES = ("name", "id", "label", "node", "vertex", "city", "point")
"""Heads of the column with the names of points; the first that is there counts."""
COLUMNS = {
    "x": ("x", "lon", "long", "lng", "longitude", "easting"),
    "y": ("y", "lat", "latitude", "northing"),
    "z": ("z",),
}
"""Heads of the columns with coordinates."""
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?(/\d+)?|nan|[+-]?inf(inity)?", re.ASCII | re.IGNORECASE)


_WITH_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?", re.ASCII)


class PointList(NamedTuple):
    """Points of a text."""

    names: list[str] | None
    rows: list[list[str]]
    note: str = ""


def is_headed(text: str) -> bool:
    """Whether a text begins with a line of heads, two of which are coordinates."""
    first = next((line for line in lines_of(text) if line.strip() and line.strip()[0] not in "#%"), "")
    heads = [word.strip().lower() for word in _split(first, _separator(first))]
    return any(head in COLUMNS["x"] for head in heads) and any(head in COLUMNS["y"] for head in heads)


def parse_points(text: str) -> PointList:
    """The points of a text, in the order of its lines.

    Raises
    ------
    KTError
        If a line has no point, or the columns may mean two things.
    """
    lines = [
        (number, line)
        for number, line in enumerate(lines_of(text), start=1)
        if line.strip() and line.strip()[0] not in "#%"
    ]
    if not lines:
        raise KTError("it has no points")
    separator = _separator(lines[0][1])
    table = [(number, _split(line, separator)) for number, line in lines]
    if separator == ";" and not any("." in word and _NUMBER.fullmatch(word) for _, row in table for word in row):
        table = [(number, [_with_point(word) for word in row]) for number, row in table]
    heads = [word.lower() for word in table[0][1]]
    if not any(map(_NUMBER.fullmatch, table[0][1])):
        return _headed(heads, table[1:])
    width = len(table[0][1])
    if odd := next((number for number, row in table if len(row) != width), None):
        raise KTError(f"line {odd} has not {width} columns, as the first line of points has")
    named = not all(_NUMBER.fullmatch(row[0]) for _, row in table)
    if width == 3 and not named:
        raise KTError(
            "its three columns may be x y z, or a number and x y: give a first line that names them, such as 'id x y'"
        )
    named = named or width == 4
    if width - named not in (2, 3):
        raise KTError(f"its lines have {width} columns: a point has two or three coordinates, and perhaps a name")
    _require_numbers(table, range(int(named), width))
    return PointList([row[0] for _, row in table] if named else None, [row[named:] for _, row in table])


def _with_point(word: str) -> str:
    """A number with a decimal comma, with a point instead; other words as they are."""
    return word.replace(",", ".") if _WITH_COMMA.fullmatch(word) else word


def _headed(heads: list[str], table: list[tuple[int, list[str]]]) -> PointList:
    """The points below a line of heads."""
    if odd := next((number for number, row in table if len(row) != len(heads)), None):
        raise KTError(f"line {odd} has not {len(heads)} columns, as its first line has")
    if not table:
        raise KTError("it has no points below its first line, which names columns")
    places = {axis: [heads.index(word) for word in words if word in heads] for axis, words in COLUMNS.items()}
    if not (places["x"] and places["y"]):
        raise KTError(f"its first line names {excerpt(' '.join(heads))}, and no x and y")
    columns = [places["x"][0], places["y"][0], *places["z"][:1]]
    _require_numbers(table, columns)
    name = next((heads.index(word) for word in NAMES if word in heads), None)
    names = None if name is None else [row[name] for _, row in table]
    on_earth = heads[columns[0]] in ON_EARTH and heads[columns[1]] in ON_EARTH
    return PointList(names, [[row[column] for column in columns] for _, row in table], EARTH_NOTE if on_earth else "")


def _require_numbers(table: list[tuple[int, list[str]]], columns: Any) -> None:
    for number, row in table:
        if odd := next((row[column] for column in columns if not _NUMBER.fullmatch(row[column])), None):
            raise KTError(f"line {number}: {excerpt(odd)} is no coordinate")
        if any(not row[column] for column in columns):
            raise KTError(f"line {number} lacks a coordinate")


def _separator(line: str) -> str:
    """The separator of the columns of the first line, and so of all: tabs, semicolons, commas, otherwise spaces."""
    return next((mark for mark in "\t;," if mark in line), "")


def _split(line: str, separator: str) -> list[str]:
    try:
        if not separator:
            return next(csv.reader([re.sub(r"\s+", " ", line.strip())], delimiter=" "), [])
        return [word.strip() for word in next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])]
    except csv.Error:  # A word is longer than any coordinate or name.
        raise KTError(f"a row of {len(line):,} characters is no point") from None


def read_points(text: str, name: str, edges: str | None = None) -> MoveGraph:
    """The graph of a list of points; all pairs are edges, unless `edges` says otherwise."""
    points = parse_points(text)
    names = points.names
    if names is not None and len(set(names)) < len(names):
        twice = next(label for place, label in enumerate(names) if label in names[:place])
        raise KTError(f"two points have the name {excerpt(twice)}")
    if names is not None and all(re.fullmatch(r"0|-?[1-9][0-9]{0,17}", label) for label in names):
        return graph_of_points(list(map(int, names)), points.rows, edges, name).having(remark=points.note)
    return graph_of_points(names, points.rows, edges, name).having(remark=points.note)


def placed_by_list(graph: MoveGraph, text: str) -> MoveGraph:
    """The graph with the positions of a list of points: by their names, or in the order of the vertices.

    Raises
    ------
    KTError
        If a vertex has no point there, or a point has no vertex.
    """
    from kt_models.files.points import placed

    points = parse_points(text)
    place: Any = graph.directed or graph
    count = graph.vertex_count
    if graph.board is not None:
        raise KTError(f"the positions of {graph.name} are its cells")
    if points.names is None:
        if len(points.rows) != count:
            raise KTError(f"it has {len(points.rows):,} points, and {graph.name} has {count:,} vertices")
        return placed(graph, points.rows, strict=True).having(remark=points.note)
    known = dict(zip(points.names, points.rows, strict=True))
    names = [place.name_of(vertex) for vertex in range(count)]
    if len(known) < len(points.names):
        raise KTError("two points have one name")
    if missing := next((label for label in names if label not in known), None):
        raise KTError(f"it has no point of the vertex {excerpt(missing)}")
    if extra := next((label for label in known if label not in set(names)), None):
        raise KTError(f"{excerpt(extra)} is no vertex of {graph.name}")
    return placed(graph, [known[label] for label in names], strict=True).having(remark=points.note)
