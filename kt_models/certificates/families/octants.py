"""Tours of squares of all even sizes with few crossings, from *octant families*: a seed that grows to larger squares.

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
- the left middle line, y >= h - `MIDDLE` (and the cells beside the lower one, x >= h - `MIDDLE`);
- the left side, x < `SIDE`, and the bottom, y < `SIDE`;
- the rest: cells of lines, (2,1) above the diagonal and (1,2) below it.  This is checked, in all quarters.

A board that is 12 j larger has 6 j more cells along each of these parts.  There a *zone* of the seed is repeated 1 +
j times: 6 cells of the diagonal and of the middle line, 3 of each side near the corner and 3 near the middle.  What is
beyond a zone moves on.  This is a definition, so what constructs the tours (`heuristics.constructions.octants`)
imports it.

One cycle: by pumping
---------------------
*Cuts.*  Number the lines around a corner by 2y - x above the diagonal and 2x - y below it (the corner at the bottom
left; the others are turned).  The line that is joined to line t across the diagonal is then line t as well, and a
line nearer the corner has a smaller number.  A cut at t parts the cells below t, a wedge with its point at the
corner, from all others.  Around the middle of a side number the lines by their distance from it: 2(m - y) + x below
row m of the left middle line and 2(y - m) + x above; a cut at t parts a triangle at the side from all others.  Lines
stay on one side of a cut.  Moves cross it only near its ends, at the two sides, and where it meets the diagonal (the
middle line).  The *linkage* of a cut says which of the moves across it are joined by the tour within it.

*Slabs.*  A step takes each cut at t, of the four corners and of the four middles, and inserts a slab of 6 lines there:
what is outside moves away, by 3 cells along a side and by 6 along the diagonal or the middle line, and the cells that
fill the gap carry what those carry that moved away from it.  Let the lines from t - 5 to t + 18 meet the sides, and
the diagonal or the middle line, only in copies of a zone: of 3 cells at the sides, and of 6 on the diagonal or the
middle line.  There everything repeats, so this gives the board that repeating the zones gives, wherever among the
copies it is done.  (5 is how far a move can go across lines.)

*Pumping.*  Let the linkages of the cuts at t and t + 6 be the same, moves across the one being those across the other
moved by a slab.  With the slab inserted, the tour consists of what was within the cut at t + 6 and of what was
outside the cut at t.  The former joins the latter as what was within t did, so there are as many cycles as before,
and the linkages are still what they were.  So slabs can be inserted again and again, around each of the eight points
independently of the others.

*The check.*  All boards of the family with at most `STEPS` steps are followed cell by cell; on the last of them the
linkages of such cuts are compared, around all eight points.

How many turns and crossings
----------------------------
Two moves that cross lie within 5 columns and 5 rows.  There the numbers of lines around a point, 2y - x and so on,
differ by 12 at most.  Compare the boards with k and with k + 1 steps, k >= `STEPS`, and the crossings at one of the
points:

1. Those with a cell within the cut at t lie on lines up to t + 11.  So far both boards look alike.
2. Of the larger board, those with no cell within the cut at t, but one within t + 6.  They lie on lines from t to
   t + 17, which are the same for all k.  So they are as many for all k.
3. Of the larger board, those with no cell within t + 6: these are those of the smaller one with none within t, moved.
   For such a crossing has a cell that is no cell of the rest (lines of one direction do not cross, and a diagonal and
   a middle line are too broad for two moves that cross to reach over), and what is near it in the part of that cell
   moves with it.  Where two parts meet, that is near the corner, the middle and the centre, what is there moves as
   one, or lies within the cut.

So each step adds the same, that is what is counted from `STEPS` to `STEPS` + 1 steps.  A turn is at one cell, and the
same is true.

Which boards are served
-----------------------
A family has the squares of side n + 12 j for all j from the least on.  So all sides from m on that are claimed are
served if those from m to m + lcm(12, M) - 1 are, M being the modulus of the claim.  Only families count of which every
square keeps the bounds: those with up to `STEPS` steps by counting, the others as a step adds at most 12 times the
slope.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np

from kt_models.certificates.families.codes import (
    MOVES,
    PAIRS,
    Codes,
    Ints,
    check_codes,
    count,
    cycle,
    read_codes,
    write_codes,
)
from kt_models.certificates.families.statement import FamilyStatement, claims_of
from kt_models.certificates.families.zones import Zone, read_zones
from kt_models.certificates.integers import integer
from kt_models.errors import CertificateError
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS, Limits

KIND = "octants"
CORNER, CENTRE, DIAGONAL, MIDDLE, SIDE = 10, 8, 4, 8, 8
"""How many cells each part of a quarter is wide (see the module)."""
STEP = 6
"""By how much half the side grows in a step."""
ZONES = {"diagonal": (6,), "middle": (6,), "bottom": (3, 3), "left": (3, 3)}
"""Periods of the zones along each part."""
STEPS = 6
"""With so many steps the copies of a zone are long enough for a cut, a slab and a margin."""
ACROSS, SEEN = 5, 12
"""Over how many lines a move goes at most; by how much the lines of two moves that cross differ."""
MAX_FAMILIES = 40

Port = tuple[tuple[int, int], tuple[int, int]]


def stretched(size: int, zones: tuple[Zone, ...], times: int) -> Ints:
    """The cell of the seed for each cell along a part, with every zone so many times."""
    pieces, at = [], 0
    for zone in zones:
        pieces += [np.arange(at, zone.start), np.tile(np.arange(zone.start, zone.end), times)]
        at = zone.end
    return np.concatenate([*pieces, np.arange(at, size)]).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Octants:
    """A seed and its zones.

    Parameters
    ----------
    codes
        The two moves at each cell of the seed; by x and y.
    diagonal, middle, bottom, left
        The zones along these parts of a quarter, of the periods `ZONES`.
    least
        The fewest steps: -1 if the zones may be left out.

    Raises
    ------
    CertificateError
        If the moves do not fit together or the zones may not be repeated.
    """

    codes: Codes
    diagonal: tuple[Zone, ...]
    middle: tuple[Zone, ...]
    bottom: tuple[Zone, ...]
    left: tuple[Zone, ...]
    least: int = -1

    def __post_init__(self) -> None:
        side, other = self.codes.shape
        if side != other or side % 2 or side < 4 * CORNER:
            raise CertificateError("the seed of an octant family is a square of even side, 40 or more")
        for name, periods in ZONES.items():
            zones = getattr(self, name)
            if tuple(zone.period for zone in zones) != periods:
                raise CertificateError(f"the zones of the part {name!r} have the periods {periods}")
            margin = DIAGONAL if name == "diagonal" else 0
            ends = [CORNER + margin, *(at for zone in zones for at in (zone.start, zone.end))]
            if sorted(ends := [*ends, side // 2 - CENTRE - margin]) != ends:
                raise CertificateError(f"a zone of the part {name!r} reaches into another, a corner, or a middle")
        if not -1 <= self.least <= STEPS:
            raise CertificateError(f"the fewest steps are from -1 to {STEPS}")
        for steps in (0, 1, 2, self.least):
            check_codes(self.board_codes(steps))
        if not np.array_equal(self.board_codes(0), self.codes):
            raise CertificateError("a cell of the seed that belongs to no part is not a cell of a line")
        self._check_lines()

    def _check_lines(self) -> None:
        """Check that the cells of no part have moves along lines of the direction of their octant."""
        for quarter in range(4):
            turned = np.rot90(self.codes, -quarter)
            for cell, direction in zip(self._lines, ((2, 1), (1, 2)), strict=True):
                found = set()
                for move in PAIRS[turned[cell]]:
                    dx, dy = MOVES[move]
                    for _ in range(quarter):
                        dx, dy = dy, -dx
                    found.add((dx, dy))
                if found != {direction, (-direction[0], -direction[1])}:
                    raise CertificateError("the lines of an octant have another direction")

    @property
    def side(self) -> int:
        """Of the seed."""
        return int(self.codes.shape[0])

    def steps(self, side: int) -> int | None:
        """How many steps lead to a board of a side; None if it is not of this family."""
        steps, rest = divmod(side - self.side, 2 * STEP)
        return None if rest or steps < self.least else steps

    @cached_property
    def _lines(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """A line cell of the seed above the diagonal of its quarter, and one below it."""
        y = SIDE + DIAGONAL + 1
        return (SIDE, y), (y, SIDE)

    def sources(self, steps: int) -> tuple[Ints, Ints]:
        """For each cell of the bottom left quarter, the cell of the seed with the same moves: two (h, h) arrays."""
        h0, more = self.side // 2, STEP * steps
        h = h0 + more
        along = {name: stretched(h0, getattr(self, name), 1 + steps) for name in ZONES}
        x, y = np.meshgrid(np.arange(h), np.arange(h), indexing="ij")
        shift = (mean := (x + y) // 2) - along["diagonal"][mean]
        (above_x, above_y), (below_x, below_y) = self._lines
        parts = [
            ((x < CORNER) & (y < CORNER), x, y),
            ((x >= h - CENTRE) & (y >= h - CENTRE), x - more, y - more),
            (np.abs(y - x) <= DIAGONAL, x - shift, y - shift),
            (y >= h - MIDDLE, along["middle"][x], y - more),
            (x >= h - MIDDLE, x - more, along["middle"][y]),
            (x < SIDE, x, along["left"][y]),
            (y < SIDE, along["bottom"][x], y),
            (y > x, np.full_like(x, above_x), np.full_like(x, above_y)),
        ]
        which = [part for part, _, _ in parts]
        return np.select(which, [u for _, u, _ in parts], below_x), np.select(which, [v for _, _, v in parts], below_y)

    def board_codes(self, steps: int) -> Codes:
        """The two moves at each cell of the board after so many steps."""
        x, y = self.sources(steps)
        h0, h = self.side // 2, len(x)
        codes = np.empty((2 * h, 2 * h), dtype=np.uint8)
        for quarter in range(4):  # seed and board are turned back until it is at the bottom left
            np.rot90(codes, -quarter)[:h, :h] = np.rot90(self.codes, -quarter)[:h0, :h0][x, y]
        return codes

    def to_json(self) -> dict[str, Any]:
        """The keys of a family in a file; rows of the seed from the bottom up, a letter for each cell."""
        zones = {name: [[zone.start, zone.period] for zone in getattr(self, name)] for name in ZONES}
        return {"seed": write_codes(self.codes), **zones, "least": self.least}

    @classmethod
    def from_json(cls, data: Any) -> Octants:
        """The family of a JSON object.

        Raises
        ------
        CertificateError
            If it is none.
        """
        if type(data) is not dict:
            raise CertificateError("a family is no object")
        codes = read_codes(data.get("seed"))
        zones = {name: read_zones(data.get(name), name) for name in ZONES}
        return cls(codes, **zones, least=integer(data.get("least"), "least", -1, STEPS))


# -- one cycle ---------------------------------------------------------------------------------------------------------


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


def check_one_cycle(family: Octants, limits: Limits = NO_LIMITS) -> Shown:
    """Check that every board of a family has one cycle, by the argument of this module.

    Raises
    ------
    CertificateError
        If the argument does not hold for the family.
    Stopped
        If the limits do not suffice.
    """
    sides = []
    for steps in range(family.least, STEPS + 1):
        limits.check()
        codes = family.board_codes(steps)
        check_codes(codes)
        order = cycle(codes)
        sides.append(len(codes))
        if len(order) < codes.size:
            raise CertificateError(f"the board of side {sides[-1]} has several cycles")
    cuts = _cut(family, 0), _cut(family, 1)
    for kind, t in enumerate(cuts):
        for quarter in range(4):
            limits.check()
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
        first, last = t - ACROSS, t + STEP + SEEN
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
            if abs(inner[0] - inner[1]) <= DIAGONAL:
                return u + whole, v + whole
            return (u + half, v) if inner[1] < inner[0] else (u, v + half)
        if h - MIDDLE <= inner[1] < h + MIDDLE:
            return u + whole, v
        return (u, v - half) if inner[1] < m else (u, v + half)

    ports: list[Port] = []
    for step in crossing.tolist():
        cells = [tuple(order[step].tolist()), tuple(following[step].tolist())]
        inner, outer = cells if within[step] else cells[::-1]
        ports.append((moved(inner, inner), moved(outer, inner)))
    return frozenset(frozenset(pair) for pair in zip(ports[::2], ports[1::2], strict=True))


# -- how many, and on which boards -------------------------------------------------------------------------------------


def keeps(family: Octants, claim: FamilyStatement) -> bool:
    """Whether all boards of a family keep the bounds of a claim."""
    for bound in claim.bounds:
        steps = range(family.least, STEPS + 2)
        found = [count(family.board_codes(k), bound.metric) for k in steps]
        if any(n > bound.at(family.side + 2 * STEP * k) for k, n in zip(steps, found, strict=True)):
            return False
        if found[-1] - found[-2] > bound.slope * 2 * STEP:
            return False
    return True


def serves(families: Iterable[Octants], claim: FamilyStatement) -> None:
    """Check that each square of a claim is in one of some families.

    Raises
    ------
    CertificateError
        Naming a side that is not.
    """
    known, least = list(families), claim.boards.least
    for side in range(least, least + lcm(2 * STEP, claim.boards.modulus)):
        if claim.boards.includes(side) and all(family.steps(side) is None for family in known):
            raise CertificateError(f"octants: no family has the side {side} within the bounds that are claimed")


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[FamilyStatement, ...]:
    """Check the claims of a file of kind `octants`.

    Raises
    ------
    CertificateError
        If one is not shown, or it is no such file.
    Stopped
        If the limits do not suffice.
    """
    claims = claims_of(data, KIND)
    entries = data.get("families")
    if type(entries) is not list or not 1 <= len(entries) <= MAX_FAMILIES:
        raise CertificateError(f"octants: 'families' is no list of 1 to {MAX_FAMILIES} families")
    families = [Octants.from_json(entry) for entry in entries]
    for family in families:
        check_one_cycle(family, limits)
    for claim in claims:
        if claim.boards.shape != "squares" or not claim.exists or not claim.closed:
            raise CertificateError("octants: a claim is that squares have closed tours")
        if claim.leaper != KNIGHT or claim.symmetry:
            raise CertificateError("octants: a claim is about knights, without a symmetry")
        kept = []
        for family in families:
            limits.check()
            if keeps(family, claim):
                kept.append(family)
        serves(kept, claim)
    return claims
