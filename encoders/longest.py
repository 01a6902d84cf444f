"""`longest`: the longest walk, by a tour of all cells, exchanges, CP-SAT, and a sweep that proves that none is longer.

A walk through all cells, except for surplus cells of one colour, needs no sweep: counting proves that none is longer.
Otherwise exchanges and CP-SAT look for long walks beside the sweep.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from ortools.sat.python import cp_model

from heuristics.find import find
from heuristics.walk_search import longer_walks
from kt_models.board import IntArray
from kt_models.errors import KTError, TooLarge
from kt_models.kernel.certificates.longest.answer import Longest
from kt_models.kernel.certificates.longest.sweep import longest as sweep
from kt_models.kernel.certificates.longest.task import LongestTask, most_moves
from kt_models.limits import LATE_PREFIX, NO_LIMITS, Limits, Stopped
from kt_models.pairs import pair_weights
from kt_models.problem import Problem
from kt_models.symmetry import Symmetry, point_symmetries

TOUR_SHARE = 0.3
"""Share of the time for a tour of all cells."""
SYMMETRIC_SECONDS = 20.0
"""Longest time for walks that a symmetry maps to themselves: the longest with a quarter turn of 9x9 takes 7 s."""
CPSAT_SECONDS = 60.0
"""Seconds for CP-SAT if the sweep has too little memory and there is no time limit."""
POLL_SECONDS, GRACE_SECONDS = 0.05, 1.0
"""Seconds between two looks at the searches, and seconds that they have to end."""
MAX_SECONDS = 1e6
"""Longest time limit of CP-SAT, which accepts no infinite one."""
MAX_SWEPT_CELLS = 36
"""Most cells of a graph whose sweep is over before the loops that exchange stretches are compiled."""
MAX_MOVES = 200_000
"""Most moves of a graph for CP-SAT; larger models take longer to build than they are worth."""


def longest(task: LongestTask, *, limits: Limits = NO_LIMITS) -> Longest:
    """The longest walk; or the longest that was found within the limits, and a bound.

    Raises
    ------
    TooLarge
        If the graph is too large for every method.
    Stopped
        If the limits are reached before there is a walk.
    """
    if task.core is not task:
        return replace(longest(task.core, limits=limits), task=task)
    limits = limits.within(None)
    most = most_moves(task)
    if not task.uncrossed and (walk := _tour(task, most, limits)) is not None:
        return walk
    search = _Walks(task, most)
    threads = [
        threading.Thread(target=work, args=(limits,), name=f"{LATE_PREFIX}walks", daemon=True)
        for work in (search.exchange, search.solve)
        if work == search.solve or task.graph.n > MAX_SWEPT_CELLS
    ]
    for thread in threads:
        thread.start()
    answer, fault = None, None
    try:
        answer = sweep(task, limits=limits.until(search.reached.is_set))
    except (Stopped, TooLarge) as error:
        fault = error
    if answer is None or answer.bound is None:
        rest = limits if limits.seconds is not None else limits.within(CPSAT_SECONDS)
        while _alive(threads) and not (rest.over or search.reached.is_set()):
            _alive(threads)[0].join(POLL_SECONDS)
    ended = time.monotonic()
    while _alive(threads) and time.monotonic() < ended + GRACE_SECONDS:
        search.stop()
        _alive(threads)[0].join(POLL_SECONDS)
    best_walk = search.best
    if best_walk is not None and (answer is None or len(best_walk) > answer.moves):
        states = 0 if answer is None else answer.states
        reason = "" if answer is None else answer.reason
        answer = Longest(task, len(best_walk), tuple(sorted(best_walk)), None, states, reason or str(fault or ""))
    if answer is None:
        assert fault is not None
        raise fault
    if answer.bound is None:
        answer = replace(answer, bound=most, reason="" if answer.moves == most else answer.reason)
    return answer


def _tour(task: LongestTask, most: int, limits: Limits) -> Longest | None:
    """A walk through all cells, if one is found soon."""
    graph = task.graph
    if most != graph.n - (not task.closed) or graph.n < 3:
        return None
    problem = Problem(graph, "cycle" if task.closed else "path")
    try:
        tour = find(problem, limits=limits.part(TOUR_SHARE), quick=True).tour
    except KTError:
        return None
    return None if tour is None else Longest(task, most, tuple(sorted(tour.edges.tolist())), most, 0)


def _alive(threads: list[threading.Thread]) -> list[threading.Thread]:
    return [thread for thread in threads if thread.is_alive()]


class _Walks:
    """Searches for ever longer walks, by exchanges and by CP-SAT.

    Parameters
    ----------
    task
        The board and the kind of walk.
    most
        An upper bound on the moves.
    """

    def __init__(self, task: LongestTask, most: int) -> None:
        self.task, self.most = task, most
        self.best: list[int] | None = None
        self.reached = threading.Event()
        """Set when the best walk has `most` moves."""
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._solver: cp_model.CpSolver | None = None

    def stop(self) -> None:
        """End the search soon."""
        self._stopped.set()
        if self._solver is not None:
            self._solver.stop_search()

    def exchange(self, limits: Limits) -> None:
        """Exchange stretches of walks until that has been in vain for long."""
        if self.task.graph.n < 2:
            return
        ended = limits.until(lambda: self._stopped.is_set() or self.reached.is_set())
        for walk in longer_walks(self.task, limits=ended):
            self._offer(walk.tolist())

    def solve(self, limits: Limits) -> None:
        """Solve the symmetric models for a while, then the whole one."""
        if self.task.graph.m > MAX_MOVES or self.task.graph.n < 2:
            return
        for symmetry in [*self._symmetries(), None]:
            if self._stopped.is_set() or self.reached.is_set() or limits.over:
                return
            part = limits if symmetry is None else limits.part(0.2).within(SYMMETRIC_SECONDS)
            self._solve(symmetry, part.left, limits.seed)

    def _symmetries(self) -> list[Symmetry]:
        """The symmetries for closed uncrossed walks."""
        board = self.task.graph.board
        if board is None or not (self.task.closed and self.task.uncrossed):
            return []
        able = {symmetry.name: symmetry for symmetry in point_symmetries(board)}
        return [able[name] for name in ("rot90", "rot180") if name in able]

    def _solve(self, symmetry: Symmetry | None, seconds: float, seed: int) -> None:
        model, edges = self._model(symmetry)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = seed
        solver.parameters.catch_sigint_signal = False  # Signals belong to the caller.
        solver.parameters.max_time_in_seconds = min(seconds, MAX_SECONDS)
        self._solver = solver
        if not self._stopped.is_set():
            solver.solve(model, _Listener(partial(self._hear, edges)))

    def _hear(self, edges: list[cp_model.IntVar], callback: cp_model.CpSolverSolutionCallback) -> None:
        self._offer([number for number, edge in enumerate(edges) if callback.boolean_value(edge)])

    def _offer(self, walk: list[int]) -> None:
        """Keep a walk that is longer than the best."""
        self.task.verify(np.array(walk))
        with self._lock:
            if self.best is None or len(walk) > len(self.best):
                self.best = walk
        if len(walk) >= self.most:
            self.reached.set()

    def _model(self, symmetry: Symmetry | None) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
        """A circuit that may leave vertices out; one more vertex closes an open walk."""
        graph, model = self.task.graph, cp_model.CpModel()
        edges = [model.new_bool_var("") for _ in range(graph.m)]
        arcs: list[tuple[int, int, cp_model.IntVar]] = []
        for edge, (u, v) in zip(edges, graph.ends.tolist(), strict=True):
            there, back = model.new_bool_var(""), model.new_bool_var("")
            arcs += [(u, v, there), (v, u, back)]
            model.add(there + back == edge)
        pairs = [(v, v) for v in range(graph.n)]
        if not self.task.closed:
            pairs += [pair for v in range(graph.n) for pair in ((graph.n, v), (v, graph.n))]
        model.add_circuit([*arcs, *((u, v, model.new_bool_var("")) for u, v in pairs)])
        if self.task.uncrossed:
            crossings = pair_weights(graph, "crossings")
            for first, second in zip(crossings.first.tolist(), crossings.second.tolist(), strict=True):
                model.add(edges[first] + edges[second] <= 1)
        if symmetry is not None:
            image: IntArray = graph.edge_permutation(symmetry)
            for number, mapped in enumerate(image.tolist()):
                if number != mapped:
                    model.add(edges[number] == edges[mapped])
        model.add(sum(edges) >= 1 + len(self.best or ()))
        model.add(sum(edges) <= self.most)
        model.maximize(sum(edges))
        return model, edges


class _Listener(cp_model.CpSolverSolutionCallback):
    """Passes solutions on."""

    def __init__(self, hear: Callable[[cp_model.CpSolverSolutionCallback], None]) -> None:
        super().__init__()
        self._hear = hear

    def on_solution_callback(self) -> None:
        self._hear(self)
