"""The local search as an engine: it anneals again and again, for as long as others work on a proof."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

from encoders.work.run import Run
from heuristics.local_search import improve
from heuristics.orbit_search import improve_orbits
from kt_models.board import IntArray
from kt_models.limits import Limits, Report, Stopped
from kt_models.problem import Problem
from kt_models.result import Result

FIRST_STEPS = 1_000_000
"""Exchanges of the first annealing, half a second on 12x12."""
REST = 2.0
"""Times what an annealing took that came to nothing: the pause after it."""
LONGEST = 64
"""Times `FIRST_STEPS`: the longest."""


class Annealing:
    """Starts from the best tour so far, with another seed each time; never done by itself."""

    name = "annealing"

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._stop = threading.Event()

    def interrupt(self) -> None:
        """End the search soon."""
        self._stop.set()

    def work(self, run: Run) -> Report:
        """Anneal for 1, 1, 2, 1, 1, 2, 4, ... times `FIRST_STEPS`, as Luby, Sinclair and Zuckerman (1993) say."""
        limits, turn = run.limits.until(lambda: self._stop.is_set() or run.settled), 0
        while not limits.over:
            if run.edges is None:
                time.sleep(0.05)
                continue
            turn, value, begun = turn + 1, run.value, time.monotonic()
            seed = (limits.seed + turn) % 2**31
            try:
                steps = FIRST_STEPS * min(_luby(turn), LONGEST)
                better = exchanged(self._problem, run.edges, steps, replace(limits, seed=seed))
            except Stopped:
                break
            run.report(self.name, edges=better, value=self._problem.value(better))
            if run.value == value:  # most likely there is none: leave the cores to the proof, for the most part
                resting = run.limits.within(REST * (time.monotonic() - begun))
                while not (resting.over or self._stop.wait(0.05) or run.settled):
                    pass
        return Report(self.name)


def exchanged(problem: Problem, edges: IntArray, steps: int, limits: Limits) -> IntArray:
    """A solution that is no worse, by so many exchanges: of whole orbits where it has to stay symmetric."""
    if problem.symmetry or problem.connectivity not in ("cycle", "path"):
        return improve_orbits(problem, edges, max_steps=steps, limits=limits)
    tour = Result(problem, "feasible", edges=edges).tour
    assert tour is not None
    return improve(tour, problem, max_steps=steps, limits=limits).edges


def _luby(turn: int) -> int:
    """The sequence 1, 1, 2, 1, 1, 2, 4, 1, ..."""
    while (turn + 1) & turn:
        turn -= (1 << (turn.bit_length() - 1)) - 1
    return (turn + 1) // 2
