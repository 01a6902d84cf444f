"""Lists of neighbours: networkx, House of Graphs and nauty, lists of snarks, METIS.

Edges are in the lists of both ends, or each in one. If some are in both and others in one, the lists are damaged or
directed, and are refused (`form.graph_of_lists`).
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from kt_models.decimals import MAX_WEIGHT
from kt_models.errors import KTError
from kt_models.files.edge_lists import no_name
from kt_models.files.graph_forms.form import Piece, graph_of_lists, labels_of, only_piece, require_both_or_one
from kt_models.files.suffixes import sign_of
from kt_models.graph import MoveGraph, distinct_pairs
from kt_models.storage import lines_of

# -- networkx: a vertex and its neighbours -----------------------------------------------------------------------------


def read_neighbours(text: str, name: str, directed: bool | None = None) -> MoveGraph:
    """The graph of lines `vertex neighbour neighbour ...`, the format of networkx's `write_adjlist`."""
    rows = _without_count([row for line in lines_of(text) if (row := line.partition("#")[0].split())])
    words = [word for row in rows for word in row]
    if odd := next(filter(no_name, words), None):
        raise KTError(f"{odd[:40]!r} is not the name of a vertex")
    listed = Counter(row[0] for row in rows)
    labels = labels_of([*listed, *words])
    arcs = [(labels[row[0]], labels[neighbour]) for row in rows for neighbour in row[1:]]
    graph = graph_of_lists(arcs, labels.values(), name, directed)
    if twice := next((word for word, count in listed.items() if count > 1), None):
        raise KTError(f"vertex {twice[:40]} has {listed[twice]} lists of neighbours")
    return graph


def _without_count(rows: list[list[str]]) -> list[list[str]]:
    """Rows without a number above them that is how many vertices they name."""
    below = {word for row in rows[1:] for word in row}
    if rows and len(rows[0]) == 1 and rows[0][0] not in below and rows[0][0] == str(len(below)):
        return rows[1:]
    return rows


def fits_neighbours(text: str) -> bool:
    """Whether each name has one line, as networkx writes them, and the lines are not all edges of two or three names.

    Damaged files of many other forms consist of names, too.
    """
    rows = _without_count([row for line in lines_of(text) if (row := line.partition("#")[0].split())])
    counts, first, words = set(map(len, rows)), {row[0] for row in rows}, {word for row in rows for word in row}
    alike = bool(counts - {1}) and not counts <= {2, 3}
    return alike and len(first) == len(rows) and first == words and not any(map(no_name, words))


# -- House of Graphs and nauty: a vertex, a colon, its neighbours ------------------------------------------------------

_ORDER = re.compile(r"\s*graph\s+[0-9]{1,15},\s*order\s+(?P<order>[0-9]{1,15})\.\s*", re.IGNORECASE)
_COUNT = re.compile(r"\s*(?P<order>[1-9][0-9]{0,8})\s*")
"""A number alone on a line, which may be that of vertices."""


_NUMBERED = re.compile(r"\s*[0-9]+[ \t]*:[ \t0-9]*;?\s*")
_INVARIANT = re.compile(r"\s*[A-Z][^:;,]*:[^:;,]*")
"""The value of an invariant, such as `Girth: 5`."""


class _Row(NamedTuple):
    """A list: a vertex, its neighbours, and whether a mark ends it."""

    vertex: str
    others: list[str]
    ended: bool = False


def _row(line: str) -> _Row | None:
    """The list in a line; `None` without a colon after the first word."""
    vertex, colon, others = line.strip().partition(":")
    if not colon or ";" in vertex or len(vertex.split()) != 1:
        return None
    return _Row(vertex.strip(), *_neighbours(others))


def _neighbours(text: str) -> tuple[list[str], bool]:
    """The words of a list, and whether a mark ends it; a missing word between two commas is an empty one."""
    text = text.strip()
    ended = text.endswith((";", "."))
    text = text[:-1].rstrip() if ended else text
    return [part.strip() for part in text.split(",")] if "," in text else text.split(), ended


