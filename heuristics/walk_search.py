"""`longer_walks`: ever longer walks that visit no vertex twice, by exchanges of stretches.

A step gives up a stretch of the walk and joins its ends by another path: the longest one that a search of `MAX_NODES`
nodes finds. The new path may be a little shorter than the old one, as in simulated annealing. At the end of an open
walk it may end anywhere. If moves may not cross, a move is free if no move of the walk crosses it. Few moves are free,
so even long stretches have few alternatives.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from heuristics.compiled_helpers import below, grouped, random_state
from kt_models.board import IntArray
from kt_models.jit import kernel
from kt_models.kernel.certificates.integers import Ints
from kt_models.kernel.certificates.longest.task import LongestTask
from kt_models.limits import NO_LIMITS, Limits
from kt_models.pairs import pair_weights

MAX_STRETCH = 16
"""Most moves that a step gives up."""
MAX_NODES = 1000
"""Nodes of the search for a new stretch. With 300, equally good walks of 9x9 come sooner, and those of 10x10 get
shorter."""
TEMPERATURE = 2.0
"""Temperature in moves. With 1, three of twenty searches miss the longest known closed walk of 10x10, with 2 none."""
FIRST_STEPS = 10_000
"""Steps from one starting walk at first; they double after every `STARTS_PER_ROUND` starting walks."""
STARTS_PER_ROUND = 8
MAX_STEPS = 640_000
MIN_STEPS_IN_VAIN, VAIN_FACTOR = 2_000_000, 10
"""Steps in vain until the search ends: at least the first number, or this factor of the steps to the longest walk."""
SLICE_STEPS = 5_000
"""Steps between two looks at the limits: some tenths of a second."""
MAX_BEGINNINGS = 100
"""Random first moves that are tried for a closed walk."""
TABLES = "Tuple((int64[:, ::1], int64[::1], int64[::1], int64[::1], int64[::1]))"


def longer_walks(task: LongestTask, *, limits: Limits = NO_LIMITS) -> Iterator[IntArray]:
    """Yield ever longer walks, as edge numbers, until the limits are reached or no longer walk comes for very long.

    Yields
    ------
    IntArray
        Edges of a walk that is longer than the one before, verified; nothing if no closed walk is found at the start.
    """
    rng, longest = np.random.default_rng(limits.seed), 0
    tables = _tables(task)
    runs = taken = 0
    patience = MIN_STEPS_IN_VAIN
    while not limits.over:
        search = _WalkArrays(task, tables, rng)
        if not search.begin():
            return
        steps = min(MAX_STEPS, FIRST_STEPS << (runs // STARTS_PER_ROUND))
        for _ in range(0, steps, SLICE_STEPS):
            if limits.over or taken > patience:
                return
            edges = search.work(min(steps, SLICE_STEPS))
            taken += SLICE_STEPS
            if len(edges) > longest:
                patience = MIN_STEPS_IN_VAIN + VAIN_FACTOR * taken
                task.verify(edges.astype(np.int64))
                longest = len(edges)
                yield edges
        runs += 1


def _tables(task: LongestTask) -> tuple[Ints, ...]:
    """Ends of the edges; neighbours and edges of each vertex; edges that cross each edge."""
    graph = task.graph
    ends = graph.ends.astype(np.int64)
    both = ends.T.reshape(-1)
    start, edge = grouped(both, np.tile(np.arange(graph.m), 2), graph.n)
    if not task.uncrossed:
        return ends, start, edge, np.zeros(graph.m + 1, dtype=np.int64), np.zeros(0, dtype=np.int64)
    pairs = pair_weights(graph, "crossings")
    first, second = pairs.first.astype(np.int64), pairs.second.astype(np.int64)
    crossed = grouped(np.concatenate([first, second]), np.concatenate([second, first]), graph.m)
    return (ends, start, edge, *crossed)


class _WalkArrays:
    """A walk as arrays for the compiled loops."""

    def __init__(self, task: LongestTask, tables: tuple[Ints, ...], rng: np.random.Generator) -> None:
        self.task, self.tables, self.rng = task, tables, rng
        n, m = task.graph.n, task.graph.m
        self.state = random_state(rng)
        self.vertices, self.edges, self.best = (np.zeros(n + 2, dtype=np.int64) for _ in range(3))
        self.used, self.blocked = np.zeros(n, dtype=np.bool_), np.zeros(m, dtype=np.int64)
        self.lengths = np.zeros(2, dtype=np.int64)
        """Moves of the walk, and of the longest so far."""

    def begin(self) -> bool:
        """Begin with a vertex, or with a short closed walk; False if no closed walk is found."""
        ends, graph = self.tables[0], self.task.graph
        if not self.task.closed:
            self.vertices[0] = self.rng.integers(graph.n)
            self.used[self.vertices[0]] = True
            return graph.m > 0
        for edge in self.rng.permutation(graph.m)[:MAX_BEGINNINGS].tolist():
            self.vertices[:2] = ends[edge]
            self.vertices[2] = ends[edge, 0]
            if close_walk(
                self.tables, edge, self.vertices, self.edges, self.used, self.blocked, self.lengths, self.state
            ):
                return True
        return False

    def work(self, steps: int) -> IntArray:
        """Take `steps` steps; return the edges of the longest walk so far."""
        lengthen(
            self.tables, self.task.closed, self.vertices, self.edges, self.best, self.used, self.blocked, self.lengths,
            self.state, steps,
        )  # fmt: skip
        return np.sort(self.best[: self.lengths[1]]).astype(np.int32)


@kernel("")
def _take(edge, tables, blocked, change):  # type: ignore[no-untyped-def]
    """Add an edge to the walk (change 1) or remove it (-1); it blocks itself and those it crosses."""
    _, _, _, cross_start, cross = tables
    # A count rather than a flag: an edge may be crossed by several edges of the walk, and is free when all are gone.
    blocked[edge] += change
    for k in range(cross_start[edge], cross_start[edge + 1]):
        blocked[cross[k]] += change


@kernel("")
def _keep_longest(edges, best, lengths):  # type: ignore[no-untyped-def]
    """Keep the present walk if it is longer than the best."""
    length = lengths[0]
    if lengths[1] < length:
        lengths[1] = length
        best[:length] = edges[:length]


@kernel("")
def _stretch(first, last, tables, used, blocked, state, path):  # type: ignore[no-untyped-def]
    """The longest path between two vertices that a search in random order finds: its edges, and their number.

    `last` is -1 if the path may end anywhere; then it may be empty. A number of -1 means that no path was found.
    """
    ends, at_start, at_edge, _, _ = tables
    n = len(used)
    now = np.empty(n + 1, dtype=np.int64)  # Edges of the path on trial.
    place = np.empty(n + 1, dtype=np.int64)  # The vertex at each depth.
    offset, tried = np.empty(n + 1, dtype=np.int64), np.zeros(n + 1, dtype=np.int64)
    # For a path that may end anywhere the empty path is a valid answer of length 0.
    depth, nodes, most, ties = 0, MAX_NODES, 0 if last < 0 else -1, 0
    place[0], offset[0] = first, below(state, 1 << 20)
    while depth >= 0:
        v = place[depth]
        size = at_start[v + 1] - at_start[v]
        # Without nodes left the search only backtracks, which restores `used` and `blocked`.
        if tried[depth] == size or nodes == 0:
            depth -= 1
            if depth >= 0:
                used[v] = False
                _take(now[depth], tables, blocked, -1)
            continue
        edge = at_edge[at_start[v] + (offset[depth] + tried[depth]) % size]  # Any order would do; this one is cheap.
        tried[depth] += 1
        w = ends[edge, 0] + ends[edge, 1] - v
        # The end `last` is in use by the rest of the walk, yet it is where the path has to arrive.
        if blocked[edge] != 0 or (used[w] and w != last):
            continue
        now[depth] = edge
        if w == last or last < 0:
            # Among equally long paths each is kept with the same probability.
            ties = 0 if depth + 1 > most else ties + (depth + 1 == most)
            if depth + 1 > most or (depth + 1 == most and below(state, ties + 1) == 0):
                most = depth + 1
                path[:most] = now[:most]
        if w == last:
            continue
        nodes -= 1
        used[w] = True
        _take(edge, tables, blocked, 1)
        depth += 1
        # A random offset visits the edges in a cyclic order, which costs no shuffle.
        place[depth], offset[depth], tried[depth] = w, below(state, 1 << 20), 0
    return most


@kernel(
    f"boolean({TABLES}, int64, int64[::1], int64[::1], boolean[::1], int64[::1], int64[::1], uint64[::1])"
)  # fmt: skip
def close_walk(tables, edge, vertices, edges, used, blocked, lengths, state):  # type: ignore[no-untyped-def]
    """Begin with an edge, from vertex 0 to vertex 1 of the walk, and a path back; False if none was found."""
    ends = tables[0]
    used[vertices[0]] = used[vertices[1]] = True
    _take(edge, tables, blocked, 1)
    size = _stretch(vertices[1], vertices[0], tables, used, blocked, state, edges[1:])
    # Two vertices and one edge in both directions are no closed walk.
    if size < 2:
        used[vertices[0]] = used[vertices[1]] = False
        _take(edge, tables, blocked, -1)
        return False
    edges[0] = edge
    lengths[0] = size + 1
    for k in range(1, size + 1):
        _take(edges[k], tables, blocked, 1)
        vertices[k + 1] = ends[edges[k], 0] + ends[edges[k], 1] - vertices[k]
        used[vertices[k + 1]] = True
    return True


@kernel(
    f"void({TABLES}, boolean, int64[::1], int64[::1], int64[::1], boolean[::1], int64[::1], int64[::1], uint64[::1], "
    "int64)"
)
def lengthen(tables, closed, vertices, edges, best, used, blocked, lengths, state, steps):  # type: ignore[no-untyped-def]
    """Take steps: `vertices`, `edges` and `lengths[0]` are the present walk, `best` and `lengths[1]` the longest.

    `edges[k]` joins `vertices[k]` and `vertices[k + 1]`; in a closed walk the last vertex is the first.
    """
    ends = tables[0]
    n = len(used)
    path = np.empty(n + 1, dtype=np.int64)
    spare, spare_edges = np.empty(n + 2, dtype=np.int64), np.empty(n + 2, dtype=np.int64)
    for _ in range(steps):
        length = lengths[0]
        _keep_longest(edges, best, lengths)
        # The stretch must not run across the end of the arrays, so a closed walk is rotated instead.
        if closed:  # Start at another vertex.
            shift = below(state, length)
            for k in range(length):
                spare[k], spare_edges[k] = vertices[(k + shift) % length], edges[(k + shift) % length]
            spare[length] = spare[0]
        elif below(state, 2) == 0:  # Start at its other end.
            for k in range(length + 1):
                spare[k] = vertices[length - k]
            for k in range(length):
                spare_edges[k] = edges[length - 1 - k]
        else:
            spare[: length + 1], spare_edges[:length] = vertices[: length + 1], edges[:length]
        vertices[: length + 1], edges[:length] = spare[: length + 1], spare_edges[:length]
        gone = 1 + below(state, MAX_STRETCH)
        begin = below(state, length + 1)
        if closed:
            gone = min(gone, length - 1)
            # A closed walk keeps at least one move, from which the new stretch starts and at which it ends.
            begin = below(state, length - gone + 1)
        end = min(begin + gone, length)
        gone = end - begin
        # An open walk whose last moves are given up may end at any other vertex.
        free = not closed and end == length
        for k in range(begin, end):
            _take(edges[k], tables, blocked, -1)
            if k > begin:
                used[vertices[k]] = False
        if free and gone > 0:
            used[vertices[end]] = False
        size = _stretch(vertices[begin], -1 if free else vertices[end], tables, used, blocked, state, path)
        # Metropolis: by how many moves the walk may become shorter in this step.
        slack = -TEMPERATURE * np.log((below(state, 1 << 30) + 1.0) / (1 << 30))
        if size < 0 or gone - size > slack or (closed and length - gone + size < 3):  # Put the stretch back.
            size = gone
            path[:size] = edges[begin:end]
        # Insert the new stretch and move the rest of the walk behind it; both arrays have room for n + 2 entries.
        rest = length - end
        spare[: rest + 1], spare_edges[:rest] = vertices[end : length + 1], edges[end:length]
        for k in range(size):
            edges[begin + k] = path[k]
            _take(path[k], tables, blocked, 1)
            vertices[begin + k + 1] = ends[path[k], 0] + ends[path[k], 1] - vertices[begin + k]
            used[vertices[begin + k + 1]] = True
        if not free:
            place = begin + size
            vertices[place : place + rest + 1], edges[place : place + rest] = spare[: rest + 1], spare_edges[:rest]
        lengths[0] = begin + size + rest
    _keep_longest(edges, best, lengths)
