"""The linear model of solutions that may leave vertices out: degrees and sums as rows, connectivity as clauses.

The variables are those of a `Formula`: one for each orbit of edges, one for each vertex where a path may end, one for
each vertex that may be left out, and those of the encoding. Then there is one for each pair of edges that a sum weighs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from encoders.sat.formula import Formula
from encoders.sat.partial import add_connectivity
from kt_models.kernel.certificates.proofs.zero_one import LinearConstraint, opb_text
from kt_models.problem import Problem
from kt_models.weights import Weights


class _Rows(Formula):
    """A formula whose degrees are equations."""

    def __init__(self, problem: Problem) -> None:
        self.rows: list[LinearConstraint] = []
        super().__init__(problem)

    def exactly(self, literals: list[int], count: int, rule: str = "", **data: int) -> None:
        self.rows.append(_row(((1, x) for x in literals), count, equal=True))


class PartialModel:
    """A problem whose solutions may leave vertices out, as linear constraints on 0-1 variables.

    Parameters
    ----------
    problem
        The problem.
    connected
        Whether connectivity is part of it.

    Attributes
    ----------
    rows
        The constraints.
    objective
        Coefficients and variables of what is minimised.
    top
        The greatest variable.
    """

    def __init__(self, problem: Problem, connected: bool = True) -> None:
        formula = self._formula = _Rows(replace(problem, constraints=()))
        if connected:
            add_connectivity(formula)
        self.rows = formula.rows
        for clause in formula.clauses:
            # A clause as an inequality: negated literals count 1 - x
            self.rows.append(_row(((1 if x > 0 else -1, abs(x)) for x in clause), 1 - sum(x < 0 for x in clause)))
        self._pairs: dict[tuple[int, int, bool], int] = {}
        self.objective = [] if problem.weights is None else self._terms(problem.weights)
        for constraint in problem.constraints:
            weights, most = constraint.upper(problem.graph)
            self.rows.append(_row(((-weight, x) for weight, x in self._terms(weights)), -most))
        self.top = formula.top

    @property
    def edge(self) -> list[int]:
        """The variable of each edge."""
        return self._formula.edge

    def _terms(self, weights: Weights) -> list[tuple[int, int]]:
        """Terms of a sum of weights; a pair of edges has a variable, which only the sum's sign of it bounds."""
        edge, terms = self._formula.edge, []
        for e, f, weight in weights.canonical():
            x, y = sorted((edge[e], edge[f]))
            if x != y and (x, y, weight > 0) not in self._pairs:
                both = self._pairs[x, y, weight > 0] = self._formula.new()
                if weight > 0:
                    self.rows.append(_row(((1, both), (-1, x), (-1, y)), -1))
                else:
                    self.rows += [_row(((1, z), (-1, both)), 0) for z in (x, y)]
            terms.append((weight, x if x == y else self._pairs[x, y, weight > 0]))
        return terms

    @property
    def names(self) -> list[str]:
        """Meaning of each variable; empty for those of an encoding."""
        formula, graph = self._formula, self._formula.problem.graph
        vertex = [graph.board.name(v) if graph.board else str(v + 1) for v in range(graph.n)]
        names = [""] * self.top
        for x, (u, v) in zip(formula.edge, graph.ends.tolist(), strict=True):
            names[x - 1] += f"{' ' * bool(names[x - 1])}{vertex[u]}-{vertex[v]}"
        for word, variables in (("end", formula.end), ("out", formula.left_out)):
            for v, x in enumerate(variables):
                if x:
                    names[x - 1] = f"{word} {vertex[v]}"
        return names

    def opb(self, *, minimize: bool = False) -> str:
        """Text of an `.opb` file."""
        return opb_text(self.top, self.names, self.rows, self.objective if minimize else None)


def _row(terms: Iterable[tuple[int, int]], right: int, *, equal: bool = False) -> LinearConstraint:
    total: dict[int, int] = {}
    for weight, x in terms:
        total[x] = total.get(x, 0) + weight
    return LinearConstraint(tuple((weight, x) for x, weight in total.items() if weight), right, equal)
