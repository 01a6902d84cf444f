"""`improve_orbits`: a better solution from a given one, for problems with a symmetry and for linkages.

It anneals sets of edges that consist of whole orbits of the problem's symmetry. A move is an alternating walk as in
`heuristics.local_search_loops`, of edges given up and taken in turn, but each with all its images. So it may end as
soon as the degrees are right again, which is tested, not predicted. The connectivity of the result is tested by
following the paths, which is linear and is done only for moves of acceptable cost.
"""

from __future__ import annotations

import numpy as np

from heuristics.compiled_helpers import below, grouped, random_state
from heuristics.local_search import APART_FACTOR, cooling
from kt_models.board import BoolArray, IntArray
from kt_models.errors import KTError
from kt_models.jit import kernel
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem, verify_edges
from kt_models.symmetry import orbits

MAX_ORBITS_GIVEN_UP = 6
"""Most orbits of edges that a move gives up."""
MAX_DEGREE = 6
"""Most edges at a vertex in the middle of a move."""
MAX_CLOSING_ORBITS = 64
"""Most ways to close a walk from which one is chosen."""
ANY, JOINED, PAIRED = range(3)
"""The required connectivity beside the degrees: none; no closed cycle beside others; also the right ends of each
path."""


def improve_orbits(
    problem: Problem, edges: IntArray, *, max_steps: int | None = None, limits: Limits = NO_LIMITS
) -> IntArray:
    """Improve a solution, given as edge numbers; the answer is never worse.

    Parameters
    ----------
    problem
        A problem with an objective, of any connectivity and symmetry.
    edges
        A solution of the problem.
    max_steps, limits
        As in `heuristics.local_search.improve`.

    Raises
    ------
    KTError
        If the given edges do not solve the problem, or there is no objective.
    """
    verify_edges(problem, edges)
    if problem.weights is None:
        raise KTError("the problem has no objective to minimise")
    if problem.graph.n < 5:
        return edges
    start = _OrbitArrays(problem, edges)
    better = start.anneal(max_steps, limits)
    verify_edges(problem, better)
    value, before = problem.cost(better), problem.cost(edges)
    return better if value is not None and before is not None and value <= before else edges


class _OrbitArrays:
    """A problem and a solution as arrays for the annealing.

    One more vertex, n, joins the free ends of a path by edges of weight 0: edge m + v to vertex v.
    """

    def __init__(self, problem: Problem, edges: IntArray) -> None:
        graph, weights = problem.graph, problem.weights
        assert weights is not None
        n, m = graph.n, graph.m
        self.problem, self.unit = problem, 1.0
        need = np.full(n, 2, dtype=np.int64)
        need[list(problem.terminals)] = 1
        ends = graph.ends.astype(np.int64)
        images = [graph.edge_permutation(symmetry) for symmetry in problem.symmetry]
        self.chosen: BoolArray = np.zeros(m, dtype=np.bool_)
        self.chosen[edges] = True
        fixed: BoolArray = np.zeros(m, dtype=np.bool_)
        fixed[list(problem.required | problem.forbidden)] = True
        if problem.free_ends:
            vertices = [symmetry.permutation(graph.geometry[0]) for symmetry in problem.symmetry]
            ending = np.bincount(graph.ends[edges].reshape(-1), minlength=n) < need
            ends = np.concatenate([ends, np.stack([np.arange(n), np.full(n, n)], axis=1)])
            images = [np.concatenate([e, v + np.int32(m)]) for e, v in zip(images, vertices, strict=True)]
            self.chosen = np.concatenate([self.chosen, ending])
            terminal = np.zeros(n, dtype=np.bool_)
            terminal[list(problem.terminals)] = True
            fixed = np.concatenate([fixed, terminal])
            need = np.append(need, problem.free_ends)
        self.ends, self.need = ends, need
        least, self.orbit = np.unique(orbits(images, len(ends)), return_inverse=True)
        self.member = grouped(self.orbit, np.arange(len(self.orbit)), len(least))
        self.locked = np.zeros(len(least), dtype=np.bool_)
        self.locked[self.orbit[fixed]] = True
        self.at = grouped(ends.T.reshape(-1), np.tile(np.arange(len(ends)), 2), len(need))
        low, high = self.orbit[weights.first], self.orbit[weights.second]
        inner = low == high
        self.own = np.zeros(len(least), dtype=np.int64)
        np.add.at(self.own, low[inner], weights.weight[inner])
        low, high = np.minimum(low, high)[~inner], np.maximum(low, high)[~inner]
        keys, place = np.unique(low * len(least) + high, return_inverse=True)
        total = np.zeros(len(keys), dtype=np.int64)
        np.add.at(total, place, weights.weight[~inner])
        low, high = keys // len(least), keys % len(least)
        both = np.concatenate([low, high])
        self.pairs = (
            *grouped(both, np.concatenate([high, low]), len(least)),
            grouped(both, np.tile(total, 2), len(least))[1],
        )
        if len(weights.weight):
            self.unit = float(np.abs(weights.weight).mean()) * len(problem.group)
            self.unit *= 1.0 if problem.pairs_meet else APART_FACTOR
        starts, partners = list(problem.terminals), list(problem.terminals)
        if problem.connectivity == "any":
            self.asked = ANY
        elif problem.connectivity == "linkage":
            self.asked, partners = PAIRED, [starts[i ^ 1] for i in range(len(starts))]
        else:
            self.asked = JOINED
        if problem.free_ends and problem.terminals:  # With a terminal, one free end fewer is at the hub.
            starts, partners = [*starts, n], [*partners, n]
        self.starts, self.partners = np.array(starts, dtype=np.int64), np.array(partners, dtype=np.int64)

    def anneal(self, max_steps: int | None, limits: Limits) -> IntArray:
        """The best solution found."""
        state = random_state(np.random.default_rng(limits.seed))
        tables = self.ends, self.need, *self.member, *self.pairs, self.own
        now = np.zeros(len(self.locked), dtype=np.bool_)
        now[self.orbit[self.chosen]] = True
        best = now.copy()
        # The present value and the least so far, relative to the value at the beginning.
        record = np.zeros(2, dtype=np.int64)
        for temperature, steps in cooling(self.unit, max_steps, limits):
            anneal_orbits(
                tables, *self.at, self.orbit, self.locked, self.starts, self.partners, self.asked,
                now, best, record, temperature, state, steps,
            )  # fmt: skip
        return np.flatnonzero(best[self.orbit][: self.problem.graph.m]).astype(np.int32)


