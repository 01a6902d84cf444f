"""A tour with given numbers, or a proof that there is none, by a short SAT search or by one without a solver."""

from __future__ import annotations

from functools import partial

from encoders.numbering import is_plain
from encoders.stages import Solving, Stage
from encoders.stages.start import patience
from encoders.work.run import in_time
from heuristics.numbering import table_of
from kt_models.numbers import Order

QUICK_VERTICES = 200
"""Most vertices for which SAT is asked first: the table of their numbers is made in hundredths of a second."""


def _first(solving: Solving) -> Order | None:
    from encoders.numbering.clauses import first_numberings

    problem, check = solving.problem, solving.run.limits.check
    found, _ = first_numberings(problem, table_of(problem, solving.run.limits), 1, check)
    return found[0] if found else None


def work(solving: Solving) -> None:
    """Offer the numbering of a short SAT search, which solves most puzzles; otherwise the result of the search."""
    problem, run = solving.problem, solving.run
    if is_plain(problem) and problem.graph.n <= QUICK_VERTICES:
        order = in_time(run, partial(_first, solving))
        if order is not None:
            from encoders.numbering.clauses import edges_of

            solving.standing.accept_solution("sat/numbers", edges_of(problem, order))
            return
    from heuristics.find import find

    result = in_time(run, partial(find, problem, quick=True, limits=run.limits), patience(problem, run))
    if result is not None and result.status != "unknown":
        solving.standing.accept(result)


STAGE = Stage(
    "numbering",
    "a tour with given numbers, by a search",
    frozenset({"tour", "refutation"}),
    work,
    lambda solving: solving.problem.numbers is not None and solving.request.plain and solving.request.searched,
    numbered=True,
)
