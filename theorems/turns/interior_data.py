"""Claims of a file about squares with few turns inside; `interiors` checks them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kt_models.errors import CertificateError
from kt_models.json_values import integer
from theorems.turns.corner_distances import MAX_INTERIOR_TURNS, least_side

SIMILAR_MODULUS = 120
"""Squares whose sides differ by multiples of this are alike: a common multiple of the periods of planes, for numbers of
period 4."""


@dataclass(frozen=True)
class Interior:
    """A claim that a square has an excess of at least E, with at most `turns` turns inside.

    The excess is multiplied by the denominator.
    """

    excess: int
    turns: int
    connected: bool = False
    """Whether the claim is about single cycles only."""

    @property
    def least(self) -> int:
        """Least side of S to which the claim applies."""
        return least_side(self.turns)


def read_interior(data: Any) -> Interior:
    """Read the interior of a file.

    Raises
    ------
    CertificateError
        If the data are malformed.
    """
    if type(data) is not dict or set(data) != {"excess", "turns", "connected"} or type(data["connected"]) is not bool:
        raise CertificateError("turns: an interior is an object with the keys excess, turns and connected")
    return Interior(
        integer(data["excess"], "turns: excess of an interior", 1, 2**40),
        integer(data["turns"], "turns: turns of an interior", 0, MAX_INTERIOR_TURNS),
        data["connected"],
    )
