"""Numberings without a solver: the possible numbers of each vertex, a search, and counts by sweeps.

A vertex may have the number k only if a neighbour may have k + 1 and another one k - 1. If only one vertex is left for
a number, that vertex has no other number. Repeated until nothing changes, these rules show all that distances to given
numbers imply.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.errors import TooLarge
from kt_models.jit import kernel
from kt_models.limits import NO_LIMITS, Limits
from kt_models.numbers import Order
from kt_models.problem import Problem
from kt_models.turn_shape import ANY, STRAIGHT, TURN

SLICE_STEPS = 1_000_000
"""Extensions of a search between two looks at the clock."""
MAX_SLOTS = 100_000_000
"""Most bytes of the table of straight ways through vertices."""
MAX_COUNTED = 64
"""Most combinations of numbers of vertices with several given numbers; each combination is counted separately."""

NumberTable = npt.NDArray[np.bool_]
FOUND, EXHAUSTED, STOPPED = 1, 2, 0


def neighbours_of(problem: Problem) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The neighbours of each vertex by edges that are not forbidden, -1 behind the last, and their number."""
    graph = problem.graph
    near: list[set[int]] = [set() for _ in range(graph.n)]
    for edge, (u, v) in enumerate(graph.ends.tolist()):
        if edge not in problem.forbidden and u != v:
            near[u].add(v)
            near[v].add(u)
    degrees = np.array([len(some) for some in near], dtype=np.int32)
    table = np.full((graph.n, max(1, int(degrees.max(initial=0)))), -1, dtype=np.int32)
    for v, some in enumerate(near):
        table[v, : len(some)] = sorted(some)
    return table, degrees


def is_possible(table: NumberTable) -> bool:
    """Whether each number has a possible vertex, and each vertex a possible number."""
    return bool(table.any(axis=0).all() and table.any(axis=1).all())


def table_of(problem: Problem, limits: Limits = NO_LIMITS) -> NumberTable:
    """The possible numbers, from 0, of each vertex, shape (numbers, vertices), as far as neighbours show.

    Raises
    ------
    Stopped
        If the limits are reached first.
    """
    n, numbers = problem.graph.n, problem.numbers
    if problem.closed and n < 3:
        return np.zeros((n, n), dtype=bool)
    padded = np.zeros((n, n + 1), dtype=bool)  # The last column stands for the missing neighbour, -1.
    table = padded[:, :n]
    table[:] = True
    for vertex, allowed in () if numbers is None else numbers.allowed:
        table[:, vertex] = False
        table[np.array(allowed) - 1, vertex] = True
    for vertex in problem.terminals:
        table[1:-1, vertex] = False
    near, _ = neighbours_of(problem)
    while True:
        before = int(table.sum())
        # Up and down the numbers: if a number may be at a vertex, the next may be at its neighbours.
        for step in (1, -1):
            ups = range(n) if problem.closed else range(1, n)
            for k in ups if step == 1 else reversed(ups):
                limits.check()
                row, neighbour_row = (k, k - 1) if step == 1 else (k - 1, k)
                table[row] &= padded[neighbour_row][near].any(axis=1)
        for view in (table, table.T):  # First numbers with only one vertex, then vertices with only one number.
            for index in np.flatnonzero(view.sum(axis=1) == 1).tolist():
                number = int(np.argmax(view[index]))
                kept = bool(view[index, number])
                view[:, number] = False
                view[index, number] = kept
        if int(table.sum()) == before or not is_possible(table):
            return np.ascontiguousarray(table)


@kernel("boolean(int32[:, ::1], int32[::1], boolean[:, :, ::1], int64, int64, int64)")
def _goes_straight(near: Any, degrees: Any, straight: Any, before: int, at: int, after: int) -> bool:
    """Whether a path through three vertices goes straight on at the second one."""
    i = j = -1
    for slot in range(degrees[at]):
        if near[at, slot] == before:
            i = slot
        if near[at, slot] == after:
            j = slot
    return straight[at, i, j]


@kernel("boolean(int32[:, ::1], int32[::1], boolean[::1], int64, int64, int32[::1])")
def _rest_is_connected(near: Any, degrees: Any, used: Any, end: int, left: int, seen: Any) -> bool:
    """Whether the unused vertices are connected, and the end of the path is beside one; `seen` is scratch memory."""
    n = len(degrees)
    seen[:] = 0
    top = 0
    for j in range(degrees[end]):
        if top == 0 and not used[near[end, j]]:
            seen[n] = near[end, j]
            seen[near[end, j]] = 1
            top = 1
    count = top
    while top > 0:
        top -= 1
        v = seen[n + top]
        for j in range(degrees[v]):
            w = near[v, j]
            if not used[w] and seen[w] == 0:
                seen[w] = 1
                seen[n + top] = w
                count += 1
                top += 1
    return count == left


