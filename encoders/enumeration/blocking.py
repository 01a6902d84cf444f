"""Enumeration by SAT (`encoders.sat.listing`): for few tours, because the clauses grow with every one.

A value is bounded from both sides: the objective is at most the value, and the objective with all weights negated is at
most its negative. So the solver spends no time on tours of other values, and symmetry and value prune the search.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from encoders.sat.formula import Formula
from encoders.sat.listing import Lister
from encoders.sat.objective import add_at_most
from encoders.sat.options import SatOptions
from encoders.sat.search import formula_of
from encoders.sat.solver_program import SolverProgram
from encoders.work.spending import Spending
from kt_models.errors import TooLarge
from kt_models.limits import Limits
from kt_models.runs.task import Task
from kt_models.runs.tour_task import TourTask
from kt_models.tour import Tour


def by_blocking(
    task: TourTask, limits: Limits, spending: Spending | None = None, program: SolverProgram | None = None
) -> Iterator[Tour]:
    """Yield the tours of a task once each (or one of each class), verified; a `program` may stand for the solver.

    Raises
    ------
    Stopped
        If the limits are reached; `Spent` if the work is.
    """
    formula, pruned = pruned_formula(task, limits)
    # Sums that are too large for clauses are looked at in each tour, and its images may have others
    images = (task if pruned else replace(task.without_sums, up_to_symmetry=False)).images
    with Lister(formula, limits, spending=spending, program=program) as lister:
        for edges in lister.all(images=images):
            if pruned or task.has_sums(edges):
                yield task.solution(edges)


def pruned_formula(task: Task, limits: Limits) -> tuple[Formula, bool]:
    """The clauses of a task, and whether they have its sums: these are left out if they are too large for clauses.

    Raises
    ------
    TooLarge
        If the task is too large without sums, or has no tours, in which they could be looked at.
    """
    try:
        return task_formula(task, limits), True
    except TooLarge:
        if not isinstance(task, TourTask):
            raise
        return task_formula(task.without_sums, limits), False


def task_formula(task: Task, limits: Limits) -> Formula:
    """The clauses of a task without connectivity: degrees, and bounds on the value."""
    formula = formula_of(task.problem, SatOptions())
    weights = task.problem.weights
    if task.at_most is not None and weights is not None:
        add_at_most(formula, weights, task.at_most, limits.check)
    if task.value is not None and weights is not None:
        add_at_most(formula, weights, task.value, limits.check)
        add_at_most(formula, -weights.costs, -task.value, limits.check)
    return formula
