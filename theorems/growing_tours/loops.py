"""Loops: tours of squares whose sides join lines of two directions, grown by slabs round a closed loop.

`proof.md` says where a square is cut.  Turns and boards are those of `strands`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kt_models.certificates.integers import Ints
from kt_models.errors import CertificateError
from kt_models.limits import NO_LIMITS, Limits
from theorems.growing_tours.inflation import REST, Labels, Truths, inflate
from theorems.growing_tours.rectangles import GrowingRectangle
from theorems.growing_tours.strands import MAX_CELLS, MAX_FAMILIES, check_covered, satisfies
from theorems.growing_tours.zones import LINES, SQUARES_KIND, TourFamily
from theorems.statement import FamilyKind, FamilyStatement, sharing

STEP = 8
SLACK = 5
"""Least distance between the places of a cut and the corners of the interior, where one is searched for."""
MAX_SQUARES = 10
"""Most squares that are searched for a cut."""
PLACE_OFFSETS = range(-4, 5)
"""Offsets at which the places of a cut are searched, from where the sides of the interior put them."""
SHIFTS = ((STEP, 0), (0, STEP // 2), (0, -STEP // 2), (STEP, 0), (0, -STEP // 2), (0, STEP // 2))
"""Shifts of the six places to the next cut: bottom, left (lower and upper), top, right (lower and upper)."""


@dataclass(frozen=True)
class LoopCut:
    """A cut through six places; `bottom` is the first column of the bottom behind it, and so on (see `proof.md`)."""

    bottom: int
    low_left: int
    high_left: int
    top: int
    low_right: int
    high_right: int

    @property
    def places(self) -> tuple[int, ...]:
        return self.bottom, self.low_left, self.high_left, self.top, self.low_right, self.high_right

    @property
    def next(self) -> LoopCut:
        return LoopCut(*(place + sum(shift) for place, shift in zip(self.places, SHIFTS, strict=True)))


@dataclass(frozen=True, eq=False)
class LoopBoard(GrowingRectangle):
    """A square of a family that grows by columns and rows at once."""

    family: TourFamily
    steps: tuple[int, int]
    growths = ((1, 1),)

    @property
    def times(self) -> tuple[int, int]:
        return self.steps

    @cached_property
    def _beside(self) -> Ints:
        """The node of the margins whose place tells that of each node: itself, or the one beside an end of a run."""
        nodes, beside = self.nodes, np.arange(len(self.nodes.cells))
        beside[self.first] -= 1
        beside[self.first + 1] = nodes.ahead[self.first + 1]
        return beside

    def below(self, cut: LoopCut) -> Truths:
        """Which nodes are below a cut."""
        left, _, low, high = self.box
        x, y = self.nodes.cells[self._beside].T
        sides = np.where(
            x < left, (y < cut.low_left) | (y >= cut.high_left), (cut.low_right <= y) & (y < cut.high_right)
        )
        return np.where(y < low, x < cut.bottom, np.where(y >= high, x < cut.top, sides))

    def _vectors(self, cut: LoopCut) -> tuple[Ints, Ints]:
        """How nodes move that are below a cut, and how those above it do."""
        left, _, low, high = self.box
        x, y = self.nodes.cells[self._beside].T
        half, middle = STEP // 2, (y >= low) & (y < high) & (x < left)
        upper = (y >= high) | (middle & (y >= cut.high_left))  # below: about the top left corner
        lower = (y < low) | ((x < left) & (y < cut.low_left))
        top = (y >= high) | ((y >= low) & (x >= left) & (y >= cut.high_right))  # above: about the top right corner
        below = np.where(upper | lower, 0, STEP), np.where(upper, STEP, np.where(lower, 0, half))
        above = np.where(middle, 0, STEP), np.where(middle, half, np.where(top, STEP, 0))
        return np.stack(below, axis=1), np.stack(above, axis=1)

    def labels(self, cut: LoopCut) -> Labels:
        """The slab between a cut and the next one; the rest is below the cut, or above the next one.

        Raises
        ------
        CertificateError
            If a node is below the cut and not below the next one.
        """
        below, below_next = self.below(cut), self.below(cut.next)
        if (below & ~below_next).any():
            raise CertificateError("a cut and the next one cross")
        slab = below_next & ~below
        (before, above), (before_next, above_next) = self._vectors(cut), self._vectors(cut.next)
        rest = np.where(below[:, None], before, above_next)
        vectors, further = (np.where(slab[:, None], own, rest) for own in (before_next, above))
        return Labels(np.where(slab, 0, REST), (0,), vectors[None], further[None])

    def cuts(self) -> Iterator[LoopCut]:
        """Candidates for cuts that no run crosses."""
        left, right, low, high = self.box
        for bottom in range(left + SLACK, right - SLACK - STEP):
            along = bottom - left
            # lines of slopes 1/2 and 2 through the bottom place meet the other sides here
            ideal = (
                along // 2,
                high - low - along // 2,
                along,
                (right - left - along) // 2,
                (right - left + along) // 2,
            )
            start = [place + side for place, side in zip(ideal, (low, low, left, low, low), strict=True)]
            cuts = [LoopCut(bottom, *start)]
            for k in range(1, 6):  # one place after the other; a beam keeps the cuts that the fewest runs cross
                ranked: dict[int, list[LoopCut]] = {}
                for cut in cuts:
                    for more in PLACE_OFFSETS:
                        places = [*cut.places]
                        places[k] += more
                        moved = LoopCut(*places)
                        within = self.below(moved)
                        across = int((within[self.first] != within[self.first + 1]).sum())
                        ranked.setdefault(across, []).append(moved)
                cuts = ranked[min(ranked)][:4]
            yield from cuts


def check_squares(family: TourFamily, limits: Limits = NO_LIMITS, cells: int = MAX_CELLS) -> int:
    """Check that every square of a family has one cycle, by inflation of a slab round a loop.

    Checks Lemma 10 (pumping round a loop).

    Returns
    -------
    How many cells were followed.

    Raises
    ------
    CertificateError
        If the argument does not hold for the family, or more than `cells` have to be followed.
    Stopped
        If a limit is reached.
    """
    left, right, low, high = family.zoned
    growth, second_growth = (growth.step for growth in family.growths)
    if not np.isin(family.codes[left:right, low:high], LINES).all() or len(family.columns) + len(family.rows) > 2:
        raise CertificateError("a cell of the interior is not a line cell, or there are more than two zones")
    if growth != (STEP, STEP // 2) or second_growth != (0, STEP // 2) or STEP // 2 % family.rows[0].period:
        raise CertificateError("the squares of the family do not grow by 8 columns and rows")
    width, height = family.size
    ahead, odd = divmod(width - height, STEP // 2)
    first = max(family.growths[0].least, family.growths[1].least - ahead)
    followed = 0
    for k in range(first, first + MAX_SQUARES):
        limits.check()
        if odd or not family.has(k, k + ahead):
            continue
        board = LoopBoard(family, (k, k + ahead))
        followed += board.check_one_cycle(cells - followed)
        for cut in board.cuts():
            limits.check()
            try:
                inflate(board, board.labels(cut)).check_one_cycle(limits)
            except CertificateError:
                continue
            return followed
    raise CertificateError("no cut of a square of the family was found whose slab can be repeated")


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[FamilyStatement, ...]:
    """Check the claims of a file of kind `strands-squares`; raises the errors of `FamilyKind.check`."""
    prove = sharing(MAX_CELLS, check_squares)
    return FamilyKind(
        SQUARES_KIND, "families", MAX_FAMILIES, ("squares",), TourFamily.from_json, prove, satisfies, check_covered
    ).check(data, limits)
