"""A Boolean for each number and each vertex that may have it: in a CP-SAT model, and as clauses.

Consecutive numbers stand on adjacent vertices. Lines have the given sums. For an objective or a symmetry the model of
edges (`encoders.cpsat.model`) is built beside it, and both agree on each move.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from ortools.sat.python import cp_model

from encoders.cpsat.model import Model
from encoders.numbering import needs_edges
from encoders.numbering.clauses import limited_table, shape_clauses, step_clauses
from heuristics.numbering import NumberTable, is_possible
from kt_models.limits import NO_LIMITS, Limits
from kt_models.numbers import Order
from kt_models.problem import Problem


class NumberModel:
    """A CP-SAT model of a problem with given numbers.

    Parameters
    ----------
    problem
        A closed or open tour. With an objective or a symmetry, edges have variables too.
    limits
        `Stopped` is raised when they are reached.
    table
        The numbers that each vertex may have; computed by default.

    Attributes
    ----------
    at
        The variable of each number, from 0, and vertex that may have it.

    Raises
    ------
    TooLarge
        Above `MAX_PLACES`.
    """

    def __init__(self, problem: Problem, limits: Limits = NO_LIMITS, table: NumberTable | None = None) -> None:
        self.problem, self.check = problem, limits.check
        self.table = limited_table(problem, limits) if table is None else table
        self.model = Model(problem, "circuit", limits.check) if needs_edges(problem) else None
        self.cp: cp_model.CpModel = cp_model.CpModel() if self.model is None else self.model.cp
        self.at: dict[tuple[int, int], Any] = {}
        # An impossible table makes the model infeasible at once.
        if not is_possible(self.table):
            self.cp.add_bool_or([])
            return
        self._places()
        self._steps()
        self._sums()
        if self.model is not None:
            self._edges(self.model)

    def _places(self) -> None:
        """Give each number one vertex, and each vertex one number."""
        for k, v in np.argwhere(self.table).tolist():
            self.at[k, v] = self.cp.new_bool_var(f"n{k},{v}")
        # Rows are numbers and columns are vertices; both get exactly one.
        for view in (self.table, self.table.T):
            for index, row in enumerate(view):
                self.check()
                others = np.flatnonzero(row).tolist()
                self.cp.add_exactly_one([self.at[(index, j) if view is self.table else (j, index)] for j in others])

    def _steps(self) -> None:
        """Put consecutive numbers on adjacent vertices; give the ends of a required edge consecutive numbers."""
        for clause in step_clauses(self.problem, self.at):
            self.check()
            first, others = clause
            self.cp.add_bool_or([~self.at[first], *(self.at[place] for place in others)])
        for held, then in shape_clauses(self.problem, self.at):
            self.check()
            self.cp.add_bool_or([*(~self.at[place] for place in held), *(self.at[place] for place in then)])

    def _sums(self) -> None:
        numbers = self.problem.numbers
        for line, total in () if numbers is None else numbers.sums:
            inside = set(line)
            self.cp.add(sum(x * (k + 1) for (k, v), x in self.at.items() if v in inside) == total)

    def _edges(self, model: Model) -> None:
        """Let two consecutive numbers choose the edge between them."""
        graph, n = self.problem.graph, self.problem.graph.n
        joints = n if self.problem.closed else n - 1
        for edge, ends in enumerate(graph.ends.tolist()):
            self.check()
            for k in range(joints):
                for u, v in (ends, ends[::-1]):
                    if (k, u) in self.at and ((k + 1) % n, v) in self.at:
                        self.cp.add_bool_or([~self.at[k, u], ~self.at[(k + 1) % n, v], model.edge[edge]])

    def exclude(self, order: Order) -> None:
        """Exclude a numbering."""
        self.cp.add_bool_or([~self.at[k, v] for k, v in enumerate(order.tolist())])

    def order(self, holds: Callable[[Any], bool]) -> Order:
        """The vertices of a solution, in the order of their numbers."""
        chosen = sorted((k, v) for (k, v), x in self.at.items() if holds(x))
        return np.array([v for _, v in chosen], dtype=np.int32)
