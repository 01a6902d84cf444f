"""The SAT engine: a problem decided, or minimised where something is to be least."""

from __future__ import annotations

from encoders.run import Answer, Run
from encoders.sat.optimise import minimise
from encoders.sat.options import Options
from encoders.sat.search import search
from kt_models.problem import Problem


def answer(problem: Problem, run: Run, options: Options) -> Answer:
    """Solve a problem in this process.

    Raises
    ------
    Stopped
        If the run is over.
    """
    return search(problem, run, options) if problem.objective is None else minimise(problem, run, options)
