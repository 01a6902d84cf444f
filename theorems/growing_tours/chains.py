"""Chains: tours of squares whose lines, of up to three directions, form chains from side to side.

`rectangles` numbers the lines, and `slabs` describes the slabs that are inserted.  Turns and boards are those of
`strands`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np

from kt_models.errors import CertificateError
from kt_models.json_values import integer
from kt_models.limits import NO_LIMITS, Limits
from theorems.growing_tours.rectangles import NUMBERS, InflatedRectangle, SquareBoard
from theorems.growing_tours.slabs import MAX_MARGINS, MAX_STEPS, Bundles, follow, read_slabs
from theorems.growing_tours.strands import MAX_FAMILIES, check_covered, satisfies
from theorems.growing_tours.zones import CHAINS_KIND, LINES, RIGHT_ANGLE_LINES, TourFamily
from theorems.statement import FamilyKind, FamilyStatement, sharing


@dataclass(frozen=True, eq=False)
class ChainFamily(TourFamily):
    """A family together with slabs of one of its squares.

    Parameters
    ----------
    steps
        K.
    slabs
        Slabs of D(K).
    """

    steps: int
    slabs: tuple[Bundles, ...]

    @classmethod
    def from_json(cls, data: Any) -> ChainFamily:
        """Read the family of a JSON object with `steps` and `slabs`; a bundle is three numbers.

        Raises
        ------
        CertificateError
            If the data are malformed.
        """
        family = TourFamily.from_json(data)
        return cls(
            **{field.name: getattr(family, field.name) for field in fields(TourFamily)},
            steps=integer(data.get("steps"), "steps", 0, MAX_STEPS),
            slabs=read_slabs(data.get("slabs"), len(NUMBERS)),
        )


@dataclass(frozen=True, eq=False)
class ChainBoard(SquareBoard, InflatedRectangle):
    """D(k) with slabs."""

    family: ChainFamily
    growths = ((1, 1),)

    @property
    def slabs(self) -> Sequence[Bundles]:
        return self.family.slabs


def check_chains(family: ChainFamily, limits: Limits = NO_LIMITS, cells: int = MAX_MARGINS) -> int:
    """Check that every square of a family has one cycle, by inflation.

    Returns
    -------
    How many cells of margins were followed.

    Raises
    ------
    CertificateError
        If the argument does not hold for the family, or more than `cells` have to be followed.
    Stopped
        If a limit is reached.
    """
    check_grows(family, (*LINES, *RIGHT_ANGLE_LINES))
    return follow(partial(ChainBoard, family), family.steps, limits, cells)


def check_grows(family: TourFamily, lines: Sequence[int]) -> None:
    """Check that the interior has line cells only, and that the squares grow without end, from the seed on.

    Checks Lemma 11 (squares that grow).

    Parameters
    ----------
    lines
        The codes of line cells.

    Raises
    ------
    CertificateError
        If this is not so.
    """
    left, right, low, high = family.zoned
    # runs are followed by arithmetic only, so every interior cell must be on a line
    if not np.isin(family.codes[left:right, low:high], lines).all():
        raise CertificateError("a cell of the interior is not a line cell")
    (width, height), p = family.size, family.added_side
    if width != height or [growth.step for growth in family.growths] != [(p, 0), (0, p)]:
        raise CertificateError("the family is not one of squares that grow by columns and by as many rows")
    # D(0) is the seed: the numbers k of the checks count from it
    if any(growth.least for growth in family.growths):
        raise CertificateError("the squares of the family begin with its seed")


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[FamilyStatement, ...]:
    """Check the claims of a file of kind `strands-chains`; raises the errors of `FamilyKind.check`."""
    prove = sharing(MAX_MARGINS, check_chains)
    return FamilyKind(
        CHAINS_KIND,
        "families",
        MAX_FAMILIES,
        ("squares",),
        ChainFamily.from_json,
        prove,
        satisfies,
        check_covered,
        True,
    ).check(data, limits)