def list_pieces(lines: Iterable[str]) -> Iterator[Piece]:
    """Graphs of one line per vertex, separated by an empty line, by `Graph 2, order 10.`, or by a number alone."""
    begun: list[str] = []
    count = first = 0
    lists = numbers = numbered = headed = False
    for number, line in enumerate(itertools.chain(lines, ("",)), start=1):
        head = _is_head(line, begun)
        if (lists and (head or not line.strip())) or (headed and head and len(begun) > 1):
            if numbers or headed or not numbered or not all(map(_INVARIANT.fullmatch, begun)):
                count, numbered = count + 1, numbered or numbers
                yield Piece(count, first, "\n".join(begun))
            begun, lists, numbers, headed = [], False, False, False
        if line.strip():
            first = first if begun else number
            headed = headed or head
            begun.append(line.rstrip("\r\n"))
            row = _row(line)
            lists, numbers = lists or row is not None, numbers or (row is not None and row.vertex.isdecimal())
    if begun:
        yield Piece(count + 1, first, "\n".join(begun))


def _is_head(line: str, begun: list[str]) -> bool:
    """Whether a line stands above the lists of a graph: `Graph 2, order 10.`, or `10`, as showg -q writes it."""
    if _ORDER.fullmatch(line):
        return True
    # showg breaks long lines, and a number may be alone on one; but only the last line of a list ends in a semicolon
    return _COUNT.fullmatch(line) is not None and (not begun or begun[-1].rstrip().endswith(";"))


def read_lists(text: str, name: str, directed: bool | None = None) -> MoveGraph:
    """The graph of lines `1: 2 5 6`, with or without `Graph 1, order 10.` or `10` above them.

    Below lists of numbers, House of Graphs writes values of invariants, such as `Girth: 5`. They are left out. Below
    the heading there may be pairs of vertices in place of lists, as `showg -e` writes them.
    """
    piece = only_piece(list_pieces(lines_of(text)))
    order: int | None = None
    rows: list[_Row] = []
    invariants, unended = False, ""
    lines = piece.text.split("\n")
    if (pairs := _pairs_of(lines)) is not None:
        return _graph_of_pairs(*pairs, name, directed)
    for line in lines:
        if match := _ORDER.fullmatch(line) or (None if rows else _COUNT.fullmatch(line)):
            if rows or order is not None:
                raise KTError(f"{line.strip()[:40]!r} stands within a graph")
            order = int(match["order"])
        elif rows and _numbered(rows[0]) and _INVARIANT.fullmatch(line):
            invariants = True
        elif not unended and (row := None if invariants else _row(line)):
            rows.append(row)
        elif rows and not rows[-1].ended and ":" not in line and not invariants:  # showg breaks long lines
            others, ended = _neighbours(line)
            rows[-1] = _Row(rows[-1].vertex, rows[-1].others + others, ended)
            unended = "" if ended else line
        else:
            break
    else:
        line = ""
    if unended:
        raise KTError(f"{unended.strip()[:40]!r} continues a list, and no ';' ends it")
    if line:
        raise KTError(f"{line.strip()[:40]!r} is not a vertex, a colon and its neighbours")
    _require_names(rows)
    labels = labels_of([*(row.vertex for row in rows), *(word for row in rows for word in row.others)])
    if order is not None and order != len(labels):
        raise KTError(f"it has {len(labels):,} vertices, and its first line says {order:,}")
    arcs = [(labels[row.vertex], labels[neighbour]) for row in rows for neighbour in row.others]
    return graph_of_lists(arcs, labels.values(), name, directed, of_nauty=order is not None)