@kernel("")
def _flip(orbit, tables, link, degree, now, record):  # type: ignore[no-untyped-def]
    """Choose an orbit of edges or give it up.

    `record[0]` gets the change of the objective, and `record[1]` that of the number of vertices with a wrong degree.
    """
    ends, need, member_start, member, pair_start, pair_other, pair_weight, orbit_weight = tables
    change = orbit_weight[orbit]
    for k in range(pair_start[orbit], pair_start[orbit + 1]):
        # Pairs of an orbit with itself are part of its own weight, so that no pair is counted twice.
        if now[pair_other[k]]:
            change += pair_weight[k]
    now[orbit] = not now[orbit]
    record[0] += change if now[orbit] else -change
    for k in range(member_start[orbit], member_start[orbit + 1]):
        e = member[k]
        for side in range(2):
            v = ends[e, side]
            # The number of wrong vertices is updated by the difference, which avoids a scan of all vertices.
            before = degree[v] == need[v]
            if now[orbit]:
                link[v, degree[v]] = e
                degree[v] += 1
            else:
                slot = 0
                while link[v, slot] != e:
                    slot += 1
                # The order of a vertex's edges does not matter: the last one fills the gap.
                degree[v] -= 1
                link[v, slot] = link[v, degree[v]]
            record[1] += int(before) - int(degree[v] == need[v])


@kernel("")
def _is_among(orbit, flipped, count):  # type: ignore[no-untyped-def]
    """Whether an orbit is one of the first `count` that were flipped."""
    for k in range(count):  # noqa: SIM110 -- numba has no `any` of a generator
        if flipped[k] == orbit:
            return True
    return False


@kernel("")
def _has_room(orbit, member_start, member, ends, degree):  # type: ignore[no-untyped-def]
    """Whether all ends of the edges of an orbit can take two more."""
    for k in range(member_start[orbit], member_start[orbit + 1]):
        e = member[k]
        # Two more: an orbit may have two edges at one vertex.
        if degree[ends[e, 0]] > MAX_DEGREE - 2 or degree[ends[e, 1]] > MAX_DEGREE - 2:
            return False
    return True


@kernel("")
def _is_joined(ends, link, degree, starts, partners, connectivity, reached, stamp):  # type: ignore[no-untyped-def]
    """Whether a choice with the right degrees has the required connectivity; reached vertices get a stamp."""
    if connectivity == ANY:
        return True
    # Without ends a single cycle is followed from vertex 0; otherwise every path from its start.
    count = 0
    for k in range(max(1, len(starts))):
        u = starts[k] if len(starts) else 0
        if reached[u] == stamp:
            continue
        last = -1
        while True:
            reached[u] = stamp
            count += 1
            onward = -1
            for slot in range(degree[u]):
                e = link[u, slot]
                # At the first vertex any edge will do; later the one that the walk did not come by.
                if e != last:
                    onward = e
                    break
            if onward < 0:
                break
            last = onward
            u = ends[onward, 0] + ends[onward, 1] - u
            if reached[u] == stamp:
                break
        if connectivity == PAIRED and u != partners[k]:
            return False
    # Every vertex was reached: then there is no cycle beside the paths.
    return count == len(degree)


