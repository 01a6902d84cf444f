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
from kt_models.json_values import integer, integers
from kt_models.limits import NO_LIMITS, Limits
from theorems.growing_tours.codes import count
from theorems.growing_tours.cuts import find_slabs
from theorems.growing_tours.rectangles import NUMBERS, RectangleBoard, SlabRectangle, Slabs
from theorems.growing_tours.slabs import MAX_SLABS, MAX_STEPS, read_bundles
from theorems.growing_tours.zones import KIND, LINES, MAX_LEAST, TourFamily
from theorems.statement import FamilyKind, FamilyStatement, sharing

CROSSING_SPAN = 5
"""Most columns (rows) that two crossing moves span."""
MAX_FAMILIES, MAX_CELLS = 100, 20_000_000
"""Most families of one file, and most cells that are followed; of margins, where runs are skipped."""
MAX_INFLATIONS = 100
"""Most boards with slabs of one family."""
MAX_AHEAD = 40
"""Largest difference between the steps of the two growths that lead to a square."""


@dataclass(frozen=True)
class StrandsEvidence:
    """Evidence that every board has one cycle: number of boards followed, most steps of each growth, and cells."""

    followed: int
    times: tuple[int, ...]
    cells: int


@dataclass(frozen=True, eq=False)
class StrandsFamily(TourFamily):
    """A family together with slabs of some of its boards."""

    inflations: tuple[Slabs, ...]

    @classmethod
    def of(cls, family: TourFamily, inflations: tuple[Slabs, ...]) -> StrandsFamily:
        """A family with slabs."""
        return cls(family.codes, family.columns, family.rows, family.growths, inflations)

    def to_json(self) -> dict[str, Any]:
        boards = [
            {
                "at": list(board.times),
                "slabs": [
                    {"growth": growth, "lines": [[bundle.direction, bundle.first, bundle.lines] for bundle in bundles]}
                    for growth, bundles in zip(board.growths, board.bundles, strict=True)
                ],
            }
            for board in self.inflations
        ]
        return {**super().to_json(), "inflations": boards}


def read_family(data: Any) -> TourFamily:
    """Read the family of a JSON object; it has no slabs if the object lacks `inflations`, as in older files.

    Raises
    ------
    CertificateError
        If the data are malformed.
    """
    family = TourFamily.from_json(data)
    if "inflations" not in data:
        return family
    boards = data["inflations"]
    if type(boards) is not list or len(boards) > MAX_INFLATIONS:
        raise CertificateError(f"'inflations' is not a list of at most {MAX_INFLATIONS} boards")
    return StrandsFamily.of(family, tuple(map(_inflation, boards)))


def with_slabs(family: TourFamily, limits: Limits = NO_LIMITS) -> StrandsFamily:
    """A family with slabs that a search finds.

    Raises
    ------
    CertificateError
        If it finds none.
    Stopped
        If a limit is reached.
    """
    return StrandsFamily.of(family, find_slabs(family, limits))


def _inflation(data: Any) -> Slabs:
    slabs = data.get("slabs") if type(data) is dict else None
    if type(slabs) is not list or not 0 < len(slabs) <= MAX_SLABS or any(type(slab) is not dict for slab in slabs):
        raise CertificateError(f"an inflation is an object with a list of 1 to {MAX_SLABS} 'slabs', which are objects")
    times = integers(data.get("at"), "at", -MAX_LEAST, MAX_STEPS)
    if len(times) != 2:
        raise CertificateError("'at' of an inflation is two numbers of steps")
    return Slabs(
        (times[0], times[1]),
        tuple(read_bundles(slab.get("lines"), len(NUMBERS)) for slab in slabs),
        tuple(integer(slab.get("growth"), "growth", 0, 1) for slab in slabs),
    )


def check_one_cycle(family: TourFamily, limits: Limits = NO_LIMITS, cells: int = MAX_CELLS) -> StrandsEvidence:
    """Check that every board of a family has one cycle, by inflation; a search finds the slabs of a family without.

    Checks Lemma 6 (one cycle on all boards).

    Raises
    ------
    CertificateError
        If the argument does not hold for the family, or more than `cells` cells of margins have to be followed.
    Stopped
        If a limit is reached.
    """
    left, right, low, high = family.zoned
    if not np.isin(family.codes[left:right, low:high], LINES).all():
        raise CertificateError("a cell of the interior is not a line cell")
    inflations = (family if isinstance(family, StrandsFamily) else with_slabs(family, limits)).inflations
    followed = number = 0
    # by growth: from how many steps on it is shown, on boards with so many steps of the other growth
    begins: tuple[dict[int, int], dict[int, int]] = ({}, {})
    joint: list[tuple[int, int]] = []
    for slabs in inflations:
        if not family.has(*slabs.times):
            raise CertificateError("slabs are of a board that the family does not have")
        board = SlabRectangle(family, slabs)
        followed += board.check_one_cycle(cells - followed)
        board.inflation().check_one_cycle(limits)
        if len(slabs.grows) == 2:
            joint.append(slabs.times)
        for growth in slabs.grows if len(slabs.grows) == 1 else ():
            begins[growth][slabs.times[1 - growth]] = slabs.times[growth]
    if len(joint) != 1:
        raise CertificateError("not exactly one board of the family grows in both ways")
    least, last = [growth.least for growth in family.growths], joint[0]
    for growth in (0, 1):
        if not {*range(least[1 - growth], last[1 - growth])} <= begins[growth].keys():
            raise CertificateError("a board with few steps of one growth has no slabs of the other")
    most = [max(last[growth], *begins[growth].values()) for growth in (0, 1)]
    for i, j in itertools.product(*(range(begin, end) for begin, end in zip(least, most, strict=True))):
        shown = (i >= last[0] and j >= last[1]) or i >= begins[0].get(j, most[0]) or j >= begins[1].get(i, most[1])
        if not shown and family.has(i, j):
            limits.check()
            followed += RectangleBoard(family, (i, j)).check_one_cycle(cells - followed)
            number += 1
    return StrandsEvidence(number + len(inflations), last, followed)


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
            # zones long enough that no window of crossing moves spans one
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
    """Steps that lead to squares, up to the linear range; each further square adds one step of both growths."""
    width, height = family.size
    (a, b), (_, c) = (growth.step for growth in family.growths)
    if a != b + c or (width - height) % c:
        return []  # no step to a square, or not from square to square: `check_covered` refuses the latter
    i, ahead = family.growths[0].least, (width - height) // c
    i = max(i, family.growths[1].least - ahead)
    if max(i1, j1) + abs(ahead) > MAX_AHEAD:
        raise CertificateError("strands: the first squares of a family are too far from its seed")
    steps = []
    while i <= i1 or i + ahead <= j1:
        if family.has(i, i + ahead):
            steps.append((i, i + ahead))
        i += 1
    return steps


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
    """Check the claims of a file of kind `strands`; raises the errors of `FamilyKind.check`."""
    prove = sharing(MAX_CELLS, lambda *given: check_one_cycle(*given).cells)
    shapes = ("rectangles", "squares")
    kind = FamilyKind(KIND, "families", MAX_FAMILIES, shapes, read_family, prove, satisfies, check_covered)
    return kind.check(data, limits)
