"""`cells`: how many vertices a solution visits that may leave some out.

A cycle has as many vertices as edges, and each path one more: `Problem` adds that to the values that users see
(`Weights.offset`), because a table of edges does not tell cycles from paths.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kt_models.graph import MoveGraph
from kt_models.metrics import Metric
from kt_models.weights import Weights

CELLS = "cells"


def cell_weights(graph: MoveGraph, edges: npt.NDArray[np.int64] | None = None) -> Weights:
    """One for each edge."""
    chosen = np.arange(graph.m) if edges is None else edges
    return Weights(chosen, chosen, np.ones(len(chosen), dtype=np.int64), CELLS)  # type: ignore[arg-type]


METRIC = Metric(
    CELLS,
    "cells that are visited, of a walk that may leave some out",
    "edges",
    cell_weights,
    needs="nothing",
    synonyms=("cell", "vertices", "visited", "size"),
)
