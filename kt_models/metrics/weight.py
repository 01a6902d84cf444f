"""`weight`: the sum of the weights that a graph comes with."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kt_models.graph import MoveGraph
from kt_models.metrics import Metric
from kt_models.weights import WEIGHT, Weights, own_weights


def own_table(graph: MoveGraph, edges: npt.NDArray[np.int64] | None = None) -> Weights:
    """The weights of the edges of a graph."""
    row = own_weights(graph)
    if edges is None:
        return Weights.of_edges(row, decimals=graph.decimals)
    return Weights(edges, edges, row[edges], decimals=graph.decimals)  # type: ignore[arg-type]


METRIC = Metric(
    WEIGHT,
    "weights that the graph comes with",
    "edges",
    own_table,
    needs="weights",
    synonyms=("cost", "costs", "distance", "weights"),
)
