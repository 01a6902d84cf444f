"""Sums of weights of a solution, for objectives and constraints: a measure by its name, or a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from kt_models.arguments import require_wholes
from kt_models.board import integer_rows
from kt_models.directed import SplitGraph
from kt_models.errors import KTError, excerpt, unknown
from kt_models.expressions import Expression, expression_from_objective, objective_from_expression
from kt_models.graph import MoveGraph
from kt_models.metrics import METRICS, SYNONYMS
from kt_models.pairs import count_steps, has_patterns, pair_weights
from kt_models.weights import WEIGHT, Weights

OTHER_WEIGHTS = "other weights"
"""Name in files of weights whose own name means something else."""
Quantity = str | Weights
"""The name of a metric that the graph has patterns of, such as `turns` on a board, or a table."""


def quantity_on(graph: MoveGraph, quantity: Any, what: str) -> Quantity:
    """A quantity that a graph has: a metric without patterns on the graph, such as `weight`, becomes a table.

    A table that has the name of a metric without being one is called `weight`.

    Parameters
    ----------
    what
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
        a_what = f"{'an' if what[0] in 'aeiou' else 'a'} {what}"
        raise KTError(f"{a_what} is {', '.join(METRICS)} or Weights, got {excerpt(quantity)}")
    if quantity not in METRICS:
        known = [name for name in METRICS if name != WEIGHT or graph.weights is not None]
        raise unknown(what, quantity, known, SYNONYMS)
    return quantity if has_patterns(graph, quantity) else Expression(((1, quantity),)).weights(graph)


def quantity_name(quantity: Quantity) -> str:
    """The name of a metric, or of weights."""
    return quantity.name if isinstance(quantity, Weights) else quantity


def quantity_weights(graph: MoveGraph, quantity: Quantity) -> Weights:
    """A quantity as a table of edges and pairs of edges."""
    return pair_weights(graph, quantity) if isinstance(quantity, str) else quantity


def quantity_value(graph: MoveGraph, quantity: Quantity, edges: Any) -> int:
    """The sum of a set of edges.

    Raises
    ------
    KTError
        If an edge is not in the graph.
    """
    chosen = require_wholes(edges, "edges")
    if len(chosen) and not 0 <= chosen.min() <= chosen.max() < graph.m:
        raise KTError(f"edges must be numbers from 0 to {graph.m - 1:,}")
    if isinstance(quantity, Weights):
        return quantity.value(chosen)
    return count_steps(graph, quantity, graph.tails[chosen], graph.edge_move[chosen])


def quantity_to_json(graph: MoveGraph, quantity: Quantity, name: str) -> dict[str, Any]:
    """The name of a quantity under a key, and its `weights`, rows of two edges and a weight, where it is no expression
    of measures."""
    data: dict[str, Any] = {name: quantity_name(quantity)}
    if isinstance(quantity, Weights) and expression_from_objective(graph, quantity) is None:
        if _misnamed(graph, data[name], quantity):
            data[name] = OTHER_WEIGHTS
        edges = (quantity.first, quantity.second)
        if isinstance(graph, SplitGraph):
            edges = (graph.numbers_of(edges[0]), graph.numbers_of(edges[1]))
        data["weights"] = np.stack((*edges, quantity.weight), axis=1).tolist()
    return data


def quantity_from_json(graph: MoveGraph, data: dict[str, Any], name: str) -> Quantity:
    """The quantity of the keys that `quantity_to_json` writes.

    Raises
    ------
    KTError
        If a key is missing or of the wrong type.
    """
    said = data.get(name)
    if not isinstance(said, str | None):
        raise KTError(f"{name!r} is not a text")
    if "weights" not in data:
        if said is None:
            raise KTError(f"{name!r} is missing")
        return objective_from_expression(graph, said)
    rows = integer_rows(data["weights"], "weights") if data["weights"] else np.zeros((0, 3), dtype=np.int64)
    if rows.shape[1] != 3 or (len(rows) and (rows[:, :2].min() < 0 or rows[:, :2].max() >= graph.m)):
        raise KTError("'weights' is not a list of [edge, edge, weight]")
    if isinstance(graph, SplitGraph):
        rows[:, :2] = graph.edges_numbered(rows[:, :2])
    weights = Weights(rows[:, 0].astype(np.int32), rows[:, 1].astype(np.int32), rows[:, 2], said or WEIGHT)
    if _misnamed(graph, weights.name, weights):
        raise KTError(f"{name!r} says {excerpt(said)}, and 'weights' are not its weights")
    return weights


def _misnamed(graph: MoveGraph, name: str, weights: Weights) -> bool:
    """Whether a name is an expression that the weights do not equal."""
    try:
        expression = Expression.parse(name)
    except KTError:
        return False
    if graph.weights is None and WEIGHT in {term for _, term in expression.terms}:
        return False  # only the name that weights have by default
    try:
        return expression.weights(graph) != weights
    except KTError:  # a measure that the graph does not have
        return True
