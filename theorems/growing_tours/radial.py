"""Radial tours of squares of all sizes, which a quarter turn maps to themselves: one cycle, by inflation.

`radial_data` describes the squares D(k) of a family. A line has one of four directions: the sign of t or of s tells
that of a straight line, and the signs of both that of a bent one. Its number is abs(t) or abs(s), whichever is
constant along it. Lemma 15 (turns of radial squares) says how turns are counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kt_models.errors import CertificateError
from kt_models.kernel.certificates.integers import Ints
from kt_models.limits import NO_LIMITS, Limits
from theorems.growing_tours.bundles import Bundles
from theorems.growing_tours.codes import REACH, check_codes
from theorems.growing_tours.inflation import Truths
from theorems.growing_tours.lines import MOVES_OF, VECTORS, LineBoard, fits_zones, follow
from theorems.growing_tours.radial_data import KIND, RadialFamily, lines, numbers
from theorems.growing_tours.zones import Zone, check_zones, sources
from theorems.statement import FamilyKind, FamilyStatement, sharing

DIRECTIONS = 4
CLASSES = 10
"""Modulus at which the numbers of lines of one kind agree."""
ZONE_PERIOD, STEP = 5, 30
"""Divisors of the periods of zones, and of the columns that a step adds."""
MAX_FIRST, MAX_FAMILIES = 1024, 160
"""Largest side of D(0), all of whose cells are visited; most families of a file."""
MAX_MARGINS = 40_000_000
"""Most margin cells that are followed for one file."""


@dataclass(frozen=True, eq=False)
class RadialBoard(LineBoard):
    """The square D(k) with slabs."""

    family: RadialFamily
    k: int

    @property
    def side(self) -> int:
        """Side of the square."""
        return self.family.side(self.k)

    @property
    def size(self) -> tuple[int, int]:
        return self.side, self.side

    @property
    def box(self) -> tuple[int, int, int, int]:
        low, high = self.family.depth, self.side - self.family.depth
        return low, high, low, high

    def moves_at(self, cells: Ints) -> Ints:
        x, y, turns = self._as_bottom(*cells.T)
        columns = sources(x, self.family.zones, self.family.added_at(self.k))
        return (MOVES_OF[self.family.seed[columns, y]] - 2 * turns[:, None]) % 8

    def run_ends(self, cells: Ints, moves: Ints) -> tuple[Ints, Ints]:
        s, t = numbers(self.side, *cells.T)
        flat = np.isin(moves, (1, 5))
        # Only lines in the classes t = 0 (mod 5) bend, and only on their way inwards
        bent = (t % 5 == 0) & (moves == np.where(flat, np.where(s > 0, 5, 1), np.where(t > 0, 7, 3)))
        ahead = np.where(bent, (abs(s) - abs(t)) * np.where(flat, 1, -1) // CLASSES, 0)
        out = np.where(bent, np.where(flat, np.where(t > 0, 3, 7), np.where(s > 0, 1, 5)), moves)
        return super().run_ends(cells + ahead[:, None] * VECTORS[moves], out)

    def line(self, cells: Ints, moves: Ints) -> tuple[Ints, Ints]:
        s, t = numbers(self.side, *cells.T)
        flat = np.isin(moves, (1, 5))
        straight = np.where(flat, t > 0, 2 + (s > 0))
        direction = np.where(t % 5 == 0, (t > 0) + 2 * (s > 0), straight).astype(np.int64)
        return direction, np.where(flat, abs(t), abs(s))

    def line_of(self, direction: Ints, cells: Ints) -> tuple[Ints, Ints]:
        return np.zeros_like(direction), abs(numbers(self.side, *cells.T)[1])

    @property
    def repeated(self) -> tuple[int, ...]:
        return (0,) * len(self.family.slabs)

    @property
    def bundles(self) -> Sequence[Bundles]:
        return [
            tuple(replace(bundle, direction=direction) for bundle in slab for direction in range(DIRECTIONS))
            for slab in self.family.slabs
        ]

    def _as_bottom(self, x: Ints, y: Ints) -> tuple[Ints, Ints, Ints]:
        """Margin cells as cells of the bottom, and the quarter turns to the right that take them there."""
        low, last = self.family.depth, self.side - 1
        turns = np.zeros(x.shape, dtype=np.int64)
        for _ in range(DIRECTIONS - 1):
            off = (x >= self.side - low) | (y >= low)
            x, y, turns = np.where(off, y, x), np.where(off, last - x, y), turns + off
        return x, y, turns

    def moved(self, growth: int, direction: Ints, number: Ints, more: Ints, cells: Ints) -> Ints:
        p = self.family.step
        x, y, turns = self._as_bottom(*cells.T)
        s, t = numbers(self.side, x, y)
        flat = abs(t) == number
        if (flat & (t < 0)).any():
            raise CertificateError("a line with the direction (2, 1) is on the wrong side of the middle")
        along, part = np.divmod(np.where(flat, 2 * (more - p), 3 * p + np.sign(s) * more), 4)
        if part.any():
            raise CertificateError("an end of a run moves by a fraction of a cell")
        zero = np.zeros_like(along)
        ways = [(along, zero), (zero + p, along), (p - along, zero + p), (zero, p - along)]
        moved: Ints = np.select(
            [(turns == k)[:, None] for k in range(DIRECTIONS)], [np.stack(way, axis=1) for way in ways]
        )
        return moved

    def fits(self, growth: int, vectors: Ints) -> Truths:
        nodes, p = self.nodes, self.family.step
        x, _, turns = self._as_bottom(*nodes.cells.T)
        dx, dy = vectors.T
        which = [turns == k for k in range(DIRECTIONS)]
        along, up = np.select(which, [dx, dy, p - dx, p - dy]), np.select(which, [dy, p - dx, p - dy, dx])
        good = fits_zones(x, along, self.family.zones, self.family.added_at(self.k), self.family.grows) & (up == 0)
        return np.where(nodes.inner, ((vectors >= 0) & (vectors <= p)).all(axis=1), good)

    def run_moves(self, ways: Ints) -> Ints:
        into, out = (VECTORS[moves] for moves in self.walk[1:])
        bent = (into != out).any(axis=1)  # At a right angle
        count, part = np.divmod((ways * np.where(bent[:, None], into + out, into)).sum(axis=1), 5)
        if part.any() or (count[:, None] * into != ways)[~bent].any():
            raise CertificateError("the two ends of a run leave their line")
        return count

    def area(self, copies: Sequence[int]) -> int:
        return self.family.side(self.k + copies[0] - 1) ** 2


def check_moves(family: RadialFamily) -> None:
    """Check that each square of a family has two moves at each cell.

    Checks Lemma 13 (sides of radial squares).

    Raises
    ------
    CertificateError
        If it may not.
    """
    side, depth, p = family.side(0), family.depth, family.step
    if side % 2 or p % STEP or any(zone.period % ZONE_PERIOD for zone in family.zones):
        raise CertificateError(f"sides are even, zones have periods of 5 columns, and a step adds {STEP} or more")
    if side > MAX_FIRST:
        raise CertificateError(f"the first square of a family has a side of more than {MAX_FIRST}")
    zones, begun = [], 0
    for zone, more in zip(family.zones, family.added, strict=True):
        zones.append(Zone(zone.start + begun, zone.period, 1 + more // zone.period))
        begun += more
    if zones[0].start < depth + 2 * REACH or zones[-1].end > side - depth - 2 * REACH:
        raise CertificateError("a zone is too near to a corner")
    before = [3 * (zone.end - 1) < side - 1 for zone in zones]
    if any(not left and 3 * zone.start <= side + depth for left, zone in zip(before, zones, strict=True)):
        raise CertificateError("a zone is where lines are bent")
    # Bends lie at a third of the side, so a third of the growth must be before them
    if 3 * sum(grown for left, grown in zip(before, family.grows, strict=True) if left) != p:
        raise CertificateError("the bends of lines do not move as the zones grow")
    # Two rows of the interior above the side: as far as its moves reach
    above = lines(side, *np.meshgrid(np.arange(side - depth), np.arange(depth, depth + REACH), indexing="ij"))
    check_zones(zones, np.concatenate([family.seed[family.sources(0)], above], axis=1))
    check_codes(family.codes(0))


def check_radial(family: RadialFamily, limits: Limits = NO_LIMITS, cells: int = MAX_MARGINS) -> int:
    """Check that every square of a family has one cycle, by inflation.

    Checks Lemma 14 (vectors of radial squares).

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
    check_moves(family)
    if any(bundle.lines % CLASSES for slab in family.slabs for bundle in slab):
        raise CertificateError(f"the numbers of inserted lines are not multiples of {CLASSES}")
    return follow((RadialBoard(family, k) for k in range(family.steps + 1)), limits, cells)


