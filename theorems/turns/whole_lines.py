"""Squares with few turns inside look like a plane, but for some lines: one for each turn, and short ones at corners.

The numbers here are those of the proof: Lemma 15 (empty lines are near corners), Lemma 16 (wrong runs are near
corners), Lemma 17 (corners without turns), Lemma 18 (spoiled ends) and Lemma 19 (sets off the plane).
"""

from __future__ import annotations

MOST = 5
"""Turns."""


def least_side(turns: int) -> int:
    """So many cells a side of S are enough."""
    return 165 * (turns + 1)


def corner_square(turns: int) -> int:
    """The side u of the squares at the corners outside of which no line is empty."""
    return 11 * turns + 6


def corner_zone(turns: int) -> int:
    """The side of the squares at the corners in which a turn has to be, if the smaller ones are not right."""
    return 3 * corner_square(turns)


def turn_reach(turns: int) -> int:
    """A spoiled end has a turn of its own that is no farther than so many columns and rows."""
    return 6 * turns


def set_span(turns: int) -> int:
    """By so many columns or rows the outer cells of a set off the plane differ at most."""
    paths = turns // 2 + 1
    return 2 * (max(turns + (paths + own) * (turns - own) for own in range(turns + 1)) - 1) if turns else 0
