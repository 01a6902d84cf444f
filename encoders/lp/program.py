"""A linear program in HiGHS that continues from its last basis: arrays in, arrays out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.kernel.certificates.integers import Ints
from kt_models.limits import NO_LIMITS, Limits

Floats = npt.NDArray[np.float64]
MAX_SIMPLEX_COLUMNS = 20_000
"""Most columns for the simplex method; above, the interior point method is faster. Its answer is not moved to a
vertex."""


class Entries(NamedTuple):
    """The nonzero entries of a sparse matrix, each place once.

    scipy has such matrices, but its import takes longer than a small problem.
    """

    rows: Ints
    columns: Ints
    values: Floats

    @staticmethod
    def joined(parts: Sequence[tuple[Ints, Ints, Floats]]) -> Entries:
        """The entries of a sum of matrices with disjoint places."""
        return Entries(*(np.concatenate(part) for part in zip(*parts, strict=True)))


class LinearProgram:
    """Minimise `cost @ x` subject to `lower <= matrix @ x <= upper`, with x >= 0 except for `free` variables.

    Parameters
    ----------
    cost
        Shape (c,).
    matrix
        Shape (r, c).
    lower, upper
        Shape (r,).
    free
        Which variables may be negative, shape (c,); none by default.
    warm
        Whether it is solved many times with small changes: one thread, the dual simplex method from the last basis.
    """

    def __init__(
        self,
        cost: Floats,
        matrix: Entries,
        lower: Floats,
        upper: Floats,
        free: npt.NDArray[np.bool_] | None = None,
        *,
        warm: bool = False,
    ) -> None:
        import highspy

        by_column = np.lexsort((matrix.rows, matrix.columns))
        model = highspy.HighsLp()
        model.num_row_, model.num_col_ = len(lower), len(cost)
        model.col_cost_, model.row_lower_, model.row_upper_ = cost, lower, upper
        model.col_lower_ = np.zeros(len(cost)) if free is None else np.where(free, -math.inf, 0.0)
        model.col_upper_ = np.full(len(cost), math.inf)
        model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        model.a_matrix_.start_ = np.searchsorted(matrix.columns[by_column], np.arange(len(cost) + 1)).astype(np.int32)
        model.a_matrix_.index_ = matrix.rows[by_column].astype(np.int32)
        model.a_matrix_.value_ = matrix.values[by_column].astype(float)
        self._highs = highspy.Highs()
        self._limits = NO_LIMITS
        self._options(output_flag=False)
        if warm:
            self._options(threads=1, presolve="off", solver="simplex")
        elif len(cost) > MAX_SIMPLEX_COLUMNS:
            self._options(solver="ipm", run_crossover="off")
        self._highs.cbSimplexInterrupt.subscribe(self._look)
        self._highs.cbIpmInterrupt.subscribe(self._look)
        self._highs.passModel(model)

    def _options(self, **values: bool | float | str) -> None:
        for name, value in values.items():
            self._highs.setOptionValue(name, value)

    def _look(self, event: Any) -> None:
        event.interrupt(self._limits.over)  # HiGHS keeps the last value, so False has to be set too.

    def add_row(self, columns: Ints, values: Floats, least: float) -> None:
        """Add the row `values @ x[columns] >= least`."""
        self._highs.addRow(least, math.inf, len(columns), columns.astype(np.int32), values)

    def add_sums(self, rows: Sequence[Ints], least: float) -> None:
        """Add the rows `sum(x[columns]) >= least`, in one call: many calls take longer than to solve the program."""
        if not rows:
            return
        sizes, columns = np.array([len(row) for row in rows]), np.concatenate(rows)
        begin = np.cumsum(sizes) - sizes
        low, high = np.full(len(rows), least), np.full(len(rows), math.inf)
        self._highs.addRows(
            len(rows), low, high, len(columns), begin.astype(np.int32), columns.astype(np.int32), np.ones(len(columns))
        )

    def add_slack(self, cost: float) -> None:
        """Allow the last row to be violated, at a cost."""
        self._highs.addCol(cost, 0, math.inf, 1, np.array([self._highs.getNumRow() - 1], dtype=np.int32), np.ones(1))

    def add_columns(self, cost: Floats, upper: Floats, matrix: Entries) -> None:
        """Add variables from 0 to `upper`; the columns of `matrix` are counted from the first of them."""
        order = np.argsort(matrix.columns, kind="stable")
        start = np.searchsorted(matrix.columns[order], np.arange(len(cost))).astype(np.int32)
        rows, values = matrix.rows[order].astype(np.int32), matrix.values[order].astype(float)
        self._highs.addCols(len(cost), cost, np.zeros(len(cost)), upper, len(rows), start, rows, values)

    def delete_rows(self, rows: Ints) -> None:
        """Delete rows whose slack is in the basis, so that the rest of it remains a basis."""
        import highspy

        basis = self._highs.getBasis()
        self._highs.deleteRows(len(rows), rows.astype(np.int32))
        gone = set(rows.tolist())
        kept = highspy.HighsBasis()
        kept.col_status = list(basis.col_status)
        kept.row_status = [status for r, status in enumerate(basis.row_status) if r not in gone]
        kept.valid = True
        self._highs.setBasis(kept)

    @property
    def row_is_basic(self) -> npt.NDArray[np.bool_]:
        """Whether the slack of each row is in the basis, shape (r,)."""
        import highspy

        return np.array([status == highspy.HighsBasisStatus.kBasic for status in self._highs.getBasis().row_status])

    def tighten(self) -> None:
        """Solve with the smallest tolerances that make sense."""
        self._options(primal_feasibility_tolerance=1e-9, dual_feasibility_tolerance=1e-9)

    def bound(self, columns: Ints, lower: Floats, upper: Floats) -> None:
        """Set lower and upper bounds of variables."""
        self._highs.changeColsBounds(len(columns), columns.astype(np.int32), lower, upper)

    def cap(self, columns: Ints, upper: Floats) -> None:
        """Set upper bounds of variables that are not negative."""
        self._highs.changeColsBounds(len(columns), columns.astype(np.int32), np.zeros(len(columns)), upper)

    def solve(self, limits: Limits = NO_LIMITS, iterations: int | None = None) -> bool:
        """Solve; return whether an optimum was reached within the limits and the steps of the simplex method."""
        import highspy

        self._limits = limits
        self._options(
            time_limit=float(min(self._highs.getRunTime() + limits.left, 1e9)),
            simplex_iteration_limit=2**31 - 1 if iterations is None else iterations,
        )
        self._highs.run()
        return bool(self._highs.getModelStatus() == highspy.HighsModelStatus.kOptimal)

    def forget(self) -> None:
        """Discard the basis, so that the next solve starts from scratch."""
        self._highs.clearSolver()

    @property
    def basis(self) -> Any:
        """The basis of the simplex method; setting it sets the start of the next solve."""
        return self._highs.getBasis()

    @basis.setter
    def basis(self, basis: Any) -> None:
        self._highs.setBasis(basis)

    def start_from(self, basis: Any) -> None:
        """Set a basis of the program before some rows and columns were added; with deleted rows there is no such."""
        import highspy

        more_rows = self._highs.getNumRow() - len(basis.row_status)
        more_columns = self._highs.getNumCol() - len(basis.col_status)
        if more_rows < 0 or more_columns < 0:
            return
        if more_rows or more_columns:
            padded = highspy.HighsBasis()
            padded.row_status = [*basis.row_status, *[highspy.HighsBasisStatus.kBasic] * more_rows]
            padded.col_status = [*basis.col_status, *[highspy.HighsBasisStatus.kLower] * more_columns]
            padded.valid = True
            basis = padded
        self._highs.setBasis(basis)

    @property
    def value(self) -> float:
        """The optimum, or the value reached."""
        return float(self._highs.getInfoValue("objective_function_value")[1])

    @property
    def variables(self) -> Floats:
        """Shape (c,)."""
        return np.array(self._highs.getSolution().col_value)

    @property
    def duals(self) -> Floats:
        """The multipliers of the rows, shape (r,): the derivatives of the value by the right hand sides."""
        return np.array(self._highs.getSolution().row_dual)
