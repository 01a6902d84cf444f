"""A problem made smaller first: what is left is solved part by part."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from encoders.stages import Brings, Solving, Stage
from encoders.stages.engines import by_engines
from encoders.stages.plain import found_at_once
from encoders.work.run import GRACE, Run, in_time
from kt_models.limits import Stopped
from kt_models.result import Result

if TYPE_CHECKING:
    from encoders.presolve.reduce import Remainder

NAME = "presolve"
"""Who answers, as `Result.engine` has it."""


def work(solving: Solving) -> None:
    """Reduce the problem, and solve those parts of what is left for which that is a matter of a moment."""
    problem, run, standing = solving.problem, solving.run, solving.standing
    from encoders.presolve.reduce import reduce
    from encoders.presolve.refute import refutation

    try:
        reduced = run.limits.run(lambda: reduce(problem, run.limits), GRACE)
    except Stopped:
        return
    if reduced is None:
        standing.refute(NAME, refutation(problem, run.limits))
        return
    if not reduced.changed:
        return
    solving.remainder = reduced
    names = [NAME]
    for part in reduced.problems():
        found = in_time(run, partial(found_at_once, part, run))
        if found is not None:
            names.append(found.engine)
            if found.edges is None:
                standing.refute("+".join(dict.fromkeys(names)))
                return
        solving.part_edges.append(None if found is None else found.edges)
    _accept(solving, reduced, names)


def _accept(solving: Solving, reduced: Remainder, names: list[str]) -> None:
    """Offer the tour, if there is one of each part."""
    known = [edges for edges in solving.part_edges if edges is not None]
    if len(known) == len(solving.part_edges):
        engine = "+".join(dict.fromkeys(names))
        solving.standing.accept(Result(solving.problem, "feasible", reduced.lift(known), engine=engine))


def work_on_parts(solving: Solving) -> None:
    """Have the engines solve the parts that are left."""
    reduced, standing = solving.remainder, solving.standing
    assert reduced is not None
    names = [NAME]
    for number, part in enumerate(reduced.problems()):
        if solving.part_edges[number] is not None:
            continue
        own = Run.of(part, solving.run.limits)
        report = by_engines(Solving(part, own))
        answer = own.standing.result(report.engine)
        names.append(answer.engine)
        if answer.edges is None:
            solving.answered_by = "+".join(dict.fromkeys(names))
            if answer.status == "infeasible":
                standing.refute(solving.answered_by)
            return
        solving.part_edges[number] = answer.edges
    _accept(solving, reduced, names)


BRINGS: frozenset[Brings] = frozenset({"tour", "refutation"})
FIRST = Stage(
    "reduction", "a smaller problem, before any search", 14, BRINGS, work, lambda solving: solving.reduced_first
)
LATER = Stage(
    "late reduction",
    "a smaller problem, where searches found nothing",
    80,
    BRINGS,
    work,
    lambda solving: solving.reducible and not solving.reduced_first,
)
PARTS = Stage(
    "reduced parts",
    "the engines, on what a reduction has left",
    90,
    BRINGS,
    work_on_parts,
    lambda solving: solving.remainder is not None,
)
