"""Tours of small weight by the exchanges of Lin and Kernighan, for sums over single edges.

A tour is improved until no exchange helps, then three of its edges near each other are exchanged at random (a double
bridge), and again; the better tour is kept (iterated local search, Martin, Otto and Felten 1991). An exchange gives up
an edge from t1 to t2, joins t2 to a near vertex t3, gives up the edge before t3, and so on, as long as what was given
up weighs more than what was taken (Lin and Kernighan 1973); each step reverses a piece of the tour.

The loops work on a table of the weights of all pairs of vertices. A pair without an edge, or with a forbidden one, has
a weight above those of all edges, and a pair with a required edge one below them. The extra vertex of an open tour is
joined to the vertices where it may end.
"""

from __future__ import annotations

import math

import numpy as np

from heuristics.compiled_helpers import below, random_state
from kt_models.board import IntArray
from kt_models.errors import KTError
from kt_models.jit import kernel
from kt_models.kernel.certificates.integers import Ints
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem, verify_edges
from kt_models.tour import Tour
from kt_models.walks import walks_of

MIN_VERTICES, MAX_VERTICES = 8, 2_000
"""Fewest vertices of a graph for double bridges, and most whose pairs have a table."""
LARGEST = 2**60
"""No sum of weights along a tour is above this."""
NEIGHBOURS = 10
"""Near vertices of each vertex that an exchange may join it to."""
DEPTH = 30
"""Most pieces that an exchange reverses."""
BREADTH = 5, 3
"""Near vertices that are tried in turn in the first steps of an exchange; later steps take the best one."""
MAX_SHIFTED = 3
"""Most vertices that are moved between two others at once."""
SEGMENT = 50
"""Greatest number of vertices between two edges of a double bridge."""
KICKS_PER_CALL = 500
"""Double bridges between two looks at the limits: some hundredths of a second."""


