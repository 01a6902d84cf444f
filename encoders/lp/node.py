"""The linear program of a branch and bound node, and the reading of its solution.

A variable is the share of an option at a vertex (options as in `kt_models.kernel.certificates.nodes`):

    least sum of weights  with  options of a vertex sum to 1,  both ends of an edge agree,  rows (cut-sets, blossoms).

A node forbids options by an upper bound of 0, so the dual solution stays feasible, and the dual simplex method
continues from the last basis. One extra variable for each vertex and row, of cost `PENALTY`, keeps every node feasible,
so that the bound closes a node without solutions like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from encoders.lp.duals import multipliers
from encoders.lp.program import Entries, Floats, LinearProgram
from kt_models.kernel.certificates.cut_inequalities import Inequality
from kt_models.kernel.certificates.integers import Ints, largest
from kt_models.kernel.certificates.nodes import Instance, State
from kt_models.limits import NO_LIMITS

PENALTY = 50
"""Cost, as a multiple of the heaviest weight, of leaving a vertex without an option, or a row violated."""


class NodeProgram:
    """The linear program, kept between nodes.

    Parameters
    ----------
    instance
        The problem, with its options at each vertex.

    Attributes
    ----------
    limits
        Looked at now and then within a linear program too.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance, self.limits = instance, NO_LIMITS
        n, m, options = instance.n, instance.m, instance.options
        owner = np.repeat(np.arange(n), np.diff(options.start))
        self.options = count = len(owner)
        self.base = options.start[:-1].tolist()  # First variable of each vertex.
        self.of_vertex = [slice(a, b) for a, b in pairwise([*self.base, count])]
        self.loaded = [(1 << width) - 1 for width in instance.widths]
        two = options.second >= 0
        edge = np.concatenate([options.first, options.second[two]])
        column = np.concatenate([np.arange(count), np.flatnonzero(two)])
        tail = instance.problem.graph.tails[edge] == owner[column]
        self.tail_edge, self.tail_option = edge[tail], column[tail]  # The options that use an edge at its tail.
        self.head_edge, self.head_option = edge[~tail], column[~tail]
        self.ending = np.flatnonzero(~two & instance.free[owner])
        self.ending_vertex = owner[self.ending]
        heaviest = max(1, largest(options.cost))
        self.penalty = float(PENALTY * heaviest)
        matrix = Entries.joined(
            [
                (edge, column, np.where(tail, 1.0, -1.0)),
                (m + owner, np.arange(count), np.ones(count)),
                (m + np.arange(n), count + np.arange(n), np.ones(n)),
                (np.full(len(self.ending), m + n), self.ending, np.ones(len(self.ending))),
            ]
        )
        sides = np.concatenate([np.zeros(m), np.ones(n), [float(instance.free_ends)]])
        cost = np.concatenate([options.cost.astype(float), np.full(n, self.penalty)])
        self.program = LinearProgram(cost, matrix, sides, sides, warm=True)

    def append(self, inequalities: Sequence[Inequality]) -> None:
        """Add rows."""
        for added in inequalities:
            sign, inside = np.zeros(self.instance.m), np.zeros(self.instance.n)
            sign[added.edges], inside[added.vertices] = added.signs, 1
            total = _sums(self.head_option, sign[self.head_edge], self.options)
            total[self.ending] += inside[self.ending_vertex]
            columns = np.flatnonzero(total)
            self.program.add_row(columns, total[columns], float(added.least))
            self.program.add_slack(self.penalty)

    def load(self, state: State) -> None:
        """Allow the options of a node and no others."""
        columns: list[int] = []
        upper: list[float] = []
        for v, (old, new) in enumerate(zip(self.loaded, state.options, strict=True)):
            change = old ^ new
            while change:
                low = change & -change
                columns.append(self.base[v] + low.bit_length() - 1)
                upper.append(np.inf if new & low else 0.0)
                change ^= low
        if columns:
            self.program.cap(np.array(columns), np.array(upper))
        self.loaded = list(state.options)

    def solve(self, iterations: int | None = None) -> float | None:
        """Solve: the optimum; with a limit on iterations the value reached by then; None if time is up."""
        optimal = self.program.solve(self.limits, iterations)
        if iterations is None and not optimal and not self.limits.over:
            self.program.forget()
            self.program.solve(self.limits)
        return None if self.limits.over else self.program.value

    def basis(self) -> Any:
        """The present basis of the dual simplex method."""
        return self.program.basis

    def restore(self, state: State, basis: Any) -> None:
        """Load a node, with the basis of another one to start from."""
        self.load(state)
        self.program.basis = basis

    def shares(self) -> tuple[Floats, Floats, Floats]:
        """The shares of every option, of every edge, and of a free end at every vertex."""
        taken = self.program.variables[: self.options]
        used = _sums(self.tail_edge, taken[self.tail_option], self.instance.m)
        return taken, used, _sums(self.ending_vertex, taken[self.ending], self.instance.n)

    def multipliers(self, denominator: int) -> Ints:
        """The dual solution as integers, in the order of `kt_models.kernel.certificates.tree.Evaluator`."""
        m, n, dual = self.instance.m, self.instance.n, self.program.duals
        return multipliers(dual[:m], dual[m + n], dual[m + n + 1 :], denominator)


def _sums(places: Ints, values: Floats, size: int) -> Floats:
    """Sum of the values at each place."""
    return np.bincount(places, values, size).astype(float)
