"""A `Problem` from what people write: a board in any form, cells and moves by name, numbers or labels."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Sequence
from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_models.arguments import shown, whole_numbers
from kt_models.board import Board, IntArray
from kt_models.directed import DirectedGraph, SplitGraph
from kt_models.display import register
from kt_models.errors import KTError
from kt_models.files.graphs import graph_of
from kt_models.graph import MoveGraph, parallel_edges
from kt_models.leaper import KNIGHT, Leaper
from kt_models.problem import Problem
from kt_models.symmetry import Symmetry
from kt_models.weights import Weights

if TYPE_CHECKING:
    import networkx
    import numpy.typing as npt

BoardLike = Any
"""Text, a `Board`, a `MoveGraph`, a mask, a list of cells or edges, or a `networkx.Graph`: what `graph_from` reads."""
CellLike = str | Sequence[int] | Hashable
MoveLike = str | tuple[CellLike, CellLike]


def graph_from(board: BoardLike, leaper: Leaper | str | tuple[int, ...] = KNIGHT) -> MoveGraph:
    """The graph of a board in any of its forms.

    Parameters
    ----------
    board
        Text as on the command line (`8x8`, `aztec:5`, a file of a graph); a `Board`; a `MoveGraph`; a Boolean NumPy
        array, True at cells, whose first row is the top one as it is printed; a list of cells, each of two or more
        coordinates; or a graph, whose nodes answers then speak of: a `networkx.Graph`, or a list of edges between
        nodes that are no numbers, as a pair of numbers is a cell.
    leaper
        The piece, where the board has none yet: `1,2`, `(1, 2)` or a `Leaper`.

    Raises
    ------
    KTError
        If it is none of these.
    """
    piece = _leaper(leaper)
    if isinstance(board, MoveGraph):
        return board
    if isinstance(board, DirectedGraph):
        return board.split()
    if isinstance(board, Board):
        return MoveGraph.of(board, piece)
    if isinstance(board, str | os.PathLike):
        return graph_of(os.fspath(board), piece)
    if isinstance(board, np.ndarray) and board.dtype == np.bool_:
        return MoveGraph.of(_board_of_mask(board), piece)
    if hasattr(board, "nodes") and hasattr(board, "edges"):
        return _labelled(board)
    if _are_edges(board):
        return _of_edges(board)
    try:
        cells = [tuple(map(_integer, cell)) for cell in board]
        return MoveGraph.of(Board.from_cells(np.array(cells)), piece)
    except (TypeError, ValueError):
        raise KTError(
            f"board {shown(board)}: a text such as '8x8', a Board, an array of Booleans, a list of cells such as "
            "[(0, 0), (1, 2)] or of edges such as [('a', 'b')], or a networkx.Graph is needed"
        ) from None


def problem_from(
    board: BoardLike,
    *,
    minimize: str | Weights | None = None,
    open: bool = False,
    start: CellLike | None = None,
    end: CellLike | None = None,
    symmetry: str | Symmetry | Iterable[str | Symmetry] = (),
    require: MoveLike | Iterable[MoveLike] = (),
    forbid: MoveLike | Iterable[MoveLike] = (),
    leaper: Leaper | str | tuple[int, ...] = KNIGHT,
) -> Problem:
    """The problem of a tour.

    Parameters
    ----------
    board, leaper
        As `graph_from` reads them; or a `Problem`, and nothing besides.
    minimize
        `turns`, `crossings` or weights of pairs of moves.
    open
        An open tour instead of a closed one.
    start, end
        Cells that an open tour begins and ends at: `a1`, `(0, 0)`, or a node of the graph.
    symmetry
        The tour is symmetric under it, or under each: `rot180`, `rot90`, `mirror-x`, ...
    require, forbid
        Moves that the tour makes, or does not make: `a1-b3`, or pairs of cells.

    Raises
    ------
    KTError
        If something of it makes no sense.
    """
    graph = graph_from(board, leaper)
    if end is not None and not open:
        raise KTError(f"end {shown(end)}: a closed tour has no last cell; say open=True")
    ends = [vertex_from(graph, cell) for cell in (start, end) if cell is not None]
    if len(ends) == 2 and ends[0] == ends[1] and graph.vertex_count > 1:
        raise KTError(f"end {shown(end)}: an open tour cannot end where it starts")
    dimension = graph.board.dimension if graph.board else 2
    symmetries = [symmetry] if isinstance(symmetry, str | Symmetry) else _several("symmetry", symmetry)
    terminals, at_ends = tuple(dict.fromkeys(ends)) if open else (), frozenset[int]()
    if isinstance(graph, SplitGraph):
        graph, terminals = graph.split(open=open), ()
        if open:
            at_ends = graph.edges_at_ends(*(None if v is None else vertex_from(graph, v) for v in (start, end)))
    return Problem(
        graph,
        "path" if open else "cycle",
        minimize,
        terminals,
        _moves(graph, require, parallel=False) | at_ends,
        _moves(graph, forbid, parallel=True),
        tuple(s if isinstance(s, Symmetry) else Symmetry.parse(str(s), dimension) for s in symmetries),
    )


def _leaper(leaper: Any) -> Leaper:
    if isinstance(leaper, Leaper):
        return leaper
    try:
        return Leaper.parse(leaper) if isinstance(leaper, str) else Leaper(*map(_integer, leaper))
    except TypeError:
        raise KTError(f"leaper {shown(leaper)}: a text such as '1,2', or numbers (1, 2)") from None


def _board_of_mask(mask: npt.NDArray[np.bool_]) -> Board:
    if mask.ndim == 2:
        return Board(mask.shape[::-1], np.ascontiguousarray(mask[::-1].T), text="mask")
    return Board.from_cells(np.argwhere(mask))


def _labelled(graph: networkx.Graph) -> MoveGraph:
    name = str(graph.name or "graph")
    if graph.is_directed():
        return DirectedGraph.from_networkx(graph, name).split()
    own, nodes = MoveGraph.from_networkx(graph, name)
    own.labels = tuple(nodes)
    return own


def _are_edges(board: Any) -> bool:
    """Whether this is a list of pairs of nodes, none of them a number."""
    pairs = isinstance(board, list) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in board)
    return pairs and all(isinstance(node, Hashable) and not isinstance(node, Number) for pair in board for node in pair)


def _of_edges(edges: list[tuple[Hashable, Hashable]]) -> MoveGraph:
    number = {node: vertex for vertex, node in enumerate(dict.fromkeys(node for edge in edges for node in edge))}
    own = MoveGraph.from_edges(len(number), [(number[one], number[other]) for one, other in edges])
    own.labels = tuple(number)
    return own


def vertex_from(graph: MoveGraph, cell: Any) -> int:
    """The number of a cell: by its name, its coordinates, its label or, where there is nothing else, its number."""
    if graph.labels is not None and cell in graph.labels:
        return graph.labels.index(cell)
    if isinstance(cell, str):
        return graph.find(cell)
    try:
        if graph.board is not None:
            return graph.board.number([_integer(c) for c in cell])
        number = _integer(cell)
    except TypeError:
        number = -1
    if graph.board is not None or graph.labels is not None or not 0 <= number < graph.vertex_count:
        how = "a cell is written 'a1' or (0, 0)" if graph.board is not None else f"it is not a vertex of {graph.name}"
        raise KTError(f"cell {shown(cell)}: {how}")
    return number


def vertices_from(graph: MoveGraph, cells: Any) -> IntArray:
    """The numbers of cells, each in any form that `vertex_from` reads."""
    if isinstance(cells, np.ndarray) and graph.board is not None:
        rows = whole_numbers(cells, "cells", graph.board.dimension)
        numbers = graph.board.numbers(rows)
        if (numbers < 0).any():
            graph.board.number(rows[int(np.argmax(numbers < 0))].tolist())  # says why it is none
        return numbers
    if isinstance(cells, str) or not isinstance(cells, Iterable):
        raise KTError(f"cells must be a list of cells, such as [(0, 0), (1, 2)] or ['a1', 'b3'], got {shown(cells)}")
    return np.array([vertex_from(graph, cell) for cell in cells], dtype=np.int32)


def _moves(graph: MoveGraph, moves: Any, *, parallel: bool) -> frozenset[int]:
    """Edges, each by the text of a move or by its two cells; one, or several."""
    several = [moves] if isinstance(moves, str) or _is_move(graph, moves) else _several("moves", moves)
    return parallel_edges(graph, [_edge_of(graph, move) for move in several], parallel=parallel)


def _is_move(graph: MoveGraph, pair: Any) -> bool:
    """Whether this is one move, two cells, and not two moves."""
    if not isinstance(pair, tuple) or len(pair) != 2:
        return False
    try:
        return [vertex_from(graph, cell) for cell in pair] != []
    except (KTError, TypeError):
        return False


def _edge_of(graph: MoveGraph, move: Any) -> int:
    if isinstance(move, str):
        return graph.find_edge(move)
    if not isinstance(move, Sequence) or len(move) != 2:
        raise KTError(f"move {shown(move)}: a move is written 'a1-b3', or as a pair of cells")
    return graph.joining(*(vertex_from(graph, cell) for cell in move))


def _several(name: str, values: Any) -> list[Any]:
    if not isinstance(values, Iterable):
        raise KTError(f"{name} {shown(values)}: a text, or a list of texts, is needed")
    return list(values)


def _integer(value: Any) -> int:
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise TypeError
    return int(value)


register(graph=graph_from, vertices=vertices_from)
