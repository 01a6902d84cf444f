"""Tours of boards of all sizes with few crossings, from *octant families*: a seed that grows to larger boards.

Lemma 20 (parts of octant squares) has the parts of a board, and Lemma 21 (cuts of octants) where it is cut.
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

    Checks Lemma 22 (pumping octants).

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
    """Whether all boards of a family keep the bounds of a claim.

    Checks Lemma 23 (turns and crossings of octants).
    """
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

    Checks Lemma 24 (boards of octants).

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
