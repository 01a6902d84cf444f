"""Short tours of many points: exchanges of two edges and moves of short pieces (Or 1976), with kicks.

All pairs of points are edges, and none of them is listed: each point has a few near ones. A first tour takes the
shortest edges that leave paths. It is improved until no exchange of two edges, and no move of up to three vertices,
makes it shorter. Then two short pieces of it are exchanged at random, and it is improved around them; the longer of
both tours is given up (Martin, Otto and Felten 1991). Points that coincide are one point until the end.

Distances are floats here. The length of the tour that comes out is measured exactly, as all are.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
import numpy.typing as npt

from heuristics.compiled_helpers import random_state
from heuristics.method import Method
from heuristics.searches.or_opt.loops import EUCLIDEAN, GREATEST, MANHATTAN, QueuedRing, Space, kick, length_of, settle
from kt_models.board import IntArray
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits
from kt_models.positions import Positions
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.tour import Tour

NEAR = 8
"""Near points of each point."""
MAX_LISTED = 7
"""Most points all of whose tours are tried."""
POPS_PER_CALL, KICKS_PER_CALL = 20_000, 500
"""Vertices and kicks between two looks at the limits, some hundredths of a second."""
KICKS_PER_POINT, MAX_KICKS = 20, 100_000
"""Kicks if there is no time limit."""
QUICK_KICKS = 2_000
"""Kicks before a solver begins."""
UNDO = 10_000
"""Most reversals that a kick causes if it can be taken back."""
FAR = 1e4
"""How much nearer the extra vertex of an open tour is to a given end than to others. Distances are about 1."""
NORMS = {"length": EUCLIDEAN, "length:manhattan": MANHATTAN, "length:max": GREATEST}
"""Norms by the metrics that are them."""
POWERS = {EUCLIDEAN: 2.0, MANHATTAN: 1.0, GREATEST: np.inf}


def or_opt(problem: Problem, *, limits: Limits = NO_LIMITS, kicks: int = 0) -> Result:
    """Find a short tour of points all of whose pairs are edges.

    Parameters
    ----------
    kicks
        Most kicks; 0 for as many as the time allows, or without a time limit for some seconds.
    """
    if kicks < 0:
        raise KTError(f"kicks must be at least 0, got {kicks}")
    graph, positions = problem.graph, problem.graph.positions
    norm = _norm(problem)
    if positions is None or norm is None:
        raise KTError("method or-opt: it takes points all of whose pairs are edges, and a length, without conditions")
    if not kicks:
        kicks = min(KICKS_PER_POINT * graph.n, MAX_KICKS) if limits.seconds is None else -1
    search = _Search(problem, positions, norm, np.random.default_rng(limits.seed))
    tour = search.run(limits, kicks)
    return Result(problem, "feasible", tour, statistics={"kicks": search.kicks})


def improved(tour: Tour, problem: Problem, kicks: int | None, limits: Limits) -> Tour:
    """A tour of points that is at most as long as a given one, after some kicks or as many as the limits allow."""
    positions, norm = problem.graph.positions, _norm(problem)
    if positions is None or norm is None or problem.objective_name not in NORMS:
        return tour
    search = _Search(problem, positions, norm, np.random.default_rng(limits.seed))
    better = search.run(limits, -1 if kicks is None else kicks, tour)
    shorter = (problem.cost(better.edges) or 0) < (problem.cost(tour.edges) or 0)
    return better if shorter else tour


def in_strips(problem: Problem) -> Result:
    """A tour up and down strips of the plane, at once; it is a third longer than the shortest."""
    positions = problem.graph.positions
    if positions is None or not problem.graph.is_implicit:
        raise KTError(f"{problem.graph.name}: it is no graph of many points, all pairs of which are edges")
    search = _Search(problem, positions, EUCLIDEAN, np.random.default_rng(0))
    return Result(problem, "feasible", search.in_strips())


def _norm(problem: Problem) -> int | None:
    """The norm by which tours are short; None if the method does not apply."""
    graph = problem.graph
    if graph.directed is not None or graph.positions is None or 2 * graph.m != graph.n * (graph.n - 1):
        return None
    if problem.required or problem.forbidden or problem.numbers is not None or problem.is_constrained:
        return None
    metric = problem.objective_name
    if metric in NORMS and problem.expression is not None and problem.expression.metric == metric:
        return NORMS[metric]
    # No other method makes a tour of so many points.
    return EUCLIDEAN if graph.is_implicit else None


def _distinct(
    positions: Positions, terminals: tuple[int, ...]
) -> tuple[npt.NDArray[np.float64], list[IntArray], list[int]]:
    """Distinct points with the extent 1, the vertices at each of them, and the numbers of those that are given ends."""
    points = positions.centred
    end = np.zeros(len(points))
    end[list(terminals)] = 1 + np.arange(len(terminals))
    places, group = np.unique(np.column_stack([points, end]), axis=0, return_inverse=True)
    by_place = np.argsort(group.reshape(-1), kind="stable").astype(np.int32)
    sizes = np.bincount(group.reshape(-1), minlength=len(places))
    members = np.split(by_place, np.cumsum(sizes)[:-1])
    return np.ascontiguousarray(places[:, :-1]), members, [int(group.reshape(-1)[vertex]) for vertex in terminals]


class _Search:
    """A tour of distinct points while it is improved."""

    def __init__(self, problem: Problem, positions: Positions, norm: int, rng: np.random.Generator) -> None:
        self.problem, self.closed, self.norm = problem, problem.closed, norm
        # A given end stays a point of its own.
        self.points, self.members, self.ends = _distinct(positions, problem.terminals)
        self.state = random_state(rng)
        self.kicks = 0

    def run(self, limits: Limits, kicks: int, start: Tour | None = None) -> Tour:
        """A short tour after some kicks; -1 for as many as the limits allow. It begins with a given one, if any."""
        size = len(self.points) + (not self.closed)
        if size <= MAX_LISTED:
            return self._tour_of(self._best_of_all(size))
        return self._tour_of(self._without_extra(self._improved(limits, kicks, start)))

    def in_strips(self) -> Tour:
        """The tour of strips, up and down in turn."""
        points = self.points
        count = max(1, int(np.sqrt(len(points) / 2)))
        gaps = points.max(axis=0) - points.min(axis=0)
        strip = ((points[:, 0] - points[:, 0].min()) / (gaps[0] or 1.0) * count).astype(np.int64)
        order = np.lexsort((np.where(strip % 2, -points[:, 1], points[:, 1]), strip)).astype(np.int32)
        return self._tour_of(order if self.closed else self._without_extra(self._with_extra(order)))

    def _tour_of(self, places: IntArray) -> Tour:
        """The tour of all vertices that visits the points in an order."""
        order = np.concatenate([self.members[place] for place in places.tolist()])
        terminals = self.problem.terminals
        if terminals and terminals[0] == order[-1]:
            order = order[::-1]
        return Tour(self.problem.graph, order, self.closed)

    def _improved(self, limits: Limits, kicks: int, start: Tour | None) -> IntArray:
        """The order of a short tour, with the extra vertex of an open one."""
        order, near = self._first(None if start is None else self._places_of(start))
        # Neighbours in the tour are neighbours in memory: the loops then take half the time.
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        inside = order[order < len(near)]
        space = self._space(order)
        ring = self._ring(len(order))
        listed = np.zeros((len(order), near.shape[1]), dtype=np.int32)
        listed[rank[inside]] = rank[near[inside]]
        while ring.counts[1] and not limits.over:
            settle(space, ring, listed, POPS_PER_CALL)
        while self.kicks != kicks and not limits.over and not ring.counts[1]:
            count = KICKS_PER_CALL if kicks < 0 else min(KICKS_PER_CALL, kicks - self.kicks)
            kick(space, ring, listed, self.state, count)
            self.kicks += count
        return order[ring.order]

    def _places_of(self, tour: Tour) -> IntArray:
        """The points in the order in which a tour first visits them."""
        place = np.empty(len(tour), dtype=np.int32)
        place[np.concatenate(self.members)] = np.repeat(
            np.arange(len(self.members), dtype=np.int32), [len(group) for group in self.members]
        )
        visited = place[tour.order]
        return visited[np.sort(np.unique(visited, return_index=True)[1])]

    def _first(self, order: IntArray | None) -> tuple[IntArray, IntArray]:
        """The order of a first tour, by default a greedy one, and near points of each point, nearest first."""
        from scipy.spatial import cKDTree

        from heuristics.searches.or_opt.greedy import greedy_tour

        points, power = self.points, POWERS[self.norm]
        count = min(NEAR + 1, len(points))
        distances, near = cKDTree(points).query(points, k=count, p=power)
        # A given end may have the place of another point, which then comes before it.
        own_first = np.argsort(near != np.arange(len(points))[:, None], axis=1, kind="stable")
        near, distances = (np.take_along_axis(table, own_first, axis=1) for table in (near, distances))
        apart = np.ascontiguousarray(near[:, 1:].astype(np.int32))

        def nearest(some: IntArray, count: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
            gaps, places = cKDTree(points[some]).query(points[some], k=count, p=power)
            return gaps.reshape(len(some), -1), places.reshape(len(some), -1)

        if order is None:
            order = greedy_tour(apart, distances[:, 1:], nearest)
        return (order if self.closed else self._with_extra(order)), apart

    def _with_extra(self, order: IntArray) -> IntArray:
        """The order of an open tour, closed by one more vertex, between given ends or where the longest gap is."""
        if self.ends:
            kept = order[~np.isin(order, self.ends)]
            return np.array([len(order), self.ends[0], *kept, *self.ends[1:]], dtype=np.int32)
        gaps = np.abs(self.points[order] - self.points[np.roll(order, 1)]).max(axis=1)
        return np.concatenate([[len(order)], np.roll(order, -int(np.argmax(gaps)))]).astype(np.int32)

    def _without_extra(self, order: IntArray) -> IntArray:
        if self.closed:
            return order
        extra = len(self.points)
        return np.roll(order, -int(np.argmax(order == extra)))[1:]

    def _space(self, order: IntArray) -> Space:
        """The points in an order, with distances of about 1."""
        extra = len(self.points)
        points = np.concatenate([self.points, self.points[:1]])[order] * np.sqrt(len(order))
        cost = np.zeros(extra + 1)
        cost[self.ends] = -FAR
        numbers = np.array([self.norm, -1 if self.closed else int(np.argmax(order == extra))])
        return Space(np.ascontiguousarray(points), cost[order], numbers)

    @staticmethod
    def _ring(size: int) -> QueuedRing:
        """The tour 0, 1, ..., all of whose vertices wait."""
        order, place, queue = (np.arange(size, dtype=np.int32) for _ in range(3))
        waits, undo = np.ones(size, dtype=np.bool_), np.zeros((UNDO, 2), dtype=np.int32)
        return QueuedRing(order, place, queue, waits, undo, np.array([0, size, 0]))

    def _best_of_all(self, size: int) -> IntArray:
        """The shortest of all tours of a few points."""
        space = self._space(np.arange(size, dtype=np.int32))
        orders = (np.array((0, *rest), dtype=np.int32) for rest in permutations(range(1, size)))
        return self._without_extra(min(orders, key=lambda order: length_of(space, order)))


METHOD = Method(
    or_opt,
    "Short tours of points: exchanges of two edges and moves of short pieces, with kicks.",
    near_optimal=True,
    improves=True,
    quick={"kicks": QUICK_KICKS},
)