@kernel(
    "void(Tuple((int64[:, ::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1])), "
    "int64[::1], int64[::1], int64[::1], boolean[::1], int64[::1], int64[::1], int64, boolean[::1], boolean[::1], "
    "int64[::1], float64, uint64[::1], int64)"
)
def anneal_orbits(  # type: ignore[no-untyped-def]
    tables,
    at_start,
    at_edge,
    orbit_of,
    locked,
    starts,
    partners,
    connectivity,
    now,
    best,
    total,
    temperature,
    state,
    steps,
):
    """Try `steps` moves at a temperature (Metropolis); `total` holds the present value and the least so far."""
    ends, need, member_start, member = tables[0], tables[1], tables[2], tables[3]
    n = len(need)
    link, degree = np.zeros((n, MAX_DEGREE), dtype=np.int64), np.zeros(n, dtype=np.int64)
    # `link` lists the chosen edges of each vertex, so that a walk along them takes constant time per vertex.
    for e in range(len(ends)):
        if now[orbit_of[e]]:
            for side in range(2):
                v = ends[e, side]
                link[v, degree[v]] = e
                degree[v] += 1
    reached, stamp = np.zeros(n, dtype=np.int64), 0
    flipped, closing = (
        np.zeros(2 * MAX_ORBITS_GIVEN_UP + 2, dtype=np.int64),
        np.zeros(MAX_CLOSING_ORBITS, dtype=np.int64),
    )
    change = np.zeros(2, dtype=np.int64)
    for _ in range(steps):
        # Metropolis with the random number drawn in advance: by how much the solution may become worse.
        slack = -temperature * np.log((below(state, 1 << 30) + 1.0) / (1 << 30))
        change[:] = 0
        count, gone, moved, u = 0, 0, False, below(state, n)
        while gone < MAX_ORBITS_GIVEN_UP:
            # Give up an edge at u, with its images.
            slot = below(state, degree[u])
            e = link[u, slot]
            if count and orbit_of[e] == flipped[count - 1]:  # This orbit was taken in the last step.
                e = link[u, (slot + 1) % degree[u]]
            c = orbit_of[e]
            if locked[c] or _is_among(c, flipped, count):
                break
            _flip(c, tables, link, degree, now, change)
            flipped[count] = c
            count += 1
            gone += 1
            u = ends[e, 0] + ends[e, 1] - u
            # Close the walk, if an edge from u to a vertex that lacks one does that.
            choices, first, size = 0, at_start[u], at_start[u + 1] - at_start[u]
            for slot in range(first, first + size):
                e = at_edge[slot]
                c = orbit_of[e]
                v = ends[e, 0] + ends[e, 1] - u
                if now[c] or locked[c] or degree[v] >= need[v] or choices == MAX_CLOSING_ORBITS:
                    continue
                if not _is_among(c, flipped, count):
                    closing[choices] = c
                    choices += 1
            restart = False
            if choices and degree[u] < need[u]:
                c = closing[below(state, choices)]
                if _has_room(c, member_start, member, ends, degree):
                    _flip(c, tables, link, degree, now, change)
                    flipped[count] = c
                    count += 1
                    # All degrees are right: the move can be accepted if it is cheap enough and connected.
                    if change[1] == 0:
                        if change[0] <= slack:
                            stamp += 1
                            if _is_joined(ends, link, degree, starts, partners, connectivity, reached, stamp):
                                moved = True
                                break
                        # A move of two edges that leaves several cycles may be completed by a second walk.
                        if gone == 2 and change[0] <= slack and below(state, 2) == 0:
                            restart = True
                    if not restart:
                        count -= 1
                        _flip(c, tables, link, degree, now, change)
            if restart:  # There are several cycles: the second walk begins on one that was not reached.
                # A few draws: a vertex that was not reached exists, but is not worth a scan.
                for _ in range(8):
                    u = below(state, n)
                    if reached[u] != stamp:
                        break
                continue
            # Take another edge at u, with its images.
            e = at_edge[first + below(state, size)]
            c = orbit_of[e]
            free = not now[c] and not locked[c] and _has_room(c, member_start, member, ends, degree)
            if not free or _is_among(c, flipped, count):
                break
            _flip(c, tables, link, degree, now, change)
            flipped[count] = c
            count += 1
            u = ends[e, 0] + ends[e, 1] - u
            if change[1] == 0 and change[0] <= slack:
                stamp += 1
                if _is_joined(ends, link, degree, starts, partners, connectivity, reached, stamp):
                    moved = True
                    break
        if not moved:
            # Undo in reverse order; `_flip` is its own inverse.
            while count:
                count -= 1
                _flip(flipped[count], tables, link, degree, now, change)
            continue
        total[0] += change[0]
        if total[0] < total[1]:
            total[1] = total[0]
            best[:] = now
