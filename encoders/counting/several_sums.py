"""The count of tours by several sums at once, such as turns and crossings, by a sweep with several counters.

That sum has the others as the digits of a number: each sum minus its least possible value, times a power that the
digits below cannot reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import add

from kt_models.errors import TooLarge
from kt_models.kernel.certificates.frontier import count_solutions
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem, require_no_conditions
from kt_models.quantities import Quantity, quantity_weights
from kt_models.weights import Weights

MAX_TOTAL = 2**50
"""Most that the weights of all digits may come to."""


def count_jointly(
    problem: Problem, quantities: Sequence[Quantity], *, at_most: int | None = None, limits: Limits = NO_LIMITS
) -> dict[tuple[int, ...], int]:
    """The exact number of undirected tours with each combination of costs; images under symmetries count separately.

    Parameters
    ----------
    problem
        Its objective and its constraints are ignored.
    quantities
        Sums, at least one.
    at_most
        Count only tours whose cost of the first sum is at most this.

    Raises
    ------
    TooLarge
        If the tables would take more memory, or a sum has weights that no sweep takes.
    Stopped
        If the limits end it.
    KTError
        If the problem has a symmetry.
    """
    require_no_conditions(problem, "a sweep")
    plain = replace(problem.unconstrained, objective=None)
    signs, tables = zip(
        *(_swept(plain, quantity_weights(problem.graph, sum_).costs) for sum_ in quantities), strict=True
    )
    least = [sum(min(weight, 0) for *_, weight in table.canonical()) for table in tables]
    most = [sum(max(weight, 0) for *_, weight in table.canonical()) for table in tables]
    units = [1]
    for low, high in zip(least[:0:-1], most[:0:-1], strict=True):
        units.insert(0, units[0] * (high - low + 1))
    if units[0] * (most[0] - least[0] + 1) > MAX_TOTAL:
        raise TooLarge(f"{problem.graph.name}: the weights of {len(tables)} sums are too large for one sweep")
    total = reduce(add, (unit * table for unit, table in zip(units, tables, strict=True)))
    shift = sum(unit * low for unit, low in zip(units, least, strict=True))
    cap = None
    if at_most is not None and signs[0] > 0:
        cap = (at_most - least[0] + 1) * units[0] - 1 + shift
    counts = count_solutions(replace(plain, objective=total), by_value=True, at_most=cap, limits=limits)
    joint = {}
    for value, number in (counts.by_value or {}).items():
        left, values = value - shift, []
        for unit, low, sign in zip(units, least, signs, strict=True):
            digit, left = divmod(left, unit)
            values.append(sign * (digit + low))
        if at_most is None or values[0] <= at_most:
            joint[tuple(values)] = number
    return joint


def _swept(problem: Problem, weights: Weights) -> tuple[int, Weights]:
    """1 and weights, or -1 and their opposite: with no gain of two edges that do not meet, which no sweep takes."""
    for sign in (1, -1):
        table = sign * weights
        if not replace(problem, objective=table).gains_apart:
            return sign, table
    raise TooLarge(f"{weights.name}: a sum with weights of both signs, of moves that do not meet, is not swept")
