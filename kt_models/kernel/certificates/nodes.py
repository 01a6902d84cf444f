"""Nodes of a tree of cases: the options of every vertex, and their consequences.

An *option* of a vertex is what a solution may do there: use two of its edges, or one where a path ends. A solution is
a choice of one option for each vertex such that both ends of every edge agree whether it is used. A node says which
options every vertex has left. Restrictions are propagated, which exposes many nodes without solutions; no option of a
solution is ever lost.

The branching is orbital (Ostrowski, Linderoth, Rossi and Smriglio 2011). A node carries a group of symmetries of the
board under which its solutions, as a set, are invariant. A property of an edge (used, unused) or of a vertex (the pair
of moves of its option weighs at most t, or more) splits it in two: in the solutions of the first child the subject
itself has the property, in those of the second no image of the subject has it. Any other solution has an image, of the
same value, in the first child. The group of the first child is the stabiliser of the subject; that of the second
stays.

A symmetry that the problem imposes is different: every single solution is invariant under it. So what is known about an
edge is known about its images (`twins`), and only symmetries that normalise that group permute the solutions.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.errors import CertificateError, TooLarge
from kt_models.kernel.certificates.integers import Ints, largest, require_fit
from kt_models.problem import Problem, require_no_optional
from kt_models.symmetry import point_symmetries
from kt_models.weights import Weights

LEAF, USED, UNUSED, LIGHT, HEAVY = range(5)
"""Kinds of nodes: a leaf, or the property that the first child gives to the subject of a branching."""
MAX_OPTIONS = 2_000_000
"""Most options, over all vertices, that are held at once."""
MAX_TRIPLES = 10 * MAX_OPTIONS
"""Most options of the vertices of a block; more only if single vertices have thousands of moves."""
_NONE = np.zeros(0, dtype=np.int32)
NOTHING = Weights(_NONE, _NONE, _NONE.astype(np.int64), "nothing")
"""The objective of a problem without one."""


class Branching(NamedTuple):
    """The property (USED, UNUSED: an edge; LIGHT, HEAVY: a vertex and a threshold) that splits a node."""

    kind: int
    subject: int
    threshold: int = 0


class State(NamedTuple):
    """A node: the options that are still allowed.

    `options[v]` is the set of options of vertex v as a bit mask; `status[e]` is 1, -1 or 0 for an edge that is used,
    unused or undecided; the used edges make paths: `far[v]` is the other end of the one that ends in v and `size[v]`
    the number of its vertices (meaningful at ends only); `group` numbers the symmetries of the node, None for all.
    """

    options: list[int]
    status: list[int]
    far: list[int]
    size: list[int]
    group: tuple[int, ...] | None


class Options(NamedTuple):
    """Options of some vertices in a row.

    Attributes
    ----------
    start
        Where the options of each vertex begin, shape (number of vertices + 1,).
    first, second
        Their edges, shape (k,); `second` is -1 for an option that ends a path.
    pair
        What the two edges weigh as a pair, shape (k,).
    cost
        Cost of the option, shape (k,): the pair, unless the other end of two parallel edges pays for it, and
        each edge alone at its tail.
    """

    start: Ints
    first: Ints
    second: Ints
    pair: Ints
    cost: Ints


class VertexWeights:
    """The objective: weights of pairs of edges that meet at a vertex, of edges, and the rest.

    A pair of parallel edges is charged at the tail of the smaller one. No vertex sees pairs of edges that do not meet;
    only those of negative weight matter, and their sum, `apart`, is subtracted once.

    Raises
    ------
    CertificateError
        If the weights could add up to more than 64 bits hold.
    """

    def __init__(self, problem: Problem) -> None:
        weights, graph = problem.weights, problem.graph
        if weights is None:
            raise CertificateError("a bound needs an objective")
        self.m = graph.m
        # A crude bound first, so that the sums below cannot overflow unnoticed
        self.heaviest = largest(weights.weight) * max(1, len(weights.weight))
        require_fit([self.heaviest], "weights")
        low = np.minimum(weights.first, weights.second).astype(np.int64)
        high = np.maximum(weights.first, weights.second).astype(np.int64)
        self.alone = np.zeros(graph.m, dtype=np.int64)
        same = low == high
        np.add.at(self.alone, low[same], weights.weight[same])
        ends = graph.ends.astype(np.int64)
        meet = np.zeros(len(low), dtype=bool)
        # Two edges meet if one of their four pairs of ends is equal
        for i in (0, 1):
            for j in (0, 1):
                meet |= ends[low, i] == ends[high, j]
        far = weights.weight[~meet & ~same]
        self.local = not far.any()
        """Whether all weights are seen at vertices."""
        # Pairs that no vertex sees cost at least their negative weights
        self.apart = sum(np.minimum(far, 0).tolist())
        meet &= ~same
        # A pair of edges as one integer key: sorted keys are looked up by bisection
        self.keys, place = np.unique(low[meet] * graph.m + high[meet], return_inverse=True)
        self.values = np.zeros(len(self.keys), dtype=np.int64)
        np.add.at(self.values, place, weights.weight[meet])
        if len(self.values):  # The greatest sum that an option can come to
            self.heaviest = largest(self.values) + 2 * largest(self.alone)
        else:
            self.heaviest = 2 * largest(self.alone)

    def of_pairs(self, first: Ints, second: Ints) -> Ints:
        """Weights of pairs of edges, shape (k,)."""
        key = np.minimum(first, second) * self.m + np.maximum(first, second)
        if not len(self.keys):
            return np.zeros(len(key), dtype=np.int64)
        place = np.minimum(np.searchsorted(self.keys, key), len(self.keys) - 1)
        return np.where(self.keys[place] == key, self.values[place], 0)


class Instance:
    """A problem by vertex: options, their weights, and the edges they use.

    Raises
    ------
    CertificateError
        If the problem has no objective or fewer than three vertices.
    """

    def __init__(self, problem: Problem) -> None:
        require_no_optional(problem, "a tree of cases")
        graph = problem.graph
        self.problem, self.n, self.m = problem, graph.n, graph.m
        # On two vertices an edge there and back would be a cycle
        if self.n < 3:
            raise CertificateError(f"a tree of cases needs at least 3 vertices; {graph.name} has {self.n}")
        self.weights = VertexWeights(problem)
        self.closed = problem.closed
        self.cycles = problem.connectivity == "any"
        """Whether a solution may have several cycles."""
        self.free_ends = problem.free_ends
        self.terminal = np.zeros(self.n, dtype=bool)
        self.terminal[list(problem.terminals)] = True
        self.free = ~self.terminal & (problem.free_ends > 0)
        """Vertices at which a path may end but need not, shape (n,)."""

    # -- options ---------------------------------------------------------------------------------------------------

    @cached_property
    def count(self) -> int:
        """Upper bound of the number of options."""
        degrees = self.problem.graph.degrees
        return int((degrees * (degrees + 1) // 2).sum())  # At most 10^8 edges, so at most 2 * 10^16: no overflow

    def options_of(self, vertices: Ints) -> Options:
        """Options of some vertices, in increasing order: all required edges, no forbidden ones."""
        problem, graph = self.problem, self.problem.graph
        ends = graph.ends.astype(np.int64)
        usable = np.ones(self.m, dtype=bool)
        usable[list(problem.forbidden)] = False
        needed = np.zeros(self.m, dtype=np.int64)
        needed[list(problem.required)] = 1
        required = np.bincount(ends[list(problem.required)].reshape(-1), minlength=self.n)
        degrees = graph.degrees[vertices]
        parts: list[tuple[Ints, Ints, Ints]] = []
        # Vertices of one degree together: their pairs of edges form one rectangular array
        for size in np.unique(degrees[degrees > 0]).tolist():
            group = vertices[degrees == size]
            if size * (size + 1) // 2 * len(group) > MAX_TRIPLES:
                raise TooLarge(f"{graph.name}: too many pairs of moves at a cell with {size:,} moves")
            incident = graph.incident[graph.indptr[group][:, None] + np.arange(size)].astype(np.int64)
            i, j = np.triu_indices(size, 1)
            inner = ~self.terminal[group]
            first, second = incident[inner][:, i], incident[inner][:, j]
            parts.append((np.repeat(group[inner], len(i)), first.reshape(-1), second.reshape(-1)))
            ending = self.terminal[group] | self.free[group]
            alone = incident[ending].reshape(-1)
            parts.append((np.repeat(group[ending], size), alone, np.full(len(alone), -1, dtype=np.int64)))
        owner, first, second = (
            np.concatenate([part[k] for part in parts]) if parts else np.zeros(0, dtype=np.int64) for k in range(3)
        )
        two = second >= 0
        fine = usable[first] & (~two | usable[second])
        # An option must contain all required edges at its vertex
        fine &= needed[first] + np.where(two, needed[second], 0) == required[owner]
        parallel = two & (np.sort(ends[first], axis=1) == np.sort(ends[second], axis=1)).all(axis=1)
        if not self.cycles:  # Two parallel edges close a cycle of two
            fine &= ~parallel
        owner, first, second, parallel = owner[fine], first[fine], second[fine], parallel[fine]
        order = np.argsort(owner, kind="stable")
        owner, first, second, parallel = owner[order], first[order], second[order], parallel[order]
        two = second >= 0
        pair = np.where(two, self.weights.of_pairs(first, np.where(two, second, first)), 0)
        # A pair of parallel edges is seen at both ends: pay it once
        weight = np.where(parallel & (ends[np.minimum(first, second), 0] != owner), 0, pair)
        # An edge is in an option at each of its ends: pay it at its tail
        weight += np.where(ends[first, 0] == owner, self.weights.alone[first], 0)
        weight += np.where(two & (ends[second, 0] == owner), self.weights.alone[second], 0)
        # Start of each vertex's options; the last entry is their total number
        start = np.searchsorted(owner, np.append(vertices, vertices[-1] + 1)) if len(vertices) else np.zeros(1, int)
        start[-1:] = len(owner)
        return Options(start.astype(np.int64), first, second, pair, weight)

    @cached_property
    def options(self) -> Options:
        """Options of all vertices.

        Raises
        ------
        TooLarge
            If there are more than `MAX_OPTIONS` options.
        """
        if self.count > MAX_OPTIONS:
            name = self.problem.graph.name
            raise TooLarge(f"{name}: {self.count:,} pairs of moves at the cells, over the limit of {MAX_OPTIONS:,}")
        return self.options_of(np.arange(self.n))

    @cached_property
    def widths(self) -> list[int]:
        """Number of options of each vertex."""
        return np.diff(self.options.start).tolist()

    @cached_property
    def incident(self) -> list[list[int]]:
        """Edges at each vertex that some option uses."""
        return [sorted(masks) for masks in self.with_edge]

    @cached_property
    def ends(self) -> list[tuple[int, int]]:
        """Tail and head of each edge."""
        return [(u, v) for u, v in self.problem.graph.ends.tolist()]

    @cached_property
    def with_edge(self) -> list[dict[int, int]]:
        """Mask of the options that use an edge, by vertex and edge."""
        start = self.options.start.tolist()
        first, second = self.options.first.tolist(), self.options.second.tolist()
        table: list[dict[int, int]] = []
        for v in range(self.n):
            masks: dict[int, int] = {}
            for i, k in enumerate(range(start[v], start[v + 1])):
                # Options of a vertex as bits of one Python integer: intersections are single operations
                masks[first[k]] = masks.get(first[k], 0) | 1 << i
                if second[k] >= 0:
                    masks[second[k]] = masks.get(second[k], 0) | 1 << i
            table.append(masks)
        return table

    @cached_property
    def single(self) -> list[int]:
        """Mask of the options that end a path at a vertex."""
        start, second = self.options.start.tolist(), self.options.second.tolist()
        return [
            sum(1 << i for i, k in enumerate(range(start[v], start[v + 1])) if second[k] < 0) for v in range(self.n)
        ]

    def pair_weights(self, vertex: int) -> list[int]:
        """Weights of the pairs of a vertex's options; 0 for an option that ends a path."""
        return self.options.pair[self.options.start[vertex] : self.options.start[vertex + 1]].tolist()

    def light(self, vertex: int, threshold: int) -> int:
        """Mask of the options of a vertex whose pair weighs at most a threshold."""
        return sum(1 << i for i, weight in enumerate(self.pair_weights(vertex)) if weight <= threshold)

    @cached_property
    def between(self) -> dict[tuple[int, int], list[int]]:
        """Edges that join two vertices, the smaller vertex first."""
        table: dict[tuple[int, int], list[int]] = {}
        for e, (u, v) in enumerate(self.ends):
            table.setdefault((min(u, v), max(u, v)), []).append(e)
        return table

    @cached_property
    def partner(self) -> dict[int, int]:
        """The other end of the path of a given end, if that is given too."""
        ends = self.problem.terminals
        if self.problem.connectivity not in ("path", "linkage") or len(ends) < 2:
            return {}
        # Terminals come in pairs: i ^ 1 is the partner's index
        return dict(zip(ends, (ends[i ^ 1] for i in range(len(ends))), strict=True))

    # -- symmetry --------------------------------------------------------------------------------------------------

    @cached_property
    def twins(self) -> list[list[int]]:
        """Further images of each edge under the symmetry of the problem."""
        group = self.problem.group
        if len(group) == 1:
            return [[] for _ in range(self.m)]
        images = np.stack([self.problem.graph.edge_permutation(symmetry) for symmetry in group])
        return [sorted(set(column) - {e}) for e, column in enumerate(images.T.tolist())]

    @cached_property
    def symmetries(self) -> list[tuple[list[int], list[int]]]:
        """Images of vertices and edges under each reflection and turn of the board that keeps the set of solutions."""
        graph, problem = self.problem.graph, self.problem
        identity = (list(range(self.n)), list(range(self.m)))
        board = graph.board
        if board is None:
            return [identity]
        weights = self.weights
        low, high = weights.keys // max(self.m, 1), weights.keys % max(self.m, 1)
        heavy = weights.values != 0
        imposed = set(problem.group)
        kept = []
        for symmetry in point_symmetries(board):
            vertex, edge = symmetry.permutation(board), graph.edge_permutation(symmetry)
            if any({int(edge[i]) for i in chosen} != chosen for chosen in (problem.required, problem.forbidden)):
                continue
            if not self._keeps_ends(vertex) or (weights.alone[edge] != weights.alone).any():
                continue
            # The imposed group must be normal under it, or orbits would not map to orbits
            if {(symmetry @ element @ symmetry.inverse).on(board) for element in imposed} != imposed:
                continue
            image = edge.astype(np.int64)
            if (weights.of_pairs(image[low[heavy]], image[high[heavy]]) == weights.values[heavy]).all():
                kept.append((vertex.tolist(), edge.tolist()))
        return kept or [identity]

    def _keeps_ends(self, vertex: npt.NDArray[np.integer]) -> bool:
        ends = self.problem.terminals
        if self.problem.connectivity == "linkage":
            pairs = {frozenset(pair) for pair in zip(ends[::2], ends[1::2], strict=True)}
            return {frozenset(int(vertex[t]) for t in pair) for pair in pairs} == pairs
        return {int(vertex[t]) for t in ends} == set(ends)

    # -- nodes -----------------------------------------------------------------------------------------------------

    def root(self) -> State | None:
        """The root: everything that the problem allows; `None` if that leaves nothing."""
        if 0 in self.widths:
            return None
        # All options allowed: a bit for each
        full = [(1 << width) - 1 for width in self.widths]
        state = State(full, [0] * self.m, list(range(self.n)), [1] * self.n, None)
        return self.restrict(state, [], None, everywhere=True)

    def _edge_limits(self, edge: int, used: bool) -> list[tuple[int, int]]:
        """Vertices and masks that make an edge used, or unused."""
        masks = [(v, self.with_edge[v].get(edge, 0)) for v in self.ends[edge]]
        return [(v, mask if used else ~mask) for v, mask in masks]

    def limits(self, branching: Branching, subject: int, holds: bool) -> list[tuple[int, int]]:
        """Vertices and masks that give a property to a subject, or deny it."""
        if branching.kind in (USED, UNUSED):
            return self._edge_limits(subject, (branching.kind == USED) == holds)
        light = self.light(subject, branching.threshold)
        return [(subject, light if (branching.kind == LIGHT) == holds else ~light)]

    def splits(self, state: State, branching: Branching) -> bool:
        """Whether the subject may have the property, and may lack it, as far as the node knows."""
        if branching.kind in (USED, UNUSED):
            return state.status[branching.subject] == 0
        light = self.light(branching.subject, branching.threshold)
        return bool(state.options[branching.subject] & light) and bool(state.options[branching.subject] & ~light)

    def group(self, state: State) -> tuple[int, ...]:
        """Numbers of the symmetries of a node."""
        return tuple(range(len(self.symmetries))) if state.group is None else state.group

    def children(self, state: State, branching: Branching) -> Iterator[State | None]:
        """The two children, propagated; `None` for a child without solutions."""
        which = 1 if branching.kind in (USED, UNUSED) else 0
        group = self.group(state)
        images = {g: self.symmetries[g][which][branching.subject] for g in group}
        stabiliser = tuple(g for g in group if images[g] == branching.subject)
        yield self.restrict(state, self.limits(branching, branching.subject, True), stabiliser)
        denied = [limit for s in sorted(set(images.values())) for limit in self.limits(branching, s, False)]
        # If the first child fails, all images of the subject lack the property: the group stays
        yield self.restrict(state, denied, group)

    def restrict(
        self, state: State, limits: list[tuple[int, int]], group: tuple[int, ...] | None, *, everywhere: bool = False
    ) -> State | None:
        """The node with fewer options, propagated; `None` if it has no solution.

        Propagation: an edge in every option at one end is used, an edge in none is not, and so are its twins; the used
        edges may not close a cycle too early, nor join given ends that do not belong together; no more path ends than
        there are.

        Parameters
        ----------
        limits
            Vertices, each with the mask of the options it may keep.
        group
            The symmetries of the new node.
        everywhere
            Propagate from every vertex, not only from those whose options change.
        """
        new = State(state.options.copy(), state.status.copy(), state.far.copy(), state.size.copy(), group)
        options, status, twins = new.options, new.status, self.twins
        queue: list[int] = list(range(self.n)) if everywhere else []
        if everywhere:
            idle = [e for e, (u, v) in enumerate(self.ends) if e not in self.with_edge[u] or e not in self.with_edge[v]]
            limits = [*limits, *(limit for e in idle for limit in self._edge_limits(e, False))]
            for e in idle:  # No option at one of its ends uses it, so none at the other may
                status[e] = -1
        for v, mask in limits:
            if options[v] & mask != options[v]:
                options[v] &= mask
                queue.append(v)
        while queue:
            v = queue.pop()
            allowed = options[v]
            if not allowed:
                return None
            for e in self.incident[v]:
                if status[e]:
                    continue
                with_e = self.with_edge[v][e]
                if not allowed & with_e:
                    status[e] = -1
                elif not allowed & ~with_e:
                    status[e] = 1
                else:
                    continue
                for twin in (e, *twins[e]):
                    for u in self.ends[twin]:
                        mask = self.with_edge[u].get(twin, 0)
                        kept = options[u] & (mask if status[e] > 0 else ~mask)
                        if not kept:
                            return None
                        if kept != options[u]:
                            options[u] = kept
                            queue.append(u)
                if status[e] > 0 and not self.cycles and not self._join(new, e, queue):
                    return None
            if not queue and self.free_ends and not self._count_ends(new, queue):
                return None
        return new

    def _join(self, state: State, edge: int, queue: list[int]) -> bool:
        """Join the paths of used edges at a newly used edge; return False if that is not allowed."""
        far, size, options = state.far, state.size, state.options
        tail, head = self.ends[edge]
        # The other ends of the two paths of used edges that meet here
        first, last = far[tail], far[head]
        # The edge closes its path: only a cycle through all vertices may close
        if first == head:
            return self.closed and size[tail] == self.n
        far[first], far[last] = last, first
        size[first] = size[last] = size[tail] + size[head]
        # Only the sizes and far ends at the ends of a path are kept up to date
        whole = size[first] == self.n
        paired = self.terminal[first] and self.terminal[last] and bool(self.partner)
        # Two given ends must be partners, and a single path must be complete
        if paired and (self.partner.get(first) != last or (self.problem.connectivity == "path" and not whole)):
            return False
        # A Hamiltonian path: its closing edge is still allowed
        if self.closed and whole:
            return True
        # These edges would close the path into a cycle
        for e in self.between.get((min(first, last), max(first, last)), ()):
            if state.status[e] == 0:
                for v in (first, last):
                    kept = options[v] & ~self.with_edge[v].get(e, 0)
                    if kept != options[v]:
                        options[v] = kept
                        queue.append(v)
        return True

    def _count_ends(self, state: State, queue: list[int]) -> bool:
        """Enforce the number of free ends: exactly this number of vertices has a single edge."""
        options = state.options
        free = np.flatnonzero(self.free).tolist()
        # Vertices that must be ends, and vertices that may be ends
        ends = [v for v in free if not options[v] & ~self.single[v]]
        possible = [v for v in free if options[v] & self.single[v]]
        if len(ends) > self.free_ends or len(possible) < self.free_ends:
            return False
        if len(ends) == self.free_ends < len(possible):
            change = [(v, options[v] & ~self.single[v]) for v in possible if v not in set(ends)]
        elif len(possible) == self.free_ends > len(ends):
            change = [(v, options[v] & self.single[v]) for v in possible if options[v] & ~self.single[v]]
        else:
            change = []
        for v, mask in change:
            options[v] = mask
            queue.append(v)
        return True
