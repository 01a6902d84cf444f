"""`DirectedGraph`, and `SplitGraph`: the undirected graph whose Hamiltonian cycles are those of a directed one.

Each vertex v is split into an *entry*, a *middle* and an *exit*, joined in this order; the arc u->v becomes the edge
between the exit of u and the entry of v (Karp 1972). A middle has degree two, so a Hamiltonian cycle of the split
graph uses both its edges. An entry or exit has one more edge of the cycle, and that is an arc. So from any middle on,
the cycle runs middle, exit, entry, middle, exit, ... and follows arcs from tail to head: walked in this direction, it
is one Hamiltonian cycle of the directed graph, and every such cycle comes from exactly one. This holds for one vertex
(there is no cycle, as loops are no arcs) and for two (u->v->u is a cycle if both arcs are there).

For paths the split graph has two vertices more: the *start* is joined to every entry, the *end* to every exit, and and
the problem asks for paths from start to end through all vertices. The same argument shows that they are the directed
Hamiltonian paths, each once. A path begins at v if it uses the edge from the start to the entry of v.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from kt_models.board import IntArray, integer_rows, sealed
from kt_models.cells import DIRECTED_WORDS, Vocabulary
from kt_models.errors import InvalidTour, KTError, TooLarge
from kt_models.graph import MAX_EDGES, MoveGraph, distinct_pairs, known_weights
from kt_models.json_values import is_integer
from kt_models.labels import frozen_labels, label_names, labels_from_json, labels_to_json

if TYPE_CHECKING:
    import networkx

SPARSE = 1_000_000
"""With more vertices, and too few arcs for a path, the edges of the split graph are not made."""
MAX_SPARSE = 400_000_000
"""Most vertices of a directed graph with too few arcs for a path; edges of its split graph are numbers of 32 bits."""
MAX_SHOWN = 8
"""Most neighbours that an error names."""


WHICH_WAY = "give --directed or --undirected (in Python directed=)"
"""The options that decide whether what is listed are arcs or edges."""


def arcs_once(arcs: npt.NDArray[np.int64], n: int) -> npt.NDArray[np.int64]:
    """Arcs between vertices below `n` whose reverse is not there, without loops and repeats, in ascending order."""
    size = max(1, n)
    rows = distinct_pairs(arcs[arcs[:, 0] != arcs[:, 1]], size)
    once: npt.NDArray[np.int64] = rows[~np.isin(rows @ [size, 1], rows @ [1, size])]
    return once


@dataclass(frozen=True, eq=False)
class DirectedGraph:
    """A directed graph without loops and parallel arcs.

    Parameters
    ----------
    n
        Number of vertices; they are 0..n-1.
    arcs
        Tail and head of each arc, shape (m, 2), in ascending order, each once.
    name
        Its name in messages, which is ignored in comparisons.
    labels
        The original names of the vertices, by number; None for the numbers from 0. They are ignored in comparisons.
    """

    n: int
    arcs: IntArray
    name: str = "graph"
    labels: Sequence[Any] | None = None
    words: ClassVar[Vocabulary] = DIRECTED_WORDS

    @classmethod
    def from_arcs(
        cls, n: int, pairs: npt.ArrayLike, name: str = "graph", labels: Sequence[Any] | None = None
    ) -> DirectedGraph:
        """The directed graph on vertices 0..n-1 with the given arcs, tail first; loops and repeats are dropped.

        Raises
        ------
        KTError
            If there is no vertex, or an arc names one that does not exist.
        """
        ends = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
        if n < 1:
            raise KTError(f"graph {name}: it has no vertices")
        # Of a graph with too few arcs for a path nothing is made for the vertices without one
        most = MAX_SPARSE if len(ends) < n - 1 else MAX_EDGES // 3
        if n > most or len(ends) > MAX_EDGES:
            raise TooLarge(f"graph {name}: over the limit of {most:,} vertices or {MAX_EDGES:,} arcs")
        if len(ends) and (ends.min() < 0 or ends.max() >= n):
            first = labels[0] if isinstance(labels, range) else 0
            raise KTError(f"graph {name}: an arc names a vertex outside {first}..{first + n - 1}")
        arcs = distinct_pairs(ends[ends[:, 0] != ends[:, 1]], n).astype(np.int32)
        return cls(n, sealed(arcs), name, None if labels is None else frozen_labels(labels))

    @classmethod
    def from_networkx(cls, graph: networkx.DiGraph, name: str = "graph") -> DirectedGraph:
        """The directed graph of a networkx `DiGraph` or `MultiDiGraph`, whose nodes become labels."""
        nodes = list(graph.nodes)
        number = {node: vertex for vertex, node in enumerate(nodes)}
        pairs = [(number[u], number[v]) for u, v in graph.edges()]
        return cls.from_arcs(len(nodes), np.array(pairs, dtype=np.int64).reshape(-1, 2), name, tuple(nodes))

    def to_networkx(self) -> networkx.DiGraph:
        """The networkx graph; its nodes are the labels, or else the vertex numbers."""
        import networkx

        nodes = list(range(self.n)) if self.labels is None else list(self.labels)
        graph: networkx.DiGraph = networkx.DiGraph(name=self.name)
        graph.add_nodes_from(nodes)
        graph.add_edges_from((nodes[u], nodes[v]) for u, v in self.arcs.tolist())
        return graph

    @property
    def m(self) -> int:
        """Number of arcs."""
        return len(self.arcs)

    def split(self, *, open: bool = False) -> SplitGraph:
        """The undirected graph whose Hamiltonian cycles are those of this graph; with `open`, its paths."""
        return SplitGraph(self, open)

    # -- names -----------------------------------------------------------------------------------------------------

    @cached_property
    def names(self) -> Sequence[str] | range:
        """Names of the vertices, by number; a range stands for its numbers as texts."""
        if self.labels is None:
            return range(self.n)
        return self.labels if isinstance(self.labels, range) else label_names(self.labels)

    def name_of(self, vertex: int) -> str:
        """Label of a vertex or, without labels, its number, from 0."""
        return str(self.names[vertex])

    def arrow(self, u: int, v: int) -> str:
        """A pair of vertices in the notation of arcs, `1->2`."""
        names = (self.name_of(u), self.name_of(v))
        return "->".join(repr(name) if re.search(r"[-\s]", name) else name for name in names)

    def arc_name(self, arc: int) -> str:
        """An arc in the notation of the command line."""
        return self.arrow(*self.arcs[arc].tolist())

    def find_arcs(self, tails: npt.ArrayLike, heads: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """The arc from each tail to each head; -1 if there is none."""
        keys = self.arcs[:, 0].astype(np.int64) * self.n + self.arcs[:, 1]
        wanted = np.asarray(tails, dtype=np.int64) * self.n + np.asarray(heads, dtype=np.int64)
        if not len(keys):
            return np.full(wanted.shape, -1)
        # Arcs are sorted, so that their numbers are found without a dictionary
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[place] == wanted, place, -1)

    def verify_steps(self, vertices: IntArray, closed: bool) -> None:
        """Check that arcs lead from each vertex of a walk to the next, and from the last to the first if closed.

        Raises
        ------
        InvalidTour
            Naming the first pair that is not an arc.
        """
        tails, heads = vertices, np.roll(vertices, -1)
        if not closed:
            tails, heads = tails[:-1], heads[:-1]
        missing = self.find_arcs(tails, heads) < 0
        if missing.any():
            # `argmax` of Booleans gives the first fault
            step = int(np.argmax(missing))
            pair = self.arrow(int(tails[step]), int(heads[step]))
            where = "the cycle does not close" if step == len(vertices) - 1 else f"step {step + 1}"
            raise InvalidTour(f"{where}: {pair} is not an arc")

    # -- identity --------------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DirectedGraph):
            return NotImplemented
        return self.n == other.n and np.array_equal(self.arcs, other.arcs)

    def __hash__(self) -> int:
        return hash((self.n, self.arcs.tobytes()))

    def __repr__(self) -> str:
        return f"DirectedGraph({self.name!r}, n={self.n}, m={self.m})"

    def to_json(self) -> dict[str, Any]:
        """The keys `board`, `vertices` and `arcs`, and `labels` if the vertices have names."""
        labels = {} if self.labels is None else {"labels": labels_to_json(self.labels)}
        return {"board": self.name, "vertices": self.n, "arcs": self.arcs.tolist(), **labels}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> DirectedGraph:
        """Read the graph of a JSON object that `to_json` wrote.

        Raises
        ------
        KTError
            If a key is missing or of the wrong type.
        """
        if "edges" in data:
            raise KTError("it has 'edges' and 'arcs': a graph is undirected or directed")
        if not isinstance(data["arcs"], list):
            raise KTError("'arcs' is not a list of vertex pairs")
        arcs = integer_rows(data["arcs"], "arcs") if data["arcs"] else np.zeros((0, 2), dtype=np.int64)
        if arcs.shape[1] != 2:
            raise KTError("'arcs' is not a list of vertex pairs")
        plain = MoveGraph.from_json({k: v for k, v in data.items() if k in ("vertices", "board")} | {"edges": []})
        if plain.board is not None:
            raise KTError("'arcs' of a board: a directed graph has the key 'vertices'")
        labels = labels_from_json(data["labels"], plain.n) if "labels" in data else None
        graph = cls.from_arcs(plain.n, arcs, plain.name, labels)
        if not np.array_equal(graph.arcs, arcs):  # `required` and `forbidden` refer to their numbers
            raise KTError("'arcs' are not in ascending order, each once and none a loop")
        return graph


class SplitGraph(MoveGraph):
    """The undirected graph of a directed graph (see the module).

    Vertices are the middles 0..n-1, in an open one the start and the end, then the exits and the entries, in order of
    the vertices that they are of. Arcs are the last edges, in their own order, so that arc a is edge `m - arcs + a`.

    Attributes
    ----------
    directed
        The directed graph.
    is_open
        Whether it is for paths, with a start and an end.
    """

    directed: DirectedGraph
    is_open: bool
    _own_words = DIRECTED_WORDS

    def __init__(self, directed: DirectedGraph, is_open: bool = False) -> None:
        # Numbers: middles, the start and the end of a path, exits, entries
        n, more = directed.n, 2 * is_open
        self.directed, self.is_open = directed, is_open
        self.exits, self.entries = n + more, 2 * n + more
        super().__init__(None, n=3 * n + more, name=directed.name, labels=directed.labels)

    @cached_property
    def _ends(self) -> IntArray:
        """Tail and head of every edge; a reason that there is no solution may not need them.

        In this order: 2v and 2v + 1 join a middle to its exit and entry, then the edges of the two ends, then the arcs;
        `edges_at_ends` and `edge_name` rely on it.
        """
        n = self.directed.n
        if self.is_sparse:
            raise TooLarge(f"graph {self.name}: its {n:,} vertices with {self.directed.m:,} arcs have no cycle or path")
        middles = np.arange(n)
        exits, entries = self.exits + middles, self.entries + middles
        edges = [np.stack([middles.repeat(2), np.stack([exits, entries], axis=1).reshape(-1)])]
        if self.is_open:
            edges += [np.stack([np.full(n, end), side]) for end, side in ((n, entries), (n + 1, exits))]
        edges.append(self.directed.arcs.T.astype(np.int64) + np.array([[self.exits], [self.entries]]))
        return sealed(np.concatenate(edges, axis=1).T.astype(np.int32))

    @cached_property
    def m(self) -> int:
        """Number of edges."""
        return (4 if self.is_open else 2) * self.directed.n + self.directed.m

    @property
    def vertex_count(self) -> int:
        return self.directed.n

    @property
    def is_sparse(self) -> bool:
        """Whether it has so many vertices, and so few arcs, that its edges are not made."""
        return self.directed.n > SPARSE and self.directed.m < self.directed.n - 1

    @property
    def terminals(self) -> tuple[int, ...]:
        """The start and the end of every path."""
        return (self.directed.n, self.directed.n + 1) if self.is_open else ()

    @property
    def first_arc(self) -> int:
        """The edge that stands for arc 0."""
        return self.m - self.directed.m

    def edges_at_ends(self, start: int | None, end: int | None) -> frozenset[int]:
        """The edges of an open graph that stand for a path with a given first and last vertex."""
        n = self.directed.n
        return frozenset(row * n + v for row, v in ((2, start), (3, end)) if v is not None)

    def ends_of(self, edges: Set[int]) -> tuple[int | None, int | None]:
        """The first and the last vertex of the path that these edges stand for, as far as they determine them."""
        n = self.directed.n
        rows = [sorted(e - row * n for e in edges if 0 <= e - row * n < n) if self.is_open else [] for row in (2, 3)]
        return rows[0][0] if len(rows[0]) == 1 else None, rows[1][0] if len(rows[1]) == 1 else None

    def split(self, *, open: bool) -> SplitGraph:
        """The same directed graph, for paths or for cycles."""
        if open == self.is_open:
            return self
        graph = self.directed.split(open=open)
        # Arcs stand last, so their numbers shift by a constant
        fixed = frozenset(e - self.first_arc + graph.first_arc for e in self.fixed)
        graph = graph.having(fixed=fixed, unweighted=self.unweighted)
        graph = graph.having(positions=self.positions, unplaced=self.unplaced)
        if self.weights is None:
            return graph
        weights = np.zeros(graph.m, dtype=np.int64)
        weights[graph.first_arc :] = self.weights[self.first_arc :]
        return graph.having(weights=weights, decimals=self.decimals)

    def having(self, **noted: Any) -> Self:
        if "labels" in noted:
            noted["directed"] = replace(self.directed, labels=noted["labels"])
        return super().having(**noted)

    def weighed(self, pairs: npt.ArrayLike, weights: Sequence[Any]) -> Self:
        """The same graph with arc weights; pairs are tails and heads, numbered as users number them."""
        known, decimals = known_weights(np.asarray(pairs).reshape(-1, 2), weights, self._edge_between)
        row = np.zeros(self.m, dtype=np.int64)
        row[self.first_arc :] = [known[u, v] for u, v in self.directed.arcs.tolist()]
        return self.having(weights=row, decimals=decimals)

    def weights_in_unit(self) -> list[int | float]:
        return super().weights_in_unit()[self.first_arc :]

    def _edge_between(self, u: int, v: int) -> str:
        return f"arc {self.directed.arrow(u, v)}"

    # -- orders ----------------------------------------------------------------------------------------------------

    def expanded(self, vertices: npt.ArrayLike) -> IntArray:
        """The walk in this graph that stands for a walk in the directed graph.

        Raises
        ------
        InvalidTour
            If one of these is not a vertex.
        """
        walk = np.asarray(vertices, dtype=np.int64).reshape(-1)
        outside = (walk < 0) | (walk >= self.directed.n)
        if outside.any():
            raise InvalidTour(f"position {int(np.argmax(outside)) + 1} is not a vertex of {self.name}")
        order = np.stack([self.entries + walk, walk, self.exits + walk], axis=1).reshape(-1)
        if self.is_open:
            order = np.concatenate([[self.directed.n], order, [self.directed.n + 1]])
        return order.astype(np.int32)

    def contracted(self, order: IntArray, closed: bool) -> IntArray:
        """The vertices of the directed graph that a tour of this graph visits, from tails to heads."""
        at = np.flatnonzero((order >= 0) & (order < self.directed.n))
        # A tour of the split graph may run against the arcs; it is then reversed
        middles = order[at]
        if not len(at) or order[(at[0] + 1) % len(order)] == self.exits + middles[0]:
            return middles
        # The reversed cycle still begins where the given one began
        return np.roll(middles[::-1], 1) if closed else middles[::-1]

    # -- names -----------------------------------------------------------------------------------------------------

    def vertex_of(self, part: int) -> int | None:
        """The vertex of the directed graph that a vertex of this one is a part of; `None` of the start and the end."""
        n = self.directed.n
        return part if part < n else None if part < self.exits else (part - self.exits) % n

    def name_of(self, vertex: int) -> str:
        """The vertex of the directed graph that a vertex of this one is a part of, in words."""
        whole = self.vertex_of(vertex)
        if whole is None:
            return "the first vertex" if vertex == self.directed.n else "the last vertex"
        return self.directed.name_of(whole)

    def told(self, edge: int) -> str:
        """An edge in words, for reasons: `the arc 1->2`, `beginning at 1`."""
        n, name = self.directed.n, self.edge_name(edge)
        if edge >= self.first_arc:
            return f"the arc {name}"
        if edge < 2 * n:
            return f"what joins the arcs to and from {self.directed.name_of(edge // 2)}"
        return f"{('beginning', 'ending')[edge // n - 2]} at {self.directed.name_of(edge % n)}"

    def edge_name(self, edge: int) -> str:
        """An arc, `1->2`; for other edges `in(1)` and `out(1)` beside a middle, `start(1)` and `end(1)`."""
        n = self.directed.n
        if edge >= self.first_arc:
            return self.directed.arc_name(edge - self.first_arc)
        if edge < 2 * n:
            return f"{('out', 'in')[edge % 2]}({self.directed.name_of(edge // 2)})"
        return f"{('start', 'end')[edge // n - 2]}({self.directed.name_of(edge % n)})"

    def joining(self, u: int, v: int) -> int:
        """The edge that stands for the arc from u to v.

        Raises
        ------
        KTError
            If there is no such arc.
        """
        directed = self.directed
        arc = int(directed.find_arcs([u], [v])[0])
        if arc < 0:
            names = [directed.name_of(head) for head in directed.arcs[directed.arcs[:, 0] == u, 1][:MAX_SHOWN].tolist()]
            ways = f"{directed.name_of(u)} leads to {', '.join(names) or 'nothing'}"
            raise KTError(f"{directed.arrow(u, v)} is not an arc of {self.name}: {ways}")
        return self.first_arc + arc

    def ends_written(self, text: str) -> tuple[int, int]:
        """The two vertices of an arc written `1->2` or `1-2`."""
        # Names of vertices may contain "->" themselves, so all places are tried
        arrows = [match.start() for match in re.finditer("->", text)]
        halves = [(text[:place].strip(), text[place + 2 :].strip()) for place in arrows]
        pairs = [half for half in halves if set(half) <= self._vertices.keys()]
        return (self.find(pairs[0][0]), self.find(pairs[0][1])) if len(pairs) == 1 else super().ends_written(text)

    # -- files and identity ----------------------------------------------------------------------------------------

    def numbers_of(self, edges: npt.ArrayLike) -> IntArray:
        """Numbers of edges in files: arcs have their own numbers, and the other edges follow."""
        # In files arc k has the number k, and the other edges follow
        return ((np.asarray(edges, dtype=np.int64) - self.first_arc) % self.m).astype(np.int32)

    def edges_numbered(self, numbers: npt.ArrayLike) -> IntArray:
        """The edges with these numbers in files."""
        return ((np.asarray(numbers, dtype=np.int64) + self.first_arc) % self.m).astype(np.int32)

    def conditions_to_json(self, required: frozenset[int], forbidden: frozenset[int]) -> dict[str, Any]:
        """The keys `start`, `end`, `required` and `forbidden` of a problem, as far as they apply."""
        ends = self.ends_of(required)
        data: dict[str, Any] = {name: v for name, v in zip(("start", "end"), ends, strict=True) if v is not None}
        for name, edges in (("required", required - self.edges_at_ends(*ends)), ("forbidden", forbidden)):
            if edges:
                data[name] = sorted(self.numbers_of(list(edges)).tolist())
        return data

    def conditions_from_json(self, data: dict[str, Any]) -> tuple[list[int], list[int]]:
        """Required and forbidden edges from the keys that `conditions_to_json` writes.

        Raises
        ------
        KTError
            If there is no such vertex or arc.
        """
        if "terminals" in data:
            raise KTError("'terminals': a path of a directed graph has the keys 'start' and 'end'")
        ends = data.get("start"), data.get("end")
        for v in ends:
            if v is not None and not (self.is_open and is_integer(v) and 0 <= v < self.directed.n):
                raise KTError("'start' or 'end' is not a vertex, or does not fit the path")
        rows = [data.get("required", []), data.get("forbidden", [])]
        if any(not 0 <= number < self.m for row in rows for number in row):
            raise KTError("a required or forbidden arc is not an arc of the graph")
        required, forbidden = (self.edges_numbered(row).tolist() for row in rows)
        return [*required, *self.edges_at_ends(*ends)], forbidden

    def to_json(self) -> dict[str, Any]:
        weights = {} if self.weights is None else {"edge_weights": self.weights_in_unit()}
        positions = {} if self.positions is None else self.positions.to_json()
        return self.directed.to_json() | weights | positions

    def to_networkx(self) -> networkx.DiGraph:
        graph = self.directed.to_networkx()
        if self.positions is not None:
            for node, point in zip(list(graph.nodes), self.positions.floats.tolist(), strict=True):
                graph.nodes[node]["pos"] = tuple(point)
        if self.weights is not None:
            nodes, weights = list(graph.nodes), self.weights_in_unit()
            for (u, v), weight in zip(self.directed.arcs.tolist(), weights, strict=True):
                graph.edges[nodes[u], nodes[v]]["weight"] = weight
        return graph

    def __repr__(self) -> str:
        return f"SplitGraph({self.directed!r}, {'open' if self.is_open else 'closed'})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MoveGraph):
            return NotImplemented
        return isinstance(other, SplitGraph) and self.is_open == other.is_open and self.directed == other.directed

    def __hash__(self) -> int:
        return hash((self.directed, self.is_open))
