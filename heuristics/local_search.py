"""`improve`: a better tour from a given one, by exchanges of edges and simulated annealing.

It is cheap and can be stopped at any time: no move exchanges more than five edges, and one costs a few dozen additions.
The exchanges are in `heuristics.local_search_loops`; this module converts the tour, the objective and the fixed edges
to arrays and back. Sums over single edges of dense graphs have exchanges of their own (`heuristics.lin_kernighan`).

On a large graph most of the cost of an exchange is the update of the ring. So parts of the graph are improved one after
the other, each for a moment, at places with costs; meanwhile the tour outside is a few fixed edges.

With several cores, each starts with its own seed, and after a while all continue from the best tour.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from heuristics.compiled_helpers import grouped, random_state
from heuristics.lin_kernighan import Exchanges
from heuristics.local_search_loops import (
    GraphArrays,
    Ring,
    WeightArrays,
    anneal,
    ball,
    contract,
    costly_place,
    expand,
    value_of,
)
from kt_models.board import BoolArray, IntArray
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits
from kt_models.machine import usable_cores
from kt_models.problem import Problem, solution_edges
from kt_models.tour import Tour, verify
from kt_models.weights import Weights

USUAL_SECONDS = 5.0
"""Length of the annealing if neither steps nor seconds limit it."""
MIN_DEGREE, STEPS_PER_KICK = 20, 100
"""Mean degree from which on sums over single edges are improved by `heuristics.lin_kernighan`, because a double bridge
of few edges is seldom there, and exchanges of the annealing that take as long as one with what follows it."""
SLICE_EXCHANGES = 20_000
"""Exchanges between two looks at the clock, about a hundredth of a second on boards of up to 1000 cells."""
PART_VERTICES, MIN_PARTED_VERTICES = 500, 1500
"""Vertices of a part, and the size of a graph from which on parts are improved one after the other."""
MELTING_SECONDS_PER_VERTEX = 0.005
"""Seconds per vertex after which an annealing that forgets the tour becomes better than a construction."""
SEPARATE_SHARE = 0.75
"""Share of the time in which the cores work separately, before all continue from the best tour."""
Phases = tuple[tuple[float, float, float], ...]
"""Share of the time, first and last temperature of each annealing, in units of the objective's mean weight."""
HOT: Phases = ((0.92, 0.8, 0.27), (0.08, 0.27, 0.1))
"""Phases that forget the tour: turns freeze below 0.7 on 24x24 (the mean falls by a quarter between 0.73 and 0.66). The
end is for boxes, where many crossings of moves cost little."""
PHASES: Phases = ((0.2, 0.33, 0.2), (0.72, 0.8, 0.27), (0.08, 0.27, 0.1))
"""Phases for a given tour: the first is cool and keeps what is good in it. The others are `HOT`."""
APART_FACTOR = 1.4
"""Factor of all temperatures if pairs need not share a vertex: crossings freeze below 1."""
LUKEWARM: Phases = ((1.0, 0.3, 0.2),)
"""Phases for good tours: on 12x12, from a construction with 82 turns, eight of 16 annealings of two million exchanges
reached the least number, 77, and one with `PHASES` did. On 16x16 they are worse."""


def improve(
    tour: Tour,
    problem: Problem,
    *,
    max_steps: int | None = None,
    phases: Phases = PHASES,
    limits: Limits = NO_LIMITS,
) -> Tour:
    """Improve a tour by exchanges; the answer is never worse.

    Parameters
    ----------
    tour
        A valid tour, closed or open, that solves the problem. An end that the problem does not name may move.
    problem
        A problem with the objective `turns`, `crossings` or weights on pairs of edges, to be minimised.
    max_steps
        Length of the annealing in exchanges; the answer is then the same for the same seed, unless the limits come
        first. Without it the annealing takes the time of the limits, or `USUAL_SECONDS` without a time limit.
    phases
        The cooling schedule.

    Raises
    ------
    KTError
        If the given tour does not solve the problem, or there is no objective.
    """
    solution_edges(problem, tour)
    weights = problem.weights
    if weights is None:
        raise KTError("the problem has no objective to minimise")
    if problem.graph.is_implicit:
        from heuristics.searches.or_opt import improved

        return improved(tour, problem, max_steps, limits.within(USUAL_SECONDS if limits.seconds is None else None))
    if Exchanges.serves(problem) and 2 * problem.graph.m >= MIN_DEGREE * problem.graph.n:
        exchanges = Exchanges(problem, tour.edges, limits.seed)
        kicks = None if max_steps is None else max_steps // STEPS_PER_KICK
        exchanges.improve(kicks, limits.within(USUAL_SECONDS if limits.seconds is None and kicks is None else None))
        return exchanges.tour_like(tour)
    # A tour of fewer than five vertices has no exchange.
    if problem.graph.n < 5:
        return tour
    start = _Arrays(tour, problem, weights)
    workers = 1 if max_steps is not None else limits.workers or usable_cores()
    if workers == 1:
        better = start.tour_of(*start.anneal(max_steps, phases, limits))
    else:
        # The cores anneal separately first, which gives different tours; then all continue from the best one.
        limits = limits.within(USUAL_SECONDS if limits.seconds is None else None)
        better = start.together(workers, phases, limits.part(SEPARATE_SHARE))
        better = _Arrays(better, problem, weights).together(workers, LUKEWARM, limits)
    verify(better)
    chosen = frozenset(better.edges.tolist())
    kept = problem.required <= chosen and not problem.forbidden & chosen
    return better if kept and weights.cost(better.edges) <= weights.cost(tour.edges) else tour


