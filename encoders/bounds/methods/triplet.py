"""`triplet`: what three cells of a side must cross, which is four regions, the cells of each side."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

from encoders.bounds.methods import BoundMethod
from encoders.bounds.paper import certificate_of
from heuristics.paper_bounds.triplet import bound
from kt_models.certificates import Certificate
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem

MOST_CELLS = 1_000_000
"""Up to so many cells a certificate is tried, which takes seconds where the number itself takes none."""
SEVERAL = 2500
"""Up to so many cells all orders of the sides are tried."""


def make(problem: Problem, *, limits: Limits = NO_LIMITS) -> Certificate | None:
    """The number with what shows it, if anything does."""
    value = bound(problem)
    return certificate_of(problem, value, (("regions", data) for data in _sides(problem)), limits)


def _sides(problem: Problem) -> Iterator[dict[str, Any]]:
    """The sides as regions: whole, in every order (a corner counts for the first), and each without one of its ends.

    Where ends are free, regions without common cells share them; so the last are better there.
    """
    board = problem.graph.board
    if board is None or problem.graph.n > MOST_CELLS:
        return
    grid = board.grid
    around = (grid[0], grid[:, -1], grid[-1, ::-1], grid[::-1, 0])
    sides = [[cell for cell in side.tolist() if cell >= 0] for side in around]
    for part in (slice(1, None), slice(None, -1)) if problem.free_ends else ():
        yield _regions([side[part] for side in sides])
    for order in permutations(sides) if problem.graph.n <= SEVERAL else [sides]:
        yield _regions(list(order))


def _regions(sides: list[list[int]]) -> dict[str, Any]:
    return {"regions": [{"cells": side} for side in sides if side]}


METHOD = BoundMethod(
    "triplet",
    "4 n for crossings (Besa et al. 2022, Theorem 9)",
    make,
    kind="regions",
    rank=0,
    worth=lambda problem, at_least: problem.objective == "crossings",
    number=bound,
)
