"""A tour from the cycles of a random 2-factor, which are merged; fast.

The problem is made plain (`reduction`), a random 2-factor is taken (`two_factor`), its cycles are merged (`merging`),
and the rest is joined by rotations (`rotation`); then again with another 2-factor, or from single vertices. A box of
over a million cells is cut into slabs, which are searched one after the other (`heuristics.slabs`).
"""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from heuristics.merging import merge_cycles
from heuristics.method import Method
from heuristics.rotation import Search, single_vertices
from heuristics.simple_graph import SimpleGraph, simple_graph_or_result
from heuristics.slabs import tour_of_slabs
from heuristics.two_factor import random_cover
from kt_models.board import IntArray
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.recording import Recording
from kt_models.result import Result
from kt_models.tour import Tour

MAX_ROUNDS = 60
"""New starts until the search gives up."""
MAX_QUICK_ROUNDS = 4
"""New starts of a quick search: a tenth of a second for a thousand vertices."""
SLICE_EXCHANGES = 100_000
"""Elementary steps between two looks at the clock: a few thousandths of a second, and some tenths in plain Python."""


def merge(problem: Problem, *, limits: Limits = NO_LIMITS, watch: Recording | None = None) -> Result:
    """Find a tour with the required moves, without the forbidden ones, and with the given ends.

    The search may give up before its limits, after a fixed number of new starts. The result is infeasible if there is
    not even a 2-factor.

    Raises
    ------
    KTError
        If the problem asks for neither a cycle nor a path.
    """
    if watch is None and (order := tour_of_slabs(problem, partial(slab_cycle, limits))) is not None:
        return Result(problem, "feasible", Tour(problem.graph, order, True))
    instance = simple_graph_or_result(problem)
    if isinstance(instance, Result):
        return instance
    cycle = _cycle(instance, limits, watch=watch)
    if isinstance(cycle, str):
        return Result(problem, cycle)
    tour = instance.lift(cycle)
    del instance, cycle  # On a large board they take more room than the rest of the work.
    return Result(problem, "feasible", tour)


def merged_quickly(problem: Problem, limits: Limits = NO_LIMITS) -> Tour | None:
    """Find a tour, if that takes at most `MAX_QUICK_ROUNDS` starts."""
    instance = simple_graph_or_result(problem)
    if isinstance(instance, Result):
        return instance.tour
    cycle = _cycle(instance, limits, MAX_QUICK_ROUNDS)
    return None if isinstance(cycle, str) else instance.lift(cycle)


def slab_cycle(limits: Limits, instance: SimpleGraph, number: int) -> IntArray | None:
    """A Hamiltonian cycle of a slab with a number, if a quick search finds one."""
    cycle = _cycle(instance, limits, MAX_QUICK_ROUNDS, stream=(number,))
    return None if isinstance(cycle, str) else cycle


def _cycle(
    instance: SimpleGraph,
    limits: Limits,
    rounds: int = MAX_ROUNDS,
    watch: Recording | None = None,
    stream: tuple[int, ...] = (),
) -> IntArray | Literal["infeasible", "unknown"]:
    """A Hamiltonian cycle of a plain instance, or why there is none; another stream has other random numbers."""
    graph = instance.graph
    for number in range(rounds):
        if limits.over:
            break
        rng = np.random.default_rng((limits.seed, number, *stream))
        if number % 4 == 3:  # Every fourth search starts from single vertices.
            links = single_vertices(graph.n)
        elif (cover := random_cover(graph, instance.colour, rng, limits)) is None:
            return "unknown" if limits.over else "infeasible"
        else:
            if watch is not None:
                watch.record_cycles("A random cover of all cells by cycles.", cover)
            merge_cycles(graph, cover, rng, limits, watch)
            links = cover
        if watch is not None:
            watch.record_cycles("Rotations (Pósa): a path grows through all of these, and its ends are turned.", links)
        search = Search(graph, links, rng)
        work = (graph.n + 100) * 400 * (1 + number // 4)
        while work > 0 and not limits.over:
            cycle = search.run(min(work, SLICE_EXCHANGES))
            if cycle is not None:
                return cycle
            work -= SLICE_EXCHANGES
    return "unknown"


METHOD = Method(merge, "Merge the cycles of a random 2-factor by exchanges; nearly linear.", priority=1)
