"""The depth-first search: a path grows from its start, in a fixed visit order, along edges that are not deleted.

At every vertex that the path passes, the other edges are deleted and all consequences drawn. A single way on is taken
without a choice. A choice that fails is undone, and its edge is then *deleted*, with consequences, before the next one
is tried: the refutation may force the rest. So a search that goes on to its end meets every Hamiltonian cycle exactly
once, and an exhausted search is a proof.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from heuristics.papers.large_boards.edge_deletion.deletion import delete, fresh_state, keep, propagate, undo
from heuristics.papers.large_boards.edge_deletion.islands import is_tough, islands_fit
from heuristics.papers.large_boards.edge_deletion.names import (
    BACKTRACKS,
    BALANCE,
    BRIDGELESS,
    CHOICES,
    COUNTERS,
    DEAD,
    DEPTH,
    DIRTY,
    FIRED,
    FREE,
    GONE,
    KEPT,
    NODES,
    PAIRS,
    PARITY,
    RULES,
    STUCK,
    TOP,
    TOUGHNESS,
    TWO_FACTOR,
    VISITED,
    WORK,
    Fixed,
    Moving,
    part,
)
from heuristics.papers.large_boards.edge_deletion.witness import repair
from kt_models.board import IntArray
from kt_models.graph import MoveGraph
from kt_models.jit import kernel

RUNNING, FOUND, EXHAUSTED = range(3)
LOOKS_PER_PASS = 16
"""Checks of the whole graph while as many edges are kept or deleted as there are vertices: each check is linear."""


class DeletionSearch:
    """One depth-first search, run in slices.

    Parameters
    ----------
    graph
        Simple, every degree at least 2.
    visit
        The slots of each vertex in the order of the trials, shape (2m,): a permutation of `indptr[v]..indptr[v + 1] -
        1` for every v.
    start
        Where the path begins.
    colour
        0 or 1 for each vertex of a bipartite graph, otherwise None.
    rules
        The RULES that are on.
    island_limit
        Islands of more vertices than this are not looked at.
    """

    def __init__(
        self,
        graph: MoveGraph,
        visit: npt.NDArray[np.int64],
        start: int,
        colour: npt.NDArray[np.int8] | None,
        rules: frozenset[str],
        island_limit: int,
    ) -> None:
        n, m = graph.n, graph.m
        self._fixed = Fixed(
            graph.indptr,
            graph.neighbours,
            graph.incident,
            np.ascontiguousarray(graph.ends),
            visit,
            np.full(n, -1, dtype=np.int8) if colour is None else colour,
            np.array([rule in rules for rule in RULES]),
            island_limit,
        )
        self._moving = Moving(
            state=fresh_state(graph.degrees, m),
            # Each edge is kept at most once (7 entries with its join) and deleted at most once (3 entries).
            trail=np.empty((10 * m + 1, 2), dtype=np.int32),
            queue=np.empty(2 * m + 1, dtype=np.int32),
            box=np.zeros(8, dtype=np.int64),
            path=np.empty(n, dtype=np.int32),
            place=np.full(n, -1, dtype=np.int32),
            choices=np.empty((n + 1, 3), dtype=np.int64),
            stamp=np.zeros(n, dtype=np.int64),
            scratch=np.empty((5, n), dtype=np.int64),
            used=np.zeros(m, dtype=np.bool_),
            cover=np.zeros(n, dtype=np.int64),
            dirty=np.arange(n, dtype=np.int64),
            is_dirty=np.ones(n, dtype=np.bool_),
            counts=np.zeros(len(COUNTERS), dtype=np.int64),
        )
        self._moving.box[DIRTY] = n
        self._moving.box[VISITED] = 1
        self._moving.path[0] = start
        self._moving.place[start] = 0
        self._begun = False
        self.status = RUNNING

    def copy(self, visit: npt.NDArray[np.int64]) -> DeletionSearch:
        """A search in the same state that continues in another order; its counts start at 0."""
        duplicate = object.__new__(DeletionSearch)
        duplicate.__dict__.update(self.__dict__)
        duplicate._fixed = self._fixed._replace(visit=visit)
        duplicate._moving = Moving(*(array.copy() for array in self._moving))
        duplicate.counts[:] = 0
        return duplicate

    @property
    def n(self) -> int:
        """The number of vertices."""
        return len(self._moving.place)

    @property
    def visit(self) -> npt.NDArray[np.int64]:
        """The slots of each vertex in the order of the trials."""
        return self._fixed.visit

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """The counts by counter."""
        return self._moving.counts

    @property
    def depth(self) -> int:
        """The number of vertices on the path."""
        return int(self._moving.box[VISITED])

    @property
    def path(self) -> IntArray:
        """The path, shape (depth,)."""
        return self._moving.path[: self.depth].copy()

    @property
    def edges_by_state(self) -> tuple[list[list[int]], list[list[int]]]:
        """The edges that are kept and those that are free, each by its two vertices."""
        state = self._moving.state[: len(self._fixed.ends)]
        kept, free = (self._fixed.ends[state == kind].tolist() for kind in (KEPT, FREE))
        return kept, free

    def run(self, steps: int, until: int = -1) -> int:
        """Continue for a number of steps ahead and back, or until `until` vertices are on the path; return the status.

        FOUND: `path` is a Hamiltonian cycle, and the next call looks for another. EXHAUSTED: there is no further one.
        """
        if self.status != EXHAUSTED:
            more = _search(self._fixed, self._moving, steps, until, self.status == FOUND, not self._begun)
            self.status, self._begun = int(more), True
        return self.status


@part
def _begin(fixed: Fixed, moving: Moving) -> bool:
    """Draw the consequences of the graph itself; False if there is no tour."""
    n, m = len(fixed.indptr) - 1, len(fixed.ends)
    for v in range(n):
        if moving.state[m + v] == 2:
            for slot in range(fixed.indptr[v], fixed.indptr[v + 1]):
                keep(fixed, moving, fixed.incident[slot])
    moving.box[WORK] = n  # Check the whole graph once.
    return _consequences(fixed, moving, 0)


@part
def _consequences(fixed: Fixed, moving: Moving, since: int) -> bool:
    """Draw the consequences of the changes on the trail from `since` on; False if there is no tour any more.

    The whole graph is looked at now and then (see LOOKS_PER_PASS); once it does not fit, at every step until it does
    again.
    """
    on, counts = fixed.on, moving.counts
    n, m = len(fixed.indptr) - 1, len(fixed.ends)
    # From cheap to expensive: local consequences, islands near the change, the 2-factor, then the whole graph.
    if not propagate(fixed, moving):
        return False
    if (on[PARITY] or on[BRIDGELESS] or on[BALANCE]) and not islands_fit(fixed, moving, since):
        return False
    if on[TWO_FACTOR] and fixed.colour[0] >= 0 and not repair(fixed, moving, since):
        counts[FIRED + TWO_FACTOR] += 1
        return False
    # The check is linear, so it waits until as much has changed as a share of the graph.
    if on[TOUGHNESS] and moving.box[WORK] * LOOKS_PER_PASS >= n:
        graph = fixed.indptr, fixed.neighbours, fixed.incident
        if not is_tough(*graph, moving.state, -1, moving.scratch):
            counts[FIRED + TOUGHNESS] += 1
            return False
        if on[PAIRS]:  # Both vertices of a pair that leaves three components have an edge to each component.
            for v in range(n):
                if moving.state[m + v] > 2 and not is_tough(*graph, moving.state, v, moving.scratch):
                    counts[FIRED + PAIRS] += 1
                    return False
        moving.box[WORK] = 0
    return True


FIXED = (
    "NamedTuple((int64[::1], int32[::1], int32[::1], int32[:, ::1], int64[::1], int8[::1], boolean[::1], int64), Fixed)"
)
MOVING = (
    "NamedTuple((int32[::1], int32[:, ::1], int32[::1], int64[::1], int32[::1], int32[::1], int64[:, ::1], int64[::1], "
    "int64[:, ::1], boolean[::1], int64[::1], int64[::1], boolean[::1], int64[::1]), Moving)"
)
"""numba's types of the two records."""


