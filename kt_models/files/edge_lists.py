"""Edge lists: two vertices per line, by numbers or names, and optionally a weight.

The vertices are those that occur, in numerical order if all are integers, and otherwise alphabetically. A number alone
on the first line is that of the vertices, if it agrees with the names below it; a name alone on a later line is a
vertex without edges.

Lines of two or three numbers may also be points. Numbers with a decimal point, a sign or an exponent are never names
of vertices, and `doubt_of_edges` tells where other numbers are hardly edges.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from unicodedata import normalize

import numpy as np

from kt_models.decimals import exact
from kt_models.directed import WHICH_WAY, DirectedGraph
from kt_models.errors import KTError
from kt_models.graph import MoveGraph, require_undirected
from kt_models.storage import lines_of

MAX_COUNTED = 1000
"""Most vertices that a first line may count for each vertex with an edge."""
MAX_FIRST_LINES = 20
"""Most lines that are tried as the first edge, until one cannot be taken for a header; usually the first is fine."""
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_NO_NAME = re.compile(r"[\[\](){}<>\"'`;|\x00-\x1f]|:$|^[\W_]*$")
"""Characters that occur in no name: a line with them is of another format."""
NUMBER = re.compile(r"[-+]?([0-9]{1,100}\.?[0-9]{0,100}|\.[0-9]{1,100})([eE][-+]?[0-9]{1,3})?")
"""A decimal."""
_AXES = re.compile(
    r"x|y|z|lat(itude)?|lon(g(itude)?)?|lng|easting|northing|[xyz]_?coord(inate)?|coord_?[xyz]", re.IGNORECASE
)
"""Name of a coordinate in a header."""
_HEADS = re.compile(
    r"(?:(?:source|target|from|to|tail|head|start|end|node|vertex|city|[uvijab]|weight|distance|length|cost|w|d)"
    r"[ _]?[0-9a-z]{0,2}(?: |$)){3}",
    re.IGNORECASE,
)
"""Names of three columns of a table of edges."""
_ENDS = ("end", "eof", "done", "stop", "-1", "0")
"""Words that end a list in the files of some programs."""
_SAYS_DIRECTED = re.compile(r"^\s*[#%](?! kt ).*\bdirected\b|^\s*%\s*asym\b", re.IGNORECASE)
"""A comment of SNAP or KONECT above the arcs of a directed graph."""
_PLAIN = re.compile(r"[ \t]*+([0-9A-Za-z]++)[ \t]++([0-9A-Za-z]++)[ \t]*+")
_NAME_ABOVE = re.compile(r"#\s*(\S+)\s*")
_COMMENT = re.compile(r"(^|\s)[#%].*")
_DIMACS_LINE = re.compile(r"\s*(c\b.*|[pe]\s.*)")


POINTS_FORM = "points"
"""Name of the form that reads points."""


class EdgeLine(NamedTuple):
    """A line with an edge."""

    line: int
    u: str
    v: str
    weight: Any


class _Lone(NamedTuple):
    """A line with one word: a number of vertices, or a vertex."""

    line: int
    word: str


def no_name(word: str) -> bool:
    """Whether a word cannot be the name of a vertex, because it has marks of another format."""
    return bool(_NO_NAME.search(word)) or not word.isprintable()


def _without_attributes(row: str) -> str:
    return row.partition("{")[0] if row.endswith("}") else row


def _fields(line: str) -> list[str]:
    return re.split(r"\s*,\s*|\s+", _without_attributes(line).strip(" \t,"))


def fits_edges(text: str) -> bool:
    """Whether the first lines have two or three columns; some may have one, which is then a vertex or a number."""
    rows = [line for line in (_COMMENT.sub("", line).strip() for line in lines_of(text[:10_000])[:100]) if line]
    counts = [len(_fields(row)) for row in rows]
    lone, widths = counts.count(1), {*counts} - {1}
    return lone < len(counts) - lone and widths <= {2, 3} and not (lone and len(widths) > 1)


def parse_edge_list(text: str, name: str, directed: bool | None = None) -> MoveGraph:
    """The graph of an edge list, labelled with its vertices.

    Parameters
    ----------
    directed
        Whether lines are arcs from the first to the second vertex, if the user says it; otherwise they are edges.

    Raises
    ------
    KTError
        If a line is not an edge, an edge has two weights, the first line may be a header, or edges may be arcs or
        points.
    """
    lines = [line for line in lines_of(text) if line.strip()]
    if lines and all(map(_DIMACS_LINE.fullmatch, lines)):
        raise KTError("it may be a DIMACS file without its line 'p edge N M', or name a vertex 'e'")
    _refuse_comments(lines, directed)
    names_above = [match[1] for line in lines if (match := _NAME_ABOVE.fullmatch(line))]
    if len(names_above) > 1 and {*names_above} & {word for line in lines for word in line.split()[:1]}:
        raise KTError(f"lines such as '# {names_above[0][:40]}' above neighbours are those of LGL, which is not read")
    _refuse_axes(lines)
    found = [row for number, line in enumerate(lines_of(text), start=1) if (row := _row(number, line))]
    rows = [row for row in found if isinstance(row, EdgeLine)]
    if not rows:
        raise KTError(f"it has no edge{f': line {found[0].line} has one vertex, not two' if found else ''}")
    count = found[0] if isinstance(found[0], _Lone) else None
    lone = [row for row in found if isinstance(row, _Lone) and row is not count]
    # A dictionary keeps the order of the file, which a set would lose
    names = dict.fromkeys(end for row in rows for end in (row.u, row.v))
    _refuse_alike([*names, *(row.word for row in lone)])
    _refuse_points(names)
    _refuse_lone(rows, lone, names)
    names |= dict.fromkeys(row.word for row in lone)
    if count is None:
        _refuse_header(rows)
    else:
        names |= dict.fromkeys(_counted(count, rows, names))
    _refuse_columns(rows)
    if all(map(_INTEGER.fullmatch, names)):
        labels: dict[str, Any] = {word: int(word) for word in names}
    else:
        labels = {word: word for word in names}
    pairs = [(labels[row.u], labels[row.v]) for row in rows]
    if directed is None:
        _refuse_both_and_one(pairs)
    weights = [row.weight for row in rows]
    vertices = vertices_in_order(labels.values())
    try:
        return weighted_graph(vertices, pairs, weights, name, directed=directed is True)
    except KTError as error:
        if "two weights" in str(error):
            raise KTError(f"{error}{_or_points(rows)}") from None
        if any(weight is None for weight in weights):
            raise
        # The error is raised only if somebody asks for the weights
        plain = weighted_graph(vertices, pairs, [None] * len(pairs), name, directed=directed is True)
        return plain.having(unweighted=str(error))


def _refuse_axes(lines: list[str]) -> None:
    """Refuse a first line that names coordinates, above numbers."""
    data = [line for line in lines if not line.lstrip().startswith(("#", "%"))][:2]
    head, row = (_fields(line) for line in data) if len(data) == 2 else ([], [])
    columns = [place for place, word in enumerate(head) if _AXES.fullmatch(word)]
    if len(columns) > 1 and all(place < len(row) and NUMBER.fullmatch(row[place]) for place in columns):
        raise KTError(f"its first line names coordinates, so the lines below it are points{form_of_points()}")


def _refuse_comments(lines: list[str], directed: bool | None) -> None:
    """Refuse comments that say that the lines are arcs, and a `#` alone between names and edges, as TGF has it."""
    marks = [line.strip().startswith(("#", "%")) for line in lines]
    if directed is None and (odd := next(filter(_SAYS_DIRECTED.search, itertools.compress(lines, marks)), None)):
        raise KTError(f"its comment {odd.strip()[:40]!r} says that it is directed; {WHICH_WAY}")
    alone = next((place for place, line in enumerate(lines) if line.strip() == "#"), len(lines))
    if not all(marks[:alone]) and not all(marks[alone:]):
        raise KTError("a '#' alone between lines is that of TGF, which is not read: names stand above it, edges below")


def _counted(count: _Lone, rows: list[EdgeLine], names: Iterable[str]) -> list[str]:
    """The vertices that a number on the first line adds to those that the lines below it name.

    It is their number if it equals that of the names, or if they are numbered and it is the largest, from 1, or one
    more, from 0.

    Raises
    ------
    KTError
        If it is no such number.
    """
    known = list(names)
    numbers = [int(name) for name in known] if all(map(_INTEGER.fullmatch, known)) else []
    if _INTEGER.fullmatch(count.word):
        n = int(count.word)
        if n == len(known):
            return []
        first = min(numbers, default=-1)
        # 99 and vertices up to 98 are taken at their word, and a million more than there are would be a mistake
        if first in (0, 1) and n == max(numbers) + 1 - first and n <= MAX_COUNTED * len(known):
            return [str(vertex) for vertex in range(first, first + n) if str(vertex) not in names]
    span = f", from {min(numbers)} to {max(numbers)}" if numbers else ""
    points = f", or of points, as {len(rows):,} lines follow" if count.word == str(len(rows)) else ""
    if not _INTEGER.fullmatch(count.word):
        raise KTError(
            f"line {count.line}: {count.word[:40]} may be a title, or a vertex without edges: a title begins with #, "
            "and such a vertex stands below an edge"
        )
    raise KTError(
        f"line {count.line}: {count.word[:40]} may be the number of vertices{points}, or a vertex without edges; "
        f"{len(known):,} different names follow{span}: leave the number out, and put the vertex below an edge"
    )


def _refuse_lone(rows: list[EdgeLine], lone: list[_Lone], names: Iterable[str]) -> None:
    """Refuse a word alone on a line that is hardly a vertex without edges, or above all edges; and `0 0` as an end."""
    integers = all(map(_INTEGER.fullmatch, names))
    for row in lone:
        if row.word in names:
            continue
        if row.line < rows[0].line or bool(_INTEGER.fullmatch(row.word)) != integers:
            raise KTError(
                f"line {row.line} has one word, {row.word[:40]}: a vertex without edges has a name like the others, "
                "and stands below an edge; a comment begins with #"
            )
        if row.word.lower() in _ENDS and row is lone[-1] and row.line > rows[-1].line:
            raise KTError(
                f"line {row.line}: {row.word} may end the list, or be a vertex without edges: leave it out, or put it "
                "above an edge"
            )
    last = rows[-1]
    others = {end for row in rows[:-1] for end in (row.u, row.v)}
    if last.u == last.v and last.u in _ENDS and last.u not in others and rows[:-1]:
        raise KTError(
            f"line {last.line}: {last.u} {last.v} may end the list, or be a vertex without edges: leave it out, or put "
            f"{last.u} alone on a line above an edge"
        )


def _is_point(name: str) -> bool:
    """Whether a name is a number that no vertex has: it has a sign, a decimal point or an exponent."""
    return not name.isdigit() and NUMBER.fullmatch(name) is not None


def _refuse_points(names: Iterable[str]) -> None:
    """Refuse numbers that are coordinates of points."""
    if odd := next(filter(_is_point, names), None):
        raise KTError(
            f"{odd[:40]} is not the name of a vertex, as it has a sign, a decimal point or an exponent: the lines may "
            f"be points{form_of_points()}"
        )


def form_of_points() -> str:
    """The option by which points are read, as the end of a sentence."""
    return f" (--form {POINTS_FORM})"


def _or_points(rows: list[EdgeLine]) -> str:
    """Other readings of lines of numbers."""
    return f"; or the lines may be points{form_of_points()}" if all(map(_is_numbered, rows)) else ""


def doubt_of_edges(text: str) -> str:
    """Why lines of numbers may be points rather than edges; empty if they hardly are.

    Edges have two ends, each edge is listed once or from both ends, and a graph with a tour has no edge whose ends are
    on no other line.
    """
    rows = [
        row for number, line in enumerate(lines_of(text), start=1) if isinstance(row := _row(number, line), EdgeLine)
    ]
    numbered = [{row.u.isdigit() for row in rows}, {row.v.isdigit() for row in rows}]
    if len(rows) > 1 and all(len(column) == 1 for column in numbered) and numbered[0] != numbered[1]:
        return "one of its columns has names and the other numbers, as tables have: give --form edges if it has edges"
    if numbered != [{True}, {True}]:
        return ""
    if _may_be_neighbours(rows):
        return (
            "its lines may be edges, or the neighbours of one vertex after the other, which have a first line 'N M' in "
            "METIS: give --form edges"
        )
    used = Counter(end for row in rows for end in {row.u, row.v})
    begun = [row.u for place, row in enumerate(rows) if not place or rows[place - 1].u != row.u]
    reason = ""
    if loop := next((row for row in rows if row.u == row.v), None):
        reason = f"line {loop.line} joins {loop.u} to itself"
    elif alone := next((row for row in rows if len(rows) > 1 and used[row.u] == used[row.v] == 1), None):
        reason = f"the ends of line {alone.line} are on no other line"
    elif len(begun) > len({*begun}) and {(row.v, row.u) for row in rows} == {(row.u, row.v) for row in rows}:
        reason = "each line has its reverse, in no order"
    if not reason:
        return ""
    return f"its lines may be edges or points, as {reason}: give --form edges or --form {POINTS_FORM}"


def _may_be_neighbours(rows: list[EdgeLine]) -> bool:
    """Whether lines may be the lists of neighbours of as many vertices, numbered from 0 or 1: both ends list each edge.

    Lists of a triangle are its edges, too.
    """
    weighed = rows[0].weight is not None
    if any((row.weight is not None) != weighed or (weighed and type(row.weight) is not int) for row in rows):
        return False

    def listed(place: int) -> set[int]:
        row = rows[place]
        return {int(row.u), int(row.v), *([row.weight] if weighed else [])}

    def are_lists(base: int) -> bool:
        return all(
            0 <= other - base < len(rows) and other - base != place and place + base in listed(other - base)
            for place in range(len(rows))
            for other in listed(place)
        )

    base = next(filter(are_lists, (0, 1)), None)
    if base is None:
        return False
    edges = {frozenset((int(row.u), int(row.v))) for row in rows}
    return weighed or edges != {frozenset((u + base, v)) for u in range(len(rows)) for v in listed(u)}


def _refuse_both_and_one(pairs: list[tuple[Any, Any]]) -> None:
    """Refuse edges of which some are listed in both directions and others in one."""
    there = {pair for pair in pairs if pair[0] != pair[1]}
    both = next((pair for pair in there if pair[::-1] in there), None)
    single = next((pair for pair in pairs if pair in there and pair[::-1] not in there), None)
    if both is not None and single is not None:
        u, v = min(both, both[::-1], key=pairs.index)
        raise KTError(
            f"{u} {v} is listed in both directions, and {single[0]} {single[1]} in one: it is damaged, or a directed "
            f"graph; {WHICH_WAY}"
        )


def _refuse_alike(names: Iterable[str]) -> None:
    """Refuse two names of one number, such as `1` and `01`, or two that look alike, as with a combining accent."""
    from fractions import Fraction  # Other formats of graphs do not need it.

    # "01", "1.0" and a full-width "1" look alike, and as two vertices they would change the graph
    written: dict[Fraction | str, str] = {}
    for name in names:
        plain = normalize("NFKC", name)
        spelling = written.setdefault(Fraction(plain) if NUMBER.fullmatch(plain) else plain, name)
        if spelling != name:
            points = f"; or the lines may be points{form_of_points()}" if _is_point(spelling) or _is_point(name) else ""
            raise KTError(f"{spelling!a} and {name!a} may be one vertex: write it in one way{points}")


def _refuse_columns(rows: list[EdgeLine]) -> None:
    """Refuse three columns that could be a matrix, lists of neighbours, or edges with row numbers.

    They may be the latter two if no two lines begin with the same vertex, and each has three different vertices.
    """
    if any(row.weight is None for row in rows):
        return
    ends = {end for row in rows for end in (row.u, row.v)}
    thirds = [str(row.weight) for row in rows]
    # Three columns and three rows: also the layout of a matrix
    if len(rows) == 3 and {*ends, *thirds} == {"0", "1"}:
        raise KTError("it may be a matrix of 0 and 1, and as edges it would have two vertices: give --form matrix")
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
    # Labels of several types have no common order
    return sorted(labels) if alike else labels


def weighted_graph(
    labels: Iterable[Hashable],
    pairs: list[tuple[Any, Any]],
    weights: list[Any],
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


def weight_of(value: Any) -> Any:
    """A weight: a number, or the attributes of an edge, among them `weight`.

    Raises
    ------
    KTError
        If the weight is not a decimal, or is too large.
    """
    weight = value.get("weight") if isinstance(value, Mapping) else value
    exact(weight, "a weight")
    return weight


def _row(number: int, line: str) -> EdgeLine | _Lone | None:
    """The edge or the word of a line; `None` for a comment or an empty line."""
    if plain := _PLAIN.fullmatch(line):  # Most lines
        return EdgeLine(number, plain[1], plain[2], None)
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
        if attributes:
            raise KTError(f"line {number} has one vertex, not two")
        return _Lone(number, fields[0])
    if len(fields) > 3 or (attributes and len(fields) > 2):
        raise KTError(f"line {number} has more than two vertices and a weight")
    if attributes:
        weight = _attribute(number, attributes[0])
    elif len(fields) == 3 and _HEADS.fullmatch(" ".join(fields)):
        raise KTError(f"line {number} may be a header: a header begins with #")
    else:
        weight = _weight(number, fields[2]) if len(fields) == 3 else None
    return EdgeLine(number, fields[0], fields[1], weight)


def _attribute(number: int, text: str) -> Any:
    """The weight among the attributes that networkx writes, `{'weight': 3}`."""
    try:
        # Evaluates literals only, so a file cannot run code
        attributes = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        attributes = None
    if not isinstance(attributes, dict):
        raise KTError(f"line {number}: {text[:40]!r} is not a dictionary of attributes")
    return weight_of(attributes) if "weight" in attributes else None


def _weight(number: int, word: str) -> Any:
    if not NUMBER.fullmatch(word):
        raise KTError(f"line {number}: {word[:40]!r} is not a weight")
    if "." not in word and "e" not in word.lower():
        return int(word)
    from decimal import Decimal  # Only decimals need it.

    return Decimal(word)


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
            f"a header begins with #, an edge goes to another line{_or_points(rows)}"
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
        edge = " ".join(numbers)
        raise KTError(
            f"line {first.line} may be a header ({n} vertices, {count} edges) or the edge {edge}: "
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
        (n for n in names if _is_point(n) or re.search(r"[\s,]|^[#%]", n) or _NO_NAME.search(n) or not n.isprintable()),
        None,
    ):
        raise KTError(f"a list of edges cannot express the name {odd[:40]!r}; .json files can")
    weights = [""] * graph.m if graph.weights is None else [f" {weight}" for weight in graph.weights_in_unit()]
    head = f"# kt {graph.name}" + (f" leaper={graph.leaper}" if graph.leaper else "") + "\n"
    # -1: as they are; then all edges of one vertex written from it
    for hub in (
        -1,
        int(np.argmax(graph.degrees)),
    ):
        ends = [(v, u) if v == hub else (u, v) for u, v in graph.ends.tolist()]
        lines = [f"{names[u]} {names[v]}{w}\n" for (u, v), w in zip(ends, weights, strict=True)]
        # A list is read again before it is returned: another first line may avoid what looks like a header
        for first in range(min(graph.m, MAX_FIRST_LINES)):
            text = "".join([head, lines[first], *lines[:first], *lines[first + 1 :]])
            with suppress(KTError):
                parse_edge_list(text, graph.name)
                return text
    raise KTError(
        "a list of these edges could not be told from one with a header or other columns; .hcp and .json files can"
    )
