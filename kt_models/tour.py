"""`Tour`: an order in which all vertices are visited, with its check, its measures and its symmetries."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.arguments import require, require_boolean, require_whole, require_wholes
from kt_models.board import IntArray, coordinates_of, integer_rows, sealed, sealed_copy
from kt_models.complete_graph import CompleteGraph
from kt_models.decimals import in_unit
from kt_models.directed import DirectedGraph, SplitGraph
from kt_models.display import save, svg
from kt_models.errors import InvalidTour, KTError
from kt_models.graph import MoveGraph, not_for_directed
from kt_models.graph_kinds import graph_from_json
from kt_models.json_values import is_boolean
from kt_models.json_version import FORMAT_VERSION, read_document
from kt_models.long_arrays import with_lists
from kt_models.metrics import BOARD_METRICS, METRICS
from kt_models.pairs import PatternPairs, count_steps, has_patterns, pairs_of_steps
from kt_models.symmetry import Symmetry
from kt_models.weights import WEIGHT

MAX_VECTORS = 1 << 20
"""Most vectors of a table of all that are as short as the moves."""
BLOCK = 1 << 18
"""Steps that are examined together: their arrays take some 20 megabytes."""


class Steps(NamedTuple):
    """The moves that a tour makes, in order, as three arrays of numbers; `Tour.moves` has them as pairs of cells.

    `tails` are vertices, `kinds` are rows of the graph's table of moves (displacements), and `forward` tells whether
    the tour makes the move from its tail to its head.
    """

    tails: IntArray
    kinds: IntArray
    forward: npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Tour:
    """A closed or open tour of a graph. It may be wrong: `verify` checks it.

    It is a sequence of its cells: `tour[0]` is the first, and `tour[:3]` lists the first three.

    Two tours are equal if both are closed or both are open and they make the same moves of equal graphs. Where a tour
    starts and which way it goes does not count, as it does not where tours are counted: a closed tour equals its
    rotations and its reversal, and an open tour equals its reversal.

    Parameters
    ----------
    graph
        The graph of the tour.
    order
        Vertex numbers in the order of the visit, shape (n,); the closing move of a closed tour is implied. A tour of
        a directed graph is one of its split graph (`kt_models.directed`), and `vertices` has those of the directed one.
    closed
        Whether the last vertex is followed by the first.
    displacements
        Only on periodic boards, where two moves can join the same two cells: the vector of each step, shape
        (steps, dimension). Without it the first move that fits is meant.

    Raises
    ------
    KTError
        If an argument is of the wrong kind.
    InvalidTour
        If a number in the order is not a vertex.

    Examples
    --------
    >>> import kt
    >>> tour = kt.read("c4 b2 a4 c3 b1 a3 c2 b4 a2 c1 b3 a1", "3x4", closed=False)
    >>> tour[0], tour[-2:], tour == tour.reversed()
    ((2, 3), [(1, 2), (0, 0)], True)
    >>> tour.numbers.tolist()
    [[3, 8, 1], [6, 11, 4], [9, 2, 7], [12, 5, 10]]
    """

    graph: MoveGraph
    order: IntArray
    closed: bool
    displacements: npt.NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        require(self.graph, "graph", MoveGraph, "a MoveGraph (kt.graph makes one)")
        order = require_wholes(self.order, "order")
        if len(order) and not 0 <= order.min() <= order.max() < self.graph.n:
            outside = (order < 0) | (order >= self.graph.n)
            raise InvalidTour(f"position {int(np.argmax(outside)) + 1} is not a vertex of {self.graph.name}")
        object.__setattr__(self, "order", sealed(order.astype(np.int32)))
        object.__setattr__(self, "closed", require_boolean(self.closed, "closed"))
        if self.displacements is not None:
            board, _ = self.graph.geometry
            vectors = require_wholes(self.displacements, "displacements", board.dimension)
            if len(vectors) != len(order) - (not self.closed):
                raise KTError(f"displacements must be one vector for each step, got {len(vectors):,}")
            object.__setattr__(self, "displacements", sealed_copy(vectors))

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and unpickled tours are constructed anew, so that their arrays are read-only, too."""
        # Cached values are large and quickly made again, so they are not pickled
        return Tour, (self.graph, self.order, self.closed, self.displacements)

    @classmethod
    def along(cls, graph: MoveGraph, order: npt.ArrayLike, edges: npt.ArrayLike, closed: bool) -> Tour:
        """The tour that visits vertices in an order along given edges, which fix its displacements."""
        require(graph, "graph", MoveGraph, "a MoveGraph (kt.graph makes one)")
        vertices: IntArray = require_wholes(order, "order").astype(np.int32)
        steps = require_wholes(edges, "edges")
        closed = require_boolean(closed, "closed")
        if len(steps) != len(vertices) - (not closed) or (len(steps) and not 0 <= steps.min() <= steps.max() < graph.m):
            raise KTError("edges must be the number of an edge of the graph for each step")
        if graph.board is None or graph.moves is None or not any(graph.board.wraps) or graph.merged:
            return cls(graph, vertices, closed)
        # Only with wrapped axes can the cells of a step leave its vector open
        sign = np.where(graph.tails[steps] == vertices[: len(steps)], 1, -1)
        return cls(graph, vertices, closed, sign[:, None] * graph.moves[graph.edge_move[steps]])

    @classmethod
    def of(cls, graph: MoveGraph, vertices: npt.ArrayLike, closed: bool) -> Tour:
        """The tour that visits vertices in an order; of a directed graph, these are its own vertices, not split ones.

        Raises
        ------
        InvalidTour
            If a directed graph has no such vertex.
        """
        require(graph, "graph", MoveGraph, "a MoveGraph (kt.graph makes one)")
        if isinstance(graph, SplitGraph):
            graph = graph.split(open=not closed)
            return cls(graph, graph.expanded(vertices), closed)
        return cls(graph, require_wholes(vertices, "vertices"), closed)  # type: ignore[arg-type]

    @cached_property
    def vertices(self) -> IntArray:
        """The visited vertices, numbered as users of the graph number them: `order`, or those of the directed graph."""
        return self.graph.contracted(self.order, self.closed) if isinstance(self.graph, SplitGraph) else self.order

    @property
    def names(self) -> list[str]:
        """Names of the visited vertices, in order."""
        place = self.graph.directed if isinstance(self.graph, SplitGraph) else self.graph
        return [place.name_of(int(v)) for v in self.vertices]

    def __len__(self) -> int:
        return len(self.vertices)

    def __iter__(self) -> Iterator[Any]:
        """Cells in the order of the visit, as tuples of coordinates; without a board, vertices."""
        return self._cells(self.vertices)

    def __getitem__(self, index: int | slice) -> Any:
        """The cell at a position of the visit, from 0; for a slice, a list of cells."""
        if isinstance(index, slice):
            return list(self._cells(self.vertices[index]))
        return next(self._cells(self.vertices[[operator.index(index)]]))

    def _cells(self, vertices: IntArray) -> Iterator[Any]:
        if self.graph.board is not None:
            return (tuple(cell) for cell in self.graph.board.cells[vertices].tolist())
        labels = self.graph.labels
        return (int(v) if labels is None else labels[v] for v in vertices)

    @cached_property
    def _key(self) -> tuple[Any, ...]:
        """A key that equal tours share."""
        moves = b""
        # The order alone is not enough: two moves can join the same two cells
        if self.graph.board is not None and any(self.graph.board.wraps):
            with suppress(InvalidTour):
                moves = np.sort(self.edges).tobytes()
        return self.graph, self.closed, _normalised(self.order, self.closed).tobytes(), moves

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tour):
            return NotImplemented
        return self is other or self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return (
            f"Tour({self.graph.name!r}, {'closed' if self.closed else 'open'}, {len(self):,} {self.graph.words.places})"
        )

    @property
    def moves(self) -> list[tuple[Any, Any]]:
        """Moves, each from a cell to the next; the last move of a closed tour leads back to the first cell."""
        cells = list(self)
        return list(zip(cells, cells[1:] + cells[: int(self.closed)], strict=False))

    @property
    def coordinates(self) -> IntArray:
        """Cells in the order of the visit, shape (n, dimension)."""
        if self.graph.board is None:
            raise KTError(f"graph {self.graph.name} has no board: its vertices have no coordinates")
        return coordinates_of(self.graph.board, self.order)

    @cached_property
    def numbers(self) -> IntArray:
        """Grid of the numbers of the visit, from 1; 0 at holes.

        In the plane it lies as a tour is printed: the first row is the top row of the board, shape (height, width). In
        more dimensions it is indexed by coordinates, `numbers[x, y, z]`.
        """
        if self.graph.board is None:
            raise KTError(f"graph {self.graph.name} has no board: its tours have no grid of numbers")
        board = self.graph.board
        visits = np.zeros(board.n, dtype=np.int32)
        # Holes have the number -1 in the grid and get 0 by the mask
        visits[self.order] = np.arange(1, len(self.order) + 1, dtype=np.int32)
        grid = np.where(board.grid >= 0, visits[board.grid], 0)
        return sealed(np.ascontiguousarray(grid.T[::-1]) if board.dimension == 2 else grid)

    @cached_property
    def steps(self) -> Steps:
        """The moves that the tour makes, in order, as arrays of numbers.

        Raises
        ------
        InvalidTour
            If a step is not a move of the board.
        """
        board, moves = self.graph.geometry
        count = len(self.order) if self.closed else len(self.order) - 1
        signed = np.concatenate([moves, -moves])
        tails = np.empty(count, dtype=np.int32)
        kinds = np.empty(count, dtype=np.int32)
        forward = np.empty(count, dtype=bool)
        period = np.where(board.wraps, board.shape, 0).tolist()
        reach = int(np.abs(moves).max(initial=0))
        # Without wrapped axes the vector of a step is its move, which a table of all short vectors tells
        plain = not any(period) and self.displacements is None and (2 * reach + 1) ** board.dimension <= MAX_VECTORS
        if plain:
            known = np.full((2 * reach + 1) ** board.dimension + 1, -1, dtype=np.int64)
            codes = self._codes(signed, reach)
            known[codes[::-1]] = np.arange(len(signed))[::-1]
        # In blocks, because the arrays for a step take ten times the room of its result
        for first in range(0, count, BLOCK):
            block = slice(first, min(first + BLOCK, count))
            sources = self.order[block]
            targets = self.order[first + 1 : block.stop + 1]
            if len(targets) < len(sources):  # The last step of a closed tour leads to the first vertex
                targets = np.append(targets, self.order[0])
            actual = coordinates_of(board, targets) - coordinates_of(board, sources)
            kind = known[self._codes(actual, reach)] if plain else self._kinds(actual, signed, period, block)
            if kind.min() < 0:
                raise InvalidTour(self._not_a_move(first + int(np.argmax(kind < 0))))
            forward[block] = kind < len(moves)
            kinds[block] = kind % len(moves)
            tails[block] = np.where(forward[block], sources, targets)
        return Steps(sealed(tails), sealed(kinds), sealed(forward))

    @staticmethod
    def _codes(vectors: npt.NDArray[np.int64], reach: int) -> npt.NDArray[np.int64]:
        """A number for each vector whose entries are at most `reach`; for others the last one, -1."""
        code = np.zeros(len(vectors), dtype=np.int64)
        short = np.ones(len(vectors), dtype=bool)
        for axis in range(vectors.shape[1]):
            along = vectors[:, axis]
            short &= (along <= reach) & (along >= -reach)
            code = code * (2 * reach + 1) + (along + reach)
        return np.where(short, code, -1)

    def _kinds(
        self, actual: npt.NDArray[np.int64], signed: npt.NDArray[np.integer[Any]], period: list[int], block: slice
    ) -> npt.NDArray[np.int64]:
        """The first of the signed moves that makes each step, or -1."""
        kind = np.full(len(actual), -1, dtype=np.int64)
        # In reverse, so that the first fitting move overwrites later ones
        for index in range(len(signed) - 1, -1, -1):
            gap = actual - signed[index]
            fits = np.ones(len(actual), dtype=bool)
            for axis, cycle in enumerate(period):
                fits &= (gap[:, axis] % cycle if cycle else gap[:, axis]) == 0
            if self.displacements is not None:
                fits &= (self.displacements[block] == signed[index]).all(axis=1)
            kind[fits] = index
        return kind

    @cached_property
    def edges(self) -> IntArray:
        """Number of the edge of each move, shape (n,) or (n - 1,)."""
        if self.graph.moves is not None:
            return sealed(self.graph.edges_by(self.steps.tails, self.steps.kinds))
        tails, heads = self.order.astype(np.int64), np.roll(self.order, -1).astype(np.int64)
        if not self.closed:
            tails, heads = tails[:-1], heads[:-1]
        if isinstance(self.graph, CompleteGraph):
            numbers = self.graph.edges_joining(tails, heads)
            if (numbers < 0).any():
                raise InvalidTour(self._not_a_move(int(np.argmax(numbers < 0))))
            return sealed(numbers)  # type: ignore[arg-type]  # Numbers of so many edges have 64 bits.
        # Sorted, because edges are sorted by tail and head
        keys = self.graph.tails.astype(np.int64) * self.graph.n + self.graph.heads
        # An edge has the smaller vertex first
        wanted = np.minimum(tails, heads) * self.graph.n + np.maximum(tails, heads)
        place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        if len(wanted) and (not len(keys) or (keys[place] != wanted).any()):
            raise InvalidTour(self._not_a_move(int(np.argmax(keys[place] != wanted)) if len(keys) else 0))
        return sealed(place.astype(np.int32))

    def _not_a_move(self, step: int) -> str:
        u, v = int(self.order[step]), int(self.order[(step + 1) % len(self.order)])
        name = f"{self.graph.name_of(u)} to {self.graph.name_of(v)}"
        kind = f"a {self.graph.leaper} move" if self.graph.leaper else "an edge"
        if step == len(self.order) - 1:
            return f"the {self.graph.words.tour} does not close: {name} is not {kind}"
        return f"step {step + 1}: {name} is not {kind}"

    # -- measures --------------------------------------------------------------------------------------------------

    def measure(self, metric: str) -> Any:
        """The value of a metric: an integer, or a float where users see decimals. Of boards in linear time."""
        if not has_patterns(self.graph, metric):
            table = METRICS[metric].weights(*self.placed_edges)
            return in_unit(sum(table.weight.tolist()), table.decimals)
        return count_steps(self.graph, metric, self.steps.tails, self.steps.kinds)

    @cached_property
    def placed_edges(self) -> tuple[MoveGraph, npt.NDArray[np.int64]]:
        """A graph that lists the edges of the tour, and their numbers in it."""
        if isinstance(self.graph, CompleteGraph):
            part = self.graph.part(self.edges)
            return part, sealed(np.arange(part.m))
        return self.graph, sealed(self.edges.astype(np.int64))

    def pairs(self, metric: str) -> list[PatternPairs]:
        """Positions of turns or crossings."""
        return list(pairs_of_steps(self.graph, metric, self.steps.tails, self.steps.kinds))

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics that are shown: `turns` and `crossings` on a board, on other graphs those of positions,
        and `weight` if edges have weights."""
        names = BOARD_METRICS if self.graph.board is not None else tuple(filter(self._has, METRICS))
        return (*names, *(() if self.graph.weights is None else (WEIGHT,)))

    def _has(self, metric: str) -> bool:
        """Whether a graph with positions has a metric that is shown; an edge of length 0 has no direction."""
        if self.graph.positions is None or METRICS[metric].needs != "positions" or ":" in metric:
            return False
        try:
            self.measure(metric)
        except KTError:
            return False
        return True

    @property
    def is_measurable(self) -> bool:
        """Whether turns and crossings are defined, which needs a board or positions."""
        return self.graph.board is not None or self.graph.positions is not None

    # -- symmetry --------------------------------------------------------------------------------------------------

    def transformed(self, symmetry: Symmetry) -> Tour:
        """Image under a symmetry of the board."""
        require(symmetry, "symmetry", Symmetry, "a Symmetry")
        if self.graph.board is None:
            return self
        vectors = None if self.displacements is None else symmetry.apply_vectors(self.displacements)
        return Tour(self.graph, symmetry.permutation(self.graph.board)[self.order], self.closed, vectors)

    def normalised(self) -> Tour:
        """The same tour from the start and in the direction that make the order least; no symmetry is applied.

        On a periodic board the choice between parallel moves is lost.
        """
        return Tour(self.graph, _normalised(self.order, self.closed), self.closed)

    def canonical(self) -> Tour:
        """The representative of all images of the tour under the symmetries of the board, as orders of cells.

        Two tours have the same canonical form exactly when a symmetry of the board takes one to the other: a
        reflection, a turn, a translation along a periodic axis, or a product of these. On a board without periodic
        axes it is the image with the least order. It takes time linear in the number of cells for each reflection and
        turn.
        """
        from kt_models.canonical import canonical_order

        if self.graph.board is None:
            return self.normalised()
        return Tour(self.graph, canonical_order(self.graph.board, self.order, self.closed), self.closed)

    def symmetries(self) -> list[Symmetry]:
        """The symmetries of the board that map the tour to itself as an order of cells, the identity first.

        On a periodic board there may be translations `(x+2,y)` among them.
        """
        from kt_models.canonical import tour_symmetries

        if self.graph.board is None:
            return [Symmetry.identity(2)]
        return tour_symmetries(self.graph.board, self.order, self.closed)

    def reversed(self) -> Tour:
        """The same tour backwards, from its last vertex (its first, if it is closed).

        Raises
        ------
        KTError
            If the graph is directed.
        """
        not_for_directed(self.graph, "reversals of tours")
        vectors = None if self.displacements is None else -self.displacements[::-1]
        return Tour(self.graph, np.roll(self.order[::-1], int(self.closed)), self.closed, vectors)

    def starting_at(self, vertex: int) -> Tour:
        """The same tour from a vertex, numbered as users do: any of a closed tour, an end of an open one.

        Raises
        ------
        KTError
            If an open tour does not end there, or a directed one does not begin there.
        """
        place = np.flatnonzero(self.vertices == require_whole(vertex, "vertex"))
        if not len(place) or (not self.closed and place[0] not in (0, len(self) - 1)):
            raise KTError(f"vertex {vertex}: the tour cannot start there")
        if place[0] == 0:
            return self
        if not self.closed:
            return self.reversed()
        if self.graph.directed is not None:
            return Tour.of(self.graph, np.roll(self.vertices, -place[0]), True)
        vectors = None if self.displacements is None else np.roll(self.displacements, -place[0], axis=0)
        return Tour(self.graph, np.roll(self.order, -place[0]), True, vectors)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the tour to a file by its suffix: `.json`, `.tour`, `.svg`, `.png`, `.pdf`, `.tex` or `.html`."""
        save(self, path, force=force)

    def _repr_svg_(self) -> str | None:
        return svg(self)


