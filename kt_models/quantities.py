"""Sums of weights of a solution, for objectives and constraints: a measure by its name, or a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from kt_models.arguments import require_wholes
from kt_models.board import integer_rows
from kt_models.directed import SplitGraph
from kt_models.errors import KTError, excerpt, unknown
from kt_models.expressions import expression_from_objective, objective_from_expression
from kt_models.graph import MoveGraph
from kt_models.pairs import METRIC_SYNONYMS, METRICS, count_steps, pair_weights
from kt_models.weights import WEIGHT, Weights, weights_of

Quantity = str | Weights
"""`turns`, `crossings` or a table."""


def quantity_on(graph: MoveGraph, quantity: Any, what: str) -> Quantity:
    """A quantity that a graph has; `weight` becomes the table of the weights that the graph comes with.

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
        return quantity
    if not isinstance(quantity, str):
        a_what = f"{'an' if what[0] in 'aeiou' else 'a'} {what}"
        raise KTError(f"{a_what} is {', '.join(METRICS)}, {WEIGHT} or Weights, got {excerpt(quantity)}")
    if quantity == WEIGHT:
        return weights_of(graph)
    if quantity not in METRICS:
        known = METRICS if graph.weights is None else (*METRICS, WEIGHT)
        raise unknown(what, quantity, known, METRIC_SYNONYMS)
    if graph.board is None:
        raise KTError(f"{quantity} of {graph.name}: a graph without a board has none: its edges have no vectors")
    return quantity


def quantity_name(quantity: Quantity) -> str:
    """`turns`, `crossings` or the name of the weights, which is never one of these."""
    if isinstance(quantity, Weights):
        return WEIGHT if quantity.name in METRICS else quantity.name
    return quantity


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
    return Weights(rows[:, 0].astype(np.int32), rows[:, 1].astype(np.int32), rows[:, 2], said or WEIGHT)
