"""Every tour by SAT (`encoders.sat.listing`): for few, as the clauses grow with every one.

A value is asked for from both sides: the objective is at most it, and the objective with all weights negated is at
most its negative.  So the solver spends nothing on tours of other values, and symmetry and value prune the search.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import replace

from encoders.sat.formula import Formula
from encoders.sat.listing import Lister
from encoders.sat.objective import Objective
from encoders.sat.options import SatOptions
from encoders.sat.search import formula_of
from encoders.sat.totalizer import Totalizer
from kt_models.limits import Limits
from kt_models.runs.task import Task
from kt_models.runs.tours import TourTask
from kt_models.tour import Tour
from kt_models.weights import Weights


def by_blocking(task: TourTask, limits: Limits) -> Iterator[Tour]:
    """The tours of a task, each once (one of each class, if asked for), verified.

    Raises
    ------
    Stopped
        If the limits are reached.
    """
    with Lister(task_formula(task, limits), limits) as lister:
        for edges in lister.all(images=task.images):
            yield task.solution(edges)


def task_formula(task: Task, limits: Limits) -> Formula:
    """The clauses of a task without connectivity: degrees, and the values asked for."""
    formula = formula_of(task.problem, SatOptions())
    if task.at_most is not None:
        _at_most(formula, task.at_most, limits)
    if task.value is None:
        return formula
    weights = task.problem.weights
    assert weights is not None
    _at_most(formula, task.value, limits)
    negated = copy(formula)  # the same clauses and variables
    opposite = Weights(weights.first, weights.second, -weights.weight, weights.name)
    negated.problem = replace(task.problem, objective=opposite)
    _at_most(negated, -task.value, limits)
    formula.top = negated.top
    return formula


def _at_most(formula: Formula, value: int, limits: Limits) -> None:
    """Clauses that keep the objective at `value` or less."""
    objective = Objective(formula, limits.check)
    if value < objective.base:
        formula.add([])
        return
    inputs, most = [*objective.weights.items()], value - objective.base
    totalizer = Totalizer(inputs, most, formula.new, limits.check, parts=2)
    formula.clauses += totalizer.clauses + totalizer.limit()