@kernel("boolean(int32[::1], int32[::1], int64, int64)")
def _reverse(order, place, first, last):  # type: ignore[no-untyped-def]
    """Reverse the piece of the ring between two places, or all the rest, if that is shorter; return whether it was.

    The rest gives the same tour in the other direction.
    """
    n = len(order)
    inner = last - first
    if inner < 0:
        inner += n
    rest = 2 * (inner + 1) > n
    if rest:
        first, last = last + 1, first - 1
        inner = n - 2 - inner
        if first == n:
            first = 0
        if last < 0:
            last = n - 1
    for _ in range((inner + 1) // 2):
        u, v = order[first], order[last]
        order[first], order[last] = v, u
        place[v], place[u] = first, last
        first += 1
        if first == n:
            first = 0
        last -= 1
        if last < 0:
            last = n - 1
    return rest


@kernel("int64(int32[::1], int32[::1], int64, int64)")
def _beside(order, place, u, forwards):  # type: ignore[no-untyped-def]
    """The vertex behind another one, or before it."""
    p = place[u]
    if forwards:
        return order[p + 1 if p + 1 < len(order) else 0]
    return order[p - 1]


@kernel("int64(int32[::1], int32[::1], int64, int64, int64)")
def _turn(order, place, forwards, u, v):  # type: ignore[no-untyped-def]
    """Reverse the piece from u to v in a direction; return the direction in which the tour now goes the same way."""
    if forwards:
        rest = _reverse(order, place, place[u], place[v])
    else:
        rest = _reverse(order, place, place[v], place[u])
    return 1 - forwards if rest else forwards


@kernel("int64(int64[:,::1], int32[:,::1], int32[::1], int32[::1], int64, int64, int32[::1])")
def _exchange(table, near, order, place, t1, forwards, touched):  # type: ignore[no-untyped-def]
    """Improve the tour by an exchange that begins with the edge behind t1, or before it; return the gain.

    `touched` gets the number of vertices at which an edge changed, and then these vertices.
    """
    steps = np.empty((DEPTH, 3), dtype=np.int32)
    tried = np.zeros(len(BREADTH), dtype=np.int64)
    level, best_level, best = 0, 0, np.int64(0)
    gains = np.zeros(DEPTH + 1, dtype=np.int64)  # What the first steps gain, with the edge that closes the tour.
    touched[0] = 0
    while level < DEPTH:
        t2 = _beside(order, place, t1, forwards)
        # What was given up less what was taken, without the edge that closes the tour.
        open_gain = gains[level] + table[t1, t2]
        wanted = tried[level] if level < len(BREADTH) else 0
        chosen, before, chosen_value, found = -1, -1, np.int64(0), 0
        if level >= len(BREADTH) or wanted < BREADTH[level]:
            for k in range(near.shape[1]):
                t3 = near[t2, k]
                left = open_gain - table[t2, t3]
                if left <= 0:
                    break
                t4 = _beside(order, place, t3, 1 - forwards)
                if t3 == t1 or t4 == t2:
                    continue
                # No edge that this exchange took is given up again.
                fresh = True
                for s in range(level):
                    if (steps[s, 0] == t3 and steps[s, 1] == t4) or (steps[s, 0] == t4 and steps[s, 1] == t3):
                        fresh = False
                if not fresh:
                    continue
                if level < len(BREADTH):
                    if found == wanted:
                        chosen, before = t3, t4
                        break
                    found += 1
                elif chosen < 0 or left + table[t3, t4] > chosen_value:
                    chosen, before, chosen_value = t3, t4, left + table[t3, t4]
        if chosen < 0:
            if best > 0 or level == 0:
                break
            # Another choice at the last step that has several; later steps are taken back.
            while True:
                level -= 1
                forwards = _turn(order, place, forwards, _beside(order, place, t1, forwards), steps[level, 0])
                if level < len(BREADTH):
                    break
            for s in range(level + 1, len(BREADTH)):
                tried[s] = 0
            tried[level] += 1
            continue
        forwards = _turn(order, place, forwards, t2, before)
        steps[level, 0], steps[level, 1], steps[level, 2] = t2, chosen, before
        level += 1
        gains[level] = open_gain - table[t2, chosen] + table[chosen, before] - table[before, t1]
        if gains[level] > best:
            best, best_level = gains[level], level
    while level > best_level:
        level -= 1
        forwards = _turn(order, place, forwards, _beside(order, place, t1, forwards), steps[level, 0])
    count = 0
    for s in range(best_level):
        for c in range(3):
            count += 1
            touched[count] = steps[s, c]
    touched[count + 1] = t1
    touched[0] = count + 1
    return best


@kernel("int64(int64[:,::1], int32[:,::1], int32[::1], int32[::1], int64, int64, int32[::1])")
def _shift(table, near, order, place, u, forwards, touched):  # type: ignore[no-untyped-def]
    """Move u and up to two vertices behind it (or before it) between two other vertices, if that gains; return the
    gain."""
    n = len(order)
    a, v = _beside(order, place, u, 1 - forwards), u
    for size in range(1, MAX_SHIFTED + 1):
        if size > 1:
            v = _beside(order, place, v, forwards)
        b = _beside(order, place, v, forwards)
        if size > n - 3:
            break
        freed = table[a, u] + table[v, b] - table[a, b]
        for k in range(near.shape[1]):
            c = near[u, k]
            if table[u, c] >= freed:
                break
            if ((place[c] - place[u]) * (2 * forwards - 1)) % n < size:
                continue
            for side in range(2):
                # u gets beside c, and v beside d.
                d = _beside(order, place, c, side)
                if d in (u, v):
                    continue
                gain = freed - table[u, c] - table[v, d] + table[c, d]
                if gain <= 0:
                    continue
                # In this direction the ring is  a [u .. v] [b .. x] y ..  with {x, y} = {c, d}.
                x = c if _beside(order, place, c, forwards) == d else d
                forwards = _turn(order, place, forwards, u, x)
                forwards = _turn(order, place, forwards, x, b)
                if x == c:
                    forwards = _turn(order, place, forwards, v, u)
                touched[1], touched[2], touched[3], touched[4], touched[5], touched[6] = a, b, u, v, c, d
                touched[0] = 6
                return gain
    return 0


@kernel("int64(int64[:,::1], int32[:,::1], int32[::1], int32[::1], int32[::1], boolean[::1], int64)")
def _settle(table, near, order, place, queue, waiting, size):  # type: ignore[no-untyped-def]
    """Exchange at the vertices of a queue, and where edges change, until nothing gains; return the whole gain."""
    n = len(order)
    touched = np.empty(3 * DEPTH + 8, dtype=np.int32)
    total, head = np.int64(0), 0
    while size > 0:
        u = queue[head]
        head = head + 1 if head + 1 < n else 0
        size -= 1
        waiting[u] = False
        for forwards in range(2):
            gain = _exchange(table, near, order, place, u, forwards, touched)
            if gain == 0:
                gain = _shift(table, near, order, place, u, forwards, touched)
            if gain == 0:
                continue
            total += gain
            for k in range(1, touched[0] + 1):
                v = touched[k]
                if not waiting[v]:
                    waiting[v] = True
                    queue[(head + size) % n] = v
                    size += 1
            break
    return total


@kernel("int64(int64[:,::1], int32[:,::1], int32[::1], int64, uint64[::1], int64)")
def exchanged(table, near, best, value, state, kicks):  # type: ignore[no-untyped-def]
    """Improve the tour `best` of a value by a number of double bridges, and exchanges after each; return its value."""
    n = len(best)
    order, place = best.copy(), np.empty(n, dtype=np.int32)
    queue, waiting = np.empty(n, dtype=np.int32), np.zeros(n, dtype=np.bool_)
    piece = np.empty(3 * SEGMENT + 3, dtype=np.int32)
    for k in range(n):
        place[order[k]] = k
    if kicks == 0:
        for k in range(n):
            queue[k] = order[k]
            waiting[order[k]] = True
        value -= _settle(table, near, order, place, queue, waiting, n)
        best[:] = order
        return value
    span = min(SEGMENT, (n - 2) // 3)
    for _ in range(kicks):
        # a [b .. c] [d .. e] f  ->  a [d .. e] [b .. c] f
        start = below(state, n)
        first, second = 1 + below(state, span), 1 + below(state, span)
        a, b = order[start], order[(start + 1) % n]
        c, d = order[(start + first) % n], order[(start + first + 1) % n]
        e, f = order[(start + first + second) % n], order[(start + first + second + 1) % n]
        change = table[a, d] + table[e, b] + table[c, f] - table[a, b] - table[c, d] - table[e, f]
        for k in range(second):
            piece[k] = order[(start + 1 + first + k) % n]
        for k in range(first):
            piece[second + k] = order[(start + 1 + k) % n]
        for k in range(first + second):
            at = (start + 1 + k) % n
            order[at] = piece[k]
            place[piece[k]] = at
        size = 0
        for u in (a, b, c, d, e, f):
            if not waiting[u]:
                waiting[u] = True
                queue[size] = u
                size += 1
        change -= _settle(table, near, order, place, queue, waiting, size)
        if change <= 0:
            value += change
            for k in range(n):
                best[k] = order[k]
        else:
            for k in range(n):
                order[k] = best[k]
                place[best[k]] = k
    return value


class Exchanges:
    """Exchanges on a problem whose objective is a sum over single edges.

    Parameters
    ----------
    problem
        One that `serves`.
    edges
        A solution to start from; by default a tour from vertex to near vertex, which may lack edges at first.
    seed
        Seed of the double bridges.
    """

    def __init__(self, problem: Problem, edges: IntArray | None = None, seed: int = 0) -> None:
        graph, weights = problem.graph, problem.weights
        assert weights is not None
        self.problem = problem
        size = graph.n + (not problem.closed)
        weight = np.zeros(graph.m, dtype=np.int64)
        np.add.at(weight, weights.first, weights.weight)
        heaviest = int(np.abs(weight).max(initial=0)) + 1
        none = min(size * heaviest, LARGEST // size)
        self.table: Ints = np.full((size, size), none, dtype=np.int64)
        self._edge = np.full((size, size), -1, dtype=np.int64)
        allowed = np.ones(graph.m, dtype=bool)
        allowed[list(problem.forbidden)] = False
        # Of parallel edges the lightest one, which comes last, is kept, and a required one before all others.
        weight[list(problem.required)] -= none
        order = np.argsort(-weight, kind="stable")
        order = order[allowed[order]]
        tails, heads = graph.tails[order], graph.heads[order]
        for u, v in ((tails, heads), (heads, tails)):
            self.table[u, v], self._edge[u, v] = weight[order], order
        if not problem.closed:
            ends = list(problem.terminals)
            self.table[-1, :-1] = self.table[:-1, -1] = 0 if problem.free_ends else none
            self.table[-1, ends] = self.table[ends, -1] = -none
        near = self.table.copy()
        np.fill_diagonal(near, np.iinfo(np.int64).max)
        self._near = np.argsort(near, axis=1, kind="stable")[:, : min(NEIGHBOURS, size - 1)].astype(np.int32)
        self._near = np.ascontiguousarray(self._near)
        self._state = random_state(np.random.default_rng(seed))
        self._order = self._nearest() if edges is None else self._order_of(edges)
        self._value = int(self.table[self._order, np.roll(self._order, -1)].sum())
        self._settled = False

    @staticmethod
    def serves(problem: Problem) -> bool:
        """Whether the exchanges apply to a problem."""
        return (
            MIN_VERTICES <= problem.graph.n <= MAX_VERTICES
            and problem.weighs_edges
            and problem.connectivity in ("cycle", "path")
            and not (problem.symmetry or problem.is_constrained or problem.numbers)
        )

    def _nearest(self) -> IntArray:
        """From vertex to the nearest that is left."""
        left = np.ones(len(self.table), dtype=bool)
        order, far = [0], np.iinfo(np.int64).max
        left[0] = False
        while len(order) < len(left):
            order.append(int(np.argmin(np.where(left, self.table[order[-1]], far))))
            left[order[-1]] = False
        return np.array(order, dtype=np.int32)

    def _order_of(self, edges: IntArray) -> IntArray:
        vertices = walks_of(self.problem.graph.n, self.problem.graph.ends[edges], np.asarray(edges, np.int64))[
            0
        ].vertices
        extra = [] if self.problem.closed else [self.problem.graph.n]
        return np.array([*vertices, *extra], dtype=np.int32)

    def improve(self, kicks: int | None, limits: Limits = NO_LIMITS) -> bool:
        """Try a number of double bridges, or as many as the limits allow; return whether the tour became better."""
        before = self._value
        if not self._settled:
            self._value = exchanged(self.table, self._near, self._order, self._value, self._state, 0)
            self._settled = True
        left = math.inf if kicks is None else kicks
        while left > 0 and not limits.over:
            count = int(min(left, KICKS_PER_CALL))
            self._value = exchanged(self.table, self._near, self._order, self._value, self._state, count)
            left -= count
        return self._value < before

    @property
    def edges(self) -> IntArray | None:
        """The edges of the tour; None if it lacks some, or breaks a condition of the problem."""
        chosen = self._edge[self._order, np.roll(self._order, -1)]
        if not self.problem.closed:  # The two edges to the extra vertex are none.
            beside = (self._order == self.problem.graph.n) | (np.roll(self._order, -1) == self.problem.graph.n)
            chosen = chosen[~beside]
        if (chosen < 0).any():
            return None
        edges = np.sort(chosen).astype(np.int32)
        try:
            verify_edges(self.problem, edges)
        except KTError:
            return None
        return edges

    def tour_like(self, tour: Tour) -> Tour:
        """The tour, from the same end as another one if possible; that other one if this lacks an edge."""
        graph, order = self.problem.graph, self._order
        if self.edges is None:
            return tour
        if self.problem.closed:
            edges = self._edge[order, np.roll(order, -1)]
            return Tour.along(graph, order, edges.astype(np.int32), True)
        order = np.roll(order, -int(np.argmax(order == graph.n)))[1:]
        if order[-1] == tour.order[0]:
            order = np.ascontiguousarray(order[::-1])
        return Tour.along(graph, order, self._edge[order[:-1], order[1:]].astype(np.int32), False)
