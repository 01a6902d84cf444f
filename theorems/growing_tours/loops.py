"""Tours of squares of all sizes whose sides join lines of two directions: one cycle, by pumping round a closed loop.

Lemma 11 (loops of cuts) says where a square is cut.  Turns and boards are those of `strands`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.certificates.integers import Ints
from kt_models.errors import CertificateError
from kt_models.limits import NO_LIMITS, Limits
from theorems.growing_tours.codes import CutMove, Linkage, checked_cycle, linkage_of, moves_across
from theorems.growing_tours.strands import MAX_CELLS, MAX_FAMILIES, keeps, serves
from theorems.growing_tours.zones import LINES, SQUARES_KIND, TourFamily
from theorems.statement import FamilyKind, FamilyStatement, sharing

Truths = npt.NDArray[np.bool_]
STEP = 8
SLACK = 5
"""No move goes farther than 2, so this is more than enough."""
MOST = 10
"""How many squares are tried before pumping is given up."""
WINDOW = range(-4, 5)
"""How far the places of a cut are looked for from where the sides of the interior would have them."""
SHIFTS = ((STEP, 0), (0, STEP // 2), (0, -STEP // 2), (STEP, 0), (0, -STEP // 2), (0, STEP // 2))
"""How the six places go to those of the next cut: bottom, left (lower and upper), top, right (lower and upper)."""


@dataclass(frozen=True)
class LoopCut:
    """The six places: what is below is before the column `bottom`, and so on (see `proof.md`)."""

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
class LoopBoard:
    """A square of a family."""

    family: TourFamily
    times: tuple[int, int]

    @cached_property
    def box(self) -> tuple[int, int, int, int]:
        """Of the interior: first column and the one after the last; the same of rows."""
        left, right, low, high = self.family.zoned
        (columns,), (rows,) = self.family.added(self.times)
        return left, right + columns, low, high + rows

    @cached_property
    def order(self) -> Ints:
        """Cells of the cycle through the bottom left one, shape (k, 2)."""
        return checked_cycle(self.family.board_codes(self.times))

    @cached_property
    def margin(self) -> Ints:
        """Those cells of the cycle that are in the margins, in its order."""
        return self.order[self._outside]

    @cached_property
    def direct(self) -> Truths:
        """Whether each of these is followed by the next one in the cycle, so that no run is between."""
        at = np.flatnonzero(self._outside)
        return (np.roll(at, -1) - at) % len(self.order) == 1

    @cached_property
    def _outside(self) -> Truths:
        left, right, low, high = self.box
        x, y = self.order.T
        return ~((left <= x) & (x < right) & (low <= y) & (y < high))

    def below(self, cut: LoopCut) -> Truths:
        """Which of the cells of `margin` are below a cut."""
        left, _, low, high = self.box
        x, y = self.margin.T
        sides = np.where(
            x < left, (y < cut.low_left) | (y >= cut.high_left), (cut.low_right <= y) & (y < cut.high_right)
        )
        return np.where(y < low, x < cut.bottom, np.where(y >= high, x < cut.top, sides))

    def fits(self, cut: LoopCut) -> bool:
        """Whether a cut's places are where they should be."""
        left, right, low, high = self.box
        columns = ((left, cut.bottom, right), (left, cut.top, right))
        rows = ((low, cut.low_left, cut.high_left, high), (low, cut.low_right, cut.high_right, high))
        return all(b - a >= SLACK for places in (*columns, *rows) for a, b in itertools.pairwise(places))

    def shifts(self, cut: LoopCut) -> Ints:
        """How the cells of `margin` are moved from this square to the next larger one, shape (m, 2)."""
        left, _, low, high = self.box
        x, y = self.margin.T
        within, half = self.below(cut), STEP // 2
        upper = (y >= high) | ((y >= low) & (x < left) & (y >= cut.high_left))  # below: about the top left corner
        lower = (y < low) | ((y < cut.low_left) & (x < left))
        dx = np.where(within, np.where(upper | lower, 0, STEP), np.where((y >= low) & (y < high) & (x < left), 0, STEP))
        top = (y >= high) | ((y >= low) & (x >= left) & (y >= cut.high_right))  # above: about the top right corner
        middle = (y >= low) & (y < high) & (x < left)
        dy = np.where(
            within,
            np.where(upper, STEP, np.where(lower, 0, half)),
            np.where(middle, half, np.where(top, STEP, 0)),
        )
        return np.stack([dx, dy], axis=1)

    def linkage(self, cut: LoopCut) -> Linkage | None:
        """Which moves across a cut are joined below it; None if a run goes across, or is none when it is moved."""
        within, shifts = self.below(cut), self.shifts(cut)
        across = within != np.roll(within, -1)
        (dx, dy), (u, v) = ((np.roll(cells, -1, axis=0) - cells).T for cells in (self.margin, shifts))
        if not self.direct[across | (dx * v != dy * u)].all():
            return None
        return linkage_of(moves_across(self.margin, within))

    def moved(self, cut: LoopCut, move: CutMove) -> CutMove | None:
        """A move across a cut, moved to the next one; None if it is not near one of the places."""
        left, _, low, high = self.box
        (x, y), _ = move
        if y < low or y >= high:
            place = 0 if y < low else 3
        else:
            lower, upper = (1, 2) if x < left else (4, 5)
            place = lower if abs(y - cut.places[lower]) < abs(y - cut.places[upper]) else upper
        if abs((x, y)[place not in (0, 3)] - cut.places[place]) > SLACK // 2:
            return None
        dx, dy = SHIFTS[place]
        return tuple((x + dx, y + dy) for x, y in move)  # type: ignore[return-value]

    def repeats(self, cut: LoopCut) -> bool:
        """Whether the linkages of a cut and of the next one are the same."""
        if not (self.fits(cut) and self.fits(cut.next)):
            return False
        before, after = self.linkage(cut), self.linkage(cut.next)
        if not before or after is None:
            return False
        return frozenset(frozenset(self.moved(cut, move) for move in pair) for pair in before) == after

    def cuts(self) -> Iterator[LoopCut]:
        """Cuts that no run goes across, perhaps."""
        left, right, low, high = self.box
        runs = np.flatnonzero(~self.direct)
        for bottom in range(left + SLACK, right - SLACK - STEP):
            along = bottom - left
            ideal = (
                along // 2,
                high - low - along // 2,
                along,
                (right - left - along) // 2,
                (right - left + along) // 2,
            )
            start = [place + side for place, side in zip(ideal, (low, low, left, low, low), strict=True)]
            found = [LoopCut(bottom, *start)]
            for k in range(1, 6):  # one place after the other, those with the fewest runs across
                ranked: dict[int, list[LoopCut]] = {}
                for cut in found:
                    for more in WINDOW:
                        places = [*cut.places]
                        places[k] += more
                        moved = LoopCut(*places)
                        within = self.below(moved)
                        across = int((within != np.roll(within, -1))[runs].sum())
                        ranked.setdefault(across, []).append(moved)
                found = ranked[min(ranked)][:4]
            yield from found


