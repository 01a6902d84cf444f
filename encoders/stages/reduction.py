"""A problem made smaller first: what is left is solved part by part."""

from __future__ import annotations

from functools import partial

from encoders.stages import Brings, Solving, Stage
from encoders.stages.engines import by_engines
from encoders.stages.parts import small_cuts_refute
from encoders.stages.start import LARGE, warm_start
from encoders.work.run import GRACE, Run, in_time
from kt_models.limits import Stopped
from kt_models.problem import Problem
from kt_models.result import Result

HEAD_START = 1.0
"""Seconds that a heuristic has before a problem is reduced, in proportion more where it is large."""
SMALLER = 0.9
"""Share of a problem's vertices below which a part of it is worth another moment."""
NAME = "presolve"
"""Who answers, as `Result.engine` has it."""


def work(solving: Solving) -> None:
    """Reduce the problem, and solve what is left.

    A heuristic is given a moment before: most graphs are no harder than that.  Of those that are it does few, and on
    sparse graphs it would only be in the engines' way.
    """
    problem, run, standing = solving.problem, solving.run, solving.standing
    if (first := _at_once(problem, run)) is not None:
        standing.accept(first)
        return
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
    answers, names = [], [NAME]
    tried = False
    for part in reduced.problems():
        own = Run(run.limits, False)
        answer = _at_once(part, own) if part.graph.n < SMALLER * problem.graph.n else None
        if answer is None:
            if not tried and small_cuts_refute(solving):
                return
            tried, own = True, Run.of(part, run.limits)
            report = by_engines(Solving(part, own))
            answer = own.standing.result(report.engine)
        names.append(answer.engine)
        if answer.edges is None:
            solving.answered_by = "+".join(dict.fromkeys(names))
            if answer.status == "infeasible":
                standing.refute(solving.answered_by)
            return
        answers.append(answer.edges)
    standing.accept(Result(problem, "feasible", reduced.lift(answers), engine="+".join(dict.fromkeys(names))))


def _at_once(problem: Problem, run: Run) -> Result | None:
    """What a heuristic finds in a moment; nothing where there is one worker, as the clock would decide then."""
    if run.threads == 1:
        return None
    beside = Run.of(problem, run.limits)
    try:
        patience = HEAD_START * max(1.0, problem.graph.n / LARGE)
        return in_time(beside, partial(warm_start, Solving(problem, beside)), patience)
    finally:
        beside.end()


BRINGS: frozenset[Brings] = frozenset({"tour", "refutation"})
FIRST = Stage(
    "reduction", "a smaller problem, before any search", 20, BRINGS, work, lambda solving: solving.reduced_first
)
LATER = Stage(
    "late reduction",
    "a smaller problem, where searches found nothing",
    80,
    BRINGS,
    work,
    lambda solving: solving.reducible and not solving.reduced_first,
)
