"""Graphs from Python data: masks, cells, edges, adjacency.

Nothing is guessed: ambiguous data are refused, with the keyword that decides.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from contextlib import nullcontext
from functools import partial, reduce
from itertools import islice
from numbers import Number
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
import numpy.typing as npt

from kt_models.arguments import array_of, items_of, require_path
from kt_models.board import MAX_DIMENSION, Board
from kt_models.cells import parse_cell
from kt_models.decimals import is_decimal
from kt_models.directed import DirectedGraph
from kt_models.errors import KTError, excerpt, saying
from kt_models.files.edge_lists import vertices_in_order, weight_of, weighted_graph
from kt_models.files.graph_forms.entries import choices_from, graph_of_entries
from kt_models.files.graph_forms.form import NO_CHOICES, FormChoices, graph_of_networkx
from kt_models.files.graphs import read_graph, with_moves
from kt_models.files.suffixes import is_path
from kt_models.files.vertices import few_integers
from kt_models.graph import MoveGraph, distinct_pairs
from kt_models.leaper import MAX_PARTS, Leaper, Rider, parse_piece

if TYPE_CHECKING:
    import networkx

BoardLike = Any
"""Everything that `graph_from` reads: text, a `Board`, a `MoveGraph`, a mask, a list of cells or edges, a networkx
graph."""


class BoardKeywords(TypedDict, total=False):
    """Keywords in place of a board."""

    cells: Iterable[Any] | str | None
    edges: Iterable[Any] | None
    adjacency: Any
    points: Any
    pos: Any
    precision: Any
    directed: bool | None
    missing: Any


FORM = frozenset(BoardKeywords.__annotations__)
FORMS = (
    "a text such as '8x8', a Board, a mask (an array or nested list of 0 and 1), a list of cells of three or more "
    "coordinates, of edges such as [('a', 'b')], a networkx.Graph, igraph.Graph or sparse matrix, or one of the "
    "keywords cells=, edges=, adjacency=, points="
)
"""Forms of boards and graphs that are read."""
DRAWN = ("#", ".", "0", "1")
"""Characters of drawn masks."""
WAYS = {
    "cells": "cells= takes cells with the same number of coordinates, such as [(0, 0), (1, 2)] or ['a1', 'b3']",
    "edges": "edges= takes pairs of nodes, such as [(0, 1), (1, 2)], or all with a weight, (0, 1, 5)",
    "adjacency": "adjacency= takes a square matrix of 0 and 1 or of weights, or a dictionary from each node to its "
    "neighbours",
    "points": "points= takes points of two or three coordinates, [(0, 0), (2.5, 1)], or a mapping from names to "
    "points; edges= may be complete, delaunay, nearest:8, within:1.5 or a list of pairs",
    "networkx": "networkx.Graph and DiGraph are read, with nodes of different names",
    "igraph": "igraph.Graph is read, directed or not, with vertices of different names",
}
"""Forms by keyword."""


def graph_from(
    board: BoardLike | None = None,
    leaper: Leaper | Rider | str | tuple[int, ...] | None = None,
    *,
    cells: Iterable[Any] | str | None = None,
    edges: Iterable[Any] | None = None,
    adjacency: Any = None,
    points: Any = None,
    pos: Any = None,
    precision: Any = None,
    directed: bool | None = None,
    missing: Any = None,
) -> MoveGraph:
    """The graph of a board in any form.

    Parameters
    ----------
    board
        Text as on the command line (`8x8`, `aztec:5`, a file of a graph); a `Board`; a `MoveGraph`; a mask: an array or
        nested list of 0 and 1, or of Booleans, whose first row is the top one as it is printed (in three dimensions and
        more it is indexed by x, y, z, ...); a list of cells of three or more coordinates; or a graph, whose nodes
        appear in answers: a `networkx.Graph`, or a list of edges between nodes that are not numbers.
    leaper
        The piece, if the board has none: `1,2`, `(1, 2)` or a `Leaper`; a sum, `0,1+1,1`, or a name, `king`; the
        knight by default.
    cells
        In place of `board`: cells of two or more coordinates, `[(0, 0), (1, 2)]`, or their names. Beside a mask, a
        text: the signs of its cells, such as `"."` for the floor of a map; all other signs are holes.
    edges
        In place of `board`: pairs of nodes of any kind, with a weight each or without: `[(0, 1), (1, 2)]`. With
        `points` or `cells`: pairs of these, or `complete`, `delaunay`, `nearest:8` or `within:1.5`.
    adjacency
        In place of `board`: a matrix (an array, a nested list, or sparse as SciPy has it), or a dictionary from each
        node to its neighbours; the graph is directed if it is not symmetric. If all entries are 0 or 1, 0 is no edge;
        otherwise the entries off the diagonal are weights. Entries that a sparse matrix does not store are no edges.
    points
        In place of `board`: points in the plane or in space, `[(0, 0), (2.5, 1)]`, an array, a mapping from names to
        points, or those of Shapely and GeoPandas; `edges` joins them, by default all. Floats mean their decimals.
    pos
        Positions of the vertices of a graph: a mapping from nodes to points, points in the order of the vertices, or
        the name of a node attribute. By default the attributes `pos`, or `x` and `y`, are read.
    precision
        The precision of lengths, a power of ten; by default a millionth of the largest extent, or less.
    directed
        Whether the graph is directed: `edges` are arcs from first to second node, and `adjacency` leads from rows to
        columns. By default `edges` are undirected, and `adjacency` is directed if it is not symmetric. It also decides
        about the file of a graph that may be either.
    missing
        Entries of a matrix that mean that there is no edge: a number such as 0, `inf` or NaN, or several; `()` if all
        pairs are edges. It is needed if entries off the diagonal may be weights or say that there is no edge.

    Raises
    ------
    KTError
        If the board has none of these forms, not exactly one is given, or a graph has other moves than the leaper.
    """
    choices = choices_from(None, directed, missing)
    signs, cells = (cells, None) if isinstance(cells, str) and board is not None else (None, cells)
    read_board = partial(_graph_of_data, choices=choices) if signs is None else partial(_board_of_signs, signs=signs)
    keywords: dict[str, tuple[Any, Callable[[Any], MoveGraph | Board]]] = {
        "board": (board, read_board),
        "cells": (cells, _board_of_cells),
        "edges": (edges, partial(_graph_of_edges, directed=directed)),
        "adjacency": (adjacency, partial(_graph_of_adjacency, choices=choices)),
    }
    is_file = isinstance(board, str | os.PathLike) and is_path(require_path(board, "board"))
    open_to_choices = is_file or hasattr(board, "tocsr")
    if directed is not None and edges is None and adjacency is None and not open_to_choices:
        raise KTError(
            "directed: it says what edges= or adjacency= are, or a file of a graph; a networkx.DiGraph says so itself"
        )
    if missing is not None and adjacency is None and not open_to_choices:
        raise KTError("missing: it says which entries of adjacency=, or of a matrix in a file, are no edges")
    piece = None if leaper is None else leaper_from(leaper)
    if points is not None or (cells is not None and edges is not None):
        if board is not None or adjacency is not None or (points is not None and cells is not None):
            raise KTError("points: they are given with edges= or alone, without a board, cells= or adjacency=")
        with saying(WAYS["points"]):
            try:
                made = _graph_of_points(points, cells, edges, directed is True)
            except (TypeError, ValueError, OverflowError, LookupError):
                raise KTError(f"points {excerpt(cells if points is None else points)}: they are not read") from None
        return _placed(with_moves(made, piece), None, pos, precision)
    names = [name for name, (value, _) in keywords.items() if value is not None]
    if len(names) != 1:
        raise KTError(f"a board is given in one way, not by {' and '.join(names) or 'none'}; it is {FORMS}")
    name, (value, read) = names[0], keywords[names[0]]
    with saying(WAYS[name]) if name in WAYS else nullcontext():
        try:
            data = read(value)
        except (
            TypeError,
            ValueError,
            OverflowError,
            LookupError,
        ):
            # The methods of an object of unknown type may raise anything
            raise KTError(f"{name} {excerpt(value)} is not {'what is read' if name in WAYS else FORMS}") from None
    return _placed(with_moves(data, piece), board, pos, precision)


def _graph_of_points(points: Any, cells: Any, edges: Any, directed: bool) -> MoveGraph:
    """The graph of points, or of cells that edges join."""
    from kt_models.files.points import graph_of_points, named_points

    if edges is not None and not isinstance(edges, str):
        edges = edges_given(edges, directed)
    if points is None:
        rows = [tuple(map(int, row)) for row in _rows_of_cells(cells)]
        return graph_of_points(rows, rows, edges, "cells", directed=directed)
    names, places = named_points(points)
    return graph_of_points(names, places, edges, directed=directed)


def _placed(graph: MoveGraph, board: Any, pos: Any, precision: Any) -> MoveGraph:
    """The graph with given positions, and a precision of lengths."""
    if pos is not None:
        from kt_models.files.points import placed_by

        if graph.board is not None:
            raise KTError(f"pos: the positions of {graph.name} are its cells")
        attributes = None
        if all(hasattr(board, name) for name in ("nodes", "edges", "is_directed")):
            attributes = [dict(board.nodes[node]) for node in board.nodes]
        elif _is_igraph(board):
            attributes = _attributes_of_igraph(board)
        graph = placed_by(graph, pos, attributes)
    if precision is None:
        return graph
    if graph.positions is None:
        raise KTError(f"precision: {graph.name} has no positions, whose lengths it would round")
    return graph.having(positions=graph.positions.with_precision(precision))


def leaper_from(leaper: Any) -> Leaper | Rider:
    """A piece in any form: a `Leaper`, a text, or offsets."""
    if isinstance(leaper, Leaper | Rider):
        return leaper
    try:
        if isinstance(leaper, str):
            return parse_piece(leaper)
        # An endless iterator must not block: one entry over the limit is enough for the error
        parts = list(islice(iter(leaper), max(MAX_PARTS, MAX_DIMENSION) + 1))
        if parts and all(isinstance(part, Leaper | str | list | tuple) for part in parts):
            return reduce(Leaper.__add__, map(_part, parts))
        return Leaper(*few_integers(parts))
    except TypeError:
        forms = "a text such as '1,2' or 'king', numbers (1, 2), or a list of these"
        raise KTError(f"leaper {excerpt(leaper)}: {forms}") from None


def _part(part: Any) -> Leaper:
    """A leaper of a sum."""
    if isinstance(part, Leaper):
        return part
    return Leaper.parse(part) if isinstance(part, str) else Leaper(*few_integers(part))


# -- what stands for a board without a keyword -------------------------------------------------------------------------


def _graph_of_data(board: Any, choices: FormChoices = NO_CHOICES) -> MoveGraph | Board:
    if isinstance(board, MoveGraph | Board):
        return board
    if isinstance(board, DirectedGraph):
        return board.split()
    if isinstance(board, str | os.PathLike):
        text = board if isinstance(board, str) else require_path(board, "board")
        return read_graph(text, choices) if is_path(text) else Board.parse(text)
    # By their methods, as importing networkx or igraph takes long and they may be missing
    if all(hasattr(board, name) for name in ("nodes", "edges", "is_directed", "name")):
        with saying(WAYS["networkx"]):
            return _graph_of_networkx(board)
    if _is_igraph(board):
        from kt_models.files.points import coordinates_of, placed

        with saying(WAYS["igraph"]):
            return placed(_graph_of_igraph(board), list(map(coordinates_of, _attributes_of_igraph(board))))
    if hasattr(board, "tocsr"):
        with saying(WAYS["adjacency"]):
            return _graph_of_adjacency(board, choices)
    if _is_dictionary(board):
        raise KTError(f"board {excerpt(board)}: a dictionary is given as adjacency=")
    if isinstance(board, np.ma.MaskedArray):
        raise KTError(f"board {excerpt(board)}: a masked array hides entries; fill them with 0")
    if isinstance(board, np.ndarray) or hasattr(board, "__array__"):
        return _board_of_grid(array_of(board, "board"))
    if not isinstance(board, Iterable) or isinstance(board, bytes):
        raise KTError(f"board {excerpt(board)}: it is {FORMS}")
    rows = items_of(board, "board")
    if rows and all(isinstance(row, list | tuple) for row in rows) and _are_edges(rows):
        # In each of the following cases two readings are possible, and a guess could answer another question
        if all(part in DRAWN for row in rows for part in row):
            raise KTError(f"board {excerpt(rows)}: it may be a drawn mask or edges; give 0 and 1 as numbers, or edges=")
        with saying(WAYS["edges"]):
            return _graph_of_edges(rows)
    if rows and all(isinstance(row, list | np.ndarray) for row in rows):
        return _board_of_grid(_array(rows))
    if rows and all(isinstance(row, tuple) for row in rows):
        return _graph_of_tuples(rows)
    meant = f", did you mean {'x'.join(map(str, rows))!r}? It" if _is_size(rows) else ": it"
    raise KTError(f"board {excerpt(board)}{meant} is {FORMS}")


def _board_of_signs(board: Any, signs: str) -> Board:
    """The board of a mask whose signs of cells are given: a text `@file`, or an array or nested list of its signs."""
    if isinstance(board, str):
        return Board.parse(board, cells=signs)
    rows = board.tolist() if isinstance(board, np.ndarray) and board.ndim == 2 else board
    if isinstance(rows, list | tuple) and rows and all(isinstance(row, list | tuple) for row in rows):
        lines = [[_sign(sign) for sign in row] for row in rows]
        return Board.from_mask(["\t".join([*line, ""]) for line in lines], "mask", signs)
    raise KTError(f"cells {excerpt(signs)}: it has the signs of cells of a mask, and {excerpt(board)} is none")


def _sign(value: Any) -> str:
    """The sign of an entry of a mask: 0, 1 and Booleans are `0` and `1`."""
    if isinstance(value, bool | int | float | np.generic) and not isinstance(value, str):
        return str(int(value)) if value in (0, 1, -1) else str(value)
    return value.strip() if isinstance(value, str) else str(value)


def _is_dictionary(value: Any) -> bool:
    """Whether a value is a networkx graph; sparse matrices and networkx views have some of its methods, too."""
    return isinstance(value, Mapping) and not isinstance(value, Set) and not hasattr(value, "tocsr")


def _is_size(rows: list[Any]) -> bool:
    return len(rows) > 1 and all(type(side) is int and side > 0 for side in rows)


def _array(rows: list[Any]) -> npt.NDArray[Any]:
    try:
        return array_of(rows, "board")
    except ValueError:
        raise KTError(f"board {excerpt(rows)}: its rows are of several lengths; it is {FORMS}") from None


def _numbers_of(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """An array of Python objects as an array of numbers, if they are numbers."""
    kinds = int, float, np.number, np.bool_
    numbers = array.dtype.kind == "O" and all(isinstance(part, kinds) for part in array.flat)
    return array_of(array.tolist(), "array") if numbers else array


def _board_of_grid(grid: npt.NDArray[Any]) -> Board:
    """The board of a mask; arrays with other values than 0 and 1 would be ambiguous."""
    grid = _numbers_of(grid)
    if _may_be_adjacency(grid):
        raise KTError(
            f"board {excerpt(grid)}: it may be a mask or the matrix of a graph, as it is symmetric and its diagonal is "
            "0: give the matrix as adjacency=, the cells of a mask as cells="
        )
    if grid.ndim < 2 or not _is_mask(grid):
        ways = (
            "as cells= or edges=" if grid.ndim == 2 and grid.shape[1] == 2 else "as cells=, or a matrix as adjacency="
        )
        raise KTError(f"board {excerpt(grid)}: a mask has two or more dimensions and only 0 and 1; give rows {ways}")
    return _board_of_mask(grid.astype(bool))


def _may_be_adjacency(grid: npt.NDArray[Any]) -> bool:
    """Whether an array of 0 and 1 is square and symmetric with a zero diagonal, which masks hardly ever are."""
    square = grid.ndim == 2 and grid.shape[0] == grid.shape[1] > 2 and _is_mask(grid)
    return square and bool(grid.any()) and not grid.diagonal().any() and np.array_equal(grid, grid.T)


def _is_mask(grid: npt.NDArray[Any]) -> bool:
    return grid.dtype.kind == "b" or (grid.dtype.kind in "iuf" and bool(((grid == 0) | (grid == 1)).all()))


def _board_of_mask(mask: npt.NDArray[np.bool_]) -> Board:
    if not mask.any():
        raise KTError("board: the mask has no cell")
    if mask.ndim == 2:
        # An array is read like a printed board: its last row is the first rank
        return Board(mask.shape[::-1], np.ascontiguousarray(mask[::-1].T), text="" if mask.all() else "mask")
    return Board.from_cells(np.argwhere(mask))


def _graph_of_tuples(rows: list[tuple[Any, ...]]) -> MoveGraph | Board:
    """The graph of tuples that are not edges: cells of at least three integers, or a mask of Booleans."""
    parts = [part for row in rows for part in row]
    if all(isinstance(part, bool | np.bool_) for part in parts):
        return _board_of_grid(_array(rows))
    if not all(isinstance(part, int | np.integer) for part in parts):
        raise KTError(f"board {excerpt(rows)}: it is {FORMS}")
    if all(len(row) == 2 for row in rows):
        raise KTError(f"board {excerpt(rows)}: pairs of integers may be cells or edges; give them as cells= or edges=")
    if all(part in (0, 1) for part in parts):
        raise KTError(f"board {excerpt(rows)}: it may be a mask or cells; give an array, or the cells as cells=")
    if all(len(row) == 3 and row[0] != row[1] for row in rows) and len({frozenset(row[:2]) for row in rows}) == len(
        rows
    ):
        raise KTError(
            f"board {excerpt(rows)}: triples may be cells or edges with weights; give them as cells= or edges="
        )
    with saying(WAYS["cells"]):
        return _board_of_cells(rows)


# -- cells -------------------------------------------------------------------------------------------------------------


def _rows_given(value: Any, keyword: str) -> list[Any]:
    """Rows of a list or array, where a keyword takes one; other iterables would be misread.

    Raises
    ------
    KTError
        If it is a text, a dictionary, a graph, a matrix or a table; or if it has a row for each coordinate or end,
        instead of one for each cell or edge.
    """
    is_other_kind = (
        isinstance(value, str | bytes) or _is_dictionary(value) or hasattr(value, "nodes") or hasattr(value, "tocsr")
    )
    if is_other_kind or not isinstance(value, Iterable):
        raise KTError(f"{keyword} {excerpt(value)}: it is not a list of them")
    if hasattr(value, "columns"):
        raise KTError(f"{keyword}: a table with names: give its rows, as table.to_numpy() or table.values.tolist()")
    if isinstance(value, np.ma.MaskedArray):
        raise KTError(f"{keyword}: a masked array hides entries: give those that count")
    if hasattr(value, "__array__"):
        value = array_of(value, keyword)
        if value.ndim != 2 or value.dtype.kind == "b":
            raise KTError(f"{keyword} {excerpt(value)}: an array has one row for each, and no Booleans")
    rows = items_of(value, keyword)
    listed = all(isinstance(row, list) or hasattr(row, "__array__") for row in rows)
    columns = len(rows[0]) if rows and listed and len({len(row) for row in rows}) == 1 else 0
    # Pandas and numpy users often hold coordinates by column
    if len(rows) < columns and (columns > 3 or len(rows) == 2 < columns):
        shape = f"{len(rows)} rows of {columns}"
        raise KTError(f"{keyword}: {shape} may be columns; give the transpose, or rows that are tuples")
    return rows


def _board_of_cells(cells: Any) -> Board:
    return Board.from_cells(np.array(_rows_of_cells(cells)))


def _rows_of_cells(cells: Any) -> list[tuple[int, ...]]:
    """Coordinates of cells."""
    entries = _rows_given(cells, "cells")
    rows = [parse_cell(cell) if isinstance(cell, str) else _coordinates(cell) for cell in entries]
    if len({len(row) for row in rows}) != 1:
        raise KTError(f"cells {excerpt(cells)}: the list is empty, or they have different numbers of coordinates")
    return rows


def _coordinates(cell: Any) -> tuple[int, ...]:
    try:
        return tuple(few_integers(cell))
    except TypeError:
        raise KTError(f"cell {excerpt(cell)}: its coordinates are whole numbers") from None


# -- edges -------------------------------------------------------------------------------------------------------------


def _are_edges(rows: Sequence[Any]) -> bool:
    """Whether rows can only be edges: pairs of nodes, none of them a number, or such pairs with a weight."""
    return all(
        len(row) in (2, 3) and not any(isinstance(node, Number | np.bool_) or not _is_node(node) for node in row[:2])
        for row in rows
    )


def _is_node(value: Any) -> bool:
    """Whether a value can be a node; arrays, whose hash is meaningless, cannot."""
    if isinstance(value, list | dict | set) or (hasattr(value, "__array__") and not isinstance(value, np.generic)):
        return False
    try:
        hash(value)
    except Exception:  # `hash` of an object of unknown type may raise anything
        return False
    return value is not None


def _node(value: Any) -> Hashable:
    node = _plain(value)
    if not _is_node(node):
        raise KTError(f"node {excerpt(value)}: a node is a text, a number, or another value that can be hashed")
    # True equals 1 as a key, and NaN does not equal itself
    if isinstance(node, bool) or node != node:
        raise KTError(f"node {excerpt(value)}: a Boolean or NaN is not a node")
    hashable: Hashable = node
    return hashable


def _plain(value: Any) -> Any:
    """A number of NumPy, or of a library with zero-dimensional arrays, as a Python number."""
    return value.item() if hasattr(value, "__array__") and getattr(value, "ndim", None) == 0 else value


def _graph_of_edges(edges: Any, *, directed: bool | None = None) -> MoveGraph:
    if isinstance(edges, str):
        raise KTError(f"edges {excerpt(edges)}: edges between points need points=")
    pairs, weights = edges_given(edges, directed)
    if not pairs:
        raise KTError("edges: the list is empty")
    labels = vertices_in_order(node for pair in pairs for node in pair)
    return weighted_graph(labels, pairs, weights, directed=directed is True)


def edges_given(edges: Any, directed: bool | None) -> tuple[list[tuple[Hashable, Hashable]], list[Any]]:
    """Pairs of nodes, and their weights; None where there is none."""
    if directed is None and re.match(r"(Out|In)(Multi)?Edge", type(edges).__name__):
        raise KTError(f"edges {excerpt(edges)}: they are arcs of a directed graph; give it itself, or directed=True")
    # networkx yields the keys of parallel edges where weights would stand
    if "MultiEdge" in type(edges).__name__ and any(
        len(edge) > 2 and not isinstance(edge[2], Mapping) for edge in edges
    ):
        raise KTError(
            f"edges {excerpt(edges)}: the keys of a multigraph's edges are not weights; give the graph itself"
        )
    pairs: list[tuple[Hashable, Hashable]] = []
    weights: list[int | None] = []
    for edge in _rows_given(edges, "edges"):
        unordered = isinstance(edge, set) or (directed and isinstance(edge, frozenset))
        row = (
            None
            if unordered or isinstance(edge, str | bytes | Mapping) or not isinstance(edge, Iterable)
            else list(edge)
        )
        if row is None or len(row) not in (2, 3):
            raise KTError(f"edge {excerpt(edge)}: an edge is a pair of nodes, or a pair and a weight")
        if getattr(edge, "_fields", ("",))[0] == "Index":
            raise KTError(f"edge {excerpt(edge)}: it begins with a row's number; use itertuples(index=False)")
        pairs.append((_node(row[0]), _node(row[1])))
        weights.append(_weight(row[2]) if len(row) == 3 else None)
    return pairs, weights


def _weight(value: Any) -> int | None:
    if isinstance(value, Mapping) and "weight" not in value:
        if any(isinstance(parallel, Mapping) and "weight" in parallel for parallel in value.values()):
            raise KTError("the weights of a multigraph's edges stand under their keys; give the graph itself")
        return None
    return weight_of(_plain(value))


def _graph_of_networkx(graph: networkx.Graph) -> MoveGraph:
    name = str(graph.name or "graph")
    return graph_of_networkx(graph, name if name.isprintable() else "graph")


def _attributes_of_igraph(graph: Any) -> list[dict[str, Any]]:
    """The attributes of each vertex of an igraph graph."""
    columns = {str(name): list(graph.vs[name]) for name in graph.vs.attributes()}
    return [{name: column[vertex] for name, column in columns.items()} for vertex in range(graph.vcount())]


def _is_igraph(value: Any) -> bool:
    """Whether a value is a graph of igraph, which need not be installed."""
    return all(callable(getattr(value, name, None)) for name in ("vcount", "get_edgelist", "is_directed"))


def _graph_of_igraph(graph: Any) -> MoveGraph:
    """The graph of an `igraph.Graph`: vertices have their `name` or their numbers, edges their `weight`."""
    names = list(graph.vs["name"]) if "name" in graph.vs.attributes() else list(range(graph.vcount()))
    labels = [_node(name) for name in names]
    if len(set(labels)) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        raise KTError(f"two vertices have the same name, {excerpt(twice)}")
    if not labels:
        raise KTError("it has no vertices")
    pairs = [(labels[u], labels[v]) for u, v in graph.get_edgelist()]
    plain: list[int | None] = [None] * len(pairs)
    directed = bool(graph.is_directed())
    weights = list(graph.es["weight"]) if "weight" in graph.es.attributes() else []
    if not weights or any(weight is None for weight in weights):
        return weighted_graph(labels, pairs, plain, directed=directed)
    try:
        return weighted_graph(labels, pairs, [weight_of(_plain(weight)) for weight in weights], directed=directed)
    except KTError as error:  # The error is raised only if somebody asks for the weights
        return weighted_graph(labels, pairs, plain, directed=directed).having(unweighted=str(error))


# -- adjacency ---------------------------------------------------------------------------------------------------------


def _graph_of_adjacency(adjacency: Any, choices: FormChoices) -> MoveGraph:
    if hasattr(adjacency, "nodes"):
        raise KTError(f"adjacency {excerpt(adjacency)}: a graph is given by itself, without a keyword")
    if _is_dictionary(adjacency):
        if choices.missing is not None:
            raise KTError("missing: it says which entries of a matrix are no edges, and a dictionary has none")
        return _graph_of_neighbours(adjacency, choices.directed)
    if hasattr(adjacency, "tocsr"):
        matrix = adjacency.tocsr(copy=True)
        # Entries of a sparse matrix may stand there several times and then add up
        matrix.sum_duplicates()
        entries, shape = matrix.tocoo(), matrix.shape
        values, ends = entries.data, np.stack([entries.row, entries.col], axis=1)
        labels: Sequence[Any] = range(shape[0])
    else:
        if isinstance(adjacency, np.ma.MaskedArray):
            raise KTError("adjacency: its hidden entries: fill them with a number, and name it in missing=")
        names = _names_of_table(adjacency)
        listed = hasattr(adjacency, "__array__")
        dense = _numbers_of(array_of(adjacency, "adjacency") if listed else _array(items_of(adjacency, "adjacency")))
        if dense.ndim != 2:
            raise _no_adjacency(adjacency)
        shape, values = dense.shape, dense.reshape(-1)
        ends = np.indices(shape).reshape(2, -1).T
        labels = names or range(shape[0])
    if len(shape) != 2 or shape[0] != shape[1] or not shape[0]:
        raise KTError(f"adjacency {excerpt(adjacency)}: the matrix of a graph is square, and has a row")
    if values.dtype.kind not in "biuf" and not (
        values.dtype.kind == "O" and all(value is None or is_decimal(value) for value in values.tolist())
    ):
        raise _no_adjacency(adjacency)
    return graph_of_entries(ends.astype(np.int64), values, labels, directed=choices.directed, missing=choices.missing)


def _names_of_table(table: Any) -> list[Hashable]:
    """Names of the rows of a table, as pandas has it, if its columns have the same ones; empty for other matrices."""
    if not hasattr(table, "columns"):
        return []
    columns, rows = (list(getattr(table, part, ())) for part in ("columns", "index"))
    if columns != rows or len({*columns}) < len(columns):
        raise KTError("adjacency: a table needs the same names, each once, for its rows and columns")
    return [_node(name) for name in columns]


def _no_adjacency(adjacency: Any) -> KTError:
    return KTError(f"adjacency {excerpt(adjacency)}: it is neither a matrix of 0 and 1 or of weights nor a dictionary")


def _graph_of_neighbours(adjacency: Mapping[Any, Any], directed: bool | None) -> MoveGraph:
    pairs: list[tuple[Any, Any]] = []
    values: list[Any] = []
    for node, neighbours in adjacency.items():
        if isinstance(neighbours, str | bytes) or not isinstance(neighbours, Iterable):
            words = f"a list of its neighbours is needed, got {excerpt(neighbours)}"
            raise KTError(f"adjacency of {excerpt(node)}: {words}")
        pairs += [(_node(node), _node(neighbour)) for neighbour in neighbours]
        attributes = neighbours if isinstance(neighbours, Mapping) else {}
        values += [_plain(attributes.get(neighbour)) for neighbour in neighbours]
    numbers = {value for value in values if isinstance(value, Number)}
    # A dictionary of rows of an adjacency matrix looks like weights of 0 and 1
    if 0 in numbers and numbers <= {0, 1}:
        raise KTError("adjacency: 0 and 1 may say which are neighbours, or what edges weigh; give lists, or edges=")
    labels = vertices_in_order([*map(_node, adjacency), *(node for pair in pairs for node in pair)])
    if not labels:
        raise _no_adjacency(adjacency)
    number = {label: vertex for vertex, label in enumerate(labels)}
    ends = np.array([(number[u], number[v]) for u, v in pairs], dtype=np.int64).reshape(-1, 2)
    graph = _graph_of_arcs(ends, labels, directed)
    weights = [None if value is None else _weight(value) for value in values]
    return weighted_graph(labels, pairs, weights, directed=graph.directed is not None)


def _graph_of_arcs(arcs: npt.NDArray[np.int64], labels: Sequence[Any], directed: bool | None) -> MoveGraph:
    """The graph in which both ends list each edge; directed if some edges are listed once, or on request.

    Raises
    ------
    KTError
        If edges are listed once although the graph is declared undirected; or, without a declaration, if all are listed
        from the smaller end or all from the larger, which may be half of a symmetric list.
    """
    arcs = distinct_pairs(arcs[arcs[:, 0] != arcs[:, 1]], len(labels))
    # A symmetric relation is an undirected graph unless the user says otherwise
    if not directed and np.array_equal(arcs, distinct_pairs(arcs[:, ::-1], len(labels))):
        return MoveGraph.from_edges(len(labels), arcs, labels=labels)
    one_sided = (arcs[:, 0] < arcs[:, 1]).all() or (arcs[:, 0] > arcs[:, 1]).all()
    if directed is False or (directed is None and one_sided):
        single = ~np.isin(arcs @ [len(labels), 1], arcs @ [1, len(labels)])
        u, v = (labels[vertex] for vertex in arcs[single][0].tolist())
        raise KTError(
            f"adjacency: {u} leads to {v} but {v} not to {u}{', and so for all edges' * bool(one_sided)}; give each "
            "edge from both ends, or say directed=True"
        )
    return DirectedGraph.from_arcs(len(labels), arcs, labels=labels).split()
