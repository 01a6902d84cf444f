"""A linear program in HiGHS that rows are added to: arrays in, arrays out."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.limits import NO_LIMITS, Limits

Floats = npt.NDArray[np.float64]
SIMPLEX_COLUMNS = 20_000
"""Above so many columns the interior point method is faster; its answer is taken as it is, not moved to a vertex."""


class Solution(NamedTuple):
    """Value, the variables, and the multipliers of the rows (the value's derivatives by the right hand sides)."""

    value: float
    columns: Floats
    duals: Floats


class LinearProgram:
    """Minimise `cost @ x` subject to `lower <= matrix @ x <= upper`.

    Parameters
    ----------
    cost
        Shape (c,).
    free
        Which variables may be negative, shape (c,); the others are not.
    matrix
        Sparse, shape (r, c).
    lower, upper
        Shape (r,).
    """

    def __init__(self, cost: Floats, free: npt.NDArray[np.bool_], matrix: Any, lower: Floats, upper: Floats) -> None:
        import highspy

        columns = matrix.tocsc()
        model = highspy.HighsLp()
        model.num_row_, model.num_col_ = columns.shape
        model.col_cost_, model.row_lower_, model.row_upper_ = cost, lower, upper
        model.col_lower_ = np.where(free, -math.inf, 0.0)
        model.col_upper_ = np.full(len(cost), math.inf)
        model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        model.a_matrix_.start_, model.a_matrix_.index_ = columns.indptr, columns.indices
        model.a_matrix_.value_ = columns.data.astype(float)
        self._highs = highspy.Highs()
        self._highs.setOptionValue("output_flag", False)
        if len(cost) > SIMPLEX_COLUMNS:
            self._highs.setOptionValue("solver", "ipm")
            self._highs.setOptionValue("run_crossover", "off")
        self._highs.passModel(model)

    def add_row(self, columns: npt.NDArray[np.int32], values: Floats, lower: float) -> None:
        """Ask for `values @ x[columns] >= lower` as well."""
        self._highs.addRow(lower, math.inf, len(columns), columns, values)

    def solve(self, limits: Limits = NO_LIMITS) -> Solution | None:
        """The optimal solution; None if there is none, or the limits were reached."""
        import highspy

        def look(event: Any) -> None:
            if limits.over:
                event.interrupt()

        if limits.stop is not None:
            self._highs.cbSimplexInterrupt.subscribe(look)
            self._highs.cbIpmInterrupt.subscribe(look)
        self._highs.setOptionValue("time_limit", float(min(self._highs.getRunTime() + limits.left, 1e9)))
        self._highs.run()
        if self._highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        answer = self._highs.getSolution()
        value = float(self._highs.getInfo().objective_function_value)
        return Solution(value, np.array(answer.col_value), np.array(answer.row_dual))
