"""`Constraint`: an upper or lower bound that a sum over the solution has to satisfy, beside the objective.

At most 34 turns and at least 60 crossings are constraints.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor
from typing import Any, cast

from kt_models.arguments import exact_integer, require, require_boolean
from kt_models.board import IntArray
from kt_models.decimals import exact, in_unit
from kt_models.errors import KTError
from kt_models.expressions import expression_from_objective, objective_from_expression
from kt_models.graph import MoveGraph
from kt_models.json_values import is_integer, is_number
from kt_models.metrics import METRICS
from kt_models.quantities import (
    MOVES_BETWEEN,
    Quantity,
    amount,
    quantity_cost,
    quantity_from_json,
    quantity_name,
    quantity_on,
    quantity_to_json,
    quantity_unit,
    quantity_weights,
)
from kt_models.weights import Weights

MAX_CONSTRAINTS = 20
"""Most constraints of a problem."""
MAX_LIMIT = 2**62
"""Largest absolute value of a limit."""


@dataclass(frozen=True)
class Constraint:
    """A bound on a sum.

    Parameters
    ----------
    quantity
        `turns`, `crossings`, any `Weights`, or `weight` for the weights that the graph comes with.
    limit
        The upper or lower limit of the sum, as users see it. Once the weights are known it is a value that the sum can
        have: at most 12.57 is at most 12.5 if weights have one decimal.
    at_least
        Whether it is a lower limit.
    """

    quantity: Quantity
    limit: int | float
    at_least: bool = False

    def __post_init__(self) -> None:
        require(self.quantity, "quantity of a constraint", (str, Weights), "'turns', 'crossings' or Weights")
        object.__setattr__(self, "at_least", require_boolean(self.at_least, "at_least"))
        if isinstance(self.quantity, Weights) and self.quantity.maximised:
            object.__setattr__(self, "quantity", self.quantity.to_minimise())
        object.__setattr__(self, "limit", self._limit(f"the limit of {self.name}"))

    def _limit(self, name: str) -> int | float:
        """The limit as a value that the sum can have."""
        counts = self.name in METRICS and METRICS[self.name].counts
        if isinstance(self.limit, int):
            return exact_integer(self.limit, name, MAX_LIMIT)
        limit = exact(self.limit, name)
        if counts and limit.denominator > 1:
            raise KTError(f"{name} must be an integer, got {self.limit}")
        if counts:
            return limit.numerator
        if isinstance(self.quantity, str):  # The weights are not known yet, nor their unit
            return self.limit
        steps = limit * 10**self.quantity.decimals
        return in_unit(ceil(steps) if self.at_least else floor(steps), self.quantity.decimals)

    @property
    def cost_limit(self) -> int:
        """The limit as an integer in the unit of the weights."""
        return cast(int, quantity_unit(self.quantity).cost(self.limit))

    @property
    def name(self) -> str:
        """`turns`, `crossings` or the name of the weights."""
        return quantity_name(self.quantity)

    @property
    def words(self) -> str:
        """`at most 34`."""
        return f"{self._side}{quantity_unit(self.quantity).words(self.cost_limit)}"

    @property
    def text(self) -> str:
        """`at most 34 turns`, `a value of at least 90 for 2*turns + crossings`."""
        return self.told(self.name)

    def told(self, name: str) -> str:
        """The same with another name of the sum."""
        return amount(name, quantity_unit(self.quantity).words(self.cost_limit), self._side)

    @property
    def _side(self) -> str:
        return "at least " if self.at_least else "at most "

    @classmethod
    def one_of(cls, graph: MoveGraph, edges: Iterable[int]) -> Constraint:
        """A solution has one of the moves between the same two cells, or several."""
        same = sorted(edges)
        name = f"{MOVES_BETWEEN}{graph.edge_name(same[0])}"
        return cls(Weights(same, same, [1] * len(same), name), 1, at_least=True)  # type: ignore[arg-type]

    def requires_pair(self, graph: MoveGraph) -> bool:
        """Whether it is what `one_of` makes of all moves between two cells."""
        if (
            isinstance(self.quantity, str)
            or not self.quantity.name.startswith(MOVES_BETWEEN)
            or not len(self.quantity.first)
        ):
            return False
        first = self.quantity.first[0]
        same = graph.edges_between(int(graph.tails[first]), int(graph.heads[first]))
        return self == Constraint.one_of(graph, same) and self.name == Constraint.one_of(graph, same).name

    def on(self, graph: MoveGraph) -> Constraint:
        """The same with a quantity that the graph has.

        Raises
        ------
        KTError
            If it has no such quantity.
        """
        return Constraint(quantity_on(graph, self.quantity, "constraint"), self.limit, self.at_least)

    def fault(self, graph: MoveGraph, edges: IntArray) -> str | None:
        """How a set of edges breaks the constraint, in words; None if it does not."""
        cost = quantity_cost(graph, self.quantity, edges)
        value = amount(self.name, quantity_unit(self.quantity).words(cost))
        return None if self.holds(cost) else f"{value}, not {self.words}"

    def holds(self, cost: int) -> bool:
        """Whether the sum may be an integer, in the unit of the weights."""
        return cost >= self.cost_limit if self.at_least else cost <= self.cost_limit

    def upper(self, graph: MoveGraph) -> tuple[Weights, int]:
        """Weights, and the upper limit of their sum; a lower limit is negated with its weights."""
        weights = quantity_weights(graph, self.quantity)
        return (-weights, -self.cost_limit) if self.at_least else (weights, self.cost_limit)

    def content(self, graph: MoveGraph) -> list[Any]:
        """Content for a digest, equal for equivalent constraints of a graph."""
        expression = expression_from_objective(graph, self.quantity)
        if expression is not None and expression.is_reversed:
            reversed_sum = objective_from_expression(graph, -expression)
            return Constraint(reversed_sum, -self.limit, not self.at_least).content(graph)
        if isinstance(self.quantity, str):
            return [self.quantity, self.at_least, self.limit]
        rows = self.quantity.canonical()
        if rows and rows[0][2] < 0:
            return [(-self.quantity).content, not self.at_least, -self.limit]
        return [self.quantity.content, self.at_least, self.limit]

    def to_json(self, graph: MoveGraph) -> dict[str, Any]:
        """The keys `sum`, `at_most` or `at_least`, and `weights` where the name does not say the sum."""
        limit = {"at_least" if self.at_least else "at_most": self.limit}
        return quantity_to_json(graph, self.quantity, "sum") | limit

    @classmethod
    def from_json(cls, graph: MoveGraph, data: Any) -> Constraint:
        """The constraint of a JSON object as `to_json` writes it.

        Raises
        ------
        KTError
            If a key is missing or of the wrong type.
        """
        limits = [] if not isinstance(data, dict) else [name for name in ("at_most", "at_least") if name in data]
        if len(limits) != 1 or not is_number(data[limits[0]]):
            raise KTError("a constraint has 'sum', and a number as 'at_most' or 'at_least'")
        quantity = quantity_from_json(graph, data, "sum")
        if isinstance(quantity, str) and not is_integer(data[limits[0]]):
            raise KTError(f"the limit of {quantity} is not an integer")
        return cls(quantity, data[limits[0]], limits[0] == "at_least")


def constraints_on(graph: MoveGraph, constraints: Iterable[Constraint]) -> tuple[Constraint, ...]:
    """Constraints of a graph, in one order and each once.

    Raises
    ------
    KTError
        If the graph has no such sums, or there are more than `MAX_CONSTRAINTS`.
    """
    several = [constraint.on(graph) for constraint in constraints]
    if len(several) > MAX_CONSTRAINTS:
        raise KTError(f"constraints: {len(several)} are given, over the limit of {MAX_CONSTRAINTS}")
    several.sort(key=lambda constraint: (constraint.name, constraint.at_least, constraint.limit))
    return tuple(dict.fromkeys(several))


def constraints_from_json(graph: MoveGraph, rows: Any) -> tuple[Constraint, ...]:
    """The constraints of a list of JSON objects; errors are those of `Constraint.from_json`."""
    if not isinstance(rows, list) or len(rows) > MAX_CONSTRAINTS:
        raise KTError(f"'constraints' is not a list of at most {MAX_CONSTRAINTS} objects")
    return tuple(Constraint.from_json(graph, row) for row in rows)


def constraint_words(constraints: Iterable[Constraint]) -> str:
    """Constraints in words: `at most 34 turns and at least 50 crossings`."""
    return " and ".join(constraint.text for constraint in constraints)
