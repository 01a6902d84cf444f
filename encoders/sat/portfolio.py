"""Several SAT configurations side by side, each in a process of its own (`process`); the first conclusive answer wins.

Incumbents and bounds travel through the `Run`: what one finds, every other one, CP-SAT included, starts below.
"""

from __future__ import annotations

from encoders.sat.options import CUT_SET, Options
from encoders.sat.process import SatProcess
from encoders.work.run import Engine, Report, Run, race
from kt_models.problem import Problem

FINDERS = (
    Options(solver="cadical153"),
    Options(encoding="vertex-elimination", solver="cadical153"),  # settles the sparse graphs that cut-sets are slow on
    Options(solver="glucose4"),
    Options(solver="cadical195"),
    Options(solver="maplechrono"),
)
"""Who decides a problem, the best first; beyond them the same again with other seeds."""
MINIMISERS = (
    Options(solver="cadical153", mode="descent"),
    Options(solver="cadical153", mode="core"),
    Options(solver="glucose4", mode="descent"),
    Options(solver="glucose4", mode="core"),
    Options(solver="cadical195", mode="descent"),
)
"""Who minimises.  Descent settles the crossings of 6×8 in 10 s of processor time, the core-guided search not in 21 s
(bound 58 of 59); on turns they are equal, and only the second has a bound to show before it is done."""
SMALL = 2_000
"""Most edges of a graph for which a complete encoding takes part unasked."""
EDGES_IN_ALL = 600_000
"""Edges of all children's graphs together: above some 100,000 edges each, memory and not cores is what is short."""


def solve(problem: Problem, run: Run, encoding: str = "", solver: str = "") -> Report:
    """Solve a problem by SAT.

    Raises
    ------
    KTError
        If the encoding or the solver is unknown.
    TooLarge
        If the graph has too many edges.
    """
    return race(run, engines(problem, run.threads, encoding, solver))


def engines(problem: Problem, threads: int, encoding: str = "", solver: str = "") -> list[Engine]:
    """One engine a thread, of the encoding and the solver asked for."""
    options = [_with(given, encoding, solver) for given in (MINIMISERS if problem.objective is not None else FINDERS)]
    if not encoding and problem.graph.m > SMALL:
        options = [choice for choice in options if choice.encoding == CUT_SET]
    options = list(dict.fromkeys(options))
    count = max(1, min(threads, EDGES_IN_ALL // max(1, problem.graph.m)))
    return [SatProcess(problem, options[i % len(options)], seed=i // len(options)) for i in range(count)]


def _with(options: Options, encoding: str, solver: str) -> Options:
    return Options(encoding or options.encoding, solver or options.solver, options.merge, options.mode)
