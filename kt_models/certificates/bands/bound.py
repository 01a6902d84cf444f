"""A bound of crossings that bands of columns show: no 2-factor with fewer is left, or none that is a tour.

Every closed tour is a *2-factor*, a choice of moves with two at each cell.  The sweep of `board` follows all that could
have fewer crossings than the bound.  What it drops it drops by bounds that are true whatever the bands and the prices
are.  So if it comes to an end without a 2-factor, and nothing was left out for lack of room, there is none; and what
the data says decides only how many states there are on the way.  For tours all that is left is listed, and of a
2-factor and its image upside down that is at least one: if one of the two is one cycle, so is the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kt_models.certificates.bands.board import BandBoard, is_one_cycle
from kt_models.certificates.bands.step import MOST, MOST_PRICES
from kt_models.errors import CertificateError
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS, Limits, Listener, silent
from kt_models.problem import Problem
from kt_models.reading import integer, integers

LEAST_SIDE, MOST_CELLS = 3, 1000


def applies(problem: Problem) -> bool:
    """Whether it is about the crossings of closed knight's tours or 2-factors of a whole rectangle."""
    board = problem.graph.board
    return (
        problem.connectivity in ("cycle", "any")
        and problem.objective == "crossings"
        and not (problem.terminals or problem.required or problem.forbidden)
        and board is not None
        and board.is_box
        and board.dimension == 2
        and problem.graph.leaper == KNIGHT
        and min(board.shape) >= LEAST_SIDE
        and board.n <= MOST_CELLS
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
            "bands: it is about the crossings of closed knight's tours and 2-factors of whole rectangles of "
            f"{MOST_CELLS:,} cells at most, without required or forbidden moves"
        )
    return min(board.shape), max(board.shape)


def bound(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS, on_progress: Listener = silent) -> int:
    """The bound `at_least` of the data, if no 2-factor has fewer crossings, or no closed tour if these are asked for.

    Parameters
    ----------
    problem
        Where the board is wider than high, its sides are exchanged; a symmetry is not looked at.
    data
        `at_least`; `bands`, how many columns each has; `across` and `middle`, prices by move, in the order in which
        `BandBoard` has the moves.

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
    width, height = sides_of(problem)
    at_least = integer(data.get("at_least"), "bands: 'at_least'", 0, MOST)
    widths = integers(data.get("bands"), "bands: 'bands'", 1, width)
    if sum(widths) != width:
        raise CertificateError(f"bands: their columns are {sum(widths):,}, and those of the board {width}")
    board, prices = BandBoard(width, height, widths), []
    for name in ("across", "middle"):
        given = integers(data.get(name), f"bands: '{name}'", -MOST_PRICES, MOST_PRICES)
        if len(given) != len(board.moves):
            raise CertificateError(f"bands: '{name}' has {len(given):,} prices, of {len(board.moves):,} moves")
        prices.append(np.array(given, dtype=np.int64))
    board.set_prices(*prices)
    if problem.closed:
        for moves in board.factors(at_least - 1, limits, on_progress):
            if is_one_cycle(moves, board.cells):
                raise CertificateError(f"bands: there is a closed tour with fewer than {at_least} crossings")
        return at_least
    found = board.fewest(at_least - 1, limits, on_progress).value
    if found is not None:
        raise CertificateError(f"bands: there is a 2-factor with {found} crossings")
    return at_least
