"""The reduction of `encoders.presolve.reduce` as a stage: what remains of the problem is solved part by part."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from encoders.stages import Brings, Solving, Stage
from encoders.stages.engines import by_engines
from encoders.stages.plain import PlainAnswer, answered, merged, search_of
from encoders.work.run import GRACE_SECONDS, Run, in_time
from kt_models.limits import Stopped
from kt_models.result import Result

if TYPE_CHECKING:
    from encoders.presolve.reduce import Remainder

NAME = "presolve"
"""The name of the engine in `Result.engine`."""


def reduce_problem(solving: Solving) -> None:
    """Reduce the problem, and solve those parts of the remainder that cheap searches can."""
    problem, run = solving.problem, solving.run
    from encoders.presolve.reduce import reduce

    try:
        reduced = run.limits.run(lambda: reduce(problem, run.limits), GRACE_SECONDS)
    except Stopped:
        return
    if reduced is None and solving.reduced_first:
        solving.standing.refute(NAME)  # Other stages make the certificate.
    elif reduced is None:
        from encoders.presolve.refute import refutation

        solving.standing.refute(NAME, refutation(problem, run.limits))
    elif reduced.changed:
        solving.remainder = reduced
        solving.part_edges = [None] * len(reduced.parts)
        in_time(run, partial(_search_parts, solving, reduced))


def _search_parts(solving: Solving, reduced: Remainder) -> None:
    """Search each part with the two smaller budgets of `PlainSearch`; where that does not apply, merge 2-factors."""
    for number, part in enumerate(reduced.problems()):
        search = search_of(part, solving.run)
        solving.part_searches.append(search)
        answer = answered(search, 0) or answered(search, 1) if search else merged(part, solving.run)
        if not _record_answer(solving, number, answer):
            return
    _accept_joined_tour(solving, reduced)


def _search_parts_longer(solving: Solving) -> None:
    """Search the parts that are left with the largest budget of `PlainSearch`, then merge 2-factors."""
    reduced = solving.remainder
    assert reduced is not None
    for number, (part, search) in enumerate(zip(reduced.problems(), solving.part_searches, strict=True)):
        answer = None
        if solving.part_edges[number] is None:
            answer = answered(search, 2) or merged(part, solving.run)
        if not _record_answer(solving, number, answer):
            return
    _accept_joined_tour(solving, reduced)


def _record_answer(solving: Solving, number: int, answer: PlainAnswer | None) -> bool:
    """Record the answer for a part; return `False` if it shows that the part has no tour."""
    if answer is None:
        return True
    solving.part_engines.append(answer.engine)
    solving.part_edges[number] = answer.edges
    if answer.edges is None:
        solving.standing.refute("+".join(dict.fromkeys([NAME, *solving.part_engines])))
    return answer.edges is not None


def _accept_joined_tour(solving: Solving, reduced: Remainder) -> None:
    """Join the tours of the parts to a tour of the problem and accept it, if every part has one."""
    known = [edges for edges in solving.part_edges if edges is not None]
    if len(known) == len(solving.part_edges):
        engine = "+".join(dict.fromkeys([NAME, *solving.part_engines]))
        solving.standing.accept(Result(solving.problem, "feasible", reduced.lift(known), engine=engine))


def solve_parts_by_engines(solving: Solving) -> None:
    """Let the engines solve the parts that are left."""
    reduced, standing = solving.remainder, solving.standing
    assert reduced is not None
    for number, part in enumerate(reduced.problems()):
        if solving.part_edges[number] is not None:
            continue
        part_run = Run.of(part, solving.run.limits)
        report = by_engines(Solving(part, part_run))
        answer = part_run.standing.result(report.engine)
        solving.part_engines.append(answer.engine)
        if answer.edges is None:
            solving.answered_by = "+".join(dict.fromkeys([NAME, *solving.part_engines]))
            if answer.status == "infeasible":
                standing.refute(solving.answered_by)
            return
        solving.part_edges[number] = answer.edges
    _accept_joined_tour(solving, reduced)


BRINGS: frozenset[Brings] = frozenset({"tour", "refutation"})
FIRST = Stage(
    "reduction",
    "a smaller problem, before any search",
    -15,
    BRINGS,
    reduce_problem,
    lambda solving: solving.reduced_first,
)
LATER = Stage(
    "late reduction",
    "a smaller problem, where searches found nothing",
    80,
    BRINGS,
    reduce_problem,
    lambda solving: solving.reducible and not solving.reduced_first,
)
SEARCHED = Stage(
    "plain parts",
    "the parts that a reduction has left, searched in this process",
    16,
    BRINGS,
    lambda solving: in_time(solving.run, partial(_search_parts_longer, solving)),
    lambda solving: len(solving.part_searches) == len(solving.part_edges) > 0,
)
PARTS = Stage(
    "reduced parts",
    "the engines, on what a reduction has left",
    90,
    BRINGS,
    solve_parts_by_engines,
    lambda solving: solving.remainder is not None,
)
