"""Edge lists: two vertices per line, by numbers or names, and optionally a weight.

The vertices are those that occur, in numerical order if all are integers, and otherwise alphabetically.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from unicodedata import normalize

import numpy as np

from kt_models.arguments import exact_integer
from kt_models.decimals import MAX_WEIGHT
from kt_models.directed import DirectedGraph, require_undirected
from kt_models.errors import KTError
from kt_models.graph import MoveGraph
from kt_models.storage import lines_of

MAX_FIRST_LINES = 20
"""Most lines that are tried as the first edge, until one cannot be taken for a header; usually the first is fine."""
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_NUMBER = re.compile(r"[-+]?[0-9]{1,100}(\.[0-9]{0,100})?([eE][-+]?[0-9]{1,3})?")
_NO_NAME = re.compile(r"[\[\](){}<>\"'`;|\x00-\x1f]|:$|^[\W_]*$")
"""Characters that occur in no name: a line with them is of another format."""
_COMMENT = re.compile(r"(^|\s)[#%].*")
_DIMACS_LINE = re.compile(r"\s*(c\b.*|[pe]\s.*)")


class EdgeLine(NamedTuple):
    """A line with an edge."""

    line: int
    u: str
    v: str
    weight: int | None


def no_name(word: str) -> bool:
    """Whether a word cannot be the name of a vertex, because it has marks of another format."""
    return bool(_NO_NAME.search(word)) or not word.isprintable()


def _without_attributes(row: str) -> str:
    return row.partition("{")[0] if row.endswith("}") else row


def fits_edges(text: str) -> bool:
    """Whether each of the first lines has two or three columns."""
    rows = [line for line in (_COMMENT.sub("", line).strip() for line in lines_of(text[:10_000])[:100]) if line]
    counts = {len(re.split(r"\s*,\s*|\s+", _without_attributes(row).strip(" \t,"))) for row in rows}
    return bool(rows) and counts <= {2, 3}


def parse_edge_list(text: str, name: str) -> MoveGraph:
    """The graph of an edge list, labelled with its vertices.

    Raises
    ------
    KTError
        If a line is not an edge, an edge has two weights, or the first line may be a header.
    """
    lines = [line for line in lines_of(text) if line.strip()]
    if lines and all(map(_DIMACS_LINE.fullmatch, lines)):
        raise KTError("it may be a DIMACS file without its line 'p edge N M', or name a vertex 'e'")
    rows = [row for number, line in enumerate(lines_of(text), start=1) if (row := _row(number, line))]
    if not rows:
        raise KTError("it has no edge")
    # a dictionary keeps the order of the file, which a set would lose
    names = dict.fromkeys(end for row in rows for end in (row.u, row.v))
    _refuse_alike(names)
    _refuse_header(rows)
    _refuse_columns(rows)
    if all(map(_INTEGER.fullmatch, names)):
        labels: dict[str, Any] = {word: int(word) for word in names}
    else:
        labels = {word: word for word in names}
    return weighted_graph(
        vertices_in_order(labels.values()),
        [(labels[row.u], labels[row.v]) for row in rows],
        [row.weight for row in rows],
        name,
    )


def _refuse_alike(names: Iterable[str]) -> None:
    """Refuse two names of one number, such as `1` and `01`, or two that look alike, as with a combining accent."""
    from fractions import Fraction  # Other formats of graphs do not need it.

    # "01", "1.0" and a full-width "1" look alike, and as two vertices they would change the graph
    written: dict[Fraction | str, str] = {}
    for name in names:
        plain = normalize("NFKC", name)
        spelling = written.setdefault(Fraction(plain) if _NUMBER.fullmatch(plain) else plain, name)
        if spelling != name:
            raise KTError(f"{spelling!a} and {name!a} may be one vertex: write it in one way")


def _refuse_columns(rows: list[EdgeLine]) -> None:
    """Refuse three columns that could be a matrix, lists of neighbours, or edges with row numbers.

    They may be the latter two if no two lines begin with the same vertex, and each has three different vertices.
    """
    if any(row.weight is None for row in rows):
        return
    ends = {end for row in rows for end in (row.u, row.v)}
    thirds = [str(row.weight) for row in rows]
    # three columns and three rows: also the layout of a matrix
    if len(rows) == 3 and {*ends, *thirds} == {"0", "1"}:
        raise KTError("it may be a matrix of 0 and 1: give edges, or the matrix in Python as adjacency=")
    listed = all(third in ends - {row.u, row.v} for row, third in zip(rows, thirds, strict=True))
    if listed and len({row.u for row in rows}) == len(rows) > 1:
        raise KTError(
            "its third column may be weights, or a second neighbour or end: if they are weights, exchange the ends of "
            "an edge, so that two lines begin with one vertex"
        )


def vertices_in_order(nodes: Iterable[Hashable]) -> list[Any]:
    """Distinct nodes: by size if all are integers, alphabetically if all are texts, otherwise as they occur."""
    labels: list[Any] = list(dict.fromkeys(nodes))
    alike = any(all(type(label) is kind for label in labels) for kind in (int, str))
    # labels of several types have no common order
    return sorted(labels) if alike else labels


def weighted_graph(
    labels: Iterable[Hashable],
    pairs: list[tuple[Any, Any]],
    weights: list[int | None],
    name: str = "graph",
    *,
    directed: bool = False,
) -> MoveGraph:
    """The graph with labelled vertices, edges (or arcs) between them, and weights of all edges or of none.

    Raises
    ------
    KTError
        If some edges have a weight and others none, or an edge has two weights.
    """
    number = {label: vertex for vertex, label in enumerate(labels)}
    ends = np.array([(number[u], number[v]) for u, v in pairs], dtype=np.int64).reshape(-1, 2)
    graph: MoveGraph
    if directed:
        graph = DirectedGraph.from_arcs(len(number), ends, name, tuple(number)).split()
    else:
        graph = MoveGraph.from_edges(len(number), ends, name, tuple(number))
        ends = np.sort(ends, axis=1)
    if all(weight is None for weight in weights):
        return graph
    return graph.weighed(ends, weights)


def weight_of(value: Any) -> int:
    """A weight: a number, or the attributes of an edge, among them `weight`.

    Raises
    ------
    KTError
        If the weight is not an integer, or is too large.
    """
    return exact_integer(value.get("weight") if isinstance(value, Mapping) else value, "a weight", MAX_WEIGHT)


def _row(number: int, line: str) -> EdgeLine | None:
    """The edge of a line; `None` for a comment or an empty line."""
    line = _COMMENT.sub("", line).strip()
    if not line:
        return None
    attributes = re.search(r"\{.*\}$", line) if line.endswith("}") else None
    words = line[: attributes.start()] if attributes else line
    fields = [field.strip() for field in words.strip(" \t,").split(",")] if "," in words else words.split()
    if any(not field or re.search(r"\s", field) for field in fields):
        raise KTError(f"line {number} has commas and spaces in the wrong places")
    if odd := next(filter(no_name, fields[:2]), None):
        raise KTError(f"line {number}: {odd[:40]!r} is not the name of a vertex")
    if len(fields) < 2:
        raise KTError(f"line {number} has one vertex, not two")
    if len(fields) > 3 or (attributes and len(fields) > 2):
        raise KTError(f"line {number} has more than two vertices and a weight")
    if attributes:
        weight = _attribute(number, attributes[0])
    else:
        weight = _weight(number, fields[2]) if len(fields) == 3 else None
    return EdgeLine(number, fields[0], fields[1], weight)


def _attribute(number: int, text: str) -> int | None:
    """The weight among the attributes that networkx writes, `{'weight': 3}`."""
    try:
        # evaluates literals only, so a file cannot run code
        attributes = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        attributes = None
    if not isinstance(attributes, dict):
        raise KTError(f"line {number}: {text[:40]!r} is not a dictionary of attributes")
    return weight_of(attributes) if "weight" in attributes else None


def _weight(number: int, word: str) -> int:
    if not re.fullmatch(r"[-+]?[0-9]{1,18}(\.[0-9]{0,18})?", word):
        raise KTError(f"line {number}: {word[:40]!r} is not a weight")
    whole, _, decimals = word.partition(".")
    if decimals.strip("0"):
        raise KTError(f"line {number}: weight {word}: weights are integers; multiply all by the same power of ten")
    return weight_of(int(whole))


def _refuse_header(rows: list[EdgeLine]) -> None:
    """Refuse a list whose first line could name columns, or give the numbers of vertices and edges.

    It may be a header if its ends are on no other line, because as an edge it would leave the graph in two parts.
    Numbers, perhaps of rows, columns and entries, may also be a header if the vertices of the other lines are within
    0..n-1 or 1..n, and the last number is that of the lines, or different edges, that follow, or exceeds n, as in a
    damaged file.
    """
    first, rest = rows[0], rows[1:]
    _refuse_counts(first, rest)
    if rest and not _is_numbered(first) and all(map(_is_numbered, rest)):
        raise KTError(
            f"line {first.line} may be a header, as only numbers follow: a header begins with #, an edge goes to "
            "another line"
        )
    if rest and not {first.u, first.v} & {end for row in rest for end in (row.u, row.v)}:
        raise KTError(
            f"line {first.line} may be a header or the edge {first.u} {first.v}, whose ends are on no other line: "
            "a header begins with #, an edge goes to another line"
        )


def _is_numbered(row: EdgeLine) -> bool:
    return bool(_INTEGER.fullmatch(row.u) and _INTEGER.fullmatch(row.v))


def _refuse_counts(first: EdgeLine, rest: list[EdgeLine]) -> None:
    """Refuse a list whose first line could be a header with the numbers of vertices and edges, or of a matrix."""
    numbers = [first.u, first.v, *([] if first.weight is None else [str(first.weight)])]
    if not rest or not all(map(_INTEGER.fullmatch, [*numbers, *(end for row in rest for end in (row.u, row.v))])):
        return
    *sides, count = map(int, numbers)
    ends = [int(end) for row in rest for end in (row.u, row.v)]
    low, high, n = min(ends), max(ends), max(sides)
    different = len({frozenset((row.u, row.v)) for row in rest})
    counted = count in (len(rest), different)
    if 0 <= low and high <= n and (low > 0 or high < n) and (counted or (len(sides) == 1 and count > n)):
        what = " ".join(numbers)
        raise KTError(
            f"line {first.line} may be a header ({n} vertices, {count} edges) or the edge {what}: "
            "a header begins with #, an edge goes to another line"
        )


def graph_to_edge_list(graph: MoveGraph) -> str:
    """One edge per line, with its weight if it has one, as networkx's `read_edgelist` and `parse_edge_list` read it.

    Raises
    ------
    KTError
        If a vertex has no edge, an edge is fixed, or a name has a space: a list of edges cannot express these. Also if
        any edge on the first line would be taken for a header.
    """
    require_undirected(graph, "a list of edges")
    lonely = np.flatnonzero(graph.degrees == 0)
    if len(lonely):
        raise KTError(f"vertex {graph.name_of(int(lonely[0]))} has no edge, and a list of edges would lose it")
    if graph.fixed:
        raise KTError("a list of edges cannot say which edges are fixed; .hcp and .json files can")
    names = [str(v) for v in range(graph.n)] if graph.board else [graph.name_of(v) for v in range(graph.n)]
    if odd := next(
        (n for n in names if re.search(r"[\s,]|^[#%]", n) or _NO_NAME.search(n) or not n.isprintable()), None
    ):
        raise KTError(f"a list of edges cannot express the name {odd[:40]!r}; .json files can")
    weights = [""] * graph.m if graph.weights is None else [f" {weight}" for weight in graph.weights.tolist()]
    head = f"# kt {graph.name}" + (f" leaper={graph.leaper}" if graph.leaper else "") + "\n"
    # -1: as they are; then all edges of one vertex written from it
    for hub in (
        -1,
        int(np.argmax(graph.degrees)),
    ):
        ends = [(v, u) if v == hub else (u, v) for u, v in graph.ends.tolist()]
        lines = [f"{names[u]} {names[v]}{w}\n" for (u, v), w in zip(ends, weights, strict=True)]
        # a list is read again before it is returned: another first line may avoid what looks like a header
        for first in range(min(graph.m, MAX_FIRST_LINES)):
            text = "".join([head, lines[first], *lines[:first], *lines[first + 1 :]])
            with suppress(KTError):
                parse_edge_list(text, graph.name)
                return text
    raise KTError(
        "a list of these edges could not be told from one with a header or other columns; .hcp and .json files can"
    )
