"""The depth-first search itself: a path grows from its start, in a fixed visit order, over what is not deleted.

At every vertex the path passes, its other edges are deleted and all consequences drawn.  Where only one way is left it
is taken without a choice.  A choice that fails is undone, and its edge is then *deleted*, with consequences,
before the next one is looked at: what was refuted may force the rest.  So every Hamiltonian cycle is met exactly
once when the search goes on to its end, and an exhausted search is a proof.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from heuristics.searches.edge_deletion.deletion import delete, fresh_state, keep, propagate, undo
from heuristics.searches.edge_deletion.islands import is_tough, islands_fit
from heuristics.searches.edge_deletion.names import (
    BACKTRACKS,
    BALANCE,
    BRIDGELESS,
    CHOICES,
    COUNTERS,
    DEAD,
    DEPTH,
    DIRTY,
    FIRED,
    GONE,
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
)
from heuristics.searches.edge_deletion.witness import WITNESS, repair
from kt_models.board import IntArray
from kt_models.graph import MoveGraph
from kt_models.jit import kernel

RUNNING, FOUND, EXHAUSTED = range(3)
LOOKS = 16
"""How often the whole graph is looked at while as many edges are kept or deleted as there are vertices."""


class DeletionSearch:
    """One depth-first search, run in slices.

    Parameters
    ----------
    graph
        Simple, every degree at least 2.
    visit
        The slots of each vertex in the order in which they are tried, shape (2m,): a permutation of
        `indptr[v]..indptr[v + 1] - 1` for every v.
    start
        Where the path begins.
    colour
        0 or 1 for each vertex of a bipartite graph, otherwise None.
    rules
        Which of RULES are on.
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
        self._graph = (graph.indptr, graph.neighbours, graph.incident, np.ascontiguousarray(graph.ends))
        self._colour = np.full(n, -1, dtype=np.int8) if colour is None else colour
        self._on = np.array([rule in rules for rule in RULES])
        self._limit = island_limit
        self._state = fresh_state(graph.degrees, m)
        # each edge is kept at most once (7 entries with its join) and deleted at most once (3)
        self._trail = np.empty((10 * m + 1, 2), dtype=np.int32)
        self._queue = np.empty(2 * m + 1, dtype=np.int32)
        self._box = np.zeros(8, dtype=np.int64)
        self._path = np.empty(n, dtype=np.int32)
        self._place = np.full(n, -1, dtype=np.int32)
        # a choice: length of the trail and of the path before it, and its edge
        self._choices = np.empty((n + 1, 3), dtype=np.int64)
        self._scratch = (np.zeros(n, dtype=np.int64), np.empty((5, n), dtype=np.int64))
        self._witness = (
            np.zeros(m, dtype=np.bool_),
            np.zeros(n, dtype=np.int64),
            np.arange(n, dtype=np.int64),
            np.ones(n, dtype=np.bool_),
        )
        self._box[DIRTY] = n
        self.counts = np.zeros(len(COUNTERS), dtype=np.int64)
        self.visit = visit
        self.n = n
        self._box[VISITED] = 1
        self._path[0] = start
        self._place[start] = 0
        self._begun = False
        self.status = RUNNING

    def copy(self, visit: npt.NDArray[np.int64]) -> DeletionSearch:
        """A search that stands where this one does, and goes on in another order; its counts start at 0."""
        other = object.__new__(DeletionSearch)
        other.__dict__.update(self.__dict__)
        for name in ("_state", "_trail", "_queue", "_box", "_path", "_place", "_choices"):
            setattr(other, name, getattr(self, name).copy())
        other._scratch = (self._scratch[0].copy(), self._scratch[1].copy())
        used, cover, dirty, is_dirty = self._witness
        other._witness = (used.copy(), cover.copy(), dirty.copy(), is_dirty.copy())
        other.counts = np.zeros_like(self.counts)
        other.visit = visit
        return other

    @property
    def depth(self) -> int:
        """How many vertices are on the path."""
        return int(self._box[VISITED])

    @property
    def path(self) -> IntArray:
        """The path, shape (depth,)."""
        return self._path[: self.depth].copy()

    def run(self, steps: int, until: int = -1) -> int:
        """Go on for so many steps ahead and back, or until `until` vertices are on the path; the status.

        FOUND: `path` is a Hamiltonian cycle, and the next call looks for another.  EXHAUSTED: there is no further one.
        """
        if self.status != EXHAUSTED:
            more = _search if self._begun else _begin
            self._begun = True
            self.status = int(
                more(
                    *self._graph,
                    self.visit,
                    self._colour,
                    self._on,
                    self._limit,
                    self._state,
                    self._trail,
                    self._queue,
                    self._box,
                    self._path,
                    self._place,
                    self._choices,
                    *self._scratch,
                    self._witness,
                    self.counts,
                    steps,
                    until,
                    self.status == FOUND,
                )
            )
        return self.status


SEARCHING = (
    "int64(int64[::1], int32[::1], int32[::1], int32[:, ::1], int64[::1], int8[::1], boolean[::1], int64, "
    "int32[::1], int32[:, ::1], int32[::1], int64[::1], int32[::1], int32[::1], int64[:, ::1], int64[::1], "
    f"int64[:, ::1], {WITNESS}, int64[::1], int64, int64, boolean)"
)
"""Types of the two loops that search."""


