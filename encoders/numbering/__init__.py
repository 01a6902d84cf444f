"""Problems with given numbers: a Boolean for each number and vertex, as a CP-SAT model and as clauses."""

from __future__ import annotations

from kt_models.problem import Problem


def needs_edges(problem: Problem) -> bool:
    """Whether the problem says more than its numbers do: an objective or a symmetry."""
    return problem.objective is not None or bool(problem.symmetry)


def is_plain(problem: Problem) -> bool:
    """Whether given numbers are all that it says, without sums: then clauses serve it."""
    return not (needs_edges(problem) or (problem.numbers is not None and problem.numbers.sums))