def _pairs_of(lines: list[str]) -> tuple[int, list[int]] | None:
    """How many vertices a graph of `showg -e` has, and the ends of its edges; `None` if this is something else."""
    head = _ORDER.fullmatch(lines[0])
    counts = lines[1].split() if head and len(lines) > 1 else []
    if head is None or len(counts) != 2 or counts[0] != head["order"] or ":" in lines[1]:
        return None
    words = [word for line in lines[2:] for word in line.split()]
    if odd := next((word for word in [*counts, *words] if not re.fullmatch("[0-9]{1,9}", word)), None):
        raise KTError(f"{odd[:40]!r} is not the number of a vertex")
    n, m = map(int, counts)
    if len(words) != 2 * m:
        raise KTError(f"{m:,} edges are declared, and {len(words):,} numbers follow")
    return n, list(map(int, words))


def _graph_of_pairs(n: int, ends: list[int], name: str, directed: bool | None) -> MoveGraph:
    first = 1 if n in ends else 0
    vertices = range(first, first + n)
    if odd := next((end for end in ends if end not in vertices), None):
        raise KTError(f"it names vertex {odd} of {n}, from {first}")
    return graph_of_lists(list(zip(ends[::2], ends[1::2], strict=True)), vertices, name, directed, of_nauty=True)


def _numbered(row: _Row) -> bool:
    return row.vertex.isascii() and row.vertex.isdecimal()


def _require_names(rows: list[_Row]) -> None:
    """Refuse words that are no names: if the first vertex is a number, all are."""
    words = [word for row in rows for word in (row.vertex, *row.others)]
    if odd := next((word for word in words if no_name(word) or re.search(r"[\s:;=]", word)), None):
        raise KTError(f"{odd[:40]!r} is not the name of a vertex")
    if "" in words:
        raise KTError("a vertex is missing before a comma, or at the end of a list")
    numbers = [re.fullmatch("0|[1-9][0-9]{0,17}", word) is not None for word in words]
    if rows and _numbered(rows[0]) and not all(numbers):
        raise KTError(f"{words[numbers.index(False)][:40]!r} is no number, and the first vertex is one")
    if len({row.vertex for row in rows}) < len(rows):
        raise KTError("a vertex has two lists: an empty line is between two graphs")


def _begins_pairs(lines: list[str]) -> bool:
    head, words = _ORDER.fullmatch(lines[0]), lines[1].split()
    return head is not None and len(words) == 2 and words[0] == head["order"]


def fits_lists(text: str) -> bool:
    """Whether the first line is a number, a colon and numbers; or all lines have a name, a colon and names."""
    lines = [line for line in lines_of(text[:100_000]) if line.strip()]
    if lines and _ORDER.fullmatch(lines[0]):  # nauty writes matrices below this heading, too
        return len(lines) > 1 and (":" in lines[1] or _begins_pairs(lines))
    if sign_of(".lst").match(text) or (len(lines) > 1 and _COUNT.fullmatch(lines[0]) and _NUMBERED.fullmatch(lines[1])):
        return True
    rows = [_row(line) for line in lines_of(text) if line.strip() and not _ORDER.fullmatch(line)]
    if not rows or None in rows:
        return False
    words = {word for row in rows if row for word in row.others}
    vertices = {row.vertex for row in rows if row}
    return bool(words & vertices) and not any(no_name(word) or "=" in word for word in words | vertices)


# -- lists of snarks: the neighbours of vertex 0, of vertex 1, ... -----------------------------------------------------


def _rows_of_numbers(line: str) -> list[str] | None:
    words = line.split()
    return words if all(re.fullmatch("[0-9]{1,9}", word) for word in words) else None


def _is_remark(line: str) -> bool:
    return line.lstrip().startswith("{")


