"""The bound that the sweep of longest walks shows for a problem: no cycle, or path, visits more cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from kt_models.errors import CertificateError, TooLarge
from kt_models.json_values import is_integer
from kt_models.kernel.certificates.longest.sweep import longest
from kt_models.kernel.certificates.longest.task import LongestTask, most_moves
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem

METHOD = "longest"


def longest_task(problem: Problem) -> LongestTask | None:
    """The task of a longest walk that a problem is; None if it asks for anything else."""
    weights, graph = problem.weights, problem.graph
    more = problem.terminals or problem.required or problem.forbidden or problem.symmetry or problem.constraints
    if more or problem.conditions or weights is None or len(problem.optional) < graph.n or weights.decimals:
        return None
    every = np.arange(graph.m)
    same = len(weights.first) == graph.m and bool(
        (np.sort(weights.first) == every).all() and (weights.first == weights.second).all()
    )
    if problem.connectivity not in ("subcycle", "subpath") or not same or not bool((weights.weight == -1).all()):
        return None
    return LongestTask(graph, problem.closed)


def bound(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> int:
    """The least cost of a solution, the negative of `moves`, if a sweep finds no longer walk.

    Raises
    ------
    CertificateError
        If there is one, or the problem does not ask for the most cells alone.
    TooLarge
        If the sweep takes too much memory; `Stopped` if a limit is reached.
    """
    task, moves = longest_task(problem), data.get("moves")
    if task is None or not is_integer(moves) or moves < 0:
        raise CertificateError("longest: the problem is not that of the most cells, or 'moves' is no number of them")
    if moves < most_moves(task):
        longer = longest(task, at_least=moves + 1, limits=limits)
        if longer.moves > moves:
            raise CertificateError(f"longest: there is a walk of {longer.moves} moves")
        if longer.bound is None:
            limits.check()
            raise TooLarge(f"longest: the bound was not shown: {longer.reason}")
    return -moves
