"""Forms that people have and kt does not read, so that errors name them, and what translates them."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from kt_models.storage import lines_of

_FACT = r"[a-z_]\w*\([\w\s.,;()\"-]*\)"
FIRST_LINES = {
    rf"{_FACT}\s*\.|.*:-": "facts of a logic program",
    rf"{_FACT}$": "terms such as 'edge(1,2)'",
    r"defaultdict\(|\w+View\(|\{\s*(\(|'|-?[0-9]+\s*:)|\[\s*\(": "data as Python prints them",
    r"\S.* to \S.* = [0-9.]+$": "distances such as 'A to B = 464'",
    r"(graph|flowchart)\s+(TD|TB|BT|LR|RL)\b": "edges of a chart of Mermaid",
    r"p [0-9]+ [0-9]+ [du] [uw] [01]$": "edges below a line of NetworKit's SNAP writer (take out that line)",
    r"nodedef\s*>": "tables of GDF, of Gephi and GUESS",
    r"(?i)source,target,type\b": "a table of edges with heads, as Gephi exports it (keep two or three columns)",
    r"(?i)dl\b\s*,?\s*(n|nr)\s*=": "matrices or lists in the form DL of UCINET",
    r"(?i)\*(node data|node properties|tie data)\b": "tables of VNA, of NetDraw",
    r"0 [1-9][0-9]* \S*[A-Za-z]\S* \S*[A-Za-z]\S*$": "weights of GWT or GAL, of GeoDa and PySAL",
    r"LEDA\.GRAPH\b": "nodes and edges in the form of LEDA",
    r"graph [0-9.]+(e[-+][0-9]+)? [0-9.]+(e[-+][0-9]+)? [0-9.]+(e[-+][0-9]+)?$": "lines of -Tplain of Graphviz, whose "
    "-Tdot is read",
}
"""Forms by how their first lines begin, apart from comments."""
JSON_KEYS = {
    "elements": "JSON of Cytoscape",
    "adjacency": "JSON of networkx.adjacency_data",
    "children": "JSON of a tree",
    "_subgraph_cnt": "JSON of Graphviz, whose -Tdot is read",
    "objects": "JSON of Graphviz, whose -Tdot is read",
}
"""Keys that only JSON of other programs has, and its names."""
MAX_FIRST_LINE = 200
"""Most characters of a first line that are compared with forms that are not read."""
MAX_GAL = 100_000
"""Most characters of a text that are compared with the form GAL, which only the whole text tells."""
MAX_LINES = 100
"""Lines that decide whether a text may be of a tool: the first ones."""


def unread_form(text: str) -> str:
    """Why a text is refused whose first line tells its form; empty for others."""
    lines = (line.strip() for line in lines_of(text[:10_000]))
    first = next((line[:MAX_FIRST_LINE] for line in lines if line and not line.startswith(("%", "#"))), "")
    form = next((words for rule, words in FIRST_LINES.items() if re.match(rule, first)), "")
    if first and _is_gal(text):
        form = "neighbours in the form GAL, of GeoDa and PySAL"
    return f"it has {form}, which are not read: a list of edges has a line 'U V' for each" if form else ""


def unread_json(data: Any) -> str:
    """Why a JSON document is refused that another program wrote in a form that is not read; empty for others."""
    if not isinstance(data, dict) or "vertices" in data or "board" in data:
        return ""
    words = next((words for key, words in JSON_KEYS.items() if key in data), "")
    return (
        f"it is {words}: 'nodes' with an id and 'links' are read, as networkx.node_link_data writes them"
        if words
        else ""
    )


def unread_form_of_tools(text: str) -> str:
    """The form of a text that is not read, if a generator wrote it, and the option that writes a form that is."""
    lines = [line.split() for line in lines_of(text[:100_000])[:MAX_LINES] if line.strip()]
    if not lines:
        return ""
    if all(map(_is_t_code, lines)):
        return (
            "it may have graphs in T-code, which is not read: directg without -T and watercluster2 with Z write "
            "digraph6, vcolg -o and multig without -T sparse6"
        )
    if all(len(row) == 1 and _is_triangle(row[0]) for row in lines) and len({len(row[0]) for row in lines}) == 1:
        return "it may have tournaments as upper triangles, which are not read: gentourng -z writes digraph6"
    if re.match(r"(\s*(n|\$)\s*=?\s*[0-9]+[\s,;]*|\s*d\b)+\s*g\b", text):
        return "it may have commands of dreadnaut, which are not read: dretog -g or, of digraphs, -z translates them"
    if all(map(_is_double_code, lines)):
        return "it may be in the double code of plantri, which is not read: plantri without -T writes planar_code"
    return ""


def _is_gal(text: str) -> bool:
    """Two lines for each vertex, below their number: a name and how many neighbours, and the neighbours."""
    first, *rows = (line.split() for line in lines_of(text[:MAX_GAL].strip("\r\n")))
    if (
        len(first) != 1 or not re.fullmatch("[0-9]{1,6}", first[0]) or len(rows) - 2 * int(first[0]) not in (-1, 0)
    ):  # The last vertex may have no neighbour
        return False
    rows += [[]] * (len(rows) % 2)
    near = {row[0]: (row[1], beside) for row, beside in zip(rows[::2], rows[1::2], strict=True) if len(row) == 2}
    return len(near) == len(rows) // 2 and all(
        count == str(len(beside)) and near.keys() >= {*beside} for count, beside in near.values()
    )


def _is_t_code(words: list[str]) -> bool:
    """How many vertices and edges, perhaps colours, and two numbers for each edge, or three with its multiplicity."""
    if not all(re.fullmatch("[0-9]{1,9}", word) for word in words) or len(words) < 4:
        return False
    n, m, *numbers = map(int, words)
    pairs = numbers[n:] if len(numbers) == n + 2 * m else numbers
    if m and len(pairs) == 3 * m:
        pairs = [number for place, number in enumerate(pairs) if place % 3 < 2]
    return len(pairs) == 2 * m and max(pairs, default=0) < n


def _is_triangle(word: str) -> bool:
    order = round((2 * len(word)) ** 0.5 + 0.5)
    return order >= 3 and len(word) == order * (order - 1) // 2 and set(word) <= set("01")


def _is_double_code(words: list[str]) -> bool:
    """A graph and its dual: a number, then a word for each vertex, in which each letter of an edge occurs twice."""
    if not words[0].isdigit() or not 3 <= int(words[0]) < len(words):
        return False
    letters = Counter("".join(words[1 : int(words[0]) + 1]))
    return all(letter.isalpha() and count == 2 for letter, count in letters.items())
