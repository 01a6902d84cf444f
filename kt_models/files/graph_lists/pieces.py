"""Lists in forms of text whose graphs are read one by one, as blocks of one graph each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from kt_models.directed import SplitGraph
from kt_models.errors import KTError
from kt_models.files.graph_forms.codes import digraph6_of, sparse6_of
from kt_models.files.graph_forms.form import Piece, read_piece
from kt_models.files.graph_forms.table import GRAPH_FORMS
from kt_models.files.graph_lists.block import DIRECTED, MAX_SMALL, UNDIRECTED, UNREAD, GraphBlock
from kt_models.graph import MoveGraph
from kt_models.kernel.sweeps.bits import Words


def piece_blocks(pieces: Iterable[Piece], form: str, name: str) -> Iterator[GraphBlock]:
    """A block for each graph of a list, as soon as it is cut."""
    for piece in pieces:
        yield block_of(piece, form, name)


def block_of(piece: Piece, form: str, name: str) -> GraphBlock:
    """A block of one graph."""
    rows, size, kind, base = np.empty(0, dtype=np.uint64), UNREAD, UNDIRECTED, 0
    if not piece.fault:
        try:
            graph = read_piece(piece, GRAPH_FORMS[form], name)
            if (small := _bit_sets(graph)) is not None:
                rows, base, directed = small
                size, kind = len(rows), DIRECTED if directed else UNDIRECTED
        except KTError:  # The ordinary reader says it again
            pass
    data = np.frombuffer(piece.text.encode("utf-8", "replace"), dtype=np.uint8)
    records = np.array([[0, len(data), piece.line, size, 0, kind]], dtype=np.int64)
    return GraphBlock(piece.number, data, records, rows, _known, base, pieces={0: piece})


def block_of_graph(graph: MoveGraph) -> GraphBlock:
    """A block of a graph that was read as a whole; its piece is a line of sparse6 or digraph6, without names."""
    if isinstance(graph, SplitGraph):
        line = digraph6_of(graph.directed)
    else:
        line = sparse6_of(graph.n, graph.ends.astype(np.int64))
    return block_of(Piece(1, 1, line), "graph6", graph.name)


def _known(block: GraphBlock, row: int) -> Piece:
    return block.pieces[row]


def _bit_sets(graph: MoveGraph) -> tuple[Words, int, bool] | None:
    """Sets of neighbours of a graph, the name of its first vertex, and whether it is directed; None if it is large, or
    its vertices are not called by numbers that follow each other from 0 or 1.
    """
    directed = isinstance(graph, SplitGraph)
    source = graph.directed if isinstance(graph, SplitGraph) else graph
    n = source.n
    labels = list(range(n)) if source.labels is None else list(source.labels)
    if not 1 <= n <= MAX_SMALL or labels[0] not in (0, 1) or labels != list(range(labels[0], labels[0] + n)):
        return None
    rows = np.zeros(n, dtype=np.uint64)
    bit = np.uint64(1)
    for u, v in (graph.directed.arcs if isinstance(graph, SplitGraph) else graph.ends).tolist():
        rows[u] |= bit << np.uint64(v)
        if not directed:
            rows[v] |= bit << np.uint64(u)
    return rows, labels[0], directed
