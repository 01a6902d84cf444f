"""The nodes of a branch and bound tree: what a vertex may still do, how a node is split, what follows at once.

An *option* of a vertex is what a solution may do there: use two of its edges, or one where a path ends.  A node says
which options every vertex has left.  Restrictions are propagated, so that many nodes without solutions are seen to be
that; no option of a solution is ever lost.

The branching is orbital (Ostrowski, Linderoth, Rossi and Smriglio 2011).  A node carries a group of symmetries of the
board under which its solutions are invariant.  A property of an edge (used, unused) or of a vertex (its option weighs
at most t, or more) splits it in two: in the solutions of the first child the subject itself has the property, in
those of the second no image of the subject has it.  Any other solution has an image, of the same value, in the first
child.  The group of the first child is the stabiliser of the subject; that of the second stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np

from kt_models.errors import CertificateError, TooLarge
from kt_models.problem import Problem

LEAF, USED, UNUSED, LIGHT, HEAVY = range(5)
"""Kinds of nodes: a leaf, and the property that the first child gives to the subject of a branching."""
MAX_OPTIONS = 300_000
"""Most options, counted over all vertices."""


class Branching(NamedTuple):
    """The property (USED, UNUSED: an edge; LIGHT, HEAVY: a vertex and a threshold) that a node is split by."""

    kind: int
    subject: int
    threshold: int = 0


class State(NamedTuple):
    """A node: what is still allowed.

    `options[v]` is the set of options of vertex v as a bit mask; `status[e]` is 1, -1 or 0 for an edge that is used,
    unused or undecided; the used edges make paths: `far[v]` is the other end of the one that ends in v and `size[v]`
    the number of its vertices (meaningful at ends only); `group` numbers the symmetries of the node.
    """

    options: list[int]
    status: list[int]
    far: list[int]
    size: list[int]
    group: tuple[int, ...]


class Instance:
    """A problem cut up by vertex: its options, their weights, the edges they use.

    Raises
    ------
    CertificateError
        If the problem is not of this kind: a weight on two edges that do not meet, another connectivity, an imposed
        symmetry, fewer than three vertices.
    TooLarge
        Above `MAX_OPTIONS` options.
    """

    def __init__(self, problem: Problem) -> None:
        graph = problem.graph
        self.problem, self.n, self.m = problem, graph.n, graph.m
        total = int((graph.degrees * (graph.degrees + 1) // 2).sum())
        if total > MAX_OPTIONS:
            raise TooLarge(f"{graph.name}: {total:,} pairs of moves at the cells, over the limit of {MAX_OPTIONS:,}")
        self._require()
        self.connected = problem.connectivity != "any"
        self.free_ends = problem.free_ends
        self.ends: list[tuple[int, int]] = [(u, v) for u, v in graph.ends.tolist()]
        self.incident: list[list[int]] = [graph.edges_of(v).tolist() for v in range(self.n)]
        self._weigh()
        self._list_options()

    def _require(self) -> None:
        problem, name = self.problem, self.problem.graph.name
        if problem.connectivity not in ("cycle", "path", "any"):
            raise CertificateError(
                f"bounds by branching are for a cycle, a path or degrees alone, not {problem.connectivity}"
            )
        if problem.symmetry:
            raise CertificateError("bounds by branching know no imposed symmetry")
        if problem.weights is None:
            raise CertificateError("a bound needs an objective")
        if self.n < 3:
            raise CertificateError(f"bounds by branching need at least 3 vertices; {name} has {self.n}")
        parallel = len(np.unique(np.sort(problem.graph.ends, axis=1), axis=0)) < self.m
        if problem.connectivity == "any" and parallel:
            raise CertificateError(
                f"{name}: bounds by branching know no parallel moves where a cycle of two is allowed"
            )

    def _weigh(self) -> None:
        """Pair weights by pair, and the weight of an edge alone, which is paid at its tail."""
        weights = self.problem.weights
        assert weights is not None
        self.alone = [0] * self.m
        self.pair: dict[tuple[int, int], int] = {}
        for e, f, weight in zip(weights.first.tolist(), weights.second.tolist(), weights.weight.tolist(), strict=True):
            if e == f:
                self.alone[e] += weight
                continue
            if weight and not set(self.ends[e]) & set(self.ends[f]):
                what = self.problem.objective_name
                raise CertificateError(
                    f"bounds by branching need weights on moves that meet at a cell, which {what} are not"
                )
            key = (min(e, f), max(e, f))
            self.pair[key] = self.pair.get(key, 0) + weight

    def _list_options(self) -> None:
        problem, terminals = self.problem, set(self.problem.terminals)
        self.edges_of_option: list[list[tuple[int, ...]]] = []
        self.pair_weight: list[list[int]] = []
        self.with_edge: list[dict[int, int]] = []
        self.single: list[int] = []  # options that end a path there
        self.may_end = [v in terminals or problem.free_ends > 0 for v in range(self.n)]
        self.counts_as_free = [problem.free_ends > 0 and v not in terminals for v in range(self.n)]
        for v, edges in enumerate(self.incident):
            options: list[tuple[int, ...]] = []
            if v not in terminals:
                options += [pair for pair in combinations(edges, 2) if not self._parallel(*pair)]
            pairs = len(options)
            if self.may_end[v]:
                options += [(e,) for e in edges]
            self.edges_of_option.append(options)
            self.single.append((1 << len(options)) - (1 << pairs))
            self.pair_weight.append([self.pair.get((min(o), max(o)), 0) if len(o) == 2 else 0 for o in options])
            masks = dict.fromkeys(edges, 0)
            for i, option in enumerate(options):
                for e in option:
                    masks[e] |= 1 << i
            self.with_edge.append(masks)

    def _parallel(self, e: int, f: int) -> bool:
        return set(self.ends[e]) == set(self.ends[f])

    def light(self, vertex: int, threshold: int) -> int:
        """The options of a vertex whose pair weighs at most a threshold, as a mask."""
        return sum(1 << i for i, weight in enumerate(self.pair_weight[vertex]) if weight <= threshold)

    @cached_property
    def between(self) -> dict[tuple[int, int], list[int]]:
        """The edges that join two vertices (the smaller first)."""
        table: dict[tuple[int, int], list[int]] = {}
        for e, (u, v) in enumerate(self.ends):
            table.setdefault((min(u, v), max(u, v)), []).append(e)
        return table

    # -- symmetry --------------------------------------------------------------------------------------------------

    @cached_property
    def symmetries(self) -> list[tuple[list[int], list[int]]]:
        """Images of the vertices and of the edges under each symmetry of the board that keeps the problem."""
        graph, problem = self.problem.graph, self.problem
        found = []
        for symmetry in graph.symmetries() if graph.board is not None else []:
            vertex = symmetry.permutation(graph.board).tolist() if graph.board is not None else []
            edge = graph.edge_permutation(symmetry).tolist()
            sets = [(problem.required, edge), (problem.forbidden, edge), (problem.terminals, vertex)]
            if any({image[i] for i in kept} != set(kept) for kept, image in sets):
                continue
            if any(self.alone[edge[e]] != weight for e, weight in enumerate(self.alone) if weight):
                continue
            images = {
                (min(edge[e], edge[f]), max(edge[e], edge[f])): weight for (e, f), weight in self.pair.items() if weight
            }
            if images == {pair: weight for pair, weight in self.pair.items() if weight}:
                found.append((vertex, edge))
        return found or [(list(range(self.n)), list(range(self.m)))]

    # -- nodes -----------------------------------------------------------------------------------------------------

    def root(self) -> State | None:
        """Everything allowed but what the problem itself excludes; None if that leaves nothing."""
        state = State(
            [(1 << len(options)) - 1 for options in self.edges_of_option],
            [0] * self.m,
            list(range(self.n)),
            [1] * self.n,
            tuple(range(len(self.symmetries))),
        )
        limits = []
        for e, value in [(e, True) for e in self.problem.required] + [(e, False) for e in self.problem.forbidden]:
            limits += self._edge_limits(e, value)
        return self.restrict(state, limits, state.group, everywhere=True)

    def _edge_limits(self, edge: int, used: bool) -> list[tuple[int, int]]:
        """Vertices and masks that say an edge is used, or is not."""
        return [(v, self.with_edge[v][edge] if used else ~self.with_edge[v][edge]) for v in self.ends[edge]]

    def limits(self, branching: Branching, subject: int, holds: bool) -> list[tuple[int, int]]:
        """Vertices and masks that give a property to a subject, or deny it."""
        if branching.kind in (USED, UNUSED):
            return self._edge_limits(subject, (branching.kind == USED) == holds)
        light = self.light(subject, branching.threshold)
        return [(subject, light if (branching.kind == LIGHT) == holds else ~light)]

    def splits(self, state: State, branching: Branching) -> bool:
        """Whether its subject may have the property, and may not, as far as the node knows."""
        if branching.kind in (USED, UNUSED):
            return state.status[branching.subject] == 0
        light = self.light(branching.subject, branching.threshold)
        return bool(state.options[branching.subject] & light) and bool(state.options[branching.subject] & ~light)

    def children(self, state: State, branching: Branching) -> Iterator[State | None]:
        """The two children, propagated; None for one without solutions."""
        which = 1 if branching.kind in (USED, UNUSED) else 0
        images = {g: self.symmetries[g][which][branching.subject] for g in state.group}
        stabiliser = tuple(g for g in state.group if images[g] == branching.subject)
        yield self.restrict(state, self.limits(branching, branching.subject, True), stabiliser)
        denied = [limit for s in sorted(set(images.values())) for limit in self.limits(branching, s, False)]
        yield self.restrict(state, denied, state.group)

    def restrict(
        self, state: State, limits: list[tuple[int, int]], group: tuple[int, ...], *, everywhere: bool = False
    ) -> State | None:
        """The node with fewer options, after propagation; None if it has no solution.

        Propagation: an edge in every option at one end is used, an edge in none is not; the used edges may not close
        a cycle that misses a vertex; no more path ends than there are.

        Parameters
        ----------
        limits
            Vertices, each with the mask of the options it may keep.
        group
            The symmetries of the new node.
        everywhere
            Propagate from every vertex, not only from those whose options change.
        """
        options, status, far, size, _ = state
        new = State(options.copy(), status.copy(), far.copy(), size.copy(), group)
        options, status = new.options, new.status
        queue: list[int] = list(range(self.n)) if everywhere else []
        for v, mask in limits:
            if options[v] & mask != options[v]:
                options[v] &= mask
                queue.append(v)
        while queue:
            v = queue.pop()
            if not options[v]:
                return None
            for e in self.incident[v]:
                if status[e]:
                    continue
                with_e = self.with_edge[v][e]
                if not options[v] & with_e:
                    status[e] = -1
                elif not options[v] & ~with_e:
                    status[e] = 1
                else:
                    continue
                tail, head = self.ends[e]
                u = tail + head - v
                mask = options[u] & (self.with_edge[u][e] if status[e] > 0 else ~self.with_edge[u][e])
                if not mask:
                    return None
                if mask != options[u]:
                    options[u] = mask
                    queue.append(u)
                if status[e] > 0 and self.connected and not self._join(new, tail, head, queue):
                    return None
            if not queue and self.free_ends and not self._count_ends(new, queue):
                return None
        return new

    def _join(self, state: State, tail: int, head: int, queue: list[int]) -> bool:
        """Join the paths of used edges that a newly used edge makes one; False if it closes a cycle too early."""
        far, size, options = state.far, state.size, state.options
        first, last = far[tail], far[head]
        if first == head:
            return self.problem.closed and size[tail] == self.n
        far[first], far[last] = last, first
        size[first] = size[last] = size[tail] + size[head]
        if self.problem.closed and size[first] == self.n:
            return True
        for e in self.between.get((min(first, last), max(first, last)), ()):  # would close the path into a cycle
            if state.status[e] == 0:
                for v in (first, last):
                    kept = options[v] & ~self.with_edge[v][e]
                    if kept != options[v]:
                        options[v] = kept
                        queue.append(v)
        return True

    def _count_ends(self, state: State, queue: list[int]) -> bool:
        """Free ends of a path: exactly so many vertices have a single edge."""
        options = state.options
        free = [v for v in range(self.n) if self.counts_as_free[v]]
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
