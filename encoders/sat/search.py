"""The lazy SAT search: degrees first, connectivity only where an answer breaks it.

1. The solver answers the degree clauses (`formula`) with some edges; if it cannot, there is no solution.
2. If the edges have the right connectivity, they are a solution.
3. Otherwise local exchanges merge their components (`merging`); if one is left, it is a solution.
4. Otherwise the cut-sets of all components, and of unions of them, become clauses (`lazy`), and the solver is asked
   again. Whenever there are fewer components than ever before, it is told to prefer these edges from now on; after
   `MAX_ROUNDS_IN_VAIN` rounds without, another random 2-factor, merged.

The preference is what makes it robust: without it the number of components goes up and down, and Aztec diamonds of
radius 35, 40 and 60 without merging, or rot180 on 50×50, were not done in 5 s of processor time; with it 0.2, 0.4, 0.8
and 0.4 s. Random phases when rounds stop shrinking made it worse. The same cut-sets through IPASIR-UP (PySAT's
`Propagator` for CaDiCaL 1.9.5, asked at complete assignments) took 0.04, 0.4, 2.1 s on Aztec diamonds of radius 20, 30,
40, and 0.8 and 1.7 s on rot180 of 20×20 and 30×30, where asking again took 0.08, 0.2, 0.5, 2.1 and 0.4 s before the
preference: not better, for one solver only, and so left out.

A complete encoding (`encodings`) goes through the same loop and never passes step 2 with a wrong answer.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from encoders.cutsets import violated
from encoders.sat.encodings import encode
from encoders.sat.formula import Formula
from encoders.sat.lazy import cut_clauses
from encoders.sat.merging import merger_of
from encoders.sat.options import CUT_SET, SatOptions
from encoders.sat.oracle import Oracle
from encoders.sat.solver_program import open_oracle
from encoders.work.run import Run
from kt_models.board import IntArray
from kt_models.errors import TooLarge
from kt_models.limits import Limits, Report
from kt_models.problem import Problem

MAX_EDGES = 500_000
"""Most edges of a graph for a formula: on a board, 8 million clauses, 1.5 GB and 10 seconds to build."""
MAX_ROUNDS_IN_VAIN = 4
"""Rounds without fewer components before the solver's phases are replaced by those of a random 2-factor."""


def search(problem: Problem, run: Run, options: SatOptions) -> Report:
    """Find a solution, or prove that there is none.

    Raises
    ------
    Stopped
        If the run is over.
    """
    formula = formula_of(problem, options)
    run.limits.check()
    with oracle_of(formula, run, options) as oracle:
        edges = connect(formula, oracle, run.limits, options.merge)
    if edges is None:
        return Report(options.name, status="infeasible", conclusive=True)
    run.report(options.name, edges=edges)
    return Report(options.name, edges=edges, status="feasible", conclusive=True)


def formula_of(problem: Problem, options: SatOptions) -> Formula:
    """The clauses to begin with.

    Raises
    ------
    TooLarge
        Above `MAX_EDGES` edges, or if the encoding has a lower limit of its own.
    """
    if problem.graph.m > MAX_EDGES:
        raise TooLarge(f"{problem.graph.name}: {problem.graph.m:,} edges, over the limit of {MAX_EDGES:,} for SAT")
    collected = gc.isenabled()
    # There are millions of small lists and no reference cycles: the collector would take half of the time.
    gc.disable()
    try:
        return Formula(problem) if options.encoding == CUT_SET else encode(problem, options.encoding)
    finally:
        if collected:
            gc.enable()


def oracle_of(formula: Formula, run: Run, options: SatOptions) -> Oracle:
    """A solver for the clauses of a formula, which stops when the run is over, and counts there."""
    count = partial(run.count, options.name)
    return open_oracle(options.solver, formula.clauses, run.limits.seed, run.limits.check, count)


def connect(
    formula: Formula,
    oracle: Oracle,
    limits: Limits,
    merge: bool,
    hear: Callable[[Iterable[list[int]]], None] = lambda sets: None,
) -> IntArray | None:
    """A solution of the problem, or None if there is none. The cut-sets stay in the oracle.

    Parameters
    ----------
    merge
        Whether to merge the components of wrong answers.
    hear
        Called with the vertices of cut-sets whenever clauses are added for them, in their order.
    """
    problem = formula.problem
    merger = merger_of(problem, limits.seed) if merge else None
    # `least` is the smallest number of components so far, `stale` the rounds since it fell.
    least, stale = problem.graph.n + 1, 0
    while oracle.solve():
        edges = formula.edges_of(oracle.model())
        walks, cuts = violated(problem, edges)
        if not cuts:
            return edges
        components, best = len(walks), edges
        # Exchanges are far cheaper than another answer of the solver, and often finish the tour.
        if merger is not None and (merged := merger.merge(edges, limits)) is not None:
            if merged.components == 1:
                return merged.edges
            components, best = merged
        limits.check()
        clauses = cut_clauses(formula, walks, cuts)
        oracle.add(clauses)
        hear(clauses.values())
        stale += 1
        # The best edges so far become the solver's preference, which makes the number of components fall (see the
        # module).
        if components < least:
            least, stale = components, 0
            oracle.phases(phases_of(formula, best))
        elif stale % MAX_ROUNDS_IN_VAIN == 0 and merger is not None and (renewed := merger.begin_anew(limits)):
            if renewed.components == 1:
                return renewed.edges
            oracle.phases(phases_of(formula, renewed.edges))
    return None


def phases_of(formula: Formula, edges: IntArray) -> list[int]:
    """The phases that prefer a set of edges."""
    chosen = set(np.asarray(formula.edge)[edges].tolist())
    # Edge variables come first, so their greatest number bounds the range.
    return [x if x in chosen else -x for x in range(1, max(formula.edge) + 1)]
