"""Why every board of an octant family has one cycle: a finite check, by pumping.

*Cuts.* Number the lines around a corner by 2y - x above the diagonal and 2x - y below it (the corner at the bottom
left; the others are turned). The line that is joined to line t across the diagonal is then line t as well, and a
line nearer the corner has a smaller number. A cut at t parts the cells below t, a wedge with its point at the
corner, from all others. Around the middle of a side number the lines by their distance from it: 2(m - y) + x below
row m of the left middle line and 2(y - m) + x above; a cut at t parts a triangle at the side from all others. Lines
stay on one side of a cut. Moves cross it only near its ends, at the two sides, and where it meets the diagonal (the
middle line). The *linkage* of a cut says which of the moves across it are joined by the tour within it.

*Slabs.* A step takes each cut at t, of the four corners and of the four middles, and inserts a slab of 6 lines
there: what is outside moves away, by 3 cells along a side and by 6 along the diagonal or the middle line, and the
cells that fill the gap carry what those carry that moved away from it. Let the lines t - 5 to t + 10 meet the sides,
and the diagonal or the middle line, only in copies of a zone. There everything repeats, with a period that divides
these shifts, so this gives the board that repeating the zones gives, wherever among the copies it is done. (5 is how
far a move can go across lines.)

*Pumping.* Let the linkages of the cuts at t and t + 6 be the same, moves across the one being those across the other
moved by a slab. With the slab inserted, the tour consists of what was within the cut at t + 6 and of what was
outside the cut at t. The former joins the latter as what was within t did, so there are as many cycles as before,
and the linkages are still what they were. So slabs can be inserted again and again, around each of the eight points
independently of the others.

*The check.* All boards of the family with at most `STEPS` steps are followed cell by cell; on the last of them the
linkages of such cuts are compared, around all eight points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heuristics.octants.layout import DIAGONAL, MIDDLE, SIDE, STEP, Octants
from heuristics.octants.walk import cycle_of
from heuristics.strands.family import Ints
from kt_models.errors import CertificateError

STEPS = 5
"""With so many steps the copies of a zone are long enough for a cut, a slab and a margin."""
ACROSS = 5
"""Over how many lines a move goes at most."""

Port = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class Shown:
    """What a check has shown: every board of the family has one cycle.

    Parameters
    ----------
    sides
        Of the boards that were followed cell by cell.
    cuts
        The cuts, around a corner and around a middle, whose linkages were compared.
    """

    sides: tuple[int, ...]
    cuts: tuple[int, int]


def follow(family: Octants, steps: int) -> Ints:
    """Cells of the cycle through the bottom left one, shape (k, 2)."""
    codes = family.board_codes(steps)
    return np.stack(np.divmod(cycle_of(codes).astype(np.int64), len(codes)), axis=1)


def check_octants(family: Octants) -> Shown:
    """Check that every board of a family has one cycle, by the argument of this module.

    Raises
    ------
    CertificateError
        If the argument does not hold for the family.
    """
    sides = []
    for steps in range(family.least, STEPS + 1):
        order = follow(family, steps)
        sides.append(family.side + 2 * STEP * steps)
        if len(order) < sides[-1] ** 2:
            raise CertificateError(f"the board of side {sides[-1]} has several cycles")
    cuts = _cut(family, 0), _cut(family, 1)
    for kind, t in enumerate(cuts):
        for quarter in range(4):
            turned = _turned(order, sides[-1], quarter)
            if _linkage(turned, kind, t, sides[-1] // 2, 1) != _linkage(turned, kind, t + STEP, sides[-1] // 2, 0):
                where = "the middle of a side" if kind else "a corner"
                raise CertificateError(f"the linkages around {where} change from cut {t} to cut {t + STEP}")
    return Shown(tuple(sides), cuts)


def _turned(order: Ints, side: int, quarter: int) -> Ints:
    """The cells after so many quarter turns that take the quarter to the bottom left."""
    for _ in range(quarter):
        order = np.stack([order[:, 1], side - 1 - order[:, 0]], axis=1)
    return order


def _cut(family: Octants, kind: int) -> int:
    """A cut around a corner (kind 0) or a middle (1) whose slab lies within copies of zones, on the largest board."""
    h = family.side // 2 + STEP * STEPS

    def copies(name: str, number: int = 0) -> tuple[int, int]:
        zones = getattr(family, name)
        first = zones[number].start + sum(zone.period for zone in zones[:number]) * STEPS
        return first, first + zones[number].period * (1 + STEPS) - 1

    for t in range(2 * h):
        first, last = t - ACROSS, t + STEP + ACROSS - 1
        # where these lines are within `SIDE` cells of a side, and within a diagonal or a middle line
        if kind == 0:
            sides = [(first // 2, (last + SIDE) // 2)] * 2
            axis = first - (3 * DIAGONAL + 1) // 2, last
        else:  # above the left middle line is the bottom of the next quarter, which does not have that line
            sides = [(h - k - last // 2, h - k - (first - SIDE) // 2) for k in (1, 0)]
            axis = first - 2 * MIDDLE, last
        needed = [(side, copies(name, kind)) for side, name in zip(sides, ("left", "bottom"), strict=True)]
        needed.append((axis, copies("middle" if kind else "diagonal")))
        if all(low <= a and b <= high for (a, b), (low, high) in needed):
            return t
    raise CertificateError("the zones of the family are too short, or too far from each other, for any cut")


def _linkage(order: Ints, kind: int, t: int, h: int, slabs: int) -> frozenset[frozenset[Port]]:
    """Which moves across a cut are joined within it, as cells within and outside, moved outwards by so many slabs."""
    x, y = order.T
    m = h - 1
    number = np.maximum(2 * y - x, 2 * x - y) if kind == 0 else 2 * np.abs(m - y) + x
    within = number < t
    crossing = np.flatnonzero(within != np.roll(within, -1))
    following = np.roll(order, -1, axis=0)
    first = int(np.argmax(within[crossing])) if len(crossing) else 0  # this one leads out: arcs begin at the next
    crossing = np.roll(crossing, -first - 1)

    def moved(cell: tuple[int, int], inner: tuple[int, int]) -> tuple[int, int]:
        u, v = cell
        half, whole = slabs * STEP // 2, slabs * STEP
        if kind == 0:
            if abs(inner[0] - inner[1]) > min(inner) and min(inner) < SIDE:
                return (u + half, v) if inner[1] < inner[0] else (u, v + half)
            return u + whole, v + whole
        if abs(inner[1] - m) < MIDDLE:
            return u + whole, v
        return (u, v - half) if inner[1] < m else (u, v + half)

    ports: list[Port] = []
    for step in crossing.tolist():
        cells = [tuple(order[step].tolist()), tuple(following[step].tolist())]
        inner, outer = cells if within[step] else cells[::-1]
        ports.append((moved(inner, inner), moved(outer, inner)))
    return frozenset(frozenset(pair) for pair in zip(ports[::2], ports[1::2], strict=True))
