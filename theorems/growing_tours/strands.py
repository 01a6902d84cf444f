"""Strands: tours of rectangles of all sizes with few turns or crossings: one cycle, counts, and coverage of all boards.

Lemma 7 (windows of turns and crossings) says why the counts grow linearly.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kt_models.errors import CertificateError
from kt_models.limits import NO_LIMITS, Limits
from theorems.growing_tours.bundles import BOTH, Slabs
from theorems.growing_tours.codes import count
from theorems.growing_tours.lines import MAX_MARGINS, follow
from theorems.growing_tours.rectangles import RectangleBoard
from theorems.growing_tours.zones import CHAINS_KIND, KIND, LINES, RIGHT_ANGLE_LINES, TourFamily
from theorems.statement import FamilyKind, FamilyStatement, sharing

CROSSING_SPAN = 5
"""Most columns (rows) that two crossing moves span."""
MAX_FAMILIES = 100
"""Most families of one file."""


def check_one_cycle(family: TourFamily, limits: Limits = NO_LIMITS, cells: int = MAX_MARGINS) -> int:
    """Check that every board of a family has one cycle, by inflation.

    Checks Lemma 6 (one cycle on all boards).

    Returns
    -------
    How many cells of margins were followed.

    Raises
    ------
    CertificateError
        If the argument does not hold for the family, or more than `cells` cells of margins have to be followed.
    Stopped
        If a limit is reached.
    """
    check_lines(family, LINES)
    joint = [slabs.times for slabs in family.inflations if slabs.grows == (0, 1)]
    if len(joint) != 1 or any(BOTH in slabs.growths for slabs in family.inflations):
        raise CertificateError("not exactly one board of the family grows in both ways")
    least = [growth.least for growth in family.growths]
    for growth in (0, 1):
        alone = {slabs.times[1 - growth] for slabs in family.inflations if slabs.grows == (growth,)}
        if not {*range(least[1 - growth], joint[0][1 - growth])} <= alone:
            raise CertificateError("a board with few steps of one growth has no slabs of the other")
    followed = 0
    for slabs in family.inflations:
        if not family.has(*slabs.times):
            raise CertificateError("slabs are of a board that the family does not have")
        followed += follow([RectangleBoard(family, slabs)], limits, cells - followed)
    most = [max(slabs.times[growth] for slabs in family.inflations) for growth in (0, 1)]
    for i, j in itertools.product(range(least[0], most[0]), range(least[1], most[1])):
        if family.has(i, j) and not any(slabs.cover((i, j)) for slabs in family.inflations):
            limits.check()
            followed += RectangleBoard(family, Slabs((i, j))).check_one_cycle(cells - followed)
    return followed


def check_squares(family: TourFamily, limits: Limits = NO_LIMITS, cells: int = MAX_MARGINS) -> int:
    """Check that every square of a family has one cycle, by inflation.

    Checks Lemma 10 (one cycle on all squares).

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
    check_lines(family, (*LINES, *RIGHT_ANGLE_LINES))
    squares = [*family.squares()]
    inflations = family.inflations
    if len(inflations) != 1 or inflations[0].grows != (BOTH,) or (last := inflations[0]).times not in squares:
        raise CertificateError("not exactly one square of the family has slabs")
    boards = (last if times == last.times else Slabs(times) for times in squares[: squares.index(last.times) + 1])
    return follow((RectangleBoard(family, slabs) for slabs in boards), limits, cells)


def check_lines(family: TourFamily, lines: Sequence[int]) -> None:
    """Check that the interior has line cells of some codes only, as runs are followed by arithmetic.

    Raises
    ------
    CertificateError
        If this is not so.
    """
    left, right, low, high = family.zoned
    if not np.isin(family.codes[left:right, low:high], lines).all():
        raise CertificateError("a cell of the interior is not a line cell")


