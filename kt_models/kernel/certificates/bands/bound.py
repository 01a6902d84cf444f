"""The checker of `bands` certificates: no 2-factor has fewer crossings, or no 2-factor with fewer is a tour.

Every closed tour is a *2-factor*, a choice of moves with two at each cell. The sweep in `board` follows all 2-factors
that could have fewer crossings than the bound. It drops states only by bounds that hold for any bands and any prices.
So if the sweep ends without a 2-factor, and left nothing out for lack of room, there is none. The data determines only
how many states there are on the way. For tours, all remaining 2-factors are listed. The list has every 2-factor or
its image upside down, and if one of the two is a single cycle, so is the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from kt_models.board import BoolArray
from kt_models.errors import CertificateError
from kt_models.json_values import integer, integers
from kt_models.kernel.certificates.bands.board import BandBoard, both_ways, fewest, set_prices
from kt_models.kernel.certificates.bands.step import MOST, MOST_LEAD, MOST_PRICES
from kt_models.kernel.certificates.integers import Ints
from kt_models.kernel.certificates.rounding import lift_total
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS, Limits, Listener, silent
from kt_models.problem import Problem

LEAST_SIDE, MOST_CELLS = 3, 1000


def applies(problem: Problem) -> bool:
    """Whether a problem is about the crossings of closed knight's tours or 2-factors of a board in the plane."""
    board = problem.graph.board
    return (
        problem.connectivity in ("cycle", "any")
        and problem.objective == "crossings"
        and not (problem.terminals or problem.required or problem.forbidden)
        and board is not None
        and board.dimension == 2
        and not any(board.wraps)
        and problem.graph.leaper == KNIGHT
        and min(board.shape) >= LEAST_SIDE
        and prod(board.shape) <= MOST_CELLS
    )


def sides_of(problem: Problem) -> tuple[int, int]:
    """Width and height of the board as it is swept: the shorter side, then the other one.

    Raises
    ------
    CertificateError
        If the problem is another one.
    """
    board = problem.graph.board
    if board is None or not applies(problem):
        raise CertificateError(
            "bands: it is about the crossings of closed knight's tours and 2-factors of boards in the plane, of "
            f"{MOST_CELLS:,} cells at most with their holes, without required or forbidden moves"
        )
    return min(board.shape), max(board.shape)


def rows_of(problem: Problem) -> BoolArray:
    """Which cells exist, row by row as the board is swept, as an array of shape (height, width).

    Raises
    ------
    CertificateError
        If the problem is another one.
    """
    width, height = sides_of(problem)
    mask = problem.graph.geometry[0].mask
    if mask is None:
        return np.ones((height, width), dtype=np.bool_)
    return mask if mask.shape[0] > width else mask.T


def board_of(rows: BoolArray, widths: Sequence[int]) -> BandBoard:
    """The board with these cells, its columns cut into bands of these widths."""
    height, width = rows.shape
    return BandBoard(width, height, widths, np.flatnonzero(~rows).tolist())


def bound(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS, on_progress: Listener = silent) -> int:
    """The bound `at_least` of the data, if it holds for all 2-factors, or for all closed tours if those are asked for.

    Parameters
    ----------
    problem
        If its board is wider than high, the sides are exchanged. A symmetry is used only to raise the bound where no
        symmetric tour can have so many crossings.
    data
        `at_least`; `bands`, the number of columns of each band; `across` and `middle`, prices by move, in the order of
        `BandBoard.moves`; and for odd heights `row`, prices by column. If the board upside down is a different board,
        also `across_turned`, its prices by move, and `lead`, in the same parts of a crossing as the prices.

    Raises
    ------
    CertificateError
        If the data is wrong, the method does not apply to the problem, or a 2-factor or tour has fewer crossings.
    TooLarge
        If the board is too wide, the prices are too large, the sweep would take more memory than it may, or there are
        too many 2-factors to list.
    Stopped
        If the limits end the check.
    """
    rows = rows_of(problem)
    height, width = rows.shape
    at_least = integer(data.get("at_least"), "bands: 'at_least'", 0, MOST)
    widths = integers(data.get("bands"), "bands: 'bands'", 1, width)
    if sum(widths) != width:
        raise CertificateError(f"bands: their columns are {sum(widths):,}, and those of the board {width}")
    boards = both_ways(board_of(rows, widths))
    names = ["across", "across_turned"][: len(boards)]
    *across, middle = (_prices(data, name, len(boards[0].moves)) for name in (*names, "middle"))
    row = _prices(data, "row", width) if height % 2 else np.zeros(0, dtype=np.int64)
    lead = integer(data.get("lead"), "bands: 'lead'", -MOST_LEAD, MOST_LEAD) if len(boards) == 2 else 0
    set_prices(boards, across, middle, row, lead)
    if problem.closed:
        for board in boards:
            if any(map(board.is_one_cycle, board.factors(at_least - 1, limits, on_progress))):
                raise CertificateError(f"bands: there is a closed tour with fewer than {at_least} crossings")
        return lift_total(problem, at_least, 1)
    found = fewest(boards, at_least - 1, limits, on_progress)
    if found is not None:
        raise CertificateError(f"bands: there is a 2-factor with {found} crossings")
    return lift_total(problem, at_least, 1)


def _prices(data: dict[str, Any], name: str, number: int) -> Ints:
    prices = integers(data.get(name), f"bands: '{name}'", -MOST_PRICES, MOST_PRICES)
    if len(prices) != number:
        raise CertificateError(f"bands: '{name}' has {len(prices):,} prices, not {number:,}")
    return np.array(prices, dtype=np.int64)
