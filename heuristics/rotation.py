"""Rotation and extension (Pósa 1976), starting from any cover of the vertices by disjoint cycles.

A path grows at either end. If an end has a neighbour off the path, the path swallows the whole cycle of that neighbour.
Otherwise it is rotated: if the end is adjacent to a vertex w of the path, the edge behind w is given up, and the vertex
behind w becomes the end. When the path has every vertex and its ends are adjacent, the cycle is complete.

If the cover consists of single vertices, this is Pósa's method with Warnsdorff's rule (go where the fewest ways lead
on) for the extensions. If it is a 2-factor whose cycles were merged as far as possible, this joins the few that are
left.
"""

from __future__ import annotations

import numpy as np

from heuristics.compiled_helpers import adjacent, below, random_state
from kt_models.board import IntArray
from kt_models.graph import MoveGraph
from kt_models.jit import MAX_PLAIN_VERTICES, kernel

MAX_LOOKS = 48
"""Most neighbours of an end that are looked at: auxiliary vertices can have very many."""


class Search:
    """A path that grows to a Hamiltonian cycle; `run` may be called again and again.

    Parameters
    ----------
    graph
        Simple and connected.
    links
        The two neighbours of each vertex on its cycle in the cover, shape (n, 2); a vertex that is its own neighbour
        twice is a cycle by itself.
    """

    def __init__(self, graph: MoveGraph, links: IntArray, rng: np.random.Generator) -> None:
        n = graph.n
        self._graph = graph
        self._links = links
        self._path = np.zeros(n, dtype=np.int32)
        self._place = np.full(n, -1, dtype=np.int32)
        self._stamp = np.zeros(n, dtype=np.int64)
        self._shape = np.array([0, 1, 0, 0], dtype=np.int64)  # Head, direction, length, clock.
        self._state = random_state(rng)

    def run(self, work: int) -> IntArray | None:
        """Continue for about `work` elementary steps; return the Hamiltonian cycle if it is complete."""
        if not _rotate(
            self._graph.indptr,
            self._graph.neighbours,
            self._links,
            self._path,
            self._place,
            self._stamp,
            self._shape,
            self._state,
            work,
        ):
            return None
        return self._path.copy()


def single_vertices(n: int) -> IntArray:
    """The cover by single vertices."""
    return np.repeat(np.arange(n, dtype=np.int32), 2).reshape(n, 2)


@kernel("int64(int32[:, ::1], int32[::1], int32[::1], int64, int64, int64, int64, int64)")
def _swallow(links, path, place, head, direction, length, w, side):  # type: ignore[no-untyped-def]
    """Append the cycle of w, opened beside w, to the path; return the new length."""
    n = len(path)
    # Vertices of the cycle get consecutive places behind the end of the path.
    before, u = w, w
    while True:
        at = (head + direction * length) % n
        path[at] = u
        place[u] = at
        length += 1
        if u == w:
            onward = links[u, side]
        else:
            onward = links[u, 1] if links[u, 0] == before else links[u, 0]
        if onward == w:
            return length
        before, u = u, onward


