"""The engine that sweeps: on small and narrow boards it proves the least value once there is a tour.

It applies to objectives with pairs of moves that do not meet, such as crossings and sums with crossings, for which
relaxations are weak.
"""

from __future__ import annotations

import threading
from typing import Any

from encoders.bounds.certify import rewritten
from encoders.bounds.methods import method_named
from encoders.bounds.methods.quotient import MAX_ORBITS
from encoders.work.run import Engine, Run
from kt_models.errors import KTError, TooLarge
from kt_models.kernel.certificates import Checked
from kt_models.kernel.certificates.quotient import quotient_of
from kt_models.kernel.certificates.rewritten import without_gains_apart
from kt_models.limits import Report
from kt_models.problem import Problem

MAX_QUICK_CELLS = 48
"""Most cells of a board of any shape that is swept in about the time that the tour takes."""
MAX_QUICK_SIDE, MAX_QUICK_NARROW_CELLS = 6, 120
"""Most cells of a narrow board that is swept as quickly, and its greatest shorter side: up to 6x20."""
MAX_SIDE, MAX_NARROW_CELLS = 8, 96
"""Greatest shorter side and most cells of a board that is swept in some minutes: up to 8x12."""
MAX_QUICK_GAIN_CELLS = 36
"""As `MAX_QUICK_CELLS` if pairs that do not meet have negative weights: 6x6 takes three seconds, 6x7 over thirty."""
MAX_QUICK_ORBITS = 20
"""Most orbits of cells under a symmetry that are swept in seconds; 10x10 under quarter turns has 25, and takes nine."""


class SweepingEngine:
    """A single sweep for tours that are better than the best one at its start.

    Parameters
    ----------
    quick
        Whether the sweep takes only seconds.
    beside
        Engines that look for better tours and bounds meanwhile, and end with the sweep.
    """

    def __init__(self, problem: Problem, method: str, quick: bool) -> None:
        self.name = method
        self.quick = quick
        self.beside: list[Engine] = []
        self._problem = problem
        self._stop = threading.Event()

    @classmethod
    def of(cls, problem: Problem) -> SweepingEngine | None:
        """The engine for a problem, if it applies."""
        board, n = problem.graph.board, problem.graph.n
        if problem.objective is None or n < 3 or problem.pairs_meet:
            return None
        if not problem.counts_apart:  # For any other sum, solvers do better unless the sweep is quick.
            most = MAX_QUICK_GAIN_CELLS if problem.gains_apart else MAX_QUICK_CELLS
            serves = n <= most and not (problem.gains_apart and without_gains_apart(problem) is None)
            return cls(problem, "frontier", True) if serves and not problem.symmetry else None
        if problem.symmetry:
            quotient = quotient_of(problem)
            n = MAX_ORBITS + 1 if quotient is None else quotient.graph.n
            return cls(problem, "quotient", n <= MAX_QUICK_ORBITS) if n <= MAX_ORBITS else None
        side = min(board.shape) if board is not None and board.is_box and board.dimension == 2 else n
        quick = n <= (MAX_QUICK_NARROW_CELLS if side <= MAX_QUICK_SIDE else MAX_QUICK_CELLS)
        return cls(problem, "frontier", quick) if quick or (side <= MAX_SIDE and n <= MAX_NARROW_CELLS) else None

    def cost(self, workers: int) -> float | None:
        """Reference seconds that it is expected to take (`kt_models.speed`); None if nothing is known."""
        return method_named(self.name).cost(self._problem, workers)

    def interrupt(self) -> None:
        """End the sweep soon."""
        self._stop.set()

    def work(self, run: Run) -> Report:
        """Sweep; a sweep that takes too much memory or time proves nothing."""
        limits, row = run.limits.until(self._stop.is_set), method_named(self.name)
        states = [0]
        problem = without_gains_apart(self._problem) or self._problem
        try:
            data: Any = row.make(problem, run.value, limits=limits)
            certificate = Checked.of_bound(row.kind, problem, data, limits, lambda now: states.append(now.states))
            if problem is not self._problem:
                certificate = rewritten(self._problem, certificate)
        except TooLarge as error:
            limits.leave(str(error))
        except KTError:
            pass
        else:
            run.report(self.name, bound=certificate.cost_bound, certificate=certificate)
        run.count(self.name, {"sweeps": len(states) - 1, "states": max(states)})
        for engine in self.beside:
            engine.interrupt()
        return Report(self.name)
