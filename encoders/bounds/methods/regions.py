"""`regions`: the choice of cells to sweep together, for a lower bound by `kt_models.kernel.certificates.regions`.

Crossings are forced at the border, and a few rows of cells there account for most of them. So the regions are belts of
one, two or three rows around the board and around its holes. A narrow board is also swept as a whole. There is nothing
to solve, because the sweep itself computes the potentials. The choice is of the cells and their order, for which the
sweep should have few states. Proposals are tried from the cheapest on, as long as there is time, and the best is kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from encoders.bounds.methods import BoundMethod
from encoders.bounds.methods.belt import belt_is_better
from kt_models.board import Board
from kt_models.errors import CertificateError, KTError
from kt_models.kernel.certificates.regions import MAX_REGIONS, bound
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, Stopped, silent
from kt_models.problem import Problem

MAX_DEPTH = 3
"""Rows of the deepest belt that is tried: each row multiplies the states of knights by about 35."""
LAPS_BEFORE = 2
"""Laps before the one that counts: short belts need two until the values are stationary."""
MAX_WHOLE_WIDTH = 5
"""Greatest width of a board that is also swept as a whole."""
PIECE_LENGTHS = (8, 12)
"""Lengths, in cells, of the pieces that a board of more dimensions is cut into."""
MAX_HOLED_CELLS = 50_000
"""Most cells of a large rectangle with holes, around which belts are swept after that of all sizes."""
WINDOW_ROWS = 12
"""Length, in rows, of the pieces of a belt that cannot be swept as one."""


def make(
    problem: Problem,
    *,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
    depth: int = MAX_DEPTH,
) -> dict[str, Any]:
    """The data of a certificate of method `regions`: the regions, among those tried, that prove the best bound.

    Parameters
    ----------
    problem
        A problem on a board, with crossings or other weights of at least 0.
    limits
        Looked at between steps of a sweep.
    on_progress
        Called with every better bound, in words.
    depth
        Rows of the deepest belt.

    Returns
    -------
    dict
        Its bound is `bound(problem, data)` of the checker; 0 without regions if none could be swept.

    Raises
    ------
    KTError
        If the problem has no board or no such objective.
    """
    board = problem.graph.board
    if board is None:
        raise KTError("regions: a board is needed")
    if problem.weights is None or (len(problem.weights.weight) and int(problem.weights.weight.min()) < 0):
        raise KTError("regions: an objective with weights of at least 0 is needed")
    if depth < 1:
        raise KTError("regions: a belt has at least one row")
    best: dict[str, Any] = {"regions": []}
    value = 0
    for alternatives in proposals(board, depth):
        for data in alternatives:
            if limits.over:
                limits.leave("regions")
                return best
            try:
                least = bound(problem, data, limits)
            except Stopped:
                limits.leave("regions")
                return best
            except CertificateError:  # The region is too wide.
                continue
            if least > value:
                best, value = data, least
                on_progress(Report(words=f"at least {value}"))
            break
    return best


def proposals(board: Board, depth: int) -> Iterator[list[dict[str, Any]]]:
    """Regions to try, from the cheapest on: each with regions to try instead if it is too wide."""
    if board.dimension > 2:
        longest_first = np.argsort(-np.array(board.shape), kind="stable")
        cells = board.numbers(board.cells[np.lexsort(board.cells.T[longest_first[::-1]])]).tolist()
        yield from ([_data(_windows(cells, size)[:MAX_REGIONS])] for size in PIECE_LENGTHS)
        return
    if min(board.shape) <= MAX_WHOLE_WIDTH and not all(board.wraps):
        cells = board.cells if board.shape[0] >= board.shape[1] else _by_row(board)
        yield [_data([board.numbers(cells).tolist()])]
    for rows in range(1, depth + 1):
        if closed := belts(board, rows):
            pieces = [piece for belt in closed for piece in _windows(belt, WINDOW_ROWS * rows)][:MAX_REGIONS]
            yield [_data(closed, closed=True), _data(pieces)]


def belts(board: Board, rows: int) -> list[list[int]]:
    """The cells within some rows of the border, in the order of a walk around the board.

    Returns
    -------
    list of lists of cell numbers
        One for the border of a rectangle, one for each side of a strip, one for each connected part of the border of
        any other board; none on a torus.
    """
    width, height = board.shape
    if board.is_box:
        if min(width, height) < 2 * rows:
            return []
        return [board.numbers(np.array(_ring(width, height, rows))).tolist()]
    if board.mask is None and board.wraps[1] != board.wraps[0]:
        along = 0 if board.wraps[0] else 1
        if board.shape[1 - along] < 2 * rows:
            return []
        sides = range(rows), range(board.shape[1 - along] - 1, board.shape[1 - along] - 1 - rows, -1)
        cells = [[(a, b) for a in range(board.shape[along]) for b in side] for side in sides]
        return [board.numbers(np.array(side)[:, [along, 1 - along]]).tolist() for side in cells]
    return _around(board, rows)


def _ring(width: int, height: int, rows: int) -> list[tuple[int, int]]:
    """A belt counterclockwise; each side has the corner at its end, so that the four are alike."""
    corners: list[Callable[[int, int], tuple[int, int]]] = [
        lambda along, deep: (along, deep),
        lambda along, deep: (width - 1 - deep, along),
        lambda along, deep: (width - 1 - along, height - 1 - deep),
        lambda along, deep: (deep, height - 1 - along),
    ]
    lengths = (width, height, width, height)
    return [
        place(along, deep)
        for place, length in zip(corners, lengths, strict=True)
        for along in range(rows, length)
        for deep in range(rows)
    ]


def _around(board: Board, rows: int) -> list[list[int]]:
    """A belt in the order of the angle from the middle of its part of the border."""
    from scipy import ndimage

    there = board.grid >= 0
    padded = np.pad(there, [(0, 0) if wrap else (1, 1) for wrap in board.wraps])
    inside = ndimage.binary_erosion(padded, np.ones((3, 3)), iterations=rows, border_value=1)
    near = (padded & ~inside)[tuple(slice(None) if wrap else slice(1, -1) for wrap in board.wraps)]
    parts, count = ndimage.label(near, np.ones((3, 3)))
    belts = []
    for part in range(1, count + 1):
        cells = np.argwhere(parts == part)
        x, y = (cells - (cells.min(axis=0) + cells.max(axis=0)) / 2).T
        order = np.lexsort((np.hypot(x, y), np.round(np.arctan2(y, x), 9)))
        belts.append(board.numbers(cells[order]).tolist())
    return belts


def _by_row(board: Board) -> np.ndarray:
    return board.cells[np.lexsort((board.cells[:, 0], board.cells[:, 1]))]


def _windows(cells: list[int], length: int) -> list[list[int]]:
    """Consecutive pieces of about equal length."""
    count = math.ceil(len(cells) / length)
    return [piece.tolist() for piece in np.array_split(np.array(cells), count)]


def _data(cell_lists: list[list[int]], *, closed: bool = False) -> dict[str, Any]:
    regions_ = [{"cells": cells, "closed": closed} for cells in cell_lists]
    return {"regions": regions_, "laps": LAPS_BEFORE} if closed else {"regions": regions_}


def lacks_some(problem: Problem) -> bool:
    """Whether a board may have a belt around a hole, and is not too large to list its crossings."""
    board = problem.graph.board
    return board is not None and not board.is_box and board.n <= MAX_HOLED_CELLS


METHOD = BoundMethod(
    "regions",
    "the least that the moves of belts of cells can weigh, swept exactly",
    make,
    kind="regions",
    rank=2,
    worth=lambda problem, at_least: problem.counts_apart and (lacks_some(problem) or not belt_is_better(problem)),
)
