"""The common base of all encodings: edges become arcs, and the connectivity becomes "no cycle avoids the root".

Each chosen edge gets a direction, and each vertex one arc in and one arc out. A few vertices form the *root*, where
directed walks start and end:

- `cycle`: one vertex of least degree, so that the other n - 1 lie on one path from the root to the root;
- `path`: the given ends (as one node), or else an extra node that is adjacent to every vertex;
- `linkage`, `paths`: all terminals, as one node.

Then the choice is right if and only if no directed cycle avoids the root. That is all that an encoding has to express,
for the *inner* arcs, those between other nodes. A single walk (`cycle` and `path`) visits every node, so an encoding
may also use that the first node is at position 1 and the last at `nodes - 1`. For a linkage, labels carried along the
paths make each path end at its own partner.

Size, for n vertices and m edges: at most 2m + 2n variables (and n ⌈log₂ k⌉ for the labels of k pairs), 4m + 4n clauses
for the directions, and at each vertex of degree d, d(d - 1) + 2 for one arc in and one out (about 6d, with 2d new
variables, where d > 12). The degrees imply the pairs of arcs that exclude each other, but solvers are faster with the
explicit pairs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from encoders.sat.formula import MAX_DIRECT_DEGREE, Formula
from kt_models.errors import TooLarge
from kt_models.kernel.certificates.obstructions import two_colouring
from kt_models.problem import Problem

MAX_CLAUSES = 10_000_000
"""Most clauses of a formula: about 2 GB while it is built."""


class Arc(NamedTuple):
    """The literal for "the tour goes from `tail` to `head`"."""

    tail: int
    head: int
    literal: int


def require_room(formula: Formula, clauses: int) -> None:
    """Refuse clauses that would make a formula too large, before memory is allocated.

    Raises
    ------
    TooLarge
        If there would be more than `MAX_CLAUSES`.
    """
    total = len(formula.clauses) + clauses
    if total > MAX_CLAUSES:
        raise TooLarge(
            f"{formula.problem.graph.name}: this encoding takes about {total:,} clauses, over the limit of "
            f"{MAX_CLAUSES:,}"
        )


def most_clauses(problem: Problem) -> int:
    """An upper bound on the clauses of `Arcs`."""
    graph = problem.graph
    end = int(problem.free_ends > 0)  # The end of a path acts as one more edge.
    degrees = sum((d + end) * min(d + end - 1, MAX_DIRECT_DEGREE) + 2 for d in graph.degrees.tolist())
    width = (len(problem.terminals) // 2).bit_length() if problem.connectivity == "linkage" else 0
    return 4 * (graph.m + graph.n) + degrees + 2 * int(graph.degrees.max()) + 4 + 2 * width * (graph.m + graph.n)


def label_pairs(formula: Formula, edges: Iterable[tuple[int, int, int]]) -> None:
    """Give both ends of a chosen edge the same label, and each pair of terminals its own label.

    Parameters
    ----------
    edges
        Two vertices and the variable of each edge.
    """
    problem = formula.problem
    # Labels in binary: log₂ k bits for k pairs, and two clauses a bit for each edge.
    width = (len(problem.terminals) // 2 - 1).bit_length()
    label = [[formula.new() for _ in range(width)] for _ in range(problem.graph.n)]
    for position, terminal in enumerate(problem.terminals):
        for bit, literal in enumerate(label[terminal]):
            formula.add([literal if position // 2 >> bit & 1 else -literal])
    for u, v, x in edges:
        for bit_u, bit_v in zip(label[u], label[v], strict=True):
            formula.clauses += [[-x, -bit_u, bit_v], [-x, bit_u, -bit_v]]


class Arcs:
    """The arcs of a formula's problem; the constructor adds their clauses to the formula.

    Attributes
    ----------
    nodes
        Number of nodes. Node 0 is the root, and the only node if there is no connectivity to express.
    inner
        Arcs that avoid the root, in both directions of each edge.
    first, last
        Arcs out of the root and into it, as (the other node, literal).
    single
        Whether one walk from the root to the root visits every node.
    parity
        If the graph is bipartite and that fixes it, whether a node's position is odd, by node (the root's is 0);
        otherwise empty.
    """

    def __init__(self, formula: Formula) -> None:
        problem, graph = formula.problem, formula.problem.graph
        self.formula = formula
        self.inner: list[Arc] = []
        self.first: list[tuple[int, int]] = []
        self.last: list[tuple[int, int]] = []
        self.nodes = 1
        self.parity: list[int] = []
        self.single = problem.connectivity in ("cycle", "path")
        if problem.connectivity == "any" or graph.n == 1:
            return
        # Forbidden edges get no arcs: their variables are false anyway, and arcs cost clauses at both ends.
        ruled_out = {formula.edge[e] for e in problem.forbidden}
        self._edges = [
            (u, v, x) for (u, v), x in zip(graph.ends.tolist(), formula.edge, strict=True) if x not in ruled_out
        ]
        # Before the first clause, so that a large graph is refused in a moment.
        require_room(formula, most_clauses(problem))
        self._choose_root()
        self._orient()
        if self.single:
            self._fix_parity()
            self._break_reversal()
        self._degrees()
        if problem.connectivity == "linkage" and len(problem.terminals) > 2:
            label_pairs(formula, self._edges)

    # -- the root --------------------------------------------------------------------------------------------------

    def _choose_root(self) -> None:
        """Choose the vertices of the root, and those of them that only start a walk, or only end one."""
        problem, n = self.formula.problem, self.formula.problem.graph.n
        terminals = list(problem.terminals)
        self._sources: set[int] = set()
        self._sinks: set[int] = set()
        root = terminals
        if problem.connectivity == "cycle":
            degree = [0] * n
            for u, v, _ in self._edges:
                degree[u] += 1
                degree[v] += 1
            # The root's arcs break symmetry and start the walk, so few of them leave the solver the least freedom.
            root = [min(range(n), key=degree.__getitem__)]
        elif problem.connectivity == "linkage":
            self._sources, self._sinks = set(terminals[::2]), set(terminals[1::2])
        elif terminals:  # Every walk can be reversed, so let one terminal be a start.
            self._sources = {terminals[0]}
            if problem.connectivity == "path":
                self._sinks = set(terminals[1:])
        inside = set(root)
        others = [v for v in range(n) if v not in inside]
        self._node = [0] * n
        # Nodes are renumbered from 1, because encodings use a node's number as an index of bits or lists.
        for number, v in enumerate(others, start=1):
            self._node[v] = number
        self.nodes = len(others) + 1
        self._start = root[0] if root else None

    def _orient(self) -> None:
        formula, problem, node = self.formula, self.formula.problem, self._node
        self._turnable: list[tuple[int, int]] = []  # Literals out of the root and into it along one edge.
        for u, v, x in self._edges:
            if node[u] == node[v] == 0:
                if self.single and self.nodes > 1:
                    formula.add([-x])  # This edge would be the whole path.
                continue
            # A source has no arc in and a sink none out, so such an edge has only one direction.
            there = u not in self._sinks and v not in self._sources
            back = v not in self._sinks and u not in self._sources
            self._edge(node[u], node[v], x, there, back)
        if problem.connectivity == "path":
            for v, x in enumerate(formula.end):
                if x:
                    self._edge(0, node[v], x, problem.free_ends == 2, True)

    def _edge(self, u: int, v: int, x: int, there: bool, back: bool) -> None:
        """The arcs of one edge: its own variable if only one direction is possible, otherwise one of two."""
        formula = self.formula
        forward, backward = x, x
        # The edge is used in exactly one direction, or not at all.
        if there and back:
            forward, backward = formula.new(), formula.new()
            formula.clauses += [[-x, forward, backward], [-forward, -backward], [x, -forward], [x, -backward]]
            # A walk and its reversal differ in the edge by which they leave the root; `_break_reversal` needs both
            # literals.
            if u == 0 or v == 0:
                self._turnable.append((forward, backward) if u == 0 else (backward, forward))
        for tail, head, literal, possible in ((u, v, forward, there), (v, u, backward, back)):
            if not possible:
                continue
            if tail == 0:
                self.first.append((head, literal))
            elif head == 0:
                self.last.append((tail, literal))
            else:
                self.inner.append(Arc(tail, head, literal))

    # -- clauses ---------------------------------------------------------------------------------------------------

    def _degrees(self) -> None:
        formula = self.formula
        leaving: list[list[int]] = [[] for _ in range(self.nodes)]
        entering: list[list[int]] = [[] for _ in range(self.nodes)]
        for tail, head, literal in self.inner:
            leaving[tail].append(literal)
            entering[head].append(literal)
        for node, literal in self.first:
            entering[node].append(literal)
        for node, literal in self.last:
            leaving[node].append(literal)
        for node in range(1, self.nodes):
            formula.exactly(leaving[node], 1)
            formula.exactly(entering[node], 1)
        # The root is left and entered at least once; more is excluded by the degrees of the edges.
        if self.single and self.nodes > 1:
            formula.add(literal for _, literal in self.first)
            formula.add(literal for _, literal in self.last)

    def _fix_parity(self) -> None:
        """Let positions alternate between the sides of a bipartite graph; the side that begins is known."""
        n = self.formula.problem.graph.n
        colours = two_colouring(n, np.array([edge[:2] for edge in self._edges], dtype=np.int32).reshape(-1, 2))
        if colours is None:
            return
        side = colours.tolist()
        if self._start is not None:
            even = side[self._start]
        # A path with free ends begins on the larger side; if the sides are equal, on side 0 without loss of generality.
        else:
            even = 1 if 2 * sum(side) <= n else 0
            if n % 2 == 0:
                self._turnable.clear()
        self.parity = [0] * self.nodes
        for v in range(n):
            if self._node[v]:
                self.parity[self._node[v]] = side[v] ^ even
        self.first = self._at_parity(self.first, 1)
        self.last = self._at_parity(self.last, (self.nodes - 1) % 2)

    def _at_parity(self, arcs: list[tuple[int, int]], parity: int) -> list[tuple[int, int]]:
        """The arcs whose inner end is at a position of the given parity; the others are ruled out."""
        for node, literal in arcs:
            if self.parity[node] != parity:
                self.formula.add([-literal])
        return [(node, literal) for node, literal in arcs if self.parity[node] == parity]

    def _break_reversal(self) -> None:
        """Keep one of a walk and its reversal: the one that leaves the root by the earlier edge."""
        # A chain of clauses: if the walk returns by an edge, it has left by an earlier one.
        earlier: list[int] = []
        for out, back in self._turnable:
            self.formula.add([-back, *earlier])
            earlier.append(out)

    # -- what encodings may use ------------------------------------------------------------------------------------

    def distances(self, reverse: bool = False) -> list[int | None]:
        """Least number of arcs from the root to each node (or back to it); None for unreachable nodes."""
        import networkx as nx

        graph = nx.DiGraph()
        graph.add_edges_from((head, tail) if reverse else (tail, head) for tail, head, _ in self.inner)
        graph.add_edges_from((0, node) for node, _ in (self.last if reverse else self.first))
        graph.add_node(0)
        reached = nx.single_source_shortest_path_length(graph, 0)
        return [reached.get(node) for node in range(self.nodes)]
