"""`MoveGraph`: the moves of a board, or any other graph, as numbered edges and CSR arrays."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import cached_property
from itertools import chain, pairwise
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, Self
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from kt_models.arguments import require, require_items, require_text, require_whole, require_wholes
from kt_models.board import Board, IntArray, integer_rows, is_board, sealed, sealed_copy, shifted
from kt_models.cells import BOARD_WORDS, GRAPH_WORDS, Vocabulary
from kt_models.decimals import decimal_words, in_unit, scaled
from kt_models.display import svg
from kt_models.errors import KTError, TooLarge, excerpt
from kt_models.json_values import is_boolean, is_integer
from kt_models.labels import NumberNames, frozen_labels, label_names, labels_from_json, labels_to_json
from kt_models.leaper import KNIGHT, Leaper
from kt_models.shapes import MAX_CELLS
from kt_models.symmetry import Symmetry, board_group, board_symmetries

if TYPE_CHECKING:
    import networkx

    from kt_models.positions import Positions

MAX_EDGES = 100_000_000
"""Most edges of a graph: the arrays of so large a graph take about 4 GB."""
SPARSE = 100
"""Vertices for each edge from which on an edge is looked for in the list of all."""
MAX_PLACES = 4 * MAX_EDGES
"""Most pairs of a move and a place of the board's box, holes included, that are visited for its edges."""

MAX_TABLE_VERTICES = 100_000
"""Vertices up to which a table of all moves from all vertices is built: it takes a few megabytes."""

BLOCK_PLACES = 1 << 16
"""Places of a board whose neighbours are listed together: their table fits into the processor's cache."""

_SEVERAL = re.compile(r"[-\s]")
"""Characters of a name that has to be written in quotes in a list of names."""
AMBIGUOUS = -1
"""Stands for a vertex whose name is not unique."""
EDGE_KEYS = ("required", "forbidden", "weights", "chosen")
"""Keys of JSON files that contain numbers of edges."""


def distinct_pairs(pairs: npt.NDArray[Any], n: int) -> npt.NDArray[np.int64]:
    """Distinct pairs of numbers below `n`, in ascending order.

    It is `np.unique(pairs, axis=0)` in a tenth of the time, and lets other threads work meanwhile.
    """
    # One key for each pair: sorting numbers is faster than `np.unique` of rows
    keys = pairs[:, 0].astype(np.int64) * n + pairs[:, 1]
    keys.sort()
    keys = keys[np.diff(keys, prepend=-1) != 0]
    return np.stack(np.divmod(keys, n), axis=1)


_in_use: WeakValueDictionary[tuple[type, str, Board, Leaper], Any] = WeakValueDictionary()
"""Graphs of boards: a problem, its delivered tours and its certificates are about one graph, which is built once."""


