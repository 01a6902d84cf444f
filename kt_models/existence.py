"""Existence: which full rectangles and boxes have a knight's tour, by published theorems, without a search."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod


def closed_tour_exists(shape: Sequence[int]) -> bool:
    """Whether a full rectangle or box has a closed knight's tour, by theorem.

    In the plane it is Schwenk's (1991), in three dimensions DeMaio and Mathew's (2011), in more that of Erde, Golénia
    and Golénia (2012, Theorem 3): with all sides at least 2 a tour exists if and only if one side is even, one is at
    least 4, and another at least 3. Sides of length 1 do not count as dimensions.

    Parameters
    ----------
    shape
        The sides.
    """
    sides = _real_sides(shape)
    if prod(sides) % 2 == 1 or len(sides) < 2:
        return False
    if len(sides) == 2:
        m, n = sides
        return not (m in (2, 4) or (m == 3 and n in (4, 6, 8)))
    return sides[-1] >= 4 and sides[-2] >= 3


def open_tour_exists(shape: Sequence[int]) -> bool | None:
    """Whether a full rectangle or box has an open knight's tour, by theorem; `None` if no theorem here decides it.

    In the plane it is Chia and Ong's (2005). In more dimensions this only uses that a closed tour contains an open
    one.
    """
    sides = _real_sides(shape)
    if len(sides) < 2:
        return not sides  # Only the single cell has an open tour
    if len(sides) > 2:
        return True if closed_tour_exists(sides) else None
    m, n = sides
    return not (m == 2 or (m == 3 and n in (3, 5, 6)) or (m, n) == (4, 4))


def _real_sides(shape: Sequence[int]) -> list[int]:
    return sorted(side for side in shape if side > 1)
