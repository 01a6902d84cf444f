"""The reduction of `encoders.presolve.reduce` as a stage: what remains of the problem is solved part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from encoders.part_searches import PRESOLVE, PlainAnswer, Reduction
from encoders.stages import Brings, Request, Solving, Stage
from encoders.stages.engines import by_engines
from encoders.work.run import GRACE_SECONDS, Run, in_time
from kt_models.limits import Stopped

if TYPE_CHECKING:
    pass


def reduce_problem(solving: Solving) -> None:
    """Reduce the problem, and solve those parts of the remainder that cheap searches can."""
    problem, run = solving.problem, solving.run
    from encoders.presolve.reduce import reduce

    try:
        reduced = run.limits.run(lambda: reduce(problem, run.limits), GRACE_SECONDS)
    except Stopped:
        return
    if reduced is None and solving.request.reduced_first:
        solving.standing.refute(PRESOLVE)  # Other stages make the certificate.
    elif reduced is None:
        from encoders.presolve.refute import refutation

        solving.standing.refute(PRESOLVE, refutation(problem, run.limits))
    elif reduced.changed:
        solving.reduction = Reduction(problem, run, reduced)
        in_time(run, solving.reduction.search)


def search_parts_longer(solving: Solving) -> None:
    """Search the parts that a reduction has left with a larger budget."""
    if solving.reduction is not None:
        in_time(solving.run, solving.reduction.search_longer)


def solve_parts(solving: Solving) -> None:
    """Let the engines solve the parts that a reduction has left."""
    reduction = solving.reduction
    if reduction is None:
        return
    for number, part in reduction.open_parts:
        part_run = Run.of(part, solving.run.limits)
        report = by_engines(solving.of(Request(part), part_run))
        answer = part_run.standing.result(report.engine)
        if answer.status == "unknown":
            reduction.note(answer.engine)
            solving.answered_by = reduction.engine
            return
        if not reduction.record(number, PlainAnswer(answer.engine, answer.edges)):
            solving.answered_by = reduction.engine
            return
    reduction.join()


BRINGS: frozenset[Brings] = frozenset({"tour", "refutation"})
FIRST = Stage(
    "reduction",
    "a smaller problem, before any search",
    BRINGS,
    reduce_problem,
    lambda solving: solving.request.reduced_first,
)
LATER = Stage(
    "late reduction",
    "a smaller problem, where searches found nothing",
    BRINGS,
    reduce_problem,
    lambda solving: solving.request.reducible and not solving.request.reduced_first,
)
SEARCHED = Stage(
    "plain parts",
    "the parts that a reduction has left, searched in this process",
    BRINGS,
    search_parts_longer,
    lambda solving: solving.reduction is not None and solving.reduction.searched,
)
PARTS = Stage(
    "reduced parts",
    "the engines, on what a reduction has left",
    BRINGS,
    solve_parts,
    lambda solving: solving.reduction is not None,
)
