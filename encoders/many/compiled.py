"""The compiled searches that answer small graphs of a list, a block at a time."""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt

from encoders.many.outcome import NO, UNKNOWN, YES, Outcome
from encoders.many.question import Question
from kt_models.files.graph_lists.block import GraphBlock

STEPS_PER_SECOND = 10_000_000
"""Steps of the search that a second has room for, at least."""


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