@kernel(
    "int64(boolean[:, ::1], int32[:, ::1], int32[::1], int32[:, ::1], boolean, int32[::1], int32[::1], boolean[::1],"
    " int32[::1], int32[::1], int32[:, ::1], int64[:, ::1], int8[::1], boolean[:, :, ::1], int32[::1], int64[::1],"
    " int64)"
)
def _walk(
    table: Any,
    near: Any,
    degrees: Any,
    needed: Any,
    closed: Any,
    order: Any,
    tried: Any,
    used: Any,
    free: Any,
    leaves: Any,
    lines_of: Any,
    lines: Any,
    shape: Any,
    straight: Any,
    seen: Any,
    state: Any,
    steps: Any,
) -> int:
    """Extend a path of numbers; FOUND at a complete numbering, EXHAUSTED after all, STOPPED after `steps` steps.

    `state[0]` is the number of placed numbers. `tried[k]` is the number of candidates of the number k that were tried.
    `free[v]` is the number of unused neighbours of v. For open tours `leaves[k]` is the number of unused vertices with
    only one unused neighbour once the number k is placed; at most one, the end, may have so few. A row of `lines` has
    the sum of a line so far, the number of its vertices without a number, and its total. `shape` has 1 for places
    where the path goes straight on, and 2 where it turns; `straight[v, i, j]` says whether it does at v, between the
    neighbours in two slots. With a shape the unused vertices are kept connected; `seen` is memory for that.
    """
    n, count = len(degrees), len(lines)
    k = state[0]
    if k == n:  # Continue after a complete numbering.
        k -= 1
        v = order[k]
        used[v] = False
        for j in range(degrees[v]):
            free[near[v, j]] += 1
        for j in range(lines_of.shape[1]):
            if lines_of[v, j] >= 0:
                lines[lines_of[v, j], 0] -= k + 1
                lines[lines_of[v, j], 1] += 1
    for _ in range(steps):
        candidates = n if k == 0 else degrees[order[k - 1]]
        if tried[k] == candidates:
            tried[k] = 0
            if k == 0:
                state[0] = 0
                return EXHAUSTED
            k -= 1
            v = order[k]
            used[v] = False
            for j in range(degrees[v]):
                free[near[v, j]] += 1
            for j in range(lines_of.shape[1]):
                if lines_of[v, j] >= 0:
                    lines[lines_of[v, j], 0] -= k + 1
                    lines[lines_of[v, j], 1] += 1
            continue
        v = tried[k] if k == 0 else near[order[k - 1], tried[k]]
        tried[k] += 1
        if used[v] or not table[k, v]:
            continue
        good = True
        if k > 0:  # Conditions of the vertex before.
            u = order[k - 1]
            for j in range(2):
                w = needed[u, j]
                if w >= 0 and w != v and not (k > 1 and order[k - 2] == w) and not (closed and k == 1):
                    good = False
            if good and k > 1 and shape[k - 1] > 0:
                good = _goes_straight(near, degrees, straight, order[k - 2], u, v) == (shape[k - 1] == 1)
            if not good:
                continue
        order[k] = v
        used[v] = True
        for j in range(degrees[v]):
            free[near[v, j]] -= 1
        for j in range(lines_of.shape[1]):
            if lines_of[v, j] >= 0:
                lines[lines_of[v, j], 0] += k + 1
                lines[lines_of[v, j], 1] -= 1
        start = order[0]
        if k > 0 and k < n - 1:  # The vertices that the vertex before leaves behind.
            leaves[k] = leaves[k - 1]
            u = order[k - 1]
            for j in range(degrees[u]):
                w = near[u, j]
                if used[w]:
                    continue
                ways = free[w]
                for i in range(degrees[w]):
                    if near[w, i] == v or (closed and near[w, i] == start):
                        ways += 1
                if ways == 0 or (closed and ways == 1):
                    good = False
                    break
                if ways == 1:
                    leaves[k] += 1
            if leaves[k] > 1 or (closed and free[start] == 0):
                good = False
        elif k == 0 and n > 1:
            leaves[0] = 0
            for w in range(n):
                if w != v and degrees[w] == 1:
                    leaves[0] += 1
            if leaves[0] > 1:
                good = False
        # A step beside one unused vertex leaves the others as connected as they were.
        if good and len(seen) > 0 and 0 < k < n // 2 and free[v] != 1:
            good = _rest_is_connected(near, degrees, used, v, n - 1 - k, seen)
        for j in range(count):  # The least and the greatest sum that the remaining numbers can add.
            if not good:
                break
            left = lines[j, 1]
            about = left * (left - 1) // 2
            if lines[j, 0] + left * (k + 2) + about > lines[j, 2] or lines[j, 0] + left * n - about < lines[j, 2]:
                good = False
        k += 1
        if good and k < n:
            continue
        if good and closed:
            good = False
            for j in range(degrees[v]):
                if near[v, j] == start:
                    good = True
            if good and shape[n - 1] > 0:
                good = _goes_straight(near, degrees, straight, order[n - 2], v, start) == (shape[n - 1] == 1)
            if good and shape[0] > 0:
                good = _goes_straight(near, degrees, straight, v, start, order[1]) == (shape[0] == 1)
        if good:
            for end in range(2):
                u = start if end == 0 else order[n - 1]
                for j in range(2):
                    w = needed[u, j]
                    if w >= 0:
                        beside = n > 1 and (order[1] == w if end == 0 else order[n - 2] == w)
                        if closed and w == (order[n - 1] if end == 0 else start):
                            beside = True
                        if not beside:
                            good = False
        if good:
            state[0] = n
            return FOUND
        k -= 1
        used[v] = False
        for j in range(degrees[v]):
            free[near[v, j]] += 1
        for j in range(lines_of.shape[1]):
            if lines_of[v, j] >= 0:
                lines[lines_of[v, j], 0] -= k + 1
                lines[lines_of[v, j], 1] += 1
    state[0] = k
    return STOPPED