def row_pieces(lines: Iterable[str]) -> Iterator[Piece]:
    """Graphs of a file that begins with their number.

    Each has its own number, from 1, that of its vertices, and a line for each vertex, with its neighbours from 0.
    Remarks stand in braces. After a damaged graph the next one begins at its number.
    """
    declared: int | None = None
    numbered = ((place, line) for place, line in enumerate(lines, start=1) if not _is_remark(line))
    count = first = 0
    rows: list[str] = []
    state, n = "number", 0
    for place, line in numbered:
        words = line.split()
        number = int(words[0]) if len(words) == 1 and re.fullmatch("[0-9]{1,9}", words[0]) else None
        if declared is None:
            if not words:
                continue
            if number is None:
                raise KTError(f"line {place}: the first line says how many graphs follow, not {line.strip()[:40]!r}")
            declared = number
        elif state == "number":
            if not words:
                continue
            if number != count + 1:
                count, first, state = count + 1, place, "lost"
                yield Piece(
                    count, place, "", f"line {place}: graph {count} begins with its number, not {line.strip()[:40]!r}"
                )
            elif number > declared:
                count, first, state = number, place, "lost"
                yield Piece(
                    count, place, "", f"line {place}: its first line says {declared:,} graphs, and more are there"
                )
            else:
                count, first, state = number, place, "order"
        elif state == "order":
            if number is None:
                yield Piece(count, first, "", f"line {place}: {line.strip()[:40]!r} is not a number of vertices")
                state = "lost"
            else:
                n, rows, state = number, [str(number)], "rows" if number else "number"
                if not n:
                    yield Piece(count, first, "0")
        elif state == "rows":
            if _rows_of_numbers(line) is None:
                yield Piece(count, first, "", f"line {place}: {line.strip()[:40]!r} are no neighbours")
                state = "lost"
                continue
            rows.append(" ".join(words))
            if len(rows) == n + 1:
                yield Piece(count, first, "\n".join(rows))
                state = "number"
        elif number == count + 1:  # Lost, until the next graph begins
            count, first, state = number, place, "order"
    if state in ("order", "rows"):
        yield Piece(count, first, "", f"line {first}: the file ends within graph {count}")
    elif declared is not None and declared > count:
        yield Piece(count + 1, first, "", f"its first line says {declared:,} graphs, and {count:,} are there")


def read_rows(text: str, name: str) -> MoveGraph:
    """The graph of a list of snarks that holds one, or of lines as `row_pieces` cuts them; vertices count from 0."""
    lines = lines_of(text)
    cut = len(lines) > 1 and re.fullmatch(r"\s*[0-9]{1,9}\s*", lines[0]) and int(lines[0]) == len(lines) - 1
    if not (cut and _rows_fit(lines)):
        piece = only_piece(row_pieces(lines))
        if piece.fault:
            raise KTError(piece.fault)
        lines = piece.text.split("\n")
    n = int(lines[0])
    arcs = [(vertex, int(neighbour)) for vertex, row in enumerate(lines[1:]) for neighbour in row.split()]
    if odd := next((neighbour for _, neighbour in arcs if neighbour >= n), None):
        raise KTError(f"it names vertex {odd} of {n}, from 0")
    if n < 1:
        raise KTError("it has no vertices")
    ends = np.array(arcs, dtype=np.int64).reshape(-1, 2)
    require_both_or_one(ends, range(n))
    return MoveGraph.from_edges(n, ends, name)


def _rows_fit(lines: list[str]) -> bool:
    """Whether lines are those of one graph, without the numbers above it."""
    n = int(lines[0])
    words = [_rows_of_numbers(line) for line in lines[1:]]
    return all(row is not None and all(int(word) < n for word in row) for row in words)


def fits_rows(text: str) -> bool:
    """Whether a text begins like a list of snarks: with three numbers alone on their lines, the second one a 1."""
    lines = [line for line in lines_of(text[:100_000]) if line.strip() and not _is_remark(line)][:4]
    numbers = [_rows_of_numbers(line) for line in lines]
    # Three lines with one number each: how many graphs, the first graph's number, its vertices
    alone = len(lines) > 3 and all(row is not None and len(row) == 1 for row in numbers[:3])
    return bool(alone and numbers[3] and len(numbers[3]) > 1 and numbers[1] == ["1"])