def _normalised(order: IntArray, closed: bool) -> IntArray:
    """The least of the orders that describe the same tour."""
    if len(order) < 2:
        return order
    if not closed:
        return order if order[0] < order[-1] else order[::-1]
    start = int(np.argmin(order))
    ahead, behind = int(order[(start + 1) % len(order)]), int(order[start - 1])
    # Begins at the least vertex and goes on to the lesser of its neighbours
    return np.roll(order, -start) if ahead <= behind else np.roll(order[::-1], start + 1)


def verify(tour: Tour) -> None:
    """Check that a tour visits every vertex exactly once by moves of its graph, and contains the fixed moves.

    Raises
    ------
    InvalidTour
        If it is not a tour. The message names the first fault: a vertex visited twice or missed, or a step that is not
        a move.
    """
    graph = tour.graph
    if isinstance(graph, SplitGraph):  # Checked as a directed tour first, for an error in its own terms
        _verify_visits(graph.directed, tour.vertices)
        graph.directed.verify_steps(tour.vertices, tour.closed)
    _verify_visits(graph, tour.order)
    words = graph.words
    if tour.closed and graph.n < 2:
        raise InvalidTour(f"a {words.cycle} needs at least 3 {words.places}")
    edges = tour.steps.tails if graph.moves is not None else tour.edges
    if (
        tour.closed
        and graph.n == 2
        and (graph.moves is None or len(set(zip(edges.tolist(), tour.steps.kinds.tolist(), strict=True))) < 2)
    ):
        raise InvalidTour(f"a {words.cycle} of 2 {words.places} would use the same {words.move} twice")
    for edge in sorted(graph.fixed - set(tour.edges.tolist()) if graph.fixed else ()):
        raise InvalidTour(f"the required {words.move} {graph.edge_name(edge)} is not used")


