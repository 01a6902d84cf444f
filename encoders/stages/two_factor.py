"""A tour from a 2-factor of least value: the solution of the relaxation without cuts, where that is whole.

On grids it is nearly always whole, and takes hundredths of a second. Its cycles are merged into one, and exchanges
repair what the merges cost. On 1,028 vertices of a grid with holes annealing from other tours reaches 198 turns, and
152 from the 2-factor.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from encoders.stages import Solving, Stage
from encoders.stages.start import patience
from encoders.work.run import in_time
from kt_models.board import IntArray
from kt_models.limits import Limits
from kt_models.problem import Problem

NAME = "2-factor"
MAX_MEAN_DEGREE = 4
"""Of graphs with more edges the solution is seldom whole, and takes longer."""
MIN_VERTICES = 100
"""Least size: annealing finds the best tours of smaller graphs from any other."""
EXCHANGES_PER_CELL = 1_000
"""Exchanges per cell that repair the merges."""
COOL = ((1.0, 0.2, 0.1),)
"""Phase of the annealing: it keeps what is good, which is most of the tour."""


def work(solving: Solving) -> None:
    """Offer the merged tour, and the better one."""
    in_time(solving.run, partial(_offer, solving), patience(solving.problem, solving.run))
    solving.start_from_standing()


def _offer(solving: Solving) -> None:
    from heuristics.local_search import improve
    from kt_models.result import Result

    problem, run = solving.problem, solving.run
    edges = merged(problem, run.limits)
    if edges is None:
        return
    run.report(NAME, edges=edges, value=problem.cost(edges))
    tour = Result(problem, "feasible", edges=edges).tour
    assert tour is not None
    better = improve(
        tour, problem, max_steps=EXCHANGES_PER_CELL * problem.graph.n, phases=COOL, limits=run.limits.part(0.2)
    ).edges
    run.report(NAME, edges=better, value=problem.cost(better))


def merged(problem: Problem, limits: Limits) -> IntArray | None:
    """The edges of a closed tour, merged from the cycles of the least 2-factor; None if that is not whole, or the
    cycles do not merge."""
    from encoders.lp.minimum_cuts import TOLERANCE
    from encoders.lp.node import NodeProgram
    from heuristics.merging import merge_cycles
    from kt_models.kernel.certificates.nodes import Instance

    graph = problem.graph
    program = NodeProgram(Instance(problem))
    program.limits = limits
    if program.solve() is None:
        return None
    _, used, _ = program.shares()
    chosen = graph.ends[used > 0.5]
    whole = (np.abs(used - np.rint(used)) < TOLERANCE).all()
    if not whole or (np.bincount(chosen.reshape(-1), minlength=graph.n) != 2).any():
        return None
    halves, other = chosen.reshape(-1), chosen[:, ::-1].reshape(-1)
    links = np.ascontiguousarray(other[np.argsort(halves, kind="stable")].reshape(graph.n, 2).astype(np.int32))
    if merge_cycles(graph, links, np.random.default_rng(limits.seed), limits) > 1:
        return None
    low, high = graph.ends.min(axis=1).astype(np.int64), graph.ends.max(axis=1).astype(np.int64)
    vertex = np.repeat(np.arange(graph.n, dtype=np.int64), 2)
    kept = np.minimum(vertex, links.reshape(-1)) * graph.n + np.maximum(vertex, links.reshape(-1))
    edges = np.flatnonzero(np.isin(low * graph.n + high, kept)).astype(np.int32)
    return edges if len(edges) == graph.n else None  # Parallel edges are taken together.


def _applies(solving: Solving) -> bool:
    from encoders.lp import is_small

    problem, request = solving.problem, solving.request
    graph = problem.graph
    # Merges may give up any edge.
    plain = problem.closed and not (problem.required or problem.forbidden or problem.symmetry)
    wanted = request.plain and request.searched and solving.standing.edges is None
    sparse = 2 * graph.m <= MAX_MEAN_DEGREE * graph.n and graph.n >= MIN_VERTICES
    weighs = problem.objective is not None and not problem.weighs_edges and problem.pairs_meet
    return wanted and plain and sparse and weighs and is_small(problem)


STAGE = Stage(NAME, "a tour from a 2-factor of least value", frozenset({"tour"}), work, _applies)
