"""The compiled searches that answer small graphs of a list, a block at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kt_models.files.graph_lists.block import GraphBlock

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
        `NO`, `YES` or `UNKNOWN` for each graph.
    done
        How many graphs were looked at before the search was told to stop.
    seconds
        Time for the block.
    orders
        The vertices of a verified tour of each graph that has one, shape (count, 64), if tours were looked for.
    """

    statuses: npt.NDArray[np.uint8]
    done: int
    seconds: float = 0.0
    orders: npt.NDArray[np.uint8] | None = None


def serves(question: Question) -> bool:
    """Whether the compiled searches answer a question at all."""
    plain = question.engine == "auto" and not question.encoding and not question.solver
    return plain and question.at_least is None and {name for name, _ in question.conditions} <= {"open"}


def outcome_of(block: GraphBlock, question: Question, stop: npt.NDArray[np.int64]) -> Outcome:
    """Answer the small graphs of a block, until `stop[0]` is set."""
    if not serves(question):
        return Outcome(np.full(len(block), UNKNOWN, dtype=np.uint8), len(block))
    from heuristics.small_graphs.decide import BUDGET, decide

    budget = BUDGET if question.seconds is None else min(BUDGET, int(STEPS_PER_SECOND * question.seconds))
    decided = decide(block, closed=not dict(question.conditions).get("open"), budget=budget, stop=stop)
    statuses = decided.statuses
    if question.certificates:
        statuses = np.where(statuses == NO, UNKNOWN, statuses).astype(np.uint8)
    return Outcome(statuses, decided.done, decided.seconds, decided.orders)
