"""The linear program of a branch and bound node, and what is read off its dual solution.

A variable says how much of an option a vertex takes (options as in `kt_models.certificates.nodes`):

    least sum of weights  with  options of a vertex sum to 1,  both ends of an edge agree,  rows (cut-sets, blossoms).

A node forbids options, which is an upper bound of 0: the dual solution stays feasible, and the dual simplex method
goes on from the last basis.  One variable more per vertex and per row, of cost `PENALTY`, keeps every node feasible,
so that a node without solutions is closed by its bound like any other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kt_models.certificates.cuts import Inequality
from kt_models.certificates.integers import largest
from kt_models.certificates.nodes import Instance, State
from kt_models.limits import Limits

if TYPE_CHECKING:
    import highspy

PENALTY = 50
"""Times the heaviest weight: what it costs to leave a vertex without an option, or a row violated."""
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class NodeProgram:
    """The linear program, kept between nodes.

    Parameters
    ----------
    instance
        The problem cut up by vertex.
    limits
        Looked at now and then within a linear program too.
    """

    def __init__(self, instance: Instance, limits: Limits) -> None:
        import highspy

        self.instance = instance
        n, m = instance.n, instance.m
        self.solver = solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        solver.setOptionValue("threads", 1)
        solver.setOptionValue("presolve", "off")
        solver.setOptionValue("solver", "simplex")

        def look(event: Any) -> None:
            if limits.over:
                event.interrupt()

        self.limits = limits
        solver.cbSimplexInterrupt.subscribe(look)
        nothing = np.array([], dtype=np.int32), np.array([])
        for _ in range(m):
            solver.addRow(0, 0, 0, *nothing)
        for _ in range(n):
            solver.addRow(1, 1, 0, *nothing)
        solver.addRow(instance.free_ends, instance.free_ends, 0, *nothing)
        options = instance.options
        self.base = options.start[:-1].tolist()  # first variable of each vertex
        self.at_head: list[list[int]] = [[] for _ in range(m)]  # the options that use an edge at its head
        self.at_tail: list[list[int]] = [[] for _ in range(m)]
        self.ending: list[list[int]] = [[] for _ in range(n)]
        owner = np.repeat(np.arange(n), np.diff(options.start))
        table = zip(owner.tolist(), options.first.tolist(), options.second.tolist(), options.own.tolist(), strict=True)
        for column, (v, first, second, weight) in enumerate(table):
            index, value = [m + v], [1.0]
            for e in (first, second) if second >= 0 else (first,):
                tail = instance.ends[e][0] == v
                (self.at_tail if tail else self.at_head)[e].append(column)
                index.append(e)
                value.append(1.0 if tail else -1.0)
            if second < 0 and instance.free[v]:
                self.ending[v].append(column)
                index.append(m + n)
                value.append(1.0)
            solver.addCol(float(weight), 0, np.inf, len(index), np.array(index, dtype=np.int32), np.array(value))
        count, heaviest = len(owner), max(1, largest(options.own))
        self.penalty = float(PENALTY * heaviest)
        self.loaded = [(1 << width) - 1 for width in instance.widths]
        for v in range(n):
            solver.addCol(self.penalty, 0, np.inf, 1, np.array([m + v], dtype=np.int32), np.ones(1))
        self.options = count
        starts = [*self.base, count]
        self.of_vertex = [slice(a, b) for a, b in pairwise(starts)]

    def append(self, inequalities: Sequence[Inequality]) -> None:
        """Add rows."""
        for added in inequalities:
            total: dict[int, float] = defaultdict(float)
            for e, sign in zip(added.edges.tolist(), added.signs.tolist(), strict=True):
                for column in self.at_head[e]:
                    total[column] += float(sign)
            for v in added.vertices.tolist():
                for column in self.ending[v]:
                    total[column] += 1.0
            index = np.array(list(total), dtype=np.int32)
            self.solver.addRow(added.least, np.inf, len(index), index, np.array(list(total.values())))
            place = self.solver.getNumRow() - 1
            self.solver.addCol(self.penalty, 0, np.inf, 1, np.array([place], dtype=np.int32), np.ones(1))

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
            index = np.array(columns, dtype=np.int32)
            self.solver.changeColsBounds(len(index), index, np.zeros(len(index)), np.array(upper))
        self.loaded = list(state.options)

    def solve(self, iterations: int | None = None) -> float | None:
        """The optimum; with a limit on the iterations what the dual simplex method had reached; None if time is up."""
        import highspy

        self.solver.setOptionValue("simplex_iteration_limit", 2**31 - 1 if iterations is None else iterations)
        self.solver.run()
        optimal = self.solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
        if iterations is None and not optimal and not self.limits.over:  # once more, from nothing
            self.solver.clearSolver()
            self.solver.run()
        if self.limits.over:
            return None
        return float(self.solver.getInfoValue("objective_function_value")[1])

    def basis(self) -> highspy.HighsBasis:
        """Where the dual simplex method stands."""
        return self.solver.getBasis()

    def restore(self, state: State, basis: highspy.HighsBasis) -> None:
        """Load a node, with a basis of another to start from."""
        self.load(state)
        self.solver.setBasis(basis)

    def shares(self) -> tuple[Floats, Floats, Floats]:
        """How much is taken of every option, of every edge, and of a free end at every vertex."""
        taken = np.array(self.solver.getSolution().col_value[: self.options])
        used = np.array([taken[columns].sum() for columns in self.at_tail])
        return taken, used, np.array([taken[columns].sum() for columns in self.ending])

    def multipliers(self, denominator: int) -> Ints:
        """The dual solution as integers, in the order of `kt_models.certificates.tree.Evaluator`."""
        m, n = self.instance.m, self.instance.n
        dual = np.array(self.solver.getSolution().row_dual)
        real = np.concatenate([-dual[:m], -dual[m + n : m + n + 1], np.maximum(dual[m + n + 1 :], 0)])
        return np.rint(real * denominator).astype(np.int64)
