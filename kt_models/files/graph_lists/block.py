"""`GraphBlock`: some graphs of a list, their bytes, and the neighbours of their vertices as bit sets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from kt_models.files.graph_forms.form import Piece
from kt_models.kernel.sweeps.bits import Words

MAX_SMALL = 64
"""Most vertices of a graph whose sets of neighbours are words."""
BEGIN, END, LINE, SIZE, ROW, KIND = range(6)
"""Columns of `GraphBlock.records`."""
UNDIRECTED, DIRECTED, INCREMENTAL, UNDIRECTED_LITTLE = range(4)
"""Kinds of a record. An incremental one says how an undirected graph differs from the one before; the last kind has
little-endian numbers, if they have two bytes."""
UNREAD = -1
"""Size of a record that has no bit sets: the graph is large, or the record is damaged."""

Bytes = npt.NDArray[np.uint8]
Records = npt.NDArray[np.int64]


@dataclass(frozen=True)
class GraphBlock:
    """Some graphs of a list that follow each other.

    Parameters
    ----------
    first
        Number of the first graph in the list, from 1.
    data
        The bytes in which the graphs stand.
    records
        A row for each graph, shape (count, 6): where its bytes begin and end, the line (or byte, in a binary form) of
        the list where it begins, from 1, the number of its vertices or `UNREAD`, its first row in `rows`, and its kind.
    rows
        For each vertex of each graph the set of its neighbours; of a directed graph, of the heads of its arcs.
    piece_of
        Makes the text of the graph in a row of `records`, for the ordinary readers.
    label_base
        The number by which the first vertex is called.
    names
        Names of the vertices by number, a letter each, if they are not numbers.
    in_lines
        Whether the list has lines; otherwise records say the byte where a graph begins.
    coded
        Whether each record is a line of graph6, sparse6 or digraph6.
    read
        How many bytes of the file had been read when the block was cut.
    """

    first: int
    data: Bytes
    records: Records
    rows: Words
    piece_of: Callable[[GraphBlock, int], Piece]
    label_base: int = 0
    names: str = ""
    in_lines: bool = True
    coded: bool = False
    read: int = 0
    pieces: dict[int, Piece] = field(default_factory=dict)
    """Pieces that are known already, by the row of the graph."""

    def __len__(self) -> int:
        return len(self.records)

    def piece(self, row: int) -> Piece:
        """One of the graphs, for the ordinary readers."""
        known = self.pieces.get(row)
        return self.piece_of(self, row) if known is None else known

    def position(self, row: int) -> int:
        """How many bytes of the file come before the end of a graph; if it is compressed, about as many."""
        return self.read - len(self.data) + int(self.records[row, END])

    def original(self, row: int) -> bytes:
        """The bytes of a graph, as they stand in the list."""
        return self.data[self.records[row, BEGIN] : self.records[row, END]].tobytes()

    def name_of(self, vertex: int) -> str:
        """The name of a vertex in the list."""
        return self.names[vertex] if self.names else str(vertex + self.label_base)

    def neighbours(self, row: int) -> Words:
        """The sets of neighbours of one of the small graphs."""
        start, size = self.records[row, ROW], self.records[row, SIZE]
        return self.rows[start : start + size]


def regrouped(blocks: Iterable[GraphBlock], size: int) -> Iterator[GraphBlock]:
    """Blocks of a fixed number of graphs, the last one of fewer, which can be sent to other processes.

    Their bytes are those of their graphs alone; and graphs without bit sets have their pieces.
    """
    held: list[GraphBlock] = []
    count = 0
    for block in blocks:
        begin = 0
        while begin < len(block):
            end = min(len(block), begin + size - count)
            held.append(_part(block, begin, end))
            count += end - begin
            begin = end
            if count == size:
                yield _joined(held)
                held, count = [], 0
    if held:
        yield _joined(held)


def _part(block: GraphBlock, begin: int, end: int) -> GraphBlock:
    """Some rows of a block, with their pieces where there are no bit sets, or no lines to read again."""
    records = block.records[begin:end].copy()
    apart = (records[:, SIZE] == UNREAD) | (not block.coded) | (records[:, KIND] == INCREMENTAL)
    pieces = {row: block.piece(begin + row) for row in np.flatnonzero(apart).tolist()}
    return replace(block, first=block.first + begin, records=records, piece_of=known_piece, pieces=pieces)


def _joined(parts: list[GraphBlock]) -> GraphBlock:
    """One block of several that follow each other."""
    records, data, rows = [], [], []
    pieces: dict[int, Piece] = {}
    at = row = count = 0
    for part in parts:
        sizes = np.maximum(part.records[:, SIZE], 0)
        begin, end = int(part.records[0, BEGIN]), int(part.records[-1, END])
        first = int(part.records[0, ROW])
        whole = int(part.records[-1, ROW] + sizes[-1]) - first
        moved = part.records.copy()
        moved[:, [BEGIN, END]] += at - begin
        moved[:, ROW] += row - first
        records.append(moved)
        data.append(part.data[begin:end])
        rows.append(part.rows[first : first + whole])
        pieces |= {count + place: piece for place, piece in part.pieces.items()}
        at, row, count = at + end - begin, row + whole, count + len(part)
    return replace(
        parts[0],
        data=np.concatenate(data),
        records=np.concatenate(records),
        rows=np.concatenate(rows),
        pieces=pieces,
        read=parts[-1].position(-1),
        names=parts[0].names if len({part.names for part in parts}) == 1 else "",
    )


def known_piece(block: GraphBlock, row: int) -> Piece:
    """The piece of a graph whose bytes are the line of a code."""
    text = block.original(row).decode("utf-8", "replace")
    return Piece(block.first + row, int(block.records[row, LINE]), text)


def one_row(block: GraphBlock, row: int) -> GraphBlock:
    """The block of one of a block's graphs."""
    pieces = {0: block.pieces[row]} if row in block.pieces else {}
    return replace(block, first=block.first + row, records=block.records[row : row + 1], pieces=pieces)
