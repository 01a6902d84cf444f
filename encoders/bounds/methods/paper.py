"""`edge`, `triplet`, `central`, `crown`: bounds of papers (`heuristics.papers.taming.bounds`), with their certificates.

- `edge` is the linear relaxation with no numbers at all: at each cell the least turn that two moves there can make (and
  one lost for each free end);
- `triplet` is four regions, the cells of each side;
- `central` and `crown` charge turns to straight runs far away, which is neither a dual solution nor a sweep. But the
  relaxation, or its solution for all sizes, shows more than they do wherever it was looked at: its claim is lowered.

A number for which this fails is the paper's argument and no more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

from encoders.bounds.methods import BoundMethod, Data, belt, family, is_large_rectangle
from heuristics.papers.taming.bounds import central, crown, edge, triplet
from kt_models.errors import CertificateError, KTError, TooLarge
from kt_models.kernel.certificates import Certificate, Checked, Statement
from kt_models.limits import NO_LIMITS, Limits, Stopped
from kt_models.problem import Problem

MAX_RELAXED_CELLS = 2500
"""Most cells for which the relaxation is solved for a certificate."""
MAX_EDGE_CELLS, MAX_SIDE_CELLS = 100_000, 1_000_000
"""Most cells for which a certificate is tried; it takes seconds, while the number itself takes no time."""
MAX_ORDERED_CELLS = 2500
"""Most cells for which all orders of the sides are tried."""

Attempts = Callable[[Problem, Limits], Iterator[tuple[str, Data]]]
"""Kinds of certificates, and data that may show a number."""


def certifier(number: Callable[[Problem], int], attempts: Attempts) -> Callable[..., Checked | None]:
    """The maker of a certificate of a number: the first of several attempts that proves it, checked, or None."""

    def make(problem: Problem, *, limits: Limits = NO_LIMITS) -> Checked | None:
        value = number(problem)
        for kind, data in attempts(problem, limits):
            try:
                return Certificate(kind, Statement(problem, "at-least", value), data).checked(limits)
            except Stopped:
                limits.leave("the paper's argument")
                break
            except (CertificateError, TooLarge):  # The attempt proves less, or does not apply.
                continue
        return None

    return make


def _without_numbers(problem: Problem, limits: Limits, cells: int = MAX_EDGE_CELLS) -> Iterator[tuple[str, Data]]:
    """The tables for all sizes, and the relaxation without multipliers on small boards."""
    if is_large_rectangle(problem):
        yield from (("family", data) for data in family.make(problem, limits=limits))
    if problem.graph.n <= cells:
        yield "tree", {"multipliers": [[problem.graph.m, 1]]} if problem.free_ends else {}


def _relaxed(problem: Problem, limits: Limits) -> Iterator[tuple[str, Data]]:
    """The same attempts, and the solved relaxation."""
    yield from _without_numbers(problem, limits, MAX_RELAXED_CELLS)
    if problem.graph.n <= MAX_RELAXED_CELLS:
        from encoders.lp import relaxation

        try:
            data = relaxation.make(problem, limits=limits)
        except KTError:
            return
        if data is not None:
            yield "tree", data


def _sides(problem: Problem, limits: Limits) -> Iterator[tuple[str, Data]]:
    """The belt for all sizes on large boards; otherwise the sides as regions: whole, in every order (a corner counts
    for the first), and each without one of its ends.

    If ends are free, disjoint regions share them, so the last attempts are better there.
    """
    board = problem.graph.board
    if problem.graph.n > MAX_SIDE_CELLS and belt.belt_is_better(problem):
        yield from (("belt", data) for data in belt.make(problem, limits=limits))
    if board is None or problem.graph.n > MAX_SIDE_CELLS:
        return
    grid = board.grid
    around = (grid[0], grid[:, -1], grid[-1, ::-1], grid[::-1, 0])
    sides = [[cell for cell in side.tolist() if cell >= 0] for side in around]
    for part in (slice(1, None), slice(None, -1)) if problem.free_ends else ():
        yield "regions", _regions(side[part] for side in sides)
    for order in permutations(sides) if problem.graph.n <= MAX_ORDERED_CELLS else [sides]:
        yield "regions", _regions(order)


def _regions(sides: Any) -> Data:
    return {"regions": [{"cells": side} for side in sides if side]}


EDGE = BoundMethod(
    "edge",
    "cells without a straight pair of moves (Besa et al. 2022, before Theorem 8)",
    certifier(edge.bound, _without_numbers),
    rank=0,
    worth=lambda problem, at_least: problem.objective == "turns" and not family.METHOD.worth(problem, at_least),
    number=edge.bound,
    by_formula=True,
)
TRIPLET = BoundMethod(
    "triplet",
    "4 n for crossings (Besa et al. 2022, Theorem 9)",
    certifier(triplet.bound, _sides),
    kind="regions",
    rank=0,
    worth=lambda problem, at_least: problem.objective == "crossings" and not belt.belt_is_better(problem),
    number=triplet.bound,
    by_formula=True,
)
CENTRAL = BoundMethod(
    "central",
    "4.25 n for turns (Besa et al. 2022, Appendix A)",
    certifier(central.bound, _relaxed),
    number=central.bound,
    by_formula=True,
)
CROWN = BoundMethod(
    "crown",
    "(6 - ε) n for turns (Besa et al. 2022, Theorem 8)",
    certifier(crown.bound, _relaxed),
    number=crown.bound,
    by_formula=True,
)
