"""Problems with given numbers: a Boolean for each number and vertex, in a CP-SAT model and as clauses."""

from __future__ import annotations

from kt_models.problem import Problem


def needs_edges(problem: Problem) -> bool:
    """Whether the problem has more than numbers: an objective or a symmetry."""
    return problem.objective is not None or bool(problem.symmetry)


def is_plain(problem: Problem) -> bool:
    """Whether the problem has nothing but given numbers, without sums: then clauses are enough."""
    return not (needs_edges(problem) or (problem.numbers is not None and problem.numbers.sums))
