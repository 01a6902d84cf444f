"""Lists in binary forms, and in plantri's letters, cut into blocks by compiled loops."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.errors import KTError, TooLarge
from kt_models.files.graph_forms.form import Piece, only_piece
from kt_models.files.graph_lists.block import KIND, LINE, MAX_SMALL, SIZE, UNDIRECTED_LITTLE, UNREAD, GraphBlock
from kt_models.files.graph_lists.byte_loops import (
    EDGES,
    FAULT,
    MULTI,
    OFFSET,
    PLANAR,
    POSITION,
    USED,
    cut_bytes,
    cut_letters,
    cut_short_codes,
)
from kt_models.files.graph_lists.codes import space_for, whole_lines
from kt_models.files.suffixes import GRAPH_SUFFIXES
from kt_models.storage import MAX_FILE_BYTES

BYTE_FORMS = {"planar_code": PLANAR, "multi_code": MULTI, "edge_code": EDGES}
"""Binary forms with a header, by name, and their codes in the loop."""
LETTERS, SHORT_CODES = "letters", "scd"
"""Other forms that are read as bytes: those of plantri -a, and of GENREG."""
STREAM_FORMS = (*BYTE_FORMS, LETTERS, SHORT_CODES)
"""Forms whose lists and single graphs are read as bytes."""
MAX_LETTERS = 30
"""Most vertices whose letters, from a to ~, can be printed."""
_LETTERS = "".join(map(chr, range(97, 97 + MAX_LETTERS)))
_HEADER = re.compile(rb">>(planar_code|multi_code|edge_code)(?: [a-z]+)?<<")
_LINE = re.compile(rb"\s*[0-9]{1,3} [a-\xff]*(?:,[a-\xff]*)+\s*$")
_NAME = re.compile(r"0*(\d+)_0*(\d+)_\d+(?:-[\w.]+)?")


def stream_form(head: bytes, suffix: str) -> str | None:
    """The form of a list that is read as bytes, by its beginning or the suffix of its file."""
    if header := _HEADER.match(head):
        return header[1].decode()
    if named := GRAPH_SUFFIXES.get(suffix):
        return named[0] if named[0] in STREAM_FORMS else None
    line = head[: head.find(b"\n") if b"\n" in head else None]
    return LETTERS if _LINE.match(line) and line.count(b",") + 1 == int(line.split()[0]) else None


def stream_blocks(chunks: Iterable[bytes], form: str, name: str) -> Iterator[GraphBlock]:
    """Blocks of a list in one of the `STREAM_FORMS`.

    Parameters
    ----------
    name
        Name of the file. That of GENREG's short codes says how many vertices the graphs have, and their degree.

    Raises
    ------
    KTError
        If the list is damaged or ends within a graph, when all graphs before that have been given.
    """
    if form == LETTERS:
        return _letter_blocks(chunks)
    if form == SHORT_CODES:
        return _short_code_blocks(chunks, name)
    return _byte_blocks(chunks, form)


def _byte_blocks(chunks: Iterable[bytes], form: str) -> Iterator[GraphBlock]:
    state = np.zeros(6, dtype=np.int64)

    def cut(data: npt.NDArray[np.uint8], rows: Any, records: Any) -> int:
        return int(cut_bytes(data, state, BYTE_FORMS[form], rows, records))

    def piece(block: GraphBlock, row: int) -> Piece:
        little = block.records[row, KIND] == UNDIRECTED_LITTLE
        return _lists(block, row, lambda data: _edges_of(data, form, little=little))

    return _cut(chunks, state, cut, piece, 0 if form == "edge_code" else 1)


def _short_code_blocks(chunks: Iterable[bytes], name: str) -> Iterator[GraphBlock]:
    match = _NAME.match(name)
    if not match:
        raise KTError("a list of short codes has a name such as 12_3_3.scd: vertices, degree and girth; rename it")
    n, degree = int(match[1]), int(match[2])
    if not 2 <= n <= MAX_SMALL or not 1 <= degree < n or n * degree % 2:
        raise KTError(f"its name says {n} vertices of degree {degree}, and there is no such graph of up to {MAX_SMALL}")
    state, code = np.zeros(6, dtype=np.int64), np.zeros(n * degree // 2, dtype=np.uint8)

    def cut(data: npt.NDArray[np.uint8], rows: Any, records: Any) -> int:
        return int(cut_short_codes(data, state, n, degree, code, rows, records))

    yield from _cut(chunks, state, cut, lambda block, row: _lists(block, row, None), 1)


def _cut(
    chunks: Iterable[bytes],
    state: npt.NDArray[np.int64],
    cut: Callable[[npt.NDArray[np.uint8], Any, Any], int],
    piece_of: Callable[[GraphBlock, int], Piece],
    label_base: int,
) -> Iterator[GraphBlock]:
    """Blocks of a list whose graphs follow each other without a mark."""
    held = b""
    first = 1
    for chunk in chunks:
        data = held + chunk
        if len(data) > MAX_FILE_BYTES:
            raise TooLarge(f"a graph of it is longer than {MAX_FILE_BYTES:,} bytes, the most that is read")
        array = np.frombuffer(data, dtype=np.uint8)
        state[POSITION] = 0
        count = -1
        while count and state[POSITION] < len(data):
            rows, records = space_for(len(data) - int(state[POSITION]))
            count = cut(array, rows, records)
            if count:
                yield GraphBlock(
                    first, array, records[:count], rows[: state[USED]], piece_of, label_base, in_lines=False
                )
                first += count
            if state[FAULT]:
                byte = int(state[OFFSET] + state[POSITION]) + 1
                raise KTError(f"graph {first}, from byte {byte:,} on, is damaged, and no graph after it can be found")
        held = data[int(state[POSITION]) :]
        state[OFFSET] += state[POSITION]
    if held and not _HEADER.fullmatch(held):
        raise KTError(f"it ends within graph {first}, which begins at byte {int(state[OFFSET]) + 1:,}")


def _letter_blocks(chunks: Iterable[bytes]) -> Iterator[GraphBlock]:
    state = np.zeros(6, dtype=np.int64)
    first = 1
    for data in whole_lines(chunks):
        array = np.frombuffer(data, dtype=np.uint8)
        state[POSITION] = 0
        while state[POSITION] < len(data):
            rows, records = space_for(len(data) - int(state[POSITION]))
            count = int(cut_letters(array, state, rows, records))
            if count:
                sizes = records[:count, SIZE]
                names = _LETTERS if sizes.max() <= MAX_LETTERS else ""
                yield GraphBlock(first, array, records[:count], rows[: state[USED]], _letter_piece, 1, names)
                first += count


def _letter_piece(block: GraphBlock, row: int) -> Piece:
    if block.records[row, SIZE] == UNREAD:
        fault = "a line has the number of vertices, at most 64, and for each its neighbours, from both ends: 3 bc,ac,ab"
        return Piece(block.first + row, int(block.records[row, LINE]), "", fault)
    return _lists(block, row, None)


def _lists(block: GraphBlock, row: int, edges_of: Callable[[bytes], tuple[int, list[tuple[int, int]]]] | None) -> Piece:
    """The piece of a graph: lists of neighbours, from both ends."""
    number, line, n = block.first + row, int(block.records[row, LINE]), int(block.records[row, SIZE])
    near: list[list[int]]
    if n != UNREAD:
        sets = [int(word) for word in block.neighbours(row)]
        near = [[v for v in range(n) if sets[u] >> v & 1] for u in range(n)]
    else:
        assert edges_of is not None
        try:
            n, pairs = edges_of(block.original(row))
        except KTError as error:
            return Piece(number, line, "", str(error))
        near = [[] for _ in range(n)]
        for u, v in pairs:
            near[u].append(v)
            near[v].append(u)
    names = [block.name_of(v) for v in range(n)]
    text = "\n".join(f"{names[u]}: {' '.join(names[v] for v in others)}".rstrip() for u, others in enumerate(near))
    return Piece(number, line, text)


def _edges_of(data: bytes, form: str, *, little: bool) -> tuple[int, list[tuple[int, int]]]:
    """The number of vertices of a graph of any size, and its edges, once each or more often, by vertices from 0."""
    if form == "edge_code":
        return _edges_of_edge_code(data)
    wide = data[0] == 0
    numbers = np.frombuffer(data[wide:], dtype=("<u2" if little else ">u2") if wide else "u1").astype(np.int64)
    n, body = int(numbers[0]), numbers[1:]
    tails = np.cumsum(body == 0)
    heads = body[body > 0] - 1
    tails = tails[body > 0]
    if form == "planar_code":
        arcs = set(zip(tails.tolist(), heads.tolist(), strict=True))
        if odd := next((arc for arc in arcs if arc[::-1] not in arcs), None):
            raise KTError(f"vertex {odd[0] + 1} lists {odd[1] + 1}, which does not list it")
    return n, list(zip(tails.tolist(), heads.tolist(), strict=True))


def _edges_of_edge_code(data: bytes) -> tuple[int, list[tuple[int, int]]]:
    at, width = 1, 1
    if data[0] == 0:
        at, width = 2 + (data[1] >> 4), data[1] & 15
    ends: dict[int, list[int]] = {}
    vertex = 0
    while at < len(data):
        if data[at] == 255:
            vertex, at = vertex + 1, at + 1
            continue
        ends.setdefault(int.from_bytes(data[at : at + width], "big"), []).append(vertex)
        at += width
    if odd := next((edge for edge, pair in ends.items() if len(pair) != 2), None):
        raise KTError(f"edge {odd} has {len(ends[odd])} ends")
    return vertex + 1, [(pair[0], pair[1]) for pair in ends.values()]


def only_graph(data: bytes, form: str, name: str) -> Piece:
    """The only graph of a file in one of the `STREAM_FORMS`, as lists of neighbours.

    Raises
    ------
    KTError
        If there is no graph, or more than one, or the file is damaged.
    """
    blocks = stream_blocks([data], form, name)
    return only_piece(block.piece(row) for block in blocks for row in range(len(block)))
