"""`PLAN`: what a solve does, in order, stage by stage."""

from __future__ import annotations

from encoders import stages
from encoders.stages import (
    Stage,
    background_bounds,
    branch_and_cut,
    certify,
    closure,
    construction,
    cut,
    delivered,
    engines,
    linked,
    longest,
    many_points,
    numbering,
    obstruction,
    parts,
    plain,
    reduction,
    relaxation,
    short_tour,
    start,
    stops,
    sweep,
    tree,
    two_factor,
    without_constraints,
)
from kt_models.errors import KTError
from kt_models.registry import rows

PLAN: tuple[Stage, ...] = (
    many_points.STAGE,  # No other stage takes graphs that do not list their edges.
    obstruction.ISOLATED,  # A few edges may have a hundred million vertices, for which nothing is to be allocated.
    # Graphs without a board and without an objective: searches in this process, before any solver is loaded.
    closure.STAGE,  # A dense graph has a tour by its closure, in less time than it takes to load anything.
    plain.FIRST,  # Most graphs have a tour that a few conflicts find, and few of the others need more.
    reduction.FIRST,  # What remains of a graph after its forced edges is smaller, and may fall into parts.
    plain.SECOND,  # Where nothing could be reduced, a larger budget.
    # Every problem: what is known, or seen at once.
    obstruction.STAGE,  # Reasons why there is no solution are seen in tenths of a second.
    delivered.STAGE,  # The delivered tour and bound may complete the answer.
    background_bounds.STAGE,  # From here on a thread proves bounds where they take long.
    parts.QUICK,  # Before the search for too many pieces: loading a solver of linear programs takes as long.
    cut.FIRST,  # Where there is no such set, it takes less than the searches that follow.
    plain.THIRD,  # The largest budget, before engines are started.
    reduction.SEARCHED,  # The same for the parts that a reduction has left.
    parts.CERTIFYING,  # It is known that there is no tour, and a certificate is missing.
    # Bounds and tours that are cheap, the bounds first: branch and bound needs them, and a large board may be done.
    short_tour.STAGE,  # A tour without crossings decides most points, and satisfies what limits them.
    without_constraints.STAGE,  # A bound of the problem without its constraints holds with them.
    numbering.STAGE,  # Most puzzles with given numbers need no solver.
    longest.STAGE,  # The most cells of a walk are found and proved by a sweep of its own.
    linked.STAGE,  # Puzzles of several paths, or of stops in order, take hundredths of a second.
    stops.STAGE,  # A few stops in order are met by chance, also on boards that are too large for engines.
    branch_and_cut.FIRST,  # Sums over single edges have tours and proofs of their own, which leave others far behind.
    relaxation.FIRST,  # A bound by a theorem or a linear program.
    two_factor.STAGE,  # In grids, the least cycles through all vertices are nearly a tour.
    construction.STAGE,  # A tour by rule, which searches of a large board do not reach.
    start.STAGE,  # A tour by a heuristic, improved by exchanges; engines start from it.
    branch_and_cut.AGAIN,  # Where exchanges alone found no tour, they start from that of another search.
    relaxation.LATER,  # A bound that takes longer than the first tour.
    # Exact answers, in the order of what they cost where they do not apply.
    sweep.STAGE,  # A small or narrow board is decided by a sweep.
    cut.LATER,  # Searches found nothing: perhaps there is nothing.
    reduction.LATER,
    parts.REFUTING,
    reduction.PARTS,  # Engines on the parts of a reduction are quicker than on the whole.
    tree.STAGE,  # A tree of a few nodes is enough for most small boards.
    engines.STAGE,  # All cores, until the answer is complete or the time is over.
    certify.STAGE,  # A certificate for an answer that an engine gave without one.
)
"""The stages of a solve in order, each with the reason for its place: what is cheap and good comes first."""


def plan() -> tuple[Stage, ...]:
    """The stages of `PLAN`, and those of further modules in `encoders/stages`, each where it says."""
    order = list(PLAN)
    for stage in rows(stages.__name__, Stage).values():
        if stage not in order:
            order.insert(_place(stage, order), stage)
    return tuple(order)


def _place(stage: Stage, order: list[Stage]) -> int:
    for place, other in enumerate(order):
        if other.name == stage.before:
            return place
    raise KTError(f"stage {stage.name}: before={stage.before!r} names no stage")
