"""The layout and the junctions for a rectangular board."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from heuristics.papers.taming.formation.construct import Circuit
from heuristics.papers.taming.formation.gadgets import junctions, metric_of, transitions
from heuristics.papers.taming.formation.layout import Plan, high_of, layout
from heuristics.papers.taming.formation.locate import Locator
from heuristics.papers.taming.formation.square import square_circuit
from heuristics.papers.taming.formation.styles import Corner, Style
from kt_models.board import Board
from kt_models.errors import InvalidTour
from kt_models.graph import MoveGraph
from kt_models.tour import Tour, verify

HEIGHTS = range(5, 9)
CORNER_COLUMNS, CORNER_ROWS = 28, 20
"""Distance from an edge, in columns and rows, within which a corner differs from the edge."""
SAFE_DISTANCE = 16, 12
"""The least width and height of Algorithm 1."""


def junction_heights(width: int, height: int) -> tuple[int, int]:
    """The heights of the two junctions on a board of even width >= 16 and height >= 12.

    They are those of Algorithm 1, except on boards 12 high whose width is a multiple of 8. There its junction of height
    8 reaches below what the quartet needs to turn around in the bottom right corner, and 6 and 7 fit.
    """
    if height == 12 and width % 8 == 0:
        return 6, 7
    return 5, high_of(width, height)


def circuit(width: int, height: int, low: int, high: int, style: str) -> Circuit:
    """The tour with the given junctions: a horizontal matching at the bottom left, a vertical one at the top right."""
    js = junctions(style)
    return Circuit(layout(width, height, low, high, transitions(style)), js[low, "H"], js[high, "V"])


def locator(width: int, height: int, style: Style = "turns") -> Locator:
    """Access to the cells of a board's tour by their index, in constant time (Lemma 3).

    Raises
    ------
    ValueError
        If the width is odd or less than 16, or the height is less than 12.
    """
    if width % 2 or width < SAFE_DISTANCE[0] or height < SAFE_DISTANCE[1]:
        raise ValueError("the width has to be even and at least 16, the height at least 12")
    low, high = junction_heights(width, height)
    js = junctions(style)
    return Locator(Plan(width, height, low, high, transitions(style)), js[low, "H"], js[high, "V"])


def best_heights(width: int, height: int, style: str) -> tuple[int, int] | None:
    """The heights of junctions with the fewest crossings (for that heel), else turns; None if none fit.

    They are compared on a board of bounded size with the same remainders modulo 8 and 4: on every larger board they
    differ by the same amount.
    """
    return _best_heights(
        min(width, 2 * CORNER_COLUMNS + 8 + width % 8), min(height, 2 * CORNER_ROWS + 4 + height % 4), style
    )


@lru_cache(maxsize=1024)
def _best_heights(width: int, height: int, style: str) -> tuple[int, int] | None:
    graph = MoveGraph.of(Board.box(width, height))
    measured = []
    for low, high in itertools.product(HEIGHTS, HEIGHTS):
        try:
            tour = Tour(graph, circuit(width, height, low, high, style).order((height, 1)), True)
            verify(tour)
        except (ValueError, InvalidTour, IndexError):
            continue
        measured.append((tour.measure(metric_of(style)), low, high))
    return min(measured)[1:] if measured else None


def plane_circuits(width: int, height: int, style: str, corner: Corner = "heights") -> Iterator[Circuit]:
    """Tours of a board of even width: one that always exists, or below 16 × 12 those that pass the check."""
    if corner == "best":
        if (heights := best_heights(width, height, style)) is not None:
            yield circuit(width, height, *heights, style)
        return
    if corner == "square":
        with contextlib.suppress(ValueError):
            yield square_circuit(width, height, style)
        return
    if width >= SAFE_DISTANCE[0] and height >= SAFE_DISTANCE[1]:
        yield circuit(width, height, *junction_heights(width, height), style)
        return
    for low, high in itertools.product(HEIGHTS, HEIGHTS):
        try:
            candidate = circuit(width, height, low, high, style)
            candidate.plan.runs()
            candidate.sections  # noqa: B018 -- one cycle, or it raises
        except ValueError:
            continue
        if sum(section.length for section in candidate.sections) == width * height:
            order = candidate.order((height, 1))
            if order.min() >= 0 and order.max() < width * height and len(np.unique(order)) == len(order):
                yield candidate
