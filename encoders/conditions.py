"""Conditions of problems as clauses over edges and ends: for CP-SAT, SAT solvers, and models for other solvers.

A kind of condition that is not in the table `CLAUSES` is refused, so that no model leaves it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, combinations
from math import comb
from typing import Any, NamedTuple

from encoders.cycle_clauses import cycle_clauses
from encoders.segments import order_clauses
from kt_models.conditions import Condition, Cycles, EdgeSums, InOrder, LocalCondition
from kt_models.errors import KTError
from kt_models.problem import Problem

MAX_WRITTEN_OUT = 2_000
"""Most clauses for one sum of edges that are written out without new variables."""


class Variables(NamedTuple):
    """The variables of a model as positive integers.

    Parameters
    ----------
    edge
        The variable of each edge.
    ends
        Variables of which one is true if a path ends at a vertex, as far as its ends are free.
    new
        Makes a variable.
    check
        Raises when the time is up.
    """

    edge: Sequence[int]
    ends: Callable[[int], Iterable[int]]
    new: Callable[[], int]
    check: Callable[[], None] = lambda: None


def local_clauses(problem: Problem, condition: LocalCondition, variables: Variables) -> list[list[int]]:
    """One clause for each set of edges that a condition excludes; at a free end one for each of its variables."""
    clauses = []
    alone = problem.connectivity == "path" and problem.graph.n == 1  # The only vertex is both ends.
    for edges, end in condition.exclusions(problem.graph):
        variables.check()
        without = list(dict.fromkeys(-variables.edge[e] for e in edges))
        if end is None or end in problem.terminals or alone:
            clauses.append(without)
        else:
            clauses += [[*without, -x] for x in variables.ends(end)]
    return clauses


def _order(problem: Problem, condition: InOrder, variables: Variables) -> list[list[int]]:
    return order_clauses(problem, *variables)


def _cycles(problem: Problem, condition: Cycles, variables: Variables) -> list[list[int]]:
    return cycle_clauses(problem, condition, variables.edge, variables.new, variables.check)


def _edge_sums(problem: Problem, condition: EdgeSums, variables: Variables) -> list[list[int]]:
    """Clauses that keep the number of chosen edges of each set within its bounds."""
    clauses: list[list[int]] = []
    for edges, least, most in condition.sums:
        literals = [variables.edge[e] for e in edges]
        for some, count in ((literals, least), ([-x for x in literals], len(literals) - most)):
            variables.check()
            clauses += _at_least(some, count, variables.new) if count > 0 else []
    return clauses


def _at_least(literals: list[int], count: int, new: Callable[[], int]) -> list[list[int]]:
    """At least `count` of the literals hold: written out, or counted one by one."""
    if comb(len(literals), count - 1) <= MAX_WRITTEN_OUT:
        return [list(dict.fromkeys(some)) for some in combinations(literals, len(literals) - count + 1)]
    clauses: list[list[int]] = []
    before: list[int] = []  # before[j]: at least j + 1 of the literals so far hold
    for x in literals:
        now = [new() for _ in range(min(len(before) + 1, count))]
        for j, y in enumerate(now):
            clauses.append([-y, *before[j : j + 1], x])
            clauses += [[-y, *before[j : j + 1], before[j - 1]]] if j else []
        before = now
    return [*clauses, before[count - 1 :]]


CLAUSES: list[tuple[Any, Callable[..., list[list[int]]]]] = [
    (Cycles, _cycles),
    (InOrder, _order),
    (EdgeSums, _edge_sums),
    (LocalCondition, local_clauses),
]
"""How each kind of condition is written as clauses."""


def clauses_of(problem: Problem, condition: Condition, variables: Variables) -> list[list[int]]:
    """The clauses that make every solution of a model keep a condition.

    Raises
    ------
    KTError
        If the kind of condition has no clauses.
    TooLarge
        If there are too many.
    """
    for kind, write in CLAUSES:
        if isinstance(condition, kind):
            return write(problem, condition, variables)
    raise KTError(f"{condition.title}: they have no clauses")


def all_clauses(problem: Problem, variables: Variables) -> list[list[int]]:
    """The clauses of all conditions of a problem."""
    return list(chain.from_iterable(clauses_of(problem, c, variables) for c in problem.conditions))
