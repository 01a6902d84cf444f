"""The lines of a list's answers, written by compiled loops: status lines, JSON objects, and the graphs themselves."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from heuristics.small_graphs.properties import WITH_EDGES
from kt_models.files.graph_lists.block import BEGIN, DIRECTED, END, KIND, LINE, ROW, SIZE, Bytes, GraphBlock
from kt_models.jit import kernel
from kt_models.json_version import FORMAT_VERSION
from kt_models.kernel.sweeps.bits import bare_kernel

if TYPE_CHECKING:
    from encoders.many import Outcome, Question

NUMBER_WIDTH, STATUS_WIDTH = 6, 10
"""Columns of a status line."""
_NO, _YES, _UNKNOWN = 0, 1, 2
_DIGITS = 20
"""Most digits of a number."""
_SPACE, _FEED, _ZERO = 32, 10, 48


def _bytes(text: str) -> Bytes:
    return np.frombuffer(text.encode(), dtype=np.uint8)


@bare_kernel
def _put(out: Any, at: int, text: Any) -> int:
    for place in range(len(text)):
        out[at + place] = text[place]
    return at + len(text)


@bare_kernel
def _put_number(out: Any, at: int, number: int, width: int) -> int:
    digits = 1
    rest = number // 10
    while rest:
        digits += 1
        rest //= 10
    while width > digits:
        out[at] = _SPACE
        at += 1
        width -= 1
    rest = number
    for place in range(at + digits - 1, at - 1, -1):
        out[place] = _ZERO + rest % 10
        rest //= 10
    return at + digits


@kernel(
    "int64(int64[:, ::1], uint8[::1], uint8[:, ::1], boolean, int64, int64, uint8[::1], uint8[::1], uint8[::1], "
    "uint8[::1], int64[::1])"
)
def _status_lines(
    records: Any,
    statuses: Any,
    orders: Any,
    with_orders: bool,
    first: int,
    base: int,
    letters: Any,
    yes: Any,
    no: Any,
    out: Any,
    ends: Any,
) -> int:
    """Write a status line for each answered graph; `ends` gets where each line ends."""
    at = 0
    for g in range(len(statuses)):
        if statuses[g] != _UNKNOWN:
            at = _put_number(out, at, first + g, NUMBER_WIDTH)
            at = _put(out, at, yes if statuses[g] == _YES else no)
            if statuses[g] == _YES and with_orders:
                for place in range(records[g, SIZE]):
                    out[at] = _SPACE
                    at += 1
                    if len(letters):
                        out[at] = letters[orders[g, place]]
                        at += 1
                    else:
                        at = _put_number(out, at, base + orders[g, place], 0)
            out[at] = _FEED
            at += 1
        ends[g] = at
    return at


def status_lines(
    block: GraphBlock, outcome: Outcome, yes: str, no: str, why: str
) -> tuple[Bytes, npt.NDArray[np.int64]]:
    """Status lines of the answered graphs of a block, and where each ends.

    Parameters
    ----------
    yes, no
        The words for the statuses.
    why
        What a line says behind `no`.
    """
    orders = outcome.orders
    with_orders = orders is not None
    count = len(block)
    size = count * (_DIGITS + len(yes + no + why) + STATUS_WIDTH) + 3 * int(np.maximum(block.records[:, SIZE], 0).sum())
    out, ends = np.empty(size, dtype=np.uint8), np.empty(count, dtype=np.int64)
    words = f"  {yes:<{STATUS_WIDTH}} " if with_orders else f"  {yes}", f"  {no:<{STATUS_WIDTH}}  {why}".rstrip()
    length = _status_lines(
        block.records,
        outcome.statuses,
        np.empty((0, 0), dtype=np.uint8) if orders is None else orders,
        with_orders,
        block.first,
        block.label_base,
        _bytes(block.names),
        *map(_bytes, words),
        out,
        ends,
    )
    return out[:length], ends


_PAIR, _BETWEEN, _CLOSE, _COMMA = _bytes("["), _bytes(", "), _bytes("]"), _bytes(", ")


@bare_kernel
def _put_label(out: Any, at: int, vertex: int, base: int, letters: Any) -> int:
    if len(letters):
        out[at] = 34
        out[at + 1] = letters[vertex]
        out[at + 2] = 34
        return at + 3
    return _put_number(out, at, base + vertex, 0)


@kernel(
    "int64(int64[:, ::1], uint64[::1], uint8[::1], uint8[:, ::1], boolean, int64, int64, uint8[::1], uint8[::1], "
    "uint8[::1], uint8[::1], int64[::1], int64[::1])"
)
def _json_lines(
    records: Any,
    rows: Any,
    statuses: Any,
    orders: Any,
    with_orders: bool,
    first: int,
    base: int,
    letters: Any,
    texts: Any,
    labelled: Any,
    out: Any,
    places: Any,
    ends: Any,
) -> int:
    """Write an object for each answered graph; `texts` has the fixed parts, which end at `places`."""
    at = 0
    for g in range(len(statuses)):
        if statuses[g] != _UNKNOWN:
            feasible = statuses[g] == _YES
            n = records[g, SIZE]
            directed = records[g, KIND] == DIRECTED
            at = _put(out, at, texts[: places[0]])
            at = _put_number(out, at, first + g, 0)
            at = _put(out, at, texts[places[0] : places[1]])
            at = _put_number(out, at, records[g, LINE], 0)
            part = 1 if feasible else 2
            at = _put(out, at, texts[places[part] : places[part + 1]])
            at = _put_number(out, at, first + g, 0)
            at = _put(out, at, texts[places[3] : places[4]])
            at = _put_number(out, at, n, 0)
            part = 5 if directed else 4
            at = _put(out, at, texts[places[part] : places[part + 1]])
            more = False
            for u in range(n):
                near = rows[records[g, ROW] + u]
                for v in range(0 if directed else u + 1, n):
                    if (near >> np.uint64(v)) & np.uint64(1):
                        if more:
                            at = _put(out, at, _COMMA)
                        more = True
                        at = _put(out, at, _PAIR)
                        at = _put_number(out, at, u, 0)
                        at = _put(out, at, _BETWEEN)
                        at = _put_number(out, at, v, 0)
                        at = _put(out, at, _CLOSE)
            at = _put(out, at, _CLOSE)
            if len(labelled):
                at = _put(out, at, labelled)
                for u in range(n):
                    if u:
                        at = _put(out, at, _COMMA)
                    at = _put_label(out, at, u, base, letters)
                at = _put(out, at, _CLOSE)
            at = _put(out, at, texts[places[6] : places[7]])
            if feasible and with_orders:
                at = _put(out, at, texts[places[7] : places[8]])
                for place in range(n):
                    at = _put(out, at, _COMMA) if place else at
                    at = _put(out, at, _PAIR)
                    at = _put_number(out, at, orders[g, place], 0)
                    at = _put(out, at, _CLOSE)
                at = _put(out, at, _CLOSE)
            part = 8 if feasible else 9
            at = _put(out, at, texts[places[part] : places[part + 1]])
        ends[g] = at
    return at


def json_lines(
    block: GraphBlock, outcome: Outcome, yes: str, no: str, name: str, *, closed: bool
) -> tuple[Bytes, npt.NDArray[np.int64]]:
    """JSON objects of the answered graphs of a block, a line each, and where each ends.

    Parameters
    ----------
    name
        Name of the list.
    closed
        Whether cycles were looked for.
    """
    board, kind = json.dumps(name)[1:-1], json.dumps("cycle" if closed else "path")
    seconds = f"{outcome.seconds / max(1, len(block)):.7f}"
    known = f', "engine": "{ENGINE}", "seconds": {seconds}, "how": '
    place = '"line": ' if block.in_lines else '"byte": '
    orders = outcome.orders
    parts = [
        f'{{"version": {FORMAT_VERSION}, "number": ',
        f", {place}",
        f', "kind": "result", "status": "{yes}", "board": "{board} (',
        f', "kind": "result", "status": "{no}", "board": "{board} (',
        ')", "vertices": ',
        ', "edges": [',
        ', "arcs": [',
        f', "connectivity": {kind}, "closed": {"true" if closed else "false"}',
        ', "tour": [',
        f'{known}"tour verified"}}\n',
        f'{known}"exhaustive"}}\n',
    ]
    encoded = [part.encode() for part in parts]
    labels = ', "labels": [' if block.label_base or block.names else ""
    bits = int(np.bitwise_count(block.rows).sum())
    vertices = int(np.maximum(block.records[:, SIZE], 0).sum())
    size = len(block) * (sum(map(len, encoded)) + len(labels) + 4 * _DIGITS) + 10 * bits + 12 * vertices
    out, ends = np.empty(size, dtype=np.uint8), np.empty(len(block), dtype=np.int64)
    length = _json_lines(
        block.records,
        block.rows,
        outcome.statuses,
        np.empty((0, 0), dtype=np.uint8) if orders is None else orders,
        orders is not None,
        block.first,
        block.label_base,
        _bytes(block.names),
        np.frombuffer(b"".join(encoded), dtype=np.uint8),
        _bytes(labels),
        out,
        np.cumsum([len(part) for part in encoded]),
        ends,
    )
    return out[:length], ends


ENGINE = "bit-sets"
"""The name of the compiled search."""


@kernel("int64(uint8[::1], int64[:, ::1], boolean[::1], uint8[::1], int64[::1])")
def _same_lines(data: Any, records: Any, chosen: Any, out: Any, ends: Any) -> int:
    """Copy the lines of chosen graphs; `ends` gets where each ends."""
    at = 0
    for g in range(len(records)):
        if chosen[g]:
            at = _put(out, at, data[records[g, BEGIN] : records[g, END]])
            out[at] = _FEED
            at += 1
        ends[g] = at
    return at


def same_lines(block: GraphBlock, chosen: npt.NDArray[np.bool_]) -> tuple[Bytes, npt.NDArray[np.int64]]:
    """The lines of chosen graphs, unchanged, and where each ends."""
    lengths = block.records[:, END] - block.records[:, BEGIN] + 1
    out, ends = np.empty(int(lengths.sum()), dtype=np.uint8), np.empty(len(block), dtype=np.int64)
    length = _same_lines(block.data, block.records, chosen, out, ends)
    return out[:length], ends


def row_json(block: GraphBlock, outcome: Outcome, row: int, question: Question, name: str) -> bytes:
    """The JSON object of a count or a property of one graph, and a line feed."""
    n, directed = int(block.records[row, SIZE]), bool(block.records[row, KIND] == DIRECTED)
    near = [int(word) for word in block.neighbours(row)]
    edges = [[u, v] for u in range(n) for v in range(0 if directed else u + 1, n) if near[u] >> v & 1]
    yes = outcome.statuses[row] == _YES
    data: dict[str, Any] = {"version": FORMAT_VERSION, "number": block.first + row}
    data["line" if block.in_lines else "byte"] = int(block.records[row, LINE])
    data |= {"kind": "enumeration" if outcome.counts is not None else "property"}
    data |= {"status": question.statuses[0 if yes else 1], "board": f"{name} ({block.first + row})", "vertices": n}
    data["arcs" if directed else "edges"] = edges
    if block.label_base or block.names:
        data["labels"] = list(block.names[:n]) if block.names else list(range(block.label_base, block.label_base + n))
    if outcome.counts is not None:
        count = int(outcome.counts[row])
        complete = count < (question.at_least or question.enough or count + 1)
        data |= {"connectivity": "cycle" if question.closed else "path", "closed": question.closed}
        data |= {"at_least": question.at_least} if question.at_least is not None else {}
        data |= {"complete": complete, "up_to_symmetry": False, "count": count}
    else:
        data["property"] = question.property_name
        if outcome.marks is not None and question.property_name in WITH_EDGES and yes:
            data["named_edges"] = outcome.edges(block, row, directed=directed)
    data |= {"engine": ENGINE, "seconds": round(outcome.seconds / len(block), 7)}
    return json.dumps(data).encode() + b"\n"