class MoveGraph:
    """A graph with numbered edges: the moves of a leaper on a board, or any graph given by its edges.

    On a board it is a multigraph whose edges carry their displacement: edge `e` goes from `tails[e]` to `heads[e]`
    by `moves[edge_move[e]]`. Edges are in order of tail, then move. Without a board it is a simple graph and
    `moves`, `edge_move` and `edge_at` are None.

    Arrays are built on first use, so tasks that need no edges (checking or measuring a tour of a board) take no memory
    for them.

    Attributes
    ----------
    n
        Number of vertices.
    moves
        Half of the displacements (their opposites are understood), shape (k, dimension).
    labels
        The original names of the vertices, by number; None for the numbers from 0. Comparisons of graphs ignore them.
    words
        The words for tours, cells and moves of this graph.
    fixed
        Edges that every problem about this graph requires; a TSPLIB file can have them.
    weights
        The weights of the edges as integers, in units of `10**-decimals`, shape (m,). Comparisons of graphs ignore
        them.
    decimals
        Number of decimals of the weights that users see.
    unweighted
        Why the graph has no weights, although some edges seemed to have one.
    positions
        The points of the vertices of a graph without a board (`kt_models.positions`), as users number them. Comparisons
        of graphs ignore them. The positions of a board are its cells.
    unplaced
        Why the vertices have no positions, although some seemed to have one.
    remark
        What a user should know about how the data were read.
    directed
        The directed graph that this one was split from (`kt_models.directed.SplitGraph`); None for all others.
    """

    fixed: frozenset[int] = frozenset()
    weights: npt.NDArray[np.int64] | None = None
    decimals: int = 0
    unweighted: str = ""
    positions: Positions | None = None
    unplaced: str = ""
    remark: str = ""
    _own_words: ClassVar[Vocabulary | None] = None
    """Terms for the parts of this kind of graph."""
    directed: object | None = None
    is_implicit: ClassVar[bool] = False
    """Whether all pairs of vertices are edges, and none is listed (`kt_models.complete_graph`)."""
    edge_type: ClassVar[type[np.integer[Any]]] = np.int32
    """The type of numbers of edges."""
    merged: ClassVar[bool] = False
    """Whether moves between the same two cells are one edge (`simple`)."""

    def __init__(
        self,
        board: Board | None,
        leaper: Leaper | None = None,
        *,
        n: int = 0,
        edges: npt.NDArray[np.integer[Any]] | None = None,
        name: str = "graph",
        labels: Sequence[Any] | None = None,
    ) -> None:
        require(board, "board", (Board, type(None)), "a Board")
        require(leaper, "leaper", (Leaper, type(None)), "a Leaper")
        n = require_whole(n, "n")
        if board is None and n < 1:
            raise KTError(f"graph {excerpt(name)}: it has no vertices")
        if labels is not None and (isinstance(labels, str) or not isinstance(labels, Sequence)):
            raise KTError(f"labels must be a list of one name for each vertex, got {excerpt(labels)}")
        self.board = board
        self.labels = None if labels is None else frozen_labels(labels)
        self.words = self._own_words or (BOARD_WORDS if board else GRAPH_WORDS)
        self.leaper = leaper
        self.name = board.text if board else require_text(name, "name")
        self.n = board.n if board else n
        self.moves = sealed(leaper.half_moves(board.dimension)) if board and leaper else None
        if edges is not None:
            ends = require_wholes(edges, "edges", 2).astype(np.int32)
            if len(ends) and not 0 <= ends.min() <= ends.max() < self.n:
                raise KTError(f"graph {excerpt(name)}: an edge names a vertex outside 1..{self.n} (counted from 1)")
            self._ends = sealed(ends)
        self._complete = True

    def __setattr__(self, name: str, value: Any) -> None:
        if "_complete" in self.__dict__:
            raise AttributeError(f"a graph cannot be changed; graph.having({name}=...) is another one")
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a graph cannot be changed")

    def having(self, **noted: Any) -> Self:
        """The same graph with other `labels`, `words`, `fixed` edges, `weights`, `positions`, or reasons for none.

        Weights come with their `decimals`, or are integers.
        """
        if "weights" in noted:
            noted.setdefault("decimals", 0)
        if noted.get("positions") is not None:
            if self.board is not None:
                raise KTError(f"positions of {self.name}: those of a board are its cells")
            if noted["positions"].n != self.vertex_count:
                raise KTError(
                    f"positions of {self.name}: {noted['positions'].n:,} of them for {self.vertex_count:,} vertices"
                )
        # The caller could change its array later
        if isinstance(noted.get("weights"), np.ndarray):
            noted["weights"] = sealed_copy(noted["weights"])
        made = copy(self)
        for name in ("_names", "_vertices", "_labelled"):  # These are derived from the labels
            made.__dict__.pop(name, None)
        made.__dict__.update(noted)
        return made

    @classmethod
    def of(cls, board: Board, leaper: Leaper = KNIGHT) -> MoveGraph:
        """The graph of the moves of a leaper on a board; while it is in use, the same object for the same board."""
        require(board, "board", Board, "a Board (kt.graph reads all forms)")
        require(leaper, "leaper", Leaper, "a Leaper")
        key = cls, board.text, board, leaper
        graph = _in_use.get(key)
        if graph is None:
            graph = _in_use[key] = cls(board, leaper)
        return graph

    @classmethod
    def from_edges(
        cls, n: int, pairs: npt.ArrayLike, name: str = "graph", labels: Sequence[Any] | None = None
    ) -> MoveGraph:
        """The simple graph on vertices 0..n-1 with the given pairs as edges, without loops and repetitions.

        `labels` are the names of the vertices, by number.

        Raises
        ------
        KTError
            If a vertex is out of range, or two have labels with one name.
        """
        n = require_whole(n, "n")
        ends = require_wholes(pairs, "edges", 2)
        if n < 1:
            raise KTError(f"graph {name}: it has no vertices")
        if n > MAX_EDGES or len(ends) > MAX_EDGES:
            raise TooLarge(f"graph {name}: over the limit of {MAX_EDGES:,} edges")
        if len(ends) and (ends.min() < 0 or ends.max() >= n):
            first = labels[0] if isinstance(labels, range) else 0
            raise KTError(f"graph {name}: an edge names a vertex outside {first}..{first + n - 1}")
        # Loops and repeated edges change no tour, and files of graphs contain both
        ends = np.sort(ends[ends[:, 0] != ends[:, 1]], axis=1)
        graph = cls(None, n=n, edges=distinct_pairs(ends, n), name=name, labels=labels)
        if labels is not None and len(labels) != n:
            raise KTError(f"graph {name}: {len(labels):,} labels for {n:,} vertices")
        _ = graph._names  # Raises if labels cannot be distinguished
        return graph

    @classmethod
    def from_networkx(cls, graph: networkx.Graph, name: str = "graph") -> tuple[MoveGraph, list[Any]]:
        """The graph of an undirected networkx graph, labelled with its nodes, in the order of their numbers.

        It has the weights that the attributes `weight` of its edges are, if all edges have one and all are decimals.

        Raises
        ------
        KTError
            If the graph is directed.
        """
        if not all(hasattr(graph, name) for name in ("nodes", "edges", "adjacency", "is_directed")):
            raise KTError(f"graph must be a networkx.Graph, got {excerpt(graph)}")
        if graph.is_directed():
            raise KTError(f"graph {name}: it is directed, and `DirectedGraph.from_networkx` reads it")
        nodes = list(graph.nodes)
        number = {node: i for i, node in enumerate(nodes)}
        near = [neighbours for _, neighbours in graph.adjacency()]
        heads = np.fromiter(map(number.__getitem__, chain.from_iterable(near)), dtype=np.int64)
        tails = np.repeat(np.arange(len(nodes)), [len(neighbours) for neighbours in near])
        once = tails < heads  # Each edge stands in the lists of both its ends
        made = cls.from_edges(len(nodes), np.stack([tails[once], heads[once]], axis=1), name, tuple(nodes))
        return made.weighed_by_attributes(graph, number), nodes

    def to_networkx(self) -> networkx.MultiGraph | networkx.Graph | networkx.DiGraph:
        """The networkx graph: nodes are cell coordinates, labels or vertex numbers; edges carry `move` and `weight`."""
        import networkx

        if self.board is None or self.moves is None:
            plain: networkx.Graph = networkx.Graph(name=self.name)
            nodes = range(self.n) if self.labels is None else self.labels
            plain.add_nodes_from(nodes)
            plain.add_edges_from((nodes[u], nodes[v]) for u, v in self._ends.tolist())
            if self.positions is not None:
                for node, point in zip(nodes, self.positions.floats.tolist(), strict=True):
                    plain.nodes[node]["pos"] = tuple(point)
            if self.weights is not None:
                for (u, v), weight in zip(self._ends.tolist(), self.weights_in_unit(), strict=True):
                    plain.edges[nodes[u], nodes[v]]["weight"] = weight
            return plain
        # On a small torus two moves can join the same cells
        kind = networkx.MultiGraph if any(self.board.wraps) else networkx.Graph
        graph: networkx.Graph = kind(name=self.name)
        cells = [tuple(cell) for cell in self.board.cells.tolist()]
        moves = [tuple(move) for move in self.moves.tolist()]
        graph.add_nodes_from(cells)
        for u, v, m in zip(self.tails.tolist(), self.heads.tolist(), self.edge_move.tolist(), strict=True):
            graph.add_edge(cells[u], cells[v], move=moves[m])
        return graph

    def weighed(self, pairs: npt.ArrayLike, weights: Sequence[Any]) -> Self:
        """The same graph without a board and with edge weights.

        Parameters
        ----------
        pairs
            Joined vertices, in any order, shape (p, 2); loops are ignored.
        weights
            A weight for each pair: an integer, a decimal, or None.

        Raises
        ------
        KTError
            If an edge has no weight, a weight that is no decimal, or two different weights.
        """
        rows, values = require_wholes(pairs, "pairs", 2), require_items(weights, "weights", "a list of numbers")
        if len(rows) != len(values) or (len(rows) and not 0 <= rows.min() <= rows.max() < self.n):
            raise KTError(f"weights of {self.name}: one is needed for each pair of vertices")
        known, decimals = known_weights(np.sort(rows, axis=1), values, self._edge_between)
        if missing := [edge for edge in self._ends.tolist() if tuple(edge) not in known]:
            raise KTError(f"the {self._edge_between(*missing[0])} has no weight, and others have one")
        row = np.array([known[u, v] for u, v in self._ends.tolist()], dtype=np.int64)
        return self.having(weights=row, decimals=decimals)

    def weighed_by_attributes(self, graph: networkx.Graph, number: Mapping[Any, int]) -> Self:
        """The same graph with the attributes `weight` of a networkx graph as edge weights, if possible."""
        if not any(chain.from_iterable(neighbours.values() for _, neighbours in graph.adjacency())):
            return self  # No edge has an attribute: of millions of edges this is known soonest
        rows = [(number[u], number[v], attributes.get("weight")) for u, v, attributes in graph.edges(data=True)]
        if any(weight is not None for *_, weight in rows):
            try:
                return self.weighed(np.array([row[:2] for row in rows]), [weight for *_, weight in rows])
            except KTError as error:  # The error is raised only if somebody asks for the weights
                return self.having(unweighted=str(error))
        return self

    def weights_in_unit(self) -> list[int | float]:
        """The weights as users see them, by edge; a directed graph has those of its arcs."""
        return [] if self.weights is None else [in_unit(weight, self.decimals) for weight in self.weights.tolist()]

    def _edge_between(self, u: int, v: int) -> str:
        return f"{self.words.move} {self.name_of(u)}-{self.name_of(v)}"

    # -- edges -----------------------------------------------------------------------------------------------------

    @cached_property
    def edge_at(self) -> IntArray:
        """Edge with a given tail and move, shape (n, k); -1 if there is none."""
        self._require_room()
        targets = self._heads_by_move
        edge_at = np.full(targets.shape, -1, dtype=np.int32)
        there = targets >= 0
        edge_at[there] = np.arange(np.count_nonzero(there), dtype=np.int32)
        return sealed(edge_at)

    def _require_room(self) -> None:
        """Refuse a board with too many moves."""
        board, moves = self.geometry
        if prod(board.shape) * len(moves) > MAX_PLACES:
            raise TooLarge(f"graph of {self.name}: over the limit of {MAX_PLACES:,} moves from all places of its box")
        # An upper bound of the edges, so that they need not be counted before they are allocated
        if self.n * len(moves) > MAX_EDGES:
            raise TooLarge(
                f"graph of {self.name}: about {self.n * len(moves):,} edges, over the limit of {MAX_EDGES:,}"
            )

    def _heads_by(self, move: Sequence[int]) -> IntArray:
        """Vertex that a move reaches from each vertex, shape (n,); -1 off the board."""
        board, _ = self.geometry
        # All cells at once: the grid of numbers, moved by the vector
        there = shifted(board.grid, move, board.wraps, -1)
        heads = there.reshape(-1) if board.mask is None else there[board.mask]
        if any(board.wraps):  # A move by a whole period joins a cell to itself
            heads = np.where(heads == np.arange(self.n, dtype=np.int32), np.int32(-1), heads)
        return heads

    def _leads_on(self, move: Sequence[int]) -> npt.NDArray[np.bool_]:
        """Whether a move leads from each vertex to another one, shape (n,)."""
        board, _ = self.geometry
        periods = zip(move, board.shape, board.wraps, strict=True)
        if all(step % extent == 0 if wrap else step == 0 for step, extent, wrap in periods):
            return np.zeros(self.n, dtype=bool)
        cells = np.ones(board.shape, dtype=bool) if board.mask is None else board.mask
        there = shifted(cells, move, board.wraps, False)
        return there.reshape(-1) if board.mask is None else there[board.mask]

    @property
    def _heads_by_move(self) -> IntArray:
        """Vertex that each move reaches from each tail, shape (n, k); -1 off the board."""
        _, moves = self.geometry
        targets = np.empty((self.n, len(moves)), dtype=np.int32)
        for k, move in enumerate(moves.tolist()):
            targets[:, k] = self._heads_by(move)
        return targets

    @cached_property
    def _ends(self) -> IntArray:
        """Tail and head of every edge, shape (m, 2)."""
        rows, columns = np.nonzero(self.edge_at >= 0)
        ends = np.empty((len(rows), 2), dtype=np.int32)
        ends[:, 0] = rows
        ends[:, 1] = self._heads_by_move[rows, columns]
        return sealed(ends)

    @cached_property
    def m(self) -> int:
        """Number of edges."""
        if self.moves is None or "_ends" in vars(self):
            return len(self._ends)
        self._require_room()
        return sum(int(np.count_nonzero(self._leads_on(move))) for move in self.moves.tolist())

    def edges_by(self, tails: IntArray, kinds: IntArray) -> IntArray:
        """Edge from each of some tails by each of some moves; -1 if there is none.

        Without the table `edge_at` an edge is counted: after those of earlier tails, and of earlier moves of its tail.
        On a board of millions of cells that takes a fraction of the table's room.
        """
        # Large boards do without the table of all edges, which would take more memory than the tour
        if "edge_at" in vars(self) or self.n < MAX_TABLE_VERTICES:
            return self.edge_at[tails, kinds]
        _, moves = self.geometry
        self._require_room()
        edges = np.zeros(len(tails), dtype=np.int32)
        count = np.zeros(self.n + 1, dtype=np.int32)
        absent = np.zeros(len(tails), dtype=bool)
        for kind, move in enumerate(moves.tolist()):
            there = self._leads_on(move)
            edges += (kinds > kind) & there[tails]
            absent |= (kinds == kind) & ~there[tails]
            # Edges are numbered by tail and move: an edge's number is the edges of earlier tails and of earlier moves
            count[1:] += there
        np.cumsum(count, out=count)
        edges += count[tails]
        edges[absent] = -1
        return edges

    @property
    def ends(self) -> IntArray:
        """Tail and head of every edge, shape (m, 2)."""
        return self._ends

    @property
    def tails(self) -> IntArray:
        """Tail of every edge, shape (m,)."""
        return self._ends[:, 0]

    @property
    def heads(self) -> IntArray:
        """Head of every edge, shape (m,)."""
        return self._ends[:, 1]

    @cached_property
    def edge_move(self) -> IntArray:
        """Index in `moves` of each edge, shape (m,)."""
        return sealed(np.nonzero(self.edge_at >= 0)[1].astype(np.int32))

    @cached_property
    def _rows(self) -> tuple[npt.NDArray[np.int64], IntArray]:
        """Start of each vertex's run, and all neighbours in these runs.

        For a board they are made without its edges, a few of its rows at a time, which takes a fraction of the memory.
        """
        if self.moves is None:
            return self._rows_of_entries
        self._require_room()
        board, _ = self.geometry
        signed = [*self.moves.tolist(), *(-self.moves).tolist()]
        indptr = np.zeros(self.n + 1, dtype=np.int64)
        neighbours = np.empty(2 * self.m, dtype=np.int32)
        at_once = max(1, BLOCK_PLACES * len(board.grid) // max(board.grid.size, 1))
        vertex = entry = 0
        for first in range(0, len(board.grid), at_once):
            rows = range(first, min(first + at_once, len(board.grid)))
            cells = board.grid[rows.start : rows.stop]
            heads = np.empty((*cells.shape, len(signed)), dtype=np.int32)
            degrees = np.zeros(cells.shape, dtype=np.int32)
            for kind, move in enumerate(signed):
                there = shifted(board.grid, move, board.wraps, -1, rows)
                if any(board.wraps):  # A move by a whole period joins a cell to itself
                    there[there == cells] = -1
                heads[..., kind] = there
                degrees += there >= 0
            table = heads.reshape(-1, len(signed)) if board.mask is None else heads[cells >= 0]
            found = table[table >= 0]
            neighbours[entry : entry + len(found)] = found
            indptr[vertex + 1 : vertex + 1 + len(table)] = degrees[cells >= 0]
            vertex, entry = vertex + len(table), entry + len(found)
        np.cumsum(indptr, out=indptr)
        return sealed(indptr), sealed(neighbours)

    @property
    def _rows_of_entries(self) -> tuple[npt.NDArray[np.int64], IntArray]:
        """The same from the list of edges."""
        owner, incident = self._entries
        indptr = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=self.n))]).astype(np.int64)
        neighbours = self.tails[incident] + self.heads[incident] - owner
        return sealed(indptr), sealed(neighbours.astype(np.int32))

    @cached_property
    def _entries(self) -> tuple[IntArray, IntArray]:
        """Ends of the edges, vertex by vertex: the vertex, and the edge, shape (2m,)."""
        vertex, edges = self._ends.T.reshape(-1), np.arange(self.m, dtype=np.int32)
        # Stable, so that each vertex lists its edges in ascending order
        order = np.argsort(vertex, kind="stable")
        return vertex[order], np.concatenate([edges, edges])[order]

    @property
    def indptr(self) -> npt.NDArray[np.int64]:
        """Start of each vertex's run in `neighbours` and `incident`, shape (n + 1,)."""
        return self._rows[0]

    @property
    def neighbours(self) -> IntArray:
        """Neighbours of each vertex in turn, shape (2m,)."""
        return self._rows[1]

    @cached_property
    def incident(self) -> IntArray:
        """Edge to each neighbour, shape (2m,)."""
        if self.moves is None:
            return sealed(self._entries[1])
        k = len(self.moves)  # A table by vertex and signed move avoids sorting all edges
        table = np.full((self.n, 2 * k), -1, dtype=np.int32)
        table[:, :k] = self.edge_at
        table[self.heads, k + self.edge_move] = np.arange(self.m, dtype=np.int32)
        return sealed(table[table >= 0])

    @property
    def degrees(self) -> npt.NDArray[np.int64]:
        """Number of edges at every vertex, shape (n,)."""
        return np.diff(self.indptr)

    def edges_of(self, vertex: int) -> IntArray:
        """Edges at a vertex."""
        vertex = require_whole(vertex, "vertex", 0, self.n - 1)
        return self.incident[self.indptr[vertex] : self.indptr[vertex + 1]]

    def edges_between(self, u: int, v: int) -> list[int]:
        """Edges that join two vertices: none, one, or on a periodic board several."""
        u, v = (require_whole(vertex, "vertex", 0, self.n - 1) for vertex in (u, v))
        if self.n > SPARSE * self.m:  # An array with an entry for each vertex would be much longer than the edges
            pair = [min(u, v), max(u, v)]
            return np.flatnonzero((self.ends == pair).all(axis=1)).tolist() if u != v else []
        run = slice(self.indptr[u], self.indptr[u + 1])
        return [int(e) for e in self.incident[run][self.neighbours[run] == v]]

    @cached_property
    def simple(self) -> MoveGraph:
        """The graph with one edge for each pair of joined vertices; this graph itself if no two edges are parallel."""
        return _SimpleGraph(self.board, self.leaper) if has_parallel_edges(self) else self

    @property
    def multigraph(self) -> MoveGraph:
        """The graph with an edge for each move, if this is the `simple` one; otherwise this graph itself."""
        return self

    @property
    def vertex_count(self) -> int:
        """Number of vertices of a tour, as the user of the graph counts them."""
        return self.n

    # -- names -----------------------------------------------------------------------------------------------------

    @cached_property
    def _names(self) -> Sequence[str] | range:
        """Names of the vertices of a graph without a board, by number; a range stands for its numbers as texts."""
        if self.labels is None:
            return range(self.vertex_count)
        return self.labels if isinstance(self.labels, range) else label_names(self.labels)

    @cached_property
    def _vertices(self) -> Mapping[str, int]:
        """Number of each name, also in quotes or as its label is printed; `AMBIGUOUS` if two vertices have it."""
        if isinstance(self._names, range):
            return NumberNames(self._names)
        names = {name: vertex for vertex, name in enumerate(map(str, self._names))}
        quoted = {repr(name): vertex for name, vertex in names.items()}
        for vertex, label in enumerate(self.labels or ()):
            if names.setdefault(str(label), vertex) != vertex:
                names[str(label)] = AMBIGUOUS
        # A name that is another vertex's quoted name could mean either
        twice = [text for text, vertex in quoted.items() if names.get(text, vertex) != vertex and _SEVERAL.search(text)]
        return quoted | names | dict.fromkeys(twice, AMBIGUOUS)

    def name_of(self, vertex: int) -> str:
        """Name of a cell; without a board, the label of a vertex or, without labels, its number, from 0."""
        vertex = require_whole(vertex, "vertex", 0, self.vertex_count - 1)
        return self.board.name(vertex) if self.board else str(self._names[vertex])

    def edge_name(self, edge: int) -> str:
        """An edge in the notation of the command line, `a1-b3`."""
        edge = require_whole(edge, "edge", 0, self.m - 1)
        names = [self.name_of(int(self.tails[edge])), self.name_of(int(self.heads[edge]))]
        return "-".join(names if self.board else [repr(name) if _SEVERAL.search(name) else name for name in names])

    @cached_property
    def _labelled(self) -> dict[Any, int]:
        """Number of each label."""
        return {label: vertex for vertex, label in enumerate(self.labels or ())}

    def vertex_labelled(self, label: Any) -> int | None:
        """The vertex with a label or, in a graph without board and labels, with a number; `None` if there is none."""
        if self.board is not None:
            return None
        try:
            if self.labels is None or isinstance(self.labels, range):
                return None if isinstance(label, bool) else (self.labels or range(self.vertex_count)).index(label)
            vertex = self._labelled.get(label)
            return (
                vertex if vertex is None or isinstance(label, bool) == isinstance(self.labels[vertex], bool) else None
            )
        except (TypeError, ValueError):
            return None

    def find(self, name: str) -> int:
        """The vertex with a name."""
        require_text(name, "name of a vertex")
        if self.board:
            return self.board.find(name)
        # The exact name first: labels may begin or end with blanks
        vertex = self._vertices.get(name, self._vertices.get(name.strip()))
        if vertex == AMBIGUOUS:
            spoken = zip(map(str, self._names), map(str, self.labels or ()), strict=True)
            alike = " or ".join(known for known, label in spoken if name.strip() in (known, repr(known), label))
            raise KTError(f"vertex {excerpt(name)} of {self.name} may be {alike}; in Python give the label itself")
        if vertex is None:
            raise KTError(f"vertex {excerpt(name)} is not in {self.name}: {self.vertices_text}")
        return vertex

    @property
    def vertices_text(self) -> str:
        """The vertices in words; of many, the first few."""
        if isinstance(self._names, range):
            return f"its vertices are numbered from {self._names[0]} to {self._names[-1]}"
        examples = ", ".join(self._names[:8])
        return f"its vertices are {examples}{', ...' if self.vertex_count > 8 else ''}"

    def find_edge(self, text: str) -> int:
        """The edge written `a1-b3`.

        Raises
        ------
        KTError
            If it is not a move of this graph.
        """
        return self.joining(*self.ends_written(require_text(text, "move")))

    def joining(self, u: int, v: int) -> int:
        """The first edge that joins two vertices.

        Raises
        ------
        KTError
            If the two vertices are not joined.
        """
        edges = self.edges_between(u, v)
        if not edges:
            kind = f"a {self.leaper} move" if self.leaper else "an edge"
            there = [self.name_of(int(v)) for v in self.neighbours[self.indptr[u] : self.indptr[u + 1]][:8]]
            ways = f"{self.name_of(u)} leads to {', '.join(there) or 'nothing'}"
            names = f"{self.name_of(u)}-{self.name_of(v)}"
            raise KTError(f"{self.words.move} {names!r} is not {kind} of {self.name}: {ways}")
        return edges[0]

    def ends_written(self, text: str) -> tuple[int, int]:
        """The two vertices of an edge written `a1-b3`, which need not be joined."""
        require_text(text, "edge", "a text such as 'a1-b3'")
        if self.board is None:  # Names may contain hyphens, so all splits are tried
            dashes = [place for place, mark in enumerate(text) if mark == "-"]
            halves = [(text[:place].strip(), text[place + 1 :].strip()) for place in dashes]
            pairs = [half for half in halves if set(half) <= self._vertices.keys()]
            if len(pairs) == 1:
                return self.find(pairs[0][0]), self.find(pairs[0][1])
            why = "can be read in more than one way" if pairs else self.vertices_text
            raise KTError(f"edge {excerpt(text)}: an edge is written U-V, with the names of two vertices; {why}")
        # A hyphen between two cells; those inside negative numbers do not count
        names = re.split(r"(?<=[0-9)])\s*-\s*(?=[A-Za-z0-9(])", text.strip())
        if len(names) != 2:
            parts = re.findall(r"[A-Za-z]{1,7}[0-9]{1,9}", text[:100])
            meant = f", did you mean {'-'.join(parts)!r}? A" if len(parts) == 2 else ": a"
            raise KTError(f"move {excerpt(text)}{meant} move is written a1-b3")
        return self.find(names[0]), self.find(names[1])

    # -- symmetry --------------------------------------------------------------------------------------------------

    def symmetries(self) -> list[Symmetry]:
        """Symmetries of the board as maps of cells, the identity first; without a board, only the identity.

        Raises
        ------
        TooLarge
            If there are more than can be listed (`kt_models.symmetry.MAX_GROUP`).
        """
        return board_symmetries(self.board) if self.board else [Symmetry.identity(2)]

    def edge_permutation(self, symmetry: Symmetry) -> IntArray:
        """Image of each edge under a symmetry of the board, shape (m,)."""
        require(symmetry, "symmetry", Symmetry, "a Symmetry")
        board, moves = self.geometry
        vertex = symmetry.permutation(board)
        index = {tuple(move): k for k, move in enumerate(moves.tolist())}
        images = symmetry.apply_vectors(moves)
        forward = np.array([tuple(image) in index for image in images.tolist()])
        # An edge is stored by one of its two opposite vectors, the greater one
        kind = np.array([index[max(tuple(i), tuple(-c for c in i))] for i in images.tolist()])
        # An image against the stored vector begins at the image of the other end
        flipped = ~forward[self.edge_move]
        tail = np.where(flipped, vertex[self.heads], vertex[self.tails])
        return self.edge_at[tail, kind[self.edge_move]]

    @cached_property
    def move_symmetries(self) -> IntArray:
        """The symmetries of the board as maps of moves: images of each edge, shape (k, m), no two alike.

        Where two moves join the same two cells there may be more of them than maps of cells.

        Raises
        ------
        TooLarge
            If there are more than can be listed.
        """
        group = board_group(self.geometry[0])
        maps = [self.edge_permutation(symmetry @ still) for symmetry in group for still in group.alike]
        return sealed(np.unique(maps, axis=0))

    # -- files -----------------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """The keys `board`, `leaper`, and `cells` if the text is not enough; or `vertices`, `edges` and the like."""
        if self.board is not None:
            convention = {"distinguish_moves": False} if self.merged else {}
            return {**self.board.to_json(), "leaper": str(self.leaper), **convention}
        data: dict[str, Any] = {"board": self.name, "vertices": self.n, "edges": self._ends.tolist()}
        if self.labels is not None:
            data["labels"] = labels_to_json(self.labels)
        if self.weights is not None:
            data["edge_weights"] = self.weights_in_unit()
        return data if self.positions is None else data | self.positions.to_json()

    @classmethod
    def from_json(cls, data: dict[str, Any], most: int = MAX_CELLS) -> MoveGraph:
        """Read the graph of a JSON object that `to_json` wrote; `most` is as for `Board.parse`.

        Raises
        ------
        KTError
            If a key is missing or of the wrong type.
        """
        require(data, "data", dict, "a JSON object")
        if "vertices" in data:
            n, name = data["vertices"], data.get("board", "graph")
            if not is_integer(n) or not isinstance(name, str) or not isinstance(data.get("edges", []), list):
                raise KTError("'vertices', 'edges' or 'board' has the wrong type")
            if not name.isprintable():
                raise KTError("'board' is not a text that can be printed")
            name = "graph" if is_board(name) else name  # The name of a board would mislead
            if "arcs" in data:
                raise KTError("it is a directed graph, and an undirected one is needed here")
            if "edges" not in data:
                raise KTError("a graph without a board has the key 'edges', or, if it is directed, 'arcs'")
            edges = integer_rows(data["edges"], "edges") if data["edges"] else np.zeros((0, 2), dtype=np.int64)
            if edges.shape[1] != 2:
                raise KTError("'edges' is not a list of vertex pairs")
            if any(data.get(key) for key in EDGE_KEYS) and not _in_order(edges):
                raise KTError(
                    f"'edges' are not in ascending order, each once and none a loop, as {', '.join(EDGE_KEYS)} need"
                )
            labels = labels_from_json(data["labels"], n) if "labels" in data else None
            graph = cls.from_edges(n, edges, name, labels)
            from kt_models.positions import Positions  # Most graphs have none.

            graph = graph.having(positions=Positions.from_json(data, n))
            if "edge_weights" in data:
                return graph.weighed(edges, weights_from_json(data["edge_weights"], len(edges)))
            return graph
        leaper = data.get("leaper", "1,2")
        if not isinstance(leaper, str):
            raise KTError("'leaper' is not a text")
        graph = cls.of(Board.from_json(data, most), Leaper.parse(leaper))
        distinguished = data.get("distinguish_moves", True)
        if not is_boolean(distinguished):
            raise KTError("'distinguish_moves' is not true or false")
        if "distinguish_moves" in data and not has_parallel_edges(graph):
            raise KTError(f"'distinguish_moves': no two moves of {graph.name} join the same two cells")
        graph = graph if distinguished else graph.simple
        # Files of other programs may state the edges of a board; they must be its moves
        if "edges" in data and not graph._has_edges(data["edges"]):
            raise KTError(
                f"'edges' are not the moves of {graph.name}, leaper {leaper}; "
                "a graph that is not a board has the key 'vertices' besides"
            )
        return graph

    def _has_edges(self, edges: Any) -> bool:
        """Whether a list of pairs of vertices, in either direction, names every edge and no other."""
        if not isinstance(edges, list) or len(edges) != self.m:
            return False
        rows = integer_rows(edges, "edges").tolist() if edges else []
        return sorted(map(sorted, rows)) == sorted(map(sorted, self._ends.tolist()))

    @property
    def geometry(self) -> tuple[Board, npt.NDArray[np.int64]]:
        """The board and the moves; raises `KTError` if there are none."""
        if self.board is None or self.moves is None:
            raise KTError(f"graph {self.name} has no board: its edges have no vectors")
        return self.board, self.moves

    def _repr_svg_(self) -> str | None:
        return svg(self)

    def __repr__(self) -> str:
        return (
            f"MoveGraph({self.name!r}, leaper={self.leaper})"
            if self.board
            else f"MoveGraph({self.name!r}, n={self.n}, m={self.m})"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MoveGraph):
            return NotImplemented
        if self.board is not None or other.board is not None:
            return self.board == other.board and self.leaper == other.leaper and self.merged == other.merged
        return self.n == other.n and np.array_equal(self._ends, other._ends)

    def __hash__(self) -> int:
        # Equal graphs have equal counts, and hashing all edges would take longer than comparing once
        return hash((self.board, self.leaper) if self.board else (self.n, self.m))


