"""Loops: tours of squares whose sides join lines of two directions, as one cycle, by pumping round a closed loop.

Lemma 10 (loops of cuts) says where a square is cut.  Turns and boards are those of `strands`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kt_models.certificates.integers import Ints
from kt_models.errors import CertificateError
from kt_models.limits import NO_LIMITS, Limits
from theorems.growing_tours.codes import CutMove, Linkage, checked_cycle, linkage_of, moves_across
from theorems.growing_tours.inflation import Truths
from theorems.growing_tours.strands import MAX_CELLS, MAX_FAMILIES, check_covered, satisfies
from theorems.growing_tours.zones import LINES, SQUARES_KIND, TourFamily
from theorems.statement import FamilyKind, FamilyStatement, sharing

STEP = 8
SLACK = 5
"""Least distance between places of a cut.  No move reaches farther than 2, so 5 separates them safely."""
MAX_SQUARES = 10
"""Most squares that are tried before pumping is given up."""
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
class LoopBoard:
    """A square of a family."""

    family: TourFamily
    times: tuple[int, int]

    @cached_property
    def box(self) -> tuple[int, int, int, int]:
        """The interior: its first column and the one behind its last; the same of rows."""
        left, right, low, high = self.family.zoned
        (columns,), (rows,) = self.family.added(self.times)
        return left, right + columns, low, high + rows

    @cached_property
    def order(self) -> Ints:
        """Cells of the cycle through the bottom left cell, shape (k, 2)."""
        return checked_cycle(self.family.board_codes(self.times))

    @cached_property
    def margin(self) -> Ints:
        """Margin cells of the cycle, in its order."""
        return self.order[self._outside]

    @cached_property
    def direct(self) -> Truths:
        """Whether the next margin cell is also the next cell of the cycle, with no run in between."""
        at = np.flatnonzero(self._outside)
        return (np.roll(at, -1) - at) % len(self.order) == 1

    @cached_property
    def _outside(self) -> Truths:
        left, right, low, high = self.box
        x, y = self.order.T
        return ~((left <= x) & (x < right) & (low <= y) & (y < high))

    def below(self, cut: LoopCut) -> Truths:
        """Which cells of `margin` are below a cut."""
        left, _, low, high = self.box
        x, y = self.margin.T
        sides = np.where(
            x < left, (y < cut.low_left) | (y >= cut.high_left), (cut.low_right <= y) & (y < cut.high_right)
        )
        return np.where(y < low, x < cut.bottom, np.where(y >= high, x < cut.top, sides))

    def fits(self, cut: LoopCut) -> bool:
        """Whether the places of a cut are far enough apart."""
        left, right, low, high = self.box
        columns = ((left, cut.bottom, right), (left, cut.top, right))
        rows = ((low, cut.low_left, cut.high_left, high), (low, cut.low_right, cut.high_right, high))
        return all(b - a >= SLACK for places in (*columns, *rows) for a, b in itertools.pairwise(places))

    def shifts(self, cut: LoopCut) -> Ints:
        """Shifts of the cells of `margin` to the next larger square, shape (m, 2)."""
        left, _, low, high = self.box
        x, y = self.margin.T
        # the left and right sides grow by half a step at each of their two places
        within, half = self.below(cut), STEP // 2
        # below the cut: about the top left corner
        upper = (y >= high) | ((y >= low) & (x < left) & (y >= cut.high_left))
        lower = (y < low) | ((y < cut.low_left) & (x < left))
        dx = np.where(within, np.where(upper | lower, 0, STEP), np.where((y >= low) & (y < high) & (x < left), 0, STEP))
        # above the cut: about the top right corner
        top = (y >= high) | ((y >= low) & (x >= left) & (y >= cut.high_right))
        middle = (y >= low) & (y < high) & (x < left)
        dy = np.where(
            within,
            np.where(upper, STEP, np.where(lower, 0, half)),
            np.where(middle, half, np.where(top, STEP, 0)),
        )
        return np.stack([dx, dy], axis=1)

    def linkage(self, cut: LoopCut) -> Linkage | None:
        """Linkage below a cut; `None` if a run crosses the cut, or would be no run once moved."""
        within, shifts = self.below(cut), self.shifts(cut)
        across = within != np.roll(within, -1)
        (dx, dy), (u, v) = ((np.roll(cells, -1, axis=0) - cells).T for cells in (self.margin, shifts))
        if not self.direct[across | (dx * v != dy * u)].all():
            return None
        return linkage_of(moves_across(self.margin, within))

    def moved(self, cut: LoopCut, move: CutMove) -> CutMove | None:
        """A move across a cut, moved to the next cut; `None` if it is not near a place."""
        left, _, low, high = self.box
        (x, y), _ = move
        if y < low or y >= high:
            place = 0 if y < low else 3
        else:
            # a side has two places: take the nearer one
            lower, upper = (1, 2) if x < left else (4, 5)
            place = lower if abs(y - cut.places[lower]) < abs(y - cut.places[upper]) else upper
        if abs((x, y)[place not in (0, 3)] - cut.places[place]) > SLACK // 2:
            return None
        dx, dy = SHIFTS[place]
        return tuple((x + dx, y + dy) for x, y in move)  # type: ignore[return-value]

    def repeats(self, cut: LoopCut) -> bool:
        """Whether a cut and the next one have the same linkage."""
        if not (self.fits(cut) and self.fits(cut.next)):
            return False
        before, after = self.linkage(cut), self.linkage(cut.next)
        if not before or after is None:
            return False
        return frozenset(frozenset(self.moved(cut, move) for move in pair) for pair in before) == after

    def cuts(self) -> Iterator[LoopCut]:
        """Candidates for cuts that no run crosses."""
        left, right, low, high = self.box
        runs = np.flatnonzero(~self.direct)
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
                        across = int((within != np.roll(within, -1))[runs].sum())
                        ranked.setdefault(across, []).append(moved)
                cuts = ranked[min(ranked)][:4]
            yield from cuts


def check_squares(family: TourFamily, limits: Limits = NO_LIMITS, cells: int = MAX_CELLS) -> int:
    """Check that every square of a family has one cycle, by pumping round a loop.

    Checks Lemma 11 (pumping round a loop).

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
    """Check the claims of a file of kind `strands-squares`; raises the errors of `FamilyKind.check`."""
    prove = sharing(MAX_CELLS, check_squares)
    return FamilyKind(
        SQUARES_KIND, "families", MAX_FAMILIES, ("squares",), TourFamily.from_json, prove, satisfies, check_covered
    ).check(data, limits)
