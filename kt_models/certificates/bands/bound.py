"""The checker of `bands` certificates: no 2-factor has fewer crossings, or none of those that have is a tour.

Every closed tour is a *2-factor*, a choice of moves with two at each cell.  The sweep of `board` follows all that could
have fewer crossings than the bound.  What it drops it drops by bounds that are true whatever the bands and the prices
are.  So if it comes to an end without a 2-factor, and nothing was left out for lack of room, there is none; and what
the data says decides only how many states there are on the way.  For tours all that is left is listed, and of a
2-factor and its image upside down that is at least one: if one of the two is one cycle, so is the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from kt_models.board import BoolArray
from kt_models.certificates.bands.board import BandBoard, both_ways, fewest, set_prices
from kt_models.certificates.bands.step import MOST, MOST_LEAD, MOST_PRICES
from kt_models.certificates.integers import Ints
from kt_models.certificates.rounding import lift_total
from kt_models.errors import CertificateError
from kt_models.json_values import integer, integers
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS, Limits, Listener, silent
from kt_models.problem import Problem

LEAST_SIDE, MOST_CELLS = 3, 1000


def applies(problem: Problem) -> bool:
    """Whether it is about the crossings of closed knight's tours or 2-factors of a board in the plane."""
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
    """Width and height of the board as it is swept: the shorter side, and the other one.

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
    """Which cells there are, row by row as the board is swept, of shape (height, width).

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
    """The board with these cells, its columns cut into bands."""
    height, width = rows.shape
    return BandBoard(width, height, widths, np.flatnonzero(~rows).tolist())


def bound(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS, on_progress: Listener = silent) -> int:
    """The bound `at_least` of the data, if no 2-factor has fewer crossings, or no closed tour if these are asked for.

    Parameters
    ----------
    problem
        Where the board is wider than high, its sides are exchanged.  A symmetry is only looked at where it leaves no
        tours with so many crossings.
    data
        `at_least`; `bands`, how many columns each has; `across` and `middle`, prices by move, in the order in which
        `BandBoard` has the moves; of an odd height `row`, prices by column.  Where the board upside down is another
        one, `across_turned`, its prices by move; and `lead`, in parts of a crossing as the prices.

    Raises
    ------
    CertificateError
        If the data is wrong, the problem is another one, or there is such a 2-factor or tour.
    TooLarge
        If the board is too wide, the prices are too high, the sweep would take more memory than it may, or
        there are too many 2-factors to be listed.
    Stopped
        If the limits end it.
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
    given = integers(data.get(name), f"bands: '{name}'", -MOST_PRICES, MOST_PRICES)
    if len(given) != number:
        raise CertificateError(f"bands: '{name}' has {len(given):,} prices, not {number:,}")
    return np.array(given, dtype=np.int64)