def check_squares(family: TourFamily, limits: Limits = NO_LIMITS, cells: int = MAX_CELLS) -> int:
    """Check that every square of a family has one cycle, by the argument of this module.

    Checks Lemma 12 (pumping round a loop).

    Returns
    -------
    How many cells were followed.

    Raises
    ------
    CertificateError
        If the argument does not hold for the family, or more than `cells` have to be followed.
    Stopped
        If the limits do not suffice.
    """
    left, right, low, high = family.zoned
    growth, other = (growth.step for growth in family.growths)
    if not np.isin(family.codes[left:right, low:high], LINES).all() or len(family.columns) + len(family.rows) > 2:
        raise CertificateError("a cell of the interior is not a line cell, or there are more zones than two")
    if growth != (STEP, STEP // 2) or other != (0, STEP // 2) or STEP // 2 % family.rows[0].period:
        raise CertificateError("the squares of the family do not grow by 8 columns and rows")
    width, height = family.size
    ahead, odd = divmod(width - height, STEP // 2)
    first = max(family.growths[0].least, family.growths[1].least - ahead)
    followed = 0
    for k in range(first, first + MOST):
        limits.check()
        if odd or not family.has(k, k + ahead):
            continue
        board = LoopBoard(family, (k, k + ahead))
        side = family.grown(board.times)[0]
        followed += side * side
        if followed > cells:
            raise CertificateError("the squares of the family are too large to be followed")
        if len(board.order) < side * side:
            raise CertificateError(f"a square of the family has several cycles: {side}x{side}")
        for cut in board.cuts():
            limits.check()
            if board.repeats(cut):
                return followed
    raise CertificateError("the squares of the family cannot be pumped")


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[FamilyStatement, ...]:
    """Check the claims of a file of kind `strands-squares`; errors are those of `FamilyKind.check`."""
    prove = sharing(MAX_CELLS, check_squares)
    return FamilyKind(
        SQUARES_KIND, "families", MAX_FAMILIES, ("squares",), TourFamily.from_json, prove, keeps, serves
    ).check(data, limits)
