"""Branch and cut with a tour to aim at: exchanges find the tour, the tree proves, and both go on in turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from encoders.branch_and_cut.search import BranchAndCut
from heuristics.lin_kernighan import Exchanges
from kt_models.board import IntArray
from kt_models.kernel.certificates import Checked, Statement
from kt_models.kernel.certificates.certificate import Certificate
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem

METHOD = "edge-tree"
"""The method of the certificates."""
MAX_VERTICES, MAX_EDGES = 1_500, 1_200_000
"""Largest graph: its linear program with thousands of rows takes minutes."""
FIRST_KICKS = 2
"""Double bridges for each vertex before the root, and between its turns: they take less time than the linear
programs."""
KICKS_PER_TURN, NODES_PER_TURN = 160, 8
"""Double bridges, and nodes of the tree, in turn: the former take about a tenth of the time."""
MIN_NODES = 32
"""Nodes of an unfinished tree with a certificate, besides each turn of the root and the first split; each further one
has twice as many nodes, so that all checks together take no longer than the last two."""


def serves(problem: Problem) -> bool:
    """Whether branch and cut applies to a problem."""
    return problem.graph.n <= MAX_VERTICES and problem.graph.m <= MAX_EDGES and Exchanges.serves(problem)


class Progress(NamedTuple):
    """The gain of a step: a better tour, or the certificate of a better bound.

    Parameters
    ----------
    source
        What found the tour.
    """

    edges: IntArray | None = None
    value: int | None = None
    certificate: Checked | None = None
    source: str = "exchanges"


def steps(problem: Problem, edges: IntArray | None, limits: Limits = NO_LIMITS) -> Iterator[Progress]:
    """Better tours and better bounds, until they meet, the limits are reached, or the numbers are not fine enough.

    Without a tour, and if exchanges find none, there is the bound of the root only.

    Parameters
    ----------
    edges
        The best solution that is known.
    """
    exchanges = Exchanges(problem, edges, limits.seed)
    exchanges.improve(FIRST_KICKS * problem.graph.n, limits)
    best, value = edges, None if edges is None else problem.cost(edges)

    def better() -> bool:
        nonlocal best, value
        now = exchanges.edges
        cost = None if now is None else problem.cost(now)
        if cost is None or (value is not None and cost >= value):
            return False
        best, value = now, cost
        return True

    if better():
        yield Progress(best, value)
    tree = BranchAndCut(problem, best, value)
    proved: int | None = None
    next_shown = 0
    while not limits.over:
        done = tree.grow(limits, NODES_PER_TURN if tree.branched else 1)
        if tree.value != value and tree.edges is not None:
            best, value = tree.edges, tree.value
            yield Progress(best, value, source="branch and cut")
        bound = tree.bound
        due = done or not tree.branched or tree.worked >= next_shown
        if bound is not None and due and (proved is None or bound > proved):
            if tree.branched:
                next_shown = max(MIN_NODES, 2 * tree.worked)
            proved = bound
            yield Progress(certificate=certified(problem, tree, limits))
        if done or (best is None and tree.branched):
            return
        exchanges.improve(KICKS_PER_TURN if tree.branched else FIRST_KICKS * problem.graph.n, limits)
        if better():
            assert best is not None and value is not None
            tree.aim(best, value)
            yield Progress(best, value)


def certified(problem: Problem, tree: BranchAndCut, limits: Limits) -> Checked | None:
    """The checked certificate of a tree's bound; None without a bound."""
    data = tree.data()
    if data is None:
        return None
    return Certificate(METHOD, Statement(problem, "at-least", data["at_least"]), data).checked(limits)
