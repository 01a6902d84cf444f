"""The linear program of branch and cut: some of the edges as columns, the degrees and violated cuts as rows.

    least      sum of weights of edges
    subject to the edges at a vertex, and its free end, sum to its degree; free ends sum to their number;
               rows (cut-sets, blossoms), added as they are violated.

Two slacks for each vertex and one for each row, at a high cost, keep every case feasible, so that the bound closes a
case without solutions like any other. Edges that are no columns yet are priced by the exact multipliers in `search`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from encoders.lp.program import Entries, Floats, LinearProgram
from kt_models.kernel.certificates.cut_inequalities import Cut, Inequality, inequality
from kt_models.kernel.certificates.edge_tree import Case, EdgeProblem
from kt_models.kernel.certificates.integers import Ints
from kt_models.limits import NO_LIMITS

PENALTY = 10.0
"""Cost of a violated degree, as a multiple of the value of the first tour."""
TYPICAL = 100.0
"""Mean weight of a tour's edges in the linear program, so that the tolerances of the solver are small beside it."""


class EdgeProgram:
    """The linear program, kept between cases.

    Parameters
    ----------
    scale
        What the weights are divided by.
    value
        The size of the weights of a tour, about.
    """

    def __init__(self, about: EdgeProblem, value: int) -> None:
        self.about = about
        n = about.n
        self.scale = max(1.0, abs(value) / n) / TYPICAL
        self.ending = np.flatnonzero(about.may_end)
        self.limits = NO_LIMITS
        penalty = PENALTY * max(1.0, abs(value) / self.scale)
        vertices, ends = np.arange(n), len(self.ending)
        sides = np.append(about.degree, about.free_ends).astype(float)
        matrix = Entries.joined(
            [
                (vertices, vertices, np.ones(n)),
                (vertices, n + vertices, -np.ones(n)),
                (self.ending, 2 * n + np.arange(ends), np.ones(ends)),
                (np.full(ends, n), 2 * n + np.arange(ends), np.ones(ends)),
            ]
        )
        # The last column makes up for the edges that a case lacks for a cut: no program is without a solution.
        cost = np.concatenate([np.full(2 * n, penalty), np.zeros(ends), [n * penalty]])
        self.program = LinearProgram(cost, matrix, sides, sides, warm=True)
        self.program.tighten()
        if ends:
            self.program.cap(2 * n + np.arange(ends), np.ones(ends))
        self._elastic = 2 * n + ends
        self._first = self._elastic + 1
        self.edges: Ints = np.zeros(0, dtype=np.int64)
        """The edges that are columns, in order."""
        self.column = np.full(about.m, -1, dtype=np.int64)
        """The place of each edge among these, shape (m,); -1 for others."""
        self._low, self._high = np.zeros(0), np.zeros(0)
        self.rows: list[int] = []
        """The cut of each row behind those of the degrees."""
        self.cuts: list[Cut] = []
        self._number: dict[Cut, int] = {}

    def add_edges(self, edges: Ints) -> None:
        """Make edges columns."""
        edges = edges[self.column[edges] < 0]
        if not len(edges):
            return
        about = self.about
        entries = [
            (about.tails[edges], np.arange(len(edges)), np.ones(len(edges))),
            (about.heads[edges], np.arange(len(edges)), np.ones(len(edges))),
        ]
        place = np.full(about.m, -1, dtype=np.int64)
        place[edges] = np.arange(len(edges))
        for r, cut in enumerate(self.rows):
            row = inequality(about.problem, self.cuts[cut])
            known = place[row.edges] >= 0
            columns = place[row.edges[known]]
            entries.append((np.full(len(columns), about.n + 1 + r), columns, row.signs[known].astype(float)))
        self.column[edges] = len(self.edges) + np.arange(len(edges))
        self.edges = np.concatenate([self.edges, edges])
        self._low, self._high = np.append(self._low, np.zeros(len(edges))), np.append(self._high, np.ones(len(edges)))
        self.program.add_columns(about.weight[edges] / self.scale, np.ones(len(edges)), Entries.joined(entries))

    def add_cut(self, cut: Cut, row: Inequality) -> bool:
        """Add a row; a cut that had a row before keeps its number. Return whether it is new."""
        n = self.about.n
        number = self._number.setdefault(cut, len(self.cuts))
        new = number == len(self.cuts)
        if new:
            self.cuts.append(cut)
        column = self.column[row.edges]
        columns, values = self._first + column[column >= 0], row.signs[column >= 0].astype(float)
        if len(self.ending):
            count = np.bincount(row.vertices, minlength=n)[self.ending]
            free = np.flatnonzero(count)
            columns = np.concatenate([columns, 2 * n + free])
            values = np.concatenate([values, count[free].astype(float)])
        columns, values = np.append(columns, self._elastic), np.append(values, 1.0)
        self.program.add_row(columns, values, float(row.least))
        self.rows.append(number)
        return new

    @property
    def present(self) -> list[Cut]:
        """The cuts that are rows."""
        return [self.cuts[number] for number in self.rows]

    def load(self, case: Case) -> None:
        """Make the edges of a case used, unused and open."""
        low, high = np.zeros(len(self.edges)), np.zeros(len(self.edges))
        there = self.column[case.open]
        high[there[there >= 0]] = 1.0
        there = self.column[case.used]
        low[there] = high[there] = 1.0
        changed = np.flatnonzero((low != self._low) | (high != self._high))
        if len(changed):
            self.program.bound(self._first + changed, low[changed], high[changed])
        self._low, self._high = low, high

    def fix(self, edge: int, used: bool) -> None:
        """Make an edge used or unused for a trial; `load` frees it again."""
        place = self.column[[edge]]
        self._low[place] = self._high[place] = float(used)
        self.program.bound(self._first + place, self._low[place], self._high[place])

    def solve(self, iterations: int | None = None) -> float | None:
        """Solve: the value, as the sum of the weights; None if time is up, or the numbers are not fine enough."""
        optimal = self.program.solve(self.limits, iterations)
        if iterations is None and not optimal and not self.limits.over:
            self.program.forget()
            optimal = self.program.solve(self.limits)
        return None if self.limits.over or not (optimal or iterations) else self.program.value * self.scale

    def shares(self) -> tuple[Floats, Floats]:
        """The share of each column's edge, and of a free end at each vertex."""
        values = self.program.variables
        ending = np.zeros(self.about.n)
        ending[self.ending] = values[2 * self.about.n : self._elastic]
        return values[self._first :], ending

    def multipliers(self, denominator: int) -> Ints:
        """The dual solution as integers: vertices, the free end, all cuts."""
        n, dual = self.about.n, self.program.duals * self.scale * denominator
        whole = np.zeros(n + 1 + len(self.cuts), dtype=np.int64)
        whole[: n + 1] = np.rint(dual[: n + 1])
        whole[n + 1 + np.array(self.rows, dtype=np.int64)] = np.maximum(np.rint(dual[n + 1 :]), 0)
        return whole

    def purge(self) -> None:
        """Delete the rows that are slack, so that the program stays small; the bound does not rest on them."""
        dual = self.program.duals[self.about.n + 1 :]
        idle = np.flatnonzero(np.abs(dual) < 1e-9)
        basis = self.program.row_is_basic[self.about.n + 1 :]
        idle = idle[basis[idle]]
        if len(idle):
            self.program.delete_rows(self.about.n + 1 + idle)
            gone = set(idle.tolist())
            self.rows = [cut for r, cut in enumerate(self.rows) if r not in gone]

    def start_from(self, basis: Any) -> None:
        """Continue from another basis; rows and columns that were added since are outside it."""
        self.program.start_from(basis)
