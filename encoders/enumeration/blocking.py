"""Every tour by SAT: each one found is blocked on the edge variables, and the solver is asked for another.

Connectivity is kept as the lazy engine keeps it: an answer that breaks a cut-set adds clauses and is no solution.  All
tours of a problem have the same number of moves, so to block one is to say that not all of its moves are made again;
under symmetry the variables are orbits of moves, and where one tour per class is wanted its images are blocked with it.

A value is asked for from both sides: the objective is at most it, and the objective with all weights negated is at
most its negative.  So the solver spends nothing on tours of other values, and symmetry and value prune the search.  The
clauses grow with every solution, which is why this is for few.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import replace

from encoders.sat.formula import Formula
from encoders.sat.lazy import broken
from encoders.sat.objective import Objective, Totalizer
from encoders.sat.options import Options
from encoders.sat.oracle import Oracle
from encoders.sat.search import formula_of
from kt_models.limits import Limits
from kt_models.pairs import PairWeights
from kt_models.runs.task import Task
from kt_models.runs.tours import TourTask
from kt_models.tour import Tour


def by_blocking(task: TourTask, limits: Limits, solver: str = "cadical153") -> Iterator[Tour]:
    """The tours of a task, each once (one of each class, if asked for), verified.

    Raises
    ------
    Stopped
        If the limits are reached.
    """
    formula = task_formula(task, limits)
    with Oracle(solver, formula.clauses, 0, limits.check) as oracle:
        while oracle.solve():
            edges = formula.edges_of(oracle.model())
            _, clauses = broken(formula, edges)
            if clauses:
                oracle.add(clauses)
                continue
            yield task.solution(edges)
            oracle.add(sorted({-formula.edge[e] for e in image.tolist()}) for image in task.images(edges))
            limits.check()


def task_formula(task: Task, limits: Limits) -> Formula:
    """The clauses of a task without connectivity: degrees, and the values asked for."""
    formula = formula_of(task.problem, Options())
    if task.at_most is not None:
        _at_most(formula, task.at_most, limits)
    if task.value is None:
        return formula
    weights = task.problem.weights
    assert weights is not None
    _at_most(formula, task.value, limits)
    negated = copy(formula)  # the same clauses and variables
    opposite = PairWeights(weights.first, weights.second, -weights.weight, weights.name)
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
    totalizer = Totalizer(objective.weights, value - objective.base, formula.new, limits.check)
    formula.clauses += totalizer.clauses
    formula.clauses += [[literal] for literal in totalizer.at_most(value - objective.base)]
