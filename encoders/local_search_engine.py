"""The engine that runs local search: it anneals again and again while other engines work on a proof."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import Protocol

from encoders.standing import NARROW_GAP
from encoders.work.run import Run
from heuristics.local_search import LUKEWARM, PHASES, Phases, improve
from heuristics.orbit_search import improve_orbits
from kt_models.board import IntArray
from kt_models.kernel.certificates.rounding import value_step
from kt_models.limits import Limits, Report, Stopped
from kt_models.problem import Problem
from kt_models.result import Result

STEPS_PER_CELL = 10_000
"""Exchanges per cell of the shortest annealing: half a second on 12x12."""
PAUSE_FACTOR = 2.0
"""Length of the pause after a search in vain, as a multiple of the search's time."""
MAX_STEPS_FACTOR = 64
"""Length of the longest annealing, as a multiple of `STEPS_PER_CELL`; it bounds how long a poor start is worked on."""
ROUNDS_ALONE = 15
"""Annealings after which the engine ends once no other engine is left that would ever end."""
NODES_PER_TURN = 32
"""Nodes that a tree grows by for `STEPS_PER_CELL` exchanges on one thread: about four times as long as these."""


class LocalSearchEngine:
    """Annealing from the known tours, with another seed each time; it never ends by itself (see `Run.alone`).

    If value and bound are close, it rests after a search in vain: a better tour is unlikely, and the proof needs the
    cores.

    Parameters
    ----------
    spent
        Seconds that the search for the first tour took; it rests after that search as well.
    """

    name = "annealing"
    endless = True

    def __init__(self, problem: Problem, spent: float = 0.0) -> None:
        self._problem, self._spent = problem, spent
        self._stop = threading.Event()
        self._rounds = 0

    def interrupt(self) -> None:
        """End the search soon."""
        self._stop.set()

    def work(self, run: Run) -> Report:
        """Anneal again and again, and rest after searches in vain."""
        limits = run.limits.until(lambda: self._stop.is_set() or run.decided)
        if self._close(run):
            self._rest(limits, self._spent)
        while not (limits.over or (run.alone.is_set() and (run.edges is None or self._rounds >= ROUNDS_ALONE))):
            if run.edges is None:
                time.sleep(0.05)
                continue
            value, begun = run.value, time.monotonic()
            try:
                self.anneal_once(run, limits)
            except Stopped:
                break
            if run.value == value and self._close(run):
                self._rest(limits, time.monotonic() - begun)
        return Report(self.name)

    def _close(self, run: Run) -> bool:
        """Whether value and bound are so close that the proof aims at the best value."""
        if run.value is None or run.bound is None:
            return False
        return run.value - run.bound <= NARROW_GAP * value_step(self._problem)

    def _rest(self, limits: Limits, spent: float) -> None:
        resting = limits.within(PAUSE_FACTOR * spent)
        while not (resting.over or self._stop.wait(0.05)):
            pass

    def anneal_once(self, run: Run, limits: Limits) -> int:
        """Anneal once, for 1, 1, 2, 1, 1, 2, 4, ... times `STEPS_PER_CELL` (Luby, Sinclair and Zuckerman 1993); return
        the factor.

        The first solution is changed a little and the best solution a lot, in alternation: which of the two leads
        further depends on the board.
        """
        assert run.edges is not None and run.first is not None
        self._rounds += 1
        times = min(_luby(self._rounds), MAX_STEPS_FACTOR)
        limits = replace(limits, seed=(limits.seed + self._rounds) % 2**31)
        start, phases = (run.first, LUKEWARM) if self._rounds % 2 else (run.edges, PHASES)
        better = exchanged(self._problem, start, times * STEPS_PER_CELL * self._problem.graph.n, limits, phases)
        run.report(self.name, edges=better, value=self._problem.cost(better))
        run.count(self.name, {"searches": 1})
        return times


class Prover(Protocol):
    """An engine that can work for a number of nodes and then go on; `grow` is False if it is of no use."""

    name: str

    def grow(self, run: Run, limits: Limits, nodes: int) -> bool: ...

    def interrupt(self) -> None: ...


class Alternation:
    """A proof and the annealing in alternation on one thread: the same seed gives the same answer."""

    def __init__(self, prover: Prover, annealing: LocalSearchEngine) -> None:
        self.name = prover.name
        self._prover, self._annealing = prover, annealing

    def interrupt(self) -> None:
        """End the work soon."""
        self._prover.interrupt()
        self._annealing.interrupt()

    def work(self, run: Run) -> Report:
        """Anneal, then grow the tree for longer."""
        limits = run.limits.until(lambda: run.decided)
        while not limits.over:
            times = self._annealing.anneal_once(run, limits)
            if not self._prover.grow(run, limits, NODES_PER_TURN * times):
                break
        return Report(self.name)


def exchanged(problem: Problem, edges: IntArray, steps: int, limits: Limits, phases: Phases = PHASES) -> IntArray:
    """Improve a solution by a number of exchanges, of whole orbits if it must stay symmetric."""
    if problem.symmetry or problem.connectivity not in ("cycle", "path"):
        return improve_orbits(problem, edges, max_steps=steps, limits=limits)
    tour = Result(problem, "feasible", edges=edges).tour
    assert tour is not None
    return improve(tour, problem, max_steps=steps, phases=phases, limits=limits).edges


def _luby(turn: int) -> int:
    """The sequence 1, 1, 2, 1, 1, 2, 4, 1, ..."""
    while (turn + 1) & turn:
        turn -= (1 << (turn.bit_length() - 1)) - 1
    return (turn + 1) // 2
