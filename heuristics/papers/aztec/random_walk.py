"""The random-walk algorithm of Davies, Xue and Yerger (2017, section 3): depth-first search with two pruning rules.

A path grows vertex by vertex from a start, and is taken back where it cannot go on.

1. If the start has no unvisited neighbour while vertices are left, the branch is abandoned.
2. An unvisited neighbour v of the head (the last vertex) that has at most one other unvisited neighbour is forced: v
   has to be next, unless it is joined to the start and comes last in the tour. Two that cannot both be served end the
   branch.

Rule 2 in full, as the paper only hints at the exception: a forced neighbour that is not adjacent to the start has to be
next, so two of them end the branch. One that is adjacent to the start may be reserved as the last vertex of the tour,
unless another vertex is; then it is not visited before. With this rule the search is complete: if it ends without a
tour, there is none.

Deviations. The paper leaves open in which order neighbours are tried: `branch=ordered` is the order of their numbers,
`random` a random order drawn once, `fewest` Warnsdorff's rule at every branch. An open tour is sought as a closed one
through auxiliary vertices (`heuristics.simple_graph`).

Restarts: the paper gives every start ten seconds, which the preset `paper` does. Here a slice is a number of visits of
a vertex, so that the same seed gives the same answer, and the search from the first start goes on between the slices,
so that it is complete.
"""

from __future__ import annotations

import math
import time
from typing import Literal

import numpy as np

from heuristics.method import Method
from heuristics.searches.warnsdorff import reading_order
from heuristics.simple_graph import SimpleGraph, simple_graph_or_result
from kt_models.errors import KTError
from kt_models.jit import kernel
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.result import Result

Branch = Literal["ordered", "random", "fewest"]
SLICE_VISITS = 2_000_000
"""Visits between two looks at the clock, about a tenth of a second."""
RESTART_VISITS = 200_000
"""Visits of the first slice from each start."""
FOUND, EXHAUSTED, UNFINISHED = 1, 2, 0


def random_walk(
    problem: Problem,
    *,
    limits: Limits = NO_LIMITS,
    branch: Branch = "ordered",
    origin: str = "",
    steps: int = 0,
    seconds: float = 0.0,
) -> Result:
    """Alternate the complete search from the first start with a slice of the search from every other start.

    The slices find tours if the first start is a bad one; the complete search takes at most twice as long because of
    them. Once every start has had its slice, the next slices are twice as long.

    Parameters
    ----------
    branch
        The order in which the neighbours of the head are tried.
    origin
        The only vertex to start from, by name.
    steps
        Visits allowed to each start, including the first one, one after the other.
    seconds
        Seconds allowed to each start, as `steps`.

    Returns
    -------
    Result
        Statistics: `starts` begun and `steps` in all. Exhausted if the search from one start came to its end.
    """
    if steps < 0 or seconds < 0:
        raise KTError("parameters steps and seconds are not negative")
    instance = simple_graph_or_result(problem)
    if isinstance(instance, Result):
        return instance
    rng = np.random.default_rng(limits.seed)
    starts = reading_order(instance)[: problem.graph.n].tolist()
    if origin:
        starts = [problem.graph.find(origin)]
    if not (steps or seconds):
        return _complete(instance, starts, branch, rng, limits)
    done = 0
    for number, first in enumerate(starts, start=1):
        if limits.over:
            return Result(problem, "unknown", statistics={"starts": number - 1, "steps": done})
        search = _Search(instance.graph.indptr, instance.graph.neighbours, first, branch, rng)
        until = time.monotonic() + seconds if seconds else math.inf
        state = UNFINISHED
        while state == UNFINISHED and not limits.over and time.monotonic() < until and not 0 < steps <= search.steps:
            state = search.run(min(SLICE_VISITS, steps - search.steps) if steps else SLICE_VISITS)
        done += search.steps
        count: dict[str, int | float] = {"starts": number, "steps": done}
        if state == FOUND:
            return Result(problem, "feasible", instance.lift(search.path), statistics=count)
        if state == EXHAUSTED:
            return Result(problem, "infeasible", statistics=count)
    return Result(problem, "unknown", statistics={"starts": len(starts), "steps": done})


