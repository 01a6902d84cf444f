"""The local search as an engine: it anneals again and again, for as long as others work on a proof."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

from encoders.work.run import Run
from heuristics.local_search import improve
from kt_models.limits import Report, Stopped
from kt_models.problem import Problem
from kt_models.result import Result

FIRST_STEPS = 1_000_000
"""Exchanges of the first annealing, half a second on 12x12."""
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
            turn += 1
            tour = Result(self._problem, "feasible", edges=run.edges).tour
            if tour is None:  # several paths: no tour
                break
            seed = (limits.seed + turn) % 2**31
            try:
                steps = FIRST_STEPS * min(_luby(turn), LONGEST)
                better = improve(tour, self._problem, max_steps=steps, limits=replace(limits, seed=seed))
            except Stopped:
                break
            run.report(self.name, edges=better.edges, value=self._problem.value(better.edges))
        return Report(self.name)


def _luby(turn: int) -> int:
    """The sequence 1, 1, 2, 1, 1, 2, 4, 1, ..."""
    while (turn + 1) & turn:
        turn -= (1 << (turn.bit_length() - 1)) - 1
    return (turn + 1) // 2
