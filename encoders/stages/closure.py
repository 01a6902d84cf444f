"""A tour of a dense graph, from its closure (Bondy and Chvatal)."""

from __future__ import annotations

from functools import partial

import numpy as np

from encoders.stages import Solving, Stage
from encoders.work.run import in_time
from kt_models.problem import Problem
from kt_models.tour import Tour


def work(solving: Solving) -> None:
    """Make the tour; an open tour is a closed tour of the graph with one more vertex that is adjacent to all others."""
    from heuristics.closure import closure_cycle

    problem, run = solving.problem, solving.run
    graph, n = problem.graph, problem.graph.n
    ends = graph.ends.astype(np.int64)
    if not problem.closed:
        ends = np.concatenate([ends, np.stack([np.arange(n), np.full(n, n)], axis=1)])
    order = in_time(run, partial(closure_cycle, n + (not problem.closed), ends, run.limits))
    if order is None:
        return
    if not problem.closed:
        order = np.roll(order, -int(np.flatnonzero(order == n)[0]))[1:]
    solving.standing.accept_solution("closure", Tour(graph, order, problem.closed).edges)


def applies(problem: Problem) -> bool:
    """Whether a graph is so dense that its closure may be complete, and any cycle or path will do."""
    graph = problem.graph
    restricted = problem.required or problem.forbidden or problem.terminals or problem.symmetry or graph.fixed
    # Half as many edges as Dirac's condition needs; below that the closure is rarely complete.
    dense = 3 <= graph.n and 8 * graph.m >= graph.n**2
    return dense and problem.connectivity in ("cycle", "path") and problem.objective is None and not restricted


STAGE = Stage(
    "closure",
    "a tour of a dense graph, by its closure",
    frozenset({"tour"}),
    work,
    lambda solving: solving.request.plain and solving.request.searched and applies(solving.problem),
)
