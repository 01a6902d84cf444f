"""`branching`: a tree of cases with a dual solution in each leaf."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from encoders.bounds.methods import BoundMethod
from kt_models.limits import NO_LIMITS, Limits, Listener, silent
from kt_models.machine import usable_cores
from kt_models.problem import Problem

if TYPE_CHECKING:
    from encoders.lp.branching import CaseTree


def make(
    problem: Problem,
    at_least: int,
    *,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
    state: str | Path | None = None,
    small: bool = False,
) -> dict[str, Any] | None:
    """The data of a certificate, method `tree`, that a problem's objective is at least a given number.

    A tree that is not soon done is grown by every core, unless it is kept in a file: that is the tree of one.

    Parameters
    ----------
    problem, at_least, limits, on_progress, state
        As `encoders.lp.branching.make` has them.
    small
        Whether the finished tree is grown once more, with what was learnt of it, and the smaller one taken.
    """
    from encoders.lp import branching

    workers = limits.workers or usable_cores()
    if workers == 1 or state is not None:
        tree = branching.make(problem, at_least, limits=limits, on_progress=on_progress, state=state)
    else:
        tree = _grown(branching.CaseTree(problem, at_least), workers, limits, on_progress)
    if tree is not None and small:
        again = _grown(tree.again(), workers, limits, on_progress)
        tree = again if again is not None and len(again.nodes) < len(tree.nodes) else tree
    return None if tree is None else tree.data()


def _grown(tree: CaseTree, workers: int, limits: Limits, on_progress: Listener) -> CaseTree | None:
    """The tree when it is complete; None if time was up."""
    from encoders.lp import engine, parallel

    alone = None if workers == 1 else engine.nodes_alone(tree.problem)
    if tree.grow(limits, alone, on_progress):
        return tree
    if limits.over:
        return None
    with parallel.Crew(tree.problem, workers) as crew:
        return tree if parallel.grow(tree, limits, crew, on_progress) else None


METHOD = BoundMethod(
    "branching",
    "a tree of cases with a dual solution in each leaf",
    make,
    rank=4,
    worth=lambda problem, at_least: not problem.counts_apart,
)