def _verify_visits(graph: MoveGraph | DirectedGraph, order: IntArray) -> None:
    """Check that an order contains every vertex of a graph once."""
    visited = np.zeros(graph.n, dtype=bool)
    visited[order] = True
    if len(order) == graph.n and visited.all():
        return
    # Only the message needs the first places of all vertices, whose sorting takes time and memory
    unique, first = np.unique(order, return_index=True)
    if len(unique) < len(order):
        again = np.ones(len(order), dtype=bool)
        again[first] = False
        position = int(np.argmax(again))
        earlier = int(np.argmax(order == order[position]))
        name = graph.name_of(int(order[position]))
        raise InvalidTour(f"{name} is visited twice, at positions {earlier + 1} and {position + 1}")
    if len(order) < graph.n:
        name = graph.name_of(int(np.argmin(visited)))
        raise InvalidTour(f"{name} is not visited: the {graph.words.tour} has {len(order):,} of {graph.n:,} vertices")


def order_from_json(graph: MoveGraph, data: Any) -> IntArray:
    """Vertex numbers of a JSON tour, as `Tour.of` takes them: coordinate lists on a board, `[vertex]` without.

    Raises
    ------
    KTError
        If the data are not such a list, or a cell is not on the board.
    """
    rows = integer_rows(data, "tour")
    if graph.board is None:
        if rows.shape[1] != 1:
            raise KTError("'tour' of a graph without a board is a list of [vertex]")
        bad = (rows[:, 0] < 0) | (rows[:, 0] >= graph.vertex_count)
        if bad.any():
            raise InvalidTour(
                f"'tour' entry {int(np.argmax(bad))}: {rows[np.argmax(bad), 0]} is not a vertex of {graph.name}"
            )
        return rows[:, 0].astype(np.int32)
    if rows.shape[1] != graph.board.dimension:
        raise KTError(
            f"'tour' has cells of {rows.shape[1]} coordinates; the board {graph.name} has {graph.board.dimension}"
        )
    order = graph.board.numbers(rows)
    if len(order) and order.min() < 0:
        index = int(np.argmax(order < 0))
        raise InvalidTour(f"'tour' entry {index}: {tuple(rows[index].tolist())} is not a cell of {graph.name}")
    return order


