"""The objective of a problem, or another sum of weights, as weighted literals: each costs its weight if it is true.

- Pairs of edges that meet at one vertex: exactly one pair is chosen there, so the vertex has a cost. For each cost
  above the least possible there, a literal says that it is reached. An edge chosen at the vertex either has one of
  its cheaper partners beside it or makes that literal true: one clause an edge. For turns that is one literal a cell,
  false only where the tour goes straight.
- Other pairs: a literal that is true where both edges are chosen (the negation of one that needs both where the weight
  is negative).

Vertices and pairs that a symmetry makes the same share a literal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import reduce
from itertools import pairwise
from math import gcd
from typing import Protocol

from encoders.sat.totalizer import MAX_SUM_CLAUSES, Clause, Totalizer, at_least, clauses_of_at_least
from kt_models.errors import TooLarge
from kt_models.problem import Problem
from kt_models.weights import Weights

MAX_SUMS, FEW_INPUTS = 10_000, 24
"""Most sums that the counter of a constraint tells apart, and so few inputs that there are few whatever they weigh."""


class Clauses(Protocol):
    """The formula to which the literals of a sum are added: a `Formula`."""

    problem: Problem
    edge: list[int]
    end: list[int]
    left_out: list[int]
    clauses: list[Clause]

    def new(self) -> int:
        """A new variable."""

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause."""


class Objective:
    """The literals of the objective; the constructor adds their clauses to the formula.

    Parameters
    ----------
    weights
        Weights of a sum other than the objective of the formula's problem.

    Attributes
    ----------
    base
        The constant part of the objective.
    weights
        From literals to their positive costs.
    """

    def __init__(
        self, formula: Clauses, check: Callable[[], None] = lambda: None, weights: Weights | None = None
    ) -> None:
        self.formula = formula
        self.base = 0
        self.weights: dict[int, int] = defaultdict(int)
        # Equal cells of a board have equal clauses; they share a literal, which saves variables and propagates both
        # ways.
        self._known: dict[tuple[tuple[int, ...], ...], int] = {}
        weights = formula.problem.weights if weights is None else weights
        assert weights is not None
        graph = formula.problem.graph
        looped = set(graph.tails[graph.tails == graph.heads].tolist())  # A loop alone fills a vertex.
        tails, heads = graph.tails.tolist(), graph.heads.tolist()
        at_vertex: dict[int, dict[tuple[int, int], int]] = defaultdict(lambda: defaultdict(int))
        apart: dict[tuple[int, int], int] = defaultdict(int)
        for e, f, w in zip(weights.first.tolist(), weights.second.tolist(), weights.weight.tolist(), strict=True):
            # Two parallel edges have two common vertices: such a pair is not a turn of one vertex, and counts as apart.
            common = {tails[e], heads[e]} & {tails[f], heads[f]}
            if e != f and len(common) == 1 and not common & looped:
                at_vertex[common.pop()][min(e, f), max(e, f)] += w
            else:
                x, y = formula.edge[e], formula.edge[f]
                apart[min(x, y), max(x, y)] += w
        for v in sorted(at_vertex):
            check()
            self._vertex(v, at_vertex[v])
        # A check now and then: crossings of a large board have millions of pairs.
        for number, ((x, y), w) in enumerate(apart.items()):
            if number % 10_000 == 0:
                check()
            self._pair(x, y, w)
        # Light literals first: the totalizer then builds its tree from sums that are close together.
        light_first = sorted(self.weights.items(), key=lambda item: (item[1], item[0]))
        self.weights = {literal: w for literal, w in light_first if w}

    @property
    def step(self) -> int:
        """The greatest common divisor of the weights: every value is the base plus a multiple of it."""
        return reduce(gcd, self.weights.values(), 0) or 1

    def _vertex(self, v: int, weight: dict[tuple[int, int], int]) -> None:
        formula = self.formula
        if v in formula.problem.terminals:
            return  # A single edge has no pair.
        at = formula.problem.graph.edges_of(v).tolist()
        cost = {pair: 0 for i, e in enumerate(at) for f in at[i + 1 :] for pair in [(min(e, f), max(e, f))]}
        cost.update(weight)
        # For each edge the cost of each pair, and the literal of the other edge.
        partners: dict[int, list[tuple[int, int]]] = {e: [] for e in at}
        for (e, f), c in cost.items():
            partners[e].append((c, formula.edge[f]))
            partners[f].append((c, formula.edge[e]))
        end = formula.end[v]
        for e in at if end else ():
            partners[e].append((0, end))  # At the end of a path there is no pair.
        left_out = formula.left_out[v]
        costs = sorted({c for others in partners.values() for c, _ in others} | ({0} if left_out else set()))
        self.base += costs[0] if costs else 0
        # One literal for each step between neighbouring costs, so that a vertex pays the sum of the steps below its
        # cost.
        for below, above in pairwise(costs):
            clauses = tuple(
                sorted((-formula.edge[e], *sorted(x for c, x in others if c < above)) for e, others in partners.items())
            )
            if left_out and above <= 0:  # A vertex that is left out costs 0.
                clauses = (*clauses, (-left_out,))
            self.weights[self._implied_by_failure(clauses)] += above - below

    def _implied_by_failure(self, clauses: tuple[tuple[int, ...], ...]) -> int:
        """A literal that is true unless all of some clauses hold."""
        if clauses not in self._known:
            literal = self._known[clauses] = self.formula.new()
            for clause in clauses:
                self.formula.add([*clause, literal])
        return self._known[clauses]

    def _pair(self, x: int, y: int, weight: int) -> None:
        if x == y:
            literal = x if weight > 0 else -x
        elif weight > 0:
            literal = self._implied_by_failure(((-x, -y),))
        else:
            both = self.formula.new()
            self.formula.add([-both, x])
            self.formula.add([-both, y])
            literal = -both
        self.base += min(weight, 0)
        self.weights[literal] += abs(weight)


def add_at_most(formula: Clauses, weights: Weights, most: int, check: Callable[[], None] = lambda: None) -> None:
    """Add clauses that keep a sum of weights at a limit or below."""
    total = Objective(formula, check, weights)
    if most < total.base:
        formula.add([])
        return
    step = total.step
    inputs = [(literal, weight // step) for literal, weight in total.weights.items()]
    slack = (most - total.base) // step
    missing = sum(weight for _, weight in inputs) - slack
    if missing <= 0:  # It holds anyway
        return
    if missing < slack and clauses_of_at_least([weight for _, weight in inputs], missing) <= MAX_SUM_CLAUSES:
        opposite = [(-literal, weight) for literal, weight in inputs]
        formula.clauses += at_least(opposite, missing, formula.new, check)
        return
    if slack > MAX_SUMS and len(inputs) > FEW_INPUTS:
        raise TooLarge(f"a constraint with more than {MAX_SUMS:,} sums to tell apart: the limit for clauses")
    totalizer = Totalizer(inputs, slack, formula.new, check, parts=2)
    formula.clauses += totalizer.clauses + totalizer.limit()
