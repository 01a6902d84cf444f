"""A Boolean for each number and each vertex that may have it: in a CP-SAT model, and as clauses.

Consecutive numbers stand on adjacent vertices. Lines have the given sums. For an objective or a symmetry the model of
edges (`encoders.cpsat.model`) is built beside it, and both agree on each move.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any

import numpy as np
from ortools.sat.python import cp_model

from encoders.cpsat.model import Model
from encoders.numbering import needs_edges
from heuristics.numbering import NumberTable, is_possible, neighbours_of, table_of
from kt_models.errors import TooLarge
from kt_models.limits import NO_LIMITS, Limits
from kt_models.numbers import Order
from kt_models.problem import Problem
from kt_models.turn_shape import ANY, STRAIGHT

MAX_PLACES = 500_000
"""Most pairs of a number and a vertex that may have it: 26x26 with few given numbers."""

NumberPlace = tuple[int, int]
"""A number, from 0, and a vertex."""


def limited_table(problem: Problem, limits: Limits) -> NumberTable:
    """The table of a problem (`table_of`), if it is small enough for a model.

    Raises
    ------
    TooLarge
        Above `MAX_PLACES`.
    """
    table = table_of(problem, limits)
    if (places := int(table.sum())) > MAX_PLACES:
        raise TooLarge(
            f"given numbers of {problem.graph.name}: {places:,} pairs of a number and a cell are left, "
            f"over the limit of {MAX_PLACES:,}; give more numbers"
        )
    return table


def step_clauses(problem: Problem, places: Container[NumberPlace]) -> Iterator[tuple[NumberPlace, list[NumberPlace]]]:
    """The condition of each place: one of several other places.

    The numbers before and after it are on neighbours, and the ends of a required edge have consecutive numbers.
    """
    n = problem.graph.n
    near, degrees = neighbours_of(problem)

    def beside(k: int) -> list[int]:
        around = {(k + step) % n if problem.closed else k + step for step in (1, -1)}
        return sorted(j for j in around if 0 <= j < n and j != k)

    for v in range(n):
        neighbours = near[v, : degrees[v]].tolist()
        for k in range(n):
            if (k, v) in places:
                for j in beside(k):
                    yield (k, v), [(j, u) for u in neighbours if (j, u) in places]
    for edge in sorted(problem.required):
        u, v = problem.graph.ends[edge].tolist()
        for k in range(n):
            if (k, u) in places:
                yield (k, u), [(j, v) for j in beside(k) if (j, v) in places]


def shape_clauses(
    problem: Problem, places: Container[NumberPlace]
) -> Iterator[tuple[list[NumberPlace], list[NumberPlace]]]:
    """The conditions of a shape: places that do not all hold, or of which the last ones then hold, one of them."""
    shape = None if problem.numbers is None else problem.numbers.shape
    if shape is None:
        return
    n, (near, degrees) = problem.graph.n, neighbours_of(problem)
    for k, letter in enumerate(shape.letters):
        before, after = ((k + step) % n for step in (-1, 1))
        for v in range(n) if letter != ANY else ():
            neighbours = near[v, : degrees[v]].tolist()
            for u in neighbours:
                if (before, u) not in places or (k, v) not in places:
                    continue
                on = [(after, w) for w in neighbours if (u, v, w) in shape.straight and (after, w) in places]
                if letter == STRAIGHT:
                    yield [(before, u), (k, v)], on
                else:
                    yield from (([(before, u), (k, v), place], []) for place in on)


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


class NumberClauses:
    """The same as clauses, without sums, an objective and a symmetry.

    Attributes
    ----------
    clauses
        Clauses whose models are the numberings.
    """

    def __init__(self, problem: Problem, table: NumberTable) -> None:
        self.places: list[NumberPlace] = [(k, v) for k, v in np.argwhere(table).tolist()]
        self.number = {place: x for x, place in enumerate(self.places, start=1)}
        self.clauses: list[list[int]] = []
        n = problem.graph.n
        at_number: list[list[int]] = [[] for _ in range(n)]
        at_vertex: list[list[int]] = [[] for _ in range(n)]
        for (k, v), x in self.number.items():
            at_number[k].append(x)
            at_vertex[v].append(x)
        for literals in (*at_number, *at_vertex):
            self.clauses.append(literals)
            self.clauses += [[-x, -y] for i, x in enumerate(literals) for y in literals[:i]]
        for first, others in step_clauses(problem, self.number):
            self.clauses.append([-self.number[first], *(self.number[place] for place in others)])
        for held, then in shape_clauses(problem, self.number):
            self.clauses.append([*(-self.number[place] for place in held), *(self.number[place] for place in then)])

    def order(self, model: Sequence[int]) -> Order:
        """The vertices of a model's numbering."""
        chosen = sorted(self.places[x - 1] for x in model if 0 < x <= len(self.places))
        return np.array([v for _, v in chosen], dtype=np.int32)

    def others(self, order: Sequence[int]) -> list[int]:
        """The clause that some vertex has another number than in an order."""
        return [-self.number[k, v] for k, v in enumerate(order)]
