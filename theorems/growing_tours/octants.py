"""Tours of boards of all sizes with few crossings, from *octant families*: a seed that grows to larger boards.

The two diagonals and the two middle lines part a square into eight octants.  In each the interior is filled with
parallel lines, (1,2) or (2,1) up to signs, that start at the side which the octant has.  Where two octants meet, the
lines of one are joined to those of the other: around a corner across a diagonal, around the middle of a side across
a middle line.  So only these cells have moves of their own: those near the sides, the diagonals and the middle lines,
where the moves repeat, and four corners, four middles of sides and the centre, where they do not.

A square is parted into four *quarters*, which are treated alike: the one at the bottom left, and its images under
quarter turns.  Within that quarter cell (x, y), and h half the side, these parts are told apart, the first that fits:

- the corner, x and y < `CORNER`;
- the centre, x and y >= h - `CENTRE`;
- the diagonal, abs(y - x) <= `DIAGONAL`;
- the left middle line, less than `MIDDLE` rows from row h - 1, y >= h - `MIDDLE` (and the cells beside the lower one,
  less than `MIDDLE` columns from column h, x > h - `MIDDLE`);
- the left side, x < `SIDE`, and the bottom, y < `SIDE`;
- the rest: cells of lines, (2,1) above the diagonal and (1,2) below it.  This is checked, in all quarters.

After i *steps* a square is 12 i larger and has 6 i more cells along each of these parts.  There a *zone* of the seed is
repeated 1 + i times: 6 cells of the diagonal and of the middle line, 3 of each side near the corner and 3 near the
middle.  What is beyond a zone moves on.  `octant_data` has it.

*Higher boards.* A board of width w and height w + k has the two lower quarters of a square of width w, and its two
upper quarters k rows farther up.  The left middle line belongs to the lower ones, the right middle line to the upper
ones.  Between them is the *band*: lines (2,-1) from the left side to the right side, beside those of the upper left and
of the lower right quarter.  Both halves are treated alike, after a half turn.  Each has a centre of its own, 2 `CENTRE`
columns wide: the lower one up to row h, with lines above it.  There is one more zone, of `BAND` rows of the left side,
and of the right side after a half turn.  With it repeated 1 + j times, the board has `BAND` j more rows.

*Odd widths.* A higher board of odd width w has the parts of one of width w - 1, and one column more at the right.
Where the right side is turned to the left, this is column -1.  It belongs to the two corners at the right, to the right
middle line, and else to the right side, which are so much wider.  The patterns of such a side may have an even period.
So every zone is twice as long, and so is all that comes of it: a step adds 24 to the width and 12 cells to a diagonal,
and one of the band adds 2 `BAND` rows.

One cycle: by pumping
---------------------
*Cuts.*  Number the lines around a corner by 2y - x above the diagonal and 2x - y below it (the corner at the bottom
left; the others are turned).  The line that is joined to line t across the diagonal is then line t as well, and a
line nearer the corner has a smaller number.  A cut at t parts the cells below t, a wedge with its point at the
corner, from all others.  Around the middle of a side number the lines by their distance from it: 2(m - y) + x below
row m of the left middle line and 2(y - m) + x above; a cut at t parts a triangle at the side from all others.  Lines
stay on one side of a cut.  Moves cross it only near its ends, at the two sides, and where it meets the diagonal (the
middle line).  The *linkage* of a cut says which of the moves across it are joined by the tour within it.

*Slabs.*  Let s be 6, or 12 if the width is odd.  A step takes each cut at t, of the four corners and of the four
middles, and inserts a slab of s lines there: what is outside moves away, by s/2 cells along a side and by s along the
diagonal or the middle line, and the cells that fill the gap carry what those carry that moved away from it.  Let the
lines from t - 5 to t + s + 12 meet the sides, and the diagonal or the middle line, only in copies of a zone: of s/2
cells at the sides, and of s on the diagonal or the middle line.  There everything repeats, so this gives the board that
repeating the zones gives, wherever among the copies it is done.  (5 is how far a move can go across lines.)

*Pumping.*  Let the linkages of the cuts at t and t + s be the same, moves across the one being those across the other
moved by a slab.  With the slab inserted, the tour consists of what was within the cut at t + s and of what was
outside the cut at t.  The former joins the latter as what was within t did, so there are as many cycles as before,
and the linkages are still what they were.  So slabs can be inserted again and again, around each of the eight points
independently of the others.

*The band.* Number the lines of the band by x + 2y.  A cut at t parts what is below from what is above.  Let the lines
from t - 5 to t + s + 12, s being twice the rows of the zone, consist of cells of lines (2,-1), and of copies of the
zone of the band at both sides.  Then moves cross the cut at its two ends only.  A slab of s lines at t moves what is
above up by the rows of the zone, which is what repeating it does.  It can be inserted again and again if the linkages
of the cuts at t and t + s are the same.

*Both.* What is within a cut around a point has no copy of the zone of the band in it.  So the band does not matter to
whether slabs can be inserted there.  Inserting slabs around points moves the lines near the cut of the band as one and,
as the linkages around the points stay, leaves the linkage of that cut as it was.  So this is enough: one cycle on all
boards with up to `STEPS` steps and up to `BANDS` of the band, equal linkages around the points on the last of them, and
equal linkages of the band, with `BANDS` of it, for each number of steps up to `STEPS`. For all other boards the band is
pumped first, then the points.

*The check.*  All those boards are followed cell by cell, and those linkages are compared.

How many turns and crossings
----------------------------
Two moves that cross lie within 5 columns and 5 rows.  There the numbers of lines around a point, 2y - x and so on,
differ by 12 at most.  Compare the boards with k and with k + 1 steps, k >= `STEPS`, and the crossings at one of the
points:

1. Those with a cell within the cut at t lie on lines up to t + 11.  So far both boards look alike.
2. Of the larger board, those with no cell within the cut at t, but one within t + s.  They lie on lines from t to
   t + s + 11, which are the same for all k.  So they are as many for all k.
3. Of the larger board, those with no cell within t + s: these are those of the smaller one with none within t, moved.
   For such a crossing has a cell that is no cell of the rest (lines of one direction do not cross, and a diagonal and
   a middle line are too broad for two moves that cross to reach over), and what is near it in the part of that cell
   moves with it.  Where two parts meet, that is near the corner, the middle and the centre, what is there moves as
   one, or lies within the cut.

So each step adds the same, that is what is counted from `STEPS` to `STEPS` + 1 steps, with any number of the band.  For
the cut of the band the same holds: from `BANDS` on, each adds what is where its slab meets the two sides, with any
number of steps.  A turn is at one cell, and the same is true.

Which boards are served
-----------------------
A family has the squares of side w + 12 i, for all i from the least on; or the boards of such a width that are higher by
k + `BAND` j, for all j from 0 on; with 24 i and 2 `BAND` j if the width is odd.  So all widths from m on that are
claimed are served if those from m to m + lcm(24, M) - 1 are, M being the modulus of the claim; and all heights, if
those up to lcm(2 `BAND`, M) more than the largest k are.  Only families count of which every board keeps
the bounds: those with up to `STEPS` steps and `BANDS` of the band by counting, the others as a step adds at most the
slope for w + h times what it adds to w + h, and one of the band at most the slope times its rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import lcm
from typing import Any

import numpy as np

from kt_models.certificates.integers import Ints
from kt_models.errors import CertificateError
from kt_models.limits import NO_LIMITS, Limits
from theorems.growing_tours.codes import Linkage, checked_cycle, count, linkage_of, moves_across
from theorems.growing_tours.octant_data import (
    BAND,
    DIAGONAL,
    KIND,
    LEFT,
    LINES,
    MIDDLE,
    RIGHT,
    SIDE,
    STEP,
    Octants,
)
from theorems.statement import FamilyKind, FamilyStatement

ACROSS, SEEN = 5, 12
"""Over how many lines a move goes at most; by how much the lines of two moves that cross differ."""
MAX_FAMILIES = 40
MAX_MODULUS = 96
"""Of a claim: as many boards are looked at as its square."""


# -- one cycle ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OctantsEvidence:
    """What a check has shown: every board of the family has one cycle.

    Parameters
    ----------
    sizes
        Of the boards that were followed cell by cell.
    cuts
        The cuts, around a corner and around a middle, whose linkages were compared.
    bands
        Those of the band, for each number of steps.
    """

    sizes: tuple[tuple[int, int], ...]
    cuts: tuple[int, int]
    bands: tuple[int, ...]


def check_one_cycle(family: Octants, limits: Limits = NO_LIMITS) -> OctantsEvidence:
    """Check that every board of a family has one cycle, by the argument of this module.

    Raises
    ------
    CertificateError
        If the argument does not hold for the family.
    Stopped
        If the limits do not suffice.
    """
    sizes, bands, step, rows = [], [], family.step, family.rows
    most, most_bands = family.most
    for steps in range(family.least, most + 1):
        for more in range(most_bands + 1):
            limits.check()
            codes = family.board_codes(steps, more)
            order = checked_cycle(codes)
            sizes.append(family.size(steps, more))
            if len(order) < codes.size:
                raise CertificateError("the board {}x{} has several cycles".format(*sizes[-1]))
        if family.band:
            t = _band_cut(family, steps)
            if _band_linkage(order, t, rows) != _band_linkage(order, t + 2 * rows, 0):
                raise CertificateError(f"the linkage of the band changes from cut {t} to cut {t + 2 * rows}")
            bands.append(t)
    square, cuts = sizes[-1][0] - family.odd, (_cut(family, 0), _cut(family, 1))
    for kind, t in enumerate(cuts):
        for quarter in range(4):
            limits.check()
            turned = _turned(order, (square, sizes[-1][1]), quarter)
            if _linkage(turned, kind, t, square // 2, step) != _linkage(turned, kind, t + step, square // 2, 0):
                where = "the middle of a side" if kind else "a corner"
                raise CertificateError(f"the linkages around {where} change from cut {t} to cut {t + step}")
    return OctantsEvidence(tuple(sizes), cuts, tuple(bands))


def _turned(order: Ints, size: tuple[int, int], quarter: int) -> Ints:
    """The cells after so many quarter turns that take the quarter to the bottom left."""
    for turn in range(quarter):
        order = np.stack([order[:, 1], size[turn % 2] - 1 - order[:, 0]], axis=1)
    return order


def _cut(family: Octants, kind: int) -> int:
    """A cut around a corner (kind 0) or a middle (1) whose slab lies within copies of zones, after the most steps."""
    steps, step, odd = family.most[0], family.step, family.odd
    h = family.size(steps)[0] // 2

    def copies(name: str, number: int = 0) -> tuple[int, int]:
        zones = getattr(family, name)
        first = zones[number].start + sum(zone.period for zone in zones[:number]) * steps
        return first, first + zones[number].period * (1 + steps) - 1

    for t in range(2 * h):
        first, last = t - ACROSS, t + step + SEEN
        # where these lines are within `SIDE` cells of a side, from -1 on if the width is odd, and within a diagonal or
        # a middle line
        if kind == 0:
            sides = [((first - odd) // 2, (last + SIDE) // 2)] * 2
            axis = first - (3 * DIAGONAL + 1) // 2, last
        else:  # above the left middle line is the bottom of the next quarter, which does not have that line
            sides = [(h - k - (last + odd) // 2, h - k - (first - SIDE) // 2) for k in (1, 0)]
            axis = first - 2 * MIDDLE, last
        needed = [(side, copies(name, kind)) for side, name in zip(sides, ("left", "bottom"), strict=True)]
        needed.append((axis, copies("middle" if kind else "diagonal")))
        if all(low <= a and b <= high for (a, b), (low, high) in needed):
            return t
    raise CertificateError("the zones of the family are too short, or too far from each other, for any cut")


def _linkage(order: Ints, kind: int, t: int, h: int, by: int) -> Linkage:
    """Which moves across a cut are joined within it, as cells within and outside, moved outwards by so many lines."""
    x, y = order.T
    m = h - 1
    number = np.maximum(2 * y - x, 2 * x - y) if kind == 0 else 2 * np.abs(m - y) + x
    within = number < t

    def moved(cell: tuple[int, int], inner: tuple[int, int]) -> tuple[int, int]:
        u, v = cell
        half = by // 2
        if kind == 0:
            if abs(inner[0] - inner[1]) <= DIAGONAL:
                return u + by, v + by
            return (u + half, v) if inner[1] < inner[0] else (u, v + half)
        if abs(inner[1] - m) < MIDDLE:
            return u + by, v
        return (u, v - half) if inner[1] < m else (u, v + half)

    return linkage_of([(moved(inner, inner), moved(outer, inner)) for inner, outer in moves_across(order, within)])


def _band_cut(family: Octants, steps: int) -> int:
    """A cut of the band whose slab and margins lie within copies of its zone, and lines, on the highest board."""
    bands = family.most[1]
    parts, _, _ = family.places(steps, bands)
    width, height = parts.shape
    x, y = np.meshgrid(np.arange(width), np.arange(height), indexing="ij")
    first, last = family.copies(steps, bands)
    within = (parts == LINES) | ((parts == LEFT) & (first <= y) & (y <= last))
    within |= (parts == RIGHT) & (first <= height - 1 - y) & (height - 1 - y <= last)
    others = np.unique((x + 2 * y)[~within])
    reach = ACROSS + 2 * family.rows + SEEN
    for t in range(width + ACROSS, 2 * height - reach):
        if not ((others >= t - ACROSS) & (others <= t - ACROSS + reach)).any():
            return t
    raise CertificateError("the zone of the band is too short, or too near to something else, for any cut")


def _band_linkage(order: Ints, t: int, up: int) -> Linkage:
    """Which moves across a cut of the band are joined below it, moved up by so many rows."""
    moves = moves_across(order, order @ np.array([1, 2]) < t)
    return linkage_of([((a, b + up), (c, d + up)) for (a, b), (c, d) in moves])


# -- how many, and on which boards -------------------------------------------------------------------------------------


def keeps(family: Octants, claim: FamilyStatement) -> bool:
    """Whether all boards of a family keep the bounds of a claim."""
    squares, (most, most_bands) = claim.boards.shape == "squares", family.most
    for bound in claim.bounds:
        found = {}
        for steps in range(family.least, most + 2):
            for bands in range(most_bands + 1 + bool(family.band)):
                found[steps, bands] = count(family.board_codes(steps, bands), bound.metric)
                width, height = family.size(steps, bands)
                if found[steps, bands] > bound.at(width if squares else width + height):
                    return False
        if found[most + 1, 0] - found[most, 0] > bound.slope * family.step * (2 if squares else 4):
            return False
        if family.band and found[most, most_bands + 1] - found[most, most_bands] > bound.slope * family.rows:
            return False
    return True


def serves(families: Iterable[Octants], claim: FamilyStatement) -> None:
    """Check that each board of a claim, about squares or long rectangles, is in one of some families.

    Raises
    ------
    CertificateError
        Naming a board that is not, or if there are too many to look at.
    """
    known, least = list(families), claim.boards.least
    if claim.boards.modulus > MAX_MODULUS:
        raise CertificateError(f"octants: a claim has a modulus of at most {MAX_MODULUS}")
    longest = 0
    if claim.boards.shape == "long rectangles":
        longest = max([claim.boards.gap, *(family.longer for family in known)]) + lcm(2 * BAND, claim.boards.modulus)
    for width in range(least, least + lcm(4 * STEP, claim.boards.modulus)):
        for height in range(width + claim.boards.gap, width + longest + 1):
            size = (width,) if claim.boards.shape == "squares" else (width, height)
            if claim.boards.includes(*size) and all(family.steps(width, height) is None for family in known):
                raise CertificateError(f"octants: no family has the board {width}x{height} within the bounds claimed")


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[FamilyStatement, ...]:
    """Check the claims of a file of kind `octants`; errors are those of `FamilyKind.check`."""
    shapes = ("squares", "long rectangles")
    kind = FamilyKind(KIND, "families", MAX_FAMILIES, shapes, Octants.from_json, check_one_cycle, keeps, serves)
    return kind.check(data, limits)
