"""A short tour through points: it hardly crosses itself, and where all of them are joined, seldom at all.

Crossings of 40 random points, all of them joined: annealing has 107 after ten seconds, and the shortest tour none. It
is also a first tour where a constraint limits the crossings.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial

from encoders.stages import Solving, Stage
from encoders.stages.start import patience
from encoders.work.run import in_time
from kt_models.errors import InvalidTour

NAME = "short tour"
KICKS_PER_VERTEX = 2
"""Double bridges that shorten the tour further: exchanges alone leave a crossing now and then."""
SHARE = 0.2
"""Most of the time."""


def work(solving: Solving) -> None:
    """Offer the tour, if it solves the problem."""
    in_time(solving.run, partial(_offer, solving), patience(solving.problem, solving.run))
    solving.start_from_standing()


def _offer(solving: Solving) -> None:
    from heuristics.lin_kernighan import Exchanges

    problem, run = solving.problem, solving.run
    lengths = replace(problem.unconstrained, objective="length")
    if not Exchanges.serves(lengths):
        return
    exchanges = Exchanges(lengths, None, run.limits.seed)
    exchanges.improve(KICKS_PER_VERTEX * problem.graph.n, run.limits.part(SHARE))
    if exchanges.edges is not None:
        with suppress(InvalidTour):  # It breaks a constraint.
            run.report(NAME, edges=exchanges.edges, value=problem.cost(exchanges.edges))


def _applies(solving: Solving) -> bool:
    problem, request = solving.problem, solving.request
    graph = problem.graph
    placed = graph.board is None and graph.positions is not None and graph.directed is None
    apart = problem.objective is not None and not problem.weighs_edges and not problem.pairs_meet
    wanted = request.plain and request.searched and (solving.standing.edges is None or problem.counts_apart)
    return placed and wanted and not problem.optional and (apart or bool(problem.constraints))


STAGE = Stage(NAME, "a short tour, which crosses itself little", frozenset({"tour"}), work, _applies, constrained=True)