class _SimpleGraph(MoveGraph):
    """The moves of a board, where all moves between the same two cells are one edge.

    An edge has the tail and the displacement of the first move between its ends; `edge_at` knows it by all of them.
    """

    merged: ClassVar[bool] = True

    @cached_property
    def multigraph(self) -> MoveGraph:
        return MoveGraph(self.board, self.leaper).having(words=self.words)

    @cached_property
    def _first_moves(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The first edge of the multigraph for each edge, shape (m,), and the edge for each of the multigraph."""
        ends = np.sort(self.multigraph.ends, axis=1).astype(np.int64)
        _, first, pair = np.unique(ends[:, 0] * self.n + ends[:, 1], return_index=True, return_inverse=True)
        number = np.empty(len(first), dtype=np.int64)
        number[np.argsort(first)] = np.arange(len(first))
        return np.sort(first), number[pair]

    @cached_property
    def edge_at(self) -> IntArray:
        """Edge with a given tail and move, shape (n, k); -1 if there is none."""
        edges = self.multigraph.edge_at
        return sealed(np.where(edges >= 0, self._first_moves[1][edges], -1).astype(np.int32))

    @cached_property
    def _ends(self) -> IntArray:
        return sealed(self.multigraph.ends[self._first_moves[0]])

    @cached_property
    def m(self) -> int:
        return len(self._ends)

    def edges_by(self, tails: IntArray, kinds: IntArray) -> IntArray:
        """Edge from each of some tails by each of some moves; -1 if there is none."""
        return self.edge_at[tails, kinds]

    @cached_property
    def edge_move(self) -> IntArray:
        """Index in `moves` of the first move of each edge, shape (m,)."""
        return sealed(self.multigraph.edge_move[self._first_moves[0]])

    @cached_property
    def _rows(self) -> tuple[npt.NDArray[np.int64], IntArray]:
        return self._rows_of_entries

    @cached_property
    def incident(self) -> IntArray:
        """Edge to each neighbour, shape (2m,)."""
        return sealed(self._entries[1])


def _in_order(edges: npt.NDArray[np.int64]) -> bool:
    """Whether pairs of vertices are in the order of the edges of a graph."""
    rows = edges.tolist()
    return all(u < v for u, v in rows) and all(a < b for a, b in pairwise(rows))


def known_weights(
    pairs: npt.NDArray[np.integer[Any]], weights: Sequence[Any], name: Callable[[int, int], str]
) -> tuple[dict[tuple[int, int], int], int]:
    """Weight of each pair of vertices that is not a loop, as integers in one unit, and its number of decimals.

    Parameters
    ----------
    name
        Makes the name of a pair.

    Raises
    ------
    KTError
        If a pair has no weight, a weight that `kt_models.decimals` does not read, or two different weights.
    """
    rows = pairs.tolist()
    kept = [row for row, (u, v) in enumerate(rows) if u != v]
    if (odd := next((row for row in kept if weights[row] is None), None)) is not None:
        raise KTError(f"the {name(*rows[odd])} has no weight, and others have one")
    integers, decimals = scaled(
        [weights[row] for row in kept], lambda row: f"the weight of the {name(*rows[kept[row]])}"
    )
    known: dict[tuple[int, int], int] = {}
    for row, weight in zip(kept, integers.tolist(), strict=True):
        u, v = rows[row]
        if (before := known.setdefault((u, v), weight)) != weight:
            two = " and ".join(decimal_words(value, decimals) for value in (before, weight))
            raise KTError(f"the {name(u, v)} has two weights, {two}")
    return known, decimals


def weights_from_json(weights: Any, count: int) -> list[int | float]:
    """Weights in a JSON object, one for each of its edges, in order."""
    if not isinstance(weights, list) or {*map(type, weights)} - {int, float} or len(weights) != count:
        raise KTError("'edge_weights' is not a list of numbers, one for each edge")
    return weights


def has_parallel_edges(graph: MoveGraph) -> bool:
    """Whether two moves join the same two cells, as happens on narrow periodic boards."""
    board = graph.board
    if board is None or graph.moves is None or graph.merged or not any(board.wraps):
        return False
    # Two moves from one cell lead to the same cell if their vectors differ by whole periods.
    period = np.where(board.wraps, board.shape, 0)
    signed = np.unique(np.concatenate([graph.moves, -graph.moves]), axis=0)
    reduced = np.where(period > 0, signed % np.maximum(period, 1), signed)
    away = reduced[(reduced != 0).any(axis=1)]
    if len(np.unique(away, axis=0)) == len(away):
        return False
    return len(distinct_pairs(np.sort(graph.ends, axis=1), graph.n)) < graph.m


def not_for_directed(graph: MoveGraph, feature: str) -> None:
    """Refuse a directed graph for something that does not support it; `feature` begins the sentence."""
    if graph.directed is not None:
        raise KTError(
            f"{graph.name}: {feature} of directed graphs are not supported; cycles, paths and their counts are"
        )


def require_undirected(graph: MoveGraph, kind: str) -> None:
    """Refuse a directed graph for a kind of file that cannot express it."""
    if graph.directed is not None:
        raise KTError(f"{graph.name}: {kind} cannot express a directed graph; .hcp and .json files can")
