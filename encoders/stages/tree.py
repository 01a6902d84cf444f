"""A tree of cases, grown alone for a moment: that is all that most small boards take."""

from __future__ import annotations

from functools import partial

from encoders.stages import Search, Stage
from encoders.work.run import in_time


def work(search: Search) -> None:
    """Grow the tree."""
    prover = search.prover
    if prover is not None and in_time(search.run, partial(prover.begin, search.run)) is not None:
        search.answered_by = prover.name


STAGE = Stage(
    "tree",
    "a tree of cases, grown alone for a moment",
    90,
    frozenset({"tour", "bound"}),
    work,
    lambda search: search.prover is not None,
)