def _complete(
    instance: SimpleGraph, starts: list[int], branch: Branch, rng: np.random.Generator, limits: Limits
) -> Result:
    """Alternate the complete search from the first start with slices from the others."""
    problem, graph = instance.problem, instance.graph

    def begun(start: int) -> _Search:
        return _Search(graph.indptr, graph.neighbours, start, branch, rng)

    first, others, slice_steps = begun(starts[0]), starts[1:], RESTART_VISITS
    turn, done = 0, 0
    while not limits.over:
        search = begun(others[turn // 2 % len(others)]) if others and turn % 2 else first
        goal, state, before = search.steps + slice_steps, UNFINISHED, search.steps
        while state == UNFINISHED and search.steps < goal and not limits.over:
            state = search.run(min(SLICE_VISITS, goal - search.steps))
        done += search.steps - before
        count: dict[str, int | float] = {"starts": 1 + (turn + 1) // 2 if others else 1, "steps": done}
        if state == FOUND:
            return Result(problem, "feasible", instance.lift(search.path), statistics=count)
        if state == EXHAUSTED:
            return Result(problem, "infeasible", statistics=count)
        turn += 1
        if others and turn % (2 * len(others)) == 0:
            slice_steps *= 2
    return Result(problem, "unknown", statistics={"starts": 1 + turn // 2 if others else 1, "steps": done})


class _Search:
    """The search from one start; `run` continues it."""

    def __init__(
        self, indptr: np.ndarray, neighbours: np.ndarray, first: int, branch: str, rng: np.random.Generator
    ) -> None:
        n = len(indptr) - 1
        owner = np.repeat(np.arange(n), np.diff(indptr))
        key = rng.random(len(neighbours)) if branch == "random" else neighbours
        self._graph = indptr, neighbours[np.lexsort((key, owner))]
        self._fewest = branch == "fewest"
        self.path = np.empty(n, dtype=np.int32)
        self._free = np.diff(indptr).astype(np.int32)
        self._seen = np.zeros(n, dtype=np.bool_)
        self._near = np.zeros(n, dtype=np.bool_)
        self._near[neighbours[indptr[first] : indptr[first + 1]]] = True
        self._choice = np.zeros(n, dtype=np.int64)  # At each depth, the number of choices tried.
        self._last = np.full(n, -1, dtype=np.int32)  # At each depth, the vertex reserved for the end.
        self._shape = np.zeros(1, dtype=np.int64)
        self.path[0] = first
        self.steps = 0
        _visit(*self._graph, self._free, self._seen, first)

    def run(self, steps: int) -> int:
        """Continue for a number of visits: FOUND, EXHAUSTED or UNFINISHED."""
        state, done = _search(
            *self._graph,
            self._fewest,
            self.path,
            self._free,
            self._seen,
            self._near,
            self._choice,
            self._last,
            self._shape,
            steps,
        )
        self.steps += int(done)
        return int(state)


@kernel("void(int64[::1], int32[::1], int32[::1], boolean[::1], int64)")
def _visit(indptr, neighbours, free, seen, v):  # type: ignore[no-untyped-def]
    seen[v] = True
    for slot in range(indptr[v], indptr[v + 1]):
        free[neighbours[slot]] -= 1


@kernel("void(int64[::1], int32[::1], int32[::1], boolean[::1], int64)")
def _leave(indptr, neighbours, free, seen, v):  # type: ignore[no-untyped-def]
    seen[v] = False
    for slot in range(indptr[v], indptr[v + 1]):
        free[neighbours[slot]] += 1


@kernel(
    "UniTuple(int64, 2)(int64[::1], int32[::1], boolean, int32[::1], boolean[::1], boolean[::1], int64, "
    "int64, int64, int64)"
)
def _pick(indptr, neighbours, by_fewest, free, seen, near, head, last, left, tried):  # type: ignore[no-untyped-def]
    """Choice number `tried` at the head: the next vertex and the reserved last one; (-1, -1) if there are no more.

    `free` counts unvisited neighbours, `near` marks those of the start, `last` is the reserved vertex (or -1), and
    `left` vertices are unvisited.
    """
    # `away` is forced and not adjacent to the start; `home` and `second` are forced and adjacent to it.
    away, home, second, homes = -1, -1, -1, 0
    for slot in range(indptr[head], indptr[head + 1]):
        v = neighbours[slot]
        if seen[v] or v == last or free[v] > 1:
            continue
        if free[v] == 0 and left > 1:  # The vertex would have to be next and last at once.
            return -1, -1
        if not near[v]:
            if away >= 0:
                return -1, -1
            away = v
        else:
            homes += 1
            if home < 0:
                home = v
            else:
                second = v
    spare = 0 if last >= 0 else 1  # The number of vertices that may be reserved.
    if left == 1:  # The last vertex needs no rule.
        for slot in range(indptr[head], indptr[head + 1]):
            v = neighbours[slot]
            if not seen[v] and near[v] and tried == 0:
                return v, last
        return -1, -1
    # A vertex away from the start has to be next; one home vertex may then be reserved for the end.
    if away >= 0:
        if homes > spare or tried > 0:
            return -1, -1
        return away, (home if homes else last)
    # One may be next and one last: a third forced vertex ends the branch.
    if homes > spare + 1:
        return -1, -1
    if homes == 2:  # One of the two is next, the other last.
        if tried == 0:
            return home, second
        return (second, home) if tried == 1 else (-1, -1)
    if homes == 1:
        # First try to visit the forced vertex now, and later to reserve it as the last one.
        if tried == 0:
            return home, last
        if spare == 0:
            return -1, -1
        tried -= 1  # This vertex is reserved, and another one is next.
        last = home
    ways, at, count = -1, -1, 0
    # All other unvisited vertices are candidates, and `tried` counts how many of them were tried before.
    for slot in range(indptr[head], indptr[head + 1]):
        v = neighbours[slot]
        if seen[v] or v == last:
            continue
        if not by_fewest:
            if count == tried:
                return v, last
            count += 1
            continue
        rank = 0  # The number of vertices before v by Warnsdorff's rule.
        # The rank is computed anew for each candidate: degrees are small, and there is no list to keep for each depth.
        for twin in range(indptr[head], indptr[head + 1]):
            w = neighbours[twin]
            if not seen[w] and w != last and (free[w] < free[v] or (free[w] == free[v] and twin < slot)):
                rank += 1
        if rank == tried:
            ways, at = rank, v
            break
    return (at, last) if ways >= 0 else (-1, -1)


@kernel(
    "UniTuple(int64, 2)(int64[::1], int32[::1], boolean, int32[::1], int32[::1], boolean[::1], boolean[::1], "
    "int64[::1], int32[::1], int64[::1], int64)"
)
def _search(  # type: ignore[no-untyped-def]
    indptr, neighbours, by_fewest, path, free, seen, near, choice, reserved, shape, steps
):
    """Continue the search from the path of depth `shape[0]`; return the state and the number of visits."""
    n = len(path)
    depth = shape[0]
    first = path[0]
    done = 0
    state = 0
    while True:
        if depth == n - 1:
            state = 1  # The last vertex was chosen adjacent to the start, so the path closes.
            break
        if done >= steps:
            break
        head = path[depth]
        v, last = -1, -1
        # Rule 1: without a free neighbour of the start no tour can close.
        if free[first] > 0:
            v, last = _pick(
                indptr, neighbours, by_fewest, free, seen, near, head, reserved[depth], n - 1 - depth, choice[depth]
            )
        if v >= 0:
            choice[depth] += 1
            depth += 1
            path[depth] = v
            choice[depth] = 0
            reserved[depth] = last
            _visit(indptr, neighbours, free, seen, v)
            done += 1
            continue
        if depth == 0:
            state = 2
            break
        # The choice numbers of the depth above remain, so the search continues with its next candidate.
        _leave(indptr, neighbours, free, seen, head)
        depth -= 1
    shape[0] = depth
    return state, done


METHOD = Method(
    random_walk,
    "Depth-first search with two pruning rules, complete (Davies, Xue, Yerger 2017).",
    priority=2,
    complete=True,
    presets={"paper": {"branch": "ordered", "seconds": 10.0}},
)
