"""The compiled searches that answer small graphs of a list, a block at a time."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kt_models.files.graph_lists.block import ROW, SIZE, GraphBlock

if TYPE_CHECKING:
    from encoders.many.question import Question

NO, YES, UNKNOWN = 0, 1, 2
"""Statuses of an `Outcome`; unknown ones are left to the ordinary engines."""
STEPS_PER_SECOND = 10_000_000
"""Steps of the search that a second has room for, at least."""


@dataclass(frozen=True)
class Outcome:
    """What the compiled searches say of the graphs of a block.

    Parameters
    ----------
    statuses
        `NO`, `YES` or `UNKNOWN` for each graph; a graph whose tours were counted has `YES`.
    done
        How many graphs were looked at before the search was told to stop.
    seconds
        Time for the block.
    orders
        The vertices of a verified tour of each graph that has one, shape (count, 64), if tours were looked for.
    counts
        The number of tours of each graph, if tours were counted.
    marks
        The edges that a property names, as sets of neighbours in the order of the block's rows.
    """

    statuses: npt.NDArray[np.uint8]
    done: int
    seconds: float = 0.0
    orders: npt.NDArray[np.uint8] | None = None
    counts: npt.NDArray[np.int64] | None = None
    marks: npt.NDArray[np.uint64] | None = None

    def edges(self, block: GraphBlock, row: int, *, directed: bool) -> list[tuple[int, int]]:
        """The edges that a property names of a graph; none if it names none."""
        if self.marks is None:
            return []
        start, n = int(block.records[row, ROW]), int(block.records[row, SIZE])
        near = [int(word) for word in self.marks[start : start + n]]
        return [(u, v) for u in range(n) for v in range(0 if directed else u + 1, n) if near[u] >> v & 1]


def serves(question: Question) -> bool:
    """Whether the compiled searches answer a question at all."""
    plain = question.engine == "auto" and not question.encoding and not question.solver
    return plain and {name for name, _ in question.conditions} <= {"open"}


def outcome_of(block: GraphBlock, question: Question, stop: npt.NDArray[np.int64]) -> Outcome:
    """Answer the small graphs of a block, until `stop[0]` is set."""
    if not serves(question):
        return Outcome(np.full(len(block), UNKNOWN, dtype=np.uint8), len(block))
    from heuristics.small_graphs.answers import counts_of, property_of
    from heuristics.small_graphs.decide import BUDGET, decide

    began = time.perf_counter()
    budget = BUDGET if question.seconds is None else min(BUDGET, int(STEPS_PER_SECOND * question.seconds))
    if question.property_name is not None:
        statuses, marks, done = property_of(block, question.property_name, budget=budget, stop=stop)
        return Outcome(statuses, done, time.perf_counter() - began, marks=marks)
    if question.counting or question.at_least is not None:
        wanted = question.at_least or question.enough
        counts, done = counts_of(block, closed=question.closed, budget=budget, wanted=wanted, stop=stop)
        reached = (counts >= question.at_least) if question.at_least is not None else (counts >= 0)
        statuses = np.where(counts < 0, UNKNOWN, np.where(reached, YES, NO)).astype(np.uint8)
        return Outcome(statuses, done, time.perf_counter() - began, counts=counts)
    decided = decide(block, closed=question.closed, budget=budget, stop=stop)
    statuses = decided.statuses
    if question.certificates:
        statuses = np.where(statuses == NO, UNKNOWN, statuses).astype(np.uint8)
    return Outcome(statuses, decided.done, decided.seconds, decided.orders)