def satisfies(family: RadialFamily, claim: FamilyStatement) -> bool:
    """Whether all squares of a family satisfy the bounds of a claim; a quarter turn maps them to themselves."""
    # The number of turns is linear in k
    first, rise = family.turns(0), family.turns(1) - family.turns(0)
    return all(
        bound.metric == "turns" and first <= bound.at(family.side(0)) and rise <= bound.slope * family.step
        for bound in claim.bounds
    )


def check_covered(families: Sequence[RadialFamily], claim: FamilyStatement) -> None:
    """Check that families cover each board of a claim.

    Raises
    ------
    CertificateError
        Naming a board that is not.
    """
    steps = {family.step for family in families}
    # Equal steps: then one period of sides covers all larger ones
    if len(steps) != 1 or (step := steps.pop()) % claim.boards.modulus:
        raise CertificateError(
            f"radial: no family, or steps that do not lead to all boards that are claimed, for {claim}"
        )
    for side in range(claim.boards.least, claim.boards.least + step):
        if claim.boards.includes(side) and all(family.steps_to(side) is None for family in families):
            raise CertificateError(f"radial: no family has the board {side}x{side} within the bounds that are claimed")


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[FamilyStatement, ...]:
    """Check the claims of a file of kind `radial`; raises the errors of `FamilyKind.check`."""
    prove = sharing(MAX_MARGINS, check_radial)
    return FamilyKind(
        KIND, "families", MAX_FAMILIES, ("squares",), RadialFamily.from_json, prove, satisfies, check_covered, True
    ).check(data, limits)