# -- how many, and on which boards -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class FamilyCounts:
    """Turns or crossings of all boards of a family (see `proof.md`)."""

    family: TourFamily
    metric: str

    def __post_init__(self) -> None:
        if self.metric == "crossings" and not self.family.one_direction:
            raise CertificateError("strands: lines of two directions cross each other more often on larger boards")

    @cached_property
    def linear_from(self) -> tuple[int, int]:
        """I and J: the steps from which counts grow linearly."""
        steps_needed = []
        for which, growth in enumerate(self.family.growths):
            steps = [growth.least for growth in self.family.growths]
            grown = [k for k, added in enumerate(growth.columns + growth.rows) if added]
            # Zones long enough that no window of crossing moves spans one
            while min(self.family.lengths(steps[0], steps[1])[k] for k in grown) < CROSSING_SPAN - 1:
                steps[which] += 1
            steps_needed.append(steps[which])
        return steps_needed[0], steps_needed[1]

    @cached_property
    def _counts(self) -> dict[tuple[int, int], int]:
        return {}

    def at(self, i: int, j: int) -> int:
        """N(i, j), counted on the board; the steps are few."""
        if (i, j) not in self._counts:
            self._counts[i, j] = count(self.family.board_codes((i, j)), self.metric)
        return self._counts[i, j]

    def rise(self, which: int, i: int, j: int) -> int:
        """Number that one more step of a growth adds."""
        return self.at(i + (which == 0), j + (which == 1)) - self.at(i, j)


def satisfies(family: TourFamily, claim: FamilyStatement) -> bool:
    """Whether all boards of a family (only squares, if the claim is about squares) satisfy a symmetry and bounds.

    Checks Lemma 8 (bounds with a slope).
    """
    if claim.symmetry and not (claim.symmetry == "rot180" and family.half_turned):
        return False
    for bound in claim.bounds:
        counts = FamilyCounts(family, bound.metric)
        i1, j1 = counts.linear_from
        i0, j0 = (growth.least for growth in family.growths)
        if claim.boards.shape == "squares":
            members = _diagonal(family, i1, j1)
            size = [family.grown(at)[0] for at in members]
            rise = counts.rise(0, i1, j1) + counts.rise(1, i1 + 1, j1)
            rises = [(rise, sum(growth.step[0] for growth in family.growths))]
        else:
            steps = itertools.product(range(i0, i1 + 1), range(j0, j1 + 1))
            members = [(i, j) for i, j in steps if family.has(i, j)]
            size = [sum(family.grown(at)) for at in members]
            first, second = (sum(growth.step) for growth in family.growths)
            rises = [(counts.rise(0, i1, j), first) for j in range(j0, j1 + 1) if family.has(i1, j)]
            rises += [(counts.rise(1, i, j1), second) for i in range(i0, i1 + 1) if family.has(i, j1)]
        if any(counts.at(*at) > bound.at(n) for at, n in zip(members, size, strict=True)):
            return False
        if any(more > bound.slope * added for more, added in rises):
            return False
    return True


def _diagonal(family: TourFamily, i1: int, j1: int) -> list[tuple[int, int]]:
    """Steps that lead to squares, up to the linear range; none where they do not lead from square to square."""
    try:
        squares = [*family.squares()]
    except CertificateError:
        return []  # `check_covered` refuses this
    many = sum(i <= i1 or j <= j1 for i, j in squares)
    if many == len(squares):
        raise CertificateError("strands: the first squares of a family are too far from its seed")
    return squares[:many]


def check_covered(families: Sequence[TourFamily], claim: FamilyStatement) -> None:
    """Check that families cover each board of a claim, either way up.

    Checks Lemma 9 (boards served).

    Raises
    ------
    CertificateError
        Naming a board that is not.
    """
    steps = {tuple(growth.step for growth in family.growths) for family in families}
    if len(steps) != 1:
        raise CertificateError(f"strands: no family, or families with different steps, for {claim}")
    (a, b), (none, c) = steps.pop()
    modulus, least, squares = claim.boards.modulus, claim.boards.least, claim.boards.shape == "squares"
    kept = (a,) if squares else (a, b, c)
    if none or not 0 <= b <= a or c < 1 or (squares and a != b + c) or any(step % modulus for step in kept):
        raise CertificateError("strands: the steps of the families do not lead to all boards that are claimed")
    for w in range(least, least + a):
        for h in [w] if squares else range(w, w + c):
            sizes = (w,) if squares else (w, h)
            if claim.boards.includes(*sizes) and all(family.times(w, h) is None for family in families):
                raise CertificateError(f"strands: no family has the board {w}x{h} within the bounds that are claimed")


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[FamilyStatement, ...]:
    """Check the claims of a file of kind `strands`, or of squares only; raises the errors of `FamilyKind.check`."""
    kind = data["kind"]
    squares = kind != KIND
    shapes = ("squares",) if squares else ("rectangles", "squares")
    prove = sharing(MAX_MARGINS, check_squares if squares else check_one_cycle)
    return FamilyKind(
        kind,
        "families",
        MAX_FAMILIES,
        shapes,
        TourFamily.from_json,
        prove,
        satisfies,
        check_covered,
        symmetric=kind == CHAINS_KIND,
    ).check(data, limits)