@kernel("void(int32[::1], int32[::1], int64, int64, int64)")
def _reverse(path, place, first, direction, count):  # type: ignore[no-untyped-def]
    """Reverse `count` places of the ring `path`, from `first` on."""
    n = len(path)
    for k in range(count // 2):
        i = (first + direction * k) % n
        j = (first + direction * (count - 1 - k)) % n
        path[i], path[j] = path[j], path[i]
        place[path[i]] = i
        place[path[j]] = j


@kernel("void(int64[::1], int32[::1], int32[::1], int32[::1], int64, int64, int64, uint64[::1])")
def _reopen(indptr, neighbours, path, place, head, direction, length, state):  # type: ignore[no-untyped-def]
    """Cut the cycle beside a vertex off the path: the ends of the path are joined, and vertices are left.

    Returns the new head; the path then runs in direction 1.
    """
    n = len(path)
    # Start the scan at a random vertex, so that repeated failures do not cut at the same place.
    offset = below(state, n)
    cut = -1
    for k in range(n):
        w = (offset + k) % n
        if place[w] >= 0:
            continue
        for slot in range(indptr[w], indptr[w + 1]):
            if place[neighbours[slot]] >= 0:
                cut = (place[neighbours[slot]] - head) * direction % n
                break
        if cut >= 0:
            break
    # The path was closed, so any of its vertices may become an end; it is copied into places 0, 1, ... in direction 1.
    ring = np.empty(length, dtype=np.int32)
    for k in range(length):
        ring[k] = path[(head + direction * ((cut + 1 + k) % length)) % n]
    for k in range(length):
        path[k] = ring[k]
        place[ring[k]] = k


@kernel(
    "boolean(int64[::1], int32[::1], int32[:, ::1], int32[::1], int32[::1], int64[::1], int64[::1], uint64[::1], "
    "int64)",
    plain=MAX_PLAIN_VERTICES,
)
def _rotate(indptr, neighbours, links, path, place, stamp, shape, state, work):  # type: ignore[no-untyped-def]
    """Extend and rotate until the cycle is complete (True) or the work is used up (False).

    The path is a run of `length` places of the ring `path`, from `head` in `direction` 1 or -1. So it can be turned
    round at no cost, and a rotation reverses whichever of its two parts is shorter.
    """
    n = len(path)
    # The state is unpacked into local variables, which numba keeps in registers, and packed again at the end.
    head, direction, length, clock = shape[0], shape[1], shape[2], shape[3]
    if length == 0:
        length = _swallow(links, path, place, head, direction, length, below(state, n), below(state, 2))
    done = False
    failed_extensions = 0
    while work > 0:
        # A rough price of one step, in the unit of one path vertex that is moved.
        work -= 20
        clock += 1
        if failed_extensions > 0 or below(state, 2) == 0:  # Turn the path round.
            head = (head + direction * (length - 1)) % n
            # Turning round exchanges head and end: nothing is moved.
            direction = -direction
        first, end = path[head], path[(head + direction * (length - 1)) % n]
        degree = indptr[end + 1] - indptr[end]
        offset = below(state, degree)
        best, fewest_ways, joined = -1, n, False
        turn, oldest, closes = -1, clock, False
        # One step in sixteen takes any turn: with the oldest stamp alone the search can cycle through the same ends.
        wild = below(state, 16) == 0
        for k in range(min(degree, MAX_LOOKS)):
            w = neighbours[indptr[end] + (offset + k) % degree]
            if place[w] < 0:
                ways = 0
                # An auxiliary vertex adjacent to very many others is always easy to reach, so it can wait.
                if indptr[w + 1] - indptr[w] > MAX_LOOKS:
                    ways = MAX_LOOKS
                else:
                    for slot in range(indptr[w], indptr[w + 1]):
                        ways += place[neighbours[slot]] < 0
                if ways < fewest_ways:
                    best, fewest_ways = w, ways
                continue
            if w == first:
                joined = True
            i = (place[w] - head) * direction % n
            if i >= length - 2 or best >= 0:
                continue
            v = path[(head + direction * (i + 1)) % n]
            # With all vertices on the path, a turn is useful if it closes the cycle; before, if the new end can extend.
            if length == n:
                useful = adjacent(indptr, neighbours, v, first)
            else:
                useful = False
                for slot in range(indptr[v], min(indptr[v + 1], indptr[v] + MAX_LOOKS)):
                    useful |= place[neighbours[slot]] < 0
            if useful and not closes:
                turn, closes = i, True
            elif not closes and ((wild and turn < 0) or (not wild and stamp[v] < oldest)):
                turn, oldest = i, stamp[v]
        if length == n and (joined or adjacent(indptr, neighbours, first, end)):
            done = True
            break
        if best >= 0:
            old = length
            length = _swallow(links, path, place, head, direction, length, best, below(state, 2))
            work -= length - old
            failed_extensions = 0
            continue
        if length < n and failed_extensions == 0:
            failed_extensions = 1  # The other end may extend, which is better than a rotation of this one.
            continue
        failed_extensions = 0
        if length < n and length > 2 and adjacent(indptr, neighbours, first, end):
            _reopen(indptr, neighbours, path, place, head, direction, length, state)
            head, direction = 0, 1
            work -= n
            continue
        if turn < 0:  # Among the neighbours looked at, this end has degree 1; continue at the other end.
            continue
        end = path[(head + direction * (turn + 1)) % n]
        stamp[end] = clock
        behind = length - 1 - turn
        # Reverse the shorter part. While the path is not complete, only the part behind the turn is contiguous in the
        # ring.
        if length < n or behind <= turn:
            _reverse(path, place, (head + direction * (turn + 1)) % n, direction, behind)
            work -= behind
        else:
            _reverse(path, place, head, direction, turn + 1)
            head = (head + direction * (turn + 1)) % n
            work -= turn
    if done and direction < 0:
        head = (head + direction * (length - 1)) % n
    shape[0], shape[1], shape[2], shape[3] = head, direction, length, clock
    return done
