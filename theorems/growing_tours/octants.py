"""Octants: tours of boards of all sizes with few crossings, from a seed that grows to larger boards.

Lemma 16 (parts of octant squares) lists the parts of a board, and Lemma 17 (cuts of octants) says where it is cut.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import lcm
from typing import Any

import numpy as np

from kt_models.errors import CertificateError
from kt_models.kernel.certificates.integers import Ints
from kt_models.limits import NO_LIMITS, Limits
from theorems.growing_tours.codes import Linkage, checked_cycle, count, linkage_of, moves_across
from theorems.growing_tours.octant_data import (
    DIAGONAL,
    HEIGHT_STEP,
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

MAX_LINES_CROSSED, CROSSING_SPAN = 5, 12
"""Most lines that a move crosses; largest difference between the lines of two crossing moves."""
MAX_FAMILIES = 40
MAX_MODULUS = 96
"""Largest modulus of a claim: the check of its boards takes time in proportion to the square."""


# -- one cycle ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OctantsEvidence:
    """Evidence of a check: every board of the family has one cycle.

    Parameters
    ----------
    sizes
        Sizes of the boards that were followed cell by cell.
    cuts
        Cuts around a corner and around a middle whose linkages were compared.
    height_cuts
        Cuts of the height zone, for each number of steps.
    """

    sizes: tuple[tuple[int, int], ...]
    cuts: tuple[int, int]
    height_cuts: tuple[int, ...]


def check_one_cycle(family: Octants, limits: Limits = NO_LIMITS) -> OctantsEvidence:
    """Check that every board of a family has one cycle, by comparing linkages.

    Checks Lemma 18 (pumping octants).

    Raises
    ------
    CertificateError
        If the argument does not hold for the family.
    Stopped
        If a limit is reached.
    """
    sizes, height_cuts, step, rows = [], [], family.step, family.rows
    max_steps, max_height_steps = family.max_steps
    for steps in range(family.least, max_steps + 1):
        for more in range(max_height_steps + 1):
            limits.check()
            codes = family.board_codes(steps, more)
            order = checked_cycle(codes)
            sizes.append(family.size(steps, more))
            if len(order) < codes.size:
                raise CertificateError("the board {}x{} has several cycles".format(*sizes[-1]))
        if family.height_zone:
            t = _height_cut(family, steps)
            if _height_linkage(order, t, rows) != _height_linkage(order, t + 2 * rows, 0):
                raise CertificateError(f"the linkage of the zone 'band' changes from cut {t} to cut {t + 2 * rows}")
            height_cuts.append(t)
    # The last board followed is the largest: all cuts are compared on it
    square, cuts = sizes[-1][0] - family.odd, (_cut(family, 0), _cut(family, 1))
    for kind, t in enumerate(cuts):
        # Only the bottom left corner and the left middle are coded: turn the board for the others
        for quarter in range(4):
            limits.check()
            rotated = _quarter_turned(order, (square, sizes[-1][1]), quarter)
            if _linkage(rotated, kind, t, square // 2, step) != _linkage(rotated, kind, t + step, square // 2, 0):
                where = "the middle of a side" if kind else "a corner"
                raise CertificateError(f"the linkages around {where} change from cut {t} to cut {t + step}")
    return OctantsEvidence(tuple(sizes), cuts, tuple(height_cuts))


def _quarter_turned(order: Ints, size: tuple[int, int], quarter: int) -> Ints:
    """Cells after the quarter turns that take a quarter to the bottom left."""
    for turn in range(quarter):
        order = np.stack([order[:, 1], size[turn % 2] - 1 - order[:, 0]], axis=1)
    return order


def _cut(family: Octants, kind: int) -> int:
    """A cut around a corner (kind 0) or a middle (1) whose slab lies within copies of zones, after the most steps."""
    steps, step, odd = family.max_steps[0], family.step, family.odd
    h = family.size(steps)[0] // 2

    def copies(name: str, number: int = 0) -> tuple[int, int]:
        zones = getattr(family, name)
        first = zones[number].start + sum(zone.period for zone in zones[:number]) * steps
        return first, first + zones[number].period * (1 + steps) - 1

    for t in range(2 * h):
        first, last = t - MAX_LINES_CROSSED, t + step + CROSSING_SPAN
        # Where these lines meet the side, which begins at -1 if the width is odd, and the diagonal or
        # a middle line
        if kind == 0:
            sides = [((first - odd) // 2, (last + SIDE) // 2)] * 2
            axis = first - (3 * DIAGONAL + 1) // 2, last
        else:  # Above the left middle line is the bottom of the next quarter, which does not have that line
            sides = [(h - k - (last + odd) // 2, h - k - (first - SIDE) // 2) for k in (1, 0)]
            axis = first - 2 * MIDDLE, last
        needed = [(side, copies(name, kind)) for side, name in zip(sides, ("left", "bottom"), strict=True)]
        needed.append((axis, copies("middle" if kind else "diagonal")))
        if all(low <= a and b <= high for (a, b), (low, high) in needed):
            return t
    raise CertificateError("the zones of the family are too short, or too far from each other, for any cut")


def _linkage(order: Ints, kind: int, t: int, h: int, by: int) -> Linkage:
    """Linkage within a cut, by the inner and outer cells of its moves, moved outwards by a number of lines."""
    x, y = order.T
    m = h - 1
    # Level sets are the cuts: wedges around a corner, triangles around a middle
    number = np.maximum(2 * y - x, 2 * x - y) if kind == 0 else 2 * np.abs(m - y) + x
    within = number < t

    def moved(cell: tuple[int, int], inner: tuple[int, int]) -> tuple[int, int]:
        u, v = cell
        half = by // 2
        if kind == 0:
            # A cut moves along the diagonal there, and along one side elsewhere
            if abs(inner[0] - inner[1]) <= DIAGONAL:
                return u + by, v + by
            return (u + half, v) if inner[1] < inner[0] else (u, v + half)
        if abs(inner[1] - m) < MIDDLE:
            return u + by, v
        return (u, v - half) if inner[1] < m else (u, v + half)

    return linkage_of([(moved(inner, inner), moved(outer, inner)) for inner, outer in moves_across(order, within)])


def _height_cut(family: Octants, steps: int) -> int:
    """A cut whose slab and margins lie within copies of the height zone, and lines, on the highest board."""
    height_steps = family.max_steps[1]
    parts, _, _ = family.places(steps, height_steps)
    width, height = parts.shape
    x, y = np.meshgrid(np.arange(width), np.arange(height), indexing="ij")
    first, last = family.copies(steps, height_steps)
    within = (parts == LINES) | ((parts == LEFT) & (first <= y) & (y <= last))
    within |= (parts == RIGHT) & (first <= height - 1 - y) & (height - 1 - y <= last)
    others = np.unique((x + 2 * y)[~within])
    reach = MAX_LINES_CROSSED + 2 * family.rows + CROSSING_SPAN
    for t in range(width + MAX_LINES_CROSSED, 2 * height - reach):
        if not ((others >= t - MAX_LINES_CROSSED) & (others <= t - MAX_LINES_CROSSED + reach)).any():
            return t
    raise CertificateError("the zone 'band' is too short, or too near to another part, for any cut")


def _height_linkage(order: Ints, t: int, up: int) -> Linkage:
    """Linkage below a cut of the height zone, moved up by a number of rows."""
    # Lines (2, -1) are the level sets of x + 2y
    moves = moves_across(order, order @ np.array([1, 2]) < t)
    return linkage_of([((a, b + up), (c, d + up)) for (a, b), (c, d) in moves])


# -- how many, and on which boards -------------------------------------------------------------------------------------


def satisfies(family: Octants, claim: FamilyStatement) -> bool:
    """Whether all boards of a family satisfy the bounds of a claim.

    Checks Lemma 19 (turns and crossings of octants).
    """
    squares, (max_steps, max_height_steps) = claim.boards.shape == "squares", family.max_steps
    for bound in claim.bounds:
        counts = {}
        for steps in range(family.least, max_steps + 2):
            for height_steps in range(max_height_steps + 1 + bool(family.height_zone)):
                counts[steps, height_steps] = count(family.board_codes(steps, height_steps), bound.metric)
                width, height = family.size(steps, height_steps)
                if counts[steps, height_steps] > bound.at(width if squares else width + height):
                    return False
        # Each further step adds the same number, so one difference decides for all
        if counts[max_steps + 1, 0] - counts[max_steps, 0] > bound.slope * family.step * (2 if squares else 4):
            return False
        if (
            family.height_zone
            and counts[max_steps, max_height_steps + 1] - counts[max_steps, max_height_steps]
            > bound.slope * family.rows
        ):
            return False
    return True


def check_covered(families: Iterable[Octants], claim: FamilyStatement) -> None:
    """Check that families cover each board of a claim about squares or long rectangles.

    Checks Lemma 20 (boards of octants).

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
        longest = max([claim.boards.gap, *(family.extra_height for family in known)]) + lcm(
            2 * HEIGHT_STEP, claim.boards.modulus
        )
    # Boards are covered periodically: one period of widths is enough
    for width in range(least, least + lcm(4 * STEP, claim.boards.modulus)):
        for height in range(width + claim.boards.gap, width + longest + 1):
            size = (width,) if claim.boards.shape == "squares" else (width, height)
            if claim.boards.includes(*size) and all(family.steps(width, height) is None for family in known):
                raise CertificateError(f"octants: no family has the board {width}x{height} within the bounds claimed")


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[FamilyStatement, ...]:
    """Check the claims of a file of kind `octants`; raises the errors of `FamilyKind.check`."""
    shapes = ("squares", "long rectangles")
    kind = FamilyKind(
        KIND, "families", MAX_FAMILIES, shapes, Octants.from_json, check_one_cycle, satisfies, check_covered
    )
    return kind.check(data, limits)