@kernel(f"int64({FIXED}, {MOVING}, int64, int64, boolean, boolean)")
def _search(fixed: Fixed, moving: Moving, steps: int, until: int, again: bool, fresh: bool) -> int:
    if fresh and not _begin(fixed, moving):
        return EXHAUSTED
    indptr, neighbours, incident, visit = fixed.indptr, fixed.neighbours, fixed.incident, fixed.visit
    state, box, path, place = moving.state, moving.box, moving.path, moving.place
    choices, counts = moving.choices, moving.counts
    n = len(indptr) - 1
    # After a tour was reported, and after an interrupted dead end, the search continues by backtracking.
    dead = again or box[DEAD] == 1
    box[DEAD] = 0
    while True:
        # A dead end is resolved before the search may pause at `until`, so that copies start from a live state.
        if steps <= 0 or (box[VISITED] == until and not dead):
            box[DEAD] = dead
            return RUNNING
        if dead:
            steps -= 1
            if box[DEPTH] == 0:
                return EXHAUSTED
            box[DEPTH] -= 1
            counts[BACKTRACKS] += 1
            top, visited, e = choices[box[DEPTH], 0], choices[box[DEPTH], 1], choices[box[DEPTH], 2]
            # Undo the choice and everything that followed from it.
            undo(moving, top)
            for k in range(visited, box[VISITED]):
                place[path[k]] = -1
            box[VISITED] = visited
            # The refuted edge stays deleted: without this the search would meet its tours again from another side.
            delete(fixed, moving, e)
            dead = not _consequences(fixed, moving, top)
            continue
        h = path[box[VISITED] - 1]
        back = path[box[VISITED] - 2] if box[VISITED] > 1 else -1
        first, ways = -1, 0
        for slot in range(indptr[h], indptr[h + 1]):
            at = visit[slot]
            if state[incident[at]] == GONE:
                continue
            # A tour, if the last vertex is adjacent to the start by an edge that the path has not just used.
            if box[VISITED] == n and neighbours[at] == path[0] and neighbours[at] != back:
                return FOUND
            # The first way in visit order is taken; the others only tell whether this is a choice.
            if place[neighbours[at]] < 0:
                ways += 1
                if ways == 1:
                    first = at
        if ways == 0:
            counts[STUCK] += 1
            dead = True
            continue
        steps -= 1
        counts[NODES] += 1
        e, v = incident[first], neighbours[first]
        since = box[TOP]
        # Only real choices are stacked, so backtracking jumps over all forced moves at once.
        if ways > 1:
            counts[CHOICES] += 1
            choices[box[DEPTH], 0] = since
            choices[box[DEPTH], 1] = box[VISITED]
            choices[box[DEPTH], 2] = e
            box[DEPTH] += 1
        path[box[VISITED]] = v
        place[v] = box[VISITED]
        box[VISITED] += 1
        keep(fixed, moving, e)
        if back >= 0:  # Both edges of h are known; the start still needs its last one.
            for slot in range(indptr[h], indptr[h + 1]):
                if neighbours[slot] != back and neighbours[slot] != v:
                    delete(fixed, moving, incident[slot])
        if box[TOP] > since:
            dead = not _consequences(fixed, moving, since)
