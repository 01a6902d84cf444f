"""`GraphBlock`: some graphs of a list, their bytes, and the neighbours of their vertices as bit sets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from kt_models.files.graph_forms.form import Piece
from kt_models.sweeps.bits import Words

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
    pieces: dict[int, Piece] = field(default_factory=dict)
    """Pieces that are known already, by the row of the graph."""

    def __len__(self) -> int:
        return len(self.records)

    def piece(self, row: int) -> Piece:
        """One of the graphs, for the ordinary readers."""
        known = self.pieces.get(row)
        return self.piece_of(self, row) if known is None else known

    def original(self, row: int) -> bytes:
        """The bytes of a graph, as they stand in the list."""
        return self.data[self.records[row, BEGIN] : self.records[row, END]].tobytes()

    def name_of(self, vertex: int) -> str:
        """What a vertex is called in the list."""
        return self.names[vertex] if self.names else str(vertex + self.label_base)

    def neighbours(self, row: int) -> Words:
        """The sets of neighbours of one of the small graphs."""
        start, size = self.records[row, ROW], self.records[row, SIZE]
        return self.rows[start : start + size]


def one_row(block: GraphBlock, row: int) -> GraphBlock:
    """The block of one of a block's graphs."""
    pieces = {0: block.pieces[row]} if row in block.pieces else {}
    return replace(block, first=block.first + row, records=block.records[row : row + 1], pieces=pieces)
