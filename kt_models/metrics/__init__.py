"""Metrics: what the edges of a solution, or pairs of them, weigh. One module each, found without a list.

A module declares a `Metric`. Objectives, constraints, expressions, messages and the help of the commands come from
these rows, so that a new metric is a new file in this folder.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.registry import rows

if TYPE_CHECKING:
    from kt_models.graph import MoveGraph
    from kt_models.weights import Weights

Vector = tuple[int, ...]
Weighs = Literal["pairs that meet", "pairs", "edges"]
WEIGHS: tuple[Weighs, ...] = ("pairs that meet", "pairs", "edges")
"""The things that a metric can weigh: pairs of edges at a vertex, any pairs of edges, or single edges."""


class Pattern(NamedTuple):
    """A pattern: move `first` at a tail p and move `second` at the tail p + `offset` make a pair."""

    first: int
    second: int
    offset: Vector


@dataclass(frozen=True)
class Metric:
    """A sum over the edges of a solution that can be minimised under its name.

    Attributes
    ----------
    name
        Its name in objectives, expressions and JSON objects, in lower case: a plural if it counts things (`turns`), a
        singular if it adds something up (`weight`).
    summary
        What it counts or adds up.
    weighs
        Single edges, pairs of edges that meet, or any pairs.
    weights
        The table of the edges of a graph, or of those with given numbers. It raises `KTError` if the graph lacks what
        the metric needs.
    needs
        What a graph must have.
    patterns
        For metrics that weigh pairs by 1, and of moves on boards alike everywhere: the patterns of pairs, from the
        displacements. Tours of boards are then measured in linear time, and theorems and sweeps of boards can use it.
    unit
        The unit of its values; empty for a number of things.
    rounding
        How the weights on a graph are rounded, in words for claims; None if they are exact.
    synonyms
        Other words for it; messages answer with the right one.
    decimals
        Most decimals that its weights on a graph have.
    """

    name: str
    summary: str
    weighs: Weighs
    weights: Callable[[MoveGraph, npt.NDArray[np.int64] | None], Weights]
    needs: Literal["positions", "weights", "nothing"] = "positions"
    patterns: Callable[[tuple[Vector, ...]], tuple[Pattern, ...]] | None = None
    unit: str = ""
    rounding: Callable[[MoveGraph], str] | None = None
    synonyms: tuple[str, ...] = ()
    decimals: Callable[[MoveGraph], int] = lambda graph: 0

    @property
    def counts(self) -> bool:
        """Whether its values are numbers of things."""
        return self.name.endswith("s")

    @property
    def singular(self) -> str:
        """The word for one of the things that it counts."""
        return self.name.removesuffix("s")

    def text(self, value: int) -> str:
        """A value in words: `34 turns`, `weight 12`."""
        return f"{value:,} {self.name}" if self.counts else f"{self.name} {value:,}"


def _order(metric: Metric) -> tuple[bool, int, str]:
    return metric.patterns is None, WEIGHS.index(metric.weighs), metric.name


METRICS: dict[str, Metric] = {metric.name: metric for metric in sorted(rows(__name__, Metric).values(), key=_order)}
"""All metrics by name: first those that have patterns on boards, then by what they weigh."""
BOARD_METRICS = tuple(name for name, metric in METRICS.items() if metric.patterns is not None)
"""Metrics that have patterns on boards, which are measured on every tour of a board."""
SYNONYMS = {word: name for name, metric in METRICS.items() for word in metric.synonyms}
"""Metrics by their synonyms."""
