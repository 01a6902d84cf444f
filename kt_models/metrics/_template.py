"""`straights`: pairs of moves that go straight on. A template: a copy without the underscore is a metric."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt
from kt.kt_models.errors import KTError
from kt.kt_models.graph import MoveGraph
from kt.kt_models.metrics import Metric, Pattern, Vector
from kt.kt_models.metrics._patterns import minus, patterns_where, plus, same_way
from kt.kt_models.weights import Weights


@lru_cache(maxsize=64)
def straight_patterns(moves: tuple[Vector, ...]) -> tuple[Pattern, ...]:
    """Pairs of moves in one direction, of which the second begins where the first ends."""

    def straight(a: Vector, b: Vector, offset: Vector) -> bool:
        return (offset == a or not any(plus(offset, b))) and same_way(a, b)

    return patterns_where(moves, straight, lambda a, b: {a, minus(tuple(0 for _ in a), b)})


def straight_weights(graph: MoveGraph, edges: npt.NDArray[np.int64] | None = None) -> Weights:
    """The same for graphs without a board; here they have none."""
    raise KTError(f"straights of {graph.name}: only boards have them")


METRIC = Metric(
    "straights",
    "pairs of consecutive moves that go straight on",
    "pairs that meet",
    straight_weights,
    patterns=straight_patterns,
    synonyms=("straight",),
)