def _first_of_orbits(problem: Problem) -> npt.NDArray[np.bool_]:
    """Vertices of which one is the image of each vertex under a symmetry of the board and the problem."""
    graph, numbers = problem.graph, problem.numbers
    first = np.ones(graph.n, dtype=bool)
    special = problem.required or problem.forbidden or problem.terminals or problem.symmetry
    if graph.board is None or special or numbers is None or numbers.allowed or numbers.sums:
        return first
    for symmetry in graph.symmetries():
        first &= symmetry.permutation(graph.board) >= np.arange(graph.n)
    return first


class NumberSearch:
    """A search that yields every numbering once: it extends 1, 2, 3, ... and can be continued.

    A closed tour without sums starts at the number with the fewest vertices, and an open one at the end with fewer
    vertices. The objective and the symmetry of the problem are ignored.

    Parameters
    ----------
    up_to_symmetry
        Yield at least one of each class of numberings of open tours under the symmetries of the board.
    """

    def __init__(self, problem: Problem, table: NumberTable, *, up_to_symmetry: bool = False) -> None:
        if up_to_symmetry and problem.closed is False:
            table = table & _first_of_orbits(problem)[None, :] | (np.arange(len(table)) > 0)[:, None] & table
        n, numbers = problem.graph.n, problem.numbers
        self.problem = problem
        self.over = not is_possible(table)
        near, degrees = neighbours_of(problem)
        needed = np.full((n, 2), -1, dtype=np.int32)
        for edge in sorted(problem.required):
            for u, v in (problem.graph.ends[edge].tolist(), problem.graph.ends[edge].tolist()[::-1]):
                unset = np.flatnonzero(needed[u] < 0)
                if not len(unset):
                    self.over = True  # Three required edges meet at a vertex.
                    break
                needed[u, unset[0]] = v
        sums = () if numbers is None else numbers.sums
        choices = table.sum(axis=1)
        self.shift, self.back = 0, False
        if problem.closed and not sums:
            self.shift = int(choices.argmin())
        elif not sums:
            self.back = bool(choices[-1] < choices[0])
        shifted = np.roll(table[::-1] if self.back else table, -self.shift, axis=0)
        lines = np.array([(0, len(line), total) for line, total in sums], dtype=np.int64).reshape(-1, 3)
        of_vertex: list[list[int]] = [[] for _ in range(n)]
        for row, (line, _) in enumerate(sums):
            for v in line:
                of_vertex[v].append(row)
        lines_of = np.full((n, max(map(len, of_vertex))), -1, dtype=np.int32)
        for v, some in enumerate(of_vertex):
            lines_of[v, : len(some)] = some
        shape, straight = self._shape(near, degrees)
        self._order = np.zeros(n, dtype=np.int32)
        self._state = np.zeros(1, dtype=np.int64)
        self._data = (
            np.ascontiguousarray(shifted), near, degrees, needed, problem.closed, self._order,
            np.zeros(n, dtype=np.int32), np.zeros(n, dtype=bool), degrees.copy(), np.zeros(n, dtype=np.int32),
            lines_of, lines, shape, straight, np.zeros(2 * n if shape.any() else 0, dtype=np.int32), self._state,
        )  # fmt: skip

    def _shape(self, near: npt.NDArray[np.int32], degrees: npt.NDArray[np.int32]) -> tuple[Any, Any]:
        """The shape of the places in the order of the search, and where vertices lie straight on."""
        n, shape = self.problem.graph.n, None if self.problem.numbers is None else self.problem.numbers.shape
        if shape is None:
            return np.zeros(n, dtype=np.int8), np.zeros((1, 1, 1), dtype=bool)
        letters = np.array([(ANY, STRAIGHT, TURN).index(letter) for letter in shape.letters], dtype=np.int8)
        width = int(degrees.max(initial=1))
        if n * width**2 > MAX_SLOTS:
            raise TooLarge(f"shape: {self.problem.graph.name} has too many moves for the search")
        straight = np.zeros((n, max(1, width), max(1, width)), dtype=bool)
        slot = [{int(u): j for j, u in enumerate(near[v, : degrees[v]])} for v in range(n)]
        for u, v, w in shape.straight:
            if u in slot[v] and w in slot[v]:
                straight[v, slot[v][u], slot[v][w]] = True
        return np.ascontiguousarray(np.roll(letters[::-1] if self.back else letters, -self.shift)), straight

    def run(self, limits: Limits = NO_LIMITS, steps: float = np.inf) -> Iterator[Order]:
        """The next numberings, for at most about `steps` steps: vertices in the order of their numbers.

        Raises
        ------
        Stopped
            If the limits are reached first.
        """
        while not self.over and steps > 0:
            limits.check()
            answer = _walk(*self._data, SLICE_STEPS)
            steps -= SLICE_STEPS if answer == STOPPED else 0
            self.over = answer == EXHAUSTED
            if answer == FOUND:
                order = np.roll(self._order[::-1] if self.back else self._order, self.shift)
                yield order.copy()


