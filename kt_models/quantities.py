"""Sums of weights of a solution, for objectives and constraints: a measure by its name, or a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np

from kt_models.arguments import require_wholes
from kt_models.board import integer_rows
from kt_models.decimals import PLAIN, Unit, scaled
from kt_models.directed import SplitGraph
from kt_models.errors import KTError, excerpt, unknown
from kt_models.expressions import Expression, expression_from_objective, objective_from_expression
from kt_models.graph import MoveGraph
from kt_models.json_values import are_integers
from kt_models.metrics import METRICS, SYNONYMS
from kt_models.pairs import count_steps, has_patterns, pair_weights
from kt_models.weights import WEIGHT, Weights

OTHER_WEIGHTS = "other weights"
"""Name in files of weights whose own name means something else."""
Quantity = str | Weights
"""The name of a metric that the graph has patterns of, such as `turns` on a board, or a table."""


def quantity_on(graph: MoveGraph, quantity: Any, kind: str) -> Quantity:
    """A quantity that a graph has: a sum of measures, or one without patterns on the graph, becomes a table.

    A table that has the name of a metric without being one is called `weight`.

    Parameters
    ----------
    kind
        The role of the quantity, for messages: `objective`.

    Raises
    ------
    KTError
        If the graph has no such quantity.
    """
    if isinstance(quantity, Weights):
        quantity.require_edges(graph)
        if quantity.name in METRICS and quantity.name != WEIGHT and expression_from_objective(graph, quantity) is None:
            return replace(quantity, name=WEIGHT)
        return quantity
    if not isinstance(quantity, str):
        a_what = f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
        raise KTError(f"{a_what} is {', '.join(METRICS)} or Weights, got {excerpt(quantity)}")
    if quantity not in METRICS and not quantity.isalpha():
        return quantity_on(graph, objective_from_expression(graph, quantity), kind)
    if quantity not in METRICS:
        known = [name for name in METRICS if name != WEIGHT or graph.weights is not None]
        raise unknown(kind, quantity, known, SYNONYMS)
    return quantity if has_patterns(graph, quantity) else Expression(((1, quantity),)).weights(graph)


def quantity_name(quantity: Quantity) -> str:
    """The name of a metric, or of weights."""
    return quantity.name if isinstance(quantity, Weights) else quantity


COUNTED = {name: metric.singular for name, metric in METRICS.items() if metric.counts} | {
    "moves changed": "move changed"
}
"""Names of sums that count things, with their singulars."""


def measures_in(graph: MoveGraph, quantity: Quantity | None) -> list[str]:
    """The names of the measures that a sum consists of."""
    if isinstance(quantity, str):
        return [quantity]
    expression = expression_from_objective(graph, quantity) if isinstance(quantity, Weights) else None
    return [] if expression is None else [name for _, name in expression.terms]


def shown_name(graph: MoveGraph, quantity: Quantity | None) -> str:
    """The name of a quantity in sentences: `weight` for weights whose name would mean something else."""
    if not isinstance(quantity, Weights):
        return quantity or WEIGHT
    try:
        expression = Expression.parse(quantity.name)
    except KTError:  # The name is only a label
        single = bool((quantity.first == quantity.second).all() and (quantity.weight == 1).all())
        return quantity.name if quantity.name in COUNTED and single else WEIGHT
    unknown_weights = graph.weights is None and WEIGHT in {name for _, name in expression.terms}
    return WEIGHT if unknown_weights or _misnamed(graph, quantity.name, quantity) else quantity.name


MOVES_BETWEEN = "moves "
"""How the name of a sum begins that counts the moves between two cells: `moves a1-b1`."""


def amount(name: str, number: str, side: str = "") -> str:
    """A value or, with `side`, a bound of a sum: `45 turns`, `a weight of at least 60`."""
    if name.startswith(MOVES_BETWEEN):
        return f"{side}{number} of the {name}"
    if name in COUNTED:
        return f"{side}{number} {COUNTED[name] if number == '1' else name}"
    if name.isidentifier():
        return f"a{'n' if name[0] in 'aeiou' else ''} {name} of {side}{number}"
    return f"a value of {side}{number} for {name}"


def quantity_weights(graph: MoveGraph, quantity: Quantity) -> Weights:
    """A quantity as a table of edges and pairs of edges."""
    return pair_weights(graph, quantity) if isinstance(quantity, str) else quantity


def quantity_unit(quantity: Quantity) -> Unit:
    """How costs and values of a quantity are converted into each other."""
    return quantity.unit if isinstance(quantity, Weights) else PLAIN


def quantity_cost(graph: MoveGraph, quantity: Quantity, edges: Any) -> int:
    """The sum of a set of edges, as the integer that is minimised.

    Raises
    ------
    KTError
        If an edge is not in the graph.
    """
    chosen = require_wholes(edges, "edges")
    if len(chosen) and not 0 <= chosen.min() <= chosen.max() < graph.m:
        raise KTError(f"edges must be numbers from 0 to {graph.m - 1:,}")
    if isinstance(quantity, Weights):
        return quantity.cost(chosen)
    return count_steps(graph, quantity, graph.tails[chosen], graph.edge_move[chosen])


def measure_of(graph: MoveGraph, metric: str, edges: Any) -> int | float:
    """The value of a metric of some edges, as users see it."""
    quantity = quantity_on(graph, metric, "metric")
    return cast("int | float", quantity_unit(quantity).value(quantity_cost(graph, quantity, edges)))


def quantity_to_json(graph: MoveGraph, quantity: Quantity, name: str) -> dict[str, Any]:
    """The name of a quantity under a key, and its `weights`, rows of two edges and a weight, where it is no expression
    of measures; `sense` if it is maximised."""
    data: dict[str, Any] = {name: quantity_name(quantity)}
    if isinstance(quantity, Weights):
        if expression_from_objective(graph, quantity) is None:
            if _misnamed(graph, data[name], quantity):
                data[name] = OTHER_WEIGHTS
            ends = (quantity.first, quantity.second)
            if isinstance(graph, SplitGraph):
                ends = (graph.numbers_of(ends[0]), graph.numbers_of(ends[1]))
            values = map(quantity.unit.value, quantity.weight.tolist())
            data["weights"] = [list(row) for row in zip(ends[0].tolist(), ends[1].tolist(), values, strict=True)]
        if quantity.maximised:
            data["sense"] = "maximize"
    return data


def quantity_from_json(graph: MoveGraph, data: dict[str, Any], name: str) -> Quantity:
    """The quantity of the keys that `quantity_to_json` writes.

    Raises
    ------
    KTError
        If a key is missing or of the wrong type.
    """
    expression, sense = data.get(name), data.get("sense", "minimize")
    if not isinstance(expression, str | None):
        raise KTError(f"{name!r} is not a text")
    if not isinstance(sense, str) or sense not in ("minimize", "maximize"):
        raise KTError("'sense' is neither 'minimize' nor 'maximize'")
    quantity: Quantity
    if "weights" in data:
        quantity = _weights_from_json(graph, data["weights"], expression or WEIGHT)
    elif expression is None:
        raise KTError(f"{name!r} is missing")
    else:
        quantity = quantity_on(graph, expression, name)
    return quantity if sense == "minimize" else quantity_weights(graph, quantity).to_maximise()


def _weights_from_json(graph: MoveGraph, rows: Any, name: str) -> Weights:
    if isinstance(rows, list) and all(isinstance(row, list) and len(row) == 3 for row in rows):
        ends = integer_rows([row[:2] for row in rows], "weights") if rows else np.zeros((0, 2), dtype=np.int64)
        values = [row[2] for row in rows]
        if are_integers(values):  # Sums of tables may be larger than weights in input
            weight, decimals = require_wholes(values, "'weights'"), 0
        else:
            weight, decimals = scaled(values, lambda row: f"'weights': the weight in row {row + 1}")
    elif isinstance(rows, np.ndarray) and rows.shape[1] == 3:
        ends, weight, decimals = rows[:, :2], rows[:, 2], 0
    else:
        raise KTError("'weights' is not a list of [edge, edge, weight]")
    if len(ends) and (ends.min() < 0 or ends.max() >= graph.m):
        raise KTError("'weights' is not a list of [edge, edge, weight]")
    if isinstance(graph, SplitGraph):
        ends = graph.edges_numbered(ends).astype(np.int64)
    first, second = ends.astype(np.int32).T
    weights = Weights(first, second, weight, name, decimals=decimals)
    if _misnamed(graph, name, weights):
        raise KTError(f"the sum is called {excerpt(name)}, and 'weights' are not its weights")
    return weights


def _misnamed(graph: MoveGraph, name: str, weights: Weights) -> bool:
    """Whether a name is an expression that the weights, as users see them, do not equal."""
    try:
        expression = Expression.parse(name)
    except KTError:
        return False
    if graph.weights is None and WEIGHT in {term for _, term in expression.terms}:
        return False  # Only the name that weights have by default
    try:
        return expression.weights(graph) != (weights.to_minimise() if weights.maximised else weights)
    except KTError:  # A measure that the graph does not have
        return True
