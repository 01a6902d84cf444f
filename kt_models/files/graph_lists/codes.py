"""Lists in graph6, sparse6 and digraph6, cut into blocks by a compiled loop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from kt_models.errors import KTError, TooLarge
from kt_models.files.graph_forms.codes import changed_edges, code_of_bit_sets, read_code, sparse6_of
from kt_models.files.graph_forms.form import Piece
from kt_models.files.graph_lists.block import (
    DIRECTED,
    INCREMENTAL,
    KIND,
    LINE,
    MAX_SMALL,
    SIZE,
    UNREAD,
    GraphBlock,
)
from kt_models.files.graph_lists.code_loops import POSITION, PREVIOUS, USED, cut_codes
from kt_models.storage import MAX_FILE_BYTES

BLOCK_GRAPHS = 8192
"""Most graphs of a block: enough that a block costs little beside its graphs, few enough for steady output."""
BLOCK_ROWS = 16 * BLOCK_GRAPHS
"""Most vertices of a block's small graphs."""


def code_blocks(chunks: Iterable[bytes]) -> Iterator[GraphBlock]:
    """Blocks of a list whose bytes come in chunks of any length.

    Raises
    ------
    KTError
        If a line is longer than any file that is read.
    """
    state = np.zeros(4, dtype=np.int64)
    state[PREVIOUS] = UNREAD
    previous = np.zeros(MAX_SMALL, dtype=np.uint64)
    changes = _Changes()
    first = 1
    for data in whole_lines(chunks):
        state[POSITION] = 0
        array = np.frombuffer(data, dtype=np.uint8)
        while state[POSITION] < len(data):
            rows, records = space_for(len(data) - int(state[POSITION]))
            count = cut_codes(array, state, previous, rows, records)
            if count:  # There may be empty lines only
                block = GraphBlock(first, array, records[:count], rows[: state[USED]], _piece, coded=True)
                changes.apply(block)
                yield block
                first += count


def space_for(size: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    """Rows and records for the next block of so many bytes, of which a graph has at least one."""
    rows = min(BLOCK_ROWS, 2 * size + 2 * MAX_SMALL)
    return np.empty(rows, dtype=np.uint64), np.empty((min(BLOCK_GRAPHS, size), 6), dtype=np.int64)


def whole_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes in portions that end with a line.

    A portion ends with a line feed if there is one. Carriage returns alone end lines, too; they are looked for if a
    chunk has no line feed.
    """
    held: list[bytes] = []
    size = 0
    for chunk in _without_mark(chunks):
        end = chunk.rfind(b"\n") + 1
        if not end:
            # A line feed may follow a carriage return at the end
            end = chunk.rfind(b"\r", 0, len(chunk) - 1) + 1
        if end:
            yield b"".join([*held, chunk[:end]])
            held, size = [], 0
        held.append(chunk[end:])
        size += len(chunk) - end
        if size > MAX_FILE_BYTES:
            raise TooLarge(f"a line of it is longer than {MAX_FILE_BYTES:,} bytes, the most that is read")
    if rest := b"".join(held):
        yield rest


def _without_mark(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Chunks without the byte order mark that editors on Windows write in front."""
    begun = False
    for chunk in chunks:
        yield chunk if begun else chunk.removeprefix(b"\xef\xbb\xbf")
        begun = True


def _piece(block: GraphBlock, row: int) -> Piece:
    """The line of a graph; for one that depends on the line before, a line that does not."""
    kind, size = block.records[row, KIND], block.records[row, SIZE]
    if kind == INCREMENTAL and size != UNREAD:
        text = code_of_bit_sets(block.neighbours(row), directed=False)
    else:
        text = block.original(row).decode("utf-8", "replace")
    return Piece(block.first + row, int(block.records[row, LINE]), text)


class _Changes:
    """Incremental lines of large graphs, which have no bit sets: each changes the graph before it."""

    def __init__(self) -> None:
        self._before: str | None = None
        """The line of the undirected graph before, if it is large; None if it is small or damaged."""

    def apply(self, block: GraphBlock) -> None:
        """Make the pieces of large graphs that depend on the line before."""
        records = block.records
        large = np.flatnonzero((records[:, SIZE] == UNREAD) & (records[:, KIND] != DIRECTED))
        undirected = records[:, KIND] != DIRECTED
        before = -1
        for row in large.tolist():
            if undirected[before + 1 : row].any():
                self._before = None
            before = row
            if records[row, KIND] == INCREMENTAL:
                self._change(block, row)
            else:
                self._before = block.original(row).decode("utf-8", "replace")
        if undirected[before + 1 :].any():
            self._before = None

    def _change(self, block: GraphBlock, row: int) -> None:
        number, line = block.first + row, int(block.records[row, LINE])
        try:
            if self._before is None:
                raise KTError("it is incremental sparse6, and there is no graph before it that it could change")
            graph = read_code(self._before, "graph")
            changed = changed_edges(block.original(row).decode("utf-8", "replace"), graph.n)
            edges = set(map(tuple, np.sort(graph.ends, axis=1).tolist()))
            edges ^= {(u, v) for u, v in changed.tolist() if u != v}
            self._before = sparse6_of(graph.n, np.array(sorted(edges), dtype=np.int64).reshape(-1, 2))
            block.pieces[row] = Piece(number, line, self._before)
        except KTError as error:
            self._before = None
            block.pieces[row] = Piece(number, line, "", str(error))
