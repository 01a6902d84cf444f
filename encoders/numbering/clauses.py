"""The places of numbers as clauses, which need no modelling library; and what a short SAT search shows by them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from encoders.sat.oracle import Oracle
from heuristics.numbering import NumberTable, is_possible, neighbours_of, table_of
from kt_models.errors import TooLarge
from kt_models.limits import Limits
from kt_models.numbers import Order
from kt_models.problem import Problem
from kt_models.tour import Tour
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


SOLVER = "cadical195"
QUICK_PLACES = 20_000
"""Most pairs of a number and a vertex for which SAT is asked before anything else: puzzles have some hundreds."""
QUICK_CONFLICTS = 2_000
"""Conflicts of that search, some tenths of a second."""


def edges_of(problem: Problem, order: Order) -> npt.NDArray[np.int32]:
    """The edges of a numbering."""
    return np.sort(Tour(problem.graph, order, problem.closed).edges)


def first_numberings(
    problem: Problem, table: NumberTable, most: int, check: Callable[[], None]
) -> tuple[list[Order], bool]:
    """The first numberings that a short SAT search finds, and whether it showed that there are no others.

    Parameters
    ----------
    most
        How many are looked for.
    """
    if not is_possible(table):
        return [], True
    if int(table.sum()) > QUICK_PLACES:
        return [], False
    clauses = NumberClauses(problem, table)
    found: list[Order] = []
    with Oracle(SOLVER, clauses.clauses, 0, check) as oracle:
        while len(found) < most:
            answer, _ = oracle.solve_within(QUICK_CONFLICTS)
            if not answer:
                return found, answer is False
            found.append(clauses.order(oracle.model()))
            oracle.add([clauses.others(found[-1].tolist())])
    return found, False