def numberings(problem: Problem, limits: Limits = NO_LIMITS) -> Iterator[Order]:
    """Yield every numbering of a problem once; see `NumberSearch`.

    Raises
    ------
    Stopped
        If the limits are reached first.
    """
    yield from NumberSearch(problem, table_of(problem, limits)).run(limits)


def counted_as_tours(problem: Problem) -> list[tuple[Problem, int]] | None:
    """Problems without given numbers, with the number of numberings of each of their tours; None if that is impossible.

    It is possible if the given numbers are consecutive: then they mean edges, and where an open tour begins or ends.
    Vertices with several numbers are treated by cases.
    """
    numbers = problem.numbers
    if numbers is None or numbers.sums or numbers.shape or problem.symmetry or problem.graph.n < 3:
        return None
    plain = replace(problem, numbers=None, objective=None)
    allowed = numbers.allowed
    if prod(len(some) for _, some in allowed) > MAX_COUNTED:
        return None
    parts: list[tuple[Problem, int]] = []
    for chosen in product(*(some for _, some in allowed)):
        if len(set(chosen)) == len(chosen):
            vertices = {k: vertex for k, (vertex, _) in zip(chosen, allowed, strict=True)}
            part = _without_numbers(plain, vertices)
            if part is None:
                return None
            parts += part
    return parts


def _without_numbers(problem: Problem, vertices: dict[int, int]) -> list[tuple[Problem, int]] | None:
    """The problem with one vertex for each of some numbers; an empty list if there is no such tour."""
    graph, n = problem.graph, problem.graph.n
    numbers = sorted(vertices)
    steps = [(k, j) for k, j in pairwise(numbers) if j == k + 1]
    if problem.closed:
        steps += [(n, 1)] if {1, n} <= set(numbers) else []
        if len(numbers) - len(steps) > (len(numbers) < n):
            return None
        times = {0: 2 * n, 1: 2}.get(len(numbers), 1)
        terminals: tuple[int, ...] = ()
    else:
        if any(k not in (1, n) and k - 1 not in vertices and k + 1 not in vertices for k in numbers):
            return None
        runs = [k for k in numbers if k - 1 not in vertices]
        if any(k != 1 and not {*range(k, n + 1)} <= set(numbers) for k in runs):
            return None
        terminals = tuple(vertices[k] for k in (1, n) if k in vertices)
        times = 1 if terminals else 2
        if any(end not in terminals for end in problem.terminals) and len({*terminals, *problem.terminals}) > 2:
            return []
        terminals = tuple(dict.fromkeys((*terminals, *problem.terminals)))
    required = set(problem.required)
    edges = {frozenset(ends): edge for edge, ends in enumerate(graph.ends.tolist())}
    for k, j in steps:
        edge = edges.get(frozenset((vertices[k], vertices[j])))
        if edge is None or edge in problem.forbidden:
            return []
        required.add(edge)
    return [(replace(problem, terminals=terminals, required=frozenset(required)), times)]
