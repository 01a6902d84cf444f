"""GML: keys and values, which are numbers, texts in quotes, or lists of keys and values in brackets.

The names of nodes may be words without quotes, as Gephi and networkx take them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

from kt_models.decimals import NUMBER, WHOLE
from kt_models.errors import KTError, excerpt
from kt_models.files.graph_forms.described import NAME_KEYS, DescribedGraph
from kt_models.files.points import coordinates_of, point_of
from kt_models.graph import MoveGraph

_TOKEN = re.compile(r'(?:\s++|\#[^\n]*+)*+(?:([\[\]])|"([^"]*+)"(?=[\s\]]|\Z)|([^\s\[\]"#]++)(?=[\s\[\]]|\Z)|\Z)')
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_NO_NUMBER = re.compile(r"[+-]?INF|NAN", re.IGNORECASE)
_NAMING = (*NAME_KEYS, "source", "target")
"""Keys whose value may be a word without quotes."""
_Rows = list[tuple[str, Any]]
"""The keys of a list and their values, in order; a value may be such a list itself."""


def read_gml(text: str, name: str) -> MoveGraph:
    """The graph of a GML file."""
    top = _rows_of(text.replace("\r\n", "\n").replace("\r", "\n"))
    graphs = [value for key, value in top if key == "graph"]
    if len(graphs) != 1:
        raise KTError("it has more than one graph" if graphs else "it has no graph")
    _refuse_inside(top, ("node", "edge"))
    rows = _list("graph", graphs[0])
    _refuse_inside(rows, ("graph",))
    directed = _only(rows, "directed")
    if directed not in (None, 0, 1) or isinstance(directed, float):
        raise KTError(f"directed is {excerpt(directed)}, neither 0 nor 1")
    described = DescribedGraph(directed == 1)
    for key, value in rows:
        if key in ("node", "edge"):
            inside = _list(key, value)
            _refuse_inside(inside, ("graph", "node", "edge"))
            if key == "node":
                names = {name: _only(inside, name) for name in NAME_KEYS if name != "id"}
                described.add_node(_id(inside, "id", key), names, _point(inside))
            else:
                ends = _id(inside, "source", key), _id(inside, "target", key)
                described.links.append((*ends, _only(inside, "weight")))
    return described.graph(name)


def _point(rows: _Rows) -> Any:
    """The coordinates of a node: `x` and `y` (and `z`) among its keys or those of `graphics`, or `pos` repeated."""
    if several := [value for key, value in rows if key == "pos"]:
        # networkx repeats the key for each coordinate.
        return several if len(several) > 1 else point_of(several[0])
    graphics = next((value for key, value in rows if key == "graphics" and isinstance(value, list)), [])
    for place in (rows, graphics):
        if (point := coordinates_of(dict(place))) is not None:
            return point
    return None


def _rows_of(text: str) -> _Rows:
    """All keys and values of a text."""
    rows: _Rows = []
    around: list[_Rows] = []
    key = ""
    for line, kind, word in _tokens(text):
        if not key:
            if word == "]" and kind == "mark" and around:
                rows = around.pop()
            elif kind == "word" and _KEY.fullmatch(word):
                key = word
            else:
                raise KTError(f"line {line}: {word[:40]!r} stands where a key should")
            continue
        if kind == "mark" and word == "[":
            inner: _Rows = []
            rows.append((key, inner))
            around.append(rows)
            rows = inner
        elif kind == "text":
            rows.append((key, unescape(word)))
        elif kind == "word" and WHOLE.fullmatch(word):
            rows.append((key, int(word)))
        elif kind == "word" and (NUMBER.fullmatch(word) or _NO_NUMBER.fullmatch(word)):
            rows.append((key, float(word)))
        elif kind == "word" and key in _NAMING and _KEY.fullmatch(word):
            rows.append((key, word))
        else:
            raise KTError(f"line {line}: {word[:40]!r} stands where the value of {key} should")
        key = ""
    if key or around:
        raise KTError(f"it ends before {f'the value of {key}' if key else 'a closing bracket'}")
    return rows


def _tokens(text: str) -> Iterator[tuple[int, str, str]]:
    """Line, kind (`mark`, `text` or `word`) and content of each token."""
    place, line = 0, 1
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            start = re.compile(r"\s*").match(text, place)
            begin = start.end() if start else place
            line += text.count("\n", place, begin)
            raise KTError(f"line {line}: {text[begin : begin + 40].split(chr(10))[0]!r} is not GML")
        line += text.count("\n", place, match.end())
        place = match.end()
        for kind, word in zip(("mark", "text", "word"), match.groups(), strict=True):
            if word is not None:
                yield line, kind, word


def _list(key: str, value: Any) -> _Rows:
    if not isinstance(value, list):
        raise KTError(f"{key} is no list in brackets")
    return value


def _only(rows: _Rows, wanted: str) -> Any:
    """The value of a key that occurs at most once."""
    values = [value for key, value in rows if key == wanted]
    if len(values) > 1:
        raise KTError(f"it has the key {wanted} twice in one list")
    return values[0] if values else None


def _id(rows: _Rows, key: str, part: str) -> int | str:
    value = _only(rows, key)
    if not isinstance(value, int | str):
        raise KTError(
            f"the {key} of {'an' if part == 'edge' else 'a'} {part} is {excerpt(value)}, neither an integer nor a word"
        )
    return value


def _refuse_inside(rows: _Rows, keys: tuple[str, ...]) -> None:
    """Refuse parts of a graph in a place where they have no meaning: a bracket may be missing."""
    if odd := next((key for key, value in rows if key in keys and isinstance(value, list)), None):
        raise KTError(
            f"it has {odd} [ ... ] in the wrong place: one graph has all nodes and edges, and these no others"
        )
