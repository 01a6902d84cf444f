"""What a file says of squares with few turns inside; `interiors` checks it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kt_models.errors import CertificateError
from kt_models.reading import integer
from theorems.turns.whole_lines import MOST, least_side

LIKE = 120
"""Squares whose sides differ by multiples of this are alike, for numbers of period 4."""


@dataclass(frozen=True)
class Interior:
    """The excess E that a square has at least, times the denominator, and how many turns may be inside."""

    excess: int
    turns: int
    connected: bool = False
    """Whether this holds of one cycle only."""

    @property
    def least(self) -> int:
        """Of the sides of S."""
        return least_side(self.turns)


def read_interior(data: Any) -> Interior:
    """The interior of a file.

    Raises
    ------
    CertificateError
        If it is none.
    """
    if type(data) is not dict or set(data) != {"excess", "turns", "connected"} or type(data["connected"]) is not bool:
        raise CertificateError("turns: an interior is an object with the keys excess, turns and connected")
    return Interior(
        integer(data["excess"], "turns: excess of an interior", 1, 2**40),
        integer(data["turns"], "turns: turns of an interior", 0, MOST),
        data["connected"],
    )
