"""The choice of the construction for a board."""

from __future__ import annotations

import itertools

import numpy as np

from heuristics.papers.taming.formation.boxes import box_order
from heuristics.papers.taming.formation.gadgets import metric_of
from heuristics.papers.taming.formation.giraffe import GIRAFFE, giraffe_height, giraffe_order
from heuristics.papers.taming.formation.odd import odd_order, symmetric_order
from heuristics.papers.taming.formation.plane import SAFE_DISTANCE, plane_circuits
from heuristics.papers.taming.formation.styles import Corner, Style
from kt_models.board import IntArray
from kt_models.errors import InvalidTour, KTError
from kt_models.leaper import KNIGHT
from kt_models.problem import Problem
from kt_models.symmetry import Symmetry
from kt_models.tour import Tour, verify

QUARTER_TURNS = {Symmetry.parse(text) for text in ("(x,y)", "(-y,x)", "(-x,-y)", "(y,-x)")}


def formation_order(problem: Problem, style: Style, junction: Corner) -> IntArray:
    """The cells of the tour in order; errors are those of the method `formation`."""
    board, leaper = problem.graph.board, problem.graph.leaper
    if board is None or leaper not in (KNIGHT, GIRAFFE) or any(board.wraps):
        raise KTError("method formation serves boards that are not periodic, knights and (1,4)-leapers")
    shape = board.shape
    if leaper == GIRAFFE:
        return _giraffe(problem, shape)
    if problem.symmetry:
        return _symmetric(problem, shape, style)
    if board.mask is not None:
        return _odd(problem, style)
    if board.dimension > 2 and sum(side > 1 for side in shape) > 2:
        return _box(problem, shape, style, junction)
    axes = [i for i, side in enumerate(shape) if side > 1]
    if len(axes) == 2:
        width, height = shape[axes[0]], shape[axes[1]]
        orders = []
        for transposed in (False, True):
            w, h = (height, width) if transposed else (width, height)
            if w % 2 == 0 and (plane := next(plane_circuits(w, h, style, junction), None)) is not None:
                orders.append(plane.order((1, w) if transposed else (h, 1)))
                if junction != "best":
                    break
        if orders:
            metric = metric_of(style)
            return (
                min(orders, key=lambda order: Tour(problem.graph, order, True).measure(metric))
                if orders[1:]
                else orders[0]
            )
    if junction == "square":
        raise KTError(
            f"method formation does not cover the board {board.text} with square junctions: an even side >= 26 and "
            "another >= 18 always do"
        )
    raise KTError(
        f"method formation does not cover the board {board.text}: it needs an even side >= {SAFE_DISTANCE[0]} "
        f"and another >= {SAFE_DISTANCE[1]} (and covers some smaller boards)"
    )


def _odd(problem: Problem, style: Style) -> IntArray:
    """The tour of a rectangle of two odd sides without a corner."""
    board = problem.graph.board
    assert board is not None and board.mask is not None
    holes = np.argwhere(~board.mask)
    if board.dimension == 2 and len(holes) == 1 and all(side % 2 for side in board.shape):
        width, height = board.shape
        corner = holes[0]
        if corner[0] in (0, width - 1) and corner[1] in (0, height - 1):
            for transposed in (False, True):
                w, h = (height, width) if transposed else (width, height)
                try:
                    flat = odd_order(w, h, style).astype(np.int64) + 1
                except ValueError:
                    continue
                x, y = np.divmod(flat, h)
                if transposed:
                    x, y = y, x
                cells = np.stack([width - 1 - x if corner[0] else x, height - 1 - y if corner[1] else y], axis=1)
                order = board.numbers(cells)
                if _is_tour(problem, order):
                    return order
    raise KTError(
        f"method formation does not cover the board {board.text}: with a hole, it has to be a corner of "
        "two odd sides >= 17 and >= 13 (or a little less)"
    )


def _symmetric(problem: Problem, shape: tuple[int, ...], style: Style) -> IntArray:
    """The tour of a square of side 4k + 2 under quarter turns."""
    board, _ = problem.graph.geometry
    if len(shape) != 2 or shape[0] != shape[1] or not board.is_box or not set(problem.group) <= QUARTER_TURNS:
        raise KTError("method formation supports the symmetries rot90 and rot180, of square boards")
    if shape[0] % 4 == 2 and shape[0] >= 18:
        order = symmetric_order(shape[0], style)
        if _is_tour(problem, order):
            return order
    raise KTError(
        f"method formation does not cover {board.text} with a symmetry: the side has to be 4k + 2, at least 30"
    )


def _box(problem: Problem, shape: tuple[int, ...], style: Style, junction: Corner) -> IntArray:
    """The tour of a box with an even side and another one for the plane of the levels."""
    pairs = [
        (a, b)
        for a, b in itertools.permutations(range(len(shape)), 2)
        if shape[a] % 2 == 0 and shape[a] >= SAFE_DISTANCE[0] and shape[b] >= SAFE_DISTANCE[1]
    ]
    if not pairs:
        assert problem.graph.board is not None
        raise KTError(
            f"method formation does not cover the board {problem.graph.board.text}: a box needs an even side "
            f">= {SAFE_DISTANCE[0]} and another >= {SAFE_DISTANCE[1]}"
        )
    # The more cells a level has, the fewer turns there are in all
    a, b = max(pairs, key=lambda pair: (shape[pair[0]] * shape[pair[1]], -pair[0], -pair[1]))
    others = [i for i in range(len(shape)) if i not in (a, b)]
    plan = next(plane_circuits(shape[a], shape[b], style, "heights" if junction == "square" else junction)).plan
    numbers = box_order(plan, style, tuple(shape[i] for i in others))
    axes = [a, b, *others]
    cells = np.stack(np.unravel_index(numbers, tuple(shape[i] for i in axes)))
    back = [axes.index(i) for i in range(len(shape))]
    return np.ravel_multi_index(tuple(cells[back]), shape).astype(np.int32)


def _giraffe(problem: Problem, shape: tuple[int, ...]) -> IntArray:
    board, _ = problem.graph.geometry
    if len(shape) == 2 and board.is_box and not problem.symmetry:
        width, height = shape
        if giraffe_height(width, height):
            return giraffe_order(width, height)
        if giraffe_height(height, width):
            x, y = np.divmod(giraffe_order(height, width), width)
            return (y * height + x).astype(np.int32)
    raise KTError(
        f"method formation does not cover {board.text}: (1,4)-leapers need 4m by 8l + m + 1, "
        "m >= 11 and from 20 to 27 rows or more"
    )


def _is_tour(problem: Problem, order: IntArray) -> bool:
    try:
        verify(Tour(problem.graph, order, True))
    except InvalidTour:
        return False
    return True