def order_to_json(graph: MoveGraph, order: Sequence[int] | IntArray) -> list[list[int]]:
    """Coordinate lists on a board, `[vertex]` without."""
    rows: list[list[int]] = _cell_rows(graph, np.asarray(order)).tolist()
    return rows


def _cell_rows(graph: MoveGraph, order: IntArray) -> IntArray:
    """The coordinates of vertices, a row for each; without a board, their numbers."""
    return order.reshape(-1, 1) if graph.board is None else coordinates_of(graph.board, order)


def from_start_or_to_end(tour: Tour, start: int | None, end: int | None) -> Tour:
    """The same tour from `start` or, if only `end` is given, in the direction that ends there.

    An open tour of a directed graph begins where it has to.
    """
    if start is end is None or (tour.graph.directed is not None and not tour.closed):
        return tour
    if start is None:
        start = int(tour.vertices[0 if int(tour.vertices[-1]) == end else -1])
    return tour.starting_at(start)


def of_board(tour: Tour) -> Tour:
    """A tour that is an order of cells, as a tour of its board, by the first move that joins each two of them."""
    return of_graph(tour, tour.graph.multigraph)


def of_graph(tour: Tour, graph: MoveGraph) -> Tour:
    """A tour of a board as one of a graph that has the other convention about moves between the same two cells.

    An order of cells goes by the first move that joins each two of them, and a tour by moves loses them. A tour of any
    other graph is left as it is.
    """
    if tour.graph.merged is graph.merged or tour.graph.multigraph != graph.multigraph:
        return tour
    return Tour(graph, tour.order, tour.closed)