class _Arrays:
    """A tour and its weights as arrays for the annealing.

    One more vertex, n, closes an open tour; edges of weight 0 join it to the ends: edge m + v to vertex v.
    """

    def __init__(self, tour: Tour, problem: Problem, weights: Weights) -> None:
        self.tour = tour
        self.weights = weights
        graph, n, m = tour.graph, tour.graph.n, tour.graph.m
        ends = [int(tour.order[0]), int(tour.order[-1])]
        fixed = set(problem.terminals)
        self.order = tour.order.astype(np.int32)
        self.edges = tour.edges.astype(np.int32)
        allowed = np.setdiff1d(np.arange(m), list(problem.forbidden))
        pairs, names, total = graph.ends[allowed].astype(np.int64), allowed, m
        locked = list(problem.required)
        if not tour.closed:
            candidates = np.array(sorted(fixed | set(ends)) if len(fixed) == 2 else range(n))
            pairs = np.concatenate([pairs, np.stack([np.full(len(candidates), n), candidates], axis=1)])
            names = np.concatenate([allowed, m + candidates])
            total = m + n
            self.order = np.append(self.order, np.int32(n))
            self.edges = np.append(self.edges, np.array([m + ends[1], m + ends[0]], dtype=np.int32))
            locked += [m + v for v in fixed & set(ends)]
        csr = _csr(n + (not tour.closed), pairs, names)
        self.names = total  # Larger numbers are edges that stand for pieces of the tour.
        stays = np.zeros(total + len(self.order), dtype=np.bool_)
        stays[locked] = True
        stays[total:] = True
        self.around, self.costs, self.locked = GraphArrays(*csr), WeightArrays(*_by_edge(weights, total)), stays
        self.scale = 1.0 if problem.pairs_meet else APART_FACTOR

    def together(self, workers: int, phases: Phases, limits: Limits) -> Tour:
        """The best tour of several concurrent annealings with different seeds."""
        seeds = [replace(limits, seed=(limits.seed + k) % 2**31) for k in range(workers)]
        with ThreadPoolExecutor(workers) as threads:
            tours = [
                self.tour_of(*outcome) for outcome in threads.map(lambda seed: self.anneal(None, phases, seed), seeds)
            ]
        return min(tours, key=lambda tour: self.weights.cost(tour.edges))

    def anneal(
        self, max_steps: int | None, phases: Phases, limits: Limits, inside: BoolArray | None = None
    ) -> tuple[IntArray, IntArray]:
        """The best tour found, as `order` and `edges`; with `inside`, only moves there are exchanged."""
        state = random_state(np.random.default_rng(limits.seed))
        fixed = self.around, self.costs, self.locked
        order, edges = self.order.copy(), self.edges.copy()
        best = order.copy(), edges.copy()
        place = np.empty(len(order), dtype=np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        chosen = np.zeros(len(self.locked), dtype=np.bool_)
        chosen[edges] = True
        # The entries above `names` stand for contracted strands. They are always part of the tour.
        chosen[self.names :] = True
        value = value_of(self.costs, chosen[: self.names])
        record = np.array([value, value], dtype=np.int64)  # The present value, and the least so far.
        weight = self.weights.weight
        # Temperatures are in units of the mean weight, so that the same schedule suits all objectives.
        unit = self.scale * (float(np.abs(weight).mean()) if len(weight) else 1.0)
        patience = 0.0 if not len(weight) or weight.min() >= 0 else np.inf
        if inside is not None:
            part = _Part(len(order))
            part.inside[:] = inside
            ring, best_ring = part.lay_out(order, edges, place, self.names)
            for temperature, steps in cooling(unit, max_steps, limits, phases):
                anneal(*fixed, ring, chosen, best_ring, record, temperature, state, steps, patience)
            expand(order, edges, self.names, *best_ring, *best)
            return best
        # An exchange reverses part of the order, so its cost grows with the graph. On a large graph, a small part is
        # contracted out and annealed by itself.
        large = len(order) >= MIN_PARTED_VERTICES
        part = _Part(len(order) if large else 0)
        for temperature, steps in cooling(unit, max_steps, limits, phases):
            if not large:
                anneal(*fixed, Ring(order, edges, place), chosen, best, record, temperature, state, steps, patience)
                continue
            # Parts are centred where the tour is costly.
            centre = order[costly_place(self.costs, self.locked, chosen, edges, state)]
            part.enter(self.around.indptr, self.around.neighbours, centre)
            ring, best_ring = part.lay_out(order, edges, place, self.names)
            # The value of the part's tour is the value of the whole, so the records need no correction.
            values = np.array([record[0], record[0]], dtype=np.int64)
            anneal(*fixed, ring, chosen, best_ring, values, temperature, state, steps, patience)
            if values[1] < record[1]:
                record[1] = values[1]
                expand(order, edges, self.names, *best_ring, *best)
            record[0] = values[0]
            expand(order, edges, self.names, ring.order, ring.edges, *part.tour)
            # Swap the two pairs of arrays instead of a copy.
            (order, edges), part.tour = part.tour, (order, edges)
        return best

    def tour_of(self, order: IntArray, edges: IntArray) -> Tour:
        """The tour of an order with its edges; an open tour keeps its first end if possible."""
        tour, graph = self.tour, self.tour.graph
        if not tour.closed:
            cut = int(np.argmax(order == graph.n))
            order, edges = np.roll(order, -cut)[1:], np.roll(edges, -cut)[1:-1]
            if order[-1] == tour.order[0]:
                order, edges = order[::-1], edges[::-1]
        return Tour.along(graph, order, edges, tour.closed)


class _Part:
    """Arrays for a part of a tour of n vertices, as a ring, and for the resulting tour."""

    def __init__(self, n: int) -> None:
        self.inside = np.zeros(n, dtype=np.bool_)
        self.ring, self.best_ring, self.tour = ((np.empty(n, np.int32), np.empty(n, np.int32)) for _ in range(3))

    def enter(self, indptr: npt.NDArray[np.int64], neighbours: IntArray, centre: int) -> None:
        """Take the vertices around a centre."""
        self.inside[:] = False
        queue = np.empty(PART_VERTICES, dtype=np.int32)
        queue[0] = centre
        ball(indptr, neighbours, PART_VERTICES, self.inside, queue)

    def lay_out(
        self, order: IntArray, edges: IntArray, place: IntArray, names: int
    ) -> tuple[Ring, tuple[IntArray, IntArray]]:
        """The ring of the vertices, and a copy of its order and edges for the best."""
        size = contract(order, edges, self.inside, names, place, *self.ring)
        ring, best = Ring(self.ring[0][:size], self.ring[1][:size], place), tuple(a[:size] for a in self.best_ring)
        for source, target in zip(ring, best, strict=False):
            target[:] = source
        return ring, (best[0], best[1])


def phases_for(problem: Problem, limits: Limits) -> Phases:
    """The cooling schedule from a good tour: only cool phases if there is no time to melt a large one."""
    return LUKEWARM if limits.left < problem.graph.n * MELTING_SECONDS_PER_VERTEX else PHASES


def cooling(unit: float, max_steps: int | None, limits: Limits, phases: Phases = PHASES) -> Iterator[tuple[float, int]]:
    """The slices of an annealing, each with its temperature and its number of moves.

    Parameters
    ----------
    unit
        The temperature unit.
    max_steps
        Number of moves; None for as many as the limits allow, or for `USUAL_SECONDS`.
    """
    if max_steps is None:
        limits = limits.within(USUAL_SECONDS if limits.seconds is None else None)
    seconds, done, progress = limits.left, 0, 0.0
    while progress < 1 and not limits.over:
        steps = SLICE_EXCHANGES if max_steps is None else min(SLICE_EXCHANGES, max_steps - done)
        yield unit * _temperature(progress, phases), steps
        done += steps
        # By the clock the temperature follows the time, so that the last phase is reached however slow the machine is.
        progress = limits.elapsed / seconds if max_steps is None else done / max_steps


def _temperature(progress: float, phases: Phases) -> float:
    """The temperature after a share of the time, in [0, 1)."""
    for share, first, last in phases:
        if progress < share:
            # The temperature falls geometrically within a phase.
            return first * (last / first) ** (progress / share)
        progress -= share
    return phases[-1][2]


def _csr(
    n: int, pairs: npt.NDArray[np.int64], names: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], IntArray, IntArray]:
    """Neighbours of each vertex, and the name of the edge to each."""
    vertex = pairs.T.reshape(-1)
    indptr, place = grouped(vertex, np.arange(len(vertex)), n)
    opposite, name = pairs[:, ::-1].T.reshape(-1), np.concatenate([names, names])
    return indptr, opposite[place].astype(np.int32), name[place].astype(np.int32)


def _by_edge(
    weights: Weights, total: int
) -> tuple[npt.NDArray[np.int64], IntArray, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The pairs of each edge as neighbour lists with weights, and the weight each edge has alone."""
    alone = weights.first == weights.second
    single = np.zeros(total, dtype=np.int64)
    np.add.at(single, weights.first[alone], weights.weight[alone])
    first, second, weight = weights.first[~alone], weights.second[~alone], weights.weight[~alone]
    start, place = grouped(np.concatenate([first, second]), np.arange(2 * len(first)), total)
    return (
        start,
        np.concatenate([second, first])[place].astype(np.int32),
        np.concatenate([weight, weight])[place],
        single,
    )