@kernel(SEARCHING)
def _begin(  # type: ignore[no-untyped-def]
    indptr, neighbours, incident, ends, visit, colour, on, limit, state, trail, queue, box, path, place, choices,
    stamp, scratch, witness, counts, steps, until, again,
):  # fmt: skip
    """Draw the consequences of the graph itself, then search."""
    n, m = len(indptr) - 1, len(ends)
    for v in range(n):
        if state[m + v] == 2:
            for slot in range(indptr[v], indptr[v + 1]):
                keep(ends, n, state, trail, box, queue, incident[slot])
    box[WORK] = n  # look at the whole graph once
    if not _consequences(
        indptr, neighbours, incident, ends, colour, on, limit, state, trail, queue, box, 0, stamp, scratch, witness,
        counts,
    ):  # fmt: skip
        return EXHAUSTED
    return _search(
        indptr, neighbours, incident, ends, visit, colour, on, limit, state, trail, queue, box, path, place, choices,
        stamp, scratch, witness, counts, steps, until, again,
    )  # fmt: skip


@kernel(
    "boolean(int64[::1], int32[::1], int32[::1], int32[:, ::1], int8[::1], boolean[::1], int64, int32[::1], "
    f"int32[:, ::1], int32[::1], int64[::1], int64, int64[::1], int64[:, ::1], {WITNESS}, int64[::1])"
)
def _consequences(  # type: ignore[no-untyped-def]
    indptr, neighbours, incident, ends, colour, on, limit, state, trail, queue, box, since, stamp, scratch, witness,
    counts,
):  # fmt: skip
    """Draw what follows from the changes on the trail from `since` on; False if there is no tour any more.

    The whole graph is looked at now and then (see LOOKS); once it does not fit, at every step until it does again.
    """
    n, m = len(indptr) - 1, len(ends)
    if not propagate(indptr, neighbours, incident, ends, state, trail, box, queue, counts, on):
        return False
    if (on[PARITY] or on[BRIDGELESS] or on[BALANCE]) and not islands_fit(
        indptr, neighbours, incident, m, state, trail, box, since, colour, stamp, scratch[0], limit, counts, on
    ):
        return False
    if on[TWO_FACTOR] and colour[0] >= 0:
        came = scratch[1]
        if not repair(
            indptr, neighbours, incident, ends, state, trail, box, since, colour, stamp, scratch[0], came, witness
        ):
            counts[FIRED + TWO_FACTOR] += 1
            return False
    if on[TOUGHNESS] and box[WORK] * LOOKS >= n:
        if not is_tough(indptr, neighbours, incident, state, -1, scratch):
            counts[FIRED + TOUGHNESS] += 1
            return False
        if on[PAIRS]:  # both of a pair that leaves three components have an edge to each
            for v in range(n):
                if state[m + v] > 2 and not is_tough(indptr, neighbours, incident, state, v, scratch):
                    counts[FIRED + PAIRS] += 1
                    return False
        box[WORK] = 0
    return True


@kernel(SEARCHING)
def _search(  # type: ignore[no-untyped-def]
    indptr, neighbours, incident, ends, visit, colour, on, limit, state, trail, queue, box, path, place, choices,
    stamp, scratch, witness, counts, steps, until, again,
):  # fmt: skip
    n = len(indptr) - 1
    dead = again or box[DEAD] == 1
    box[DEAD] = 0
    while True:
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
            undo(state, trail, box, top)
            for k in range(visited, box[VISITED]):
                place[path[k]] = -1
            box[VISITED] = visited
            delete(ends, state, trail, box, queue, counts, e)
            dead = not _consequences(
                indptr, neighbours, incident, ends, colour, on, limit, state, trail, queue, box, top, stamp, scratch,
                witness, counts,
            )  # fmt: skip
            continue
        h = path[box[VISITED] - 1]
        back = path[box[VISITED] - 2] if box[VISITED] > 1 else -1
        first, ways = -1, 0
        for slot in range(indptr[h], indptr[h + 1]):
            at = visit[slot]
            if state[incident[at]] == GONE:
                continue
            if box[VISITED] == n and neighbours[at] == path[0] and neighbours[at] != back:
                return FOUND
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
        if ways > 1:
            counts[CHOICES] += 1
            choices[box[DEPTH], 0] = since
            choices[box[DEPTH], 1] = box[VISITED]
            choices[box[DEPTH], 2] = e
            box[DEPTH] += 1
        path[box[VISITED]] = v
        place[v] = box[VISITED]
        box[VISITED] += 1
        keep(ends, n, state, trail, box, queue, e)
        if back >= 0:  # both edges of h are known; the start still needs its last one
            for slot in range(indptr[h], indptr[h + 1]):
                if neighbours[slot] != back and neighbours[slot] != v:
                    delete(ends, state, trail, box, queue, counts, incident[slot])
        if box[TOP] > since:
            dead = not _consequences(
                indptr, neighbours, incident, ends, colour, on, limit, state, trail, queue, box, since, stamp, scratch,
                witness, counts,
            )  # fmt: skip