# -- METIS -------------------------------------------------------------------------------------------------------------


def read_metis(text: str, name: str) -> MoveGraph:
    """The graph of a METIS file: `N M [FORMAT [WEIGHTS]]`, then the neighbours of each vertex, from 1, on a line.

    Weights of vertices are left out; weights of edges are weights. METIS has integers only, but NetworKit also writes
    weights of edges with decimals.
    """
    rows = [line.split() for line in lines_of(text) if not line.lstrip().startswith("%")]
    rows = rows[next((place for place, row in enumerate(rows) if row), 0) :]
    if not rows or not 2 <= len(rows[0]) <= 4:
        raise KTError("its first line is not the number of vertices and that of edges")
    n, m, *kind = map(_metis_integer, rows[0])
    code = rows[0][2].zfill(3) if kind else "000"
    if not re.fullmatch("[01]{3}", code):
        raise KTError(f"its format {rows[0][2]} is unknown: it is of three digits, 0 or 1")
    sized, of_vertices, of_edges = (digit == "1" for digit in code)
    if len(kind) > 1 and not (of_vertices and kind[1]):
        raise KTError(f"its first line has a number of weights of vertices, {kind[1]}, and the format {code} has none")
    left_out = sized + of_vertices * (kind[1] if len(kind) > 1 else 1)
    lists = rows[1:]
    # Empty lines are vertices without neighbours, and at the end also nothing
    while len(lists) > n and not lists[-1]:
        lists.pop()
    if len(lists) != n:
        raise KTError(f"{n:,} vertices are declared, and {len(lists):,} lines follow")
    arcs: list[tuple[int, int]] = []
    weights: list[Any] = []
    for vertex, row in enumerate(lists):
        words = row[left_out:]
        if len(row) < left_out or (of_edges and len(words) % 2):
            raise KTError(f"the line of vertex {vertex + 1} lacks a weight")
        for word in row[:left_out]:
            _metis_integer(word)  # Not used, but damage is told
        others = list(map(_metis_integer, words[:: 1 + of_edges]))
        if others and not 1 <= min(others) <= max(others) <= n:
            raise KTError(f"the line of vertex {vertex + 1} names a vertex outside 1..{n}")
        arcs += [(vertex, neighbour - 1) for neighbour in others]
        weights += map(_metis_weight, words[1::2] if of_edges else ())
    ends = np.array(arcs, dtype=np.int64).reshape(-1, 2)
    graph = MoveGraph.from_edges(n, ends, name, range(1, n + 1))
    if len(ends) != 2 * m or not len(ends) == len(distinct_pairs(ends, n + 1)) == 2 * graph.m:
        raise KTError(f"{m:,} edges are declared, each to be listed from both ends, and {len(arcs):,} neighbours are")
    require_both_or_one(ends, range(1, n + 1))
    if weights and max(weights) > MAX_WEIGHT:
        raise KTError("a weight is too large")
    return graph.weighed(ends, weights) if of_edges and graph.m else graph


def _metis_integer(word: str) -> int:
    if not re.fullmatch("[0-9]{1,15}", word):
        raise KTError(f"{word[:20]!r} is not a number of METIS")
    return int(word)


def _metis_weight(word: str) -> Any:
    if re.fullmatch("[0-9]{1,15}", word):
        return int(word)
    if not re.fullmatch(r"[0-9]{1,15}(\.[0-9]{1,22})?([eE][-+]?[0-9]{1,2})?", word):
        raise KTError(f"{word[:20]!r} is not a weight of METIS")
    from decimal import Decimal  # Only decimals need it.

    return Decimal(word)


def fits_metis(text: str) -> bool:
    """Whether all numbers agree with the first line: a list for each vertex, with the right number of neighbours."""
    try:
        read_metis(text, "graph")
    except KTError:
        return False
    return True
