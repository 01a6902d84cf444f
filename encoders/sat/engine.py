"""The SAT engine: a problem decided, or minimised where something is to be least."""

from __future__ import annotations

from encoders.sat.optimise import minimise
from encoders.sat.options import SatOptions
from encoders.sat.search import search
from encoders.work.run import Run
from kt_models.limits import Report
from kt_models.problem import Problem


def solve(problem: Problem, run: Run, options: SatOptions) -> Report:
    """Solve a problem in this process.

    Raises
    ------
    Stopped
        If the run is over.
    """
    return search(problem, run, options) if problem.objective is None else minimise(problem, run, options)
