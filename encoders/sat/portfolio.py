"""Several SAT configurations side by side, each in its own process (`process`); the first conclusive answer wins.

Incumbents and bounds travel through the `Run`: every other engine, CP-SAT included, searches below the best value.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from encoders.sat.elimination import is_eliminated_within
from encoders.sat.options import CUT_SET, SatOptions
from encoders.sat.process import SatProcess
from encoders.work.run import Engine
from kt_models.problem import Problem
from kt_models.weights import Weights

FINDERS = (
    SatOptions(solver="cadical153"),
    SatOptions(
        encoding="vertex-elimination", solver="cadical153"
    ),  # This one settles the sparse graphs on which cut-sets are slow.
    SatOptions(solver="glucose4"),
    SatOptions(solver="cadical195"),
    SatOptions(solver="maplechrono"),
)
"""Configurations that decide a problem, the best first; further ones are the same with other seeds."""
MINIMISERS = (
    SatOptions(solver="cadical153", mode="descent"),
    SatOptions(solver="cadical153", mode="core"),
    SatOptions(solver="glucose4", mode="descent"),
    SatOptions(solver="glucose4", mode="core"),
    SatOptions(solver="cadical195", mode="descent"),
)
"""Configurations that minimise. Descent settles the crossings of 6×8 in 10 s of processor time, the core-guided search
not in 21 s (bound 58 of 59). On turns they are equal, and only the second has a bound before its end."""
MAX_SMALL_CLAUSES = 1_000_000
"""Most clauses of a complete encoding that takes part unnamed: it is for sparse, narrow graphs, on which cut-sets are
slow. On the generalized Petersen graph GP(501,2) it takes 0.7 s, cut-sets not 12."""
MAX_EDGES = 30_000
"""Most edges of a graph for which the clauses of a complete encoding are counted; counting takes time too."""
MAX_TOTAL_WEIGHT = 10_000_000
"""Greatest sum of all weights for descent, whose totalizer may have a variable for every sum of weights."""
MAX_TOTAL_EDGES = 600_000
"""Most edges of all children's graphs together: above some 100,000 edges each, memory and not cores is the limit."""


def engines(problem: Problem, threads: int, encoding: str = "", solver: str = "") -> list[Engine]:
    """One engine for each thread, with the named encoding and solver."""
    named: Any = {name: value for name, value in (("encoding", encoding), ("solver", solver)) if value}
    options = [replace(choice, **named) for choice in (MINIMISERS if problem.objective is not None else FINDERS)]
    if isinstance(problem.objective, Weights) and problem.objective.magnitude > MAX_TOTAL_WEIGHT:
        options = [choice for choice in options if choice.mode == "core"]
    graph = problem.graph
    complete = threads > 1 and graph.m <= MAX_EDGES and is_eliminated_within(graph, MAX_SMALL_CLAUSES)
    if not encoding and (not complete or problem.optional):  # Vertices that are left out have one complete encoding.
        options = [choice for choice in options if choice.encoding == CUT_SET]
    options = list(dict.fromkeys(options))
    count = max(1, min(threads, MAX_TOTAL_EDGES // max(1, graph.m)))
    return [SatProcess(problem, options[i % len(options)], seed=i // len(options)) for i in range(count)]
