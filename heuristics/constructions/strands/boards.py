"""Which family a board belongs to, and its tour."""

from __future__ import annotations

import numpy as np

from heuristics.constructions.strands.data import Member, members
from heuristics.constructions.strands.radial import radial_codes
from heuristics.constructions.strands.walk import cycle_of, cycle_order
from kt_models.board import IntArray
from kt_models.errors import KTError


def radial_order(side: int) -> IntArray:
    """The tour of a square that a quarter turn maps to itself, as cell numbers in order."""
    return cycle_of(radial_codes(side))


def best_member(width: int, height: int, metric: str, half_turned: bool = False) -> Member:
    """The member of a family for a board, with the fewest turns, crossings, or both together.

    Parameters
    ----------
    half_turned
        Whether a half turn must map the tour to itself.

    Raises
    ------
    KTError
        If no family covers the board.
    """
    candidates = [member for member in members(width, height, metric) if member.family.half_turned or not half_turned]
    if not candidates and half_turned:
        raise KTError(
            f"method strands does not cover the board {width}x{height} with a half turn: it needs a square, for few "
            "turns, of an even side from 74 on"
        )
    if not candidates:
        raise KTError(
            f"method strands does not cover the board {width}x{height}: it needs an even side, and both at least 12"
        )
    return min(candidates, key=lambda member: member.count(metric))


def board_order(member: Member) -> IntArray:
    """The tour as cell numbers of the requested board, in order."""
    order = cycle_order(member.family, member.times)
    if not member.transposed:
        return order
    width, height = member.family.grown(member.times)
    x, y = np.divmod(order, height)
    return (y * width + x).astype(np.int32)
