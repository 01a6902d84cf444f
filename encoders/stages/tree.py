"""A tree of cases with a few nodes, grown before the engines start, which is enough for most small boards."""

from __future__ import annotations

from functools import partial

from encoders.stages import Solving, Stage
from encoders.work.run import in_time


def work(solving: Solving) -> None:
    """Grow the tree."""
    prover = solving.helpers.start_prover()
    if prover is not None and in_time(solving.run, partial(prover.begin, solving.run)) is not None:
        solving.answered_by = prover.name


STAGE = Stage(
    "tree",
    "a tree of cases, of few nodes",
    frozenset({"tour", "bound"}),
    work,
    lambda solving: solving.helpers.start_prover() is not None,
)
