"""All moves of a drawing: their places and colours, and where they turn and cross.

Turns and crossings come from `pairs`, so marks and counts agree.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.board import Board, IntArray
from kt_models.errors import InvalidTour, KTError
from kt_models.graph import MoveGraph
from kt_models.metrics import Pattern
from kt_models.pairs import pairs_of_steps
from kt_models.tour import Tour
from kt_models.walks import Walk

FloatArray = npt.NDArray[np.float64]
Cells = npt.NDArray[np.int64]


class Way(NamedTuple):
    """The walks of one tour or several; "cells" are coordinates, shape (k, dimension)."""

    tours: list[Tour]
    cells: Cells
    """The cells of all tours, one tour after the other."""
    cell_colours: IntArray
    """Row of `palette` of each cell."""
    starts: Cells
    """Cell that each move leaves."""
    vectors: Cells
    """Displacement of each move in the direction of the walk."""
    colours: IntArray
    """Row of `palette` of each move."""
    palette: FloatArray
    turns: Cells
    """A cell for each turn."""
    crossings: FloatArray | None
    """A point for each crossing, shape (c, 2); `None` except in the plane."""


def tours_of(subject: Board | MoveGraph | Tour, walks: Sequence[Walk] | None) -> list[Tour]:
    """The walks as tours: a walk of a graph is a tour of some of its vertices."""
    if walks is not None and not isinstance(subject, MoveGraph):
        raise KTError("walks are drawn on the graph whose edges they have")
    if isinstance(subject, MoveGraph):
        tours = [Tour.along(subject, walk.vertices, walk.edges, walk.closed) for walk in walks or ()]
    else:
        tours = [subject] if isinstance(subject, Tour) else []
    for tour in tours:
        if not len(tour):
            raise InvalidTour("a tour of no cells cannot be drawn")
        if tour.order.min() < 0 or tour.order.max() >= tour.graph.n:
            raise InvalidTour(f"the tour has a vertex that is not on {tour.graph.name}")
    return tours


def way_of(board: Board, tours: list[Tour], along: bool) -> Way:
    """Walks of tours of one graph: a single tour coloured `along` its length, or a colour for each."""
    graph = tours[0].graph
    _, moves = graph.geometry
    steps = [tour.steps for tour in tours]
    tails, kinds, forward = (np.concatenate(column) for column in zip(*steps, strict=True))
    if along:
        palette, colours = _along(tours[0])
    else:  # A colour for each tour, with a hue far from those just before it
        palette, colours = distinct(len(tours)), [np.full(len(tour), i, dtype=np.int32) for i, tour in enumerate(tours)]
    cells = [tour.coordinates.astype(np.int64) for tour in tours]
    leaves = [len(step.tails) for step in steps]  # A move leaves each cell, but for the last of a path

    turns = [np.zeros((0, board.dimension), dtype=np.int64)]
    for pattern, firsts in pairs_of_steps(graph, "turns", tails, kinds):
        turns.append(boxed(firsts + _turn_offset(moves, pattern), board).astype(np.int64))
    crossings = [np.zeros((0, 2))]
    if board.dimension == 2:
        for pattern, firsts in pairs_of_steps(graph, "crossings", tails, kinds):
            crossings.append(boxed(firsts + _crossing_offset(moves, pattern), board))
    return Way(
        tours,
        np.concatenate(cells),
        np.concatenate(colours),
        np.concatenate([row[:count] for row, count in zip(cells, leaves, strict=True)]),
        moves[kinds] * np.where(forward, 1, -1)[:, None],
        np.concatenate([row[:count] for row, count in zip(colours, leaves, strict=True)]),
        palette,
        np.concatenate(turns),
        np.concatenate(crossings) if board.dimension == 2 else None,
    )


def _turn_offset(moves: Cells, pattern: Pattern) -> Cells:
    """Position of the cell where the two moves of a turn meet, from the tail of the first: there or at its head."""
    offset = np.array(pattern.offset)
    at_tail = not offset.any() or not (offset + moves[pattern.second]).any()
    return moves[pattern.first] * (0 if at_tail else 1)


def _crossing_offset(moves: Cells, pattern: Pattern) -> FloatArray:
    """Position where two moves cross, from the tail of the first; on one line, the middle of their common part."""
    (ax, ay), (bx, by), (x, y) = moves[pattern.first].tolist(), moves[pattern.second].tolist(), pattern.offset
    if area := ax * by - ay * bx:
        along = Fraction(x * by - y * bx, area)
    else:
        square = ax * ax + ay * ay
        low, high = sorted((Fraction(x * ax + y * ay, square), Fraction((x + bx) * ax + (y + by) * ay, square)))
        along = (max(Fraction(0), low) + min(Fraction(1), high)) / 2
    return np.array([float(along * ax), float(along * ay)])


def boxed(points: npt.NDArray[Any], board: Board) -> FloatArray:
    """The same points within the box of a periodic board, whose cells reach half a unit around their centres."""
    shape = np.array(board.shape)
    return points - np.where(board.wraps, shape * np.floor((points + 0.5) / shape), 0.0)


# -- colours -----------------------------------------------------------------------------------------------------------


def _along(tour: Tour) -> tuple[FloatArray, list[IntArray]]:
    """Colours along a tour: a wheel if it is closed, from dark to light if not.

    There are at most 256 (more only where a run of one colour would have over 1000 moves): a run is drawn as one line.
    """
    palette = colours_along(len(tour), tour.closed)
    count = len(palette)
    return palette, [(np.arange(len(tour)) * count // len(tour)).astype(np.int32)]


def colours_along(cells: int, closed: bool) -> FloatArray:
    """Colours of the parts of a tour of so many cells, shape (parts, 3)."""
    count = max(min(cells, 256), cells // 1000)
    place = np.linspace(0.5, count - 0.5, count) / count
    return wheel(place) if closed else ramp(place)


def distinct(count: int) -> FloatArray:
    """A number of colours, each far from those just before it, shape (count, 3)."""
    return wheel(0.08 + (math.sqrt(5) - 1) / 2 * np.arange(count))


def wheel(place: npt.NDArray[np.floating[Any]]) -> FloatArray:
    """Colours of even chroma round the hues of Oklab (Ottosson 2020), yellow a little lighter than blue, as sRGB.

    Parameters
    ----------
    place
        Hues as fractions of the wheel, shape (k,).
    """
    hue = 2 * np.pi * (0.72 + place)
    return _of_oklab(np.stack([0.60 + 0.09 * np.cos(hue - np.radians(105)), 0.15 * np.cos(hue), 0.15 * np.sin(hue)]))


def ramp(place: npt.NDArray[np.floating[Any]]) -> FloatArray:
    """Colours from a dark violet over blue to a light green; `place` from 0 to 1, shape (k,)."""
    hue = 2 * np.pi * (0.85 - 0.42 * place)
    return _of_oklab(np.stack([0.34 + 0.42 * place, 0.14 * np.cos(hue), 0.14 * np.sin(hue)]))


def _of_oklab(lab: FloatArray) -> FloatArray:
    cones = np.array([[1, 0.39633778, 0.21580376], [1, -0.10556135, -0.06385417], [1, -0.08948418, -1.29148555]]) @ lab
    linear = (
        np.array(
            [
                [4.07674166, -3.30771159, 0.23096993],
                [-1.26843800, 2.60975740, -0.34131940],
                [-0.00419609, -0.70341861, 1.70761470],
            ]
        )
        @ cones**3
    ).clip(0, 1)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055).T
