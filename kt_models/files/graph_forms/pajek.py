"""Pajek: `*Vertices N`, a line for each vertex, and sections of edges or arcs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import takewhile
from typing import Any

import numpy as np

from kt_models.decimals import NUMBER, number_in
from kt_models.directed import DirectedGraph
from kt_models.errors import KTError
from kt_models.files.graph_forms.described import DescribedGraph
from kt_models.graph import MAX_EDGES, MoveGraph
from kt_models.storage import lines_of

_VERTEX = re.compile(r'([1-9][0-9]{0,8})(?:\s+(?:"([^"]*)"|([^\s"]+))(\s.*)?)?')
"""The number of a vertex, its name, and attributes of a drawing."""
MAX_NAMED = 1_000_000
"""Most vertices without names whose numbers are kept as texts."""
_SECTIONS = ("*network", "*vertices", "*edges", "*arcs")


def read_pajek(text: str, name: str) -> MoveGraph:
    """The graph of a Pajek network: `*Vertices N`, then `*Edges` or `*Arcs`; vertices have their names."""
    n, section = 0, ""
    names: dict[int, str] = {}
    points: dict[int, list[str]] = {}
    links: dict[str, list[tuple[int, int, float | None]]] = {"*edges": [], "*arcs": []}
    for row in lines_of(text):
        line, words = row.strip(), row.split()
        if not words or line.startswith("%"):
            continue
        if line.startswith("*"):
            section = _section(line, words, section, n)
            n = int(words[1]) if section == "*vertices" else n
        elif section == "*vertices":
            vertex, called = _vertex(line, n)
            if vertex in names:
                raise KTError("two of its vertices have one number")
            names[vertex] = called
            if point := _point(line):
                points[vertex] = point
        elif section in links:
            links[section].append(_link(line, words, n))
        else:
            raise KTError(f"its line {line[:40]!r} is outside of every section")
    if not n:
        raise KTError("its line *Vertices has no number, or is not there")
    if names and len(names) != n:
        raise KTError(f"{n:,} vertices are declared, and {len(names):,} named")
    if links["*edges"] and links["*arcs"]:
        raise KTError("it has *Edges and *Arcs: a graph is undirected or directed")
    if n > MAX_EDGES:
        raise KTError(f"it has {n:,} vertices, over the limit of {MAX_EDGES:,}")
    if len(set(names.values())) < len(names):
        raise KTError("two of its vertices have one name")
    rows = links["*arcs"] or links["*edges"]
    if all(weight in (None, 1) for *_, weight in rows):  # What programs write where there is none
        rows = [(u, v, None) for u, v, _ in rows]
    if n > MAX_NAMED and not names:  # Such a graph has few edges: nothing is allocated for its other vertices
        return _unnamed(n, bool(links["*arcs"]), rows, name)
    vertices: dict[Any, Mapping[str, Any]] = {
        vertex: {"name": names.get(vertex, str(vertex))} for vertex in range(1, n + 1)
    }
    if all(float(number) == 0 for point in points.values() for number in point):
        points = {}  # What networkx writes where there are none.
    return DescribedGraph(bool(links["*arcs"]), vertices, list(rows), dict(points)).graph(name)


def _point(line: str) -> list[str]:
    """The coordinates behind the name of a vertex, if there are any."""
    match = _VERTEX.fullmatch(line)
    words = (match[4] or "").split() if match else []
    numbers = list(takewhile(NUMBER.fullmatch, words[:3]))
    return numbers if len(numbers) > 1 else []


def _unnamed(n: int, directed: bool, rows: list[tuple[int, int, float | None]], name: str) -> MoveGraph:
    """The graph on many vertices that have only numbers."""
    ends = np.array([row[:2] for row in rows], dtype=np.int64).reshape(-1, 2) - 1
    labels = range(1, n + 1)
    if directed:
        return DirectedGraph.from_arcs(n, ends, name, labels).split()
    graph = MoveGraph.from_edges(n, ends, name, labels)
    weights = [weight for *_, weight in rows]
    return graph.weighed(ends, weights) if weights and None not in weights else graph


def _section(line: str, words: list[str], before: str, n: int) -> str:
    """The section that a line begins."""
    section = words[0].lower()
    if section not in _SECTIONS:
        raise KTError(f"its section {section[:40]} is not read: *Vertices, *Edges and *Arcs are")
    if section == "*network":
        if n:
            raise KTError("it has more than one network")
    elif section == "*vertices":
        if n:
            raise KTError("it has more than one network")
        # A second number is that of the first mode's vertices in a two-mode network
        if not 2 <= len(words) <= 3 or not all(re.fullmatch("[1-9][0-9]{0,8}", word) for word in words[1:]):
            raise KTError("its line *Vertices has no number")
    elif not n:
        raise KTError(f"its section {section} comes before *Vertices")
    elif len(words) > 1 and not re.fullmatch(":[0-9]{1,9}", words[1]):  # The number of a relation
        raise KTError(f"its section {line[:40]!r} is not read: a section is a word alone")
    return section


def _vertex(line: str, n: int) -> tuple[int, str]:
    match = _VERTEX.fullmatch(line)
    if match is None or int(match[1]) > n:
        raise KTError(
            f"its line {line[:40]!r} does not begin with a number in 1..{n} and a name, or a quote is missing"
        )
    quoted, plain = match[2], match[3]
    return int(match[1]), quoted or plain or match[1]


def _link(line: str, words: list[str], n: int) -> tuple[int, int, float | None]:
    numbers = [int(word) for word in words[:2] if re.fullmatch("[1-9][0-9]{0,8}", word)]
    if len(numbers) < 2 or max(numbers) > n:
        raise KTError(f"its line {line[:40]!r} names a vertex outside 1..{n}, or is no edge")
    if len(words) > 2 and not NUMBER.fullmatch(words[2]):
        raise KTError(f"the weight in its line {line[:40]!r} is not a number")
    return numbers[0], numbers[1], number_in(words[2]) if len(words) > 2 else None