def tour_keys(tour: Tour) -> dict[str, Any]:
    """JSON keys of a tour: `tour`, `closed`, each of its `metrics`, and on a periodic board `moves`, with arrays.

    A tour that is an order of cells has neither moves nor measures, which depend on them.
    """
    data: dict[str, Any] = {"tour": _cell_rows(tour.graph, tour.vertices), "closed": tour.closed}
    if tour.graph.merged:
        return data
    data |= {metric: tour.measure(metric) for metric in tour.metrics}
    if tour.graph.board is not None and any(tour.graph.board.wraps) and tour.graph.moves is not None:
        sign = np.where(tour.steps.forward, 1, -1)[:, None]
        data["moves"] = tour.graph.moves[tour.steps.kinds] * sign
    return data


def tour_document(tour: Tour) -> dict[str, Any]:
    """The JSON object of a tour (docs/use/format.md) with arrays in it, for writers that print them in blocks."""
    return {"version": FORMAT_VERSION, "kind": "tour", **tour.graph.multigraph.to_json(), **tour_keys(tour)}


def tour_to_json(tour: Tour) -> dict[str, Any]:
    """The JSON object of a tour (docs/use/format.md), with lists."""
    return with_lists(tour_document(tour))


def tour_from_json(data: Any) -> Tour:
    """Read the tour of a JSON object of kind `tour` or `result`; it may be wrong: `verify` checks it.

    Raises
    ------
    KTError
        If a key is missing or of the wrong type, or a cell is not on the board.
    """
    if not isinstance(data, dict):
        raise KTError("not a JSON object")
    data = read_document(data, "tour")
    if "tour" not in data:
        raise KTError("there is no 'tour' in it")
    if not is_boolean(data.get("closed")):
        raise KTError("'closed' is missing or is not true or false")
    graph = graph_from_json(data)
    vectors = None
    if "moves" in data:
        moves = data["moves"]
        steps = len(data["tour"]) - (not data["closed"]) if isinstance(data["tour"], list | np.ndarray) else 0
        empty = isinstance(moves, list | np.ndarray) and not len(moves) and steps <= 0
        vectors = None if empty else integer_rows(moves, "moves")
        if vectors is not None and (graph.board is None or vectors.shape != (steps, graph.board.dimension)):
            raise KTError("'moves' is not one vector for each step")
    order = order_from_json(graph, data["tour"])
    return Tour.of(graph, order, data["closed"]) if vectors is None else Tour(graph, order, data["closed"], vectors)
